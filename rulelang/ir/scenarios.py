"""Checked scenarios: starting positions, inputs and expectations as values, without any reference to the tree.

    given red.zone = 3 at bonus      Scenario(moment=StartingPoint({bonus}), arranged=(WriteLine(zone[red], 3),))
    red: play_bonus(nitro)           InputLine(seat=0, option=OptionPattern(ways=(OptionReading({(choice, branch)}, (NamedThings(…),)),)))
    expect red.zone == 4             HoldsLine(expectations=(Expectation(Op("==", …), sides=(Side("red.zone", …),)),))

Seats are numbers: seat 0 is the first in the scenario's `players` line.
"""

from __future__ import annotations

from typing import TypeAlias

import attrs

from rulelang.ir.model import Expr, Place, Source, Variable
from rulelang.ir.model.vocabulary import LoneOptions
from rulelang.ir.numbers import Seat
from rulelang.ir.types import Type
from rulelang.source import NOWHERE, Span


@attrs.frozen
class NamedThings:
    """Things by their written names: each item is the mask of all things of one name, any one of which may be meant.

    If `several`, a set with one thing for each item is meant; otherwise there is a single item, and one thing is meant.
    """

    items: tuple[int, ...]
    several: bool


Sought: TypeAlias = Expr | NamedThings
"""An argument: an expression, or things by their written names."""


@attrs.frozen
class OptionReading:
    """One reading of an option: its branches, as (choice, branch), and its arguments; None leaves the arguments open."""

    branches: frozenset[tuple[int, int]]
    arguments: tuple[Sought, ...] | None


@attrs.frozen
class OptionPattern:
    """An option as a scenario writes it; the choice that is asked decides which of its readings (`ways`) applies."""

    text: str
    ways: tuple[OptionReading, ...]
    declines: bool


@attrs.frozen
class RulePattern:
    """A rule as a scenario writes it: every rule of that name, each with its arguments (None: any)."""

    text: str
    rules: tuple[tuple[int, tuple[Sought, ...] | None], ...]


@attrs.frozen
class ScenarioLine:
    """One line of a scenario."""

    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)
    clauses: tuple[str, ...] = attrs.field(default=(), kw_only=True)


# ------------------------------------------------------------------ givens


@attrs.frozen
class WriteLine(ScenarioLine):
    """`given red.zone = 3`: a variable gets a value."""

    place: Place
    value: Expr


@attrs.frozen
class LayLine(ScenarioLine):
    """`given red.tokens = {nitro}`: exactly these things lie in a zone.

    `items` are masks, with one thing of each; `rest` is a set of further things, all of them. If `open`, the things
    that already lie in the pile stay below.
    """

    kind: int
    zone: int
    index: tuple[Expr, ...]
    items: tuple[int, ...]
    rest: Expr | None = None
    open: bool = False
    up: bool | None = None
    """Whether they lie face up; None leaves it to the zone."""


@attrs.frozen
class ThrowLine(ScenarioLine):
    """`roll yellow 3, 1`: the next results of a die."""

    die: str
    faces: tuple[int, ...]


@attrs.frozen
class DrawLine(ScenarioLine):
    """`draw nitro`: the next results of random picks and shuffles; `kind` is None for values other than things."""

    kind: int | None
    items: tuple[int, ...]


@attrs.frozen
class StartingPoint:
    """The start of a scenario: just before one of these phases, with these arguments (None: any)."""

    text: str
    procedures: frozenset[int]
    arguments: tuple[Sought, ...] | None


@attrs.frozen
class StandingPoint:
    """The start of a scenario at a place in the rules, without their set-up: `play#1: p = red`."""

    text: str


# ------------------------------------------------------------------ inputs


@attrs.frozen
class InputLine(ScenarioLine):
    """`red: steal(blue, metal, 2)`; `elapsed` is the time used on the clock that the choice runs against (None: as the
    clock's table says).
    """

    seat: Seat
    option: OptionPattern
    elapsed: int | None = None


@attrs.frozen
class OthersLine(ScenarioLine):
    """`others pass`; `later` are the seats with an input of their own further down, before the next expectation."""

    option: OptionPattern
    later: frozenset[int]


# ------------------------------------------------------------------ expectations


@attrs.frozen
class ForEach:
    """`for NAME in SOURCE`; `text` is the source as written."""

    name: Variable
    source: Source
    text: str


@attrs.frozen
class Side:
    """Part of a condition whose value is shown if the condition fails; for each member of a set, if `each` is given."""

    text: str
    value: Expr
    type: Type
    each: ForEach | None = None


@attrs.frozen
class Expectation:
    """One condition that must hold, with the parts whose values explain a failure."""

    text: str
    condition: Expr
    sides: tuple[Side, ...]
    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False)


@attrs.frozen
class PileOrder:
    """`bonuses == top nitro, fuel_tank, ...`: the order of a pile."""

    text: str
    name: str
    zone: int
    index: tuple[Expr, ...]
    items: tuple[int, ...]
    open: bool
    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False)


@attrs.frozen
class HoldsLine(ScenarioLine):
    """`expect CONDITION`, split into its conjuncts."""

    expectations: tuple[Expectation | PileOrder, ...]


@attrs.frozen
class WonLine(ScenarioLine):
    """`expect winner red`; an empty mask means nobody."""

    text: str
    winners: Expr


@attrs.frozen
class LostLine(ScenarioLine):
    """`expect lost`."""


@attrs.frozen
class CanLine(ScenarioLine):
    """`expect red can steal(blue)`, or `cannot`."""

    text: str
    seat: Seat
    option: OptionPattern
    legal: bool


@attrs.frozen
class AskedLine(ScenarioLine):
    """`expect red is asked`, or `is not asked`."""

    text: str
    seat: Seat
    asked: bool


@attrs.frozen
class SeesLine(ScenarioLine):
    """`expect blue sees red.played`, or `cannot see`."""

    text: str
    seat: Seat
    value: Expr
    type: Type
    sees: bool


@attrs.frozen
class HappenedLine(ScenarioLine):
    """`expect event out_of_fuel(red)`."""

    pattern: RulePattern


@attrs.frozen
class AfterLine(ScenarioLine):
    """`after travel(green): expect …`."""

    pattern: RulePattern
    lines: tuple[ScenarioLine, ...]


@attrs.frozen
class Scenario:
    """A scenario that can be run.

    `opening` takes effect before the game begins, `arranged` at the `moment`; without a moment the game runs from its
    start to its first choice. Then `lines` run, in order. At a standing point, nothing is as the set-up leaves it: all
    that is not given is as variables hold it at first, and the things are in the box.
    """

    title: str
    clauses: tuple[str, ...]
    """The clauses cited in its head and on its lines."""
    players: int
    seats: tuple[str, ...]
    options: tuple[tuple[int, int], ...]
    opening: tuple[ScenarioLine, ...]
    moment: StartingPoint | StandingPoint | None
    arranged: tuple[ScenarioLine, ...]
    lines: tuple[ScenarioLine, ...]
    lone: LoneOptions | None = None
    """The scenario's own treatment of lone options; None leaves it to the game."""
    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False)
