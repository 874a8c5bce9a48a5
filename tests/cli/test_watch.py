"""`rulelang watch`: at each save, whatever way an editor saves, a game is checked, tested and replayed."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from cli.commands.authoring.watch import EVERY, SETTLED
from rulelang import api
from tests.files import CLASSICS

pty = pytest.importorskip("pty")

PATIENCE = 300.0
"""Seconds to wait for words on a machine that is busy."""
ROOT = Path(__file__).parent.parent.parent
END = "; Ctrl-C ends it"


class Watching:
    """The command at a terminal, in a folder of its own."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.master, slave = pty.openpty()
        env = {**os.environ, "TERM": "xterm", "NO_COLOR": "1", "COLUMNS": "80", "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "cli", "watch", *words],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=env,
            cwd=folder,
            start_new_session=True,
            # Whoever runs the tests in the background ignores Ctrl-C, and what they start would too.
            preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
        )
        os.close(slave)
        self.seen = ""

    def until(self, wanted: str) -> str:
        """Waits for words; returns what stood before them and with them."""
        begun = time.monotonic()
        while wanted not in self.seen and time.monotonic() - begun < PATIENCE:
            if select.select([self.master], [], [], 0.2)[0]:
                try:
                    self.seen += re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", os.read(self.master, 4096).decode())
                except OSError:
                    break
        assert wanted in self.seen, self.seen
        before, self.seen = self.seen.split(wanted, 1)
        return before + wanted

    def is_quiet(self, seconds: float) -> bool:
        return not select.select([self.master], [], [], seconds)[0]


def is_saved_twice(path: Path, text: str) -> bool:
    """Saves a file twice; returns whether that was quick: a busy machine may hold up a test between the two."""
    path.write_text(text)
    begun = time.monotonic()
    time.sleep(0.05)
    path.write_text(text)
    return time.monotonic() - begun < EVERY * SETTLED


@pytest.fixture
def nim(tmp_path: Path) -> Path:
    scenario = '\nscenario "twenty-one":\n  expect heap == 21\n'
    (tmp_path / "nim.rules").write_text((CLASSICS / "nim.rules").read_text() + scenario)
    match = api.load(tmp_path / "nim.rules").start(seed=1)
    while match.to_move:
        match.play(match.options[-1])
    match.log.save(tmp_path / "game.jsonl")
    return tmp_path


@pytest.fixture
def watching(nim: Path) -> Iterator[Watching]:
    found = Watching(nim, "nim.rules")
    yield found
    found.process.kill()
    found.process.wait()
    os.close(found.master)


@pytest.mark.long
def test_each_save_is_checked_tested_and_replayed_until_ctrl_c(watching: Watching, nim: Path) -> None:
    rules, text = nim / "nim.rules", (nim / "nim.rules").read_text()
    first = watching.until(END)
    assert "no faults" in first
    assert "1 scenario, all pass" in first
    assert "game.jsonl: as it was played" in first

    # A fault is shown with its place, and the watch goes on.
    rules.write_text(text.replace("heap -= n", "heep -= n"))
    faulty = watching.until(END)
    assert "nim.rules was saved" in faulty
    assert "error[E0201]" in faulty
    assert "test " not in faulty

    # Many editors write another file and rename it.
    (nim / "new").write_text(text.replace("0..21 = 21", "0..21 = 20"))
    (nim / "new").rename(rules)
    assert "game.jsonl: " in watching.until(END)

    # Two saves in quick succession are one.
    while not is_saved_twice(rules, text):
        watching.until(END)
        while not watching.is_quiet(1.5):
            watching.until(END)
    assert watching.until(END).count("was saved") == 1
    assert watching.is_quiet(1.5)

    # A file that is gone is waited for.
    rules.unlink()
    watching.until("nim.rules is gone; it is waited for")
    rules.write_text(text)
    assert "no faults" in watching.until("as it was played")

    # A file beside the game is no file of the game.
    watching.until(END)
    (nim / ".nim.rules.swp").write_text("")
    assert watching.is_quiet(1.5)

    watching.process.send_signal(signal.SIGINT)
    assert watching.process.wait(timeout=PATIENCE) == 130


@pytest.mark.long
def test_a_file_of_variants_is_tested_with_each_of_them(nim: Path) -> None:
    """Slow: variants in a file alone are of a game that ships, which has many scenarios."""
    (nim / "my.rules").write_text(
        'variant dear of outspeed "Dear":\n  constant starting_fuel = 11\n\n'
        '  scenario "eleven":\n    expect green.fuel == 12\n'
    )
    watching = Watching(nim, "my.rules")
    try:
        seen = watching.until(END)
        assert "FAIL  eleven" in seen
        assert "test    my.rules+dear: 1 of 1 own fail" in seen
        assert "no log of outspeed here" in seen
    finally:
        watching.process.kill()
        watching.process.wait()
        os.close(watching.master)


def test_what_is_not_there_cannot_be_watched(nim: Path) -> None:
    watching = Watching(nim, "none.rules")
    watching.until("there is no file 'none.rules'")
    assert watching.process.wait(timeout=PATIENCE) == 3
    os.close(watching.master)
