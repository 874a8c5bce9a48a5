"""Files of Parquet with equal columns -> one file that holds all their rows, byte by byte as they were written.

    joined([one, other])        b"PAR1…PAR1", with the row groups of both

A row group says where its columns lie in the file, so what was encoded once is copied, and only the footer is written anew: a
structure in Thrift's compact protocol (the formats are those of parquet.thrift and of Thrift's own specification).
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import pack, unpack
from typing import Any, TypeAlias

import attrs

MAGIC = b"PAR1"
TRUE, FALSE, BYTE, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = 1, 2, 3, 7, 8, 9, 10, 11, 12
"""Types of the compact protocol; those between BYTE and DOUBLE are wider integers, written alike."""
Fields: TypeAlias = dict[int, tuple[int, Any]]
"""A structure: by the number of a field, its type and value; the value of a list is the type and values of its members."""
ROWS, GROUPS, SCHEMA = 3, 4, 2
"""Fields of a file."""
COLUMNS, GROUP_OFFSET, ORDINAL = 1, 5, 7
"""Fields of a row group."""
CHUNK_OFFSETS, CHUNK_FACTS = (2, 4, 6), 3
"""Fields of a column in a row group: where its parts lie, and its facts."""
FACT_OFFSETS = (9, 10, 11, 14)
"""Fields of these facts: where pages, dictionaries and filters lie."""


def joined(files: Sequence[bytes]) -> bytes:
    """Returns one file with the row groups of some files, in their order; raises ValueError if their columns differ."""
    if len(files) == 1:
        return files[0]
    body, footer = bytearray(MAGIC), Fields()
    for file in files:
        data, told = _apart(file)
        if not footer:
            footer = told
        elif footer[SCHEMA] != told[SCHEMA]:
            raise ValueError("files with different columns cannot be joined")
        else:
            footer[ROWS] = (footer[ROWS][0], footer[ROWS][1] + told[ROWS][1])
            footer[GROUPS][1][1].extend(told[GROUPS][1][1])
        _move(told[GROUPS][1][1][-_groups(told) :], len(body) - len(MAGIC))
        body += data
    for number, group in enumerate(footer[GROUPS][1][1]):
        if ORDINAL in group:
            group[ORDINAL] = (group[ORDINAL][0], number)
    written = _Writer()
    written.struct(footer)
    return bytes(body + written.out + pack("<I", len(written.out)) + MAGIC)


def _groups(footer: Fields) -> int:
    return len(footer[GROUPS][1][1])


def _apart(file: bytes) -> tuple[bytes, Fields]:
    """Returns the bytes of a file before its footer, and the footer."""
    (size,) = unpack("<I", file[-8:-4])
    end = len(file) - 8 - size
    return file[len(MAGIC) : end], _Reader(file, end).struct()


def _move(groups: list[Fields], by: int) -> None:
    """Changes the places that row groups name by a number of bytes."""
    for group in groups:
        _shift(group, (GROUP_OFFSET,), by)
        for chunk in group[COLUMNS][1][1]:
            _shift(chunk, CHUNK_OFFSETS, by)
            _shift(chunk[CHUNK_FACTS][1], FACT_OFFSETS, by)


def _shift(fields: Fields, which: tuple[int, ...], by: int) -> None:
    for field in which:
        # 0 stands for a place that the writer did not name.
        if field in fields and fields[field][1]:
            fields[field] = (fields[field][0], fields[field][1] + by)


@attrs.define
class _Reader:
    """Reads a structure from the bytes at a place."""

    data: bytes
    at: int

    def struct(self) -> Fields:
        found, field = Fields(), 0
        while head := self._byte():
            delta, kind = head >> 4, head & 15
            field = field + delta if delta else self._integer()
            found[field] = (kind, self._value(kind))
        return found

    def _byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def _number(self) -> int:
        found = shift = 0
        while (byte := self._byte()) & 128:
            found |= (byte & 127) << shift
            shift += 7
        return found | byte << shift

    def _integer(self) -> int:
        number = self._number()
        return number >> 1 ^ -(number & 1)

    def _value(self, kind: int) -> Any:
        if kind in (TRUE, FALSE):
            return kind == TRUE
        if kind == STRUCT:
            return self.struct()
        if kind in (LIST, SET):
            head = self._byte()
            size, of = head >> 4, head & 15
            size = self._number() if size == 15 else size
            return of, [self._byte() == TRUE if of in (TRUE, FALSE) else self._value(of) for _ in range(size)]
        if kind == MAP:
            raise ValueError("a footer of Parquet holds no map")
        if BYTE < kind < DOUBLE:
            return self._integer()
        size = self._number() if kind == BINARY else 8 if kind == DOUBLE else 1
        self.at += size
        return self.data[self.at - size : self.at]


@attrs.define
class _Writer:
    """Collects the bytes of a structure."""

    out: bytearray = attrs.field(factory=bytearray)

    def struct(self, fields: Fields) -> None:
        before = 0
        for field, (kind, value) in sorted(fields.items()):
            if 0 < field - before < 16:
                self.out.append((field - before) << 4 | kind)
            else:
                self.out.append(kind)
                self._integer(field)
            before = field
            self._value(kind, value)
        self.out.append(0)

    def _number(self, value: int) -> None:
        while value > 127:
            self.out.append(value & 127 | 128)
            value >>= 7
        self.out.append(value)

    def _integer(self, value: int) -> None:
        self._number(value << 1 if value >= 0 else (-value << 1) - 1)

    def _value(self, kind: int, value: Any) -> None:
        if kind in (TRUE, FALSE):
            return  # the type of the field says it
        if kind == STRUCT:
            self.struct(value)
        elif kind in (LIST, SET):
            of, members = value
            self.out.append(min(len(members), 15) << 4 | of)
            if len(members) > 14:
                self._number(len(members))
            for member in members:
                if of in (TRUE, FALSE):
                    self.out.append(TRUE if member else FALSE)
                else:
                    self._value(of, member)
        elif BYTE < kind < DOUBLE:
            self._integer(value)
        else:
            if kind == BINARY:
                self._number(len(value))
            self.out += value
