"""Logs that are kept: every engine replays them under the rules that they were played by, byte by byte."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from pathlib import Path

import attrs
import pytest

from rulelang import api
from rulelang.log.fields import NAMED_STREAMS
from rulelang.log.format import Log
from rulelang.log.reading import read_log
from rulelang.log.replay import resume
from rulelang.machines.chance import Seeded
from tests.files import NAMES
from tests.replays.__main__ import EACH, FOLDER

LOGS = sorted(FOLDER.glob("*.jsonl"))
FIRST = [FOLDER / f"{game}.1.jsonl" for game in api.games()]
"""A log of each game."""
OUTSPEED = FOLDER / "outspeed.1.jsonl"
"""The one that each run replays: the others are for the long tests."""
CASES = [pytest.param(path, id=path.stem, marks=() if path == OUTSPEED else pytest.mark.long) for path in LOGS]


@pytest.mark.long
def test_two_logs_are_kept_for_each_game_and_variant_that_ships() -> None:
    kept = [path.name.rsplit(".", 2)[0] for path in LOGS]
    assert {name: kept.count(name) for name in NAMES} == dict.fromkeys(NAMES, EACH)


@cache
def rules_with(hash: str) -> api.Game:
    """Returns the rules with a hash, by which logs were played."""
    return api.load(FOLDER / "rules" / f"{hash}.rules")


@pytest.mark.parametrize("path", CASES)
def test_a_kept_log_replays_byte_by_byte(path: Path) -> None:
    log = read_log(path)
    game = rules_with(log.header.rules)
    assert game.rules_hash == log.header.rules, "the hash of the same rules is the same in every release"
    again = api.replay(log, under=game)
    assert again.difference is None
    assert Log(log.header, again.match.journal).text.encode() == path.read_bytes()
    assert BytesIO(path.read_bytes()).readline().startswith(b'{"rulelang":"log","format":')


@pytest.mark.parametrize("path", [case for at, case in enumerate(CASES) if at % 4 == 0 or LOGS[at] in FIRST])
def test_a_log_that_is_not_compared_comes_to_the_same_journal(path: Path) -> None:
    log = read_log(path)
    game = rules_with(log.header.rules)
    quick, whole = api.replay(log, under=game, compares=False), api.replay(log, under=game)
    assert quick.match.journal == whole.match.journal
    assert isinstance(quick.match.internals.drawn_from, Seeded), "the seed gives what the log has"


def test_outcomes_that_the_seed_does_not_give_come_from_the_log_all_the_same() -> None:
    log = read_log(OUTSPEED)
    game = rules_with(log.header.rules)
    other = attrs.evolve(log, header=attrs.evolve(log.header, seed="another"))
    quick, whole = api.replay(other, under=game, compares=False), api.replay(log, under=game)
    assert quick.match.journal == whole.match.journal
    assert not isinstance(quick.match.internals.drawn_from, Seeded)


@pytest.mark.long
def test_a_log_of_an_earlier_format_is_gone_on_with_by_the_streams_of_then(tmp_path: Path) -> None:
    """Its random picks have numbers, `random draw#1`; those of format 3 are named by what they are for."""
    whole = next(path for path in LOGS if b'"input":"pick"' in path.read_bytes().partition(b'"input":"choice"')[2])
    lines = whole.read_bytes().splitlines(keepends=True)
    choices = [number for number, line in enumerate(lines) if b'"input":"choice"' in line]
    picks = [number for number, line in enumerate(lines) if b'"input":"pick"' in line and number > choices[0]]
    begun = max(number for number in choices if number < picks[0])
    path = tmp_path / whole.name
    path.write_bytes(b"".join(lines[:begun]))
    log = read_log(path)
    assert log.header.format < NAMED_STREAMS
    again = api.replay(log, under=str(FOLDER / "rules" / f"{log.header.rules}.rules"))
    writer = resume(path, again)
    for line in read_log(whole).lines[begun - 1 :]:
        if line.what == "choice":
            again.match.play(f"{line.record['seat']}: {line.record['option']}", elapsed=line.record.get("elapsed"))
        if line.number > picks[0] + 40:
            break
    writer.close()
    assert path.read_bytes() == b"".join(lines[: len(path.read_bytes().splitlines())])
    assert len(path.read_bytes().splitlines()) > picks[0]


def test_a_log_replays_by_rules_that_cite_other_clauses(tmp_path: Path) -> None:
    rules = tmp_path / "count.rules"
    rules.write_text(
        'game count "Count":\n  players 2\n  seats red, blue\nnames p: Player\nthe game has:\n  total: 0..9 = 0\n'
        'play:\n  turns p from red:\n    p chooses one of add, or pass\n    if total == 3: finish with winner p\n'
        'action add(p) "Add", "{p} adds":  [C-1]\n  total += 1  [C-2]\n',
        encoding="utf-8",
    )  # fmt: skip
    match = api.load(rules).start(seed=1)
    for seat in ("red", "blue"):
        match.play(f"{seat}: add")
    log = match.log
    rules.write_text(rules.read_text().replace("  [C-1]", "").replace("C-2", "C-3"), encoding="utf-8")
    assert api.replay(log, under=api.load(rules)).difference is None
