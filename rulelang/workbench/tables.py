"""Logs -> rows of four tables for queries: games, inputs, events and changes.

    for table, row in rows_of(1, "race.jsonl", 1, read_log("race.jsonl")): ...

A row maps the table's columns to values, None if the log does
not have one. Undone inputs have rows, too, which do not stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

import attrs

from rulelang.errors import LogError
from rulelang.log.reading import ReadLog
from rulelang.log.steps import LogLine


class ColumnKind(Enum):
    """The kind of data in a column."""

    INT = "int"
    TEXT = "text"
    FLAG = "flag"
    INTS = "ints"
    TEXTS = "texts"


INT, TEXT, FLAG, INTS, TEXTS = ColumnKind

Record = dict[str, Any]

TABLES: Mapping[str, Mapping[str, ColumnKind]] = {
    "games": {
        "game": INT,
        "log": TEXT,
        "nth": INT,
        "rules_of": TEXT,
        "variants": TEXTS,
        "options": TEXTS,
        "seats": TEXTS,
        "bots": TEXTS,
        "seed": TEXT,
        "rules": TEXT,
        "text": TEXT,
        "engine": TEXT,
        "seen_by": TEXT,
        "inputs": INT,
        "choices": INT,
        "is_complete": FLAG,
        "ended": TEXT,
        "winners": TEXTS,
        "ranking": TEXTS,
        "scores": INTS,
        "fault": TEXT,
    },
    "inputs": {
        "game": INT,
        "n": INT,
        "line": INT,
        "step": INT,
        "stands": FLAG,
        "input": TEXT,
        "seat": TEXT,
        "choice": TEXT,
        "option": TEXT,
        "rule": TEXT,
        "stream": TEXT,
        "face": INT,
        "value": TEXT,
        "drawn": TEXTS,
        "undoes": INT,
        "elapsed": INT,
        "by": TEXT,
    },
    "events": {
        "game": INT,
        "event": INT,
        "line": INT,
        "step": INT,
        "stands": FLAG,
        "cause": INT,
        "depth": INT,
        "what": TEXT,
        "rule": TEXT,
        "call": TEXT,
        "clauses": TEXTS,
        "sentence": TEXT,
        "phase": TEXT,
        "round": INT,
        "goes_on": FLAG,
    },
    "changes": {
        "game": INT,
        "event": INT,
        "line": INT,
        "stands": FLAG,
        "what": TEXT,
        "subject": TEXT,
        "before": TEXT,
        "after": TEXT,
    },
}
"""The columns of each table. `game` is the number by which rows of one game belong together."""
ROUNDS = ("round", "rounds")
"""The variables that may count rounds; the first that a log has is used."""


def rows_of(number: int, name: str, nth: int, log: ReadLog | LogError) -> Iterator[tuple[str, Record]]:
    """Yields the rows of one log, the `nth` of a file, each with
    its table; for an unreadable log, a row with the reason."""
    try:
        if isinstance(log, LogError):
            raise log
        game = _game(log)
        rows = _Rows(number, log)
    except LogError as error:
        yield "games", {"game": number, "log": name, "nth": nth, "fault": str(error)}
        return
    yield from rows.all()
    yield "games", {"game": number, "log": name, "nth": nth, **game, **rows.ending}


def _game(log: ReadLog) -> Record:
    header = log.header
    return {
        "rules_of": header.game,
        "variants": list(header.variants),
        "options": [f"{option}={value}" for option, value in header.options],
        "seats": list(header.players),
        "bots": [f"{seat}={bot}" for seat, bot in header.bots],
        "seed": None if header.seed is None else str(header.seed),
        "rules": header.rules,
        "text": header.text,
        "engine": header.engine,
        "seen_by": header.viewer,
        "inputs": log.inputs,
        "choices": log.choices,
        "is_complete": log.is_complete,
    }


@attrs.define
class _Rows:
    """The rows of one log that is being read."""

    game: int
    log: ReadLog
    ending: Record = attrs.field(factory=dict)
    phase: str | None = None
    round: int | None = None
    counter: str = ""
    """The variable that counts rounds in this log."""
    standing: frozenset[int] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.standing = frozenset((0, *self.log.steps.standing))

    def all(self) -> Iterator[tuple[str, Record]]:
        """Yields the rows of all lines after the header; afterwards the ending is known."""
        with self.log.steps.opened() as lines:
            for step in range(len(self.log.steps)):
                for line in lines[step].lines:
                    yield from self._of(line, step)

    def _of(self, line: LogLine, step: int) -> Iterator[tuple[str, Record]]:
        where = {"game": self.game, "line": line.number, "stands": step in self.standing}
        if line.what == "event":
            for change in line.record["changes"]:
                row = dict(zip(("what", "subject", "before", "after"), change, strict=True))
                yield "changes", {**where, "event": line.record["event"], **row}
                self._count(change)
            yield "events", {**where, "step": step, **self._event(line.record)}
        elif line.what == "end":
            self._end(line.record)
        elif line.what != "fault":
            yield "inputs", {**where, "step": step, **_input(line.record)}

    def _event(self, record: Mapping[str, Any]) -> Record:
        if record["what"] == "phase":
            self.phase = record["rule"]
        names = ("event", "cause", "depth", "what", "rule", "call", "clauses", "sentence")
        found: Record = {name: record[name] for name in names}
        return {**found, "phase": self.phase, "round": self.round, "goes_on": "goes_on" in record}

    def _count(self, change: list[str]) -> None:
        what, subject, _, after = change
        if what == "set" and subject in ROUNDS and self.counter in ("", subject) and after.isdecimal():
            self.counter, self.round = subject, int(after[:9])

    def _end(self, record: Mapping[str, Any]) -> None:
        ranking = [" = ".join(group) for group in record["ranking"]]
        self.ending = {"ended": record["end"], "winners": record["winners"], "ranking": ranking}
        self.ending["scores"] = record["scores"]


def _input(record: Mapping[str, Any]) -> Record:
    option = record.get("option")
    return {
        "n": record["n"],
        "input": record["input"],
        "seat": record.get("seat"),
        "choice": record.get("choice"),
        "option": option,
        "rule": None if option is None else option.partition("(")[0],
        "stream": record.get("die", record.get("stream")),
        "face": record.get("face"),
        "value": record.get("value"),
        "drawn": record.get("order"),
        "undoes": record.get("to"),
        "elapsed": record.get("elapsed"),
        "by": record.get("by"),
    }
