"""Answers that nobody is waited for: those of whom time has run out, and those that somebody gave beforehand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulelang
from rulelang.errors import InvalidInput, UnknownOption
from rulelang.ir.numbers import Seat
from rulelang.session.seats import seated
from rulelang.session.table import GameTable, begin

POKER = """\
game poker "Poker":
  players 3
  seats ann, ben, cleo

constant thinking = 30

names p: Player; n: 1..9

the game has:
  pot: 0..99 = 0
each Player has:
  secret: 0..9 = 0, seen by owner

to peek(p): p.secret += 1, at most 9
phase deal "Deal":
  settle

play:
  turns p from ann:
    peek(p)
    p chooses one of, or pass after thinking seconds "Raise?":
      raise(n) "Raise by {n}": pot += n, at most 99
    p chooses q in players, or pass "Whom do you look at?"
    if round == 4: finish with winner {}
    deal()

names q: Player
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> rulelang.Game:
    path = tmp_path_factory.mktemp("poker") / "poker.rules"
    path.write_text(POKER, encoding="utf-8")
    return rulelang.load(path)


def answers(match: rulelang.Match) -> list[tuple[str, str, str | None]]:
    records = [json.loads(line) for line in match.log.lines]
    return [(one["seat"], one["option"], one.get("by")) for one in records if one.get("input") == "choice"]


def test_who_answers_too_late_passes_and_the_log_says_so(game: rulelang.Game) -> None:
    match = game.start(seed=1)
    late = match.late(0)
    assert late is not None
    assert (late.text, match.late(1)) == ("pass", None)
    assert match.choice is not None
    assert match.choice.seconds == 30
    match.play(late, by="clock")
    assert match.late(0) is None  # the next question waits for ever
    with pytest.raises(InvalidInput, match="no time runs out here"):
        match.play("pass", by="clock")
    match.play("pass")
    with pytest.raises(InvalidInput, match="no time runs out here"):
        match.play("ben: raise(2)", by="clock")
    assert answers(match) == [("ann", "pass", "clock"), ("ann", "pass", None)]
    again = rulelang.replay(_saved(match), game)
    assert again.difference is None
    assert again.match.journal == match.journal


def _saved(match: rulelang.Match) -> Path:
    path = Path("poker.jsonl")
    match.log.save(path, replace=True)
    return path


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_an_answer_stands_for_its_question_until_something_happens(game: rulelang.Game) -> None:
    match = game.start(seed=1)
    match.beforehand("ben: pass until raise")
    match.beforehand("cleo: pass until raise")
    match.play("ann: pass")
    match.play("ann: pass")
    # Ben's pass at the first question stands for that question, not for the next.
    assert match.to_move == (1,)
    assert match.choice is not None
    assert match.choice.name == "play#2"
    assert [one.given for one in match.standing(1)] == [1]
    match.play("ben: pass")
    match.play("cleo: cleo")
    match.play("ann: raise(3)")
    match.play("ann: pass")
    assert match.to_move == (1,)  # what he waited for has happened, so he is asked
    assert match.standing(1) == ()
    match.play("ben: pass")
    match.play("ben: pass")
    assert match.to_move == (2,)
    given = [by for _, _, by in answers(match)]
    assert given == [None, None, "standing", None, "standing", None, None, None, None, None]
    again = rulelang.replay(_saved(match), game)
    assert again.difference is None
    assert again.match.journal == match.journal


def test_nobody_else_reads_that_an_answer_was_given_beforehand(game: rulelang.Game) -> None:
    one, other = game.start(seed=1), game.start(seed=1)
    one.beforehand("ben: pass until raise")
    for match in (one, other):
        match.play("ann: pass")
        match.play("ann: pass")
    other.play("ben: pass")
    for viewer in (0, 2, None):
        assert one.log.for_seat(viewer).lines == other.log.for_seat(viewer).lines
        assert one.view(viewer) == other.view(viewer)
    assert '"by":"standing"' in one.log.for_seat(1).text
    assert one.internals.aside(Seat(0), traced=False, told=False).standing(1) == ()


def test_variables_and_rounds_end_what_stands_if_the_seat_is_told_of_them(game: rulelang.Game) -> None:
    match = game.start(seed=1)
    match.beforehand("ben: pass until pot")
    match.beforehand("cleo: pass until secret")
    match.play("ann: raise(1)")
    match.play("ann: pass")
    assert match.to_move == (1,)
    match.play("ben: pass")
    match.play("ben: pass")
    # Others' secrets change unseen; her own has changed.
    assert match.to_move == (2,)


def test_answers_are_withdrawn_by_the_seat_and_by_an_undo(game: rulelang.Game) -> None:
    match = game.start(seed=1)
    match.beforehand("ben: pass until raise")
    match.withdraw(1)
    assert match.standing(1) == ()
    match.beforehand("ben: pass until raise")
    match.play("ann: pass")
    fork = match.fork()
    match.undo()
    assert match.standing(1) == ()
    assert len(fork.standing(1)) == 1
    for number in range(1, 9):
        match.beforehand(f"ben: raise({number}) until deal")
    with pytest.raises(InvalidInput, match="8 answers of a seat may stand"):
        match.beforehand("ben: pass until deal")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pass", "an answer that stands is written"),
        ("zoe: pass until raise", "no seat is called `zoe`"),
        ("ben: fold until raise", "no question of this game is answered by `fold`"),
        ("ben: pass until rise", "did you mean `raise`"),
    ],
)
def test_a_standing_answer_that_means_nothing_is_refused(game: rulelang.Game, text: str, message: str) -> None:
    match = game.start(seed=1)
    with pytest.raises((InvalidInput, UnknownOption), match=message):
        match.beforehand(text)


def table_of(game: rulelang.Game) -> GameTable:
    return begin(game, "poker", 3, seated(("all=me",), game.ir.seats, False), seed=1)


def test_at_a_table_an_answer_is_given_at_once_where_its_question_stands(game: rulelang.Game, tmp_path: Path) -> None:
    table = table_of(game)
    table.write_to(tmp_path / "a.jsonl")
    table.beforehand("ann: pass until raise")
    table.take(table.match.option("pass"))
    assert table.match.to_move == (1,)
    table.beforehand("cleo: pass until raise")
    table.take(table.match.option("pass"))
    table.take(table.match.option("pass"))
    assert table.match.choice is not None
    assert (table.match.to_move, table.match.choice.name) == ((2,), "play#2")
    table.close()
    assert '"option":"pass","by":"standing"' in (tmp_path / "a.jsonl").read_text(encoding="utf-8")
