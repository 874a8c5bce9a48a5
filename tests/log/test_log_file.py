"""Logs on a disk: one writer, nothing acknowledged that is not there, full disks, and what can be saved of a damaged one."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cli.main import main
from rulelang import api
from rulelang.errors import DamagedLog, LogError, LogInUse
from rulelang.log.fields import LONGEST_LINE
from rulelang.log.file import LogFile
from rulelang.log.format import LogWriter
from rulelang.log.reading import read_log
from rulelang.log.replay import resume
from tests.files import CLASSICS, ROOT

NIM = CLASSICS / "nim.rules"


def run(*words: str | Path, input: str = "") -> Result:
    result = CliRunner().invoke(main, [str(w) for w in words], input=input, env={"COLUMNS": "200", "NO_COLOR": "1"})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return result


def process(*words: str | Path, **more: Any) -> subprocess.Popen[str]:
    """Starts a command as a process of its own, which reads its answers from a pipe."""
    return subprocess.Popen(
        [sys.executable, "-m", "cli", *map(str, words)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        **more,
    )


def answered(player: subprocess.Popen[str], answer: str, log: Path) -> None:
    """Gives an answer and waits until the log has it."""
    assert player.stdin is not None
    before = log.stat().st_size if log.exists() else 0
    player.stdin.write(f"{answer}\n")
    player.stdin.flush()
    for _ in range(600):
        if log.exists() and log.stat().st_size > before:
            return
        player.poll()
        os.sched_yield()
        subprocess.run(["sleep", "0.05"], check=True)
    raise AssertionError("the answer was not written")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log of some choices of nim, which is not over."""
    path = tmp_path / "nim.jsonl"
    result = run("play", NIM, "--seed", "3", "--seat", "all=me", "--log", path, input="1\n1\n1\n1\nquit\n")
    assert result.exit_code == 0, result.output
    return path


# ------------------------------------------------------------------ one writer


def test_a_second_writer_is_refused_at_once_and_may_still_read(log: Path) -> None:
    player = process("play", NIM, "--resume", log)
    try:
        answered(player, "1", log)
        before = log.read_bytes()
        second = run("play", NIM, "--resume", log, input="1\n1\n")
        assert second.exit_code == 1
        assert "nim.jsonl is being written by another game" in second.output
        assert log.read_bytes() == before
        assert run("replay", log, "--game", NIM).exit_code == 0
    finally:
        player.kill()
        player.communicate()
    assert run("play", NIM, "--resume", log, input="quit\n").exit_code == 0


def test_the_writer_of_a_new_log_has_it_alone(tmp_path: Path) -> None:
    with LogFile.create(tmp_path / "a.jsonl"):
        with pytest.raises(LogInUse, match=r"a\.jsonl"):
            LogFile.reopen(tmp_path / "a.jsonl")
        with pytest.raises(FileExistsError):
            LogFile.create(tmp_path / "a.jsonl")
    LogFile.reopen(tmp_path / "a.jsonl").close()


def test_a_log_that_went_on_since_it_was_read_is_not_gone_on_with(log: Path) -> None:
    again = api.replay(log, under=str(NIM))
    first = resume(log, again)
    again.match.play(again.match.options[0])
    first.close()
    whole = log.read_bytes()
    stale = api.replay(log, under=str(NIM))
    second = resume(log, stale)
    stale.match.play(stale.match.options[0])
    second.close()
    with pytest.raises(LogError, match="was changed since it was read"):
        resume(log, again)
    assert log.read_bytes().startswith(whole)
    assert api.replay(log, under=str(NIM)).difference is None


# ------------------------------------------------------------------ on the disk before it is acknowledged


def test_a_persons_choice_is_on_the_disk_before_the_next_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, synced = tmp_path / "nim.jsonl", list[int]()
    real = os.fsync

    def fsync(handle: int) -> None:
        real(handle)
        if path.exists() and os.path.sameopenfile(handle, handle) and os.fstat(handle).st_ino == path.stat().st_ino:
            synced.append(path.read_bytes().count(b'"input":"choice"'))

    monkeypatch.setattr(os, "fsync", fsync)
    run("play", NIM, "--seed", "3", "--seat", "all=me", "--log", path, input="1\n1\n1\nundo\nquit\n")
    assert synced[:4] == [0, 1, 2, 3]
    synced.clear()
    bots = tmp_path / "bots.jsonl"
    path = bots
    run("play", NIM, "--seed", "3", "--seat", "all=random", "--fast", "--log", bots)
    whole = bots.read_bytes().count(b'"input":"choice"')
    assert synced == [0, whole]


# ------------------------------------------------------------------ a full disk


@pytest.fixture
def small_files() -> Iterator[None]:
    """Lets no file grow beyond 4000 bytes, as a full disk would."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.usefixtures("small_files")
def test_a_full_disk_names_the_log_and_the_way_on(tmp_path: Path) -> None:
    path = tmp_path / "race.jsonl"
    result = run("play", "outspeed", "--seed", "3", "--seat", "all=random", "--fast", "--log", path)
    assert result.exit_code == 1
    assert "race.jsonl cannot be written: the disk is full" in result.output
    assert f"go on with: rulelang play outspeed --resume {path}" in result.output
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
    assert read_log(path).notes == ()
    again = run("play", "outspeed", "--resume", path, "--fast")
    assert again.exit_code == 0, again.output
    assert run("replay", path).exit_code == 0


@pytest.mark.usefixtures("small_files")
def test_what_is_written_whole_is_not_there_at_all_on_a_full_disk(tmp_path: Path) -> None:
    match = api.load("outspeed").start(players=4, seed=7)
    while len(match.log.text) < 5000:
        match.play(match.options[0])
    with pytest.raises(OSError, match=r"race\.jsonl"):
        match.log.save(tmp_path / "race.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_when_a_listener_raises_the_match_and_the_log_are_as_before_the_call(tmp_path: Path) -> None:
    match = api.load("outspeed").start(players=3, seed=7)
    file = LogFile.create(tmp_path / "race.jsonl")
    writer = LogWriter(file, match.header)
    for entry in match.journal:
        writer(entry)
    calls = list[object]()

    def moody(entry: object) -> None:
        calls.append(entry)
        if len(calls) % 3 == 2:
            raise OSError("not today")

    match.listen(writer)
    match.listen(moody)
    for _ in range(40):
        before = (match.key, match.journal, match.inputs, match.can_undo, match.to_move, match.log.text)
        try:
            match.play(match.options[0])
        except OSError:
            assert (match.key, match.journal, match.inputs, match.can_undo, match.to_move, match.log.text) == before
        else:
            assert match.journal != before[1]
        assert (tmp_path / "race.jsonl").read_text() == match.log.text
        if match.can_undo:
            before = (match.key, match.journal, match.inputs, match.can_undo, match.to_move, match.log.text)
            try:
                match.fork()
                if len(calls) % 5 == 1:
                    match.undo()
            except OSError:
                assert (match.key, match.journal, match.inputs, match.can_undo, match.to_move, match.log.text) == before
        assert (tmp_path / "race.jsonl").read_text() == match.log.text
    writer.close()
    assert api.replay(tmp_path / "race.jsonl").difference is None


# ------------------------------------------------------------------ what could not be read back is not written

BABBLE = """\
game babble "Babble":
  players 2
names p: Player
enum Word: {members}
the game has:
  said: set of Word = Word
to speak() "{sentence}": said = {{}}
action go(p) "Go": speak()
play:
  turns p from first_player: p chooses one of go, or stop
"""


def babble(folder: Path) -> Path:
    """Rules of a few lines whose event is longer than a line of a log may be."""
    members = ", ".join("w" * 20 + str(i) for i in range(900))
    text = BABBLE.format(members=members, sentence="{said}" * 80)
    path = folder / "babble.rules"
    path.write_text(text)
    return path


@pytest.mark.long
def test_an_event_longer_than_a_line_is_refused_before_it_is_written(tmp_path: Path) -> None:
    rules, path = babble(tmp_path), tmp_path / "babble.jsonl"
    match = api.load(rules).start(2, seed=1)
    before = match.log.text
    match.play("player1: go")
    with pytest.raises(LogError, match=r"takes 1,[0-9,]+ bytes: a line of a log has 1,048,576 at most"):
        match.log.text
    result = run("play", rules, "--seed", "1", "--seat", "all=me", "--log", path, input="1\n")
    assert result.exit_code == 1
    assert "a line of a log has 1,048,576 at most" in result.output
    assert path.read_text().splitlines()[1:] == before.splitlines()[1:]
    assert run("replay", path, "--game", rules).exit_code == 0


def test_the_longest_line_that_is_read_is_the_longest_that_is_written() -> None:
    from rulelang.log.format import Chain, sealed_line

    for size in range(LONGEST_LINE - 60, LONGEST_LINE + 5):
        try:
            line = sealed_line({"fault": "x" * (size - 30)}, Chain(), 2)
        except LogError:
            assert size - 30 + len('{"fault":""}\n') > LONGEST_LINE
        else:
            assert len(line) + 1 <= LONGEST_LINE


# ------------------------------------------------------------------ damaged logs


@pytest.mark.parametrize("damage", ["changed", "lost", "zeros", "interleaved", "too long"])
def test_of_a_damaged_log_it_is_said_what_can_be_saved_and_how(log: Path, damage: str, tmp_path: Path) -> None:
    lines = log.read_bytes().splitlines(keepends=True)
    at = max(n for n, line in enumerate(lines) if b'"input":"choice"' in line)
    match damage:
        case "changed":
            lines[at] = lines[at].replace(b"1", b"2")
        case "lost":
            del lines[at - 1]
        case "zeros":
            lines[at:] = [bytes(4096), b"\n"]
        case "interleaved":
            lines[at:] = [lines[1], lines[2], *lines[at:]]
        case "too long":
            lines[at] = b"x" * (LONGEST_LINE + 10) + b"\n"
    log.write_bytes(b"".join(lines))
    with pytest.raises(DamagedLog) as caught:
        read_log(log)
    result = run("replay", log, "--game", NIM)
    assert result.exit_code == 3
    saved = f"{caught.value.saved} choices can be saved: rulelang replay {log} --repair NEW-FILE"
    assert saved in " ".join(result.output.split()).replace("NEW- FILE", "NEW-FILE")
    assert caught.value.saved >= 2
    out = tmp_path / "saved.jsonl"
    told = run("replay", log, "--repair", out)
    assert told.exit_code == 0
    assert f"{out} has {caught.value.saved} choices" in told.output
    assert log.read_bytes() == b"".join(lines)
    assert log.read_bytes().startswith(out.read_bytes())
    again = run("replay", out, "--game", NIM, "--json")
    assert json.loads(again.output)["choices"] == caught.value.saved
    assert run("play", NIM, "--resume", out, input="quit\n").exit_code == 0
    assert run("replay", log, "--repair", out).exit_code == 1


def test_a_resumed_log_that_is_damaged_is_left_as_it_is(log: Path) -> None:
    data = log.read_bytes().replace(b'"n":2', b'"n":3', 1)
    log.write_bytes(data)
    result = run("play", NIM, "--resume", log, input="1\n")
    assert (result.exit_code, log.read_bytes()) == (3, data)
    assert "--repair" in result.output


def test_a_log_that_is_whole_or_cut_off_is_repaired_to_itself(log: Path, tmp_path: Path) -> None:
    assert "nothing was damaged" in run("replay", log, "--repair", tmp_path / "copy.jsonl").output
    assert (tmp_path / "copy.jsonl").read_bytes() == log.read_bytes()
    whole = log.read_bytes()
    log.write_bytes(whole[:-5])
    assert "cut off" in run("replay", log, "--repair", tmp_path / "cut.jsonl").output
    assert whole.startswith((tmp_path / "cut.jsonl").read_bytes())


def test_of_what_is_no_log_nothing_can_be_saved(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("no log\n")
    result = run("replay", tmp_path / "a.jsonl", "--repair", tmp_path / "b.jsonl")
    assert result.exit_code == 3
    assert "no part of it can be saved" in result.output
    assert not (tmp_path / "b.jsonl").exists()


# ------------------------------------------------------------------ what is no file


@pytest.mark.parametrize(
    "words", [("replay", "{}"), ("play", NIM, "--resume", "{}"), ("replay", "{}", "--repair", "x")]
)
@pytest.mark.parametrize("what", ["pipe", "folder", "device", "nothing", "a NUL"])
def test_a_log_that_is_no_file_is_refused_in_words(
    words: tuple[str | Path, ...], what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    path = {"pipe": "pipe", "folder": ".", "device": "/dev/zero", "nothing": "none", "a NUL": "a\0b"}[what]
    result = run(*(path if word == "{}" else word for word in words))
    assert result.exit_code in (1, 2, 3)
    assert "rror" in result.output
    assert not Path("x").exists()


@pytest.mark.parametrize("path", ["pipe", ".", "/dev/full", "none/a.jsonl", "a\0b", "x" * 300, "link.jsonl"])
def test_a_log_is_not_begun_where_no_new_file_can_be(
    path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    Path("link.jsonl").symlink_to("elsewhere.jsonl")
    result = run("play", NIM, "--seat", "all=random", "--fast", "--log", path)
    assert result.exit_code in (1, 2, 3)
    assert "rror" in result.output
    assert {p.name for p in tmp_path.iterdir()} == {"pipe", "link.jsonl"}


# ------------------------------------------------------------------ save, at the prompt


@pytest.mark.parametrize("name", ["there.rules", "link.jsonl", "folder", "a\0b", "none/x.jsonl", "pipe"])
def test_save_writes_no_file_over_another_and_follows_no_link(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    Path("there.rules").write_text("mine")
    Path("folder").mkdir()
    Path("link.jsonl").symlink_to("there.rules")
    before = {p.name for p in tmp_path.iterdir()}
    result = run("play", NIM, "--seed", "1", "--seat", "all=me", input=f"save {name}\nsave good.jsonl\nquit\n")
    assert result.exit_code == 0
    assert "It cannot be saved there" in result.output
    assert Path("there.rules").read_text() == "mine"
    assert {p.name for p in tmp_path.iterdir()} == {*before, "good.jsonl"}
    assert run("replay", "good.jsonl", "--game", NIM).exit_code == 0


def test_a_line_that_says_something_twice_is_refused(log: Path) -> None:
    lines = log.read_text().splitlines(keepends=True)
    at = next(i for i, line in enumerate(lines) if '"input":"choice"' in line)
    lines[at] = lines[at].replace('"seat":', '"seat":"nobody","seat":', 1)
    log.write_text("".join(lines))
    with pytest.raises(LogError, match=f"line {at + 1} has 'seat' twice: the log was changed"):
        read_log(log)
