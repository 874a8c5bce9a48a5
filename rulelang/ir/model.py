"""The typed IR: what the checked game does, in terms of ints only.

`check` lowers the tree to this, `weave` puts hooks, adjustments and whenever-rules into it, `program` lays it out,
executors run it. Nothing here knows of text but the labels. All expressions are pure except `Roll`, `Pick` and what
contains them; evaluation is left to right.

    heap -= n       Assign(Place(variable=heap, index=()), "+", Op("-", (Local(n),)), ...)

Invariants: every name is resolved; every expression's value is an int as `ir.types` says; a `Local` is assigned before
it is read; `Stop.loop` names an enclosing loop of the same procedure; procedures do not call each other in a circle.
"""

from __future__ import annotations

from typing import TypeAlias

import attrs

from rulelang.ir.types import Type
from rulelang.source import NOWHERE, Span

# ------------------------------------------------------------------ where and why


@attrs.frozen
class Site:
    """One place in the rules that can be cited, counted and taken out: a statement, a case, a cell, a need, a line."""

    id: int
    what: str
    clauses: tuple[str, ...]
    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False)


@attrs.frozen
class Template:
    """Words for people: plain pieces and typed holes, in order."""

    parts: tuple[str | Expr, ...]
    types: tuple[Type | None, ...]
    """The type of each part: None for a plain piece."""


@attrs.frozen
class Rule:
    """Who did it, for events: a verb, phase, action, option, hook, whenever, setup or play.

    `label` may read the rule's parameters. `clauses` are those cited on its first line.
    """

    id: int
    name: str
    what: str
    parameters: tuple[Variable, ...]
    label: Template | None
    clauses: tuple[str, ...]
    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False)


@attrs.frozen
class Variable:
    """A local: a parameter, a `let`, a loop's or comprehension's name. `id` is unique in the game."""

    id: int
    name: str
    type: Type


# ------------------------------------------------------------------ expressions


@attrs.frozen
class Const:
    value: int


@attrs.frozen
class Local:
    """Reads a local by its id."""

    id: int


@attrs.frozen
class Read:
    """Reads a state variable; `index` holds the owner first (if it has one), then its parameters, as values.

    An index that is NONE gives NONE (`none.x` is none); `safe` says that no index can be NONE or out of bounds.
    An index outside of its type's bounds gives NONE too.
    """

    state: int
    index: tuple[Expr, ...]
    safe: bool = True


@attrs.frozen
class Column:
    """Reads a printed attribute: `Table.values[of]`, NONE for NONE or an index outside."""

    table: int
    of: tuple[Expr, ...]
    safe: bool = True


@attrs.frozen
class Contents:
    """A zone's things as a mask (pile, group, or slot as a set)."""

    zone: int
    index: tuple[Expr, ...]
    safe: bool = True


@attrs.frozen
class InSlot:
    """A slot's thing, or NONE."""

    zone: int
    index: tuple[Expr, ...]
    safe: bool = True


@attrs.frozen
class TopOf:
    """The top thing of a pile, or NONE."""

    zone: int
    index: tuple[Expr, ...]
    safe: bool = True


@attrs.frozen
class PlaceOf:
    """The place number of a thing (see `Zone`), NONE for NONE."""

    kind: int
    thing: Expr


@attrs.frozen
class OwnerOf:
    """Where a thing is, seen from an owner kind: the owner's index if the thing lies in a zone owned by `owner`, else NONE.

    `place(x)` is OwnerOf(board), `holder(x)` is OwnerOf(Player).
    """

    kind: int
    owner: str
    thing: Expr


@attrs.frozen
class FaceUp:
    """1 when the thing lies face up (known to all), else 0; 0 for NONE."""

    kind: int
    thing: Expr


@attrs.frozen
class Way:
    """How many steps lead from one space to another over spaces of a set, both ends in it; NONE if no way does.

    `neighbours` is the table of masks, `around` its indices before the space (the map, where there are several).
    """

    neighbours: int
    around: tuple[Expr, ...]
    start: Expr
    end: Expr
    within: Expr


@attrs.frozen
class CallValue:
    """Evaluates `Game.values[value]`."""

    value: int
    arguments: tuple[Expr, ...]


@attrs.frozen
class Cell:
    """A data column at a key: evaluates `Game.data[data].columns[column]`; see `DataTable`."""

    data: int
    column: int
    arguments: tuple[Expr, ...]


@attrs.frozen
class HasRow:
    """1 when the data has a row for the key."""

    data: int
    arguments: tuple[Expr, ...]


@attrs.frozen
class Op:
    """A strict operator on ints.

    numbers   + - * neg floordiv ceildiv mod abs min max        ("min"/"max" take two or more)
    compare   == != < <= > >=                            (an ordering with NONE on either side is 0)
    logic     not
    sets      union minus inter size in range single      in(x, S); range(lo, hi); single(x), empty for NONE
              empty for `lo > hi`; size counts members
    mod has the divisor's sign; dividing by 0 raises RangeViolation. Arithmetic with NONE raises RangeViolation.
    """

    name: str
    arguments: tuple[Expr, ...]


@attrs.frozen
class And:
    """Left to right, stops at the first 0."""

    arguments: tuple[Expr, ...]


@attrs.frozen
class Or:
    """Left to right, stops at the first 1."""

    arguments: tuple[Expr, ...]


@attrs.frozen
class Either:
    """`then if condition else otherwise`, lazy."""

    condition: Expr
    then: Expr
    otherwise: Expr


@attrs.frozen
class Source:
    """What a loop goes over: a mask in ascending order, or a pile from its top (`pile` given: zone and index).

    With a pile, `mask` restricts it when given; without, all of it.
    """

    mask: Expr | None
    pile: Contents | None = None


@attrs.frozen
class Order:
    """One key; ties keep the source's order."""

    highest: bool
    value: Expr


@attrs.frozen
class Over:
    """A comprehension over one or more names.

    what   result
    set    mask of `value`s for which condition holds (value may repeat; `size` bounds it)
    count  how many combinations pass
    sum    sum of value, 0 for nothing
    min    least value or NONE
    max    greatest value or NONE
    any    1 if value holds for one that passes   (condition and value are both tested)
    all    1 if value holds for all that pass
    first  the first x by keys that passes, or NONE   (one name only; value is unused)
    best   mask of all x that pass and tie for first by keys
    """

    what: str
    names: tuple[Variable, ...]
    sources: tuple[Source, ...]
    value: Expr | None
    condition: Expr | None
    keys: tuple[Order, ...] = ()


@attrs.frozen
class Roll:
    """One throw of a die: its face, from the die's stream. `site` is the citing line."""

    die: Expr
    """The die's number in Game.dice (a constant mostly; dice are values too)."""
    times: Expr | None = None
    """How many throws are added up; None is one."""


@attrs.frozen
class Pick:
    """A random member of a set, from the stream `stream`; NONE of an empty one."""

    stream: int
    of: Source


@attrs.frozen
class Seal:
    """A variable that the choice being made writes: `chooser`'s own stands for `candidate`, anybody else's for anything."""

    state: int
    chooser: Expr
    candidate: Expr


@attrs.frozen
class Bound:
    """`least(e)` (or `most(e)`): gone after `ir.bounds`, which spells it out with ordinary expressions."""

    most: bool
    of: Expr
    seals: tuple[Seal, ...]
    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False)


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
    | Bound
)

# ------------------------------------------------------------------ statements


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
    operator: str
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
    end: str | None


@attrs.frozen
class Shuffle(Stmt):
    zone: int
    index: tuple[Expr, ...]


@attrs.frozen
class Reveal(Stmt):
    """Turns things (a mask) face up: all know them."""

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

    branches: tuple[tuple[Expr, tuple[Stmt, ...], int], ...]
    """(condition, body, site) each."""
    otherwise: tuple[Stmt, ...] = ()


@attrs.frozen
class Loop(Stmt):
    """`for`: the set and its order are settled at the start; `condition` is looked at when each turn comes."""

    id: int
    variable: Variable
    source: Source
    keys: tuple[Order, ...]
    condition: Expr | None
    body: tuple[Stmt, ...]


@attrs.frozen
class Repeat(Stmt):
    """`repeat`: while `condition` (None: for ever, until Stop), at most `times` (None: no count; negative is 0).

    A loop that has made `limit` rounds without a choice raises RunawayRules.
    """

    id: int
    condition: Expr | None
    times: Expr | None
    body: tuple[Stmt, ...]
    limit: int = 100_000


@attrs.frozen
class Together(Stmt):
    """`simultaneously for x in S if c`: see language.md section 7 and `runtime/together.py`.

    Each pass runs `body` on a copy of the row; sums of `+` and equal `=` are merged afterwards; `Defer`red calls run
    last, in pass order. Inside (and in procedures called from inside) there is no choice, Finish, Move or Eliminate
    except within Defer.
    """

    variable: Variable
    source: Source
    condition: Expr | None
    body: tuple[Stmt, ...]


@attrs.frozen
class Defer(Stmt):
    """Inside Together: evaluates the arguments now, calls the procedure after the merge. Outside: an ordinary Call."""

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
    """Looks at the whenever-rules; woven into a Call."""


@attrs.frozen
class Proceed(Stmt):
    """Runs the original inside `instead of`; woven into a Call."""


@attrs.frozen
class BeginBody(Stmt):
    """The body of a choice begins: the trace enters `rule` with these arguments. Woven in; changes nothing else."""

    rule: int
    arguments: tuple[Expr, ...]


@attrs.frozen
class EndBody(Stmt):
    """The body of a choice ends (on each way out of it): the trace leaves `rule`. Woven in."""

    rule: int


@attrs.frozen
class Finish(Stmt):
    """Ends the game. how is winner (mask), ranking (an Over "best" read as source, condition and keys), score or lost."""

    how: str
    value: Expr | None
    rule: int


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
    | Together
    | Defer
    | Stop
    | Return
    | Call
    | Settle
    | Proceed
    | BeginBody
    | EndBody
    | Finish
    | Ask
)

# ------------------------------------------------------------------ choices


@attrs.frozen
class Parameter:
    """One thing asked for: a member of `domain`, or (when `low` is given) a set of `low` to `high` of its members.

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
    """One way to answer: parameters left to right, then the needs decide. `body` runs when chosen."""

    name: str
    rule: int
    parameters: tuple[Parameter, ...]
    needs: tuple[Need, ...]
    body: tuple[Stmt, ...]
    site: int = 0
    declines: bool = False
    """`pass` or `stop`: has no parameters; always legal."""
    interrupt: bool = False
    """Offered at any time beside the owner's options: afterwards the choice is asked anew."""


@attrs.frozen
class Choice:
    """One place where the game asks.

    who       the player asked (an Expr), for a plain choice
    variable  for `each … secretly`: the name that goes over `source` if `condition`
    empty     when no option is legal: "none" (the body of `when_none` runs), or "error"
    forced    a lone option is taken without asking (what everybody knows leaves a single one, and it is not sealed)
    """

    id: int
    who: Expr | None
    variable: Variable | None
    source: Source | None
    condition: Expr | None
    sealed: bool
    branches: tuple[Branch, ...]
    prompt: Template | None
    empty: str
    when_none: tuple[Stmt, ...]
    forced: bool
    rule: int
    site: int = 0
    actor: Variable | None = None
    """The local that the branches read as the chooser (bound before parameters are looked at)."""
    clock: int | None = None
    """The clock that its answers run against, a position in `Game.clocks`."""
    name: str = ""
    """A stable name for logs: the rule it stands in and its ordinal there, `bonus#1`."""


# ------------------------------------------------------------------ declarations


@attrs.frozen
class StateVariable:
    """A variable: `owner` (a kind's name or None) and parameters make it an array; `dimensions` are their types.

    visible: "all", "owner", "nobody", or "expr" with `seen_by`: a mask of seats over `seen_names` (one Variable a
    dimension). `scratch` variables are in no view, event or key outside of a running step.
    """

    id: int
    name: str
    owner: str | None
    dimensions: tuple[Type, ...]
    type: Type
    initial: Expr | None
    initial_names: tuple[Variable, ...]
    visible: str = "all"
    seen_by: Expr | None = None
    scratch: bool = False
    option: bool = False
    """Set once from the options agreed at the table."""
    builtin: bool = False
    """turn, round, mover and the like: shown by the engine itself."""
    site: int = 0


@attrs.frozen
class Kind:
    """Things: how many, their written names, printed attributes, classes of interchangeable ones."""

    id: int
    name: str
    label: str
    size: int
    names: tuple[str, ...]
    """One written form a thing: `li`, `nitro`, `Bonus(nitro, 3)`. Interchangeable things share it."""
    columns: tuple[tuple[str, int, Type], ...]
    """(name, table, type) of each printed attribute."""
    classes: tuple[int, ...]
    """The lowest thing that each is interchangeable with: equal in every printed attribute and unnamed."""
    movable: bool
    """Has zones; players and spaces do not move."""


@attrs.frozen
class Table:
    """Printed numbers: `values[i]` with i from the dimensions, row-major, each index less its type's first value."""

    id: int
    name: str
    dimensions: tuple[Type, ...]
    type: Type
    values: tuple[int, ...]


@attrs.frozen
class Zone:
    """Where things lie. Instances (one for each combination of `dimensions`) are numbered as places: instance i of this
    zone is place `first_place + i`. Zone 0.. of each kind is its `box` (a group without dimensions, face up).

    visible as in StateVariable, of who sees what enters: "all" (face up), "nobody" (face down), "owner", "expr".
    """

    id: int
    name: str
    form: str
    kind: int
    owner: str | None
    dimensions: tuple[Type, ...]
    first_place: int
    visible: str
    seen_by: Expr | None
    seen_names: tuple[Variable, ...]
    capacity: Expr | None
    refills_from: int | None
    site: int = 0
    top_up: bool = False
    """Of a pile: whatever comes to lie on top is turned face up."""


@attrs.frozen
class Value:
    """`value`: cases from the top, the first whose condition holds (None: always); NONE if none does.

    Woven: `plus` are (condition, amount) added in source order, then the greatest `least`, then the smallest `most`.
    `deep` limits self calls: a call nested deeper raises RunawayRules.
    """

    id: int
    name: str
    parameters: tuple[Variable, ...]
    type: Type
    cases: tuple[ValueCase, ...]
    adjustments: tuple[Adjustment, ...] = ()
    deep: int | None = None
    site: int = 0


@attrs.frozen
class ValueCase:
    condition: Expr | None
    value: Expr
    site: int = 0


@attrs.frozen
class Adjustment:
    """what is +, least or most; `condition` None means always. Its names are the value's own parameters."""

    what: str
    amount: Expr
    condition: Expr | None
    site: int = 0


@attrs.frozen
class DataColumn:
    """Cells: `cells[k]` with k = DataTable.rows at the key; -1 (no row) gives NONE. Cells may read the parameters."""

    name: str
    type: Type
    cells: tuple[Expr, ...]
    sites: tuple[int, ...]
    adjustments: tuple[Adjustment, ...] = ()


@attrs.frozen
class DataTable:
    """`data`: `rows[flat key]` is the row's number or -1; the key is the first `keys` parameters (row-major)."""

    id: int
    name: str
    parameters: tuple[Variable, ...]
    keys: int
    rows: tuple[int, ...]
    columns: tuple[DataColumn, ...]
    site: int = 0


@attrs.frozen
class Die:
    id: int
    name: str
    faces: tuple[int, ...]


@attrs.frozen
class Clock:
    """A clock: the state that holds what is left, and the one for what a person's clock showed (NONE: the table says).

    `per_second` of its units make a second.
    """

    state: int
    reading: int
    per_second: int


@attrs.frozen
class Procedure:
    """A verb, phase, setup, play, hook, whenever-rule, or woven piece.

    `rule` is the Rule shown in events, or None for pieces that are not shown. `phase`: always cut into blocks, so that a
    scenario can begin at it. `stops` (filled by weave): contains an Ask or calls what does.
    """

    id: int
    name: str
    parameters: tuple[Variable, ...]
    body: tuple[Stmt, ...]
    rule: int | None
    phase: bool = False
    stops: bool = False


@attrs.frozen
class ScreenLine:
    """One line of a screen: what, its variable and source or zone, its text, its label."""

    what: str
    text: Template | None
    variable: Variable | None = None
    source: Source | None = None
    kind: int | None = None
    zone: int | None = None
    index: tuple[Expr, ...] = ()
    data: int | None = None
    arguments: tuple[Expr | None, ...] = ()
    by: int | None = None
    """For `table`: which parameter of the data runs over all its values (None arguments run too)."""
    doors: Expr | None = None
    """For `map`: the directions in which a space's frame has a door."""


@attrs.frozen
class BoardShape:
    """A board's picture: spaces row by row; `cells[r][c]` is a space's index or -1; hex rows are offset by half a cell."""

    kind: int
    shape: str
    cells: tuple[tuple[int, ...], ...]
    marks: tuple[str, ...]
    """By space, as drawn."""
    directions: tuple[str, ...]
    map: int | None = None
    """Which of the board's maps this is, where it has several."""
    option: int | None = None
    """The option that says which of them is played on."""


@attrs.frozen
class Hook:
    """`before`, `after` or `instead of` a procedure; `condition` reads the procedure's own parameters. Gone after weave."""

    when: str
    of: int
    condition: Expr | None
    procedure: int


@attrs.frozen
class Whenever:
    """A standing rule: `procedure` runs with the names for each match of `condition`. Gone after weave."""

    names: tuple[Variable, ...]
    sources: tuple[Source, ...]
    condition: Expr
    procedure: int
    site: int


@attrs.frozen
class Game:
    """The whole game. Ids are positions in these tuples."""

    id: str
    title: str
    players: tuple[int, int]
    seats: tuple[str, ...]
    kinds: tuple[Kind, ...]
    boards: tuple[BoardShape, ...]
    tables: tuple[Table, ...]
    dice: tuple[Die, ...]
    states: tuple[StateVariable, ...]
    zones: tuple[Zone, ...]
    values: tuple[Value, ...]
    data: tuple[DataTable, ...]
    procedures: tuple[Procedure, ...]
    choices: tuple[Choice, ...]
    rules: tuple[Rule, ...]
    sites: tuple[Site, ...]
    streams: tuple[str, ...]
    """Names of the random streams: each die's, each pile's (`shuffle bonuses`), each `random` site's."""
    main: int
    """The procedure that runs `setup`, then `play`."""
    all_players: int
    """State: mask of all seats of this match."""
    players_left: int
    """State: mask of the seats still playing (`players`)."""
    depth: int
    """State: how many choice bodies are running."""
    mover: int
    """State: whose turn it is, or NONE."""
    screen: tuple[ScreenLine, ...] = ()
    score: int | None = None
    """The value `score(p)`, if declared: what bots steer by."""
    scratch: tuple[int, ...] = ()
    checkpoint: int | None = None
    """The procedure that looks at the whenever-rules, or None."""
    hooks: tuple[Hook, ...] = ()
    whenevers: tuple[Whenever, ...] = ()
    """Both empty after weave."""
    clocks: tuple[Clock, ...] = ()
    during: tuple[tuple[int, int], ...] = ()
    """(procedure, state) of the phases that `during(...)` asks about: weave keeps the state at 1 while it runs.

    Weaving adds the look at the whenever-rules, where one of these rules may come to another such look."""
