"""Printed Python, compiled, and the store in which it is kept.

Loadable(text, {}, tuple(pieces(text, "<rules>")))
"""

from __future__ import annotations

import marshal
from collections.abc import Iterator
from types import CodeType
from typing import Protocol, TypeAlias

import attrs

Tables: TypeAlias = dict[int, tuple[int, ...]]
"""By number: the entries of a table that is too long to be printed."""
PIECE = 1_000
"""The number of lines after which a module is cut, before the next function."""


class Shelf(Protocol):
    """A store of compiled code between runs of Python; its code is executed as it is."""

    def read(self, name: str) -> bytes | None: ...
    def write(self, name: str, code: bytes) -> None: ...


@attrs.frozen
class Loadable:
    """A module that was printed and compiled: its text for tracebacks, the tables that it refers to by number, the
    code, piece by piece."""

    text: str = attrs.field(repr=False)
    tables: Tables = attrs.field(repr=False)
    code: tuple[CodeType, ...]

    def to_bytes(self) -> bytes:
        """Returns bytes that only this version of the interpreter can read."""
        return marshal.dumps((self.text, self.tables, self.code))

    @staticmethod
    def from_bytes(data: bytes) -> Loadable | None:
        """Returns code written by `to_bytes` under this interpreter; None for anything else."""
        try:
            text, tables, code = marshal.loads(data)
        except (EOFError, ValueError, TypeError):
            return None
        return Loadable(text, tables, code)


def pieces(text: str, file: str) -> Iterator[CodeType]:
    """Yields the code of a module in pieces, cut before functions:
    Python compiles a long text at 200 times its size."""
    lines = text.splitlines(keepends=True)
    first = 0
    for number, line in enumerate(lines):
        if number - first > PIECE and line.startswith("def "):
            yield compile("\n" * first + "".join(lines[first:number]), file, "exec")
            first = number
    yield compile("\n" * first + "".join(lines[first:]), file, "exec")
