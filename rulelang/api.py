"""The public way in: `load` a game, `check` a text, `start` a match.

The parser and the checks are imported only when they are needed: a game from the compile cache runs without them.

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
from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from rulelang import files
from rulelang.diagnostics.model import Diagnostic
from rulelang.errors import RulelangError, RulesError
from rulelang.ir import model
from rulelang.ir.digest import rules_digest
from rulelang.ir.types import EnumType, IntType
from rulelang.program.layout import Layout, lay_out
from rulelang.runtime.machine import Chance, Machine
from rulelang.runtime.match import Match
from rulelang.runtime.reference import ReferenceMachine
from rulelang.runtime.secrets import Secrets, secrets_of

if TYPE_CHECKING:
    from rulelang.check.scope import World
    from rulelang.program.pycode import Compiled
    from rulelang.syntax import nodes


class NoSuchGame(RulelangError):
    """There is no game of that name, or no file at that path."""


@attrs.frozen
class Checked:
    """What came of checking a game: the game, if it can be played, and all diagnostics."""

    game: Game | None
    diagnostics: tuple[Diagnostic, ...]


@attrs.frozen(eq=False)
class Whole:
    """A game's text, patched and checked: what scenarios, coverage and the formatter need."""

    loaded: files.Loaded
    module: nodes.Module
    """The whole game after patching."""
    world: World
    """What every name stands for."""
    scenarios: tuple[nodes.Scenario, ...] = ()
    """What must hold with these variants in force."""


@attrs.define(frozen=True, slots=False, eq=False)
class Game:
    """A checked game: static facts, and `start`."""

    id: str
    title: str
    players: tuple[int, int]
    variants: tuple[str, ...]
    """The variants in force, in order."""
    ir: model.Game = attrs.field(repr=False)
    entry: Path = attrs.field(repr=False)
    diagnostics: tuple[Diagnostic, ...] = attrs.field(default=(), repr=False)
    """Warnings."""
    _whole: Whole | None = attrs.field(default=None, repr=False)
    _digests: tuple[str, str] | None = attrs.field(default=None, repr=False)

    @cached_property
    def whole(self) -> Whole:
        """The text behind the game; read again when the game came from the compile cache."""
        if self._whole is not None:
            return self._whole
        fresh = check_loaded(files.load_entry(self.entry), self.variants).game
        if fresh is None or fresh._whole is None:
            raise RulelangError(f"{self.entry.name} changed while it was in use")
        return fresh._whole

    @property
    def loaded(self) -> files.Loaded:
        return self.whole.loaded

    @property
    def module(self) -> nodes.Module:
        return self.whole.module

    @property
    def world(self) -> World:
        return self.whole.world

    @cached_property
    def layout(self) -> Layout:
        return lay_out(self.ir)

    @cached_property
    def secrets(self) -> Secrets:
        """Which of the rules' locals hold what not everybody may know."""
        return secrets_of(self.ir)

    @cached_property
    def rules_hash(self) -> str:
        """A digest of what the rules do: no labels, comments, screens, spans or scenarios."""
        return self._digests[0] if self._digests else rules_digest(self.ir)

    @cached_property
    def text_hash(self) -> str:
        """A digest of the patched game's canonical text."""
        if self._digests:
            return self._digests[1]
        from rulelang.syntax.printer import print_module

        return hashlib.sha256(print_module(self.module).encode()).hexdigest()[:16]

    @cached_property
    def options(self) -> dict[str, model.StateVariable]:
        """What is agreed at the table, by name."""
        return {s.name: s for s in self.ir.states if s.option}

    def start(
        self,
        players: int | None = None,
        seed: int | str = 0,
        options: Mapping[str, int | str | bool] | None = None,
        executor: str = "generated",
        **more: Any,
    ) -> Match:
        """Starts a match; `executor` is generated or reference, the rest goes to `Match`.

        Raises RulelangError for a wrong number of players, or an option that the game does not have.
        """
        low, high = self.players
        count = low if players is None else players
        if not low <= count <= high:
            range_ = f"{low} to {high}" if low < high else str(low)
            raise RulelangError(f"{self.title} is for {range_} players, not {count}")
        chosen = {self._option(name).id: self._option_value(name, value) for name, value in (options or {}).items()}
        more.setdefault("secrets", self.secrets)
        return Match(self.ir, self.layout, self.machine(executor), count, seed=seed, options=chosen, **more)

    def machine(self, executor: str = "generated") -> Callable[[Chance], Machine]:
        """Gives what makes machines that run this game."""
        if executor == "reference":
            return lambda chance: ReferenceMachine(self.ir, chance, self.layout)
        if executor != "generated":
            raise RulelangError(f"there is no executor {executor!r}: generated or reference")
        from rulelang.runtime.generated import GeneratedMachine

        compiled = self._compiled
        return lambda chance: GeneratedMachine(compiled, chance)

    @cached_property
    def _compiled(self) -> Compiled:
        from rulelang.program.pycode import compile_game

        return compile_game(self.ir, self.layout)

    def _option(self, name: str) -> model.StateVariable:
        if name not in self.options:
            known = ", ".join(self.options) or "none"
            raise RulelangError(f"{self.title} has no option {name!r} (it has: {known})")
        return self.options[name]

    def _option_value(self, name: str, value: int | str | bool) -> int:
        """Gives an option's value from its written form: a number, yes or no, an enum's member."""
        type = self._option(name).type
        text = str(value).strip()
        match type:
            case IntType(low=low, high=high):
                if (
                    text.lstrip("-").isascii()
                    and text.lstrip("-").isdigit()
                    and len(text) < 12
                    and low <= int(text) <= high
                ):
                    return int(text)
                raise RulelangError(f"the option {name} is a number from {low} to {high}, not {text!r}")
            case EnumType(members=members):
                if text in members:
                    return members.index(text)
                raise RulelangError(f"the option {name} is one of {', '.join(members)}, not {text!r}")
        words = {"yes": 1, "no": 0, "true": 1, "false": 0, "1": 1, "0": 0}
        if text.lower() in words:
            return words[text.lower()]
        raise RulelangError(f"the option {name} is yes or no, not {text!r}")


def check(name: str | Path, variants: tuple[str, ...] = ()) -> Checked:
    """Checks a game by name, folder or path, with variants in force; never raises for faulty rules."""
    return check_loaded(files.load_entry(_entry(name)), variants)


def _entry(name: str | Path) -> Path:
    try:
        return files.find_entry(str(name))
    except files.NoSuchGame as error:
        raise NoSuchGame(str(error)) from None


def check_loaded(loaded: files.Loaded, variants: tuple[str, ...] = ()) -> Checked:
    """Patches and checks what was read."""
    from rulelang.check.lower import check as check_module
    from rulelang.variants.patch import patch

    patched = patch(loaded.module, loaded.variants, variants, loaded.scenarios)
    found = (*loaded.diagnostics, *patched.diagnostics)
    if any(d.is_error for d in found):
        # Names and types are checked all the same, so that one run shows all faults.
        partial = check_module(patched.module).diagnostics if patched.module.declarations else ()
        syntax = any(d.code.startswith("E01") for d in found)
        return Checked(None, _sorted((*found, *(() if syntax else partial))))
    result = check_module(patched.module)
    found = _sorted((*found, *result.diagnostics))
    if result.game is None or result.world is None:
        return Checked(None, found)
    game = Game(
        id=result.game.id,
        title=result.game.title,
        players=result.game.players,
        variants=variants,
        ir=result.game,
        entry=loaded.entry,
        diagnostics=found,
        whole=Whole(loaded, patched.module, result.world, patched.scenarios),
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
    """Loads a game: `outspeed`, `outspeed+sprint`, a folder or a path; raises RulesError with all diagnostics.

    A game that has not changed comes from the compile cache: its IR as data, in the user's own cache folder.
    """
    base, *variants = str(name).split("+") if not Path(str(name)).exists() else (str(name),)
    entry = _entry(base)
    stored = files.read_compiled(entry, tuple(variants))
    if stored is not None:
        game = stored.ir
        return Game(
            game.id,
            game.title,
            game.players,
            tuple(variants),
            game,
            entry,
            digests=(stored.rules_hash, stored.text_hash),
        )
    result = check_loaded(files.load_entry(entry), tuple(variants))
    if result.game is None:
        raise RulesError(result.diagnostics)
    if not result.diagnostics:
        whole = result.game
        files.write_compiled(entry, tuple(variants), files.Compiled(whole.ir, whole.rules_hash, whole.text_hash))
    return result.game


def games() -> tuple[str, ...]:
    """Gives the names of the games that ship."""
    return tuple(f.name for f in files.game_folders())
