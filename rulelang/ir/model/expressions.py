"""Expressions of the IR, and parts shared by all nodes: sites, words for people, rules, locals.

    n <= heap       Op("<=", (Local(n), Read(heap, ())))

All are pure except `Roll`, `Pick` and those that contain them.
"""

from __future__ import annotations

from typing import TypeAlias

import attrs

from rulelang.ir.model.node import IrNode
from rulelang.ir.model.vocabulary import Comprehension, Operator, RuleForm, SiteForm
from rulelang.ir.types import Type
from rulelang.source import NOWHERE, Span


@attrs.frozen(eq=False, repr=False)
class Site(IrNode):
    """One place in the rules that can cite clauses and be counted
    by coverage: a statement, a case, a row, a need, a line.
    """

    id: int
    what: SiteForm
    clauses: tuple[str, ...]
    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False)


@attrs.frozen(eq=False, repr=False)
class Template(IrNode):
    """Words for people: plain pieces and typed holes, in order."""

    parts: tuple[str | Expr, ...]
    types: tuple[Type | None, ...]
    """The type of each part: None for a plain piece."""


@attrs.frozen(eq=False, repr=False)
class Counted(IrNode):
    """A number in words, with its noun: `1 token`, `3 tokens`."""

    of: Expr
    one: str
    many: str


@attrs.frozen(eq=False, repr=False)
class ShownField(IrNode):
    """A text that is shown only if its condition holds."""

    text: Template
    condition: Expr | None = None


@attrs.frozen(eq=False, repr=False)
class Rule(IrNode):
    """The rule that an event names as its cause: a verb, phase, action, option, hook, `whenever`, setup or play.

    `label` may read the rule's parameters and, for an option in place, the locals `around` it. `clauses` are those
    cited on its first line. `told` is the sentence once it is done, if the label is for menus only; `otherwise` is
    the sentence if it had no effect; `shows` are texts to read before it is chosen. People are not told of an
    `untold` rule; `called` are the words of the printed rulebook for a verb without a sentence.
    """

    id: int
    name: str
    what: RuleForm
    parameters: tuple[Variable, ...]
    label: Template | None
    clauses: tuple[str, ...]
    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False)
    around: tuple[Variable, ...] = ()
    """Copies of those locals around an option in place that its label reads; `BeginBody` sets them."""
    told: Template | None = None
    otherwise: Template | None = None
    shows: tuple[ShownField, ...] = ()
    untold: bool = False
    called: Template | None = None


@attrs.frozen(eq=False, repr=False)
class Variable(IrNode):
    """A local: a parameter, a `let`, a loop's or comprehension's name. `id` is unique in the game."""

    id: int
    name: str
    type: Type


# ------------------------------------------------------------------ expressions


@attrs.frozen(repr=False)
class Const(IrNode):
    value: int


@attrs.frozen(repr=False)
class Local(IrNode):
    """Reads a local by its id."""

    id: int


@attrs.frozen(cache_hash=True, repr=False)
class Read(IrNode):
    """Reads a state variable; `index` holds the owner first (if it has one), then its parameters, as values.

    An index that is NONE gives NONE (`none.x` is none); `safe` says that no index can be NONE or out of bounds. A
    number outside the range of its key raises RangeViolation.
    """

    state: int
    index: tuple[Expr, ...]
    safe: bool = True


@attrs.frozen(cache_hash=True, repr=False)
class Column(IrNode):
    """Reads a printed attribute: `Table.values[of]`; NONE for an index that is NONE or out of bounds."""

    table: int
    of: tuple[Expr, ...]
    safe: bool = True


@attrs.frozen(cache_hash=True, repr=False)
class Contents(IrNode):
    """The things in a zone (pile, group or slot) as a mask."""

    zone: int
    index: tuple[Expr, ...]
    safe: bool = True


@attrs.frozen(cache_hash=True, repr=False)
class InSlot(IrNode):
    """The thing in a slot, or NONE."""

    zone: int
    index: tuple[Expr, ...]
    safe: bool = True


@attrs.frozen(cache_hash=True, repr=False)
class TopOf(IrNode):
    """The top thing of a pile, or NONE."""

    zone: int
    index: tuple[Expr, ...]
    safe: bool = True


@attrs.frozen(cache_hash=True, repr=False)
class PlaceOf(IrNode):
    """The place number of a thing (see `Zone`), NONE for NONE."""

    kind: int
    thing: Expr


@attrs.frozen(cache_hash=True, repr=False)
class OwnerOf(IrNode):
    """The owner of the zone in which a thing lies, as an index of the kind `owner`; NONE if the zone has no such owner.

    `place(x)` is OwnerOf(board), `holder(x)` is OwnerOf(Player).
    """

    kind: int
    owner: str
    thing: Expr


@attrs.frozen(cache_hash=True, repr=False)
class FaceUp(IrNode):
    """1 if the thing lies face up (known to everyone), else 0; 0 for NONE."""

    kind: int
    thing: Expr


@attrs.frozen(cache_hash=True, repr=False)
class Way(IrNode):
    """The number of steps from one space to another through a set of spaces, both ends included; NONE without a path.
    Without an `end`, the mask of all spaces to which a path leads, `start` among them.

    `neighbours` is the table of masks, `around` its indices before the space (the map, if there are several).
    """

    neighbours: int
    around: tuple[Expr, ...]
    start: Expr
    end: Expr | None
    within: Expr


@attrs.frozen(cache_hash=True, repr=False)
class DirectedWay(IrNode):
    """A Way whose every step goes in one of some directions (a mask).

    `step` is the table of the next space in a direction or NONE, `around` its indices before the space.
    """

    step: int
    around: tuple[Expr, ...]
    start: Expr
    end: Expr | None
    within: Expr
    directions: Expr


@attrs.frozen(cache_hash=True, repr=False)
class CallValue(IrNode):
    """Evaluates `Game.values[value]`."""

    value: int
    arguments: tuple[Expr, ...]


@attrs.frozen(cache_hash=True, repr=False)
class Cell(IrNode):
    """A data column at a key: evaluates `Game.data[data].columns[column]`; see `DataTable`."""

    data: int
    column: int
    arguments: tuple[Expr, ...]


@attrs.frozen(cache_hash=True, repr=False)
class HasRow(IrNode):
    """1 if the data has a row for the key, else 0."""

    data: int
    arguments: tuple[Expr, ...]


@attrs.frozen(cache_hash=True, repr=False)
class Op(IrNode):
    """A strict operator on ints.

    numbers   + - * neg floordiv ceildiv mod abs min max        ("min"/"max" take two or more)
    compare   == != < <= > >=                            (an ordering with NONE on either side is 0)
    logic     not
    sets      union minus inter size in range single      in(x, S); range(lo, hi), empty for `lo > hi`;
                                                              single(x), empty for NONE; size counts members
    mod has the divisor's sign; dividing by 0 raises RangeViolation. Arithmetic with NONE raises RangeViolation.
    """

    name: Operator
    arguments: tuple[Expr, ...]


@attrs.frozen(cache_hash=True, repr=False)
class And(IrNode):
    """The conjunction, evaluated from left to right up to the first 0."""

    arguments: tuple[Expr, ...]


@attrs.frozen(cache_hash=True, repr=False)
class Or(IrNode):
    """The disjunction, evaluated from left to right up to the first 1."""

    arguments: tuple[Expr, ...]


@attrs.frozen(cache_hash=True, repr=False)
class Either(IrNode):
    """`then if condition else otherwise`; only one of the two is evaluated."""

    condition: Expr
    then: Expr
    otherwise: Expr


@attrs.frozen(cache_hash=True, repr=False)
class Source(IrNode):
    """The source of a loop: a mask in ascending order, or a pile from its top (`pile`: zone and index).

    With a pile, a `mask` restricts it to some of its things.
    """

    mask: Expr | None
    pile: Contents | None = None


@attrs.frozen(eq=False, repr=False)
class Order(IrNode):
    """A sort key; ties keep the source's order."""

    highest: bool
    value: Expr


@attrs.frozen(cache_hash=True, repr=False)
class Over(IrNode):
    """A comprehension over one or more names.

    what   result
    set    mask of the values for which condition holds
        count  the number of combinations that pass
    sum    sum of value, 0 for nothing
    min    least value or NONE
    max    greatest value or NONE
    any    1 if value holds for one that passes   (condition and value are both tested)
    all    1 if value holds for all that pass
    first  the first x by keys that passes, or NONE   (a single name; value is unused)
        best   mask of all x that pass and tie for first by keys
    """

    what: Comprehension
    names: tuple[Variable, ...]
    sources: tuple[Source, ...]
    value: Expr | None
    condition: Expr | None
    keys: tuple[Order, ...] = ()


@attrs.frozen(eq=False, repr=False)
class Roll(IrNode):
    """The face that a die shows, or the sum of several throws."""

    die: Expr
    """The die's index in `GameRules.dice`; mostly a constant, but dice are values too."""
    times: Expr | None = None
    """The number of throws that are added up; None is one."""
    stream: int | None = None
    """The stream of the throws, of those of the first die unless `die` is a constant; None is the die's own, by its name."""
    cells: int = 0
    """How many streams a die has here, as in `Pick`."""


@attrs.frozen(eq=False, repr=False)
class Pick(IrNode):
    """A random member of a set, from the stream `stream`; NONE for the empty set."""

    stream: int
    of: Source
    cells: int = 0
    """The number of cells of the variable or zone that the statement changes, if each has a stream of its own, from
    `stream` on; else 0."""
    earlier: tuple[str, ...] = ()
    """The names of its stream in logs of format 3 (by purpose, one
    for all owners) and before (by its number in its declaration)."""


@attrs.frozen(eq=False, repr=False)
class Occurrences(IrNode):
    """The number of times the position has occurred, this time included; see `History`."""


@attrs.frozen(cache_hash=True, repr=False)
class Foreseen(IrNode):
    """The result of a value after a procedure; without a value, the number of times that position will have occurred.

    Evaluating it changes nothing. The procedure asks nothing and draws nothing. The `whenever` rules run after it. The
    value is called with locals alone.
    """

    procedure: int
    arguments: tuple[Expr, ...]
    of: CallValue | None = None


@attrs.frozen(eq=False, repr=False)
class Seal(IrNode):
    """A variable that the current choice writes: the `chooser`'s
    own stands for `candidate`, anybody else's for any value.
    """

    state: int
    chooser: Expr
    candidate: Expr


@attrs.frozen(cache_hash=True, repr=False)
class Bound(IrNode):
    """`least(e)`, or `most(e)`; gone after `unfold`, which spells it out in ordinary expressions (`ir.bounds`)."""

    most: bool
    of: Expr
    seals: tuple[Seal, ...]
    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False)


@attrs.frozen(eq=False, repr=False)
class Openly(IrNode):
    """A condition that may be revealed by its consequences; gone after weaving."""

    condition: Expr


Expr: TypeAlias = (
    Const
    | Local
    | Read
    | Column
    | Contents
    | InSlot
    | TopOf
    | PlaceOf
    | OwnerOf
    | FaceUp
    | Way
    | DirectedWay
    | CallValue
    | Cell
    | HasRow
    | Op
    | And
    | Or
    | Either
    | Over
    | Roll
    | Pick
    | Occurrences
    | Foreseen
    | Bound
    | Counted
    | Openly
)

Draw: TypeAlias = Roll | Pick
"""The expressions that draw on chance themselves."""

Lying: TypeAlias = Contents | InSlot | TopOf | PlaceOf | OwnerOf | FaceUp
"""The expressions that read where things lie."""
