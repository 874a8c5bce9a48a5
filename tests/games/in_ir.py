"""Small games written straight in IR, and a chance to play them with: what both machines are tested on.

Every game is a function without arguments that gives a `GameRules`; `GAMES` lists them by name.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from math import prod
from typing import TypeAlias

from rulelang.ir.model import (
    And,
    Ask,
    Assign,
    BeginBody,
    Bind,
    Branch,
    Call,
    CallValue,
    Choice,
    Column,
    Const,
    Contents,
    Defer,
    Die,
    Either,
    Eliminate,
    EndBody,
    Expr,
    Finish,
    GameRules,
    InSlot,
    Kind,
    Local,
    Loop,
    Move,
    Need,
    Op,
    Order,
    Over,
    Parameter,
    Pick,
    Place,
    PlaceOf,
    Procedure,
    Read,
    Repeat,
    Return,
    Reveal,
    Roll,
    Rule,
    Show,
    Shuffle,
    Simultaneous,
    Site,
    Source,
    StateVariable,
    Stop,
    Table,
    Target,
    TopOf,
    Value,
    ValueCase,
    Variable,
    When,
    Zone,
)
from rulelang.ir.model.statements import Statement
from rulelang.ir.model.vocabulary import AssignOperator, Impasse, Operator, RuleForm, SeenBy, SiteForm, ZoneForm
from rulelang.ir.numbers import Row, Thing
from rulelang.ir.types import NONE, EnumType, FlagType, IntType, KindType, SetType, Type, size_of

Body: TypeAlias = tuple[Statement, ...]


class StubChance:
    """A chance that depends on the stream and its counter alone; counters go up by one a draw."""

    def __init__(self, seed: int = 1, counters: int = 0) -> None:
        self.seed, self.counters = seed, counters

    def _draw(self, row: Row, stream: int) -> int:
        count = row[self.counters + stream]
        row[self.counters + stream] = count + 1
        return zlib.crc32(f"{self.seed}/{stream}/{count}".encode())

    def roll(self, row: Row, stream: int, faces: tuple[int, ...]) -> int:
        return faces[self._draw(row, stream) % len(faces)]

    def pick(self, row: Row, stream: int, among: list[int]) -> int:
        return among[self._draw(row, stream) % len(among)]

    def shuffle(self, row: Row, stream: int, kind: int, things: list[Thing]) -> list[int]:
        draw = self._draw(row, stream)
        return sorted(map(int, things), key=lambda thing: zlib.crc32(f"{draw}/{kind}/{thing}".encode()))


class Build:
    """Collects the parts of a game; each method gives the id (or the Variable) of what it adds."""

    def __init__(self, name: str, seats: tuple[str, ...] = ("red", "blue")) -> None:
        self.name, self.seats = name, seats
        self.player = KindType("Player", len(seats))
        self.kinds: list[Kind] = []
        self.tables: list[Table] = []
        self.dice: list[Die] = []
        self.states: list[StateVariable] = []
        self.zones: list[Zone] = []
        self.values: list[Value] = []
        self.procedures: list[Procedure] = []
        self.choices: list[Choice] = []
        self.rules: list[Rule] = [Rule(0, "play", "play", (), None, ())]
        self.sites: list[Site] = [Site(0, "nowhere", ())]
        self.streams: list[str] = []
        self.variables = 0
        self.loops = 0
        self.places: dict[int, int] = {}
        self.kind("Player", seats, movable=False)
        seats_set = SetType(self.player)
        self.all_players = self.state("all_players", seats_set, builtin=True)
        self.players_left = self.state("players", seats_set, builtin=True)
        self.depth = self.state("depth", IntType(0, 99), builtin=True)
        self.mover = self.state("mover", self.player.or_none(), builtin=True)

    def kind(
        self,
        name: str,
        names: tuple[str, ...],
        classes: tuple[int, ...] | None = None,
        movable: bool = True,
        columns: tuple[tuple[str, int, Type], ...] = (),
    ) -> int:
        id = len(self.kinds)
        size = len(names)
        self.kinds.append(Kind(id, name, name.lower(), size, names, columns, classes or tuple(range(size)), movable))
        self.places[id] = 0
        if movable:
            self.zone("box", id, "group")
        return id

    def type_of(self, kind: int) -> KindType:
        return KindType(self.kinds[kind].name, self.kinds[kind].size)

    def zone(
        self,
        name: str,
        kind: int,
        form: ZoneForm,
        owner: str | None = None,
        dimensions: tuple[Type, ...] = (),
        visible: SeenBy = "all",
        capacity: Expr | None = None,
        refills_from: int | None = None,
    ) -> int:
        id = len(self.zones)
        first = self.places[kind]
        self.places[kind] = first + prod(size_of(t) for t in dimensions)
        self.zones.append(
            Zone(id, name, form, kind, owner, dimensions, first, visible, None, (), capacity, refills_from)
        )
        if form == "pile":
            self.streams.append(f"shuffle {name}")
        return id

    def state(
        self,
        name: str,
        type: Type,
        dimensions: tuple[Type, ...] = (),
        owner: str | None = None,
        initial: Expr | None = None,
        initial_names: tuple[Variable, ...] = (),
        option: bool = False,
        builtin: bool = False,
        visible: SeenBy = "all",
        scratch: bool = False,
    ) -> int:
        id = len(self.states)
        self.states.append(
            StateVariable(
                id,
                name,
                owner,
                dimensions,
                type,
                initial,
                initial_names,
                visible=visible,
                scratch=scratch,
                option=option,
                builtin=builtin,
            )
        )
        return id

    def of_player(self, name: str, type: Type, initial: Expr | None = None) -> int:
        """A variable of each player."""
        return self.state(
            name, type, (self.player,), "Player", initial, (self.variable("p", self.player),) if initial else ()
        )

    def table(self, name: str, dimensions: tuple[Type, ...], type: Type, values: tuple[int, ...]) -> int:
        self.tables.append(Table(len(self.tables), name, dimensions, type, values))
        return len(self.tables) - 1

    def die(self, name: str, faces: tuple[int, ...]) -> int:
        self.dice.append(Die(len(self.dice), name, faces))
        self.streams.append(name)
        return len(self.dice) - 1

    def stream(self, name: str) -> int:
        self.streams.append(name)
        return len(self.streams) - 1

    def variable(self, name: str, type: Type) -> Variable:
        self.variables += 1
        return Variable(self.variables, name, type)

    def loop(self) -> int:
        self.loops += 1
        return self.loops

    def site(self, what: SiteForm = "statement") -> int:
        self.sites.append(Site(len(self.sites), what, ()))
        return len(self.sites) - 1

    def rule(self, name: str, parameters: tuple[Variable, ...] = (), what: RuleForm = "verb") -> int:
        self.rules.append(Rule(len(self.rules), name, what, parameters, None, ()))
        return len(self.rules) - 1

    def value(
        self,
        name: str,
        parameters: tuple[Variable, ...],
        type: Type,
        *cases: ValueCase,
        deep: int | None = None,
    ) -> int:
        self.values.append(Value(len(self.values), name, parameters, type, cases, deep=deep))
        return len(self.values) - 1

    def procedure(
        self,
        name: str,
        parameters: tuple[Variable, ...],
        body: Body,
        rule: int | None = None,
        phase: bool = False,
        stops: bool = False,
    ) -> int:
        self.procedures.append(Procedure(len(self.procedures), name, parameters, body, rule, phase, stops))
        return len(self.procedures) - 1

    def choice(
        self,
        who: Expr | None,
        *branches: Branch,
        actor: Variable | None = None,
        variable: Variable | None = None,
        source: Source | None = None,
        condition: Expr | None = None,
        empty: Impasse = "error",
        when_none: Body = (),
        forced: bool = True,
    ) -> Ask:
        id = len(self.choices)
        self.choices.append(
            Choice(
                id,
                who,
                variable,
                source,
                condition,
                variable is not None,
                branches,
                None,
                empty,
                when_none,
                forced and variable is None,
                0,
                actor=actor,
                name=f"choice#{id}",
            )
        )
        return Ask(id)

    def game(self, main: int) -> GameRules:
        return GameRules(
            id=self.name,
            title=self.name.title(),
            players=(1, len(self.seats)),
            seats=self.seats,
            kinds=tuple(self.kinds),
            boards=(),
            tables=tuple(self.tables),
            dice=tuple(self.dice),
            states=tuple(self.states),
            zones=tuple(self.zones),
            values=tuple(self.values),
            data=(),
            procedures=tuple(self.procedures),
            choices=tuple(self.choices),
            rules=tuple(self.rules),
            sites=tuple(self.sites),
            streams=tuple(self.streams),
            main=main,
            all_players=self.all_players,
            players_left=self.players_left,
            depth=self.depth,
            mover=self.mover,
        )


# ------------------------------------------------------------------ shorthands


def op(name: Operator, *arguments: Expr | int | Variable) -> Op:
    return Op(name, tuple(as_expr(a) for a in arguments))


def as_expr(value: Expr | int | Variable) -> Expr:
    if isinstance(value, Variable):
        return Local(value.id)
    return Const(value) if isinstance(value, int) else value


def read(state: int, *index: Expr | int | Variable, safe: bool = True) -> Read:
    return Read(state, tuple(as_expr(i) for i in index), safe)


def put(
    state: int,
    *index: Expr | int | Variable,
    to: Expr | int | Variable,
    operator: AssignOperator = "=",
    least: int | None = None,
    most: int | None = None,
    site: int = 0,
) -> Assign:
    return Assign(
        Place(state, tuple(as_expr(i) for i in index)),
        operator,
        as_expr(to),
        None if least is None else Const(least),
        None if most is None else Const(most),
        site=site,
    )


def add(state: int, *index: Expr | int | Variable, by: Expr | int | Variable, **rest: int) -> Assign:
    return put(state, *index, to=by, operator="+", **rest)


def when(condition: Expr, *body: Statement, otherwise: Body = ()) -> When:
    return When(((condition, body, 0),), otherwise)


def contents(zone: int, *index: Expr | int | Variable) -> Contents:
    return Contents(zone, tuple(as_expr(i) for i in index))


def to(zone: int, *index: Expr | int | Variable) -> Target:
    return Target(zone, tuple(as_expr(i) for i in index))


def need(condition: Expr, after: int = 0) -> Need:
    return Need(condition, None, (), 0, after)


def decline(name: str, *body: object) -> Branch:
    return Branch(name, 0, (), (), body, declines=True)  # type: ignore[arg-type]


# ------------------------------------------------------------------ games


def nim() -> GameRules:
    """Take one to three; who takes the last wins."""
    b = Build("nim")
    heap = b.state("heap", IntType(0, 12), initial=Const(12))
    p, n, actor = b.variable("p", b.player), b.variable("n", IntType(1, 3)), b.variable("actor", b.player)
    take_rule = b.rule("take", (actor, n), "option")
    win_rule = b.rule("win")
    took = b.procedure(
        "took", (p,), (when(op("==", read(heap), 0), Finish("winner", op("single", p), win_rule)),), rule=win_rule
    )
    take = Branch(
        "take",
        take_rule,
        (Parameter(n, Source(op("range", 1, 3))),),
        (need(op("<=", n, read(heap)), after=1),),
        (
            BeginBody(take_rule, (Local(actor.id), Local(n.id))),
            add(heap, by=op("neg", n)),
            EndBody(take_rule),
        ),
    )
    ask = b.choice(read(b.mover), take, actor=actor)
    play = b.procedure(
        "play",
        (),
        (
            put(b.mover, to=0),
            Repeat(
                b.loop(),
                None,
                None,
                (
                    ask,
                    Call(took, (read(b.mover),)),
                    put(b.mover, to=op("-", 1, read(b.mover))),
                ),
            ),
        ),
        rule=0,
        stops=True,
    )
    return b.game(play)


def sealed() -> GameRules:
    """Three rounds: all bid in secret what they can pay, the highest bidders score; who has nothing passes."""
    b = Build("sealed", ("red", "blue", "green"))
    coins = b.of_player("coins", IntType(0, 9), Const(4))
    score = b.of_player("score", IntType(0, 99))
    bid = b.of_player("bid", IntType(0, 9))
    skipped = b.of_player("skipped", IntType(0, 9))
    p, n, q, r = (
        b.variable("p", b.player),
        b.variable("n", IntType(1, 9)),
        b.variable("q", b.player),
        b.variable("r", b.player),
    )
    k = b.variable("k", b.player)
    rule = b.rule("bid", (p, n), "option")
    bidding = Branch(
        "bid",
        rule,
        (Parameter(n, Source(op("range", 1, 9))),),
        (need(op("<=", n, read(coins, p)), after=1),),
        (put(bid, p, to=n), add(coins, p, by=op("neg", n))),
    )
    ask = b.choice(
        None,
        bidding,
        actor=p,
        variable=p,
        source=Source(read(b.players_left)),
        condition=None,
        empty="none",
        when_none=(add(skipped, p, by=1),),
    )
    best = Over("best", (q,), (Source(read(b.players_left)),), None, None, (Order(True, read(bid, q)),))
    play = b.procedure(
        "play",
        (),
        (
            Repeat(
                b.loop(),
                None,
                Const(3),
                (
                    ask,
                    Loop(b.loop(), r, Source(best), (), None, (add(score, r, by=1),)),
                    Loop(b.loop(), k, Source(read(b.players_left)), (), None, (put(bid, k, to=0),)),
                ),
            ),
            Finish(
                "ranking",
                Over("best", (q,), (Source(read(b.players_left)),), None, None, (Order(True, read(score, q)),)),
                0,
            ),
        ),
        rule=0,
        stops=True,
    )
    return b.game(play)


def drawing() -> GameRules:
    """Draw from a pile that refills from the discards, keep or throw away, lay one aside; six rounds."""
    b = Build("drawing")
    cards = b.kind("Card", ("a", "b", "c", "d", "e", "f", "g"))
    card = b.type_of(cards)
    discards = b.zone("discards", cards, "pile")
    deck = b.zone("deck", cards, "pile", visible="nobody", refills_from=discards)
    hand = b.zone("hand", cards, "group", "Player", (b.player,), "owner", capacity=Const(6))
    aside = b.zone("aside", cards, "slot", "Player", (b.player,), "owner")
    hidden = b.stream("hidden#1")
    points = b.of_player("points", IntType(0, 99))
    left = b.state("left", IntType(0, 9))
    p, c, x, s = (
        b.variable("p", b.player),
        b.variable("c", card),
        b.variable("x", SetType(card)),
        b.variable("s", card),
    )
    setup = b.procedure(
        "setup",
        (),
        (
            Move(cards, Source(Const(127)), None, to(deck), None),
            Shuffle(deck, ()),
            Bind(s, Pick(hidden, Source(contents(deck)))),
            Move(cards, Source(op("single", s)), None, to(deck), "bottom"),
            Reveal(cards, op("single", TopOf(deck, ()))),
            Show(cards, op("single", s), Const(1)),
        ),
        rule=b.rule("setup"),
    )
    throw = Branch(
        "throw",
        b.rule("throw"),
        (Parameter(x, Source(contents(hand, p)), low=Const(1), high=Const(2)),),
        (),
        (Move(cards, Source(Local(x.id)), None, to(discards), None),),
    )
    lay = Branch(
        "lay",
        b.rule("lay"),
        (Parameter(c, Source(contents(hand, p))),),
        (need(op("==", InSlot(aside, (Local(p.id),)), NONE)),),
        (Move(cards, Source(op("single", c)), None, to(aside, p), None), add(points, p, by=op("+", c, 1))),
    )
    ask = b.choice(Local(p.id), throw, lay, decline("pass"))
    turn = b.procedure(
        "turn",
        (p,),
        (Move(cards, Source(None, contents(deck)), Const(2), to(hand, p), None), ask),
        rule=b.rule("turn", (p,)),
        stops=True,
    )
    q = b.variable("q", b.player)
    play = b.procedure(
        "play",
        (),
        (
            Call(setup, ()),
            Repeat(
                b.loop(),
                None,
                Const(3),
                (Loop(b.loop(), q, Source(read(b.players_left)), (), None, (Call(turn, (Local(q.id),)),)),),
            ),
            put(left, to=op("size", contents(deck))),
            Finish("score", op("-", read(points, 0), read(points, 1)), 0),
        ),
        rule=0,
        stops=True,
    )
    return b.game(play)


def together() -> GameRules:
    """Who fires hits all the others at once; fuel is clamped at the end; who runs dry is out, after the block."""
    b = Build("together", ("red", "blue", "green"))
    fuel = b.of_player("fuel", IntType(0, 20), Const(5))
    gone = b.of_player("gone", IntType(0, 9))
    turn = b.state("turn", IntType(0, 99))
    flag = b.state("fired", FlagType())
    die = b.die("yellow", (1, 1, 2, 3))
    p, q, actor, out = (
        b.variable("p", b.player),
        b.variable("q", b.player),
        b.variable("actor", b.player),
        b.variable("out", b.player),
    )
    n = b.variable("n", IntType(1, 3))
    eliminate = b.procedure(
        "eliminate", (out,), (Eliminate(Local(out.id)), add(gone, out, by=1)), rule=b.rule("eliminate", (out,))
    )
    hit_rule = b.rule("hit", (p, n))
    hit = b.procedure(
        "hit",
        (p, n),
        (
            Loop(
                b.loop(),
                q,
                Source(read(b.players_left)),
                (),
                op("!=", q, p),
                (add(fuel, q, by=op("neg", n), least=0),),
            ),
            put(flag, to=1),
            when(op("==", read(fuel, p), 1), Defer(eliminate, (Local(p.id),))),
        ),
        rule=hit_rule,
    )
    x = b.variable("x", b.player)
    firing = b.variable("firing", SetType(b.player))
    choose = b.choice(
        read(b.mover),
        Branch(
            "fire",
            b.rule("fire"),
            (Parameter(firing, Source(read(b.players_left)), low=Const(0), high=Const(3)),),
            (),
            (
                Simultaneous(
                    x,
                    Source(Local(firing.id)),
                    op(">", read(fuel, x), 0),
                    (Call(hit, (Local(x.id), Roll(Const(die)))), add(fuel, x, by=1, least=0)),
                ),
            ),
        ),
        actor=actor,
    )
    play = b.procedure(
        "play",
        (),
        (
            put(b.mover, to=0),
            Repeat(
                b.loop(),
                And((op("<", read(turn), 6), op(">", op("size", read(b.players_left)), 1))),
                None,
                (
                    choose,
                    add(turn, by=1),
                    put(flag, to=0),
                    put(b.mover, to=op("mod", op("+", read(b.mover), 1), 3)),
                ),
            ),
            Finish("winner", read(b.players_left), 0),
        ),
        rule=0,
        stops=True,
    )
    return b.game(play)


def ladder() -> GameRules:
    """Nested loops with a choice inside: step on a track of fields until you stop, or everybody does (`Stop` outwards)."""
    b = Build("ladder", ("red", "blue", "green"))
    field = IntType(1, 6)
    at = b.of_player("at", field)
    steps = b.state("steps", IntType(0, 99))
    visits = b.state("visits", IntType(0, 99), (field, FlagType()))
    p, f, o, q = b.variable("p", b.player), b.variable("f", field), b.variable("o", b.player), b.variable("q", b.player)
    ahead, actor = b.variable("ahead", IntType(0, 9)), b.variable("actor", b.player)
    outer, inner = b.loop(), b.loop()
    step_rule, stop_rule = b.rule("step", (actor, f), "option"), b.rule("stop", (actor,), "option")
    leaders = b.value(
        "leaders",
        (f,),
        IntType(0, 3),
        ValueCase(None, Over("count", (o,), (Source(read(b.players_left)),), None, op(">", read(at, o), f))),
    )
    g = b.variable("g", field)
    step = Branch(
        "step",
        step_rule,
        (Parameter(g, Source(op("range", 1, 6))),),
        (need(And((op(">", g, read(at, actor)), op("<=", op("-", g, read(at, actor)), 2))), after=1),),
        (
            BeginBody(step_rule, (Local(actor.id), Local(g.id))),
            put(at, actor, to=g),
            add(visits, g, op("==", op("mod", g, 2), 0), by=1),
            add(steps, by=1),
            EndBody(step_rule),
            when(op(">=", read(steps), 9), Stop(outer)),
        ),
    )
    stop = Branch("stop", stop_rule, (), (), (Stop(inner),), declines=True)
    ask = b.choice(Local(q.id), step, stop, actor=actor)
    climb = b.procedure(
        "climb",
        (p,),
        (
            when(op("==", read(at, p), 6), Return()),
            Bind(ahead, CallValue(leaders, (read(at, p),))),
            add(visits, 1, 0, by=Local(ahead.id)),
        ),
        rule=b.rule("climb", (p,)),
    )
    play = b.procedure(
        "play",
        (),
        (
            Repeat(
                outer,
                None,
                Const(4),
                (
                    Loop(
                        b.loop(),
                        q,
                        Source(read(b.players_left)),
                        (Order(True, read(at, q)),),
                        op("<", read(at, q), 6),
                        (Repeat(inner, op("<", read(at, q), 6), None, (ask,)), Call(climb, (Local(q.id),))),
                    ),
                ),
            ),
            Finish(
                "ranking",
                Over(
                    "best",
                    (o,),
                    (Source(read(b.all_players)),),
                    None,
                    None,
                    (Order(True, read(at, o)), Order(False, op("mod", o, 2))),
                ),
                0,
            ),
        ),
        rule=0,
        stops=True,
    )
    return b.game(play)


def tokens() -> GameRules:
    """Interchangeable tokens: spend sets of them; an interrupt marks one; what is marked is no longer alike."""
    b = Build("tokens")
    kind = b.kind("Token", ("x", "x", "x", "y", "y", "z"), (0, 0, 0, 3, 3, 5))
    token = b.type_of(kind)
    power = b.table("power", (token,), IntType(1, 3), (1, 1, 1, 2, 2, 3))
    marked = b.state("marked", IntType(0, 1), (token,), "Token")
    spent = b.zone("spent", kind, "group")
    hand = b.zone("hand", kind, "group", "Player", (b.player,), "owner")
    p, ts, t, u = (
        b.variable("p", b.player),
        b.variable("ts", SetType(token)),
        b.variable("t", token),
        b.variable("u", token),
    )
    worth = b.variable("worth", IntType(0, 99))
    total = b.of_player("total", IntType(0, 99))
    spend = Branch(
        "spend",
        b.rule("spend"),
        (
            Parameter(ts, Source(contents(hand, p)), low=Const(1), high=Const(3), interchange=kind),
            Parameter(u, Source(Local(ts.id)), interchange=kind),
        ),
        (need(op("==", PlaceOf(kind, Local(u.id)), op("+", 2, p)), after=2),),
        (
            Bind(worth, Over("sum", (t,), (Source(Local(ts.id)),), Column(power, (Local(t.id),)), None)),
            add(total, p, by=Local(worth.id)),
            Move(kind, Source(Local(ts.id)), None, to(spent), None),
        ),
    )
    m = b.variable("m", token)
    mark = Branch(
        "mark",
        b.rule("mark"),
        (Parameter(m, Source(contents(hand, p)), interchange=kind),),
        (need(op("==", read(marked, m), 0), after=1),),
        (put(marked, m, to=1),),
        interrupt=True,
    )
    ask = b.choice(Local(p.id), spend, mark, decline("pass", Return()), empty="none", when_none=(Return(),))
    turn = b.procedure(
        "turn",
        (p,),
        (ask, add(total, p, by=1)),
        rule=b.rule("turn", (p,)),
        phase=True,
        stops=True,
    )
    play = b.procedure(
        "play",
        (),
        (
            Move(kind, Source(Const(0b101011)), None, to(hand, 0), None),
            Move(kind, Source(contents(0)), None, to(hand, 1), None),
            Repeat(b.loop(), None, Const(3), (Call(turn, (Const(0),)), Call(turn, (Const(1),)))),
            Finish("winner", Either(op(">=", read(total, 0), read(total, 1)), Const(1), Const(2)), 0),
        ),
        rule=0,
        stops=True,
    )
    return b.game(play)


def connect_four() -> GameRules:
    """Seven columns, six rows, four in line: the game that speed is measured on."""
    b = Build("connect_four")
    columns, rows = 7, 6
    space = b.type_of(b.kind("Space", tuple(f"{'abcdefg'[s % 7]}{s // 7 + 1}" for s in range(42)), movable=False))
    lines = []
    for column in range(columns):
        for row in range(rows):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                ends = (column + 3 * dx, row + 3 * dy)
                if 0 <= ends[0] < columns and 0 <= ends[1] < rows:
                    lines.append([(row + i * dy) * columns + column + i * dx for i in range(4)])
    line = EnumType("Line", tuple(f"line{i}" for i in range(len(lines))))
    through = b.table(
        "through",
        (space,),
        SetType(line),
        tuple(sum(1 << i for i, cells in enumerate(lines) if s in cells) for s in range(42)),
    )
    cells = b.table("cells", (line,), SetType(space), tuple(sum(1 << s for s in each) for each in lines))
    cell = b.state("cell", b.player.or_none(), (space,), "Space")
    height = b.state("height", IntType(0, 6), (IntType(1, 7),))
    moves = b.state("moves", IntType(0, 42))
    c, actor, s, i, t = (
        b.variable("c", IntType(1, 7)),
        b.variable("actor", b.player),
        b.variable("s", space),
        b.variable("i", line),
        b.variable("t", space),
    )
    sp, p = b.variable("sp", space), b.variable("p", b.player)
    four = b.value(
        "four",
        (sp, p),
        FlagType(),
        ValueCase(
            None,
            Over(
                "any",
                (i,),
                (Source(Column(through, (Local(sp.id),))),),
                Over("all", (t,), (Source(Column(cells, (Local(i.id),))),), op("==", read(cell, t), p), None),
                None,
            ),
        ),
    )
    rule = b.rule("drop", (actor, c), "option")
    drop = Branch(
        "drop",
        rule,
        (Parameter(c, Source(op("range", 1, 7))),),
        (need(op("<", read(height, c), 6), after=1),),
        (
            BeginBody(rule, (Local(actor.id), Local(c.id))),
            Bind(s, op("-", op("+", op("*", read(height, c), 7), c), 1)),
            put(cell, s, to=actor),
            add(height, c, by=1),
            add(moves, by=1),
            when(CallValue(four, (Local(s.id), Local(actor.id))), Finish("winner", op("single", actor), rule)),
            when(op("==", read(moves), 42), Finish("winner", Const(0), rule)),
            EndBody(rule),
        ),
    )
    ask = b.choice(read(b.mover), drop, actor=actor)
    play = b.procedure(
        "play",
        (),
        (
            put(b.mover, to=0),
            Repeat(b.loop(), None, None, (ask, put(b.mover, to=op("-", 1, read(b.mover))))),
        ),
        rule=0,
        stops=True,
    )
    return b.game(play)


GAMES: dict[str, Callable[[], GameRules]] = {
    "nim": nim,
    "sealed": sealed,
    "drawing": drawing,
    "together": together,
    "ladder": ladder,
    "tokens": tokens,
    "connect_four": connect_four,
}
