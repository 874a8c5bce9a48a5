r"""A workspace: texts by path over those on a disk, and the diagnostics, games and references computed from them.

    >>> from rulelang.texts.model import Nothing
    >>> workspace = Workspace(Nothing())
    >>> workspace.put("/nim.rules", "game nim \"Nim\":\n  players 2\nplay: heap -= 1\n")
    1
    >>> [d.code for d in workspace.diagnostics("/nim.rules")]
    ['E0201']

An unchanged text is not parsed again, a game with an unchanged tree is not checked again, and neither is a scenario if its
tree and its game are unchanged. A broken text still has a tree and a table of references.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import TypeGuard

import attrs

from rulelang import api
from rulelang.diagnostics.model import Diagnostic
from rulelang.driver.chain import Unit, parse, patch, run, steps, steps_to_faults
from rulelang.ir import model
from rulelang.ir.types import BadType
from rulelang.scenarios.run import lower_all, scenarios_of
from rulelang.semantics.names.scope import World
from rulelang.semantics.names.type_relations import name_of
from rulelang.semantics.reach import differing
from rulelang.semantics.scenarios.scenario import lower_scenario
from rulelang.source import SourceText, Span
from rulelang.syntax import nodes
from rulelang.syntax.parser import Parsed
from rulelang.syntax.parser import parse as parse_source
from rulelang.syntax.recovery.follow import without_followers
from rulelang.texts.loading import Loaded
from rulelang.texts.model import Overlay, Texts, plain
from rulelang.texts.reader import Disk
from rulelang.workbench.changes.grouped_diagnostics import each_once
from rulelang.workspace.body_edits import diagnostics_after, is_base
from rulelang.workspace.definitions import LOCALS, Definition, DefinitionTable, References, TextPosition
from rulelang.workspace.references import declared, references, within
from rulelang.workspace.shifts import Shift

Variants = tuple[str, ...]
MOST_BASES = 3
"""The most checked games of each entry that are kept to compare edited texts with."""
TOGETHER = 10
"""The scenarios that are looked at in one step."""
MOST_FURTHER = 4
"""The most combinations of variants that are kept, besides those of `Loaded.combinations`: several variants at once, and
those whose names were just typed."""


@attrs.frozen
class _KnownScenario:
    """A scenario in a world: its faults, and the owners that types decided in it."""

    node: nodes.ScenarioDeclaration
    world: World
    faults: tuple[Diagnostic, ...]
    meant: Mapping[TextPosition, str]

    @classmethod
    def of(cls, world: World, ir: model.GameRules, node: nodes.ScenarioDeclaration) -> _KnownScenario:
        """Returns a scenario as it is in a world, in which nothing of it stays behind."""
        kept, world.meant, world.local_types = (world.meant, world.local_types), {}, {}
        try:
            return cls(node, world, lower_scenario(world, ir, node)[1], world.meant)
        finally:
            world.meant, world.local_types = kept


@attrs.define
class _Combination:
    """The cached results for one game with some variants in force."""

    unit: Unit | None = None
    """The last one that went through the chain."""
    version: int = -1
    """The version of the workspace in which that was."""
    notes: dict[type, object] = attrs.field(factory=dict)
    """Data that checks reuse in the next run."""
    scenarios: dict[int, _KnownScenario] = attrs.field(factory=dict)
    """By the id of its node: each scenario of the game as it was last."""


@attrs.define
class _Entry:
    """The cached results for one game, each reused only if the texts it depends on are unchanged."""

    parsed: dict[str, tuple[str, Parsed]] = attrs.field(factory=dict)
    """By the name of a source: its text and tree."""
    read: Unit | None = None
    combinations: dict[Variants, _Combination] = attrs.field(factory=dict)
    """By the variants in force, those that were asked for last at the end."""
    version: int = -1
    """The version of the workspace in which `read` was computed."""
    bases: tuple[Unit, ...] = ()
    """Units of the game itself that had no errors, the one that was used last first."""
    told: tuple[Diagnostic, ...] | None = None
    """The diagnostics of the game itself in the present version, if they came of `bases`."""
    references: References | None = None
    types: _KnownTypes | None = None
    table: DefinitionTable | None = None
    """The definitions of all files, in the present version."""
    names: dict[str, References] = attrs.field(factory=dict)
    """By source: the names inside it, in the present version."""

    def combination(self, variants: Variants) -> _Combination:
        """Returns the cached results with some variants in force."""
        found = self.combinations.pop(variants, None) or _Combination()
        self.combinations[variants] = found
        return found

    def forget(self, listed: Collection[Variants]) -> None:
        """Forgets the combinations that are not listed, except those that were asked for last."""
        further = [variants for variants in self.combinations if variants not in listed]
        for variants in further[:-MOST_FURTHER]:
            del self.combinations[variants]


@attrs.frozen
class _KnownTypes:
    """The owners of names that types decided in some version, and the texts of that version."""

    meant: Mapping[str, Mapping[int, str]]
    """By source and offset of a name: its owner."""
    spaces: Mapping[str, tuple[str, ...]]
    texts: Mapping[str, str]
    world: World | None = None
    """The game without variants, of which the owners follow."""

    @classmethod
    def of(
        cls,
        meant: Mapping[TextPosition, str],
        spaces: Mapping[str, tuple[str, ...]],
        loaded: Loaded,
        world: World | None = None,
    ) -> _KnownTypes:
        """Returns the owners of names in the texts of a game."""
        owners: dict[str, dict[int, str]] = {}
        for (source, at), owner in meant.items():
            owners.setdefault(source, {})[at] = owner
        return cls(owners, spaces, {source.name: source.text for source in loaded.sources}, world)

    def had(self, node: nodes.Declaration) -> bool:
        """Returns whether a declaration was the same in that version."""
        return node.span.text in self.texts.get(node.span.source.name, "")

    def now(self, sources: Iterable[SourceText]) -> dict[TextPosition, str]:
        """Returns the owners where the names lie in newer texts."""
        found: dict[TextPosition, str] = {}
        for source in sources:
            owners = self.meant.get(source.name, {})
            old = self.texts.get(source.name)
            if old == source.text:
                found.update(((source.name, at), owner) for at, owner in owners.items())
            elif old is not None:
                shift = Shift.between(old, source.text)
                moved = ((shift.offset(at), owner) for at, owner in owners.items())
                found.update(((source.name, at), owner) for at, owner in moved if at is not None)
        return found


class Workspace:
    """Texts in place of those on a disk; every question is about one game, named by its entry file."""

    def __init__(self, under: Texts | None = None) -> None:
        self._under = Disk() if under is None else under
        self._over: dict[Path, str] = {}
        self._entries: dict[Path, _Entry] = {}
        self.version = 0
        """Increases with each change."""

    # ------------------------------------------------------------------ texts

    @property
    def texts(self) -> Texts:
        """All texts in their current state."""
        return Overlay(self._under, dict(self._over))

    def put(self, path: str | Path, text: str) -> int:
        """Puts a text in place of the one on the disk; returns the new version of the workspace."""
        self._over[self._path(path)] = text
        return self._changed()

    def drop(self, path: str | Path) -> int:
        """Goes back to the text on the disk; returns the new version of the workspace."""
        self._over.pop(self._path(path), None)
        return self._changed()

    def keep(self, entries: Collection[Path]) -> None:
        """Forgets what was found of all other games."""
        kept = set(map(self._path, entries))
        self._entries = {entry: about for entry, about in self._entries.items() if entry in kept}

    def look_again(self) -> int:
        """Notes that files may have changed on the disk, so they
        are read again; returns the new version of the workspace.
        """
        return self._changed()

    def _changed(self) -> int:
        self.version += 1
        return self.version

    def _path(self, path: str | Path) -> Path:
        # An entry that is a link is not followed, since its target may lie in another folder.
        found = Path(path)
        return plain(self._under.resolved(found.parent) / found.name)

    # ------------------------------------------------------------------ the game

    def loaded(self, entry: str | Path) -> Loaded:
        """Returns the texts and the trees of a game; nothing is checked for it."""
        read = self._about(entry).read
        assert read is not None
        assert read.loaded is not None
        return read.loaded

    def unit(self, entry: str | Path, variants: Variants = ()) -> Unit:
        """Returns a game as far as it gets through the chain, at most up to `unfold`; no later arrow reports faults."""
        return list(self._steps_of(entry, variants))[-1]

    def _steps_of(self, entry: str | Path, variants: Variants) -> Iterator[Unit]:
        """Yields a game after each arrow that `unit` sends it through; keeps the last, if the texts are still the same."""
        about = self._about(entry)
        assert about.read is not None
        known, version = about.combination(variants), self.version
        before = known.unit
        if before is not None and known.version == version:
            yield before
            return
        unit = fresh = patch(attrs.evolve(about.read, variants=variants, notes=known.notes))
        if before is not None and _same_tree(before, fresh):
            unit = _carried(fresh, before)
        else:
            for unit in steps_to_faults(fresh):
                yield unit
        if self.version == version:
            known.unit, known.version = unit, version
            if not variants and is_base(unit):
                about.bases = (unit, *about.bases[: MOST_BASES - 1])
        yield unit

    def last_sound(self, entry: str | Path) -> Unit:
        """Returns the game as it was checked last: as it is now, or of the latest texts that had no errors."""
        about = self._about(entry)
        is_current = about.combination(()).version == self.version
        return self.unit(entry) if is_current or not about.bases else about.bases[0]

    def local_types(self, entry: str | Path, path: str | Path) -> dict[TextPosition, str]:
        """Returns the types of the locals of a file, as they are written in rules, by their places now; those of a broken
        text are the last ones that were known."""
        unit, source = self.last_sound(entry), self._source(entry, path)
        if unit.resolved is None or unit.loaded is None or source is None:
            return {}
        known = [(at, type) for at, type in unit.resolved.world.local_types.items() if at[0] == source.name]
        written = {at: name_of(type) for at, type in known if not isinstance(type, BadType)}
        return _KnownTypes.of(written, {}, unit.loaded).now((source,))

    def check(self, entry: str | Path, variants: Variants = ()) -> api.Checked:
        """Returns the game, if it can be played, and its diagnostics, like `rulelang.check`."""
        for _ in self.steps_of_check(entry, variants):
            pass
        return api.result_of(self.unit(entry, variants))

    def steps_of_check(self, entry: str | Path, variants: Variants = ()) -> Iterator[None]:
        """Does the work of `check` in steps, so that the caller can do something else in between, or give up."""
        version, units = self.version, list[Unit]()
        for unit in self._steps_of(entry, variants):
            units.append(unit)
            yield
        for unit in steps(units[-1]):
            units.append(unit)
            yield
        if self.version == version:
            self._about(entry).combination(variants).unit = units[-1]

    def diagnostics(self, entry: str | Path, variants: Variants = ()) -> tuple[Diagnostic, ...]:
        """Returns the diagnostics of a game with these variants,
        without its scenarios and ledger, sorted by file and place.
        """
        about = self._about(entry)
        if variants or about.combination(()).version == self.version:
            return self.unit(entry, variants).diagnostics
        if about.told is None:
            assert about.read is not None
            found = diagnostics_after(about.bases, patch(about.read))
            if found is not None:
                about.told = found[0]
                about.bases = (found[1], *(base for base in about.bases if base is not found[1]))
        return self.unit(entry).diagnostics if about.told is None else about.told

    def faults(self, entry: str | Path, variants: Variants | None = None) -> tuple[Diagnostic, ...]:
        """Returns the diagnostics of a game, each of its variants, its scenarios and its ledger, without duplicates.

        With `variants`, only that combination is checked.
        """
        combinations = self.loaded(entry).combinations if variants is None else (variants,)
        return each_once(
            self.loaded(entry), combinations, partial(self.check, entry), partial(self._scenario_faults, entry)
        )

    def scenario_faults(self, entry: str | Path) -> tuple[Diagnostic, ...]:
        """Returns the faults of the scenarios of a game without variants; none if its rules have errors."""
        game = self.check(entry).rules
        found = () if game is None else self._scenario_faults(entry, game)
        return without_followers(found, self.loaded(entry).module.unread)

    def steps(self, entry: str | Path) -> Iterator[None]:
        """Does the work of `faults` in steps, so that the caller can do something else in between, or give up."""
        for combination in self.loaded(entry).combinations:
            yield from self.steps_of_check(entry, combination)
            game = self.check(entry, combination).game
            if game is not None:
                yield from self._steps_of_scenarios(entry, game)
                self._scenario_faults(entry, game)

    def _steps_of_scenarios(self, entry: str | Path, game: api.Game) -> Iterator[None]:
        known, world = self._about(entry).combination(game.variants).scenarios, game.internals.world
        for number, node in enumerate(scenarios_of(game)):
            if not _is_known(known.get(id(node)), node, world):
                known[id(node)] = _KnownScenario.of(world, game.ir, node)
            if number % TOGETHER == 0:
                yield

    def _scenario_faults(self, entry: str | Path, game: api.Game) -> tuple[Diagnostic, ...]:
        combination = self._about(entry).combination(game.variants)
        before, known = combination.scenarios, dict[int, _KnownScenario]()

        def lower(
            world: World, ir: model.GameRules, node: nodes.ScenarioDeclaration
        ) -> tuple[None, tuple[Diagnostic, ...]]:
            found = before.get(id(node))
            known[id(node)] = found = found if _is_known(found, node, world) else _KnownScenario.of(world, ir, node)
            return None, found.faults

        faults = lower_all(game, lower)
        combination.scenarios = known
        return faults

    # ------------------------------------------------------------------ names

    def references(self, entry: str | Path) -> References:
        """Returns every definition and use of a name in a game,
        its variants and its scenarios, even if texts are broken.
        """
        about = self._about(entry)
        if about.references is None:
            loaded = self.loaded(entry)
            meant: dict[TextPosition, str] = {}
            spaces: dict[str, tuple[str, ...]] = {}
            resolved = None
            alone = [(variant.name.text,) for variant in loaded.variants]
            for combination in (*reversed(alone), ()):
                checked = self.check(entry, combination)
                if checked.game is not None:
                    self._scenario_faults(entry, checked.game)
                resolved = self.unit(entry, combination).resolved
                if resolved is not None:
                    meant.update(resolved.world.meant)
                    scenarios = about.combination(combination).scenarios if checked.game is not None else {}
                    for known in scenarios.values():
                        meant.update(known.meant)
                    spaces.update(resolved.world.spaces)
            about.references = references(loaded.module, loaded.variants, loaded.scenarios, meant, spaces)
            about.types = _KnownTypes.of(meant, spaces, loaded, None if resolved is None else resolved.world)
            about.table, about.names = None, {}
        return about.references

    def names(self, entry: str | Path, path: str | Path) -> References:
        """Returns every definition of a game but the locals of other files, and the uses in one file, at once: names that
        several things share are told apart by the types that were known before the last edits.
        """
        about, source, table = self._about(entry), self._source(entry, path), self._table(entry)
        name = "" if source is None else source.name
        if name not in about.names:
            inside = (one for one in self._declared(entry) if one.span.source.name == name)
            about.names[name] = within(table, inside)
        return about.names[name]

    def _table(self, entry: str | Path) -> DefinitionTable:
        about = self._about(entry)
        if about.table is None:
            about.table = declared(self._declared(entry), *self._known_types(entry))
        return about.table

    def _declared(self, entry: str | Path) -> tuple[nodes.Declaration, ...]:
        loaded = self.loaded(entry)
        return (*loaded.module.declarations, *loaded.variants, *loaded.scenarios)

    def _known_types(self, entry: str | Path) -> tuple[dict[TextPosition, str], dict[str, tuple[str, ...]]]:
        """Returns the owners that types decided last, as `references` found them and as the game by itself has them."""
        about, sources = self._about(entry), self.loaded(entry).sources
        meant: dict[TextPosition, str] = {}
        spaces: dict[str, tuple[str, ...]] = {}
        for unit in about.bases[:1] or (self.unit(entry),):
            if unit.resolved is not None and unit.loaded is not None:
                known = _KnownTypes.of(unit.resolved.world.meant, unit.resolved.world.spaces, unit.loaded)
                meant, spaces = known.now(sources), dict(known.spaces)
        if about.types is not None:
            meant, spaces = about.types.now(sources) | meant, {**about.types.spaces, **spaces}
        if about.combination(()).version == self.version and (resolved := self.unit(entry).resolved) is not None:
            meant |= resolved.world.meant
            spaces |= resolved.world.spaces
        return meant, spaces

    def definition_at_once(self, entry: str | Path, path: str | Path, offset: int) -> tuple[Definition, ...]:
        """Returns the declarations of the name at an offset of a text, as `names` knows them."""
        source = self._source(entry, path)
        return self.names(entry, path).at(source.name, offset) if source is not None else ()

    def definition(self, entry: str | Path, path: str | Path, offset: int) -> tuple[Definition, ...]:
        """Returns the declarations of the name at an offset of a text; none if there is no name, or a built-in one.

        Offsets are in code points from 0. There are several if the name has several meanings and no type decides, or if
        declarations share it, as the cases of a verb do.
        """
        source = self._source(entry, path)
        if source is None:
            return ()
        found = self.names(entry, path)
        if not self._is_certain(entry, found.at(source.name, offset)):
            found = self.references(entry)
        return tuple(dict.fromkeys(one for at in found.at(source.name, offset) for one in found.all_of(at)))

    def uses(self, entry: str | Path, path: str | Path, offset: int) -> tuple[Span, ...]:
        """Returns the uses of the name at an offset of a text, in source order
        for each of its declarations, without the declarations.
        """
        return self.uses_of(entry, self.definition(entry, path, offset))

    def uses_of(self, entry: str | Path, definitions: Iterable[Definition]) -> tuple[Span, ...]:
        """Returns the uses of some definitions in all files, in source order for each, without the definitions; exact for
        those that `definition` returns."""
        about, found = self._about(entry), tuple(definitions)
        references = about.references or self._naming(entry, found)
        return tuple(dict.fromkeys(span for one in found for span in references.of(one)))

    def _naming(self, entry: str | Path, definitions: tuple[Definition, ...]) -> References:
        """Returns the names inside those declarations that may use some definitions: they have their words in them."""
        table, spaces = self._table(entry), self._known_types(entry)[1]
        words = {one.name for one in definitions}
        # A variable may call its owner `founder`, and the spaces of a map have other names than its boards.
        words |= {word[:1].lower() + word[1:] for word in words}
        words |= {space for space, boards in spaces.items() if not words.isdisjoint(boards)}
        every = self._declared(entry)
        return within(table, (one for one in every if any(word in one.span.text for word in words)))

    def _is_certain(self, entry: str | Path, at: tuple[Definition, ...]) -> bool:
        """Returns whether all uses of some definitions are known without a check of the present texts."""
        if self._about(entry).references is not None:
            return True
        declared = self._table(entry).definitions
        names = {one.name for one in at if one.what not in LOCALS}
        shared = {name for name in names if len({(one.what, one.owner) for one in declared if one.name == name}) > 1}
        return not shared or self._are_types_known(entry, shared)

    def _are_types_known(self, entry: str | Path, names: set[str]) -> bool:
        """Returns whether the types that were known last still say what some names mean that several things share: no
        declaration that uses them has changed since, and nothing that others read."""
        about = self._about(entry)
        types, variants = about.types, self.loaded(entry).variants
        using = (one for one in self._declared(entry) if any(name in one.span.text for name in names))
        if types is None or types.world is None or not all(map(types.had, (*variants, *using))):
            return False
        if any(one.is_error for one in self.diagnostics(entry)):
            return False
        resolved = self.last_sound(entry).resolved
        return resolved is not None and differing(types.world, resolved.world) == frozenset()

    def _source(self, entry: str | Path, path: str | Path) -> SourceText | None:
        loaded, wanted = self.loaded(entry), self._path(path)
        pairs = zip(loaded.paths, loaded.sources, strict=True)
        return next((source for found, source in pairs if self._path(found) == wanted), None)

    # ------------------------------------------------------------------ reuse

    def _about(self, entry: str | Path) -> _Entry:
        """Returns the cached results of a game, with its texts read again if the workspace has changed."""
        path = self._path(entry)
        about = self._entries.setdefault(path, _Entry())
        if about.version != self.version:
            known, about.parsed = about.parsed, {}

            def parsed(source: SourceText) -> Parsed:
                before = known.get(source.name)
                tree = before[1] if before is not None and before[0] == source.text else parse_source(source)
                about.parsed[source.name] = (source.text, tree)
                return tree

            about.read = run(Unit(self.texts, path, read=parsed), until=parse)
            about.version, about.references, about.told = self.version, None, None
            about.table, about.names = None, {}
            about.forget(about.read.loaded.combinations if about.read.loaded is not None else ())
        return about


def _is_known(found: _KnownScenario | None, node: nodes.ScenarioDeclaration, world: World) -> TypeGuard[_KnownScenario]:
    return found is not None and found.node is node and found.world is world


def _same_tree(before: Unit, fresh: Unit) -> bool:
    """Returns whether two units have the same declarations and variants: the same node objects, not merely equal ones."""
    if before.loaded is None or fresh.loaded is None or fresh.patched is None:
        return False
    old = (*before.loaded.module.declarations, *before.loaded.variants)
    new = (*fresh.loaded.module.declarations, *fresh.loaded.variants)
    lost = [[one for one in unit.unread if one.of != "scenario"] for unit in (before, fresh)]
    return lost[0] == lost[1] and len(old) == len(new) and all(a is b for a, b in zip(old, new, strict=True))


def _carried(fresh: Unit, before: Unit) -> Unit:
    """Returns a newly patched unit with the later results of an earlier unit that has the same tree."""
    late = tuple((arrow, ds) for arrow, ds in before.found if arrow not in ("parse", "patch"))
    return attrs.evolve(
        fresh,
        resolved=before.resolved,
        lowered=before.lowered,
        written=before.written,
        unfolded=before.unfolded,
        woven=before.woven,
        found=(*fresh.found, *late),
    )
