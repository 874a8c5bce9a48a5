"""Declarations of the IR: kinds, boards, tables, states, zones, values, procedures, and the game itself.

heap: 0..21 = 21       StateVariable(name="heap", ...), at its position in GameRules.states
"""

from __future__ import annotations

import attrs

from rulelang.ir.model.expressions import Expr, Rule, ShownField, Site, Source, Template, Variable
from rulelang.ir.model.statements import Choice, Statement
from rulelang.ir.model.vocabulary import Audience, BoardForm, Change, HookTime, ScreenPart, ZoneForm
from rulelang.ir.types import Type
from rulelang.source import NOWHERE, Span


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
    visible: Audience = "all"
    seen_by: Expr | None = None
    scratch: bool = False
    option: bool = False
    """Set once from the options agreed at the table."""
    builtin: bool = False
    """turn, round, mover and the like: shown by the engine itself."""
    site: int = 0
    called: str = ""
    """What people call it; "" is its name with blanks for `_`."""
    text: Template | None = None
    untold: bool = False
    """People are not told when it changes."""


@attrs.frozen
class Enumeration:
    """The names of an enum and its members for people: `called`, `texts` and `clauses` have one entry a member."""

    name: str
    label: str
    plural: str
    called: tuple[str, ...]
    texts: tuple[Template | None, ...]
    clauses: tuple[tuple[str, ...], ...]


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
    plural: str = ""
    """The word for several; `label` is that for one."""
    called: tuple[str, ...] = ()
    """What people call each thing; () is as they are written, with blanks for `_`."""
    texts: tuple[Template | None, ...] = ()
    """What each thing does, in people's words; () where nothing says so."""


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
    """Places for things. Instances (one for each combination of `dimensions`) are numbered as places: instance i of
    this zone is place `first_place + i`. Zone 0.. of each kind is its `box` (a group without dimensions, face up).

    visible as in StateVariable, for things that enter: "all" (face up), "nobody" (face down), "owner", "expr".
    """

    id: int
    name: str
    form: ZoneForm
    kind: int
    owner: str | None
    dimensions: tuple[Type, ...]
    first_place: int
    visible: Audience
    seen_by: Expr | None
    seen_names: tuple[Variable, ...]
    capacity: Expr | None
    refills_from: int | None
    site: int = 0
    top_up: bool = False
    """Of a pile: whatever comes to lie on top is turned face up."""
    called: str = ""
    """What people call it; "" is its name with blanks for `_`, behind `the` where nobody owns it."""
    text: Template | None = None
    untold: bool = False
    """People are not told of what goes there or comes from there."""


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
    called: Template | None = None
    """The name for people, with holes for the parameters."""
    denied: Template | None = None
    """The words for a condition that does not hold."""


@attrs.frozen
class ValueCase:
    condition: Expr | None
    value: Expr
    site: int = 0


@attrs.frozen
class Adjustment:
    """what is +, least or most; `condition` None means always. Its names are the value's own parameters."""

    what: Change
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
    """A clock: the state that holds the time left, and the state for the time a person's clock showed (NONE: the table
    says).

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
    body: tuple[Statement, ...]
    rule: int | None
    phase: bool = False
    stops: bool = False
    recursion: int | None = None
    """How deep it may call itself, directly or through others; gone after weave."""


@attrs.frozen
class ScreenLine:
    """One part of a screen: its form, its variable and source or zone, its fields, its title."""

    what: ScreenPart
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
    fields: tuple[ShownField, ...] = ()
    coordinates: bool = False
    fold: str = ""
    """The title of a part that may be closed where room is short."""
    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False)


@attrs.frozen
class BoardShape:
    """A board's picture: spaces row by row; `cells[r][c]` is a space's index or -1."""

    kind: int
    shape: BoardForm
    cells: tuple[tuple[int, ...], ...]
    marks: tuple[str, ...]
    """By space, as drawn."""
    directions: tuple[str, ...]
    map: int | None = None
    """Which of the board's maps this is, where it has several."""
    option: int | None = None
    """The option that says which of them is played on."""
    ties: tuple[tuple[int, ...], ...] = ()
    """By space of a graph: the spaces next to it."""
    shifts: tuple[int, ...] = ()
    """By row: how many halves of a cell it is shifted to the right."""


@attrs.frozen
class Hook:
    """`before`, `after` or `instead of` a procedure; `condition` reads the procedure's own parameters. Gone after weave."""

    when: HookTime
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


STEPS = 8_000_000
"""How many steps the rules may take from one choice to the next, where the header says nothing else."""


@attrs.frozen
class History:
    """The definition of a position for repetition, and the store of past positions: at most `entries`.

    `written` of them are in use; the first, and one for each answer, are counted in `stood`. The others differ from the
    position that an answer led to when the next choice is asked, as by whose turn it is. `asked` says whether the last
    one asks somebody.
    """

    states: tuple[int, ...]
    zones: tuple[int, ...]
    most: int
    entries: int
    written: int
    stood: int
    asked: int
    site: int


@attrs.frozen
class GameRules:
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
    history: History | None = None
    enums: tuple[Enumeration, ...] = ()
    colours: tuple[str, ...] = ()
    """By seat: the colour that the rules give it, or ""."""
    during: tuple[tuple[int, int], ...] = ()
    """(procedure, state) of the phases that `during(...)` asks about: weave keeps the state at 1 while it runs.

    Weaving adds the look at the whenever-rules, where one of these rules may come to another such look."""
    steps: int = STEPS
    """The budget of steps between two choices; see `ir.steps`."""
