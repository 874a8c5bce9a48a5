"""Positions in which a random outcome is waited for, and the keys of positions on all executors."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rulelang import api
from rulelang.errors import InvalidInput
from rulelang.machines.explicit import NeedsChance
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
  hand: pile of Card, seen by owner
setup:
  move Card to deck
  shuffle(deck)
  move {drawn} of deck to first_player.hand
play:
  for p in players: p chooses n in 1..2
"""
DECKS = """\
game decks "Decks":
  players 2
  seats red, blue
names p: Player; c: Card
kind Card "card":
  v: 1..4
  | copies | v |
  | 2 | 1 |
  | 2 | 2 |
  | 1 | 3 |
  | 1 | 4 |
the game has:
  waste: pile of Card, face up
  deck: pile of Card, face down, refills from waste
  small: 0..6 = 0
each Player has:
  hand: group of Card, seen by owner
setup:
  move Card to deck
  shuffle(deck)
action draw(p) "Draw":
  move 2 of deck to p.hand
action look(p) "Look":
  if deck != {}: show(top(deck), p)
action burn(p) "Burn":
  if deck != {} and top(deck).v > 2: move 1 of deck to waste
action lose(p) "Lose":
  move random(c in p.hand) to waste
action seek(p) "Seek":
  small = count(c in deck if c.v < 3)
  move random(c in deck if c.v < 3) to p.hand
action mix(p) "Mix":
  move waste to deck bottom
  shuffle(deck)
play:
  turns p from first_player: p chooses one of draw, look, burn, lose, seek, mix
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
    match = game(DEAL.format(copies="\n  | 8 | 1 |\n  | 1 | 2 |", drawn=9), tmp_path).start(2, explicit_chance=True)
    ways: dict[tuple[str | None, ...], Fraction] = {}
    waiting = [(match, Fraction(1))]
    while waiting:
        one, likely = waiting.pop()
        if not one.chance:
            ways[zone(one.state, "player1.hand").things] = likely
        for possible in one.chance:
            copy = one.fork()
            copy.play_chance(possible)
            waiting.append((copy, likely * possible.probability))
    assert len(ways) == 9
    assert set(ways.values()) == {Fraction(1, 9)}


@pytest.mark.parametrize("executor", EXECUTORS)
def test_a_large_deck_is_asked_for_the_cards_that_are_drawn(executor: str, tmp_path: Path) -> None:
    """All 52 were asked for at the shuffle, also where two were drawn."""
    rules = game(DEAL.format(copies="".join(f"\n  | 1 | {n} |" for n in range(1, 53)), drawn=2), tmp_path)
    match = rules.start(2, explicit_chance=True, executor=executor)
    for left in (52, 51):
        assert [possible.probability for possible in match.chance] == [Fraction(1, left)] * left
        match.play_chance(match.chance[-1])
    assert (match.chance, match.to_move) == ((), (0,))
    assert zone(match.state, "player1.hand").things == ("Card(51)", "Card(52)")
    assert zone(match.state, "deck").things == (None,) * 50
    assert zone(match.view(0), "deck").things == (None,) * 50
    assert api.replay(match.log, under=rules).difference is None
    with pytest.raises(InvalidInput, match="what lies where in a shuffled pile"):
        match.as_given()
    with pytest.raises(InvalidInput, match="what lies where in a shuffled pile"):
        match.opened()


def test_positions_that_are_the_same_have_the_same_key_whatever_order_is_open(tmp_path: Path) -> None:
    rules = game(DECKS, tmp_path)
    begun = rules.start(2, explicit_chance=True, traced=False)
    keys = dict[tuple[str | None, ...], set[object]]()
    for first in range(4):
        match = begun.fork()
        match.play("draw")
        match.play_chance(match.chance[first])
        for second in match.chance:
            then = match.fork()
            then.play_chance(second)
            keys.setdefault(zone(then.state, "red.hand").things, set()).add(then.key)
    assert {len(found) for found in keys.values()} == {1}
    assert len({key for found in keys.values() for key in found}) == len(keys) == 8


def test_a_draw_that_is_taken_back_is_asked_for_again_and_the_log_plays_again(tmp_path: Path) -> None:
    rules = game(DECKS, tmp_path)
    match = rules.start(2, explicit_chance=True)
    before = match.key, match.inputs, match.log.text
    for one in (0, 3):
        match.play("draw")
        match.play_chance(match.chance[one])
        match.play_chance(match.chance[one - 1])
        if not one:
            match.undo()
            assert (match.key, match.inputs, match.log.text) == before
    assert zone(match.state, "red.hand").things == ("Card(3)", "Card(4)")
    assert zone(match.state, "deck").things == (None,) * 4
    assert api.replay(match.log, under=rules).difference is None


def test_playouts_from_an_open_order_draw_it_anew_each_time(tmp_path: Path) -> None:
    text = DECKS.replace(
        "  move 2 of deck to p.hand", "  if top(deck).v > 2: finish with winner {p}\n  finish with winner {}"
    )
    match = game(text, tmp_path).start(2, explicit_chance=True)
    found = match.playouts(300, seed=1, at_most=1)
    assert 0 < found.draws < len(found.lengths)


@pytest.mark.parametrize("traced", [True, False])
def test_all_executors_settle_the_same_decks(traced: bool, tmp_path: Path) -> None:
    rules = game(DECKS, tmp_path)
    matches = [rules.start(seed=3, executor=one, explicit_chance=True, traced=traced) for one in EXECUTORS]
    play_alike(matches, RandomStream(5, "decks"), 40)
    assert not traced or api.replay(matches[0].log, under=rules).difference is None


@pytest.mark.parametrize("name", ["pig", "kuhn", "tavern"])
def test_all_executors_show_the_same_wherever_a_game_stops(name: str) -> None:
    entry = CLASSICS / f"{name}.rules" if (CLASSICS / f"{name}.rules").exists() else SMALL_GAMES / f"{name}.rules"
    matches = [api.load(entry).start(seed=3, executor=one, explicit_chance=True) for one in EXECUTORS]
    play_alike(matches, RandomStream(3, name), 16)


def play_alike(matches: list[api.Match], rng: RandomStream, most: int) -> None:
    """Plays matches on different executors on at random, and compares all that they show."""
    for _ in range(most):
        first, *others = [
            (
                match.key,
                dict(match.state),
                match.view(0),
                match.information(0) if match.is_traced else None,
                match.chance,
                match.to_move,
            )
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
    copies, steps = "\n  | 8 | 1 |\n  | 1 | 2 |\n  | 1 | 3 |\n  | 5 | 4 |", 0
    rules = game(DEAL.format(copies=copies, drawn=15), tmp_path)
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


def test_a_listener_that_comes_after_late_shuffles_is_refused(tmp_path: Path) -> None:
    match = game(DECKS, tmp_path).start(2, explicit_chance=True)
    with pytest.raises(InvalidInput, match="give the listener at the start"):
        match.listen(lambda entry: None)


def test_a_listener_of_the_start_hears_each_shuffle_as_it_comes_out(tmp_path: Path) -> None:
    heard = list[object]()
    match = game(DECKS, tmp_path).start(2, explicit_chance=True, listener=heard.append)
    assert len(match.chance) == 4, "all cards are asked for at the shuffle"
    while match.chance:
        match.play_chance(match.chance[0])
    match.play("draw")
    assert not match.chance
    assert zone(match.state, "red.hand").things == ("Card(1)", "Card(1)")
    assert heard


def test_a_log_that_is_read_while_chance_is_waited_for_tells_what_has_happened(tmp_path: Path) -> None:
    rules = game(DECKS, tmp_path)
    match = rules.start(2, explicit_chance=True)
    before = match.log.text
    match.play("draw")
    assert match.chance
    waiting = match.log.text
    assert waiting.startswith(before.rstrip("\n").rsplit("\n", 1)[0])
    for _ in range(2):
        match.play_chance(match.chance[0])
    assert match.log.text != waiting
    assert api.replay(match.log, under=rules).difference is None


@pytest.mark.parametrize("condition", ["small > 9 and top(deck).v > 2", "small < 9 or top(deck).v > 2"])
def test_a_condition_that_reads_a_top_asks_alike_with_a_trace_and_without(condition: str, tmp_path: Path) -> None:
    """A trace may ask who knows a value that the rules did not come to read; both must ask alike."""
    text = DECKS.replace("if deck != {} and top(deck).v > 2:", f"if {condition}:")
    asked = list[list[int]]()
    for traced in (True, False):
        match = game(text, tmp_path).start(2, seed=1, explicit_chance=True, traced=traced)
        match.play("burn")
        numbers = [len(match.chance)]
        while match.chance:
            match.play_chance(match.chance[-1])
            numbers.append(len(match.chance))
        asked.append(numbers)
    assert asked[0] == asked[1]


def test_a_thing_that_leaves_an_open_pile_by_name_leaves_the_others_open(tmp_path: Path) -> None:
    match = game(DECKS, tmp_path).start(2, explicit_chance=True)
    match.play("seek")
    assert [possible.probability for possible in match.chance] == [Fraction(1, 2), Fraction(1, 2)]
    match.play_chance(match.chance[0])
    assert not match.chance, "where it lay does not matter"
    match.play("draw")
    assert [possible.probability for possible in match.chance] == [
        Fraction(1, 5),
        Fraction(2, 5),
        *[Fraction(1, 5)] * 2,
    ]
