"""Prints IR as text for people, as in `rulelang dump` and in snapshots of small games.

    verb take(p.1: Player, n.2: 1..3):
      heap = heap - n.2

Locals and loops carry their ids (`n.2`; `for 5 q.5 in players`, `stop 5`). Declarations are in the order of their ids,
so two dumps can be compared line by line. Nothing parses the text.

`IRPrinter` refers to declarations by name and id; a subclass in `ir.encoding.digest` by name alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

import attrs

from rulelang.ir import model as ir
from rulelang.ir.model.operators import OPERATORS
from rulelang.ir.types import (
    NONE,
    BadType,
    EnumType,
    FlagType,
    IntType,
    KindType,
    NoneType,
    RowType,
    SetType,
    Type,
)
from rulelang.ir.walk import walk

_VALUES_SHOWN = 24
"""The number of values after which a printed table is cut."""


def print_game(game: ir.GameRules) -> str:
    """Returns a game's IR as text, one declaration after another.

    >>> from rulelang.api import load
    >>> print(print_game(load("outspeed").ir).splitlines()[0])
    game outspeed "Outspeed": 3..6 players, seats green, red, blue, purple, yellow, orange
    """
    return "\n".join(IRPrinter(game).game()) + "\n"


def print_type(type: Type) -> str:
    """Returns a type as authors write it.

    >>> print_type(SetType(IntType(1, 3)))
    'set of 1..3'
    """
    return _name_of(type) + ("?" if type.optional else "")


def _name_of(type: Type) -> str:
    match type:
        case IntType(low=low, high=high):
            return f"{low}..{high}"
        case FlagType():
            return "flag"
        case EnumType(name=name) | KindType(name=name):
            return name
        case SetType(element=element):
            return f"set of {print_type(element)}"
        case RowType(data=data):
            return f"row of {data}"
        case NoneType():
            return "none"
        case BadType():
            return "bad"
        case _:
            assert_never(type)


@attrs.define
class IRPrinter:
    """Prints one game; `names` holds the name of each local by its id."""

    of: ir.GameRules
    names: dict[int, str] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.names = {node.id: node.name for node in walk(self.of) if isinstance(node, ir.Variable)}

    # -------------------------------------------------------------- declarations

    def game(self) -> Iterator[str]:
        of = self.of
        low, high = of.players
        yield f'game {of.id} "{of.title}": {low}..{high} players, seats {", ".join(of.seats)}'
        yield from self._things()
        for state in of.states:
            yield from self._variable(state)
        for zone in of.zones:
            yield from self._zone(zone)
        for value in of.values:
            yield from self._value(value)
        for data in of.data:
            yield from self._data(data)
        for hook in of.hooks:
            yield from self._hook(hook)
        for rule in of.whenevers:
            yield from self._whenever(rule)
        for procedure in of.procedures:
            yield from self._procedure(procedure)
        for choice in of.choices:
            yield from self._choice(choice)

    def _things(self) -> Iterator[str]:
        for kind in self.of.kinds:
            columns = ", ".join(f"{name}: {self.type(type)} = table {table}" for name, table, type in kind.columns)
            moved = "moves" if kind.movable else "stays"
            yield f"kind {kind.name}.{kind.id} {moved}: {', '.join(kind.names)}" + (f" | {columns}" if columns else "")
        for table in self.of.tables:
            yield from self._table(table, _VALUES_SHOWN)
        for die in self.of.dice:
            yield f"die {die.name}.{die.id}: {', '.join(map(str, die.faces))}"

    def _table(self, table: ir.Table, most: int | None = None) -> Iterator[str]:
        shown = " ".join(_number(v) for v in table.values[:most])
        cut = f" ... {len(table.values)} in all" if len(table.values[:most]) < len(table.values) else ""
        dimensions = ", ".join(self.type(d) for d in table.dimensions)
        yield f"table {self.named('tables', table.id)}({dimensions}): {self.type(table.type)} = {shown}{cut}"

    def _hook(self, hook: ir.Hook) -> Iterator[str]:
        of, procedure = self.named("procedures", hook.of), self.named("procedures", hook.procedure)
        yield f"hook {hook.when} {of}{self._if(hook.condition)}: {procedure}"

    def _whenever(self, rule: ir.Whenever) -> Iterator[str]:
        sources = self._over(rule.names, rule.sources)
        yield f"whenever {self.expression(rule.condition)}{sources}: {self.named('procedures', rule.procedure)}"

    def _variable(self, state: ir.StateVariable) -> Iterator[str]:
        name = self._declared("states", state.id, state.dimensions, state.initial_names)
        marks = "".join(f", {mark}" for mark in ("scratch", "option", "builtin") if getattr(state, mark))
        seen = "" if state.visible == "all" else f", seen by {self._seers(state.visible, state.seen_by)}"
        initial = "" if state.initial is None else f" = {self.expression(state.initial)}"
        yield f"state {name}: {self.type(state.type)}{initial}{seen}{marks}"

    def _zone(self, zone: ir.Zone) -> Iterator[str]:
        name = self._declared("zones", zone.id, zone.dimensions, zone.seen_names)
        capacity = "" if zone.capacity is None else f", at most {self.expression(zone.capacity)}"
        refills = "" if zone.refills_from is None else f", refills from {self.named('zones', zone.refills_from)}"
        seen = "" if zone.visible == "all" else f", seen by {self._seers(zone.visible, zone.seen_by)}"
        top = ", top face up" if zone.top_up else ""
        kind = self.of.kinds[zone.kind].name
        yield f"zone {name}: {zone.form} of {kind}{capacity}{refills}{seen}{top}"

    def _declared(self, what: str, id: int, dimensions: tuple[Type, ...], names: tuple[ir.Variable, ...]) -> str:
        inner = self._parameters(names) or ", ".join(self.type(dimension) for dimension in dimensions)
        name, owner = self.named(what, id), getattr(self.of, what)[id].owner
        prefix = f"{owner}." if owner and not name.startswith(f"{owner}.") else ""
        return prefix + name + (f"({inner})" if inner else "")

    def _seers(self, visible: str, by: ir.Expr | None) -> str:
        return visible if by is None else self.expression(by)

    def _value(self, value: ir.Value) -> Iterator[str]:
        deep = "" if value.deep is None else f", at most {value.deep} deep"
        yield f"value {self.named('values', value.id)}({self._parameters(value.parameters)}) -> {self.type(value.type)}{deep}:"
        for case in value.cases:
            yield f"  {self.expression(case.value)}{self._if(case.condition)}"
        yield from self._adjustments(value.adjustments)

    def _adjustments(self, adjustments: Iterable[ir.Adjustment]) -> Iterator[str]:
        for one in adjustments:
            yield f"  adjust {one.what} {self.expression(one.amount)}{self._if(one.condition)}"

    def _data(self, data: ir.DataTable) -> Iterator[str]:
        yield f"data {self.named('data', data.id)}({self._parameters(data.parameters)}), {data.keys} keys:"
        yield f"  rows {' '.join(map(str, data.rows))}"
        for column in data.columns:
            cells = ", ".join(self.expression(cell) for cell in column.cells)
            yield f"  {column.name}: {self.type(column.type)} = {cells}"
            yield from self._adjustments(column.adjustments)

    def _procedure(self, procedure: ir.Procedure) -> Iterator[str]:
        of = self.of
        what = of.rules[procedure.rule].what if procedure.rule is not None else "piece"
        marks = ", ".join(mark for mark in ("phase", "stops") if getattr(procedure, mark))
        deep = "" if procedure.recursion is None else f", at most {procedure.recursion} deep"
        begins = " begins" if procedure.id == of.main else " looks" if procedure.id == of.checkpoint else ""
        head = f"{what} {self.named('procedures', procedure.id)}({self._parameters(procedure.parameters)})"
        yield head + (f", {marks}" if marks else "") + deep + begins + ":"
        yield from self._body(procedure.body, 1)

    def _choice(self, choice: ir.Choice) -> Iterator[str]:
        who = self.expression(choice.who) if choice.who is not None else ""
        if choice.variable is not None and choice.source is not None:
            each = f"each {self._local(choice.variable)} in {self._source(choice.source)}{self._if(choice.condition)}"
            who = each
        marks = "".join(f", {mark}" for mark in ("sealed", "forced", "private") if getattr(choice, mark))
        clock = "" if choice.clock is None else f", against clock {choice.clock}"
        clock += "" if choice.seconds is None else f", declined after {choice.seconds} seconds"
        prompt = "" if choice.prompt is None else f" {self.template(choice.prompt)}"
        actor = "" if choice.actor is None else f" as {self._local(choice.actor)}"
        yield f"choice {self.named('choices', choice.id)} of {who}{actor}{marks}{clock}, empty {choice.empty}{prompt}:"
        for branch in choice.branches:
            yield from self._branch(branch)
        if choice.when_none:
            yield "  when none:"
            yield from self._body(choice.when_none, 2)

    def _branch(self, branch: ir.Branch) -> Iterator[str]:
        marks = "".join(f", {mark}" for mark in ("declines", "interrupt") if getattr(branch, mark))
        yield f"  branch {branch.name} by {self.named('rules', branch.rule)}{marks}:"
        for parameter in branch.parameters:
            some = ""
            if parameter.low is not None and parameter.high is not None:
                some = f"{self.expression(parameter.low)} to {self.expression(parameter.high)} of "
            yield f"    asks {self._local(parameter.variable, typed=True)} in {some}{self._source(parameter.domain)}"
        for need in branch.needs:
            message = "" if need.message is None else f" {self.template(need.message)}"
            yield f"    needs {self.expression(need.condition)} after {need.after}{message}"
        yield from self._body(branch.body, 2)

    # -------------------------------------------------------------- statements

    def _body(self, body: tuple[ir.Statement, ...], level: int) -> Iterator[str]:
        if not body:
            yield "  " * level + "nothing"
        for statement in body:
            yield from self._statement(statement, level)

    def _statement(self, statement: ir.Statement, level: int) -> Iterator[str]:
        margin = "  " * level
        match statement:
            case ir.When(branches=branches, otherwise=otherwise):
                word = "if"
                for condition, body, _ in branches:
                    yield f"{margin}{word} {self.expression(condition)}:"
                    yield from self._body(body, level + 1)
                    word = "elif"
                if otherwise:
                    yield f"{margin}else:"
                    yield from self._body(otherwise, level + 1)
            case ir.Loop() | ir.Simultaneous() | ir.Repeat():
                yield f"{margin}{self._loop(statement)}:"
                yield from self._body(statement.body, level + 1)
            case _:  # a statement without a body is one line
                yield margin + self._line(statement)

    def _loop(self, loop: ir.Loop | ir.Simultaneous | ir.Repeat) -> str:
        if isinstance(loop, ir.Repeat):
            times = "" if loop.times is None else f" {self.expression(loop.times)} times"
            condition = "" if loop.condition is None else f" while {self.expression(loop.condition)}"
            return f"repeat {self.loop(loop.id)}{times}{condition}{self.limit(loop)}"
        over = f"{self._local(loop.variable)} in {self._source(loop.source)}"
        if isinstance(loop, ir.Simultaneous):
            return f"simultaneously for {over}{self._if(loop.condition)}"
        return f"for {self.loop(loop.id)} {over}{self._keys(loop.keys)}{self._if(loop.condition)}"

    def stream(self, pick: ir.Pick) -> str:
        """Returns the name of the stream of a random pick."""
        return self.of.streams[pick.stream]

    def limit(self, loop: ir.Repeat) -> str:
        """Returns a `repeat`'s own limit of rounds without a choice, if it has one."""
        return "" if loop.limit is None else f", at most {loop.limit}"

    def _line(self, statement: ir.Statement) -> str:
        match statement:
            case ir.Bind():
                head = f"let {self._local(statement.variable, typed=True)} = {self.expression(statement.value)}"
                return head + self._clamps(statement)
            case ir.Assign():
                place = self._at(self.named("states", statement.place.state), statement.place.index)
                operator = "=" if statement.operator == "=" else f"{statement.operator}="
                return f"{place} {operator} {self.expression(statement.value)}{self._clamps(statement)}"
            case ir.Move():
                count = "" if statement.count is None else f"{self.expression(statement.count)} of "
                end = f" {statement.end}" if statement.end else ""
                to = self._at(self.named("zones", statement.to.zone), statement.to.index)
                return f"move {count}{self._source(statement.what)} to {to}{end}"
            case ir.Shuffle():
                return f"shuffle {self._at(self.named('zones', statement.zone), statement.index)}"
            case ir.Reveal():
                return f"reveal {self.expression(statement.things)}"
            case ir.Show():
                part = "" if statement.part == ir.WHOLE else f"{self.named('tables', statement.part)} of "
                return f"show {part}{self.expression(statement.things)} to {self.expression(statement.seats)}"
            case ir.Stop():
                return f"stop {self.loop(statement.loop)}"
            case ir.BeginBody():
                return f"begin {self.of.rules[statement.rule].name}({self._list(statement.arguments)})"
            case ir.EndBody():
                return f"end {self.of.rules[statement.rule].name}"
            case ir.Call() | ir.Defer():
                word = "defer" if isinstance(statement, ir.Defer) else "call"
                return f"{word} {self.named('procedures', statement.procedure)}({self._list(statement.arguments)})"
            case ir.Witness():
                return f"witness {self.local(statement.local)} of {self._list(statement.of)}"
            case ir.Finish():
                value = "" if statement.value is None else f" {self.expression(statement.value)}"
                return f"finish {statement.how}{value}"
            case ir.Fail(message=message):
                return f"fail {message!r}"
            case ir.Ask():
                return f"ask {self.named('choices', statement.choice)}"
            case _:  # any other statement prints as its fields do
                return " ".join((type(statement).__name__.lower(), *self._fields(statement)))

    def _clamps(self, statement: ir.Bind | ir.Assign) -> str:
        least = "" if statement.least is None else f", at least {self.expression(statement.least)}"
        return least + ("" if statement.most is None else f", at most {self.expression(statement.most)}")

    # -------------------------------------------------------------- expressions

    def expression(self, node: ir.Expr) -> str:
        """Returns an expression as text, with nested operators in brackets."""
        match node:
            case ir.Const():
                return _number(node.value)
            case ir.Local():
                return self.local(node.id)
            case ir.Read():
                return self._at(self.named("states", node.state), node.index)
            case ir.Column():
                return self._at(self.named("tables", node.table), node.of)
            case ir.Contents():
                return self._at(self.named("zones", node.zone), node.index)
            case ir.InSlot():
                return "slot " + self._at(self.named("zones", node.zone), node.index)
            case ir.TopOf():
                return f"top({self._at(self.named('zones', node.zone), node.index)})"
            case ir.PlaceOf() | ir.OwnerOf() | ir.FaceUp():
                return self._of_thing(node)
            case ir.Occurrences():
                return "occurrences"
            case ir.Foreseen(procedure=procedure, arguments=arguments, of=of):
                what = "occurrences" if of is None else self.expression(of)
                return f"{what} after {self.named('procedures', procedure)}({self._list(arguments)})"
            case ir.Way():
                ends = self._list((*node.around, node.start, *_given(node.end), node.within))
                return f"{'region' if node.end is None else 'way'}({self.named('tables', node.neighbours)}, {ends})"
            case ir.DirectedWay():
                ends = self._list((*node.around, node.start, *_given(node.end), node.within, node.directions))
                return f"directed_{'region' if node.end is None else 'way'}({self.named('tables', node.step)}, {ends})"
            case ir.CallValue():
                return f"{self.named('values', node.value)}({self._list(node.arguments)})"
            case ir.Cell():
                column = self.of.data[node.data].columns[node.column].name
                return f"{self.named('data', node.data)}({self._list(node.arguments)}).{column}"
            case ir.HasRow():
                return f"has_row({self.named('data', node.data)}, {self._list(node.arguments)})"
            case ir.Op():
                return self._operator(node)
            case ir.And() | ir.Or():
                word = " and " if isinstance(node, ir.And) else " or "
                return word.join(self._inner(a) for a in node.arguments)
            case ir.Either():
                parts = (self._inner(part) for part in (node.then, node.condition, node.otherwise))
                return "{} if {} else {}".format(*parts)
            case ir.Over():
                return self._comprehension(node)
            case ir.Roll():
                times = "" if node.times is None else f", {self.expression(node.times)}"
                return f"roll({self.expression(node.die)}{times})"
            case ir.Pick():
                return f"random({self.stream(node)}: {self._source(node.of)})"
            case ir.Counted():
                return f"{self.expression(node.of)} of {node.many}"
            case ir.Bound():
                return f"{'most' if node.most else 'least'}({self.expression(node.of)})"
            case _:  # any other expression prints as its fields do
                return f"{type(node).__name__.lower()}({', '.join(self._fields(node))})"

    def _of_thing(self, node: ir.PlaceOf | ir.OwnerOf | ir.FaceUp) -> str:
        thing = self.expression(node.thing)
        match node:
            case ir.PlaceOf():
                return f"place({thing})"
            case ir.OwnerOf():
                return f"owner({node.owner}, {thing})"
            case ir.FaceUp():
                return f"face_up({thing})"
            case _:
                assert_never(node)

    def _operator(self, node: ir.Op) -> str:
        if (sign := OPERATORS[node.name].sign) and len(node.arguments) == 2:
            return f" {sign} ".join(self._inner(a) for a in node.arguments)
        if node.name == "single":
            return f"{{{self._list(node.arguments)}}}"
        return f"{node.name}({self._list(node.arguments)})"

    def _comprehension(self, node: ir.Over) -> str:
        value = "" if node.value is None else self.expression(node.value)
        head = f"{value}{self._over(node.names, node.sources)}{self._keys(node.keys)}{self._if(node.condition)}"
        return f"{{{head.strip()}}}" if node.what == "set" else f"{node.what}({head.strip()})"

    def _inner(self, node: ir.Expr) -> str:
        text = self.expression(node)
        is_signed = isinstance(node, ir.Op) and bool(OPERATORS[node.name].sign)
        compound = is_signed or isinstance(node, (ir.And, ir.Or, ir.Either))
        return f"({text})" if compound else text

    # -------------------------------------------------------------- parts

    def _fields(self, node: ir.Statement | ir.Expr) -> Iterator[str]:
        """Yields the fields of a node that play may depend on, so that what prints alike plays alike."""
        for field in attrs.fields(type(node)):
            if field.eq and field.name != "site":
                yield self._field(getattr(node, field.name))

    def _field(self, part: object) -> str:
        match part:
            case ir.Source():
                return self._source(part)
            case ir.Variable():
                return self._local(part, typed=True)
            case tuple():
                return f"[{', '.join(map(self._field, part))}]"
            case None | str() | int():
                return "none" if part is None else str(part)
            case _:  # any other part is an expression, a place or an order
                return self.expression(part)  # type: ignore[arg-type]

    def _over(self, names: tuple[ir.Variable, ...], sources: tuple[ir.Source, ...]) -> str:
        pairs = zip(names, sources, strict=True)
        return "".join(
            f"{' for' if i == 0 else ','} {self._local(n)} in {self._source(s)}" for i, (n, s) in enumerate(pairs)
        )

    def _source(self, source: ir.Source) -> str:
        parts = [] if source.pile is None else ["pile " + self.expression(source.pile)]
        if source.mask is not None:
            parts.append(self.expression(source.mask))
        return " within ".join(parts)

    def _keys(self, keys: tuple[ir.Order, ...]) -> str:
        words = (f"{'highest' if key.highest else 'lowest'} {self.expression(key.value)}" for key in keys)
        return f" by {', '.join(words)}" if keys else ""

    def _if(self, condition: ir.Expr | None) -> str:
        return "" if condition is None else f" if {self.expression(condition)}"

    def _list(self, nodes: Iterable[ir.Expr]) -> str:
        return ", ".join(self.expression(node) for node in nodes)

    def _at(self, name: str, index: tuple[ir.Expr, ...]) -> str:
        return f"{name}[{self._list(index)}]" if index else name

    def named(self, what: str, id: int) -> str:
        """Returns the printed name of a member of `states`, `zones`, `values`, `procedures`, `choices` and so on."""
        return f"{getattr(self.of, what)[id].name}.{id}"

    def local(self, id: int) -> str:
        """Returns the printed name of a local."""
        return f"{self.names.get(id, '?')}.{id}"

    def loop(self, id: int) -> str:
        """Returns the printed name of a loop."""
        return str(id)

    def type(self, type: Type) -> str:
        """Returns a type as text."""
        return print_type(type)

    def _parameters(self, variables: Iterable[ir.Variable]) -> str:
        return ", ".join(self._local(variable, typed=True) for variable in variables)

    def _local(self, variable: ir.Variable, *, typed: bool = False) -> str:
        return self.local(variable.id) + (f": {self.type(variable.type)}" if typed else "")

    def template(self, template: ir.Template) -> str:
        """Returns words for people, in quotes, with holes in braces."""
        parts = (part if isinstance(part, str) else f"{{{self.expression(part)}}}" for part in template.parts)
        return f'"{"".join(parts)}"'


def _given(expr: ir.Expr | None) -> tuple[ir.Expr, ...]:
    return () if expr is None else (expr,)


def _number(value: int) -> str:
    return "none" if value == NONE else str(value)
