"""Lowers a scenario's expectations to conditions, with the parts to show if they fail.

expect red.zone == 4 and nitro in discards
    Expectation("red.zone == 4", …, sides=(red.zone,)), Expectation("nitro in discards", …, sides=(discards,))
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulelang.ir import model as ir
from rulelang.ir import scenarios as ready
from rulelang.ir.types import BadType, SetType
from rulelang.ir.walk import walk
from rulelang.semantics.expressions import sets
from rulelang.semantics.expressions.thing_literals import forms_of, movable, report_no_form
from rulelang.semantics.names.coercion import condition, lower, want
from rulelang.semantics.names.scope import Env, World
from rulelang.semantics.names.type_relations import FLAG
from rulelang.semantics.scenarios import option_patterns
from rulelang.semantics.scenarios.option_patterns import ScenarioContext
from rulelang.source import Span
from rulelang.syntax import nodes

COMPARING = ("==", "!=", "<", "<=", ">", ">=", "in", "not in")
WITHOUT_INPUT = ("holds", "winner", "lost", "sees", "blind", "event")


def lower_expectation(stage: ScenarioContext, step: nodes.ExpectStep) -> ready.ScenarioLine | None:
    """Lowers one `expect` or `after`; None after a fault."""
    world = stage.world
    before = len(world.states)
    line = _lower(stage, step)
    if len(world.states) > before:
        message = "the rules never ask whether this phase is under way, so nothing keeps it"
        world.sink.report("E0707", message, step.span, help="ask for what the phase has done")
    refuse_unfit(world, _expressions(line), step.span)
    return line


def refuse_unfit(world: World, exprs: tuple[ir.Expr, ...], span: Span) -> None:
    """Reports expressions that a scenario cannot evaluate: dice, and `least` and `most`."""
    for node in walk(exprs):
        if isinstance(node, ir.Bound):
            help = "declare a `value` for it, and expect something of that"
            world.sink.report("E0305", "`least` and `most` cannot stand in a scenario", node.span, help=help)
        elif isinstance(node, ir.Draw):
            help = "say what comes with `roll` or `draw`, and expect what comes of it"
            world.sink.report("E0401", "an expectation cannot roll dice", span, "this is random", help=help)


def _lower(stage: ScenarioContext, step: nodes.ExpectStep) -> ready.ScenarioLine | None:
    clauses = tuple(cite.id for cite in step.cites)
    world, env = stage.world, stage.env
    who = stage.seat(step.who) if step.who is not None else None
    if step.who is not None and who is None:
        return None
    match step:
        case nodes.ExpectStep(form="holds", value=nodes.Expression() as value):
            return ready.HoldsLine(tuple(_expectations(world, env, value)), span=step.span, clauses=clauses)
        case nodes.ExpectStep(form="winner", value=nodes.Expression() as value):
            return ready.WonLine(_text(value), _winners(world, env, value), span=step.span, clauses=clauses)
        case nodes.ExpectStep(form="lost"):
            return ready.LostLine(span=step.span, clauses=clauses)
        case nodes.ExpectStep(form="can" | "cannot" as form, option=nodes.Expression() as option) if who is not None:
            pattern = option_patterns.lower_option_pattern(stage, option, whole=False)
            text = f"{step.who.text if step.who else ''} {form} {_text(option)}"
            return (
                None
                if pattern is None
                else ready.CanLine(text, who, pattern, form == "can", span=step.span, clauses=clauses)
            )
        case nodes.ExpectStep(form="is asked" | "is not asked" as form) if who is not None:
            text = f"{step.who.text if step.who else ''} {form}"
            return ready.AskedLine(text, who, form == "is asked", span=step.span, clauses=clauses)
        case nodes.ExpectStep(form="sees" | "blind" as form, value=nodes.Expression() as value) if who is not None:
            read = lower(world, env, value)
            text = f"{step.who.text if step.who else ''} {'sees' if form == 'sees' else 'cannot see'} {_text(value)}"
            return ready.SeesLine(text, who, read.ir, read.type, form == "sees", span=step.span, clauses=clauses)
        case nodes.ExpectStep(form="event", value=nodes.Expression() as value):
            rule = option_patterns.lower_rule_pattern(stage, value)
            return None if rule is None else ready.HappenedLine(rule, span=step.span, clauses=clauses)
        case nodes.ExpectStep(form="after", value=nodes.Expression() as value):
            return _after(stage, step, value)
        case _:  # the parser makes no other expectation, and a seat is there
            raise AssertionError(step.form)


def _after(stage: ScenarioContext, step: nodes.ExpectStep, call: nodes.Expression) -> ready.ScenarioLine | None:
    pattern = option_patterns.lower_rule_pattern(stage, call)
    lines = []
    for inner in step.inner:
        if inner.form not in WITHOUT_INPUT:
            stage.world.sink.report(
                "E0707", "nobody is asked in the middle of a rule", inner.span, "this needs a choice"
            )
            continue
        line = _lower(stage, inner)
        lines += [] if line is None else [line]
    clauses = tuple(cite.id for cite in step.cites)
    return None if pattern is None else ready.AfterLine(pattern, tuple(lines), span=step.span, clauses=clauses)


def _winners(world: World, env: Env, value: nodes.Expression) -> ir.Expr:
    if isinstance(value, nodes.NameExpression) and value.text == "none":
        return ir.Const(0)
    return want(world, env, value, SetType(world.player), "a player, a set of players, or none")


# ------------------------------------------------------------------ conditions


def _expectations(world: World, env: Env, node: nodes.Expression) -> Iterator[ready.Expectation | ready.PileOrder]:
    match node:
        case nodes.BinaryExpression(operator="and", left=left, right=right):
            yield from _expectations(world, env, left)
            yield from _expectations(world, env, right)
        case nodes.BinaryExpression(left=pile, right=nodes.TopExpression() as top):
            order = _order(world, env, node, pile, top)
            if order is not None:
                yield order
        case _:  # any other expectation is one condition
            test = condition(world, env, node)
            with world.quiet():
                sides = tuple(_sides(world, env, node))
            yield ready.Expectation(_text(node), test, sides, node.span)


def _order(
    world: World, env: Env, node: nodes.BinaryExpression, pile: nodes.Expression, top: nodes.TopExpression
) -> ready.PileOrder | None:
    value = lower(world, env, pile)
    kind = movable(world, value.type)
    if isinstance(value.type, BadType):
        return None
    if kind is None or value.zone is None or world.zones[value.zone[0]].form != "pile":
        world.sink.report("E0703", f"`{_text(pile)}` has no order", pile.span, "only a pile has a top")
        return None
    items = forms_of(world, env, kind, top.items)
    if items is None:
        for item in top.items:
            if forms_of(world, env, kind, (item,)) is None:
                report_no_form(world, kind, item)
        return None
    return ready.PileOrder(_text(node), _text(pile), *value.zone, items, top.open, node.span)


def _sides(world: World, env: Env, node: nodes.Expression) -> Iterator[ready.Side]:
    """Yields the parts of a failed condition worth showing."""
    match node:
        case nodes.BinaryExpression(operator="and" | "or", left=left, right=right):
            yield from _sides(world, env, left)
            yield from _sides(world, env, right)
        case nodes.UnaryExpression(operator="not", operand=operand):
            yield from _sides(world, env, operand)
        case nodes.BinaryExpression(operator=operator, left=left, right=right) if operator in COMPARING:
            first = _side(world, env, left)
            yield from first
            type = lower(world, env, left).type
            yield from (side for side in _side(world, env, right) if type == FLAG or side not in first)
        case nodes.AggregateExpression(function=nodes.IdentNode(text="any" | "all"), comprehension=over) if (
            len(over.binders) == 1
        ):
            yield from _sides_of_each(world, env, over)
        case _:  # any other expression is one side by itself
            yield from _side(world, env, node)


def _sides_of_each(world: World, env: Env, over: nodes.ComprehensionExpression) -> Iterator[ready.Side]:
    bound = sets.binders_of(world, env, over.binders)
    if bound is None:
        return
    names, sources, inner = bound.names, bound.sources, bound.env
    if over.element is not None:
        for side in _sides(world, inner, over.element):
            if side.each is None and names[0].id in {n.id for n in walk(side.value) if isinstance(n, ir.Local)}:
                each = ready.ForEach(names[0], sources[0], _text(over.binders[0].domain))
                yield attrs.evolve(side, each=each)


def _side(world: World, env: Env, node: nodes.Expression) -> list[ready.Side]:
    """Returns the side that shows an expression; [] for one whose text is its value."""
    value = lower(world, env, node)
    plain = isinstance(value.ir, ir.Const | ir.Local) or isinstance(node, nodes.SetDisplayExpression)
    if plain or isinstance(value.type, BadType) or value.row is not None:
        return []
    return [ready.Side(_text(node), value.ir, value.type)]


def _expressions(line: ready.ScenarioLine | None) -> tuple[ir.Expr, ...]:
    match line:
        case ready.HoldsLine(expectations=expectations):
            return tuple(one.condition for one in expectations if isinstance(one, ready.Expectation))
        case ready.SeesLine(value=value) | ready.WonLine(winners=value):
            return (value,)
        case ready.AfterLine(lines=lines):
            return tuple(expr for inner in lines for expr in _expressions(inner))
        case _:  # any other line holds no expression
            return ()


def _text(node: nodes.Node) -> str:
    return " ".join(node.span.text.split())
