"""Why something in a log came about: the chain of causes, an absence, and what a seat may not know of either."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from rulelang.cli.main import main

from rulelang import api
from rulelang.log.replay import Replay
from rulelang.workbench.reasons import of_absence, of_event, of_variable

GAME = """
game bids "Bids":
  players 2
  seats red, blue

names p: Player; n: 1..3

each Player has:
  bid: 0..3 = 0, seen by owner
  gold: 0..9 = 6

action pay(p, n) "{p} pays {n}":                                     [B-1]
  needs n <= p.gold  "{p} has only {p.gold} gold"                    [B-2]
  spend(p, n)

to spend(p, n) "{p} spends {n}":                                     [B-3]
  p.gold -= n                                                        [B-4]

play:
  each p in players secretly chooses p.bid in 1..3                   [B-5]
  turns p from first_player:
    p chooses one of pay, or pass
    if p.gold == 0: finish with winner p
"""


def replayed(folder: Path, *answers: str) -> tuple[api.Match, Replay]:
    path = folder / "bids.rules"
    path.write_text(GAME)
    match = api.load(path).start(seed=1)
    for answer in answers:
        match.play(answer)
    return match, api.replay(match.log, under=str(path))


ANSWERS = ("red: 2", "blue: 3", "pay(3)", "pay(1)", "pay(2)")


def test_a_chain_goes_from_the_answer_over_the_rules_to_the_change(tmp_path: Path) -> None:
    _, again = replayed(tmp_path, *ANSWERS)
    chain = of_variable(again, "red.gold", 5, None, sees_all=True)
    assert [link.text for link in chain] == [
        "step 5, red: pay(2)",
        "play",
        'pay(red, 2) "red pays 2"',
        'spend(red, 2) "red spends 2"',
        "red.gold: 3 -> 1",
    ]
    assert chain[3].clauses == ("B-3", "B-4")
    assert chain[3].place == "bids.rules:16:1"
    assert [link.what for link in chain] == ["input", "play", "action", "verb", "change"]


def test_an_earlier_step_has_an_earlier_cause(tmp_path: Path) -> None:
    _, again = replayed(tmp_path, *ANSWERS)
    chain = of_variable(again, "red.gold", 4, None, sees_all=True)
    assert chain[0].text == "step 3, red: pay(3)"
    assert chain[-1].text == "red.gold: 6 -> 3"
    assert of_variable(again, "red.gold", 2, None, sees_all=True) == ()


def test_an_event_is_told_with_all_its_changes(tmp_path: Path) -> None:
    match, again = replayed(tmp_path, *ANSWERS)
    number = next(event.number for event in match.events if event.rule == "spend")
    chain = of_event(again, number, None, sees_all=True)
    assert chain[-1].text == "red.gold: 6 -> 3"
    assert of_event(again, 10_000, None, sees_all=True) == ()


def test_what_was_not_there_names_the_needs_with_its_values_and_the_nearest_that_was(tmp_path: Path) -> None:
    match, _ = replayed(tmp_path, "red: 2", "blue: 3", "pay(3)", "pay(1)", "pay(2)", "pass")
    absence = of_absence(match, "red: pay(3)")
    assert absence is not None
    assert (absence.message, absence.clauses) == ("red has only 1 gold", ("B-2",))
    assert absence.nearest == "red: pay(1)"
    assert of_absence(match, "red: pay(1)") is None


def test_a_seat_is_told_the_same_of_matches_that_it_cannot_tell_apart(tmp_path: Path) -> None:
    """Twins: blue bid 3 in one and 1 in the other, which red may not know."""
    told = []
    for bid in ("blue: 3", "blue: 1"):
        match, again = replayed(tmp_path, "red: 2", bid, "pay(3)")
        for number in range(match.event_count):
            told.append((number, [link.text for link in of_event(again, number, 0, sees_all=False)]))
        told.append((-1, [link.text for link in of_variable(again, "blue.bid", 3, 0, sees_all=False)]))
    half = len(told) // 2
    assert told[:half] == told[half:]
    assert any("an answer of blue" in text for _, texts in told for text in texts)
    assert told[half - 1] == (-1, []), "red does not see that blue's bid changed"


@pytest.mark.parametrize("what", ["red.gold@5", "red.gold", "3"])
def test_the_command_prints_the_chain(tmp_path: Path, what: str) -> None:
    match, _ = replayed(tmp_path, *ANSWERS)
    match.log.save(tmp_path / "a.jsonl")
    words = ["why", str(tmp_path / "a.jsonl"), what, "--game", str(tmp_path / "bids.rules")]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    chain = json.loads(CliRunner().invoke(main, [*words, "--json"]).stdout)["chain"]
    assert chain[0]["what"] == "input"
    assert len(chain) == len(result.output.splitlines())


def test_what_is_nowhere_in_a_log_is_refused_in_words(tmp_path: Path) -> None:
    match, _ = replayed(tmp_path, *ANSWERS)
    match.log.save(tmp_path / "a.jsonl")
    words = ["why", str(tmp_path / "a.jsonl"), "--game", str(tmp_path / "bids.rules")]
    nothing = CliRunner().invoke(main, [*words, "silver@3"])
    assert nothing.exit_code == 1
    assert "nothing in this log is called 'silver'" in nothing.output
    others = CliRunner().invoke(main, [*words, "red: pay(3)@3", "--as", "blue"])
    assert others.exit_code == 1
    assert "does not see what others may choose from" in others.output
    assert CliRunner().invoke(main, [*words, "red.gold@x"]).exit_code == 2
