"""What can be read, what it turns into, and what nothing can break."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from importlib import resources
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang.diagnostics.model import Diagnostic
from rulelang.source import SourceText
from rulelang.syntax import lexer, messages, nodes, parser, tables
from rulelang.syntax.build import Build
from rulelang.syntax.parser import parse, parse_expression
from rulelang.syntax.tables import build_parser, encode, grammar_text, make_tables, read_tables

KEYWORDS = sorted(set(read_tables().words) - set(tables.HARD_WORDS))
ALL_FORMS = (Path(__file__).parent / "forms" / "every_form.rules").read_text(encoding="utf-8")

EVERY_PLACE_OF_A_NAME = """\
game @ "W":
  players 2..4
  seats @, other
names @: Player
constant @ = 3
enum @: @, other
option @: @ = @ "W"
kind @:
  @: @ = @
  @: @?
  | @ | other |
  | @ | @ + 1 |
data @(@: @):
  @: 0..@
  | @ |
the game has:
  @: @ = @, seen by @
  @(@): pile of @, refills from @, at most @
value @ = @
value @(@) -> @ = @.@ + @(@) - @ * @
value x =
  @
  @ if @
  @ otherwise
value y = @ if @ and not @ or @ in @ else @
value z = count(@ in @ by highest @, @ if @ == @) + sum(@.@ for @ in @)
adjust @(@): +@, at least @ if @ as @
to @(@, @ in @) "{@}":
  @ = @
  @ += @, at least @
  @ -= 1
  @.@ = @.@
  @(@).@ = @
  @()
  @(@, @)
  @.@(@)
  let @ = @
  move @ to @
  move @.@ to @ top
  move 2 of @ to @
  if @: stop
  elif @ == @: settle
  for @ in @ by @ if @: @ = 1
  repeat while @: stop
  repeat @ times: stop
  turns @ from @: settle
  against @: settle
  @ chooses @ in @
  @ chooses @.@ in up to @ of @, or pass
  @ chooses one of @, @
  @.@ chooses one of @, @
  each @ in @ if @ secretly chooses @ in @
  finish with winner @
  finish with score @
phase @: settle
after @(@) if @ as @: settle
instead of @: proceed
whenever @ for @ in @ if @ as @: settle
action @(@) beside @ "{@}":
  needs @  "{@}"
  needs (@ or @) and @
  @ chooses one of:
    @(@ in @) "W":
      needs @
      @ = 1
    @ "W"
    @: @ = 1
variant @ of @:
  remove @
  in @ if @: @ = @
  constant @ = 3
  replace value @ = @
scenario "W" with @ = @:
  players @, other
  given @ = @, @.@ = @ at @
  @: @
  @: @(@)
  @: pass
  others @
  roll @ @, 1
  draw @
  expect @
  expect @ == @
  expect @ can @
  expect @ cannot @(@)
  expect @ is asked
  expect @ is not asked
  expect @ sees @
  expect @ cannot see @
  expect event @
  expect event @(@)
  expect winner @
  after @(@): expect @
screen:
  map @: "W"
  track @ in @: "W"
  each @: "W"
  cards @ "W"
  table @(@) by @
"""


def declarations(text: str) -> tuple[nodes.Declaration, ...]:
    parsed = parse(SourceText("test.rules", text))
    assert [d.message for d in parsed.diagnostics] == []
    return parsed.module.declarations


def statement(text: str) -> nodes.Statement:
    (verb,) = declarations("to test():\n" + "".join(f"  {line}\n" for line in text.splitlines()))
    assert isinstance(verb, nodes.VerbDeclaration)
    (found,) = verb.body
    return found


def expression(text: str) -> nodes.Expression:
    found, diagnostics = parse_expression(SourceText("test", text), 0, len(text))
    assert [d.message for d in diagnostics] == []
    assert found is not None
    return found


def faults(text: str) -> list[tuple[str, int, int]]:
    return [(d.code, *d.span.source.position(d.span.start)) for d in diagnostics_of(text)]


def diagnostics_of(text: str) -> tuple[Diagnostic, ...]:
    return parse(SourceText("test.rules", text)).diagnostics


# -------------------------------------------------------------------------------------------------- the grammar


def test_the_grammar_has_no_conflicts_and_no_terminal_without_a_name() -> None:
    lark = build_parser(strict=True)
    assert not [t.name for t in lark.terminals if t.name.startswith("__")]


def test_every_terminal_can_be_talked_about() -> None:
    ignored = {tables.BLANK, "NEWLINE", "COMMENT"}
    signs = {t.name for t in build_parser().terminals} - set(read_tables().words.values())
    assert signs - ignored <= {*messages.SIGNS, *messages.THINGS}


def test_every_rule_has_a_comment_and_a_method_that_builds_it() -> None:
    lines = grammar_text().split("\n")
    for above, line in pairwise(lines):
        if re.match(r"[?_]?[a-z_]+:", line):
            assert above.startswith("//") or re.match(r"[?_]?[a-z_]+:", above), line
    rules = {
        str(rule.alias or rule.origin.name) for rule in build_parser().rules if not rule.options.expand1 or rule.alias
    }
    rules = {name for name in rules if not name.startswith("_")}
    assert not {name for name in rules if not hasattr(Build, name)}


def test_the_terminal_of_a_word_is_the_word_in_capitals() -> None:
    assert all(terminal == word.upper() for word, terminal in read_tables().words.items())
    assert set(tables.HARD_WORDS) < set(read_tables().words)


def test_the_tables_beside_the_grammar_are_those_that_lark_works_out() -> None:
    assert resources.files("rulelang.grammar").joinpath(tables.FILE).read_text("utf-8") == encode(make_tables()), (
        "run `make tables`"
    )


def test_tables_of_another_grammar_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = grammar_text() + "// a change\n"
    monkeypatch.setattr(tables, "grammar_text", lambda: changed)
    with pytest.raises(RuntimeError, match="make tables"):
        read_tables()


def test_what_is_written_of_the_tables_is_read_back_whole() -> None:
    made, read = make_tables(), read_tables()
    assert (read.pattern, read.words, read.rules) == (made.pattern, made.words, made.rules)
    assert (read.actions, read.first, read.last) == (made.actions, made.first, made.last)


def test_reading_rules_needs_no_lark() -> None:
    code = "import sys, rulelang; rulelang.check_text('constant a = 1'); sys.exit('lark' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# ----------------------------------------------------------------------------------------------------- keywords


@pytest.mark.parametrize("word", KEYWORDS)
def test_a_keyword_is_a_name_wherever_a_name_is_wanted(word: str) -> None:
    text = EVERY_PLACE_OF_A_NAME.replace("@", word)
    found = [(d.span.place, d.message) for d in diagnostics_of(text)]
    assert found == []


def test_a_word_is_the_keyword_where_both_could_stand_and_the_line_says_so() -> None:
    assert isinstance(statement("settle"), nodes.SettleStatement)
    assert isinstance(statement("settle()"), nodes.CallStatement)
    assert isinstance(statement("settle = 3"), nodes.AssignStatement)
    assert isinstance(statement("move x to y"), nodes.MoveStatement)
    assert isinstance(statement("move(x)"), nodes.CallStatement)
    assert isinstance(statement("repeat (n) times: stop"), nodes.RepeatStatement)
    assert isinstance(statement("turns chooses x in S"), nodes.ChooseStatement)


@pytest.mark.parametrize("word", tables.HARD_WORDS)
def test_a_hard_word_is_refused_as_a_name(word: str) -> None:
    (found,) = diagnostics_of(f"constant {word} = 3\n")
    assert found.code == "E0115"


# --------------------------------------------------------------------------------------------- what it turns into


def test_a_comprehension_is_told_from_a_call() -> None:
    assert isinstance(expression("count(x in S)"), nodes.AggregateExpression)
    assert isinstance(expression("count(x in S if c)"), nodes.AggregateExpression)
    assert isinstance(expression("first(x in S by highest x.a, lowest x.b)"), nodes.AggregateExpression)
    assert isinstance(expression("min(a, b)"), nodes.CallExpression)
    assert isinstance(expression("min({a, b})"), nodes.CallExpression)
    assert isinstance(expression("random(S)"), nodes.CallExpression)
    assert isinstance(expression("crew(x in S)"), nodes.CallExpression)
    assert isinstance(expression("{x in S}"), nodes.SetOfExpression)
    assert isinstance(expression("{x, y}"), nodes.SetDisplayExpression)


def test_operators_bind_as_in_the_reference() -> None:
    x, y, z = nodes.NameExpression("x"), nodes.NameExpression("y"), nodes.NameExpression("z")
    assert expression("x or y and not z") == nodes.BinaryExpression(
        "or", x, nodes.BinaryExpression("and", y, nodes.UnaryExpression("not", z))
    )
    assert expression("x + y * z") == nodes.BinaryExpression("+", x, nodes.BinaryExpression("*", y, z))
    assert expression("x - y - z") == nodes.BinaryExpression("-", nodes.BinaryExpression("-", x, y), z)
    assert expression("x not in y") == nodes.BinaryExpression("not in", x, y)
    assert expression("-x..y + z") == nodes.RangeExpression(
        nodes.UnaryExpression("-", x), nodes.BinaryExpression("+", y, z)
    )
    assert expression("x / y rounded up * z") == nodes.BinaryExpression("*", nodes.BinaryExpression("/", x, y, "up"), z)
    assert expression("x if y else z") == nodes.ConditionalExpression(x, y, z)


def test_a_domain_says_how_many() -> None:
    def quantity(text: str) -> nodes.QuantityNode | None:
        move = statement(f"move {text} to z")
        assert isinstance(move, nodes.MoveStatement)
        return move.what.quantity

    four = nodes.NumberExpression(4)
    assert quantity("hand") is None
    assert quantity("4 of hand") == nodes.QuantityNode(four, four)
    assert quantity("up to 4 of hand") == nodes.QuantityNode(None, four)
    assert quantity("any of hand") == nodes.QuantityNode(None, None)


def test_holes_of_a_text_have_their_places_in_the_file() -> None:
    (action,) = declarations('action take(n) "Take {n + 1} of {{all}}, \\"please\\"": stop\n')
    assert isinstance(action, nodes.ActionDeclaration)
    assert action.label is not None
    before, hole, after = action.label.parts
    assert (before, after) == ("Take ", ' of {all}, "please"')
    assert isinstance(hole, nodes.HoleNode)
    assert hole.value.span.text == "n + 1"


def test_a_needs_may_have_its_message_and_clause_below() -> None:
    (action,) = declarations('action take(p):\n  needs heap > 0\n      "The heap is empty"    [N-2]\n  heap -= 1\n')
    assert isinstance(action, nodes.ActionDeclaration)
    (need,) = action.needs
    assert need.message is not None
    assert (need.message.raw, need.cites) == ("The heap is empty", (nodes.CiteNode("N-2"),))


def test_a_line_goes_on_in_brackets_and_before_and_or_or() -> None:
    (value,) = declarations("value fits =\n  a == none\n  and count(x in S\n      if x > 3) == 2\n  or b\n")
    assert isinstance(value, nodes.ValueDeclaration)
    assert isinstance(value.cases[0].value, nodes.BinaryExpression)
    assert value.cases[0].value.operator == "or"


def test_a_clause_on_the_line_of_a_head_belongs_to_the_head() -> None:
    (verb,) = declarations("to use(p, nitro): p.push += 1    [OS-X.6, OS-X.7]\n")
    assert isinstance(verb, nodes.VerbDeclaration)
    assert verb.cites == (nodes.CiteNode("OS-X.6"), nodes.CiteNode("OS-X.7"))
    assert verb.body[0].cites == ()


def test_a_drawn_map_loses_its_margin_and_nothing_else() -> None:
    (board,) = declarations('board Hex: hex\n  map small """\n    n n\n\n     . s\n  """\n')
    assert isinstance(board, nodes.BoardDeclaration)
    assert board.maps[0].lines == ("n n", "", " . s")
    assert board.maps[0].name == nodes.IdentNode("small")


def test_the_order_of_a_pile_comes_last_in_its_line() -> None:
    (scenario,) = declarations('scenario "x":\n  given a = 1, stack = top nitro, fuel, ... at bonus\n')
    assert isinstance(scenario, nodes.ScenarioDeclaration)
    (given_step,) = scenario.steps
    assert isinstance(given_step, nodes.GivenStep)
    order = given_step.assignments[1][1]
    assert order == nodes.TopExpression((nodes.NameExpression("nitro"), nodes.NameExpression("fuel")), open=True)
    assert given_step.at == nodes.NameExpression("bonus")


def test_every_form_of_the_language_is_read() -> None:
    assert diagnostics_of(ALL_FORMS) == ()


def test_spans_end_where_the_last_word_ends() -> None:
    first, second = declarations("to take(p):\n  heap -= 1  # one\n\n\nconstant heap = 3\n")
    assert first.span.text == "to take(p):\n  heap -= 1"
    assert second.span.text == "constant heap = 3"


# ------------------------------------------------------------------------------------------------------- recovery


def test_all_faults_of_a_file_are_found_and_none_is_made_up() -> None:
    text = """\
kind Bonus "bonus token:
  power: Power
acton take(p): stop
to use(p, nitro):
  p.push = = 1
  for q in players
    q.push = 1
    q.pull = 2
  if p.push > :
    stop
  elif p.push == 2: stop
  else: stop
  p.push = 3
phase morning:
constant last = 3
"""
    assert faults(text) == [
        ("E0108", 1, 12),
        ("E0118", 3, 1),
        ("E0106", 5, 12),
        ("E0106", 6, 19),
        ("E0106", 9, 15),
        ("E0116", 14, 14),
    ]
    module = parse(SourceText("test.rules", text)).module
    assert [type(d) for d in module.declarations] == [nodes.VerbDeclaration, nodes.ConstantDeclaration]
    assert isinstance(module.declarations[0], nodes.VerbDeclaration)
    assert len(module.declarations[0].body) == 1


def test_a_misspelt_keyword_is_put_right() -> None:
    (found,) = diagnostics_of("acton take(p): stop\n")
    assert (found.fix, found.help) == ("action", "did you mean `action`?")


def test_a_file_without_an_end_of_line_is_read() -> None:
    assert len(declarations("constant a = 1\r\nconstant b = 2")) == 2


def test_an_empty_file_is_an_empty_module() -> None:
    assert declarations("") == declarations("\n  # nothing\n") == ()


def test_a_file_that_is_too_large_is_refused_at_once() -> None:
    start = time.process_time()
    assert faults("a" * (lexer.MAX_CHARACTERS + 1)) == [("E0105", 1, 1)]
    assert [code for code, *_ in faults("a " * (lexer.MAX_TOKENS + 2))] == ["E0105"]
    assert time.process_time() - start < 10


@pytest.mark.parametrize("opener", ["(", "{", "f(", "-", "not ", "1 + ", "a.", "x if y else ", "count(x in "])
def test_depth_is_refused_and_never_overflows(opener: str) -> None:
    assert [code for code, *_ in faults(f"constant deep = {opener * 10_000}1\n")] == ["E0104"]


def test_there_is_an_end_to_faults() -> None:
    assert len(faults("foo bar\n" * 5000)) == parser.MAX_FAULTS


def test_a_hostile_name_does_not_slow_down_the_search_for_a_near_one() -> None:
    start = time.process_time()
    assert len(faults(f"{'x' * 100_000} y\n" * 10)) == 10
    assert time.process_time() - start < 5


WORDS = st.sampled_from([*KEYWORDS, *tables.HARD_WORDS, "p", "x", "Player", "3", '"a {n} b"', '"', "[N-1]", "#"])
SIGNS = st.sampled_from([*"()[]{}:,.;|?=+-*/%<>", "==", "!=", "<=", "..", "...", "->", "+=", '"""'])
GAPS = st.sampled_from([" ", " ", " ", "", "\n", "\n  ", "\n    ", "\n      ", "\t"])


@settings(max_examples=300)
@given(st.lists(st.tuples(WORDS | SIGNS, GAPS), max_size=60))
def test_words_in_any_order_give_diagnostics_and_never_an_exception(pieces: list[tuple[str, str]]) -> None:
    text = "".join(f"{word}{gap}" for word, gap in pieces)
    found = diagnostics_of(text)
    assert all(0 <= d.span.start <= d.span.end <= len(text) for d in found)


@settings(max_examples=200)
@given(st.text(max_size=200))
def test_any_text_gives_diagnostics_and_never_an_exception(text: str) -> None:
    diagnostics_of(text)


@pytest.mark.long
@settings(max_examples=150)
@given(st.integers(0, len(ALL_FORMS)), st.integers(0, 30), st.text(alphabet='() {}:=\n"x1.|#', max_size=4))
def test_a_good_file_with_a_piece_exchanged_never_raises(start: int, length: int, piece: str) -> None:
    diagnostics_of(ALL_FORMS[:start] + piece + ALL_FORMS[start + length :])
