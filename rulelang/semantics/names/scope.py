"""The meaning of each name.

Declarations are gathered into a `World` first, so that order in the file never matters; bodies are lowered afterwards
and look names up here. A name is looked up, in this order, among: locals, members of the expected enum, declarations,
seats if a player is expected, members of any enum, spaces and things, built-ins, seats (`literals`).

    names p, q: Player            world.parameter_types["p"]
    enum Lane: left, right        world.members["left"] -> ((Lane, 0),)
    each Player has: fuel: 0..99  world.owned["Player", "fuel"]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TypeAlias

import attrs

from rulelang.diagnostics.foreign_names import NAMES, UNLESS_NEAR
from rulelang.diagnostics.model import Label, Sink
from rulelang.ir import model as ir
from rulelang.ir.flow.course import FlowWalk
from rulelang.ir.model.operators import CALLED
from rulelang.ir.model.vocabulary import LoneOptions
from rulelang.ir.types import EnumType, IntType, KindType, Type
from rulelang.semantics.names.type_relations import Typed, name_of
from rulelang.source import NOWHERE, Span
from rulelang.syntax import nodes


@attrs.define
class ConstantName:
    value: int
    type: Type
    span: Span


@attrs.define
class TypeName:
    """An enum, kind or board; as a value, the set of all its members."""

    type: EnumType | KindType
    span: Span


@attrs.define
class StateName:
    id: int
    owner: str | None
    dimensions: tuple[Type, ...]
    type: Type
    node: nodes.VariableNode | nodes.OptionDeclaration | None
    span: Span
    builtin: bool = False


@attrs.define
class ZoneName:
    id: int
    form: ir.ZoneForm
    kind: KindType
    owner: str | None
    dimensions: tuple[Type, ...]
    node: nodes.VariableNode | None
    span: Span


@attrs.define
class ColumnName:
    """A printed attribute of a kind or board."""

    kind: str
    table: int
    type: Type
    span: Span
    key: tuple[Type, ...] = ()


@attrs.define
class ValueName:
    """A value; its `id` is fixed, its body is lowered when it is first needed."""

    id: int
    name: str
    parameters: tuple[ir.Variable, ...]
    declarations: list[nodes.ValueDeclaration]
    declared: Type | None
    deep: int | None
    span: Span
    type: Type | None = None
    lowered: ir.Value | None = None
    busy: bool = False
    row: bool = False
    """Whether it returns a data row, so that each use is expanded."""


@attrs.define
class DataName:
    id: int
    node: nodes.DataDeclaration
    parameters: tuple[ir.Variable, ...]
    keys: int
    columns: dict[str, tuple[int, Type]]
    span: Span


@attrs.define
class VerbName:
    """A verb or phase; several declarations are its cases over enum members or named things."""

    procedure: int
    name: str
    parameters: tuple[ir.Variable, ...]
    declarations: list[nodes.VerbDeclaration]
    span: Span
    builtin: bool = False
    deep: int | None = None
    """The depth to which it may call itself; None if it may not."""
    answer: VerbAnswer | None = None


@attrs.frozen
class VerbAnswer:
    """The answer of a verb: the variable in which `return e` leaves it for the caller, and its type."""

    state: int
    type: Type


@attrs.define
class ActionName:
    """An action; `procedure` runs its body. Its parameters are lowered once all names are known."""

    node: nodes.ActionDeclaration
    span: Span
    procedure: int
    rule: int = 0
    parameters: tuple[ir.Variable, ...] = ()


@attrs.define
class DieName:
    id: int
    faces: tuple[int, ...]
    span: Span


@attrs.define
class ClockName:
    """A clock; `costs` are the times of answers, in units, and `per_second` units make a second."""

    id: int
    state: int
    reading: int
    """The id of the variable with the time that a person has used, or NONE."""
    per_second: int
    costs: dict[str, nodes.Expression]
    chosen: set[str] = attrs.field(factory=set)
    """The actions and options of choices that run against it."""


Meaning: TypeAlias = (
    ConstantName | TypeName | StateName | ZoneName | ValueName | DataName | VerbName | ActionName | DieName
)

BUILTIN_FUNCTIONS = (
    "count", "sum", "min", "max", "any", "all", "first", "best", "random", "roll", "least", "most", "next", "previous",
    "top", "place", "holder", "is_face_up", "during", "neighbours", "step", "distance", "direction", "opposite",
    "connected", "region", "number", *CALLED,
)  # fmt: skip
BUILTIN_CHANGES = ("eliminate", "reveal", "show", "shuffle", "extra_turn", "skip_turn")
BUILTIN_VALUES = ("none", "yes", "no", "players", "mover", "you", "turn", "round", "box", "first_player", "viewer")
MOST_CALLS = 50
"""The deepest nesting of calls of verbs, values and data."""

YIELDING = frozenset(("region", "number"))
"""Built-in functions that came after games were written: a declaration may have such a name, and means what it says."""
BUILTINS = frozenset((*BUILTIN_FUNCTIONS, *BUILTIN_CHANGES, *BUILTIN_VALUES, "Player", "Die", "flag")) - YIELDING


Passage: TypeAlias = tuple[str, str | int]
"""A declaration whose body is lowered: its sort, and its name or, if it has none, its number."""
Marks: TypeAlias = tuple[int, ...]
"""How far a world has counted, see `World.marks`."""
_GROWING = ("sites", "rules", "choices", "picks", "looked_at", "foreseen", "places")
_COUNTED = ("next_procedure", "next_variable", "next_loop")
_LASTING = ("values", "streams", "states", "zones", "tables")


@attrs.define
class World:
    """All declarations of a game; it assigns their ids."""

    sink: Sink
    lower_expression: Callable[[World, Env, nodes.Expression, Type | None], Typed]
    lower_body: Callable[[World, Env, Iterable[nodes.Statement]], tuple[ir.Statement, ...]]
    """The functions that lower any expression and any body; packages that cannot import each other call them here."""
    declared: Sink = attrs.field(default=attrs.Factory(lambda self: self.sink, takes_self=True), kw_only=True)
    """Where the faults of declarations go; `sink` may be one that is thrown away."""
    is_whole: bool = True
    """Whether all lines of the game could be read."""
    players: tuple[int, int] = (2, 2)
    seats: tuple[str, ...] = ()
    steps: int = ir.STEPS
    """The budget of steps from one choice to the next."""
    lone: LoneOptions = "taken"
    """The treatment of a choice with a single option: it is taken without asking, or the seat is asked."""
    named_seats: set[str] = attrs.field(factory=set)
    """The seats that the rules name."""
    globals: dict[str, Meaning] = attrs.field(factory=dict)
    beside: dict[str, list[ActionName]] = attrs.field(factory=dict)
    """By action: those declared `beside` it, which are offered wherever it is."""
    owned: dict[tuple[str, str], StateName | ZoneName | ColumnName] = attrs.field(factory=dict)
    members: dict[str, tuple[tuple[Type, int], ...]] = attrs.field(factory=dict)
    things: dict[str, tuple[tuple[KindType, int], ...]] = attrs.field(factory=dict)
    """By name: the things and spaces with that name, only the first of each kind and board."""
    shapes: dict[str, ir.BoardForm] = attrs.field(factory=dict)
    """By board: its shape."""
    parameter_types: dict[str, Type] = attrs.field(factory=dict)
    boxes: dict[str, int] = attrs.field(factory=dict)
    """By kind: the id of its box."""
    box: nodes.VariableNode | None = None
    """The line that says whether what comes hidden into the box lies open there, if there is one."""
    relied: Span | None = None
    """Where the rules rely on a box that lies open, though no line says that it does."""
    kind_ids: dict[str, int] = attrs.field(factory=dict)
    kinds: list[ir.Kind] = attrs.field(factory=list)
    boards: dict[str, tuple[ir.BoardShape, ...]] = attrs.field(factory=dict)
    maps: dict[str, EnumType] = attrs.field(factory=dict)
    """By board with several maps: the enum of its maps."""
    map_options: dict[str, int] = attrs.field(factory=dict)
    """By board: the variable of the option that selects its map."""
    board_tables: dict[tuple[str, str], tuple[int, Type]] = attrs.field(factory=dict)
    tables: list[ir.Table] = attrs.field(factory=list)
    dice: list[ir.Die] = attrs.field(factory=list)
    states: list[ir.StateVariable] = attrs.field(factory=list)
    zones: list[ir.Zone] = attrs.field(factory=list)
    rules: list[ir.Rule] = attrs.field(factory=list)
    sites: list[ir.Site] = attrs.field(factory=lambda: [ir.Site(0, "nowhere", ())])
    streams: list[str] = attrs.field(factory=list)
    targets: list[str] = attrs.field(factory=list)
    """By stream: its purpose, without owner, keys and verb."""
    drawn: dict[tuple[str, str], dict[tuple[str, str], int]] = attrs.field(factory=dict)
    """By the draw and its purpose, then by the declaration that draws and the kind of things: the first stream."""
    picks: list[tuple[str, str]] = attrs.field(factory=list)
    """The names that the stream of each `random` had in earlier logs."""
    procedures: dict[int, ir.Procedure] = attrs.field(factory=dict)
    choices: list[ir.Choice] = attrs.field(factory=list)
    course: FlowWalk | None = attrs.field(default=None, repr=False)
    """The information flow of the game, once it has been computed."""
    notes: dict[type, object] = attrs.field(factory=dict, repr=False)
    """Data that checks reuse in the next run, by type; it saves work and never changes a result."""
    openly: set[int] = attrs.field(factory=set)
    """The choices asked `openly`: everyone may learn from who is asked."""
    values: list[ValueName] = attrs.field(factory=list)
    written_names: dict[str, nodes.TypeNode] = attrs.field(factory=dict)
    """What `names` says of each name, as it is written."""
    mentioned: set[str] = attrs.field(factory=set)
    """Every name that is written anywhere."""
    later: set[str] = attrs.field(factory=set)
    """Variables and values of the game, while the declarations before them are entered."""
    clocks: dict[str, ClockName] = attrs.field(factory=dict)
    history: ir.History | None = None
    assembled: bool = False
    """Whether the game is put together, so that no value can be added: what is lowered now belongs to a scenario."""
    ways: dict[tuple[str, str, int], ValueName] = attrs.field(factory=dict)
    """The values that say whether ("any"), and in how many ways ("count"), an action could be taken, by how many of its
    arguments are given."""
    asked_ways: set[tuple[str, str, int]] = attrs.field(factory=set)
    """Those of them that are being worked out."""
    looked_at: list[tuple[int, int, Span]] = attrs.field(factory=list)
    """What is looked at after verbs: the procedure, and the value."""
    foreseen: list[tuple[int, str, Span]] = attrs.field(factory=list)
    """The procedures named by `occurrences after`: id, name and place."""
    enums: dict[str, ir.Enumeration] = attrs.field(factory=dict)
    nouns: dict[str, tuple[str, str]] = attrs.field(factory=dict)
    """By noun: the words for one and for several."""
    seat_words: list[tuple[str, ir.Look]] = attrs.field(factory=list)
    """By seat: its name for people, and its look."""
    thing_texts: dict[str, list[nodes.TextNode | None]] = attrs.field(factory=dict)
    """By kind: the text in each thing's row, if any."""
    places: list[tuple[ir.Expr, Span]] = attrs.field(factory=list)
    """The expressions lowered so far, each with its place."""
    turn_states: dict[str, int] = attrs.field(factory=dict)
    """By name, the ids of the built-in variables mover, turn,
    round, players, all players, extra_turn, skip_turn and depth.
    """
    fresh: dict[int, int] = attrs.field(factory=dict)
    """By variable that lasts until the owner's next turn ends: the one that says whether it has changed in the present turn."""
    eliminate: VerbName | None = None
    others_first: int | None = None
    """The procedure that offers the others their interrupts `at any choice`, if there are any."""
    next_procedure: int = 0
    next_variable: int = 0
    next_loop: int = 0
    during: dict[str, int] = attrs.field(factory=dict)
    """By phase: the id of the flag that is 1 while it runs."""
    meant: dict[tuple[str, int], str] = attrs.field(factory=dict)
    """By source and offset of a name whose type is known: the enum, kind, board or data that it belongs to."""
    local_types: dict[tuple[str, int], Type] = attrs.field(factory=dict)
    """By source and offset of the name of a `let`, a parameter or another local: its type."""
    rolling: dict[tuple[int, str], bool] = attrs.field(factory=dict)
    """Data columns (data, column) with a cell that rolls."""

    variables: dict[int, ir.Variable] = attrs.field(factory=dict)
    """All locals, by id."""
    passages: dict[Passage, tuple[Marks, Marks]] = attrs.field(factory=dict, repr=False)
    """By declaration: the marks before and after its body was lowered."""

    @contextmanager
    def passing(self, key: Passage) -> Iterator[None]:
        """Notes which numbers the lowering of a body inside the `with` block takes."""
        start = self.marks()
        yield
        self.passages[key] = start, self.marks()

    def marks(self) -> Marks:
        """Returns how many sites, rules, choices and other parts of bodies there are, and the next ids."""
        grown = (len(getattr(self, name)) for name in _GROWING)
        return (*grown, *(getattr(self, name) for name in _COUNTED))

    def lasting(self) -> Marks:
        """Returns how many things there are that bodies share: values, streams, variables, zones, tables."""
        return tuple(len(getattr(self, name)) for name in _LASTING)

    def cut(self, start: Marks) -> World:
        """Goes back to earlier marks, without what was added to the lists of parts since; returns the world as it was."""
        before = attrs.evolve(self)
        for name, mark in zip((*_GROWING, *_COUNTED), start, strict=True):
            known = getattr(self, name)
            setattr(self, name, known[:mark] if isinstance(known, list) else mark)
        return before

    def resume(self, before: World, *, with_new: bool) -> None:
        """Undoes a cut; `with_new`, the parts that were added since take the place of as many old ones."""
        for name in _GROWING:
            old, new = getattr(before, name), getattr(self, name)
            setattr(self, name, new + old[len(new) :] if with_new else old)
        for name in _COUNTED:
            setattr(self, name, getattr(before, name))

    def variable(self, name: str, type: Type) -> ir.Variable:
        """Returns a new local."""
        self.next_variable += 1
        made = self.variables[self.next_variable] = ir.Variable(self.next_variable, name, type)
        return made

    def loop(self) -> int:
        self.next_loop += 1
        return self.next_loop

    def new_procedure(self) -> int:
        self.next_procedure += 1
        return self.next_procedure - 1

    def add_procedure(self, procedure: ir.Procedure) -> None:
        self.procedures[procedure.id] = procedure

    def site(self, what: ir.SiteForm, span: Span, cites: tuple[nodes.CiteNode, ...] = ()) -> int:
        """Adds a site and returns its id."""
        self.sites.append(ir.Site(len(self.sites), what, tuple(c.id for c in cites), span))
        return len(self.sites) - 1

    def table(
        self, name: str, dimensions: tuple[Type, ...], type: Type, values: tuple[int, ...], called: str = ""
    ) -> int:
        self.tables.append(ir.Table(len(self.tables), name, dimensions, type, values, called))
        return len(self.tables) - 1

    def stream(self, name: str, target: str = "") -> int:
        """Returns the id of a random stream, new or known; `target` is its name without whose the draw is."""
        if name not in self.streams:
            self.streams.append(name)
            self.targets.append(target or name)
        return self.streams.index(name)

    def rule(
        self,
        name: str,
        what: ir.RuleForm,
        parameters: tuple[ir.Variable, ...],
        label: ir.Template | None,
        cites: tuple[nodes.CiteNode, ...],
        span: Span,
        around: tuple[ir.Variable, ...] = (),
        *,
        told: ir.Template | None = None,
        otherwise: ir.Template | None = None,
        shows: tuple[ir.ShownField, ...] = (),
        untold: bool = False,
        called: ir.Template | None = None,
    ) -> int:
        clauses = tuple(c.id for c in cites)
        self.rules.append(
            ir.Rule(
                len(self.rules),
                name,
                what,
                parameters,
                label,
                clauses,
                span,
                around,
                told,
                otherwise,
                shows,
                untold,
                called,
            )
        )
        return len(self.rules) - 1

    def mean(self, span: Span, owner: str) -> None:
        """Notes the owner of the name at a place, by which a workspace finds its declaration."""
        self.meant[span.source.name, span.start] = owner

    def note_local(self, span: Span, type: Type) -> None:
        """Notes the type of the local whose name is declared at a place, which editors show."""
        self.local_types[span.source.name, span.start] = type

    def name_thing(self, name: str, type: KindType, thing: int) -> None:
        """Enters the name of a thing or space; of several with that name in a kind, the first stands for all."""
        known = self.things.get(name, ())
        if all(kind.name != type.name for kind, _ in known):
            self.things[name] = (*known, (type, thing))

    def namesakes(self, type: Type, thing: int) -> int:
        """Returns the mask of the things that share a thing's name: more than that thing if its row has copies."""
        if not isinstance(type, KindType) or type.name == "Player" or type.name in self.shapes:
            return 1 << thing
        names = self.kinds[self.kind_ids[type.name]].names
        return sum(1 << i for i, name in enumerate(names) if name == names[thing])

    def declare(self, ident: nodes.IdentNode, meaning: Meaning) -> None:
        """Enters a declared name; reports one that is taken or built in."""
        name = ident.text
        if name in BUILTINS:
            self.sink.report("E0203", f"`{name}` is built in and cannot be declared", ident.span, "choose another name")
        elif name in self.globals:
            self.sink.report(
                "E0202",
                f"`{name}` is declared twice",
                ident.span,
                "declared again here",
                labels=(Label(self.globals[name].span, "first declared here"),),
            )
        else:
            self.globals[name] = meaning
            if isinstance(meaning, ActionName):
                for other in meaning.node.beside:
                    self.beside.setdefault(other.text, []).append(meaning)

    def state(
        self,
        name: str,
        owner: str | None,
        dimensions: tuple[Type, ...],
        type: Type,
        **more: object,
    ) -> int:
        """Adds a state variable and returns its id."""
        state = ir.StateVariable(len(self.states), name, owner, dimensions, type, None, (), **more)  # type: ignore[arg-type]
        self.states.append(state)
        return state.id

    @property
    def player(self) -> KindType:
        return KindType("Player", self.players[1])

    @property
    def spaces(self) -> dict[str, tuple[str, ...]]:
        """The boards that have a space of each name."""
        found = {
            name: tuple(kind.name for kind, _ in things if kind.name in self.boards)
            for name, things in self.things.items()
        }
        return {name: boards for name, boards in found.items() if boards}

    def quiet(self) -> AbstractContextManager[Sink]:
        """Reports faults inside the `with` block to a sink of its own, except the faults of values that are lowered there."""
        return self.reporting(Sink())

    @contextmanager
    def reporting(self, sink: Sink) -> Iterator[Sink]:
        """Reports faults to a sink inside the `with` block."""
        before, self.sink = self.sink, sink
        try:
            yield sink
        finally:
            self.sink = before

    def unknown(
        self, name: str, span: Span, what: str, candidates: Iterable[str], otherwise: str | None = None
    ) -> None:
        """Reports an unknown name, with the nearest known one, or else with other advice."""
        if name in self.later:
            self.sink.report(
                "E0311", f"`{name}` is not known before the game starts", span, "only constants may stand here"
            )
            return
        near = self.sink.near(name, candidates)
        hint = NAMES.get(name) or (f"did you mean `{near}`?" if near else UNLESS_NEAR.get(name, otherwise))
        owner = next((owner for owner, owned in self.owned if owned == name), None)
        if owner is not None:
            near, whose = None, (own for own, type in self.parameter_types.items() if name_of(type) == owner)
            hint = f"each {owner} has its own `{name}`: write `{next(whose, 'x')}.{name}`"
        if name in self.parameter_types and name not in NAMES:
            near, type = None, name_of(self.parameter_types[name])
            hint = f"`{name}` is a {type} where a parameter, a `for`, a `let` or a question brings it in: nothing here does"
        near = None if name in NAMES else near
        labels: tuple[Label, ...] = ()
        meaning = self.globals.get(near) if near else None
        if meaning is not None and meaning.span is not NOWHERE:
            labels = (Label(meaning.span, "a close name is declared here"),)
        self.sink.report(
            "E0201", f"{what} named `{name}`", span, "not declared in this game", labels=labels, help=hint, fix=near
        )


@attrs.frozen
class Sealed:
    """The chooser of the current choice, and the candidates of those of its own variables that the choice writes."""

    chooser: ir.Expr
    candidates: tuple[tuple[int, ir.Expr], ...]


@attrs.frozen
class DrawTarget:
    """The use of a throw or a pick: the variable or zone that it goes to, a `let`, a verb that it is passed to, a column of
    data, an option that takes time."""

    name: str
    cells: tuple[str, ...] = ()
    """The names of a variable's or zone's cells, if they are few enough for a stream each."""
    is_newly_named: bool = False
    """Whether logs of format 3 know it by its declaration alone."""


@attrs.frozen
class Env:
    """The context of an expression or statement: the locals in scope and what is allowed there.

    `dice` tells whether `roll` and `random` are allowed. `loops` are the enclosing loops, innermost last, each with
    the number of bodies of choices that were open when it began. `rule` is the rule that the code belongs to.
    """

    locals: dict[str, ir.Variable] = attrs.field(factory=dict)
    aliases: dict[str, ir.Expr] = attrs.field(factory=dict)
    """Names that stand for expressions, such as the parameters of expanded values."""
    alias_types: dict[str, Type] = attrs.field(factory=dict)
    seats: dict[str, ir.Expr] = attrs.field(factory=dict)
    """In a scenario: the seats that play, by their names there."""
    printed: bool = False
    """Whether the value must be known before the game; a seat's name then means the seat even if it may be empty."""
    dice: bool = False
    loops: tuple[tuple[int, int], ...] = ()
    bodies: tuple[int, ...] = ()
    """The rules of the open bodies of choices in this procedure, outermost first."""
    rule: int = 0
    name: str = ""
    draws: DrawTarget | None = None
    """What a `roll` or `random` here is for; None where it is for nothing that has a name."""
    simultaneous: bool = False
    instead: bool = False
    answer: VerbAnswer | None = None
    guards: tuple[ir.Expr, ...] = ()
    """The conditions that are tested on the way here."""
    facts: tuple[ir.Expr, ...] = ()
    """The conditions that hold here."""
    sealed: Sealed | None = None
    cell: bool = False
    viewer: ir.Variable | None = None
    clock: tuple[ClockName, int, int] | None = None
    """The clock that choices here run against, with the loop of its block and the number of bodies open there."""
    assigns: bool = False
    """Whether a value is assigned to this expression."""
    forms: bool = False
    """Whether things may be named by their written forms, as in a scenario."""

    def bind(self, *variables: ir.Variable) -> Env:
        """Returns the environment with more locals in scope."""
        aliases = {n: e for n, e in self.aliases.items() if all(v.name != n for v in variables)}
        return attrs.evolve(self, locals={**self.locals, **{v.name: v for v in variables}}, aliases=aliases)

    def naming(self, name: str, value: Typed) -> Env:
        """Returns the environment with a name for an expression."""
        locals = {n: v for n, v in self.locals.items() if n != name}
        aliases, types = {**self.aliases, name: value.ir}, {**self.alias_types, name: value.type}
        return attrs.evolve(self, locals=locals, aliases=aliases, alias_types=types)

    def knowing(self, *facts: ir.Expr) -> Env:
        """Returns the environment with more conditions that hold."""
        return attrs.evolve(self, facts=(*self.facts, *facts))


def number(low: int, high: int) -> IntType:
    return IntType(low, high)
