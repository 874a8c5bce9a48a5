"""Rules on a disk: the only module that reads them; it also finds games.

    games/outspeed/            find_entry("outspeed") -> games/outspeed/outspeed.rules
      outspeed.rules           Disk().read(path) -> its text, in its normal form

Invariant: only regular files are read, and only up to `LARGEST_FILE` bytes.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path

import attrs

from rulelang.diagnostics.suggest import suggest
from rulelang.source import normal
from rulelang.texts.model import LARGEST_FILE, LARGEST_IMAGE, TooLarge, UnreadableText, plain
from rulelang.texts.shipped import LIBRARY, game_folders, parts, roots, shelves

_PART = re.compile(rf'\binclude\s*"{LIBRARY}([^"]*)"')


class NothingToRead(Exception):
    """No game or file of rules has that name."""


@attrs.frozen
class Disk:
    """The texts on the disk."""

    def read(self, path: Path) -> str:
        """Returns a text in its normal form; raises UnreadableText if the file is missing, not a regular file, too
        large or not UTF-8.
        """
        try:
            return _text_of(path)
        except UnicodeDecodeError as error:
            before = error.object[: error.start].decode("utf-8")
            raise UnreadableText("E0216", "is not text: it cannot be decoded as UTF-8", before) from None
        except OSError as error:
            raise UnreadableText("E0215", f"cannot be read: {error.strerror or 'no such file'}") from None

    def beside(self, folder: Path) -> tuple[Path, ...]:
        return tuple(sorted(folder.glob("*.rules")))

    def named(self, folder: Path, written: str) -> Path:
        return _found(folder, written)

    def resolved(self, path: Path) -> Path:
        try:
            return path.resolve()
        except (OSError, RuntimeError, ValueError):
            # A link to itself, or a string that cannot be a path.
            return plain(path)

    def is_inside(self, path: Path, folder: Path) -> bool:
        return is_inside(path, folder)

    def shipped(self, game: str) -> Path | None:
        return next((f / f"{f.name}.rules" for f in game_folders() if f.name == game), None)

    def parts(self) -> Mapping[str, Path]:
        return parts()

    def image(self, path: Path) -> bytes | None:
        try:
            found = path.stat()
            is_well = stat.S_ISREG(found.st_mode) and found.st_size <= LARGEST_IMAGE
            return path.read_bytes() if is_well else None
        except OSError:
            return None


@attrs.frozen
class Shipped:
    """The texts that ship, and no others: the only files that a text without a file of its own may refer to."""

    disk: Disk = Disk()

    def read(self, path: Path) -> str:
        if not self._ships(path):
            raise UnreadableText("E0215", "cannot be read: no such file")
        return self.disk.read(path)

    def beside(self, folder: Path) -> tuple[Path, ...]:
        return self.disk.beside(folder) if self._ships(folder) else ()

    def named(self, folder: Path, written: str) -> Path:
        return self.disk.named(folder, written) if self._ships(folder) else folder / written

    def resolved(self, path: Path) -> Path:
        return self.disk.resolved(path) if self._ships(path) else path

    def is_inside(self, path: Path, folder: Path) -> bool:
        return self._ships(path) and self.disk.is_inside(path, folder)

    def shipped(self, game: str) -> Path | None:
        return self.disk.shipped(game)

    def parts(self) -> Mapping[str, Path]:
        return self.disk.parts()

    def image(self, path: Path) -> bytes | None:
        return self.disk.image(path) if self._ships(path) else None

    def _ships(self, path: Path) -> bool:
        return any(path.is_relative_to(root) for root in (*roots(), *shelves()))


def find_entry(name: str) -> Path:
    """Returns the entry file of `outspeed`, `games/outspeed` or `path/to/nim.rules`; raises NothingToRead."""
    try:
        return _find_entry(name)
    except OSError as error:
        raise NothingToRead(f"there is no game {name[:40]!r}...: {error.strerror}") from None
    except ValueError:
        # No system accepts such a path, for example one with a NUL.
        raise NothingToRead(f"there is no game {name[:40]!r}") from None


def _find_entry(name: str) -> Path:
    path = Path(name)
    if path.suffix == ".rules" or os.sep in name:
        if path.is_dir() and (path / f"{path.resolve().name}.rules").is_file():
            return path / f"{path.resolve().name}.rules"
        if path.is_file():
            return path
        beside = [str(path.parent / other.name) for other in _beside(path)]
        raise NothingToRead(f"there is no file {name!r}{_near(name, beside)}")
    for folder in game_folders():
        if folder.name == name:
            return folder / f"{name}.rules"
    if path.is_dir() and (path / f"{name}.rules").is_file():
        return path / f"{name}.rules"
    known = [f.name for f in game_folders()]
    near = _near(name, [*known, *(other.name for other in _beside(path))])
    there = f"there are: {', '.join(known)}; or give the path of a .rules file"
    raise NothingToRead(f"there is no game {name!r}{near} ({there})")


def _beside(path: Path) -> list[Path]:
    """Returns the games and files of rules in the folder of a path, sorted."""
    if not path.parent.is_dir():
        return []
    inside = sorted(path.parent.iterdir())
    return [p for p in inside if p.suffix == ".rules" or (p / f"{p.name}.rules").is_file()]


def _near(name: str, candidates: list[str]) -> str:
    near = suggest(name, candidates)
    return f"; did you mean {near}?" if near else ""


# ------------------------------------------------------------------ reading


def parts_of(texts: Iterable[str]) -> Mapping[str, Path]:
    """Returns the parts of the library that some texts include, and those that these parts include, sorted by name."""
    known = parts()
    found: dict[str, Path] = {}
    waiting = list(texts)
    while waiting:
        for written in _PART.findall(waiting.pop()):
            if written in known and written not in found:
                found[written] = known[written]
                waiting.append(_text_of(known[written]))
    return dict(sorted(found.items()))


def _text_of(path: Path) -> str:
    """Returns the text of a file in its normal form; raises OSError for
    anything but a readable regular file, TooLarge and UnicodeDecodeError.
    """
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "this is not a file")
    if found.st_size > LARGEST_FILE:
        raise TooLarge
    return normal(path.read_bytes().decode("utf-8"))


def _found(folder: Path, written: str) -> Path:
    """Returns the path that rules in a folder refer to as `written`; if it does not exist, one that is equal in NFC."""
    path = folder / written
    parts = Path(written).parts
    if written.isascii() or ".." in parts or Path(written).is_absolute() or os.path.lexists(path):
        return path
    found = folder
    for part in parts:
        try:
            same = sorted(name for name in os.listdir(found) if unicodedata.normalize("NFC", name) == part)
        except OSError:
            return path
        found = found / (same[0] if same else part)
    return found


def is_inside(path: Path, folder: Path) -> bool:
    """Returns whether a path stays inside a folder, wherever links lead."""
    try:
        return path.resolve().is_relative_to(folder)
    except (OSError, RuntimeError, ValueError):
        # A link to itself, or a string that cannot be a path.
        return False
