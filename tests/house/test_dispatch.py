"""Nothing is silently left out of a dispatch: the type checker says which case is missing, or a default says what it is for."""

import ast
import re
from collections.abc import Iterator
from typing import get_args

from rulelang.ir import model, types
from tests.files import ROOT

SOURCES = sorted(path for room in ("rulelang", "cli") for path in (ROOT / room).rglob("*.py"))


def unexplained(text: str) -> Iterator[int]:
    """Yields the lines of each `match` without a default, and of each default that neither is `assert_never` nor says
    beside it what it stands for."""
    lines = text.splitlines()
    # Few files hold a `match`: to parse all of them takes seconds.
    for node in ast.walk(ast.parse(text)) if re.search(r"^ *match ", text, re.M) else ():
        if isinstance(node, ast.Match):
            default = node.cases[-1]
            first, line = ast.unparse(default.body[0]), default.pattern.lineno
            _, _, reason = lines[line - 1].partition("# ")
            if not (isinstance(default.pattern, ast.MatchAs) and default.pattern.pattern is None and not default.guard):
                yield node.lineno
            elif not first.startswith("assert_never(") and len(reason.split()) < 3:
                yield line


def test_a_dispatch_ends_in_assert_never_or_says_what_its_default_stands_for() -> None:
    found = {str(path.relative_to(ROOT)): list(unexplained(path.read_text(encoding="utf-8"))) for path in SOURCES}
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_a_default_without_a_word_is_found() -> None:
    bare = "match x:\n    case 1:\n        pass\n    case _:\n        pass\n"
    assert list(unexplained(bare)) == [4]
    assert not list(unexplained(bare.replace("case _:", "case _:  # any other number is skipped")))
    assert not list(unexplained(bare.replace("    case _:\n        pass", "    case _:\n        assert_never(x)")))
    assert list(unexplained(bare.replace("    case _:\n        pass\n", ""))) == [1]
    assert list(unexplained(bare.replace("case _:", "case _ if y:  # any other number is skipped"))) == [1]


KIND_WORDS = {"form", "how", "kind", "level", "lone", "moment", "sort", "type", "what", "when"}
"""Fields of these names say what kind of thing a value is."""
NAMES_OF_KINDS = {"Heap", "ColumnName", "_ZoneTarget", "Token"}
"""Their `kind` is the name of a kind of things, which a game declares; the `type` of a token is a terminal of the grammar."""


def bare_kinds(text: str) -> Iterator[str]:
    """Yields the fields that hold a kind as any text at all: `Class.field`."""
    if not re.search(rf"^ +({'|'.join(sorted(KIND_WORDS))}): *['\"(]*str\b", text, re.M):
        return
    classes = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef))
    for node in classes:
        for field in node.body if node.name not in NAMES_OF_KINDS else ():
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                if field.target.id in KIND_WORDS and ast.unparse(field.annotation) in ("str", "str | None"):
                    yield f"{node.name}.{field.target.id}"


def test_a_kind_that_is_a_word_is_one_of_a_closed_set() -> None:
    assert [found for path in SOURCES for found in bare_kinds(path.read_text(encoding="utf-8"))] == []


def test_a_kind_that_may_be_any_word_is_found() -> None:
    assert list(bare_kinds("class Line:\n    what: str\n    text: str\n")) == ["Line.what"]
    assert not list(bare_kinds("class Line:\n    what: LineForm\n    text: str\n"))


def test_the_closed_unions_of_the_ir_hold_all_classes_of_their_kind() -> None:
    assert set(get_args(model.Statement)) == set(model.Stmt.__subclasses__())
    assert set(get_args(types.Type)) == set(types.BaseType.__subclasses__())
