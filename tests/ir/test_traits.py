"""The table of statements and expressions: each says all that it holds, and a new class of nodes is missed nowhere."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args

import attrs
import pytest

from rulelang import api
from rulelang.ir import model as ir
from rulelang.ir.encoding.printer import IRPrinter
from rulelang.ir.model.traits import Effect, Traits, ValueTraits, inside, is_act, traits, value_traits, writes
from rulelang.ir.walk import parts_of, statements_in, walk
from tests.files import CLASSICS, ROOT

GAMES = ("outspeed", "empty_space", "exobase", "exit_velocity", *map(str, sorted(CLASSICS.glob("*.rules"))))

LEFT_OUT = (ir.BeginBody, ir.Witness)
"""The statements with parts that are for words alone: they are evaluated for nobody who pays."""


def direct_parts(node: object) -> set[int]:
    """The parts of a statement, by `id`, without the tuples and places that hold them."""
    found: set[int] = set()
    waiting: list[object] = [*parts_of(node)]
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple | ir.Place | ir.Target):
            waiting += parts_of(part)
        elif type(part) in ir.NODES:
            found.add(id(part))
    return found


PARTS = ("state", "table", "zone", "procedure", "data", "choice", "rule")


def named_by(node: ir.Statement | ir.Expr) -> set[tuple[str, int]]:
    """The parts of the game that a node names by their ids, by its fields."""
    fields = {field.name for field in attrs.fields(type(node))}
    return {(part, getattr(node, part)) for part in PARTS if part in fields}


def reference(of: Traits | ValueTraits) -> set[tuple[str, int]]:
    """The part that a row names, as `named_by` writes it."""
    return set() if of.refers is None else {(of.refers.part.removesuffix("s"), of.refers.id)}


@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).stem)
def test_a_statement_says_all_that_it_holds(name: str) -> None:
    game = api.load(name).ir
    for statement in statements_in((game.procedures, game.choices)):
        if not isinstance(statement, LEFT_OUT):
            of = traits(statement)
            inner = (one for body in of.bodies for one in body)
            said = (*of.evaluates, *of.each_round, *of.binds, *inner)
            assert {id(part) for part in said if part is not None} == direct_parts(statement), statement
            assert named_by(statement) <= reference(of), statement


@pytest.mark.parametrize("name", GAMES, ids=lambda name: Path(name).stem)
def test_an_expression_says_all_that_it_holds(name: str) -> None:
    game = api.load(name).ir
    for expression in walk(game):
        if isinstance(expression, get_args(ir.Expr)):
            of = value_traits(expression)
            said = (*of.evaluates, *of.each_round, *of.binds)
            assert {id(part) for part in said if part is not None} == direct_parts(expression), expression
            assert named_by(expression) <= reference(of), expression


def test_a_node_that_is_new_is_printed_with_all_its_fields() -> None:
    game = api.load("outspeed").ir
    printer = IRPrinter(game)
    never = attrs.make_class("Never", ["who", "times", "site"], bases=(ir.Stmt,), kw_only=True, frozen=True)
    assert printer._line(never(who=ir.Op("+", (ir.Const(1), ir.Const(2))), times=3, site=7)) == "never 1 + 2 3"
    alone = attrs.make_class("Alone", ["among", "of"], frozen=True)
    some = ir.Source(ir.Const(5))
    assert printer.expression(alone(some, (ir.Const(1), ir.Const(2)))) == "alone(5, [1, 2])"


def test_all_statements_of_a_game_are_inside_its_procedures() -> None:
    game = api.load("outspeed").ir
    found = {id(statement) for procedure in game.procedures for statement in inside(game, procedure.body)}
    assert found == {id(statement) for statement in statements_in((game.procedures, game.choices))}


def test_what_is_put_off_is_what_moves_shows_or_eliminates() -> None:
    put_off: set[Effect] = {"moves", "shuffles", "shows", "eliminates"}
    game = api.load("exit_velocity").ir
    effects = {type(s): traits(s).effect for s in statements_in((game.procedures, game.choices))}
    assert {kind for kind, effect in effects.items() if effect in put_off} <= set(get_args(ir.Deferrable))
    assert not {kind for kind, effect in effects.items() if effect not in put_off} & set(get_args(ir.Deferrable))
    for statement in statements_in(game.procedures):
        assert not writes(game, statement) or is_act(game, statement) or isinstance(statement, ir.Assign)


TOY_STATEMENT = """
@attrs.frozen(eq=False, repr=False)
class ToyStatement(Stmt):
    things: Expr
"""
TOY_VALUE = """
@attrs.frozen(eq=False, repr=False)
class ToyValue(IrNode):
    of: Expr
"""
STATEMENT_PLACES = {
    "ir/model/traits.py",
    "ir/flow/course.py",
    "machines/effects.py",
    "program/low/statements.py",
    "rulebook/printed/steps.py",
    "semantics/lints/ranges/check.py",
}
"""A new statement is written about here: its traits, what it says of secrets and ranges, what it does (twice), and its
words."""
VALUE_PLACES = {
    "ir/model/traits.py",
    "machines/evaluate.py",
    "program/low/expressions.py",
    "prose/inference.py",
    "prose/values.py",
    "semantics/lints/ranges/expressions.py",
}
"""A new expression is written about here: its traits, what it comes to (twice), its words, type and range."""

FUNCTIONS = 'NumberFunction: TypeAlias = Literal["abs"]'
FUNCTION_PLACES = {"program/low/expressions.py"}
"""A new function of numbers is a row of `CALCULATIONS`, which `test_operators` asks for, and its machine code."""


def with_toy(path: Path, text: str, union: str) -> None:
    """Adds a class in front of the union of its kind, and to the union."""
    source, name = path.read_text(encoding="utf-8"), re.findall(r"class (\w+)", text)[0]
    head = f"{union}: TypeAlias = (\n"
    assert source.count(head) == 1
    path.write_text(source.replace(head, f"{text}\n\n{head}    {name} |"), encoding="utf-8")


@pytest.mark.long
@pytest.mark.slow
def test_the_type_checker_names_every_place_that_a_new_node_is_missing_from(tmp_path: Path) -> None:
    # mypy checks all that ends a dispatch by `assert_never`, without a cache; of the rest it reads the types alone.
    shutil.copytree(ROOT / "rulelang", tmp_path / "rulelang", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    model = tmp_path / "rulelang" / "ir" / "model"
    with_toy(model / "statements.py", TOY_STATEMENT, "Statement")
    with_toy(model / "expressions.py", TOY_VALUE, "Expr")
    words = (model / "vocabulary.py").read_text(encoding="utf-8")
    assert words.count(FUNCTIONS) == 1
    (model / "vocabulary.py").write_text(words.replace(FUNCTIONS, FUNCTIONS[:-1] + ', "toy"]'), encoding="utf-8")
    dispatching = [str(path) for path in tmp_path.rglob("*.py") if "assert_never" in path.read_text(encoding="utf-8")]
    command = [sys.executable, "-m", "mypy", "--follow-imports=silent", "--cache-dir", str(tmp_path / "cache")]
    said = subprocess.run([*command, *dispatching], cwd=tmp_path, capture_output=True, text=True, check=False).stdout
    named = {
        toy: {line.partition(":")[0].removeprefix("rulelang/") for line in said.splitlines() if toy in line}
        for toy in ("ToyStatement", "ToyValue", "'toy'")
    }
    assert named == {"ToyStatement": STATEMENT_PLACES, "ToyValue": VALUE_PLACES, "'toy'": FUNCTION_PLACES}
