"""A file that says it is a log -> its header and lines, or a clear word about what is wrong with it.

Nothing in the file is trusted: lines and their number are bounded, every field is looked at, and the running hash must
agree. A last line without an end was being written when the process died: it is left out, with a note.

    edited.jsonl: line 12 was changed, or one before it was added or lost
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

import attrs

from rulelang.errors import LogError
from rulelang.log.format import FORMAT, Chain, Header

LONGEST_LINE = 2**20
"""Bytes in a line."""
MOST_LINES = 1_000_000
MOST_BYTES = 2**28
MOST_SEATS = 64


@attrs.frozen
class Line:
    """One line after the header: `what` is choice, roll, pick, shuffle, undo, event, fault or end."""

    number: int
    """Counted from 1; the header is line 1."""
    what: str
    record: Mapping[str, Any]


@attrs.frozen
class ReadLog:
    """A log as it was found."""

    header: Header
    lines: tuple[Line, ...]
    notes: tuple[str, ...]
    """What a reader should know: that the last line was cut off."""
    size: int
    """Bytes up to the end of the last whole line."""
    chain: Chain = attrs.field(eq=False, repr=False)

    @property
    def inputs(self) -> int:
        """How many inputs there are."""
        return sum("input" in line.record for line in self.lines)

    @property
    def is_complete(self) -> bool:
        """Says whether the log goes up to the end of a game."""
        return bool(self.lines) and self.lines[-1].what == "end"


def read_log(path: str | Path) -> ReadLog:
    """Reads a log; raises LogError where it is none, was changed, or is from the future, and where it cannot be opened."""
    try:
        with Path(path).open("rb") as file:
            return parse_log(file)
    except OSError as error:
        raise LogError(f"the log cannot be read: {error.strerror or 'no file'}") from None


def parse_log(file: IO[bytes]) -> ReadLog:
    """Reads a log from an open file; see `read_log`."""
    chain, notes, size = Chain(), list[str](), 0
    header: Header | None = None
    lines: list[Line] = []
    inputs = 0
    number = 0
    while raw := file.readline(LONGEST_LINE + 1):
        number += 1
        if len(raw) > LONGEST_LINE:
            raise LogError(f"line {number} is longer than {LONGEST_LINE:,} bytes: not a log")
        if number > MOST_LINES:
            raise LogError(f"more than {MOST_LINES:,} lines: too long for a log")
        if size > MOST_BYTES:
            raise LogError(f"more than {MOST_BYTES:,} bytes: too long for a log")
        if not raw.endswith(b"\n") and header is not None:
            notes.append(f"line {number} was cut off and is left out")
            break
        record = _object(raw, number)
        if header is None:
            header = _header(record)
            if not raw.endswith(b"\n"):
                raise LogError("the log was cut off in its first line: there is nothing in it yet")
        else:
            line = _line(record, number)
            inputs += "input" in record
            if "input" in record and record["n"] != inputs:
                raise LogError(f"line {number} has input {record['n']}, expected {inputs}: lines were added or lost")
            lines.append(line)
        digits = chain.add(record)
        if record.get("h", digits) != digits:
            raise LogError(f"line {number} was changed, or one before it was changed, added or lost")
        size += len(raw)
    if header is None:
        raise LogError("the log is empty")
    return ReadLog(header, tuple(lines), tuple(notes), size, chain)


def _object(raw: bytes, number: int) -> dict[str, Any]:
    try:
        # An editor may have put a byte order mark before the first line.
        record = json.loads(
            raw.decode("utf-8-sig" if number == 1 else "utf-8"), parse_constant=_no_constant, parse_float=_no_constant
        )
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        if number == 1:
            raise LogError("not a log: the first line is no header")
        raise LogError(f"line {number} is not JSON: the log was changed")
    return record


def _no_constant(text: str) -> None:
    raise ValueError(text)


# ------------------------------------------------------------------ fields

Check = Callable[[Any], bool]


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(part, str) for part in value)


def _is_text_map(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(part, str) for part in value.values())


def _is_seed(value: Any) -> bool:
    return value is None or isinstance(value, str) or _is_whole(value)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_cause(value: Any) -> bool:
    return value is None or _is_int(value)


def _is_changes(value: Any) -> bool:
    return isinstance(value, list) and all(_is_texts(change) and len(change) == 4 for change in value)


def _is_numbers(value: Any) -> bool:
    return isinstance(value, list) and all(_is_int(part) for part in value)


def _is_groups(value: Any) -> bool:
    return isinstance(value, list) and all(_is_texts(part) for part in value)


def _is_true(value: Any) -> bool:
    return value is True


HEADER: dict[str, Check] = {
    "game": _is_text,
    "variants": _is_texts,
    "options": _is_text_map,
    "rules": _is_text,
    "text": _is_text,
    "players": _is_texts,
    "seed": _is_seed,
    "engine": _is_text,
}
INPUTS: dict[str, dict[str, Check]] = {
    "choice": {"seat": _is_text, "choice": _is_text, "option": _is_text},
    "roll": {"die": _is_text},
    "pick": {"stream": _is_text},
    "shuffle": {"stream": _is_text, "pile": _is_text},
    "undo": {"to": _is_int},
}
EVENT: dict[str, Check] = {
    "event": _is_int,
    "cause": _is_cause,
    "depth": _is_int,
    "rule": _is_text,
    "what": _is_text,
    "call": _is_text,
    "clauses": _is_texts,
    "sentence": _is_text,
    "changes": _is_changes,
}
END: dict[str, Check] = {
    "end": _is_text,
    "winners": _is_texts,
    "ranking": _is_groups,
    "scores": _is_numbers,
    "rule": _is_text,
    "clauses": _is_texts,
}
MAY: dict[str, Check] = {
    "bots": _is_text_map,
    "for": _is_text,
    "face": _is_int,
    "value": _is_text,
    "order": _is_texts,
    "goes_on": _is_true,
    "elapsed": _is_int,
}
"""Fields that may be missing."""


def _look_at(record: Mapping[str, Any], fields: Mapping[str, Check], number: int) -> None:
    for name, fits in fields.items():
        if name not in record or not fits(record[name]):
            raise LogError(f"line {number}: `{name}` is missing or not what it should be")
    for name, fits in MAY.items():
        if name in record and not fits(record[name]):
            raise LogError(f"line {number}: `{name}` is not what it should be")


def _header(record: Mapping[str, Any]) -> Header:
    if record.get("rulelang") != "log" or not _is_int(record.get("format")):
        raise LogError("not a log: the first line is no header")
    if record["format"] > FORMAT:
        raise LogError(
            f"the log has format {record['format']}, this rulelang reads up to {FORMAT}: a newer one wrote it"
        )
    _look_at(record, HEADER, 1)
    if not 1 <= len(record["players"]) <= MOST_SEATS:
        raise LogError("line 1: `players` is not what it should be")
    return Header(
        record["game"],
        tuple(record["players"]),
        record["seed"],
        tuple(record["variants"]),
        tuple(record["options"].items()),
        record["rules"],
        record["text"],
        record["engine"],
        tuple(record.get("bots", {}).items()),
        record.get("for"),
    )


def _line(record: Mapping[str, Any], number: int) -> Line:
    what = record.get("input")
    if isinstance(what, str) and what in INPUTS:
        _look_at(record, {"n": _is_int, "h": _is_text, **INPUTS[what]}, number)
        return Line(number, what, record)
    if "event" in record:
        _look_at(record, EVENT, number)
        return Line(number, "event", record)
    if "end" in record:
        _look_at(record, {"h": _is_text, **END}, number)
        return Line(number, "end", record)
    if "fault" in record and _is_text(record["fault"]):
        return Line(number, "fault", record)
    raise LogError(f"line {number} is neither an input nor an event")
