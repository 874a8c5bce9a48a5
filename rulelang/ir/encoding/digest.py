"""A digest of what the rules do, the same on every machine and for every version of this compiler.

The input of the digest is a text, the canonical form: the IR after the checks, before it is
unfolded, as `ir.encoding.printer` prints it, but with names in place of numbers. Labels,
messages, prompts, screens, sites, clauses, and values read only by those, are left out: two games
with the same digest play alike. (A blank tells whether a choice has a prompt, in kept logs as
well.) If a later compiler adds to the IR, only the digests of games that use the addition change.

    rules_digest(game)                          "9f0c52a1d7be4c36"
    dict(canonical_form(game))["verb advance"]  "verb advance(1: Player, 2: 0..9):\\n  zone[1] += 2"
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Literal, TypeAlias, assert_never

import attrs

from rulelang.ir import model as ir
from rulelang.ir.encoding.printer import IRPrinter
from rulelang.ir.flow.openly import leave_out_openly
from rulelang.ir.types import EnumType, SetType, Type

_OF_THE_TRACE = (ir.BeginBody, ir.EndBody, ir.Witness)
"""Statements that affect only the trace."""


ReadPart: TypeAlias = Literal["values", "data", "tables"]
_READ: tuple[ReadPart, ...] = ("values", "data", "tables")
"""The parts of a game that belong to the canonical form only if something in it reads them."""


def rules_digest(game: ir.GameRules) -> str:
    """Returns 16 hexadecimal digits for the IR of a game as the checks leave it."""
    digest = hashlib.sha256()
    for _, text in canonical_form(game):
        digest.update(text.encode() + b"\n")
    return digest.hexdigest()[:16]


def canonical_form(game: ir.GameRules) -> Iterator[tuple[str, str]]:
    """Yields the canonical form of a game: the name of each declaration, and its text."""
    yield from Canonical(leave_out_openly(game)).declarations()


@attrs.define
class Canonical(IRPrinter):
    """Prints the canonical form: locals and loops are numbered
    afresh in each declaration; everything else goes by name.
    """

    fresh: dict[int, int] = attrs.field(factory=dict)
    """By the id of a local, and as -1 - id of a loop: its number in this declaration."""
    wanted: list[tuple[ReadPart, int]] = attrs.field(factory=list)
    """Values, data and tables that the printed text reads, in the order of their first mention."""
    asked: set[int] = attrs.field(factory=set)
    """The choices already printed."""

    def declarations(self) -> Iterator[tuple[str, str]]:
        of = self.of
        low, high = of.players
        yield "game", f"game {of.id}: {low}..{high} players, seats {', '.join(of.seats)}"
        if of.steps != ir.STEPS:
            yield "steps", f"steps: at most {of.steps}"
        if of.history is not None:
            parts = [self.named("states", id) for id in of.history.states]
            parts += [self.named("zones", id) for id in of.history.zones]
            yield "history", f"history of {', '.join(parts)}: at most {of.history.most}"
        for kind in of.kinds:
            classes = " ".join(map(str, kind.classes))
            yield f"kind {kind.name}", f"kind {kind.name}: {', '.join(kind.names)}; alike {classes}"
        for die in of.dice:
            yield f"die {die.name}", f"die {die.name}: {', '.join(map(str, die.faces))}"
        for clock in of.clocks:
            name = self.named("states", clock.state)
            yield f"clock {name}", f"clock {name}: {clock.per_second} per second"
        for state in of.states:
            if not state.builtin:
                yield self._whole(f"state {self.named('states', state.id)}", self._variable(state))
        for zone in of.zones:
            yield self._whole(f"zone {self.named('zones', zone.id)}", self._zone(zone))
        for procedure in of.procedures:
            yield self._whole(f"verb {self.named('procedures', procedure.id)}", self._procedure(procedure))
        for i, hook in enumerate(of.hooks):
            yield self._whole(f"hook {i}", self._hook(hook))
        for i, rule in enumerate(of.whenevers):
            yield self._whole(f"whenever {i}", self._whenever(rule))
        yield from self._read_by_others()

    def _whole(self, name: str, lines: Iterator[str]) -> tuple[str, str]:
        self.fresh.clear()
        return name, "\n".join(line.rstrip() for line in lines)

    def _read_by_others(self) -> Iterator[tuple[str, str]]:
        """Yields the values, data and tables that the rules read, directly or through others."""
        done: set[tuple[ReadPart, int]] = set()
        while self.wanted:
            what, id = self.wanted.pop(0)
            if (what, id) in done:
                continue
            done.add((what, id))
            match what:
                case "values":
                    lines = self._value(self.of.values[id])
                case "data":
                    lines = self._data(self.of.data[id])
                case "tables":
                    lines = self._table(self.of.tables[id])
                case _:
                    assert_never(what)
            yield self._whole(f"{what} {self.named(what, id)}", lines)

    # -------------------------------------------------------------- names

    def named(self, what: str, id: int) -> str:
        """Returns the name of a declaration, with a number if others before it share the name."""
        if what in _READ:
            self.wanted.append((what, id))
        declared = getattr(self.of, what)
        one = declared[id]
        owner = getattr(one, "owner", None)
        name = f"{owner}.{one.name}" if owner else str(one.name)
        if what == "zones":
            name += f" of {self.of.kinds[one.kind].name}"
        before = sum(d.name == one.name and getattr(d, "owner", None) == owner for d in declared[:id])
        return name if what in ("zones", "rules") or not before else f"{name}'{before + 1}"

    def local(self, id: int) -> str:
        """Returns the number of a local in this declaration."""
        return f"_{self.fresh.setdefault(id, len(self.fresh) + 1)}"

    def loop(self, id: int) -> str:
        """Returns the number of a loop in this declaration."""
        return f"#{self.fresh.setdefault(-1 - id, len(self.fresh) + 1)}"

    def _zone(self, zone: ir.Zone) -> Iterator[str]:
        """Yields the lines of a zone; a box of which the rules say nothing
        prints as one that lies open, so that no digest changes."""
        if zone.name == "box":
            yield from super()._zone(attrs.evolve(zone, visible="all"))
            yield from [f"  said to be seen by {zone.visible}"] if zone.site else []
        else:
            yield from super()._zone(zone)

    def limit(self, loop: ir.Repeat) -> str:
        """Returns the limit of a `repeat`; one without a limit prints as a fixed number, so that no digest changes."""
        return super().limit(attrs.evolve(loop, limit=100_000 if loop.limit is None else loop.limit))

    def stream(self, pick: ir.Pick) -> str:
        """Returns the name of a stream in the earliest logs, so that no digest changes."""
        return pick.earlier[-1] if pick.earlier else super().stream(pick)

    def type(self, type: Type) -> str:
        """Returns a type as text, with the members of enums."""
        match type:
            case EnumType(name=name, members=members):
                return f"{name}({', '.join(members)})" + ("?" if type.optional else "")
            case SetType(element=element):
                return f"set of {self.type(element)}" + ("?" if type.optional else "")
            case _:  # the other types as in print
                return super().type(type)

    def template(self, template: ir.Template) -> str:
        """Returns nothing, because words for people have no effect on play."""
        return ""

    # -------------------------------------------------------------- differences from the printer

    def _statement(self, statement: ir.Statement, level: int) -> Iterator[str]:
        if isinstance(statement, _OF_THE_TRACE):
            return
        if isinstance(statement, ir.Ask) and statement.choice not in self.asked:
            self.asked.add(statement.choice)
            for line in self._choice(self.of.choices[statement.choice]):
                yield "  " * level + line
            return
        yield from super()._statement(statement, level)
