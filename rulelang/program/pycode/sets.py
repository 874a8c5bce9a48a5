"""Sets and walks over them -> Python loops.

A set that is only gone through, counted or asked for a member is never built: `{q in players if q.zone == z}` becomes
the loop and its `if`.

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

from rulelang.ir.model import And, Column, Const, Contents, Expr, Local, Op, Order, Over, Source, Variable
from rulelang.ir.types import NONE, SET_LIMIT
from rulelang.ir.walk import read_in, walk
from rulelang.program.packing import members
from rulelang.program.pycode.column_masks import sieve, sieved
from rulelang.program.pycode.fragment import Fragment, number, truth
from rulelang.program.pycode.function import PrintedFunction
from rulelang.program.pycode.operators import as_set, numeric, overlap, single
from rulelang.program.pycode.places import guarded, position, zone_slot

SMALL = 8
"""Sets over up to this many values are gone through by a table of all of them."""
SHORT = 6
"""Walks over up to this many members are written out, where it is always as many."""
DEEPEST = 20
"""Deeper than this Python nests no loops."""
FEW = 64
"""Up to this many known members are written out."""


# ------------------------------------------------------------------ walks


@contextmanager
def going_over(
    f: PrintedFunction,
    source: Source,
    variable: Variable,
    test: Expr | None = None,
    *,
    settled: bool = False,
    rate: int = 0,
) -> Iterator[None]:
    """Prints the head of a loop over what of a source passes a test; what is printed meanwhile is its body.

    `break` leaves it. `settled`: the body may change what the source reads. `rate`: what each thing that is gone over costs.
    """
    depth = f.depth
    open_walk(f, source, variable, test, settled=settled, rate=rate)
    size = len(f.lines)
    yield
    if len(f.lines) == size:
        f.line("pass")
    f.depth = depth


def open_walk(
    f: PrintedFunction,
    source: Source,
    variable: Variable,
    test: Expr | None = None,
    *,
    settled: bool = False,
    rate: int = 0,
) -> None:
    """Prints the head of a loop over what of a source passes a test, and stays in its body."""
    if source.pile is not None:
        _over_pile(f, source, variable, rate)
        _only_if(f, test)
    else:
        assert source.mask is not None
        _over_set(f, source.mask, variable, test, settled=settled, rate=rate)


def _head(f: PrintedFunction, variable: Variable, of: str, low: int, high: int | None, rate: int) -> Fragment:
    if rate:
        of = f.named(Fragment(of)).text
        f.pay_for(f"len({of})", rate)
    name = f.fresh("x")
    f.line(f"for {name} in {of}:")
    f.depth += 1
    f.env[variable.id] = Fragment(name, low, high, atom=True, simple=True)
    return f.env[variable.id]


def _over_pile(f: PrintedFunction, source: Source, variable: Variable, rate: int) -> None:
    assert source.pile is not None
    mask = None if source.mask is None else f.named(as_set(f, f.expression(source.mask)))
    size = f.module.game.kinds[f.module.game.zones[source.pile.zone].kind].size
    of = pile_items(f, source.pile)
    x = _head(f, variable, of, 0, size - 1, rate)
    if mask is not None:
        f.line(f"if {mask.text} >> {x.text} & 1:")
        f.depth += 1


def pile_items(f: PrintedFunction, pile: Contents) -> str:
    """Returns the text of a pile's things, top first."""
    place = zone_slot(f, pile.zone, pile.index)
    if place is None:
        return "()"
    things = {"pile": "items", "slot": "in_slot"}.get(f.module.game.zones[pile.zone].form, "members")
    text = f"{things}(S[{place[0]}])"
    return f"({text} if {' and '.join(place[1])} else ())" if place[1] else text


def _over_set(
    f: PrintedFunction, mask: Expr, variable: Variable, test: Expr | None, *, settled: bool, rate: int
) -> None:
    mask = f.module.values.opened(f, mask)
    fused = None if settled or rate else _filter(f, mask)
    if fused is not None:
        name, source, inner = fused
        assert source.mask is not None
        rates = f.rates(mask) if isinstance(mask, Over) else ()
        _over_set(f, source.mask, name, inner, settled=False, rate=rates[0] if rates else 0)
        f.env[variable.id] = f.env[name.id]
    else:
        test = _over_members(f, mask, variable, test, rate)
    _only_if(f, test)


def _over_members(f: PrintedFunction, mask: Expr, variable: Variable, test: Expr | None, rate: int) -> Expr | None:
    """Prints the head of a loop over a set; returns what of the test its members may not have passed."""
    match mask:
        case Op(name="range", arguments=(low, high)) if not isinstance(low, Const) or not isinstance(high, Const):
            _over_range(f, f.expression(low).integer, f.expression(high).integer, variable, rate)
        case Op(name="single", arguments=(of,)):
            one = f.named(f.expression(of).integer)
            if one.low is None or one.low < 0 or one.high is None or one.high >= SET_LIMIT:
                _head(f, variable, f"members(single({one.text}))", 0, SET_LIMIT - 1, rate)
            elif one.none:
                _head(f, variable, f"({one.text},) if {one.text} != NONE else ()", one.low, one.high, rate)
            else:
                _head(f, variable, f"({one.text},)", one.low, one.high, rate)
        case Column():
            rows = _rows(f, mask)
            if isinstance(rows, str):
                table = f.module.game.tables[mask.table]
                most = max((value.bit_length() - 1 for value in table.values if value != NONE), default=0)
                _head(f, variable, rows, 0, max(most, 0), rate)
            else:
                _over_mask(f, rows, variable, rate)
        case _:  # any other set is sifted by what is printed on its members
            passing_it, test = sieve(f, variable, test)
            found = f.expression(mask)
            if passing_it is None:
                _over_mask(f, found, variable, rate)
            else:
                _over_mask(f, overlap(paid(f, found, rate), passing_it), variable, 0)
    return test


def _rows(f: PrintedFunction, column: Column) -> str | Fragment:
    """Returns the text of the members of a printed set, or the set if it is known."""
    table = f.module.game.tables[column.table]
    place = position(f, 0, table.dimensions, f.integers(column.of))
    if place is None:
        return number(0)
    if place[0].isdigit() and not place[1]:
        return number(table.values[int(place[0])])
    text = f"{f.module.member_table(table.id)}[{place[0]}]"
    return f"({text} if {' and '.join(place[1])} else ())" if place[1] else text


def _most(mask: Fragment) -> int:
    """Returns the greatest member that a set can have; 0 for the empty set."""
    return SET_LIMIT - 1 if mask.high is None else max(mask.high.bit_length() - 1, 0)


def paid(f: PrintedFunction, mask: Fragment, rate: int) -> Fragment:
    """Returns a set that is gone over, its members paid for at a rate."""
    mask = as_set(f, mask)
    if not rate:
        return mask
    if mask.value is not None:
        f.pay(mask.value.bit_count() * rate)
        return mask
    mask = f.named(mask)
    f.pay_for(f"({mask.text}).bit_count()" if mask.text.isdigit() else f"{mask.text}.bit_count()", rate)
    return mask


def _over_range(f: PrintedFunction, low: Fragment, high: Fragment, variable: Variable, rate: int) -> None:
    most = SET_LIMIT - 1 if high.high is None else min(high.high, SET_LIMIT - 1)
    least = 0 if low.low is None else max(low.low, 0)
    if low.none or high.none:
        _head(f, variable, f"members(range_mask({low.text}, {high.text}))", 0, most, rate)
        return
    first = low.text if low.low is not None and low.low >= 0 else f"max({low.text}, 0)"
    if high.value is not None:
        last = str(most + 1)
    elif high.high is not None and high.high < SET_LIMIT:
        last = f"{high.operand} + 1"
    else:
        last = f"min({high.text}, {SET_LIMIT - 1}) + 1"
    _head(f, variable, f"range({first}, {last})", least, most, rate)


def _over_mask(f: PrintedFunction, mask: Fragment, variable: Variable, rate: int) -> None:
    mask = paid(f, mask, rate) if rate else mask
    if mask.value is not None:
        known = members(mask.value) if mask.value != NONE else []
        whole_range = known == list(range(known[0], known[-1] + 1)) if known else False
        if len(known) > FEW and whole_range:
            text = f"range({known[0]}, {known[-1] + 1})"
        else:
            text = f"({', '.join(map(str, known))}{',' if len(known) == 1 else ''})"
        _head(f, variable, text, known[0] if known else 0, known[-1] if known else 0, 0)
        return
    mask = as_set(f, mask)
    least = (mask.high & -mask.high).bit_length() - 1 if mask.high else 0
    if mask.high is not None and mask.high.bit_length() <= SMALL:
        table = f.module.subset_table(mask.high.bit_length())
        _head(f, variable, f"{table}[{mask.text}]", least, _most(mask), 0)
        return
    rest, bit, name = f.fresh("m"), f.fresh("b"), f.fresh("x")
    f.line(f"{rest} = {mask.text}")
    f.line(f"while {rest}:")
    f.depth += 1
    f.line(f"{bit} = {rest} & -{rest}")
    f.line(f"{rest} ^= {bit}")
    f.line(f"{name} = {bit}.bit_length() - 1")
    f.env[variable.id] = Fragment(name, least, _most(mask), atom=True, simple=True)


def _only_if(f: PrintedFunction, test: Expr | None) -> None:
    """Prints an `if` around the rest of a loop's body."""
    if test is None:
        return
    text = f.condition(test)
    if text != "True":
        f.line(f"if {text}:")
        f.depth += 1


def _filter(f: PrintedFunction, mask: Expr) -> tuple[Variable, Source, Expr | None] | None:
    """Returns the parts of a set `{x in S if c}` of x itself, which need not be built to be gone through.

    What pays as it goes must be gone through as it is written.
    """
    match mask:
        case Over(what="set", names=(name,), sources=(Source(pile=None) as source,), value=value):
            if f.opens(mask.condition):
                return None
            own = value is None or value == Local(name.id)
            return (name, source, mask.condition) if own and not f.module.values.draws(mask) else None
        case _:  # any other set is built
            return None


def listed(f: PrintedFunction, source: Source, rate: int = 0) -> Fragment:
    """Returns the text of a list of what a source goes over, in order, with the bounds of its members; paid for at a rate."""
    if source.pile is None:
        assert source.mask is not None
        mask = paid(f, f.expression(source.mask), rate)
        if mask.high is not None and mask.value is None and mask.high.bit_length() <= SMALL:
            text = f"{f.module.subset_table(mask.high.bit_length())}[{mask.text}]"
        else:
            text = f"members({mask.text})"
        return Fragment(text, 0, _most(mask), atom=True)
    most = f.module.game.kinds[f.module.game.zones[source.pile.zone].kind].size - 1
    only = None if source.mask is None else f.named(as_set(f, f.expression(source.mask)))
    things = Fragment(pile_items(f, source.pile), 0, most)
    if rate:
        things = f.named(things)
        f.pay_for(f"len({things.text})", rate)
    if only is None:
        return things
    return Fragment(f"[x for x in {things.text} if {only.text} >> x & 1]", 0, most, atom=True)


def mask_of(f: PrintedFunction, source: Source) -> Fragment:
    """Returns the mask of what a source goes over."""
    if source.pile is None:
        assert source.mask is not None
        return as_set(f, f.expression(source.mask))
    pile = f.expression(source.pile)
    if source.mask is None:
        return pile
    mask = as_set(f, f.expression(source.mask))
    return Fragment(f"{pile.operand} & {mask.operand}", 0, pile.high, is_set=True)


# ------------------------------------------------------------------ questions about sets


def membership(f: PrintedFunction, item: Expr, of: Expr) -> Fragment:
    """Returns whether a value is in a set."""
    of = f.module.values.opened(f, of)
    x = f.expression(item).integer
    fused = _filter(f, of)
    if fused is not None:
        name, source, test = fused
        assert source.mask is not None
        x = f.named(x)
        assert isinstance(of, Over)
        rates = f.rates(of)
        if rates:
            source = Source(f.stand_in(f.named(paid(f, f.expression(source.mask), rates[0]))))
        # In the set, so not NONE and not below 0: the condition is looked at after that is known.
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
    fused = _filter(f, of)
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
    fused = _filter(f, of)
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
    rates = f.rates(over)
    known = sieved(f, over, lambda mask: paid(f, mask, rates[0] if rates else 0))
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
        case "set" if over.condition is None and _filter(f, over) is not None:
            return paid(f, mask_of(f, over.sources[0]), rates[0] if rates else 0)
        case "min" | "max":
            return _extreme(f, over)
        case "set" | "count" | "sum":
            return _gathered(f, over)
        case _:
            assert_never(over.what)


def _apart(f: PrintedFunction, over: Over) -> Fragment:
    """Prints a comprehension as a function of its own, and returns the call: Python nests loops only so deep."""
    draws = f.module.values.draws(over)
    heads = ["S", "M"] if draws or f.module.steps.is_open(over) else ["S"]
    own = {name.id for node in walk(over) if isinstance(node, Over) for name in node.names}
    known = {id: f.named(f.local(id)) for id in sorted(read_in(over) - own)}
    passed = sorted({part.text for part in known.values() if part.text.isidentifier() and part.text != "NONE"})
    inner = PrintedFunction(f.module, f.module.apart(), [*heads, *passed], "loops of another function")
    # What the caller passes keeps its name, so nothing new may be called the same.
    inner.skip(f)
    inner.env.update(known)
    inner.site, inner.own, inner.pays = f.site, f.own, f.pays
    found = comprehension(inner, over)
    inner.line(f"return {found.text}")
    f.module.add(inner)
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
    """Prints the loops from a name on, noting the depth at which each begins."""
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
    """Prints the least or the greatest value; NONE counts as nothing."""
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


def _unrolled(f: PrintedFunction, over: Over) -> list[Fragment] | None:
    """Returns the members of a short walk one by one, where there are always as many."""
    if len(over.names) > 1 or over.sources[0].pile is not None:
        return None
    mask = over.sources[0].mask
    if isinstance(mask, Const) and mask.value != NONE and mask.value.bit_count() <= SHORT:
        return [number(member) for member in members(mask.value)]
    if not isinstance(mask, Column):
        return None
    sizes = {value.bit_count() for value in f.module.game.tables[mask.table].values if value != NONE}
    if len(sizes) != 1 or not 1 < max(sizes) <= SHORT or NONE in f.module.game.tables[mask.table].values:
        return None
    rows = _rows(f, mask)
    if not isinstance(rows, str) or rows.startswith("("):
        return None
    most = max(value.bit_length() - 1 for value in f.module.game.tables[mask.table].values)
    found = [Fragment(f.fresh("x"), 0, most, atom=True, simple=True) for _ in range(max(sizes))]
    f.line(f"{', '.join(x.text for x in found)} = {rows}")
    return found


def _whether(f: PrintedFunction, over: Over) -> Fragment:
    """Prints `any` or `all`: the loops are left as soon as it is known."""
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
    for x in unrolled:
        f.env[over.names[0].id] = x
        text = "True" if over.value is None else f.condition(over.value)
        if over.condition is not None:
            test = f.condition(over.condition)
            text = f"not ({test}) or {text}" if default else f"({test}) and ({text})"
        texts.append(f"({text})" if any(word in text for word in (" and ", " or ", " if ")) else text)
    if len(f.lines) > size:
        return None
    return truth((" and " if default else " or ").join(texts)) if texts else number(int(default))


def rank(f: PrintedFunction, keys: tuple[Order, ...]) -> str:
    """Returns the text of what values are ordered by: the least comes first."""
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
    """Prints the first by keys, or the set of all that tie for it."""
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
