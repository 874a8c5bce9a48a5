"""Each fault is told once, at its own place."""

from __future__ import annotations

from pathlib import Path

from rulelang import api
from rulelang.diagnostics.model import Diagnostic

NIM = 'game nim "Nim":\n  players 2\n\nthe game has:\n  heap: 0..9 = 9\n\nplay:\n  settle\n'


def told(entry: Path) -> list[tuple[str, str]]:
    return [(found.code, found.span.place) for found in api.check(entry).diagnostics if found.is_error]


def check_text(text: str) -> tuple[Diagnostic, ...]:
    return api.check_text(text).diagnostics


def test_a_circle_of_files_is_one_fault_where_it_closes(tmp_path: Path) -> None:
    (tmp_path / "nim.rules").write_text('include "there.rules"\n' + NIM)
    (tmp_path / "there.rules").write_text('enum Colour: red, blue\ninclude "nim.rules"\n')
    assert told(tmp_path / "nim.rules") == [("E0214", "there.rules:2:1")]


def test_a_circle_that_leaves_out_the_first_file_is_one_fault_too(tmp_path: Path) -> None:
    (tmp_path / "nim.rules").write_text('include "a.rules"\n' + NIM)
    (tmp_path / "a.rules").write_text('include "b.rules"\nenum Colour: red, blue\n')
    (tmp_path / "b.rules").write_text('include "a.rules"\n')
    assert told(tmp_path / "nim.rules") == [("E0214", "b.rules:1:1")]


def test_a_byte_that_is_not_utf_8_has_its_line_and_column(tmp_path: Path) -> None:
    (tmp_path / "nim.rules").write_bytes(NIM.replace("Nim", "Ním").encode("utf-8") + b"# caf\xe9\n")
    assert told(tmp_path / "nim.rules") == [("E0216", "nim.rules:9:6")]


def test_a_byte_that_is_not_utf_8_has_its_place_in_an_included_file(tmp_path: Path) -> None:
    (tmp_path / "nim.rules").write_text('include "there.rules"\n' + NIM)
    (tmp_path / "there.rules").write_bytes(b"# fine\n\xff\n")
    found = next(one for one in api.check(tmp_path / "nim.rules").diagnostics if one.code == "E0216")
    assert found.span.place == "there.rules:2:1"
    assert [label.span.place for label in found.labels] == ["nim.rules:1:1"]


def test_a_drawing_without_its_end_says_so_where_it_begins() -> None:
    found = check_text(NIM + 'board Street: square\n  map """\n    a b\n    c d\n')
    assert (found[0].code, found[0].span.place.split(":", 1)[1]) == ("E0108", "10:7")
    assert '`"""`' in (found[0].help or "")
