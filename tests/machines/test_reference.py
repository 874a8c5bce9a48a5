"""The oracle: what it does, one sentence of the language's semantics a test."""

from __future__ import annotations

import zlib
from collections.abc import Mapping

import attrs
import pytest

from rulelang.errors import NoOption, RangeViolation, RunawayRules
from rulelang.ir.model import (
    Adjustment,
    Assign,
    Bind,
    Branch,
    Call,
    CallValue,
    Cell,
    Const,
    DataColumn,
    DataTable,
    Defer,
    Eliminate,
    Expr,
    Finish,
    GameRules,
    HasRow,
    InSlot,
    Local,
    Loop,
    Move,
    Order,
    Over,
    OwnerOf,
    Parameter,
    Pick,
    Place,
    Read,
    Repeat,
    Return,
    Roll,
    Shuffle,
    Simultaneous,
    Source,
    Stop,
    TopOf,
    Value,
    ValueCase,
)
from rulelang.ir.model.statements import Statement
from rulelang.ir.model.vocabulary import AssignOperator, Comprehension, Impasse, Operator
from rulelang.ir.numbers import Seat, Thing
from rulelang.ir.types import NONE, FlagType, IntType, KindType, SetType
from rulelang.machines.chance import Scripted, Seeded
from rulelang.machines.machine import Answer, Refusal
from rulelang.machines.walk import evaluate
from rulelang.program.layout import lay_out
from rulelang.program.operators import operate
from rulelang.program.packing import items
from tests.games.in_ir import GAMES, Body, Build, add, contents, decline, need, op, put, read, to, when
from tests.oracle.reference import ReferenceMachine


class Listener:
    """A trace that writes everything down."""

    def __init__(self, edits: Mapping[int, int] | None = None) -> None:
        self.told: list[tuple[object, ...]] = []
        self.edits = edits or {}

    def __getattr__(self, name: str) -> object:
        def tell(*arguments: object) -> None:
            self.told.append((name, *arguments))

        return tell

    def enter_phase(self, procedure: int, arguments: tuple[int, ...], machine: ReferenceMachine) -> None:
        self.told.append(("enter_phase", procedure, arguments))
        for slot, value in self.edits.items():
            machine.row[slot] = value

    def calls(self, *names: str) -> list[tuple[object, ...]]:
        return [call for call in self.told if call[0] in names]


def started(game: GameRules, players: int = 2, seed: int = 1, trace: Listener | None = None) -> ReferenceMachine:
    layout = lay_out(game)
    machine = ReferenceMachine(game, Seeded(seed, game, layout), layout, trace, hits=set(), refused=set())  # type: ignore[arg-type]
    machine.begin(players, {})
    return machine


def run(b: Build, *body: Statement, players: int = 2, trace: Listener | None = None) -> ReferenceMachine:
    """Plays these statements as the whole game."""
    return started(b.game(b.procedure("play", (), body)), players, trace=trace)


def held(machine: ReferenceMachine, state: int, at: int = 0) -> int:
    return machine.row[machine.layout.states[state] + at]


def worth(expr: Expr, b: Build | None = None) -> int:
    game = (b or Build("empty")).game(0)
    layout = lay_out(game)
    return evaluate(expr, [0] * layout.size, {}, game, layout)


def draw(seed: int, count: int, options: list[Answer]) -> Answer:
    return options[zlib.crc32(f"{seed}/{count}".encode()) % len(options)]


# ------------------------------------------------------------------ whole games


@pytest.mark.parametrize("name", GAMES)
def test_a_game_ends_and_every_option_is_sorted_unique_and_allowed(name: str) -> None:
    game = GAMES[name]()
    for seed in range(2):
        machine, count = started(game, len(game.seats), seed), 0
        while machine.pending is not None:
            seat = machine.pending.seats[-1]
            options = list(machine.options(seat))
            assert options
            assert len(set(options)) == len(options)
            assert [answer[0] for answer in options] == sorted(answer[0] for answer in options)
            assert all(machine.allows(seat, answer) for answer in options[:20])
            machine.answer(seat, draw(seed, count, options))
            count += 1
        assert machine.row[0] != 0


@pytest.mark.parametrize("name", GAMES)
def test_a_fork_goes_its_own_way_and_the_same_way_on_the_same_answers(name: str) -> None:
    game = GAMES[name]()
    machine, count = started(game, len(game.seats)), 0
    while machine.pending is not None and count < 5:
        seat = machine.pending.seats[0]
        answer = draw(3, count, list(machine.options(seat)))
        fork, before = machine.fork(), list(machine.row)
        fork.answer(seat, answer)
        assert machine.row == before
        machine.answer(seat, answer)
        assert fork.row == machine.row
        assert fork.pending == machine.pending
        count += 1


def test_things_are_neither_made_nor_lost() -> None:
    game = GAMES["drawing"]()
    machine, count = started(game), 0
    while machine.pending is not None:
        seat = machine.pending.seats[0]
        machine.answer(seat, draw(9, count, list(machine.options(seat))))
        count += 1
        things: list[Thing] = []
        for zone in game.zones:
            for i in range(machine.layout.zone_sizes[zone.id]):
                value = machine.row[machine.layout.zones[zone.id] + i]
                here = items(value) if zone.form == "pile" else []
                if zone.form == "group":
                    here = [Thing(t) for t in range(7) if value >> t & 1]
                if zone.form == "slot" and value != NONE:
                    here = [Thing(value)]
                assert all(machine.row[machine.layout.places[zone.kind] + t] == zone.first_place + i for t in here)
                things += here
        assert sorted(things) == list(range(7))


# ------------------------------------------------------------------ values


def test_reading_at_none_gives_none() -> None:
    b = Build("reading")
    fuel = b.of_player("fuel", IntType(0, 9))
    assert worth(Read(fuel, (Const(NONE),)), b) == NONE
    assert worth(Read(fuel, (Const(7),)), b) == NONE
    assert worth(Read(fuel, (Const(1),)), b) == 0


@pytest.mark.parametrize(
    ("name", "arguments", "result"),
    [
        ("floordiv", (-7, 2), -4),
        ("ceildiv", (-7, 2), -3),
        ("mod", (-7, 3), 2),
        ("mod", (7, -3), -2),
        ("<", (NONE, 3), 0),
        (">=", (3, NONE), 0),
        ("==", (NONE, NONE), 1),
        ("in", (NONE, 7), 0),
        ("in", (2, 7), 1),
        ("in", (2, NONE), 0),
        ("single", (NONE,), 0),
        ("range", (3, 2), 0),
        ("range", (1, 3), 0b1110),
        ("union", (NONE, 4), 4),
        ("size", (0b1011,), 3),
        ("min", (3, 1, 2), 1),
        ("abs", (-3,), 3),
        ("not", (NONE,), 1),
    ],
)
def test_an_operator_gives(name: Operator, arguments: tuple[int, ...], result: int) -> None:
    assert operate(name, arguments) == result


@pytest.mark.parametrize(
    ("name", "arguments"), [("+", (1, NONE)), ("floordiv", (1, 0)), ("mod", (1, 0)), ("max", (NONE, 1))]
)
def test_arithmetic_with_none_and_division_by_zero_are_refused(name: Operator, arguments: tuple[int, ...]) -> None:
    with pytest.raises(RangeViolation):
        operate(name, arguments)


def test_the_first_case_that_holds_counts_and_adjustments_follow_in_their_order() -> None:
    b = Build("reach")
    x = b.variable("x", IntType(0, 9))
    cases = (ValueCase(op("==", x, 5), Const(1), 1), ValueCase(op(">", x, 3), Const(6), 2))
    adjustments = (
        Adjustment("most", Const(6), None, 3),
        Adjustment("least", Const(4), op("==", x, 5), 4),
        Adjustment("+", Const(2), None, 5),
    )
    b.values.append(Value(0, "reach", (x,), IntType(0, 9), cases, adjustments))
    game = b.game(0)
    layout = lay_out(game)
    hits: set[int] = set()
    at = [evaluate(CallValue(0, (Const(i),)), [0] * layout.size, {}, game, layout, hits=hits) for i in (5, 4, 0)]
    assert at == [4, 6, NONE]
    assert hits == {1, 2, 3, 4, 5}


def test_a_value_outside_of_its_range_is_refused_in_words() -> None:
    b = Build("reach")
    x = b.variable("x", b.player)
    b.value("reach", (x,), IntType(0, 9), ValueCase(None, Const(12)))
    with pytest.raises(RangeViolation, match=r"`reach` of blue would become 12; it holds 0\.\.9"):
        worth(CallValue(0, (Const(1),)), b)


def test_a_value_that_calls_itself_too_deep_is_stopped() -> None:
    b = Build("deep")
    n = b.variable("n", IntType(0, 99))
    inner = CallValue(0, (op("-", n, 1),))
    b.value("down", (n,), IntType(0, 9), ValueCase(op("==", n, 0), Const(7)), ValueCase(None, inner), deep=3)
    assert worth(CallValue(0, (Const(3),)), b) == 7
    with pytest.raises(RunawayRules, match="`down` calls itself more than 3 deep"):
        worth(CallValue(0, (Const(4),)), b)


def test_a_missing_data_row_is_none_and_a_cell_reads_the_parameters() -> None:
    b = Build("data")
    key, p = b.variable("key", IntType(1, 3)), b.variable("p", b.player)
    column = DataColumn(
        "cost", IntType(0, 9), (op("+", p, 1), Const(5)), (1, 2), (Adjustment("least", Const(2), None),)
    )
    game = attrs.evolve(b.game(0), data=(DataTable(0, "route", (key, p), 1, (0, -1, 1), (column,)),))
    layout = lay_out(game)

    def cost(k: int, of: int) -> int:
        return evaluate(Cell(0, 0, (Const(k), Const(of))), [0] * layout.size, {}, game, layout)

    assert [cost(1, 0), cost(1, 3), cost(2, 0), cost(3, 0), cost(NONE, 0)] == [2, 4, NONE, 5, NONE]
    assert evaluate(HasRow(0, (Const(2),)), [0] * layout.size, {}, game, layout) == 0


X = Local(1)


def over(
    what: Comprehension, value: Expr | None = None, condition: Expr | None = None, keys: tuple[Order, ...] = ()
) -> int:
    """A comprehension over x (X) in 1..4."""
    b = Build("over")
    x = b.variable("x", IntType(0, 9))
    assert Local(x.id) == X
    return worth(Over(what, (x,), (Source(Const(0b11110)),), value, condition, keys), b)


def test_comprehensions_go_over_what_passes() -> None:
    assert over("sum", X) == 10
    assert over("count") == 4
    assert over("min", X) == 1
    assert over("max", X) == 4
    assert over("set", op("mod", X, 2)) == 0b11
    assert over("any", op(">", X, 3)) == 1
    assert over("all", op(">", X, 3)) == 0
    assert over("min", X, op(">", X, 9)) == NONE
    assert over("sum", X, Const(0)) == 0
    assert over("first", None, None, (Order(True, op("mod", X, 3)),)) == 2
    assert over("best", None, None, (Order(False, op("mod", X, 2)),)) == 0b10100
    assert over("first", None, Const(0)) == NONE
    assert over("best", None, Const(0)) == 0


# ------------------------------------------------------------------ statements


def test_set_up_gives_every_variable_its_initial_value() -> None:
    b = Build("setup", ("red", "blue", "green"))
    seat = b.variable("p", b.player)
    fuel = b.state("fuel", IntType(3, 9), (b.player,), "Player", op("+", seat, 4), (seat,))
    low = b.state("low", IntType(3, 9))
    lane = b.state("lane", KindType("Player", 3, optional=True))
    played = b.zone("played", b.kind("Card", ("a",)), "slot", "Player", (b.player,))
    machine = run(b, players=2)
    assert [held(machine, fuel, i) for i in range(3)] == [4, 5, 6]
    assert held(machine, low) == 3
    assert held(machine, lane) == NONE
    assert held(machine, b.mover) == NONE
    assert held(machine, b.all_players) == 0b11
    assert held(machine, b.players_left) == 0b11
    assert machine.row[machine.layout.zones[played]] == NONE
    assert machine.row[machine.layout.zones[0]] == 1
    assert machine.row[machine.layout.faces[1]] == 1
    assert machine.pending is None


def test_options_agreed_at_the_table_are_set_first() -> None:
    b = Build("options")
    tiles = b.state("tiles", IntType(4, 9), option=True, initial=Const(5))
    twice = b.state("twice", IntType(0, 20), initial=op("*", read(tiles), 2))
    machine = ReferenceMachine(b.game(b.procedure("play", (), ())), Seeded(1, b.game(0), lay_out(b.game(0))))
    machine.begin(2, {tiles: 8})
    assert (held(machine, tiles), held(machine, twice)) == (8, 16)


def test_leaving_a_range_names_the_variable_its_owner_and_the_line() -> None:
    b = Build("range")
    fuel = b.of_player("fuel", IntType(0, 99))
    site = b.site()
    with pytest.raises(RangeViolation, match=r"`fuel` of red would become 103; it holds 0\.\.99") as error:
        run(b, add(fuel, 0, by=103, site=site))
    assert error.value.site == site
    with pytest.raises(RangeViolation, match="`fuel` of none cannot be written to"):
        run(b, put(fuel, NONE, to=1))


def test_clamps_come_before_the_range_check() -> None:
    b = Build("clamps")
    fuel = b.state("fuel", IntType(0, 9))
    machine = run(b, add(fuel, by=20, most=8), add(fuel, by=-20, least=2), put(b.mover, to=NONE))
    assert held(machine, fuel) == 2


def test_a_for_settles_its_order_at_the_start_and_looks_at_its_condition_each_time() -> None:
    b = Build("loop", ("red", "blue", "green"))
    order, n = b.state("order", IntType(0, 999)), b.of_player("n", IntType(0, 9), Const(1))
    p = b.variable("p", b.player)
    body = (put(order, to=op("+", op("*", read(order), 10), op("+", p, 1))), put(n, 1, to=0), add(n, p, by=5))
    machine = run(
        b,
        put(n, 2, to=3),
        Loop(b.loop(), p, Source(Const(0b111)), (Order(True, read(n, p)),), op(">", read(n, p), 0), body),
        players=3,
    )
    assert held(machine, order) == 31


def test_stop_leaves_the_loop_it_names_and_return_the_procedure() -> None:
    b = Build("stops")
    n = b.state("n", IntType(0, 99))
    outer, inner = b.loop(), b.loop()
    early = b.procedure("early", (), (add(n, by=1), Return(), add(n, by=50)))
    machine = run(
        b,
        Repeat(
            outer, None, None, (Repeat(inner, None, Const(3), (add(n, by=1), when(op("==", read(n), 5), Stop(outer)))),)
        ),
        Call(early, ()),
    )
    assert held(machine, n) == 6


@pytest.mark.long
def test_a_repeat_that_does_not_end_is_stopped() -> None:
    b = Build("runaway")
    with pytest.raises(RunawayRules, match="more than 8,000,000 steps without a choice"):
        run(b, Repeat(b.loop(), None, None, ()))


def test_the_end_holds_a_ranking_best_first_with_ties() -> None:
    b = Build("ranking", ("red", "blue", "green"))
    n = b.of_player("n", IntType(0, 9), Const(3))
    p = b.variable("p", b.player)
    best = Over("best", (p,), (Source(read(b.all_players)),), None, None, (Order(True, read(n, p)),))
    trace = Listener()
    machine = run(b, put(n, 0, to=1), Finish("ranking", best, 0), put(n, 0, to=9), players=3, trace=trace)
    assert machine.row[:3] == [2, 0b110 | 0b001 << 16, 0]
    assert held(machine, n) == 1
    assert trace.calls("finish") == [("finish", "ranking", 0)]


def test_rolls_are_told_and_added_up() -> None:
    b = Build("rolls")
    b.die("red", (6,))
    yellow = b.die("yellow", (1, 2, 3))
    n = b.state("n", IntType(0, 99))
    trace = Listener()
    machine = run(b, put(n, to=Roll(Const(yellow), Const(3))), trace=trace)
    faces = [call[2] for call in trace.calls("roll")]
    assert len(faces) == 3
    assert sum(face for face in faces if isinstance(face, int)) == held(machine, n)
    assert all(c[1] == yellow for c in trace.calls("roll"))


def test_a_pick_of_nothing_is_none_and_draws_nothing() -> None:
    b = Build("picks")
    stream = b.stream("random#1")
    who = b.state("who", b.player.or_none())
    machine = run(b, put(who, to=Pick(stream, Source(Const(0)))))
    assert held(machine, who) == NONE
    assert machine.row[machine.layout.counters] == 0


# ------------------------------------------------------------------ things


def cards(size: int = 5) -> tuple[Build, int, int, int, int]:
    b = Build("cards")
    kind = b.kind("Card", tuple("abcdefgh"[:size]))
    discards = b.zone("discards", kind, "pile")
    deck = b.zone("deck", kind, "pile", visible="nobody", refills_from=discards)
    hand = b.zone("hand", kind, "group", "Player", (b.player,), "owner", capacity=Const(3))
    return b, kind, discards, deck, hand


def pile(machine: ReferenceMachine, zone: int) -> list[Thing]:
    return items(machine.row[machine.layout.zones[zone]])


def test_the_last_moved_lies_on_top_or_at_the_very_bottom() -> None:
    b, kind, discards, deck, _ = cards()
    machine = run(
        b,
        Move(kind, Source(Const(0b111)), None, to(deck), None),
        Move(kind, Source(Const(0b11000)), None, to(deck), "bottom"),
        Move(kind, Source(None, contents(deck)), Const(1), to(discards), None),
    )
    assert pile(machine, deck) == [1, 0, 3, 4]
    assert pile(machine, discards) == [2]
    assert [machine.row[machine.layout.faces[kind] + t] for t in range(5)] == [0, 0, 1, 0, 0]


def test_a_pile_that_runs_empty_is_refilled_in_the_middle_of_a_move() -> None:
    b, kind, discards, deck, hand = cards()
    trace = Listener()
    machine = run(
        b,
        Move(kind, Source(Const(0b1)), None, to(deck), None),
        Move(kind, Source(Const(0b110)), None, to(discards), None),
        Move(kind, Source(None, contents(deck)), Const(2), to(hand, 1), None),
        trace=trace,
    )
    assert pile(machine, discards) == []
    assert len(pile(machine, deck)) == 1
    assert [call[0] for call in trace.told[3:]] == ["move", "move", "move", "shuffle", "move"]
    assert machine.row[machine.layout.zones[hand] + 1].bit_count() == 2


def test_taking_more_than_there_is_takes_what_there_is() -> None:
    b, kind, _discards, deck, hand = cards()
    machine = run(
        b,
        Move(kind, Source(Const(0b11)), None, to(deck), None),
        Move(kind, Source(None, contents(deck)), Const(3), to(hand, 0), None),
        Move(kind, Source(None, contents(deck)), Const(3), to(deck), None),
    )
    assert machine.row[machine.layout.zones[hand]] == 0b11


def test_a_thing_that_is_there_already_stays_as_it_is() -> None:
    b, kind, _, deck, _ = cards()
    trace = Listener()
    machine = run(
        b,
        Move(kind, Source(Const(0b111)), None, to(deck), None),
        Move(kind, Source(None, contents(deck)), Const(2), to(deck), None),
        trace=trace,
    )
    assert pile(machine, deck) == [2, 1, 0]
    assert len(trace.calls("move")) == 3


def test_a_thing_goes_to_the_end_of_its_own_pile_that_is_named() -> None:
    b, kind, _, deck, _ = cards()
    machine = run(
        b,
        Move(kind, Source(Const(0b111)), None, to(deck), None),
        Move(kind, Source(None, contents(deck)), Const(1), to(deck), "bottom"),
    )
    assert pile(machine, deck) == [1, 0, 2]


def test_a_full_zone_takes_no_more() -> None:
    b, kind, _, _, hand = cards()
    slot = b.zone("played", kind, "slot", "Player", (b.player,))
    with pytest.raises(RangeViolation, match="`hand` of blue would hold 4; it holds at most 3"):
        run(b, Move(kind, Source(Const(0b1111)), None, to(hand, 1), None))
    with pytest.raises(RangeViolation, match="`played` of red would hold 2; it holds at most 1"):
        run(b, Move(kind, Source(Const(0b11)), None, to(slot, 0), None))


def test_where_a_thing_is_can_be_asked() -> None:
    b, kind, _, deck, hand = cards()
    who, top, none = (b.state(n, IntType(0, 9, optional=True)) for n in ("who", "top", "none"))
    machine = run(
        b,
        Move(kind, Source(Const(0b10)), None, to(hand, 1), None),
        Move(kind, Source(Const(0b1)), None, to(deck), None),
        put(who, to=OwnerOf(kind, "Player", Const(1))),
        put(none, to=OwnerOf(kind, "Player", Const(0))),
        put(top, to=TopOf(deck, ())),
    )
    assert [held(machine, s) for s in (who, none, top)] == [1, NONE, 0]


def test_a_scripted_shuffle_reaches_the_pile() -> None:
    b, kind, _, deck, _ = cards(4)
    game = b.game(b.procedure("play", (), (Move(kind, Source(Const(15)), None, to(deck), None), Shuffle(deck, ()))))
    layout = lay_out(game)
    chance = Scripted(Seeded(1, game, layout), game, layout, shuffles={"shuffle deck": [[2, 0]]})
    machine = ReferenceMachine(game, chance, layout)
    machine.begin(2, {})
    assert pile(machine, deck)[:2] == [2, 0]


# ------------------------------------------------------------------ at once


def shots(b: Build, fuel: int, *body: Statement, least: int | None = 0) -> Simultaneous:
    p, q = b.variable("p", b.player), b.variable("q", b.player)
    hit = Loop(b.loop(), q, Source(Const(0b111)), (), op("!=", q, p), (put(fuel, q, to=-4, operator="+", least=least),))
    return Simultaneous(p, Source(Const(0b011)), None, (hit, *body))


def test_what_happens_at_once_is_added_up_and_clamped_once() -> None:
    b = Build("once", ("red", "blue", "green"))
    fuel = b.of_player("fuel", IntType(0, 20), Const(7))
    trace = Listener()
    machine = run(b, shots(b, fuel), players=3, trace=trace)
    assert [held(machine, fuel, i) for i in range(3)] == [3, 3, 0]
    assert [call[1:5] for call in trace.calls("set")] == [(fuel, 0, 7, 3), (fuel, 1, 7, 3), (fuel, 2, 7, 0)]


def test_without_a_clamp_the_sum_may_leave_the_range() -> None:
    b = Build("once", ("red", "blue", "green"))
    fuel = b.of_player("fuel", IntType(0, 20), Const(7))
    with pytest.raises(RangeViolation, match=r"`fuel` of green would become -1"):
        run(b, shots(b, fuel, least=None), players=3)


def test_a_pass_sees_its_own_changes_and_nobody_elses() -> None:
    b = Build("once")
    n, seen = b.of_player("n", IntType(0, 9)), b.of_player("seen", IntType(0, 99))
    p = b.variable("p", b.player)
    total = op("+", read(n, 0), op("*", read(n, 1), 10))
    machine = run(b, Simultaneous(p, Source(Const(0b11)), None, (put(n, p, to=5), put(seen, p, to=total))))
    assert [held(machine, seen, i) for i in range(2)] == [5, 50]
    assert held(machine, n, 1) == 5


@pytest.mark.parametrize(
    ("first", "second"), [(("=", 1), ("=", 2)), (("=", 1), ("+", 1)), (("+", 1), ("=", 1))], ids=str
)
def test_passes_that_disagree_are_refused(
    first: tuple[AssignOperator, int], second: tuple[AssignOperator, int]
) -> None:
    b = Build("race")
    n = b.state("n", IntType(0, 9))
    p = b.variable("p", b.player)
    body = tuple(
        when(op("==", p, seat), put(n, to=value, operator=operator))
        for seat, (operator, value) in enumerate((first, second))
    )
    with pytest.raises(RangeViolation):
        run(b, Simultaneous(p, Source(Const(0b11)), None, body))


def test_two_different_clamps_on_one_variable_are_refused() -> None:
    b = Build("race")
    n = b.state("n", IntType(0, 9))
    p = b.variable("p", b.player)
    with pytest.raises(RangeViolation):
        run(
            b,
            Simultaneous(p, Source(Const(0b11)), None, (Assign(Place(n, ()), "+", Const(1), None, op("+", p, 3)),)),
        )


def test_deferred_calls_come_after_the_block_in_the_order_of_the_passes() -> None:
    b = Build("later")
    n, order = b.of_player("n", IntType(0, 9)), b.state("order", IntType(0, 999))
    p, who = b.variable("p", b.player), b.variable("who", b.player)
    out = b.procedure(
        "out",
        (who,),
        (put(order, to=op("+", op("*", read(order), 10), op("+", read(n, who), who))), Eliminate(Local(who.id))),
    )
    machine = run(b, Simultaneous(p, Source(Const(0b11)), None, (Defer(out, (Local(p.id),)), add(n, p, by=3))))
    assert held(machine, order) == 34
    assert held(machine, b.players_left) == 0


def test_return_leaves_its_own_pass_only() -> None:
    b = Build("leaving")
    n, p = b.of_player("n", IntType(0, 9)), b.variable("p", b.player)
    body = (add(n, p, by=1), when(op("==", p, 0), Return()), add(n, p, by=1))
    machine = run(b, Simultaneous(p, Source(Const(0b11)), None, body), add(n, 0, by=5))
    assert [held(machine, n, i) for i in range(2)] == [6, 2]


def test_dice_go_on_from_pass_to_pass() -> None:
    b = Build("dice")
    yellow = b.die("yellow", (1, 2, 3, 4, 5, 6))
    n = b.of_player("n", IntType(0, 9))
    p = b.variable("p", b.player)
    trace = Listener()
    machine = run(b, Simultaneous(p, Source(Const(0b11)), None, (put(n, p, to=Roll(Const(yellow))),)), trace=trace)
    assert machine.row[machine.layout.counters] == 2
    assert [held(machine, n, i) for i in range(2)] == [call[2] for call in trace.calls("roll")]


# ------------------------------------------------------------------ choices


def asking(
    *branches: Branch, b: Build, actor: object, empty: Impasse = "error", when_none: Body = ()
) -> ReferenceMachine:
    ask = b.choice(Const(0), *branches, actor=actor, empty=empty, when_none=when_none)  # type: ignore[arg-type]
    return run(b, ask)


def test_a_lone_option_is_taken_and_told() -> None:
    b = Build("forced")
    n = b.state("n", IntType(0, 9))
    actor = b.variable("actor", b.player)
    trace = Listener()
    run(b, b.choice(Const(1), decline("pass", put(n, to=op("+", actor, 4))), actor=actor), trace=trace)
    assert trace.told == [("forced", 0, 1, (0,)), ("set", n, 0, 0, 5, 0)]


def test_nothing_to_choose_from_is_an_error_or_passed_over() -> None:
    b = Build("empty")
    n = b.state("n", IntType(0, 9))
    actor = b.variable("actor", b.player)
    never = Branch("never", 0, (), (need(Const(0)),), ())
    with pytest.raises(NoOption, match="red must choose and has nothing to choose from"):
        asking(never, b=b, actor=actor)
    machine = asking(never, b=b, actor=actor, empty="none", when_none=(put(n, to=op("+", actor, 1)),))
    assert machine.pending is None
    assert held(machine, n) == 1


def test_nobody_cannot_choose() -> None:
    b = Build("nobody")
    with pytest.raises(NoOption, match="nobody must choose"):
        run(b, b.choice(Const(NONE), decline("pass"), decline("stop")))


def pairs() -> tuple[ReferenceMachine, int, int]:
    """Two numbers, the second at least the first, their sum not 4 (both needs have a site)."""
    b = Build("pairs")
    x, y, actor = b.variable("x", IntType(0, 3)), b.variable("y", IntType(0, 3)), b.variable("actor", b.player)
    odd, four = b.site(), b.site()
    needs = (
        attrs.evolve(need(op("!=", x, 0), after=1), site=odd),
        attrs.evolve(need(op("!=", op("+", x, y), 4), after=2), site=four),
    )
    parameters = (Parameter(x, Source(op("range", 0, 3))), Parameter(y, Source(op("range", x, 3))))
    branch = Branch("pair", 0, parameters, needs, ())
    return asking(branch, decline("pass"), b=b, actor=actor), odd, four


def test_parameters_are_asked_left_to_right() -> None:
    machine, _, _ = pairs()
    assert list(machine.options(Seat(0))) == [(0, 1, 1), (0, 1, 2), (0, 2, 3), (0, 3, 3), (1,)]
    assert list(machine.options(Seat(1))) == []


def test_a_refusal_names_the_first_reason() -> None:
    machine, odd, four = pairs()
    assert machine.refusal(Seat(0), (0, 1, 3)) == Refusal(0, need=1)
    assert machine.refused == {four}
    assert machine.refusal(Seat(0), (0, 0, 3)) == Refusal(0, need=0)
    assert machine.refused == {odd, four}
    assert machine.refusal(Seat(0), (0, 2, 1)) == Refusal(0, parameter=1)
    assert machine.refusal(Seat(0), (0, 2)) == Refusal(0, parameter=1)
    assert machine.refusal(Seat(0), (0, 7, 7)) == Refusal(0, parameter=0)
    assert (
        machine.refusal(Seat(0), (2,))
        == machine.refusal(Seat(0), ())
        == machine.refusal(Seat(1), (1,))
        == Refusal(None)
    )
    assert machine.refusal(Seat(0), (1, 3)) == Refusal(None)
    assert machine.refusal(Seat(0), (0, 1, 1)) is None
    assert machine.allows(Seat(0), (1,))
    assert not machine.allows(Seat(0), (0, 1, 3))


def subsets(low: int, high: int, interchange: bool = True) -> list[int]:
    b = Build("subsets")
    kind = b.kind("Token", ("x", "x", "y", "y"), (0, 0, 2, 2))
    ts, actor = b.variable("ts", SetType(b.type_of(kind))), b.variable("actor", b.player)
    parameter = Parameter(ts, Source(contents(0)), Const(low), Const(high), kind if interchange else None)
    machine = asking(Branch("take", 0, (parameter,), (), ()), decline("pass"), b=b, actor=actor)
    assert machine.allows(Seat(0), (0, 0b1010)) == (low <= 2 <= high)
    return [answer[1] for answer in machine.options(Seat(0)) if answer[0] == 0]


def test_sets_come_by_size_and_alike_things_count_as_one() -> None:
    assert subsets(0, 2) == [0, 0b1, 0b100, 0b11, 0b101, 0b1100]
    assert subsets(1, 1, interchange=False) == [1, 2, 4, 8]
    assert subsets(3, 9) == [0b111, 0b1101, 0b1111]
    assert subsets(5, 9) == []


def test_what_differs_in_a_variable_is_not_alike() -> None:
    b = Build("marks")
    kind = b.kind("Token", ("x", "x", "x"), (0, 0, 0))
    token = b.type_of(kind)
    marked = b.state("marked", FlagType(), (token,), "Token")
    t, actor = b.variable("t", token), b.variable("actor", b.player)
    branch = Branch("take", 0, (Parameter(t, Source(contents(0)), interchange=kind),), (), ())
    machine = run(b, put(marked, 1, to=1), b.choice(Const(0), branch, decline("pass"), actor=actor))
    assert list(machine.options(Seat(0))) == [(0, 0), (0, 1), (1,)]
    assert machine.allows(Seat(0), (0, 2))


def test_after_an_interrupt_the_choice_is_asked_anew() -> None:
    b = Build("interrupt")
    n, done = b.state("n", IntType(0, 9)), b.state("done", FlagType())
    actor = b.variable("actor", b.player)
    boon = Branch("boon", 0, (), (need(op("<", read(n), 2)),), (add(n, by=1),), interrupt=True)
    machine = asking(decline("go", put(done, to=1)), boon, b=b, actor=actor)
    for _ in range(2):
        assert list(machine.options(Seat(0))) == [(0,), (1,)]
        machine.answer(Seat(0), (1,))
    assert machine.pending is None
    assert held(machine, done) == 1


def test_sealed_answers_wait_for_the_last_and_are_carried_out_in_seat_order() -> None:
    b = Build("sealed", ("red", "blue", "green"))
    order, skipped = b.state("order", IntType(0, 999)), b.of_player("skipped", FlagType())
    p, n = b.variable("p", b.player), b.variable("n", IntType(1, 3))
    bid = Branch(
        "bid",
        0,
        (Parameter(n, Source(op("range", 1, 3))),),
        (need(op("!=", p, 1)),),
        (put(order, to=op("+", op("*", read(order), 10), n)),),
    )
    boon = Branch("boon", 0, (), (), (), interrupt=True)
    ask = b.choice(
        None,
        bid,
        boon,
        actor=p,
        variable=p,
        source=Source(Const(0b111)),
        empty="none",
        when_none=(put(skipped, p, to=1),),
    )
    machine = run(b, ask, players=3)
    assert machine.pending is not None
    assert list(machine.pending.seats) == [0, 2]
    machine.answer(Seat(2), (0, 3))
    assert machine.pending is not None
    assert list(machine.pending.seats) == [0]
    assert held(machine, order) == 0
    assert list(machine.options(Seat(0))) == [(0, 1), (0, 2), (0, 3)]
    assert not machine.allows(Seat(0), (1,))
    assert list(machine.options(Seat(2))) == []
    machine.answer(Seat(0), (0, 1))
    assert held(machine, order) == 13
    assert [held(machine, skipped, i) for i in range(3)] == [0, 1, 0]


# ------------------------------------------------------------------ told and written


def test_procedures_are_entered_and_left_and_nothing_is_told_that_did_not_change() -> None:
    b = Build("told")
    n, p = b.state("n", IntType(0, 9)), b.variable("p", b.player)
    rule = b.rule("verb", (p,))
    verb = b.procedure("verb", (p,), (put(n, to=p), Return()), rule=rule, phase=True)
    trace = Listener()
    run(b, Call(verb, (Const(0),)), Call(verb, (Const(1),)), trace=trace)
    assert trace.told == [
        ("enter_phase", verb, (0,)),
        ("enter", rule, (0,)),
        ("leave", rule),
        ("enter_phase", verb, (1,)),
        ("enter", rule, (1,)),
        ("set", n, 0, 0, 1, 0),
        ("leave", rule),
    ]


def test_what_a_listener_writes_at_a_phase_holds_and_forks_know_of_it() -> None:
    b = Build("edits")
    n, m = b.state("n", IntType(0, 9)), b.state("m", IntType(0, 20))
    actor = b.variable("actor", b.player)
    ask = b.choice(Const(0), decline("go", put(m, to=op("+", read(m), read(n)))), decline("stay"), actor=actor)
    phase = b.procedure("phase", (), (put(m, to=read(n)), ask), phase=True)
    game = b.game(b.procedure("play", (), (Call(phase, ()),)))
    slot = lay_out(game).states[n]
    machine = started(game, trace=Listener({slot: 6}))
    assert held(machine, m) == 6
    machine.row[slot] = 9
    fork = machine.fork()
    fork.answer(Seat(0), (0,))
    machine.answer(Seat(0), (0,))
    assert held(fork, m) == held(machine, m) == 15
    assert held(machine.fork(), m) == 15


def test_hits_are_the_sites_that_ran() -> None:
    b = Build("hits")
    n = b.state("n", IntType(0, 9))
    ran, idle, taken = b.site(), b.site(), b.site()
    branches = when(Const(0), put(n, to=1, site=idle))
    branches = attrs.evolve(branches, branches=(*branches.branches, (Const(1), (put(n, to=2, site=ran),), taken)))
    machine = run(b, branches)
    assert machine.hits is not None
    assert machine.hits >= {ran, taken}
    assert idle not in machine.hits


def test_a_let_is_clamped_and_checked() -> None:
    b = Build("let")
    n, x = b.state("n", IntType(0, 99)), b.variable("x", IntType(0, 9))
    machine = run(b, Bind(x, Const(20), None, Const(9)), put(n, to=x))
    assert held(machine, n) == 9
    with pytest.raises(RangeViolation, match=r"`x` would become 20; it holds 0\.\.9"):
        run(b, Bind(x, Const(20)))


def test_a_slot_is_read_as_its_thing() -> None:
    b, kind, _, _, _ = cards()
    slot = b.zone("played", kind, "slot", "Player", (b.player,))
    a, c = (b.state(n, IntType(0, 99, optional=True)) for n in ("a", "c"))
    machine = run(
        b,
        Move(kind, Source(op("single", 3)), None, to(slot, 1), None),
        put(a, to=InSlot(slot, (Const(1),))),
        put(c, to=contents(slot, 1)),
        Move(kind, Source(op("single", InSlot(slot, (Const(0),)))), None, to(0), None),
    )
    assert (held(machine, a), held(machine, c)) == (3, 8)


def test_which_pile_to_draw_from_is_settled_once() -> None:
    b = Build("shelves")
    kind = b.kind("Card", tuple("abcdef"))
    die = b.die("yellow", (1, 2, 3))
    shelf = b.zone("shelf", kind, "pile", None, (IntType(1, 3),))
    machine = run(b, Move(kind, Source(None, contents(shelf, Roll(Const(die)))), Const(2), to(0), None))
    assert machine.row[machine.layout.counters + b.streams.index("yellow")] == 1
