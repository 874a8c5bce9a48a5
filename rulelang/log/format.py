"""A match's journal <-> JSON Lines: a header, then inputs and what came of them, in order.

    {"rulelang":"log","format":1,"game":"nim",...,"seed":7,"h":"..."}
    {"n":1,"input":"choice","seat":"red","choice":"play#1","option":"take(2)","h":"..."}
    {"event":1,"cause":0,"depth":1,"rule":"take",...,"changes":[["set","heap","12","10"]]}
    {"n":2,"input":"roll","die":"yellow","face":3,"h":"..."}

`schema.json` beside this file says it field by field. Header and inputs are enough to play the game again; `h` is a running
hash over every line before and its own, so a line that was changed, added or lost is found at the next `h`.

Invariant: the same game, seed and answers give the same bytes; there are no times, no places of this machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, TypeAlias

import attrs

from rulelang.knowledge.redaction import read
from rulelang.match.events import Drawn, Entry, Event, Fault, Outcome, Taken, Undone
from rulelang.match.match import Match

FORMAT = 1
"""The version of the format that is written; what is newer is not read."""
DIGITS = 16
"""Hexadecimal digits of a running hash that a line shows."""
SEALED = "(sealed)"
HIDDEN = "(hidden)"

Record: TypeAlias = dict[str, Any]
"""One line, as JSON has it."""


@attrs.frozen
class Header:
    """What was played: enough, with the inputs, to play it again.

    `rules` and `text` are hashes of the rules and of their text; `viewer` is the seat that a log was made for, which then
    has no seed and none of the outcomes that this seat may not know.
    """

    game: str
    players: tuple[str, ...]
    seed: int | str | None
    variants: tuple[str, ...] = ()
    options: tuple[tuple[str, str], ...] = ()
    rules: str = ""
    text: str = ""
    engine: str = ""
    bots: tuple[tuple[str, str], ...] = ()
    viewer: str | None = None

    def record(self) -> Record:
        """Gives the header's line."""
        record: Record = {
            "rulelang": "log",
            "format": FORMAT,
            "game": self.game,
            "variants": list(self.variants),
            "options": dict(self.options),
            "rules": self.rules,
            "text": self.text,
            "players": list(self.players),
            "seed": self.seed,
            "engine": self.engine,
        }
        if self.bots:
            record["bots"] = dict(self.bots)
        if self.viewer is not None:
            record["for"] = self.viewer
        return record


# ------------------------------------------------------------------ lines


@attrs.define
class Chain:
    """The running hash: of all lines so far."""

    digest: str = ""

    def add(self, record: Mapping[str, Any]) -> str:
        """Adds a line (without its `h`) and gives the digits that it shows."""
        body = canonical({key: value for key, value in record.items() if key != "h"})
        self.digest = sha256(f"{self.digest}\n{body}".encode("utf-8", "surrogatepass")).hexdigest()
        return self.digest[:DIGITS]


def canonical(record: Mapping[str, Any]) -> str:
    """Gives the one way to write a line."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def sealed_line(record: Record, chain: Chain) -> str:
    """Gives a line with its running hash, where it shows one: events do not."""
    digits = chain.add(record)
    return canonical(record if "event" in record or "fault" in record else {**record, "h": digits})


def records(entries: Iterable[Entry], seats: tuple[str, ...], first: int = 1) -> Iterator[Record]:
    """Gives the line of each entry; inputs are numbered from `first`."""
    number = first
    for entry in entries:
        record = record_of(entry, seats)
        if "input" in record:
            record = {"n": number, **record}
            number += 1
        yield record


def record_of(entry: Entry, seats: tuple[str, ...]) -> Record:
    """Gives the line of one entry, without a number."""
    match entry:
        case Taken():
            option = read(entry.option)
            taken = {"input": "choice", "seat": seats[entry.seat], "choice": entry.choice, "option": option}
            return taken if entry.elapsed is None else {**taken, "elapsed": entry.elapsed}
        case Drawn():
            return _drawn(entry)
        case Undone():
            return {"input": "undo", "to": entry.to}
        case Event():
            return _event(entry)
        case Fault():
            return {"fault": entry.message}
        case Outcome():
            return {
                "end": entry.kind,
                "winners": [seats[seat] for seat in entry.winners],
                "ranking": [[seats[seat] for seat in group] for group in entry.ranking],
                "scores": list(entry.scores),
                "rule": entry.rule,
                "clauses": list(entry.clauses),
            }


def _drawn(drawn: Drawn) -> Record:
    """Gives an outcome's line; without the outcome where it is left out."""
    if drawn.what == "roll":
        face = {"face": int(drawn.values[0])} if drawn.values else {}
        return {"input": "roll", "die": drawn.stream, **face}
    if drawn.what == "pick":
        value = {"value": drawn.values[0]} if drawn.values else {}
        return {"input": "pick", "stream": drawn.stream, **value}
    order = {"order": list(drawn.values)} if drawn.values else {}
    return {"input": "shuffle", "stream": drawn.stream, "pile": drawn.pile, **order}


def _event(event: Event) -> Record:
    record: Record = {
        "event": event.number,
        "cause": event.cause,
        "depth": event.depth,
        "rule": event.rule,
        "what": event.what,
        "call": read(event.call),
        "clauses": list(event.clauses),
        "sentence": read(event.sentence),
        "changes": [[c.what, read(c.subject), read(c.before), read(c.after)] for c in event.changes],
    }
    if event.goes_on:
        record["goes_on"] = True
    return record


# ------------------------------------------------------------------ logs


@attrs.frozen
class Log:
    """A match as it is written down.

    >>> log = Log(Header("nim", ("red", "blue"), 7), ())
    >>> len(log.lines)
    1
    """

    header: Header
    entries: tuple[Entry, ...]

    @classmethod
    def of(cls, header: Header, match: Match) -> Log:
        """Gives the log of a match so far, with nothing hidden."""
        return cls(header, match.journal)

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines, without their ends."""
        chain = Chain()
        rest = records(self.entries, self.header.players)
        return tuple(sealed_line(record, chain) for record in (self.header.record(), *rest))

    @property
    def text(self) -> str:
        """The whole log."""
        return "".join(f"{line}\n" for line in self.lines)

    def events_for(self, seat: int | None) -> tuple[Event, ...]:
        """Gives its events, those undone too, as a seat (None: a spectator) saw them."""
        return tuple(entry for entry in self.for_seat(seat).entries if isinstance(entry, Event))

    def for_seat(self, seat: int | None) -> Log:
        """Gives the log as a seat (None: a spectator) may read it: no seed, and nothing that it could not know."""
        viewer = 1 << (len(self.header.players) if seat is None else seat)
        secret = _never_opened(self.entries)
        shown = tuple(_shown(entry, i in secret, seat, viewer) for i, entry in enumerate(self.entries))
        name = "spectator" if seat is None else self.header.players[seat]
        return Log(attrs.evolve(self.header, seed=None, viewer=name), shown)

    def save(self, path: str | Path) -> None:
        """Writes the log to a file."""
        Path(path).write_bytes(self.text.encode("utf-8", "surrogatepass"))


def _shown(entry: Entry, is_sealed: bool, seat: int | None, viewer: int) -> Entry:
    match entry:
        case Taken():
            if entry.seat == seat:
                return entry
            return attrs.evolve(entry, option=(SEALED if is_sealed else read(entry.option, viewer),))
        case Drawn():
            known = entry.seers < 0 or entry.seers & viewer
            return entry if known else attrs.evolve(entry, values=())
        case Event():
            return entry.seen(viewer)
        case Fault():
            return Fault(HIDDEN)
        case _:
            return entry


def _never_opened(entries: tuple[Entry, ...]) -> set[int]:
    """Gives the positions of sealed answers after which nothing happened: they lie sealed still, or were taken back."""
    closed: set[int] = set()
    numbers: dict[int, int] = {}
    waiting: list[int] = []
    number = 0
    for i, entry in enumerate(entries):
        if isinstance(entry, (Taken, Drawn, Undone)):
            number += 1
            numbers[i] = number
        if isinstance(entry, Taken) and entry.sealed:
            waiting.append(i)
        elif isinstance(entry, Undone):
            closed |= {j for j in waiting if numbers[j] >= entry.to}
            waiting = [j for j in waiting if numbers[j] < entry.to]
        else:
            waiting = []
    return closed | set(waiting)


class LogWriter:
    """Writes a log as the game goes, line by line: a listener of a match's journal.

    After each line the file is flushed, so that a process killed at any moment loses the line being written at most.
    """

    def __init__(self, file: IO[bytes], header: Header) -> None:
        self._file, self._seats = file, header.players
        self._chain, self._number = Chain(), 1
        self._write(header.record())

    @classmethod
    def going_on(cls, file: IO[bytes], seats: tuple[str, ...], chain: Chain, inputs: int) -> LogWriter:
        """Gives a writer that goes on where a log ends: `chain` over all its lines, with so many inputs."""
        writer = cls.__new__(cls)
        writer._file, writer._seats, writer._chain, writer._number = file, seats, chain, inputs + 1
        return writer

    def __call__(self, entry: Entry) -> None:
        """Writes one entry."""
        for record in records((entry,), self._seats, self._number):
            self._number += "input" in record
            self._write(record)

    def close(self) -> None:
        """Closes the file."""
        self._file.close()

    def _write(self, record: Record) -> None:
        self._file.write(f"{sealed_line(record, self._chain)}\n".encode("utf-8", "surrogatepass"))
        self._file.flush()
