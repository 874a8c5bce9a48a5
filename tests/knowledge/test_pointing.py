"""To point at a thing tells what it is only to who sees where it lies: to remember that it is one of several there is not enough."""

from __future__ import annotations

import json
import re

import pytest

from cli.reason import lines_of
from rulelang import api
from rulelang.api import Match
from rulelang.screens.what import explained
from rulelang.workbench.reasons.why import Asker, why
from tests.views import variable

HEAD = """\
game passing "Passing":
  players 3
  seats red, blue, green

names p, q: Player; c, d: Card; x: 0..9

kind Card "card":
  v: 1..9
  | copies | v    |
  | 1      | 1..9 |

the game has:
  deck: pile of Card, face down
  table: group of Card, face up
  vault: group of Card, seen by nobody
  chosen: Card? = none
each Player has:
  hand: group of Card, seen by owner
  gold: 0..99 = 0

to give(p, c) "{p} gives {c}": move c to next(p).hand
to lay(p, c) "{p} lays {c}": move c to vault
to play_card(p, c) "{p} plays {c}": move c to table
to point(p, c) "{p} points at {c}": settle
to say(p, x) "{p} says {x}": settle
to peek(p, c) "{p} looks at {c}": show(c, p)

setup:
  move Card to deck
  shuffle(deck)
  for p in players: move 2 of deck to p.hand

play:
  red chooses c in red.hand
  give(red, c)
"""

END = "  finish with winner red\n"


def _started(body: str) -> Match:
    """Returns a match in which red has given blue a card."""
    game = api.check_text(HEAD + body + END).game
    assert game is not None
    match = game.start(3, seed=4)
    match.push(next(iter(match.options_of(0))))
    return match


def _given(match: Match) -> str:
    taken = json.loads(next(line for line in match.log.for_seat(1).text.splitlines() if '"give"' in line))
    return str(taken["changes"][0][1])


def _said(written: str) -> str:
    """Returns a card as it is told to people: `card 4`."""
    return written.replace("Card(", "card ").removesuffix(")")


def _told(match: Match, seat: int) -> list[str]:
    return [
        line
        for line in match.log.for_seat(seat).text.splitlines()
        if json.loads(line).get("seat") == "blue" or json.loads(line).get("what") in ("choice", "verb")
    ]


@pytest.mark.parametrize(
    "use",
    [
        "lay(blue, c)",
        "point(blue, c)",
        "say(blue, c.v)",
        "let x = c.v\n  say(blue, x)",
        "let d = c\n  point(blue, d)\n  lay(blue, d)",
        'blue chooses one of:\n    hide "Hide {c}": move c to vault',
        "chosen = c",
        "chosen = c\n  say(blue, chosen.v)",
        "chosen = c\n  let x = chosen.v\n  say(blue, x)",
        "chosen = c\n  let d = chosen\n  say(blue, d.v)\n  point(blue, d)",
        "chosen = c\n  lay(blue, chosen)\n  say(blue, chosen.v)",
        "peek(green, c)",
        "chosen = c\n  move c to green.hand",
        "move c to deck bottom\n  shuffle(deck)\n  point(blue, c)",
    ],
)
def test_who_gave_a_card_away_is_not_told_whether_that_one_is_meant(use: str) -> None:
    matches = []
    for number in range(3):
        match = _started(f"  blue chooses c in blue.hand\n  {use}\n  green chooses x in 1..2\n")
        match.push(list(match.options_of(1))[number])
        while match.to_move == (1,):
            match.push(next(iter(match.options_of(1))))
        matches.append(match)
    logs = [_told(match, 0) for match in matches]
    assert logs[0] == logs[1] == logs[2]
    views = [match.view(0) for match in matches]
    assert str(views[0]["chosen"]) == str(views[1]["chosen"]) == str(views[2]["chosen"])
    assert all(card in "\n".join(_told(match, 1)) for match in matches for card in [_given(match)])


def test_who_chose_a_thing_reads_its_name_also_when_it_has_given_it_away() -> None:
    match = _started(
        '  point(green, c)\n  red chooses one of:\n    on "On with {c}": say(red, c.v)\n    off "Off": settle\n'
    )
    given = _said(_given(match))
    assert [option.label for option in match.options_of(0)] == [f"On with {given}", "Off"]
    match.play(next(iter(match.options_of(0))))
    log = match.log.for_seat(0).text
    assert f"green points at {given}" in log
    assert "red says a number" not in log
    assert f"green points at {given}" not in match.log.for_seat(2).text


def test_what_is_laid_open_is_named_to_all() -> None:
    match = _started("  blue chooses c in blue.hand\n  play_card(blue, c)\n")
    option = next(iter(match.options_of(1)))
    match.play(option)
    assert all(f"blue plays {_said(option.text)}" in match.log.for_seat(seat).text for seat in (0, 2))


def test_who_is_shown_a_card_reads_its_name_afterwards() -> None:
    match = _started("  blue chooses c in blue.hand\n  peek(green, c)\n  point(blue, c)\n")
    option = next(iter(match.options_of(1)))
    match.play(option)
    assert f"blue points at {_said(option.text)}" in match.log.for_seat(2).text
    assert "blue points at a card" in match.log.for_seat(0).text


def test_a_loop_over_a_hand_does_not_tell_whose_turn_is_that_of_a_card_one_remembers() -> None:
    match = _started("  for c in blue.hand:\n    point(blue, c)\n    say(blue, c.v)\n")
    log = match.log.for_seat(0).text
    assert log.count("blue points at a card") == 3
    assert log.count("blue says a number") == 3


def test_all_of_a_hand_together_is_named_as_one_remembers_it() -> None:
    game = api.check_text(
        HEAD.replace("to say(", 'to look(p) "{p} has {p.hand}": settle\nto say(') + "  look(blue)\n" + END
    )
    assert game.game is not None
    match = game.game.start(3, seed=4)
    match.push(next(iter(match.options_of(0))))
    assert f"blue has {_said(_given(match))}, 2 cards" in match.log.for_seat(0).text


def test_what_a_variable_holds_is_worked_with_by_those_alone_who_can_tell_it() -> None:
    match = _started(
        "  blue chooses c in blue.hand\n  chosen = c\n"
        '  green chooses one of "Is it {chosen}, of {chosen.v}?":\n    yes_it_is "{chosen.v} it is": settle\n    no "No": settle\n'
        "  move chosen to table\n"
        '  green chooses one of "It was {chosen}, of {chosen.v}":\n    go_on "On": settle\n    go_back "Back": settle\n'
    )
    option = next(iter(match.options_of(1)))
    match.play(option)
    v = _said(option.text).removeprefix("card ")
    assert match.prompt(2) == "Is it a card, of a number?"
    assert [one.label for one in match.options_of(2)] == ["a number it is", "No"]
    variables = {seat: explained(match, seat, "chosen")[0].facts for seat in (0, 1, 2)}
    assert ["chosen: a card" in facts for facts in variables.values()] == [True, False, True]
    assert why_not_named(match, 2, option.text)
    assert why_not_named(match, 2, _said(option.text))
    match.play("no")
    assert match.prompt(2) == f"It was {_said(option.text)}, of {v}"


def why_not_named(match: Match, seat: int, name: str) -> bool:
    """Whether what a seat reads of why the variable is as it is leaves a thing's name out."""
    return all(name not in line for line in lines_of(why(match, "chosen", Asker(seat))))


@pytest.mark.parametrize("executor", ["generated", "reference"])
@pytest.mark.parametrize(
    "body",
    [
        "  swear(red)\n",
        "  point(red, top(deck))\n",
        "  let d = top(deck)\n  point(red, d)\n",
        "  let d = first(c in deck)\n  point(red, d)\n",
        "  show(top(deck), blue)\n  swear(green)\n",
        "  let d = top(deck)\n  show(d, blue)\n  point(blue, d)\n",
        "  spin(red, top(deck))\n",
        "  chosen = top(deck)\n  show(chosen, blue)\n",
        "  for c in deck if c.v > 4:\n    show(c, blue)\n    point(red, c)\n",
    ],
)
def test_the_shuffled_pile_tells_nobody_by_its_order_what_it_was_before(body: str, executor: str) -> None:
    rules = HEAD.replace(
        "to say(",
        'to swear(p) "{p} swears by {top(deck)}": settle\nto spin(p, c) "{p} spins {c}": show(c, blue)\nto say(',
    ).removesuffix("  red chooses c in red.hand\n  give(red, c)\n")
    game = api.check_text(rules + body + '  red chooses x in 1..2 "Is it {top(deck)}?"\n' + END).game
    assert game is not None
    matches = [game.start(3, seed=seed, executor=executor) for seed in range(6)]
    for match in matches:
        for seat in (0, 2):
            told = [line for line in match.log.for_seat(seat).text.splitlines() if '"setup"' not in line]
            assert not [line for line in told if re.search(r"Card\(|card \d", line)]
        assert match.prompt(0) == "Is it a card?"
    with_blue = "".join(match.log.for_seat(1).text.split('"rule":"play"', 1)[1] for match in matches)
    assert ("Card(" in with_blue) == ("blue)" in body or "spin" in body)


@pytest.mark.parametrize("executor", ["generated", "reference"])
@pytest.mark.parametrize(
    "use", ["blue.picked = c", "mark(blue, c)", "simultaneously for p in players if p == blue: p.picked = c"]
)
def test_that_a_variable_keeps_the_card_that_it_holds_is_told_to_nobody_who_cannot_tell_it(
    use: str, executor: str
) -> None:
    marks = 'to mark(p, c) "{p} marks {c}", else "{p} marks nothing new": p.picked = c\nto say('
    rules = HEAD.replace("to say(", marks).replace("  hand: group", "  picked: Card? = none\n  hand: group")
    body = f"  blue.picked = c\n  blue chooses c in blue.hand\n  {use}\n  green chooses x in 1..2\n"
    game = api.check_text(rules + body + END).game
    assert game is not None
    matches = []
    for number in range(3):
        match = game.start(3, seed=4, executor=executor)
        match.push(next(iter(match.options_of(0))))
        match.push(list(match.options_of(1))[number])
        matches.append(match)
    for seat in (0, 2):
        assert len({match.log.for_seat(seat).text for match in matches}) == 1
        assert len({variable(match.view(seat), "blue.picked").text for match in matches}) == 1
