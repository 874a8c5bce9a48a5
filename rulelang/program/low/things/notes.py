"""The effects of the passes of a `simultaneously` -> notes that are merged.

A pass runs on the row itself. Each slot that it writes is noted in words behind the row, with its old value; after the
pass the row is restored, and the notes are merged with those of the passes before. In the end the merged notes are
written. A `simultaneously` within a pass has notes of its own, and its merged effects are noted as writes of that pass.

    q.fuel -= 2, at least 0      # pass: kind ADDS, value -2, least 0; merged: ADDS, -4, 0
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate, pairwise
from typing import TypeAlias

import attrs

from rulelang.ir.model import Assign, Call, Defer, GameRules, Simultaneous, StateVariable
from rulelang.ir.types import LARGEST, NONE, IntType, Type
from rulelang.ir.walk import calls_in, reachable, walk
from rulelang.program.layout import Layout
from rulelang.program.low import model as low
from rulelang.program.low import words
from rulelang.program.low.function import Builder
from rulelang.program.low.row import Places
from rulelang.program.low.things import telling
from rulelang.program.low.things.piles import plus, raised
from rulelang.program.low.things.telling import name_of, tell, tell_if
from rulelang.program.low.words import KnownWord

KIND, LEAST, MOST, VALUE = range(4)
"""The words of a note. VALUE is as wide as the variable; the slot's old value follows, then the slot's merged note. If a trace
is told, the sites of the two notes stand behind them."""
UNTOUCHED, ADDS, SETS = range(3)
MASKS = 2
"""The number of words before the notes of a variable whose touched slots are kept as sets: those that have a note, and a
merged one."""
FEW, MANY = 4, 62
"""The fewest and the most slots of a variable whose touched slots are kept as sets of 64 bits; of fewer, each is looked at."""
NO_LEAST, NO_MOST = -(2**60), 2**60
MOST_CALLS = 64
"""The most calls that a `simultaneously` may defer."""
MOST_LEVELS = 3
"""The most levels of nested `simultaneously`; deeper ones are left to another executor."""


Act: TypeAlias = Callable[[Builder, StateVariable, low.Word, low.Word], None]
"""Emits what is done with a slot, given its place and its note."""


@attrs.frozen
class Scratch:
    """The places of the words behind the row that are 0 between steps: notes and deferred calls."""

    notes: dict[int, int]
    """By state variable that passes write: the first word of the notes of its slots."""
    levels: int
    """The number of levels of nested `simultaneously`."""
    level: int
    """The number of words of the notes of one level; those of the next level follow."""
    calls: int
    """The word with the number of deferred calls; the calls follow, `width` words each: procedure, arguments."""
    width: int
    entered: int
    """The word that says whether deferred calls are being made; only games in which one may ask have it."""
    size: int
    sites: int
    """The number of words of a slot's notes that hold sites."""


def scratch(
    game: GameRules,
    layout: Layout,
    at: int,
    wide: Places,
    words_of: Callable[[Type], int],
    bits: int | None,
    *,
    is_traced: bool = False,
) -> Scratch:
    """Returns the places of notes and deferred calls, from the word `at` on, in words of so many bits."""
    blocks = [node for node in walk((game.procedures, game.choices)) if isinstance(node, Simultaneous)]
    notes, start, sites = {}, at, 2 * is_traced
    for state in sorted(_written(game, blocks)):
        _, words = wide.get(layout.states[state], (0, 1))
        at += MASKS * has_masks(bits, words, layout.state_sizes[state])
        notes[state] = at
        at += (_note_size(words) + sites) * layout.state_sizes[state]
    level, levels = at - start, _levels(game, blocks)
    at = start + levels * level
    everything = walk((game.procedures, game.choices))
    defers = [node for node in everything if isinstance(node, Defer)] if blocks else []
    width = max((_places(game, node.procedure, words_of)[-1] for node in defers), default=1)
    entered = at + (1 + MOST_CALLS * width if defers else 0)
    size = entered + 1 - start if defers else at - start
    return Scratch(notes, levels, level, at, width, entered, size, sites)


def has_masks(bits: int | None, words: int, many: int) -> bool:
    """Returns whether the touched slots of a variable, of a number of words each, are kept as sets."""
    return bits is None or (words == 1 and FEW <= many <= MANY)


def _places(game: GameRules, procedure: int, words_of: Callable[[Type], int]) -> list[int]:
    """Returns the first word of each argument in a noted call, and the word behind the last."""
    return [*accumulate((words_of(v.type) for v in game.procedures[procedure].parameters), initial=1)]


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


def _levels(game: GameRules, blocks: list[Simultaneous]) -> int:
    """Returns the number of levels of nested blocks, at most MOST_LEVELS."""
    levels, bodies = 0, tuple(block.body for block in blocks)
    while bodies and levels < MOST_LEVELS:
        levels += 1
        called = reachable(game, calls_in(game, bodies, deferred=False), deferred=False)
        inner = (bodies, *(game.procedures[id].body for id in called))
        bodies = tuple(node.body for node in walk(inner) if isinstance(node, Simultaneous))
    return levels


def _note_size(words: int) -> int:
    """Returns the number of words of a slot's notes, without those of sites, which follow."""
    return _old(words) + words + VALUE + words


def _size(f: Builder, words: int) -> int:
    return _note_size(words) + f.lowering.scratch.sites


def _old(words: int) -> int:
    """Returns the field of the old value of a slot of `words` words."""
    return VALUE + words


def _merged_note(words: int) -> int:
    """Returns the field at which the merged note begins."""
    return _old(words) + words


# ------------------------------------------------------------------ in a pass


def _note(f: Builder, state: StateVariable, place: low.Word) -> low.Word:
    """Returns the first word of a slot's note."""
    cell, scratch = _cell(f, state), f.lowering.scratch
    assert isinstance(cell.index, low.ConstWord)
    number: low.Word = plus(place, -cell.index.value)
    if cell.words > 1:
        number = low.BinaryWord("div", number, low.ConstWord(cell.words))
    first = scratch.notes[state.id] + (f.level - 1) * scratch.level
    return f.kept(plus(low.BinaryWord("*", number, low.ConstWord(_size(f, cell.words))), first))


def _cell(f: Builder, state: StateVariable) -> low.CellWord:
    """Returns a variable's first slot."""
    return f.lowering.cell(f.lowering.layout.states[state.id])


def _field(note: low.Word, field: int, words: int = 1) -> low.CellWord:
    return low.CellWord(plus(note, field), words)


def _write(f: Builder, note: low.Word, field: int, value: low.Word, words: int = 1) -> None:
    f.add(low.StoreInst(plus(note, field), value, words))


def _keep_old(f: Builder, state: StateVariable, note: low.Word, place: low.Word, words: int) -> None:
    is_new = low.BinaryWord("==", _field(note, KIND), low.ConstWord(UNTOUCHED))
    with f.aside() as first:
        f.add(low.StoreInst(plus(note, _old(words)), low.CellWord(place, words), words))
        if _has_masks(f, state):
            first_cell = _cell(f, state).index
            assert isinstance(first_cell, low.ConstWord)
            mask = _touched(f, state, f.level, is_merged=False)
            bit = low.BinaryWord("<<", low.ConstWord(1), plus(place, -first_cell.value))
            f.add(low.StoreInst(mask.index, low.BinaryWord("|", mask, bit)))
    f.add(low.IfInst(is_new, tuple(first)))


def _note_site(f: Builder, note: low.Word, words: int, site: low.Word | int, *, is_merged: bool = False) -> None:
    """Emits code that notes the site of a write."""
    if f.lowering.scratch.sites:
        word = low.ConstWord(site) if isinstance(site, int) else site
        _write(f, note, _note_size(words) + is_merged, word)


def _site(f: Builder, note: low.Word, words: int, *, is_merged: bool = False) -> low.Word:
    """Returns the site of a note; 0 if sites are not noted."""
    if not f.lowering.scratch.sites:
        return low.ConstWord(0)
    return f.kept(_field(note, _note_size(words) + is_merged))


def write(f: Builder, state: StateVariable, place: low.Word, value: low.Word, site: low.Word | int) -> None:
    """Emits code that sets a slot in a pass, to a value within its variable's range."""
    note, words = _note(f, state, place), _cell(f, state).words
    _keep_old(f, state, note, place, words)
    value = f.kept(value)
    f.add(low.StoreInst(place, value, words))
    _write(f, note, KIND, low.ConstWord(SETS))
    _write(f, note, VALUE, value, words)
    _note_site(f, note, words, site)


def add(f: Builder, state: StateVariable, place: low.Word, sum: KnownWord, of: Assign) -> None:
    """Emits code that adds to a slot in a pass: the pass sees the
    sum, clamped to the variable's range; the note is exact."""
    value = f.named(f.narrowed(sum, LARGEST))
    if isinstance(state.type, IntType):
        old = f.certain(words.typed(low.CellWord(place), state.type))
        f.certain(words.calculated("+", old, value))
    bounds = [
        f.kept(low.ConstWord(missing) if bound is None else f.narrowed(f.numeric(bound), NO_MOST - 1).word)
        for bound, missing in ((of.least, NO_LEAST), (of.most, NO_MOST))
    ]
    _add(f, state, place, (bounds[0], bounds[1], value.word), of.site)


def _add(
    f: Builder,
    state: StateVariable,
    place: low.Word,
    summand: tuple[low.Word, low.Word, low.Word],
    site: low.Word | int,
) -> None:
    """Emits code that adds a summand, given as its clamps (least and most) and its value."""
    if not isinstance(state.type, IntType):
        # The summand is none; another executor decides whether that is a fault.
        f.add(low.TrapInst())
        return
    least, most, value = summand
    note = _note(f, state, place)
    _keep_old(f, state, note, place, 1)
    old = f.certain(words.typed(low.CellWord(place), state.type))
    grown = low.BinaryWord("min", low.BinaryWord("max", low.BinaryWord("+", old.word, value), least), most)
    seen = f.kept(grown)
    if state.type.optional:
        f.trap_if(low.BinaryWord("==", seen, low.ConstWord(NONE)))
    low_, high = words.limits(state.type)
    f.add(
        low.StoreInst(
            place, low.BinaryWord("min", low.BinaryWord("max", seen, low.ConstWord(low_)), low.ConstWord(high))
        )
    )
    with f.aside() as after_set:
        _write(f, note, VALUE, seen)
    with f.aside() as first:
        for field, word in zip((KIND, LEAST, MOST, VALUE), (low.ConstWord(ADDS), *summand), strict=True):
            _write(f, note, field, word)
    with f.aside() as again:
        _join(f, note, summand)
    others = (
        low.IfInst(low.BinaryWord("==", _field(note, KIND), low.ConstWord(ADDS)), tuple(again), tuple(after_set)),
    )
    f.add(low.IfInst(low.BinaryWord("==", _field(note, KIND), low.ConstWord(UNTOUCHED)), tuple(first), others))
    _note_site(f, note, 1, site)


def _join(f: Builder, note: low.Word, second: tuple[low.Word, low.Word, low.Word]) -> None:
    """Emits code that joins a summand to one already noted; traps where their clamps differ."""
    least, most, value = second
    first = [f.kept(_field(note, field)) for field in (LEAST, MOST)]

    def unclamped(bounds: tuple[low.Word, low.Word]) -> low.Word:
        is_low = low.BinaryWord("==", bounds[0], low.ConstWord(NO_LEAST))
        return low.BinaryWord("&", is_low, low.BinaryWord("==", bounds[1], low.ConstWord(NO_MOST)))

    same = low.BinaryWord("&", low.BinaryWord("==", first[0], least), low.BinaryWord("==", first[1], most))
    fits = low.BinaryWord("|", unclamped((first[0], first[1])), same)
    with f.aside() as clamped:
        f.trap_if(words.negated(fits))
        _write(f, note, LEAST, least)
        _write(f, note, MOST, most)
    f.add(low.IfInst(words.negated(unclamped((least, most))), tuple(clamped)))
    _write(f, note, VALUE, low.BinaryWord("+", _field(note, VALUE), value))


# ------------------------------------------------------------------ after a pass, and after all


def _has_masks(f: Builder, state: StateVariable) -> bool:
    return has_masks(f.lowering.bits, _cell(f, state).words, f.lowering.layout.state_sizes[state.id])


def _touched(f: Builder, state: StateVariable, level: int, *, is_merged: bool) -> low.CellWord:
    """Returns the word with a bit for each slot of a variable that has a note, or a merged one."""
    scratch = f.lowering.scratch
    return low.CellWord(low.ConstWord(scratch.notes[state.id] - MASKS + is_merged + (level - 1) * scratch.level))


def _each_touched(f: Builder, state: StateVariable, level: int, act: Act, *, is_merged: bool) -> None:
    """Emits a loop over the slots of a variable that have a note, which are merged or written by it."""
    scratch = f.lowering.scratch
    own, merged = (_touched(f, state, level, is_merged=merged) for merged in (False, True))
    mask, x = f.kept(merged if is_merged else own), f.fresh()
    with f.looped() as body:
        number = low.BinaryWord("*", low.RegisterWord(x), low.ConstWord(_size(f, 1)))
        note = f.kept(plus(low.ConstWord(scratch.notes[state.id] + (level - 1) * scratch.level), number))
        act(f, state, f.kept(plus(_cell(f, state).index, low.RegisterWord(x))), note)
    rest = low.ConstWord(0) if is_merged else low.BinaryWord("|", merged, mask)
    after = (low.StoreInst(own.index, low.ConstWord(0)), low.StoreInst(merged.index, rest))
    f.add(low.IfInst(mask, (low.WalkInst(x, mask, tuple(body)), *(after[1:] if is_merged else after))))


def _each_note(f: Builder, level: int, act: Act, *, is_merged: bool) -> None:
    """Emits loops over all slots that passes of a level may write, in order, each with its place and its note."""
    scratch = f.lowering.scratch
    for id, start in scratch.notes.items():
        state = f.lowering.game.states[id]
        cell, many = _cell(f, state), f.lowering.layout.state_sizes[id]
        assert isinstance(cell.index, low.ConstWord)
        first = cell.index.value
        if _has_masks(f, state):
            _each_touched(f, state, level, act, is_merged=is_merged)
            continue
        place, note = f.kept(cell.index), f.kept(low.ConstWord(start + (level - 1) * scratch.level))
        with f.looped() as body:
            last = low.ConstWord(first + many * cell.words)
            f.add(low.IfInst(low.BinaryWord(">=", place, last), (low.BreakInst(),)))
            act(f, state, place, note)
            raised(f, place, cell.words)
            raised(f, note, _size(f, cell.words))
        f.add(low.RepeatInst(tuple(body)))


def merge(f: Builder) -> None:
    """Emits code that undoes a pass and merges its notes; traps where they contradict those of the passes before."""
    level = f.level + 1
    helper = f.lowering.helper(f"merge_notes{level}", 0, lambda f: _each_note(f, level, _merged, is_merged=False))
    f.add(low.CallInst(None, helper, ()))


def _merged(f: Builder, state: StateVariable, place: low.Word, note: low.Word) -> None:
    many = _cell(f, state).words
    with f.aside() as noted:
        f.add(low.StoreInst(place, _field(note, _old(many), many), many))
        together = f.kept(plus(note, _merged_note(many)))
        kind, before = f.kept(_field(note, KIND)), f.kept(_field(together, KIND))
        least, most, value = (
            f.kept(_field(note, LEAST)),
            f.kept(_field(note, MOST)),
            f.kept(_field(note, VALUE, many)),
        )
        with f.aside() as first:
            for field, word in zip((KIND, LEAST, MOST), (kind, least, most), strict=True):
                _write(f, together, field, word)
            _write(f, together, VALUE, value, many)
            _note_site(f, note, many, _site(f, note, many), is_merged=True)
        with f.aside() as both:
            f.trap_if(low.BinaryWord("!=", kind, before))
            differs = low.BinaryWord("!=", value, _field(together, VALUE, many))
            if many == 1:
                with f.aside() as sums:
                    _join(f, together, (least, most, value))
                is_sum = low.BinaryWord("==", kind, low.ConstWord(ADDS))
                f.add(low.IfInst(is_sum, tuple(sums), (low.IfInst(differs, (low.TrapInst(),)),)))
            else:
                f.trap_if(differs)
        f.add(low.IfInst(low.BinaryWord("==", before, low.ConstWord(UNTOUCHED)), tuple(first), tuple(both)))
        _empty(f, note, 0, _merged_note(many))
        _note_site(f, note, many, 0)
    f.add(low.IfInst(low.BinaryWord("!=", _field(note, KIND), low.ConstWord(UNTOUCHED)), tuple(noted)))


def _empty(f: Builder, note: low.Word, first: int, last: int) -> None:
    for field in range(first, last):
        _write(f, note, field, low.ConstWord(0))


def take_over(f: Builder) -> None:
    """Emits code that writes the merged notes to the row or, within a pass, notes them as writes of that pass; traps
    where a variable cannot hold the result.
    """
    level = f.level + 1

    def body(f: Builder) -> None:
        f.level = level - 1
        _each_note(f, level, _taken, is_merged=True)

    name = f"take_notes{level}" if f.in_pass else name_of(f, f"take_notes{level}")
    f.add(low.CallInst(None, f.lowering.helper(name, 0, body, tells=f.tells), ()))


def _taken(f: Builder, state: StateVariable, place: low.Word, note: low.Word) -> None:
    many = _cell(f, state).words
    with f.aside() as noted:
        together = f.kept(plus(note, _merged_note(many)))
        is_sum = low.BinaryWord("==", _field(together, KIND), low.ConstWord(ADDS))
        site = _site(f, note, many, is_merged=True)
        with f.aside() as sums:
            _take_sum(f, state, place, together, site)
        with f.aside() as values:
            _take_value(f, state, place, f.kept(_field(together, VALUE, many)), site)
        f.add(low.IfInst(is_sum, tuple(sums), tuple(values)))
        _empty(f, together, 0, VALUE + many)
        _note_site(f, note, many, 0, is_merged=True)
    kind = _field(note, _merged_note(many) + KIND)
    f.add(low.IfInst(low.BinaryWord("!=", kind, low.ConstWord(UNTOUCHED)), tuple(noted)))


def _take_sum(f: Builder, state: StateVariable, place: low.Word, note: low.Word, site: low.Word) -> None:
    least, most, value = f.kept(_field(note, LEAST)), f.kept(_field(note, MOST)), f.kept(_field(note, VALUE))
    if f.in_pass:
        _add(f, state, place, (least, most, value), site)
    elif isinstance(state.type, IntType):
        total = low.BinaryWord("max", low.BinaryWord("+", low.CellWord(place), value), least)
        _take_value(f, state, place, f.kept(low.BinaryWord("min", total, most)), site, none=False)


def _take_value(
    f: Builder,
    state: StateVariable,
    place: low.Word,
    value: low.RegisterWord,
    site: low.Word,
    *,
    none: bool | None = None,
) -> None:
    none = state.type.optional if none is None else none
    if isinstance(state.type, IntType):
        # A sum added to a value that was set is exact as well.
        f.trap_if(words.outside(KnownWord(value, -words.SAFE, words.SAFE, none=none), state.type))
    if f.in_pass:
        write(f, state, place, value, site)
    else:
        telling.write(f, state, place, value, site)


# ------------------------------------------------------------------ deferred calls


def defer(f: Builder, procedure: int, arguments: tuple[low.Word, ...]) -> None:
    """Emits code that notes a call, which is made after all passes."""
    calls, width = low.ConstWord(f.lowering.scratch.calls), f.lowering.scratch.width
    f.trap_if(low.BinaryWord(">=", low.CellWord(calls), low.ConstWord(MOST_CALLS)))
    at = f.kept(plus(low.BinaryWord("*", low.CellWord(calls), low.ConstWord(width)), calls.value + 1))
    places = _places(f.lowering.game, procedure, f.lowering.words_of)
    f.add(low.StoreInst(at, low.ConstWord(procedure)))
    for place, end, word in zip(places, places[1:], arguments, strict=False):
        f.add(low.StoreInst(plus(at, place), word, end - place))
    f.add(low.StoreInst(calls, plus(low.CellWord(calls), 1)))


def calls_waiting(f: Builder) -> low.RegisterWord:
    """Emits code that reads how many deferred calls are noted; returns the number."""
    return f.kept(low.CellWord(low.ConstWord(f.lowering.scratch.calls)))


def make_deferred(f: Builder, procedures: dict[int, str], first: low.Word) -> None:
    """Emits code that makes the deferred calls in order, from the one with a number: those before it wait while a call
    is made that defers others in turn, which are noted behind all of them."""
    calls, width = low.ConstWord(f.lowering.scratch.calls), f.lowering.scratch.width
    many = f.kept(low.BinaryWord("-", low.CellWord(calls), first))
    at = f.kept(plus(low.BinaryWord("*", first, low.ConstWord(width)), calls.value + 1))
    entered = low.ConstWord(f.lowering.scratch.entered)
    before = f.kept(low.CellWord(entered))
    f.add(low.StoreInst(entered, low.ConstWord(1)))
    tell(f, "begin_moves")
    with f.looped() as body:
        f.add(low.IfInst(low.BinaryWord("<=", many, low.ConstWord(0)), (low.BreakInst(),)))
        for id, name in procedures.items():
            arguments = arguments_at(f, id, at)
            is_it = low.BinaryWord("==", low.CellWord(at), low.ConstWord(id))
            f.add(low.IfInst(is_it, (low.CallInst(None, name, arguments), low.StoreInst(at, low.ConstWord(-1)))))
        # The words of a call must be 0 again when it has been made.
        f.add(*(low.StoreInst(plus(at, i), low.ConstWord(0)) for i in range(width)))
        raised(f, at, width)
        raised(f, many, -1)
    f.add(low.RepeatInst(tuple(body)), low.StoreInst(calls, first), low.StoreInst(entered, before))
    tell_if(f, low.BinaryWord("==", before, low.ConstWord(0)), "end_moves")


def arguments_at(f: Builder, procedure: int, at: low.Word) -> tuple[low.Word, ...]:
    """Returns the arguments of the call noted at a place."""
    places = _places(f.lowering.game, procedure, f.lowering.words_of)
    return tuple(low.CellWord(plus(at, place), end - place) for place, end in pairwise(places))
