"""Nodes of expressions and written types, and what every node is.

n <= heap       Binary("<=", Name("n"), Name("heap"))
"""

from __future__ import annotations

import attrs

from rulelang.source import NOWHERE, Span
from rulelang.syntax.nodes.vocabulary import BinaryOperator, Rounding, UnaryOperator, ZoneForm


@attrs.frozen(kw_only=True)
class Node:
    """Anything that stands somewhere in a source."""

    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False)


@attrs.frozen
class Ident(Node):
    """One written name."""

    text: str


@attrs.frozen
class Cite(Node):
    """One clause id out of a pair of square brackets, `[OS-5.1, OS-5.3]` being two of them."""

    id: str


# --------------------------------------------------------------------------- expressions


@attrs.frozen
class Expression(Node):
    """Anything that has a value."""


@attrs.frozen
class Name(Expression):
    """`heap`, `none`, `yes`: a name where a value is wanted."""

    text: str


@attrs.frozen
class Number(Expression):
    value: int


@attrs.frozen
class Attribute(Expression):
    """`p.fuel`."""

    of: Expression
    name: Ident


@attrs.frozen
class Call(Expression):
    """`crew(z)`, `use(p, p.played.power)`: values, verbs, variables with parameters, built-ins."""

    function: Expression
    arguments: tuple[Expression, ...]


@attrs.frozen
class Unary(Expression):
    """`operator` is `-` or `not`."""

    operator: UnaryOperator
    operand: Expression


@attrs.frozen
class Binary(Expression):
    """`operator` is one of + - * % / and or == != < <= > >= in, `not in`; `rounded` is up or down after `/`."""

    operator: BinaryOperator
    left: Expression
    right: Expression
    rounded: Rounding | None = None


@attrs.frozen
class Range(Expression):
    """`lo..hi`: as a value, the set of its numbers."""

    low: Expression
    high: Expression


@attrs.frozen
class Openly(Expression):
    """`c openly`: a condition that is meant to be told by what comes of it."""

    condition: Expression


@attrs.frozen
class Conditional(Expression):
    """`then if condition else otherwise`."""

    then: Expression
    condition: Expression
    otherwise: Expression


@attrs.frozen
class SetDisplay(Expression):
    """`{a, b, c}`, also `{}`."""

    items: tuple[Expression, ...]


@attrs.frozen
class Binder(Node):
    """`x in S`, in a comprehension with `if c` where another follows."""

    name: Ident
    domain: Expression
    condition: Expression | None = None


@attrs.frozen
class Key(Node):
    """`highest e` or `lowest e`; a bare key is lowest first."""

    highest: bool
    value: Expression


@attrs.frozen
class Comprehension(Expression):
    """`e for x in S if b, y in T by KEYS if c`; `x in S by KEYS if c` has `element` None, which stands for x."""

    element: Expression | None
    binders: tuple[Binder, ...]
    keys: tuple[Key, ...]
    condition: Expression | None


@attrs.frozen
class SetOf(Expression):
    """`{COMPREHENSION}`."""

    comprehension: Comprehension


@attrs.frozen
class Aggregate(Expression):
    """`count|sum|min|max|any|all|first|best|random(COMPREHENSION)`."""

    function: Ident
    comprehension: Comprehension


@attrs.frozen
class OccurrencesAfter(Expression):
    """`occurrences after take(p, s)`."""

    call: Expression


@attrs.frozen
class Quantity(Node):
    """How many of a domain: `2 of`, `up to n of`, `any of`. `any of` is low None, high None; `n of` has low is high."""

    low: Expression | None
    high: Expression | None


@attrs.frozen
class Domain(Node):
    """`S`, `n of S`, `up to n of S`, `any of S`."""

    quantity: Quantity | None
    of: Expression


@attrs.frozen
class Hole(Node):
    """An `{expression}` inside a text."""

    value: Expression


@attrs.frozen
class Text(Node):
    """A string that people see: pieces of plain text and holes, in order. `raw` is the text between the quotes."""

    raw: str
    parts: tuple[str | Hole, ...]


@attrs.frozen
class Counted(Expression):
    """`{n of Token}` in a text: a number and what is counted, `1 token`, `3 tokens`."""

    number: Expression
    noun: Ident


@attrs.frozen
class Named(Ident):
    """A written name with its name for people and what it means, where they are declared: a member, a seat."""

    called: Text | None = None
    says: Text | None = None
    colour: Ident | None = None
    cites: tuple[Cite, ...] = ()


# --------------------------------------------------------------------------- written types


@attrs.frozen
class TypeNode(Node):
    """A type as written."""


@attrs.frozen
class NamedType(TypeNode):
    """`Lane`, `flag`."""

    name: str


@attrs.frozen
class RangeType(TypeNode):
    """`0..12`."""

    low: Expression
    high: Expression


@attrs.frozen
class EnumType(TypeNode):
    """`enum(universe, exoplanet)`, an enum without a name of its own."""

    members: tuple[Ident, ...]


@attrs.frozen
class OptionalType(TypeNode):
    """`T?`."""

    of: TypeNode


@attrs.frozen
class SetType(TypeNode):
    """`set of T`."""

    of: TypeNode


@attrs.frozen
class MapType(TypeNode):
    """`map of Space`: which of a board's maps."""

    board: Ident


@attrs.frozen
class ZoneType(TypeNode):
    """`pile of K`, `group of K`, `slot for K`; `form` is pile, group or slot."""

    form: ZoneForm
    kind: Ident


@attrs.frozen
class Parameter(Node):
    """`p`, `p: Player`, `b in p.tokens`, `cards in 2 of p.hand`, or a verb's case: `flamethrower` (a bare name).

    Whether a bare name is a parameter of a declared `names` type or the case of an enum is not known here.
    """

    name: Ident
    type: TypeNode | None = None
    domain: Domain | None = None
