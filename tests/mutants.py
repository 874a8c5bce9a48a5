"""Mutants of a room: the small changes of its functions that no test notices, and the tests that notice none.

    python -m tests.mutants rulelang/variants --tests tests/variants rulelang/variants --count 60

Each mutant is tried in a fork of the process that has collected the tests: there, the function that it changes gets other
code, and the tests that call it run. So no file changes, and a mutant takes as long as those tests. It runs on Linux and
macOS.
"""

from __future__ import annotations

import argparse
import ast
import gc
import importlib
import json
import os
import random
import signal
import sys
from collections.abc import Callable, Iterator
from functools import _lru_cache_wrapper, partial
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import attrs
import pytest

PAIRS = (
    (ast.Lt, ast.LtE),
    (ast.Gt, ast.GtE),
    (ast.Eq, ast.NotEq),
    (ast.In, ast.NotIn),
    (ast.Is, ast.IsNot),
    (ast.And, ast.Or),
    (ast.Add, ast.Sub),
    (ast.Mult, ast.FloorDiv),
)
SWAPPED: dict[type[ast.AST], type[ast.AST]] = {one: other for pair in PAIRS for one, other in (pair, pair[::-1])}
"""By operator: the one that takes its place."""
PATIENCE = 60
"""The seconds after which a mutant that still runs counts as noticed."""


def changes(function: ast.FunctionDef) -> Iterator[tuple[int, Callable[[], None]]]:
    """Yields the small changes of a function: the line of each, and what makes it.

    >>> (function,) = ast.parse("def least(a, b):\\n  return a if a < b else b").body
    >>> [line for line, _ in changes(function)]
    [2, 2, 2, 2]
    """
    for node in ast.walk(ast.Module(function.body, [])):
        put = partial(partial, setattr, node)
        match node:
            case ast.Compare(ops=[operator, *_]) if type(operator) in SWAPPED:
                yield node.lineno, put("ops", [SWAPPED[type(operator)](), *node.ops[1:]])
            case ast.BinOp(op=operator) | ast.BoolOp(op=operator) if type(operator) in SWAPPED:
                yield node.lineno, put("op", SWAPPED[type(operator)]())
            case ast.Constant(value=bool() as value):
                yield node.lineno, put("value", not value)
            case ast.Constant(value=int() as value):
                yield node.lineno, put("value", value + 1)
            case ast.If() | ast.IfExp():
                yield from ((node.lineno, put("test", ast.Constant(truth))) for truth in (False, True))
            case ast.Return(value=ast.expr()) | ast.Expr(value=ast.Call()):
                yield node.lineno, put("value", ast.Constant(None))
            case ast.comprehension(ifs=[first, *_]):
                yield first.lineno, put("ifs", [])
            case _:  # any other node stays as it is
                pass


def functions_of(tree: ast.Module) -> list[ast.FunctionDef]:
    """Returns the functions and methods of a module, without those inside others."""
    bodies = [tree.body, *(node.body for node in tree.body if isinstance(node, ast.ClassDef))]
    return [node for body in bodies for node in body if isinstance(node, ast.FunctionDef)]


def first_line(function: ast.FunctionDef) -> int:
    """Returns the line on which a function's code begins: that of its first decorator, if it has one."""
    return min([function.lineno, *(decorator.lineno for decorator in function.decorator_list)])


@attrs.frozen
class Mutant:
    """A change of one function."""

    path: Path
    function: int
    """The position of the function in its module."""
    change: int
    line: int
    """The line that changes."""
    begins: tuple[str, int]
    """The file and the line at which the function begins."""

    @classmethod
    def all_of(cls, folder: Path) -> list[Mutant]:
        """Returns all mutants of the functions in a folder, or in one file."""
        return [
            cls(path, i, k, line, (str(path.resolve()), first_line(function)))
            for path in (sorted(folder.rglob("*.py")) if folder.is_dir() else [folder])
            for i, function in enumerate(functions_of(ast.parse(path.read_text("utf-8"))))
            for k, (line, _) in enumerate(changes(function))
        ]

    def take_effect(self) -> None:
        """Gives the function other code, wherever it is referred to in this process, and forgets what was cached."""
        importlib.import_module(".".join(self.path.with_suffix("").parts))
        tree = ast.parse(self.path.read_text("utf-8"))
        function = functions_of(tree)[self.function]
        list(changes(function))[self.change][1]()
        whole = compile(ast.fix_missing_locations(tree), self.begins[0], "exec", dont_inherit=True)
        (code,) = (
            each for each in _codes(whole) if (each.co_firstlineno, each.co_name) == (self.begins[1], function.name)
        )
        gc.unfreeze()
        for each in gc.get_objects():
            if isinstance(each, FunctionType) and _begins(each.__code__) == self.begins:
                each.__code__ = code
            elif isinstance(each, _lru_cache_wrapper) and str(each.__module__).startswith("rulelang"):
                each.cache_clear()

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.path.read_text('utf-8').splitlines()[self.line - 1].strip()}"


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _codes(part)


def _begins(code: CodeType) -> tuple[str, int]:
    return code.co_filename, code.co_firstlineno


class Trials:
    """A plugin of pytest that tries mutants, in place of running the tests that it has collected."""

    def __init__(self, folder: Path, count: int, seed: int) -> None:
        self.folder, self.count, self.rng = folder, count, random.Random(seed)
        self.failed: set[str] = set()
        self.called: dict[str, list[tuple[str, int]]] = {}
        """By test: the functions of rulelang that it calls."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Notes a test that fails."""
        if report.failed:
            self.failed.add(report.nodeid)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Tries mutants; prints those that no test notices, then the tests that noticed none."""
        session.config.pluginmanager.unregister(name="terminalreporter")
        failed, self.called = self._forked(lambda: self._run(session.items, watches=True), 10 * PATIENCE)
        assert not failed, failed
        reached = {begins for functions in self.called.values() for begins in functions}
        known = [mutant for mutant in Mutant.all_of(self.folder) if mutant.begins in reached]
        tried = self.rng.sample(known, min(self.count, len(known)))
        idle = set(self.called)
        print(f"\n{len(tried)} of {len(known)} mutants, {len(session.items)} tests; nobody noticed:")
        for mutant in tried:
            noticed = self._noticed(session, mutant)
            idle -= noticed
            if not noticed:
                print(mutant, flush=True)
        print("\n".join(["", "Tests that noticed none:", *sorted(idle)]))
        return True

    def _noticed(self, session: pytest.Session, mutant: Mutant) -> set[str]:
        """Returns the tests that fail with a mutant."""
        items = [item for item in session.items if mutant.begins in self.called[item.nodeid]]

        def run() -> None:
            mutant.take_effect()
            self._run(items)

        return set(self._forked(run, PATIENCE)[0])

    def _run(self, items: list[pytest.Item], *, watches: bool = False) -> None:
        for item, after in zip(items, [*items[1:], None], strict=True):
            codes: set[CodeType] = set()
            if watches:
                sys.setprofile(lambda frame, *_, codes=codes: codes.add(frame.f_code))
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            sys.setprofile(None)
            self.called[item.nodeid] = [
                _begins(code) for code in codes if f"{os.sep}rulelang{os.sep}" in code.co_filename
            ]

    def _forked(self, run: Callable[[], None], seconds: int) -> tuple[list[str], dict[str, list[tuple[str, int]]]]:
        """Returns the tests that fail in a fork of this process, and what the tests call there."""
        reading, writing = os.pipe()
        process = os.fork()
        if process == 0:
            signal.alarm(seconds)
            nowhere = os.open(os.devnull, os.O_RDWR)
            for standard in range(3):
                os.dup2(nowhere, standard)
            try:
                run()
            except BaseException as error:
                self.failed.add(repr(error))
            with os.fdopen(writing, "w") as out:
                out.write(json.dumps([sorted(self.failed), self.called]))
            os._exit(0)
        os.close(writing)
        with os.fdopen(reading) as told:
            text = told.read()
        os.waitpid(process, 0)
        found: tuple[list[str], dict[str, Any]] = json.loads(text) if text else (["none came to its end"], {})
        return found[0], {test: [(file, line) for file, line in functions] for test, functions in found[1].items()}


def main() -> int:
    """Reads the arguments, and lets pytest collect the tests."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tests", nargs="+", required=True)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    os.environ["RULELANG_CACHE"] = "off"
    trials = Trials(given.folder, given.count, given.seed)
    return pytest.main(["-q", "-p", "no:cacheprovider", "-m", "not long and not slow", *given.tests], plugins=[trials])


if __name__ == "__main__":
    sys.exit(main())
