"""IR -> IR with a `Witness` before each call or draw that not
everybody may know of, because secrets decide whether it happens.

    if q.secret > 3:                 Witness(c, of=q.secret > 3)        c: who may know the branch taken
        say(q)                         Witness(CALLED, of=c), the call, and Witness(CALLED) for everybody again
        return
    say(p)                           below it as well: this call is not made where the verb has returned
    if q.secret > 3: shuffle(deck)   Witness(DRAWS, of=c), the shuffle, and Witness(DRAWS) for everybody again
    …                                after either branch Witness(MIXED, of=deck, c): the others no longer know what lies where

The source, order and end of a loop, and the ways out of a
body, decide like a condition. An `openly` condition does not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import attrs

from rulelang.ir import model as ir
from rulelang.ir.flow.course import FlowWalk
from rulelang.ir.flow.destinations import is_drawn
from rulelang.ir.flow.members import is_counted
from rulelang.ir.model.traits import traits
from rulelang.ir.walk import calls_in, reachable, read_in, walk

Body: TypeAlias = tuple[ir.Statement, ...]
Conditions: TypeAlias = tuple[ir.Expr, ...]
Branches: TypeAlias = tuple[ir.Local, ...]


def deciding(statement: ir.Statement) -> Conditions:
    """Returns the expressions that decide which parts of a statement run, and how often."""
    match statement:
        case ir.When(branches=branches):
            conditions = tuple(_openly_left_out(condition) for condition, _, _ in branches)
            return tuple(c for c in conditions if c is not None)
        case ir.Loop(variable=variable, source=source, keys=keys, condition=condition):
            if isinstance(condition, ir.Openly):
                return ()
            gone_over = () if is_counted(source) and not keys else (_gone_over(variable, source, keys),)
            return (*gone_over, *(() if condition is None else (condition,)))
        case ir.Simultaneous(variable=variable, source=source, condition=condition):
            gone_over = () if is_counted(source) else (_gone_over(variable, source, ()),)
            return (*gone_over, *(() if condition is None else (condition,)))
        case ir.Repeat(condition=condition, times=times):
            return tuple(c for c in (_openly_left_out(condition), times) if c is not None)
        case _:  # any other statement decides nothing
            return ()


def _openly_left_out(condition: ir.Expr | None) -> ir.Expr | None:
    return None if isinstance(condition, ir.Openly) else condition


def _gone_over(variable: ir.Variable, source: ir.Source, keys: tuple[ir.Order, ...]) -> ir.Expr:
    return ir.Over("first", (variable,), (source,), None, None, keys)


@attrs.define
class UnseenCalls:
    """Places the witnesses in bodies; `make` returns the witness
    for a local, from the expressions it depends on and a site.
    `receiving` returns the hidden variables that receive a statement's draws.
    """

    game: ir.GameRules
    course: FlowWalk
    receiving: Callable[[ir.Statement], Conditions]
    make: Callable[[int, Conditions, int], ir.Witness]
    ways: dict[int, tuple[ir.Statement, ir.Local]] = attrs.field(factory=dict)
    """By the id of a statement, which is kept alive here: the local that stands for the branch taken."""

    def done(self) -> ir.GameRules:
        """Returns the game with its witnesses."""
        procedures = tuple(attrs.evolve(p, body=self._top(p.body)) for p in self.game.procedures)
        choices = tuple(
            attrs.evolve(
                choice,
                branches=tuple(attrs.evolve(b, body=self._top(b.body)) for b in choice.branches),
                when_none=self._top(choice.when_none),
            )
            for choice in self.game.choices
        )
        return attrs.evolve(self.game, procedures=procedures, choices=choices)

    def _top(self, body: Body) -> Body:
        return self._body(body, ())[0]

    def _body(self, body: Body, below: Branches) -> tuple[Body, Branches]:
        """Returns a body with its witnesses, and the locals that decide whether it is left before its end."""
        found: list[ir.Statement] = []
        left: Branches = ()
        for statement in body:
            some, out = self._statement(statement, _joined(below, left))
            found += some
            left = _joined(left, out)
        return tuple(found), left

    def _statement(self, statement: ir.Statement, below: Branches) -> tuple[tuple[ir.Statement, ...], Branches]:
        match traits(statement).effect:
            case "leaves":
                return (statement,), below
            case "calls":
                decides = (*below, *self._drawn_from(statement)) if draws(self.game, statement) else ()
                called = self._between(ir.CALLED, (statement,), below) if below else (statement,)
                return (self._between(ir.DRAWS, called, decides) if decides else called), ()
            case "writes" | "binds" | "moves" | "shuffles" if draws(self.game, statement):
                decides = (*below, *self._drawn_from(statement))
                return (self._between(ir.DRAWS, (statement,), decides) if decides else (statement,)), ()
            case "decides" | "goes over" | "repeats" if is_seen(self.game, statement):
                own = self._own(statement)
                inside, left = self._inside(statement, _joined(below, own), own)
                before = tuple(self.make(way.id, below, statement.site) for way in left if way not in (*below, *own))
                noted = tuple(self.make(way.id, (*below, *_first(statement)), statement.site) for way in own)
                return (*before, *noted, inside, *self._mixed(statement, (*below, *own) if own else ())), left
            case _:  # any other statement stays as it is
                return (statement,), ()

    def _mixed(self, statement: ir.Statement, ways: Branches) -> Body:
        """Returns the witness after a statement that may have shuffled piles, depending on some branches."""
        called = reachable(self.game, calls_in(self.game, statement)) if ways else ()
        nodes = walk((statement, tuple(self.game.procedures[id].body for id in called))) if ways else ()
        piles = sorted({node.zone for node in nodes if isinstance(node, ir.Shuffle)})
        if not piles:
            return ()
        rounds: Conditions = ()
        if isinstance(statement, ir.Loop | ir.Simultaneous) and statement.condition is not None:
            # Where no member passes the condition, no round has noted who may know of that.
            rounds = (ir.Over("count", (statement.variable,), (statement.source,), None, statement.condition),)
        return (self.make(ir.MIXED, (*map(ir.Const, piles), *ways, *rounds), statement.site),)

    def _drawn_from(self, statement: ir.Statement) -> Conditions:
        """Returns the secrets that decide whether, and how often, a statement draws: the sets that it picks from and that may
        be empty, conditions in its expressions, numbers of throws, and where a throw goes that decides about another."""
        decides = tuple(part for node in walk(statement) for part in drawing_by(self.game, node))
        drawn = {part: is_drawn(self.game, part) for part in decides}
        goes = self.receiving(statement) if any(drawn.values()) else ()
        return (*(part for part in decides if not drawn[part] and self.course.depends(part)), *goes)

    def _between(self, local: int, some: Body, below: Conditions) -> Body:
        """Returns statements between a witness of who may know of them, and one for everybody again."""
        site = some[0].site
        return self.make(local, below, site), *some, self.make(local, (), site)

    def _own(self, statement: ir.Statement) -> Branches:
        """Returns the local that stands for the branch that a statement takes, if secrets decide it; else ()."""
        first, variable = _first(statement), getattr(statement, "variable", None)
        # All know over how many members a loop goes; which of them its condition lets pass depends on who they are.
        rounds = tuple(part for part in deciding(statement) if part not in first)
        if not self.course.depends(first, but=() if variable is None else (variable.id,)) and not self.course.depends(
            rounds
        ):
            return ()
        return (self.ways.setdefault(id(statement), (statement, ir.Local(ir.FIRST_WAY - len(self.ways))))[1],)

    def _inside(self, statement: ir.Statement, below: Branches, own: Branches) -> tuple[ir.Statement, Branches]:
        """Returns a statement with the witnesses in its bodies, and the locals that decide whether a body is left
        before its end.
        """
        if isinstance(statement, ir.When):
            found = [
                self._body(body, below) for body in (*(body for _, body, _ in statement.branches), statement.otherwise)
            ]
            bodies = [body for body, _ in found]
            branches = tuple((c, body, site) for (c, _, site), body in zip(statement.branches, bodies, strict=False))
            return attrs.evolve(statement, branches=branches, otherwise=bodies[-1]), _joined(
                *(left for _, left in found)
            )
        assert isinstance(statement, ir.Loop | ir.Simultaneous | ir.Repeat)
        _, left = self._body(statement.body, below)
        body, _ = self._body(statement.body, _joined(below, left))
        condition = _openly_left_out(statement.condition)
        again = tuple(self.make(way.id, (way, condition), statement.site) for way in own if condition is not None)
        return attrs.evolve(statement, body=(*again, *body)), left


_SEEN = (ir.Call, ir.Defer, ir.Return, ir.Stop)
"""Statements that reveal the branch taken, or decide what runs afterwards."""


def is_seen(game: ir.GameRules, statement: ir.Statement) -> bool:
    """Returns whether anything in a statement reveals the branch taken, or decides what runs afterwards."""
    return any(isinstance(n, _SEEN) for n in walk(statement)) or draws(game, statement)


def draws(game: ir.GameRules, statement: ir.Statement) -> bool:
    """Returns whether a statement throws, picks or shuffles anything."""
    return is_drawn(game, statement) or any(isinstance(n, ir.Shuffle) for n in walk(statement))


def drawing_by(game: ir.GameRules, node: object) -> Conditions:
    """Returns the expressions that decide whether, and how often, anything in a node is drawn."""
    match node:
        case ir.Roll(times=times) if times is not None:
            return (times,)
        case ir.Pick(of=ir.Source(mask=mask) as of) if mask is not None and not is_counted(of) and not _lies_in(mask):
            return (mask,)
        case ir.Either(condition=condition, then=then, otherwise=otherwise) if is_drawn(game, (then, otherwise)):
            return (condition,)
        case ir.And(arguments=parts) | ir.Or(arguments=parts):
            last = max((at for at, part in enumerate(parts) if is_drawn(game, part)), default=0)
            return parts[:last]
        case ir.Cell(arguments=arguments) if is_drawn(game, node):
            return arguments
        case ir.Over() if is_drawn(game, (node.condition, node.value, node.keys)):
            return _rounds(game, node)
        case _:  # nothing else decides about a draw
            return ()


def _rounds(game: ir.GameRules, over: ir.Over) -> Conditions:
    """Returns the expressions that decide for how many members a comprehension draws: how many there are, how many pass its
    condition, and the draws themselves where they end it."""
    passing = attrs.evolve(over, what="count", value=None, keys=(), condition=None)
    if all(map(is_counted, over.sources)) and over.condition is None:
        rounds: Conditions = ()
    elif over.condition is None or is_drawn(game, over.condition):
        rounds = (passing,)
    else:
        rounds = (attrs.evolve(passing, condition=over.condition),)
    return (*rounds, over) if over.what in ("any", "all", "first") else rounds


def _lies_in(mask: ir.Expr) -> bool:
    """Returns whether a set is all that lies in a zone: `{c in Card if c in box}`."""
    match mask:
        case ir.Over(what="set", sources=(ir.Source(mask=ir.Const()),), condition=ir.Op(name="in", arguments=(_, of))):
            return isinstance(of, ir.Contents)
        case _:  # any other set is not a zone's
            return False


def _joined(*ways: Branches) -> Branches:
    return tuple(dict.fromkeys(way for some in ways for way in some))


def _first(statement: ir.Statement) -> Conditions:
    """Returns the expressions that decide before a statement begins, without the conditions of a loop's rounds."""
    parts = deciding(statement)
    match statement:
        case ir.When():
            return (parts[0],) if len(parts) == 1 else (ir.Or(parts),)
        case ir.Loop(condition=condition) | ir.Simultaneous(condition=condition):
            return tuple(part for part in parts if part is not condition)
        case _:  # the others evaluate all of their conditions first
            return parts


def read_where_hidden(game: ir.GameRules, course: FlowWalk) -> frozenset[int]:
    """Returns the locals that conditions on secrets read, so that they need witnesses too."""
    found: set[int] = set()
    for statement in walk((game.procedures, game.choices)):
        if isinstance(statement, ir.When | ir.Loop | ir.Simultaneous | ir.Repeat):
            parts = deciding(statement)
            if parts and is_seen(game, statement) and course.depends(parts):
                # The condition reads the loop's own name, which the source of the loop binds.
                found = found.union(*map(read_in, parts))
    return frozenset(found)
