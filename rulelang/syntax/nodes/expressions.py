"""Nodes of expressions and written types, and the base class of all nodes.

n <= heap       BinaryExpression("<=", NameExpression("n"), NameExpression("heap"))
"""

from __future__ import annotations

import attrs

from rulelang.source import NOWHERE, Span
from rulelang.syntax.nodes.vocabulary import BinaryOperator, Rounding, UnaryOperator, ZoneForm


@attrs.frozen(kw_only=True)
class Node:
    """A node of the tree, with its place in a source."""

    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False)


@attrs.frozen
class IdentNode(Node):
    """One written name."""

    text: str


@attrs.frozen
class CiteNode(Node):
    """One clause id in square brackets; `[OS-5.1, OS-5.3]` holds two."""

    id: str


# --------------------------------------------------------------------------- expressions


@attrs.frozen
class Expression(Node):
    """An expression."""


@attrs.frozen
class NameExpression(Expression):
    """`heap`, `none`, `yes`: a name as a value."""

    text: str


@attrs.frozen
class NumberExpression(Expression):
    """A whole number, not below 0."""

    value: int


@attrs.frozen
class AttributeExpression(Expression):
    """`p.fuel`."""

    of: Expression
    name: IdentNode


@attrs.frozen
class CallExpression(Expression):
    """`crew(z)`, `use(p, p.played.power)`: values, verbs, variables with parameters, built-ins."""

    function: Expression
    arguments: tuple[Expression, ...]


@attrs.frozen
class UnaryExpression(Expression):
    """`operator` is `-` or `not`."""

    operator: UnaryOperator
    operand: Expression


@attrs.frozen
class BinaryExpression(Expression):
    """`operator` is one of + - * % / and or == != < <= > >= in, `not in`; `rounded` is up or down after `/`."""

    operator: BinaryOperator
    left: Expression
    right: Expression
    rounded: Rounding | None = None


@attrs.frozen
class RangeExpression(Expression):
    """`lo..hi`: as a value, the set of its numbers."""

    low: Expression
    high: Expression


@attrs.frozen
class OpenlyExpression(Expression):
    """`c openly`: a condition that is meant to become known through its consequences."""

    condition: Expression


@attrs.frozen
class ConditionalExpression(Expression):
    """`then if condition else otherwise`."""

    then: Expression
    condition: Expression
    otherwise: Expression


@attrs.frozen
class SetDisplayExpression(Expression):
    """`{a, b, c}`, also `{}`."""

    items: tuple[Expression, ...]


@attrs.frozen
class BinderNode(Node):
    """`x in S`; in a comprehension, `condition` is the `if c` before the next binder."""

    name: IdentNode
    domain: Expression
    condition: Expression | None = None


@attrs.frozen
class KeyNode(Node):
    """`highest e` or `lowest e`; a bare key is lowest first. With `starts`, `from e`: in the usual order, round from e. With
    `chosen`, `in order chosen by e`."""

    highest: bool
    value: Expression
    starts: bool = False
    chosen: bool = False


@attrs.frozen
class ComprehensionExpression(Expression):
    """`e for x in S if b, y in T by KEYS if c`; `x in S by KEYS if c` has `element` None, which stands for x."""

    element: Expression | None
    binders: tuple[BinderNode, ...]
    keys: tuple[KeyNode, ...]
    condition: Expression | None


@attrs.frozen
class SetOfExpression(Expression):
    """`{COMPREHENSION}`."""

    comprehension: ComprehensionExpression


@attrs.frozen
class AggregateExpression(Expression):
    """`count|sum|min|max|any|all|first|best|random(COMPREHENSION)`."""

    function: IdentNode
    comprehension: ComprehensionExpression


@attrs.frozen
class AfterExpression(Expression):
    """`in_check(p) after move(p, s)`: a value as it would be after a verb; `occurrences after take(p, s)`."""

    of: Expression
    call: Expression


@attrs.frozen
class QuantityNode(Node):
    """The number of members to take from a domain: `2 of`, `up to n of`, `any of`.

    `n of` has equal bounds, `up to n of` has no `low`, and `any of` has neither bound.
    """

    low: Expression | None
    high: Expression | None


@attrs.frozen
class DomainNode(Node):
    """`S`, `n of S`, `up to n of S`, `any of S`."""

    quantity: QuantityNode | None
    of: Expression


@attrs.frozen
class HoleNode(Node):
    """An `{expression}` inside a text."""

    value: Expression


@attrs.frozen
class TextNode(Node):
    """A string that people see: pieces of plain text and holes, in order. `raw` is the text between the quotes."""

    raw: str
    parts: tuple[str | HoleNode, ...]


@attrs.frozen
class CountedExpression(Expression):
    """`{n of Token}` in a text: a number with a noun in the right form, `1 token`, `3 tokens`."""

    number: Expression
    noun: IdentNode


@attrs.frozen
class NamedNode(IdentNode):
    """The declared name of a member or a seat, with its name for people, its meaning, its colour and its shape or sign."""

    called: TextNode | None = None
    says: TextNode | None = None
    colour: IdentNode | None = None
    cites: tuple[CiteNode, ...] = ()
    shape: IdentNode | TextNode | None = None
    """A text is a sign."""


# --------------------------------------------------------------------------- written types


@attrs.frozen
class TypeNode(Node):
    """A type as written."""


@attrs.frozen
class NamedTypeNode(TypeNode):
    """`Lane`, `flag`."""

    name: str


@attrs.frozen
class RangeTypeNode(TypeNode):
    """`0..12`."""

    low: Expression
    high: Expression


@attrs.frozen
class EnumTypeNode(TypeNode):
    """`enum(universe, exoplanet)`, an enum without a name of its own."""

    members: tuple[IdentNode, ...]


@attrs.frozen
class OptionalTypeNode(TypeNode):
    """`T?`."""

    of: TypeNode


@attrs.frozen
class SetTypeNode(TypeNode):
    """`set of T`."""

    of: TypeNode


@attrs.frozen
class MapTypeNode(TypeNode):
    """`map of Space`: one of the maps of a board."""

    board: IdentNode


@attrs.frozen
class ZoneTypeNode(TypeNode):
    """`pile of K`, `group of K`, `slot for K`; `form` is pile, group or slot."""

    form: ZoneForm
    kind: IdentNode


@attrs.frozen
class BoxTypeNode(TypeNode):
    """The box, which is there without being declared; a line of `the game has:` only says whether it lies open."""


@attrs.frozen
class ParameterNode(Node):
    """`p`, `p: Player`, `b in p.tokens`, `cards in 2 of p.hand`, or a verb's case: `flamethrower` (a bare name).

    The tree does not tell whether a bare name is a parameter with the type of a `names` line or the member of a case.
    """

    name: IdentNode
    type: TypeNode | None = None
    domain: DomainNode | None = None
