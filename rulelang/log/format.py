"""The format of logs, as JSON Lines: a header, then inputs and their results, in order.

    {"rulelang":"log","format":1,"game":"nim",...,"seed":7,"h":"..."}
    {"n":1,"input":"choice","seat":"red","choice":"play#1","option":"take(2)","h":"..."}
    {"event":1,"cause":0,"depth":1,"rule":"take",...,"changes":[["set","heap","12","10"]]}
    {"n":2,"input":"roll","die":"yellow","face":3,"h":"..."}

`schema.json` beside this file says it field by field. Header and inputs are enough to play the game again; `h` is a
running hash over all lines up to its own, so a line that was changed, added or lost is noticed at the next `h`.

Invariant: the same game, seed and answers give the same bytes; a log holds no times and no paths of this machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, TypeAlias, assert_never

import attrs

from rulelang import disk
from rulelang.errors import LogError
from rulelang.ir.model.vocabulary import LoneOptions
from rulelang.ir.numbers import Mask
from rulelang.knowledge.redaction import Words, read
from rulelang.log.fields import FORMAT, LONGEST_LINE, MOST_BYTES, MOST_LINES, kind_of
from rulelang.log.file import LogFile
from rulelang.log.plain import plain_line
from rulelang.match import inputs
from rulelang.match.match import BareMatch
from rulelang.match.recording.events import Drawn, Entry, Event, Fault, Outcome, Taken, Undone
from rulelang.match.recording.journal import in_seat_order
from rulelang.match.recording.telling import NOTHING_TOLD, EventTelling, ToldEvent

DIGITS = 16
"""The number of hexadecimal digits of a running hash in a line."""
MOST_TEXTS = 8_192
"""The most texts of parts of lines that are kept."""
SEALED = "(sealed)"
HIDDEN = "(hidden)"

Record: TypeAlias = dict[str, Any]
"""One line, as a JSON object."""


@attrs.frozen
class Header:
    """The first line of a log: with the inputs, enough to play the match again.

    `rules` and `text` are hashes of the rules and of their text; `viewer` is the seat that a log was made for: such a
    log has no seed, and no outcome that the seat may not know.
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
    lone: LoneOptions | None = None
    """Whether lone options were "asked" or "taken", if the table overrode the rules."""
    given: str | None = None
    """The position in which it began in place of the set-up; see `Match.as_given`."""
    format: int = FORMAT

    def record(self) -> Record:
        """Returns the header's line."""
        record: Record = {
            "rulelang": "log",
            "format": self.format,
            "game": self.game,
            "variants": list(self.variants),
            "options": dict(self.options),
            "rules": self.rules,
            "text": self.text,
            "players": list(self.players),
            "seed": self.seed,
            "engine": self.engine,
        }
        if self.lone is not None:
            record["lone"] = self.lone
        if self.given is not None:
            record["given"] = self.given
        if self.bots:
            record["bots"] = dict(self.bots)
        if self.viewer is not None:
            record["for"] = self.viewer
        return record


# ------------------------------------------------------------------ lines

_written = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


@attrs.define
class Chain:
    """The running hash of all lines so far."""

    digest: str = ""

    def add(self, record: Mapping[str, Any]) -> str:
        """Adds a line (without its `h`) and returns the hash to show."""
        body = canonical({key: value for key, value in record.items() if key != "h"})
        return self.add_text(body.encode("utf-8", "surrogatepass"))

    def add_text(self, body: bytes) -> str:
        """Adds a line, given its canonical text without its `h`; returns the hash to show."""
        self.digest = sha256(b"%b\n%b" % (self.digest.encode(), body)).hexdigest()
        return self.digest[:DIGITS]


def canonical(record: Mapping[str, Any]) -> str:
    """Returns the canonical text of a line."""
    return _written(record)


def sealed_line(record: Record, chain: Chain, number: int) -> str:
    """Returns the line with its number, and its running hash if it shows one: events do not.

    Raises LogError for a line that could not be read back: too long, one too many, or with a malformed field.
    """
    try:
        text = canonical(record)
    except (TypeError, ValueError) as error:
        raise LogError(f"line {number} cannot be written: {error}") from None
    return _sealed(text, chain, number, shows_hash="event" not in record and "fault" not in record)


def _sealed(text: str, chain: Chain, number: int, *, shows_hash: bool) -> str:
    """Returns the line of a canonical text; see `sealed_line`."""
    digits = chain.add_text(text.encode("utf-8", "surrogatepass"))
    line = f'{text[:-1]},"h":"{digits}"}}' if shows_hash else text
    raw = f"{line}\n".encode("utf-8", "surrogatepass")
    if number == 1 or plain_line(raw) is None:
        try:
            kind_of(json.loads(line), number)
        except (TypeError, ValueError) as error:
            raise LogError(f"line {number} cannot be written: {error}") from None
    length = len(raw)
    if length > LONGEST_LINE:
        record = json.loads(line)
        what = f"the event `{record['call']:.40}`" if "event" in record else "one line"
        raise LogError(f"{what} takes {length:,} bytes: a line of a log has {LONGEST_LINE:,} at most")
    if number > MOST_LINES:
        raise LogError(f"a log has {MOST_LINES:,} lines at most")
    return line


def _line_of(entry: Entry, seats: tuple[str, ...], chain: Chain, number: int, inputs: int) -> str:
    """Returns the line of an entry with its number; it is the next after some inputs, if it is one."""
    if isinstance(entry, Event):
        return _sealed(_event_text(entry), chain, number, shows_hash=False)
    record = record_of(entry, seats)
    return sealed_line({"n": inputs + 1, **record} if "input" in record else record, chain, number)


def record_of(entry: Entry, seats: tuple[str, ...]) -> Record:
    """Returns the line of one entry, without a number."""
    match entry:
        case Taken():
            option = read(entry.option)
            taken: Record = {"input": "choice", "seat": seats[entry.seat], "choice": entry.choice, "option": option}
            if entry.elapsed is not None:
                taken["elapsed"] = entry.elapsed
            return taken if entry.by is None else {**taken, "by": entry.by}
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
        case _:
            assert_never(entry)


def _drawn(drawn: Drawn) -> Record:
    """Returns the line of a random outcome, with the outcome itself left out if it is secret."""
    if drawn.what == "roll":
        face = {"face": int(drawn.values[0])} if drawn.values else {}
        own = {} if drawn.stream == drawn.called else {"for": drawn.stream.removeprefix(f"{drawn.called} ")}
        return {"input": "roll", "die": drawn.called, **own, **face}
    if drawn.what == "pick":
        value = {"value": drawn.values[0]} if drawn.values else {}
        return {"input": "pick", "stream": drawn.stream, **value}
    order = {"order": list(drawn.values)} if drawn.values else {}
    return {"input": "shuffle", "stream": drawn.stream, "pile": drawn.called, **order}


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


def _event_text(event: Event) -> str:
    """Returns the canonical text of an event's line: that of `_event`, of parts that are written once."""
    cause = "null" if event.cause is None else event.cause
    fields = _fields_text(event.rule, event.what, event.call, event.clauses, event.sentence)
    changes = ",".join([_change_text(c.what, c.subject, c.before, c.after) for c in event.changes])
    on = ',"goes_on":true' if event.goes_on else ""
    return f'{{"event":{event.number},"cause":{cause},"depth":{event.depth},{fields},"changes":[{changes}]{on}}}'


@lru_cache(MOST_TEXTS)
def _fields_text(rule: str, what: str, call: Words, clauses: tuple[str, ...], sentence: Words) -> str:
    fields = {"rule": rule, "what": what, "call": read(call), "clauses": list(clauses), "sentence": read(sentence)}
    return _written(fields)[1:-1]


@lru_cache(MOST_TEXTS)
def _change_text(what: str, subject: Words, before: Words, after: Words) -> str:
    return _written([what, read(subject), read(before), read(after)])


# ------------------------------------------------------------------ logs


@attrs.frozen
class Log:
    """The log of a match.

    >>> log = Log(Header("nim", ("red", "blue"), 7), ())
    >>> len(log.lines)
    1
    """

    header: Header
    entries: tuple[Entry, ...]

    @classmethod
    def of(cls, header: Header, match: BareMatch) -> Log:
        """Returns the log of a match so far, with nothing hidden."""
        return cls(header, match.journal)

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines, without their ends; raises LogError if one could not be read back."""
        chain, inputs = Chain(), 0
        lines = [sealed_line(self.header.record(), chain, 1)]
        for number, entry in enumerate(self.entries, start=2):
            lines.append(_line_of(entry, self.header.players, chain, number, inputs))
            inputs += isinstance(entry, (Taken, Drawn, Undone))
        return tuple(lines)

    @property
    def text(self) -> str:
        """The text of the whole log."""
        return "".join(f"{line}\n" for line in self.lines)

    def events_for(self, seat: int | None) -> tuple[Event, ...]:
        """Returns the log's events, undone ones included, as a seat (None: a spectator) saw them."""
        return tuple(entry for entry in self.for_seat(seat).entries if isinstance(entry, Event))

    def for_seat(self, seat: int | None) -> Log:
        """Returns the log as a seat (None: a spectator) may read it: without the seed and anything it could not know, sealed
        answers in seat order."""
        inputs.viewer(seat, len(self.header.players))
        viewer = 1 << (len(self.header.players) if seat is None else seat)
        shown = tuple(entry for entry, _ in entries_for(in_seat_order(self.entries), seat, Mask(viewer)))
        name = "spectator" if seat is None else self.header.players[seat]
        return Log(attrs.evolve(self.header, seed=None, given=None, viewer=name), shown)

    def save(self, path: str | Path, *, replace: bool = False) -> None:
        """Writes the log to a new file atomically; `replace` allows it to replace an existing one.

        Raises FileExistsError, OSError with the path, and LogError as `lines` does.
        """
        write = disk.replace if replace else disk.create
        write(Path(path), self.text.encode())


def entries_for(entries: Sequence[Entry], seat: int | None, viewer: Mask) -> Iterator[tuple[Entry, tuple[int, ...]]]:
    """Yields the entries as a seat may read them, each event with the numbers of the events it combines."""
    secret = _never_opened(entries)
    telling, threads = EventTelling(viewer), [NOTHING_TOLD]
    # By input: its number among those that the seat was told of.
    told = [0, 1]
    # By input: how much the seat had been told before it.
    heard_before, heard_so_far = [0], 0
    for i, entry in enumerate(entries):
        is_unseen = isinstance(entry, Taken) and entry.private and entry.seat != seat
        if isinstance(entry, (Event, Drawn)):
            heard = [*telling.hear(entry)]
        else:
            heard = [*telling.rest()]
        yield from ((one.event, one.of) if isinstance(one, ToldEvent) else (one, ()) for one in heard)
        heard_so_far += len(heard)
        if isinstance(entry, (Taken, Drawn, Undone)):
            heard_before.append(heard_so_far)
            threads.append(telling.thread)
            is_unseen |= isinstance(entry, Drawn) and not entry.aware & viewer
            is_unseen |= (
                isinstance(entry, Undone) and told[entry.to] == told[-1] and heard_before[entry.to] == heard_so_far
            )
            told.append(told[-1] + int(not is_unseen))
        if isinstance(entry, Undone) and 0 < entry.to < len(threads):
            telling.thread = threads[entry.to]
            entry = attrs.evolve(entry, to=told[entry.to])
        if not isinstance(entry, (Event, Drawn)) and not is_unseen:
            yield _shown(entry, i in secret, seat, viewer), ()
    yield from ((one.event, one.of) if isinstance(one, ToldEvent) else (one, ()) for one in telling.rest())


def _shown(entry: Taken | Undone | Fault | Outcome, is_sealed: bool, seat: int | None, viewer: int) -> Entry:
    match entry:
        case Taken():
            if entry.seat == seat:
                return entry
            option = SEALED if is_sealed else read(entry.option, viewer)
            # That time ran out tells what was answered, and an answer given beforehand is the seat's own business.
            is_told = entry.by == "clock" and option == read(entry.option)
            return attrs.evolve(entry, option=(option,), by=entry.by if is_told else None)
        case Outcome():
            return entry.seen(viewer)
        case Fault():
            return Fault(HIDDEN)
        case Undone():
            return entry
        case _:
            assert_never(entry)


def _never_opened(entries: Sequence[Entry]) -> set[int]:
    """Returns the positions of sealed answers that were never opened: they are still sealed, or were taken back."""
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


@attrs.frozen
class Mark:
    """A position in a log that is being written: the bytes, lines and inputs before it, and its running hash."""

    size: int
    lines: int
    inputs: int
    digest: str


class LogWriter:
    """Writes a log while the game is played, line by line: a listener of a match's journal.

    The file is flushed after each line, so a process killed at any moment loses at most the results of one answer.
    Raises LogError if a line cannot be written or could not be read back; the file is then as it was before the answer.
    """

    def __init__(self, file: IO[bytes] | LogFile, header: Header, after: Mark | None = None) -> None:
        """Begins a log in an empty file, or continues one `after` its last whole line."""
        self._file, self._seats = file, header.players
        self._chain = Chain() if after is None else Chain(after.digest)
        self._lines, self._inputs = (0, 0) if after is None else (after.lines, after.inputs)
        if after is None:
            self._write(sealed_line(header.record(), self._chain, 1))

    def __call__(self, entry: Entry) -> None:
        """Writes one entry."""
        self._write(_line_of(entry, self._seats, self._chain, self._lines + 1, self._inputs))
        self._inputs += isinstance(entry, (Taken, Drawn, Undone))

    def mark(self) -> Mark:
        """Returns the present end of the log."""
        return Mark(self._file.tell(), self._lines, self._inputs, self._chain.digest)

    def back_to(self, mark: Mark) -> None:
        """Removes everything written since a mark."""
        self._file.truncate(mark.size)
        self._file.seek(mark.size)
        self._chain, self._lines, self._inputs = Chain(mark.digest), mark.lines, mark.inputs

    def sync(self) -> None:
        """Flushes everything written to the disk; raises LogError."""
        if isinstance(self._file, LogFile):
            self._file.sync()

    def close(self) -> None:
        """Flushes the log to the disk and closes the file; raises LogError."""
        try:
            self.sync()
        finally:
            self._file.close()

    def _write(self, line: str) -> None:
        raw = f"{line}\n".encode()
        if self._file.tell() + len(raw) > MOST_BYTES:
            raise LogError(f"a log has {MOST_BYTES:,} bytes at most")
        self._file.write(raw)
        self._file.flush()
        self._lines += 1
