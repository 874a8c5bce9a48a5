"""Expression -> Python text, with the lines that must stand before it.

    p.fuel + 1              # S[12 + x1] + 1
    p.fuel < q.fuel         # S[12 + x1] < S[12 + x2]

Only a value that can fail is checked: the bounds of fragments decide (`safe` speaks of declared types only). Strict
operands are evaluated left to right; `and`, `or` and `if` print the lines of a part that may not be reached under an
`if` of their own.
"""

from __future__ import annotations

from collections import Counter
from typing import assert_never

import attrs

from rulelang.ir.model import (
    And,
    Bound,
    CallValue,
    Cell,
    Column,
    Const,
    Contents,
    Counted,
    DirectedWay,
    Either,
    Expr,
    FaceUp,
    Foreseen,
    HasRow,
    InSlot,
    Local,
    Occurrences,
    Op,
    Openly,
    Or,
    Over,
    OwnerOf,
    Pick,
    PlaceOf,
    Read,
    Roll,
    SetOperator,
    StateVariable,
    TopOf,
    Way,
)
from rulelang.ir.steps import CHANCE
from rulelang.ir.types import NONE, IntType, KindType, SetType, size_of
from rulelang.ir.walk import walk
from rulelang.program.pycode.expressions import sets, walks
from rulelang.program.pycode.expressions.operators import (
    as_set,
    calculated,
    compared,
    difference,
    negation,
    numeric,
    overlap,
    range_of,
    signed,
    single,
    union,
)
from rulelang.program.pycode.expressions.places import fitted, guarded, position, zone_slot
from rulelang.program.pycode.fragment import Fragment, hull, looked_up, number, truth, tuple_text, typed
from rulelang.program.pycode.function import PrintedFunction


def expression(f: PrintedFunction, expr: Expr) -> Fragment:
    """Returns the fragment of an expression; prints the lines that it needs first."""
    if not _is_work(expr):
        return _expression(f, expr)
    known = f.recall(expr)
    if known is not None:
        return known
    if expr not in f.repeated or f.module.values.draws(expr):
        return _expression(f, expr)
    cost = f.count() if f.opens(expr) else ""
    found = _expression(f, expr)
    if cost:
        f.counted(cost)
    if found.value is None:
        found = f.named(found)
        f.remember(expr, found, cost)
    return found


def prepare(f: PrintedFunction, *exprs: Expr | None) -> None:
    """Notes the subexpressions that occur more than once and are worth a name."""
    counts = Counter(node for node in walk(exprs) if _is_work(node))
    f.repeated |= {node for node, count in counts.items() if count > 1}


def _is_work(node: object) -> bool:
    """Returns whether an expression is worth a name where it stands more than once."""
    return isinstance(node, Over | CallValue | Cell | Column) or (isinstance(node, Read) and not node.safe)


def _expression(f: PrintedFunction, expr: Expr) -> Fragment:
    match expr:
        case Const(value=value):
            return number(value)
        case Local(id=id):
            return f.local(id)
        case Read():
            return _read(f, expr)
        case Column():
            return _column(f, expr)
        case Contents() | InSlot() | TopOf():
            return _zone(f, expr)
        case PlaceOf() | OwnerOf() | FaceUp():
            return _whereabouts(f, expr)
        case Occurrences():
            return Fragment("occurrences(S)", 1, None, atom=True)
        case Foreseen(procedure=procedure, arguments=arguments):
            return _foreseen(f, procedure, arguments)
        case DirectedWay():
            return _directed_way(f, expr)
        case Way():
            return _way(f, expr)
        case CallValue():
            return f.module.values.call(f, expr)
        case Cell():
            return f.module.values.cell(f, expr)
        case HasRow():
            return f.module.values.has_row(f, expr)
        case Op():
            return _operator(f, expr)
        case And(arguments=arguments):
            return _chain(f, arguments, "and")
        case Or(arguments=arguments):
            return _chain(f, arguments, "or")
        case Either():
            return _either(f, expr)
        case Over():
            return sets.comprehension(f, expr)
        case Roll():
            return _roll(f, expr)
        case Pick():
            return _pick(f, expr)
        case Bound() | Openly():
            raise ValueError("`least`, `most` and `openly` are gone before")
        case Counted():
            raise ValueError("what is counted stands in words alone")
        case _:
            assert_never(expr)


# ------------------------------------------------------------------ places


def _read(f: PrintedFunction, expr: Read) -> Fragment:
    state = f.module.game.states[expr.state]
    index = f.integers(expr.index)
    base = f.module.layout.states[state.id]
    index = [part if part.simple else f.named(part) for part in index] if _is_keyed(state) else index
    place = position(f, base, state.dimensions, index)
    nowhere = number(NONE)
    if _is_keyed(state):
        nowhere = attrs.evolve(nowhere, text=f"no_key({state.id}, ({tuple_text(index)}))")
    if place is None:
        # The result is known to be none, but a key out of its range is a fault all the same.
        if _is_keyed(state):
            f.line(nowhere.text)
        return number(NONE)
    return guarded(typed(f"S[{place[0]}]", state.type), place[1], nowhere)


def _is_keyed(state: StateVariable) -> bool:
    return any(isinstance(type, IntType) for type in state.dimensions)


def _column(f: PrintedFunction, expr: Column) -> Fragment:
    table = f.module.game.tables[expr.table]
    index = f.integers(expr.of)
    place = position(f, 0, table.dimensions, index)
    if place is None:
        return number(NONE)
    if place[0].isdigit() and not place[1]:
        return number(table.values[int(place[0])])
    found = looked_up(f"{f.module.table(table.id)}[{place[0]}]", table.type, table.values)
    return guarded(found, place[1], number(NONE))


def _zone(f: PrintedFunction, expr: Contents | InSlot | TopOf) -> Fragment:
    zone = f.module.game.zones[expr.zone]
    kind = f.module.game.kinds[zone.kind]
    thing = KindType(kind.name, kind.size)
    place = zone_slot(f, expr.zone, expr.index)
    empty = number(0 if isinstance(expr, Contents) else NONE)
    if place is None:
        return empty
    held = f"S[{place[0]}]"
    match zone.form, expr:
        case "group", Contents():
            found = typed(held, SetType(thing))
        case "pile", Contents():
            found = typed(f"pile_mask({held})", SetType(thing))
        case _, Contents():
            found = typed(f"single({held})", SetType(thing))
        case "slot", _:
            found = typed(held, thing.or_none())
        case form, _:
            found = typed(f"{'top' if form == 'pile' else 'lowest'}({held})", thing.or_none())
    return guarded(found, place[1], empty)


def _whereabouts(f: PrintedFunction, expr: PlaceOf | OwnerOf | FaceUp) -> Fragment:
    kind = f.module.game.kinds[expr.kind]
    thing = expression(f, expr.thing).integer
    outside = number(0 if isinstance(expr, FaceUp) else NONE)
    if isinstance(expr, FaceUp):
        place = position(f, f.module.layout.faces[kind.id], (KindType(kind.name, kind.size),), [thing])
    else:
        place = position(f, f.module.layout.places[kind.id], (KindType(kind.name, kind.size),), [thing])
    if place is None:
        return outside
    found = Fragment(f"S[{place[0]}]", 0, 1 if isinstance(expr, FaceUp) else None, atom=True)
    if isinstance(expr, OwnerOf):
        owners = f.module.owners(kind.id, expr.owner)
        found = Fragment(f"{owners}[{found.text}]", 0, f.module.most_owners(expr.owner) - 1, none=True, atom=True)
    return guarded(found, place[1], outside)


def _foreseen(f: PrintedFunction, procedure: int, arguments: tuple[Expr, ...]) -> Fragment:
    """Returns the fragment of the number of times the position after a procedure will have occurred."""
    procedures, of = f.module.procedures, f.module.game
    parameters = of.procedures[procedure].parameters
    values = fitted(f"verb_argument({procedure}", parameters, f.integers(arguments))
    f.module.note(parameters, values)
    looks = "None" if of.checkpoint is None else procedures.name(of.checkpoint)
    text = f"occurrences_after(S, M, {procedures.name(procedure)}, ({tuple_text(values)}), {looks})"
    return Fragment(text, 1, None, atom=True)


def _way(f: PrintedFunction, expr: Way) -> Fragment:
    table = f.module.game.tables[expr.neighbours]
    around = f.integers(expr.around)
    start, end, within = (expression(f, part) for part in (expr.start, expr.end, expr.within))
    if f.is_open(expr):
        within = walks.paid(f, within, 1)
    base = position(f, 0, table.dimensions[: len(around)], around)
    if base is None:
        return number(NONE)
    width = size_of(table.dimensions[-1])
    first = base[0] if not around else f"({base[0]}) * {width}"
    name = f.module.table(table.id)
    text = f"way({name}, {first}, {start.integer.text}, {end.integer.text}, {as_set(f, within).text})"
    return guarded(Fragment(text, 0, width, none=True, atom=True), base[1], number(NONE))


def _directed_way(f: PrintedFunction, expr: DirectedWay) -> Fragment:
    *above, space, direction = f.module.game.tables[expr.step].dimensions
    around = f.integers(expr.around)
    parts = [expression(f, part) for part in (expr.start, expr.end, expr.within, expr.directions)]
    start, end, (within, directions) = parts[0].integer.text, parts[1].integer.text, (as_set(f, p) for p in parts[2:])
    if f.is_open(expr):
        within = walks.paid(f, within, 1)
    base = position(f, 0, tuple(above), around)
    if base is None:
        return number(NONE)
    width = size_of(direction)
    first = base[0] if not around else f"({base[0]}) * {size_of(space) * width}"
    name = f.module.table(expr.step)
    text = f"directed_way({name}, {first}, {width}, {start}, {end}, {within.text}, {directions.text})"
    return guarded(Fragment(text, 0, size_of(space), none=True, atom=True), base[1], number(NONE))


# ------------------------------------------------------------------ operators


def _operator(f: PrintedFunction, expr: Op) -> Fragment:
    match expr.name:
        case "in":
            return sets.membership(f, *expr.arguments)
        case "size":
            return sets.size(f, expr.arguments[0])
        case "==" | "!=" if sets.is_empty_test(expr):
            found = sets.emptiness(f, expr.arguments[0])
            return found if expr.name == "==" else negation(found)
        case "range":
            return range_of(f, *f.integers(expr.arguments))
        case "single":
            return single(expression(f, expr.arguments[0]).integer)
        case "union" | "minus" | "inter":
            return _set_operator(f, expr.name, expr.arguments)
        case "not":
            return negation(expression(f, expr.arguments[0]))
        case "==" | "!=" | "<" | "<=" | ">" | ">=":
            return compared(expr.name, *(expression(f, argument) for argument in expr.arguments))
        case "+" | "-" | "*" | "neg" | "floordiv" | "ceildiv" | "mod" | "abs" | "min" | "max":
            found = expression(f, expr.arguments[0])
            if len(expr.arguments) == 1:
                return signed(expr.name, numeric(f, found))
            for argument in expr.arguments[1:]:
                found = calculated(f, expr.name, numeric(f, found), numeric(f, expression(f, argument)))
            return found
        case _:
            assert_never(expr.name)


def _set_operator(f: PrintedFunction, name: SetOperator, arguments: tuple[Expr, ...]) -> Fragment:
    a, b = (as_set(f, expression(f, argument)) for argument in arguments)
    match name:
        case "union":
            return union(a, b)
        case "inter":
            return overlap(a, b)
        case "minus":
            return difference(a, b)
        case _:
            assert_never(name)


# ------------------------------------------------------------------ lazy operators


def _chain(f: PrintedFunction, arguments: tuple[Expr, ...], word: str) -> Fragment:
    """Prints `and` or `or`. The lines that a later part needs stand under an `if` of the earlier parts."""
    texts: list[str] = []
    for i, argument in enumerate(arguments):
        with f.aside() as lines:
            part = expression(f, argument)
        if part.value is not None:
            if (part.value > 0) == (word == "or"):
                # It decides the result, but the parts before it may still fail or draw.
                texts.append(str(word == "or"))
                break
            continue
        if lines and texts:
            known = f.fresh()
            f.line(f"{known} = {f' {word} '.join(texts)}")
            with f.indented(f"if {known}:" if word == "and" else f"if not {known}:"):
                f.add(lines)
                rest = [_operand(part)]
                if arguments[i + 1 :]:
                    rest.append(_operand(_chain(f, arguments[i + 1 :], word)))
                f.line(f"{known} = {f' {word} '.join(rest)}")
            return truth(known, atom=True)
        f.add(lines)
        texts.append(_operand(part))
    if not texts:
        return number(int(word == "and"))
    if len(texts) == 1:
        return number(int(texts[0] == "True")) if texts[0] in ("True", "False") else truth(texts[0])
    return truth(f" {word} ".join(texts))


def _operand(part: Fragment) -> str:
    text = part.condition
    return f"({text})" if any(word in text for word in (" and ", " or ", " if ")) else text


def _either(f: PrintedFunction, expr: Either) -> Fragment:
    test = expression(f, expr.condition)
    if test.value is not None:
        return expression(f, expr.then if test.value > 0 else expr.otherwise)
    text = _operand(test)
    with f.aside() as then_lines:
        then = expression(f, expr.then)
    with f.aside() as other_lines:
        other = expression(f, expr.otherwise)
    if not (then.truth and other.truth):
        then, other = then.integer, other.integer
    if not then_lines and not other_lines:
        return hull(f"{then.operand} if {text} else {other.operand}", then, other)
    name = f.fresh()
    with f.indented(f"if {text}:"):
        f.add(then_lines)
        f.line(f"{name} = {then.text}")
    with f.indented("else:"):
        f.add(other_lines)
        f.line(f"{name} = {other.text}")
    return attrs.evolve(hull(name, then, other), atom=True, simple=True)


# ------------------------------------------------------------------ chance


def _roll(f: PrintedFunction, expr: Roll) -> Fragment:
    die = expression(f, expr.die).integer
    times = None if expr.times is None else expression(f, expr.times).integer
    dice = f.module.game.dice
    if times is not None and f.is_open(expr):
        die, times = f.named(die), f.named(times)
        f.pay(f"max({times.text}, 0) * {CHANCE} if 0 <= {die.text} < {len(dice)} else 0")
    if die.value is None or not 0 <= die.value < len(dice):
        faces = tuple(face for each in dice for face in each.faces)
        low, high = (None, None) if times is not None else (min(faces), max(faces))
        text = f"roll(S, M, {die.text}, {'1' if times is None else times.text})"
        return f.named(Fragment(text, low, high, none=True))
    faces = dice[die.value].faces
    if times is None:
        return f.named(Fragment(f.module.draw(die.value), min(faces), max(faces)))
    most = 0 if times.high is None else max(times.high, 0)
    low, high = (None, None) if times.high is None else (min(0, min(faces) * most), max(0, max(faces) * most))
    return f.named(Fragment(f"roll(S, M, {die.text}, {times.text})", low, high))


def _pick(f: PrintedFunction, expr: Pick) -> Fragment:
    among = walks.listed(f, expr.of)
    if f.is_open(expr):
        among = f.named(among)
        f.pay(f"len({among.text})")
    return f.named(Fragment(f"pick(S, M, {expr.stream}, {among.text})", among.low, among.high, none=True))
