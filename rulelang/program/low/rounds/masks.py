"""Conditions on one member of a set -> the set of all members for which they hold.

t in reach(s)                                             # reach(s)
connected(s, t, open)                                     # the spaces that a flood from s reaches
any(connected(s, t, open, {d}) for d in Direction)        # those that one in some direction reaches
run(p, t, east) >= 3                                      # the spaces from which a line runs that far (`lines`)

Such a set is computed in front of a loop over members, in place of a condition in each round. That may trap where no
round would have: another executor then takes the step.
"""

from __future__ import annotations

from rulelang.ir.model import (
    And,
    CallValue,
    Const,
    DirectedWay,
    Expr,
    Local,
    Op,
    Or,
    Over,
    SetOperator,
    Source,
    Variable,
    Way,
)
from rulelang.ir.types import NONE
from rulelang.program.low import model as low
from rulelang.program.low import words
from rulelang.program.low.function import Builder
from rulelang.program.low.rounds.lines import where_long
from rulelang.program.low.rounds.once import is_unchanged, unchanging
from rulelang.program.low.rounds.walks import guarded, walk
from rulelang.program.low.things.ways import is_symmetric, reached
from rulelang.program.low.words import KnownWord
from rulelang.program.packing import members as members_of

FEW = 8
"""The most members of a set that is gone through by code for each of them."""


def split(
    f: Builder, conditions: tuple[Expr, ...], name: Variable, source: Source, every: KnownWord | None = None
) -> tuple[KnownWord | None, tuple[Expr, ...]]:
    """Returns the set of the members for which some of the conditions on them hold, and the other conditions. For each
    of `every`, where that is given, the first condition is certain to be looked at."""
    if not is_built(source):
        return None, conditions
    held: KnownWord | None = None
    rest: list[Expr] = []
    for i, condition in enumerate(conditions):
        payer = _payer(f, condition, name) if i == 0 and every is not None else None
        mask: KnownWord | None = None
        if payer is not None or not f.lowering.steps.opens(condition):
            with f.aside() as orders:
                mask = mask_where(f, condition, name)
        if mask is None:
            rest.append(condition)
            continue
        f.add(*orders)
        if payer is not None and every is not None:
            f.pay(low.BinaryWord("*", words.size_of_set(every).word, _paid(f, payer)))
        held = mask if held is None else words.united("inter", held, mask)
    return (None if held is None else f.named(held)), tuple(rest)


def is_built(source: Source) -> bool:
    """Returns whether a source is a set that is built before its members are gone through."""
    match source:
        case Source(pile=None, mask=Op(name="range")):
            return False
        case Source(pile=None, mask=Const(value=value)):
            return value.bit_length() <= words.WIDEST
        case _:  # the things of a pile are gone through one by one, and any other set is built
            return source.pile is None


def _payer(f: Builder, condition: Expr, name: Variable) -> Over | None:
    """Returns a condition that pays as many steps for each value of a local; None for one that pays none, or varies."""
    steps = f.lowering.steps
    match condition:
        case Over(sources=(Source(pile=None, mask=mask),), condition=inner, value=value) if (
            mask is not None and steps.opens(condition) and is_unchanged(f, mask, frozenset({name.id}))
        ):
            return None if steps.opens(inner) or steps.opens(value) else condition
        case _:  # the payment of any other condition depends on what it finds
            return None


def _paid(f: Builder, payer: Over) -> low.Word:
    """Returns the steps that a comprehension over one set pays, which are the same whatever it finds."""
    (source,), (rate,) = payer.sources, f.lowering.steps.rates(payer)
    assert source.mask is not None
    return low.BinaryWord("*", words.size_of_set(f.named(f.set(source.mask))).word, low.ConstWord(rate))


def conjuncts(condition: Expr | None) -> tuple[Expr, ...]:
    """Returns the conditions that must all hold."""
    if condition is None:
        return ()
    return condition.arguments if isinstance(condition, And) else (condition,)


def mask_where(f: Builder, condition: Expr, name: Variable) -> KnownWord | None:
    """Returns the set of the values of a local for which a condition holds; None where each has to be tried."""
    names = frozenset({name.id})
    match condition:
        case Op(name="in", arguments=(Local(id=name.id), Op(name="range"))):
            return None
        case Op(name="in", arguments=(Local(id=id), of)) if id == name.id and is_unchanged(f, of, names):
            is_wide = isinstance(of, Const) and of.value.bit_length() > words.WIDEST
            return None if is_wide else f.set(of)
        case Op(name="!=", arguments=(Way() | DirectedWay() as way, Const(value=value))) if value == NONE:
            return _reached(f, way, name)
        case Op(name=">=", arguments=(CallValue() as called, Const(value=least))):
            return where_long(f, called, least, name)
        case Op(name=">", arguments=(CallValue() as called, Const(value=most))):
            return where_long(f, called, most + 1, name)
        case And(arguments=arguments) | Or(arguments=arguments):
            return _joined(f, "inter" if isinstance(condition, And) else "union", arguments, name)
        case Over(what="any", names=(inner,), sources=(Source(pile=None, mask=mask) as source,), value=value) if (
            value is not None and mask is not None
        ):
            if not is_unchanged(f, mask, names):
                return None
            if condition.condition is not None and not is_unchanged(f, condition.condition, names):
                return None
            return _of_any(f, condition, value, inner, source, name)
        case _:  # any other condition is tried for each value
            return None


def _joined(f: Builder, how: SetOperator, arguments: tuple[Expr, ...], name: Variable) -> KnownWord | None:
    found: KnownWord | None = None
    for argument in arguments:
        mask = mask_where(f, argument, name)
        if mask is None:
            return None
        found = mask if found is None else words.united(how, f.named(found), f.named(mask))
    return found


def _reached(f: Builder, way: Way | DirectedWay, name: Variable) -> KnownWord | None:
    """Returns the spaces that have a way to or from another one."""
    names = frozenset({name.id})
    if way.end is None or f.lowering.steps.opens(way):
        return None
    others = (*way.around, way.within, *((way.directions,) if isinstance(way, DirectedWay) else ()))
    if not all(is_unchanged(f, part, names) for part in others):
        return None
    if way.end == Local(name.id) and is_unchanged(f, way.start, names):
        return reached(f, way, words.single(f.named(f.expression(way.start))))
    if way.start == Local(name.id) and is_symmetric(f, way) and is_unchanged(f, way.end, names):
        return reached(f, way, words.single(f.named(f.expression(way.end))))
    return None


def _of_any(f: Builder, over: Over, value: Expr, inner: Variable, source: Source, name: Variable) -> KnownWord | None:
    """Returns the set for which a condition holds for any value of another local."""
    match value:
        case Op(
            name="!=", arguments=(Way(start=start, end=end, within=within, around=()) as way, Const(value=none))
        ) if (
            none == NONE
            and is_symmetric(f, way)
            and {start, end} == {Local(name.id), Local(inner.id)}
            and is_unchanged(f, within, frozenset({name.id, inner.id}))
        ):
            starts = source.mask if over.condition is None else Over("set", (inner,), (source,), None, over.condition)
            assert starts is not None
            return reached(f, way, f.set(starts))
        case _:  # any other condition is looked at for each value
            pass
    if over.condition is None and isinstance(source.mask, Const) and source.mask.value.bit_count() <= FEW:
        return _of_few(f, value, inner, source.mask.value, name)
    found = f.kept(low.ConstWord(0))
    high = 0
    orders, at = f.orders, len(f.orders)
    with walk(f, source, inner), unchanging(f, {inner.id}, orders, at):
        condition = low.ConstWord(1) if over.condition is None else f.condition(over.condition)
        with guarded(f, condition):
            mask = mask_where(f, value, name)
            if mask is not None:
                high |= mask.high
                f.add(low.SetInst(found.number, low.BinaryWord("|", found, mask.word)))
    return None if mask is None else words.known_set(found, high)


def _of_few(f: Builder, value: Expr, inner: Variable, members: int, name: Variable) -> KnownWord | None:
    found: KnownWord | None = words.known_set(low.ConstWord(0), 0)
    orders, at = f.orders, len(f.orders)
    with unchanging(f, {inner.id}, orders, at):
        for member in members_of(members):
            f.env[inner.id] = words.number(member)
            mask = None if found is None else mask_where(f, value, name)
            found = None if mask is None or found is None else words.united("union", f.named(found), f.named(mask))
    return found
