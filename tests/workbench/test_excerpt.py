"""A step of a log becomes a scenario: it passes as it is printed, would not without its answer, and nothing in it can go."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import main
from rulelang import api
from rulelang.scenarios.run import run_scenario
from rulelang.source import SourceText
from rulelang.syntax import nodes
from rulelang.syntax.parser import parse
from rulelang.workbench.excerpt import Excerpt, NoExcerpt, excerpt
from tests.files import TESTS
from tests.workbench.test_reasons import HIKE, hike

REPLAYS = TESTS / "replays"


def faults(game: api.Game, match: api.Match, text: str) -> tuple[str, ...]:
    parsed = parse(SourceText("here", text))
    assert not parsed.diagnostics
    node = next(one for one in parsed.module.declarations if isinstance(one, nodes.ScenarioDeclaration))
    return tuple(fault.message for fault in run_scenario(game, node, match.internals.secrets).faults)


def hiked(step: int, *answers: str, **more: object) -> tuple[api.Game, api.Match, Excerpt]:
    match = hike(*answers)
    game = api.check_text(HIKE).game
    assert game is not None
    return game, match, excerpt(game, match, step, **more)  # type: ignore[arg-type]


def test_a_step_is_told_with_what_it_needs_and_no_more() -> None:
    game, match, found = hiked(5, "red: train", "blue: move(2)", "red: pass", "blue: pass", "red: move(3)")
    assert found.text.splitlines() == [
        'scenario "red: move(3)":  [H-8, H-9, H-10]',
        "  players red, blue",
        "  given red.gold = 5, blue.gold = 4, red.strong = yes",
        "  red: move(3)",
        "  expect red.gold == 3 and blue.gold == 5",
    ]
    assert faults(game, match, found.text) == ()


def test_what_is_to_be_shown_may_be_said() -> None:
    _, _, found = hiked(3, "red: train", "blue: pass", "red: move(3)", title="two", expects=("red.gold == 2",))
    assert 'scenario "two":' in found.text
    assert found.text.endswith("  expect red.gold == 2\n")
    assert "blue.gold" not in found.text


def test_what_would_hold_without_the_answer_shows_nothing() -> None:
    with pytest.raises(NoExcerpt, match="no scenario leads there"):
        hiked(1, "red: train", expects=("blue.gold == 6",))


def test_there_is_no_step_beyond_the_last() -> None:
    with pytest.raises(NoExcerpt, match="steps 1 to 1"):
        hiked(2, "red: train")


@pytest.mark.long
@pytest.mark.parametrize(("name", "players", "step"), [("outspeed", 3, 18), ("exobase", 1, 14)])
def test_a_step_of_a_game_becomes_a_scenario_of_which_nothing_can_go(name: str, players: int, step: int) -> None:
    """Over ten seconds on a busy machine: some hundred scenarios are played to find out what can go."""
    game = api.load(name)
    match = game.start(players, seed=1)
    for _ in range(step):
        match.play(match.options[0])
    found = excerpt(game, match, step)
    assert faults(game, match, found.text) == ()
    lines = found.text.splitlines()
    answer = max(i for i, line in enumerate(lines) if not line.startswith("  expect"))
    assert faults(game, match, "\n".join(lines[:answer] + lines[answer + 1 :]) + "\n")
    assert lines[0].endswith("]"), "it cites what it touched"


def test_the_command_prints_the_scenario_and_nothing_else(tmp_path: Path) -> None:
    rules, log = tmp_path / "hike.rules", tmp_path / "hike.jsonl"
    rules.write_text(HIKE)
    match = api.load(rules).start(seed=1)
    match.play("red: train")
    match.log.save(log)
    result = CliRunner().invoke(main, ["scenario", str(log), "--at", "1", "--game", str(rules)])
    assert result.exit_code == 0, result.output
    rules.write_text(HIKE + "\n" + result.stdout)
    tested = CliRunner().invoke(main, ["test", str(rules)])
    assert tested.exit_code == 0, tested.output
    beyond = CliRunner().invoke(main, ["scenario", str(log), "--at", "9", "--game", str(rules)])
    assert (beyond.exit_code, beyond.stdout) == (1, "")
