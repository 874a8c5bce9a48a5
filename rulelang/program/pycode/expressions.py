"""Expression -> Python text, with the lines that must stand before it.

    p.fuel + 1              # S[12 + x1] + 1
    p.fuel < q.fuel         # S[12 + x1] < S[12 + x2]

What cannot fail is not checked: the bounds of fragments decide (`safe` speaks of declared types only). Everything strict
is worked out left to right; `and`, `or` and `if` print the lines of a part that may not be reached under their own `if`.
"""

from __future__ import annotations

from collections import Counter
from math import prod
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
    Either,
    Expr,
    FaceUp,
    HasRow,
    InSlot,
    Local,
    Op,
    Or,
    Over,
    OwnerOf,
    Pick,
    PlaceOf,
    Read,
    Roll,
    TopOf,
    Way,
)
from rulelang.ir.types import NONE, SET_LIMIT, KindType, SetType, Type, first_of, size_of
from rulelang.ir.walk import walk
from rulelang.program.pycode import sets
from rulelang.program.pycode.fragment import Fragment, fits, hull, looked_up, number, truth, typed
from rulelang.program.pycode.function import Function


def expression(f: Function, expr: Expr) -> Fragment:
    """Gives the fragment of an expression; prints what must stand before it."""
    if not isinstance(expr, Over | CallValue | Cell):
        return _expression(f, expr)
    known = f.recall(expr)
    if known is not None:
        return known
    found = _expression(f, expr)
    if expr in f.repeated and found.value is None and not f.module.values.draws(expr):
        found = f.named(found)
        f.remember(expr, found)
    return found


def prepare(f: Function, *exprs: Expr | None) -> None:
    """Notes what is worked out more than once in some expressions."""
    counts = Counter(node for node in walk(exprs) if isinstance(node, Over | CallValue | Cell))
    f.repeated |= {node for node, count in counts.items() if count > 1}


def _expression(f: Function, expr: Expr) -> Fragment:
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
        case Bound():
            raise ValueError("`least` and `most` are spelled out before")
        case _:
            assert_never(expr)


def condition(f: Function, expr: Expr) -> str:
    """Gives the text of a condition."""
    return expression(f, expr).condition


def integers(f: Function, exprs: tuple[Expr, ...]) -> list[Fragment]:
    """Gives the fragments of several expressions as ints, left to right."""
    return [expression(f, expr).integer for expr in exprs]


def tuple_text(fragments: list[Fragment]) -> str:
    """Gives what stands between the brackets of a tuple."""
    return ", ".join(fragment.integer.text for fragment in fragments) + ("," if len(fragments) == 1 else "")


def numeric(f: Function, fragment: Fragment) -> Fragment:
    """Gives a fragment that is a number: where it may be NONE, a check is printed."""
    if not fragment.none:
        return fragment.integer
    fragment = f.named(fragment)
    f.line(f"if {fragment.text} == NONE: raise no_number()")
    return attrs.evolve(fragment, none=False)


def as_set(f: Function, fragment: Fragment) -> Fragment:
    """Gives a fragment that is a mask: NONE is the empty set."""
    if not fragment.none:
        return fragment
    if fragment.value == NONE:
        return number(0)
    fragment = f.named(fragment)
    return attrs.evolve(
        fragment, text=f"0 if {fragment.text} == NONE else {fragment.text}", none=False, atom=False, simple=False
    )


# ------------------------------------------------------------------ places


def position(
    f: Function, base: int, dimensions: tuple[Type, ...], index: list[Fragment]
) -> tuple[str, list[str]] | None:
    """Gives the text of `base` + the row-major position of an index, and the conditions for the index to be within its
    bounds; None if it never is."""
    terms, guards = [], []
    for i, (type, part) in enumerate(zip(dimensions, index, strict=True)):
        first, last = first_of(type), first_of(type) + size_of(type) - 1
        stride = prod(size_of(later) for later in dimensions[i + 1 :])
        if part.value is not None:
            if not first <= part.value <= last:
                return None
            base += (part.value - first) * stride
            continue
        if not fits(part, type.certain()):
            part = f.named(part)
            guards.append(f"{first} <= {part.text} <= {last}")
        base -= first * stride
        terms.append(part.text if stride == 1 and part.simple else part.operand)
        if stride != 1:
            terms[-1] += f" * {stride}"
    if not terms:
        return str(base), guards
    if base:
        terms.insert(0, str(base))
    return " + ".join(terms), guards


def guarded(fragment: Fragment, guards: list[str], otherwise: Fragment) -> Fragment:
    """Gives a fragment that stands only if guards hold."""
    if not guards:
        return fragment
    return hull(f"{fragment.text} if {' and '.join(guards)} else {otherwise.text}", fragment, otherwise)


def _read(f: Function, expr: Read) -> Fragment:
    state = f.module.game.states[expr.state]
    index = integers(f, expr.index)
    base = f.module.layout.states[state.id]
    place = position(f, base, state.dimensions, index)
    if place is None:
        return number(NONE)
    return guarded(typed(f"S[{place[0]}]", state.type), place[1], number(NONE))


def _column(f: Function, expr: Column) -> Fragment:
    table = f.module.game.tables[expr.table]
    index = integers(f, expr.of)
    place = position(f, 0, table.dimensions, index)
    if place is None:
        return number(NONE)
    if place[0].isdigit() and not place[1]:
        return number(table.values[int(place[0])])
    found = looked_up(f"{f.module.table(table.id)}[{place[0]}]", table.type, table.values)
    return guarded(found, place[1], number(NONE))


def zone_slot(f: Function, zone: int, index: tuple[Expr, ...]) -> tuple[str, list[str]] | None:
    """Gives the text of a zone's slot, as `position` does."""
    fragments = integers(f, index)
    return position(f, f.module.layout.zones[zone], f.module.game.zones[zone].dimensions, fragments)


def _zone(f: Function, expr: Contents | InSlot | TopOf) -> Fragment:
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


def _whereabouts(f: Function, expr: PlaceOf | OwnerOf | FaceUp) -> Fragment:
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


def _way(f: Function, expr: Way) -> Fragment:
    table = f.module.game.tables[expr.neighbours]
    around = integers(f, expr.around)
    start, end, within = (expression(f, part) for part in (expr.start, expr.end, expr.within))
    base = position(f, 0, table.dimensions[: len(around)], around)
    if base is None:
        return number(NONE)
    width = size_of(table.dimensions[-1])
    first = base[0] if not around else f"({base[0]}) * {width}"
    name = f.module.table(table.id)
    text = f"way({name}, {first}, {start.integer.text}, {end.integer.text}, {as_set(f, within).text})"
    return guarded(Fragment(text, 0, width, none=True, atom=True), base[1], number(NONE))


# ------------------------------------------------------------------ operators


def _operator(f: Function, expr: Op) -> Fragment:
    match expr.name:
        case "in":
            return sets.membership(f, *expr.arguments)
        case "size":
            return sets.size(f, expr.arguments[0])
        case "==" | "!=" if sets.is_empty_test(expr):
            found = sets.emptiness(f, expr.arguments[0])
            return found if expr.name == "==" else _not(found)
        case "single" | "range" | "union" | "minus" | "inter":
            return _set_operator(f, expr)
        case "not":
            return _not(expression(f, expr.arguments[0]))
        case "==" | "!=" | "<" | "<=" | ">" | ">=":
            return _compare(expr.name, *(expression(f, argument) for argument in expr.arguments))
        case _:
            found = expression(f, expr.arguments[0])
            if len(expr.arguments) == 1:
                return _sign(expr.name, numeric(f, found))
            for argument in expr.arguments[1:]:
                found = _calculate(f, expr.name, numeric(f, found), numeric(f, expression(f, argument)))
            return found


def _not(fragment: Fragment) -> Fragment:
    if fragment.value is not None:
        return number(int(fragment.value <= 0))
    text = fragment.condition
    if text.startswith("not ") and fragment.truth and not any(word in text for word in (" and ", " or ", " if ")):
        return truth(text.removeprefix("not "))
    return truth(f"not {text}" if fragment.atom and text == fragment.text else f"not ({text})")


def _compare(name: str, a: Fragment, b: Fragment) -> Fragment:
    if a.value is not None and b.value is not None:
        return number(_compared(name, a.value, b.value))
    a, b = a.integer, b.integer
    text = f"{a.operand} {name} {b.operand}"
    # NONE is the least int, so only one side of an ordering can make it hold wrongly.
    if name in ("<", "<=") and a.none:
        text = f"NONE != {text}"
    if name in (">", ">=") and b.none:
        text = f"{text} != NONE"
    return truth(text)


def _compared(name: str, a: int, b: int) -> int:
    match name:
        case "==":
            return int(a == b)
        case "!=":
            return int(a != b)
        case "<" | "<=":
            return int(NONE not in (a, b) and (a < b if name == "<" else a <= b))
        case _:
            return int(NONE not in (a, b) and (a > b if name == ">" else a >= b))


def _sign(name: str, a: Fragment) -> Fragment:
    if name == "neg":
        if a.value is not None:
            return number(-a.value)
        return Fragment(f"-{a.operand}", _minus(a.high), _minus(a.low))
    if name == "abs":
        sizes = [abs(bound) for bound in (a.low, a.high) if bound is not None]
        return Fragment(f"abs({a.text})", 0, max(sizes) if len(sizes) == 2 else None, atom=True)
    return a.integer


def _minus(bound: int | None) -> int | None:
    return None if bound is None else -bound


def sum_of(a: Fragment, b: Fragment) -> Fragment:
    """Gives the fragment of a sum of numbers."""
    if a.value is not None and b.value is not None:
        return number(a.value + b.value)
    if b.value is not None and b.value < 0:
        text = f"{a.operand} - {-b.value}"
    elif b.text.startswith("-") and not b.atom and b.text[1:].isidentifier():
        text = f"{a.operand} - {b.text[1:]}"
    else:
        text = f"{a.operand} + {b.operand}"
    low = None if a.low is None or b.low is None else a.low + b.low
    high = None if a.high is None or b.high is None else a.high + b.high
    return Fragment(text, low, high)


def _calculate(f: Function, name: str, a: Fragment, b: Fragment) -> Fragment:
    match name:
        case "+":
            return sum_of(a, b)
        case "-":
            if a.value is not None and b.value is not None:
                return number(a.value - b.value)
            low = None if a.low is None or b.high is None else a.low - b.high
            high = None if a.high is None or b.low is None else a.high - b.low
            return Fragment(f"{a.operand} - {b.operand}", low, high)
        case "*":
            if a.value is not None and b.value is not None:
                return number(a.value * b.value)
            return attrs.evolve(_corners(a, b), text=f"{a.operand} * {b.operand}")
        case "min" | "max":
            return least_of(f, name, a, b)
        case _:
            return _divide(f, name, a, b)


def _corners(a: Fragment, b: Fragment) -> Fragment:
    if a.low is None or a.high is None or b.low is None or b.high is None:
        return Fragment("")
    products = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return Fragment("", min(products), max(products))


def least_of(f: Function, name: str, a: Fragment, b: Fragment) -> Fragment:
    """Gives the fragment of the smaller ("min") or the greater ("max") of two numbers."""
    if a.value is not None and b.value is not None:
        return number(min(a.value, b.value) if name == "min" else max(a.value, b.value))
    a, b = f.named(a.integer), f.named(b.integer)
    sign = "<" if name == "min" else ">"
    pick = min if name == "min" else max
    low = [bound for bound in (a.low, b.low) if bound is not None]
    high = [bound for bound in (a.high, b.high) if bound is not None]
    both_low, both_high = len(low) == 2, len(high) == 2
    return Fragment(
        f"{a.text} if {a.text} {sign} {b.text} else {b.text}",
        pick(low) if both_low or (low and name == "max") else None,
        pick(high) if both_high or (high and name == "min") else None,
    )


def _divide(f: Function, name: str, a: Fragment, b: Fragment) -> Fragment:
    if b.low is None or b.high is None or b.low <= 0 <= b.high:
        a, b = f.named(a), f.named(b)
        f.line(f"if {b.text} == 0: raise cannot_divide({a.text})")
    if name == "mod":
        low = 0 if b.low is not None and b.low >= 0 else None
        return Fragment(f"{a.operand} % {b.operand}", low, None if low is None or b.high is None else b.high - 1)
    text = f"{a.operand} // {b.operand}" if name == "floordiv" else f"-(-{a.operand} // {b.operand})"
    if a.low is None or a.high is None or b.low is None or b.low <= 0:
        return Fragment(text)
    size = max(abs(a.low), abs(a.high))
    return Fragment(text, min(a.low, 0) if a.low >= 0 else -size, size if a.high > 0 else 0)


def _set_operator(f: Function, expr: Op) -> Fragment:
    if expr.name == "range":
        return _range(f, *(expression(f, argument).integer for argument in expr.arguments))
    if expr.name == "single":
        return single(expression(f, expr.arguments[0]).integer)
    a, b = (as_set(f, expression(f, argument)) for argument in expr.arguments)
    match expr.name:
        case "union":
            if a.value is not None and b.value is not None:
                return number(a.value | b.value)
            high = None if a.high is None or b.high is None else a.high | b.high
            return Fragment(f"{a.operand} | {b.operand}", 0, high, is_set=True)
        case "inter":
            if a.value is not None and b.value is not None:
                return number(a.value & b.value)
            known = [high for high in (a.high, b.high) if high is not None]
            high = known[0] & known[-1] if known else None
            return Fragment(f"{a.operand} & {b.operand}", 0, high, is_set=True)
        case _:
            if b.value is None:
                return Fragment(f"{a.operand} & ~{b.operand}", 0, a.high, is_set=True)
            if a.value is not None:
                return number(a.value & ~b.value)
            if a.high is None:
                return Fragment(f"{a.operand} & ~{b.value}", 0, None, is_set=True)
            return Fragment(f"{a.operand} & {a.high & ~b.value}", 0, a.high & ~b.value, is_set=True)


def _range(f: Function, low: Fragment, high: Fragment) -> Fragment:
    if low.value is not None and high.value is not None:
        if NONE in (low.value, high.value):
            return number(0)
        first, last = max(low.value, 0), min(high.value, SET_LIMIT - 1)
        return number((1 << last + 1) - (1 << first) if first <= last else 0)
    most = None if high.high is None else min(high.high, SET_LIMIT - 1)
    bits = None if most is None else (1 << max(most, -1) + 1) - 1
    if not low.none and not high.none and low.low is not None and low.low >= 0 and most == high.high:
        high = f.named(high)
        low = f.named(low)
        text = f"(1 << {high.text} + 1) - (1 << {low.operand}) if {low.text} <= {high.text} else 0"
        return Fragment(text, 0, bits, is_set=True)
    return Fragment(f"range_mask({low.text}, {high.text})", 0, bits, atom=True, is_set=True)


def single(of: Fragment) -> Fragment:
    """Gives the fragment of the set of one value."""
    if of.value is not None and (of.value == NONE or 0 <= of.value < SET_LIMIT):
        return number(0 if of.value == NONE else 1 << of.value)
    high = None if of.high is None or not 0 <= of.high < SET_LIMIT else (2 << of.high) - 1
    if of.low is not None and of.low >= 0 and high is not None and not of.none:
        return Fragment(f"1 << {of.operand}", 0, high, is_set=True)
    return Fragment(f"single({of.text})", 0, high, atom=True, is_set=True)


# ------------------------------------------------------------------ what is not strict


def _chain(f: Function, arguments: tuple[Expr, ...], word: str) -> Fragment:
    """Prints `and` or `or`. Lines that a later part needs stand under an `if` that the earlier ones have passed."""
    texts: list[str] = []
    for i, argument in enumerate(arguments):
        with f.aside() as lines:
            part = expression(f, argument)
        if part.value is not None:
            if (part.value > 0) == (word == "or"):
                # Decides; what stands before it may still fail or draw.
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


def _either(f: Function, expr: Either) -> Fragment:
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


def _roll(f: Function, expr: Roll) -> Fragment:
    die = expression(f, expr.die).integer
    times = None if expr.times is None else expression(f, expr.times).integer
    dice = f.module.game.dice
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


def _pick(f: Function, expr: Pick) -> Fragment:
    among = sets.listed(f, expr.of)
    return f.named(Fragment(f"pick(S, M, {expr.stream}, {among.text})", among.low, among.high, none=True))
