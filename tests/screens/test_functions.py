"""Values on a screen that a function works out: the screen is the one that is made by walking the rules."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulelang import api
from rulelang.api import Match
from rulelang.knowledge.rendering import Looking
from rulelang.machines.generated import GeneratedMachine
from rulelang.screens.model import Part
from rulelang.screens.picture import picture
from tests.files import GAMES
from tests.games.written import game
from tests.generators.secrets import sketched
from tests.generators.statements import NUMBERS
from tests.screens.test_faults_on_screens import LINES, SHAPES

SHIPPED = tuple(sorted(folder.name for folder in GAMES.iterdir() if (folder / "screen.rules").exists()))
VARIANTS = tuple(f"{name}+{file.stem}" for name in SHIPPED for file in sorted((GAMES / name / "variants").iterdir()))
CHOICES, LOOKS = 500, 6
"""The most choices of a game, and about how many of its positions are looked at."""


def both_ways(match: Match, seat: int | None) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """The screen of a seat with functions for its values, and by walking the rules."""
    quick = picture(match, seat)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GeneratedMachine, "functions", {})
        return quick, picture(match, seat)


def looks_alike(match: Match) -> None:
    """Raises AssertionError if a screen of a position depends on how its values are worked out."""
    for seat in (*range(match.players), None):
        quick, walked = both_ways(match, seat)
        assert quick == walked, seat
        assert str(quick) == str(walked), seat


@pytest.fixture
def worked_out(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The values that functions have worked out from now on."""
    found: list[int] = []
    by_function = Looking._by_function

    def noted(self: Looking, value: int, arguments: tuple[int, ...]) -> int | None:
        result = by_function(self, value, arguments)
        if result is not None:
            found.append(value)
        return result

    monkeypatch.setattr(Looking, "_by_function", noted)
    return found


@pytest.mark.long
@pytest.mark.parametrize("name", [*SHIPPED, *VARIANTS])
def test_a_screen_of_a_game_that_ships_is_the_one_made_by_walking_the_rules(name: str, worked_out: list[int]) -> None:
    played = api.load(name)
    rng = random.Random(name)
    match = played.start(rng.choice(played.players), seed=name, traced=False)
    for number in range(CHOICES):
        if not match.to_move:
            break
        if number < 2 or rng.random() < LOOKS / CHOICES:
            looks_alike(match)
        match.push(rng.choice(match.options_of(match.to_move[0]).first(40)))
    looks_alike(match)
    assert worked_out


OPEN = (
    "p.gold",
    "q.gold",
    "p.gold + q.gold",
    "moment",
    "max(c.v for c in Card)",
    "count(r in players if r.gold > p.gold)",
)


def with_screen(text: str, choose: random.Random) -> str:
    """A game with a screen that shows numbers of all kinds, each by a value of its own: some open, some secret."""
    pools = [choose.choice((OPEN, NUMBERS, (*OPEN, *NUMBERS))) for _ in range(8)]
    parts = [[choose.choice(pool) for _ in range(3)] for pool in pools]
    values = "".join(
        f"value shown_{i}(p, q) -> 0..999 =\n  {one} if {test} > 2\n  {other} otherwise\n"
        for i, (one, test, other) in enumerate(parts)
    )
    words = " ".join(f"{{shown_{i}(p, next(p))}}" for i in range(len(parts)))
    return f'{text}{values}screen:\n  each {{p in players if shown_0(p, p) > 0}}: "{words}"\n  each Player: "{words}"\n'


@pytest.mark.long
def test_a_screen_of_games_full_of_secrets_is_the_one_made_by_walking_the_rules(worked_out: list[int]) -> None:
    checked = 0
    for seed in range(24):
        choose = random.Random(seed)
        sketch = api.check_text(with_screen(sketched(choose), choose)).game
        if sketch is None:
            continue
        match, checked = sketch.start(sketch.players[-1], seed=seed), checked + 1
        for _ in range(6):
            looks_alike(match)
            if match.to_move:
                match.push(match.options.pick(choose.randrange))
    assert checked > 8
    assert worked_out


@pytest.mark.parametrize("what", LINES)
def test_a_fault_reads_as_it_does_when_the_rules_are_walked(what: str, tmp_path: Path) -> None:
    looks_alike(game(SHAPES.replace("{line}", LINES[what][0]), tmp_path).start(2, seed=1))


RULES = """\
names p: Player
the game has:
  heap: 0..9 = 5
  hidden: 0..9 = 7, seen by nobody
value open(n: 1..9) -> 0..18 = heap + n
value closed(n: 1..9) -> 0..18 = hidden + n
value far(n: 1..9) -> 0..9, at most 9 deep =
  n if n == 1
  far(n - 1) otherwise
value high(n: 1..9) -> 0..9 = heap + n
screen:
  line "open {open(2)}"
  line "closed {closed(2)}"
  line "far {far(3)}"
  line "high {high(9)}"
play:
  turns p from first_player: p chooses one of wait, or stop
action wait(p) "Wait": settle
"""


def test_only_what_everybody_could_work_out_is_left_to_a_function(tmp_path: Path, worked_out: list[int]) -> None:
    match = game(RULES, tmp_path).start(2, seed=1)
    shown = str(picture(match, 0))
    names = {value.id: value.name for value in match.game.values}
    assert [names[value] for value in worked_out] == ["open"]
    assert "open 7" in shown
    assert "closed a number" in shown
    assert "far 1" in shown
    assert "high (at fault: `high` of 9 would become 14" in shown


def test_a_machine_that_walks_the_rules_shows_the_same(tmp_path: Path) -> None:
    played = game(RULES, tmp_path)
    assert picture(played.start(2, seed=1), 0) == picture(played.start(2, seed=1, executor="reference"), 0)
