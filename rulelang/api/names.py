"""Names of games -> the files that they stand for.

outspeed+sprint        games/outspeed, with the variant `sprint`
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from rulelang.errors import RulelangError
from rulelang.texts.reader import Disk, find_entry
from rulelang.texts.reader import NothingToRead as NoGameOnDisk

if TYPE_CHECKING:
    from rulelang.driver.chain import Unit
    from rulelang.texts.loading import Loaded
    from rulelang.texts.model import Texts


PLUS = r'\+(?=(?:[^"]*"[^"]*")*[^"]*$)'
"""A `+` outside of quotation marks."""


class NoSuchGame(RulelangError):
    """Raised if no game has a name, or no file is at a path."""


def entry_of(name: str | Path) -> Path:
    try:
        return find_entry(str(name))
    except NoGameOnDisk as error:
        raise NoSuchGame(str(error)) from None


def named(name: str) -> tuple[str, tuple[str, ...], tuple[Path, ...]]:
    """Splits a name into its base, its variants, and further files that hold variants; an existing path is a base
    alone. A `+` between quotation marks is one of a path.

    >>> named("outspeed+sprint"), named("rich.rules+rich+ten.rules+ten")[1:]
    (('outspeed', ('sprint',), ()), (('rich', 'ten'), (...Path('ten.rules'),)))
    """
    if os.path.exists(name):
        return name, (), ()
    base, *rest = (part.strip('"') for part in re.split(PLUS, name))
    files = tuple(Path(part) for part in rest if part.endswith(".rules"))
    return base, tuple(part for part in rest if not part.endswith(".rules")), files


def read(name: str) -> tuple[Loaded, tuple[str, ...]]:
    """Reads a game, and further files with variants of it, by
    a name as `load` takes it; also returns the variants named.
    """
    from rulelang.driver.collector import held_back

    base, variants, more = named(name)
    with held_back():
        return texts_of(Disk(), entry_of(base), more), variants


def checked_unit(texts: Texts, entry: Path, variants: tuple[str, ...], more: tuple[Path, ...] = ()) -> Unit:
    """Sends the texts of a game, and further files with variants of it, through the whole chain."""
    from rulelang.driver.chain import of_loaded, run

    return run(of_loaded(texts, texts_of(texts, entry, more), variants))


def known_unit(texts: Texts, entry: Path, variants: tuple[str, ...], more: tuple[Path, ...] = ()) -> Unit:
    """Sends the texts of a game in which no fault was found before through the chain as far as `check`, which only
    rewrites them."""
    from rulelang.driver.chain import check, of_loaded, run

    unit = of_loaded(texts, texts_of(texts, entry, more), variants)
    return run(attrs.evolve(unit, is_known=True), until=check)


def texts_of(texts: Texts, entry: Path, more: tuple[Path, ...] = ()) -> Loaded:
    """Returns the trees of a game's texts, and of further files with variants of it; nothing is checked."""
    from rulelang.texts.loading import load

    return with_files(load(texts, entry), more)


def with_files(loaded: Loaded, more: tuple[Path, ...]) -> Loaded:
    from rulelang.texts.loading import with_file

    for path in more:
        if not path.is_file():
            raise NoSuchGame(f"there is no file {str(path)!r}")
        loaded = with_file(loaded, Disk(), path)
    return loaded
