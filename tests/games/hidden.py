"""A small game of hidden cards and hidden choices, written straight in IR: what views, logs and re-deals are tested on.

each p in players secretly chooses p.ship in 1..3
repeat 3 times, for p in players:
  p chooses one of play(c in p.hand), hide(c in p.hand), peek, or pass
"""

from __future__ import annotations

from rulelang.ir.model import (
    BeginBody,
    Bind,
    Branch,
    Call,
    Column,
    Const,
    EndBody,
    Expr,
    Finish,
    GameRules,
    InSlot,
    Local,
    Loop,
    Move,
    Need,
    Over,
    Parameter,
    Pick,
    Procedure,
    Repeat,
    Roll,
    Rule,
    Show,
    Shuffle,
    Site,
    Source,
    Template,
    TopOf,
    Variable,
)
from rulelang.ir.types import NONE, IntType, Type
from rulelang.ir.witness import place_witnesses
from rulelang.machines.generated import GeneratedMachine
from rulelang.machines.interpreter import CutRules, Interpreter
from rulelang.machines.machine import Chance, Machine
from rulelang.program.layout import Layout
from rulelang.program.python.compiled import Compiled, compile_game
from tests.games.in_ir import Build, contents, need, op, put, read, to

COMPILED: dict[int, tuple[GameRules, Compiled]] = {}
CUT: dict[int, CutRules] = {}


def generated(game: GameRules, layout: Layout, chance: Chance) -> Machine:
    """A generated machine; each game is compiled once."""
    if id(game) not in COMPILED:
        COMPILED[id(game)] = game, compile_game(game, layout)
    return GeneratedMachine(COMPILED[id(game)][1], chance)


def interpreted(game: GameRules, layout: Layout, chance: Chance) -> Machine:
    """An interpreter; each game is cut into blocks once."""
    if id(game) not in CUT:
        CUT[id(game)] = CutRules.of(game, layout)
    return Interpreter(CUT[id(game)], chance)


MACHINES = {"reference": interpreted, "generated": generated}

NAMES = ("ace", "king", "king", "queen", "ten", "ten", "ten", "two")
CLASSES = (0, 1, 1, 3, 4, 4, 4, 7)
POINTS = (9, 5, 5, 4, 2, 2, 2, 1)


def words(*parts: str | tuple[Expr, Type]) -> Template:
    """A template from plain pieces and (expression, type) holes."""
    return Template(
        tuple(part if isinstance(part, str) else part[0] for part in parts),
        tuple(None if isinstance(part, str) else part[1] for part in parts),
    )


def labelled(b: Build, name: str, label: Template | None, *parameters: Variable, clauses: tuple[str, ...] = ()) -> int:
    """Adds a rule with its words."""
    b.rules.append(Rule(len(b.rules), name, "action", parameters, label, clauses))
    return len(b.rules) - 1


def hidden() -> GameRules:
    """Secret ships, hidden hands, a public row; three rounds, the most points in the row win."""
    b = Build("hidden")
    cards = b.kind("Card", NAMES, CLASSES, columns=(("points", 0, IntType(0, 9)),))
    card = b.type_of(cards)
    points = b.table("points", (card,), IntType(0, 9), POINTS)
    deck = b.zone("deck", cards, "pile", visible="nobody")
    hand = b.zone("hand", cards, "group", "Player", (b.player,), "owner")
    aside = b.zone("aside", cards, "slot", "Player", (b.player,), "nobody")
    row = b.zone("row", cards, "group", "Player", (b.player,))
    spare = b.zone("spare", cards, "group", visible="nobody")
    ship = b.state("ship", IntType(0, 3), (b.player,), "Player", visible="owner")
    luck = b.state("luck", IntType(0, 6), visible="nobody")
    gold = b.of_player("gold", IntType(0, 99))
    die = b.die("die", (1, 2, 3, 4, 5, 6))
    blind = b.stream("setup#1")

    p, c, n, q, r, x = (
        b.variable("p", b.player),
        b.variable("c", card),
        b.variable("n", IntType(1, 3)),
        b.variable("q", b.player),
        b.variable("r", b.player),
        b.variable("x", card),
    )
    b.sites.append(Site(1, "needs", ("H-2",)))
    setup = b.procedure(
        "setup",
        (),
        (
            Bind(x, Pick(blind, Source(contents(0)))),
            Move(cards, Source(op("single", x)), None, to(spare), None),
            Move(cards, Source(contents(0)), None, to(deck), None),
            Shuffle(deck, ()),
            Loop(
                b.loop(),
                q,
                Source(read(b.players_left)),
                (),
                None,
                (Move(cards, Source(None, contents(deck)), Const(2), to(hand, q), None),),
            ),
            put(luck, to=Roll(Const(die))),
        ),
        rule=b.rule("setup", what="setup"),
    )
    choose = labelled(b, "choose_ship", words((Local(p.id), b.player), " builds ship ", (Local(n.id), n.type)), p, n)
    pick_ship = Branch(
        "value",
        choose,
        (Parameter(n, Source(op("range", 1, 3))),),
        (),
        (BeginBody(choose, (Local(p.id), Local(n.id))), put(ship, p, to=n), EndBody(choose)),
    )
    secretly = b.choice(None, pick_ship, actor=p, variable=p, source=Source(read(b.players_left)))

    played = labelled(
        b, "play", words("Play ", (Local(c.id), card), " for ", (Column(points, (Local(c.id),)), IntType(0, 9))), p, c
    )
    play_card = Branch(
        "play",
        played,
        (Parameter(c, Source(contents(hand, p)), interchange=cards),),
        (
            Need(
                op("<=", Column(points, (Local(c.id),)), op("+", read(gold, p), 5)),
                words((Local(p.id), b.player), " has only ", (read(gold, p), IntType(0, 99)), " gold"),
                ("H-1",),
                1,
                after=1,
            ),
        ),
        (
            BeginBody(played, (Local(p.id), Local(c.id))),
            put(gold, p, to=op("+", read(gold, p), Roll(Const(die)))),
            Move(cards, Source(op("single", c)), None, to(row, p), None),
            EndBody(played),
        ),
    )
    hid = labelled(b, "hide", words((Local(p.id), b.player), " hides ", (Local(c.id), card)), p, c)
    hide_card = Branch(
        "hide",
        hid,
        (Parameter(c, Source(contents(hand, p)), interchange=cards),),
        (need(op("==", InSlot(aside, (Local(p.id),)), Const(NONE)), after=0),),
        (
            BeginBody(hid, (Local(p.id), Local(c.id))),
            Move(cards, Source(op("single", c)), None, to(aside, p), None),
            EndBody(hid),
        ),
    )
    peeked = labelled(b, "peek", words("Peek at the deck's ", (op("size", contents(deck)), IntType(0, 8)), " cards"), p)
    peek = Branch(
        "peek",
        peeked,
        (),
        (need(op("!=", op("size", contents(deck)), 0)),),
        (
            BeginBody(peeked, (Local(p.id),)),
            Show(cards, op("single", TopOf(deck, ())), op("single", p)),
            EndBody(peeked),
        ),
    )
    ask = b.choice(Local(r.id), play_card, hide_card, peek, Branch("pass", 0, (), (), (), declines=True), actor=p)
    turn = Procedure(len(b.procedures), "turn", (r,), (ask,), b.rule("turn", (r,), "phase"), phase=True, stops=True)
    b.procedures.append(turn)
    best = Over("best", (q,), (Source(read(b.players_left)),), None, None)
    play = b.procedure(
        "play",
        (),
        (
            Call(setup, ()),
            secretly,
            Repeat(
                b.loop(),
                None,
                Const(3),
                (Loop(b.loop(), r, Source(read(b.players_left)), (), None, (Call(turn.id, (Local(r.id),)),)),),
            ),
            Finish("ranking", best, 0),
        ),
        rule=0,
        stops=True,
    )
    return place_witnesses(b.game(play))
