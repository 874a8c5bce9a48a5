"""Whoever waits is told what for: after half a second, on standard error, where that is a terminal."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import time
from io import StringIO

import pytest

from cli import waiting as room
from cli.waiting import waiting

SLOW = "import time; from cli.waiting import waiting\nwith waiting('Counting sheep'): time.sleep({})\nprint('done')"


def seen_of(seconds: float) -> tuple[str, str]:
    """Returns what stands on standard output and on a terminal that is standard error."""
    master, slave = pty.openpty()
    try:
        environment = {**os.environ, "TERM": "xterm"}
        command = [sys.executable, "-c", SLOW.format(seconds)]
        out = subprocess.run(command, stdout=subprocess.PIPE, stderr=slave, env=environment, check=True).stdout
        os.write(slave, b"\n")
        return out.decode(), os.read(master, 65536).decode()
    finally:
        os.close(master)
        os.close(slave)


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
def test_a_long_wait_says_what_for_and_leaves_standard_output_alone() -> None:
    out, err = seen_of(1.2)
    assert out == "done\n"
    assert "Counting sheep" in err


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such terminals")
def test_a_short_wait_says_nothing() -> None:
    out, err = seen_of(0)
    assert out == "done\n"
    assert "sheep" not in err


def test_where_standard_error_is_no_terminal_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    written = StringIO()
    monkeypatch.setattr(sys, "stderr", written)
    monkeypatch.setattr(room, "SILENCE", 0.0)
    with waiting("Counting sheep"):
        time.sleep(0.05)
    assert written.getvalue() == ""
