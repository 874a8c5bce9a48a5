"""Diagnostics after an edit, worked out from those before it: they are those of a check from nothing."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from rulelang.diagnostics.model import Diagnostic
from rulelang.driver.chain import Unit, run, unfold
from rulelang.texts.model import Nothing
from rulelang.workspace import workspace as workspaces
from rulelang.workspace.workspace import Workspace
from tests.files import CLASSICS, GAMES

PIG = (CLASSICS / "pig.rules").read_text()
LARGEST = GAMES / "exit_velocity" / "exit_velocity.rules"


@pytest.fixture(scope="module")
def session() -> Workspace:
    opened = Workspace()
    opened.diagnostics(LARGEST)
    return opened


def told(found: tuple[Diagnostic, ...]) -> list[tuple[object, ...]]:
    """Returns all that people see of diagnostics, with every place."""
    return [(d.code, d.message, d.help, d.span, d.span.text, [(one.span, one.text) for one in d.labels]) for d in found]


def from_nothing(text: str) -> list[tuple[object, ...]]:
    fresh = Workspace(Nothing())
    fresh.put("/game.rules", text)
    return told(fresh.diagnostics("/game.rules"))


def typed(text: str, rng: random.Random) -> str:
    """Returns a text after a letter, a word or a line of it has changed."""
    at = rng.randrange(len(text))
    match rng.randrange(4):
        case 0:
            return text[:at] + rng.choice("abxyz0189 +=()\n") + text[at:]
        case 1:
            return text[:at] + text[at + 1 :]
        case 2:
            words = list(re.finditer(r"\b[a-z_]+\b|\b\d+\b", text))
            old, new = rng.choice(words), rng.choice(words)
            return text[: old.start()] + new.group() + text[old.end() :]
        case _:
            lines = text.split("\n")
            lines.insert(rng.randrange(len(lines)), rng.choice(lines))
            return "\n".join(lines)


@pytest.mark.parametrize("game", ["pig", "kuhn"])
def test_what_is_told_after_an_edit_is_what_a_check_from_nothing_tells(game: str) -> None:
    whole = (CLASSICS / f"{game}.rules").read_text()
    opened, rng = Workspace(Nothing()), random.Random(6)
    opened.put("/game.rules", whole)
    opened.diagnostics("/game.rules")
    for _ in range(15):
        text = whole
        for _ in range(rng.randrange(1, 3)):
            text = typed(text, rng)
            opened.put("/game.rules", text)
            assert told(opened.diagnostics("/game.rules")) == from_nothing(text), text
        opened.put("/game.rules", whole)
        opened.diagnostics("/game.rules")


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games that are checked as a whole, by entry."""
    found: list[str] = []

    def noted(unit: Unit, **more: object) -> Unit:
        if more.get("until") is unfold:
            found.append(unit.entry.name)
        return run(unit, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(workspaces, "run", noted)
    return found


EDITS = (
    ("play:\n", "# a comment\nplay:\n", ()),
    ("    seated += 1\n", "    seated += 2\n", ()),
    ("    seated += 1\n", "    seeted += 1\n", ("E0201",)),
    ("    seated += 1\n", "    seated += = 1\n", ("E0106",)),
)


def test_an_edit_of_a_body_looks_at_that_body_alone(checked: list[str], session: Workspace) -> None:
    text = LARGEST.read_text(encoding="utf-8")
    for old, new, codes in EDITS:
        assert old in text
        session.put(LARGEST, text.replace(old, new, 1))
        assert tuple(d.code for d in session.diagnostics(LARGEST)) == codes, new
    session.drop(LARGEST)
    assert session.diagnostics(LARGEST) == ()
    assert checked == []


@pytest.mark.parametrize(
    ("old", "new", "codes"),
    [
        ("  supply: group", "  suply: group", {"E0201"}),
        ("option residue: 0..10000", "option residue: flag", {"E0301", "E0303"}),
        ("option residue: 0..10000", "option residue: 0..1000O", {"E0106"}),
    ],
)
def test_an_edit_of_a_head_looks_at_those_alone_that_name_it(
    checked: list[str], session: Workspace, old: str, new: str, codes: set[str]
) -> None:
    text = LARGEST.read_text(encoding="utf-8")
    assert old in text
    session.put(LARGEST, text.replace(old, new, 1))
    found = session.diagnostics(LARGEST)
    assert {one.code for one in found if one.is_error} == codes
    session.drop(LARGEST)
    assert session.diagnostics(LARGEST) == ()
    assert checked == []


def test_faults_elsewhere_lie_where_their_lines_lie_now() -> None:
    session = Workspace(Nothing())
    warned = PIG + "\nvalue far(n: 0..3) -> 0..3 = n + 1\n\nto more(n: 0..3):\n  let m = n + 1\n"
    assert [one[0] for one in from_nothing(warned)] == ["W0502"]
    first, second = warned.replace("m = n + 1", "m = n + 2"), warned.replace("m = n + 1", "m = n +")
    for one in (warned, f"# one\n{warned}", first, second):
        session.put("/game.rules", one)
        assert told(session.diagnostics("/game.rules")) == from_nothing(one)


def test_names_are_found_at_once_while_a_body_is_typed(checked: list[str], session: Workspace) -> None:
    text = LARGEST.read_text(encoding="utf-8")
    typing = text.replace("    seated += 1\n", "    seated += 1\n    let more = seat\n", 1)
    session.put(LARGEST, typing)
    session.diagnostics(LARGEST)
    (found,) = session.definition_at_once(LARGEST, LARGEST, typing.index("    seated += 1") + 5)
    assert (found.name, found.what) == ("seated", "variable")
    assert "seated" in {one.name for one in session.names(LARGEST, LARGEST).definitions}
    assert checked == []


def test_a_path_that_is_no_file_of_the_game_has_no_names(tmp_path: Path) -> None:
    session = Workspace(Nothing())
    session.put("/game.rules", PIG)
    assert session.definition_at_once("/game.rules", tmp_path / "other.rules", 0) == ()
