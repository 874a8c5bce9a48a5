"""A whole game -> one Python module: its constants, and each function once, on first use.

The bounds of parameters are found by printing: a parameter is assumed to be within its declared type until a call is
printed that may pass another value; if its function was printed before that, the module is printed anew (`Facts`).

    to pay(p, n: 0..99):      # def p7(S, M, x12, x13):  # pay
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import attrs

from rulelang.ir.model import Bind, Defer, GameRules, Variable
from rulelang.ir.types import NONE, first_of, size_of
from rulelang.ir.walk import walk
from rulelang.program.control import Control
from rulelang.program.layout import Layout
from rulelang.program.packing import members
from rulelang.program.pycode.fragment import Fragment, fits, typed
from rulelang.program.python.legend import remark, table

PRINTED = 256
"""The most entries of a table that is printed; longer tables are taken from the game, so that they are not kept
twice."""


@attrs.define
class Facts:
    """The facts about parameters: which of them may leave their types, and which may be NONE."""

    loose: set[int] = attrs.field(factory=set)
    """Parameters that may leave their types: numbers out of range, sets with other members."""
    maybe_none: set[int] = attrs.field(factory=set)

    printed: set[int] = attrs.field(factory=set)
    """The parameters whose functions were printed on the strength of the facts known so far."""
    is_stale: bool = False
    """Whether something was learnt of a parameter after it was printed."""

    def learn(self, known: set[int], id: int) -> None:
        """Adds a parameter to one of the sets."""
        if id not in known:
            known.add(id)
            self.is_stale |= id in self.printed

    def start(self) -> None:
        """Begins a module that is printed with all facts known so far."""
        self.printed.clear()
        self.is_stale = False


@attrs.frozen
class Printed:
    """A module's text, and the site of each of its lines."""

    text: str
    sites: tuple[int, ...]


@attrs.frozen
class PrintedLine:
    """A printed line, and its site."""

    depth: int
    text: str
    site: int

    def __str__(self) -> str:
        return "    " * self.depth + self.text


class Module:
    """The text of a module that is being printed: its constants, what is known of parameters, its finished functions."""

    def __init__(
        self, game: GameRules, layout: Layout, control: Control, facts: Facts, *, traced: bool, counted: bool
    ) -> None:
        self.game, self.layout, self.control, self.facts, self.traced = game, layout, control, facts, traced
        self.is_counted = counted
        self._apart = 0
        self.steps = layout.steps
        self.variables = {node.id: node for node in walk(game_parts(game)) if isinstance(node, Variable)}
        bound = Counter(n.variable.id for n in walk(game_parts(game)) if isinstance(n, Bind))
        self.rebound = frozenset(id for id, times in bound.items() if times > 1)
        self.moves_at_once = any(isinstance(node, Defer) for node in walk(game_parts(game)))
        self._constants: dict[str, str] = {}
        self._masks: dict[str, str] = {}
        self._groups: dict[str, str] = {}
        self._functions: dict[str, list[PrintedLine]] = {}
        self._tail: list[str] = []

    # -------------------------------------------------------------- parameters

    def note(self, parameters: tuple[Variable, ...], arguments: list[Fragment]) -> None:
        """Learns facts about parameters from the arguments of a call."""
        for variable, fragment in zip(parameters, arguments, strict=False):
            if fragment.none and not variable.type.optional:
                self.facts.learn(self.facts.maybe_none, variable.id)
            if not fits(fragment, variable.type.or_none()):
                self.facts.learn(self.facts.loose, variable.id)

    def parameter(self, variable: Variable, text: str) -> Fragment:
        """Returns the fragment of a parameter, with the bounds that its arguments allow."""
        self.facts.printed.add(variable.id)
        fragment = typed(text, variable.type, simple=text.isidentifier())
        if variable.id in self.facts.maybe_none:
            fragment = attrs.evolve(fragment, none=True)
        if variable.id in self.facts.loose:
            fragment = attrs.evolve(fragment, low=0 if fragment.is_set else None, high=None)
        return fragment

    # -------------------------------------------------------------- constants

    def constant(self, name: str, about: str, values: tuple[int, ...]) -> str:
        """Returns the name of a tuple of numbers."""
        if name in self._constants:
            return name
        self._constants[name] = table(name, ["NONE" if value == NONE else str(value) for value in values], about)
        return name

    def table(self, id: int) -> str:
        """Returns the name of a printed table."""
        of, name = self.game.tables[id], f"T{id}"
        if len(of.values) <= PRINTED:
            return self.constant(name, of.name, of.values)
        self._constants[name] = f"{name} = table({id})  # {remark(of.name)}"
        return name

    def member_table(self, id: int) -> str:
        """Returns the name of a table of sets, each as a tuple of its members."""
        if f"L{id}" in self._constants:
            return f"L{id}"
        of = self.game.tables[id]
        if len(of.values) > PRINTED:
            self._constants[f"L{id}"] = f"L{id} = table_of_members({id})  # {remark(of.name)}, as lists"
            return f"L{id}"
        rows = [tuple(members(value)) if value != NONE else () for value in of.values]
        self._constants[f"L{id}"] = table(f"L{id}", [str(row) for row in rows], f"{of.name}, as lists")
        return f"L{id}"

    def subset_table(self, width: int) -> str:
        """Returns the name of the table that has the members of each set of values below `width`."""
        self._constants[f"IN{width}"] = f"IN{width} = subsets_below({width})"
        return f"IN{width}"

    def masks(self, masks: Mapping[int, int]) -> str:
        """Returns the name of a dictionary of sets, each under the printed attribute of its members."""
        written = ", ".join(f"{'NONE' if value == NONE else value}: {mask:#x}" for value, mask in sorted(masks.items()))
        name = self._masks.setdefault(written, f"W{len(self._masks)}")
        self._constants[name] = f"{name} = {{{written}}}  # what has a number printed on it"
        return name

    def groups(self, masks: Mapping[int, int]) -> str:
        """Returns the name of a dictionary of tuples: the members of each set, under their printed attribute."""
        found = {value: members(mask) for value, mask in sorted(masks.items()) if mask}
        written = ", ".join(f"{'NONE' if v == NONE else v}: ({', '.join(map(str, of))},)" for v, of in found.items())
        name = self._groups.setdefault(written, f"U{len(self._groups)}")
        self._constants[name] = f"{name} = {{{written}}}  # what has a number printed on it, as lists"
        return name

    def owners(self, kind: int, owner: str) -> str:
        """Returns the name of a table: by place of a kind, its owner among an owner kind, or NONE."""
        number = next((each.id for each in self.game.kinds if each.name == owner), "x")
        name = f"O{kind}_{number}"
        if name in self._constants:
            return name
        owners: dict[int, int] = {}
        for zone in self.game.zones:
            width = self.layout.zone_sizes[zone.id]
            first = zone.dimensions[0] if zone.owner == owner and zone.dimensions else None
            for i in range(width if zone.kind == kind else 0):
                owners[zone.first_place + i] = NONE if first is None else first_of(first) + i * size_of(first) // width
        return self.constant(name, f"who owns each place, {owner}", tuple(owners[i] for i in sorted(owners)))

    def most_owners(self, owner: str) -> int:
        """Returns the size of an owner kind."""
        return next((kind.size for kind in self.game.kinds if kind.name == owner), len(self.game.seats))

    def draw(self, die: int) -> str:
        """Returns the text of one roll of a die."""
        if self.traced:
            return f"roll(S, M, {die}, 1)"
        one = self.game.dice[die]
        faces = self.constant(f"F{die}", f"die {one.name}", one.faces)
        return f"M.chance.roll(S, {self.game.streams.index(one.name)}, {faces})"

    # -------------------------------------------------------------- text

    def apart(self) -> str:
        """Returns a new name for a function of loops that would be nested too deep in place."""
        self._apart += 1
        return f"w{self._apart}"

    def add(self, name: str, lines: list[PrintedLine]) -> None:
        """Adds the lines of a finished function."""
        self._functions[name] = lines

    def end(self, text: str) -> None:
        """Adds a line behind all functions."""
        self._tail.append(text)

    def printed(self) -> Printed:
        """Returns the module's text."""
        constants = [self._constants[name] for name in sorted(self._constants, key=_natural)]
        lines = [(line, 0) for text in constants for line in text.splitlines()]
        for name in sorted(self._functions, key=_natural):
            lines += [("", 0), ("", 0)]
            lines += [(str(line), line.site) for line in self._functions[name]]
        lines += [("", 0), ("", 0), *((line, 0) for text in self._tail for line in text.splitlines())]
        return Printed("\n".join(text for text, _ in lines) + "\n", tuple(site for _, site in lines))


def game_parts(game: GameRules) -> tuple[object, ...]:
    """Returns the parts of a game that have code."""
    return (game.states, game.zones, game.values, game.data, game.procedures, game.choices)


def _natural(name: str) -> tuple[str, tuple[int, ...]]:
    """Returns a key that sorts p2 before p10."""
    letters = name.rstrip("0123456789_x")
    digits = name[len(letters) :].replace("x", "0").split("_")
    return letters, tuple(int(digit) for digit in digits if digit)
