"""A number -> its account: the initial result of a value, and each adjustment that changed it.

    reach(red) = 4
      base 3                [R-1]
      +2 long_legs          [R-2]
      at most 4

Like a `Looking`, an account determines who may know everything from which the number was computed. Nobody else is told
any of it, not even which adjustments there were.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from rulelang.errors import UnknownOption
from rulelang.ir.model import Adjustment, CallValue, Cell, Const, DataTable, Expr, GameRules, Value, Variable
from rulelang.ir.types import NONE, Type
from rulelang.knowledge.redaction import call, name_of, said_value
from rulelang.knowledge.rendering import Looking
from rulelang.machines.evaluate import Locals, adjusted
from rulelang.program.values import read_value, split_arguments, written
from rulelang.source import NOWHERE, Span

SIGNS = {"set": "set {}", "times": "times {}", "+": "{:+d}", "least": "at least {}", "most": "at most {}"}


@attrs.frozen
class NumberPart:
    """One part of a number, `base 2`, `+1 long_legs` or `at most 6`, with its clauses and its place."""

    text: str
    clauses: tuple[str, ...] = ()
    span: Span = attrs.field(default=NOWHERE, repr=False, eq=False)


@attrs.frozen
class NumberAccount:
    """The account of the result of a value, or of a cell of data, in one position.

    `parts` are the base and the adjustments that apply, in order; `idle` are those that do not; `inner` are the
    accounts of adjusted numbers from which it was computed.
    """

    call: str
    name: str
    """What people call it."""
    value: str
    parts: tuple[NumberPart, ...]
    idle: tuple[NumberPart, ...] = ()
    inner: tuple[NumberAccount, ...] = ()

    @property
    def is_telling(self) -> bool:
        """Whether an adjustment applies, here or in an inner account."""
        return len(self.parts) > 1 or bool(self.inner)

    @property
    def text(self) -> str:
        """`Red's reach = 4: base 3, +2 long_legs, at most 4`."""
        return f"{self.name} = {self.value}: {', '.join(part.text for part in self.parts)}"


@attrs.define
class _Open:
    """An account that is being built."""

    base: int = NONE
    changes: list[tuple[Adjustment, int]] = attrs.field(factory=list)
    """The adjustments that apply, each with its amount."""
    idle: list[NumberPart] = attrs.field(factory=list)
    inner: dict[str, NumberAccount] = attrs.field(factory=dict)
    site: int = 0
    """The site of the case or cell of its base."""


@attrs.define
class Accounting(Looking):
    """One evaluation that keeps an account of each number that it computes."""

    _open: list[_Open] = attrs.field(factory=lambda: [_Open()], kw_only=True)
    _kept: dict[tuple[int, ...], NumberAccount] = attrs.field(factory=dict, kw_only=True)

    @property
    def accounts(self) -> tuple[NumberAccount, ...]:
        """The accounts of all outermost calls so far, each once."""
        return tuple(self._open[0].inner.values())

    def _call(self, value: Value, arguments: tuple[int, ...]) -> int:
        result = super()._call(value, arguments)
        kept = self._kept[value.id, *arguments]
        self._open[-1].inner[kept.call] = kept
        return result

    def _worked_out(self, value: Value, arguments: tuple[int, ...]) -> int:
        self._open.append(_Open())
        try:
            result = super()._worked_out(value, arguments)
        finally:
            mine = self._open.pop()
        said = _said(self.game, value.name, arguments, value.parameters)
        pairs = zip(arguments, value.parameters, strict=True)
        named = said if value.called is None else said_value(value, (name_of(a, v.type, self.game) for a, v in pairs))
        self._kept[value.id, *arguments] = self._closed(mine, said, named, result, value.type)
        return result

    def _cell(self, expr: Cell, arguments: tuple[int, ...]) -> int:
        self._open.append(_Open())
        try:
            result = super()._cell(expr, arguments)
        finally:
            mine = self._open.pop()
        data = self.game.data[expr.data]
        column = data.columns[expr.column]
        said = f"{_said(self.game, data.name, arguments, data.parameters)}.{column.name}"
        self._open[-1].inner[said] = self._closed(mine, said, said, result, column.type)
        return result

    def _adjusted(self, result: int, adjustments: tuple[Adjustment, ...], locals: Locals) -> int:
        mine = self._open[-1]
        mine.base = result
        for adjustment, amount in self.applying(adjustments, locals) if result != NONE else ():
            mine.changes.append((adjustment, amount))
            result = adjusted(adjustment, result, amount)
        # A line that adds and clamps is several adjustments, but its condition is shown once.
        applied = [one for one, _ in mine.changes]
        idle = [self._part(one, "") for one in adjustments if one not in applied]
        mine.idle += {one.span: one for one in idle}.values()
        return result

    def _hit(self, site: int) -> None:
        mine = self._open[-1]
        mine.site = mine.site or site  # The case or cell comes first, the adjustments after it.

    def _part(self, adjustment: Adjustment, sign: str) -> NumberPart:
        site = self.game.sites[adjustment.site]
        return NumberPart(f"{sign} {_name_of(site.span.text)}".strip(), site.clauses, site.span)

    def _closed(self, mine: _Open, said: str, named: str, result: int, type: Type) -> NumberAccount:
        base = self.game.sites[mine.site]
        first = NumberPart(f"base {written(mine.base, type, self.game)}", base.clauses, base.span)
        changes = [
            self._part(one, SIGNS[one.what].format(written(amount, type, self.game) if one.what == "set" else amount))
            for one, amount in mine.changes
        ]
        inner = tuple(account for account in mine.inner.values() if account.is_telling)
        return NumberAccount(said, named, written(result, type, self.game), (first, *changes), tuple(mine.idle), inner)


def _said(game: GameRules, name: str, arguments: tuple[int, ...], parameters: tuple[Variable, ...]) -> str:
    return call(name, [written(a, v.type, game) for a, v in zip(arguments, parameters, strict=False)])


def _name_of(text: str) -> str:
    """Returns an adjustment's name, else its condition, as written in the rules; "" for one that always applies.

    >>> _name_of("adjust reach(p): +1 if p.race == elf as long_legs  [R-2]")
    'long_legs'
    >>> _name_of("adjust reach(p): +1 if p.race == elf")
    'if p.race == elf'
    """
    line = re.sub(r"\[[^][]*\]$", "", " ".join(text.split())).strip()
    named = re.search(r" as (\w+)$", line)
    condition = re.search(r" (if .+)$", line)
    return named[1] if named else condition[1] if condition else ""


def asked_for(game: GameRules, text: str) -> Iterator[Expr]:
    """Yields the calls that a text may mean: `reach(red)`, `supply`, `route(4, left, 1, red).cost`.

    Raises UnknownOption for arguments that cannot be read, and for a value that names a whole row of data.
    """
    found = re.fullmatch(r"(\w+)(?:\((.*)\))?(?:\.(\w+))?", text.strip())
    if found is None:
        return
    name, inside, column = found.groups()
    parts = split_arguments(inside or "")
    called: tuple[Value | DataTable, ...] = (*game.values, *game.data)
    wanted = [one.parameters for one in called if one.name == name]
    if wanted and all(len(parameters) != len(parts) for parameters in wanted):
        raise UnknownOption(f"`{name}` wants ({', '.join(one.name for one in wanted[0])})")
    for value in game.values:
        if value.name == name and not value.cases:
            raise UnknownOption(f"{name} is a row of data: ask about one of its cells, as `table(…).column`")
        if value.name == name and column is None and len(value.parameters) == len(parts):
            yield CallValue(value.id, _read(game, parts, value.parameters))
    for data in game.data:
        for number, one in enumerate(data.columns):
            if data.name == name and one.name == column and len(data.parameters) == len(parts):
                yield Cell(data.id, number, _read(game, parts, data.parameters))


def _read(game: GameRules, parts: list[str], parameters: tuple[Variable, ...]) -> tuple[Expr, ...]:
    return tuple(
        Const(read_value(game, part, variable.type)[0]) for part, variable in zip(parts, parameters, strict=True)
    )
