"""Nodes of statements.

heap -= n       AssignStatement(target, "-=", value)
"""

from __future__ import annotations

import attrs

from rulelang.syntax.nodes.expressions import (
    BinderNode,
    CiteNode,
    DomainNode,
    Expression,
    IdentNode,
    KeyNode,
    Node,
    ParameterNode,
    TextNode,
)
from rulelang.syntax.nodes.vocabulary import AssignSign, Decline, EndForm, PileSide


@attrs.frozen
class Statement(Node):
    """One line of a body, with its block if it has one. `cites` are the clauses cited on its first line."""

    cites: tuple[CiteNode, ...] = attrs.field(default=(), kw_only=True)


@attrs.frozen
class ClampNode(Node):
    """`, at least e` (`least` is true) or `, at most e`."""

    least: bool
    value: Expression


@attrs.frozen
class AssignStatement(Statement):
    """`x = e`, `x += e`, `x -= e`; `operator` is = or += or -=."""

    target: Expression
    operator: AssignSign
    value: Expression
    clamps: tuple[ClampNode, ...] = ()


@attrs.frozen
class LetStatement(Statement):
    """`let n = e, at most 3`."""

    name: IdentNode
    value: Expression
    clamps: tuple[ClampNode, ...] = ()


@attrs.frozen
class CallStatement(Statement):
    """`travel(p, 2)`: a verb, a phase or a built-in change."""

    call: Expression


@attrs.frozen
class MoveStatement(Statement):
    """`move DOMAIN to ZONE [top|bottom]`; `end` is top, bottom or None."""

    what: DomainNode
    to: Expression
    end: PileSide | None = None


@attrs.frozen
class StopStatement(Statement):
    """`stop`: leaves the nearest loop."""


@attrs.frozen
class ReturnStatement(Statement):
    """`return`: leaves the verb; `return e` with an answer for who called it."""

    value: Expression | None = None


@attrs.frozen
class ProceedStatement(Statement):
    """`proceed`, inside `instead of`: runs the original."""


@attrs.frozen
class SettleStatement(Statement):
    """`settle`: runs the `whenever` rules that apply now."""


@attrs.frozen
class FinishStatement(Statement):
    """`finish with winner S` | `finish with ranking COMP` | `finish with score e` | `finish lost`.

    `how` is winner, ranking, score or lost; `value` is an expression (a comprehension for a ranking) or None.
    """

    how: EndForm
    value: Expression | None


@attrs.frozen
class IfStatement(Statement):
    """`if`, its `elif`s and its `else`; each branch has cites of its own."""

    branches: tuple[BranchNode, ...]
    otherwise: tuple[Statement, ...] | None


@attrs.frozen
class BranchNode(Node):
    """`if c:` or `elif c:` with its body."""

    condition: Expression
    body: tuple[Statement, ...]
    cites: tuple[CiteNode, ...] = ()


@attrs.frozen
class ForStatement(Statement):
    """`[simultaneously] for x in S [by KEYS] [if c] [openly]:`; `around` are the `y in T if d` in front, which are loops around it."""

    simultaneous: bool
    binder: BinderNode
    keys: tuple[KeyNode, ...]
    condition: Expression | None
    body: tuple[Statement, ...]
    openly: bool = False
    around: tuple[BinderNode, ...] = ()


@attrs.frozen
class RepeatStatement(Statement):
    """`repeat:` | `repeat while c:` | `repeat n times:`."""

    while_: Expression | None
    times: Expression | None
    body: tuple[Statement, ...]


@attrs.frozen
class TurnsStatement(Statement):
    """`turns p from e:`; `then`, behind `to`, says who is next."""

    name: IdentNode
    start: Expression
    then: Expression | None
    body: tuple[Statement, ...]


@attrs.frozen
class AgainstStatement(Statement):
    """`against CLOCK:`."""

    clock: IdentNode
    body: tuple[Statement, ...]


@attrs.frozen
class ChooserNode(Node):
    """WHO chooses: an expression, or `each p in S [from e] [by KEYS] [if c]`, `openly` or not, `secretly` or not."""

    who: Expression | None = None
    each: BinderNode | None = None
    keys: tuple[KeyNode, ...] = ()
    condition: Expression | None = None
    secretly: bool = False
    openly: bool = False


@attrs.frozen
class ChooseStatement(Statement):
    """One choice, in exactly one of these three forms:

    `target` + `domain`: `p chooses kept in up to 4 of p.hand` (the target is a new
    name or a place such as `p.lane`); `actions`: `chooses one of a, b`; `options`:
    `chooses one of:` with options in place. `decline` is pass, stop or None, and `seconds` the time after which it is
    the answer. A domain that its author knows never to be empty says so (`never_empty`).
    """

    chooser: ChooserNode
    target: Expression | None = None
    domain: DomainNode | None = None
    actions: tuple[IdentNode, ...] = ()
    options: tuple[OptionNode, ...] = ()
    decline: Decline | None = None
    prompt: TextNode | None = None
    never_empty: bool = False
    seconds: Expression | None = None


@attrs.frozen
class NeedNode(Node):
    """`needs c  "why not"  [clause]`."""

    condition: Expression
    message: TextNode | None
    cites: tuple[CiteNode, ...] = ()


@attrs.frozen
class ShownFieldNode(Node):
    """`"a storm" if storm`: a text that is left out unless its condition holds."""

    text: TextNode
    condition: Expression | None = None


@attrs.frozen
class ShowsNode(Node):
    """`shows "{cost(c)} metal", "a storm" if storm`: texts shown with an option before it is chosen."""

    fields: tuple[ShownFieldNode, ...]
    cites: tuple[CiteNode, ...] = ()


@attrs.frozen
class OptionNode(Node):
    """An option in place: `step(s in reach(x)) "Move onto {s}":`, with its needs and body."""

    name: IdentNode
    parameters: tuple[ParameterNode, ...]
    label: TextNode | None
    needs: tuple[NeedNode, ...]
    body: tuple[Statement, ...]
    cites: tuple[CiteNode, ...] = ()
    told: TextNode | None = None
    """The sentence told once it is chosen; without one, the label serves."""
    shows: ShowsNode | None = None
