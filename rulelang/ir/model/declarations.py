"""Declarations of the IR: kinds, boards, tables, states, zones, values, procedures, and the game itself.

heap: 0..21 = 21       StateVariable(name="heap", ...), at its position in GameRules.states
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Literal

import attrs

from rulelang.ir.model.expressions import Expr, Rule, ShownField, Site, Source, Template, Variable
from rulelang.ir.model.node import IrNode
from rulelang.ir.model.statements import Choice, Statement
from rulelang.ir.model.vocabulary import (
    AdjustmentForm,
    BoardForm,
    Colour,
    FanWay,
    HookTime,
    LapseMoment,
    PieceShape,
    ScreenPart,
    SeenBy,
    ZoneForm,
)
from rulelang.ir.types import Type
from rulelang.source import NOWHERE, Span


@attrs.frozen(eq=False, repr=False)
class StateVariable(IrNode):
    """A variable: `owner` (a kind's name or None) and parameters make it an array; `dimensions` are their types.

    `visible` is "all", "owner", "nobody", or "expr" with `seen_by`: a mask of seats, in terms of `initial_names` (one
    Variable for each dimension). `scratch` variables are in no view, event or key outside a running step.
    """

    id: int
    name: str
    owner: str | None
    dimensions: tuple[Type, ...]
    type: Type
    initial: Expr | None
    initial_names: tuple[Variable, ...]
    visible: SeenBy = "all"
    seen_by: Expr | None = None
    scratch: bool = False
    option: bool = False
    """Set once, before the game, from the options agreed at the table."""
    builtin: bool = False
    """Declared by the language itself, such as turn, round and mover; no rule shows it."""
    site: int = 0
    called: str = ""
    """Its name for people; if "", they read its written name with blanks for `_`."""
    text: Template | None = None
    untold: bool = False
    """People are not told when it changes."""
    until: LapseMoment | None = None
    """The moment at which it goes back to what it begins with, as the statements of each `turns` say."""


@attrs.frozen(eq=False, repr=False)
class Look(IrNode):
    """The look of a thing, a space or a member in a picture; a part of which the rules say nothing is ""."""

    sign: str = ""
    shape: PieceShape | Literal[""] = ""
    colour: Colour | Literal[""] = ""
    image: str = ""
    """The path of a file below the game's folder."""


@attrs.frozen(eq=False, repr=False)
class Enumeration(IrNode):
    """The names of an enum and its members for people: `called`, `texts`, `clauses` and `looks` have one entry a member."""

    name: str
    label: str
    plural: str
    called: tuple[str, ...]
    texts: tuple[Template | None, ...]
    clauses: tuple[tuple[str, ...], ...]
    looks: tuple[Look, ...] = ()
    """() if none has a colour or a shape."""


@attrs.frozen(eq=False, repr=False)
class Kind(IrNode):
    """A kind of things: their number, written names, printed attributes, and classes of interchangeable ones."""

    id: int
    name: str
    label: str
    size: int
    names: tuple[str, ...]
    """The written form of each thing: `li`, `nitro`, `Bonus(nitro, 3)`. Interchangeable things share one."""
    columns: tuple[tuple[str, int, Type], ...]
    """(name, table, type) of each printed attribute."""
    classes: tuple[int, ...]
    """For each thing, the lowest one interchangeable with it: equal in every printed attribute, and unnamed."""
    movable: bool
    """Whether the things lie in zones; players and spaces do not."""
    plural: str = ""
    """The word for several things; `label` is the word for one."""
    called: tuple[str, ...] = ()
    """The name of each thing for people; if (), they read the written names with blanks for `_`."""
    texts: tuple[Template | None, ...] = ()
    """The description of each thing; () if none has one."""
    looks: tuple[Look, ...] = ()
    """The look of each thing; () if the rules say nothing of it."""

    @property
    def has_copies(self) -> bool:
        """Whether some of its things are printed alike."""
        return self.classes != tuple(range(len(self.classes)))


@attrs.frozen(eq=False, repr=False)
class Table(IrNode):
    """Printed numbers, in row-major order: `values[i]`, where each index is counted from the first value of its type."""

    id: int
    name: str
    dimensions: tuple[Type, ...]
    type: Type
    values: tuple[int, ...]
    called: str = ""
    """The name for people of a printed attribute; if "", they read its identifier with blanks for `_`."""


@attrs.frozen(eq=False, repr=False)
class Zone(IrNode):
    """A zone. It has one instance for each combination of its `dimensions`, and instance i is place `first_place + i`.

    Each kind has a zone named `box`, a group without dimensions. `visible` is as in StateVariable, for things that
    enter: "all" (face up), "nobody" (face down; in a box, they keep their face), "owner", "expr".
    """

    id: int
    name: str
    form: ZoneForm
    kind: int
    owner: str | None
    dimensions: tuple[Type, ...]
    first_place: int
    visible: SeenBy
    seen_by: Expr | None
    seen_names: tuple[Variable, ...]
    capacity: Expr | None
    refills_from: int | None
    site: int = 0
    top_up: bool = False
    """Whether the top thing of a pile always lies face up."""
    called: str = ""
    """Its name for people; if "", they read its written name with blanks for `_`, after `the` if it has no owner."""
    text: Template | None = None
    untold: bool = False
    """People are not told of moves to it or from it."""

    @property
    def face(self) -> int | None:
        """The face of a thing that enters: 1 for up, 0 for down, None if it keeps the one that it has."""
        return None if self.name == "box" and self.visible != "all" else int(self.visible == "all")


@attrs.frozen(eq=False, repr=False)
class Value(IrNode):
    """`value`: the first case whose condition holds (None: always); NONE if none does.

    Then its adjustments apply, layer by layer: the last with "set", the product of those with "times", the sum of those
    with "+", then the greatest of "least", then the smallest of "most".
    `deep` limits recursion: a call nested deeper raises RunawayRules.
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


@attrs.frozen(eq=False, repr=False)
class ValueCase(IrNode):
    condition: Expr | None
    value: Expr
    site: int = 0


@attrs.frozen(eq=False, repr=False)
class Adjustment(IrNode):
    """An adjustment of a value or column: `what` is its layer; without a condition it always applies.

    Its expressions read the parameters of the value or data.
    """

    what: AdjustmentForm
    amount: Expr
    condition: Expr | None
    site: int = 0


@attrs.frozen(eq=False, repr=False)
class DataColumn(IrNode):
    """A column: the cell at a key is `cells[k]`, where k is the row number in `DataTable.rows`; -1 (no row) gives NONE.

    Cells may read the parameters of the data.
    """

    name: str
    type: Type
    cells: tuple[Expr, ...]
    sites: tuple[int, ...]
    adjustments: tuple[Adjustment, ...] = ()
    called: str = ""
    """Its name for people; if "", they read its identifier with blanks for `_`."""


@attrs.frozen(eq=False, repr=False)
class DataTable(IrNode):
    """`data`: `rows` holds the row number for each key, in
    row-major order, or -1; the first `keys` parameters are the key.
    """

    id: int
    name: str
    parameters: tuple[Variable, ...]
    keys: int
    rows: tuple[int, ...]
    columns: tuple[DataColumn, ...]
    site: int = 0


@attrs.frozen(eq=False, repr=False)
class Die(IrNode):
    id: int
    name: str
    faces: tuple[int, ...]


@attrs.frozen(eq=False, repr=False)
class Clock(IrNode):
    """A clock: `state` is the variable with the time left, `reading` the one with the time that a person has used
    (NONE: as the clock's table says); `per_second` is the number of its units in a second.
    """

    state: int
    reading: int
    per_second: int


@attrs.frozen(eq=False, repr=False)
class Procedure(IrNode):
    """A verb, phase, setup, play, hook or `whenever` rule, or a piece that a pass has added.

    `rule` is the Rule shown in events; None for pieces that are not shown. A `phase` is always cut into blocks, so
    that a scenario can begin at it. `stops`, set by `mark_stopping`, is true for a phase, and for a procedure that
    contains an Ask or calls one that stops.
    """

    id: int
    name: str
    parameters: tuple[Variable, ...]
    body: tuple[Statement, ...]
    rule: int | None
    phase: bool = False
    stops: bool = False
    recursion: int | None = None
    """The depth to which it may call itself, directly or through others; None after `unroll`."""


@attrs.frozen(eq=False, repr=False)
class ScreenLine(IrNode):
    """One line of a screen: its form, with the variable and
    source, zone or data that it shows, its fields and its title.
    """

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
    """In a `table`: the position of the data's parameter that runs over all its values; a None argument runs too."""
    doors: Expr | None = None
    """In a `map`: the directions in which a space's frame has a door."""
    fields: tuple[ShownField, ...] = ()
    coordinates: bool = False
    fold: str = ""
    """The title of a part that may be closed if there is little room."""
    fanned: FanWay | Literal[""] = ""
    """In `cards`: the way in which they lie, overlapping; "" if they lie side by side."""
    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False)


@attrs.frozen(eq=False, repr=False)
class AimEnding(IrNode):
    """A way for the game to end: `goal` says how these rules end it, and `told` that they have ended it."""

    rules: tuple[int, ...]
    goal: ShownField
    told: Template | None
    clauses: tuple[str, ...]


@attrs.frozen(eq=False, repr=False)
class AimText(IrNode):
    """The sentences of one line of an `aim:` block, and the clauses that it cites."""

    fields: tuple[ShownField, ...] = ()
    clauses: tuple[str, ...] = ()


@attrs.frozen(eq=False, repr=False)
class Aim(IrNode):
    """The sentences that players are told before their first choice. Local 0 is the viewer, in `progress` only."""

    about: AimText = AimText()
    lasts: AimText = AimText()
    progress: AimText = AimText()
    endings: tuple[AimEnding, ...] = ()


@attrs.frozen(eq=False, repr=False)
class BoardShape(IrNode):
    """The drawing of a board: spaces row by row; `cells[r][c]` is the index of a space, or -1."""

    kind: int
    shape: BoardForm
    cells: tuple[tuple[int, ...], ...]
    marks: tuple[str, ...]
    """By space: its mark, as drawn."""
    directions: tuple[str, ...]
    map: int | None = None
    """The number of this map, if the board has several."""

    option: int | None = None
    """The variable of the option that selects the map; None if the board has only one."""
    ties: tuple[tuple[int, ...], ...] = ()
    """By space of a graph: its neighbours."""
    shifts: tuple[int, ...] = ()
    """By row: its shift to the right, in half cells."""
    places: tuple[tuple[int, int], ...] = ()
    """By space of a graph: its place in the picture, to the right and down; () if the rules draw none."""
    looks: tuple[Look, ...] = ()
    """By space: the look that its mark has in the legend; () if the legend says nothing of looks."""
    of: int | None = None
    """The kind of the board whose edges or corners its spaces are."""
    borders: tuple[tuple[tuple[int, int], ...], ...] = ()
    """By space of such a board: the points that it joins, or the
    point that it is, as `semantics.declarations.edges` has them."""


@attrs.frozen(eq=False, repr=False)
class Hook(IrNode):
    """`before`, `after` or `instead of` a procedure; `condition`
    reads that procedure's parameters. Gone after `unfold`.
    """

    when: HookTime
    of: int
    condition: Expr | None
    procedure: int


@attrs.frozen(eq=False, repr=False)
class Whenever(IrNode):
    """A `whenever` rule: `procedure` runs with the names for each match of `condition`. Gone after `unfold`."""

    names: tuple[Variable, ...]
    sources: tuple[Source, ...]
    condition: Expr
    procedure: int
    site: int


STEPS = 8_000_000
"""The budget of steps from one choice to the next, unless the header sets another."""


@attrs.frozen(eq=False, repr=False)
class History(IrNode):
    """The definition of a position for repetition, and the store of past positions.

    `states` and `zones` make up a position; `most` is the number of positions after an answer that the history holds.
    The others are ids of variables. `entries` stores the positions, `written` is their number, and `stood` the number
    of those that count: the first, and one for each answer. The rest were recorded when a choice was asked, because
    they differ from the position after the answer, for example in whose turn it is. `asked` tells whether the last
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


@attrs.frozen(eq=False, repr=False)
class GameRules(IrNode):
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
    """Names of the random streams: each pile's (`shuffle bonuses`), and those of each `roll` and `random`, by what is drawn
    for (`d6 red.gold`, `random starter`)."""
    main: int
    """The procedure that runs `setup`, then `play`."""
    all_players: int
    """The variable with the mask of all seats of this match."""
    players_left: int
    """The variable with the mask of the seats still playing (`players`)."""
    depth: int
    """The variable with the number of bodies of choices that are running."""
    mover: int
    """The variable with the seat whose turn it is, or NONE."""
    screen: tuple[ScreenLine, ...] = ()
    aim: Aim | None = None
    score: int | None = None
    """The value `score(p)`, if declared; bots maximize it."""
    scratch: tuple[int, ...] = ()
    checkpoint: int | None = None
    """The procedure that runs the `whenever` rules; None if there are none, or before `unfold`."""
    hooks: tuple[Hook, ...] = ()
    whenevers: tuple[Whenever, ...] = ()
    """Like `hooks`, empty after `unfold`."""
    clocks: tuple[Clock, ...] = ()
    history: History | None = None
    enums: tuple[Enumeration, ...] = ()
    colours: tuple[str, ...] = ()
    """By seat: the colour that the rules give it, or ""."""
    during: tuple[tuple[int, int], ...] = ()
    """(procedure, flag) of the phases that `during(...)` asks about: the flag is 1 while the procedure runs.

    `unfold` adds the checkpoint, if a `whenever` rule may reach it again.
    """
    steps: int = STEPS
    """The budget of steps between two choices; see `ir.steps`."""
    targets: tuple[str, ...] = ()
    """By stream: a name that tells nobody whose the draw is (`d6`, `random Player.starter`)."""

    @cached_property
    def images(self) -> Mapping[str, str]:
        """The images that the rules name, each with the name of the kind that first does so."""
        named = [(look.image, kind.name) for kind in self.kinds for look in kind.looks]
        named += [(look.image, self.kinds[board.kind].name) for board in self.boards for look in board.looks]
        return {image: kind for image, kind in reversed(named) if image}

    @cached_property
    def kind_called(self) -> Mapping[str, Kind]:
        """The kinds by name."""
        return {kind.name: kind for kind in self.kinds}
