"""The tree: what a `.rules` file says, before anybody asks whether it makes sense.

Every node is a frozen value; `span` comes last, is keyword-only and takes no part in
equality, so two trees are equal when they say the same. Names are not resolved here,
`count(x in S)` and `{x in S if c}` are told apart from calls and displays, nothing else.

    action take(p, n: 1..3) "Take {n}":      Action(head, needs=(...), body=(...))
      needs n <= heap  "Too many"            Need(condition, message, cites)
      heap -= n                              Assign(target, "-=", value)
"""

from __future__ import annotations

import attrs

from rulelang.source import NOWHERE, Span


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

    operator: str
    operand: Expression


@attrs.frozen
class Binary(Expression):
    """`operator` is one of + - * % / and or == != < <= > >= in, `not in`; `rounded` is up or down after `/`."""

    operator: str
    left: Expression
    right: Expression
    rounded: str | None = None


@attrs.frozen
class Range(Expression):
    """`lo..hi`: as a value, the set of its numbers."""

    low: Expression
    high: Expression


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
    """`x in S`."""

    name: Ident
    domain: Expression


@attrs.frozen
class Key(Node):
    """`highest e` or `lowest e`; a bare key is lowest first."""

    highest: bool
    value: Expression


@attrs.frozen
class Comprehension(Expression):
    """`e for x in S, y in T by KEYS if c`; `x in S by KEYS if c` has `element` None, which stands for x."""

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

    form: str
    kind: Ident


@attrs.frozen
class Parameter(Node):
    """`p`, `p: Player`, `b in p.tokens`, `cards in 2 of p.hand`, or a verb's case: `flamethrower` (a bare name).

    Whether a bare name is a parameter of a declared `names` type or the case of an enum is not known here.
    """

    name: Ident
    type: TypeNode | None = None
    domain: Domain | None = None


# --------------------------------------------------------------------------- statements


@attrs.frozen
class Statement(Node):
    """One line of a body (with its block). `cites` are the clauses named on its first line."""

    cites: tuple[Cite, ...] = attrs.field(default=(), kw_only=True)


@attrs.frozen
class Clamp(Node):
    """`, at least e` (`least` is true) or `, at most e`."""

    least: bool
    value: Expression


@attrs.frozen
class Assign(Statement):
    """`x = e`, `x += e`, `x -= e`; `operator` is = or += or -=."""

    target: Expression
    operator: str
    value: Expression
    clamps: tuple[Clamp, ...] = ()


@attrs.frozen
class Let(Statement):
    name: Ident
    value: Expression
    clamps: tuple[Clamp, ...] = ()


@attrs.frozen
class CallStatement(Statement):
    """`travel(p, 2)`: a verb, a phase or a built-in change."""

    call: Expression


@attrs.frozen
class Move(Statement):
    """`move DOMAIN to ZONE [top|bottom]`; `end` is top, bottom or None."""

    what: Domain
    to: Expression
    end: str | None = None


@attrs.frozen
class Stop(Statement):
    """`stop`: leaves the nearest loop."""


@attrs.frozen
class Return(Statement):
    """`return`: leaves the verb."""


@attrs.frozen
class Proceed(Statement):
    """`proceed`, inside `instead of`: runs the original."""


@attrs.frozen
class Settle(Statement):
    """`settle`: looks at the whenever-rules now."""


@attrs.frozen
class Finish(Statement):
    """`finish with winner S` | `finish with ranking COMP` | `finish with score e` | `finish lost`.

    `how` is winner, ranking, score or lost; `value` is an expression (a Comprehension for ranking) or None.
    """

    how: str
    value: Expression | None


@attrs.frozen
class If(Statement):
    """`if`, its `elif`s, `else`: the cites of each branch stand with the branch."""

    branches: tuple[Branch, ...]
    otherwise: tuple[Statement, ...] | None


@attrs.frozen
class Branch(Node):
    """`if c:` or `elif c:` with its body."""

    condition: Expression
    body: tuple[Statement, ...]
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class For(Statement):
    """`[simultaneously] for x in S [by KEYS] [if c]:`."""

    simultaneous: bool
    binder: Binder
    keys: tuple[Key, ...]
    condition: Expression | None
    body: tuple[Statement, ...]


@attrs.frozen
class Repeat(Statement):
    """`repeat:` | `repeat while c:` | `repeat n times:`."""

    while_: Expression | None
    times: Expression | None
    body: tuple[Statement, ...]


@attrs.frozen
class Turns(Statement):
    """`turns p from e:`."""

    name: Ident
    start: Expression
    body: tuple[Statement, ...]


@attrs.frozen
class Against(Statement):
    """`against CLOCK:`."""

    clock: Ident
    body: tuple[Statement, ...]


@attrs.frozen
class Chooser(Node):
    """WHO chooses: an expression, or `each p in S [if c] [secretly]`."""

    who: Expression | None = None
    each: Binder | None = None
    condition: Expression | None = None
    secretly: bool = False


@attrs.frozen
class Choose(Statement):
    """One sentence of choice. Exactly one of these three is given:

    `target` + `domain`: `p chooses kept in up to 4 of p.hand` (target is a Name or a place such as `p.lane`);
    `actions`: `chooses one of a, b`;
    `options`: `chooses one of:` with options in place.
    `decline` is pass, stop or None.
    """

    chooser: Chooser
    target: Expression | None = None
    domain: Domain | None = None
    actions: tuple[Ident, ...] = ()
    options: tuple[Option, ...] = ()
    decline: str | None = None
    prompt: Text | None = None


@attrs.frozen
class Need(Node):
    """`needs c  "why not"  [clause]`."""

    condition: Expression
    message: Text | None
    cites: tuple[Cite, ...] = ()


@attrs.frozen
class Option(Node):
    """An option in place: `step(s in reach(x)) "Move onto {s}":`, with its needs and body."""

    name: Ident
    parameters: tuple[Parameter, ...]
    label: Text | None
    needs: tuple[Need, ...]
    body: tuple[Statement, ...]
    cites: tuple[Cite, ...] = ()


# --------------------------------------------------------------------------- declarations


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
    """`players 2..4`, `seats red, green`, `rulebook "rulebook.toml"`; `what` is the first word."""

    what: str
    value: Expression | None = None
    names: tuple[Ident, ...] = ()
    text: Text | None = None
    cites: tuple[Cite, ...] = ()


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
class Enum(Declaration):
    name: Ident
    members: tuple[Ident, ...]


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


@attrs.frozen
class Data(Declaration):
    """`data route(tile: 1..16, side: Side, p):`."""

    name: Ident
    parameters: tuple[Parameter, ...]
    fields: tuple[FieldLine, ...]
    rows: tuple[Row, ...]


@attrs.frozen
class Board(Declaration):
    """`board Space: square`; `shape` is square, hex, track, ring or graph."""

    name: Ident
    label: Text | None
    shape: Ident
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
    "top face up", "refills from" (value), "at most" (value), "scratch".
    """

    what: str
    value: Expression | None = None


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
    """`value reach(p) -> 0..9, at most 6 deep = ...`; a plain body is one case without a condition."""

    name: Ident
    parameters: tuple[Parameter, ...]
    type: TypeNode | None
    deep: Expression | None
    cases: tuple[Case, ...]


@attrs.frozen
class Adjustment(Node):
    """`+e`, `-e`, `at least e`, `at most e`; `what` is +, -, least or most."""

    what: str
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
    """`to NAME(params) "sentence":`, or `phase NAME(params) "label":` (phase is true)."""

    phase: bool
    name: Ident
    parameters: tuple[Parameter, ...]
    sentence: Text | None
    body: tuple[Statement, ...]


@attrs.frozen
class Hook(Declaration):
    """`before|after|instead of VERB(params) if c as name:`; `when` is before, after or instead."""

    when: str
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

    what: str
    body: tuple[Statement, ...]


@attrs.frozen
class Action(Declaration):
    """`action NAME(params) [at any time | at any choice | beside OTHER, …] "label":`; `when` is None, time, choice or beside."""

    name: Ident
    parameters: tuple[Parameter, ...]
    when: str | None
    beside: tuple[Ident, ...]
    label: Text | None
    needs: tuple[Need, ...]
    body: tuple[Statement, ...]


@attrs.frozen
class ScreenLine(Node):
    """One line of `screen:`.

    what    fields used
    line    text                                     line "Turn {turn}"
    map     subject (board), text, doors             map Space: "{mark(s)}" doors s.card.doors
    track   binder, text                             track z in 1..9: "{crew(z)}"
    each    subject (kind), text                     each Player: "{p} {p.fuel}"
    cards   subject (zone), of_viewer, text (label)  cards p.tokens of viewer "Your tokens"
    table   subject (call), binder name, text        table route(n, side, lane, viewer) by lane
    """

    what: str
    subject: Expression | None = None
    binder: Binder | None = None
    by: Ident | None = None
    text: Text | None = None
    of_viewer: bool = False
    doors: Expression | None = None


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
    value: Expression


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
class Variant(Declaration):
    name: Ident
    of: Ident
    title: Text | None
    operations: tuple[Operation, ...]


# --------------------------------------------------------------------------- scenarios


@attrs.frozen
class Step(Node):
    """One line of a scenario."""

    cites: tuple[Cite, ...] = attrs.field(default=(), kw_only=True)


@attrs.frozen
class PlayersStep(Step):
    names: tuple[Ident, ...]


@attrs.frozen
class Top(Expression):
    """`top nitro, fuel_tank, ...` as the value of a `given` or of an `expect ==`: a pile's order; `open` when it ends in `...`."""

    items: tuple[Expression, ...]
    open: bool


@attrs.frozen
class GivenStep(Step):
    """`given LVALUE = e, ... [at PHASE(args)]`."""

    assignments: tuple[tuple[Expression, Expression], ...]
    at: Expression | None


@attrs.frozen
class DrawnStep(Step):
    """`given ZONE from SPACE [at PHASE(args)] \"\"\"...\"\"\"`: what lies in a zone of the spaces, drawn as a map."""

    zone: Expression
    first: Expression
    lines: tuple[str, ...]
    at: Expression | None


@attrs.frozen
class InputStep(Step):
    """`red: steal(blue, metal, 2)`, `red: pass`, `red: 3`, `red: {a, b}`: a Name or Call or any value."""

    who: Ident
    option: Expression


@attrs.frozen
class OthersStep(Step):
    """`others pass`: everybody else who is asked declines, until somebody who is named next is asked, or the phase ends."""

    option: Expression


@attrs.frozen
class RollStep(Step):
    """`roll yellow 3, 1`: the next results of that die."""

    die: Ident
    results: tuple[Expression, ...]


@attrs.frozen
class DrawStep(Step):
    """`draw nitro`: the next random thing or member picked, or the next thing on top of a pile shuffled."""

    things: tuple[Expression, ...]


@attrs.frozen
class ExpectStep(Step):
    """What must hold.

    form     fields used
    holds    value
    winner   value (a name, a set, or none for a game without a winner)
    lost     -
    can      who, option          `expect red can steal(blue, metal, 2)`
    cannot   who, option          `expect red cannot steal(...) [EV-9.3]`
    sees     who, value
    blind    who, value           `expect blue cannot see red.lane`
    event    value                `expect event out_of_fuel(red)`
    after    value (the call), inner: `after travel(green): expect ...`
    """

    form: str
    value: Expression | None = None
    who: Ident | None = None
    option: Expression | None = None
    inner: tuple[ExpectStep, ...] = ()


@attrs.frozen
class Scenario(Declaration):
    """`scenario "what must hold" with option = value:`."""

    title: Text
    options: tuple[tuple[Ident, Expression], ...]
    steps: tuple[Step, ...]


@attrs.frozen
class Module(Node):
    """One parsed file."""

    declarations: tuple[Declaration, ...]
    comments: tuple[Comment, ...] = attrs.field(default=(), eq=False)


@attrs.frozen
class Comment(Node):
    """`# text`, without the mark; `alone` when nothing stands before it on its line."""

    text: str
    alone: bool
