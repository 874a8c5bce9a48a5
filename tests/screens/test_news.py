"""The news since one's last choice tell what a player at the table would have noticed: `news.toml` lists it for each game."""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import rulelang
from cli.screen.styles import Styles
from cli.screen.summary import summary
from rulelang.knowledge.redaction import read
from rulelang.match.recording.events import Event
from rulelang.screens.picture import on_screen

LISTED = tomllib.loads((Path(__file__).parent / "news.toml").read_text(encoding="utf-8"))["fact"]
WIDTH, ROWS = 80, 5
"""The room of the news at a small terminal."""
MOST = 300
"""The most choices of one game."""


@cache
def news_of(game: str) -> list[tuple[tuple[Event, ...], str]]:
    """Returns the events between two choices of the first seat, and the news of them, in some random games."""
    return [news for seed in (1, 2, 3) for news in _news(game, seed)]


def _news(game: str, seed: int) -> Iterator[tuple[tuple[Event, ...], str]]:
    rules = rulelang.load(game)
    match, rng, told = rules.start(seed=seed), random.Random(seed), 0
    styles, about = Styles.of_match(match), on_screen(rules.ir)
    for _ in range(MOST):
        if match.choice is None:
            return
        if 0 in match.to_move:
            events = match.events_for(0, told)
            told = match.event_count
            lines = summary(events, styles, WIDTH, ROWS, about)
            yield events, " ".join(line.plain for line in lines)
        match.play(match.options.pick(rng))


def _facts_of(rule: str, events: tuple[Event, ...]) -> Iterator[str]:
    """Yields, for each time that something happened, what a die showed, or ""."""
    for event in events:
        if rule == "roll":
            yield from (read(change.after) for change in event.changes if change.what == "roll")
        elif event.rule == rule and not event.goes_on:
            yield ""


@pytest.mark.long
@pytest.mark.parametrize("listed", LISTED, ids=lambda listed: f"{listed['game']}: {listed['fact']}")
def test_the_news_tell_what_a_player_would_have_noticed(listed: dict[str, str]) -> None:
    found = [
        re.search(listed["shows"].replace("{face}", face), told) is not None
        for events, told in news_of(listed["game"])
        for face in _facts_of(listed["rule"], events)
    ]
    assert found, "it does not happen in these games"
    share = 100 * sum(found) // len(found)
    assert share >= int(listed.get("least", 100)), f"told {share} % of {len(found)} times"
