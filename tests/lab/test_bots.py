"""Bots: what they see, what they choose, and what many games say."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulelang
from rulelang.errors import InvalidInput
from rulelang.ir.picks import thrown_from
from rulelang.lab.bots import BOTS, bot, play_on
from rulelang.lab.policy import ScorePolicy
from rulelang.lab.seat_view import SeatView
from rulelang.lab.statistics import Rate
from rulelang.machines.chance import Dice, Seeded
from rulelang.machines.offers.offer import Offer
from rulelang.match.deferred_events import Untold
from rulelang.match.match import BareMatch
from rulelang.match.options.option import Wording
from rulelang.playouts.playout import playout
from rulelang.playouts.rng import RandomStream
from tests.files import TESTS
from tests.games.classics import classic
from tests.views import variable, zone

STEERED = """\
game steered "Steered":
  players 2
  seats red, blue

names p: Player; n: 1..3

the game has:
  heap: 0..12 = 12

action take(p, n) "Take {n}":
  needs n <= heap  "Only {heap} left"
  heap -= n

play:
  turns p from first_player:
    p chooses one of take
    if heap == 0: finish with winner p

value score(p) = 1 if heap % 4 == 0 else 0
"""


@pytest.fixture
def steered(tmp_path: Path) -> rulelang.Game:
    path = tmp_path / "steered.rules"
    path.write_text(STEERED)
    return rulelang.load(path)


@pytest.mark.parametrize("name", [bot.name for bot in BOTS if bot.name not in ("planner", "mcts")])
@pytest.mark.parametrize("players", [3, 6])
def test_every_bot_plays_a_whole_game(name: str, players: int) -> None:
    match = rulelang.load("outspeed").start(players, 1, traced=name != "greedy")
    for _ in play_on(match, (bot(name),) * players, 1):
        pass
    assert match.outcome is not None


@pytest.mark.parametrize("name", ["planner:1", "mcts:2"])
def test_a_bot_that_searches_plays_a_whole_game_against_others(name: str) -> None:
    match = rulelang.load("outspeed").start(3, 1, traced=False)
    for _ in play_on(match, (bot(name), bot("random"), bot("first")), 1):
        pass
    assert match.outcome is not None


def test_a_bot_in_an_untraced_match_does_not_take_the_same_place_in_the_list_each_time() -> None:
    match = classic("connect_four").start(2, 1, traced=False)
    columns = {option.text for option in play_on(match, (bot("random"), bot("random")), 3)}
    assert len(columns) > 3


def test_the_same_seed_makes_bots_choose_the_same() -> None:
    def game(seed: int) -> list[str]:
        match = rulelang.load("outspeed").start(4, seed)
        return [option.text for option in play_on(match, (bot("random"),) * 4, seed)]

    assert game(3) == game(3)
    assert game(3) != game(4)


def test_greedy_takes_what_scores_best(steered: rulelang.Game) -> None:
    match = steered.start(2)
    match.play("take(1)")
    assert bot("greedy").choose(SeatView(match, 1, RandomStream(1))).text == "take(3)"


def test_greedy_takes_a_win_at_once(steered: rulelang.Game) -> None:
    match = steered.start(2)
    for option in ("take(3)", "take(3)", "take(3)"):
        match.play(option)
    assert bot("greedy").choose(SeatView(match, 1, RandomStream(1))).text == "take(3)"


def test_a_planner_that_may_look_at_next_to_nothing_takes_what_looks_best_at_once(steered: rulelang.Game) -> None:
    match = steered.start(2)
    match.play("take(1)")
    chosen = {bot("planner:1").choose(SeatView(match, 1, RandomStream(seed))).text for seed in range(10)}
    assert chosen == {"take(3)"}


def test_in_a_thought_a_larger_die_shows_no_less_and_counts_its_throws() -> None:
    game = rulelang.load("exit_velocity")
    small, large = (min(thrown_from(game.ir, name)) for name in ("d6", "d20"))
    for seed in range(50):
        dice = Dice(seed, game.ir, game.internals.layout)
        row, other = [0] * game.internals.layout.size, [0] * game.internals.layout.size
        pairs = [
            (dice.roll(row, small, tuple(range(1, 7))), dice.roll(other, large, tuple(range(1, 21)))) for _ in range(5)
        ]
        assert all(less <= more for less, more in pairs)
        assert len(set(pairs)) > 1
        assert row[game.internals.layout.counters + small] == other[game.internals.layout.counters + large] == 5


@pytest.mark.long
def test_bots_pick_up_a_counter_once_they_have_rolled_enough_for_it() -> None:
    match = rulelang.load("exit_velocity").start(2, 3026, {"max_rounds": 14}, traced=False)
    thrown, enough, picked = "", False, 0
    for option in play_on(match, (bot("greedy"),) * 2, 3026):
        if option.branch.startswith("roll"):
            assert not enough, f"{option.text} after enough was rolled"
            thrown = option.branch
        enough = option.branch == "say" and thrown == "roll_gather" and option.answer[1] >= 50
        picked += option.branch == "pick"
    assert picked > 2


def test_greedy_without_a_score_takes_anything() -> None:
    match = classic("nim").start(2)
    chosen = {bot("greedy").choose(SeatView(match, 0, RandomStream(seed))).text for seed in range(30)}
    assert chosen == {"take(1)", "take(2)", "take(3)"}


def test_a_bot_is_given_what_its_seat_sees_and_nothing_more() -> None:
    match = classic("kuhn").start(2, 7)
    seen = SeatView(match, 0, RandomStream(1))
    assert seen.view() == match.view(0)
    hands = {str(deal.view(None).zones) for deal in (seen.redeal() for _ in range(1))}
    assert hands
    others = {str(deal.position.row) for deal in (seen.redeal() for _ in range(20))}
    assert len(others) > 1
    assert all(seen.redeal().view(0)["first.hand"] == match.view(0)["first.hand"] for _ in range(5))
    assert not any(isinstance(option._words, Wording) and option._words.is_labelled for option in seen.options)


def test_a_greedy_choice_does_not_depend_on_what_is_hidden() -> None:
    game = rulelang.load("outspeed")
    match = game.start(3, 5)
    seen = SeatView(match, 0, RandomStream(2))
    other = SeatView(seen.redeal(), 0, RandomStream(9))
    assert {option.text for option in other.options} == {option.text for option in seen.options}


def test_bots_choose_without_a_word_of_what_happened(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[object] = []
    retell = Untold._retold

    def noted(step: Untold) -> object:
        told.append(step.option)
        return retell(step)

    monkeypatch.setattr(Untold, "_retold", noted)
    match = rulelang.load("outspeed").start(seed=5)
    assert len(list(play_on(match, (bot("greedy"),) * match.players, 5, most=4))) == 4
    seat = match.to_move[0]
    deal = SeatView(match, seat, RandomStream("deal")).redeal()
    assert deal.position.knowledge
    # Only the set-up is worded, because rules begin there that go on for the whole game.
    assert set(told) == {None}
    assert deal.events_for(seat) == match.events_for(seat)


def test_a_playout_ends_and_counts_its_answers() -> None:
    game = classic("connect_four")
    machine = game.internals.machine()(Seeded(1, game.ir, game.internals.layout))
    machine.begin(2, {})
    assert 7 <= playout(machine, RandomStream(1)) <= 42
    assert machine.pending is None


def test_a_random_stream_is_even_and_depends_on_its_names_alone() -> None:
    rng = RandomStream("a", 1)
    counts = [0] * 6
    for _ in range(6000):
        counts[rng.randrange(6)] += 1
    assert min(counts) > 850
    assert [RandomStream("a").randrange(1000) for _ in range(2)] == [RandomStream("a").randrange(1000)] * 2
    assert [RandomStream("a", "b").randrange(10**9)] != [RandomStream("ab").randrange(10**9)]


def test_a_rate_says_how_sure_it_is() -> None:
    assert Rate(50, 100).low < 0.5 < Rate(50, 100).high
    assert Rate(500, 1000).high - Rate(500, 1000).low < Rate(50, 100).high - Rate(50, 100).low
    assert (Rate(0, 0).low, Rate(0, 0).high) == (0.0, 1.0)


# ------------------------------------------------------------------ planner


AHEAD = """\
game ahead "Ahead":
  players 1

names p: Player

the game has:
  coins: 0..20 = 0
  seeds: 0..20 = 0
  days: 0..4 = 0

action pick(p) "Pick a coin up":
  coins += 1

action sow(p) "Sow":
  seeds += 3

action reap(p) "Reap":
  needs seeds > 0  "Nothing is sown"
  coins += seeds
  seeds = 0

play:
  repeat:
    you chooses one of pick, sow, reap
    days += 1
    if days == 2: finish with score coins

value score(p) = coins
"""
"""Whoever looks one step ahead picks; whoever looks two steps ahead sows."""

FLOOD = """\
game flood "Flood":
  players 1

names p: Player

the game has:
  left: 0..2 = 2

action name(p, some in any of 0..60) "Name {some}": left -= 1

play:
  repeat while left > 0: you chooses one of name
  finish lost

value score(p) = left
"""


def choice_of(name: str, text: str, folder: Path, seed: int = 1) -> str:
    path = folder / f"{text.split()[1]}.rules"
    path.write_text(text)
    return bot(name).choose(SeatView(rulelang.load(path).start(1, 1), 0, RandomStream(seed))).text


def test_a_planner_sees_what_pays_two_steps_on(tmp_path: Path) -> None:
    assert choice_of("greedy", AHEAD, tmp_path) == "pick"
    assert choice_of("planner", AHEAD, tmp_path) == "sow"


def test_a_planner_thinks_the_same_each_time(tmp_path: Path) -> None:
    match = rulelang.load("exobase").start(1, 4)
    thoughts = {bot("planner:300").choose(SeatView(match, 0, RandomStream(3))).text for _ in range(2)}
    assert len(thoughts) == 1


@pytest.mark.parametrize("name", ["random", "greedy", "planner:50"])
def test_more_options_than_anybody_can_look_at_are_no_trouble(name: str, tmp_path: Path) -> None:
    assert choice_of(name, FLOOD, tmp_path).startswith("name(")


@pytest.mark.parametrize("name", ["greedy:50", "planner:", "planner:x", "nobody", "planner:-1"])
def test_there_is_no_bot_of_that_name(name: str) -> None:
    with pytest.raises(KeyError):
        bot(name)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "chosen", "plies"),
    [
        ("outspeed", "planner:60", 12),
        ("empty_space", "planner:60", 10),
        ("exobase", "planner:60", 8),
        ("exit_velocity", "planner:60", 8),
        ("outspeed", "greedy", 20),
        ("exobase", "greedy", 20),
        ("empty_space", "mcts:20", 6),
        ("exit_velocity", "mcts:20", 6),
        ("outspeed", "mcts:20", 6),
    ],
)
def test_a_bot_chooses_the_same_on_the_native_machine(name: str, chosen: str, plies: int) -> None:
    pytest.importorskip("llvmlite")
    game = rulelang.load(name)
    for seed in range(2):
        games = [
            [option.text for option in play_on(match, (bot(chosen),) * match.players, seed, most=plies)]
            for match in (game.start(None, seed, executor=ex, traced=False) for ex in ("generated", "native"))
        ]
        assert games[0] == games[1]


@pytest.mark.long
def test_machine_code_thinks_as_the_policy_does(monkeypatch: pytest.MonkeyPatch) -> None:
    native = pytest.importorskip("rulelang.machines.native.machine")
    pytest.importorskip("llvmlite")
    looked = 0
    for name in ("outspeed", "empty_space", "exobase", "exit_velocity"):
        game = rulelang.load(name)
        match = game.start(None, 3, executor="native", traced=False)
        for option in play_on(match, (bot("random"),) * match.players, 4, most=30):
            assert option.text
        if match.outcome is not None:
            continue
        seat, found = match.to_move[0], []
        for way in ("native", "by hand"):
            deal = SeatView(match, seat, RandomStream(5)).redeal()
            policy = ScorePolicy(game.ir, game.internals.layout, match.players, RandomStream(6), few=12)
            machine = deal.position.machine
            assert isinstance(machine, native.NativeMachine)
            if way == "by hand":
                monkeypatch.setattr(native.NativeMachine, "_thinking", lambda *_: None)
            dice = Seeded("dice", game.ir, game.internals.layout)
            answers = list(machine.options(seat))[:6]
            leads = [policy.lead_after(machine, seat, answer, dice, 1, 4) for answer in answers]
            worths = policy.after_each(machine, seat, answers)
            found.append((leads, worths, policy.looked, policy.rng.word))
            monkeypatch.undo()
        assert found[0] == found[1]
        looked += found[0][2]
    assert looked > 100


def test_bots_think_on_machine_code_that_is_ready_also_where_small_rules_play_on_generated_python() -> None:
    native = pytest.importorskip("rulelang.machines.native.machine")
    pytest.importorskip("llvmlite")
    game = classic("connect_four")
    game.internals.machine("native")
    match, slow = (game.start(seed=3, executor=executor) for executor in ("auto", "generated"))
    assert not isinstance(match.position.machine, native.NativeMachine)
    assert isinstance(SeatView(match, 0, RandomStream(1)).redeal().position.machine, native.NativeMachine)
    assert not isinstance(SeatView(slow, 0, RandomStream(1)).redeal().position.machine, native.NativeMachine)
    games = [[o.text for o in play_on(m, (bot("mcts:40"), bot("random")), 5, most=8)] for m in (match, slow)]
    assert games[0] == games[1]


# ------------------------------------------------------------------ kinds of re-deals


def whist_midway(*, traced: bool = True) -> rulelang.Match:
    match = rulelang.load(TESTS / "redeals" / "whist.rules").start(seed=3, traced=traced)
    for _ in range(2):
        match.push(match.options.pick(RandomStream(match.inputs).randrange) if traced else match.options.first(1)[0])
    return match


@pytest.mark.long
@pytest.mark.parametrize("name", ["greedy", "planner:60", "mcts:4"])
@pytest.mark.parametrize("kind", ["known", "listed", "chain"])
def test_a_bot_thinks_in_the_kind_of_redeals_that_its_name_says(
    name: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn, before = [], SeatView.redeal
    match = whist_midway()
    monkeypatch.setattr("rulelang.match.redeals.drawing.counted", lambda *_, **__: None)
    if kind == "chain":
        monkeypatch.setattr("rulelang.match.redeals.listing.Listing.of", lambda retrace: None)

    def kept(seen: SeatView) -> BareMatch:
        deal = before(seen)
        drawn.append(deal.drawing.how if deal.drawing is not None else "known")
        return deal

    monkeypatch.setattr(SeatView, "redeal", kept)
    asked = match.to_move[0]
    chosen = {bot(f"{name}:{kind}").choose(SeatView(match, asked, RandomStream(2))).text for _ in range(2)}
    assert set(drawn) == {kind}
    assert len(chosen) == 1
    drawn.clear()
    bot(name).choose(SeatView(match, asked, RandomStream(2)))
    assert set(drawn) == {"known"}


def test_no_redeal_of_a_bot_gives_a_suit_back_that_was_not_followed() -> None:
    void, seed = None, 0
    while void is None:
        match = rulelang.load(TESTS / "redeals" / "whist.rules").start(seed=seed)
        rng, seed = RandomStream(seed), seed + 1
        while match.to_move and void is None:
            seat, led = match.to_move[0], variable(match.view(None), "led").text
            option = match.options.pick(rng.randrange)
            match.push(option)
            if match.to_move and led != "none" and f"Card({led}" not in option.text:
                void = seat, led
    seat, suit = void
    seen = SeatView(match, 1 - seat, RandomStream(1))
    hand = f"{match.seats[seat]}.hand"

    def is_given_back() -> bool:
        return any(f"Card({suit}" in str(card) for card in zone(seen.redeal().state, hand).things)

    assert not any(is_given_back() for _ in range(40))
    seen.deal_by("listed")
    assert not any(is_given_back() for _ in range(40))


def test_redeals_that_play_a_match_again_need_its_past() -> None:
    match = whist_midway(traced=False)
    with pytest.raises(InvalidInput, match="need a match that is traced"):
        bot("greedy:listed").choose(SeatView(match, match.to_move[0], RandomStream(1)))


@pytest.mark.parametrize(
    "name", ["random:listed", "greedy:exact", "greedy:listed:listed", "planner:listed:5", "greedy:"]
)
def test_a_kind_of_redeals_that_is_none_names_no_bot(name: str) -> None:
    with pytest.raises(KeyError):
        bot(name)


# ------------------------------------------------------------------ turns of several choices

PACED = """\
game paced "Paced":
  players 2
  seats red, blue

names p: Player

the game has:
  left: 0..3 = 3
each Player has:
  points: 0..500 = 0

action gain(p) "Gain":
  p.points += 1
  left -= 1
action stop(p) "Stop":
  left = 0

play:
  turns p from first_player:
    if p == red: p.points += 5
    left = 3
    repeat while left > 0: p chooses one of gain, stop
    if p.points > 100: finish with winner p

value score(p) = p.points
"""


@pytest.mark.parametrize("name", ["planner:300", "mcts:40"])
def test_a_turn_is_not_ended_early_for_what_the_next_one_brings(name: str, tmp_path: Path) -> None:
    path = tmp_path / "paced.rules"
    path.write_text(PACED)
    match = rulelang.load(path).start(seed=1, traced=False)
    taken = [option.text for option in play_on(match, (bot(name), bot("first")), 1, most=12)]
    assert taken == ["gain"] * 12


@pytest.mark.parametrize("name", ["first", "greedy", "planner:10", "mcts:10"])
def test_a_bot_takes_any_option_where_so_many_are_refused_that_none_is_found_in_order(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = rulelang.load(TESTS / "classics/connect_four.rules").start(2, seed=1)
    (seat,) = match.to_move
    monkeypatch.setattr(Offer, "first", lambda *_: [])
    chosen = bot(name).choose(SeatView(match, seat, RandomStream(1)))
    assert chosen.text in [option.text for option in match.options]


def test_the_policy_takes_any_answer_where_so_many_are_refused_that_none_is_found_in_order(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    match = rulelang.load(TESTS / "classics/connect_four.rules").start(2, seed=1)
    (seat,) = match.to_move
    answers = [option.answer for option in match.options]
    monkeypatch.setattr(Offer, "first", lambda *_: [])
    policy = ScorePolicy(match.game, match.internals.layout, 2, RandomStream(1))
    assert policy.choose(match.position.machine, seat) in answers
