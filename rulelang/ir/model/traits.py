"""Traits of statements: for each class, in one place, what it evaluates, binds, contains, calls and changes.

    move 2 of deck to p.hand      Traits("moves", evaluates=(the source, 2, p))
    for c in p.hand: reveal c     Traits("goes over", evaluates=(p.hand,), binds=(c,), bodies=((reveal c,),))

Walks, effects, costs and invariants ask here, so a new class of statements needs one case. Both a class without a case
and an effect that somebody forgot are faults to mypy.
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


def traits(of: ir.Statement) -> Traits:
    """Returns the traits of a statement.

    >>> traits(ir.Reveal(0, ir.Local(3)))
    Traits(effect='shows', evaluates=(Local(id=3),), each_round=(), bodies=(), binds=())
    """
    match of:
        case ir.Bind():
            return Traits("binds", (of.value, of.least, of.most), binds=(of.variable,))
        case ir.Assign():
            return Traits("writes", (*of.place.index, of.value, of.least, of.most))
        case ir.Move():
            return Traits("moves", (of.what, of.count, *of.to.index))
        case ir.Shuffle():
            return Traits("moves", of.index)
        case ir.Reveal():
            return Traits("shows", (of.things,))
        case ir.Show():
            return Traits("shows", (of.things, of.seats))
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
            return Traits("calls", of.arguments)
        case ir.Ask():
            return Traits("asks")
        case ir.Stop() | ir.Return():
            return Traits("leaves")
        case ir.Finish():
            return Traits("ends", (of.value,))
        case ir.Fail():
            return Traits("fails")
        case ir.BeginBody():
            return Traits("tells", of.arguments)
        case ir.EndBody() | ir.Witness():
            return Traits("tells")
        case ir.Stand():
            return Traits("records")
        case ir.Settle() | ir.Proceed():
            return Traits("expands")
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
        case "moves":
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
        case "moves" | "shows" | "eliminates" | "asks" | "ends":
            return True
        case "binds" | "decides" | "goes over" | "repeats" | "calls" | "leaves" | "fails":
            return False
        case "tells" | "records" | "expands":
            return False
        case _:
            assert_never(effect)
