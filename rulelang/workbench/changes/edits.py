"""Two games -> the edits that lead from one to the other, and the games with some of the edits.

    edits = Edits.of(load("outspeed"), load("outspeed+hungry"))
    [edit.name for edit in edits.all]       # constant starting_fuel, in Bonus if power == nitro: copies, …
    edits.game({0, 2})                      # the first game with only these; None if it cannot be checked

If the second game is the first one with variants, an edit is one of their operations; else it is one declaration that
differs. The cause of a difference in play, or of a failing scenario, is found by removing edits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, combinations, islice

import attrs

from rulelang.api import Checked, Game, result_of
from rulelang.diagnostics.model import Sink
from rulelang.driver.chain import of_loaded, patch, run
from rulelang.source import Span
from rulelang.syntax import nodes
from rulelang.syntax.nodes.walk import walk, word_of
from rulelang.syntax.printing.expression_printer import in_one_line
from rulelang.texts.loading import Loaded
from rulelang.texts.reader import Disk
from rulelang.variants import targets
from rulelang.variants.diff import in_words
from rulelang.variants.stacking import Heads
from rulelang.workbench.changes.declarations import Declared, declarations_of, declared, differing, phrase

MOST_TAKEN = 2
"""The most edits that are removed together if removing one is not enough."""
MOST_TRIED = 64
"""The most games that are tried for one answer."""
IDLE = frozenset({"E0605"})
"""The codes that are no fault once another edit is removed: the edit then changes nothing."""
WORDS = {
    nodes.ConstantDeclaration: "constant",
    nodes.OptionDeclaration: "option",
    nodes.EnumDeclaration: "enum",
    nodes.KindDeclaration: "kind",
    nodes.DataDeclaration: "data",
    nodes.BoardDeclaration: "board",
    nodes.DieDeclaration: "die",
    nodes.ClockDeclaration: "clock",
    nodes.ActionDeclaration: "action",
    nodes.VerbDeclaration: "to",
    nodes.ValueDeclaration: "value",
    nodes.ScenarioDeclaration: "scenario",
}
"""The words before a declaration's name."""


@attrs.frozen
class Edit:
    """One change of the rules; `name` is its name in messages: `constant starting_fuel`."""

    name: str
    clauses: tuple[str, ...]
    span: Span = attrs.field(repr=False, eq=False)
    variant: str = ""
    """The variant that it belongs to, if any."""
    words: str = ""
    """Its result in words: `starting_fuel` is 15."""


@attrs.define(eq=False)
class Edits:
    """The edits between two games, in order, and the games between them."""

    all: tuple[Edit, ...]
    _checked: Callable[[frozenset[int]], Checked]
    _after: Game | None
    _games: dict[frozenset[int], Game | None] = attrs.field(factory=dict, init=False)

    @classmethod
    def of(cls, before: Game, after: Game) -> Edits:
        """Returns the edits from one game to another: operations of variants, or else declarations."""
        stack = _stacked_on(before, after)
        return cls._of_operations(after, stack) if stack else cls._of_declarations(before, after)

    @classmethod
    def of_variants(cls, after: Game) -> Edits:
        """Returns the operations of all variants in force in a game."""
        return cls._of_operations(after, _stack(after))

    @classmethod
    def of_loaded(cls, loaded: Loaded, variants: tuple[str, ...]) -> Edits:
        """Returns the operations of variants, for a game that cannot be checked with them."""
        heads = Heads.of(loaded.module, loaded.variants, Sink())
        return cls._operations(loaded, variants, heads.stack(variants, Sink()), None)

    @classmethod
    def _of_operations(cls, after: Game, stack: tuple[nodes.VariantDeclaration, ...]) -> Edits:
        return cls._operations(after.internals.whole.loaded, after.variants, stack, after)

    @classmethod
    def _operations(
        cls, loaded: Loaded, wanted: tuple[str, ...], stack: tuple[nodes.VariantDeclaration, ...], after: Game | None
    ) -> Edits:
        found = [(variant, at, o) for variant in stack for at, o in enumerate(variant.operations) if _plays(o)]

        def checked(kept: frozenset[int]) -> Checked:
            dropped = {(v.name.text, at) for number, (v, at, _) in enumerate(found) if number not in kept}
            variants = tuple(_without(variant, dropped) for variant in loaded.variants)
            return _checked(attrs.evolve(loaded, variants=variants), wanted)

        added = _added(operation for _, _, operation in found)
        names = targets.parameter_names((*loaded.module.declarations, *added))
        edits = []
        for variant, _, operation in found:
            words = "; ".join(in_words(attrs.evolve(variant, operations=(operation,)), loaded.module))
            edits.append(
                Edit(
                    _name(operation, names),
                    _cited(operation),
                    operation.span,
                    variant.name.text,
                    words.replace("`", ""),
                )
            )
        return cls(_told_apart(edits), checked, after)

    @classmethod
    def _of_declarations(cls, before: Game, after: Game) -> Edits:
        old, new = declared(before.internals.module), declared(after.internals.module)
        found = list(differing(old, new))

        def checked(kept: frozenset[int]) -> Checked:
            mixed: dict[targets.TargetPath, Declared] = dict(old)
            for number, target in enumerate(found):
                if number in kept and target in new:
                    mixed[target] = new[target]
                elif number in kept:
                    mixed.pop(target, None)
            loaded = attrs.evolve(after.internals.whole.loaded, variants=(), scenarios=())
            module = nodes.ModuleNode(tuple(declarations_of(mixed)), span=after.internals.module.span)
            return _checked(attrs.evolve(loaded, module=module), ())

        names = targets.parameter_names((*before.internals.module.declarations, *after.internals.module.declarations))
        nodes_found = [(new.get(target) or old[target]).node for target in found]
        edits = [Edit(_of_declaration(node, names), _cited(node), node.span) for node in nodes_found]
        return cls(_told_apart(edits), checked, after)

    def game(self, kept: Iterable[int]) -> Game | None:
        """Returns the first game with some of the edits, by their numbers; None if it cannot be checked."""
        wanted = frozenset(kept)
        if self._after is not None and wanted == frozenset(range(len(self.all))):
            return self._after
        if wanted not in self._games:
            self._games[wanted] = self._checked(wanted).game
        return self._games[wanted]

    def checked(self, kept: Iterable[int]) -> Checked:
        """Returns the result of checking the game with some of the edits."""
        return self._checked(frozenset(kept))

    def without(self, taken: Iterable[int]) -> Game | None:
        """Returns the second game without some of the edits; None if it cannot be checked."""
        return self.game(frozenset(range(len(self.all))) - frozenset(taken))

    def culprits(self, is_well: Callable[[Game], bool], most: int = MOST_TAKEN) -> tuple[Edit, ...]:
        """Returns a smallest set of edits without which a game passes; () if it fails even without all of them.

        A set of up to `most` edits is of the smallest size; a larger one is only minimal: each of its edits is needed.
        """
        everything = range(len(self.all))
        tries = chain.from_iterable(combinations(everything, size) for size in range(1, min(most, len(self.all)) + 1))
        for taken in islice(tries, MOST_TRIED):
            if self._is_well(taken, is_well):
                return tuple(self.all[number] for number in taken)
        if not self._is_well(everything, is_well):
            return ()
        left = set(everything)
        for number in everything:
            if self._is_well(left - {number}, is_well):
                left.remove(number)
        return tuple(self.all[number] for number in sorted(left))

    def _is_well(self, taken: Iterable[int], is_well: Callable[[Game], bool]) -> bool:
        game = self.without(taken)
        return game is not None and is_well(game)


def _checked(loaded: Loaded, variants: tuple[str, ...]) -> Checked:
    """Returns the result of checking an intermediate game, in which an edit that changes nothing is no fault."""
    unit = patch(of_loaded(Disk(), loaded, variants))
    found = tuple((arrow, tuple(d for d in some if d.code not in IDLE)) for arrow, some in unit.found)
    return result_of(run(attrs.evolve(unit, found=found)))


def _stack(game: Game) -> tuple[nodes.VariantDeclaration, ...]:
    loaded = game.internals.whole.loaded
    heads = Heads.of(loaded.module, loaded.variants, Sink())
    return heads.stack(game.variants, Sink())


def _stacked_on(before: Game, after: Game) -> tuple[nodes.VariantDeclaration, ...]:
    """Returns the variants that turn the first game into the second; () if no variants do."""
    if not after.variants or before.id != after.id:
        return ()
    there = {variant.name.text for variant in _stack(before)}
    fresh = tuple(variant for variant in _stack(after) if variant.name.text not in there)
    same = before.internals.whole.loaded.module == after.internals.whole.loaded.module
    return fresh if same and set(before.variants) <= set(after.variants) else ()


def _without(variant: nodes.VariantDeclaration, dropped: set[tuple[str, int]]) -> nodes.VariantDeclaration:
    name = variant.name.text
    kept = tuple(o for at, o in enumerate(variant.operations) if (name, at) not in dropped)
    return attrs.evolve(variant, operations=kept)


def _plays(operation: nodes.Operation) -> bool:
    """Returns whether an operation can change play, which scenarios cannot."""
    if isinstance(operation, (nodes.VoidOperation, nodes.VoidCitingOperation)):
        return False
    return not (
        isinstance(operation, (nodes.AddOperation, nodes.ReplaceOperation))
        and isinstance(operation.declaration, nodes.ScenarioDeclaration)
    )


def _told_apart(edits: list[Edit]) -> tuple[Edit, ...]:
    """Returns the edits, with their places added to names that occur more than once."""
    count = Counter(edit.name for edit in edits)
    return tuple(
        attrs.evolve(edit, name=f"{edit.name} ({edit.span.place})") if count[edit.name] > 1 else edit for edit in edits
    )


def _added(operations: Iterable[nodes.Operation]) -> Iterator[nodes.Declaration]:
    yield from (o.declaration for o in operations if isinstance(o, (nodes.AddOperation, nodes.ReplaceOperation)))


def _cited(node: nodes.Node) -> tuple[str, ...]:
    return tuple(dict.fromkeys(cite.id for cite in walk(node) if isinstance(cite, nodes.CiteNode)))


def _name(operation: nodes.Operation, names: frozenset[str]) -> str:
    match operation:
        case nodes.AddOperation(declaration):
            return _of_declaration(declaration, names)
        case nodes.ReplaceOperation(declaration):
            return f"replace {_of_declaration(declaration, names)}"
        case nodes.RemoveOperation(name):
            return f"remove {name.text}"
        case nodes.ChangeFieldOperation(kind, None, field):
            return f"in {kind.text}: {field.text}"
        case nodes.ChangeFieldOperation(kind, nodes.Expression() as condition, field):
            return f"in {kind.text} if {in_one_line(condition)}: {field.text}"
        case nodes.ChangeColumnOperation(table, column):
            return f"in {table.text}: {column.name.text}"
        case nodes.AddRowsOperation(table):
            return f"add to {table.text}"
        case nodes.AddMembersOperation(enum):
            return f"add to enum {enum.text}"
        case nodes.SetGameLineOperation(line):
            return line.what
        case _:  # any other operation is called by its keyword
            return word_of(operation)


def _of_declaration(node: nodes.Declaration, names: frozenset[str]) -> str:
    match node:
        case nodes.StateDeclaration(_, variables):
            return ", ".join(_bare(targets.variable_target(node, variable)) for variable in variables)
        case (
            nodes.NamesDeclaration() | nodes.GameDeclaration() | nodes.IncludeDeclaration() | nodes.VariantDeclaration()
        ):
            return word_of(node)
        case nodes.ScenarioDeclaration(title):
            return f'scenario "{title.raw}"'
        case nodes.AimDeclaration():
            return "aim"
        case nodes.ScreenDeclaration():
            return "screen"
        case _:  # any other declaration has a target
            pass
    target = targets.target_of(node, names)
    word = "phase" if isinstance(node, nodes.VerbDeclaration) and node.phase else WORDS.get(type(node))
    return _bare(target) if word is None else f"{word} {_bare(target)}"


def _bare(target: targets.TargetPath | None) -> str:
    return phrase(target).replace("`", "") if target is not None else "?"
