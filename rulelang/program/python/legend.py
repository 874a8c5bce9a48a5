"""The tables of printed code, and its comments: the names that the rules give to functions and slots.

S[13] = t1  # heap
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from rulelang.ir.model import GameRules, Loop, Variable
from rulelang.ir.walk import walk
from rulelang.program.control import Control
from rulelang.program.layout import OUTCOME, OUTCOME_RULE, OUTCOME_VALUE, Layout

WIDTH = 120
"""The width of the lines of a table."""
LONGEST = 80
"""The most characters of a remark about a function."""
CELL = re.compile(r"\b(?:S|row)\[\(*(\d+)")
"""A slot that printed code names, or the first of an array that it indexes."""


def remark(text: str) -> str:
    """Returns text that may stand in a comment.

    >>> remark('fuel\\nimport os')
    'fuel?import os'
    """
    return re.sub(r"[^A-Za-z0-9_#. -]", "?", text)[:LONGEST]


def table(name: str, texts: Sequence[str]) -> str:
    """Returns the text of a tuple under a name, in as many lines as it takes.

    >>> print(table("T1", ("4", "NONE")))
    T1 = (4, NONE)
    """
    whole = f"{name} = ({', '.join(texts)}{',' if len(texts) == 1 else ''})"
    return whole if len(whole) <= WIDTH else "\n".join([f"{name} = (", *_rows(texts), ")"])


def _rows(texts: Iterable[str]) -> list[str]:
    rows = [""]
    for text in texts:
        if len(rows[-1]) + len(text) > WIDTH - 5 and rows[-1]:
            rows.append("")
        rows[-1] += f" {text},"
    return [f"   {row}" for row in rows]


def legend(game: GameRules, layout: Layout, control: Control) -> dict[int, str]:
    """Returns the names of the slots of the row; all slots of an array are called alike."""
    found: dict[int, str] = {OUTCOME: "outcome", OUTCOME_VALUE: "result", OUTCOME_RULE: "rule of the outcome"}
    for state in game.states:
        _name(found, layout.states[state.id], layout.state_sizes[state.id], state.name)
    for kind in game.kinds:
        if kind.movable:
            _name(found, layout.places[kind.id], kind.size, f"place of {kind.name}")
            _name(found, layout.faces[kind.id], kind.size, f"face of {kind.name}")
    for zone in game.zones:
        _name(found, layout.zones[zone.id], layout.zone_sizes[zone.id], zone.name)
    for i, stream in enumerate(game.streams):
        _name(found, layout.counters + i, 1, f"draws of {stream}")
    return {slot: remark(name) for slot, name in {**found, **_of_control(game, control)}.items()}


def _of_control(game: GameRules, control: Control) -> dict[int, str]:
    """Returns the names of the slots of the control state."""
    slots = control.slots
    found: dict[int, str] = {slots.question: "question", slots.seat: "seat asked"}
    nodes = list(walk((game.procedures, game.choices)))
    variables = {node.id: node.name for node in nodes if isinstance(node, Variable)}
    loops = {node.id: node.variable.name for node in nodes if isinstance(node, Loop)}
    found.update({slot: variables[id] for id, slot in slots.variables.items()})
    found.update({slot: f"left of for {loops[id]}" for id, slot in slots.orders.items()})
    found.update({slot: f"return of {game.procedures[id].name}" for id, slot in slots.addresses.items()})
    found.update(dict.fromkeys(slots.times.values(), "rounds left"))
    found.update(dict.fromkeys(slots.rounds.values(), "rounds"))
    found.update(dict.fromkeys(slots.deferred.values(), "calls put off"))
    for question in control.blocks.questions:
        name = game.choices[question.choice].name
        if question.id in slots.answers:
            found[slots.todo[question.id]] = f"left of {name}"
            found[slots.owing[question.id]] = f"owing {name}"
            width = slots.widths[question.id] * len(game.seats)
            _name(found, slots.answers[question.id], width, f"answers to {name}")
    return found


def _name(found: dict[int, str], first: int, many: int, name: str) -> None:
    found.update(dict.fromkeys(range(first, first + many), name))


def explained(text: str, names: Mapping[int, str]) -> str:
    """Returns printed code with the names of the slots that each line touches behind it.

    >>> explained("S[4 + x1] = S[13]\\nreturn -1\\n", {4: "fuel", 13: "heap"})
    'S[4 + x1] = S[13]  # fuel, heap\\nreturn -1\\n'
    """
    return "".join(f"{_explained(line, names)}\n" for line in text.splitlines())


def _explained(line: str, names: Mapping[int, str]) -> str:
    touched = dict.fromkeys(names[slot] for slot in map(int, CELL.findall(line)) if slot in names)
    return f"{line}  # {', '.join(touched)}" if touched else line
