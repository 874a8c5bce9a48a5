"""Printed Python, compiled, and the store in which it is kept.

Loadable(text, {}, tuple(pieces(text, "<rules>")))
"""

from __future__ import annotations

import marshal
from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b
from types import CodeType
from typing import Protocol, TypeAlias
from zlib import crc32

import attrs

Tables: TypeAlias = dict[int, tuple[int, ...]]
"""By number: the entries of a table that is too long to be printed."""
PIECE = 1_000
"""The number of lines after which a module is cut, before the next function."""
APART = 10
"""How many functions are in a piece on average."""
KEPT_PIECES = 400
"""How many compiled pieces are kept, of this game and those before it."""


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


def pieces(text: str, kind: str) -> Iterator[CodeType]:
    """Yields the code of a module piece by piece, since Python compiles a long text at 200 times its size; `kind` says
    in tracebacks what the text is. Each piece is a file of its own."""
    return (_compiled(piece, kind) for piece in texts_of_pieces(text))


def texts_of_pieces(text: str) -> Iterator[str]:
    """Yields the pieces of a module's text, which begin at functions; where they begin depends on the function alone, so
    most pieces of a game that was edited are those of the game before."""
    lines = text.splitlines(keepends=True)
    first = 0
    for number, line in enumerate(lines):
        if line.startswith("def ") and number > first and (number - first > PIECE or not crc32(line.encode()) % APART):
            yield "".join(lines[first:number])
            first = number
    yield "".join(lines[first:])


@lru_cache(KEPT_PIECES)
def _compiled(text: str, kind: str) -> CodeType:
    return compile(text, f"<{kind} {blake2b(text.encode(), digest_size=8).hexdigest()}>", "exec")
