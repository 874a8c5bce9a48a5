"""Texts of games -> games that can be played, and all diagnostics.

check_text("game nim")        Checked(None, (Diagnostic("E0106", …),))
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rulelang.api.game import Checked, Game
from rulelang.api.internals import Internals, Whole
from rulelang.api.names import checked_unit, entry_of
from rulelang.errors import InvalidInput
from rulelang.texts.model import Overlay
from rulelang.texts.reader import Disk, Shipped

if TYPE_CHECKING:
    from rulelang.driver.chain import Unit
    from rulelang.texts.loading import Loaded
    from rulelang.texts.model import Texts


def check(name: str | Path, variants: tuple[str, ...] = ()) -> Checked:
    """Checks a game given by name, folder or path, with its variants applied; never raises for faulty rules."""
    return check_texts(Disk(), entry_of(name), names_of_variants(variants))


def check_text(text: str, variants: tuple[str, ...] = ()) -> Checked:
    """Checks a text that need not be on disk: the rules of a game, or variants of a game that ships.

    >>> check_text("game nim").diagnostics[0].code
    'E0106'

    Raises InvalidInput if `text` or a variant's name is not a string.
    """
    if not isinstance(text, str):
        raise InvalidInput(f"rules are a text, not {text!r:.40}")
    entry = Path("/text.rules")
    return check_texts(Overlay(Shipped(), {entry: text}), entry, names_of_variants(variants))


def names_of_variants(names: object) -> tuple[str, ...]:
    """Returns the variants' names; raises InvalidInput for a
    single string, which would otherwise be read letter by letter.
    """
    if isinstance(names, (tuple, list)) and all(isinstance(name, str) for name in names):
        return tuple(names)
    raise InvalidInput(f"variants are a tuple of names, such as ('sprint',), not {names!r:.40}")


def check_texts(texts: Texts, entry: Path, variants: tuple[str, ...], more: tuple[Path, ...] = ()) -> Checked:
    return result_of(checked_unit(texts, entry, variants, more), more)


def check_loaded(loaded: Loaded, variants: tuple[str, ...] = ()) -> Checked:
    """Patches and checks the texts that were read."""
    from rulelang.driver.chain import of_loaded, run

    return result_of(run(of_loaded(Disk(), loaded, variants)))


def result_of(unit: Unit, more: tuple[Path, ...] = ()) -> Checked:
    """Returns the game at the end of the chain, if there is one, and all diagnostics; `more` are further files with
    variants of it."""
    whole = Whole.of(unit)
    if whole is None or unit.woven is None:
        return Checked(None, unit.diagnostics)
    internals = Internals(unit.woven, whole.loaded.entry, unit.variants, more, texts=unit.texts, whole=whole)
    game = Game(internals, unit.diagnostics)
    return Checked(None if unit.has_errors else game, unit.diagnostics, game)
