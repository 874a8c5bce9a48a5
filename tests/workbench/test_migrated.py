"""Logs moved to newer rules: what is as it was, what is not, and that nothing happens silently."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import attrs
import pytest

from cli.commands.logs.migrate import _report
from rulelang import api
from rulelang.errors import LogError
from rulelang.log.format import Chain, Log, canonical
from rulelang.log.reading import parse_log
from rulelang.workbench.divergence_report import Policy
from rulelang.workbench.migrated import Immovable, Migration, migrate
from tests.conftest import Run
from tests.files import CLASSICS

NIM = CLASSICS / "nim.rules"


def played(choices: int = 3, *, undone: bool = False) -> Log:
    match = api.load(NIM).start(seed=1)
    for _ in range(choices):
        match.play(match.options[-1])
    if undone:
        match.undo()
        match.play(match.options[0])
    return match.log


def moved(log: Log, rules: str, policy: Policy = Policy.NEAREST) -> Migration:
    return migrate(parse_log(BytesIO(log.text.encode())), api.load(rules), policy)


@pytest.fixture
def other(tmp_path: Path) -> str:
    """Nim in which fewer matches may be taken."""
    path = tmp_path / "nim.rules"
    text = NIM.read_text()
    assert "1..3" in text
    path.write_text(text.replace("1..3", "1..2"))
    return str(path)


def test_rules_that_do_the_same_keep_a_log_byte_by_byte_with_what_was_undone() -> None:
    log = played(undone=True)
    found = moved(log, str(NIM))
    assert found.text.decode() == log.text
    assert found.is_faithful


def test_each_choice_that_other_rules_replace_is_reported_with_its_line(other: str) -> None:
    found = moved(played(), other)
    assert not found.is_faithful
    assert found.replaced == len(found.instead) > 0
    assert all("take(3)" in one.logged and "take(2)" in one.told and one.line > 1 for one in found.instead)
    assert api.replay(parse_log(BytesIO(found.text)), under=api.load(other)).difference is None


def test_what_is_left_out_and_what_was_taken_back_is_reported(other: str) -> None:
    found = moved(played(undone=True), other, Policy.SKIP)
    assert found.left_out > 0
    assert all(not one.told for one in found.instead)
    assert found.undone == 1


def test_where_the_game_stops_the_rest_is_counted(other: str) -> None:
    found = moved(played(), other, Policy.STOP)
    assert (found.kept, found.unread) == (0, 3)
    assert "stopped at step 1" in found.stopped


def test_the_counts_are_those_of_the_log_whatever_the_policy(other: str) -> None:
    for policy in Policy:
        log = played(undone=True)
        found = moved(log, other, policy)
        choices = parse_log(BytesIO(log.text.encode())).choices
        assert found.kept + found.replaced + found.left_out + found.undone + found.unread == choices


def test_rules_that_cannot_set_the_game_up_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "nim.rules"
    path.write_text(NIM.read_text().replace("players 2", "players 3").replace("first, second", "first, second, third"))
    with pytest.raises(Immovable):
        moved(played(), str(path))


def test_the_log_of_one_seat_cannot_be_moved() -> None:
    with pytest.raises(LogError):
        moved(played().for_seat(0), str(NIM))


def test_the_command_writes_another_file_and_says_what_is_not_as_it_was(run: Run, other: str) -> None:
    log = played()
    log.save("old.jsonl")
    result = run("log", "migrate", "old.jsonl", "--to", other, "--out", "new.jsonl")
    assert result.exit_code == 0, result.output
    assert "0 choices as they were, 3 replaced" in result.output
    assert "first: take(3) -> first: take(2)" in result.output
    assert Path("old.jsonl").read_text() == log.text
    assert run("replay", "new.jsonl", "--game", other).exit_code == 0
    assert run("log", "migrate", "old.jsonl", "--to", other, "--out", "new.jsonl").exit_code == 1
    data = json.loads(run("log", "migrate", "old.jsonl", "--to", other, "--out", "b.jsonl", "--json").output)
    assert (data["replaced"], data["faithful"]) == (3, False)
    same = run("log", "migrate", "old.jsonl", "--to", str(NIM), "--out", "same.jsonl")
    assert "nothing else is different" in same.output
    assert Path("same.jsonl").read_text() == log.text


def test_an_edited_log_is_refused_and_nothing_is_written(run: Run) -> None:
    Path("old.jsonl").write_text(played().text.replace("take(3)", "take(1)", 1))
    result = run("log", "migrate", "old.jsonl", "--to", str(NIM), "--out", "new.jsonl")
    assert result.exit_code == 3
    assert not Path("new.jsonl").exists()


def resealed(text: str, change: dict[str, object], line: int) -> bytes:
    """A log with other fields in one line, and hashes that agree with it."""
    chain, lines = Chain(), []
    for number, written in enumerate(text.splitlines(), start=1):
        record = json.loads(written)
        record |= change if number == line else {}
        digits = chain.add({name: value for name, value in record.items() if name != "h"})
        lines.append(canonical({**record, "h": digits} if "h" in record else record))
    return "".join(f"{one}\n" for one in lines).encode()


def raced() -> tuple[str, int]:
    """A log of a game that ships, and the line of its first sentence."""
    match = api.load("outspeed").start(players=3, seed=1)
    for _ in range(12):
        match.play(match.options[0])
    lines = match.log.text.splitlines()
    return match.log.text, next(n for n, line in enumerate(lines, start=1) if '"sentence":"Green' in line)


@pytest.mark.parametrize("to", ["outspeed", "outspeed+sprint"])
def test_a_log_that_was_edited_and_sealed_again_is_refused_whatever_it_is_moved_to(to: str, run: Run) -> None:
    """Moving it would write the sentence anew, and nobody would know."""
    text, line = raced()
    Path("edited.jsonl").write_bytes(resealed(text, {"sentence": "Green cheats"}, line))
    result = run("log", "migrate", "edited.jsonl", "--to", to, "--out", "new.jsonl")
    assert result.exit_code == 3
    assert f"line {line}" in result.output
    assert "tampering" in result.output
    assert not Path("new.jsonl").exists()


def test_what_another_version_wrote_otherwise_is_in_the_report(run: Run) -> None:
    text, line = raced()
    old = resealed(text, {"engine": "rulelang 0.0.1"}, 1).decode()
    Path("old.jsonl").write_bytes(resealed(old, {"sentence": "Green shall go"}, line))
    said = run("log", "migrate", "old.jsonl", "--out", "new.jsonl").output
    assert f"line {line}" in said
    assert "Green shall go" in said
    assert "another engine" in said
    assert "nothing else is different" not in said
    data = json.loads(run("log", "migrate", "old.jsonl", "--out", "b.jsonl", "--json").output)
    assert data["faithful"] is False
    assert "Green shall go" in data["rewritten"]


@pytest.mark.parametrize(("many", "said"), [(1, "1 difference, the first:"), (2, "2 differences, the first:")])
def test_a_report_counts_its_differences(many: int, said: str, other: str) -> None:
    found = moved(played(), other)
    report = _report(attrs.evolve(found, differences=found.differences[:1] * many), Path("new.jsonl"))
    assert said in report
