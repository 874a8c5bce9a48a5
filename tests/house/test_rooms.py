"""The house is as `docs/internals.md` draws it, and every room says what it is for."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from rulelang.syntax import nodes
from tests.files import ROOT, TESTS
from tests.house.rooms import drawing, packages

INTERNALS = (ROOT / "docs" / "internals.md").read_text(encoding="utf-8")
MOST_FILES = 14
PACKAGES = list(packages())


def test_the_drawing_of_the_rooms_is_that_of_the_code() -> None:
    """`python tests/house/rooms.py` prints it anew."""
    drawn = re.search(r"<!-- rooms -->\n```\n(.*?)```", INTERNALS, re.S)
    assert drawn is not None
    assert drawn[1] == drawing()


def test_the_map_is_read_in_ten_minutes() -> None:
    assert len(INTERNALS.split()) <= 2500
    assert len(INTERNALS.splitlines()) <= 300


@pytest.mark.parametrize(("name", "folder"), PACKAGES, ids=[name for name, _ in PACKAGES])
def test_a_room_holds_few_files(name: str, folder: Path) -> None:
    assert len(list(folder.glob("*.py"))) <= MOST_FILES


@pytest.mark.parametrize(("name", "folder"), PACKAGES, ids=[name for name, _ in PACKAGES])
def test_a_room_says_what_it_turns_into_what(name: str, folder: Path) -> None:
    """A paragraph, and below it an example: something in columns, or code."""
    doc = ast.get_docstring(ast.parse((folder / "__init__.py").read_text(encoding="utf-8")))
    assert doc is not None
    first, _, rest = doc.partition("\n\n")
    assert len(first.splitlines()[0]) > 20
    assert re.search(r"\S {2,}\S|>>> | -> ", rest, re.M)


@pytest.mark.parametrize("path", sorted(set(re.findall(r"`((?:[a-z_]+/)+[a-z_]+\.py)`", INTERNALS))))
def test_a_file_that_the_map_names_is_there(path: str) -> None:
    assert (ROOT / "rulelang" / path).is_file() or (ROOT / path).is_file()


@pytest.mark.parametrize("term", re.findall(r"^\| \*\*([^*]+)\*\* \|", INTERNALS, re.M))
def test_a_term_of_the_glossary_is_used_in_the_code(term: str) -> None:
    wanted = re.compile(re.escape(term.split(" (", maxsplit=1)[0]), re.I)
    sources = (
        path.read_text(encoding="utf-8") for folder in ("rulelang", "cli") for path in (ROOT / folder).rglob("*.py")
    )
    assert any(wanted.search(text) for text in sources)


def test_a_file_of_tests_holds_some() -> None:
    texts = {str(path.relative_to(TESTS)): path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py")}
    assert [path for path, text in texts.items() if not re.search(r"^def test_", text, re.M)] == []


def test_no_two_public_classes_share_a_name() -> None:
    """What the package exports is a class of `api`, or the only one of its name."""
    places: dict[str, list[str]] = {}
    for folder in ("rulelang", "cli"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for name in re.findall(r"^ *class ([A-Za-z]\w*)[(:]", path.read_text(encoding="utf-8"), re.M):
                places.setdefault(name, []).append(str(path.relative_to(ROOT)))
    assert len(places) > 500
    assert {name: paths for name, paths in places.items() if len(paths) > 1} == {}


def test_a_node_of_the_tree_says_in_its_name_what_it_is() -> None:
    suffixes = {
        nodes.Declaration: "Declaration",
        nodes.Statement: "Statement",
        nodes.Expression: "Expression",
        nodes.Operation: "Operation",
        nodes.ScenarioStep: "Step",
        nodes.TypeNode: "TypeNode",
    }
    classes = [c for c in vars(nodes).values() if isinstance(c, type) and issubclass(c, nodes.Node)]
    assert len(classes) > 100
    for node in classes:
        suffix = next((suffix for base, suffix in suffixes.items() if issubclass(node, base)), "Node")
        assert node.__name__.endswith(suffix)


READS_TYPED = {"cli/play/person.py"}
"""What a person has typed may be looked through with expressions; what a person reads may not."""


@pytest.mark.parametrize(
    "folder", ["rulelang/screens", "rulelang/knowledge", "rulelang/match/recording", "cli/screen", "cli/play"]
)
def test_nothing_is_found_in_a_sentence_again(folder: str) -> None:
    """Who is named, how it is coloured, what it cites stands beside a sentence as data."""
    for path in sorted((ROOT / folder).rglob("*.py")):
        imported = {
            alias.name
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, (ast.Import, ast.ImportFrom))
            for alias in node.names
        }
        assert "re" not in imported or path.relative_to(ROOT).as_posix() in READS_TYPED, path


def test_the_expressions_of_a_prompt_are_for_what_was_typed() -> None:
    tree = ast.parse((ROOT / "cli/play/person.py").read_text(encoding="utf-8"))
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "re"
    }
    assert used == {"compile"}
    called = [
        ast.unparse(node.args[-1])
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(getattr(node.func, "value", None), "id", "") == "BACK"
    ]
    assert called
    assert all(text.startswith(("rest.", "which.")) for text in called)
