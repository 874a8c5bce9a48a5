"""A table without a terminal: what a page in a browser or a server of bots does with a game."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

import rulelang
from rulelang.errors import IllegalOption, InvalidInput, UnknownOption
from rulelang.ir.numbers import Seat
from rulelang.lab.seat_view import SeatView
from rulelang.log.file import LogFile
from rulelang.match.options.option import Option
from rulelang.playouts.rng import RandomStream
from rulelang.session.clock import Timer
from rulelang.session.dialogue import Dialogue
from rulelang.session.question import Question
from rulelang.session.seats import seated
from rulelang.session.table import GameTable, begin, go_on
from rulelang.session.undo import Unfair
from tests.files import ROOT

CLASSICS = ROOT / "tests" / "classics"


def table_of(name: str, *who: str, seed: int = 3) -> GameTable:
    game = rulelang.load(CLASSICS / f"{name}.rules")
    return begin(game, name, game.players[0], seated(who, game.ir.seats[: game.players[0]], False), seed=seed)


def answered(table: GameTable, *words: str) -> None:
    for text in words:
        seat = table.asked
        assert seat is not None
        option = Dialogue.of(table.match, Seat(seat)).answer(text)
        assert isinstance(option, Option)
        table.take(option)


def played_on(table: GameTable) -> None:
    while table.asked is not None:
        answered(table, "1") if not table.is_bot(table.asked) else table.take(table.bot_option())


def test_people_and_bots_play_to_the_end_at_one_table() -> None:
    table = table_of("nim")
    assert table.people == (0,)
    played_on(table)
    assert table.match.outcome is not None
    assert table.has_begun


def test_bots_alone_play_the_same_game_from_the_same_seed() -> None:
    one, other = table_of("connect_four", "all=random"), table_of("connect_four", "all=random")
    played_on(one)
    played_on(other)
    assert one.match.events == other.match.events
    assert not one.has_begun


def test_a_question_is_asked_until_one_option_is_meant() -> None:
    game = rulelang.load("exobase")
    table = begin(game, "exobase", 1, (None,), seed=2)
    steps = 0
    while table.asked is not None and steps < 30:
        dialogue = Dialogue.of(table.match, Seat(table.asked))
        before, answer = dialogue.question, dialogue.answer(dialogue.question.lines[0].key)
        while isinstance(answer, Question):
            assert dialogue.back() == before
            answer = dialogue.answer(before.lines[0].key)
            assert isinstance(answer, Question)
            before = answer
            answer = dialogue.answer(answer.lines[0].key if not answer.members else "1")
        assert isinstance(answer, Option)
        table.take(answer)
        steps += 1
    assert steps == 30


def test_what_is_refused_is_said_with_its_rule_and_asked_again() -> None:
    table = table_of("tic_tac_toe", "all=me")
    assert table.asked is not None
    taken = table.match.options_of(table.asked).first(1)[0]
    table.take(taken)
    dialogue = Dialogue.of(table.match, Seat(table.asked))
    before = dialogue.question
    with pytest.raises(UnknownOption, match="Not now: "):
        dialogue.answer(taken.text)
    with pytest.raises(UnknownOption, match="nothing here is called `castle`"):
        dialogue.answer("castle")
    assert dialogue.question == before
    assert dialogue.answer("") is None


def test_a_seat_is_told_each_event_once() -> None:
    table = table_of("nim", "all=me")
    table.audience.news(0)
    answered(table, "1")
    assert [event.rule for event in table.audience.news(0)] == ["take", "play"]
    assert table.audience.news(0) == ()


def test_the_screen_passes_to_other_eyes_where_several_people_look_at_it() -> None:
    alone, simultaneous = table_of("nim", "first=me").audience, table_of("nim", "all=me").audience
    assert [alone.turns_to(seat) for seat in (0, 0)] == [False, False]
    assert [simultaneous.turns_to(seat) for seat in (0, 0, 1, 0)] == [False, False, True, True]


def test_several_people_take_back_only_where_that_is_agreed() -> None:
    table = table_of("nim", "all=me")
    answered(table, "1")
    with pytest.raises(Unfair, match="several people"):
        table.take_back(0)
    table.allow_undo = True
    table.take_back(0)
    assert not table.match.can_undo


DRAWS = """
game draws "Draws":
  players 1
names p: Player
kind Card "card":
  rank: 1..4
  | rank |
  | 1..4 |
the game has:
  deck: pile of Card, face down
each Player has:
  hand: group of Card, seen by owner
setup:
  move Card to deck
  shuffle(deck)
action draw(p) "Draw": move 1 of deck to p.hand
play:
  repeat 4 times: first_player chooses one of draw, or pass
  finish with score 1
"""


def test_nobody_takes_back_what_showed_them_something_hidden(tmp_path: Path) -> None:
    path = tmp_path / "draws.rules"
    path.write_text(DRAWS)
    table = begin(rulelang.load(path), "draws", 1, (None,), seed=1)
    answered(table, "draw")
    with pytest.raises(Unfair, match="seen dice, hidden things"):
        table.take_back(0)
    answered(table, "pass")
    table.take_back(0)
    table.allow_undo = True
    table.take_back(0)
    with pytest.raises(IllegalOption, match="nothing to take back"):
        table.take_back(0)


def test_a_log_is_written_as_the_game_goes_and_gone_on_with(tmp_path: Path) -> None:
    path = tmp_path / "nim.jsonl"
    table = table_of("nim", "all=me")
    table.write_to(path)
    answered(table, "1", "2")
    assert table.keep(tmp_path) == path
    file = LogFile.reopen(path)
    again = go_on(table.game, None, path, file, rulelang.replay(path, under=table.game), ())
    assert again.match.key == table.match.key
    assert again.people == (0, 1)
    answered(again, "1")
    again.close()
    assert rulelang.replay(path, under=table.game).match.key == again.match.key
    with pytest.raises(FileExistsError):
        again.write_to(path)


def test_a_game_that_goes_on_tells_what_happened_since_ones_last_choice(tmp_path: Path) -> None:
    """A probe that was destroyed before the game was left is told when it is taken up again, and nothing older is."""
    path = tmp_path / "space.jsonl"
    game = rulelang.load("empty_space")
    seats = game.ir.seats[:2]
    table = begin(game, "empty_space", 2, seated(("all=me", f"{seats[1]}=random"), seats, False), seed=3)
    match, dice, mine, is_destroyed = table.match, random.Random(11), 0, False
    while not is_destroyed:
        assert match.choice is not None, "no probe of the bot is destroyed in this game"
        before, option = match.event_count, match.options.pick(dice)
        mine = before if option.seat == 0 else mine
        table.take(option)
        is_destroyed = option.seat == 1 and any(event.rule == "destroy" for event in match.events[before:])
    table.write_to(path)
    table.close()
    again = go_on(game, None, path, LogFile.reopen(path), rulelang.replay(path, under=game), ())
    news = again.audience.news(0)
    assert any(event.rule == "destroy" for event in news)
    assert news == again.match.events_for(0, mine)
    again.close()


def test_bots_think_on_machine_code_at_a_new_table_and_where_a_log_goes_on(tmp_path: Path) -> None:
    native = pytest.importorskip("rulelang.machines.native.machine")
    pytest.importorskip("llvmlite")
    path = tmp_path / "nim.jsonl"
    table = table_of("nim", "second=mcts:60")
    table.write_to(path)
    assert table.keep(tmp_path) == path
    again = go_on(table.game, None, path, LogFile.reopen(path), rulelang.replay(path, under=table.game), ())
    for match in (table.match, again.match):
        assert isinstance(SeatView(match, 0, RandomStream(1)).redeal().position.machine, native.NativeMachine)


def test_people_alone_wait_for_no_machine_code() -> None:
    native = pytest.importorskip("rulelang.machines.native.machine")
    for seats in ("all=me", "second=random"):
        match = table_of("nim", seats).match
        for machine in (match.position.machine, SeatView(match, 0, RandomStream(1)).redeal().position.machine):
            assert not isinstance(machine, native.NativeMachine)


def test_a_game_without_a_log_is_kept_beside_those_that_are_there(tmp_path: Path) -> None:
    table = table_of("nim", "all=me")
    answered(table, "1")
    first, second = table.keep(tmp_path / "new"), table.keep(tmp_path / "new")
    assert [first.name, second.name] == ["nim-3.jsonl", "nim-3-2.jsonl"]
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize(
    ("words", "trouble"),
    [("first", "SEAT=WHO"), ("third=me", "no seat"), ("3=me", "no seat"), ("first=greedly", "did you mean greedy")],
)
def test_seats_that_cannot_be_are_refused_in_words(words: str, trouble: str) -> None:
    with pytest.raises(InvalidInput, match=trouble):
        seated((words,), ("first", "second"), True)


def test_a_clock_is_read_from_the_time_that_it_is_given() -> None:
    times = iter((10.0, 12.5, 39.0, 41.0))
    now: Callable[[], float] = times.__next__
    timer = Timer("sand", 30_000, 60_000, 1000, now, now())
    assert timer.elapsed() == 2_500
    assert timer.is_low
    assert timer.remaining() == -1_000
