"""The public way in: `load` a game, `check` a text, `start` a match.

    >>> import rulelang
    >>> game = rulelang.load("outspeed")
    >>> game.title
    'Outspeed'
    >>> match = game.start(players=4, seed=7)
    >>> match.to_move
    (0, 1, 2, 3)
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from rulelang import files
from rulelang.check.lower import check as check_module
from rulelang.diagnostics.model import Diagnostic
from rulelang.errors import RulelangError, RulesError
from rulelang.ir import model as ir
from rulelang.ir.digest import rules_digest
from rulelang.program.layout import Layout, lay_out
from rulelang.syntax import nodes
from rulelang.syntax.printer import print_module
from rulelang.variants.patch import patch

if TYPE_CHECKING:
    from rulelang.runtime.match import Match


class NoSuchGame(RulelangError):
    """There is no game of that name, or no file at that path."""


@attrs.frozen
class Checked:
    """What came of checking a game: the game, if it can be played, and all diagnostics."""

    game: Game | None
    diagnostics: tuple[Diagnostic, ...]


@attrs.define(frozen=True, slots=False, eq=False)
class Game:
    """A checked game: static facts, and `start`."""

    id: str
    title: str
    players: tuple[int, int]
    variants: tuple[str, ...]
    """The variants in force, in order."""
    ir: ir.Game = attrs.field(repr=False)
    loaded: files.Loaded = attrs.field(repr=False)
    module: nodes.Module = attrs.field(repr=False)
    """The whole game after patching."""
    diagnostics: tuple[Diagnostic, ...] = attrs.field(repr=False)
    """Warnings."""

    @cached_property
    def layout(self) -> Layout:
        return lay_out(self.ir)

    @cached_property
    def rules_hash(self) -> str:
        """A digest of what the rules do: no labels, comments, screens, spans or scenarios."""
        return rules_digest(self.ir)

    @cached_property
    def text_hash(self) -> str:
        """A digest of the patched game's canonical text."""
        return hashlib.sha256(print_module(self.module).encode()).hexdigest()[:16]

    @cached_property
    def options(self) -> dict[str, ir.StateVariable]:
        """What is agreed at the table, by name."""
        return {s.name: s for s in self.ir.states if s.option}

    def start(
        self,
        players: int | None = None,
        seed: int | str = 0,
        options: Mapping[str, int | str | bool] | None = None,
        executor: str = "generated",
        **more: object,
    ) -> Match:
        """Starts a match; `executor` is generated or reference. Raises RulelangError for a wrong number or option."""
        from rulelang.runtime.match import Match

        low, high = self.players
        count = low if players is None else players
        if not low <= count <= high:
            raise RulelangError(f"{self.title} is for {low} to {high} players, not {count}" if low < high else f"{self.title} is for {low} players, not {count}")
        return Match.of(self, count, seed, dict(options or {}), executor, **more)


def check(name: str | Path, variants: tuple[str, ...] = ()) -> Checked:
    """Checks a game by name, folder or path, with variants in force; never raises for faulty rules."""
    try:
        loaded = files.load_entry(files.find_entry(str(name)))
    except files.NoSuchGame as error:
        raise NoSuchGame(str(error)) from None
    return check_loaded(loaded, variants)


def check_loaded(loaded: files.Loaded, variants: tuple[str, ...] = ()) -> Checked:
    """Patches and checks what was read."""
    patched = patch(loaded.module, loaded.variants, variants)
    found = (*loaded.diagnostics, *patched.diagnostics)
    if any(d.is_error for d in found):
        # Names and types are checked all the same, so that one run shows all faults.
        partial = check_module(patched.module).diagnostics if patched.module.declarations else ()
        syntax = any(d.code.startswith("E01") for d in found)
        return Checked(None, _sorted((*found, *(() if syntax else partial))))
    result = check_module(patched.module)
    found = _sorted((*found, *result.diagnostics))
    if result.game is None:
        return Checked(None, found)
    game = Game(
        id=result.game.id,
        title=result.game.title,
        players=result.game.players,
        variants=variants,
        ir=result.game,
        loaded=loaded,
        module=patched.module,
        diagnostics=found,
    )
    return Checked(game, found)


def _sorted(diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """By file and place; a file without a game is said once, and not when nothing could be read."""
    seen = {(d.span.source.name, d.span.start, d.code, d.message): d for d in diagnostics}
    codes = {d.code for d in diagnostics}
    unread = codes & {"E0215", "E0216"} or any(c.startswith("E01") for c in codes)
    kept = [d for k, d in sorted(seen.items(), key=lambda item: item[0])]
    first_empty = next((d for d in kept if d.code == "E0211"), None)
    return tuple(d for d in kept if d.code != "E0211" or (not unread and d is first_empty))


def load(name: str | Path) -> Game:
    """Loads a game: `outspeed`, `outspeed+sprint`, a folder or a path; raises RulesError with all diagnostics."""
    base, *variants = str(name).split("+") if not Path(str(name)).exists() else (str(name),)
    result = check(base, tuple(variants))
    if result.game is None:
        raise RulesError(result.diagnostics)
    return result.game


def games() -> tuple[str, ...]:
    """Gives the names of the games that ship."""
    return tuple(f.name for f in files.game_folders())
