"""Texts by path: the interface through which everything else reads rules.

Overlay(Disk(), {path: "…"})                        the texts in an editor, in place of those on the disk
Overlay(Nothing(), {path: "…"})                     texts that are on no disk
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

import attrs

from rulelang.source import normal

LARGEST_FILE = 4_000_000
"""The largest file of rules that is read, in bytes; nobody writes so much."""
LARGEST_IMAGE = 2_000_000
"""The largest image that is shown, in bytes."""


class UnreadableText(Exception):
    """A text cannot be read: `code` is that of the diagnostic, and the message continues a sentence after the text's
    name; `before` is what stands before the fault, if the text is at fault.
    """

    def __init__(self, code: str, reason: str, before: str | None = None) -> None:
        super().__init__(reason)
        self.code = code
        self.before = before


class TooLarge(UnreadableText):
    """A text is larger than `LARGEST_FILE`."""

    def __init__(self) -> None:
        super().__init__("E0215", f"is too large: at most {LARGEST_FILE // 1_000_000} MB")


class Texts(Protocol):
    """A place that texts of rules are read from. Paths are absolute, or relative to the current folder."""

    def read(self, path: Path) -> str:
        """Returns a text in its normal form (`source.normal`); raises UnreadableText."""

    def beside(self, folder: Path) -> tuple[Path, ...]:
        """Returns the paths of the rules in a folder, not in those inside it, sorted."""

    def named(self, folder: Path, written: str) -> Path:
        """Returns the path that rules in a folder refer to as
        `written`; if it does not exist, one that is equal in NFC.
        """

    def resolved(self, path: Path) -> Path:
        """Returns the canonical path of a text, with links followed."""

    def is_inside(self, path: Path, folder: Path) -> bool:
        """Returns whether a path stays inside a folder, wherever links lead."""

    def shipped(self, game: str) -> Path | None:
        """Returns the entry of a shipped game; None if no shipped game has that name."""

    def parts(self) -> Mapping[str, Path]:
        """Returns the parts of the library by name."""

    def image(self, path: Path) -> bytes | None:
        """Returns the contents of a file that is no text; None if there is none that can be read."""


@attrs.frozen
class Nothing:
    """No texts at all."""

    def read(self, path: Path) -> str:
        raise UnreadableText("E0215", "cannot be read: no such file")

    def beside(self, folder: Path) -> tuple[Path, ...]:
        return ()

    def named(self, folder: Path, written: str) -> Path:
        return folder / written

    def resolved(self, path: Path) -> Path:
        return plain(path)

    def is_inside(self, path: Path, folder: Path) -> bool:
        return plain(path).is_relative_to(plain(folder))

    def shipped(self, game: str) -> Path | None:
        return None

    def parts(self) -> Mapping[str, Path]:
        return {}

    def image(self, path: Path) -> bytes | None:
        return None


@attrs.frozen
class Overlay:
    """Texts in place of other texts, such as those open in an editor in place of those on the disk.

    >>> texts = Overlay(Nothing(), {Path("/nim.rules"): "game nim"})
    >>> texts.read(Path("/games/../nim.rules"))
    'game nim'
    """

    under: Texts
    over: Mapping[Path, str] = attrs.field(repr=False)
    """By path, in the form that `plain` returns."""

    def read(self, path: Path) -> str:
        found = self._own(path)
        if found is None:
            return self.under.read(path)
        if len(found) > LARGEST_FILE:
            raise TooLarge
        return normal(found)

    def beside(self, folder: Path) -> tuple[Path, ...]:
        here = plain(folder)
        own = (folder / path.name for path in self.over if path.parent == here and path.suffix == ".rules")
        return tuple(sorted({*self.under.beside(folder), *own}))

    def named(self, folder: Path, written: str) -> Path:
        path = folder / written
        return path if self._own(path) is not None else self.under.named(folder, written)

    def resolved(self, path: Path) -> Path:
        return plain(path) if self._own(path) is not None else self.under.resolved(path)

    def is_inside(self, path: Path, folder: Path) -> bool:
        if self._own(path) is None:
            return self.under.is_inside(path, folder)
        return plain(path).is_relative_to(plain(folder))

    def shipped(self, game: str) -> Path | None:
        return self.under.shipped(game)

    def parts(self) -> Mapping[str, Path]:
        return self.under.parts()

    def image(self, path: Path) -> bytes | None:
        return self.under.image(path)

    def _own(self, path: Path) -> str | None:
        found = self.over.get(path)
        return found if found is not None else self.over.get(plain(path))


def plain(path: Path) -> Path:
    """Returns a path without `.` and `..`, computed from its parts alone: no link is followed.

    >>> plain(Path("/games/nim/../pig/./pig.rules")).as_posix()
    '/games/pig/pig.rules'
    """
    return Path(posixpath.normpath(path.as_posix()))


def name_beside(taken: set[str], path: Path) -> str:
    """Returns the name for a further file of a game: a file's own, unless another one of the game has taken it."""
    names = (path.name, path.as_posix(), f"./{path.as_posix()}")
    return next((name for name in names if name not in taken), str(path.absolute()))
