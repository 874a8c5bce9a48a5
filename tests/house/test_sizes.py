"""Files and functions stay small enough to be read at one go: a bound that the code is measured by, not a goal."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.files import ROOT

MOST_LINES = 600
"""Of a file."""
LONGEST = 60
"""Lines of a function, with its decorators left out and its docstring counted."""
SOURCES = sorted(path for room in ("rulelang", "cli") for path in (ROOT / room).rglob("*.py"))


def lengths(source: str) -> Iterator[tuple[str, int]]:
    """Yields the functions of a module and how many lines each has, those inside of it included."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            yield node.name, node.end_lineno - node.lineno + 1


def too_long(path: Path) -> list[str]:
    return [f"{path}: {name} {count}" for name, count in lengths(path.read_text("utf-8")) if count > LONGEST]


def test_no_file_is_long() -> None:
    counts = {str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines()) for path in SOURCES}
    assert len(counts) > 400
    assert {name: count for name, count in counts.items() if count > MOST_LINES} == {}


def test_no_function_is_long() -> None:
    assert [one for path in SOURCES for one in too_long(path)] == []


def test_the_length_of_a_function_counts_its_signature_and_its_docstring() -> None:
    text = 'class A:\n    @property\n    def f(\n        self,\n    ) -> int:\n        """One."""\n        return 1\n'
    assert list(lengths(text)) == [("f", 5)]
