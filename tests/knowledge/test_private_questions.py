"""`p secretly chooses …`: nobody but p learns that it is asked, how often, or what it answers."""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from rulelang import api
from rulelang.api import Game, Match
from rulelang.match.view_cache import Seen
from rulelang.rulebook.printed.book import document_of
from rulelang.rulebook.printed.markdown import markdown
from rulelang.session.seats import seated
from rulelang.session.table import begin
from rulelang.workbench.playback import Looker, Playback
from tests.files import TESTS

FOLDER = TESTS / "published"
HEAD = """\
game t "T":
  players 2..3
  seats red, blue, green
names p, q: Player; n: 0..3; s: Cell
board Cell: square
  map \"\"\"
    . .
  \"\"\"
the game has:
  pot: 0..99 = 0
  held: 0..3 = 2, seen by nobody
each Player has:
  secret: 0..99 = 0, seen by owner
  found: 0..3 = 0, seen by owner
to tell(p) "{p} tries again": settle
play:
"""
END = "\n  blue chooses n in 0..3\n  finish with winner red\n"
TRIES = """\
  repeat:
    red secretly chooses n in 1..3
    red.found = 3 if n == held else 1
    if red.found == 3: stop
"""


@pytest.fixture(scope="module")
def phantom() -> Game:
    return api.load(FOLDER / "phantom_tic_tac_toe.rules")


def codes(body: str) -> set[str]:
    """Returns the codes of what is said of a game, but that a verb has no use."""
    return {one.code for one in api.check_text(HEAD + body + END).diagnostics} - {"W0524", "W0528"}


def game_of(body: str) -> Game:
    checked = api.check_text(HEAD + body + END)
    assert checked.game is not None, checked.diagnostics
    return checked.game


def seen(match: Match, seat: int | None) -> Hashable:
    """Returns all that a seat is shown, and its log."""
    view = match.view(seat)
    shown = (view.to_move, tuple(view.options), view.prompt, view.variables, view.zones, view.events, view.outcome)
    return *shown, view.answered, match.information(seat), match.log.for_seat(seat).text


def text(match: Match, name: str) -> str:
    found = match.state[name]
    assert isinstance(found, Seen)
    return found.text


def played(game: Game, *answers: str) -> Match:
    match = game.start(2, seed=1)
    for answer in answers:
        match.play(answer)
    return match


def own_course(match: Match, seat: int) -> tuple[Hashable, ...]:
    """Returns what a seat of phantom tic-tac-toe knows: what it tried, what came of it, and who is to move then."""
    found: list[Hashable] = []
    course = [*match.earlier(), (match, None)]
    for (before, past), (after, _) in pairwise(course):
        assert past is not None
        if past.seat == seat:
            option = before.options.option(past.seat, past.answer).text
            found.append((option, text(after, f"{match.seats[seat]}.sees({option})")))
    return (*found, text(match, "turn"), match.outcome is not None)


def walks(game: Game, number: int) -> Iterator[Match]:
    choose = random.Random(1)
    for _ in range(number):
        match = game.start(2, seed=1)
        while match.outcome is None:
            yield match
            match.play(choose.choice(list(match.options)))
        yield match


def test_a_seat_sees_what_it_tried_itself_and_nothing_of_what_others_try(phantom: Game) -> None:
    known: dict[Hashable, set[Hashable]] = {}
    for match in walks(phantom, 12):
        for seat in range(2):
            known.setdefault((seat, own_course(match, seat)), set()).add(seen(match, seat))
        known.setdefault(("spectator", text(match, "turn"), match.outcome), set()).add(seen(match, None))
    assert len(known) > 50
    assert all(len(ways) == 1 for ways in known.values())


@pytest.mark.parametrize("executor", ["reference", "generated"])
def test_attempts_cost_no_line_and_no_number_of_anybody_elses_log(executor: str, phantom: Game) -> None:
    once, thrice = (phantom.start(2, seed=1, executor=executor) for _ in range(2))
    for match, answers in ((once, "a1 b1 c1 c2"), (thrice, "a1 b1 b1 c1 c2")):
        for answer in answers.split():
            match.play(answer)
    assert once.log.for_seat(1).text == thrice.log.for_seat(1).text
    assert once.log.for_seat(None).text == thrice.log.for_seat(None).text
    assert "b1" in thrice.log.for_seat(0).text
    assert once.log.for_seat(0).text != thrice.log.for_seat(0).text


def test_while_it_is_asked_the_others_are_told_of_nobody_who_chooses(phantom: Game) -> None:
    match = phantom.start(2, seed=1)
    assert (match.view(0).to_move, match.view(1).to_move, match.view(None).to_move) == ((0,), (), ())


def test_what_is_taken_back_of_it_is_not_told_either(phantom: Game) -> None:
    plain, again = played(phantom, "a1", "a1"), played(phantom, "a1", "a1")
    again.undo()
    again.play("a1")
    assert plain.log.for_seat(0).text == again.log.for_seat(0).text
    again.play("b1")
    again.undo()  # The turn had passed in the open.
    assert '"input":"undo","to":2' in again.log.for_seat(0).text


def test_whoever_is_refused_has_been_told_something_and_cannot_take_it_back(phantom: Game) -> None:
    seats = seated(("cross=me", "nought=first"), phantom.ir.seats, False)
    table = begin(phantom, "phantom_tic_tac_toe", 2, seats, seed=3)
    table.take(table.match.option("cross: a1"))
    assert not table.can_undo(0)


def test_an_audience_of_one_asks_for_no_warning() -> None:
    assert codes(TRIES) == set()
    assert codes(TRIES.replace("red secretly", "red")) == {"W0512"}


def test_the_chooser_may_still_not_be_told_what_it_may_not_see() -> None:
    assert "E0402" in codes("  if held == 2: red secretly chooses n in 1..3\n")
    assert "E0402" in codes("  red secretly chooses n in 1..held\n")


def test_it_is_nothing_done_in_the_open() -> None:
    asked = "  red chooses red.secret in 0..3\n  if red.secret > 1:\n    red {} n in 0..1\n    blue chooses n in 0..3\n"
    assert "E0402" in codes(asked.format("secretly chooses"))
    assert "E0402" not in codes(asked.format("chooses"))


def test_what_it_decides_in_secret_is_the_choosers() -> None:
    count = "  repeat:\n    red secretly chooses n in 0..3\n    if n == 3: stop\n    tell(red)\n"
    game = game_of(count)
    once, twice = played(game, "3"), played(game, "0", "1", "3")
    assert seen(once, 1) == seen(twice, 1)
    assert [event.sentence for event in twice.events_for(0) if event.sentence]


def test_another_who_is_asked_because_of_the_answer_is_told_it() -> None:
    body = "  red secretly chooses n in 0..3\n  if n == 2: {} secretly chooses s in Cell\n"
    game = game_of(body.format("blue"))
    asked, other = played(game, "2", "a1"), played(game, "1")
    assert asked.view(1).to_move == other.view(1).to_move == (1,)
    assert asked.log.for_seat(None).text == other.log.for_seat(None).text


def test_no_repetition_is_counted_and_nobody_is_interrupted() -> None:
    text = (HEAD + TRIES + END).replace("  seats", "  history of pot: at most 40\n  seats")
    text = text.replace("to tell", 'action shout(p) at any choice "Shout": pot += 1\nto tell')
    game = api.check_text(text).game
    assert game is not None
    match = game.start(2, seed=1)
    for _ in range(50):
        assert {option.text for option in match.options} == {"1", "2", "3"}
        match.play("1")


def test_a_log_is_replayed_and_seen_in_ones_own_steps(phantom: Game, tmp_path: Path) -> None:
    match = played(phantom, "a1", "a1", "b1", "b1", "a2", "c3")
    match.log.save(tmp_path / "log.jsonl")
    again = api.replay(tmp_path / "log.jsonl", str(FOLDER / "phantom_tic_tac_toe.rules"))
    assert again.difference is None
    steps = {
        name: [(playback.number(step), playback.answer(step)) for step in playback.path]
        for name in ("cross", "nought", "all")
        for playback in [Playback(again, Looker.called(name, again.log.header))]
    }
    unseen = "(secret)"
    assert steps["cross"][1:] == [(1, "cross: a1"), (2, unseen), (3, "cross: b1"), (4, "cross: a2"), (5, unseen)]
    assert steps["nought"][1:] == [(1, unseen), (2, "nought: a1"), (3, "nought: b1"), (4, unseen), (5, "nought: c3")]
    assert len(steps["all"]) == 7


def test_the_printed_rulebook_says_that_nobody_sees_it() -> None:
    assert "unseen by the others" in "".join(markdown(document_of(str(FOLDER / "phantom_tic_tac_toe.rules"))))


@pytest.mark.parametrize("executor", ["reference", "generated"])
def test_a_question_in_the_middle_of_anothers_step_does_not_part_what_that_seat_sees_of_it(executor: str) -> None:
    head, play = HEAD.split("play:\n")
    rules = "whenever green.secret > 3 as doubt:\n  green.secret = 0\n  green secretly chooses green.found in 0..3\n"
    turn = "    red chooses n in 1..2\n    green.secret += 1\n    tell(red)\n    settle\n    tell(green)\n"
    body = f"  green.secret = roll(d6)\n  repeat 2 times:\n{turn}"
    game = api.check_text(f"{head}die d6: 2..3\n{rules}play:\n{play}{body}{END}").game
    assert game is not None
    matches = []
    for luck in (2, 3):
        match = game.start(3, executor=executor, explicit_chance=True)
        match.play_chance(luck)
        match.play("red: 1")
        asked = match.choice is not None and match.choice.private
        assert asked == (luck == 3)
        if asked:
            match.play("green: 2")
        matches.append(match)
    for seat in (0, 1, None):
        assert seen(matches[0], seat) == seen(matches[1], seat)
