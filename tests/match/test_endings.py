"""How games end: by a `finish`, or undecided where nothing that the rules say ends them."""

from __future__ import annotations

import json
from pathlib import Path

import attrs
import pytest
from click.testing import CliRunner

from cli.main import main
from rulelang import api
from rulelang.ir.numbers import Seat
from rulelang.lab.arena import play, schedule, standings
from rulelang.lab.bots import bot
from rulelang.log.format import Log
from rulelang.match.recording.events import Outcome
from rulelang.workbench.comparison import measure
from rulelang.workbench.excerpt import excerpt
from tests.games.written import game

EXECUTORS = ("reference", "generated", "native")
ALL_DEAD = """\
game all_dead "All dead":
  players 3
  seats ann, ben, cleo
names p, q: Player
each Player has:
  life: 0..9 = 1
action boom(p) "Boom":
  for q in players: q.life = 0
action shot(p, q) "Shoot {q}": q.life = 0
whenever p.life == 0 for p in players as dead: eliminate(p)
whenever count(players) == 1 as last_one: finish with winner players
play:
  turns p from ann: p chooses one of boom, shot
"""
TOGETHER = """\
game coop "Together":
  players 2
  seats red, blue
names p: Player
the game has:
  stones: 0..9 = 0
play:
  turns p from red:
    p chooses one of:
      lay "Lay a stone": stones += 1
      rest "Rest": settle
    if round == 3: finish with score stones
"""
MANY_ENDS = """\
game ends "Ends":
  players 3
  seats ann, ben, cleo
names p: Player; n: 0..9
action take(p, n) "Take {n}": settle
play:
  ann chooses n in 0..9
  if n == 0: finish with winner ann
  if n == 1: finish with winner {}
  if n == 2: finish with winner {ann, cleo}
  if n == 3: finish with winner players
  if n == 4: finish with score 7
  if n == 5: finish lost
  if n == 6: finish with ranking p in players by highest 1
  if n == 7: finish with ranking p in players by lowest p
"""


@pytest.mark.parametrize("executor", EXECUTORS)
def test_where_all_die_at_once_the_game_ends_undecided(executor: str, tmp_path: Path) -> None:
    """Nobody was asked, and there was no outcome."""
    match = game(ALL_DEAD, tmp_path).start(3, seed=1, executor=executor)
    match.play("ann: boom")
    assert match.to_move == ()
    assert match.outcome is not None
    assert (match.outcome.kind, match.outcome.winners, match.outcome.rule) == ("undecided", (), "play")
    assert json.loads(match.log.lines[-1])["end"] == "undecided"
    assert api.replay(match.log, under=str(tmp_path / "sketch.rules")).difference is None
    match.undo()
    assert match.outcome is None


def test_a_log_of_an_earlier_version_that_has_no_line_for_such_an_end_replays(tmp_path: Path) -> None:
    played = game(ALL_DEAD, tmp_path)
    match = played.start(3, seed=1)
    match.play("ann: boom")
    path = tmp_path / "old.jsonl"
    path.write_text("".join(f"{line}\n" for line in match.log.lines[:-1]))
    assert api.replay(path, under=str(tmp_path / "sketch.rules")).difference is None


def test_a_player_is_told_of_such_an_end(tmp_path: Path) -> None:
    game(ALL_DEAD, tmp_path)
    ran = CliRunner().invoke(main, ["play", str(tmp_path / "sketch.rules"), "--seat", "all=first", "--fast"])
    assert ran.output.endswith("The game ends undecided: its rules do not say who wins.\n")


@pytest.mark.parametrize("executor", EXECUTORS)
def test_every_playout_is_counted_once(executor: str, tmp_path: Path) -> None:
    found = game(MANY_ENDS, tmp_path).playouts(200, seed=1, executor=executor)
    wins = [found.wins(Seat(seat)) for seat in range(3)]
    others = [found.shared, found.draws, found.lost, found.scored, found.undecided]
    assert min(wins[0], *others) > 5
    assert (found.unfinished, found.faults) == (0, 0)
    assert sum(wins) + sum(others) == 200
    # Nobody won, all won, or all came first, in 3 of 10 games; a shared win is no draw.
    assert found.draws > found.shared


def test_a_score_of_several_is_shared_and_nobody_wins(tmp_path: Path) -> None:
    """The arena raised IndexError, and a comparison said that the first seat had won."""
    together = game(TOGETHER, tmp_path)
    bots = (bot("first"), bot("random"))
    fixtures = tuple(schedule(2, 2, 4))
    played = [play(lambda seed: together.start(2, seed, traced=False), bots, fixture) for fixture in fixtures]
    assert all(not any(one.won) and one.scores[0] == one.scores[1] > 0 for one in played)
    (standing,) = standings(played)
    assert standing.results[0].score == standing.results[1].score
    measured = dict(measure(lambda seed: together.start(2, seed, traced=False), bots, fixtures[0]).values)
    assert measured["score"] == played[0].scores[0]
    assert not [name for name in measured if name.startswith(("won", "one winner"))]
    assert together.playouts(20, seed=1).scored == 20


def test_bots_know_undecided_ends_and_a_comparison_counts_them(tmp_path: Path) -> None:
    dead = game(ALL_DEAD, tmp_path)
    bots = (bot("first"),)
    (fixture,) = schedule(1, 3, 1)
    assert play(lambda seed: dead.start(3, seed, traced=False), bots, fixture).end == ("undecided", "play")
    measured = dict(measure(lambda seed: dead.start(3, seed, traced=False), bots, fixture).values)
    assert (measured["undecided"], measured.get("unfinished")) == (1.0, None)


def test_a_step_to_an_undecided_end_becomes_a_scenario(tmp_path: Path) -> None:
    dead = game(ALL_DEAD, tmp_path)
    match = dead.start(3, seed=1)
    match.play("ann: boom")
    assert "expect winner none" in excerpt(dead, match, 1).text


def test_an_earlier_log_in_which_such_an_end_was_taken_back_replays(tmp_path: Path) -> None:
    """Its end had no line, and the answer after the undo followed at once."""
    match = game(ALL_DEAD, tmp_path).start(3, seed=1)
    match.play("ann: boom")
    match.undo()
    match.play("ann: shot(ben)")
    header = attrs.evolve(match.header, format=2)
    kept = [entry for entry in match.journal if not isinstance(entry, Outcome)]
    path = tmp_path / "old.jsonl"
    path.write_text(Log(header, tuple(kept)).text)
    assert '"undo"' in path.read_text()
    assert api.replay(path, under=str(tmp_path / "sketch.rules")).difference is None


@pytest.mark.parametrize(
    ("body", "is_warned"),
    [
        ("eliminate(next(p))\n        eliminate(p)", True),
        ("knock(next(p))\n        knock(p)", True),
        ("if round > 1: eliminate(next(p))\n        if round > 2: eliminate(p)", True),
        ("knock(p)", False),
        ("if round > 1: eliminate(next(p))\n        else: eliminate(p)", False),
        ("eliminate(next(p))\n        settle\n        eliminate(p)", False),
    ],
)
def test_two_who_are_out_one_behind_the_other_may_leave_nobody(body: str, is_warned: bool) -> None:
    """The rule for the last one is looked at behind both."""
    text = f"""\
game row "Row":
  players 2..3
names p: Player
to knock(p): eliminate(p)
whenever count(players) == 1 as last_one: finish with winner players
play:
  turns p from first_player:
    p chooses one of:
      go "Go":
        {body}
      rest "Rest": settle
"""
    assert ("W0517" in {d.code for d in api.check_text(text).diagnostics}) == is_warned
