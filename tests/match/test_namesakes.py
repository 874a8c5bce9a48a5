"""Things that are printed alike: which of them a seat can tell apart, and a written form for each option of its own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from rulelang import api
from rulelang.errors import UnknownOption
from tests.games.written import game
from tests.views import zone

HEAD = """\
game heaps "Heaps":
  players 2
  seats red, blue
names p, q: Player; k, m: Token; n: 0..3
enum Colour: ruby, jade
kind Token "token":
  colour: Colour
  | copies | colour |
  | 3      | Colour |
each Player has:
  hand: group of Token
  kept: Token? = none
  likes: set of Token = {}, seen by owner
  worth(k): 0..3 = 0
  doubt(k): 0..3 = 0, seen by owner
each Token has:
  fake: flag = no, seen by nobody
  chipped: flag = no
  seen_in: flag = no, seen by {q in players if q == red}
the game has:
  heap: group of Token
  left: group of Token
  right: group of Token
"""
PLAY = """
play:
  turns p from red:
    p chooses one of take, or stop
"""
PLACES = """\
setup:
  move 1 of {k in Token if k.colour == ruby} to left
  move 1 of {k in Token if k.colour == ruby and k in box} to right
action take(p, k in left + right) "Take {k}": move k to p.hand
"""
POINTED = """\
setup:
  move Token to heap
  red.kept = first(k in Token if k.colour == ruby)
action take(p, k in heap) "Take {k}":
  needs red.kept != k  "marked"
  move k to p.hand
"""

EXECUTORS = ("reference", "generated", "native")


def assert_replays(match: api.Match, played: api.Game) -> None:
    """Asserts that the log of a match leads to its position."""
    again = api.replay(match.log, under=played)
    assert again.difference is None
    assert again.match.view(None) == match.view(None)


def rubies(setup: str, folder: Path, executor: str, *, take: str = "k in heap", need: str = "") -> list[str]:
    """Returns the first options on rubies, where all tokens lie in a heap."""
    body = f'setup:\n  move Token to heap\n{setup}action take(p, {take}) "Take":\n{need}  move k to p.hand\n'
    match = game(HEAD + body + PLAY, folder).start(2, seed=1, executor=executor)
    return sorted(option.text for option in match.options if "ruby" in option.text and "jade" not in option.text)


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize(
    ("setup", "texts"),
    [
        ("  for k in heap: k.fake = random(0..1) == 1\n", ["take(ruby)"]),
        ("  for k in heap: blue.doubt(k) = random(0..3)\n", ["take(ruby)"]),
        ("  for k in heap: blue.likes = {k}\n", ["take(ruby)"]),
        ("  for k in heap: red.likes = {first(m in heap)}\n", ["take(ruby)#1", "take(ruby)#2"]),
        ("  for k in heap: red.likes = {m in heap if m.colour == ruby}\n", ["take(ruby)"]),
        ("  first(k in heap).chipped = yes\n", ["take(ruby)#1", "take(ruby)#2"]),
        ("  first(k in heap).seen_in = yes\n", ["take(ruby)#1", "take(ruby)#2"]),
        ("  blue.worth(first(k in heap)) = 2\n", ["take(ruby)#1", "take(ruby)#2"]),
        ("  red.doubt(first(k in heap)) = 2\n", ["take(ruby)#1", "take(ruby)#2"]),
        ("  blue.kept = first(k in heap)\n", ["take(ruby)#1", "take(ruby)#2"]),
    ],
)
def test_things_are_alike_to_a_seat_that_sees_no_difference(
    setup: str, texts: Sequence[str], executor: str, tmp_path: Path
) -> None:
    assert rubies(setup, tmp_path, executor) == texts


@pytest.mark.parametrize("executor", EXECUTORS)
def test_a_second_copy_can_be_named_beside_the_first(executor: str, tmp_path: Path) -> None:
    both = rubies("", tmp_path, executor, take="k in heap, m in heap", need='  needs k != m  "two"\n')
    assert both == ["take(ruby, ruby)"]
    either = rubies("", tmp_path, executor, take="k in heap, m in heap")
    assert either == ["take(ruby, ruby)#1", "take(ruby, ruby)#2"]


@pytest.mark.parametrize("executor", EXECUTORS)
def test_copies_beside_the_one_that_a_public_variable_points_at_are_offered(executor: str, tmp_path: Path) -> None:
    played = game(HEAD + POINTED + PLAY, tmp_path)
    match = played.start(2, seed=1, executor=executor)
    assert [option.text for option in match.options] == ["take(ruby)", "take(jade)", "stop"]
    match.play("take(ruby)")
    assert_replays(match, played)


@pytest.mark.parametrize("executor", EXECUTORS)
@pytest.mark.parametrize(("text", "place"), [("take(ruby)#1", "left"), ("take(ruby)#2", "right")])
def test_each_of_two_copies_in_two_places_is_taken_by_its_own_name(
    text: str, place: str, executor: str, tmp_path: Path
) -> None:
    played = game(HEAD + PLACES + PLAY, tmp_path)
    match = played.start(2, seed=1, executor=executor)
    match.play(text)
    assert not zone(match.view(0), place).things
    assert_replays(match, played)


def test_only_who_chose_reads_which_copy_it_was(tmp_path: Path) -> None:
    match = game(HEAD + PLACES + PLAY, tmp_path).start(2, seed=1)
    match.play("take(ruby)#2")
    assert '"option":"take(ruby)#2"' in match.log.text
    assert '"option":"take(ruby)#2"' in match.log.for_seat(0).text
    assert '"option":"take(ruby)"' in match.log.for_seat(1).text


def test_an_old_log_without_numbers_still_means_the_lowest_and_replays(tmp_path: Path) -> None:
    played = game(HEAD + PLACES + PLAY, tmp_path)
    match = played.start(2, seed=1)
    match.play("take(ruby)")
    assert '"option":"take(ruby)"' in match.log.text
    assert not zone(match.view(0), "left").things
    assert_replays(match, played)


@pytest.mark.parametrize("text", ["take(ruby)#3", "take(jade)#1", "stop#1"])
def test_a_number_that_no_option_has_is_refused(text: str, tmp_path: Path) -> None:
    match = game(HEAD + PLACES + PLAY, tmp_path).start(2, seed=1)
    with pytest.raises(UnknownOption):
        match.play(text)


def test_people_read_where_copies_lie_that_would_read_alike(tmp_path: Path) -> None:
    match = game(HEAD + PLACES + PLAY, tmp_path).start(2, seed=1)
    assert [option.label for option in match.options] == ["Take ruby (the left)", "Take ruby (the right)", "stop"]
