"""Sets, and tests of sets -> Python that builds as few sets as possible.

A set that is only iterated, counted or tested for a member is never built: `{q in players if q.zone == z}` becomes a
loop with an `if`.

    count(q in players if q.zone == z)      # t1 = 0
                                            # for x2 in IN4[S[4]]:
                                            #     if S[9 + x2] == x1:
                                            #         t1 += 1
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import assert_never

import attrs

from rulelang.ir.model import And, Column, Const, Contents, Expr, Local, Op, Or, Order, Over, Source
from rulelang.ir.types import NONE, SET_LIMIT
from rulelang.ir.walk import read_in, walk
from rulelang.program.packing import members
from rulelang.program.pycode.expressions.column_masks import column_mask, masked
from rulelang.program.pycode.expressions.operators import as_set, numeric, overlap, single
from rulelang.program.pycode.expressions.places import guarded, zone_slot
from rulelang.program.pycode.expressions.slices import sliced
from rulelang.program.pycode.expressions.walks import filtered, going_over, mask_of, paid, rows_of
from rulelang.program.pycode.fragment import Fragment, number, truth
from rulelang.program.pycode.function import PrintedFunction

SHORT = 6
"""The most members of a walk that is unrolled; their number must be known."""
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=", "not")
"""Operators that cannot fail."""
DEEPEST = 20
"""The most loops that Python can nest, with room for those around a comprehension."""


# ------------------------------------------------------------------ tests of sets


def membership(f: PrintedFunction, item: Expr, of: Expr) -> Fragment:
    """Returns whether a value is in a set."""
    of = f.module.values.opened(f, of)
    x = f.expression(item).integer
    fused = filtered(f, of)
    if fused is not None:
        name, source, test = fused
        assert source.mask is not None
        x = f.named(x)
        assert isinstance(of, Over)
        rates = f.rates(of)
        if rates:
            source = Source(f.stand_in(f.named(paid(f, f.expression(source.mask), rates[0]))))
        # The condition is tested after membership, when the value is known to be neither NONE nor negative.
        f.env[name.id] = attrs.evolve(x, none=False, low=max(x.low or 0, 0), value=None)
        inside = Op("in", (Local(name.id), source.mask or Const(0)))
        first = truth(f"{x.text} >= 0") if x.none or x.low is None or x.low < 0 else number(1)
        return _both(f, first, And((inside, *([test] if test is not None else []))))
    if isinstance(of, Op) and of.name == "range":
        low, high = (f.expression(part).integer for part in of.arguments)
        if low.value is not None and high.value is not None and NONE not in (low.value, high.value):
            return _between(x, max(low.value, 0), min(high.value, SET_LIMIT - 1))
        if not low.none and not high.none and low.low is not None and low.low >= 0:
            if high.high is not None and high.high < SET_LIMIT:
                return truth(f"{low.operand} <= {x.operand} <= {high.operand}")
        return _bit(f, x, Fragment(f"range_mask({low.text}, {high.text})", 0, None, atom=True))
    return _bit(f, x, as_set(f, f.expression(of)))


def _both(f: PrintedFunction, first: Fragment, rest: Expr) -> Fragment:
    with f.aside() as lines:
        second = f.expression(rest)
    if first.value == 1:
        f.add(lines)
        return second
    text = second.condition
    if not lines:
        return truth(f"{first.text} and ({text})")
    known = f.fresh()
    f.line(f"{known} = {first.text}")
    with f.indented(f"if {known}:"):
        f.add(lines)
        f.line(f"{known} = {text}")
    return truth(known, atom=True)


def _between(x: Fragment, low: int, high: int) -> Fragment:
    if low > high:
        return number(0)
    if x.value is not None:
        return number(int(low <= x.value <= high))
    return truth(f"{x.operand} == {low}" if low == high else f"{low} <= {x.operand} <= {high}")


def _bit(f: PrintedFunction, x: Fragment, mask: Fragment) -> Fragment:
    if x.value is not None and mask.value is not None:
        return number(int(x.value >= 0 and mask.value >> x.value & 1))
    if x.value is not None:
        return truth(f"{mask.operand} & {1 << x.value}") if x.value >= 0 else number(0)
    if mask.value is not None:
        known = members(mask.value)
        if not known:
            return number(0)
        if known == list(range(known[0], known[-1] + 1)):
            return _between(x, known[0], known[-1])
    if not x.none and x.low is not None and x.low >= 0:
        return truth(f"{mask.operand} >> {x.operand} & 1")
    x = f.named(x)
    return truth(f"{x.text} >= 0 and {mask.operand} >> {x.text} & 1")


def size(f: PrintedFunction, of: Expr) -> Fragment:
    """Returns the size of a set."""
    of = f.module.values.opened(f, of)
    fused = filtered(f, of)
    if fused is not None:
        name, source, test = fused
        return comprehension(f, Over("count", (name,), (source,), None, test))
    if isinstance(of, Contents):
        zone = f.module.game.zones[of.zone]
        place = zone_slot(f, of.zone, of.index)
        if place is not None and not place[1] and zone.form == "pile":
            count = f.module.game.kinds[zone.kind].size
            return Fragment(f"(S[{place[0]}].bit_length() + 15) // 16", 0, count)
        if place is not None and not place[1] and zone.form == "slot":
            return truth(f"S[{place[0]}] != NONE")
        if place is None:
            return number(0)
        mask = guarded(f.expression(of), [], number(0))
    else:
        mask = as_set(f, f.expression(of))
    if mask.value is not None:
        return number(mask.value.bit_count())
    return Fragment(f"{mask.operand}.bit_count()", 0, None if mask.high is None else mask.high.bit_count(), atom=True)


def is_empty_test(expr: Op) -> bool:
    """Returns whether a comparison asks if a set is empty."""
    return len(expr.arguments) == 2 and expr.arguments[1] == Const(0) and _is_set(expr.arguments[0])


def _is_set(expr: Expr) -> bool:
    return isinstance(expr, Contents) or (isinstance(expr, Over) and expr.what == "set")


def emptiness(f: PrintedFunction, of: Expr) -> Fragment:
    """Returns whether a set is empty."""
    fused = filtered(f, of)
    if fused is not None:
        name, source, test = fused
        found = comprehension(f, Over("any", (name,), (source,), Const(1), test))
        return truth(f"not {found.text}" if found.atom else f"not ({found.text})")
    if isinstance(of, Contents):
        zone = f.module.game.zones[of.zone]
        place = zone_slot(f, of.zone, of.index)
        if place is None:
            return number(1)
        held = f"S[{place[0]}] == NONE" if zone.form == "slot" else f"not S[{place[0]}]"
        guards = [f"not {guard}" for guard in place[1]]
        return truth(" or ".join([*guards, held]))
    mask = f.expression(of)
    return truth(f"not {mask.operand}")


# ------------------------------------------------------------------ comprehensions


def comprehension(f: PrintedFunction, over: Over) -> Fragment:
    """Prints a comprehension as loops that fill a name; returns the name."""
    if f.depth > 1 and f.depth + len(over.sources) > DEEPEST and f.recursing is None:
        return _apart(f, over)
    f.look_up(over)
    if not f.module.values.draws(over):
        known = sliced(f, over)
        if known is not None:
            return known
    rates = f.rates(over)
    known = masked(f, over, lambda mask: paid(f, mask, rates[0] if rates else 0))
    if known is not None:
        return known
    match over.what:
        case "any" | "all":
            return _whether(f, over)
        case "first" | "best":
            return _chosen(f, over)
        case "count" if (
            over.condition is None and len(over.sources) == 1 and over.sources[0].pile is None and not rates
        ):
            return size(f, over.sources[0].mask or Const(0))
        case "set" if over.condition is None and filtered(f, over) is not None:
            return paid(f, mask_of(f, over.sources[0]), rates[0] if rates else 0)
        case "min" | "max":
            return _extreme(f, over)
        case "set" | "count" | "sum":
            return _gathered(f, over)
        case _:
            assert_never(over.what)


def _apart(f: PrintedFunction, over: Over) -> Fragment:
    """Prints a comprehension as a function of its own, since Python limits the nesting of loops; returns the call."""
    draws = f.module.values.draws(over)
    heads = ["S", "M"] if draws or f.module.steps.is_open(over) else ["S"]
    own = {name.id for node in walk(over) if isinstance(node, Over) for name in node.names}
    known = {id: f.named(f.local(id)) for id in sorted(read_in(over) - own)}
    passed = sorted({part.text for part in known.values() if part.text.isidentifier() and part.text != "NONE"})
    inner = PrintedFunction(f.module, f.module.apart(), [*heads, *passed], "loops of another function")
    # Arguments keep their names in the function, so new names must differ from them.
    inner.skip(f)
    inner.env.update(known)
    inner.site, inner.own, inner.pays = f.site, f.own, f.pays
    found = comprehension(inner, over)
    inner.line(f"return {found.text}")
    inner.close()
    call = attrs.evolve(
        found, text=f"{inner.name}({', '.join([*heads, *passed])})", atom=True, simple=False, value=None
    )
    return f.named(call)


@contextmanager
def passing(f: PrintedFunction, over: Over) -> Iterator[None]:
    """Prints the loops of a comprehension, and the `if` of its condition."""
    depth = f.depth
    with _walks(f, over, 0, []):
        yield
    f.depth = depth


@contextmanager
def _walks(f: PrintedFunction, over: Over, i: int, ends: list[int]) -> Iterator[None]:
    """Prints the loops from the name number `i` on, noting the depth at which each begins."""
    if i == len(over.names):
        yield
        return
    ends.append(f.depth)
    test = over.condition if i == len(over.names) - 1 else None
    rates = f.rates(over)
    walk = going_over(f, over.sources[i], over.names[i], test, rate=rates[i] if rates else 0)
    with walk, _walks(f, over, i + 1, ends):
        yield


def _gathered(f: PrintedFunction, over: Over) -> Fragment:
    """Prints a count, a sum or a set."""
    name = f.fresh()
    f.line(f"{name} = 0")
    times: int | None = 1
    low: int | None = 0
    high: int | None = 0
    with passing(f, over):
        for variable in over.names:
            x = f.env[variable.id]
            times = None if times is None or x.high is None else times * (x.high + 1)
        if over.what == "count" or over.value is None:
            f.line(f"{name} += 1")
            high = times
        else:
            value = f.expression(over.value).integer
            if over.what == "sum":
                value = numeric(f, value)
                f.line(f"{name} += {value.text}")
                low = None if times is None or value.low is None else min(0, value.low * times)
                high = None if times is None or value.high is None else max(0, value.high * times)
            else:
                f.line(f"{name} |= {single(value).operand}")
                high = None if value.high is None or not 0 <= value.high < SET_LIMIT else (2 << value.high) - 1
    return Fragment(name, low, high, atom=True, simple=True, is_set=over.what == "set")


def _extreme(f: PrintedFunction, over: Over) -> Fragment:
    """Prints the least or the greatest value; NONE is passed over."""
    if over.what == "min" and _is_ascending(f, over):
        return _chosen(f, attrs.evolve(over, what="first", value=None))
    name = f.fresh()
    least = over.what == "min"
    f.line(f"{name} = {'MORE' if least else 'NONE'}")
    with passing(f, over):
        assert over.value is not None
        value = f.named(f.expression(over.value).integer)
        if least:
            f.line(f"if {'NONE < ' if value.none else ''}{value.text} < {name}: {name} = {value.text}")
        else:
            f.line(f"if {value.text} > {name}: {name} = {value.text}")
    if least:
        f.line(f"if {name} == MORE: {name} = NONE")
    return Fragment(name, value.low, value.high, none=True, atom=True, simple=True)


def _is_ascending(f: PrintedFunction, over: Over) -> bool:
    """Returns whether a comprehension yields the members of a set themselves, in ascending order, under a condition
    that neither fails nor pays: then its least member is the first.
    """
    if len(over.names) > 1 or over.value != Local(over.names[0].id) or over.sources[0].pile is not None:
        return False
    plain = (Const, Local, And, Or)
    return not f.is_open(over) and all(
        isinstance(node, plain) or (isinstance(node, Op) and node.name in COMPARISONS) for node in walk(over.condition)
    )


def _unrolled(f: PrintedFunction, over: Over) -> tuple[list[Fragment], Expr | None] | None:
    """Returns the members of a short walk whose number is known, and the test that each must pass; None for another
    walk."""
    if len(over.names) > 1 or over.sources[0].pile is not None:
        return None
    mask = over.sources[0].mask
    if isinstance(mask, Const) and mask.value != NONE:
        passing_it, rest = column_mask(f, over.names[0], over.condition)
        if passing_it is None or passing_it.value is None:
            passing_it, rest = number(mask.value), over.condition
        found = overlap(number(mask.value), passing_it)
        if found.value is not None and found.value.bit_count() <= SHORT:
            return [number(member) for member in members(found.value)], rest
    if not isinstance(mask, Column):
        return None
    sizes = {value.bit_count() for value in f.module.game.tables[mask.table].values if value != NONE}
    if len(sizes) != 1 or not 1 < max(sizes) <= SHORT or NONE in f.module.game.tables[mask.table].values:
        return None
    rows = rows_of(f, mask)
    if not isinstance(rows, str) or rows.startswith("("):
        return None
    most = max(value.bit_length() - 1 for value in f.module.game.tables[mask.table].values)
    names = [Fragment(f.fresh("x"), 0, most, atom=True, simple=True) for _ in range(max(sizes))]
    f.line(f"{', '.join(x.text for x in names)} = {rows}")
    return names, over.condition


def _whether(f: PrintedFunction, over: Over) -> Fragment:
    """Prints `any` or `all`, whose loops end as soon as the result is known."""
    default = over.what == "all"
    if not f.module.values.draws((over.condition, over.value)) and not f.is_open(over):
        with f.aside() as lines:
            found = _each_whether(f, over, default=default)
        if found is not None:
            f.add(lines)
            return found
    name = f.fresh()
    f.line(f"{name} = {default}")
    start = f.depth
    ends: list[int] = []
    with _walks(f, over, 0, ends):
        text = "True" if over.value is None else f.condition(over.value)
        test = f"if not ({text}):" if default else f"if {text}:"
        with f.indented(test):
            f.line(f"{name} = {not default}")
            f.line("break")
        for depth in ends[:0:-1]:
            # An outer loop is left too.
            f.depth = depth
            f.line(f"if {'not ' if default else ''}{name}: break")
    f.depth = start
    return truth(name, atom=True)


def _each_whether(f: PrintedFunction, over: Over, *, default: bool) -> Fragment | None:
    """Prints `any` or `all` of a short walk as one expression; None if it needs lines of its own."""
    unrolled = _unrolled(f, over)
    if unrolled is None:
        return None
    size = len(f.lines)
    texts = []
    for x in unrolled[0]:
        f.env[over.names[0].id] = x
        text = "True" if over.value is None else f.condition(over.value)
        if unrolled[1] is not None:
            test = f.condition(unrolled[1])
            text = f"not ({test}) or {text}" if default else f"({test}) and ({text})"
        texts.append(f"({text})" if any(word in text for word in (" and ", " or ", " if ")) else text)
    if len(f.lines) > size:
        return None
    return truth((" and " if default else " or ").join(texts)) if texts else number(int(default))


def rank(f: PrintedFunction, keys: tuple[Order, ...]) -> str:
    """Returns the text of the sort key of the current thing; the least comes first."""
    texts = []
    for key in keys:
        value = f.expression(key.value).integer
        if key.highest and value.value is None:
            texts.append(
                value.text[1:] if value.text.startswith("-") and value.text[1:].isidentifier() else f"-{value.operand}"
            )
        else:
            texts.append(str(-value.value) if key.highest and value.value is not None else value.text)
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"


def _chosen(f: PrintedFunction, over: Over) -> Fragment:
    """Prints the first thing in the order of keys, or the set of all that tie for it."""
    name = f.fresh()
    first = over.what == "first"
    f.line(f"{name} = {'NONE' if first else 0}")
    best = f.fresh() if over.keys else ""
    if over.keys:
        f.line(f"{best} = None")
    with passing(f, over):
        x = f.env[over.names[0].id]
        if not over.keys:
            f.line(f"{name} = {x.text}" if first else f"{name} |= 1 << {x.text}")
            if first:
                f.line("break")
        else:
            key = f.fresh()
            f.line(f"{key} = {rank(f, over.keys)}")
            with f.indented(f"if {best} is None or {key} < {best}:"):
                f.line(f"{best} = {key}")
                f.line(f"{name} = {x.text}" if first else f"{name} = 1 << {x.text}")
            if not first:
                f.line(f"elif {key} == {best}: {name} |= 1 << {x.text}")
    if first:
        return Fragment(name, x.low, x.high, none=True, atom=True, simple=True)
    bits = None if x.high is None else (2 << x.high) - 1
    return Fragment(name, 0, bits, atom=True, simple=True, is_set=True)
