"""Nodes of declarations, and of the variants that patch them.

die d: 1..6     Die(name, faces)
"""

from __future__ import annotations

import attrs

from rulelang.syntax.nodes.expressions import Binder, Cite, Expression, Ident, Node, Parameter, Text, TypeNode
from rulelang.syntax.nodes.statements import Let, Need, ShownField, Shows, Statement
from rulelang.syntax.nodes.vocabulary import (
    ActionMoment,
    AdjustSign,
    FlowForm,
    HeaderForm,
    HookTime,
    ModifierForm,
    ScreenForm,
)


@attrs.frozen
class Declaration(Node):
    """Anything at the margin of a file. `cites` are the clauses named on its first line."""

    cites: tuple[Cite, ...] = attrs.field(default=(), kw_only=True)


@attrs.frozen
class Game(Declaration):
    """`game nim "Nim":` with its lines; each line may cite."""

    name: Ident
    title: Text
    lines: tuple[GameLine, ...]


@attrs.frozen
class GameLine(Node):
    """`players 2..4`, `seats red, green`, `rulebook "rulebook.toml"`, `lone options are asked`, `history of Square.man: at most 500`,
    `at most 50000000 steps`.

    `what` is the first word, of the last one `steps`; of a history, `parts` is what a position is and `value` how many it holds.
    """

    what: HeaderForm
    value: Expression | None = None
    names: tuple[Ident, ...] = ()
    text: Text | None = None
    cites: tuple[Cite, ...] = ()
    parts: tuple[Expression, ...] = ()


@attrs.frozen
class Names(Declaration):
    """`names p, q: Player; z: 1..9`."""

    groups: tuple[tuple[tuple[Ident, ...], TypeNode], ...]


@attrs.frozen
class Include(Declaration):
    path: Text


@attrs.frozen
class Constant(Declaration):
    name: Ident
    value: Expression


@attrs.frozen
class Noun(Declaration):
    """`noun fuel "fuel", "fuel"`: how people count something."""

    name: Ident
    one: Text
    many: Text | None


@attrs.frozen
class Enum(Declaration):
    """`enum Lane "lane": left, right`; a member may be `Named`. `plural` is the word for several."""

    name: Ident
    members: tuple[Ident, ...]
    label: Text | None = None
    plural: Text | None = None


WORDS = ("called", "text")
"""What may be said of each thing of a kind: its name for people, and what it does."""


@attrs.frozen
class Told(Node):
    """`called: "the {colour} probe"`, `text: "…"` in a kind: of all its things whose rows say nothing else."""

    what: Ident
    text: Text
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class FieldLine(Node):
    """`cost: 0..30 = 0` in a kind, data, or board."""

    name: Ident
    type: TypeNode
    default: Expression | None
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class Row(Node):
    """`| 1 | small | |`: one cell each; None is a blank cell, a Text a quoted mark."""

    cells: tuple[Expression | Text | None, ...]
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class MapText(Node):
    """`map \"\"\"...\"\"\"`, or a named one: `map small \"\"\"...\"\"\"`; `lines` are the drawn lines, outer blank lines and the common margin cut."""

    lines: tuple[str, ...]
    name: Ident | None = None
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class Kind(Declaration):
    """`kind Bonus "bonus token":` fields, then rows (the first row holds the column names)."""

    name: Ident
    label: Text | None
    fields: tuple[FieldLine, ...]
    rows: tuple[Row, ...]
    plural: Text | None = None
    told: tuple[Told, ...] = ()


@attrs.frozen
class Data(Declaration):
    """`data route(tile: 1..16, side: Side, p):`."""

    name: Ident
    parameters: tuple[Parameter, ...]
    fields: tuple[FieldLine, ...]
    rows: tuple[Row, ...]


@attrs.frozen
class Board(Declaration):
    """`board Space: square with diagonals`; `shape` is square, hex, track, ring or graph.

    `diagonals` is the word itself, where spaces are next to each other across corners too.
    """

    name: Ident
    label: Text | None
    shape: Ident
    diagonals: Ident | None
    fields: tuple[FieldLine, ...]
    maps: tuple[MapText, ...]
    rows: tuple[Row, ...]


@attrs.frozen
class Drawing(Declaration):
    """`map ring of Space \"\"\"...\"\"\"`: one more map of a board."""

    name: Ident
    board: Ident
    lines: tuple[str, ...]


@attrs.frozen
class Die(Declaration):
    """`die yellow: 1, 1, 2`, `die d6: 1..6`."""

    name: Ident
    faces: tuple[Expression, ...]


@attrs.frozen
class Clock(Declaration):
    """`clock sand: 0..60` with a table of seconds per action."""

    name: Ident
    type: TypeNode
    rows: tuple[Row, ...]


@attrs.frozen
class OptionDeclaration(Declaration):
    """`option tiles: 1..12 = 12 "How many tiles"`."""

    name: Ident
    type: TypeNode
    default: Expression | None
    label: Text | None


@attrs.frozen
class Modifier(Node):
    """What stands behind the comma of a variable or zone.

    `what` is one of: "seen by" (value: Expression, or the names owner/nobody as Name), "face up", "face down",
    "top face up", "refills from" (value), "at most" (value), "scratch", "untold", "called" (text), "text" (text).
    """

    what: ModifierForm
    value: Expression | None = None
    text: Text | None = None


@attrs.frozen
class Variable(Node):
    """`shields(z): 0..7 = 0, seen by owner`."""

    name: Ident
    parameters: tuple[Parameter, ...]
    type: TypeNode
    initial: Expression | None
    modifiers: tuple[Modifier, ...]
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class State(Declaration):
    """`the game has:` (owner None) or `each Player has:`."""

    owner: Ident | None
    variables: tuple[Variable, ...]


@attrs.frozen
class Case(Node):
    """One line of a value by cases: `e if c`, `e otherwise`, or a bare e (which is `otherwise`)."""

    value: Expression
    condition: Expression | None
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class Value(Declaration):
    """`value reach(p) -> 0..9, at most 6 deep = ...`; a plain body is one case without a condition.

    `lets` are the lines that begin its block and give names to what its cases read.
    """

    name: Ident
    parameters: tuple[Parameter, ...]
    type: TypeNode | None
    deep: Expression | None
    cases: tuple[Case, ...]
    lets: tuple[Let, ...] = ()


@attrs.frozen
class Adjustment(Node):
    """`+e`, `-e`, `at least e`, `at most e`; `what` is +, -, least or most."""

    what: AdjustSign
    value: Expression


@attrs.frozen
class Adjust(Declaration):
    """`adjust reach(p): +1 if c as long_legs`; `column` for a data column: `adjust route(t, s, l, p).cost: ...`."""

    name: Ident
    parameters: tuple[Parameter, ...]
    column: Ident | None
    changes: tuple[Adjustment, ...]
    condition: Expression | None
    label: Ident | None


@attrs.frozen
class Verb(Declaration):
    """`to NAME(params) at most 8 deep "sentence":`, or `phase NAME(params) "label":` (phase is true).

    `otherwise` is its sentence where nothing came of it; `untold`: people are not told of it.
    """

    phase: bool
    name: Ident
    parameters: tuple[Parameter, ...]
    sentence: Text | None
    body: tuple[Statement, ...]
    deep: Expression | None = None
    otherwise: Text | None = None
    untold: bool = False


@attrs.frozen
class Hook(Declaration):
    """`before|after|instead of VERB(params) if c as name:`; `when` is before, after or instead."""

    when: HookTime
    verb: Ident
    parameters: tuple[Parameter, ...]
    condition: Expression | None
    label: Ident | None
    body: tuple[Statement, ...]


@attrs.frozen
class Whenever(Declaration):
    """`whenever c for x in S, y in T if d as name:`."""

    condition: Expression
    binders: tuple[Binder, ...]
    filter: Expression | None
    label: Ident | None
    body: tuple[Statement, ...]


@attrs.frozen
class Flow(Declaration):
    """`setup:` or `play:`; `what` is the word."""

    what: FlowForm
    body: tuple[Statement, ...]


@attrs.frozen
class Action(Declaration):
    """`action NAME(params) [at any time | at any choice | beside OTHER, …] "label", "told":`.

    `when` is None, time, choice or beside; `told` is what is told when it was done.
    """

    name: Ident
    parameters: tuple[Parameter, ...]
    when: ActionMoment | None
    beside: tuple[Ident, ...]
    label: Text | None
    needs: tuple[Need, ...]
    body: tuple[Statement, ...]
    told: Text | None = None
    shows: Shows | None = None


@attrs.frozen
class ScreenLine(Node):
    """One part of `screen:`; `fold` is the title of one that may be closed where room is short.

    what    fields used
    line    fields                                   line "Turn {turn}", "a storm" if storm
    map     subject (board), coordinates, fields, doors   map Space with coordinates: "{mark(s)}" doors s.card.doors
    track   binder, fields                           track z in 1..9: "{crew(z)}"
    each    subject (kind), fields                   each Player: "{p} {p.fuel}"
    cards   subject (zone), of_viewer, text (label)  cards p.tokens of viewer "Your tokens"
    table   subject (call), binder name, text        table route(n, side, lane, viewer) by lane
    """

    what: ScreenForm
    subject: Expression | None = None
    binder: Binder | None = None
    by: Ident | None = None
    text: Text | None = None
    of_viewer: bool = False
    doors: Expression | None = None
    fields: tuple[ShownField, ...] = ()
    coordinates: bool = False
    fold: Text | None = None


@attrs.frozen
class Screen(Declaration):
    lines: tuple[ScreenLine, ...]


# --------------------------------------------------------------------------- variants


@attrs.frozen
class Operation(Node):
    """One line of a variant."""

    cites: tuple[Cite, ...] = attrs.field(default=(), kw_only=True)


@attrs.frozen
class Add(Operation):
    """A declaration at a variant's margin: a new one; constants and options of that name are changed."""

    declaration: Declaration


@attrs.frozen
class Replace(Operation):
    """`replace DECLARATION`."""

    declaration: Declaration


@attrs.frozen
class Remove(Operation):
    """`remove NAME`."""

    name: Ident


@attrs.frozen
class ChangeField(Operation):
    """`in KIND if c: field = e`."""

    kind: Ident
    condition: Expression | None
    field: Ident
    value: Expression | Text


@attrs.frozen
class AddRows(Operation):
    """`add to KIND:` rows of a kind, data or board; the first row holds the names of their columns."""

    table: Ident
    rows: tuple[Row, ...]


@attrs.frozen
class AddMembers(Operation):
    """`add to enum NAME: a, b`."""

    enum: Ident
    members: tuple[Ident, ...]


@attrs.frozen
class SetGameLine(Operation):
    """`players 1`, `seats ...` in a variant."""

    line: GameLine


@attrs.frozen
class Void(Operation):
    """`void "scenario" because "..."`."""

    scenario: Text
    because: Text


@attrs.frozen
class VoidCiting(Operation):
    """`void all citing [X] because "..."`: every scenario of the game that cites one of the clauses."""

    cited: tuple[Cite, ...]
    because: Text


@attrs.frozen
class Variant(Declaration):
    name: Ident
    of: Ident
    title: Text | None
    operations: tuple[Operation, ...]
