"""Statements of the IR, and the choices in which they ask.

    heap -= n       Assign(Place(variable=heap, index=()), "+", Op("-", (Local(n),)), ...)

Invariants: a `Local` is assigned before it is read; `Stop.loop` names an enclosing loop of the same procedure.
"""

from __future__ import annotations

from functools import cached_property
from typing import TypeAlias

import attrs

from rulelang.ir.model.expressions import Expr, Order, Source, Template, Variable
from rulelang.ir.model.vocabulary import AssignOperator, Ending, Impasse, Moment, PileEnd


@attrs.frozen(kw_only=True)
class Stmt:
    site: int = 0
    """Index into Game.sites; 0 is nowhere."""


@attrs.frozen
class Bind(Stmt):
    """`let`: sets a local; clamps first, then (when `type` is an IntType and `check`) the range check."""

    variable: Variable
    value: Expr
    least: Expr | None = None
    most: Expr | None = None


@attrs.frozen
class Place:
    """A state variable to write: as `Read`. Writing at an index that is NONE raises RangeViolation."""

    state: int
    index: tuple[Expr, ...]


@attrs.frozen
class Assign(Stmt):
    """`operator` is "=" or "+" (`x -= e` is + of neg e). Order: value, clamps `least` then `most`, range check of the
    declared type (RangeViolation names rule, value and range)."""

    place: Place
    operator: AssignOperator
    value: Expr
    least: Expr | None = None
    most: Expr | None = None


@attrs.frozen
class Target:
    """A zone to move into: zone id and index values."""

    zone: int
    index: tuple[Expr, ...]


@attrs.frozen
class Move(Stmt):
    """Moves things, in source order, to a zone.

    `what` names them; `count` limits to the first so many (None: all). Into a pile: at `end` "top" or "bottom", default
    top, in order, so that the last moved lies on top. Taking n from a pile that runs empty refills it (moves all of the
    refill zone in, shuffles) and goes on; if nothing is left, fewer are moved. Into a full slot or a zone over its
    capacity: RangeViolation. A thing already there stays, unless `end` says where in its pile it goes. Face: the zone's;
    into a face-up zone a thing turns face up.
    """

    kind: int
    what: Source
    count: Expr | None
    to: Target
    end: PileEnd | None


@attrs.frozen
class Shuffle(Stmt):
    zone: int
    index: tuple[Expr, ...]


@attrs.frozen
class Reveal(Stmt):
    """Turns things (a mask) face up, so that everyone knows them."""

    kind: int
    things: Expr


@attrs.frozen
class Show(Stmt):
    """Lets the players in a mask know things (a mask) privately."""

    kind: int
    things: Expr
    seats: Expr


@attrs.frozen
class Eliminate(Stmt):
    """Takes a player out of `players`; nothing if already out."""

    who: Expr


@attrs.frozen
class When(Stmt):
    """`if`/`elif`/`else`."""

    branches: tuple[tuple[Expr, tuple[Statement, ...], int], ...]
    """(condition, body, site) each."""
    otherwise: tuple[Statement, ...] = ()


@attrs.frozen
class Loop(Stmt):
    """`for`: the set and its order are settled at the start; `condition` is looked at when each turn comes."""

    id: int
    variable: Variable
    source: Source
    keys: tuple[Order, ...]
    condition: Expr | None
    body: tuple[Statement, ...]


@attrs.frozen
class Repeat(Stmt):
    """`repeat`: while `condition` (None: for ever, until Stop), at most `times` (None: no count; negative is 0).

    A loop that has made `limit` rounds without a choice raises RunawayRules; None: as many as the budget of steps allows.
    """

    id: int
    condition: Expr | None
    times: Expr | None
    body: tuple[Statement, ...]
    limit: int | None = None


@attrs.frozen
class Simultaneous(Stmt):
    """`simultaneously for x in S if c`: see docs/language.md.

    Each pass runs `body` on a copy of the row; sums of `+` and equal `=` are merged afterwards; `Defer`red calls run
    last, in pass order; zones and slots may overflow in between and are checked after the last call, and before a
    choice or Finish on the way. Inside (and in procedures called from inside) choices, Finish, Move and Eliminate occur
    only within Defer.
    """

    variable: Variable
    source: Source
    condition: Expr | None
    body: tuple[Statement, ...]


@attrs.frozen
class Defer(Stmt):
    """Inside Simultaneous: evaluates the arguments now and calls the procedure after the merge. Elsewhere: an ordinary
    Call.
    """

    procedure: int
    arguments: tuple[Expr, ...]


@attrs.frozen
class Stop(Stmt):
    loop: int


@attrs.frozen
class Return(Stmt):
    pass


@attrs.frozen
class Call(Stmt):
    procedure: int
    arguments: tuple[Expr, ...]


@attrs.frozen
class Settle(Stmt):
    """Runs the whenever-rules; woven into a Call."""


@attrs.frozen
class Proceed(Stmt):
    """Runs the original inside `instead of`; woven into a Call."""


@attrs.frozen
class BeginBody(Stmt):
    """The body of a choice begins: the trace enters `rule` with these arguments and the names `around` that its label
    reads.

    Woven in; has no other effect.
    """

    rule: int
    arguments: tuple[Expr, ...]
    around: tuple[Expr, ...] = ()


@attrs.frozen
class Witness(Stmt):
    """Announces that a local used in words is about to be bound to `of`: the trace records what the locals in it stand
    for.

    It is used to note who may know the value. Woven in; has no other effect.
    """

    id: int
    local: int
    of: tuple[Expr, ...]
    reads: tuple[int, ...]
    """The locals that `of` reads, ascending."""


@attrs.frozen
class EndBody(Stmt):
    """The body of a choice ends (on each way out of it): the trace leaves `rule`. Woven in."""

    rule: int


@attrs.frozen
class Finish(Stmt):
    """Ends the game: how is winner (a mask), ranking (an Over "best" read as source, condition and keys), score or
    lost.
    """

    how: Ending
    value: Expr | None
    rule: int


@attrs.frozen
class Stand(Stmt):
    """Records the position in the game's history; woven in, at the outermost level.

    moment: "asked" (before a choice, if it differs from the last), "answered" (the body of a choice has ended),
    "settled" (replaces the last, after the whenever-rules have run). Raises RangeViolation when the history is full.
    """

    moment: Moment


@attrs.frozen
class Fail(Stmt):
    """Stops the game with RunawayRules and the message."""

    message: str


@attrs.frozen
class Ask(Stmt):
    """The only place where the game stops: asks `Game.choices[choice]`, then runs the body of the branch that was chosen.

    With `choice.sealed`, all in the set are asked at once, answers stay sealed until the last is in; then the bodies run in
    seat order, each with the choice's `variable` set to its player.
    """

    choice: int


Statement: TypeAlias = (
    Bind
    | Assign
    | Move
    | Shuffle
    | Reveal
    | Show
    | Eliminate
    | When
    | Loop
    | Repeat
    | Simultaneous
    | Defer
    | Stop
    | Return
    | Call
    | Settle
    | Proceed
    | BeginBody
    | Witness
    | EndBody
    | Finish
    | Fail
    | Stand
    | Ask
)


# ------------------------------------------------------------------ choices


@attrs.frozen
class Parameter:
    """One parameter of a branch: a member of `domain`, or (when `low` is given) a set of `low` to `high` of its
    members.

    `interchange`: the kind number when the members are things, so that options which differ only in interchangeable
    things are one option; None otherwise.
    """

    variable: Variable
    domain: Source
    low: Expr | None = None
    high: Expr | None = None
    interchange: int | None = None


@attrs.frozen
class Need:
    condition: Expr
    message: Template | None
    clauses: tuple[str, ...]
    site: int
    after: int = 0
    """How many parameters must be known before it can be looked at."""


@attrs.frozen
class Branch:
    """One way to answer: parameters left to right, then the needs decide whether it is allowed. `body` runs when
    chosen.
    """

    name: str
    rule: int
    parameters: tuple[Parameter, ...]
    needs: tuple[Need, ...]
    body: tuple[Statement, ...]
    site: int = 0
    declines: bool = False
    """`pass` or `stop`: has no parameters; always legal."""
    interrupt: bool = False
    """Offered at any time beside the owner's options: afterwards the choice is asked anew."""


@attrs.frozen
class Choice:
    """A place where the game asks.

    who       the player asked (an Expr), for a plain choice
    variable  for `each … secretly`: the name that goes over `source` if `condition`
    empty     when no option is legal: "none" (the body of `when_none` runs), or "error"
    open      everyone can tell when a single option is left: not sealed, and nothing hidden decides
    forced    a lone option is taken without asking: only if `open`, and unless lone options are to be asked
    """

    id: int
    who: Expr | None
    variable: Variable | None
    source: Source | None
    condition: Expr | None
    sealed: bool
    branches: tuple[Branch, ...]
    prompt: Template | None
    empty: Impasse
    when_none: tuple[Statement, ...]
    forced: bool
    rule: int
    site: int = 0
    actor: Variable | None = None
    """The local that the branches read as the chooser (bound before parameters are looked at)."""
    clock: int | None = None
    """The clock that its answers run against, a position in `Game.clocks`."""
    open: bool = False
    name: str = ""
    """A stable name for logs: the rule it stands in and its ordinal there, `bonus#1`."""

    @cached_property
    def branch_names(self) -> tuple[str, ...]:
        """The names of its branches."""
        return tuple(branch.name for branch in self.branches)

    @cached_property
    def has_sets(self) -> bool:
        """Whether any parameter is a set."""
        return any(parameter.low is not None for branch in self.branches for parameter in branch.parameters)
