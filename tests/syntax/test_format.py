"""The one style: what the formatter changes, what it keeps, and that it means the same."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang.source import SourceText
from rulelang.syntax import nodes
from rulelang.syntax.parser import parse
from rulelang.syntax.printing.printer import format_source, print_module
from tests.files import CLASSICS, GAMES

CASES = sorted((Path(__file__).parent / "forms").glob("*.rules"))
RULES = sorted([*GAMES.glob("**/*.rules"), *CLASSICS.glob("**/*.rules"), *CASES])


@cache
def formatted(text: str) -> str:
    return format_source(SourceText("test.rules", text))


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8").split("# output\n")[0]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_a_case_is_formatted_as_it_says(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    before, _, after = text.partition("# output\n")
    assert formatted(before) == (after or before)


def test_an_expression_that_moves_below_its_head_leaves_no_blank_line_between_them() -> None:
    members = " + ".join(f"worth_of_{name}" for name in ("bronze", "silver", "gold", "platinum", "palladium", "iron"))
    head, name = "value fortune -> 0..999", ', called "everything that anybody owns by now"'
    assert formatted(f"constant a = 1\n\n{head}{name} = {members}\n") == (
        f"constant a = 1\n\n{head}{name} =\n  {members}\n"
    )


def test_groups_in_braces_become_texts_of_their_own() -> None:
    older = 'screen:\n  each row: "{l}{{{cost(l)} \\"M\\"}}{{+1 beside {near(l)}}}" if l.is_open\n'
    once = formatted(older)
    assert once == (
        'screen:\n  each row: "{l}" if l.is_open, "{cost(l)} \\"M\\"" if l.is_open, "+1 beside {near(l)}" if l.is_open\n'
    )
    assert formatted(once) == once


def test_holes_that_stood_below_each_other_become_texts_of_their_own() -> None:
    framed = formatted('screen:\n  map Floor: "{s.room} {s.crew}{{leads {s.exits}}}" doors s.exits\n')
    assert framed == 'screen:\n  map Floor: "{s.room}", "{s.crew}", "leads {s.exits}" doors s.exits\n'


def test_texts_of_a_part_that_do_not_fit_on_a_line_stand_below_each_other() -> None:
    texts = [f'"the first of {i} long texts about {{p.colour}}"' for i in range(3)]
    assert formatted(f"screen:\n  each Player: {', '.join(texts)}\n") == (
        "screen:\n  each Player:\n" + ",\n".join(f"      {text}" for text in texts) + "\n"
    )


def test_what_an_option_shows_stands_below_each_other_where_it_does_not_fit() -> None:
    texts = [f'"{{cost(c, {i})}} of the {i}th good" if cost(c, {i}) > 0 and c.is_dear' for i in range(3)]
    head = "action build(c):\n  shows "
    shown = formatted(f"{head}{', '.join(texts)}\n  settle\n")
    assert shown == head + ",\n      ".join(texts) + "\n  settle\n"
    assert formatted(shown) == shown


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_formatting_twice_changes_nothing_more(path: Path) -> None:
    once = formatted(read(path))
    assert formatted(once) == once


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_formatted_rules_mean_the_same_and_keep_their_comments(path: Path) -> None:
    before = parse(SourceText("before", read(path)))
    after = parse(SourceText("after", formatted(read(path))))
    assert after.diagnostics == ()
    assert after.module == before.module
    assert sorted(c.text for c in after.module.comments) == sorted(c.text for c in before.module.comments)


@pytest.mark.parametrize("path", RULES, ids=lambda path: path.stem)
def test_the_canonical_text_reads_back_as_an_equal_tree(path: Path) -> None:
    module = parse(SourceText("before", read(path))).module
    canonical = print_module(module)
    again = parse(SourceText("canonical", canonical))
    assert again.diagnostics == ()
    assert again.module == module
    assert print_module(again.module) == canonical


def test_breaks_inside_brackets_stay_where_they_are() -> None:
    text = """\
value a(p) = (sum(c.n for c in p.hand
    if c.n > 3)
    + 2 *
    p.gold)
value b(p) = (1
    if p == red
    else 2)
"""
    assert formatted(text) == text
    assert "\n    " not in formatted(text.replace("\n    ", " "))


def test_the_canonical_text_knows_nothing_of_the_form() -> None:
    one = parse(SourceText("one", "# a\nto use(p):\n    p.x = (1 +\n        2)\n\n"))
    two = parse(SourceText("two", "to use(p): p.x = 1 + 2"))
    assert print_module(one.module) == print_module(two.module) == "to use(p):\n  p.x = 1 + 2\n"


def test_a_file_that_cannot_be_read_is_left_alone() -> None:
    assert formatted("constant   heap = = 3\n") == "constant   heap = = 3\n"


# Texts whose brackets are all needed.
NEEDED = """\
(a or b) and c
a - (b - c)
(a if b else c) + d
-(a + b)
not (a and b)
(a < b) == c
(a - b).c
f(a if b else c)
{x in (a if b else c) if d}
a / b rounded up / c rounded down
"""


@pytest.mark.parametrize("text", NEEDED.splitlines())
def test_brackets_that_are_needed_are_printed(text: str) -> None:
    module = parse(SourceText("test.rules", f"constant x = {text}\n")).module
    assert print_module(module) == f"constant x = {text}\n"


# ------------------------------------------------------------------------------------------- trees of all shapes

NAMES = st.sampled_from(["p", "heap", "value", "top", "count", "move"])


def expressions(inner: st.SearchStrategy[nodes.Expression]) -> st.SearchStrategy[nodes.Expression]:
    operators = st.sampled_from(["+", "-", "*", "%", "and", "or", "==", "!=", "<", ">=", "in", "not in"])
    binders = st.builds(nodes.BinderNode, st.builds(nodes.IdentNode, NAMES), inner)
    keys = st.lists(st.builds(nodes.KeyNode, st.booleans(), inner), max_size=2).map(tuple)
    some = st.lists(binders, min_size=1, max_size=2).map(tuple)
    comprehensions = st.one_of(
        st.builds(nodes.ComprehensionExpression, inner, some, keys, st.none() | inner),
        st.builds(
            nodes.ComprehensionExpression, st.none(), binders.map(lambda binder: (binder,)), keys, st.none() | inner
        ),
    )
    # Not `in`: brackets do not tell `{x in S}` as a set of one truth from the comprehension.
    items = st.lists(
        inner.filter(lambda e: not (isinstance(e, nodes.BinaryExpression) and e.operator == "in")), max_size=3
    )
    functions = st.builds(nodes.IdentNode, st.sampled_from(["count", "sum", "best"]))
    return st.one_of(
        st.builds(nodes.BinaryExpression, operators, inner, inner),
        st.builds(nodes.BinaryExpression, st.just("/"), inner, inner, st.sampled_from(["up", "down"])),
        st.builds(nodes.UnaryExpression, st.sampled_from(["-", "not"]), inner),
        st.builds(nodes.RangeExpression, inner, inner),
        st.builds(nodes.ConditionalExpression, inner, inner, inner),
        st.builds(nodes.AttributeExpression, inner, st.builds(nodes.IdentNode, NAMES)),
        st.builds(nodes.CallExpression, inner, items.map(tuple)),
        st.builds(nodes.SetDisplayExpression, items.map(tuple)),
        st.builds(nodes.SetOfExpression, comprehensions),
        st.builds(nodes.AggregateExpression, functions, comprehensions),
    )


LEAVES = st.one_of(st.builds(nodes.NameExpression, NAMES), st.builds(nodes.NumberExpression, st.integers(0, 99)))


@pytest.mark.long
@settings(max_examples=300, deadline=None)
@given(st.recursive(LEAVES, expressions, max_leaves=12))
def test_any_expression_reads_back_as_it_was_printed(value: nodes.Expression) -> None:
    module = nodes.ModuleNode((nodes.ConstantDeclaration(nodes.IdentNode("x"), value),))
    again = parse(SourceText("printed", print_module(module)))
    assert again.diagnostics == ()
    assert again.module == module
