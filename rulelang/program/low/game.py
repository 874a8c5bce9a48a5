"""A whole game of the woven IR -> a program of the low-level IR."""

from __future__ import annotations

from collections import Counter

import attrs

from rulelang.ir.model import Bind, Defer, Expr, GameRules, Variable
from rulelang.ir.types import NONE, SetType, Type
from rulelang.ir.walk import walk
from rulelang.program.control import Control
from rulelang.program.layout import Layout
from rulelang.program.low import model as low
from rulelang.program.low import words
from rulelang.program.low.chunks import RegionLowering
from rulelang.program.low.expressions import expression
from rulelang.program.low.function import Builder
from rulelang.program.low.statements import body
from rulelang.program.low.values import ValueLowering
from rulelang.program.low.words import KnownWord, Unsupported


def lower(game: GameRules, layout: Layout, control: Control) -> low.Program:
    """Returns the program of a game; raises Unsupported, which names what it cannot say yet."""
    return GameLowering(game, layout, control).program()


class GameLowering:
    """A game that is being lowered: the rooms that lower parts of each other meet here."""

    def __init__(self, game: GameRules, layout: Layout, control: Control) -> None:
        self.game, self.layout, self.control = game, layout, control
        self.steps, self.slots = layout.steps, control.slots
        parts = (game.states, game.zones, game.values, game.data, game.procedures, game.choices)
        nodes = list(walk(parts))
        self.variables = {node.id: node for node in nodes if isinstance(node, Variable)}
        bound = Counter(node.variable.id for node in nodes if isinstance(node, Bind))
        self.rebound = frozenset(id for id, times in bound.items() if times > 1)
        self.moves_at_once = any(isinstance(node, Defer) for node in nodes)
        self.functions: dict[str, low.Function] = {}
        self.values = ValueLowering(self)
        self._tables: dict[tuple[int, ...], int] = {}
        self._procedures: set[str] = set()

    def program(self) -> low.Program:
        """Returns the whole program."""
        self._look_at_slots()
        RegionLowering(self).lower_all()
        budget, blocks = self.steps.budget, self.control.blocks
        questions = tuple(
            low.QuestionFunctions(f"o{question.id}", tuple(f"b{block}" for block in question.branches), budget)
            for question in blocks.questions
        )
        return low.Program(
            functions=tuple(self.functions.values()),
            tables=tuple(self._tables),
            row=self.slots.size,
            question=self.slots.question,
            seat=self.slots.seat,
            blocks=tuple((root, f"b{root}") for root in self.control.roots),
            questions=questions,
            half=self.steps.half,
            counters=self.layout.counters,
            streams=self.layout.streams,
        )

    def _look_at_slots(self) -> None:
        """Raises Unsupported where a slot of the row may hold more than a signed word does."""
        if any(kind.movable for kind in self.game.kinds):
            raise Unsupported("things in zones")
        if self.game.history is not None:
            raise Unsupported("a history of positions")
        types = [state.type for state in self.game.states]
        types += [self.variables[id].type for id in self.slots.variables]
        for type in types:
            if isinstance(type, SetType) and words.bits_of(type).bit_length() >= low.BITS:
                raise Unsupported(
                    f"sets of {words.bits_of(type).bit_length()} members that are kept (at most {low.BITS - 1})"
                )

    # -------------------------------------------------------------- what the rooms share

    def expression(self, f: Builder, expr: Expr) -> KnownWord:
        """Returns an expression; adds what must be done before it."""
        return expression(f, expr)

    def procedure(self, id: int) -> str:
        """Returns the name of a procedure's function."""
        name = f"p{id}"
        if name not in self._procedures:
            self._procedures.add(name)
            procedure = self.game.procedures[id]
            f = Builder(self, name, procedure.name, procedure.parameters)
            f.pay(self.steps.procedure(id))
            body(f, procedure.body)
            self.functions[name] = f.finished()
        return name

    def parameter(self, variable: Variable, word: low.Word) -> KnownWord:
        """Returns a local as it is passed: of its type, or none."""
        return words.typed(word, variable.type.or_none())

    def entry(self, type: Type, values: tuple[int, ...], place: low.Word) -> KnownWord:
        """Returns an entry of a table that is printed in the rules."""
        if isinstance(type, SetType):
            every = 0
            for value in values:
                every |= value if value != NONE else 0
            known = words.known_set(low.ConstWord(0), every)
        else:
            numbers = [value for value in values if value != NONE] or [0]
            known = KnownWord(low.ConstWord(0), min(numbers), max(numbers))
        table = self._tables.setdefault(values, len(self._tables))
        return attrs.evolve(known, word=low.EntryWord(table, place), none=NONE in values)

    def has_likes(self, kind: int | None) -> bool:
        """Returns whether some things of a kind are alike."""
        return kind is not None and len(set(self.game.kinds[kind].classes)) < self.game.kinds[kind].size
