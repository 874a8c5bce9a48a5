"""A glimpse into the middle of a match: the position and its last step as they are, with little of what came before worked out."""

from __future__ import annotations

import random
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from rulelang import api
from rulelang.errors import RulelangError
from rulelang.log.bare import run
from rulelang.log.reading import parse_log, read_log
from rulelang.match.match import BareMatch
from rulelang.screens.picture import picture
from tests.files import ONE_OF_EACH, TESTS
from tests.generators.secrets import sketched
from tests.replays.__main__ import FOLDER
from tests.seeds import few_of

KEPT = [FOLDER / f"{name}.1.jsonl" for name in ONE_OF_EACH]
GAMES = sorted((TESTS / "redeals").glob("*.rules"))
"""Games of hidden hands, dice and answers."""


@pytest.fixture(autouse=True)
def long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks into each log as into a long one, whose machines are kept."""
    monkeypatch.setattr(run, "KEPT_FROM", 0)


def assert_alike(glimpse: BareMatch, whole: BareMatch, before: BareMatch | None) -> None:
    """Holds a glimpse against the match as it was played: its position, who knows what, and what its last step tells each."""
    then, now = whole.internals.moment, glimpse.internals.moment
    assert (now.knowledge, now.frames, now.events, now.noted) == (then.knowledge, then.frames, then.events, then.noted)
    assert (now.guesses, now.seal.answers) == (then.guesses, then.seal.answers)
    assert (glimpse.key, glimpse.to_move, glimpse.taken) == (whole.key, whole.to_move, whole.taken)
    own = before.event_count if before is not None else 0
    for seat in (None, *range(whole.players)):
        assert glimpse.events_for(seat, own) == whole.events_for(seat, own)
    assert picture(glimpse, None) == picture(whole, None)


def looked_into(game: api.Game, luck: random.Random, players: int | None = None) -> int:
    """Plays a game at random and looks into its log here and there; returns how many glimpses were no matches of their own."""
    match = game.start(players, seed=1)
    for _ in range(40):
        if match.to_move:
            match.push(match.options.pick(luck.randrange))
    whole, again = (api.replay(match.log, under=game, compares=False) for _ in range(2))
    steps = luck.sample(range(len(whole.positions)), min(10, len(whole.positions)))
    fresh = 0
    for step in steps:
        glimpse = again.glimpse(step)
        fresh += glimpse is not again.at(step)
        assert_alike(glimpse, whole.at(step), whole.at(step - 1) if step else None)
    return fresh


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_wherever_one_looks_all_is_as_it_was(path: Path) -> None:
    assert looked_into(api.load(path), random.Random(2)) > 3


@pytest.mark.parametrize("path", GAMES[::3], ids=lambda path: path.stem)
def test_so_it_is_in_a_short_log_which_is_played_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "KEPT_FROM", 500)
    assert looked_into(api.load(path), random.Random(2)) > 3


@pytest.mark.parametrize("seed", few_of(12, few=1))
def test_so_it_is_in_games_of_random_secrets(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "sketch.rules"
    path.write_text(sketched(random.Random(seed)))
    checked = api.check(path)
    if checked.game is not None:
        looked_into(checked.game, random.Random(seed))


@pytest.mark.long
@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.stem)
def test_a_kept_log_is_looked_into_anywhere(path: Path) -> None:
    log = read_log(path)
    game = api.load(FOLDER / "rules" / f"{log.header.rules}.rules")
    whole, again = (api.replay(log, under=game, compares=False) for _ in range(2))
    steps = random.Random(1).sample(range(len(whole.positions)), min(5, len(whole.positions)))
    for step in steps:
        assert_alike(again.glimpse(step), whole.at(step), whole.at(step - 1) if step else None)


def test_a_glimpse_does_not_make_up_what_came_before() -> None:
    match = api.load("outspeed").start(3, seed=4)
    for _ in range(20):
        match.push(match.options[0])
    again = api.replay(match.log, compares=False)
    with pytest.raises(RulelangError, match="were let go"):
        again.glimpse(20).events_for(0)
    assert again.at(20).events_for(0) == match.events_for(0)
    assert again.glimpse(20).events_for(0) == match.events_for(0), "once all was told, a glimpse is the match itself"


def test_the_steps_before_a_glimpse_are_followed_without_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """A jump into a long match costs less than telling it: few steps are told, however far in it is."""
    match, luck = api.load("outspeed").start(3, seed=4), random.Random(1)
    while match.to_move:
        match.push(match.options.pick(luck.randrange))
    again = api.replay(parse_log(BytesIO(match.log.text.encode())), compares=False)
    steps = len(again.positions)
    told: list[object] = []
    retold = type(match)._retold

    def counted(self: BareMatch, *step: Any) -> Any:
        told.append(step)
        return retold(self, *step)

    monkeypatch.setattr(type(match), "_retold", counted)
    again = api.replay(parse_log(BytesIO(match.log.text.encode())), compares=False)
    assert again.glimpse(steps - 1).events_for(0, again.glimpse(steps - 2).event_count)
    assert len(told) < steps // 4
