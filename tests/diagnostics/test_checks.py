"""Every code of the registry: its bad example is refused with that code alone, its good one is fine."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang import api
from rulelang.diagnostics.codes import AREAS, CODES
from rulelang.diagnostics.codes.code import Code, whole
from rulelang.diagnostics.codes.ledger import LEDGER
from rulelang.diagnostics.model import MOST_HINTS, Sink

COMMAND = {"W0524"}
"""What `rulelang check` and editors tell, and `api.check` does not: a sketch may declare what it does not use yet."""
CHECKED = [
    c for c in CODES.values() if c.id[1:3] in {"02", "03", "04", "05"} and c not in LEDGER and c.id not in COMMAND
]

UNDECIDED = {"W0517"}
"""The examples of other codes are sketches, which need not say how their games end."""


def codes_of(folder: Path, example: str) -> set[str]:
    (folder / "noise.rules").write_bytes(b"\xff\xfe\x00")
    entry = folder / "sketch.rules"
    entry.write_text(whole(example))
    return {d.code for d in api.check(entry).diagnostics}


@pytest.mark.parametrize("code", CHECKED, ids=lambda c: c.id)
def test_the_bad_example_of_a_code_is_refused_with_that_code_alone(code: Code, tmp_path: Path) -> None:
    assert codes_of(tmp_path, code.bad) - UNDECIDED == {code.id} - UNDECIDED


@pytest.mark.parametrize("code", CHECKED, ids=lambda c: c.id)
def test_the_good_example_of_a_code_has_no_fault(code: Code, tmp_path: Path) -> None:
    assert codes_of(tmp_path, code.good) - UNDECIDED == set()


def test_a_game_that_may_end_undecided_is_warned_of(tmp_path: Path) -> None:
    code = CODES["W0517"]
    assert (codes_of(tmp_path, code.bad), codes_of(tmp_path, code.good)) == (UNDECIDED, set())


def test_near_names_are_looked_for_a_limited_number_of_times() -> None:
    sink = Sink()
    assert [sink.near("discrad", ["discard"]) for _ in range(MOST_HINTS + 1)] == ["discard"] * MOST_HINTS + [None]


def test_no_two_faults_have_the_same_code() -> None:
    ids = [code.id for area in AREAS for code in area]
    assert sorted(ids) == sorted(set(ids))


def test_every_code_that_a_check_reports_is_in_the_registry() -> None:
    import re

    rooms = ("texts", "driver", "semantics", "variants", "scenarios", "rulebook", "syntax")
    root = Path(api.__file__).parent.parent
    files = [p for room in rooms for p in (root / room).rglob("*.py")]
    reported = {code for p in files for code in re.findall(r'"([EW]0\d{3})"', p.read_text())}
    assert len(reported) > 80, "the rooms have moved"
    assert reported <= set(CODES)
