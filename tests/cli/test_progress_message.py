"""Whoever waits is told what for: after half a second, on standard error, where that is a terminal."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time
from io import StringIO
from pathlib import Path

import pytest

from cli import progress_message as room
from cli.progress_message import waiting
from tests.conftest import Run
from tests.files import CLASSICS

HERE = Path(room.__file__).parents[1]
NIM = str(CLASSICS / "nim.rules")
SHOWN = """
from threading import Event
from cli import progress_message
shown, begin = Event(), progress_message._Spinner.begin
def begun(spinner):
    begin(spinner)
    shown.set()
progress_message._Spinner.begin = begun
"""
"""Makes the event that a message is shown, for work that takes as long as that, however busy the machine is."""
SHEEP = SHOWN + "with progress_message.waiting('Counting sheep'): {}\nprint('done')"


def seen_at(program: str) -> tuple[str, str]:
    """Returns what stands on standard output and on a terminal that is standard error, of a program."""
    master, slave = pty.openpty()
    try:
        environment = {**os.environ, "TERM": "xterm", "PYTHONPATH": str(HERE)}
        command = [sys.executable, "-c", program]
        out = subprocess.run(command, stdout=subprocess.PIPE, stderr=slave, env=environment, check=True).stdout
        os.write(slave, b"\n")
        return out.decode(), os.read(master, 65536).decode()
    finally:
        os.close(master)
        os.close(slave)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
def test_a_long_wait_says_what_for_and_leaves_standard_output_alone() -> None:
    out, err = seen_at(SHEEP.format("shown.wait(120)"))
    assert out == "done\n"
    assert "Counting sheep" in err


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
def test_a_short_wait_says_nothing() -> None:
    out, err = seen_at(SHEEP.format("pass"))
    assert out == "done\n"
    assert "sheep" not in err


def test_where_standard_error_is_no_terminal_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    written = StringIO()
    monkeypatch.setattr(sys, "stderr", written)
    monkeypatch.setattr(room, "SILENCE", 0.0)
    with waiting("Counting sheep"):
        time.sleep(0.05)
    assert written.getvalue() == ""


COMMAND = (
    SHOWN
    + """
import {module} as room
from cli.main import main
work = room.{work}
def slow(*given, **named):
    shown.wait(120)
    return work(*given, **named)
room.{work} = slow
main({words!r})
"""
)
"""A command whose work takes at least until its message is shown."""


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
@pytest.mark.parametrize(
    ("words", "module", "work", "said"),
    [
        (("fmt", "--check", NIM), "cli.commands.authoring.fmt", "_formatted", "Formatting the rules"),
        (
            ("log", "migrate", "a.jsonl", "--to", NIM, "--out", "b.jsonl"),
            "rulelang.workbench.migrated",
            "migrate",
            "Playing a.jsonl by the newer rules",
        ),
        (("log", "query", "a.jsonl", "select 1"), "rulelang.workbench.archive", "answered", "Looking for the answer"),
    ],
    ids=["fmt", "log migrate", "log query"],
)
def test_a_command_that_works_for_long_says_at_what(
    run: Run, words: tuple[str, ...], module: str, work: str, said: str
) -> None:
    if words[1] == "query":
        pytest.importorskip("duckdb")
        pytest.importorskip("pyarrow")
    assert run("play", NIM, "--seat", "all=first", "--fast", "--seed", "1", "--log", "a.jsonl").exit_code == 0
    _, err = seen_at(COMMAND.format(module=module, work=work, words=words))
    assert said in err
