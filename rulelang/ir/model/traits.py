"""Traits of statements and expressions: for each class, in one place, what it evaluates, binds, contains and changes.

    move 2 of deck to p.hand      Traits("moves", evaluates=(the source, 2, p))
    for c in p.hand: reveal c     Traits("goes over", evaluates=(p.hand,), binds=(c,), bodies=((reveal c,),))
    count(c in p.hand if c > 2)   ValueTraits("goes over", evaluates=(p.hand,), each_round=(c > 2,), binds=(c,))

Walks, effects, costs, destinations and witnesses ask here, so a new class needs one case for all of them. Both a class
without a case and an effect that somebody forgot are faults to mypy.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias, assert_never

import attrs

from rulelang.ir import model as ir

Body: TypeAlias = tuple[ir.Statement, ...]

Effect: TypeAlias = Literal[
    "binds",  # sets a local
    "writes",  # sets a variable
    "moves",  # changes where things lie
    "shuffles",  # changes the order of things, at random
    "shows",  # changes who may know what
    "eliminates",
    "decides",  # runs one of its bodies
    "goes over",  # runs its body for each member of a set
    "repeats",  # runs its body as long as a condition holds
    "calls",
    "asks",
    "leaves",  # goes on behind a loop, or behind the procedure
    "ends",  # ends the game
    "fails",
    "tells",  # tells the trace, and does nothing else
    "records",  # adds the position to the history
    "expands",  # stands for calls until it is unfolded
]


Part: TypeAlias = Literal["states", "tables", "zones", "procedures", "values", "data", "choices", "rules"]
"""The parts of a game to which nodes refer, as a game calls them."""


@attrs.frozen
class PartReference:
    """A part of a game that a node names by its id, with the indices or arguments that it gives to it."""

    part: Part
    id: int
    given: tuple[ir.Expr, ...] | None = None


@attrs.frozen
class Traits:
    """The traits of one statement."""

    effect: Effect
    evaluates: tuple[ir.Expr | ir.Source | None, ...] = ()
    """The expressions that it evaluates once, when it begins; None for those that are left out."""
    each_round: tuple[ir.Expr | ir.Order | None, ...] = ()
    """The expressions that it evaluates for each round of its body."""
    bodies: tuple[Body, ...] = ()
    """The bodies in it; those of a choice belong to the choice (`bodies`)."""
    binds: tuple[ir.Variable, ...] = ()
    """The locals that it sets."""
    kind: int | None = None
    """The kind of the things that it goes through by itself, one by one."""
    refers: PartReference | None = None
    """The part of the game that it names."""


def traits(of: ir.Statement) -> Traits:
    """Returns the traits of a statement.

    >>> traits(ir.Reveal(0, ir.Local(3)))
    Traits(effect='shows', evaluates=(Local(id=3),), each_round=(), bodies=(), binds=(), kind=0, refers=None)
    """
    match of:
        case ir.Bind():
            return Traits("binds", (of.value, of.least, of.most), binds=(of.variable,))
        case ir.Assign():
            place = PartReference("states", of.place.state, of.place.index)
            return Traits("writes", (*of.place.index, of.value, of.least, of.most), refers=place)
        case ir.Move():
            there = PartReference("zones", of.to.zone, of.to.index)
            return Traits("moves", (of.what, of.count, *of.to.index), refers=there)
        case ir.Shuffle():
            return Traits("shuffles", of.index, refers=PartReference("zones", of.zone, of.index))
        case ir.Reveal():
            return Traits("shows", (of.things,), kind=of.kind)
        case ir.Show():
            return Traits("shows", (of.things, of.seats), kind=of.kind)
        case ir.Eliminate():
            return Traits("eliminates", (of.who,))
        case ir.When():
            bodies = (*(body for _, body, _ in of.branches), of.otherwise)
            return Traits("decides", tuple(condition for condition, _, _ in of.branches), bodies=bodies)
        case ir.Loop():
            return Traits("goes over", (of.source,), (*of.keys, of.condition), (of.body,), (of.variable,))
        case ir.Simultaneous():
            return Traits("goes over", (of.source,), (of.condition,), (of.body,), (of.variable,))
        case ir.Repeat():
            return Traits("repeats", (of.times,), (of.condition,), (of.body,))
        case ir.Call() | ir.Defer():
            return Traits("calls", of.arguments, refers=PartReference("procedures", of.procedure, of.arguments))
        case ir.Ask():
            return Traits("asks", refers=PartReference("choices", of.choice))
        case ir.Stop() | ir.Return():
            return Traits("leaves")
        case ir.Finish():
            return Traits("ends", (of.value,), refers=PartReference("rules", of.rule))
        case ir.Fail():
            return Traits("fails")
        case ir.BeginBody():
            return Traits("tells", of.arguments, refers=PartReference("rules", of.rule))
        case ir.EndBody():
            return Traits("tells", refers=PartReference("rules", of.rule))
        case ir.Witness():
            return Traits("tells")
        case ir.Stand():
            return Traits("records")
        case ir.Settle() | ir.Proceed():
            return Traits("expands")
        case _:
            assert_never(of)


Form: TypeAlias = Literal[
    "is known",  # is there already
    "computes",  # is an operator
    "decides",  # evaluates one of two parts
    "reads",  # reads a variable, a table or where a thing lies
    "lists",  # reads what lies in a zone
    "calls",  # evaluates a value or a cell
    "foresees",  # looks at the position after a procedure
    "searches",  # looks for a way on a board
    "goes over",  # evaluates its parts for each member of sets
    "draws",
    "looks back",  # compares the position with those before
    "stands for words",  # is not evaluated
]


@attrs.frozen
class ValueTraits:
    """The traits of one expression."""

    form: Form
    evaluates: tuple[ir.Expr | ir.Source | None, ...] = ()
    """The parts that it evaluates at most once; None for those that are left out."""
    each_round: tuple[ir.Expr | ir.Source | ir.Order | None, ...] = ()
    """The parts that it evaluates for each member of a set."""
    binds: tuple[ir.Variable, ...] = ()
    """The names that it introduces."""
    refers: PartReference | None = None
    """The part of the game that it names."""


def value_traits(of: ir.Expr) -> ValueTraits:
    """Returns the traits of an expression.

    >>> value_traits(ir.FaceUp(0, ir.Local(3)))
    ValueTraits(form='reads', evaluates=(Local(id=3),), each_round=(), binds=(), refers=None)
    """
    match of:
        case ir.Const() | ir.Local():
            return ValueTraits("is known")
        case ir.Op() | ir.And() | ir.Or():
            return ValueTraits("computes", of.arguments)
        case ir.Either():
            return ValueTraits("decides", (of.condition, of.then, of.otherwise))
        case ir.Read():
            return ValueTraits("reads", of.index, refers=PartReference("states", of.state, of.index))
        case ir.InSlot() | ir.TopOf():
            return ValueTraits("reads", of.index, refers=PartReference("zones", of.zone, of.index))
        case ir.Column():
            return ValueTraits("reads", of.of, refers=PartReference("tables", of.table, of.of))
        case ir.HasRow():
            return ValueTraits("reads", of.arguments, refers=PartReference("data", of.data, of.arguments))
        case ir.PlaceOf() | ir.OwnerOf() | ir.FaceUp():
            return ValueTraits("reads", (of.thing,))
        case ir.Contents():
            return ValueTraits("lists", of.index, refers=PartReference("zones", of.zone, of.index))
        case ir.CallValue():
            return ValueTraits("calls", of.arguments, refers=PartReference("values", of.value, of.arguments))
        case ir.Cell():
            return ValueTraits("calls", of.arguments, refers=PartReference("data", of.data, of.arguments))
        case ir.Foreseen():
            verb = PartReference("procedures", of.procedure, of.arguments)
            return ValueTraits("foresees", (*of.arguments, of.of), refers=verb)
        case ir.Way():
            return ValueTraits("searches", (*of.around, of.start, of.end, of.within))
        case ir.DirectedWay():
            return ValueTraits("searches", (*of.around, of.start, of.end, of.within, of.directions))
        case ir.Over():
            later = (*of.sources[1:], of.condition, of.value, *of.keys)
            return ValueTraits("goes over", of.sources[:1], later, of.names)
        case ir.Roll():
            return ValueTraits("draws", (of.die, of.times))
        case ir.Pick():
            return ValueTraits("draws", (of.of,))
        case ir.Occurrences():
            return ValueTraits("looks back")
        case ir.Counted() | ir.Bound():
            return ValueTraits("stands for words", (of.of,))
        case ir.Openly():
            return ValueTraits("stands for words", (of.condition,))
        case _:
            assert_never(of)


def bodies(game: ir.GameRules, of: ir.Statement) -> tuple[Body, ...]:
    """Returns the bodies in a statement, and those of the choice that it asks."""
    if isinstance(of, ir.Ask):
        choice = game.choices[of.choice]
        return (*(branch.body for branch in choice.branches), choice.when_none)
    return traits(of).bodies


def inside(game: ir.GameRules, body: Iterable[ir.Statement]) -> Iterator[ir.Statement]:
    """Yields statements and those within them, the bodies of choices included."""
    for statement in body:
        yield statement
        for inner in bodies(game, statement):
            yield from inside(game, inner)


MOVED = -1
"""Stands for the place of every thing among the variables that a statement writes."""
SHOWN = -2
"""Stands for who knows every thing."""


def writes(game: ir.GameRules, of: ir.Statement) -> frozenset[int]:
    """Returns the variables that a statement writes by itself, without its bodies and calls: their ids, MOVED, SHOWN."""
    effect = traits(of).effect
    match effect:
        case "writes":
            assert isinstance(of, ir.Assign)
            return frozenset((of.place.state,))
        case "moves" | "shuffles":
            return frozenset((MOVED,))
        case "shows":
            return frozenset((SHOWN,))
        case "eliminates":
            return frozenset((game.players_left,))
        case "binds" | "decides" | "goes over" | "repeats" | "calls" | "asks" | "leaves" | "ends" | "fails":
            return frozenset()
        case "tells" | "records" | "expands":
            return frozenset()
        case _:
            assert_never(effect)


def is_act(game: ir.GameRules, of: ir.Statement) -> bool:
    """Returns whether everyone sees that a statement is carried out."""
    effect = traits(of).effect
    match effect:
        case "writes":
            assert isinstance(of, ir.Assign)
            about = game.states[of.place.state]
            return about.visible == "all" and not about.scratch and of.place.state != game.depth
        case "moves" | "shuffles" | "shows" | "eliminates" | "asks" | "ends":
            return True
        case "binds" | "decides" | "goes over" | "repeats" | "calls" | "leaves" | "fails":
            return False
        case "tells" | "records" | "expands":
            return False
        case _:
            assert_never(effect)
