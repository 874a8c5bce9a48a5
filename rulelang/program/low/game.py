"""A whole game of the woven IR -> a program of the low-level IR."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import attrs

from rulelang.ir.model import Bind, CallValue, Defer, Expr, GameRules, Local, Simultaneous, Variable
from rulelang.ir.steps import PART
from rulelang.ir.types import LARGEST, NONE, SetType, Type
from rulelang.ir.walk import walk
from rulelang.program.blocks import QuestionBlocks, always_open
from rulelang.program.control import Control
from rulelang.program.layout import Layout
from rulelang.program.low import model as low
from rulelang.program.low import words
from rulelang.program.low.asking.legal import lower_legality
from rulelang.program.low.asking.questions import affordable
from rulelang.program.low.asking.regions import RegionLowering
from rulelang.program.low.asking.shown import lower_sentence_holes, lower_shown_values
from rulelang.program.low.expressions import expression, set_of
from rulelang.program.low.function import Builder, Foresight
from rulelang.program.low.passes.budgets import with_sites
from rulelang.program.low.passes.inlining import reachable
from rulelang.program.low.passes.memos import with_memos
from rulelang.program.low.passes.recursion import with_loops
from rulelang.program.low.passes.rewriting import goes_on
from rulelang.program.low.row import slot_bounds, wide_slots
from rulelang.program.low.statements import body
from rulelang.program.low.things.held import with_held_types
from rulelang.program.low.things.notes import scratch
from rulelang.program.low.things.telling import tell
from rulelang.program.low.values import ValueLowering
from rulelang.program.low.widths import width_of, words_for
from rulelang.program.low.words import KnownWord


def lower(
    game: GameRules,
    layout: Layout,
    control: Control,
    bits: int | None = low.BITS,
    *,
    is_traced: bool = False,
    asks_chance: bool | None = None,
) -> low.Program:
    """Returns the program of a game; raises Unsupported, which names what cannot be lowered yet.

    bits         the width of a word: 64, or None for words of any size, where every slot is one word
    is_traced    whether a trace is told what happens
    asks_chance  whether outcomes come from any source of chance, for words of any size, or are worked out from a seed's
                 draws; None is the first where a trace is told
    """
    if asks_chance is None:
        asks_chance = is_traced and bits is None
    loose: set[int] = set()
    game = with_held_types(game)
    while True:
        known = len(loose)
        program = GameLowering(game, layout, control, loose, bits, is_traced, asks_chance).program()
        if len(loose) == known:
            return with_memos(with_loops(program if bits is not None else with_sites(program)))


def lower_shown(game: GameRules, layout: Layout, control: Control, *, is_said: bool = False) -> low.Program:
    """Returns a program of the values that screens call, or of what sentences of rules compute, `Program.shown`, in words of
    any size."""
    loose: set[int] = set()
    game = with_held_types(game)
    while True:
        known = len(loose)
        program = GameLowering(game, layout, control, loose, None).looks_alone(is_said=is_said)
        if len(loose) == known:
            return with_loops(reachable(program))


DEEPEST = 12
"""The most procedures that are lowered in each other; Python nests no deeper than a few hundred calls of its own."""


class GameLowering:
    """A game that is being lowered: the rooms that lower parts of each other meet here."""

    def __init__(
        self,
        game: GameRules,
        layout: Layout,
        control: Control,
        loose: set[int],
        bits: int | None,
        is_traced: bool = False,
        asks_chance: bool = False,
    ) -> None:
        self.game, self.layout, self.control = game, layout, control
        self.steps, self.slots = layout.steps, control.slots
        self.bits = bits
        self.is_traced, self.asks_chance = is_traced, asks_chance
        self.loose = loose
        """Parameters declared as flags that may be passed other numbers: those that a sealed choice fills in."""
        parts = (game.states, game.zones, game.values, game.data, game.procedures, game.choices)
        nodes = list(walk(parts))
        self.variables = {node.id: node for node in nodes if isinstance(node, Variable)}
        bound = Counter(node.variable.id for node in nodes if isinstance(node, Bind))
        self.rebound = frozenset(id for id, times in bound.items() if times > 1)
        self.moves_at_once = {Defer, Simultaneous} <= set(map(type, nodes))
        self.wide: dict[int, tuple[int, int]] = {}
        self.row = control.slots.size
        if bits is not None:
            self.wide, self.row = wide_slots(game, layout, control, self.steps, self.variables)
        self.scratch = scratch(game, layout, self.row, self.wide, self.words_of, bits, is_traced=is_traced)
        self.functions: dict[str, low.Function] = {}
        self.values = ValueLowering(self)
        self._tables: dict[tuple[int, ...], int] = {}
        self._procedures: set[str] = set()
        self._nested = 0
        """The number of procedures that are being lowered because the one before calls them."""
        self._put_off: list[tuple[str, int, int, bool]] = []
        self._helpers: set[str] = set()

    def program(self) -> low.Program:
        """Returns the whole program."""
        RegionLowering(self).lower_all()
        blocks = self.control.blocks
        questions = tuple(self._question(question) for question in blocks.questions)
        score = self._score(self.steps.budget // PART)
        self._lower_put_off()
        return low.Program(
            functions=tuple(self.functions.values()),
            tables=tuple(self._tables),
            row=self.row_size,
            scratch=self.scratch.size,
            question=self.slots.question,
            seat=self.slots.seat,
            blocks=tuple((root, f"b{root}") for root in self.control.roots),
            questions=questions,
            half=self.steps.half,
            counters=self.layout.counters,
            streams=self.layout.streams,
            wide=tuple((slot, *place) for slot, place in self.wide.items()),
            score=score,
            bounds=slot_bounds(self.game, self.layout, self.control, self.variables, self.loose, self.bits),
            bits=self.bits,
            hides=_hides(self.game),
        )

    def looks_alone(self, *, is_said: bool) -> low.Program:
        """Returns the program of the values that screens call, or of what sentences compute."""
        shown = lower_sentence_holes(self) if is_said else lower_shown_values(self)
        self._lower_put_off()
        return low.Program(
            functions=tuple(self.functions.values()),
            tables=tuple(self._tables),
            row=self.row_size,
            question=self.slots.question,
            seat=self.slots.seat,
            blocks=(),
            questions=(),
            half=self.steps.half,
            shown=shown,
            bits=None,
        )

    def _question(self, question: QuestionBlocks) -> low.QuestionFunctions:
        choice = self.game.choices[question.choice]
        budget = self.steps.budget - sum(affordable(self.steps, choice).values())
        branches = choice.branches
        answers = tuple(tuple(self.words_of(p.variable.type) for p in branch.parameters) for branch in branches)
        listed = f"o{question.id}"
        legal = lower_legality(self, question) if self.bits is None else ""
        if question.turn >= 0:
            owing, keep = self.slots.owing[question.id], f"s{question.id}"
            return low.QuestionFunctions(listed, (), budget, answers, owing, keep, legal=legal)
        look = f"h{question.id}" if choice.forced or not always_open(choice) else ""
        carried_out = tuple(f"b{block}" for block in question.branches)
        return low.QuestionFunctions(listed, carried_out, budget, answers, look=look, legal=legal)

    def _score(self, budget: int) -> low.ScoreFunction | None:
        """Returns the function of a seat's `score`; None where the rules define none."""
        if self.game.score is None:
            return None
        (seat,) = self.game.values[self.game.score].parameters
        f = Builder(self, "score", "the score of a seat", (seat,))
        f.add(low.ReturnInst(f.expression(CallValue(self.game.score, (Local(seat.id),))).word))
        self.functions["score"] = f.finished()
        choices = tuple(question.choice for question in self.control.blocks.questions)
        return low.ScoreFunction(budget, self.layout.states[self.game.depth], choices)

    # -------------------------------------------------------------- what the rooms share

    def expression(self, f: Builder, expr: Expr) -> KnownWord:
        """Returns the word of an expression; emits the statements that it needs first."""
        return expression(f, expr)

    def set_of(self, f: Builder, expr: Expr) -> KnownWord:
        """Returns the word of an expression that is a set; none becomes the empty set."""
        return set_of(f, expr)

    def procedure(self, id: int, level: int = 0, *, tells: bool) -> str:
        """Returns the name of a procedure's function; above `level` 0, of the one that notes its writes in nested
        passes."""
        name = f"{'q' * level or 'p'}{id}" + ("_untold" if self.is_traced and not tells else "")
        if name not in self._procedures:
            self._procedures.add(name)
            if self._nested < DEEPEST:
                self._nested += 1
                self._lower_procedure(name, id, level, tells=tells)
                self._nested -= 1
            else:
                self._put_off.append((name, id, level, tells))
        return name

    def _lower_procedure(self, name: str, id: int, level: int, *, tells: bool) -> None:
        procedure = self.game.procedures[id]
        f = Builder(self, name, procedure.name, procedure.parameters)
        f.level, f.tells = level, tells
        if procedure.rule is not None:
            self._told(f, procedure.rule)
        with f.at(self.steps.site(procedure.body[0]) if procedure.body else 0):
            f.pay(self.steps.procedure(id))
        body(f, procedure.body)
        if procedure.rule is not None and goes_on(tuple(f.orders)):
            tell(f, "leave", procedure.rule)
        self.functions[name] = f.finished()

    def _lower_put_off(self) -> None:
        """Lowers the procedures that were called in too many others to be lowered at once."""
        while self._put_off:
            name, id, level, tells = self._put_off.pop()
            self._lower_procedure(name, id, level, tells=tells)

    def _told(self, f: Builder, rule: int) -> None:
        """Emits that a procedure begins, and has its end told wherever it returns."""
        leave = f.leave

        def told_leave() -> None:
            tell(f, "leave", rule)
            leave()

        tell(f, "enter", rule, *(low.RegisterWord(i) for i in range(f.parameters)))
        f.leave = told_leave

    def foresight(self, id: int, body: Foresight, name: str, more: tuple[Variable, ...] = ()) -> str:
        """Returns the name of the function that looks ahead past a procedure; `more` are parameters behind those of
        the procedure."""
        if name not in self._procedures:
            self._procedures.add(name)
            procedure, checkpoint = self.game.procedures[id], self.game.checkpoint
            f = Builder(self, name, procedure.name, (*procedure.parameters, *more))
            given = tuple(low.RegisterWord(i) for i in range(len(procedure.parameters)))
            f.tells = False
            looks = None if checkpoint is None else self.procedure(checkpoint, tells=False)
            body(f, self.procedure(id, tells=False), given, looks)
            self.functions[name] = f.finished()
        return name

    @property
    def row_size(self) -> int:
        """The number of words of a row, including those that are 0 between steps."""
        return self.row + self.scratch.size

    def helper(
        self, name: str, parameters: int, body: Callable[[Builder], None], result: int = 1, *, tells: bool = False
    ) -> str:
        """Returns the name of a function that stands for nothing in the rules; builds it on first use."""
        if name not in self._helpers:
            self._helpers.add(name)
            f = Builder(self, name, "")
            f.parameters, f.tells = parameters, tells
            for _ in range(parameters):
                f.fresh()
            f.result = result
            body(f)
            self.functions[name] = f.finished()
        return name

    def words_for(self, bits: int) -> int:
        """Returns the number of words for a set whose members are below `bits`."""
        return 1 if self.bits is None else words_for(bits)

    def words_of(self, type: Type) -> int:
        """Returns the number of words for a value of a type."""
        return 1 if self.bits is None else words.words_of(type)

    def cell(self, slot: int) -> low.CellWord:
        """Returns the word that reads a slot, wherever it is stored."""
        place, many = self.wide.get(slot, (slot, 1))
        return low.CellWord(low.ConstWord(place), many)

    def parameter(self, variable: Variable, word: low.Word) -> KnownWord:
        """Returns a local as it is passed: in its type, or none."""
        if variable.id in self.loose:
            return KnownWord(word, -LARGEST, LARGEST, none=True)
        return words.typed(word, variable.type.or_none())

    def entry(self, type: Type, values: tuple[int, ...], place: low.Word) -> KnownWord:
        """Returns an entry of a table of the rules."""
        if isinstance(type, SetType):
            every = 0
            for value in values:
                every |= value if value != NONE else 0
            known = words.known_set(low.ConstWord(0), every)
        else:
            numbers = [value for value in values if value != NONE] or [0]
            known = KnownWord(low.ConstWord(0), min(numbers), max(numbers))
        table = self._tables.setdefault(values, len(self._tables))
        many = max((width_of(low.ConstWord(value), ()) for value in values), default=1)
        return attrs.evolve(known, word=low.EntryWord(table, place, many), none=NONE in values)

    def has_likes(self, kind: int | None) -> bool:
        """Returns whether some things of a kind are alike."""
        return kind is not None and self.game.kinds[kind].has_copies


def _hides(game: GameRules) -> bool:
    """Returns whether there is anything that not every seat may see, scratch variables included."""
    return any(state.visible != "all" for state in game.states) or any(zone.visible != "all" for zone in game.zones)
