"""A file -> the log in it, or an error that says what is wrong.

The file is untrusted: the length and number of lines are bounded, every field is checked, and the running hash must
agree. A last line without a line end was cut short when the process died: it is left out, with a note.

    edited.jsonl: line 12 was changed, or one before it was added or lost

A file may hold several logs, one after another, and be compressed (`log.compressed`); `read_logs` reads them one by
one, and `texts_of` splits them so that several processes can read them.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import IO, Any, Literal

import attrs

from rulelang.errors import DamagedLog, LogError, SeveralLogs
from rulelang.log.compressed import MAGIC, is_packed, unpacked
from rulelang.log.fields import FORMAT, INPUTS, LONGEST_LINE, MOST_BYTES, MOST_LINES, LineForm, kind_of
from rulelang.log.file import open_to_read
from rulelang.log.format import Chain, Header
from rulelang.log.plain import plain_line
from rulelang.log.steps import InMemory, Lines, LogSource, OnDisk, Steps

WORD = b'"rulelang"'
HEADER = re.compile(rb'(?:\xef\xbb\xbf)?(?:(?<![ \t])[ \t]+)?\{ ?"rulelang": ?"log", ?"format": ?\d')
"""The beginning of a log. No other line of a log can contain it, since quotes inside texts are escaped."""


@attrs.frozen
class ReadLog:
    """A log as found in a file: checked as a whole, but not held in memory."""

    header: Header
    steps: Steps = attrs.field(eq=False, repr=False)
    lines: Lines = attrs.field(eq=False, repr=False)
    """The lines after the header, read as they are asked for."""
    inputs: int
    """The number of inputs."""
    choices: int
    """The number of answers, including those taken back."""
    is_complete: bool
    """Whether the log reaches the end of a game."""
    notes: tuple[str, ...]
    """Notes for the reader, such as that the last line was cut off."""
    size: int
    """The number of bytes up to the end of the last whole line."""
    chain: Chain = attrs.field(eq=False, repr=False)

    @property
    def text(self) -> bytes:
        """The log's lines as they are in the file; raises LogError if it was changed since it was read."""
        return self.steps.whole(self.size)


def read_log(path: str | Path, nth: int | None = None) -> ReadLog:
    """Reads the log in a file, the `nth` (from 1) if there are several.

    Raises LogError if the file is not a log, is damaged, is from a newer version or cannot be opened, and SeveralLogs
    if it holds more than one and `nth` is not given.
    """
    number, wanted = 0, nth or 1
    for number, found in enumerate(read_logs(path), start=1):
        if number > wanted:
            raise SeveralLogs("there are several logs in this file: say which one")
        log = found
        if number == nth:
            break
    if number < wanted:
        raise LogError(f"there {'is only 1 log' if number == 1 else f'are only {number} logs'} in this file")
    if isinstance(log, LogError):
        raise log
    return log


def read_logs(path: str | Path) -> Iterator[ReadLog | LogError]:
    """Yields the logs in a file, and the error in place of an unreadable one; see `read_log`."""
    try:
        with open_to_read(path) as file:
            if not is_packed(file):
                yield from _logs(file, OnDisk(Path(path).absolute()))
                return
            with unpacked(file) as text:
                yield from _logs(text, None)
    except OSError as error:
        yield LogError(f"the log cannot be read: {error.strerror}")
    except LogError as error:
        yield error


def texts_of(path: str | Path) -> Iterator[bytes | LogError]:
    """Yields the text of each log in a file, unchecked, and an error if the file cannot be read; see `read_text`.

    Text beyond the longest possible log is left out.
    """
    pieces, size = list[bytes](), 0
    try:
        with open_to_read(path) as file, unpacked(file) if is_packed(file) else file as text:
            for raw in _lines(text):
                if pieces and _header_ends(raw):
                    yield b"".join(pieces)
                    pieces, size = [], 0
                if size <= MOST_BYTES + LONGEST_LINE:
                    pieces.append(raw)
                    size += len(raw)
        yield b"".join(pieces)
    except OSError as error:
        yield LogError(f"the log cannot be read: {error.strerror}")
    except LogError as error:
        yield error


def read_text(text: bytes) -> ReadLog | LogError:
    """Reads one log of `texts_of`; returns its error if it is not a log, or damaged."""
    try:
        return next(_logs(BytesIO(text), InMemory(text)))
    except LogError as error:
        return error


def _logs(file: IO[bytes], source: LogSource | None) -> Iterator[ReadLog | LogError]:
    """Yields the logs of a text, which can be read again from `source` (None: each log keeps its text)."""
    reader: _Reader | None = None
    error: LogError | None = None
    start, goes_on = 0, True
    for raw in _lines(file):
        if reader is None or _header_ends(raw):
            if reader is not None:
                yield error or reader.found
            reader, error, goes_on = _Reader(source or Kept(), start=start if source is not None else 0), None, True
        start += len(raw)
        if not goes_on:
            continue
        try:
            goes_on = reader.take(raw)
        except LogError as fault:
            error, goes_on = fault, False
    if reader is None:
        yield LogError("the log is empty")
    else:
        yield error or reader.found


def _lines(file: IO[bytes]) -> Iterator[bytes]:
    """Yields lines; if a header begins in the middle of one, the log before it was cut off there.

    Raises LogError, and stops, if more lines follow a header than a log can have.
    """
    since = 0
    while raw := file.readline(LONGEST_LINE + 1):
        since = 0 if WORD in raw and _header_ends(raw) else since + 1
        if since > MOST_LINES:
            raise LogError(f"more than {MOST_LINES:,} lines: too long for a log")
        # A search for the word is faster than one for the pattern.
        if WORD in raw and (cut := HEADER.search(raw, max(1, _header_ends(raw)))) is not None:
            yield raw[: cut.start()]
            raw = raw[cut.start() :]
            if not raw.endswith(b"\n"):
                raw += file.readline(LONGEST_LINE + 1)
        yield raw


def _header_ends(raw: bytes) -> int:
    """Returns the position after which a line is certainly a header; 0 for other lines."""
    found = HEADER.match(raw) if WORD in raw else None
    return 0 if found is None else found.end()


def holds_several(path: str | Path) -> bool:
    """Returns whether a file holds more than one log, without checking them; False for an unreadable file."""
    try:
        with open_to_read(path) as file, unpacked(file) if is_packed(file) else file as text:
            return len(tuple(islice(filter(_header_ends, _lines(text)), 2))) > 1
    except (OSError, LogError):
        return False


def parse_log(file: IO[bytes], path: Path | None = None) -> ReadLog:
    """Reads the single log of an open, uncompressed file; see `read_log`.

    Raises DamagedLog if the lines before a fault are intact, SeveralLogs if another log follows. `path` is the file to
    read again later; without one, the text is kept.
    """
    source: LogSource = (
        OnDisk(path.absolute()) if path is not None else InMemory(file.read(MOST_BYTES + 2 * LONGEST_LINE))
    )
    file = file if path is not None else source.open()
    reader = _Reader(source)
    for raw in _lines(file):
        if reader.number and _header_ends(raw):
            raise SeveralLogs("there are several logs in this file: say which one")
        if not reader.take(raw):
            break
    return reader.found


@attrs.define
class Kept:
    """A log of a compressed file, as far as it has been unpacked."""

    _pieces: list[bytes] = attrs.field(factory=list, repr=False)

    def add(self, raw: bytes) -> None:
        self._pieces.append(raw)

    def open(self) -> IO[bytes]:
        self._pieces = [b"".join(self._pieces)]
        return BytesIO(self._pieces[0])


@attrs.define
class _Reader:
    """A log being read. It is known to be intact up to the last line that shows a running hash."""

    source: LogSource
    header: Header | None = None
    steps: Steps | None = None
    last: LineForm | Literal["header"] | None = None
    """The kind of the last line; None before the first."""
    notes: list[str] = attrs.field(factory=list)
    chain: Chain = attrs.field(factory=Chain)
    number: int = 0
    size: int = 0
    count: int = 0
    """The number of lines after the header."""
    inputs: int = 0
    choices: int = 0
    start: int = 0
    """The position of its beginning in its source, in bytes."""
    whole: tuple[int, int] | None = None
    """The number of choices and of bytes that are known to be intact; None before the header is."""

    @property
    def found(self) -> ReadLog:
        if self.header is None or self.steps is None:
            raise LogError("the log is empty")
        lines, notes = Lines(self.steps, self.count), tuple(self.notes)
        is_complete = self.last == "end"
        return ReadLog(
            self.header, self.steps, lines, self.inputs, self.choices, is_complete, notes, self.size, self.chain
        )

    def take(self, raw: bytes) -> bool:
        """Takes the next line; returns whether to continue. Raises LogError, from the second line on as DamagedLog."""
        self.number += 1
        if isinstance(self.source, Kept):
            self.source.add(raw)
        if not raw.endswith(b"\n") and len(raw) <= LONGEST_LINE and self.header is not None:
            self.notes.append(f"line {self.number} was cut off and is left out")
            return False
        try:
            self._take(raw)
        except LogError as error:
            if self.whole is None:
                raise
            raise DamagedLog(str(error), self.number, *self.whole) from None
        return True

    def _take(self, raw: bytes) -> None:
        number = self.number
        if len(raw) > LONGEST_LINE:
            raise LogError(f"line {number} is longer than {LONGEST_LINE:,} bytes: not a log")
        if number > MOST_LINES:
            raise LogError(f"more than {MOST_LINES:,} lines: too long for a log")
        if self.size > MOST_BYTES:
            raise LogError(f"more than {MOST_BYTES:,} bytes: too long for a log")
        plain = plain_line(raw) if self.header is not None else None
        if plain is not None:
            self._note(raw, plain.what, plain.number, plain.to)
            digits = self.chain.add_text(plain.body)
            shown, shows = plain.digits, plain.digits is not None
        else:
            record = _object(raw, number)
            if self.header is None:
                self._begin(record, raw)
            else:
                what = kind_of(record, number)
                assert what != "header"
                self._note(raw, what, record.get("n", 0), record.get("to", 0))
            digits = self.chain.add(record)
            shown, shows = record.get("h"), "h" in record
        if shows and shown != digits:
            raise LogError(f"line {number} was changed, or one before it was changed, added or lost")
        self.size += len(raw)
        if shows:
            self.whole = (self.choices, self.size)

    def _begin(self, record: Mapping[str, Any], raw: bytes) -> None:
        self.header = _header(record)
        if not raw.endswith(b"\n"):
            raise LogError("the log was cut off in its first line: there is nothing in it yet")
        self.steps = Steps(self.source, self.start, len(raw))

    def _note(self, raw: bytes, what: LineForm, n: int, to: int) -> None:
        """Notes the place of a line after the header: an input has the number `n`, an undo takes back `to`."""
        assert self.steps is not None
        self.last = what
        if what in INPUTS:
            self.inputs += 1
            if n != self.inputs:
                found = f"input {n}, expected {self.inputs}"
                raise LogError(f"line {self.number} has {found}: lines were added or lost")
        if what == "choice":
            self.choices += 1
            self.steps.choice(self.number, self.inputs)
        elif what == "undo":
            self.steps.undo(self.number, self.inputs, to)
        elif what == "fault":
            self.steps.fault()
        self.steps.add(raw)
        self.count += 1


def _object(raw: bytes, number: int) -> dict[str, Any]:
    try:
        # An editor may have put a byte order mark before the first line.
        record = _decoded(raw.decode("utf-8-sig" if number == 1 else "utf-8"))
    except _Repeated as error:
        raise LogError(f"line {number} has {error} twice: the log was changed") from None
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        if number == 1 and raw.startswith(MAGIC):
            raise LogError("this log is compressed: unpack it first (rulelang log cat LOG --out NEW-FILE)")
        if number == 1:
            raise LogError("not a log: the first line is no header")
        raise LogError(f"line {number} is not JSON: the log was changed")
    return record


def _no_constant(text: str) -> None:
    raise ValueError(text)


class _Repeated(ValueError):
    """Raised if an object has a key twice, since another reader might take the other value."""


def _unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        counts = Counter(key for key, _ in pairs)
        raise _Repeated(ascii(next(key for key, count in counts.items() if count > 1)[:40]))
    return found


_decoded = json.JSONDecoder(object_pairs_hook=_unrepeated, parse_constant=_no_constant, parse_float=_no_constant).decode


def _header(record: Mapping[str, Any]) -> Header:
    version = record.get("format")
    if record.get("rulelang") != "log" or not isinstance(version, int) or isinstance(version, bool):
        raise LogError("not a log: the first line is no header")
    if version > FORMAT:
        raise LogError(f"the log has format {version}, this rulelang reads up to {FORMAT}: a newer one wrote it")
    kind_of(record, 1)
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
        record.get("lone"),
        record.get("given"),
        version,
    )
