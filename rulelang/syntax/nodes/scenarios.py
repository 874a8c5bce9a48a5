"""Nodes of scenarios, of a whole file, and of its comments.

expect heap == 4       ExpectStep(...)
"""

from __future__ import annotations

import attrs

from rulelang.source import Span
from rulelang.syntax.nodes.declarations import Declaration
from rulelang.syntax.nodes.expressions import CiteNode, Expression, IdentNode, Node, TextNode
from rulelang.syntax.nodes.vocabulary import ExpectForm, UnreadNames, UnreadPart


@attrs.frozen
class ScenarioStep(Node):
    """One line of a scenario."""

    cites: tuple[CiteNode, ...] = attrs.field(default=(), kw_only=True)


@attrs.frozen
class PlayersStep(ScenarioStep):
    """`players red, blue`: the seats that play, in order."""

    names: tuple[IdentNode, ...]


@attrs.frozen
class TopExpression(Expression):
    """`top nitro, fuel_tank, ...`, in a `given` or on the right of `expect PILE ==`: the order of a pile from the
    top; `open` if it ends in `...`.
    """

    items: tuple[Expression, ...]
    open: bool


@attrs.frozen
class LoneStep(ScenarioStep):
    """`lone options are asked` or `lone options are taken`: overrides that line of the game."""

    manner: IdentNode


@attrs.frozen
class GivenStep(ScenarioStep):
    """`given LVALUE = e, ... [at PHASE(args)]`; a text behind `at` is a place in the rules, of a printed position."""

    assignments: tuple[tuple[Expression, Expression], ...]
    at: Expression | TextNode | None


@attrs.frozen
class DrawnStep(ScenarioStep):
    """`given NAME from SPACE [at PHASE(args)] \"\"\"...\"\"\"`: a zone or variable of each space, drawn as a map."""

    zone: Expression
    first: Expression
    lines: tuple[str, ...]
    at: Expression | TextNode | None


@attrs.frozen
class InputStep(ScenarioStep):
    """`red: steal(blue, metal, 2)`, `red: pass`, `red: 3`, `red: {a, b}`: the answer of a seat, an option or a value.

    `elapsed`, as in `red: climb after 5200`, is the time taken on the clock that the choice runs against.
    """

    who: IdentNode
    option: Expression
    elapsed: Expression | None


@attrs.frozen
class OthersStep(ScenarioStep):
    """`others pass`: all other seats decline until the seat of the next input is asked, or the phase ends."""

    option: Expression


@attrs.frozen
class RollStep(ScenarioStep):
    """`roll yellow 3, 1`: the next results of that die."""

    die: IdentNode
    results: tuple[Expression, ...]


@attrs.frozen
class DrawStep(ScenarioStep):
    """`draw nitro`: the next thing or member that is picked at random, or the top of the next pile that is shuffled."""

    things: tuple[Expression, ...]


@attrs.frozen
class ExpectStep(ScenarioStep):
    """An expectation.

    form     fields used
    holds    value
    winner   value (a name, a set, or none for a game without a winner)
    lost     -
    can      who, option          `expect red can steal(blue, metal, 2)`
    cannot   who, option          `expect red cannot steal(...) [EV-9.3]`
    is asked who                  also `is not asked`
    sees     who, value
    blind    who, value           `expect blue cannot see red.lane`
    event    value                `expect event out_of_fuel(red)`
    after    value (the call), inner: `after travel(green): expect ...`
    """

    form: ExpectForm
    value: Expression | None = None
    who: IdentNode | None = None
    option: Expression | None = None
    inner: tuple[ExpectStep, ...] = ()


@attrs.frozen
class ScenarioDeclaration(Declaration):
    """`scenario "what must hold" with option = value:`."""

    title: TextNode
    options: tuple[tuple[IdentNode, Expression], ...]
    steps: tuple[ScenarioStep, ...]


@attrs.frozen
class ModuleNode(Node):
    """One parsed file."""

    declarations: tuple[Declaration, ...]
    comments: tuple[CommentNode, ...] = attrs.field(default=(), eq=False)
    unread: tuple[UnreadNode, ...] = attrs.field(default=(), eq=False)
    """The lines that are missing in the tree because they could not be read."""


@attrs.frozen
class UnreadNode(Node):
    """Lines that could not be read.

    `names` are the words in which they may declare names, `also` says what else they may declare, and `cut` is the word
    with which they break off; `of` says what lacks them. `costs` is the place of the declaration that holds them and is incomplete without them, None if they are
    declarations of their own.
    """

    names: frozenset[str] = frozenset()
    also: UnreadNames = "nothing"
    cut: str = ""
    of: UnreadPart = "game"
    costs: Span | None = None


@attrs.frozen
class CommentNode(Node):
    """`# text`, without the mark; `alone` if nothing stands before it on its line."""

    text: str
    alone: bool
