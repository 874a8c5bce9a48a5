"""Walks over sets and piles -> the heads of Python loops.

for q in players if q.zone == z        for x2 in IN4[S[4]]:
                                           if S[9 + x2] == x1:
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulelang.ir.model import And, Column, Const, Contents, Expr, Local, Op, Over, Source, Variable
from rulelang.ir.types import NONE, SET_LIMIT
from rulelang.program.packing import members
from rulelang.program.pycode.expressions.column_masks import after_first, column_mask, column_members
from rulelang.program.pycode.expressions.operators import as_set, overlap
from rulelang.program.pycode.expressions.places import position, zone_slot
from rulelang.program.pycode.expressions.slices import WORTH_PAIRING, compared_cells
from rulelang.program.pycode.fragment import Fragment, number
from rulelang.program.pycode.function import PrintedFunction

SMALL = 8
"""The most possible members of a set that is iterated by means of a table of all subsets."""


FEW = 64
"""The most known members that are printed as a tuple."""


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
    """Prints the head of a loop over the things of a source that pass a test; lines printed in the context are its
    body.

    `break` leaves it. `settled`: the body may change what the source reads. `rate`: the steps that each thing costs.
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
    """Prints the head of a loop over the things of a source that pass a test, and stays in its body."""
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
    fused = None if settled or rate else filtered(f, mask)
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
    """Prints the head of a loop over a set; returns the rest of the test, which the body has still to make."""
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
            rows = rows_of(f, mask)
            if isinstance(rows, str):
                table = f.module.game.tables[mask.table]
                most = max((value.bit_length() - 1 for value in table.values if value != NONE), default=0)
                _head(f, variable, rows, 0, max(most, 0), rate)
            else:
                _over_mask(f, rows, variable, rate)
        case _:  # any other set is filtered by printed attributes, where the test allows it
            if _over_cells(f, variable, mask, test, rate):
                assert test is not None
                return after_first(test)
            found = f.expression(mask)
            listed = None if found.value is None else column_members(f, variable, found.value, test)
            if listed is not None and found.value is not None:
                known = members(found.value)
                if rate:
                    f.pay(len(known) * rate)
                _head(f, variable, listed[0], known[0] if known else 0, known[-1] if known else 0, 0)
                return listed[1]
            passing_it, test = column_mask(f, variable, test)
            if passing_it is None:
                _over_mask(f, found, variable, rate)
            else:
                _over_mask(f, overlap(paid(f, found, rate), passing_it), variable, 0)
    return test


def _over_cells(f: PrintedFunction, variable: Variable, mask: Expr, test: Expr | None, rate: int) -> bool:
    """Prints the head of a loop over cells with their indices, and the `if` of their comparison; prints nothing and
    returns
    False if the first part of the test is no such comparison.
    """
    first = test.arguments[0] if isinstance(test, And) else test
    found = None if first is None else compared_cells(f, variable, mask, first)
    if found is None or found.count < WORTH_PAIRING:
        return False
    if rate:
        f.pay(found.count * rate)
    index, cell = f.fresh("x"), f.fresh("y")
    start = f", {found.first}" if found.first else ""
    f.line(f"for {index}, {cell} in enumerate({found.cells}{start}):")
    f.depth += 1
    f.env[variable.id] = Fragment(index, found.first, found.first + found.count - 1, atom=True, simple=True)
    f.line(f"if {cell} {'==' if found.is_equal else '!='} {found.sought.operand}:")
    f.depth += 1
    return True


def can_sift(f: PrintedFunction, source: Source, variable: Variable, test: Expr) -> bool:
    """Returns whether a walk over a source skips all things that do not pass a test without evaluating it for each."""
    if source.mask is None or source.pile is not None or f.module.values.draws(test):
        return False
    cells = compared_cells(f, variable, source.mask, test)
    if cells is not None:
        return cells.count >= WORTH_PAIRING
    mask, rest = column_mask(f, variable, test)
    return mask is not None and rest is None


def rows_of(f: PrintedFunction, column: Column) -> str | Fragment:
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
    """Returns a set that is iterated; prints the payment for its members."""
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


def filtered(f: PrintedFunction, mask: Expr) -> tuple[Variable, Source, Expr | None] | None:
    """Returns the parts of a set `{x in S if c}` of x itself, which can be iterated without being built; else None.

    A comprehension that pays as it goes is iterated as it is written.
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
    """Returns the text of a list of a source's things, in order, with their bounds; prints the payment for them."""
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
    """Returns the things of a source as a mask."""
    if source.pile is None:
        assert source.mask is not None
        return as_set(f, f.expression(source.mask))
    pile = f.expression(source.pile)
    if source.mask is None:
        return pile
    mask = as_set(f, f.expression(source.mask))
    return Fragment(f"{pile.operand} & {mask.operand}", 0, pile.high, is_set=True)
