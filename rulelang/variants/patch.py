"""The tree of a game and the variants wanted -> the tree of another whole game.

    constant starting_fuel = 12        variant sprint of outspeed:
                                         constant starting_fuel = 9      ->   constant starting_fuel = 9

A variant is a list of operations on names; each reaches a target (`targets`). A variant
`of` another one is applied after that one. An option with another default is another setup,
not another rule: scenarios written before keep the value that they were written for.

Invariant: no later stage knows of variants; every node keeps the place where it was written.
"""

from __future__ import annotations

from typing import TypeAlias

import attrs

from rulelang.diagnostics.model import Diagnostic, Label, Sink
from rulelang.source import Span
from rulelang.syntax import nodes
from rulelang.syntax.nodes.walk import walk
from rulelang.variants import aims, targets
from rulelang.variants.additions import with_members, with_rows
from rulelang.variants.columns import with_column
from rulelang.variants.orphans import without_orphans
from rulelang.variants.rows import TableNode, change_field, columns_of
from rulelang.variants.stacking import Heads
from rulelang.variants.targets import TargetPath, overlap, shown

CHANGED_BY_NAME = (nodes.ConstantDeclaration, nodes.OptionDeclaration)
"""Declarations that a variant changes by declaring them again, without `replace`."""


@attrs.frozen
class Patched:
    """A whole game after its variants were applied, and the faults in those variants."""

    module: nodes.ModuleNode
    diagnostics: tuple[Diagnostic, ...]
    voids: tuple[nodes.VoidOperation, ...]
    """The game's scenarios that a variant voids, with the reasons it gives."""
    scenarios: tuple[nodes.ScenarioDeclaration, ...] = ()
    """The scenarios that hold for the patched game: the game's, without the void ones, then the variants' own."""


def patch(
    module: nodes.ModuleNode,
    variants: tuple[nodes.VariantDeclaration, ...],
    wanted: tuple[str, ...],
    scenarios: tuple[nodes.ScenarioDeclaration, ...] | None = None,
) -> Patched:
    """Returns a game with the variants of these names applied, and with the variants that they build on.

    `scenarios` are the game's own; if they are given, a `void` must name one of them. Faults in the heads of variants
    are reported even if those variants are not wanted.
    """
    sink = Sink()
    heads = Heads.of(module, variants, sink)
    chosen = heads.stack(wanted, sink)
    patching = _Patching(list(module.declarations), list(scenarios or ()), scenarios is not None, sink)
    patching.base = tuple(scenarios or ())
    patching.files = frozenset(declaration.span.source.name for declaration in module.declarations)
    for variant in chosen:
        patching.apply(variant, heads.above(variant))
    patching.check_fresh()
    kept = without_orphans(module.declarations, tuple(patching.declarations))
    changed = attrs.evolve(module, declarations=kept) if chosen else module
    return Patched(changed, sink.sorted(), tuple(patching.voids), tuple(patching.scenarios))


# ------------------------------------------------------------------ operations


@attrs.frozen
class _Touch:
    """A target that a variant has changed."""

    target: TargetPath
    variant: nodes.VariantDeclaration
    span: Span


@attrs.define
class _Patching:
    """The declarations so far, while operation after operation changes them."""

    declarations: list[nodes.Declaration]
    scenarios: list[nodes.ScenarioDeclaration]
    voidable: bool
    """Whether the game's scenarios are known, so that a `void` without one is a fault."""
    sink: Sink
    voids: list[nodes.VoidOperation] = attrs.field(factory=list)
    fresh: list[nodes.ConstantDeclaration | nodes.OptionDeclaration] = attrs.field(factory=list)
    """Constants and options that a variant adds."""
    columns: list[nodes.IdentNode] = attrs.field(factory=list)
    """Columns that a variant adds."""
    touches: list[_Touch] = attrs.field(factory=list)
    variant: nodes.VariantDeclaration = attrs.field(default=None)
    above: tuple[nodes.VariantDeclaration, ...] = ()
    """The variants that the current variant builds on."""
    names: frozenset[str] = frozenset()
    files: frozenset[str] = frozenset()
    """The files of the game itself."""
    base: tuple[nodes.ScenarioDeclaration, ...] = ()
    """The scenarios of the game itself."""

    def apply(self, variant: nodes.VariantDeclaration, above: tuple[nodes.VariantDeclaration, ...]) -> None:
        """Carries out a variant's operations, in order."""
        self.variant, self.above = variant, above
        added = [o.declaration for o in variant.operations if isinstance(o, nodes.AddOperation)]
        self.names = targets.parameter_names([*self.declarations, *added])
        for declaration in added:
            if isinstance(declaration, nodes.OptionDeclaration):
                self._keep_agreed(declaration.name)
        for operation in variant.operations:
            self._operate(operation)

    def _operate(self, operation: nodes.Operation) -> None:
        match operation:
            case nodes.AddOperation(nodes.StateDeclaration() as state):
                self._add_state(state)
            case nodes.AddOperation(nodes.AimDeclaration() as aim):
                self._add_aim(aim)
            case nodes.AddOperation(declaration):
                self._add(declaration)
            case nodes.ReplaceOperation(nodes.StateDeclaration() as state):
                for variable in state.variables:
                    self._replace_variable(state, variable)
            case nodes.ReplaceOperation(declaration):
                self._replace(declaration, operation.span)
            case nodes.RemoveOperation(name):
                self._remove(name)
            case nodes.ChangeFieldOperation():
                self._change_field(operation)
            case nodes.ChangeColumnOperation():
                self._change_column(operation)
            case nodes.AddRowsOperation():
                self._add_rows(operation)
            case nodes.AddMembersOperation():
                self._add_members(operation)
            case nodes.SetGameLineOperation(line):
                self._set_game_line(line)
            case nodes.VoidOperation():
                self._void(operation)
            case nodes.VoidCitingOperation():
                self._void_citing(operation)
            case _:  # a node that is no operation
                raise TypeError(f"no such operation: {type(operation).__name__}")

    # -------------------------------------------------------------- touching

    def _touch(self, target: TargetPath, span: Span) -> bool:
        """Notes that the current variant changes a target; returns whether it may.

        It may not, which is reported, if a variant that it does not build on has changed the target.
        """
        rival = self._rival(target)
        if rival is not None:
            self._report_rival(rival, span)
            return False
        self.touches.append(_Touch(target, self.variant, span))
        return True

    def _rival(self, target: TargetPath) -> _Touch | None:
        friends = (self.variant, *self.above)
        return next((t for t in self.touches if t.variant not in friends and overlap(t.target, target)), None)

    def _report_rival(self, rival: _Touch, span: Span) -> None:
        one, other = rival.variant.name.text, self.variant.name.text
        self.sink.report(
            "E0607",
            f"`{one}` and `{other}` both change {shown(rival.target)}",
            span,
            f"`{other}` changes it here",
            labels=(Label(rival.span, f"`{one}` changes it here"),),
            help=f"say which comes last: `variant {other} of {one}`",
        )

    def _missing(self, target: TargetPath, span: Span, message: str, candidates: list[str], word: str) -> None:
        """Reports a target that does not exist; if a rival variant has removed it, reports the conflict instead."""
        rival = self._rival(target)
        if rival is not None:
            self._report_rival(rival, span)
            return
        near = self.sink.near(word, candidates)
        help = f"did you mean `{near}`?" if near else None
        self.sink.report("E0604", message, span, "no such target", help=help)

    def _nothing(self, span: Span, target: TargetPath, was: Span) -> None:
        labels = (Label(was, "the same as here"),)
        self.sink.report("E0605", f"this changes nothing: {shown(target)} is that already", span, labels=labels)

    def _taken(self, span: Span, target: TargetPath, by: Span) -> None:
        rival = self._rival(target)
        if rival is not None:
            self._report_rival(rival, span)
            return
        labels = (Label(by, "declared here"),)
        self.sink.report(
            "E0606",
            f"{shown(target)} exists already",
            span,
            labels=labels,
            help="write `replace` before it to change it",
        )

    # -------------------------------------------------------------- new declarations

    def _add(self, new: nodes.Declaration) -> None:
        if isinstance(new, nodes.ScenarioDeclaration):
            self._add_scenario(new)
            return
        target = targets.target_of(new, self.names)
        if target is None:
            self.declarations.append(new)
            return
        # Hooks, adjustments and `whenever` rules without a name clash with nothing, and neither do further screens.
        joins = isinstance(new, nodes.ScreenDeclaration) or (
            isinstance(new, targets.LabelledDeclaration) and new.label is None
        )
        found = [] if joins else self._places(target)
        if not found:
            if joins or self._touch(target, new.span):
                self.declarations.insert(self._place_of_new(new), new)
                self.fresh += [new] if isinstance(new, CHANGED_BY_NAME) else []
            return
        old = self.declarations[found[0]]
        if not (isinstance(new, CHANGED_BY_NAME) and isinstance(old, CHANGED_BY_NAME)):
            self._taken(new.span, target, old.span)
        else:
            self._change(found[0], new, target, new.span)

    def _place_of_new(self, new: nodes.Declaration) -> int:
        """Returns the index for a new declaration: after the other cases if it is a case, else the end."""
        cases = (nodes.VerbDeclaration, nodes.ValueDeclaration)
        if isinstance(new, cases):
            same = [i for i, d in enumerate(self.declarations) if isinstance(d, cases) and d.name == new.name]
            return same[-1] + 1 if same else len(self.declarations)
        return len(self.declarations)

    def _add_state(self, state: nodes.StateDeclaration) -> None:
        fresh = []
        for variable in state.variables:
            target = targets.variable_target(state, variable)
            old = self._variable(target)
            if old is not None:
                self._taken(variable.span, target, old[2].span)
            elif self._touch(target, variable.span):
                fresh.append(variable)
        self.declarations.append(attrs.evolve(state, variables=tuple(fresh)))

    def _add_aim(self, new: nodes.AimDeclaration) -> None:
        """Puts the lines of an aim in place of those that say the same of the game."""
        at = next((i for i, d in enumerate(self.declarations) if isinstance(d, nodes.AimDeclaration)), None)
        if not all(self._touch(target, line.span) for line in new.lines for target in aims.targets_of(line)):
            return
        if at is None:
            self.declarations.append(new)
            return
        old = self.declarations[at]
        assert isinstance(old, nodes.AimDeclaration)
        for line in new.lines:
            same = next((known for known in old.lines if _says_the_same(known, line)), None)
            if same is not None:
                self._nothing(line.span, next(aims.targets_of(line)), same.span)
        self.declarations[at] = attrs.evolve(old, lines=aims.with_lines(old.lines, new.lines))

    def _add_scenario(self, scenario: nodes.ScenarioDeclaration) -> None:
        old = next((s for s in self.scenarios if s.title == scenario.title), None)
        if old is not None:
            self._taken(scenario.span, ("scenario", scenario.title.raw), old.span)
        else:
            self.scenarios.append(scenario)

    # -------------------------------------------------------------- changed declarations

    def _replace(self, new: nodes.Declaration, span: Span) -> None:
        if isinstance(new, nodes.ScenarioDeclaration):
            if self._drop_scenario(new.title):
                self.scenarios.append(new)
            return
        target = targets.target_of(new, self.names)
        if target is None:
            self.sink.report("E0604", "only what has a name of its own can be replaced", span)
            return
        found = self._places(target)
        if len(found) > 1 and isinstance(new, targets.LabelledDeclaration):
            hung = targets.hangs_on(new, self.names)
            found = [i for i in found if targets.hangs_on(self._labelled(i), self.names) == hung] or found
        if not found:
            self._no_target(new, target)
        elif len(found) > 1:
            labels = tuple(Label(self.declarations[i].span, "this one?") for i in found)
            help = "name them with `as`, and say which"
            self.sink.report("E0608", f"there are {len(found)} of {shown(target)}", new.span, labels=labels, help=help)
        else:
            self._change(found[0], new, target, span)

    def _change(self, at: int, new: nodes.Declaration, target: TargetPath, span: Span) -> None:
        old = self.declarations[at]
        if not self._touch(target, span):
            return
        if _says_the_same(old, new):
            self._nothing(span, target, old.span)
        self.declarations[at] = new

    def _replace_variable(self, state: nodes.StateDeclaration, new: nodes.VariableNode) -> None:
        target = targets.variable_target(state, new)
        found = self._variable(target)
        if found is None:
            owned = [t for t in self._targets() if t[:2] == target[:2]]
            candidates = [str(t[2]) for t in owned]
            self._missing(target, new.span, f"there is no {shown(target)}", candidates, new.name.text)
            return
        at, holder, old = found
        if not self._touch(target, new.span):
            return
        if _says_the_same(old, new):
            self._nothing(new.span, target, old.span)
        variables = tuple(new if v is old else v for v in holder.variables)
        self.declarations[at] = attrs.evolve(holder, variables=variables)

    def _set_game_line(self, new: nodes.GameLineNode) -> None:
        at = next((i for i, d in enumerate(self.declarations) if isinstance(d, nodes.GameDeclaration)), None)
        if at is None or not self._touch(("game", new.what), new.span):
            return
        game = self.declarations[at]
        assert isinstance(game, nodes.GameDeclaration)
        old = next((line for line in game.lines if line.what == new.what), None)
        if old is not None and _says_the_same(old, new):
            self._nothing(new.span, ("game", new.what), old.span)
        lines = tuple(new if line is old else line for line in game.lines)
        self.declarations[at] = attrs.evolve(game, lines=lines if old is not None else (*lines, new))

    def _change_column(self, operation: nodes.ChangeColumnOperation) -> None:
        at = self._table(operation.table)
        column = operation.column.name
        if at is None or not self._touch(("name", operation.table.text, "column", column.text), operation.span):
            return
        table = self.declarations[at]
        assert isinstance(table, TableNode)
        changed = with_column(table, operation, self.sink)
        if changed is None:
            return
        self.declarations[at] = changed
        if len(changed.fields) > len(table.fields):
            self.columns.append(column)

    def _add_rows(self, operation: nodes.AddRowsOperation) -> None:
        at = self._table(operation.table)
        if at is None or not self._touch(
            ("name", operation.table.text, "rows", self.variant.name.text), operation.span
        ):
            return
        table = self.declarations[at]
        assert isinstance(table, TableNode)
        known = columns_of(table, self.declarations)
        self.declarations[at] = with_rows(table, operation, known, self.sink) or table

    def _add_members(self, operation: nodes.AddMembersOperation) -> None:
        enums = {d.name.text: i for i, d in enumerate(self.declarations) if isinstance(d, nodes.EnumDeclaration)}
        at, name = enums.get(operation.enum.text), operation.enum
        if at is None:
            self._missing(("name", name.text), name.span, f"no enum is named `{name.text}`", [*enums], name.text)
            return
        enum = self.declarations[at]
        assert isinstance(enum, nodes.EnumDeclaration)
        if all(self._touch(("name", name.text, "members", member.text), member.span) for member in operation.members):
            self.declarations[at] = with_members(enum, operation, self.sink) or enum

    def _table(self, name: nodes.IdentNode) -> int | None:
        """Returns the index of a kind, data or board; reports it and returns None if there is none."""
        named = {d.name.text: i for i, d in enumerate(self.declarations) if isinstance(d, TableNode)}
        at = named.get(name.text)
        if at is None:
            message = f"no kind, data or board is named `{name.text}`"
            self._missing(("name", name.text), name.span, message, [*named], name.text)
        return at

    def _change_field(self, operation: nodes.ChangeFieldOperation) -> None:
        target: TargetPath = ("name", operation.kind.text)
        at = self._table(operation.kind)
        if at is None:
            return
        table = self.declarations[at]
        assert isinstance(table, TableNode)
        changed = change_field(table, operation, self.declarations, self.sink)
        if changed is None:
            return
        reached: list[TargetPath] = [(*target, operation.field.text, row) for row in sorted(changed.rows, key=repr)]
        if all(self._rival(t) is None for t in reached):
            self.touches += [_Touch(t, self.variant, operation.span) for t in reached]
            self.declarations[at] = changed.table
        else:
            self._touch(next(t for t in reached if self._rival(t)), operation.span)

    def _keep_agreed(self, option: nodes.IdentNode) -> None:
        """Sets the option's old default in the scenarios so far, except those that set it or come with this variant."""
        options = (d for d in self.declarations if isinstance(d, nodes.OptionDeclaration) and d.name == option)
        old = next(options, None)
        if old is None or old.default is None:
            return
        for i, scenario in enumerate(self.scenarios):
            own = scenario.span.source.name == self.variant.span.source.name not in self.files
            if not own and all(name != option for name, _ in scenario.options):
                self.scenarios[i] = attrs.evolve(scenario, options=(*scenario.options, (old.name, old.default)))

    # -------------------------------------------------------------- removed declarations

    def _remove(self, name: nodes.IdentNode) -> None:
        reached = list(dict.fromkeys(t for t in self._targets() if targets.word_of(t) == name.text))
        if not reached:
            words = [w for t in self._targets() if (w := targets.word_of(t)) is not None]
            rival = next(
                (t for t in self.touches if targets.word_of(t.target) == name.text and self._rival(t.target)), None
            )
            missing: TargetPath = rival.target if rival is not None else ("name", name.text)
            kind = self._kind_of_row(name.text)
            if kind is not None and rival is None:
                help = f"`{name.text}` is a row of {kind}: write `in {kind} if name == {name.text}: copies = 0`"
                self.sink.report("E0604", "rows are not removed by name", name.span, "a row", help=help)
                return
            self._missing(missing, name.span, f"nothing here is named `{name.text}`", words, name.text)
            return
        if not all(self._touch(target, name.span) for target in reached):
            return
        gone = set(reached)
        kept: list[nodes.Declaration] = []
        for declaration in self.declarations:
            if isinstance(declaration, nodes.StateDeclaration):
                left = tuple(v for v in declaration.variables if targets.variable_target(declaration, v) not in gone)
                kept += [attrs.evolve(declaration, variables=left) if left != declaration.variables else declaration]
            elif isinstance(declaration, nodes.AimDeclaration) and ("aim",) not in gone:
                kept.append(attrs.evolve(declaration, lines=aims.without_rules(declaration.lines, (name.text,))))
            elif targets.target_of(declaration, self.names) not in gone:
                kept.append(declaration)
        self.declarations = kept

    def _kind_of_row(self, name: str) -> str | None:
        """Returns the name of the kind whose table has a row that begins with this name."""
        kinds = (d for d in self.declarations if isinstance(d, nodes.KindDeclaration))
        return next((k.name.text for k in kinds for row in k.rows[1:] if _begins_with(row, name)), None)

    def _void(self, operation: nodes.VoidOperation) -> None:
        # Another variant may have its own reason against the same scenario.
        again = any(void.scenario == operation.scenario for void in self.voids)
        if again or self._drop_scenario(operation.scenario):
            self.voids.append(operation)

    def _void_citing(self, operation: nodes.VoidCitingOperation) -> None:
        """Voids the game's scenarios that cite one of some clauses, in their head or in a line."""
        ids = {cite.id for cite in operation.cited}
        cited = {s.title: _cited(s) for s in self.base}
        known = set[str]().union(*cited.values())
        for cite in operation.cited if self.voidable else ():
            if cite.id not in known:
                near = self.sink.near(cite.id, sorted(known))
                help = f"did you mean [{near}]?" if near else None
                self.sink.report("E0604", f"no scenario cites {cite.id}", cite.span, help=help)
        for scenario in [s for s in self.scenarios if ids & cited.get(s.title, set())]:
            self.scenarios.remove(scenario)
            self.voids.append(nodes.VoidOperation(scenario.title, operation.because, span=operation.span))

    def _drop_scenario(self, title: nodes.TextNode) -> bool:
        """Removes a scenario and returns True; if there is none of that title, reports it and returns False."""
        left = [s for s in self.scenarios if s.title != title]
        if len(left) == len(self.scenarios) and self.voidable:
            near = self.sink.near(title.raw, [s.title.raw for s in left])
            help = f'did you mean "{near}"?' if near else None
            self.sink.report("E0604", "there is no scenario of that name", title.span, help=help)
            return False
        self.scenarios = left
        return True

    def check_fresh(self) -> None:
        """Reports new constants, options and columns that nothing reads: most of them misspell the name of an old one."""
        if not (self.fresh or self.columns):
            return
        inside = list(walk(tuple(self.declarations)))
        read = {n.text for n in inside if isinstance(n, nodes.NameExpression)}
        kept = [d for d in self.declarations if isinstance(d, CHANGED_BY_NAME)]
        for new in self.fresh:
            if new.name.text not in read:
                near = self.sink.near(new.name.text, [d.name.text for d in kept])
                help = f"did you mean `{near}`?" if near else None
                message = f"this changes nothing: `{new.name.text}` is new, and nothing reads it"
                self.sink.report("E0605", message, new.name.span, help=help, fix=near)
        asked = {n.name.text for n in inside if isinstance(n, nodes.AttributeExpression)}
        fields = [f.name.text for n in inside if isinstance(n, TableNode) for f in n.fields]
        for column in self.columns:
            if column.text not in asked:
                near = self.sink.near(column.text, [name for name in fields if name != column.text])
                help = f"did you mean `{near}`?" if near else "read it with a point, as in `c.power`"
                message = f"this changes nothing: the column `{column.text}` is new, and nothing reads it"
                self.sink.report("E0605", message, column.span, help=help, fix=near)

    # -------------------------------------------------------------- looking up

    def _targets(self) -> list[TargetPath]:
        return list(targets.all_targets(self.declarations, self.names))

    def _places(self, target: TargetPath) -> list[int]:
        """Returns the indices of the declarations with this target, else of those whose name clashes with it."""
        found = [i for i, d in enumerate(self.declarations) if self._is(d, target)]
        # A name is taken by any sort of declaration: a verb cannot be added beside a constant of its name.
        return found or [i for i, d in enumerate(self.declarations) if self._clashes(d, target)]

    def _is(self, node: nodes.Declaration, target: TargetPath) -> bool:
        if isinstance(node, targets.LabelledDeclaration) and target[0] != "as":
            return targets.hangs_on(node, self.names) == target
        return targets.target_of(node, self.names) == target

    def _clashes(self, node: nodes.Declaration, target: TargetPath) -> bool:
        own = targets.target_of(node, self.names)
        return own is not None and len(own) != len(target) and overlap(own, target)

    def _labelled(self, at: int) -> targets.LabelledDeclaration:
        node = self.declarations[at]
        assert isinstance(node, targets.LabelledDeclaration)
        return node

    def _variable(self, target: TargetPath) -> tuple[int, nodes.StateDeclaration, nodes.VariableNode] | None:
        for i, state in enumerate(self.declarations):
            for variable in state.variables if isinstance(state, nodes.StateDeclaration) else ():
                assert isinstance(state, nodes.StateDeclaration)
                if targets.variable_target(state, variable) == target:
                    return i, state, variable
        return None

    def _no_target(self, new: nodes.Declaration, target: TargetPath) -> None:
        known = self._targets()
        cases = [shown(t) for t in known if t[:2] == target[:2] and len(t) == len(target) == 3]
        if cases and target[0] == "name":
            near = self.sink.near(shown(target), cases)
            listed = f"its cases are {', '.join(cases)}; a new case needs no `replace`"
            help = f"did you mean {near}?" if near else listed
            self.sink.report("E0604", f"there is no {shown(target)} to replace", new.span, "no such case", help=help)
            return
        words = [w for t in known if t[0] == target[0] and (w := targets.word_of(t)) is not None]
        span = (
            new.name.span
            if isinstance(new, targets.NamedDeclaration | nodes.VerbDeclaration | nodes.ValueDeclaration)
            else new.span
        )
        word = targets.word_of(target) or ""
        self._missing(target, span, f"there is no {shown(target)} to replace", words, word)


def _cited(scenario: nodes.ScenarioDeclaration) -> set[str]:
    return {node.id for node in walk(scenario) if isinstance(node, nodes.CiteNode)}


Cited: TypeAlias = nodes.Declaration | nodes.VariableNode | nodes.GameLineNode | nodes.AimLineNode


def _says_the_same(one: Cited, other: Cited) -> bool:
    """Returns whether two declarations are equal except perhaps for the clauses that they cite."""
    return attrs.evolve(one, cites=()) == attrs.evolve(other, cites=())


def _begins_with(row: nodes.RowNode, name: str) -> bool:
    first = row.cells[0] if row.cells else None
    return isinstance(first, nodes.NameExpression) and first.text == name
