"""The prompt when a game is over, at a terminal."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

import rulelang
from cli.play.afterwards import next_table
from cli.play.terminal import Terminal
from rulelang.session.table import begin

OVER = """game brief "Brief":
  players 1
  seats monk "Monk"
  lone options are asked
play:
  monk chooses one of leave
  close()
action leave(p) "Leave": settle
to close() "The gate is shut": finish lost
names p: Player
"""
Ended = Callable[..., Terminal]


@pytest.fixture
def ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ended:
    """Makes a terminal at which a game is over, and people type some lines."""

    def made(*typed: str) -> Terminal:
        path = tmp_path / "brief.rules"
        path.write_text(OVER.replace("monk chooses", "first_player chooses"))
        table = begin(rulelang.load(path), str(path), 1, (None,), seed=4)
        table.match.play("monk: leave")
        lines = iter(typed)
        monkeypatch.setattr("builtins.input", lambda *_: next(lines))
        monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
        return Terminal(table, Console(file=io.StringIO(), force_terminal=True, color_system=None, width=80))

    return made


def written(here: Terminal) -> str:
    file = here.console.file
    assert isinstance(file, io.StringIO)
    return file.getvalue()


@pytest.mark.parametrize(("typed", "same"), [("again", True), ("new", False)])
def test_another_game_begins_with_the_same_dice_or_others(
    typed: str, same: bool, ended: Ended, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cli.play.afterwards.secrets.randbelow", lambda _: 77)
    following = next_table(ended(typed), None)
    assert following is not None
    assert following.header.seed == (4 if same else 77)
    assert following.asked == 0


def test_the_reason_is_told_and_other_words_are_refused(ended: Ended) -> None:
    here = ended("dance", "why", "quit")
    assert next_table(here, None) is None
    assert "Type one of again, new, why, more, quit." in written(here)
    assert "monk: " not in written(here)
    outcome, _, told = written(here).partition("step 1")
    assert "The game is lost" in outcome
    assert "The gate is shut" in told
    assert not re.search(r"->|close|brief\.rules", told), "words, not code"


def test_a_replay_is_offered_only_where_the_game_was_kept(ended: Ended, tmp_path: Path) -> None:
    next_table(kept := ended("quit"), tmp_path / "kept.jsonl")
    next_table(lost := ended("quit"), None)
    assert "replay" in written(kept)
    assert "replay" not in written(lost)


def test_all_that_happened_since_the_last_question_can_be_told_when_the_game_is_over(ended: Ended) -> None:
    here = ended("more", "quit")
    here.finish()
    before = written(here).count("The gate is shut")
    next_table(here, None)
    assert written(here).count("The gate is shut") == before + 1
