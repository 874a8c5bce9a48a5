"""At a terminal, lines can be edited and completed, earlier ones come back, and Ctrl-C and Ctrl-D do what they do everywhere."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pty = pytest.importorskip("pty")
pytest.importorskip("prompt_toolkit")

NIM = Path(__file__).parent.parent / "classics" / "nim.rules"
PATIENCE = 300.0
"""Seconds to wait for a prompt on a machine that is busy."""
TAB, UP, CTRL_C, CTRL_D = b"\t", b"\x1b[A", b"\x03", b"\x04"


class Played:
    """A game at a terminal of 80 columns and 24 rows."""

    def __init__(self, who: str = "me") -> None:
        self.master, slave = pty.openpty()
        env = {**os.environ, "TERM": "xterm", "NO_COLOR": "1", "COLUMNS": "80", "LINES": "24"}
        words = [sys.executable, "-m", "cli", "play", str(NIM), "--seat", f"all={who}", "--seed", "1"]
        root = Path(__file__).parent.parent.parent
        self.process = subprocess.Popen(
            words, stdin=slave, stdout=slave, stderr=slave, env=env, cwd=root, close_fds=True, start_new_session=True
        )
        os.close(slave)
        self.seen = ""

    def until(self, wanted: str) -> None:
        """Waits until something stands on the terminal, behind what was waited for before."""
        begun = time.monotonic()
        while not re.search(wanted, self.seen) and time.monotonic() - begun < PATIENCE:
            if select.select([self.master], [], [], 0.2)[0]:
                try:
                    self.seen += re.sub(
                        r"\x1b\[[0-9;?]*[A-Za-z]", "", os.read(self.master, 4096).decode(errors="replace")
                    )
                except OSError:
                    break
        found = re.search(wanted, self.seen)
        assert found, self.seen
        self.seen = self.seen[found.end() :]

    def type(self, keys: bytes) -> None:
        os.write(self.master, keys)

    def code(self) -> int:
        return self.process.wait(timeout=PATIENCE)


@pytest.fixture
def played() -> Iterator[Played]:
    game = Played()
    yield game
    if game.process.poll() is None:
        game.process.kill()
        game.process.wait()
    os.close(game.master)


def test_tab_completes_an_option_and_up_brings_the_last_line_back(played: Played) -> None:
    played.until("first>")
    played.type(b"hel" + TAB)
    played.until("help")
    played.type(b"\r")
    played.until("stop \\(so does the end of the input\\)")
    played.until("first>")
    played.type(UP + b"\r")
    played.until("stop \\(so does the end of the input\\)")


@pytest.mark.long
def test_a_line_can_be_edited(played: Played) -> None:
    played.until("first>")
    played.type(b"helq\x7fp\r")
    played.until("stop \\(so does the end of the input\\)")


def test_ctrl_c_ends_the_game_with_130(played: Played) -> None:
    played.until("first>")
    played.type(CTRL_C)
    assert played.code() == 130


@pytest.mark.long
def test_ctrl_c_clears_a_line_that_has_text(played: Played) -> None:
    played.until("first>")
    played.type(b"quit" + CTRL_C + b"help\r")
    played.until("stop \\(so does the end of the input\\)")


@pytest.mark.long
def test_ctrl_d_ends_the_input(played: Played) -> None:
    played.until("first>")
    played.type(CTRL_D)
    played.until("The input has ended")
    assert played.code() == 0


def test_enter_has_bots_told_of_at_once() -> None:
    """At 0.3 s a line, a game of Nim would take several seconds more."""
    game = Played("first")
    try:
        game.until("Press Enter")
        game.type(b"\r")
        game.until("wins")
        assert game.code() == 0
    finally:
        game.process.kill()
        game.process.wait()
        os.close(game.master)
