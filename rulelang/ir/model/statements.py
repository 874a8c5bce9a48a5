"""Statements of the IR, and the choices that they ask.

    heap -= n       Assign(Place(state=heap, index=()), "+", Op("neg", (Local(n),)))

Invariants: a `Local` is assigned before it is read; `Stop.loop` names an enclosing loop of the same procedure.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final, TypeAlias

import attrs

from rulelang.ir.model.expressions import Expr, Order, Source, Template, Variable
from rulelang.ir.model.node import IrNode
from rulelang.ir.model.vocabulary import AssignOperator, EndForm, HistoryMoment, Impasse, PileEnd


@attrs.frozen(kw_only=True, eq=False, repr=False)
class Stmt(IrNode):
    site: int = 0
    """The index of its line in `GameRules.sites`; 0 is nowhere."""


@attrs.frozen(eq=False, repr=False)
class Bind(Stmt):
    """`let`: sets a local, after the clamps `least` and `most` and, for a range, the range check."""

    variable: Variable
    value: Expr
    least: Expr | None = None
    most: Expr | None = None


@attrs.frozen(eq=False, repr=False)
class Place(IrNode):
    """A state variable to write, with its index as in `Read`; writing at an index that is NONE raises RangeViolation."""

    state: int
    index: tuple[Expr, ...]


@attrs.frozen(eq=False, repr=False)
class Assign(Stmt):
    """Writes a state variable; `operator` is "=" or "+" (`x -= e` adds `neg` e).

    The new value passes the clamps `least` and `most`, in this order, and then the range check of the declared type,
    which raises RangeViolation.
    """

    place: Place
    operator: AssignOperator
    value: Expr
    least: Expr | None = None
    most: Expr | None = None


@attrs.frozen(eq=False, repr=False)
class Target(IrNode):
    """The zone that things are moved to."""

    zone: int
    index: tuple[Expr, ...]


@attrs.frozen(eq=False, repr=False)
class Move(Stmt):
    """Moves things, in source order, to a zone.

    `what` is their source; `count` limits the move to the first so many (None: all). Things enter a pile at its
    `end`, "top" (the default) or "bottom", one after another, so that the last one lies outermost. If a pile runs
    empty while things are taken from it, it is refilled (all things of its refill zone are moved in and shuffled); if
    there is nothing to refill it with, fewer things move. Moving to a full slot, or beyond a zone's capacity, raises
    RangeViolation. A thing already there stays, unless `end` says where in its pile it goes. A thing that enters a
    zone lies as things do there; in a face-up zone it is turned face up.
    """

    kind: int
    what: Source
    count: Expr | None
    to: Target
    end: PileEnd | None


@attrs.frozen(eq=False, repr=False)
class Shuffle(Stmt):
    zone: int
    index: tuple[Expr, ...]


@attrs.frozen(eq=False, repr=False)
class Reveal(Stmt):
    """Turns things (a mask) face up, so that everyone knows them."""

    kind: int
    things: Expr


WHOLE: Final = -1
"""The part of a thing that is shown if all of it is."""


@attrs.frozen(eq=False, repr=False)
class Show(Stmt):
    """Shows things (a mask), or a part that is printed on them, to some seats (a mask) privately."""

    kind: int
    things: Expr
    seats: Expr
    part: int = WHOLE
    """The table of the printed attribute that is shown; WHOLE if the things are."""


@attrs.frozen(eq=False, repr=False)
class Eliminate(Stmt):
    """Removes a player from `players`; does nothing if the player is already out."""

    who: Expr


@attrs.frozen(eq=False, repr=False)
class When(Stmt):
    """`if`/`elif`/`else`."""

    branches: tuple[tuple[Expr, tuple[Statement, ...], int], ...]
    """The (condition, body, site) of each branch."""
    otherwise: tuple[Statement, ...] = ()


@attrs.frozen(eq=False, repr=False)
class Loop(Stmt):
    """`for`: the set and its order are fixed at the start; `condition` is tested before each round."""

    id: int
    variable: Variable
    source: Source
    keys: tuple[Order, ...]
    condition: Expr | None
    body: tuple[Statement, ...]


@attrs.frozen(eq=False, repr=False)
class Repeat(Stmt):
    """`repeat`: runs while `condition` holds (None: until Stop),
    at most `times` rounds (None: any number; below 0 is none).

    A loop that has run `limit` rounds without a choice raises
    RunawayRules; None leaves the limit to the budget of steps.
    """

    id: int
    condition: Expr | None
    times: Expr | None
    body: tuple[Statement, ...]
    limit: int | None = None


@attrs.frozen(eq=False, repr=False)
class Simultaneous(Stmt):
    """`simultaneously for x in S if c`: see docs/language.md.

    Each pass runs `body` on a copy of the row; afterwards the sums of `+` and equal `=` are merged. Deferred calls
    (`Defer`) run last, in the order of the passes. Zones and slots may overflow meanwhile; they are checked after the
    last call, and before a choice or Finish among the calls. Inside, and in procedures called from inside, choices,
    Finish, Move and Eliminate occur only within Defer.
    """

    variable: Variable
    source: Source
    condition: Expr | None
    body: tuple[Statement, ...]


@attrs.frozen(eq=False, repr=False)
class Defer(Stmt):
    """Inside Simultaneous, evaluates the arguments now and calls the procedure after the merge; elsewhere, like Call."""

    procedure: int
    arguments: tuple[Expr, ...]


@attrs.frozen(eq=False, repr=False)
class Stop(Stmt):
    loop: int


@attrs.frozen(eq=False, repr=False)
class Return(Stmt):
    pass


@attrs.frozen(eq=False, repr=False)
class Call(Stmt):
    procedure: int
    arguments: tuple[Expr, ...]


@attrs.frozen(eq=False, repr=False)
class Settle(Stmt):
    """Runs the `whenever` rules; `unfold` replaces it by a Call."""


@attrs.frozen(eq=False, repr=False)
class Proceed(Stmt):
    """Runs the original inside `instead of`; `unfold` replaces it by a Call."""


@attrs.frozen(eq=False, repr=False)
class BeginBody(Stmt):
    """Begins the body of a choice: the trace enters `rule` with these arguments, and with the values `around` that
    its label reads.

    It has no other effect.
    """

    rule: int
    arguments: tuple[Expr, ...]
    around: tuple[Expr, ...] = ()


@attrs.frozen(eq=False, repr=False)
class Witness(Stmt):
    """Announces that a local used in words is about to be bound to `of`: the trace records the values that `of` reads.

    It serves to note who may know the local's value. Added by weaving; it has no other effect.
    """

    id: int
    local: int
    """The local, or what one of the numbers below stands for."""
    of: tuple[Expr, ...]
    reads: tuple[int, ...]
    """The locals that `of` reads, ascending."""


THROWS = -1
"""The local of a witness for who may know the draws from there on."""
CALLED = -2
"""The local of a witness for who may know of the next call."""
POINTED = -3
"""The local of a witness for things that are referred to by where they lie, not by a local."""
DRAWS = -4
"""The local of a witness for who may know that something is drawn from there on."""
CHOOSER = -5
"""The local of a witness for the seat that alone may know of the next call: of the option that it took."""
MIXED = -6
"""The local of a witness for piles (constants in `of`) that may have been shuffled, and for who may know whether they were."""
FIRST_WAY = -7
"""The first of the locals, counting down, that stand for the branch that a statement took."""


@attrs.frozen(eq=False, repr=False)
class EndBody(Stmt):
    """Ends the body of a choice, on each way out of it: the trace leaves `rule`."""

    rule: int


@attrs.frozen(eq=False, repr=False)
class Finish(Stmt):
    """Ends the game; `how` is winner (`value` is a mask), ranking (an Over "best", read as source, condition and keys),
    score, lost, or undecided: added by `weave`, where nothing that the rules say ends the game.
    """

    how: EndForm
    value: Expr | None
    rule: int


@attrs.frozen(eq=False, repr=False)
class Stand(Stmt):
    """Records the position in the game's history; added by `unfold`, outside the bodies of other choices.

    `moment` is "asked" (before a choice, if the position differs from the last), "answered" (the body of a choice has
    ended) or "settled" (replaces the last position, after the `whenever` rules have run). Raises RangeViolation if
    the history is full.
    """

    moment: HistoryMoment


@attrs.frozen(eq=False, repr=False)
class Fail(Stmt):
    """Stops the game with RunawayRules and the message."""

    message: str


@attrs.frozen(eq=False, repr=False)
class Ask(Stmt):
    """The only place where the game stops: asks `GameRules.choices[choice]`, then runs the body of the chosen branch.

    If the choice is `sealed`, all seats of its source are asked at once, and answers stay under seal until the last
    is in. Then the bodies run in seat order, each with the choice's `variable` set to its player.
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

Deferrable: TypeAlias = Move | Shuffle | Reveal | Show | Eliminate
"""The statements that `simultaneously` puts off until the passes are merged."""


# ------------------------------------------------------------------ choices


@attrs.frozen(eq=False, repr=False)
class Parameter(IrNode):
    """One parameter of a branch: a member of `domain` or, if `low` is given, a set of `low` to `high` of its members.

    `interchange` is the id of the members' kind if they are things, so that options which differ only in
    interchangeable things are one option; otherwise None.
    """

    variable: Variable
    domain: Source
    low: Expr | None = None
    high: Expr | None = None
    interchange: int | None = None


@attrs.frozen(eq=False, repr=False)
class Need(IrNode):
    condition: Expr
    message: Template | None
    clauses: tuple[str, ...]
    site: int
    after: int = 0
    """The number of parameters that must be known before it can be tested."""


@attrs.frozen(eq=False, repr=False)
class Branch(IrNode):
    """One way to answer: its parameters are chosen from left to right, its needs decide whether the answer is legal,
    and its `body` runs once it is chosen.
    """

    name: str
    rule: int
    parameters: tuple[Parameter, ...]
    needs: tuple[Need, ...]
    body: tuple[Statement, ...]
    site: int = 0
    declines: bool = False
    """`pass` or `stop`, which has no parameters and is always legal."""

    interrupt: bool = False
    """An action that is offered beside the options of other choices; after it, the choice is asked again."""


@attrs.frozen(slots=False, eq=False, repr=False)
class Choice(IrNode):
    """A place where the game asks.

    who       the player asked, in a plain choice
    variable  in `each … secretly`: the name that goes over `source` under `condition`
    empty     the outcome if no option is legal: "none" (the body of `when_none` runs) or "error"
    open      whether everyone can tell that a single option is left: it is not sealed, and no secret decides
    forced    whether a lone option is taken without asking: only if `open`, and unless lone options are to be asked
    private   whether nobody but the chooser learns that it is asked (`p secretly chooses`)
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
    """The local that stands for the chooser in the branches, bound before their parameters are enumerated."""

    clock: int | None = None
    """The index in `GameRules.clocks` of the clock that its answers run against."""
    open: bool = False
    private: bool = False
    seconds: int | None = None
    """The time after which the table declines for who has not answered (`or pass after 60 seconds`)."""
    name: str = ""
    """A stable name for logs: its rule, and its number within the rule, as in `bonus#1`."""

    @cached_property
    def decline(self) -> int | None:
        """The index of the branch that declines, if there is one."""
        return next((i for i, branch in enumerate(self.branches) if branch.declines), None)

    @cached_property
    def branch_names(self) -> tuple[str, ...]:
        """The names of its branches."""
        return tuple(branch.name for branch in self.branches)

    @cached_property
    def answer_lengths(self) -> tuple[int, ...]:
        """The length of an answer, its number and its parameters, by branch."""
        return tuple(1 + len(branch.parameters) for branch in self.branches)

    @cached_property
    def has_sets(self) -> bool:
        """Whether any parameter is a set."""
        return any(parameter.low is not None for branch in self.branches for parameter in branch.parameters)
