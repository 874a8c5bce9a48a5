"""Zones, and the places and faces of things -> words.

c in p.hand          # Has(row[40 + 2 * r0 ..], r1)
top of deck          # (row[90] & 0xffff) - 1
"""

from __future__ import annotations

from typing import assert_never

from rulelang.ir.model import Contents, Expr, FaceUp, InSlot, OwnerOf, PlaceOf, Source, TopOf, Zone
from rulelang.ir.types import NONE, IntType, KindType, SetType, first_of, size_of
from rulelang.program.low import model as low
from rulelang.program.low import words
from rulelang.program.low.function import Builder, Lowering
from rulelang.program.low.row import zone_words
from rulelang.program.low.things import piles
from rulelang.program.low.things.places import guarded, keyed, position
from rulelang.program.low.words import KnownWord, number


def zone_place(f: Builder, zone: Zone, index: list[KnownWord]) -> tuple[low.Word, low.Word]:
    """Returns the first word of a zone instance, and whether the instance exists."""
    cell = f.lowering.cell(f.lowering.layout.zones[zone.id])
    assert isinstance(cell.index, low.ConstWord)
    return position(f, cell.index.value, zone.dimensions, index, cell.words)


def zone_index(f: Builder, zone: Zone, index: tuple[Expr, ...]) -> list[KnownWord]:
    """Returns the index of a zone; traps where a number in it is outside the range of its key."""
    return keyed(f, zone.dimensions, [f.named(f.expression(part)) for part in index])


def words_in(lowering: Lowering, zone: Zone) -> int:
    """Returns the number of words of a zone instance."""
    return 1 if lowering.bits is None else zone_words(zone.form, lowering.game.kinds[zone.kind].size)


def zone(f: Builder, expr: Contents | InSlot | TopOf) -> KnownWord:
    """Returns the things of a zone, the thing in a slot, or the top of a pile."""
    of = f.lowering.game.zones[expr.zone]
    kind = f.lowering.game.kinds[of.kind]
    thing = KindType(kind.name, kind.size)
    place, inside = zone_place(f, of, zone_index(f, of, expr.index))
    if not isinstance(place, low.ConstWord) and of.form == "pile":
        place = f.kept(place)
    if isinstance(expr, Contents):
        return guarded(_contents(f, of, place, SetType(thing)), inside, words.known_set(low.ConstWord(0), 0))
    match of.form:
        case "slot":
            word: low.Word = low.CellWord(place)
        case "pile":
            on_top = f.kept(piles.top(place))
            empty = low.BinaryWord("==", on_top, low.ConstWord(0))
            word = low.SelectWord(empty, low.ConstWord(NONE), low.BinaryWord("-", on_top, low.ConstWord(1)))
        case "group":
            held = f.kept(low.CellWord(place, words_in(f.lowering, of)))
            empty = low.BinaryWord("==", held, low.ConstWord(0))
            word = low.SelectWord(empty, low.ConstWord(NONE), low.UnaryWord("lowest", held))
        case _:
            assert_never(of.form)
    return guarded(words.typed(word, thing.or_none()), inside, number(NONE))


def _contents(f: Builder, of: Zone, place: low.Word, type: SetType) -> KnownWord:
    match of.form:
        case "group":
            return words.typed(low.CellWord(place, words_in(f.lowering, of)), type)
        case "pile":
            return words.typed(piles.contents(f, place, f.lowering.words_of(type)), type)
        case "slot":
            return words.single(f.named(words.typed(low.CellWord(place), type.element.or_none())))
        case _:
            assert_never(of.form)


def whereabouts(f: Builder, expr: PlaceOf | OwnerOf | FaceUp) -> KnownWord:
    """Returns the place of a thing, its owner, or whether it is face up."""
    kind, layout = f.lowering.game.kinds[expr.kind], f.lowering.layout
    thing = f.named(f.expression(expr.thing))
    first = layout.faces[kind.id] if isinstance(expr, FaceUp) else layout.places[kind.id]
    place, inside = position(f, first, (KindType(kind.name, kind.size),), [thing])
    match expr:
        case FaceUp():
            return guarded(KnownWord(low.CellWord(place), 0, 1), inside, number(0))
        case OwnerOf(owner=owner):
            owners = owners_of(f.lowering, kind.id, owner)
            most = max([0, *owners])
            return guarded(f.lowering.entry(IntType(0, most), owners, low.CellWord(place)), inside, number(NONE))
        case PlaceOf():
            return guarded(KnownWord(low.CellWord(place), 0, _places(f.lowering, kind.id) - 1), inside, number(NONE))
        case _:
            assert_never(expr)


def _places(lowering: Lowering, kind: int) -> int:
    return sum(lowering.layout.zone_sizes[zone.id] for zone in lowering.game.zones if zone.kind == kind)


def owners_of(lowering: Lowering, kind: int, owner: str) -> tuple[int, ...]:
    """Returns, by place of a kind, its owner among an owner kind, or NONE."""
    owners: dict[int, int] = {}
    for zone in lowering.game.zones:
        width = lowering.layout.zone_sizes[zone.id]
        first = zone.dimensions[0] if zone.owner == owner and zone.dimensions else None
        for i in range(width if zone.kind == kind else 0):
            owners[zone.first_place + i] = NONE if first is None else first_of(first) + i * size_of(first) // width
    return tuple(owners[i] for i in sorted(owners))


def mask_of(f: Builder, source: Source) -> KnownWord:
    """Returns the things of a source as a set."""
    if source.pile is None:
        assert source.mask is not None
        return f.set(source.mask)
    return lying(f, source.pile, None if source.mask is None else f.named(f.set(source.mask)))


def lying(f: Builder, zone: Contents, only: KnownWord | None) -> KnownWord:
    """Returns the things of a zone as a set; only those in a set, if there is one."""
    held = f.set(zone)
    return held if only is None else words.united("inter", held, only)


def snapshot(f: Builder, source: Source) -> tuple[int, low.RegisterWord, KnownWord | None]:
    """Emits code that copies the things of a source, in its order, to an array.

    Returns the array, the number of things, and the set of those that count, None if all do.
    """
    assert source.pile is not None
    of = f.lowering.game.zones[source.pile.zone]
    only = None if source.mask is None else f.named(f.set(source.mask))
    array, count = f.array(f.lowering.game.kinds[of.kind].size), f.kept(low.ConstWord(0))
    if of.form == "pile":
        place, inside = zone_place(f, of, zone_index(f, of, source.pile.index))
        place = place if isinstance(place, low.ConstWord) else f.kept(place)
        with f.looped() as body:
            thing = f.kept(piles.item(f, place, count))
            f.add(low.IfInst(low.BinaryWord("==", thing, low.ConstWord(0)), (low.BreakInst(),)))
            f.add(low.PutInst(array, count, low.BinaryWord("-", thing, low.ConstWord(1))))
            piles.raised(f, count)
        f.add(
            low.RepeatInst(tuple(body))
            if inside == low.ConstWord(1)
            else low.IfInst(inside, (low.RepeatInst(tuple(body)),))
        )
        return array, count, only
    held, x = f.named(f.set(source.pile)), f.fresh()
    with f.looped() as body:
        f.add(low.PutInst(array, count, low.RegisterWord(x)))
        piles.raised(f, count)
    f.add(low.WalkInst(x, held.word, tuple(body)))
    return array, count, only
