"""A seed -> a random game in IR, well typed and sure to end: what the two machines are compared on beyond hand-made games.

Numbers stray out of their ranges, things are missing, piles run empty: going wrong in the same way counts as well.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TypeAlias

import attrs

from rulelang.ir.model import (
    Adjustment,
    AdjustmentForm,
    And,
    Assign,
    BeginBody,
    Bind,
    Branch,
    Call,
    CallValue,
    Cell,
    Column,
    Const,
    Contents,
    DataColumn,
    DataTable,
    Defer,
    DirectedWay,
    Either,
    Eliminate,
    EndBody,
    Expr,
    FaceUp,
    Finish,
    GameRules,
    HasRow,
    InSlot,
    Local,
    Loop,
    Move,
    Need,
    Op,
    Or,
    Order,
    Over,
    OwnerOf,
    Parameter,
    Pick,
    Place,
    PlaceOf,
    Read,
    Repeat,
    Return,
    Reveal,
    Roll,
    Show,
    Shuffle,
    Simultaneous,
    Source,
    Statement,
    Stop,
    Target,
    TopOf,
    ValueCase,
    Variable,
    Way,
    When,
)
from rulelang.ir.model.vocabulary import AssignOperator, Comparison, Comprehension, Impasse
from rulelang.ir.types import NONE, FlagType, IntType, SetType, Type
from tests.games.in_ir import Build

Body: TypeAlias = tuple[Statement, ...]
SEATS = ("red", "blue", "green", "white", "black", "grey", "brown", "pink", "teal")


@attrs.define
class Scope:
    """What may be used where: locals by what they are, loops to stop, what kind of statements."""

    locals: dict[str, list[Variable]]
    loops: tuple[int, ...] = ()
    may_ask: bool = False
    at_once: bool = False
    may_return: bool = True

    def inner(self, **changes: object) -> Scope:
        copy = {sort: list(names) for sort, names in self.locals.items()}
        return attrs.evolve(self, locals=copy, **changes)  # type: ignore[arg-type]

    def add(self, sort: str, variable: Variable) -> Variable:
        self.locals.setdefault(sort, []).append(variable)
        return variable


class RandomGame:
    """Builds one random game."""

    bottom = 0
    """The number at which a value that calls itself ends; its parameter is at least 1."""
    rounds = 4
    """The number of rounds of the game."""
    ending = 0.04
    """The share of statements that may end it before."""
    most_seats = 3

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.b = Build(f"random{seed}", SEATS[: self.rng.randint(2, self.most_seats)])
        self.player = self.b.player
        self._things()
        self._states()
        self.num_values: list[tuple[int, tuple[str, ...]]] = []
        self.set_values: list[tuple[int, tuple[str, ...]]] = []
        self.data: list[DataTable] = []
        self.die = self.b.die("yellow", (1, 1, 2, 3))
        self.pick = self.b.stream("some#1")
        self.deferring_stops = False
        """Whether the `simultaneously` that is being built may defer calls that stop."""
        self.procedures: list[tuple[int, tuple[str, ...], bool]] = []
        """Procedure, sorts of parameters, whether it stops."""
        self.handing_on: dict[int, int] = {}
        self.verbs: list[tuple[int, tuple[str, ...]]] = []
        """Procedures that `simultaneously` may call, each a rule that the trace tells of."""
        """By zone: the procedure that moves cards there."""
        self._values()
        self._handing_on()
        self._procedures()

    # -------------------------------------------------------------- sizes

    def number_of_cards(self) -> int:
        return self.rng.randint(3, 11)

    def some_cards(self, size: int) -> int:
        """Returns any set of the first so many cards."""
        return self.rng.randrange(1 << size)

    def few_of(self, bits: int) -> int:
        """Returns some members of a set."""
        return self.rng.getrandbits(12) & bits

    def known_cards(self) -> tuple[int, ...]:
        """Returns the cards that the rules name, and none."""
        return 0, 1, 2, NONE

    # -------------------------------------------------------------- declarations

    def _things(self) -> None:
        b, rng = self.b, self.rng
        size = self.number_of_cards()
        classes = tuple(range(size)) if rng.random() < 0.4 else tuple(i - i % 3 for i in range(size))
        self.cards = b.kind("Card", tuple(f"c{i}" for i in range(size)), classes)
        self.card = b.type_of(self.cards)
        self.discards = b.zone("discards", self.cards, rng.choice(("pile", "group")))
        self.deck = b.zone("deck", self.cards, "pile", visible="nobody", refills_from=self.discards)
        capacity = rng.choice((None, None, Const(5), Const(2)))
        self.hand = b.zone("hand", self.cards, "group", "Player", (self.player,), "owner", capacity=capacity)
        self.slot = b.zone("slot", self.cards, "slot", "Player", (self.player,))
        self.stacks = b.zone("stacks", self.cards, "pile", None, (IntType(1, 2),), "nobody")
        self.printed = b.table(
            "printed",
            (self.card,),
            IntType(0, 9, optional=True),
            tuple(rng.choice((0, 1, 2, 5, NONE)) for _ in range(size)),
        )
        self.near = b.table(
            "near",
            (IntType(1, 4),),
            SetType(IntType(1, 4)),
            tuple(rng.choice((2, 4, 6, 10, 12, 16, 18)) for _ in range(4)),
        )
        # Cards beside each other, as spaces of a board are; two directions lead from each.
        self.beside = b.table(
            "beside", (self.card,), SetType(self.card), tuple(self.some_cards(size) for _ in range(size))
        )
        leads = tuple(rng.choice((NONE, *range(size))) for _ in range(2 * size))
        self.leads = b.table("leads", (self.card, FlagType()), self.card.or_none(), leads)
        self.even = b.table("even", (IntType(1, 4),), SetType(IntType(1, 4)), (6, 12, 24, 18))

    def _states(self) -> None:
        b, rng = self.b, self.rng
        self.nums = [
            (b.state("n", IntType(0, 9), initial=Const(3)), ()),
            (b.state("wide", IntType(-20, 60)), ()),
            (b.state("maybe", IntType(1, 4, optional=True)), ()),
            (b.of_player("fuel", IntType(0, 9), Const(rng.randint(0, 9))), ("player",)),
            (b.state("grid", IntType(0, 20), (IntType(1, 4), FlagType())), ("small", "flag")),
            (b.state("marks", IntType(0, 3), (self.card,), "Card"), ("card",)),
        ]
        self.players = [(b.state("leader", self.player.or_none()), ()), (b.mover, ())]
        self.sets = {
            "players": [(b.state("out", SetType(self.player)), ()), (b.players_left, ()), (b.all_players, ())],
            "cards": [(b.state("seen", SetType(self.card)), ())],
            "small": [(b.state("open", SetType(IntType(1, 4)), initial=Const(rng.choice((0, 6, 30)))), ())],
        }

    def _values(self) -> None:
        for i in range(self.rng.randint(1, 4)):
            sorts = tuple(self.rng.choice(("player", "small", "card")) for _ in range(self.rng.randint(0, 2)))
            scope, parameters = self._parameters(sorts)
            cases = [ValueCase(self.flag(scope, 2), self.num(scope, 2)) for _ in range(self.rng.randint(0, 2))]
            if self.rng.random() < 0.7:
                cases.append(ValueCase(None, self.num(scope, 3)))
            value = self.b.value(f"value{i}", parameters, IntType(-9, 30), *cases)
            if self.rng.random() < 0.4:
                changes = tuple(
                    adjustment(
                        self.rng.choice(("+", "least", "most")),
                        self.rng.randint(-2, 6),
                        self.flag(scope, 1) if self.rng.random() < 0.5 else None,
                    )
                    for _ in range(2)
                )
                self.b.values[value] = attrs.evolve(self.b.values[value], adjustments=changes)
            self.num_values.append((value, sorts))
        scope, parameters = self._parameters(("player",))
        value = self.b.value(
            "friends", parameters, SetType(self.player), ValueCase(None, self.set_of(scope, "players", 2))
        )
        self.set_values.append((value, ("player",)))
        self._recursive()
        self._table()

    def _recursive(self) -> None:
        scope, parameters = self._parameters(("small",))
        id = len(self.b.values)
        less = CallValue(id, (Op("-", (Local(parameters[0].id), Const(1))),))
        fewer = CallValue(id, (Op("-", (Local(parameters[0].id), Const(2))),))
        cases = (
            ValueCase(Op("<=", (Local(parameters[0].id), Const(self.bottom))), self.num(scope, 1)),
            ValueCase(None, Op("+", (less, self.rng.choice((self.num(scope, 1), fewer))))),
        )
        self.b.value("down", parameters, IntType(-99, 99), *cases, deep=self.rng.randint(2, 5))
        self.num_values.append((id, ("small",)))

    def _table(self) -> None:
        key = self.b.variable("key", IntType(1, 4))
        p = self.b.variable("p", self.player)
        scope = Scope({"small": [key], "player": [p]})
        cells = tuple(
            self.rng.choice((Const(self.rng.randint(0, 5)), self.num(scope, 1), Roll(Const(0)))) for _ in range(3)
        )
        plain = tuple(Const(self.rng.randint(0, 5)) for _ in range(3))
        adjust = (Adjustment("least", Const(1), None),) if self.rng.random() < 0.5 else ()
        columns = (
            DataColumn("cost", IntType(0, 9), cells, (0, 0, 0), adjust),
            DataColumn("gain", IntType(0, 9), plain, (0, 0, 0)),
        )
        self.data.append(DataTable(0, "route", (key, p), 1, (0, -1, 1, 2), columns))

    def _procedures(self) -> None:
        for i in range(self.rng.randint(1, 2)):
            self._verb(f"verb{i}")
        for i in range(self.rng.randint(1, 3)):
            self._procedure(f"plain{i}", stops=False)
        for i in range(self.rng.randint(1, 3)):
            self._procedure(f"asking{i}", stops=True)
        scope, _ = self._parameters(())
        scope.may_ask, scope.may_return = True, False
        loop = self.b.loop()
        body = self.body(scope.inner(loops=(loop,)), 3, 4)
        last = Finish("score", self.num(scope, 1), 0)
        rounds = Repeat(loop, None, Const(self.rounds), (*body, self._ask(scope.inner(loops=(loop,)), 2)))
        opening = Move(self.cards, Source(Const(-1 % (1 << self.card.size))), None, Target(self.deck, ()), None)
        dealt = self._dealt() if self.rng.random() < 0.6 else ()
        body = (opening, Shuffle(self.deck, ()), *dealt, rounds, last)
        self.main = self.b.procedure("play", (), body, rule=0, stops=True)

    def _dealt(self) -> Body:
        """Two cards for each hand and one for each slot."""
        p, loop = self.b.variable("p", self.player), self.b.loop()
        deck = Source(None, Contents(self.deck, ()))
        moves = tuple(
            Move(self.cards, deck, Const(n), Target(zone, (Local(p.id),)), None)
            for zone, n in ((self.hand, 2), (self.slot, 1))
        )
        return (Loop(loop, p, Source(Read(self.b.all_players, ())), (), None, moves),)

    def _handing_on(self) -> None:
        """Procedures that move cards to somebody's hand or slot: what `simultaneously` defers."""
        for zone in (self.hand, self.slot):
            cards, to = self.b.variable("cards", SetType(self.card)), self.b.variable("to", self.player)
            move = Move(self.cards, Source(Local(cards.id)), None, Target(zone, (Local(to.id),)), None)
            self.handing_on[zone] = self.b.procedure("later", (cards, to), (move,))

    def _verb(self, name: str) -> None:
        sorts = tuple(self.rng.choice(("player", "small", "number")) for _ in range(self.rng.randint(1, 2)))
        scope, parameters = self._parameters(sorts)
        body = self.body(scope.inner(at_once=True), 2, 3)
        id = self.b.procedure(name, parameters, body, self.b.rule(name, parameters))
        self.verbs.append((id, sorts))

    def _procedure(self, name: str, *, stops: bool) -> None:
        sorts = tuple(self.rng.choice(("player", "small", "card", "number")) for _ in range(self.rng.randint(0, 2)))
        scope, parameters = self._parameters(sorts)
        scope.may_ask = stops
        body = self.body(scope, 3, 3)
        if stops:
            body = (*body, self._ask(scope, 2), *self.body(scope, 1, 2))
        rule = self.b.rule(name, parameters) if self.rng.random() < 0.7 else None
        phase = stops and self.rng.random() < 0.4
        id = self.b.procedure(name, parameters, body, rule, phase=phase, stops=stops)
        self.procedures.append((id, sorts, stops))

    def _parameters(self, sorts: tuple[str, ...]) -> tuple[Scope, tuple[Variable, ...]]:
        scope = Scope({})
        return scope, tuple(scope.add(sort, self.b.variable(sort, self.type_of(sort))) for sort in sorts)

    def type_of(self, sort: str) -> Type:
        types: dict[str, Type] = {
            "player": self.player,
            "small": IntType(1, 4),
            "card": self.card,
            "number": IntType(-9, 30),
            "flag": FlagType(),
            "players": SetType(self.player),
            "cards": SetType(self.card),
        }
        return types[sort]

    # -------------------------------------------------------------- expressions

    def pick_one(self, *ways: Callable[[], Expr]) -> Expr:
        return self.rng.choice(ways)()

    def of(self, sort: str, scope: Scope, depth: int) -> Expr:
        match sort:
            case "flag":
                return self.flag(scope, depth)
            case "player":
                return self.a_player(scope, depth)
            case "card":
                return self.a_card(scope, depth)
            case "small":
                return self.small(scope, depth)
            case "number":
                return self.num(scope, depth)
            case _:
                return self.set_of(scope, sort, depth)

    def local(self, scope: Scope, *sorts: str) -> Expr | None:
        known = [variable for sort in sorts for variable in scope.locals.get(sort, [])]
        return Local(self.rng.choice(known).id) if known else None

    def small(self, scope: Scope, depth: int) -> Expr:
        known = self.local(scope, "small")
        if known is not None and self.rng.random() < 0.6:
            return known
        if depth <= 0 or self.rng.random() < 0.7:
            return Const(self.rng.randint(1, 4))
        return self.num(scope, depth - 1)

    def num(self, scope: Scope, depth: int) -> Expr:
        found = self.some_num(scope, depth)
        return self.sure(found) if self.rng.random() < 0.9 else found

    def sure(self, found: Expr) -> Expr:
        """Returns a number that is not none, mostly: arithmetic with none ends a game early."""
        match found:
            case Column() | PlaceOf() | CallValue() | Cell() | Read() | Over():
                return Either(Op("==", (found, Const(NONE))), Const(self.rng.randint(0, 3)), found)
            case _:
                return found

    def some_num(self, scope: Scope, depth: int) -> Expr:
        known = self.local(scope, "number", "small")
        if known is not None and self.rng.random() < 0.3:
            return known
        if depth <= 0:
            return (
                Const(self.rng.randint(-1, 5)) if self.rng.random() < 0.5 else Read(*self._place(self.nums, scope, 0))
            )
        less = depth - 1
        return self.pick_one(
            lambda: Read(*self._place(self.nums, scope, less)),
            lambda: Column(self.printed, (self.a_card(scope, less),)),
            lambda: Op(self.rng.choice(("+", "-")), (self.num(scope, less), self.num(scope, less))),
            lambda: Op(self.rng.choice(("*", "min", "max")), (self.num(scope, less), self.num(scope, less))),
            lambda: Op(self.rng.choice(("neg", "abs")), (self.num(scope, less),)),
            lambda: Op(
                self.rng.choice(("mod", "floordiv", "ceildiv")),
                (self.num(scope, less), self.divisor(scope)),
            ),
            lambda: Op("size", (self.any_set(scope, less),)),
            lambda: self.over(scope, less, self.rng.choice(("count", "sum", "min", "max"))),
            lambda: Either(self.flag(scope, less), self.num(scope, less), self.num(scope, less)),
            lambda: self._call(self.num_values, scope, less),
            lambda: PlaceOf(self.cards, self.a_card(scope, less)),
            lambda: self.way(scope, less),
            lambda: Cell(0, 1, (self.small(scope, less), self.a_player(scope, less))) if self.data else Const(1),
        )

    def divisor(self, scope: Scope) -> Expr:
        return self.rng.choice((Const(2), Const(3), Const(-2), self.num(scope, 0)))

    def stack(self, scope: Scope, depth: int) -> Expr:
        """Returns the number of a stack, or one that there is not."""
        return self.small(scope, depth)

    def way(self, scope: Scope, depth: int) -> Expr:
        start, end = self.a_card(scope, depth), self.a_card(scope, depth)
        within = self.set_of(scope, "cards", depth)
        which = self.rng.random()
        if which < 0.5:
            return (
                Way(self.beside, (), start, end, within)
                if which > 0.1
                else Op("size", (Way(self.beside, (), start, None, within),))
            )
        directions = self.rng.choice((Const(self.rng.randint(0, 3)), Op("single", (self.flag(scope, depth),))))
        if which > 0.9:
            return Op("size", (DirectedWay(self.leads, (), start, None, within, directions),))
        return DirectedWay(self.leads, (), start, end, within, directions)

    def flag(self, scope: Scope, depth: int) -> Expr:
        if depth <= 0:
            return self.pick_one(
                lambda: Op(
                    self.rng.choice(("<", "<=", ">", ">=")), (self.num(scope, 0), Const(self.rng.randint(0, 6)))
                ),
                lambda: Op("==", (self.a_player(scope, 0), self.a_player(scope, 0))),
                lambda: Const(self.rng.randint(0, 1)),
            )
        less = depth - 1
        compare: Comparison = self.rng.choice(("<", "<=", ">", ">=", "==", "!="))
        sort = self.rng.choice(("player", "card"))
        return self.pick_one(
            lambda: Op(compare, (self.num(scope, less), self.num(scope, less))),
            lambda: Op(self.rng.choice(("==", "!=")), (self.of(sort, scope, less), self.of(sort, scope, less))),
            lambda: And(tuple(self.flag(scope, less) for _ in range(self.rng.randint(1, 3)))),
            lambda: Or(tuple(self.flag(scope, less) for _ in range(self.rng.randint(1, 3)))),
            lambda: Op("not", (self.flag(scope, less),)),
            lambda: Op("in", (self.a_player(scope, less), self.set_of(scope, "players", less))),
            lambda: Op("in", (self.a_card(scope, less), self.set_of(scope, "cards", less))),
            lambda: Op("in", (self.num(scope, less), self.set_of(scope, "small", less))),
            lambda: Op(self.rng.choice(("==", "!=")), (self.any_set(scope, less), Const(0))),
            lambda: self.over(scope, less, self.rng.choice(("any", "all"))),
            lambda: FaceUp(self.cards, self.a_card(scope, less)),
            lambda: HasRow(0, (self.small(scope, less),)) if self.data else Const(1),
            lambda: Either(self.flag(scope, less), self.flag(scope, less), self.flag(scope, less)),
        )

    def a_player(self, scope: Scope, depth: int) -> Expr:
        known = self.local(scope, "player")
        if known is not None and self.rng.random() < 0.6:
            return known
        if depth <= 0:
            return Const(self.rng.choice((0, 1, 1, NONE)))
        less = depth - 1
        return self.pick_one(
            lambda: Read(*self._place(self.players, scope, less)),
            lambda: OwnerOf(self.cards, "Player", self.a_card(scope, less)),
            lambda: self.choose(scope, less, "first", "players"),
            lambda: Const(self.rng.randrange(self.player.size)),
        )

    def a_card(self, scope: Scope, depth: int) -> Expr:
        known = self.local(scope, "card")
        if known is not None and self.rng.random() < 0.6:
            return known
        if depth <= 0:
            return Const(self.rng.choice(self.known_cards()))
        less = depth - 1
        return self.pick_one(
            lambda: InSlot(self.slot, (self.a_player(scope, less),), False),
            lambda: TopOf(self.deck, ()),
            lambda: TopOf(self.stacks, (self.stack(scope, less),), False),
            lambda: self.choose(scope, less, "first", "cards"),
        )

    def any_set(self, scope: Scope, depth: int) -> Expr:
        return self.set_of(scope, self.rng.choice(("players", "cards", "small")), depth)

    def set_of(self, scope: Scope, sort: str, depth: int) -> Expr:
        bits = {"players": (1 << self.player.size) - 1, "cards": (1 << self.card.size) - 1, "small": 30}[sort]
        known = self.local(scope, sort) if sort != "small" else None
        if known is not None and self.rng.random() < 0.4:
            return known
        if depth <= 0:
            if self.rng.random() < 0.5:
                return Read(*self._place(self.sets[sort], scope, 0))
            return Const(self.few_of(bits))
        less = depth - 1
        ways: list[Callable[[], Expr]] = [
            lambda: Op(
                self.rng.choice(("union", "minus", "inter")),
                (self.set_of(scope, sort, less), self.set_of(scope, sort, less)),
            ),
            lambda: self.filtered(scope, sort, less),
            lambda: self.choose(scope, less, "best", sort),
            lambda: Const(bits),
            lambda: Read(*self._place(self.sets[sort], scope, less)),
            lambda: Either(self.flag(scope, less), self.set_of(scope, sort, less), self.set_of(scope, sort, less)),
        ]
        if sort == "cards":
            ways += [lambda: self.contents(scope, less)] * 3
        if sort == "players":
            ways += [
                lambda: Op("single", (self.a_player(scope, less),)),
                lambda: self._call(self.set_values, scope, less),
            ]
        if sort == "small":
            ways += [
                lambda: Op("inter", (attrs.evolve(self.over(scope, less, "sum"), what="set"), Const(bits))),
                lambda: (
                    Op("inter", (Op("range", (self.num(scope, less), Const(4))), Const(bits)))
                    if less
                    else Op("range", (Const(2), Const(3)))
                ),
                lambda: Column(self.near, (self.small(scope, less),), False),
                lambda: Column(self.even, (self.small(scope, less),), False),
            ]
        return self.rng.choice(ways)()

    def contents(self, scope: Scope, depth: int) -> Contents:
        zone = self.rng.choice((self.deck, self.deck, self.discards, self.hand, self.slot, self.stacks, 0))
        if zone in (self.hand, self.slot):
            return Contents(zone, (self.a_player(scope, depth),), False)
        return Contents(zone, (self.stack(scope, depth),), False) if zone == self.stacks else Contents(zone, ())

    def source(self, scope: Scope, sort: str, depth: int) -> Source:
        if sort == "cards" and self.rng.random() < 0.5:
            pile = self.contents(scope, depth)
            while self.b.zones[pile.zone].form != "pile":
                pile = self.contents(scope, depth)
            mask = self.set_of(scope, "cards", depth) if self.rng.random() < 0.4 else None
            return Source(mask, pile)
        return Source(self.set_of(scope, sort, depth))

    def one_of(self, sort: str) -> tuple[str, Variable]:
        single = {"players": "player", "cards": "card", "small": "small"}[sort]
        return single, self.b.variable(single, self.type_of(single))

    def filtered(self, scope: Scope, sort: str, depth: int) -> Over:
        single, x = self.one_of(sort)
        source = Source(self.set_of(scope, sort, depth))
        inner = scope.inner()
        inner.add(single, x)
        return Over("set", (x,), (source,), Local(x.id), self.flag(inner, depth))

    def over(self, scope: Scope, depth: int, what: Comprehension) -> Over:
        inner, names, sources = scope.inner(), [], []
        for _ in range(self.rng.choice((1, 1, 2))):
            sort = self.rng.choice(("players", "cards", "small"))
            sources.append(self.source(inner, sort, depth))
            single, x = self.one_of(sort)
            names.append(inner.add(single, x))
        value: Expr | None = self.num(inner, depth)
        if what in ("any", "all"):
            value = self.flag(inner, depth)
        elif what == "count":
            value = None
        condition = self.flag(inner, depth) if self.rng.random() < 0.6 else None
        return Over(what, tuple(names), tuple(sources), value, condition)

    def choose(self, scope: Scope, depth: int, what: Comprehension, sort: str) -> Over:
        source = self.source(scope, sort, depth)
        inner = scope.inner()
        single, x = self.one_of(sort)
        inner.add(single, x)
        condition = self.flag(inner, depth) if self.rng.random() < 0.5 else None
        return Over(what, (x,), (source,), None, condition, self.keys(inner))

    def keys(self, scope: Scope) -> tuple[Order, ...]:
        return tuple(Order(self.rng.random() < 0.5, self.num(scope, 1)) for _ in range(self.rng.randint(0, 2)))

    def _place(
        self, states: Sequence[tuple[int, tuple[str, ...]]], scope: Scope, depth: int, *, sure: bool = False
    ) -> tuple[int, tuple[Expr, ...], bool]:
        state, sorts = self.rng.choice(states)
        if sure and self.rng.random() < 0.85:
            return state, tuple(self.local(scope, sort) or Const(1) for sort in sorts), False
        return state, tuple(self.of(sort, scope, depth) for sort in sorts), False

    def _call(self, values: list[tuple[int, tuple[str, ...]]], scope: Scope, depth: int) -> Expr:
        if not values:
            return Const(0)
        value, sorts = self.rng.choice(values)
        return CallValue(value, tuple(self.of(sort, scope, depth) for sort in sorts))

    # -------------------------------------------------------------- statements

    def body(self, scope: Scope, depth: int, most: int) -> Body:
        found: list[Statement] = []
        for _ in range(self.rng.randint(1, most)):
            found.append(attrs.evolve(self.statement(scope, depth), site=self.b.site("statement")))
        return tuple(found)

    def statement(self, scope: Scope, depth: int) -> Statement:
        simple: list[Callable[[], Statement]] = [
            lambda: self.assign(scope),
            lambda: self.assign(scope),
            lambda: self.bind(scope),
        ]
        if not scope.at_once or self.rng.random() < 0.02:
            simple.append(lambda: Reveal(self.cards, self.set_of(scope, "cards", 1)))
            simple.append(lambda: Show(self.cards, self.set_of(scope, "cards", 1), self.set_of(scope, "players", 1)))
        if scope.at_once:
            simple += [lambda: self.verb(scope)] * 3
            simple += [lambda: self.call(scope, defer=True), lambda: self.hand_on(scope), lambda: self.hand_on(scope)]
        else:
            simple += [lambda: self.move(scope), lambda: self.move(scope), lambda: self.shuffle(scope)]
            simple += [lambda: Eliminate(self.a_player(scope, 1))] if self.rng.random() < 0.3 else []
            simple += [lambda: self.call(scope)] * 2
            if scope.may_return and self.rng.random() < 0.15:
                return When(((self.flag(scope, 1), (Return(),), 0),))
            if self.rng.random() < self.ending:
                return When(((self.flag(scope, 2), (self.finish(scope),), 0),))
        if scope.loops and self.rng.random() < 0.25:
            return When(((self.flag(scope, 1), (Stop(self.rng.choice(scope.loops)),), self.b.site("statement")),))
        if depth <= 0:
            return self.rng.choice(simple)()
        less = depth - 1
        nested: list[Callable[[], Statement]] = [lambda: self.when(scope, less), lambda: self.loop(scope, less)]
        nested.append(lambda: self.repeat(scope, less))
        if self.rng.random() < 0.6:
            nested.append(lambda: self.at_once(scope, less))
        if scope.may_ask and self.rng.random() < 0.5:
            nested.append(lambda: self._ask(scope, less))
        return self.rng.choice(nested if self.rng.random() < 0.3 else [*simple, *nested])()

    def assign(self, scope: Scope) -> Statement:
        if self.rng.random() < 0.25:
            sort = self.rng.choice(("players", "cards", "small"))
            state, index, _ = self._place([self.sets[sort][0]], scope, 1)
            return Assign(Place(state, index), "=", self.set_of(scope, sort, 2))
        if self.rng.random() < 0.15:
            return Assign(Place(self.players[0][0], ()), "=", self.a_player(scope, 2))
        state, index, _ = self._place(self.nums, scope, 1, sure=True)
        type = self.b.states[state].type
        assert isinstance(type, IntType)
        operator: AssignOperator = self.rng.choice(("=", "+", "+")) if not type.optional else "="
        clamped = self.rng.random() < 0.95
        value = self.drawn(scope) if self.rng.random() < 0.2 else self.num(scope, 2)
        return Assign(
            Place(state, index),
            operator,
            value,
            Const(type.low) if clamped else None,
            Const(type.high) if clamped or self.rng.random() < 0.3 else None,
        )

    def drawn(self, scope: Scope) -> Expr:
        return self.pick_one(
            lambda: Roll(Const(self.die)),
            lambda: Roll(Const(self.die), self.num(scope, 0)),
            lambda: Op("+", (Roll(Const(self.die)), self.num(scope, 1))),
            lambda: Cell(0, 0, (self.small(scope, 1), self.a_player(scope, 1))),
            lambda: Either(self.flag(scope, 1), Roll(Const(self.die)), Const(0)),
            lambda: Op("size", (Op("single", (Pick(self.pick, self.source(scope, "cards", 1)),)),)),
        )

    def bind(self, scope: Scope) -> Statement:
        sort = self.rng.choice(("player", "number", "cards", "card", "players"))
        value = self.of(sort, scope, 2)
        if sort == "number":
            variable = self.b.variable("n", IntType(-9, 30))
            statement = Bind(variable, value, Const(-9), Const(30))
        else:
            variable = self.b.variable(sort, self.type_of(sort).or_none())
            statement = Bind(variable, value)
        scope.add(sort, variable)
        return statement

    def target(self, scope: Scope) -> Target:
        zone = self.rng.choice((self.deck, self.discards, self.hand, self.hand, self.stacks, 0))
        if self.rng.random() < 0.05:
            zone = self.slot
        if zone in (self.hand, self.slot):
            sure = self.local(scope, "player") or Const(self.rng.randint(0, 1))
            return Target(zone, (sure if self.rng.random() < 0.9 else self.a_player(scope, 1),))
        return Target(zone, (Const(self.rng.randint(1, 2)),)) if zone == self.stacks else Target(zone, ())

    def move(self, scope: Scope) -> Statement:
        count = None if self.rng.random() < 0.3 else Const(self.rng.randint(0, 3))
        return Move(
            self.cards,
            self.source(scope, "cards", 1),
            count,
            self.target(scope),
            self.rng.choice((None, "top", "bottom")),
        )

    def shuffle(self, scope: Scope) -> Statement:
        return (
            Shuffle(self.deck, ())
            if self.rng.random() < 0.7
            else Shuffle(self.stacks, (Const(self.rng.randint(1, 2)),))
        )

    def call(self, scope: Scope, *, defer: bool = False) -> Statement:
        able = [p for p in self.procedures if scope.may_ask or not p[2] or (defer and self.deferring_stops)]
        if not able:
            return self.assign(scope)
        id, sorts, _ = self.rng.choice(able)
        arguments = tuple(self.of(sort, scope, 1) for sort in sorts)
        return Defer(id, arguments) if defer else Call(id, arguments)

    def verb(self, scope: Scope) -> Statement:
        """A call within a pass: the trace sees the position as the pass has changed it."""
        if not self.verbs:
            return self.assign(scope)
        id, sorts = self.rng.choice(self.verbs)
        return Call(id, tuple(self.of(sort, scope, 1) for sort in sorts))

    def hand_on(self, scope: Scope) -> Statement:
        """What lies in a hand or slot goes to somebody else's: to the next seat, so that all may change places."""
        giver = self.local(scope, "player") or Const(0)
        next = Op("mod", (Op("+", (giver, Const(1))), Const(len(self.b.seats))))
        taker = next if self.rng.random() < 0.8 else self.a_player(scope, 1)
        if self.rng.random() < 0.5:
            return Defer(self.handing_on[self.slot], (Op("single", (InSlot(self.slot, (giver,), False),)), taker))
        return Defer(self.handing_on[self.hand], (Contents(self.hand, (giver,), False), taker))

    def finish(self, scope: Scope) -> Statement:
        over = self.choose(scope, 1, "best", "players")
        return self.rng.choice(
            (
                Finish("winner", self.set_of(scope, "players", 1), 0),
                Finish("ranking", attrs.evolve(over, sources=(Source(Read(self.b.all_players, ())),)), 0),
                Finish("lost", None, 0),
            )
        )

    def when(self, scope: Scope, depth: int) -> Statement:
        branches = tuple(
            (self.flag(scope, 2), self.body(scope.inner(), depth, 2), self.b.site("case"))
            for _ in range(self.rng.randint(1, 2))
        )
        return When(branches, self.body(scope.inner(), depth, 2) if self.rng.random() < 0.5 else ())

    def loop(self, scope: Scope, depth: int) -> Statement:
        sort = self.rng.choice(("players", "cards", "small"))
        id = self.b.loop()
        source = self.source(scope, sort, 1)
        inner = scope.inner(loops=(*scope.loops, id))
        single, x = self.one_of(sort)
        inner.add(single, x)
        condition = self.flag(inner, 1) if self.rng.random() < 0.5 else None
        return Loop(id, x, source, self.keys(inner), condition, self.body(inner, depth, 2))

    def repeat(self, scope: Scope, depth: int) -> Statement:
        id = self.b.loop()
        inner = scope.inner(loops=(*scope.loops, id))
        times = self.rng.choice((Const(2), Const(3), Op("min", (self.num(scope, 1), Const(3)))))
        condition = self.flag(scope, 1) if self.rng.random() < 0.4 else None
        return Repeat(id, condition, times, self.body(inner, depth, 2))

    def at_once(self, scope: Scope, depth: int) -> Statement:
        everybody = Read(self.b.all_players, ())
        source = Source(everybody if self.rng.random() < 0.5 else self.set_of(scope, "players", 1))
        self.deferring_stops = scope.may_ask
        inner = scope.inner(loops=(), may_ask=False, at_once=True, may_return=False)
        x = inner.add("player", self.b.variable("p", self.player))
        condition = self.flag(inner, 1) if self.rng.random() < 0.4 else None
        opening = (self.assign(inner), self.verb(inner)) if self.rng.random() < 0.6 else ()
        body = (*opening, *self.body(inner, min(depth, 1), 2))
        self.deferring_stops = False
        return Simultaneous(x, source, condition, body)

    # -------------------------------------------------------------- choices

    def _ask(self, scope: Scope, depth: int) -> Statement:
        return attrs.evolve(self._some_ask(scope, depth), site=self.b.site("statement"))

    def _some_ask(self, scope: Scope, depth: int) -> Statement:
        rng = self.rng
        actor = self.b.variable("actor", self.player)
        sealed = rng.random() < 0.25
        empty: Impasse = "none" if rng.random() < 0.95 else "error"
        chooser = scope.inner()
        chooser.add("player", actor)
        branches = [self._branch(chooser, depth, sealed=sealed) for _ in range(rng.randint(1, 2))]
        if rng.random() < 0.8:
            branches.append(Branch("pass", 0, (), (), self.body(chooser.inner(), 0, 1), declines=True))
        when_none = self.body(chooser.inner(), 0, 1)
        if sealed:
            condition = self.flag(chooser, 1) if rng.random() < 0.5 else None
            source = Source(self.set_of(scope, "players", 1))
            return self.b.choice(
                None,
                *branches,
                actor=actor,
                variable=actor,
                source=source,
                condition=condition,
                empty=empty,
                when_none=when_none,
            )
        who = rng.choice((Const(0), Const(1), self.local(scope, "player") or Const(0)))
        return self.b.choice(who, *branches, actor=actor, empty=empty, when_none=when_none, forced=rng.random() < 0.4)

    def _branch(self, scope: Scope, depth: int, *, sealed: bool) -> Branch:
        inner = scope.inner()
        parameters, needs = [], []
        for known in range(1, self.rng.randint(1, 2) + 1):
            parameters.append(self._parameter(inner))
            if self.rng.random() < 0.3:
                needs.append(Need(self.flag(inner, 1), None, (), 0, known))
        rule = self.b.rule("option")
        interrupt = not sealed and self.rng.random() < 0.1
        n = self.nums[0][0]
        if interrupt:
            # Used up after a few times, so that the choice comes to an end.
            needs.append(Need(Op("<", (Read(n, ()), Const(9))), None, (), 0, 0))
        body = self.body(inner.inner(), depth, 2)
        if interrupt:
            body = (Assign(Place(n, ()), "+", Const(3), Const(0), Const(9)), When(()), *body)
        edges = (BeginBody(rule, (Local(parameters[0].variable.id),)), *body, EndBody(rule))
        return Branch("option", rule, tuple(parameters), tuple(needs), edges, interrupt=interrupt)

    def _parameter(self, scope: Scope) -> Parameter:
        sort = self.rng.choice(("players", "cards", "cards", "small"))
        some = 6 & (1 << self.player.size) - 1 if sort == "players" else 6
        source = Source(Const(some)) if sort != "cards" and self.rng.random() < 0.5 else self.source(scope, sort, 1)
        single, x = self.one_of(sort)
        kind = self.cards if sort == "cards" and self.rng.random() < 0.7 else None
        if self.rng.random() < 0.3:
            several = self.b.variable(sort, SetType(self.type_of(single)))
            low, high = Const(self.rng.randint(0, 2)), self.rng.choice((None, Const(2), self.num(scope, 1)))
            if sort != "small":
                scope.add(sort, several)
            return Parameter(several, source, low, high, kind)
        scope.add(single, x)
        return Parameter(x, source, interchange=kind)

    def game(self) -> GameRules:
        """Returns the game."""
        return attrs.evolve(self.b.game(self.main), data=tuple(self.data))


def random_game(seed: int) -> GameRules:
    """Returns the random game of a seed."""
    return RandomGame(seed).game()


def adjustment(what: AdjustmentForm, amount: int, condition: Expr | None) -> Adjustment:
    """Returns an adjustment of any layer: of those that add, some multiply or set instead."""
    others: dict[int, AdjustmentForm] = {0: "set", 2: "times", 3: "times", 5: "set"}
    return Adjustment(others.get(amount, what) if what == "+" else what, Const(amount), condition)
