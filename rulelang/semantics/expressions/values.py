"""Values: cases, patterns, adjustments, recursion.

A value without a declared type has the type of its body, which is lowered when the type is first needed. A value that
returns a data row is expanded wherever it is used.

    value reach(p) -> 0..9 =                 Value(cases=((tech == 5, 6), (tech >= 3, 5), (None, 4)))
      6 if p.tech == 5
    adjust reach(p): +1 if p.race == elf     Value(adjustments=(("+", 1, race == elf),))
"""

from __future__ import annotations

import attrs

from rulelang.diagnostics.model import Label
from rulelang.ir import model as ir
from rulelang.ir.types import NONE, BadType, EnumType, FlagType, IntType, KindType, NoneType, RowType, SetType, Type
from rulelang.ir.walk import is_larger, rewrite
from rulelang.semantics.expressions.templates import template
from rulelang.semantics.names.coercion import (
    arguments_of,
    coerce,
    condition,
    constant,
    demand_number,
    lower,
    number_of,
    small,
)
from rulelang.semantics.names.literals import report_several, values_named
from rulelang.semantics.names.negatives import in_form_of
from rulelang.semantics.names.scope import BUILTINS, MOST_CALLS, DataName, Env, ValueName, World
from rulelang.semantics.names.type_relations import BAD, NOTHING, Typed, fits, join, name_of
from rulelang.semantics.names.type_syntax import written_type
from rulelang.source import Span
from rulelang.syntax import nodes

MOST_DEEP = 4096
"""The deepest that a value may call itself: once for each space of the largest board."""


@attrs.frozen
class Head:
    """A declaration's parameters: variables, and the patterns of a case as (position, constant)."""

    variables: tuple[ir.Variable, ...]
    patterns: tuple[tuple[int, int], ...]


SHORT = 8
"""The most nodes of a `let` that is expanded wherever its name is read; a larger one becomes a value of its own."""


def head_of(
    world: World,
    parameters: tuple[nodes.ParameterNode, ...],
    like: tuple[ir.Variable, ...] = (),
    cases_of: tuple[ir.Variable, ...] = (),
) -> Head:
    """Returns the parameters of a head; a bare name is a parameter
    of a `names` line, or the member, thing or seat of a case.

    `like` are the parameters of the verb or value that a hook or adjustment belongs to: they give a bare name its type.
    `cases_of` are those of the first case: their types decide between several values with one name.
    """
    variables, patterns = [], []
    for i, parameter in enumerate(parameters):
        name = parameter.name.text
        if name in BUILTINS and name != "you":
            world.sink.report("E0203", f"`{name}` is built in and cannot be a parameter", parameter.name.span)
        if parameter.type is not None:
            variables.append(world.variable(name, written_type(world, parameter.type)))
        elif name in world.parameter_types:
            variables.append(world.variable(name, world.parameter_types[name]))
        elif name == "you":
            variables.append(world.variable(name, world.player))
        elif values_named(world, name):
            type, value = _case_of(world, parameter.name, (like or cases_of)[i : i + 1])
            if isinstance(type, EnumType | KindType):
                world.mean(parameter.name.span, type.name)
            variables.append(world.variable(f"{name} ", type))
            patterns.append((i, value))
        elif i < len(like):
            if name in world.seats and like[i].type.certain() == world.player:
                help = f"write `if {like[i].name} == {name}` behind the head, or call the parameter otherwise"
                message = f"`{name}` is any player here, not the seat of that name"
                world.sink.report("W0508", message, parameter.name.span, "a parameter", help=help)
            variables.append(world.variable(name, like[i].type))
        elif name in world.seats:
            variables.append(world.variable(f"{name} ", world.player))
            patterns.append((i, world.seats.index(name)))
            world.named_seats.add(name)
        else:
            world.sink.report(
                "E0208",
                f"what is `{name}`?",
                parameter.span,
                "this parameter has no type",
                help=f"write `{name}: TYPE`, or say it once for all with `names {name}: TYPE`",
            )
            variables.append(world.variable(name, BAD))
        world.note_local(parameter.name.span, variables[-1].type)
    return Head(tuple(variables), tuple(patterns))


def _case_of(world: World, name: nodes.IdentNode, like: tuple[ir.Variable, ...]) -> tuple[Type, int]:
    """Returns the type and value of a pattern; of several values with that name, the one of the parameter's type."""
    found = values_named(world, name.text)
    for parameter in like:
        fitting = [value for type, value in found if type == parameter.type.certain()]
        if fitting:
            return parameter.type.certain(), fitting[0]
        if not isinstance(parameter.type, BadType):
            types = " or ".join(dict.fromkeys(name_of(type) for type, _ in found))
            message = f"`{name.text}` is {types}, this parameter is {name_of(parameter.type)}"
            world.sink.report("E0303", message, name.span, "never equal")
        return BAD, 0
    if len(found) > 1:
        report_several(world, name.text, name.span, [type for type, _ in found])
        return BAD, 0
    return found[0]


def match_condition(
    world: World, variables: tuple[ir.Variable, ...], patterns: tuple[tuple[int, int], ...]
) -> ir.Expr | None:
    """Returns the condition under which the patterns of a case match; None without patterns."""
    tests: list[ir.Expr] = []
    for i, value in patterns:
        given, all_named = ir.Local(variables[i].id), world.namesakes(variables[i].type.certain(), value)
        several = all_named.bit_count() > 1
        tests.append(ir.Op("in", (given, ir.Const(all_named))) if several else ir.Op("==", (given, ir.Const(value))))
    if not tests:
        return None
    return tests[0] if len(tests) == 1 else ir.And(tuple(tests))


def report_repeated_cases(world: World, cases: list[tuple[tuple[tuple[int, int], ...], Span]]) -> None:
    """Reports a case of a verb or value with the patterns of
    an earlier one; `cases` are the patterns and places of all.
    """
    first: dict[tuple[tuple[int, int], ...], Span] = {}
    for patterns, span in cases:
        if patterns in first:
            labels = (Label(first[patterns], "for the same"),)
            world.sink.report("E0410", "this case is never reached", span, "the one above always fits", labels=labels)
        first.setdefault(patterns, span)


def scope_of(variables: tuple[ir.Variable, ...], head: Head) -> Env:
    """Returns the scope of one case: the shared variables of all cases, under the names in its head."""
    names = {own.name: shared for own, shared in zip(head.variables, variables, strict=False)}
    patterned = {i for i, _ in head.patterns}
    return Env(locals={n: v for i, (n, v) in enumerate(names.items()) if i not in patterned})


def declare_value(world: World, node: nodes.ValueDeclaration) -> None:
    """Enters a value, or one more case of it."""
    known = world.globals.get(node.name.text)
    if isinstance(known, ValueName) and _has_pattern(world, node.parameters):
        known.declarations.append(node)
        return
    head = head_of(world, node.parameters)
    declared = written_type(world, node.type) if node.type is not None else None
    deep = None if node.deep is None else _depth(world, node.deep)
    value = ValueName(len(world.values), node.name.text, head.variables, [node], declared, deep, node.name.span)
    value.type = declared
    before = len(world.globals)
    world.declare(node.name, value)
    if len(world.globals) > before:
        world.values.append(value)


def _depth(world: World, node: nodes.Expression) -> int | None:
    """Returns the declared depth of a value that calls itself; reports an impossible one."""
    deep = constant(world, node)
    if deep is not None and not 0 <= deep <= MOST_DEEP:
        world.sink.report("E0406", f"a value calls itself up to {MOST_DEEP} deep", node.span, f"not {deep}")
    return deep


def _has_pattern(world: World, parameters: tuple[nodes.ParameterNode, ...]) -> bool:
    return any(
        p.type is None
        and p.name.text not in world.parameter_types
        and (values_named(world, p.name.text) or p.name.text in world.seats)
        for p in parameters
    )


def call_value(world: World, env: Env, value: ValueName, arguments: tuple[nodes.Expression, ...], span: Span) -> Typed:
    """Lowers a call of a value; a value that returns a data row is expanded."""
    lowered = arguments_of(world, env, arguments, tuple(v.type for v in value.parameters), value.name, span)
    if lowered is None:
        return NOTHING
    if _returns_row(world, value):
        return _spell_out(world, value, lowered, span)
    type = type_of_value(world, value, span)
    if isinstance(type, BadType):
        return NOTHING
    return Typed(ir.CallValue(value.id, tuple(a.ir for a in lowered)), type)


def _returns_row(world: World, value: ValueName, seen: tuple[str, ...] = ()) -> bool:
    """Returns whether a value is nothing but `DATA(…)`, or a call of another such value, so that it returns a lazy row."""
    node = value.declarations[0] if value.declarations else None
    if (
        node is None
        or node.lets
        or len(value.declarations) > 1
        or len(node.cases) != 1
        or node.cases[0].condition is not None
    ):
        return False
    body = node.cases[0].value
    if not isinstance(body, nodes.CallExpression) or not isinstance(body.function, nodes.NameExpression):
        return False
    meaning = world.globals.get(body.function.text)
    if isinstance(meaning, ValueName) and meaning.name not in (value.name, *seen):
        return _returns_row(world, meaning, (*seen, value.name))
    return isinstance(meaning, DataName)


def _spell_out(world: World, value: ValueName, arguments: tuple[Typed, ...], span: Span) -> Typed:
    if not all(small(world, argument, span) for argument in arguments):
        return NOTHING
    names = {v.name: a for v, a in zip(value.parameters, arguments, strict=True)}
    env = Env(
        aliases={n: a.ir for n, a in names.items()},
        alias_types={n: a.type for n, a in names.items()},
        dice=True,
    )
    return lower(world, env, value.declarations[0].cases[0].value)


def type_of_value(world: World, value: ValueName, span: Span) -> Type:
    """Returns a value's type, lowering its body if the type was not declared."""
    if value.type is not None:
        return value.type
    if value.busy:
        world.sink.report(
            "E0405",
            f"`{value.name}` depends on itself",
            span,
            "asked for again here",
            labels=(Label(value.span, "while this is worked out"),),
            help="a value that calls itself says its type and how deep: `value v(x) -> 0..9, at most 6 deep = …`",
        )
        return BAD
    if sum(v.busy for v in world.values) > MOST_CALLS:
        world.sink.report(
            "E0406", f"`{value.name}` is asked for through too many others", span, f"more than {MOST_CALLS}"
        )
        return BAD
    lower_value(world, value)
    return value.type or BAD


def lower_value(world: World, value: ValueName) -> None:
    """Lowers the cases of a value, once; its faults are reported even if who asks for it first reports none."""
    if value.lowered is not None or value.busy:
        return
    with world.reporting(world.declared), world.passing((nodes.ValueDeclaration.__name__, value.name)):
        _lower_value(world, value)


def _lower_value(world: World, value: ValueName) -> None:
    if _returns_row(world, value):
        value.type = RowType(value.name)
        value.lowered = ir.Value(value.id, value.name, value.parameters, IntType(0, 0), ())
        return
    value.busy = True
    cases: list[ir.ValueCase] = []
    results: list[Type] = []
    found: Type = NoneType(optional=True)
    patterns: list[tuple[tuple[tuple[int, int], ...], Span]] = []
    for node in value.declarations:
        head = head_of(world, node.parameters, cases_of=value.parameters)
        # A case that may have no result falls through to the next, so it may be repeated.
        patterns += [(head.patterns, node.name.span)] if node.cases and node.cases[-1].condition is None else []
        if len(head.variables) != len(value.parameters):
            world.sink.report("E0207", f"the cases of `{value.name}` take different numbers of arguments", node.span)
            continue
        found = _lower_cases(world, value, node, head, cases, found, results)
    report_repeated_cases(world, patterns)
    if value.declared is None:
        value.type = found
        cases = [
            attrs.evolve(case, value=in_form_of(world, Typed(case.value, type), found))
            for case, type in zip(cases, results, strict=True)
        ]
    site = world.site("value", value.span, value.declarations[0].cites)
    value.lowered = ir.Value(
        value.id,
        value.name,
        value.parameters,
        value.type or BAD,
        tuple(cases),
        deep=value.deep,
        site=site,
        called=_words(world, value, [node.called for node in value.declarations]),
        denied=_words(world, value, [node.denied for node in value.declarations]),
    )
    for denied in (node.denied for node in value.declarations if node.denied is not None):
        if not isinstance(value.type, FlagType | BadType):
            world.sink.report("E0301", "only a condition has a text for when it does not hold", denied.span)
    value.busy = False


def _words(world: World, value: ValueName, said: list[nodes.TextNode | None]) -> ir.Template | None:
    """Returns the first words for a value that its cases say; reports a hole that is none of its keys."""
    text = next((text for text in said if text is not None), None)
    if text is None:
        return None
    scope = scope_of(value.parameters, head_of(world, value.declarations[0].parameters, cases_of=value.parameters))
    for part in text.parts:
        name = part.value if isinstance(part, nodes.HoleNode) else None
        if isinstance(part, nodes.HoleNode) and not (
            isinstance(name, nodes.NameExpression) and name.text in scope.locals
        ):
            help = f"there are: {', '.join(scope.locals)}" if scope.locals else f"`{value.name}` has no keys"
            world.sink.report("E0331", "the name of a value is filled in from its keys", part.span, help=help)
            return None
    return template(world, scope, text)


def _lower_cases(
    world: World,
    value: ValueName,
    node: nodes.ValueDeclaration,
    head: Head,
    cases: list[ir.ValueCase],
    found: Type,
    results: list[Type],
) -> Type:
    env = attrs.evolve(scope_of(value.parameters, head), name=value.name)
    env = _lower_lets(world, value, node.lets, env)
    pattern = match_condition(world, value.parameters, head.patterns)
    certain = False
    for case in node.cases:
        if certain:
            world.sink.report("E0410", "this case is never reached", case.span, "the one above always fits")
            break
        test = condition(world, env, case.condition) if case.condition is not None else None
        result = lower(world, env.knowing(test) if test is not None else env, case.value, value.declared)
        env = env.knowing(ir.Op("not", (test,))) if test is not None else env
        certain = case.condition is None
        if value.declared is not None:
            coerced = coerce(world, result, value.declared, case.value.span)
        else:
            joined = join(found, result.type) if not isinstance(found, NoneType) or cases else result.type
            if joined is None:
                world.sink.report(
                    "E0301",
                    f"the cases of `{value.name}` differ: {name_of(found)} and {name_of(result.type)}",
                    case.value.span,
                )
                joined = BAD
            found, coerced = joined, result.ir
        tests = tuple(t for t in (pattern, test) if t is not None)
        whole = None if not tests else tests[0] if len(tests) == 1 else ir.And(tests)
        cites = case.cites if len(node.cases) > 1 or case.cites else node.cites
        cases.append(ir.ValueCase(whole, coerced, world.site("case", case.span, cites)))
        results.append(result.type)
    if not certain and value.declared is None and not isinstance(found, SetType | BadType):
        found = found.or_none()
    return found


def _lower_lets(world: World, value: ValueName, lets: tuple[nodes.LetStatement, ...], env: Env) -> Env:
    """Returns the scope with a value's `let` names: short
    expressions are expanded where they are read, others are values.
    """
    for node in lets:
        name = node.name.text
        if name in BUILTINS:
            world.sink.report("E0203", f"`{name}` is built in and cannot be a name", node.name.span)
        if name in env.locals or name in env.aliases:
            world.sink.report("E0202", f"`{name}` is in use here already", node.name.span, "names are not reassigned")
        found = lower(world, env, node.value)
        if found.row is not None:
            world.sink.report("E0305", "a data row is read at once: `let cost = route(…).cost`", node.value.span)
            found = NOTHING
        demand_number(world, node.clamps, found.type)
        for clamp in node.clamps:
            bound = number_of(world, env, clamp.value)
            if isinstance(found.type, IntType) and isinstance(bound.type, IntType):
                pick = max if clamp.least else min
                what: ir.Operator = "max" if clamp.least else "min"
                type = IntType(pick(found.type.low, bound.type.low), pick(found.type.high, bound.type.high))
                found = Typed(ir.Op(what, (found.ir, bound.ir)), type)
        site = world.site("let", node.span, node.cites)
        if is_larger(found.ir, SHORT):
            found = Typed(_own_value(world, value, name, found, site), found.type)
        world.note_local(node.name.span, found.type)
        env = env.naming(name, found)
    return env


def _own_value(world: World, value: ValueName, name: str, found: Typed, site: int) -> ir.Expr:
    """Adds a value for a `let`, with the parameters of the value that it belongs to; returns the call."""
    own = tuple(world.variable(v.name, v.type) for v in value.parameters)
    renamed = {v.id: ir.Local(o.id) for v, o in zip(value.parameters, own, strict=True)}

    def change(part: object) -> object:
        return renamed.get(part.id, part) if isinstance(part, ir.Local) else part

    id, title = len(world.values), f"{value.name}.{name}"
    case = ir.ValueCase(None, rewrite(found.ir, change))
    body = ir.Value(id, title, own, found.type, (case,), deep=value.deep, site=site)
    world.values.append(ValueName(id, title, own, [], found.type, value.deep, value.span, found.type, body))
    return ir.CallValue(id, tuple(ir.Local(v.id) for v in value.parameters))


def lower_adjust(world: World, node: nodes.AdjustDeclaration) -> tuple[int, list[ir.Adjustment]] | None:
    """Returns the id of the value that an `adjust` is for, with its adjustments; reports a fault and returns None."""
    value = world.globals.get(node.name.text)
    if not isinstance(value, ValueName):
        values = [n for n, m in world.globals.items() if isinstance(m, ValueName)]
        world.unknown(node.name.text, node.name.span, "no value", values)
        return None
    type = type_of_value(world, value, node.name.span)
    return value.id, changes_of(world, node, value.parameters, type)


def changes_of(
    world: World, node: nodes.AdjustDeclaration, parameters: tuple[ir.Variable, ...], type: Type
) -> list[ir.Adjustment]:
    """Lowers the changes of an `adjust`, in terms of the parameters of the value or data, of some type, that it adjusts."""
    name = (node.column or node.name).text
    if isinstance(type, SetType | RowType):
        help = "adjust what it is made of, or write the cases into it"
        world.sink.report("E0302", f"`{name}` is {name_of(type)}, which cannot be adjusted", node.name.span, help=help)
        return []
    head = head_of(world, node.parameters, parameters)
    if len(head.variables) != len(parameters):
        world.sink.report("E0207", f"`{node.name.text}` takes {len(parameters)} arguments", node.name.span)
        return []
    env = attrs.evolve(scope_of(parameters, head), name=node.name.text)
    tests = [match_condition(world, parameters, head.patterns)]
    if node.condition is not None:
        tests.append(condition(world, env, node.condition))
    found = tuple(t for t in tests if t is not None)
    whole = None if not found else found[0] if len(found) == 1 else ir.And(found)
    changes = []
    for change in node.changes:
        if change.what == "set":
            value = coerce(world, lower(world, env, change.value, type.certain()), type.certain(), change.value.span)
            changes.append(ir.Adjustment("set", value, whole, world.site("adjust", node.span, node.cites)))
            continue
        if not isinstance(type, IntType | BadType):
            message = f"only numbers can be reckoned with, `{name}` is {name_of(type)}"
            world.sink.report("E0302", message, change.span, help="`set` gives it another value")
            continue
        amount = number_of(world, env, change.value)
        if not fits(amount.type, IntType(0, 0)):
            continue
        expr: ir.Expr = ir.Op("neg", (amount.ir,)) if change.what == "-" else amount.ir
        what: ir.AdjustmentForm = "+" if change.what == "-" else change.what
        changes.append(ir.Adjustment(what, expr, whole, world.site("adjust", node.span, node.cites)))
    return changes


def next_player(world: World, name: str, player: ir.Expr) -> ir.Expr:
    """Returns the expression for `next(p)` or `previous(p)`: the nearest seat still playing, going round the table."""
    left = next(s.id for s in world.states if s.builtin and s.name == "players")
    still = ir.Source(ir.Read(left, ()))
    operator: ir.Ordering = ">" if name == "next" else "<"
    what: ir.Comprehension = "min" if name == "next" else "max"
    q, r = world.variable("q", world.player), world.variable("q", world.player)
    beyond = ir.Op(operator, (ir.Local(q.id), player))
    nearest = ir.Over(what, (q,), (still,), ir.Local(q.id), beyond)
    around = ir.Over(what, (r,), (still,), ir.Local(r.id), None)
    return ir.Either(ir.Op("==", (nearest, ir.Const(NONE))), around, nearest)
