"""The chain from texts to a game that is laid out, as one tuple.

    run(Unit(Disk(), entry))             Unit(loaded, patched, resolved, lowered, woven, …, diagnostics)
    run(unit, until=lower)               the IR as lowered, before any rewrite

Each arrow takes a `Unit` and returns another with one more field and its diagnostics; if
its input is missing or its work is done, it returns the unit unchanged. An author's faults
do not stop the chain before `check`, so one run shows most of them. `check` follows `lower`
because types are inferred while bodies are lowered; it inspects the IR of the whole game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import assert_never

import attrs

from rulelang.diagnostics.model import Diagnostic, Sink
from rulelang.driver.collector import held_back
from rulelang.driver.equal_parts import EqualParts
from rulelang.ir import model as ir
from rulelang.ir.bounds import Unbounded
from rulelang.ir.recursion import MOST_COPIES, TooMany
from rulelang.ir.weave import may_fail
from rulelang.ir.weave import unfold as unfold_game
from rulelang.ir.weave import witness as witness_game
from rulelang.program import layout as layouts
from rulelang.semantics import game as semantics
from rulelang.semantics.lints import CHECKS
from rulelang.semantics.names.scope import World
from rulelang.semantics.passes import PASSES
from rulelang.source import SourceText
from rulelang.syntax import nodes
from rulelang.syntax.recovery.follow import without_followers
from rulelang.texts import loading
from rulelang.texts.images import image_of
from rulelang.texts.model import LARGEST_IMAGE, Nothing, Texts
from rulelang.variants import causes
from rulelang.variants import patch as variants_of


@attrs.frozen(eq=False)
class Unit:
    """One game, with some of its variants, on its way through the chain; fields that no arrow has reached yet are None."""

    texts: Texts = attrs.field(factory=Nothing, repr=False)
    entry: Path = Path()
    variants: tuple[str, ...] = ()
    read: loading.Parse = attrs.field(default=loading.parse_once, repr=False)
    """Parses one source; a workspace passes a function that reuses the trees of unchanged texts."""
    loaded: loading.Loaded | None = attrs.field(default=None, repr=False)
    patched: variants_of.Patched | None = attrs.field(default=None, repr=False)
    resolved: semantics.Resolved | None = attrs.field(default=None, repr=False)
    lowered: ir.GameRules | None = attrs.field(default=None, repr=False)
    """The typed IR from `lower`, then as `check` rewrote it; the digest of the rules is computed from it."""
    written: ir.GameRules | None = attrs.field(default=None, repr=False)
    """The typed IR from `lower`, as no pass has rewritten it."""
    unfolded: ir.GameRules | None = attrs.field(default=None, repr=False)
    woven: ir.GameRules | None = attrs.field(default=None, repr=False)
    layout: layouts.Layout | None = attrs.field(default=None, repr=False)
    is_known: bool = False
    """Whether these texts were checked before, and no fault found: what only reports is left out."""
    notes: dict[type, object] = attrs.field(factory=dict, repr=False)
    """Data that checks reuse in the next run: it saves work and never changes a result."""
    found: tuple[tuple[str, tuple[Diagnostic, ...]], ...] = ()
    """The diagnostics of each arrow, with its name."""

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All diagnostics, sorted by file and place, without those that merely follow from another fault."""
        return _told(self)

    @property
    def unread(self) -> tuple[nodes.UnreadNode, ...]:
        """The lines of all texts that could not be read."""
        return self.loaded.module.unread if self.loaded is not None else ()

    @property
    def is_whole(self) -> bool:
        """Whether every line of the game and of its variants in force could be read, and every part of the game's own;
        scenarios and other variants do not count."""
        return not any(map(self._lacks, self.unread)) and not self.has_gaps

    def _lacks(self, lost: nodes.UnreadNode) -> bool:
        """Returns whether a line that could not be read is one of the game, or of a variant in force. A line outside of
        all declarations, in a file of variants or scenarios alone, is neither."""
        assert self.loaded is not None
        match lost.of:
            case "scenario":
                return False
            case "variant":
                source, start = lost.span.source, lost.span.start
                before = [v for v in self.loaded.variants if v.span.source == source and v.span.start <= start]
                return max(before, key=lambda v: v.span.start, default=None) in self._in_force
            case "game":
                return not self._is_beside(lost.span.source)
            case _:
                assert_never(lost.of)

    def _is_beside(self, source: SourceText) -> bool:
        """Returns whether a text declares nothing of the game itself, and is one of variants or scenarios."""
        assert self.loaded is not None
        apart = (*self.loaded.variants, *self.loaded.scenarios)
        is_named = source.name.startswith(loading.BESIDE) or any(one.span.source == source for one in apart)
        return is_named and not any(one.span.source == source for one in self.loaded.module.declarations)

    @property
    def _in_force(self) -> tuple[nodes.VariantDeclaration, ...]:
        return causes.stacked(self.loaded.variants, self.variants) if self.loaded is not None else ()

    @property
    def has_gaps(self) -> bool:
        """Whether a declaration of the game was read without some part of it, such as a hole in a text."""
        parsed = next((found for arrow, found in self.found if arrow == "parse"), ())
        errors = [one.span for one in parsed if one.is_error and one.code.startswith("E01")]
        declared = self.loaded.module.declarations if errors and self.loaded is not None else ()
        return any(one.span.holds(span) for span in errors for one in declared)

    @property
    def has_errors(self) -> bool:
        return any(d.is_error for _, diagnostics in self.found for d in diagnostics)

    @property
    def rules_have_errors(self) -> bool:
        """Whether there are errors outside of scenarios, and of variants that are not in force."""
        lost = [unread.span for unread in self.unread if not self._lacks(unread)]
        in_force, loaded = self._in_force, self.loaded
        apart = () if loaded is None else (*loaded.scenarios, *(v for v in loaded.variants if v not in in_force))
        spans = [*lost, *(one.span for one in apart)]
        return any(
            d.is_error
            and not (d.code.startswith("E01") and any(span.holds(d.span) for span in spans))
            and not (arrow == "parse" and d.code == "E0211" and self._is_beside(d.span.source))
            for arrow, diagnostics in self.found
            for d in diagnostics
        )

    def has_passed(self, arrow: str) -> bool:
        """Returns whether an arrow that reports faults has already run."""
        return any(passed == arrow for passed, _ in self.found)

    def finding(
        self, arrow: str, diagnostics: tuple[Diagnostic, ...]
    ) -> tuple[tuple[str, tuple[Diagnostic, ...]], ...]:
        """Returns the diagnostics so far plus those of one more arrow."""
        return (*self.found, (arrow, diagnostics))


def of_module(module: nodes.ModuleNode) -> Unit:
    """Returns a unit that begins with the tree of a whole game, such as one built or mutated by a program."""
    return Unit(patched=variants_of.Patched(module, (), ()))


def of_loaded(texts: Texts, loaded: loading.Loaded, variants: tuple[str, ...] = ()) -> Unit:
    """Returns a unit that begins with texts already loaded."""
    return Unit(texts, loaded.entry, variants, loaded=loaded, found=(("parse", loaded.diagnostics),))


Arrow = Callable[[Unit], Unit]


def parse(unit: Unit) -> Unit:
    """Turns texts into one tree of the game, with its variants and scenarios kept apart."""
    if unit.loaded is not None or unit.patched is not None:
        return unit
    loaded = loading.load(unit.texts, unit.entry, unit.read)
    return attrs.evolve(unit, loaded=loaded, found=unit.finding("parse", loaded.diagnostics))


def patch(unit: Unit) -> Unit:
    """Turns a tree and the chosen variants into the tree of one patched game."""
    loaded = unit.loaded
    if loaded is None or unit.patched is not None:
        return unit
    patched = variants_of.patch(loaded.module, loaded.variants, unit.variants, loaded.scenarios)
    return attrs.evolve(unit, patched=patched, found=unit.finding("patch", patched.diagnostics))


def resolve(unit: Unit) -> Unit:
    """Turns a tree into the world: the meaning of every declared name."""
    if unit.patched is None or unit.has_passed("resolve") or (unit.has_errors and not unit.patched.module.declarations):
        return unit
    resolved = semantics.resolve(unit.patched.module)
    return attrs.evolve(unit, resolved=resolved, found=unit.finding("resolve", resolved.diagnostics))


def lower(unit: Unit) -> Unit:
    """Turns a tree and its names into typed IR; `lowered` stays None after an error."""
    if unit.resolved is None or unit.resolved.header is None or unit.has_passed("lower"):
        return unit
    lowered = semantics.lower(unit.resolved)
    found = unit.finding("lower", lowered.diagnostics)
    return attrs.evolve(unit, lowered=lowered.game, written=lowered.game, found=found)


def check(unit: Unit) -> Unit:
    """Rewrites typed IR where the meaning of the language requires it (`PASSES`), and reports faults in it (`CHECKS`).

    A game of which a line could not be read is not checked: what is missing in it would look like faults elsewhere.
    """
    if not unit.is_whole:
        return attrs.evolve(unit, lowered=None)
    if unit.lowered is None or unit.resolved is None or unit.has_passed("check"):
        return unit
    sink = Sink()
    world = attrs.evolve(unit.resolved.world, sink=sink, notes=unit.notes)
    same = unit.notes.setdefault(EqualParts, EqualParts())
    assert isinstance(same, EqualParts)
    game = same.written(unit.lowered)
    for rewritten in PASSES:
        game = rewritten(world, game)
    game = same.rewritten(game)
    for look in CHECKS if not unit.is_known else ():
        look(world, game)
    _look_for_images(unit, world, game)
    kept = None if sink.has_errors else game
    return attrs.evolve(unit, lowered=kept, found=unit.finding("check", _at_their_causes(unit, sink.sorted())))


def _look_for_images(unit: Unit, world: World, game: ir.GameRules) -> None:
    """Warns of images that are not in the game's folder."""
    for image, kind in game.images.items() if unit.loaded is not None else ():
        if image_of(unit.texts, unit.entry, game.id, image) is None:
            help = f"put it into the folder of the game; it may have {LARGEST_IMAGE // 1_000_000} MB"
            world.sink.report("W0529", f"there is no image `{image}`", world.globals[kind].span, help=help)


def _at_their_causes(unit: Unit, found: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Moves warnings that a variant causes to the variant; checks the unpatched game only if some warning may move."""
    if unit.loaded is None or unit.patched is None or not unit.variants:
        return found
    variants = causes.stacked(unit.loaded.variants, unit.variants)
    if not causes.concerned(found, variants):
        return found
    before = run(of_loaded(unit.texts, unit.loaded), until=check)
    return causes.placed(found, before.diagnostics, variants, unit.patched.module)


def unfold(unit: Unit) -> Unit:
    """Turns typed IR into plain procedures, without hooks, `settle` or `least`."""
    if unit.lowered is None or unit.resolved is None or unit.resolved.header is None or unit.has_passed("unfold"):
        return unit
    sink = Sink()
    unfolded = None
    try:
        unfolded = unfold_game(unit.lowered)
    except TooMany as fault:
        rule = fault.procedure.rule
        span = unit.lowered.rules[rule].span if rule is not None else unit.resolved.header.name.span
        help = "say fewer deep, or let one verb do what they do together"
        message = f"verbs that call each other so deep are too much: `{fault.procedure.name}`"
        sink.report("E0406", message, span, f"more than {MOST_COPIES} combinations of depths", help=help)
    except Unbounded as fault:
        sink.report("E0403", str(fault), fault.span, "no bound can be computed")
    return attrs.evolve(unit, unfolded=unfolded, found=unit.finding("unfold", sink.sorted()))


def weave(unit: Unit) -> Unit:
    """Adds the witnesses that words for people need; reports no faults."""
    if unit.unfolded is None or unit.woven is not None:
        return unit
    return attrs.evolve(unit, woven=witness_game(unit.unfolded))


def lay_out(unit: Unit) -> Unit:
    """Assigns each variable and zone its slots in the row."""
    return unit if unit.woven is None else attrs.evolve(unit, layout=layouts.lay_out(unit.woven))


CHAIN: tuple[Arrow, ...] = (parse, patch, resolve, lower, check, unfold, weave, lay_out)
"""From texts to a game that every executor can run."""


def run(unit: Unit, until: Arrow = weave) -> Unit:
    """Sends a game through the chain up to and including an
    arrow; the unit may already hold results of the first arrows.

    >>> from rulelang.texts.reader import Disk, find_entry
    >>> unit = run(Unit(Disk(), find_entry("outspeed")), until=lay_out)
    >>> unit.layout.size > 0 and [arrow for arrow, found in unit.found if found]
    []
    """
    return list(steps(unit, until))[-1]


def steps(unit: Unit, until: Arrow = weave) -> Iterator[Unit]:
    """Yields a game after each arrow that `run` sends it through, so that the caller can do something else in between."""
    for arrow in CHAIN[: CHAIN.index(until) + 1]:
        with held_back():
            unit = arrow(unit)
        yield unit


def all_faults(unit: Unit) -> Unit:
    """Sends a game, perhaps a lowered one, through the chain as far as faults may be found: mostly up to `check`.

    >>> from rulelang.texts.reader import Disk, find_entry
    >>> unit = all_faults(Unit(Disk(), find_entry("outspeed")))
    >>> unit.diagnostics, unit.has_passed("check")
    ((), True)
    """
    return list(steps_to_faults(unit))[-1]


def steps_to_faults(unit: Unit) -> Iterator[Unit]:
    """Yields a game after each arrow that `all_faults` sends it through."""
    until_now = unit
    for until_now in steps(unit, until=lower) if unit.lowered is None else ():
        yield until_now
    with held_back():
        checked = check(until_now)
    yield checked
    if checked.lowered is not None and may_fail(checked.lowered):
        with held_back():
            unfolded = unfold(checked)
        yield unfolded


def _told(unit: Unit) -> tuple[Diagnostic, ...]:
    """Returns the diagnostics sorted by file and place, without duplicates.

    Faults of later arrows that follow from lines which could not be read are left out. Of several reports that there
    is no game, only the first stays, and none if a text could not be read.
    """
    early = tuple(d for arrow, ds in unit.found if arrow == "parse" for d in ds)
    late = tuple(d for arrow, ds in unit.found if arrow != "parse" for d in ds)
    declarations = unit.patched.module.declarations if unit.patched is not None else ()
    diagnostics = (*early, *without_followers(late, unit.unread, declarations))
    seen: dict[tuple[str, int, str, str], Diagnostic] = {}
    for d in diagnostics:
        seen.setdefault((d.span.source.name, d.span.start, d.code, d.message), d)
    is_missing = any(d.code in ("E0215", "E0216") or d.code.startswith("E01") for d in early)
    kept = [d for _, d in sorted(seen.items(), key=lambda item: item[0])]
    first_empty = next((d for d in kept if d.code == "E0211"), None)
    return tuple(d for d in kept if d.code != "E0211" or (not is_missing and d is first_empty))
