"""The folder of a game -> the files in it that may be read and written: rules, scenarios, the ledger.

folder = GameFolder.of(Path("nim/nim.rules"))
folder.names()                                          ("nim.rules", "rulebook.toml", "variants/two.rules")
folder.save("nim.rules", text, kept)                    raises ChangedOutside if the file is no longer `kept`
"""

from __future__ import annotations

import re
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

import attrs

from rulelang import api
from rulelang.api import Game
from rulelang.api.checking import check_texts
from rulelang.api.names import entry_of
from rulelang.disk import create, replace
from rulelang.errors import RulelangError, RulesError
from rulelang.language_service.addresses import is_plain
from rulelang.texts.loading import load
from rulelang.texts.model import LARGEST_FILE
from rulelang.texts.reader import Disk

RULES = ".rules"
LEDGER = "rulebook.toml"
PARTS = ("variants", "scenarios")
"""The folders of a game that are read with it."""
MOST_FILES = 200
"""The most files that are listed."""


class Unfit(RulelangError):
    """Raised for a file that is not one of the game's."""


class ChangedOutside(RulelangError):
    """Raised for a file that somebody else has changed since it was read."""


@attrs.frozen
class KeptText:
    """A file as it was read: its bytes, and its text with one form of line ends."""

    data: bytes = attrs.field(repr=False)
    text: str = attrs.field(repr=False)

    @classmethod
    def of(cls, data: bytes) -> KeptText:
        """Returns the text of some bytes; raises Unfit for bytes that are no text.

        >>> KeptText.of(b"one\\r\\ntwo").text
        'one\\ntwo'
        """
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            raise Unfit("this is not text: it cannot be decoded as UTF-8") from None
        return cls(data, text.replace("\r\n", "\n").replace("\r", "\n"))

    def encoded(self, text: str) -> bytes:
        """Returns another text with the line ends of this file."""
        return text.replace("\n", "\r\n" if b"\r\n" in self.data else "\n").encode()


NEW = KeptText(b"", "")
"""A file that does not exist yet."""


@attrs.frozen
class GameFolder:
    """The folder of a game, and its entry."""

    folder: Path
    entry: Path
    is_whole: bool
    """Whether all rules in the folder belong to the game, and not only those that the entry reads."""

    @classmethod
    def of(cls, entry: Path) -> GameFolder:
        """Returns the folder of an entry file, wherever links lead."""
        there = entry.resolve()
        return cls(there.parent, there, there.stem == there.parent.name)

    def names(self, read: Iterable[Path] = ()) -> tuple[str, ...]:
        """Returns the names of the files, the entry first: those on the disk, and those of some paths (`read`)."""
        found = sorted({*self._on_disk(), *(self.name(path) or "" for path in read)} - {""}, key=_rank)
        own = self.entry.name
        return (own, *(name for name in found if name != own and self._is_fit(name)))[:MOST_FILES]

    def _on_disk(self) -> Iterator[str]:
        for path in sorted(self.folder.rglob(f"*{RULES}")) if self.is_whole else ():
            if not self._is_of_another_game(path):
                yield self.name(path) or ""
        if self.is_whole and (self.folder / LEDGER).is_file():
            yield LEDGER

    def _is_of_another_game(self, path: Path) -> bool:
        """Returns whether a file lies in a folder below this one that is a game's own."""
        between = path.relative_to(self.folder).parents
        own = (self.folder / one for one in between if one.name and one.as_posix() not in PARTS)
        return any((folder / f"{folder.name}{RULES}").is_file() for folder in own)

    def name(self, path: Path) -> str | None:
        """Returns the name of a file inside the folder; None for any other path."""
        return path.relative_to(self.folder).as_posix() if path.is_relative_to(self.folder) else None

    def path(self, name: str) -> Path:
        """Returns the file that a name stands for, with links followed; raises Unfit if it is not one of the game's."""
        if not self._is_fit(name):
            raise Unfit(f"{name[:80]!r} is no file of this game")
        return (self.folder / name).resolve()

    def _is_fit(self, name: str) -> bool:
        if not is_plain(name) or any(part.startswith(".") for part in name.split("/")):
            return False
        try:
            there = (self.folder / name).resolve()
        except (OSError, RuntimeError, ValueError):
            # A link to itself, or a text that cannot be a path.
            return False
        is_one_of_ours = there.suffix == RULES or there.name == LEDGER
        return is_one_of_ours and there.is_relative_to(self.folder) and Path(name).suffix == there.suffix

    # -------------------------------------------------------------- texts

    def read(self, name: str) -> KeptText:
        """Returns a file as it is now; raises Unfit, OSError."""
        path = self.path(name)
        found = path.stat()
        if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST_FILE:
            raise Unfit(f"{name} is not a file of rules")
        return KeptText.of(path.read_bytes())

    def is_changed(self, name: str, kept: KeptText) -> bool:
        """Returns whether a file is no longer as it was read."""
        try:
            return self.read(name).data != kept.data
        except FileNotFoundError:
            return kept is not NEW
        except (OSError, Unfit):
            return True

    def save(self, name: str, text: str, kept: KeptText, *, overwrites: bool = False) -> KeptText:
        """Writes a file atomically; returns it as it is now.

        Raises ChangedOutside if it is no longer `kept` and is not to be overwritten, Unfit, and OSError.
        """
        path = self.path(name)
        if len(text) > LARGEST_FILE:
            raise Unfit(f"{name} is too large")
        if not overwrites and self.is_changed(name, kept):
            raise ChangedOutside(f"{name} was changed outside since it was read")
        data = kept.encoded(text)
        if kept is NEW and not overwrites:
            path.parent.mkdir(exist_ok=True)
            create(path, data)
        else:
            replace(path, data)
        return KeptText.of(data)


def games_below(folder: Path) -> tuple[str, ...]:
    """Returns the names of the games that have a folder of their own in a folder, where no link leads out."""
    found = (path for path in folder.iterdir() if re.fullmatch(r"[a-z]\w{0,40}", path.name, re.ASCII))
    return tuple(
        sorted(
            path.name
            for path in found
            if not path.is_symlink() and (entry := path / f"{path.name}{RULES}").is_file() and not entry.is_symlink()
        )
    )


def playable(name: str) -> Game:
    """Returns a game by its name or path, even if a scenario, or a variant that is not in force, cannot be read.

    Raises RulesError for a game that cannot be played, RulelangError for one that cannot be found.
    """
    try:
        return api.load(name)
    except RulesError:
        base, variants, more = api.named(name)
        found = check_texts(Disk(), entry_of(base), variants, more).rules
        if found is None:
            raise
        return found


def own_variants(entry: Path) -> tuple[str, ...]:
    """Returns the variant that a folder is named after, if that is what lies there and the game itself lies elsewhere.

    Raises RulelangError for a file that cannot be read.
    """
    loaded = load(Disk(), entry)
    is_variant = loaded.paths[:1] != (entry,) and any(one.name.text == entry.stem for one in loaded.variants)
    return (entry.stem,) if is_variant else ()


def _rank(name: str) -> tuple[int, str]:
    """Returns where a file stands in a list: the game's own, then variants, then scenarios; the ledger is the last."""
    folder = name.partition("/")[0] if "/" in name else ""
    order = ("", *PARTS)
    place = order.index(folder) if folder in order else len(order)
    return (9 if name == LEDGER else place), name
