"""The files of a game on the disk -> what is known of them: as they were read, and what has become of them since.

files = GameFiles(folder)
files.look_at_list(is_open)         whether files came or went since the last look
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

import attrs

from rulelang.editing.texts.folder import NEW, ChangedOutside, GameFolder, KeptText
from rulelang.editing.texts.git import Standing, standing

LOOK_EVERY = 1.0
"""The seconds between two looks at the files on the disk."""
GIT_EVERY = 4
"""The looks at the files between two at git."""


@attrs.define(eq=False)
class GameFiles:
    """The files of one game, as they were when somebody looked last."""

    folder: GameFolder
    kept: dict[str, KeptText] = attrs.field(factory=dict)
    """By name: each file that was opened, as it was last read or saved."""
    outside: set[str] = attrs.field(factory=set)
    """The files that were changed on the disk as well as here."""
    listed: frozenset[str] = attrs.field(init=False)
    """The files on the disk."""
    gone: set[str] = attrs.field(factory=set)
    """The files that were deleted while a window held their texts."""
    in_git: Mapping[str, Standing] = attrs.field(factory=dict)
    """The files that git's last commit does not hold as they are on the disk."""
    _seen: set[str] = attrs.field(factory=set)
    """The files that were others at the last look."""

    def __attrs_post_init__(self) -> None:
        self.listed = frozenset(self.folder.names())

    def read(self, name: str) -> str:
        """Returns a file as it was last read or saved, or as it is if it was not opened; raises Unfit, OSError."""
        self.folder.path(name)
        if name not in self.kept:
            self.kept[name] = self.folder.read(name)
        return self.kept[name].text

    def read_again(self, name: str) -> str:
        """Returns a file as it is on the disk, which counts as known from now on; raises Unfit, OSError."""
        self.kept[name] = self.folder.read(name)
        self.outside.discard(name)
        return self.kept[name].text

    def save(self, name: str, text: str, *, overwrites: bool) -> None:
        """Writes a text to its file; raises ChangedOutside, Unfit, OSError."""
        try:
            self.kept[name] = self.folder.save(name, text, self.kept[name], overwrites=overwrites)
        except ChangedOutside:
            self.outside.add(name)
            raise
        self.outside.discard(name)
        self.gone.discard(name)
        self.listed |= {name}.intersection(self.folder.names())

    # -------------------------------------------------------------- looks at the disk

    def changed_meanwhile(self) -> list[str]:
        """Returns the files that are others than they were read, at this look and at the one before.

        A window sends its text up to half a second after the last key, so a change is believed at the second look.
        """
        before = self._seen
        self._seen = {name for name, kept in self.kept.items() if self.folder.is_changed(name, kept)}
        found = sorted(before & self._seen)
        self._seen.difference_update(found)
        return found

    def look_at_list(self, is_open: Callable[[str], bool]) -> bool:
        """Returns whether files came or went. A text that no window holds goes with its file; another is kept, unsaved."""
        found = frozenset(self.folder.names())
        went, is_same = self.listed - found, self.listed == found
        self.listed = found
        for name in went & self.kept.keys():
            if is_open(name):
                self.kept[name] = NEW
                self.gone.add(name)
            else:
                del self.kept[name]
        self.gone -= found
        return not is_same

    def look_at_conflicts(self) -> bool:
        """Returns whether a change outside was taken back."""
        still = {name for name in self.outside if self.folder.is_changed(name, self.kept[name])}
        is_same, self.outside = still == self.outside, still
        return not is_same

    async def look_at_git(self) -> bool:
        """Returns whether git's state is another."""
        found = await asyncio.to_thread(standing, self.folder.folder)
        is_same, self.in_git = found == self.in_git, found
        return not is_same
