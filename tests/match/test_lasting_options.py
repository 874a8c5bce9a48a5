"""Options that read alike in every position are made once; all others belong to the position in which they were offered."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import rulelang
from rulelang.match.options.explain import labels
from rulelang.match.options.lasting import MOST_KEPT, LastingOptions
from rulelang.match.options.namesakes import form
from rulelang.match.options.option import Wording
from tests.files import CLASSICS

GAMES: dict[str, str | Path] = {
    "connect_four": CLASSICS / "connect_four.rules",
    "kuhn": CLASSICS / "kuhn.rules",
    "nim": CLASSICS / "nim.rules",
    "outspeed": "outspeed",
    "exobase": "exobase",
}
TINY = """game tiny "Tiny":
  players 2
  seats red, blue

names p: Player; n: 1..2000

the game has:
  price: 0..99 = 3

action take(p, n) "Take {n}":
  price += 1
  if price > 20: finish with winner p

action buy(p) "Buy for {price}":
  price += 1

play:
  turns p from first_player: p chooses one of ACTIONS, or pass
"""


@pytest.mark.parametrize("name", GAMES)
def test_the_words_of_an_option_are_those_of_the_position_in_which_it_is_offered(name: str) -> None:
    game, rng = rulelang.load(GAMES[name]), random.Random(7)
    for seed in range(2):
        match = game.start(seed=seed)
        for _ in range(12):
            if (choice := match.choice) is None:
                break
            position, machine = match.position, match.position.machine
            for seat in match.to_move:
                label = labels(position, choice, seat)
                for option in match.options_of(seat).first(20):
                    assert option.text == form(machine, choice, seat, option.answer)
                    assert option.label == label(option) or "(" in option.label
            match.push(rng.choice(match.options.first(50)))


def test_a_game_of_lasting_words_offers_the_same_options_in_all_its_matches() -> None:
    game = rulelang.load(GAMES["connect_four"])
    one, other = game.start(seed=1, traced=False), game.start(seed=2)
    one.push(one.options[0])
    one.push(one.options[3])
    assert all(a is b for a, b in zip(one.options, other.options, strict=True))
    assert one.options[3] is one.option("drop(4)")
    assert one.options[3].label == "Drop into column 4"


def tiny(folder: Path, actions: str) -> rulelang.Game:
    path = folder / "tiny.rules"
    path.write_text(TINY.replace("ACTIONS", actions))
    return rulelang.load(path)


def test_an_option_that_names_a_value_of_the_position_keeps_the_words_of_its_moment(tmp_path: Path) -> None:
    match = tiny(tmp_path, "buy").start(seed=1)
    before = match.options[0]
    match.push(before)
    after = match.options[0]
    assert (before.label, after.label) == ("Buy for 3", "Buy for 4")


def test_options_are_kept_up_to_a_bound(tmp_path: Path) -> None:
    match = tiny(tmp_path, "take").start(seed=1)
    found, again = list(match.options), list(match.fork().options)
    assert found == again
    assert [option.label for option in found[:2]] == ["Take 1", "Take 2"]
    kept = [one for one in match.visibility.lasting_options.values() if isinstance(one, LastingOptions)]
    assert [len(one) for one in kept] == [MOST_KEPT]
    assert sum(a is b for a, b in zip(found, again, strict=True)) == MOST_KEPT


def test_what_is_kept_holds_no_position(tmp_path: Path) -> None:
    option = tiny(tmp_path, "take").start(seed=1).options[0]
    assert isinstance(option._words, Wording)
    assert not hasattr(option._words, "machine")
    assert option.label == "Take 1"
