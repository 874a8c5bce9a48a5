"""A match: what is on offer, why not, undo, forks, keys, views, explicit chance."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import attrs
import pytest

from rulelang.errors import IllegalOption, RangeViolation, UnknownOption
from rulelang.ir.model import (
    Ask,
    BeginBody,
    Branch,
    Const,
    EndBody,
    GameRules,
    Local,
    Loop,
    Need,
    Parameter,
    Repeat,
    Rule,
    Site,
    Source,
)
from rulelang.ir.numbers import Seat
from rulelang.ir.types import IntType
from rulelang.knowledge.analysis import secrets_of
from rulelang.knowledge.redaction import Hole, read
from rulelang.match.match import BareMatch
from rulelang.match.options.option import Option, read_leniently
from rulelang.match.recording.events import Event
from rulelang.match.redeals.redeal import redeal
from rulelang.program.layout import lay_out
from rulelang.program.values import clean
from tests.games.hidden import MACHINES, hidden, words
from tests.games.in_ir import GAMES, Build, add, decline, nim, op

RED, BLUE = 0, 1


MACHINE = MACHINES["reference"]


@pytest.fixture(autouse=True, params=MACHINES)
def executor(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test runs on both machines."""
    monkeypatch.setattr(sys.modules[__name__], "MACHINE", MACHINES[request.param])


def start(game: GameRules, players: int | None = None, seed: int | str = 1, **more: Any) -> BareMatch:
    layout = lay_out(game)
    return BareMatch(
        game,
        layout,
        partial(MACHINE, game, layout),
        players or len(game.seats),
        seed=seed,
        secrets=secrets_of(game),
        **more,
    )


def playout(match: BareMatch, seed: int = 1) -> Iterator[Option]:
    rng = random.Random(seed)
    for _ in range(200):
        if not match.to_move:
            return
        option = rng.choice(list(match.options))
        yield option
        match.play(option)


@pytest.fixture
def secret() -> BareMatch:
    """The hidden game after the ships are chosen: red to move."""
    match = start(hidden())
    match.play("red: 1")
    match.play("blue: 2")
    return match


# ------------------------------------------------------------------ options


def test_options_are_written_as_the_rules_would_call_them() -> None:
    match = start(nim())
    assert [str(option) for option in match.options] == ["take(1)", "take(2)", "take(3)"]
    assert len(match.options) == 3
    assert bool(match.options)
    assert Option(Seat(RED), "choice#0", (0, 2), "take", "take(2)") in match.options
    assert Option(Seat(BLUE), "choice#0", (0, 2), "take", "take(2)") not in match.options


def test_a_slice_of_the_options_is_a_list_of_them(secret: BareMatch) -> None:
    every = list(secret.options)
    assert len(every) > 2
    for part in (
        slice(2),
        slice(0),
        slice(99),
        slice(1, None),
        slice(-1, None),
        slice(None, None, -1),
        slice(None, -1),
    ):
        assert secret.options[part] == every[part]


def test_an_option_is_a_value_whose_repr_builds_it_again() -> None:
    option = next(iter(start(nim()).options))
    assert eval(repr(option)) == option
    assert hash(eval(repr(option))) == hash(option)


def test_a_choice_of_a_value_is_written_as_the_value() -> None:
    match = start(hidden())
    assert match.to_move == (RED, BLUE)
    assert [option.text for option in match.options_of(BLUE)] == ["1", "2", "3"]


def test_a_label_says_an_option_for_people(secret: BareMatch) -> None:
    labels = {option.text: option.label for option in secret.options}
    assert labels["peek"] == "Peek at the deck's 3 cards"
    assert labels["pass"] == "pass"
    assert any(label.startswith("Play ") and " for " in label for label in labels.values())


@pytest.mark.parametrize("name", GAMES)
def test_every_option_can_be_written_and_read_again(name: str) -> None:
    match = start(GAMES[name]())
    for _ in playout(match):
        for option in match.options:
            assert match.option(f"{match.seats[option.seat]}: {option.text}") == option


def test_an_answer_that_names_nothing_says_what_is_near() -> None:
    match = start(nim())
    with pytest.raises(UnknownOption, match="did you mean `take`"):
        match.play("tkae(2)")
    with pytest.raises(UnknownOption, match="wants"):
        match.play("take")
    with pytest.raises(UnknownOption, match="a number"):
        match.play("take(two)")
    with pytest.raises(UnknownOption, match="nothing to choose now"):
        match.play("blue: take(1)")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "(",
        ")",
        "take(",
        "take)",
        "take(1",
        "take(1,)",
        "take((1))",
        "take({1})",
        "{" * 5000,
        "take(" * 5000,
        "take(" + "9" * 5000 + ")",
        "\x1b[2Jtake(1)",
        "take(\x00)",
        "take(٣)",
        "red:",
        ":",
        "nobody: take(1)",
        "x" * 10**6,
    ],
)
def test_a_hostile_answer_is_refused_in_plain_words(text: str) -> None:
    with pytest.raises(UnknownOption) as caught:
        start(nim()).play(text)
    assert len(str(caught.value)) < 300
    assert str(caught.value).isprintable()


def test_people_may_write_beginnings_and_numbers() -> None:
    match = start(nim())
    offered = list(match.options)
    assert read_leniently("TAKE 2", offered).text == "take(2)"
    assert read_leniently("t 3", offered).text == "take(3)"
    assert read_leniently("1", offered).text == "take(1)"
    assert match.option("tak 3", lenient=True).text == "take(3)"
    assert match.option("(2)", lenient=True).text == "take(2)"
    with pytest.raises(UnknownOption, match="could be `take 1`"):
        read_leniently("ta", offered)
    with pytest.raises(UnknownOption, match="no option"):
        read_leniently("zzz", offered)


def counting() -> GameRules:
    """A round counts up to three; its prompt, a label and a refusal speak of the count, a local of the rule that asks."""
    b = Build("counting")
    i, n, actor = b.variable("i", IntType(1, 3)), b.variable("n", IntType(1, 3)), b.variable("actor", b.player)
    say = Rule(
        1, "say", "action", (actor, i, n), words("Say ", (Local(n.id), n.type), " in round ", (Local(i.id), i.type)), ()
    )
    b.rules.append(say)
    refused = Need(op("<=", n, 2), words("Not ", (Local(n.id), n.type), " in round ", (Local(i.id), i.type)), (), 0, 1)
    body = (BeginBody(1, (Local(actor.id), Local(i.id), Local(n.id))), EndBody(1))
    b.choice(Const(0), Branch("say", 1, (Parameter(n, Source(op("range", 1, 3))),), (refused,), body), actor=actor)
    b.choices[0] = attrs.evolve(b.choices[0], prompt=words("Round ", (Local(i.id), i.type), "?"))
    loop = Loop(b.loop(), i, Source(op("range", 1, 3)), (), None, (Ask(0),))
    return b.game(b.procedure("play", (), (loop,), rule=0, stops=True))


def test_prompts_labels_and_refusals_read_the_locals_of_the_rule_that_asks() -> None:
    match = start(counting(), 1)
    for i in (1, 2, 3):
        assert match.prompt(RED) == f"Round {i}?"
        assert [option.label for option in match.options] == [f"Say 1 in round {i}", f"Say 2 in round {i}"]
        reason = match.why_not("say(3)")
        assert reason is not None
        assert reason.message == f"Not 3 in round {i}"
        match.play("say(2)")


def test_an_option_of_an_earlier_choice_is_refused() -> None:
    match = start(hidden())
    stale = next(iter(match.options_of(RED)))
    match.play("red: 1")
    match.play("blue: 2")
    with pytest.raises(IllegalOption, match="another choice"):
        match.play(stale)


# ------------------------------------------------------------------ why not


def test_a_refusal_has_the_rules_own_words_and_clause(secret: BareMatch) -> None:
    ace = next(seed for seed in range(40) if "ace" in _hand(_past_ships(seed), RED))
    match = _past_ships(ace)
    reason = match.why_not("play(ace)")
    assert reason is not None
    assert (reason.message, reason.clauses) == ("red has only 0 gold", ("H-1",))
    with pytest.raises(IllegalOption, match="red has only 0 gold"):
        match.play("play(ace)")


def _past_ships(seed: int) -> BareMatch:
    match = start(hidden(), seed=seed)
    match.play("red: 1")
    match.play("blue: 2")
    return match


def _hand(match: BareMatch, seat: int) -> tuple[str | None, ...]:
    heap = match.view(seat)[f"{match.seats[seat]}.hand"]
    return getattr(heap, "things", ())


def test_a_need_without_words_gets_a_sentence() -> None:
    match = start(nim())
    for text in ("take(3)", "take(3)", "take(3)", "take(1)"):
        match.play(text)
    reason = match.why_not("take(3)")
    assert reason is not None
    assert reason.message == "3 is more than the heap"


def test_a_value_outside_of_its_domain_is_refused_with_the_domain() -> None:
    reason = start(nim()).why_not("take(7)")
    assert reason is not None
    assert reason.message == "7 is not on offer: 1, 2, 3"


def test_a_legal_option_has_no_reason_against_it() -> None:
    assert start(nim()).why_not("take(3)") is None


# ------------------------------------------------------------------ undo, fork, key


@pytest.mark.parametrize("name", [*GAMES, "hidden"])
def test_undo_is_exact_and_the_same_dice_come_again(name: str) -> None:
    match = start({**GAMES, "hidden": hidden}[name]())
    for option in playout(match):
        key, row, events = match.key, list(match.position.row), match.events
        views = [match.view(seat) for seat in (*range(match.players), None)]
        known = match.information(0)
        first = match.play(option)
        match.undo()
        assert (match.key, match.position.row, match.events, match.information(0)) == (key, row, events, known)
        assert [match.view(seat) for seat in (*range(match.players), None)] == views
        assert match.play(option) == first
        match.undo()


def test_undo_goes_back_to_a_seats_own_last_choice() -> None:
    match = start(nim())
    for text in ("take(1)", "take(2)", "take(3)"):
        match.play(text)
    match.undo(BLUE)
    assert match.position.row == start_and_play("take(1)").position.row


def start_and_play(*texts: str) -> BareMatch:
    match = start(nim())
    for text in texts:
        match.play(text)
    return match


def test_there_is_nothing_before_the_first_answer() -> None:
    match = start(nim())
    assert not match.can_undo
    with pytest.raises(IllegalOption, match="nothing to take back"):
        match.undo()


def test_undo_in_a_fork_leaves_the_original_alone() -> None:
    match = start_and_play("take(1)", "take(2)")
    fork = match.fork()
    fork.undo()
    fork.play("take(3)")
    match.undo()
    assert match.key == start_and_play("take(1)").key
    assert fork.key == start_and_play("take(1)", "take(3)").key


@pytest.mark.parametrize("name", [*GAMES, "hidden"])
def test_a_fork_is_independent(name: str) -> None:
    match = start({**GAMES, "hidden": hidden}[name]())
    for _ in playout(match):
        before = match.key, list(match.position.row), match.events, match.journal
        fork = match.fork()
        for _ in playout(fork, 2):
            pass
        assert (match.key, match.position.row, match.events, match.journal) == before


def test_a_key_does_not_tell_interchangeable_things_apart(secret: BareMatch) -> None:
    naming, row = secret.internals.references, secret.position.row
    swapped = naming.renamed(row, {1: (0, 2, 1, 3, 5, 6, 4, 7)})
    assert swapped != row
    names, again = naming.canonical(row), naming.canonical(swapped)
    assert naming.renamed(row, names) == naming.renamed(swapped, again)


def test_a_key_tells_things_apart_that_are_not_alike(secret: BareMatch) -> None:
    naming, row = secret.internals.references, secret.position.row
    swapped = naming.renamed(row, {1: (3, 1, 2, 0, 4, 5, 6, 7)})
    assert naming.renamed(row, naming.canonical(row)) != naming.renamed(swapped, naming.canonical(swapped))


def test_a_key_has_no_counters_of_streams() -> None:
    game = hidden()
    keys = set()
    for seed in range(30):
        match = start(game, seed=seed)
        match.position.row[match.internals.layout.counters] += seed
        fresh = start(game, seed=seed)
        assert match.key == fresh.key
        keys.add(match.key)
    assert len(keys) > 10


def test_an_untraced_match_plays_the_same_game_and_writes_nothing_down() -> None:
    game = hidden()
    loud, quiet = start(game), start(game, traced=False)
    for option in playout(loud):
        assert option in list(quiet.options)
        assert quiet.push(option) == ()
    assert quiet.journal == ()
    assert quiet.events == ()


# ------------------------------------------------------------------ views and events


def test_a_seat_sees_its_own_hand_and_backs_of_the_others(secret: BareMatch) -> None:
    view = secret.view(RED)
    assert None not in getattr(view["red.hand"], "things", ())
    assert getattr(view["blue.hand"], "things", ()) == (None, None)
    assert getattr(view["red.ship"], "value", 0) == 1
    with pytest.raises(KeyError):
        view["blue.ship"]
    with pytest.raises(KeyError):
        view["luck"]


def test_a_spectator_sees_no_hand(secret: BareMatch) -> None:
    view = secret.view(None)
    assert getattr(view["red.hand"], "things", ()) == (None, None)
    assert view.options == ()


def test_a_view_can_be_compared_and_hashed(secret: BareMatch) -> None:
    assert secret.view(RED) == secret.fork().view(RED)
    assert hash(secret.view(RED)) == hash(secret.fork().view(RED))
    assert secret.view(RED) != secret.view(BLUE)


def test_an_event_names_a_hidden_thing_to_who_knows_it_only(secret: BareMatch) -> None:
    option = next(option for option in secret.options if option.branch == "hide")
    card = option.text.removeprefix("hide(").removesuffix(")")
    secret.play(option)
    told = {seat: _last(secret, seat, "hide") for seat in (RED, BLUE, None)}
    assert read(told[RED].sentence) == f"red hides {card}"
    assert read(told[BLUE].sentence) == "red hides a card"
    assert [change.text for change in told[BLUE].changes] == ["a card: red.hand -> red.aside"]
    assert [change.text for change in told[RED].changes] == [f"{card}: red.hand -> red.aside"]


def test_an_openly_played_card_is_named_to_everybody(secret: BareMatch) -> None:
    option = next(option for option in secret.options if option.branch == "play")
    events = secret.play(option)
    assert secret.events_for(None)[-len(events) :] == tuple(event.seen(1 << 2) for event in events)
    assert option.text.removeprefix("play(").removesuffix(")") in _last(secret, BLUE, "play").changes[-1].text


def _last(match: BareMatch, seat: int | None, rule: str) -> Event:
    return [event for event in match.events_for(seat) if event.rule == rule][-1]


def test_a_secret_answer_is_told_to_who_gave_it(secret: BareMatch) -> None:
    builds = [event for event in secret.events if event.rule == "choose_ship"]
    assert [read(event.sentence) for event in builds] == ["red builds ship 1", "blue builds ship 2"]
    seen = [event for event in secret.events_for(RED) if event.rule == "choose_ship"]
    assert [read(event.sentence) for event in seen] == ["red builds ship 1", "blue builds ship a number"]
    assert [[change.text for change in event.changes] for event in seen] == [["red.ship: 0 -> 1"], []]


def test_a_throw_behind_the_screen_is_seen_by_nobody(secret: BareMatch) -> None:
    setup = [event for event in secret.events if event.rule == "setup"][-1]
    assert any(change.what == "roll" and read(change.after).isdigit() for change in setup.changes)
    for seat in (RED, BLUE, None):
        seen = next(event for event in secret.events_for(seat) if event.number == setup.number)
        assert [read(change.after) for change in seen.changes if change.what == "roll"] == ["?"]
        assert not any("luck" in change.text for change in seen.changes)


def test_twins_that_differ_in_what_a_seat_may_not_know_are_the_same_to_it() -> None:
    """Played on with the same answers and dice, two such positions give the seat the same views, events and log."""
    for seed in range(6):
        here = _past_ships(seed)
        twin = redeal(here, Seat(RED), random.Random(seed))
        here = here.fork(traced=False)
        _assert_twins(here, twin)


def _assert_twins(here: BareMatch, twin: BareMatch) -> None:
    rng = random.Random(9)
    for _ in range(12):
        if not here.to_move or here.to_move != twin.to_move:
            return
        mine, theirs = list(here.options), list(twin.options)
        if here.to_move == (RED,):
            assert [option.text for option in mine] == [option.text for option in theirs]
            assert here.prompt(RED) == twin.prompt(RED)
            i = rng.randrange(len(mine))
            here.push(mine[i])
            twin.push(theirs[i])
        else:
            here.play("pass")
            twin.play("pass")
        if here.to_move == twin.to_move == (BLUE,):
            assert here.view(RED).variables == twin.view(RED).variables


@pytest.mark.long
def test_twins_told_from_the_start_have_the_same_information() -> None:
    game = hidden()
    seen: dict[object, set[object]] = {}
    for seed in range(150):
        match = start(game, players=2, seed=seed)
        for text in ("red: 1", f"blue: {seed % 3 + 1}"):
            match.play(text)
        while match.to_move:
            hides = [option for option in match.options if option.branch == "hide"]
            match.play(hides[0] if hides and match.to_move == (BLUE,) else "pass")
        mine = match.view(RED)
        setup = [event for event in mine.events if event.rule == "setup"]
        shown = tuple(change.text for event in setup for change in event.changes if "red.hand" in change.text)
        seen.setdefault(shown, set()).add((mine, match.information(RED), match.events_for(RED)))
    assert len(seen) < 60
    assert all(len(views) == 1 for views in seen.values()), "whatever blue has, red sees the same"


def test_information_remembers_what_a_view_forgets() -> None:
    one, other = start_and_play("take(1)", "take(2)"), start_and_play("take(2)", "take(1)")
    assert one.view(RED).variables == other.view(RED).variables
    assert one.information(RED) != other.information(RED)
    assert hash(one.information(RED)) is not None


# ------------------------------------------------------------------ chance, ends, faults


def test_explicit_chance_offers_outcomes_with_their_probabilities() -> None:
    match = start(hidden(), explicit_chance=True)
    assert match.to_move == ()
    assert match.options.__len__() == 0
    assert sum(possible.probability for possible in match.chance) == 1
    probabilities = {possible.text: possible.probability for possible in match.chance}
    assert probabilities["setup#1 -> ace"] == Fraction(1, 8)
    assert probabilities["setup#1 -> ten"] == Fraction(3, 8)


def test_a_game_can_be_played_with_every_outcome_given() -> None:
    rng = random.Random(1)
    match = start(hidden(), explicit_chance=True)
    for _ in range(200):
        if match.chance:
            match.play_chance(rng.choice(match.chance))
        elif match.to_move:
            match.play(rng.choice(list(match.options)))
        else:
            break
    assert match.outcome is not None
    numbers = [event.number for event in match.events]
    assert numbers == list(range(len(numbers))), "a step that is run again does not tell its events twice"


def test_what_comes_out_under_explicit_chance_is_what_was_given() -> None:
    match = start(hidden(), explicit_chance=True)
    match.play_chance(next(possible for possible in match.chance if possible.text == "setup#1 -> two"))
    while match.chance and "die" not in match.chance[0].text:
        match.play_chance(match.chance[0])
    match.play_chance(match.chance[3])
    assert match.to_move == (RED, BLUE)
    pick = next(change for event in match.events for change in event.changes if change.what == "pick")
    roll = next(change for event in match.events for change in event.changes if change.what == "roll")
    assert (read(pick.after), read(roll.after)) == ("two", "4")
    with pytest.raises(UnknownOption):
        match.play_chance(1)


def test_the_outcome_names_the_rule_that_ended_the_game() -> None:
    match = start(nim())
    while match.to_move:
        assert match.outcome is None
        match.play(next(iter(match.options)))
    assert match.outcome is not None
    assert (match.outcome.kind, match.outcome.winners, match.outcome.rule) == ("winner", (BLUE,), "win")
    assert match.to_move == ()
    with pytest.raises(UnknownOption, match="nothing to choose"):
        match.play("take(1)")


def overflowing() -> GameRules:
    """Add one to three to a heap that holds nine: somebody adds too much."""
    b = Build("overflowing")
    heap = b.state("heap", IntType(0, 9), initial=Const(0))
    n, actor = b.variable("n", IntType(1, 9)), b.variable("actor", b.player)
    b.sites.append(Site(1, "statement", ("O-1",)))
    pile = Branch("pile", b.rule("pile"), (Parameter(n, Source(Const(0b1111111110))),), (), (add(heap, by=n, site=1),))
    ask = b.choice(Const(0), pile, decline("pass"), actor=actor)
    play = b.procedure("play", (), (Repeat(b.loop(), None, Const(5), (ask,)),), rule=0, stops=True)
    return b.game(play)


def test_when_the_rules_go_wrong_the_match_is_as_before_and_the_fault_is_noted() -> None:
    match = start(overflowing())
    match.play("pile(5)")
    key = match.key
    with pytest.raises(RangeViolation):
        match.play("pile(6)")
    assert match.key == key
    assert type(match.journal[-1]).__name__ == "Fault"
    match.play("pile(4)")
    match.undo()
    assert match.key == key


# ------------------------------------------------------------------ words


def test_control_characters_never_reach_people() -> None:
    assert clean("a\x1b[31mb\x07\x9b") == "a[31mb"


def test_a_hole_covers_what_a_viewer_may_not_read() -> None:
    hole = Hole((("nitro", 0b01), ("fuel", 0b11)), "a token", "tokens", braces=True)
    assert hole.read(0b01) == "{nitro, fuel}"
    assert hole.read(0b10) == "{fuel, a token}"
    assert hole.read(0b100) == "{2 tokens}"


def test_a_position_and_its_options_stay_as_they_are_when_the_match_goes_on() -> None:
    match = start(nim())
    before, offered = match.position, match.options
    row, words = list(before.row), [option.label for option in offered]
    match.play("take(2)")
    assert before.row == row
    assert before is not match.position
    assert [option.label for option in offered] == words


def test_the_state_of_a_match_is_read_by_written_names() -> None:
    match = start(hidden())
    state = match.state
    assert set(state) == {seen.name for seen in match.view(0).variables} | set(state)
    for seen in match.view(0).variables:
        assert state[seen.name] == seen
    with pytest.raises(KeyError):
        state["nothing"]
