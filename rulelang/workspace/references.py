"""Trees -> where every name in them is declared, and where it is used.

    constant heap = 21          a Definition of `heap`
    heap -= n                   a use of it, and one of the parameter `n`

Names are followed through the trees alone, so half a game is enough: a line that cannot be read hides what it declares,
and nothing else. If several declarations share a name (a member of two enums, a variable of players and of ships), the
type decides. Types are known for whatever could be lowered (`World.meant`); elsewhere all declarations of that name
count. All variants and scenarios are searched, whichever are in force.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

import attrs

from rulelang.source import Span
from rulelang.syntax import nodes
from rulelang.syntax.nodes.walk import parts_of
from rulelang.workspace.definitions import Definable, Definition, DefinitionTable, Meant, References


def references(
    module: nodes.ModuleNode,
    variants: Iterable[nodes.VariantDeclaration] = (),
    scenarios: Iterable[nodes.ScenarioDeclaration] = (),
    meant: Meant | None = None,
    spaces: Mapping[str, tuple[str, ...]] | None = None,
) -> References:
    """Returns the definitions and uses of names in a game, all its variants and all its scenarios.

    `meant` holds the owners that types have decided (`World.meant`), `spaces` the boards of each space of a drawn map.

    >>> from rulelang.source import SourceText
    >>> from rulelang.syntax.parser import parse
    >>> found = references(parse(SourceText("nim.rules", "constant heap = 21\\nconstant most = heap\\n")).module)
    >>> [(r.span.place, r.definitions[0].span.place) for r in found.uses]
    [('nim.rules:2:17', 'nim.rules:1:10')]
    """
    declarations = (*module.declarations, *variants, *scenarios)
    table = declared(declarations, {} if meant is None else meant, {} if spaces is None else spaces)
    return within(table, declarations)


def declared(
    declarations: Sequence[nodes.Declaration], meant: Meant, spaces: Mapping[str, tuple[str, ...]]
) -> DefinitionTable:
    """Returns the definitions of all names but the locals of bodies; the uses are left to `within`."""
    table = DefinitionTable(meant, spaces)
    for declaration in declarations:
        table.gather(declaration)
    table.gather_options(one for one in declarations if not isinstance(one, nodes.ScenarioDeclaration))
    return table


def within(table: DefinitionTable, declarations: Iterable[nodes.Declaration]) -> References:
    """Returns all definitions of a table, with the locals and the uses inside some declarations."""
    own = attrs.evolve(table, definitions=[*table.definitions], uses=[], unknown=[])
    walker = _Walker(own)
    for declaration in declarations:
        walker.visit(declaration)
    return References(tuple(own.definitions), tuple(own.uses), tuple(own.unknown))


# ------------------------------------------------------------------ inside declarations


Scope: TypeAlias = dict[str, Definition]


@attrs.define
class _Walker:
    """Walks a tree and keeps track of the locals in scope."""

    table: DefinitionTable
    scopes: list[Scope] = attrs.field(factory=lambda: [{}])

    def visit(self, node: object) -> None:
        """Walks a node or a tuple of nodes; a node without a case of its own is walked part by part."""
        match node:
            case tuple():
                for part in node:
                    self.visit(part)
            case nodes.NameExpression(text=text, span=span):
                self._name(text, span)
            case nodes.IdentNode(text=text, span=span):
                self._name(text, span)
            case nodes.NamedTypeNode(name=name, span=span):
                self._name(name, span)
            case nodes.AttributeExpression(of=of, name=name):
                self.visit(of)
                self._attribute(of, name)
            case nodes.ComprehensionExpression():
                starts, keys = _starts(node.keys)
                self._inside(starts, node.binders, keys, node.condition, node.element)
            case nodes.AggregateExpression(comprehension=comprehension):
                self.visit(comprehension)
            case nodes.CountedExpression(number=number, noun=noun):
                self.visit(number)
                if noun.text in self.table.margin:  # else it is a word of the sentence: `{n of leg}`
                    self._name(noun.text, noun.span)
            case nodes.BinderNode(name=name, domain=domain, condition=condition):
                self.visit(domain)
                self._bind(name, "name")
                self.visit(condition)
            case nodes.FieldLineNode(type=type, default=default, key=key):
                self.visit((tuple(one.type for one in key), type, default))
            case nodes.Statement():
                self._statement(node)
            case nodes.Declaration() | nodes.Operation():
                self._declaration(node)
            case nodes.ScenarioStep():
                self._step(node)
            case nodes.Node():
                self._parts(node)
            case _:  # a text or a number names nothing
                pass

    def _parts(self, node: nodes.Node, *skipped: str) -> None:
        for field, part in parts_of(node):
            if field not in skipped:
                self.visit(part)

    def _inside(self, *parts: object) -> None:
        """Walks parts in order, in a scope of their own: each sees the names that those before it bind."""
        self.scopes.append({})
        for part in parts:
            self.visit(part)
        self.scopes.pop()

    def _bind(self, name: nodes.IdentNode, what: Definable) -> None:
        self.scopes[-1][name.text] = self.table.define(None, name.text, what, name.span)

    # ------------------------------------------------------------------ names

    def _local(self, text: str) -> Definition | None:
        return next((scope[text] for scope in reversed(self.scopes) if text in scope), None)

    def _name(self, text: str, span: Span) -> None:
        local = self._local(text)
        if local is not None:
            self.table.use(span, (local,))
        else:
            self.table.use(span, (*self.table.margin.get(text, ()), *self._called(text)))

    def _called(self, text: str) -> Iterator[Definition]:
        """Yields the meanings of a name that is not declared at the top level."""
        if text not in self.table.margin:
            yield from self.table.labels.get(text, ())
            yield from self.table.stacks.get(text, ())
            # A line of a screen refers to its subject by the name that a `names` line gives its type.
            yield from self.table.shared.get(text, ())

    def _attribute(self, of: nodes.Expression, name: nodes.IdentNode) -> None:
        owned = self.table.owned.get(name.text, ())
        if isinstance(of, nodes.NameExpression) and self._local(of.text) is None:
            # `Colour.red`, `Player.white`; or `Square.man`, as a history names it.
            named = [d for d in self.table.margin.get(name.text, ()) if d.owner == of.text]
            own = [d for d in owned if d.owner == of.text]
            if named or own:
                self.table.use(name.span, named or own)
                return
        self.table.use(name.span, owned)

    # ------------------------------------------------------------------ statements

    def _statement(self, node: nodes.Statement) -> None:
        match node:
            case nodes.LetStatement(name=name, value=value, clamps=clamps):
                self.visit((value, clamps))
                self._bind(name, "let")
            case nodes.IfStatement(branches=branches, otherwise=otherwise):
                for branch in branches:
                    self._inside(branch.condition, branch.body)
                self._inside(otherwise)
            case nodes.ForStatement(binder=binder, keys=keys, condition=condition, body=body, around=around):
                starts, keys = _starts(keys)
                self._inside(starts, around, binder, keys, condition, body)
            case nodes.RepeatStatement(while_=while_, times=times, body=body):
                self._inside(while_, times, body)
            case nodes.TurnsStatement(name=name, start=start, then=then, body=body):
                self.visit(start)
                self.scopes.append({})
                self._bind(name, "name")
                self.visit((then, body))
                self.scopes.pop()
            case nodes.ChooseStatement():
                self._choose(node)
            case _:  # no other statement binds a name
                self._parts(node)

    def _choose(self, node: nodes.ChooseStatement) -> None:
        chosen = (
            node.target if isinstance(node.target, nodes.NameExpression) and self._is_new(node.target.text) else None
        )
        self.scopes.append({})
        starts, keys = _starts(node.chooser.keys)
        self.visit((starts, node.chooser.each, keys, node.chooser.who, node.chooser.condition))
        self.visit((None if chosen is not None else node.target, node.domain))
        if chosen is not None:
            self._bind(nodes.IdentNode(chosen.text, span=chosen.span), "choice")
        self.visit((node.actions, node.seconds, node.prompt))
        for option in node.options:
            self._option(option)
        inside = self.scopes.pop()
        if chosen is not None:
            self.scopes[-1][chosen.text] = inside[chosen.text]

    def _is_new(self, text: str) -> bool:
        return self._local(text) is None and text not in self.table.margin

    def _option(self, option: nodes.OptionNode) -> None:
        """Walks an option declared in a choice, or the name of an action offered by it."""
        if self.table.names_action(option):
            self._name(option.name.text, option.name.span)
        self.scopes.append({})
        self._parameters(option.parameters)
        self.visit((option.label, option.told, option.shows, option.needs, option.body))
        self.scopes.pop()

    def _parameters(self, parameters: tuple[nodes.ParameterNode, ...]) -> None:
        """Walks parameters. A bare name for which no `names` line gives a type is the member, thing or seat of a case."""
        for parameter in parameters:
            name = parameter.name
            self.visit((parameter.type, parameter.domain))
            shared = self.table.shared.get(name.text, ())
            named = self.table.margin.get(name.text, ())
            if shared:
                self.table.use(name.span, shared)
            if parameter.type is None and not shared and parameter.domain is None and name.text != "you" and named:
                self.table.use(name.span, named)
            else:
                self._bind(name, "parameter")

    # ------------------------------------------------------------------ declarations

    def _declaration(self, node: nodes.Declaration | nodes.Operation) -> None:
        self.scopes.append({})
        match node:
            case nodes.AddOperation(declaration=declaration) | nodes.ReplaceOperation(declaration=declaration):
                self.visit(declaration)
            case nodes.VariantDeclaration(of=of, title=title, operations=operations):
                self.table.use(of.span, self.table.stacks.get(of.text, ()))
                self.visit((title, operations))
            case nodes.RemoveOperation(name=name):
                self._name(name.text, name.span)
            case nodes.VoidOperation(scenario=scenario):
                self.table.use(scenario.span, self.table.titles.get(scenario.raw, ()))
            case nodes.ChangeFieldOperation(kind=kind, condition=condition, field=field, value=value):
                self.visit(kind)
                self._columns_of(kind.text)
                self.visit((condition, value))
                self._owned(kind.text, field)
            case nodes.ChangeColumnOperation(table=table, column=column):
                self.visit((table, column))
                self._owned(table.text, column.name)
            case nodes.AddRowsOperation(table=table, rows=rows):
                self.visit(table)
                self._rows(table.text, rows)
            case nodes.AddMembersOperation(enum=enum):
                self.visit(enum)
            case nodes.GameDeclaration(title=title, lines=lines):
                self.visit((title, tuple(line for line in lines if line.what != "seats")))
            case nodes.SetGameLineOperation(line=line):
                self.visit(line if line.what != "seats" else None)
            case nodes.GameLineNode(value=value, parts=parts):
                self.visit((value, parts))
            case nodes.NamesDeclaration(groups=groups):
                self.visit(tuple(type for _, type in groups))
            case nodes.ScenarioDeclaration(options=options, steps=steps):
                self.visit((options, steps))
            case _:  # any other declaration may have parameters
                self._with_parameters(node)
        self.scopes.pop()

    def _with_parameters(self, node: nodes.Declaration | nodes.Operation) -> None:
        match node:
            case nodes.KindDeclaration(name=name, label=label, plural=plural, told=told, fields=fields, rows=rows):
                self.visit((label, plural, fields))
                # The texts of a thing may read the columns of its row.
                self._columns_of(name.text)
                self.visit(tuple(line.text for line in told))
                self._rows(name.text, rows)
            case nodes.BoardDeclaration(name=name, label=label, fields=fields, rows=rows, of=of):
                self.visit((label, of, fields))
                self._rows(name.text, rows)
            case nodes.DataDeclaration(name=name, parameters=parameters, fields=fields, rows=rows):
                self._parameters(parameters)
                self.visit(fields)
                self._rows(name.text, rows)
            case nodes.ClockDeclaration(name=name, type=type, rows=rows):
                self.visit(type)
                self._rows(name.text, rows)
            case nodes.StateDeclaration(owner=owner, variables=variables):
                self.visit(owner)
                for variable in variables:
                    self.scopes.append(self._own(owner))
                    self._parameters(variable.parameters)
                    self.visit((variable.type, variable.initial, variable.modifiers))
                    self.scopes.pop()
            case nodes.AdjustDeclaration(name=name, parameters=parameters, column=column):
                self._name(name.text, name.span)
                self._parameters(parameters)
                if column is not None:
                    self._owned(name.text, column)
                self.visit((node.changes, node.condition))
            case nodes.HookDeclaration(verb=verb, parameters=parameters, condition=condition, body=body):
                self._name(verb.text, verb.span)
                self._parameters(parameters)
                self.visit((condition, node.chooser, body))
            case nodes.ValueDeclaration(parameters=parameters):
                self._parameters(parameters)
                self._parts(node, "name", "parameters")
            case nodes.VerbDeclaration(parameters=parameters) | nodes.ActionDeclaration(parameters=parameters):
                self._parameters(parameters)
                self._parts(node, "name", "parameters")
            case nodes.WheneverDeclaration(condition=condition, binders=binders, filter=filter, body=body):
                self.visit(
                    (node.chooser, _starts(node.keys)[0], binders, _starts(node.keys)[1], filter, condition, body)
                )
            case nodes.EnumDeclaration(members=members):
                self.visit(tuple(m.says for m in members if isinstance(m, nodes.NamedNode) and m.says is not None))
            case nodes.DrawingDeclaration(board=board):
                self.visit(board)
            case nodes.AimDeclaration(lines=lines):
                self._aim(lines)
            case nodes.ScreenDeclaration(lines=lines):
                for line in lines:
                    self._screen_line(line)
            case _:  # no other declaration has parameters
                self._parts(node, "name")

    def _aim(self, lines: tuple[nodes.AimLineNode, ...]) -> None:
        for line in lines:
            for name in line.names:
                # A flow is named by its keyword, which declares nothing.
                if name.text not in ("setup", "play"):
                    self._name(name.text, name.span)
            self.visit((line.fields, line.told))

    def _screen_line(self, line: nodes.ScreenLineNode) -> None:
        """Walks a line of a screen: the names that `{x in S if c}` binds are in scope in the rest of the line."""
        match line.subject:
            case nodes.SetOfExpression(
                comprehension=nodes.ComprehensionExpression(binders=binders, condition=condition)
            ):
                subject: object = (binders, condition)
            case _:  # any other subject is an expression
                subject = line.subject
        rest = tuple(part for field, part in parts_of(line) if field not in ("binder", "subject", "fanned"))
        self._inside(line.binder, subject, rest)

    def _own(self, owner: nodes.IdentNode | None) -> Scope:
        """Returns the scope inside a variable of an owner, whose name
        in lower case stands for it: `founder` in `each Founder has`.
        """
        found = self.table.margin.get(owner.text, ()) if owner is not None else ()
        return {d.name[0].lower() + d.name[1:]: d for d in found}

    def _owned(self, owner: str, name: nodes.IdentNode) -> None:
        self.table.use(name.span, [d for d in self.table.owned.get(name.text, ()) if d.owner == owner])

    def _columns_of(self, owner: str) -> None:
        """Brings the columns of a kind into scope under their bare names."""
        for name, found in self.table.owned.items():
            for definition in found:
                if definition.owner == owner:
                    self.scopes[-1][name] = definition

    def _rows(self, owner: str, rows: tuple[nodes.RowNode, ...]) -> None:
        """Walks the rows of a table: the first row names columns or members, the others hold expressions. A thing's
        own name is its definition, so it is no use.
        """
        known = {d.span for d in self.table.definitions if d.what == "thing" and d.owner == owner}
        for row in rows:
            for cell in row.cells:
                if not isinstance(cell, nodes.NameExpression) or cell.span not in known:
                    self._cell(owner, cell)

    def _cell(self, owner: str, cell: nodes.Expression | nodes.TextNode | None) -> None:
        name = cell.function if isinstance(cell, nodes.CallExpression) else cell
        if isinstance(name, nodes.NameExpression):
            own = [d for d in self.table.owned.get(name.text, ()) if d.owner == owner]
            if own:
                self.table.use(name.span, own)
                self.visit(cell.arguments if isinstance(cell, nodes.CallExpression) else None)
                return
        self.visit(cell)

    # ------------------------------------------------------------------ scenarios

    def _step(self, node: nodes.ScenarioStep) -> None:
        match node:
            case nodes.PlayersStep(names=names):
                for name in names:
                    if self.table.margin.get(name.text):
                        self._name(name.text, name.span)
                    else:
                        self._bind(name, "seat")
            case nodes.LoneStep():
                pass
            case nodes.DrawnStep(zone=nodes.NameExpression(text=text, span=span), first=first, at=at):
                self.table.use(span, self.table.owned.get(text, ()))
                self.visit((first, at))
            case _:  # no other line binds a name
                self._parts(node)


def _starts(keys: tuple[nodes.KeyNode, ...]) -> tuple[tuple[nodes.KeyNode, ...], tuple[nodes.KeyNode, ...]]:
    """Returns the part of an order behind `from`, which does not see the name that the order is of, and the rest."""
    return tuple(key for key in keys if key.starts or key.chosen), tuple(
        key for key in keys if not (key.starts or key.chosen)
    )
