"""Moves, shuffles and turning face up -> functions, one for each zone that things move to.

move c to p.hand         # m4(r0, r1): take c out of where its place says it lies, lay it into the hand
draw 2 of deck           # d7_4(r0, 2, r1): refills the deck where it runs empty
"""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from rulelang.errors import Unsupported
from rulelang.ir.model import Const, Expr, Move, Reveal, Show, Shuffle, Zone
from rulelang.ir.picks import draws_for_cells
from rulelang.ir.steps import CHANCE
from rulelang.ir.types import NONE, IntType, first_of, size_of
from rulelang.program.low import model as low
from rulelang.program.low import words
from rulelang.program.low.function import Builder
from rulelang.program.low.things import piles
from rulelang.program.low.things.places import position
from rulelang.program.low.things.telling import ENDS, name_of, tell, tell_drawn, tell_each, with_site
from rulelang.program.low.things.zones import snapshot, words_in
from rulelang.program.low.words import KnownWord
from rulelang.program.randomness import written_keys

INSTANCE, THING, SITE = map(low.RegisterWord, range(3))
DRAW_SITE = low.RegisterWord(3)
"""The site, where it follows a pile, a number of things and an instance."""
NOTHING = low.ConstWord(0)


def move(f: Builder, of: Move) -> None:
    """Emits a move."""
    zones = f.lowering.game.zones
    if of.count is not None and of.what.mask is None and of.what.pile is not None:
        _draw_some(f, of, of.what.pile.zone, of.what.pile.index, of.count)
        return
    rate, end = f.lowering.steps.moving(of), of.end or ""
    if draws_for_cells(of):
        f.target = _instance(f, zones[of.to.zone], of.to.index)
    if of.what.pile is None:
        assert of.what.mask is not None
        mask = f.named(f.set(of.what.mask))
        limit = None if of.count is None else f.named(f.expression(of.count)).word
        instance = _instance(f, zones[of.to.zone], of.to.index)
        many: low.Word = low.UnaryWord("count", mask.word)
        if limit is not None:
            many = low.BinaryWord("min", many, low.BinaryWord("max", limit, NOTHING))
        _pay(f, many, rate)
        left, x = f.kept(low.ConstWord(0) if limit is None else low.BinaryWord("max", limit, NOTHING)), f.fresh()
        with f.looped() as body:
            if limit is not None:
                f.add(low.IfInst(low.BinaryWord("<=", left, NOTHING), (low.BreakInst(),)))
                piles.raised(f, left, -1)
            _moved(f, zones[of.to.zone], end, (instance, low.RegisterWord(x)), of.site)
        f.add(low.WalkInst(x, mask.word, tuple(body)))
        return
    array, count, only = snapshot(f, of.what)
    if only is not None:
        count = _sifted(f, array, count, only, f.lowering.game.kinds[of.kind].size)
    if of.count is not None:
        limit = f.expression(of.count).word
        count = f.kept(low.BinaryWord("min", count, low.BinaryWord("max", limit, NOTHING)))
    instance = _instance(f, zones[of.to.zone], of.to.index)
    _pay(f, count, rate)
    at = f.kept(NOTHING)
    with f.looped() as body:
        f.add(low.IfInst(low.BinaryWord(">=", at, count), (low.BreakInst(),)))
        _moved(f, zones[of.to.zone], end, (instance, low.ItemWord(array, at)), of.site)
        piles.raised(f, at)
    f.add(low.RepeatInst(tuple(body)))


def _sifted(f: Builder, array: int, count: low.RegisterWord, only: KnownWord, size: int) -> low.RegisterWord:
    """Emits code that keeps only the things of an array, of so many
    that there are, that are in a set; returns their number."""
    kept, at = f.kept(NOTHING), f.kept(NOTHING)
    with f.looped() as body:
        f.add(low.IfInst(low.BinaryWord(">=", at, count), (low.BreakInst(),)))
        thing = f.kept(low.ItemWord(array, at))
        is_meant = words.has(only, KnownWord(thing, 0, size - 1)).word
        keep = low.PutInst(array, kept, thing), low.SetInst(kept.number, low.BinaryWord("+", kept, low.ConstWord(1)))
        f.add(low.IfInst(is_meant, keep))
        piles.raised(f, at)
    f.add(low.RepeatInst(tuple(body)))
    return kept


def _pay(f: Builder, many: low.Word, rate: int) -> None:
    if rate:
        f.pay(many if rate == 1 else low.BinaryWord("*", many, low.ConstWord(rate)))


def _instance(f: Builder, zone: Zone, index: tuple[Expr, ...]) -> low.Word:
    """Returns the number of a zone's instance; traps where there is none."""
    known = [f.named(f.expression(part)) for part in index]
    place, inside = position(f, 0, zone.dimensions, known)
    f.trap_if(words.negated(inside))
    return place if isinstance(place, low.ConstWord) else f.kept(place)


def _place(f: Builder, zone: Zone, instance: low.Word) -> low.Word:
    """Returns the first word of a zone's instance."""
    cell, many = f.lowering.cell(f.lowering.layout.zones[zone.id]), words_in(f.lowering, zone)
    place = piles.plus(cell.index, instance if many == 1 else low.BinaryWord("*", instance, low.ConstWord(many)))
    return place if isinstance(place, low.ConstWord) else f.kept(place)


# ------------------------------------------------------------------ one thing


def _moved(f: Builder, zone: Zone, end: str, arguments: tuple[low.Word, low.Word], site: low.Word | int) -> None:
    """Emits the move of a thing to an instance of a zone."""
    f.add(low.CallInst(None, _mover(f, zone, end), with_site(f, arguments, site)))


def _mover(f: Builder, zone: Zone, end: str) -> str:
    """Returns the function that moves a thing to an instance of a zone."""
    end = (end or "top") + ("!" if end else "") if zone.form == "pile" else ""

    def body(f: Builder) -> None:
        layout = f.lowering.layout
        at = f.kept(piles.plus(low.ConstWord(layout.places[zone.kind]), THING))
        source, target = f.kept(low.CellWord(at)), f.kept(piles.plus(low.ConstWord(zone.first_place), INSTANCE))
        stays = low.BinaryWord("==", source, target)
        if not end.endswith("!"):
            f.add(low.IfInst(stays, (low.ReturnInst(NOTHING),)))
        place = _place(f, zone, INSTANCE)
        with f.aside() as look:
            _demand_room(f, zone, place)
        if look:
            f.add(low.IfInst(words.negated(stays), tuple(look)))
        _leave(f, zone.kind, source)
        _enter(f, zone, place, end.rstrip("!"))
        f.add(low.StoreInst(at, target))
        if zone.face is not None:
            face = piles.plus(low.ConstWord(layout.faces[zone.kind]), THING)
            f.add(low.StoreInst(face, low.ConstWord(zone.face)))
        tell(f, "move", zone.kind, THING, source, target, ENDS.index(end.rstrip("!")), SITE)

    return _helper(f, f"m{zone.id}{end.replace('!', '_')}", 2, body)


def _helper(f: Builder, name: str, parameters: int, body: Callable[[Builder], None]) -> str:
    """Returns the name of a function that tells what it does, if the caller tells; then a site is its last parameter."""
    return f.lowering.helper(name_of(f, name), parameters + f.tells, body, tells=f.tells)


def _demand_room(f: Builder, zone: Zone, place: low.Word) -> None:
    """Emits a trap for a full zone. Simultaneous moves may
    overfill a zone for a while, which another executor handles."""
    if zone.form == "slot":
        f.trap_if(low.BinaryWord("!=", low.CellWord(place), low.ConstWord(NONE)))
    if zone.capacity is None:
        return
    held = _held(f, zone, place)
    if f.lowering.moves_at_once and not isinstance(zone.capacity, Const):
        f.trap_if(low.CellWord(low.ConstWord(f.lowering.scratch.entered)))
    held = f.kept(held)
    width = 1
    for type, name in zip(reversed(zone.dimensions), reversed(zone.seen_names), strict=False):
        part: low.Word = INSTANCE if width == 1 else low.BinaryWord("div", INSTANCE, low.ConstWord(width))
        part = low.BinaryWord(
            "+", low.BinaryWord("mod", part, low.ConstWord(size_of(type))), low.ConstWord(first_of(type))
        )
        f.env[name.id] = f.named(KnownWord(part, first_of(type), first_of(type) + size_of(type) - 1))
        width *= size_of(type)
    assert zone.capacity is not None
    limit = f.expression(zone.capacity)
    f.trap_if(low.BinaryWord(">=", held, limit.word))


def _held(f: Builder, zone: Zone, place: low.Word) -> low.Word:
    """Returns the number of things in a zone."""
    match zone.form:
        case "pile":
            return piles.size(f, place)
        case "slot":
            return low.BinaryWord("!=", low.CellWord(place), low.ConstWord(NONE))
        case "group":
            return low.UnaryWord("count", low.CellWord(place, words_in(f.lowering, zone)))
        case _:
            assert_never(zone.form)


def _bit(f: Builder, place: low.Word, thing: low.Word) -> tuple[low.Word, low.Word]:
    """Returns the word of a group that holds a thing's bit, and that bit."""
    if f.lowering.bits is None:
        return place, low.BinaryWord("<<", low.ConstWord(1), thing)
    word = low.BinaryWord("+", place, low.BinaryWord(">>", thing, low.ConstWord(6)))
    return word, low.BinaryWord("<<", low.ConstWord(1), low.BinaryWord("&", thing, low.ConstWord(63)))


def _leave(f: Builder, kind: int, source: low.Word) -> None:
    """Emits code that takes a thing out of the zone instance at a place."""

    def body(f: Builder) -> None:
        for zone in (zone for zone in f.lowering.game.zones if zone.kind == kind):
            size = f.lowering.layout.zone_sizes[zone.id]
            with f.aside() as orders:
                place = _place(f, zone, piles.plus(INSTANCE, -zone.first_place))
                if zone.form == "group":
                    word, bit = _bit(f, place, THING)
                    word = f.kept(word)
                    f.add(low.StoreInst(word, low.BinaryWord("^", low.CellWord(word), bit)))
                elif zone.form == "pile":
                    piles.take(f, place, words_in(f.lowering, zone), THING)
                else:
                    f.add(low.StoreInst(place, low.ConstWord(NONE)))
                f.add(low.ReturnInst(NOTHING))
            f.add(
                low.IfInst(
                    words.negated(words.beyond(INSTANCE, zone.first_place, zone.first_place + size - 1)), tuple(orders)
                )
            )

    f.add(low.CallInst(None, f.lowering.helper(f"leave{kind}", 2, body), (source, THING)))


def _enter(f: Builder, zone: Zone, place: low.Word, end: str) -> None:
    if zone.form == "group":
        word, bit = _bit(f, place, THING)
        word = f.kept(word)
        f.add(low.StoreInst(word, low.BinaryWord("|", low.CellWord(word), bit)))
    elif zone.form == "pile":
        piles.push(f, place, words_in(f.lowering, zone), piles.plus(THING, 1), end)
    else:
        f.add(low.StoreInst(place, THING))


# ------------------------------------------------------------------ from the top of a pile


def _draw_some(f: Builder, of: Move, pile: int, index: tuple[Expr, ...], count: Expr) -> None:
    zones = f.lowering.game.zones
    stock = [f.named(f.expression(part)) for part in index]
    many = f.named(f.expression(count))
    rate = f.lowering.steps.moving(of)
    instance = _instance(f, zones[of.to.zone], of.to.index)
    at, inside = position(f, 0, zones[pile].dimensions, stock)
    f.trap_if(words.both(words.negated(inside), low.BinaryWord(">", many.word, NOTHING)))
    name = _drawer(f, zones[pile], zones[of.to.zone], of.end or "", rate)
    f.add(low.CallInst(None, name, with_site(f, (at, many.word, instance), of.site)))


def _drawer(f: Builder, pile: Zone, to: Zone, end: str, rate: int) -> str:
    """Returns the function that moves a number of things from
    the top of a pile, which is refilled when it runs empty."""

    def body(f: Builder) -> None:
        at, left, instance = map(low.RegisterWord, range(3))
        place = _place(f, pile, at)
        if pile.id == to.id:
            f.trap_if(low.BinaryWord("==", at, instance))
        with f.looped() as again:
            f.add(low.IfInst(low.BinaryWord("<=", left, NOTHING), (low.ReturnInst(NOTHING),)))
            some = f.kept(low.BinaryWord("min", _held(f, pile, place), left))
            _pay(f, some, rate)
            f.add(low.SetInst(left.number, low.BinaryWord("-", left, some)))
            _move_first(f, pile, place, some, (to, end), instance, DRAW_SITE)
            f.add(low.IfInst(low.BinaryWord("<=", left, NOTHING), (low.ReturnInst(NOTHING),)))
            f.add(low.IfInst(low.BinaryWord("!=", _held(f, pile, place), NOTHING), (low.ReturnInst(NOTHING),)))
            if pile.refills_from is None:
                f.add(low.ReturnInst(NOTHING))
            else:
                _refill(f, pile, f.lowering.game.zones[pile.refills_from], at, rate)
        f.add(low.RepeatInst(tuple(again)))

    name = f"d{pile.id}_{to.id}_{rate}" + (f"_{end}" if end else "")
    return _helper(f, name, 3, body)


def _refill(f: Builder, pile: Zone, source: Zone, at: low.Word, rate: int) -> None:
    place = _place(f, source, at if source.dimensions == pile.dimensions else NOTHING)
    some = f.kept(_held(f, source, place))
    _pay(f, some, rate)
    _move_first(f, source, place, some, (pile, "top"), at, DRAW_SITE)
    f.add(low.IfInst(low.BinaryWord("==", some, NOTHING), (low.ReturnInst(NOTHING),)))
    f.add(low.CallInst(None, _shuffler(f, pile), with_site(f, (at,), DRAW_SITE)))


def _move_first(
    f: Builder,
    zone: Zone,
    place: low.Word,
    some: low.Word,
    to: tuple[Zone, str],
    instance: low.Word,
    site: low.Word,
) -> None:
    """Emits code that moves the first `some` things of a zone to (an end of) an instance of another."""
    left = f.kept(some)
    with f.looped() as body:
        f.add(low.IfInst(low.BinaryWord("<=", left, NOTHING), (low.BreakInst(),)))
        match zone.form:
            case "pile":
                thing: low.Word = low.BinaryWord("-", piles.top(place), low.ConstWord(1))
            case "slot":
                thing = low.CellWord(place)
            case "group":
                thing = low.UnaryWord("lowest", low.CellWord(place, words_in(f.lowering, zone)))
            case _:
                assert_never(zone.form)
        _moved(f, *to, (instance, thing), site)
        piles.raised(f, left, -1)
    f.add(low.RepeatInst(tuple(body)))


# ------------------------------------------------------------------ shuffles and faces


def shuffle(f: Builder, of: Shuffle) -> None:
    """Emits a shuffle."""
    zone = f.lowering.game.zones[of.zone]
    instance = _instance(f, zone, of.index)
    if f.lowering.steps.is_open(of):
        _pay(f, _held(f, zone, _place(f, zone, instance)), CHANCE)
    f.add(low.CallInst(None, _shuffler(f, zone), with_site(f, (instance,), of.site)))


def _shuffler(f: Builder, zone: Zone) -> str:
    kind = f.lowering.game.kinds[zone.kind]
    if zone.form != "pile":
        raise Unsupported("shuffles of what is no pile")

    def body(f: Builder) -> None:
        place, word = _place(f, zone, INSTANCE), f.fresh()
        stream = low.ConstWord(f.lowering.game.streams.index(f"shuffle {zone.name}"))
        if f.lowering.asks_chance:
            f.add(low.OutcomeInst(word, "shuffle", stream, (low.CellWord(place), low.ConstWord(kind.id))))
            f.add(low.StoreInst(place, low.RegisterWord(word)))
        else:
            f.add(low.DrawInst(word, stream))
            written = f.lowering.entry(IntType(0, 0), tuple(written_keys(kind)), NOTHING).word
            assert isinstance(written, low.EntryWord)
            piles.ordered(f, place, written.table, low.RegisterWord(word))
            held = low.CellWord(place, f.lowering.cell(f.lowering.layout.zones[zone.id]).words)
            tell_drawn(f, "shuffled", stream, held)
        at = f.kept(NOTHING)
        with f.looped() as inner:
            thing = f.kept(piles.item(f, place, at))
            f.add(low.IfInst(low.BinaryWord("==", thing, NOTHING), (low.BreakInst(),)))
            face = piles.plus(low.ConstWord(f.lowering.layout.faces[zone.kind] - 1), thing)
            f.add(low.StoreInst(face, low.ConstWord(int(zone.visible == "all"))))
            piles.raised(f, at)
        f.add(low.RepeatInst(tuple(inner)))
        tell(f, "shuffle", zone.id, piles.plus(low.ConstWord(zone.first_place), INSTANCE), low.RegisterWord(1))

    return _helper(f, f"shuffle{zone.id}", 1, body)


def reveal(f: Builder, of: Reveal) -> None:
    """Emits code that turns things face up."""
    things = f.named(f.set(of.things))
    if f.lowering.steps.is_open(of):
        f.pay(low.UnaryWord("count", things.word))
    x = f.fresh()
    face = piles.plus(low.ConstWord(f.lowering.layout.faces[of.kind]), low.RegisterWord(x))
    with f.aside() as turned:
        f.add(low.StoreInst(face, low.ConstWord(1)))
        tell(f, "turn_up", of.kind, low.RegisterWord(x), of.site)
    if f.tells:
        turned = [low.IfInst(low.BinaryWord("==", low.CellWord(face), NOTHING), tuple(turned))]
    f.add(low.WalkInst(x, things.word, tuple(turned)))


def show(f: Builder, of: Show) -> None:
    """Emits only the cost of showing things and what the trace is told, since showing does not change the row."""
    things = f.named(f.set(of.things))
    seats = f.expression(of.seats)
    if f.lowering.steps.is_open(of):
        f.pay(low.UnaryWord("count", things.word))
    if f.tells:
        tell_each(f, things.word, "show", of.kind, f.named(seats).word, of.part, of.site)
