"""`rulelang replay` and `watch` as somebody at a terminal of 80 columns and 24 rows has them: keys in, screens out."""

from __future__ import annotations

import fcntl
import json
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pyte
import pytest

from tests.cli.test_replaying import secrets

pty = pytest.importorskip("pty")

ROOT = Path(__file__).parent.parent.parent
PATIENCE = 300.0
"""Seconds to wait for a screen on a machine that is busy."""
QUIET = 0.2
"""Seconds without a word after which a picture is taken to be whole."""
COLUMNS, ROWS = 80, 24
UP, DOWN, END, HOME, ESCAPE = "\x1b[A", "\x1b[B", "\x1b[F", "\x1b[H", "\x1b"


class Terminal:
    """A command at a terminal, and what stands on its screen."""

    def __init__(self, folder: Path, *words: str, term: str = "xterm", columns: int = COLUMNS) -> None:
        self.screen = pyte.Screen(COLUMNS, ROWS)
        self.stream = pyte.ByteStream(self.screen)
        self.master, slave = pty.openpty()
        self.resize(columns, ROWS)
        sizes = {"COLUMNS", "LINES"}
        env = {name: value for name, value in os.environ.items() if name not in sizes}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cli", *words],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**env, "TERM": term, "NO_COLOR": "1", "PYTHONPATH": str(ROOT)},
            cwd=folder,
            start_new_session=True,
            preexec_fn=partial(_at_terminal, slave),  # noqa: PLW1509
        )
        os.close(slave)

    def resize(self, columns: int, rows: int) -> None:
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.resize(rows, columns)

    @property
    def lines(self) -> list[str]:
        return [line.rstrip() for line in self.screen.display]

    def until(self, *wanted: str) -> list[str]:
        """Waits until all that is wanted stands on the screen and nothing more is drawn; returns its lines.

        A picture reaches the terminal in pieces: what is asserted of its lines must not be asked of a half of it.
        """
        begun = time.monotonic()
        while not (self.shows(*wanted) and self.is_quiet()) and time.monotonic() - begun < PATIENCE:
            if select.select([self.master], [], [], 0.1)[0]:
                try:
                    self.stream.feed(os.read(self.master, 65536))
                except OSError:
                    break
        assert self.shows(*wanted), "\n".join(self.lines)
        return self.lines

    def shows(self, *wanted: str) -> bool:
        return all(re.search(one, "\n".join(self.lines)) for one in wanted)

    def is_quiet(self) -> bool:
        return not select.select([self.master], [], [], QUIET)[0]

    def type(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def press(self, keys: str, *wanted: str) -> list[str]:
        """Presses keys; returns the screen once all that is wanted stands on it."""
        self.type(keys)
        return self.until(*wanted)

    def end(self) -> int:
        code = self.process.wait(timeout=PATIENCE)
        os.close(self.master)
        return code


def _at_terminal(slave: int) -> None:
    """Makes a terminal the one of this process, which hears Ctrl-C there: tests in the background leave it ignored."""
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A game of cards in secret: red keeps one, blue keeps one and takes that back, both lay one; two phases."""
    secrets(tmp_path)[1].save(tmp_path / "a.jsonl")
    return tmp_path / "a.jsonl"


@pytest.fixture
def replaying(log: Path) -> Iterator[Terminal]:
    terminal = Terminal(log.parent, "replay", log.name, "--game", "secrets.rules", "--step")
    terminal.until("step 0 of 6")
    yield terminal
    if terminal.process.poll() is None:
        terminal.process.kill()
        terminal.end()


@pytest.mark.long
def test_arrows_go_from_step_to_step_and_undone_ones_are_skipped(replaying: Terminal) -> None:
    first = replaying.until("quit")
    assert first[0].startswith("Secrets   step 0 of 6   seen by spectator")
    assert first[-1].startswith("↑↓ step")
    for key, step in ((DOWN, 1), (DOWN, 4), (DOWN, 5), (UP, 4), (END, 6), (HOME, 0)):
        lines = replaying.press(key, f"step {step} of 6", rf"(?m)^> +{step} ")
        assert sum(line.startswith(">") for line in lines) == 1
    assert "undone too" in replaying.press("u", "undone too")[0]
    assert replaying.press(DOWN + DOWN, "step 2 of 6")


@pytest.mark.long
@pytest.mark.parametrize("asked", ["", "w"])
def test_ctrl_c_ends_a_replay_with_130_also_while_something_is_typed(asked: str, replaying: Terminal) -> None:
    replaying.type(f"{asked}\x03")
    replaying.until("Interrupted")
    assert replaying.process.wait(timeout=PATIENCE) == 130


def test_q_ends_a_replay_with_0(replaying: Terminal) -> None:
    replaying.type("q")
    assert replaying.process.wait(timeout=PATIENCE) == 0


@pytest.mark.long
@pytest.mark.parametrize(("key", "code"), [("\x03", 130), ("\x04", 0)])
def test_ctrl_c_ends_typed_steps_with_130_and_the_end_of_the_input_with_0(key: str, code: int, log: Path) -> None:
    terminal = Terminal(log.parent, "replay", log.name, "--game", "secrets.rules", "--step", term="dumb")
    terminal.until("replay>")
    terminal.type(key)
    assert terminal.end() == code


@pytest.mark.long
def test_lines_are_as_long_as_a_terminal_without_a_cursor_is_wide(log: Path) -> None:
    terminal = Terminal(log.parent, "replay", log.name, "--game", "secrets.rules", "--step", term="dumb", columns=40)
    terminal.until("(?m)^number: that step +v what happened", "replay>")
    terminal.type("q\r")
    assert terminal.end() == 0


@pytest.mark.long
def test_one_jumps_to_a_step_a_phase_a_clause_and_a_text(replaying: Terminal) -> None:
    replaying.press("g5\r", "step 5 of 6")
    replaying.press(HOME, "step 0 of 6")
    replaying.press("]", "step 4 of 6")
    replaying.press(HOME + "cS-3\r", "step 5 of 6")
    replaying.press("n", "step 6 of 6")
    replaying.press("N", "step 5 of 6")
    replaying.press(HOME + "/lays\r", "step 5 of 6")
    replaying.press("rnothing\r", "no rule 'nothing' after this step")
    replaying.press("sblue\r", "step 6 of 6")


@pytest.mark.long
def test_eyes_show_what_each_may_see(replaying: Terminal) -> None:
    replaying.press(DOWN, "keeps a card")
    lines = replaying.press("e", "seen by red", "keeps card")
    assert not any("keeps a card" in line for line in lines)
    replaying.press("e", "seen by blue", "keeps a card")
    replaying.press("e", "seen by all")


@pytest.mark.long
def test_why_is_answered_on_the_screen(replaying: Terminal) -> None:
    replaying.press("eee" + DOWN, "step 1 of 6   seen by all")
    replaying.press("wred.points\r", "step 1, red: keep", "red.points: 0 -> 2")
    replaying.press("x" + "wsilver\r", "nothing here is called 'silver'")
    replaying.press(HOME + "wblue: keep\r", "blue has nothing to choose now")
    assert replaying.process.poll() is None


@pytest.mark.long
def test_an_answer_wider_than_the_terminal_goes_on_in_the_next_row(replaying: Terminal) -> None:
    replaying.resize(40, ROWS)
    replaying.process.send_signal(signal.SIGWINCH)
    replaying.press("eee" + DOWN, "step 1 of 6")
    lines = replaying.press("wred.points\r", "step 1, red: keep", "red.points: 0 -> 2")
    assert "…" not in "".join(lines[:-1])


@pytest.mark.long
def test_help_names_every_key_and_any_key_goes_back(replaying: Terminal) -> None:
    assert any("play on from here" in line for line in replaying.press("?", "other eyes"))
    replaying.press(ESCAPE, "Hand|hand|deck")
    assert replaying.process.poll() is None


@pytest.mark.long
def test_one_plays_on_from_a_step_as_another_line(replaying: Terminal, log: Path) -> None:
    replaying.press(DOWN, "step 1 of 6")
    replaying.press("ored=first blue=me\r", "blue>")
    replaying.press("2\r", "(?s)keeps.*blue>")
    replaying.type("quit\r")
    assert replaying.end() == 0
    words = [sys.executable, "-m", "cli", "replay", str(log), "--game", str(log.parent / "secrets.rules"), "--tree"]
    tree = json.loads(subprocess.run([*words, "--json"], cwd=ROOT, capture_output=True, check=True).stdout)
    assert tree["lines"] == 3
    assert [step["answer"].split(":")[0] for step in tree["steps"] if step["stands"]][:3] == ["", "red", "blue"]


@pytest.mark.long
@pytest.mark.parametrize(("columns", "rows"), [(50, 12), (120, 40)])
def test_a_screen_follows_the_terminal_s_size(replaying: Terminal, columns: int, rows: int) -> None:
    replaying.resize(columns, rows)
    replaying.process.send_signal(signal.SIGWINCH)
    replaying.press(END, "step 6 of 6")
    lines = replaying.press("?", "the step before, the next")
    assert len(lines) == rows
    assert lines[0].startswith("Secrets")
    assert lines[-1].startswith("↑↓ step")


def test_the_terminal_is_left_as_it_was(replaying: Terminal) -> None:
    replaying.type("q")
    assert replaying.end() == 0


@pytest.mark.long
def test_a_game_that_ships_fits_80_columns_and_24_rows(tmp_path: Path) -> None:
    """Each line of a screen of Exit Velocity, the widest game, ends where the terminal does, with whatever is left said."""
    from rulelang import api

    match = api.load("exit_velocity").start(2, seed=4)
    for _ in range(30):
        match.play(match.options[0])
    match.log.save(tmp_path / "a.jsonl")
    terminal = Terminal(tmp_path, "replay", "a.jsonl")
    try:
        terminal.until("step 0 of 30")
        lines = terminal.press("g20\r", "step 20 of 30")
        assert re.search(r"\d+ above, \d+ below", "\n".join(lines))
        assert lines[-1].startswith("↑↓ step")
        below = terminal.press(">", r"[1-9] above, \d+ below")
        assert below != lines
        terminal.type("q")
        assert terminal.process.wait(timeout=PATIENCE) == 0
    finally:
        terminal.process.kill()
        terminal.end()
