"""Nodes of statements.

heap -= n       Assign(target, "-=", value)
"""

from __future__ import annotations

import attrs

from rulelang.syntax.nodes.expressions import Binder, Cite, Domain, Expression, Ident, Key, Node, Parameter, Text
from rulelang.syntax.nodes.vocabulary import AssignSign, Decline, Ending, PileSide


@attrs.frozen
class Statement(Node):
    """One line of a body (with its block). `cites` are the clauses named on its first line."""

    cites: tuple[Cite, ...] = attrs.field(default=(), kw_only=True)


@attrs.frozen
class Clamp(Node):
    """`, at least e` (`least` is true) or `, at most e`."""

    least: bool
    value: Expression


@attrs.frozen
class Assign(Statement):
    """`x = e`, `x += e`, `x -= e`; `operator` is = or += or -=."""

    target: Expression
    operator: AssignSign
    value: Expression
    clamps: tuple[Clamp, ...] = ()


@attrs.frozen
class Let(Statement):
    name: Ident
    value: Expression
    clamps: tuple[Clamp, ...] = ()


@attrs.frozen
class CallStatement(Statement):
    """`travel(p, 2)`: a verb, a phase or a built-in change."""

    call: Expression


@attrs.frozen
class Move(Statement):
    """`move DOMAIN to ZONE [top|bottom]`; `end` is top, bottom or None."""

    what: Domain
    to: Expression
    end: PileSide | None = None


@attrs.frozen
class Stop(Statement):
    """`stop`: leaves the nearest loop."""


@attrs.frozen
class Return(Statement):
    """`return`: leaves the verb."""


@attrs.frozen
class Proceed(Statement):
    """`proceed`, inside `instead of`: runs the original."""


@attrs.frozen
class Settle(Statement):
    """`settle`: looks at the whenever-rules now."""


@attrs.frozen
class Finish(Statement):
    """`finish with winner S` | `finish with ranking COMP` | `finish with score e` | `finish lost`.

    `how` is winner, ranking, score or lost; `value` is an expression (a Comprehension for ranking) or None.
    """

    how: Ending
    value: Expression | None


@attrs.frozen
class If(Statement):
    """`if`, its `elif`s, `else`: the cites of each branch stand with the branch."""

    branches: tuple[Branch, ...]
    otherwise: tuple[Statement, ...] | None


@attrs.frozen
class Branch(Node):
    """`if c:` or `elif c:` with its body."""

    condition: Expression
    body: tuple[Statement, ...]
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class For(Statement):
    """`[simultaneously] for x in S [by KEYS] [if c] [openly]:`."""

    simultaneous: bool
    binder: Binder
    keys: tuple[Key, ...]
    condition: Expression | None
    body: tuple[Statement, ...]
    openly: bool = False


@attrs.frozen
class Repeat(Statement):
    """`repeat:` | `repeat while c:` | `repeat n times:`."""

    while_: Expression | None
    times: Expression | None
    body: tuple[Statement, ...]


@attrs.frozen
class Turns(Statement):
    """`turns p from e:`."""

    name: Ident
    start: Expression
    body: tuple[Statement, ...]


@attrs.frozen
class Against(Statement):
    """`against CLOCK:`."""

    clock: Ident
    body: tuple[Statement, ...]


@attrs.frozen
class Chooser(Node):
    """WHO chooses: an expression, or `each p in S [if c]`, `openly` or not, `secretly` or not."""

    who: Expression | None = None
    each: Binder | None = None
    condition: Expression | None = None
    secretly: bool = False
    openly: bool = False


@attrs.frozen
class Choose(Statement):
    """One sentence of choice. Exactly one of these three is given:

    `target` + `domain`: `p chooses kept in up to 4 of p.hand` (target is a Name or a place such as `p.lane`);
    `actions`: `chooses one of a, b`;
    `options`: `chooses one of:` with options in place.
    `decline` is pass, stop or None.
    """

    chooser: Chooser
    target: Expression | None = None
    domain: Domain | None = None
    actions: tuple[Ident, ...] = ()
    options: tuple[Option, ...] = ()
    decline: Decline | None = None
    prompt: Text | None = None


@attrs.frozen
class Need(Node):
    """`needs c  "why not"  [clause]`."""

    condition: Expression
    message: Text | None
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class ShownField(Node):
    """`"a storm" if storm`: a text that is left out where its condition does not hold."""

    text: Text
    condition: Expression | None = None


@attrs.frozen
class Shows(Node):
    """`shows "{cost(c)} metal", "a storm" if storm`: what is to be known of an option before it is chosen."""

    fields: tuple[ShownField, ...]
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class Option(Node):
    """An option in place: `step(s in reach(x)) "Move onto {s}":`, with its needs and body."""

    name: Ident
    parameters: tuple[Parameter, ...]
    label: Text | None
    needs: tuple[Need, ...]
    body: tuple[Statement, ...]
    cites: tuple[Cite, ...] = ()
    told: Text | None = None
    """What is told when it was chosen, where the label does not say it."""
    shows: Shows | None = None
