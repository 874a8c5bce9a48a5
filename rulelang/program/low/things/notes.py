"""Notes the effects of the passes of a `simultaneously` and merges them, as `program.simultaneous` does.

A pass runs on the row itself. Each slot that it writes is noted in words behind the row, with what it held; afterwards the row is as it
was before the pass, and what it noted is merged with what the passes before it did. In the end the merged notes are written.

    q.fuel -= 2, at least 0      # pass: kind ADDS, value -2, least 0; merged: ADDS, -4, 0
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from rulelang.ir.model import Assign, Call, Defer, Expr, GameRules, Simultaneous, StateVariable
from rulelang.ir.types import IntType
from rulelang.ir.walk import walk
from rulelang.program.layout import Layout
from rulelang.program.low import model as low
from rulelang.program.low import words
from rulelang.program.low.function import Builder
from rulelang.program.low.things.piles import plus, raised
from rulelang.program.low.words import KnownWord, Unsupported

KIND, VALUE, LEAST, MOST, OLD = range(5)
"""The words of a pass's note; a merged one has them but the last, from MERGED on."""
MERGED = 5
FIELDS = 9
UNTOUCHED, ADDS, SETS = range(3)
NO_LEAST, NO_MOST = -(2**60), 2**60
MOST_CALLS = 64
"""A `simultaneously` defers at most so many calls."""


@attrs.frozen
class Scratch:
    """Words behind the row that are 0 between steps: the notes by state variable, the deferred calls."""

    notes: dict[int, int]
    """By state variable that passes write: where the notes of its slots begin."""
    calls: int
    """Where it stands how many calls are deferred; then come the calls, `width` words each: procedure, arguments."""
    width: int
    size: int


def scratch(game: GameRules, layout: Layout, at: int) -> Scratch:
    """Returns the words in which notes are kept, from a given word on."""
    blocks = [node for node in walk((game.procedures, game.choices)) if isinstance(node, Simultaneous)]
    notes, start = {}, at
    for state in sorted(_written(game, blocks)):
        notes[state] = at
        at += FIELDS * layout.state_sizes[state]
    everything = walk((game.procedures, game.choices))
    defers = [node for node in everything if isinstance(node, Defer)] if blocks else []
    width = 1 + max((len(node.arguments) for node in defers), default=0)
    size = at + (1 + MOST_CALLS * width if defers else 0) - start
    return Scratch(notes, at, width, size)


def _written(game: GameRules, blocks: list[Simultaneous]) -> set[int]:
    found, seen, bodies = set[int](), set[int](), [block.body for block in blocks]
    while bodies:
        for node in walk(bodies.pop()):
            if isinstance(node, Assign):
                found.add(node.place.state)
            elif isinstance(node, Call) and node.procedure not in seen:
                seen.add(node.procedure)
                bodies.append(game.procedures[node.procedure].body)
    return found


# ------------------------------------------------------------------ in a pass


def _note(f: Builder, state: StateVariable, place: low.Word) -> low.Word:
    """Returns the place of a slot's note."""
    if f.lowering.cell(f.lowering.layout.states[state.id]).words > 1:
        raise Unsupported("`simultaneously` with sets that do not fit in a word")
    first = f.lowering.scratch.notes[state.id] - FIELDS * f.lowering.layout.states[state.id]
    return f.kept(plus(low.BinaryWord("*", place, low.ConstWord(FIELDS)), first))


def _field(note: low.Word, field: int) -> low.CellWord:
    return low.CellWord(plus(note, field))


def _write(f: Builder, note: low.Word, field: int, value: low.Word) -> None:
    f.add(low.StoreInst(plus(note, field), value))


def _keep_old(f: Builder, note: low.Word, place: low.Word) -> None:
    is_new = low.BinaryWord("==", _field(note, KIND), low.ConstWord(UNTOUCHED))
    f.add(low.IfInst(is_new, (low.StoreInst(plus(note, OLD), low.CellWord(place)),)))


def write(f: Builder, state: StateVariable, place: low.Word, value: low.Word) -> None:
    """Adds what sets a slot in a pass, to a value that is within its variable's range."""
    note = _note(f, state, place)
    _keep_old(f, note, place)
    value = f.kept(value)
    f.add(low.StoreInst(place, value))
    _write(f, note, KIND, low.ConstWord(SETS))
    _write(f, note, VALUE, value)


def add(
    f: Builder, state: StateVariable, place: low.Word, sum: KnownWord, least: Expr | None, most: Expr | None
) -> None:
    """Adds what adds to a slot in a pass: the pass sees the clamped sum, kept within the variable's range; the note is exact."""
    if not isinstance(state.type, IntType):
        raise Unsupported("`simultaneously` with sums of what is no number")
    value = f.named(sum).word
    bounds = [
        f.kept(low.ConstWord(missing) if bound is None else f.numeric(bound).word)
        for bound, missing in ((least, NO_LEAST), (most, NO_MOST))
    ]
    note = _note(f, state, place)
    _keep_old(f, note, place)
    old = f.certain(words.typed(low.CellWord(place), state.type))
    grown = low.BinaryWord("min", low.BinaryWord("max", low.BinaryWord("+", old.word, value), bounds[0]), bounds[1])
    seen = f.kept(grown)
    low_, high = words.limits(state.type)
    f.add(
        low.StoreInst(
            place, low.BinaryWord("min", low.BinaryWord("max", seen, low.ConstWord(low_)), low.ConstWord(high))
        )
    )
    with f.aside() as after_set:
        _write(f, note, VALUE, seen)
    with f.aside() as first:
        for field, word in zip((KIND, VALUE, LEAST, MOST), (low.ConstWord(ADDS), value, *bounds), strict=True):
            _write(f, note, field, word)
    with f.aside() as again:
        _join(f, note, (value, *bounds), 0)
    others = (
        low.IfInst(low.BinaryWord("==", _field(note, KIND), low.ConstWord(ADDS)), tuple(again), tuple(after_set)),
    )
    f.add(low.IfInst(low.BinaryWord("==", _field(note, KIND), low.ConstWord(UNTOUCHED)), tuple(first), others))


def _join(f: Builder, note: low.Word, second: tuple[low.Word, ...], offset: int) -> None:
    """Adds what joins a summand to one that is noted; traps where they are clamped in different ways."""
    value, least, most = second
    first = [f.kept(_field(note, offset + field)) for field in (LEAST, MOST)]

    def unclamped(bounds: tuple[low.Word, low.Word]) -> low.Word:
        is_low = low.BinaryWord("==", bounds[0], low.ConstWord(NO_LEAST))
        return low.BinaryWord("&", is_low, low.BinaryWord("==", bounds[1], low.ConstWord(NO_MOST)))

    same = low.BinaryWord("&", low.BinaryWord("==", first[0], least), low.BinaryWord("==", first[1], most))
    fits = low.BinaryWord("|", unclamped((first[0], first[1])), same)
    with f.aside() as clamped:
        f.trap_if(words.negated(fits))
        _write(f, note, offset + LEAST, least)
        _write(f, note, offset + MOST, most)
    f.add(low.IfInst(words.negated(unclamped((least, most))), tuple(clamped)))
    _write(f, note, offset + VALUE, low.BinaryWord("+", _field(note, offset + VALUE), value))


# ------------------------------------------------------------------ after a pass, and after all


def _each_note(f: Builder, act: Callable[[Builder, StateVariable, low.Word, low.Word], None]) -> None:
    """Adds loops over all slots that passes may write, in order: each with its place and its note."""
    for id, start in f.lowering.scratch.notes.items():
        first, size = f.lowering.layout.states[id], f.lowering.layout.state_sizes[id]
        place, note = f.kept(low.ConstWord(first)), f.kept(low.ConstWord(start))
        with f.looped() as body:
            f.add(low.IfInst(low.BinaryWord(">=", place, low.ConstWord(first + size)), (low.BreakInst(),)))
            act(f, f.lowering.game.states[id], place, note)
            raised(f, place)
            raised(f, note, FIELDS)
        f.add(low.RepeatInst(tuple(body)))


def merge(f: Builder) -> None:
    """Adds what undoes a pass and merges its notes; traps where they do not agree with those of the passes before."""
    f.add(low.CallInst(None, f.lowering.helper("merge_notes", 0, lambda f: _each_note(f, _merged)), ()))


def _merged(f: Builder, state: StateVariable, place: low.Word, note: low.Word) -> None:
    with f.aside() as noted:
        f.add(low.StoreInst(place, _field(note, OLD)))
        kind, before = f.kept(_field(note, KIND)), f.kept(_field(note, MERGED + KIND))
        parts = [f.kept(_field(note, field)) for field in (VALUE, LEAST, MOST)]
        with f.aside() as first:
            for field, word in zip((KIND, VALUE, LEAST, MOST), (kind, *parts), strict=True):
                _write(f, note, MERGED + field, word)
        with f.aside() as both:
            f.trap_if(low.BinaryWord("!=", kind, before))
            with f.aside() as sums:
                _join(f, note, tuple(parts), MERGED)
            with f.aside() as values:
                f.trap_if(low.BinaryWord("!=", parts[0], _field(note, MERGED + VALUE)))
            f.add(low.IfInst(low.BinaryWord("==", kind, low.ConstWord(ADDS)), tuple(sums), tuple(values)))
        f.add(low.IfInst(low.BinaryWord("==", before, low.ConstWord(UNTOUCHED)), tuple(first), tuple(both)))
        for field in range(MERGED):
            _write(f, note, field, low.ConstWord(0))
    f.add(low.IfInst(low.BinaryWord("!=", _field(note, KIND), low.ConstWord(UNTOUCHED)), tuple(noted)))


def take_over(f: Builder) -> None:
    """Adds what makes the merged notes happen; traps where a variable cannot hold what comes of them."""
    f.add(low.CallInst(None, f.lowering.helper("take_notes", 0, lambda f: _each_note(f, _taken)), ()))


def _taken(f: Builder, state: StateVariable, place: low.Word, note: low.Word) -> None:
    with f.aside() as noted:
        value = f.kept(_field(note, MERGED + VALUE))
        with f.aside() as sums:
            total = low.BinaryWord("max", low.BinaryWord("+", low.CellWord(place), value), _field(note, MERGED + LEAST))
            f.add(low.SetInst(value.number, low.BinaryWord("min", total, _field(note, MERGED + MOST))))
            if isinstance(state.type, IntType):
                f.trap_if(words.outside(KnownWord(value, -words.SAFE, words.SAFE), state.type))
        f.add(low.IfInst(low.BinaryWord("==", _field(note, MERGED + KIND), low.ConstWord(ADDS)), tuple(sums)))
        f.add(low.StoreInst(place, value))
        for field in range(MERGED, FIELDS):
            _write(f, note, field, low.ConstWord(0))
    f.add(low.IfInst(low.BinaryWord("!=", _field(note, MERGED + KIND), low.ConstWord(UNTOUCHED)), tuple(noted)))


# ------------------------------------------------------------------ deferred calls


def defer(f: Builder, procedure: int, arguments: tuple[low.Word, ...]) -> None:
    """Adds what notes a call that is made when all passes are through."""
    calls, width = low.ConstWord(f.lowering.scratch.calls), f.lowering.scratch.width
    f.trap_if(low.BinaryWord(">=", low.CellWord(calls), low.ConstWord(MOST_CALLS)))
    at = f.kept(plus(low.BinaryWord("*", low.CellWord(calls), low.ConstWord(width)), calls.value + 1))
    f.add(*(low.StoreInst(plus(at, i), word) for i, word in enumerate((low.ConstWord(procedure), *arguments))))
    f.add(low.StoreInst(calls, plus(low.CellWord(calls), 1)))


def make_deferred(f: Builder, procedures: dict[int, str]) -> None:
    """Adds what makes the calls that were deferred, in order; what they defer themselves are calls as any."""
    calls, width = low.ConstWord(f.lowering.scratch.calls), f.lowering.scratch.width
    many, at = f.kept(low.CellWord(calls)), f.kept(low.ConstWord(calls.value + 1))
    f.add(low.StoreInst(calls, low.ConstWord(0)))
    with f.looped() as body:
        f.add(low.IfInst(low.BinaryWord("<=", many, low.ConstWord(0)), (low.BreakInst(),)))
        for id, name in procedures.items():
            arity = len(f.lowering.game.procedures[id].parameters)
            arguments = tuple(low.CellWord(plus(at, 1 + i)) for i in range(arity))
            is_it = low.BinaryWord("==", low.CellWord(at), low.ConstWord(id))
            f.add(low.IfInst(is_it, (low.CallInst(None, name, arguments), low.StoreInst(at, low.ConstWord(-1)))))
        # The scratch is 0 again behind a call.
        f.add(*(low.StoreInst(plus(at, i), low.ConstWord(0)) for i in range(width)))
        raised(f, at, width)
        raised(f, many, -1)
    f.add(low.RepeatInst(tuple(body)))
