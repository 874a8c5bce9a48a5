"""Files of logs -> portions of a few logs each, the units that a process plays and the cache keeps.

for portion in portions(paths): portion.path, portion.begin, portion.texts

A file may hold one log or thousands; its portions are read on demand.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from rulelang.errors import LogError

LOGS = 4
"""The most logs of a portion."""
BYTES = 2**20
"""The number of bytes after which a portion takes no further log."""
SHRUNK = 10
"""The approximate ratio of compression, used only to estimate the progress."""


@attrs.frozen
class Portion:
    """Some consecutive logs of one file."""

    path: Path
    begin: int
    """The number of logs before it in the file."""
    texts: tuple[bytes | LogError, ...] = attrs.field(repr=False)
    """The unchecked text of each log, or the error if it cannot be read."""
    share: int
    """The approximate number of bytes of the file that it stands for."""
    is_lone: bool
    """Whether it is the only log of its file."""

    @property
    def size(self) -> int:
        """The number of bytes of its texts."""
        return sum(len(text) for text in self.texts if isinstance(text, bytes))


def portions(paths: tuple[Path, ...]) -> Iterator[Portion]:
    """Yields the logs of some files in portions, in order."""
    for path in paths:
        yield from _of_file(path)


def _of_file(path: Path) -> Iterator[Portion]:
    from rulelang.log.compressed import SUFFIX
    from rulelang.log.reading import texts_of

    shrunk, left = SHRUNK if path.suffix == SUFFIX else 1, path.stat().st_size
    begin, size = 0, 0
    texts: list[bytes | LogError] = []
    for text in texts_of(path):
        if texts and (len(texts) == LOGS or size > BYTES):
            share = min(left, size // shrunk)
            yield Portion(path, begin, tuple(texts), share, is_lone=False)
            begin, size, left, texts = begin + len(texts), 0, left - share, []
        texts.append(text)
        size += len(text) if isinstance(text, bytes) else 0
    yield Portion(path, begin, tuple(texts), left, is_lone=begin + len(texts) == 1)
