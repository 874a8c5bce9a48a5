"""The steps of a log: their places in the text, those that stand, and the step that each continues.

    step 0    the set-up
    step 1    red: take(2)      continues step 0
    step 2    undo to 1         the match stands at step 0
    step 3    red: take(1)      continues step 0

A log is never held in memory: its steps are numbers in arrays, its lines are read on demand.
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import IO, Any, Protocol, overload
from zlib import crc32

import attrs

from rulelang.errors import LogError
from rulelang.log.fields import LineForm, what_of
from rulelang.log.file import open_to_read

NONE = -1


@attrs.frozen
class LogLine:
    """One line after the header."""

    number: int
    """Counted from 1; the header is line 1."""
    what: LineForm
    record: Mapping[str, Any]


@attrs.frozen
class Step:
    """The lines of one answer, undo, or the set-up (`first` is None), with its results."""

    first: LogLine | None
    rest: tuple[LogLine, ...]

    @property
    def line(self) -> int:
        """The line on which the step begins; for the set-up, the header's."""
        return self.first.number if self.first else 1

    @property
    def lines(self) -> tuple[LogLine, ...]:
        """All its lines after the header."""
        return self.rest if self.first is None else (self.first, *self.rest)


class LogSource(Protocol):
    """A source from which a log's text can be read again."""

    def open(self) -> IO[bytes]:
        """Opens the source; raises LogError."""


@attrs.frozen
class OnDisk:
    """A log in a file."""

    path: Path

    def open(self) -> IO[bytes]:
        return open_to_read(self.path)


@attrs.frozen
class InMemory:
    """A log that was never written, came through a pipe, or is inside a compressed file."""

    text: bytes = attrs.field(repr=False)

    def open(self) -> IO[bytes]:
        return BytesIO(self.text)


class Steps:
    """The steps of a log, by number; 0 is the set-up. Each takes about 40 bytes, however long its lines are."""

    def __init__(self, source: LogSource, start: int, header: int) -> None:
        """Begins with a set-up: the log starts at byte `start` of its source, and its header takes `header` bytes."""
        self._source, self._start = source, start
        self._at, self._sizes = array("Q", [start + header]), array("I", [0])
        self._sums, self._lines, self._inputs = array("I", [0]), array("I", [1]), array("I", [0])
        self._stands, self._before, self._depths = array("i", [0]), array("i", [NONE]), array("I", [0])

    # -------------------------------------------------------------- while a log is read

    def choice(self, line: int, number: int) -> None:
        """Begins a step with an answer, which is input number `number`."""
        self._begin(line, number)
        before, mine = self._stands[-2], len(self) - 1
        self._stands[-1], self._before[-1] = (NONE, NONE) if before == NONE else (mine, before)
        self._depths[-1] = 0 if before == NONE else self._depths[before] + 1

    def undo(self, line: int, number: int, to: int) -> None:
        """Begins a step that takes back an input and everything
        after it; if that input does not stand, no later step stands.
        """
        self._begin(line, number)
        step = self._stands[-2]
        while step > 0 and self._inputs[step] > to:
            step = self._before[step]
        found = step > 0 and self._inputs[step] == to
        self._stands[-1] = self._before[step] if found else NONE

    def fault(self) -> None:
        """Notes that the step failed."""
        step = self._stands[-1]
        if step == len(self) - 1 and step > 0:
            self._stands[-1] = self._before[step]

    def add(self, raw: bytes) -> None:
        """Adds a line to the last step."""
        self._sizes[-1] += len(raw)
        self._sums[-1] = crc32(raw, self._sums[-1])

    def _begin(self, line: int, number: int) -> None:
        self._at.append(self._at[-1] + self._sizes[-1])
        self._lines.append(line)
        self._inputs.append(number)
        self._stands.append(NONE)
        self._before.append(NONE)
        for counts in (self._sizes, self._sums, self._depths):
            counts.append(0)

    # -------------------------------------------------------------- afterwards

    def __len__(self) -> int:
        return len(self._at)

    def line(self, step: int) -> int:
        """Returns the line on which a step begins; for the set-up, the header's."""
        return self._lines[step]

    def stands(self, step: int) -> int:
        """Returns the step whose position holds after a step: itself unless it is an undo; NONE if the log is wrong."""
        return self._stands[step]

    def before(self, step: int) -> int:
        """Returns the step that an answer continues; NONE for the set-up."""
        return self._before[step]

    def depth(self, step: int) -> int:
        """Returns the number of answers that led to a step."""
        return self._depths[step]

    def input(self, step: int) -> int:
        """Returns the number of the input that a step begins with; 0 for the set-up."""
        return self._inputs[step]

    @property
    def standing(self) -> array[int]:
        """The steps that stand at the end of the log, in order, after the set-up; raises LogError if the log is wrong."""
        found, step = array("I"), self._stands[-1]
        if step == NONE:
            lost = next(n for n, stand in enumerate(self._stands) if stand == NONE)
            raise LogError(f"line {self._lines[lost]} takes back an input that does not stand: the log was changed")
        while step > 0:
            found.append(step)
            step = self._before[step]
        found.reverse()
        return found

    @contextmanager
    def opened(self) -> Iterator[OpenSteps]:
        """Opens the log to read steps from it; raises LogError if it cannot be read."""
        with self._source.open() as file:
            yield OpenSteps(self, file)

    def whole(self, size: int) -> bytes:
        """Returns the log's text, of `size` bytes; raises LogError if it can no longer be read."""
        with self._source.open() as file:
            file.seek(self._start)
            text = file.read(size)
            header = self._at[0] - self._start
            if len(text) != size or crc32(text[header : header + self._sizes[0]]) != self._sums[0]:
                raise LogError("the log was changed while it was read")
            return text

    def text(self, file: IO[bytes], step: int) -> bytes:
        """Returns the lines of a step; raises LogError if they have changed."""
        file.seek(self._at[step])
        text = file.read(self._sizes[step])
        if crc32(text) != self._sums[step] or len(text) != self._sizes[step]:
            raise LogError(f"the log was changed while it was read, at line {self._lines[step]}")
        return text


EVENT = '{"event":'
"""The beginning of an event's line."""


@attrs.frozen
class OpenSteps:
    """The steps of a log that is open."""

    steps: Steps
    _file: IO[bytes]

    def __getitem__(self, step: int) -> Step:
        """Reads a step; raises LogError if the log was changed since it was checked."""
        first = self.steps.line(step)
        texts = self.steps.text(self._file, step).split(b"\n")[:-1]
        lines = [_line(json.loads(raw), number) for number, raw in enumerate(texts, start=first + (step == 0))]
        return Step(None, tuple(lines)) if step == 0 else Step(lines[0], tuple(lines[1:]))

    def draws(self) -> Iterator[LogLine]:
        """Yields the lines of the whole log that are no events; raises LogError as reading a step does."""
        for step in range(len(self.steps)):
            for number, text in enumerate(self.written(step), start=self.steps.line(step) + (step == 0)):
                if not text.startswith(EVENT):
                    yield _line(json.loads(text), number)

    def written(self, step: int) -> list[str]:
        """Returns the lines of a step as they are in the file;
        raises LogError if the log has changed since it was read."""
        return self.steps.text(self._file, step).decode().split("\n")[:-1]


def _line(record: dict[str, Any], number: int) -> LogLine:
    what = what_of(record)
    if what is None:
        raise LogError(f"line {number} is neither an input nor an event")
    return LogLine(number, what, record)


@attrs.frozen
class Lines(Sequence[LogLine]):
    """All lines of a log after the header, read on demand."""

    _steps: Steps
    _count: int

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, at: int) -> LogLine: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[LogLine, ...]: ...
    def __getitem__(self, at: int | slice) -> LogLine | tuple[LogLine, ...]:
        if isinstance(at, slice):
            return tuple(self[one] for one in range(*at.indices(self._count)))
        at = range(self._count)[at]
        steps = self._steps
        low, high = 0, len(steps)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if steps.line(middle) <= at + 2 else (low, middle)
        with steps.opened() as log:
            lines = log[low].lines
            return lines[at + 2 - lines[0].number]

    def __iter__(self) -> Iterator[LogLine]:
        with self._steps.opened() as log:
            for step in range(len(self._steps)):
                yield from log[step].lines
