"""What a match tells when somebody reads it late is what it would have told at once."""

from __future__ import annotations

import random

import pytest

from rulelang import api
from rulelang.errors import RuntimeRules
from rulelang.match.deferred_events import Untold
from tests.files import CLASSICS, TESTS
from tests.seeds import rest_long

GAMES = (
    "outspeed",
    "empty_space",
    "exobase",
    "exit_velocity",
    str(CLASSICS / "kuhn.rules"),
    str(CLASSICS / "pig.rules"),
)


def heard(game: api.Game, seed: int) -> api.Match:
    """Starts a match that is told at once, because somebody listens."""
    return game.start(seed=seed, listener=lambda entry: None)


def same(late: api.Match, early: api.Match) -> None:
    assert late.events == early.events
    assert late.journal == early.journal
    assert late.inputs == early.inputs
    assert late.key == early.key
    assert late.log.text == early.log.text
    for seat in (None, *range(early.players)):
        assert late.events_for(seat) == early.events_for(seat)
        assert late.information(seat) == early.information(seat)
        assert late.view(seat) == early.view(seat)


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_who_reads_late_reads_what_was_told_at_once(name: str) -> None:
    game, rng = api.load(name), random.Random(name)
    late, early = game.start(seed=3), heard(game, 3)
    while early.to_move and early.inputs < 60:
        option = early.options.pick(rng.randrange)
        late.push(option)
        early.push(option)
    same(late, early)


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_undos_forks_and_reads_in_between_change_nothing(name: str) -> None:
    game, rng = api.load(name), random.Random(name)
    late, early = game.start(seed=5), heard(game, 5)
    for _ in range(60):
        match rng.randrange(8):
            case 0 if early.can_undo:
                late.undo()
                early.undo()
            case 1:
                late = late.fork()
            case 2:
                same(late, early)
            case 3 if early.can_undo:
                number = early._past.number if early._past is not None else 0
                late.undo(to=number)
                early.undo(to=number)
            case _ if early.to_move:
                option = early.options.pick(rng.randrange)
                told = late.push(option)
                assert early.push(option) == told or rng.randrange(2)
    same(late, early)


@pytest.mark.long
def test_a_position_keeps_what_was_known_when_it_was_taken() -> None:
    late, early = api.load("outspeed").start(seed=7), heard(api.load("outspeed"), 7)
    taken = []
    for _ in range(20):
        taken.append((late.position, early.position.knowledge))
        option = early.options[0]
        late.push(option)
        early.push(option)
    assert all(position.knowledge == knowledge for position, knowledge in taken)


def test_a_step_that_nobody_reads_is_not_told() -> None:
    match = api.load(str(CLASSICS / "connect_four.rules")).start(seed=1)
    events = [match.push(match.options[0]) for _ in range(3)]
    assert isinstance(match._stand, Untold)
    assert match._stand._told is None
    assert events[0][0].text == "Drop into column 1"
    assert match._stand._told is None
    assert match.events[-sum(map(len, events)) :] == events[0] + events[1] + events[2]
    assert match._stand._told is not None


@pytest.mark.parametrize(
    "name",
    rest_long(["outspeed", "empty_space", str(TESTS / "redeals" / "hanabi.rules")], "empty_space"),
    ids=["outspeed", "empty_space", "hanabi"],
)
def test_what_is_known_without_words_is_what_is_known_with_them(name: str) -> None:
    match, rng = api.load(name).start(seed=4), random.Random(3)
    steps: list[Untold] = []
    while match.to_move and len(steps) < 25:
        match.push(match.options.pick(rng.randrange))
        assert isinstance(match.position.stand, Untold)
        assert match.position.knowledge is match.position.wordless.knowledge
        steps.append(match.position.stand)
    for step in steps:
        known, told = step.known(), step.moment
        assert (known.knowledge, known.knowledge.held) == (told.knowledge, told.knowledge.held)
        assert [of and of.followed for of in known.knowledge.kinds] == [
            of and of.followed for of in told.knowledge.kinds
        ]
        assert (known.noted, known.guesses, known.events) == (told.noted, told.guesses, told.events)


def test_the_events_of_a_step_are_as_good_as_a_tuple() -> None:
    game = api.load(str(CLASSICS / "connect_four.rules"))
    late, early = game.start(seed=1), heard(game, 1)
    option = late.options[0]
    events, told = late.push(option), early.push(option)
    assert isinstance(told, tuple)
    assert events == told
    assert told == events
    assert hash(events) == hash(told)
    assert events + told == told + events == told * 2
    assert (events[0], events[:1], len(events), list(events), repr(events)) == (
        told[0],
        told[:1],
        len(told),
        list(told),
        repr(told),
    )


def test_a_fault_of_the_rules_is_told_and_taken_back_though_nobody_listens() -> None:
    text = 'game g "G":\n  players 1\n  seats a\nnames p: Player\nthe game has:\n  n: 0..3 = 0\naction up(p):\n  n = n + 2\naction reset(p):\n  n = 0\nplay:\n  turns p from a:\n    p chooses one of up, reset\n'
    checked = api.check_text(text)
    assert checked.game is not None, checked.diagnostics
    late, early = checked.game.start(seed=1), heard(checked.game, 1)
    for match in (late, early):
        match.push(match.options[0])
        with pytest.raises(RuntimeRules):
            match.push(match.options[0])
    assert late.position.row == early.position.row
    assert [type(entry).__name__ for entry in late.journal][-3:] == ["Taken", "Event", "Fault"]
    same(late, early)
