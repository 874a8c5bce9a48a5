"""Logs that were cut, edited or forged, bytes and fields alike: read, replayed and repaired without an exception.

spoilt(choose)      a log of some game with bytes flipped, lines moved, fields swapped, and the running hash made good or not
"""

from __future__ import annotations

import json
import random
from functools import cache
from io import BytesIO
from typing import Any

from rulelang import api
from rulelang.errors import DamagedLog, LogError, RulelangError
from rulelang.log.format import Chain, canonical
from rulelang.log.reading import parse_log
from rulelang.log.replay import Replay
from tests.files import CLASSICS, SMALL_GAMES
from tests.fuzz.finding import Finding

WILD: tuple[Any, ...] = (
    "", "red", "take(99)", "{" * 50, -1, 0, 1, 10**9, 2**63, 10**400, None, [], ["x"], [[]], {}, {"a": 1}, True, 1.5, "\x1b[2J",
    "é", "e\u0301", "\u202e", "none", "x" * 5000,
)  # fmt: skip


@cache
def games() -> tuple[api.Game, ...]:
    """Returns small games with dice, cards and secrets, and one of those that ship."""
    paths = [*sorted(CLASSICS.glob("*.rules")), *sorted(SMALL_GAMES.glob("*.rules"))]
    return (*(api.load(path) for path in paths), api.load("outspeed"))


@cache
def played(number: int, seed: int) -> bytes:
    """Returns the log of a short game."""
    match = games()[number].start(seed=seed)
    choose = random.Random(seed)
    for _ in range(12):
        if match.to_move:
            match.play(choose.choice(list(match.options)))
            if choose.random() < 0.1 and match.can_undo:
                match.undo()
    return match.log.text.encode()


def spoilt(choose: random.Random) -> tuple[int, bytes]:
    """Returns a log that somebody changed, and the number of its game."""
    number = choose.randrange(len(games()))
    data = played(number, choose.randrange(3))
    for _ in range(choose.choice((0, 1, 1, 2, 4))):
        data = choose.choice((_bytes, _lines, _fields, _forged, _forged))(data, choose)
    return number, data


def _bytes(data: bytes, choose: random.Random) -> bytes:
    at = choose.randrange(len(data) + 1)
    some = bytes(choose.randrange(256) for _ in range(choose.randint(0, 4)))
    return choose.choice(
        (data[:at], data[:at] + some + data[at:], data[:at] + some + data[at + len(some) :], data + some)
    )


def _lines(data: bytes, choose: random.Random) -> bytes:
    lines = data.splitlines(keepends=True) or [b""]
    here, there = choose.randrange(len(lines)), choose.randrange(len(lines))
    match choose.randrange(4):
        case 0:
            del lines[here]
        case 1:
            lines.insert(here, lines[there])
        case 2:
            lines[here], lines[there] = lines[there], lines[here]
        case _:
            lines[here:] = [*lines[there:], bytes(choose.randrange(0, 600))]
    return b"".join(lines)


def _fields(data: bytes, choose: random.Random) -> bytes:
    return b"".join(
        _changed(line, choose) if choose.random() < 0.1 else line for line in data.splitlines(keepends=True)
    )


def _forged(data: bytes, choose: random.Random) -> bytes:
    """Changes fields, numbers the inputs and makes the running hash good again."""
    chain, lines, inputs = Chain(), [], 0
    for line in _fields(data, choose).splitlines():
        try:
            record = json.loads(line)
            inputs += "input" in record
            record |= {"n": inputs} if "input" in record else {}
            digits = chain.add(record)
            lines.append(canonical({**record, "h": digits} if "h" in record else record).encode())
        except (ValueError, TypeError):
            lines.append(line)
    return b"".join(line + b"\n" for line in lines)


def _changed(line: bytes, choose: random.Random) -> bytes:
    try:
        record = json.loads(line)
        record[choose.choice(sorted(record))] = choose.choice(WILD)
        return json.dumps(record).encode() + b"\n"
    except (ValueError, TypeError, IndexError):
        return line


# ------------------------------------------------------------------ what must hold


def read(number: int, data: bytes) -> None:
    """A log is read or refused in words; what can be saved of it is a log, and what is read is replayed or refused."""
    try:
        log = parse_log(BytesIO(data))
    except DamagedLog as error:
        _shown(error, data)
        try:
            saved = parse_log(BytesIO(data[: error.size]))
        except LogError as again:
            raise Finding(f"what is saved is damaged: {again}", data) from again
        if sum(line.what == "choice" for line in saved.lines) != error.saved:
            raise Finding("more or less is saved than was said", data) from error
        return
    except LogError as error:
        _shown(error, data)
        return
    except Exception as error:
        raise Finding(f"reading raised {error!r}", data) from error
    try:
        _compared(api.replay(log, under=games()[number]), data)
    except RulelangError as error:
        _shown(error, data)
    except Finding:
        raise
    except Exception as error:
        raise Finding(f"replaying raised {error!r}", data) from error


def _compared(again: Replay, data: bytes) -> None:
    difference = again.difference
    if difference is not None and not (difference.logged + difference.played).isprintable():
        raise Finding("a difference speaks to the terminal", data)
    steps = sum(line.what in ("choice", "undo") for line in again.log.lines)
    if difference is None and len(again.positions) != steps + 1:
        raise Finding("not all of the log is played again", data)


def _shown(error: RulelangError, data: bytes) -> None:
    if not str(error).isprintable():
        raise Finding(f"an error speaks to the terminal: {error!r}", data)


def attack(choose: random.Random) -> None:
    """Reads and replays a log that somebody changed."""
    read(*spoilt(choose))
