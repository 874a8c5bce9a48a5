"""Calls of the trace -> statements that say them in numbers, and the table that makes calls of those again.

p.fuel -= n       # r5 = row[12 + r0]; row[12 + r0] = r6; if r5 != r6: tell set 4, r0, r5, r6, 17
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

from rulelang.ir.model import EndForm, StateVariable
from rulelang.ir.types import NONE
from rulelang.program.layout import LOST, RANKING, SCORE, WINNER, is_veiled
from rulelang.program.low import model as low
from rulelang.program.low.function import Builder

TellPart: TypeAlias = Literal["number", "numbers", "end", "how", "machine"]
"""An argument of a call: a number, all numbers that are left as a tuple, an end of ENDS, a form of HOW, or the machine itself,
which is no number of the statement."""

TELLS: Mapping[low.TellName, tuple[TellPart, ...]] = {
    "enter": ("number", "numbers"),  # rule, arguments
    "witness": ("number", "numbers"),  # witness, values
    "leave": ("number",),  # rule
    "set": ("number",) * 5,  # state, index, old, new, site
    "set_again": ("number",) * 4,  # state, index, value, site
    "move": ("number", "number", "number", "number", "end", "number"),  # kind, thing, source, target, end, site
    "shuffle": ("number",) * 3,  # zone, place, site
    "turn_up": ("number",) * 3,  # kind, thing, site
    "show": ("number",) * 5,  # kind, thing, seats, part, site
    "roll": ("number",) * 2,  # stream, face
    "pick": ("number",) * 2,  # stream, value
    "forced": ("number", "number", "numbers"),  # choice, seat, answer
    "finish": ("how", "number"),  # how, rule
    "enter_phase": ("number", "numbers", "machine"),  # procedure, arguments, machine
    "begin_moves": (),  # no call: from now on the machine is `at_once`, unless it is already
    "end_moves": (),  # no call: the machine is no longer `at_once`
    "rolled": ("number",) * 2,  # no call: what a seed's draw stands for; stream, face
    "picked": ("number",) * 3,  # no call: stream, value, the set that it is from
    "picked_from_pile": ("number",) * 4,  # no call: stream, thing, pile, those of its things that could be picked
    "shuffled": ("number",) * 2,  # no call: stream, the pile in its new order
}
"""By what is told: the arguments of the call, in order, each made of the next number of the statement."""
ENDS = ("", "top", "bottom")
"""The ends of a pile, by the number that stands for each."""
HOW: Mapping[int, EndForm] = {WINNER: "winner", RANKING: "ranking", SCORE: "score", LOST: "lost"}
"""The ways in which a game ends, by the outcome in the row."""


def tell(f: Builder, what: low.TellName, *arguments: low.Word | int) -> None:
    """Emits what the trace is told, if it is told anything here."""
    if f.tells:
        f.add(low.TellInst(what, tuple(low.ConstWord(part) if isinstance(part, int) else part for part in arguments)))


def tell_drawn(f: Builder, what: low.TellName, *arguments: low.Word | int) -> None:
    """Emits the result of a seed's draw, in a program with a listener, because no source of chance reports it."""
    if f.lowering.is_traced and not f.lowering.asks_chance:
        f.add(low.TellInst(what, tuple(low.ConstWord(part) if isinstance(part, int) else part for part in arguments)))


def tell_if(f: Builder, condition: low.Word, what: low.TellName, *arguments: low.Word | int) -> None:
    """Emits what the trace is told where a condition holds."""
    if f.tells:
        with f.aside() as told:
            tell(f, what, *arguments)
        f.add(low.IfInst(condition, tuple(told)))


def tell_each(f: Builder, things: low.Word, what: low.TellName, *arguments: low.Word | int) -> None:
    """Emits what the trace is told of each thing of a set; the thing is the second argument."""
    if f.tells:
        x = f.fresh()
        with f.aside() as told:
            tell(f, what, arguments[0], low.RegisterWord(x), *arguments[1:])
        f.add(low.WalkInst(x, things, tuple(told)))


def write(f: Builder, state: StateVariable, place: low.Word, value: low.Word, site: low.Word | int) -> None:
    """Emits code that writes a slot of a variable, and tells it if the slot changes or the trace must hear it again."""
    cell = f.lowering.cell(f.lowering.layout.states[state.id])
    if not f.tells:
        f.add(low.StoreInst(place, value, cell.words))
        return
    old, new = f.kept(low.CellWord(place, cell.words)), f.kept(value)
    with f.aside() as changed:
        f.add(low.StoreInst(place, new, cell.words))
        tell(f, "set", state.id, _index(cell, place), old, new, site)
    is_told = _is_told(f, state, old, new)
    with f.aside() as kept:
        if is_veiled(state):
            tell(f, "set_again", state.id, _index(cell, place), new, site)
    f.add(low.IfInst(is_told, tuple(changed), tuple(kept)))


def _index(cell: low.CellWord, place: low.Word) -> low.Word:
    """Returns the number of a slot of a variable among its slots."""
    assert isinstance(cell.index, low.ConstWord)
    if isinstance(place, low.ConstWord):
        return low.ConstWord((place.value - cell.index.value) // cell.words)
    index = low.BinaryWord("-", place, cell.index)
    return index if cell.words == 1 else low.BinaryWord("div", index, low.ConstWord(cell.words))


def _is_told(f: Builder, state: StateVariable, old: low.Word, new: low.RegisterWord) -> low.Word:
    """Returns whether a write is told; see `Layout.is_told_again`."""
    layout, is_other = f.lowering.layout, low.BinaryWord("!=", old, new)
    pointer = layout.pointers.get(layout.states[state.id])
    if pointer is None:
        return is_other
    kind, is_set = pointer
    told = f.kept(is_other)
    found = low.SetInst(told.number, low.ConstWord(1))

    def look(thing: low.Word, *then: low.Inst) -> low.Inst:
        face = low.CellWord(low.BinaryWord("+", low.ConstWord(layout.faces[kind]), thing))
        return low.IfInst(low.BinaryWord("==", face, low.ConstWord(0)), (found, *then))

    search = look(new)
    if is_set:
        x = f.fresh()
        search = low.WalkInst(x, new, (look(low.RegisterWord(x), low.BreakInst()),))
    if state.type.optional:
        search = low.IfInst(low.BinaryWord("!=", new, low.ConstWord(NONE)), (search,))
    f.add(low.IfInst(low.BinaryWord("==", told, low.ConstWord(0)), (search,)))
    return told


def name_of(f: Builder, name: str) -> str:
    """Returns the name of a function that stands for nothing in the rules and tells what it does, if the caller tells."""
    return f"{name}_told" if f.tells else name


def with_site(f: Builder, arguments: Sequence[low.Word], site: low.Word | int) -> tuple[low.Word, ...]:
    """Returns the arguments of such a function, which is given the site of what it tells as its last one."""
    return (*arguments, low.ConstWord(site) if isinstance(site, int) else site) if f.tells else tuple(arguments)
