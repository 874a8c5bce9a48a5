"""The executor on which bots think in each command that lets them play, in an empty home."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.commands import match_factory
from rulelang.machines.native import code, tiers
from rulelang.machines.native.compiler import answered
from rulelang.machines.native.machine import NativeMachine
from rulelang.machines.native.thinking.greedy import GreedyCall
from tests.conftest import Run
from tests.seeds import rest_long

pytest.importorskip("llvmlite")

COMMANDS = {
    "arena": ("arena", "outspeed", "--bots", "greedy", "--games", "1"),
    "arena against other rules": (
        "arena",
        "outspeed",
        "--against",
        "outspeed+sprint",
        "--bots",
        "greedy",
        "--games",
        "1",
    ),
    "diff": ("diff", "outspeed", "outspeed+sprint", "--games", "1"),
    "play": ("play", "outspeed", "--players", "3", "--seat", "all=greedy", "--seed", "1", "--fast"),
}


def watched(think: Callable[..., object], thoughts: list[bool]) -> Callable[..., object]:
    """Returns a method that notes whether another came to a result."""

    def thinking(self: object, *given: Any) -> object:
        found = think(self, *given)
        thoughts.append(found is not None)
        return found

    return thinking


@pytest.mark.parametrize("command", rest_long(COMMANDS, "arena"))
def test_bots_think_in_machine_code_as_soon_as_it_is_there(
    command: str, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULELANG_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(code, "Compiling", lambda game: tiers.Arrived(answered(pickle.dumps(game))))
    monkeypatch.setattr(code, "Optimising", lambda text, keep: None)
    thoughts: list[bool] = []
    for kind, thought in ((NativeMachine, "worth_of_each"), (GreedyCall, "best")):
        monkeypatch.setattr(kind, thought, watched(getattr(kind, thought), thoughts))
    run(*COMMANDS[command])
    assert len(thoughts) > 40
    assert all(thoughts)


def test_a_table_of_people_compiles_nothing(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULELANG_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(code, "Compiling", lambda game: pytest.fail("compiled"))
    assert "Outspeed" in run("play", "outspeed", "--players", "3", "--seat", "all=me", typed="quit\n").output


def test_many_games_are_played_one_a_core_unless_somebody_says_how_many() -> None:
    cores = os.cpu_count() or 1
    given = [(3, None), (match_factory.MANY, None), (match_factory.MANY, 1), (3, 2)]
    assert [match_factory.processes_for(games, jobs, [], ()) for games, jobs in given] == [1, cores, 1, 2]
