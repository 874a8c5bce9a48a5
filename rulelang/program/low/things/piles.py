"""Piles as words: four things a word, the top in the lowest 16 bits, in the format of `program.packing`.

draw 1 of deck       # row[90..92] >>= 16, where the card is the top one
"""

from __future__ import annotations

from rulelang.program.low import model as low
from rulelang.program.low.function import Builder, Lowering

ITEM, ITEM_MASK = 16, 0xFFFF
PLACE, OTHER = map(low.RegisterWord, range(2))


def plus(a: low.Word, b: low.Word | int) -> low.Word:
    """Returns a sum."""
    if isinstance(b, int):
        b = low.ConstWord(b)
    if isinstance(a, low.ConstWord) and isinstance(b, low.ConstWord):
        return low.ConstWord(a.value + b.value)
    if b == low.ConstWord(0):
        return a
    return b if a == low.ConstWord(0) else low.BinaryWord("+", a, b)


def raised(f: Builder, register: low.RegisterWord, by: int = 1) -> None:
    """Emits code that increments a register."""
    f.add(low.SetInst(register.number, low.BinaryWord("+", register, low.ConstWord(by))))


def _where(f: Builder, place: low.Word, position: low.Word) -> tuple[low.Word, low.Word]:
    """Returns the word that holds the thing at a position of a pile, and the shift of its lowest bit."""
    if f.lowering.bits is None:
        return place, low.BinaryWord("<<", position, low.ConstWord(4))
    word = low.BinaryWord("+", place, low.BinaryWord(">>", position, low.ConstWord(2)))
    return word, low.BinaryWord("<<", low.BinaryWord("&", position, low.ConstWord(3)), low.ConstWord(4))


def item(f: Builder, place: low.Word, position: low.Word) -> low.Word:
    """Returns the thing + 1 at a position from the top; 0 behind the last."""
    if f.lowering.bits is not None and isinstance(place, low.ConstWord) and isinstance(position, low.ConstWord):
        word: low.Word = low.ConstWord(place.value + position.value // 4)
        shift: low.Word = low.ConstWord(position.value % 4 * ITEM)
    else:
        word, shift = _where(f, place, position)
    return low.BinaryWord("&", low.BinaryWord(">>", low.CellWord(word), shift), low.ConstWord(ITEM_MASK))


def put(f: Builder, place: low.Word, position: low.Word, value: low.Word) -> None:
    """Emits code that writes a thing + 1 (or 0) at a position."""
    word, shift = _where(f, place, position)
    word, shift = f.kept(word), f.kept(shift)
    rest = low.BinaryWord(
        "&", low.CellWord(word), low.UnaryWord("flip", low.BinaryWord("<<", low.ConstWord(ITEM_MASK), shift))
    )
    f.add(low.StoreInst(word, low.BinaryWord("|", rest, low.BinaryWord("<<", value, shift))))


def top(place: low.Word) -> low.Word:
    """Returns the top thing + 1; 0 for an empty pile."""
    return low.BinaryWord("&", low.CellWord(place), low.ConstWord(ITEM_MASK))


def drop(f: Builder, place: low.Word, words: int) -> None:
    """Emits code that removes the top thing."""
    f.add(low.StoreInst(place, low.BinaryWord(">>", low.CellWord(place, words), low.ConstWord(ITEM)), words))


def push(f: Builder, place: low.Word, words: int, value: low.Word, end: str) -> None:
    """Emits code that lays a thing (given + 1) on an end of a pile."""
    if end == "bottom":
        put(f, place, size(f, place), value)
    else:
        shifted = low.BinaryWord("<<", low.CellWord(place, words), low.ConstWord(ITEM))
        f.add(low.StoreInst(place, low.BinaryWord("|", shifted, value), words))


def size(f: Builder, place: low.Word) -> low.Word:
    """Emits code that counts the things of a pile; returns their number."""
    found = f.fresh()
    f.add(low.CallInst(found, f.lowering.helper("pile_size", 1, _size), (place,)))
    return low.RegisterWord(found)


def _size(f: Builder) -> None:
    count = f.kept(low.ConstWord(0))
    with f.looped() as body:
        f.add(low.IfInst(low.BinaryWord("==", item(f, PLACE, count), low.ConstWord(0)), (low.BreakInst(),)))
        raised(f, count)
    f.add(low.RepeatInst(tuple(body)), low.ReturnInst(count))


def contents(f: Builder, place: low.Word, words: int) -> low.Word:
    """Emits code that collects the things of a pile; returns their set, as wide as the group of all of them."""
    found = f.fresh()
    name = _contents_function(f.lowering, words)
    f.add(low.CallInst(found, name, (place,), words))
    return low.RegisterWord(found)


def _contents_function(lowering: Lowering, words: int) -> str:
    def body(f: Builder) -> None:
        position, found = f.kept(low.ConstWord(0)), f.kept(low.ConstWord(0))
        with f.looped() as inner:
            thing = f.kept(item(f, PLACE, position))
            f.add(low.IfInst(low.BinaryWord("==", thing, low.ConstWord(0)), (low.BreakInst(),)))
            number = low.BinaryWord("-", thing, low.ConstWord(1))
            bit: low.Word = low.BinaryWord("<<", low.ConstWord(1), number) if words == 1 else low.BitWord(number, words)
            f.add(low.SetInst(found.number, low.BinaryWord("|", found, bit)))
            raised(f, position)
        f.add(low.RepeatInst(tuple(inner)), low.ReturnInst(found))

    return lowering.helper(f"pile_things{words}", 1, body, words)


def take(f: Builder, place: low.Word, words: int, thing: low.Word) -> None:
    """Emits code that takes a thing out of a pile."""

    def body(f: Builder) -> None:
        wanted, position = f.kept(plus(OTHER, 1)), f.kept(low.ConstWord(0))
        with f.aside() as on_top:
            drop(f, PLACE, words)
            f.add(low.ReturnInst(low.ConstWord(0)))
        f.add(low.IfInst(low.BinaryWord("==", top(PLACE), wanted), tuple(on_top)))
        with f.looped() as search:
            there = f.kept(item(f, PLACE, position))
            f.add(low.IfInst(low.BinaryWord("==", there, wanted), (low.BreakInst(),)))
            f.add(low.IfInst(low.BinaryWord("==", there, low.ConstWord(0)), (low.ReturnInst(low.ConstWord(0)),)))
            raised(f, position)
        f.add(low.RepeatInst(tuple(search)))
        with f.looped() as close:
            after = f.kept(item(f, PLACE, plus(position, 1)))
            put(f, PLACE, position, after)
            f.add(low.IfInst(low.BinaryWord("==", after, low.ConstWord(0)), (low.BreakInst(),)))
            raised(f, position)
        f.add(low.RepeatInst(tuple(close)))

    f.add(low.CallInst(None, f.lowering.helper(f"pile_take{words}", 2, body), (place, thing)))


def ordered(f: Builder, place: low.Word, written: int, word: low.Word) -> None:
    """Emits code that sorts a pile by random keys: for each thing
    its own word (from table `written`) mixed with `word`."""

    def body(f: Builder) -> None:
        def key(thing: low.Word) -> low.Word:
            return rank(f, OTHER, low.EntryWord(written, low.BinaryWord("-", thing, low.ConstWord(1))))

        end = f.kept(low.ConstWord(1))
        f.add(low.IfInst(low.BinaryWord("==", top(PLACE), low.ConstWord(0)), (low.ReturnInst(low.ConstWord(0)),)))
        with f.looped() as each:
            thing = f.kept(item(f, PLACE, end))
            f.add(low.IfInst(low.BinaryWord("==", thing, low.ConstWord(0)), (low.BreakInst(),)))
            mine, to = f.kept(key(thing)), f.kept(end)
            with f.looped() as back:
                f.add(low.IfInst(low.BinaryWord("==", to, low.ConstWord(0)), (low.BreakInst(),)))
                other = f.kept(item(f, PLACE, low.BinaryWord("-", to, low.ConstWord(1))))
                its = f.kept(key(other))
                tie = low.BinaryWord("&", low.BinaryWord("==", its, mine), low.BinaryWord("<", other, thing))
                f.add(low.IfInst(low.BinaryWord("|", low.BinaryWord("<", its, mine), tie), (low.BreakInst(),)))
                put(f, PLACE, to, other)
                raised(f, to, -1)
            f.add(low.RepeatInst(tuple(back)))
            put(f, PLACE, to, thing)
            raised(f, end)
        f.add(low.RepeatInst(tuple(each)))

    f.add(low.CallInst(None, f.lowering.helper(f"pile_sort{written}", 2, body), (place, word)))


def rank(f: Builder, drawn: low.Word, own: low.Word) -> low.Word:
    """Returns the random key of a thing: its own word mixed with the word drawn; the least comes first."""
    mixed = low.UnaryWord("mixed", low.BinaryWord("^", drawn, own))
    # Words of 64 bits are compared as signed ones; with the highest bit flipped, the order is that of unsigned ones.
    return mixed if f.lowering.bits is None else low.BinaryWord("^", mixed, low.ConstWord(1 << 63))
