"""Positions in which a game begins instead of its set-up: givens and a place in the rules <-> a row.

    given heap = 4 at "play#1: seat asked = blue, p = blue"

The head names the choice that waits. Behind it stands what else a row holds and no line above can say: where the rules
stand, and which copy of a thing is meant. A name that several slots share is numbered: `p`, `p#2`.

Invariant: `standing_row` gives back the row that `rest_of` was given, whatever the other lines say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from rulelang.errors import UnknownOption
from rulelang.ir.model import GameRules
from rulelang.ir.numbers import Row, Slot
from rulelang.ir.scenarios import LayLine, Scenario, StandingPoint, WriteLine
from rulelang.ir.types import Type
from rulelang.machines.chance import Seeded
from rulelang.machines.givens.arrangement import Arrangement, CannotGive
from rulelang.machines.interpreter import CutRules, Interpreter
from rulelang.program.layout import FIRST_STATE, Layout
from rulelang.program.layout import slots as slots_from
from rulelang.program.python.legend import legend
from rulelang.program.values import read_value, split_arguments, written


def blank_row(rules: CutRules, players: int, options: Mapping[int, int]) -> Row:
    """Returns the row before the first rule runs: variables as they are at first, all things in the box."""
    machine = Interpreter(rules, Seeded(0, rules.game, rules.layout))
    machine.lay_out(players, options)
    return machine.row


def standing_row(rules: CutRules, scenario: Scenario, point: StandingPoint) -> Row:
    """Returns the row that a scenario gives, with nothing else but what variables hold at first; raises CannotGive."""
    row = blank_row(rules, scenario.players, dict(scenario.options))
    arrangement = Arrangement(row, rules.game, rules.layout)
    arrangement.arrange(scenario.arranged)
    for line in scenario.arranged:
        match line:
            case WriteLine():
                arrangement.write(line)
            case LayLine():
                arrangement.lay(line)
            case _:  # throws and draws come later
                pass
    head, _, rest = point.text.partition(":")
    question = _question(rules, head.strip())
    row[rules.control.slots.question] = question + 1
    _fill(row, rules, rest)
    return row


def rest_of(rules: CutRules, row: Row, given: Row) -> str:
    """Returns where a row stands in the rules, and all slots in which it differs from another."""
    asked = row[rules.control.slots.question] - 1
    name = rules.game.choices[rules.control.blocks.questions[asked].choice].name
    question = _question(rules, name)
    slots, types = _names(rules), _types(rules)
    apart = [slot for slot in slots.values() if row[slot] != given[slot] and slot != rules.control.slots.question]
    if question != asked:
        apart.append(rules.control.slots.question)
    called = {slot: label for label, slot in slots.items()}
    rest = ", ".join(f"{called[slot]} = {_written(row[slot], types.get(slot), rules.game)}" for slot in apart)
    return f"{name}: {rest}" if rest else name


def _question(rules: CutRules, name: str) -> int:
    """Returns the first question with a choice of this name; raises CannotGive."""
    for question in rules.control.blocks.questions:
        if rules.game.choices[question.choice].name == name:
            return question.id
    raise CannotGive(f"no choice is called `{name}`: the position is one of other rules")


def _fill(row: Row, rules: CutRules, rest: str) -> None:
    slots, types = _names(rules), _types(rules)
    for part in split_arguments(rest):
        label, _, text = part.rpartition(" = ")
        if label.strip() not in slots:
            raise CannotGive(f"nothing is called `{label.strip() or part}`: the position is one of other rules")
        slot = slots[label.strip()]
        row[slot] = _read(text, types.get(slot), rules.game)


def _names(rules: CutRules) -> dict[str, Slot]:
    """Returns all slots of a row but its end and the counters of its draws, by name."""
    return dict(_named(rules.game, rules.layout, rules))


def _named(game: GameRules, layout: Layout, rules: CutRules) -> Iterator[tuple[str, Slot]]:
    seen = Counter[str]()
    labels = legend(game, layout, rules.control)
    for slot in map(Slot, range(FIRST_STATE, rules.control.slots.size)):
        if layout.counters <= slot < layout.size:
            continue
        label = labels.get(slot, "slot").replace(",", "?")
        seen[label] += 1
        yield (label if seen[label] == 1 else f"{label}#{seen[label]}"), slot


def _types(rules: CutRules) -> dict[Slot, Type]:
    """Returns the types of the slots that hold one value each."""
    game, layout, slots = rules.game, rules.layout, rules.control.slots
    types: dict[Slot, Type] = {slot: layout.local_types[id] for id, slot in slots.variables.items()}
    for state in game.states:
        first = layout.states[state.id]
        types.update(dict.fromkeys(slots_from(first, layout.state_sizes[state.id]), state.type))
    types[slots.seat] = game.states[game.all_players].type.element  # type: ignore[union-attr]
    return types


def _written(value: int, type: Type | None, game: GameRules) -> str:
    """Returns the written form of a value; its number where that form means another value, or none."""
    text = written(value, type, game)
    try:
        return text if type is not None and read_value(game, text, type) == [value] else str(value)
    except UnknownOption:
        return str(value)


def _read(text: str, type: Type | None, game: GameRules) -> int:
    if text.lstrip("-").isdecimal() and len(text) < 4_000:
        return int(text)
    try:
        found = read_value(game, text, type) if type is not None else []
    except UnknownOption:
        found = []
    if len(found) != 1:
        raise CannotGive(f"`{text[:40]}` cannot be read in a place of the rules")
    return found[0]
