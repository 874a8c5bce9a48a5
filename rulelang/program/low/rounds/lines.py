"""Lines from each space that are at least so long -> the set of the spaces at which they begin.

value run(p, s, d) = 0 if s == none or s.disc != p else 1 + run(p, step(s, d), d)
run(p, s, east) >= 3        # r1 & (r1 & …) >> 1 & (r1 & …) >> 2, where r1 are the spaces with a disc of p

Such a line ends at the edge at the latest: its condition fails where the space is none.

Each step of all lines at once is a shift. Values that count in this way pay nothing, so nothing is paid here.
"""

from __future__ import annotations

import attrs

from rulelang.ir.model import (
    And,
    CallValue,
    Column,
    Const,
    Either,
    Expr,
    Local,
    Op,
    Or,
    Over,
    Source,
    Value,
    ValueCase,
    Variable,
)
from rulelang.ir.types import NONE, IntType, KindType, size_of
from rulelang.ir.walk import called_values, read_in, with_arguments
from rulelang.program.low import words
from rulelang.program.low.function import Builder
from rulelang.program.low.rounds.once import found_once, is_unchanged
from rulelang.program.low.things.shifts import shifted_by, shifts
from rulelang.program.low.words import KnownWord

FARTHEST = 16
"""The longest line that is followed by shifts."""


@attrs.frozen
class CountedLine:
    """A value that counts the steps of a line: where it goes on, from which space, by which table and direction."""

    value: Value
    goes_on: Expr
    space: Variable
    step: int
    direction: Expr


def where_long(f: Builder, called: Expr, least: int, name: Variable) -> KnownWord | None:
    """Returns the spaces from which a line runs for some steps or more; None for what is no such line."""
    if not isinstance(called, CallValue) or not 1 <= least <= FARTHEST:
        return None
    line = _line(f, f.lowering.game.values[called.value])
    if line is None:
        return None
    passed = dict(zip((v.id for v in line.value.parameters), called.arguments, strict=True))
    others = [v for v in line.value.parameters if v != line.space]
    if passed[line.space.id] != Local(name.id):
        return None
    if not all(is_unchanged(f, passed[v.id], frozenset({name.id})) for v in others):
        return None
    direction = _known(f, with_arguments(line.direction, passed))
    back = None if direction is None else _back(f, line, direction)
    if back is None:
        return None
    for v in others:
        f.argument(f.named(f.expression(passed[v.id])), v)
    passed[line.space.id] = Local(line.space.id)
    start = _where(f, line.space, with_arguments(line.goes_on, passed))
    found = start
    for _ in range(least - 1):
        before = words.known_set(shifted_by(f.named(found).word, back), start.high)
        found = words.united("inter", start, before)
    return found


def _known(f: Builder, direction: Expr) -> int | None:
    match direction:
        case Const(value=value):
            return value
        case Local(id=id):
            return None if f.env.get(id) is None else f.env[id].value
        case _:  # a direction that is not known is no shift
            return None


def _line(f: Builder, value: Value) -> CountedLine | None:
    """Returns the line whose steps a value counts; None for a value that does anything else."""
    match value:
        case Value(adjustments=(), cases=(ValueCase(None, Either(condition, then, otherwise)),)):
            pass
        case Value(
            adjustments=(), cases=(ValueCase(Op() | And() | Or() as condition, then), ValueCase(None, otherwise))
        ):
            pass
        case _:  # it has more cases, or is changed
            return None
    if otherwise == Const(0):
        goes_on, counted = condition, then
    elif then == Const(0):
        goes_on, counted = _opposite(condition), otherwise
    else:
        return None
    match counted:
        case Op(name="+", arguments=(Const(value=1), CallValue(value=value.id, arguments=arguments))):
            pass
        case Op(name="+", arguments=(CallValue(value=value.id, arguments=arguments), Const(value=1))):
            pass
        case _:  # it counts something else
            return None
    moved = [(v, part) for v, part in zip(value.parameters, arguments, strict=True) if part != Local(v.id)]
    match moved:
        case [(space, Column(table=step, of=(Local(id=id), direction)))] if id == space.id:
            pass
        case _:  # more than the space changes, or it does not change by a step
            return None
    if f.lowering.steps.value(value.id) or not is_unchanged(f, goes_on, frozenset()) or value.id in f.depths:
        return None
    if not _fails_at_none(goes_on, space):
        return None
    if space.id in read_in(direction) or value.id in called_values(f.lowering.game, goes_on):
        return None
    return CountedLine(value, goes_on, space, step, direction)


def _fails_at_none(condition: Expr, space: Variable) -> bool:
    """Returns whether a condition is certain to fail where a space is none."""
    match condition:
        case And(arguments=arguments):
            return any(_fails_at_none(part, space) for part in arguments)
        case Or(arguments=arguments):
            return all(_fails_at_none(part, space) for part in arguments)
        case Op(name="!=", arguments=sides) | Op(name="not", arguments=(Op(name="==", arguments=sides),)):
            return set(sides) == {Local(space.id), Const(NONE)}
        case Op(name="in", arguments=(member, _)):
            return member == Local(space.id)
        case _:  # any other condition may hold: what is read of none is none, and so may be what it is compared with
            return False


def _opposite(condition: Expr) -> Expr:
    """Returns the condition that holds where another one does not."""
    match condition:
        case Op(name="not", arguments=(opposite,)):
            return opposite
        case Or(arguments=arguments):
            return And(tuple(map(_opposite, arguments)))
        case And(arguments=arguments):
            return Or(tuple(map(_opposite, arguments)))
        case _:  # anything else is compared with false
            return Op("not", (condition,))


def _back(f: Builder, line: CountedLine, direction: int) -> dict[int, int] | None:
    """Returns a step against a direction as shifts; None where a line might be longer than its value can say."""
    table = f.lowering.game.tables[line.step]
    if len(table.dimensions) != 2 or not isinstance(line.value.type, IntType) or line.value.type.low > 0:
        return None
    width, spaces = size_of(table.dimensions[1]), size_of(table.dimensions[0])
    if not 0 <= direction < width:
        return None
    steps = table.values[direction : spaces * width : width]
    longest = _longest(steps)
    if longest is None or longest > line.value.type.high or longest > (line.value.deep or 0):
        return None
    before = [0] * spaces
    for space, there in enumerate(steps):
        if there != NONE:
            before[there] |= 1 << space
    return shifts(tuple(before))


def _longest(steps: tuple[int, ...]) -> int | None:
    """Returns the spaces of the longest line; None where one leads back to itself.

    >>> _longest((1, 2, NONE)), _longest((1, 0))
    (3, None)
    """
    longest = 0
    for space in range(len(steps)):
        passed = 0
        while space != NONE:
            space, passed = steps[space], passed + 1
            if passed > len(steps):
                return None
        longest = max(longest, passed)
    return longest


def _where(f: Builder, space: Variable, condition: Expr) -> KnownWord:
    """Returns the spaces for which a condition holds, looked for once for all directions."""
    assert isinstance(space.type, KindType)
    every = Const((1 << size_of(space.type)) - 1)
    found = Over(
        "set", (attrs.evolve(space, type=attrs.evolve(space.type, optional=False)),), (Source(every),), None, condition
    )
    return found_once(f, found)
