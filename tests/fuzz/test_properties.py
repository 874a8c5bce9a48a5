"""Whatever is written: a check gives diagnostics and never raises, and what a check lets through can be played.

A failure prints the seed; `mutated(text, random.Random(seed))` makes the text again.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulelang import api
from rulelang.diagnostics.render import render_all
from rulelang.errors import RunawayRules, RuntimeRules
from rulelang.match.match import BareMatch
from rulelang.match.options.option import Option
from rulelang.scenarios.run import lower_all
from tests.files import SMALL_GAMES
from tests.generators.rules import CLASSIC_TEXTS, OUTSPEED, derived, mutated, whole

MOST_PLIES = 30
MOST_OPTIONS = 100

SEEDS = st.integers(0, 2**32)
SMALL = (*CLASSIC_TEXTS, *(p.read_text(encoding="utf-8") for p in sorted(SMALL_GAMES.glob("*.rules"))))
EXECUTORS = ("generated", "reference")

T = TypeVar("T")
R = TypeVar("R")
HEADS = st.sampled_from(["", 'game g "G":\n  players 2\nplay:\n  settle\n', CLASSIC_TEXTS[0]])

quick = settings(suppress_health_check=list(HealthCheck))


def checked(text: str) -> api.Checked:
    """Checks a text as a file of its own, its scenarios too; looks at what is said about it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sketch.rules"
        path.write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
        found = api.check(path)
    said = render_all(found.diagnostics)
    if found.game is None:
        assert any(d.is_error and d.code in said for d in found.diagnostics)
    else:
        lower_all(found.game)
    return found


# ------------------------------------------------------------------ checks never raise


@settings(quick, max_examples=150)
@given(HEADS, st.text(max_size=300))
def test_any_text_is_checked(head: str, text: str) -> None:
    checked(head + text)


@pytest.mark.long
@settings(quick, max_examples=200)
@given(SEEDS)
def test_any_sentence_of_the_grammar_is_checked(seed: int) -> None:
    checked(derived(random.Random(seed)))


@pytest.mark.long
@settings(quick, max_examples=250)
@given(st.sampled_from(SMALL), SEEDS)
def test_a_small_game_with_a_mistake_in_it_is_checked(text: str, seed: int) -> None:
    checked(mutated(text, random.Random(seed)))


@pytest.mark.long
@settings(quick, max_examples=10)
@given(SEEDS)
def test_a_large_game_with_a_mistake_in_it_is_checked(seed: int) -> None:
    checked(mutated(whole(OUTSPEED), random.Random(seed)))


# ------------------------------------------------------------------ what is checked can be played


@pytest.mark.long
@settings(quick, max_examples=120)
@given(st.sampled_from(SMALL), SEEDS)
def test_what_a_check_lets_through_is_played_alike_by_both_executors(text: str, seed: int) -> None:
    game = checked(mutated(text, random.Random(seed), most=2)).game
    if game is not None:
        play_both(game, seed)


class WentWrong(Exception):
    """The rules went wrong on both executors, in the same way."""


def play_both(game: api.Game, seed: int) -> None:
    """Plays at random on both executors, which must agree; where rules go wrong, they go wrong in the same way."""
    choose = random.Random(seed)
    players = choose.randint(*game.players)
    with suppress(WentWrong):
        matches = both(lambda name: game.start(players, seed=seed, executor=name, traced=bool(seed % 2)), EXECUTORS)
        for _ in range(MOST_PLIES):
            ours, oracle = matches
            assert position(ours) == position(oracle)
            if not ours.to_move:
                return
            options, known = both(partial(some_options, choose.choice(ours.to_move)), matches)
            assert options == known
            both(partial(answer, choose.choice(options)), matches)


def both(do: Callable[[T], R], on: Sequence[T]) -> list[R]:
    """Does the same twice. Rules that run away may do so a little sooner on one executor than on the other."""
    found: list[R] = []
    wrong: list[tuple[type, str, int]] = []
    for one in on:
        try:
            found.append(do(one))
        except RunawayRules:
            raise WentWrong from None
        except RuntimeRules as error:
            wrong.append((type(error), error.message, error.site))
    if wrong:
        assert not found
        assert wrong[0] == wrong[1]
        raise WentWrong
    return found


def some_options(seat: int, match: BareMatch) -> list[Option]:
    return list(islice(match.options_of(seat), MOST_OPTIONS))


def answer(option: Option, match: BareMatch) -> None:
    match.play(option)


def position(match: BareMatch) -> tuple[object, ...]:
    return (
        match.position.row[: match.internals.layout.size],
        match.to_move,
        match.outcome,
        match.events if match.is_traced else (),
    )
