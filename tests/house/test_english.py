"""The form of docstrings and pages: what can be seen of good English without understanding it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.files import DOCS, ROOT

RIDDLES = [
    "What",
    "Who",
    "Whose",
    "Whom",
    "Where",
    "Which",
    "How",
    "Why",
    "When",
    "By",
    "Nothing",
    "There",
    "Something",
    "Somebody",
    "Anything",
    "Nobody",
    "Everything",
    "Whoever",
    "Whatever",
    "Gives",
]
"""Openers after which a reader has to guess what is being described: a docstring names it, or says what is done."""

VERB = re.compile(r"[A-Z][a-z]+s,? ")
UNNAMED = re.compile(r"(Returns|Yields),? what |Tells whether ")


def documented(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Yields everything in a module that has a docstring, with the docstring."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text is not None:
                yield node, text


def is_attribute(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    return any("property" in ast.unparse(decorator) for decorator in node.decorator_list)


def is_command(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Returns whether a docstring is the help of a command, which speaks to whoever types it."""
    return any(".command" in f".{ast.unparse(d)}" or ".group" in f".{ast.unparse(d)}" for d in node.decorator_list)


def faults(source: str) -> list[str]:
    """Returns the docstrings of a module that are not in the house's form, each with its line and what is wrong."""
    found = []
    for node, text in documented(ast.parse(source)):
        first = re.split(r"[\s,:]", text, maxsplit=1)[0]
        line = getattr(node, "lineno", 1)
        if first in RIDDLES:
            found.append(f"{line}: begins with {first!r}: {text.splitlines()[0]}")
        elif UNNAMED.match(text):
            found.append(f"{line}: does not name what it returns: {text.splitlines()[0]}")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if not is_attribute(node) and not is_command(node) and not VERB.match(text):
                found.append(f"{line}: a function's first word is what it does: {text.splitlines()[0]}")
    return found


MODULES = sorted(path for room in ("rulelang", "cli") for path in (ROOT / room).rglob("*.py"))
PACKAGES = [path for path in MODULES if path.name == "__init__.py" and path.parent.parent != ROOT]


def test_docstrings_name_what_they_describe() -> None:
    found = [f"{path.relative_to(ROOT)}:{fault}" for path in MODULES for fault in faults(path.read_text("utf-8"))]
    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize(
    "bad",
    [
        'def f():\n    """What a value can be."""',
        'def f():\n    """Who may see it, takes it."""',
        'def f():\n    """Returns what comes of it."""',
        'def f():\n    """Tells whether it is so."""',
        'def f():\n    """The number of seats."""',
        'def f():\n    """Return the number of seats."""',
        'class C:\n    """How a game ended."""',
        '"""Where games lie."""',
    ],
)
def test_a_docstring_that_is_a_riddle_is_found(bad: str) -> None:
    assert len(faults(bad)) == 1


@pytest.mark.parametrize(
    "good",
    [
        'def f():\n    """Returns the number of seats."""',
        '@property\ndef f():\n    """The number of seats."""',
        '@click.command()\ndef f():\n    """Play a game."""',
        'class C:\n    """The outcome of a game."""',
    ],
)
def test_a_docstring_that_says_it_is_let_pass(good: str) -> None:
    assert faults(good) == []


def test_every_module_says_what_it_is() -> None:
    assert [str(path) for path in MODULES if not ast.get_docstring(ast.parse(path.read_text("utf-8")))] == []


@pytest.mark.parametrize("path", PACKAGES, ids=lambda path: str(path.parent.relative_to(ROOT)))
def test_every_package_says_what_it_turns_into_what_and_what_always_holds(path: Path) -> None:
    text = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    assert re.match(r"Turns .+ into .+", text.split("\n\n")[0].replace("\n", " ")), text
    assert "\nInvariant: " in text, text
    assert re.search(r"\S {3,}\S|->", text), f"no example: {text}"


FRONTED = re.compile(r"(What|Who|Whoever|Whatever|Whose) [^?]*[.:]")
"""A sentence whose subject is a clause: a reader has to hold it until its end."""
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))]
REFERENCE = DOCS / "language.md"
"""The page that is left out: a reference leads with the thing that is looked up."""


def fronted(page: str) -> list[str]:
    """Returns the sentences of a page that begin with a clause for a subject; blocks of code do not count."""
    prose = re.sub(r"^```.*?^```", "", page, flags=re.M | re.S)
    paragraphs = re.split(r"\n\s*\n|\n(?=[-|] ?)", prose)
    sentences = [s for par in paragraphs for s in re.split(r"(?<=[.:?!|])\s+", " ".join(par.split()))]
    return [sentence for sentence in sentences if FRONTED.fullmatch(sentence.removeprefix("- "))]


@pytest.mark.parametrize("page", [page for page in PAGES if page != REFERENCE], ids=lambda page: page.name)
def test_a_sentence_of_a_page_names_its_subject(page: Path) -> None:
    assert fronted(page.read_text("utf-8")) == []


def test_a_sentence_that_begins_with_a_clause_is_found() -> None:
    page = "## What is new\n\nIt is short. What nobody\nreads is not\ncomputed. What is it?\n\n- Whoever asks: you.\n"
    assert fronted(page) == ["What nobody reads is not computed.", "- Whoever asks:"]
