"""What decisions, hidden things, leads and rules are worth, in small games where that can be computed."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("numpy")
pytest.importorskip("pyarrow")

from rulelang.studies.figures.estimates import Estimate
from rulelang.studies.reports.report import report_of
from rulelang.studies.run import begin, run
from rulelang.studies.study import read_study
from rulelang.studies.workers import Alone

DOORS = """\
game doors "Doors":
  players 2
names p: Player; n: 1..3
the game has:
  door: 0..3 = 0
value luck = 10 if door == 1 else 50 if door == 2 else 90
to stumble(): door = door

action open(p, n) "Open {n}":
  door = n
  if random(1..4) == 1: stumble()

play:
  first_player chooses one of open
  if random(1..100) <= luck: finish with winner first_player
  finish with winner next(first_player)

variant shut of doors "One door less":
  replace action open(p, n) "Open {n}":
    needs n != 3  "It is shut"
    door = n
"""
"""Three doors, behind which the first player wins with a chance of 10, 50 and 90 percent."""
CUPS = """\
game cups "Cups":
  players 2
enum Colour: red, green, blue
kind Ball "ball":
  colour: Colour
  | colour |
  | Colour |
names p, q: Player; c: Colour; b: Ball
each Player has:
  called: Colour = red, seen by owner
the game has:
  cup: slot for Ball, face down
value score(p) = 1 if cup.colour == p.called else 0

setup: move random(b in Ball if b in box) to cup

action guess(p, c) "Guess {c}": p.called = c

play:
  for p in Player: p chooses one of guess
  finish with winner {p in Player if all(score(q) <= score(p) for q in Player)}
"""
WALK = """\
game stroll "Stroll":
  players 2
names p: Player
die d2: 0..1
each Player has:
  steps: 0..30 = 0
value score(p) = p.steps

action walk(p) "Walk": p.steps += roll(d2)
action rest(p) "Rest": p.steps += roll(d2)

play:
  turns p from first_player:
    p chooses one of walk, rest
    if p.steps == 10: finish with winner p
"""


def metrics(tmp_path: Path, rules: str, more: str, name: str = "game") -> list[dict[str, Estimate]]:
    """Returns the metrics of the cells of a study of a game."""
    path = tmp_path / f"{name}.rules"
    path.write_text(rules)
    folder = begin(read_study(f'game = "{path}"\n{more}'), tmp_path / name)
    assert all(run(folder, Alone()))
    return [dict(cell.metrics) for cell in report_of(folder).cells]


def holds(one: Estimate, truth: float) -> bool:
    """Returns whether an interval that is half as wide again holds the truth: by chance one in 300 does not."""
    assert one.low is not None
    assert one.high is not None
    wider = (one.high - one.low) / 4
    return one.low - wider <= truth <= one.high + wider


@pytest.mark.long
def test_a_decision_weighs_what_its_options_differ_by_and_an_action_is_worth_that(tmp_path: Path) -> None:
    (found,) = metrics(tmp_path, DOORS, 'bots = "random"\ngames = 80\nsampled = 80\nvalues = 40')
    assert holds(found["gap"], 0.4)
    assert holds(found["stake"], 0.4)
    assert holds(found["worth(open(3))"], 0.6)
    assert holds(found["worth(open(1))"], -0.6)
    assert holds(found["worth(open(2))"], 0.0)
    assert found["clear"].estimate > 0.9
    assert abs(found["narrowness"].estimate - 1 / 3) < 0.05
    assert "worth(open)" not in found


@pytest.mark.long
def test_options_without_a_difference_weigh_nothing_on_average(tmp_path: Path) -> None:
    (found,) = metrics(tmp_path, WALK, 'bots = "random"\ngames = 24\nsampled = 24\nvalues = 16')
    assert holds(found["gap"], 0.0)
    assert holds(found["worth(walk)"], 0.0)
    assert found["clear"].estimate < 0.1


@pytest.mark.long
def test_rules_are_reached_as_often_as_chance_says(tmp_path: Path) -> None:
    (found,) = metrics(tmp_path, DOORS, 'bots = "random"\ngames = 400\nsampled = 400')
    assert holds(found["fires(stumble)"], 0.25)
    assert found["fires(open)"].estimate == 1
    assert found["reach"].estimate == 1


@pytest.mark.long
def test_games_diverge_under_other_rules_where_an_answer_first_differs(tmp_path: Path) -> None:
    _, shut = metrics(tmp_path, DOORS, 'bots = "random"\ngames = 50\n[vary]\nshut = ["no", "yes"]', "doors")
    assert shut["diverged"].estimate == 1
    assert shut["diverged_at"].estimate == 0


@pytest.mark.long
def test_what_is_hidden_is_worth_what_a_bot_wins_by_seeing_it(tmp_path: Path) -> None:
    (found,) = metrics(tmp_path, CUPS, 'bots = ["greedy:open", "greedy"]\ngames = 120')
    # The one that sees all guesses right; the other one time in three, and then the two share the win.
    assert holds(found["hidden_worth(greedy)"], 2 / 3)
    assert 0 < found["hidden_share"].estimate < 0.5


@pytest.mark.long
def test_who_leads_a_long_walk_at_half_time_wins_more_often(tmp_path: Path) -> None:
    (found,) = metrics(tmp_path, WALK, 'bots = "random"\ngames = 40\nsampled = 40\nvalues = 24')
    assert found["runaway_25"].estimate < found["runaway_75"].estimate
    for name in ("runaway_50", "runaway_value"):
        low = found[name].low
        assert low is not None
        assert low > 0
    assert found["uncertainty_25"].estimate > found["uncertainty_75"].estimate
    assert found["uncertainty_slope"].estimate < 0
    assert 0 < found["decided_at"].estimate <= 1
    # Positions are spread over the whole game, however long: the last ones are as good as decided.
    assert found["decided_left"].estimate < found["length"].estimate / 2
    assert found["turnovers"].estimate > 0
