"""Nodes of declarations, and of the variants that patch them.

die d: 1..6     DieDeclaration(name, faces)
"""

from __future__ import annotations

import attrs

from rulelang.syntax.nodes.expressions import (
    BinderNode,
    CallExpression,
    CiteNode,
    Expression,
    IdentNode,
    KeyNode,
    NameExpression,
    Node,
    NumberExpression,
    ParameterNode,
    TextNode,
    TypeNode,
    UnaryExpression,
)
from rulelang.syntax.nodes.statements import LetStatement, NeedNode, ShownFieldNode, ShowsNode, Statement
from rulelang.syntax.nodes.vocabulary import (
    ActionMoment,
    AdjustSign,
    AimForm,
    FlowForm,
    HeaderForm,
    HookTime,
    ModifierForm,
    ScreenForm,
)


@attrs.frozen
class Declaration(Node):
    """A declaration at the top level of a file. `cites` are the clauses cited on its first line."""

    cites: tuple[CiteNode, ...] = attrs.field(default=(), kw_only=True)


@attrs.frozen
class GameDeclaration(Declaration):
    """`game nim "Nim":` with its lines; each line may cite."""

    name: IdentNode
    title: TextNode
    lines: tuple[GameLineNode, ...]


@attrs.frozen
class GameLineNode(Node):
    """`players 2..4`, `seats red, green`, `rulebook "rulebook.toml"`, `lone options are asked`, `history of Square.man: at most 500`,
    `at most 50000000 steps`.

    `what` is the first word, or `steps` for the last form. In a history, `parts` are the variables and zones that
    make up a position, and `value` is the number of positions that it holds.
    """

    what: HeaderForm
    value: Expression | None = None
    names: tuple[IdentNode, ...] = ()
    text: TextNode | None = None
    cites: tuple[CiteNode, ...] = ()
    parts: tuple[Expression, ...] = ()


@attrs.frozen
class NamesDeclaration(Declaration):
    """`names p, q: Player; z: 1..9`."""

    groups: tuple[tuple[tuple[IdentNode, ...], TypeNode], ...]


@attrs.frozen
class IncludeDeclaration(Declaration):
    """`include "tiles.rules"`."""

    path: TextNode


@attrs.frozen
class ConstantDeclaration(Declaration):
    """`constant heap = 21`."""

    name: IdentNode
    value: Expression


@attrs.frozen
class NounDeclaration(Declaration):
    """`noun fuel "fuel", "fuel"`: the words with which people count something, for one and for several."""

    name: IdentNode
    one: TextNode
    many: TextNode | None


@attrs.frozen
class EnumDeclaration(Declaration):
    """`enum Lane "lane": left, right`; a member may be a `NamedNode`. `plural` is the word for several."""

    name: IdentNode
    members: tuple[IdentNode, ...]
    label: TextNode | None = None
    plural: TextNode | None = None


LOOKS = ("sign", "shape", "colour", "image")
"""The words for pictures that each thing of a kind may have."""
WORDS = ("called", "text", *LOOKS)
"""The texts that each thing of a kind may have: its name for people, its description, and its looks."""


@attrs.frozen
class ToldNode(Node):
    """`called: "the {colour} probe"`, `sign: "♞"` in a kind: the text of all its things whose rows have no other."""

    what: IdentNode
    text: TextNode
    cites: tuple[CiteNode, ...] = ()


@attrs.frozen
class FieldLineNode(Node):
    """`cost: 0..30 = 0, called "price"` in a kind, data, or board; in a kind, `cost(g: Gem): 0..7 = 0` stands for a column
    for each member."""

    name: IdentNode
    type: TypeNode
    default: Expression | None
    cites: tuple[CiteNode, ...] = ()
    called: TextNode | None = None
    key: tuple[ParameterNode, ...] = ()


@attrs.frozen
class RowNode(Node):
    """`| 1 | small | |`: the cells of a row; None is a blank cell, a `TextNode` a quoted one."""

    cells: tuple[Expression | TextNode | None, ...]
    cites: tuple[CiteNode, ...] = ()


def column_of(cell: Expression | TextNode | None) -> str | None:
    """Returns the column that a cell of the first row names,
    `cost`, `cost(ruby)` or `cost(ruby, 2)`; None for another cell."""
    match cell:
        case NameExpression(text):
            return text
        case CallExpression(NameExpression(text), members):
            written = [_member(one) for one in members]
            return f"{text}({', '.join(written)})" if all(written) else None
        case _:  # anything else names no column
            return None


def _member(node: Expression) -> str:
    """Returns a member of a column's key as it is written; "" for anything else."""
    match node:
        case NameExpression(text):
            return text
        case NumberExpression(value):
            return str(value)
        case UnaryExpression("-", NumberExpression(value)):
            return f"-{value}"
        case _:  # no other expression stands for a member
            return ""


@attrs.frozen
class MapTextNode(Node):
    """`map \"\"\"...\"\"\"`, or a named one: `map small \"\"\"...\"\"\"`; `lines` are the drawn lines, outer blank lines and the common margin cut."""

    lines: tuple[str, ...]
    name: IdentNode | None = None
    cites: tuple[CiteNode, ...] = ()


@attrs.frozen
class DrawnNode(Node):
    """`drawn \"\"\"...\"\"\"`: the names of a graph's spaces, where a picture has them."""

    lines: tuple[str, ...]
    cites: tuple[CiteNode, ...] = ()


@attrs.frozen
class KindDeclaration(Declaration):
    """`kind Bonus "bonus token":` fields, then rows (the first row holds the column names)."""

    name: IdentNode
    label: TextNode | None
    fields: tuple[FieldLineNode, ...]
    rows: tuple[RowNode, ...]
    plural: TextNode | None = None
    told: tuple[ToldNode, ...] = ()


@attrs.frozen
class DataDeclaration(Declaration):
    """`data route(tile: 1..16, side: Side, p):`."""

    name: IdentNode
    parameters: tuple[ParameterNode, ...]
    fields: tuple[FieldLineNode, ...]
    rows: tuple[RowNode, ...]


@attrs.frozen
class BoardDeclaration(Declaration):
    """`board Space: square with diagonals`; `shape` is square, hex, track, ring or graph.

    `diagonals` is the word itself, if spaces that touch at a corner are neighbours too. In `board Road: edges of Space`
    `shape` is edges or corners, and `of` the board that has them.
    """

    name: IdentNode
    label: TextNode | None
    shape: IdentNode
    diagonals: IdentNode | None
    fields: tuple[FieldLineNode, ...]
    maps: tuple[MapTextNode, ...]
    rows: tuple[RowNode, ...]
    drawn: tuple[DrawnNode, ...] = ()
    of: IdentNode | None = None


@attrs.frozen
class DrawingDeclaration(Declaration):
    """`map ring of Space \"\"\"...\"\"\"`: one more map of a board."""

    name: IdentNode
    board: IdentNode
    lines: tuple[str, ...]


@attrs.frozen
class DieDeclaration(Declaration):
    """`die yellow: 1, 1, 2`, `die d6: 1..6`."""

    name: IdentNode
    faces: tuple[Expression, ...]


@attrs.frozen
class ClockDeclaration(Declaration):
    """`clock sand: 0..60` with a table of seconds per action."""

    name: IdentNode
    type: TypeNode
    rows: tuple[RowNode, ...]


@attrs.frozen
class OptionDeclaration(Declaration):
    """`option tiles: 1..12 = 12 "How many tiles"`."""

    name: IdentNode
    type: TypeNode
    default: Expression | None
    label: TextNode | None


@attrs.frozen
class ModifierNode(Node):
    """A modifier behind the comma of a variable or zone.

    `what` is one of: "seen by" (value; `owner` and `nobody` are plain names in it), "face up", "face down",
    "top face up", "refills from" (value), "at most" (value), "until" (until), "scratch", "untold", "called" (text),
    "text" (text).
    """

    what: ModifierForm
    value: Expression | None = None
    text: TextNode | None = None
    until: str = ""
    """As it is written: `round ends`, `turn of owner begins`."""


@attrs.frozen
class VariableNode(Node):
    """`shields(z): 0..7 = 0, seen by owner`."""

    name: IdentNode
    parameters: tuple[ParameterNode, ...]
    type: TypeNode
    initial: Expression | None
    modifiers: tuple[ModifierNode, ...]
    cites: tuple[CiteNode, ...] = ()


@attrs.frozen
class StateDeclaration(Declaration):
    """`the game has:` (owner None) or `each Player has:`."""

    owner: IdentNode | None
    variables: tuple[VariableNode, ...]


@attrs.frozen
class CaseNode(Node):
    """One line of a value by cases: `e if c`, `e otherwise`, or a bare e (which is `otherwise`)."""

    value: Expression
    condition: Expression | None
    cites: tuple[CiteNode, ...] = ()


@attrs.frozen
class ValueDeclaration(Declaration):
    """`value reach(p) -> 0..9, at most 6 deep, called "the reach of {p}" = ...`; a plain body is one case without a
    condition.

    `lets` are the lines at the start of its block, which name values for its cases.
    """

    name: IdentNode
    parameters: tuple[ParameterNode, ...]
    type: TypeNode | None
    deep: Expression | None
    cases: tuple[CaseNode, ...]
    lets: tuple[LetStatement, ...] = ()
    called: TextNode | None = None
    denied: TextNode | None = None
    """What people call a condition that does not hold."""


@attrs.frozen
class AdjustmentNode(Node):
    """`+e`, `-e`, `at least e`, `at most e`; `what` is +, -, least or most."""

    what: AdjustSign
    value: Expression


@attrs.frozen
class AdjustDeclaration(Declaration):
    """`adjust reach(p): +1 if c as long_legs`; `column` for a data column: `adjust route(t, s, l, p).cost: ...`."""

    name: IdentNode
    parameters: tuple[ParameterNode, ...]
    column: IdentNode | None
    changes: tuple[AdjustmentNode, ...]
    condition: Expression | None
    label: IdentNode | None


@attrs.frozen
class VerbDeclaration(Declaration):
    """`to NAME(params) -> TYPE at most 8 deep "sentence":`, or `phase NAME(params) "label":` (phase is true).

    `otherwise` is its sentence if it changed nothing; `called` are its words in the rulebook, if it has no sentence;
    if `untold`, people are not told of it.
    """

    phase: bool
    name: IdentNode
    parameters: tuple[ParameterNode, ...]
    sentence: TextNode | None
    body: tuple[Statement, ...]
    deep: Expression | None = None
    otherwise: TextNode | None = None
    untold: bool = False
    called: TextNode | None = None
    returns: TypeNode | None = None


@attrs.frozen
class HookDeclaration(Declaration):
    """`before|after|instead of VERB(params) if c in order chosen by p as name:`; `when` is before, after or instead."""

    when: HookTime
    verb: IdentNode
    parameters: tuple[ParameterNode, ...]
    condition: Expression | None
    label: IdentNode | None
    body: tuple[Statement, ...]
    chooser: Expression | None = None


@attrs.frozen
class WheneverDeclaration(Declaration):
    """`whenever c for x in S, y in T from e by KEYS if d in order chosen by p as name:`."""

    condition: Expression
    binders: tuple[BinderNode, ...]
    filter: Expression | None
    label: IdentNode | None
    body: tuple[Statement, ...]
    chooser: Expression | None = None
    keys: tuple[KeyNode, ...] = ()


@attrs.frozen
class FlowDeclaration(Declaration):
    """`setup:` or `play:`; `what` is the word."""

    what: FlowForm
    body: tuple[Statement, ...]


@attrs.frozen
class ActionDeclaration(Declaration):
    """`action NAME(params) [at any time | at any choice | beside OTHER, …] "label", "told":`.

    `when` is None, time, choice or beside; `told` is the sentence told once it is done.
    """

    name: IdentNode
    parameters: tuple[ParameterNode, ...]
    when: ActionMoment | None
    beside: tuple[IdentNode, ...]
    label: TextNode | None
    needs: tuple[NeedNode, ...]
    body: tuple[Statement, ...]
    told: TextNode | None = None
    shows: ShowsNode | None = None


@attrs.frozen
class AimLineNode(Node):
    """One line of `aim:`: `about "…"`, `lasts "…"`, `progress "…"`, or `ends last_ship "…", "…"`.

    `names` are the rules that an `ends` line speaks of; its one field says how they end the game, and `told` that
    they have ended it.
    """

    what: AimForm
    fields: tuple[ShownFieldNode, ...]
    names: tuple[IdentNode, ...] = ()
    told: TextNode | None = None
    cites: tuple[CiteNode, ...] = ()


@attrs.frozen
class AimDeclaration(Declaration):
    """`aim:` with its lines: what the game is about, how long it lasts, and how it ends."""

    lines: tuple[AimLineNode, ...]


@attrs.frozen
class ScreenLineNode(Node):
    """One line of `screen:`; `fold` is the title of a part that may be closed if there is little room.

    what    fields used
    line    fields                                   line "Turn {turn}", "a storm" if storm
    map     subject (board), coordinates, fields, doors   map Space with coordinates: "{mark(s)}" doors s.card.doors
    track   binder, fields                           track z in 1..9: "{crew(z)}"
    each    subject (kind), fields                   each Player: "{p} {p.fuel}"
    cards   subject (zone), of_viewer, text (label), fanned    cards p.tokens of viewer "Your tokens" fanned right
    table   subject (call), by, text (label)         table route(n, side, lane, viewer) by lane
    """

    what: ScreenForm
    subject: Expression | None = None
    binder: BinderNode | None = None
    by: IdentNode | None = None
    text: TextNode | None = None
    of_viewer: bool = False
    doors: Expression | None = None
    fields: tuple[ShownFieldNode, ...] = ()
    coordinates: bool = False
    fold: TextNode | None = None
    fanned: IdentNode | None = None


@attrs.frozen
class ScreenDeclaration(Declaration):
    """`screen:` with its lines."""

    lines: tuple[ScreenLineNode, ...]


# --------------------------------------------------------------------------- variants


@attrs.frozen
class Operation(Node):
    """One line of a variant."""

    cites: tuple[CiteNode, ...] = attrs.field(default=(), kw_only=True)


@attrs.frozen
class AddOperation(Operation):
    """A declaration directly inside a variant: it is new, or changes the constant or option of that name."""

    declaration: Declaration


@attrs.frozen
class ReplaceOperation(Operation):
    """`replace DECLARATION`."""

    declaration: Declaration


@attrs.frozen
class RemoveOperation(Operation):
    """`remove NAME`."""

    name: IdentNode


@attrs.frozen
class ChangeFieldOperation(Operation):
    """`in KIND if c: field = e`."""

    kind: IdentNode
    condition: Expression | None
    field: IdentNode
    value: Expression | TextNode


@attrs.frozen
class ChangeColumnOperation(Operation):
    """`in KIND: field: 0..20 = 1`: another type for a column of a kind, data or board, or a new column."""

    table: IdentNode
    column: FieldLineNode


@attrs.frozen
class AddRowsOperation(Operation):
    """`add to KIND:` rows of a kind, data or board; the first row holds the names of their columns."""

    table: IdentNode
    rows: tuple[RowNode, ...]


@attrs.frozen
class AddMembersOperation(Operation):
    """`add to enum NAME: a, b`."""

    enum: IdentNode
    members: tuple[IdentNode, ...]


@attrs.frozen
class SetGameLineOperation(Operation):
    """`players 1`, `seats ...` in a variant."""

    line: GameLineNode


@attrs.frozen
class VoidOperation(Operation):
    """`void "scenario" because "..."`."""

    scenario: TextNode
    because: TextNode


@attrs.frozen
class VoidCitingOperation(Operation):
    """`void all citing [X] because "..."`: every scenario of the game that cites one of the clauses."""

    cited: tuple[CiteNode, ...]
    because: TextNode


@attrs.frozen
class VariantDeclaration(Declaration):
    """`variant sprint of outspeed "Sprint":` with its operations; `of` may be another variant."""

    name: IdentNode
    of: IdentNode
    title: TextNode | None
    operations: tuple[Operation, ...]
