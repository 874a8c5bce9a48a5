"""Positions in which a random outcome is waited for, and the keys of positions on all executors."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rulelang import api
from rulelang.machines.chance import NeedsChance
from rulelang.match.timeline import Timeline
from rulelang.playouts.rng import RandomStream
from tests.files import CLASSICS, SMALL_GAMES
from tests.games.written import game
from tests.seeds import rest_long
from tests.views import variable, zone

EXECUTORS = ("reference", "generated", "native")
CHOSEN = """\
game state "State":
  players 1
  seats sam
names p: Player; n: 1..6
die d6: 1..6
each Player has:
  chosen: 0..6 = 0
  thrown: 0..6 = 0
action choose(p, n) "Choose {n}":
  p.chosen = n
  p.thrown = roll(d6)
play:
  turns p from first_player: p chooses one of choose
"""
DEAL = """\
game deal "Deal":
  players 2
names p: Player; c: Card
kind Card "card":
  n: 1..60
  | copies | n |{copies}
the game has:
  deck: pile of Card, face down
each Player has:
  hand: group of Card, seen by owner
setup:
  move Card to deck
  shuffle(deck)
  if count(deck) > 9: move 1 of deck to first_player.hand
play:
  for p in players: p chooses n in 1..2
"""


@pytest.mark.parametrize("traced", [True, False])
@pytest.mark.parametrize("executor", EXECUTORS)
def test_a_match_that_waits_for_chance_stands_behind_the_answer(executor: str, traced: bool, tmp_path: Path) -> None:
    """Key, state, view and information were those before the answer, so two answers led to equal keys."""
    rules = game(CHOSEN, tmp_path)
    matches = [rules.start(seed=1, explicit_chance=True, executor=executor, traced=traced) for _ in range(2)]
    before = matches[0].key
    for match, n in zip(matches, (4, 5), strict=True):
        match.play(f"choose({n})")
        assert variable(match.state, "sam.chosen").value == variable(match.view(0), "sam.chosen").value == n
    four, five = matches
    assert len({before, four.key, five.key}) == 3
    assert not traced or four.information(0) != five.information(0)
    assert four.fork().key == four.key
    three = four.fork()
    three.play_chance(three.chance[2])
    assert (variable(three.state, "sam.thrown").value, variable(four.state, "sam.thrown").value) == (3, 0)
    four.undo()
    assert four.key == before


def test_waiting_matches_have_equal_keys_on_all_executors(tmp_path: Path) -> None:
    rules = game(CHOSEN, tmp_path)
    matches = [rules.start(seed=1, explicit_chance=True, executor=executor) for executor in EXECUTORS]
    for match in matches:
        match.play("choose(4)")
    assert len({match.key for match in matches}) == 1
    for match in matches:
        match.play_chance(match.chance[2])
    assert len({match.key for match in matches}) == 1


@pytest.mark.parametrize("name", rest_long(["nim", "pig", "kuhn", "tavern"], "nim", "pig", "kuhn"))
def test_the_reference_has_the_key_of_the_other_executors(name: str) -> None:
    entry = CLASSICS / f"{name}.rules" if (CLASSICS / f"{name}.rules").exists() else SMALL_GAMES / f"{name}.rules"
    matches = [api.load(entry).start(seed=3, executor=executor) for executor in EXECUTORS]
    rng = RandomStream(7, name)
    for _ in range(12):
        first, *others = matches
        assert {match.key for match in others} == {first.key}
        if not first.to_move:
            break
        option = rng.choose(list(first.options))
        for match in matches:
            match.play(f"{match.seats[option.seat]}: {option.text}")


def test_a_deal_of_many_is_asked_card_by_card_with_exact_probabilities(tmp_path: Path) -> None:
    """Piles of nine and more were shuffled by the seed, silently."""
    match = game(DEAL.format(copies="\n  | 8 | 1 |\n  | 1 | 2 |"), tmp_path).start(2, explicit_chance=True)
    ways: dict[tuple[str | None, ...], Fraction] = {}
    waiting = [(match, Fraction(1))]
    while waiting:
        one, likely = waiting.pop()
        if not one.chance:
            ways[zone(one.state, "deck").things] = likely
        for possible in one.chance:
            copy = one.fork()
            copy.play_chance(possible)
            waiting.append((copy, likely * possible.probability))
    assert len(ways) == 9
    assert set(ways.values()) == {Fraction(1, 9)}


@pytest.mark.parametrize("executor", EXECUTORS)
def test_a_large_deck_is_explicit_and_its_log_plays_again(executor: str, tmp_path: Path) -> None:
    rules = game(DEAL.format(copies="".join(f"\n  | 1 | {n} |" for n in range(1, 53))), tmp_path)
    match = rules.start(2, explicit_chance=True, executor=executor)
    for left in range(52, 1, -1):
        assert [possible.probability for possible in match.chance] == [Fraction(1, left)] * left
        match.play_chance(match.chance[-1])
    assert (match.chance, match.to_move) == ((), (0,))
    assert zone(match.state, "player1.hand").things == ("Card(52)",)
    assert api.replay(match.log, under=rules).difference is None


@pytest.mark.parametrize("name", ["pig", "kuhn", "tavern"])
def test_all_executors_show_the_same_wherever_a_game_stops(name: str) -> None:
    entry = CLASSICS / f"{name}.rules" if (CLASSICS / f"{name}.rules").exists() else SMALL_GAMES / f"{name}.rules"
    matches = [api.load(entry).start(seed=3, executor=one, explicit_chance=True) for one in EXECUTORS]
    rng = RandomStream(3, name)
    for _ in range(16):
        first, *others = [
            (match.key, dict(match.state), match.view(0), match.information(0), match.chance, match.to_move)
            for match in matches
        ]
        assert all(other == first for other in others)
        if matches[0].chance:
            outcome = rng.choose(matches[0].chance)
            for match in matches:
                match.play_chance(outcome)
        elif matches[0].to_move:
            option = rng.choose(list(matches[0].options))
            for match in matches:
                match.play(f"{match.seats[option.seat]}: {option.text}")


def waits(match: api.Match) -> list[tuple[object, ...]]:
    """What a match shows wherever it waits for chance, at its start, with every third outcome taken."""
    found: list[tuple[object, ...]] = []
    while match.chance:
        events = match.play_chance(match.chance[len(found) * 3 % len(match.chance)])
        found.append(
            (match.key, match.chance, match.state, match.view(0), [event.text for event in events], match.inputs)
        )
    return [*found, (match.log.text,)]


def test_between_two_cards_of_a_shuffle_a_step_is_not_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each card ran the whole step anew, with all its events, which took as long as the cards before it were many."""
    rules, steps = game(DEAL.format(copies="\n  | 8 | 1 |\n  | 1 | 2 |\n  | 1 | 3 |\n  | 5 | 4 |"), tmp_path), 0
    original = Timeline._step

    def counted(self: Timeline, *args: Any) -> Any:
        nonlocal steps
        steps += 1
        return original(self, *args)

    monkeypatch.setattr(Timeline, "_step", counted)
    at_once = waits(rules.start(2, explicit_chance=True, seed=1))
    assert len(at_once) > 9
    assert steps == 2
    monkeypatch.setattr(NeedsChance, "after", lambda self, outcome: None)
    assert waits(rules.start(2, explicit_chance=True, seed=1)) == at_once
    assert steps == 2 + len(at_once)
