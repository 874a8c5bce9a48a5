"""What is given to the API from outside: each wrong thing gets a documented error, and nothing has moved."""

from __future__ import annotations

import copy
import json
import pickle
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cli.main import main
from rulelang import api
from rulelang.errors import InvalidInput, LogError, RulelangError
from rulelang.ir.numbers import Seat
from rulelang.match.options.option import Option
from tests.files import CLASSICS

NIM = CLASSICS / "nim.rules"
ODD: tuple[Any, ...] = (1.5, [1], object(), True, None, b"7", {}, (), -1, 10**30, "\ud800", "x" * 5000, lambda: 0)


def kind(value: object) -> str:
    return type(value).__name__


def started(name: str = "outspeed", **more: Any) -> api.Match:
    return api.load(name).start(seed=7, **more)


# ------------------------------------------------------------------ seeds


@pytest.mark.parametrize(
    "seed", [1.5, [1], object(), True, None, b"7", "\ud800", "x" * 5000, 10**5000, -(10**5000)], ids=kind
)
def test_what_is_no_seed_is_refused(seed: Any) -> None:
    with pytest.raises(InvalidInput, match="a seed is a whole number or a text"):
        api.load("outspeed").start(seed=seed)
    with pytest.raises(InvalidInput, match="a seed is a whole number or a text"):
        api.load("outspeed").start(seed=seed, executor="reference")


@pytest.mark.parametrize(
    "seed", [0, -7, 10**600, "", "monday", "7", "Žluťoučký\n\x00", "\u2028", '"', "x" * 640], ids=kind
)
def test_every_seed_is_read_back(seed: int | str, tmp_path: Path) -> None:
    match = api.load("outspeed").start(players=3, seed=seed)
    match.play(match.options[0])
    match.log.save(tmp_path / "a.jsonl")
    again = api.replay(tmp_path / "a.jsonl")
    assert again.difference is None
    assert again.log.header.seed == seed


@pytest.mark.parametrize("seed", ["9" * 5000, "x" * 5000, "\ud800", "²", "٣", "7" * 640])
def test_any_seed_of_the_command_line_plays_or_is_wrong_use(seed: str, tmp_path: Path) -> None:
    log = tmp_path / "a.jsonl"
    words = ["play", str(NIM), "--seat", "all=random", "--fast", "--seed", seed, "--log", str(log)]
    result = CliRunner().invoke(main, words)
    assert result.exit_code in (0, 2), result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    assert log.exists() == (result.exit_code == 0)
    if log.exists():
        assert CliRunner().invoke(main, ["replay", str(log), "--game", str(NIM)]).exit_code == 0


# ------------------------------------------------------------------ players, options, seats, times


@pytest.mark.parametrize("players", [1.5, "4", True, -1, 10**30, [2], object()])
def test_a_wrong_number_of_players_is_refused(players: Any) -> None:
    with pytest.raises(RulelangError, match="players"):
        api.load("outspeed").start(players=players)


@pytest.mark.parametrize("options", [5, "tiles", [1], {"tiles": object()}, {5: 5}, {"tiles": 1.5}, {"tiles": "\ud800"}])
def test_wrong_options_of_a_game_are_refused(options: Any) -> None:
    with pytest.raises(RulelangError):
        api.load("outspeed").start(options=options)


@pytest.mark.parametrize("seat", [99, 4, -1, 1.0, "red", True, [0], object()])
def test_a_seat_that_is_not_there_is_refused(seat: Any) -> None:
    match = started(players=4)
    calls = (match.options_of, match.prompt, match.view, match.events_for, match.information, match.eyes, match.undo)
    for call in (*calls, match.log.for_seat, match.log.events_for):
        with pytest.raises(InvalidInput, match="a seat is a number from 0 to 3"):
            call(seat)


@pytest.mark.parametrize("elapsed", [1.5, "3", True, -1, [1], object(), 10**30])
def test_a_time_that_is_none_is_refused(elapsed: Any) -> None:
    for match in (started(players=4), api.load("exit_velocity").start(seed=1)):
        before = match.log.text
        with pytest.raises(InvalidInput, match="a whole number from 0"):
            match.play(match.options[0], elapsed=elapsed)
        with pytest.raises(InvalidInput, match="a whole number from 0"):
            match.push(match.options[0], elapsed=elapsed)
        assert match.log.text == before


@pytest.mark.parametrize("value", ODD)
def test_what_is_no_option_is_refused(value: Any) -> None:
    match = started(players=4)
    before = match.log.text
    for call in (match.play, match.push, match.why_not, match.option):
        with pytest.raises(RulelangError):
            call(value)
    assert match.log.text == before


@pytest.mark.long
def test_options_of_other_games_and_moments_are_refused_or_read_as_their_own() -> None:
    """Every option of one match is offered to every other: it is legal there by the rules, or refused in words."""
    choose = random.Random(1)
    names = [*api.games(), str(NIM), str(NIM.with_name("kuhn.rules"))]
    matches = []
    for name in names:
        match = api.load(name).start(seed=1)
        for _ in range(choose.randrange(6)):
            if match.to_move:
                match.push(next(iter(match.options)))
        matches.append(match)
    offered = [option for match in matches for option, _ in zip(match.options, range(8), strict=False)]
    for match in matches:
        for option in offered:
            fork = match.fork()
            try:
                fork.play(option)
            except RulelangError:
                assert fork.log.text == match.log.text


@pytest.mark.long
@pytest.mark.parametrize("executor", ["generated", "reference"])
@pytest.mark.parametrize("name", ["outspeed", "exobase", "empty_space", str(NIM)])
def test_an_option_made_up_is_refused_in_words(name: str, executor: str) -> None:
    choose = random.Random(name)
    match = api.load(name).start(seed=1, executor=executor)
    first = next(iter(match.options))
    # Each fork of the reference takes hundredths of a second.
    for _ in range(300 if executor == "generated" else 60):
        answer = list(first.answer)
        for _ in range(choose.randrange(1, 3)):
            match choose.randrange(3):
                case 0:
                    answer = answer[: choose.randrange(len(answer) + 1)]
                case 1:
                    answer.insert(choose.randrange(len(answer) + 1), choose.randint(-3, 9))
                case _ if answer:
                    answer[choose.randrange(len(answer))] = choose.choice((-(2**31), -1, 0, 1, 7, 99, 2**40, 2**70))
        made = Option(Seat(choose.choice((0, first.seat, 7, -1))), first.choice, tuple(answer), first.branch, "made up")
        fork = match.fork()
        try:
            fork.play(made)
        except RulelangError:
            assert fork.key == match.key


@pytest.mark.parametrize("what", [5, None, 1.5, b"race.jsonl", ["a"], object(), "a\0b", "none.jsonl", "."])
def test_what_is_no_log_is_refused(what: Any) -> None:
    with pytest.raises((InvalidInput, LogError)):
        api.replay(what)
    with pytest.raises(RulelangError):
        api.replay(started().log, under=what if what is not None else "none.rules")


@pytest.mark.parametrize("what", [5, None, 1.5, "a\0b", "\ud800", "", "outspeed+", "+", "outspeed+\0", "a\0b/c"])
def test_what_names_no_game_is_refused(what: Any) -> None:
    with pytest.raises(RulelangError):
        api.load(what)
    result = CliRunner().invoke(main, ["check", str(what)])
    assert result.exit_code in (1, 3)
    assert isinstance(result.exception, SystemExit)


# ------------------------------------------------------------------ copies


def test_a_copy_of_a_match_is_a_fork() -> None:
    match = started(players=3)
    heard = list[object]()
    match.listen(heard.append)
    for made in (copy.copy(match), copy.deepcopy(match), copy.deepcopy({"it": match})["it"]):
        before = match.key, match.log.text
        made.play(made.options[0])
        assert (match.key, match.log.text) == before
        assert heard == []
        assert made.log.text != match.log.text


@pytest.mark.long
@pytest.mark.parametrize("name", ["outspeed", "exobase+hardcore", str(NIM)])
def test_a_pickled_game_is_the_same_game(name: str) -> None:
    try:
        game = api.load(name)
    except RulelangError:
        game = api.load("exobase")
    game.start(seed=1)
    again = pickle.loads(pickle.dumps(game))
    assert (again.rules_hash, again.text_hash, again.ir) == (game.rules_hash, game.text_hash, game.ir)
    assert (again.variants, again.players, again.title, again.internals.entry) == (
        game.variants,
        game.players,
        game.title,
        game.internals.entry,
    )
    assert again.start(seed=3).log.text == game.start(seed=3).log.text
    assert copy.copy(game) is game
    assert copy.deepcopy(game) is game
    assert again.internals.whole.module == game.internals.whole.module


def test_a_match_says_that_it_cannot_be_pickled() -> None:
    with pytest.raises(TypeError, match="cannot be pickled: keep its log"):
        pickle.dumps(started())


def test_the_log_of_a_match_can_be_pickled() -> None:
    match = started()
    match.play(match.options[0])
    again = pickle.loads(pickle.dumps(match.log))
    assert again.text == match.log.text
    assert json.loads(again.lines[0])["seed"] == 7
