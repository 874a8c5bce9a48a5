"""Games written in a test: what the check says of them, and whether their scenarios hold on both executors."""

from __future__ import annotations

from pathlib import Path
from string import ascii_lowercase

from rulelang import api
from rulelang.diagnostics.codes.code import whole
from rulelang.scenarios.run import lower_all, run_scenarios


def faults(text: str, folder: Path) -> list[tuple[str, str]]:
    """Returns the code and message of all that is said of rules and their scenarios, save that they may end undecided, as
    sketches do; a header and `play:` are added where missing."""
    return _said(api.check(_written(text, folder)))


def game(text: str, folder: Path) -> api.Game:
    """Returns rules that check without an error as a game."""
    checked = api.check(_written(text, folder))
    assert checked.game is not None, [f"{d.span.place} {d.message}" for d in checked.diagnostics]
    return checked.game


def board_rows(columns: int, rows: int) -> tuple[str, str]:
    """Returns the lines of the map of a board, and the name of its last space."""
    lines = "\n".join("    " + " ".join("." * columns) for _ in range(rows))
    return lines, f"{ascii_lowercase[columns - 1]}{rows}"


def assert_holds(text: str, folder: Path) -> None:
    """Asserts that rules check without a word, and that their scenarios hold on both executors."""
    checked = api.check(_written(text, folder))
    said, played = _said(checked), checked.game
    assert not said, said
    assert played is not None
    for executor in ("reference", "generated"):
        results = run_scenarios(played, executor=executor)
        assert results, "no scenario"
        failed = [(r.name, r.faults) for r in results if not r.passed]
        assert not failed, failed


def assert_variant_holds(text: str, variant: str, folder: Path) -> None:
    """Asserts that rules check with a variant without a word, and that all its scenarios hold."""
    checked = api.check(_written(text, folder), (variant,))
    assert checked.game is not None, [f"{d.span.place} {d.message}" for d in checked.diagnostics]
    assert not checked.diagnostics
    results = run_scenarios(checked.game)
    assert results, "no scenario"
    assert all(result.passed for result in results), [(r.name, r.faults) for r in results if not r.passed]


def _said(checked: api.Checked) -> list[tuple[str, str]]:
    lowered = lower_all(checked.game) if checked.game is not None else ()
    return [(d.code, d.message) for d in (*checked.diagnostics, *lowered) if d.code != "W0517"]


def _written(text: str, folder: Path) -> Path:
    entry = folder / "sketch.rules"
    entry.write_text(whole(text))
    return entry
