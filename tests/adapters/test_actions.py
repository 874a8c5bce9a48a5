"""Actions have numbers that the rules alone decide, and each option has one of its own."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import rulelang
from rulelang.adapters.actions import Actions
from rulelang.adapters.domains import NumberedLooks, NumberedSets, NumberedValues
from rulelang.api import Game, Match
from rulelang.ir.types import NONE, IntType, KindType
from tests.games.classics import NAMES, classic
from tests.seeds import rest_long

SHIPPED = rulelang.games()


def checked_game(text: str) -> Game:
    checked = rulelang.api.check_text(text)
    assert checked.game is not None, [d.message for d in checked.diagnostics]
    return checked.game


def positions(game: Game, seed: int, most: int = 60) -> Iterator[Match]:
    """Yields the positions of a random game in which somebody is asked."""
    match, rng = game.start(seed=seed, traced=False), random.Random(seed)
    for _ in range(most):
        if not match.to_move:
            return
        yield match
        match.push(match.options_of(match.to_move[0]).pick(rng))


@pytest.mark.parametrize("name", [*NAMES, *rest_long(SHIPPED, "outspeed")])
def test_every_option_has_a_number_of_its_own_that_means_it(name: str) -> None:
    game = classic(name) if name in NAMES else rulelang.load(name)
    actions = Actions(game.ir)
    for match in positions(game, 7):
        seat = match.to_move[0]
        legal = actions.legal(match.options_of(seat), seat)
        assert legal.left_out == 0
        assert sorted(option.text for option in legal.options.values()) == sorted(
            option.text for option in match.options_of(seat)
        )
        assert list(legal.options) == sorted(legal.options)
        assert all(0 <= number < actions.size for number in legal.options)
        for number, option in legal.options.items():
            if number < actions.first_other and "#" not in option.text:
                assert actions.text(number) == option.text


@pytest.mark.parametrize("name", [*NAMES, *SHIPPED])
def test_a_number_means_the_same_whatever_the_seed_and_the_number_of_players(name: str) -> None:
    game = classic(name) if name in NAMES else rulelang.load(name)
    meant: dict[int, str] = {}
    actions = Actions(game.ir)
    for seed in range(3):
        for match in positions(game, seed, most=30):
            seat = match.to_move[0]
            for number, option in actions.legal(match.options_of(seat), seat).options.items():
                if number < actions.first_other:
                    assert meant.setdefault(number, option.text.partition("#")[0]) == option.text.partition("#")[0]


def test_a_branch_of_the_same_name_is_one_action_whichever_question_offers_it() -> None:
    actions = Actions(classic("kuhn").ir)
    assert [actions.text(number) for number in range(actions.size)] == ["call", "fold", "bet", "check"]


def test_of_options_written_alike_the_second_has_the_number_of_a_copy() -> None:
    game = checked_game(
        """\
game market "Market":
  players 1
names p: Player; g: Gem
enum Colour: ruby, jade
kind Gem "gem":
  colour: Colour
  | copies | colour |
  | 2      | Colour |
the game has:
  shelf: group of Gem
  chest: group of Gem
setup:
  let gem = first(g in Gem if g.colour == ruby)
  move gem to shelf
  for g in Gem if g != gem: move g to chest
action take(p, g in shelf + chest) "Take {g}": move g to box
play:
  repeat while shelf + chest != {}: first_player chooses one of take
  finish with score 1
"""
    )
    match = game.start(seed=1)
    legal = Actions(game.ir).legal(match.options_of(0), 0)
    assert {number: option.text for number, option in legal.options.items()} == {
        0: "take(ruby)#1",
        1: "take(ruby)#2",
        2: "take(jade)",
    }


def test_sets_are_numbered_by_what_is_printed_on_their_things() -> None:
    pairs = NumberedSets((0, 0, 2, 3), 2, 2)
    assert pairs.size == 4
    masks = (0b0011, 0b0101, 0b1001, 0b1100)
    assert sorted(map(pairs.number, masks)) == [0, 1, 2, 3]
    assert [pairs.number(pairs.value(number)) for number in range(4)] == [0, 1, 2, 3]
    assert pairs.number(0b0110) == pairs.number(0b0101)
    assert NumberedSets((0, 1, 2), 0, 3).size == 8
    assert NumberedSets((0,) * 60, 0, 60).size == 61


def test_values_are_numbered_from_0_with_none_last() -> None:
    some = NumberedValues(IntType(3, 5).or_none())
    assert [some.value(number) for number in range(some.size)] == [3, 4, 5, NONE]
    assert [some.number(value) for value in (3, 4, 5, NONE)] == [0, 1, 2, 3]
    looks = NumberedLooks(KindType("Card", 4), (0, 0, 2, 2))
    assert ([looks.number(thing) for thing in range(4)], looks.size) == ([0, 0, 1, 1], 2)


def test_an_action_that_is_refused_is_told_in_the_words_of_the_rule() -> None:
    game = classic("connect_four")
    match, actions = game.start(), Actions(game.ir)
    for _ in range(6):
        match.play("drop(1)")
    assert actions.why_not(match, 0, 0) == "Column 1 is full"
    assert actions.why_not(match, 0, 1) is None
    assert actions.why_not(match, 1, 1) == "yellow has nothing to choose now"
    assert actions.why_not(match, 0, 7) == "actions have numbers from 0 to 6, not 7"


def test_an_action_of_another_question_is_told_as_that() -> None:
    game = classic("kuhn")
    match, actions = game.start(seed=1), Actions(game.ir)
    assert actions.why_not(match, 0, 0) == "`call` is no answer to this question"
    assert actions.why_not(match, 0, 2) is None


def test_options_without_numbers_of_their_own_take_the_last_numbers_and_more_than_these_are_counted() -> None:
    game = checked_game(
        """\
game many "Many":
  players 1
names p: Player; n: 0..39
action name(p, some in any of 0..39) "Name {some}": finish with score 1
action pass_on(p, n) "Pass on {n}": finish with score 0
play:
  first_player chooses one of name, pass_on
"""
    )
    actions = Actions(game.ir)
    assert actions.unnumbered == ["name"]
    match = game.start(seed=1)
    legal = actions.legal(match.options_of(0), 0)
    assert legal.left_out > 10**11
    assert next(iter(legal.options)) == actions.first_other
    assert actions.text(actions.first_other) == "other option 1"
