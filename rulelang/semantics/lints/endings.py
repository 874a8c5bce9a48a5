"""Check on the end: a game whose rules can run out, or whose players can all be gone, ends undecided.

play: for p in players: p chooses one of go              W0517: nothing comes after the loop
turns p from first_player to none: …                     W0517: nobody comes next
whenever p.life == 0 for p in players: eliminate(p)      W0517: all can die at once, and nobody is left to go on
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import attrs

from rulelang.ir import model as ir
from rulelang.ir.model.operators import COMPARISONS
from rulelang.ir.types import NONE
from rulelang.ir.walk import asks, calls_in, reachable, walk
from rulelang.semantics.names.scope import World


def check_endings(world: World, game: ir.GameRules) -> None:
    """Warns where `play:` can come to its end, or all players can be gone, and no `finish` has ended the game."""
    play = next((p for p in game.procedures if p.rule is not None and game.rules[p.rule].what == "play"), None)
    if (
        play is None
        or play.rule is None
        or not any(asks(game, game.procedures[id].body) for id in reachable(game, {play.id}))
    ):
        return  # Where nobody is asked, nothing is played yet.
    span = game.rules[play.rule].span
    if _Course(game, is_emptied=False).comes_back_from(play.id):
        message = "`play:` can come to its end without a `finish`"
        help = "say how the game ends: `finish with winner …`, `finish with ranking …`, `finish with score …` or `finish lost`"
        world.sink.report("W0517", message, span, "it would end undecided", help=help)
    elif _all_can_be_gone(game) and _Course(game, is_emptied=True).comes_back_from(play.id):
        message = "everybody can be out of the game, and no `finish` has ended it"
        help = "end it in time: `whenever count(players) <= 1: finish with winner players`"
        world.sink.report("W0517", message, span, "it would end undecided", help=help)


# ------------------------------------------------------------------ the course of play


@attrs.define(slots=False)
class _Course:
    """Finds where control can get to; `is_emptied` says whether turns end because nobody is left to take one."""

    game: ir.GameRules
    is_emptied: bool
    _known: dict[int, bool] = attrs.field(factory=dict)

    def comes_back_from(self, procedure: int) -> bool:
        """Returns whether a procedure can come to its end."""
        if procedure not in self._known:
            # A recursion comes back at some depth.
            self._known[procedure] = True
            hooks = [hook.procedure for hook in self.game.hooks if hook.of == procedure and hook.when == "instead"]
            bodies = [self.game.procedures[id].body for id in (procedure, *hooks)]
            self._known[procedure] = any(self._goes_through(body) or self._leaves(body, ir.Return) for body in bodies)
        return self._known[procedure]

    def _goes_through(self, body: tuple[ir.Statement, ...]) -> bool:
        return all(self._goes_on_after(statement) for statement in body)

    def _goes_on_after(self, statement: ir.Statement) -> bool:
        match statement:
            case ir.Finish() | ir.Fail() | ir.Stop() | ir.Return():
                return False
            case ir.When(branches=branches, otherwise=otherwise):
                return any(self._goes_through(body) for body in (*(body for _, body, _ in branches), otherwise))
            case ir.Repeat(condition=None, times=None, id=id, body=body):
                return self._leaves(body, ir.Stop, id)
            case ir.Call(procedure=procedure):
                return self.comes_back_from(procedure)
            case ir.Ask(choice=choice):
                about = self.game.choices[choice]
                when_none = (about.when_none,) if about.empty == "none" else ()
                return any(self._goes_through(body) for body in (*(b.body for b in about.branches), *when_none))
            case _:  # every other statement goes on to the next, a loop perhaps after no round
                return True

    def _leaves(self, body: tuple[ir.Statement, ...], by: type[ir.Stop | ir.Return], loop: int = 0) -> bool:
        """Returns whether a statement that control can get to leaves the loop, or the procedure."""
        for statement in body:
            if isinstance(statement, by) and (not isinstance(statement, ir.Stop) or statement.loop == loop):
                return True
            if any(self._leaves(inner, by, loop) for inner in self._inside(statement)):
                return True
            if not self._goes_on_after(statement):
                return False
        return False

    def _inside(self, statement: ir.Statement) -> Iterator[tuple[ir.Statement, ...]]:
        match statement:
            case ir.When(branches=branches, otherwise=otherwise):
                nobody = not self.is_emptied and any(self._never_holds(condition) for condition, _, _ in branches)
                yield from () if nobody else (body for _, body, _ in branches)
                yield otherwise
            case ir.Repeat(body=body) | ir.Loop(body=body) | ir.Simultaneous(body=body):
                yield body
            case ir.Ask(choice=choice):
                about = self.game.choices[choice]
                yield from (branch.body for branch in about.branches)
                yield about.when_none
            case _:  # nothing else has statements inside
                return

    def _never_holds(self, condition: ir.Expr) -> bool:
        """Returns whether a condition is that by which
        `turns` end, and somebody always comes next (see `statements.turns`)."""
        match condition:
            case ir.Op(name="==", arguments=(ir.Local(id=following), ir.Const(value=value))) if value == NONE:
                return not any(self._may_be_none(who) for who in self._bound.get(following, ()))
            case _:  # any other condition may hold
                return False

    def _may_be_none(self, who: ir.Expr, seen: frozenset[ir.Expr] = frozenset()) -> bool:
        """Returns whether an expression may be none while somebody plays; `seen` are those in which it stands."""
        if who in seen:
            return False
        seen |= {who}
        match who:
            case ir.Const(value=value):
                return value == NONE
            case ir.Either(condition=condition, then=then, otherwise=otherwise):
                ways = ((then, _shown_to_be(condition, so=True)), (otherwise, _shown_to_be(condition, so=False)))
                return any(way not in there and self._may_be_none(way, seen) for way, there in ways)
            case ir.Over(sources=sources, condition=condition):
                return condition is not None or not any(_are_players(self.game, source) for source in sources)
            case ir.Read(state=state):
                known = self.game.states[state]
                return known.type.optional and not known.builtin  # somebody moves in `turns`
            case ir.Local(id=id):
                return any(self._may_be_none(value, seen) for value in self._bound.get(id, ()))
            case ir.CallValue(value=value):
                cases = self.game.values[value].cases
                is_whole = any(case.condition is None for case in cases)
                return not is_whole or any(self._may_be_none(case.value, seen) for case in cases)
            case _:  # what the rules look up is taken to be there
                return False

    @cached_property
    def _bound(self) -> dict[int, list[ir.Expr]]:
        """For each local, the values that it is bound to."""
        found: dict[int, list[ir.Expr]] = {}
        for node in walk((self.game.procedures, self.game.choices)):
            if isinstance(node, ir.Bind):
                found.setdefault(node.variable.id, []).append(node.value)
        return found


def _shown_to_be(condition: ir.Expr, *, so: bool) -> tuple[ir.Expr, ...]:
    """Returns the expressions that are not none where a condition holds, or where it does not."""
    match condition:
        case ir.Op(name="==" | "!=" as name, arguments=(one, ir.Const(value=value))) if value == NONE:
            return (one,) if (name == "!=") is so else ()
        case ir.Op(name="in", arguments=(one, _)) if so:
            return (one,)
        case ir.And(arguments=arguments) if so:
            return tuple(one for part in arguments for one in _shown_to_be(part, so=True))
        case _:  # any other condition shows nothing
            return ()


# ------------------------------------------------------------------ who is left


def _all_can_be_gone(game: ir.GameRules) -> bool:
    """Returns whether eliminations can leave nobody before a rule for so few players ends the game."""
    places = list(_eliminations(game))
    if not places:
        return False
    guards = list(_guards(game))
    if any(_Few(game, 0).value(guard) for guard in guards):
        return False
    return any(places) or not any(_Few(game, 1).value(guard) for guard in guards)


def _eliminations(game: ir.GameRules) -> Iterator[bool]:
    """Yields, for each place where a player is eliminated, whether several can be before other rules are looked at."""
    out = {p.id for p in game.procedures if any(isinstance(n, ir.Eliminate) for n in walk(p.body))}
    at_once = [w.procedure for w in game.whenevers if w.names]
    inside = [n.body for n in walk((game.procedures, game.choices)) if isinstance(n, ir.Loop | ir.Simultaneous)]
    called = {id for body in inside for id in calls_in(game, body)} | set(at_once)
    several = reachable(game, called)
    for id, procedure in enumerate(game.procedures):
        if calls_in(game, procedure.body) & out:
            yield id in several
    answers = [branch.body for choice in game.choices for branch in choice.branches]
    yield from (bool(several & out) for body in answers if calls_in(game, body) & out)
    bodies = (*answers, *(procedure.body for procedure in game.procedures))
    yield from (True for body in bodies if _in_a_row(game, body, out) > 1)


def _in_a_row(game: ir.GameRules, body: tuple[ir.Statement, ...], out: set[int], depth: int = 0) -> int:
    """Returns how many calls of `out` a body makes at most before other rules are looked at, loops counted once."""
    most = now = 0
    for statement in body:
        match statement:
            case ir.Call(procedure=procedure) if procedure in out:
                now += 1
            case ir.Call(procedure=procedure) if depth < _DEPTH:
                now += _in_a_row(game, game.procedures[procedure].body, out, depth + 1)
            case ir.When(branches=branches, otherwise=otherwise):
                ways = (*(way for _, way, _ in branches), otherwise)
                now += max(_in_a_row(game, way, out, depth) for way in ways)
            case ir.Repeat(body=inner) | ir.Loop(body=inner) | ir.Simultaneous(body=inner):
                now += _in_a_row(game, inner, out, depth)
            case ir.Settle() | ir.Ask():
                now = 0
            case _:  # nobody is out by any other statement
                pass
        most = max(most, now)
    return most


_DEPTH = 8
"""Verbs that call each other deeper than this are not followed."""


def _guards(game: ir.GameRules) -> Iterator[ir.Expr]:
    """Yields the conditions under which the game is finished."""
    for rule in game.whenevers:
        if not rule.names and any(isinstance(n, ir.Finish) for n in walk(game.procedures[rule.procedure].body)):
            yield rule.condition
    for node in walk((game.procedures, game.choices)):
        if isinstance(node, ir.When):
            yield from (c for c, body, _ in node.branches if any(isinstance(n, ir.Finish) for n in walk(body)))


@attrs.frozen(slots=False)
class _Few:
    """Evaluates conditions where only so many players are left: none, or one."""

    game: ir.GameRules
    left: int

    def value(self, expr: ir.Expr | None) -> int | None:
        """Returns the value of an expression; None if more would have to be known."""
        match expr:
            case ir.Const(value=value):
                return value
            case ir.Op(name="size", arguments=(ir.Read(state=state),)) if state == self.game.players_left:
                return self.left
            case ir.Read(state=state) if state == self.game.players_left and not self.left:
                return 0
            case ir.Op(name="not", arguments=(inner,)):
                found = self.value(inner)
                return None if found is None else int(not found)
            case ir.Op(name=name, arguments=(one, other)) if name in COMPARISONS:
                sides = self.value(one), self.value(other)
                return None if None in sides else int(COMPARISONS[name].value(*sides))
            case ir.And(arguments=arguments):
                return self._joined(arguments, 0)
            case ir.Or(arguments=arguments):
                return self._joined(arguments, 1)
            case ir.Over(what="count" | "any" | "all" as what, sources=sources):
                return self._over(what, sources, expr)
            case _:  # an expression that can have any value
                return None

    def _joined(self, arguments: tuple[ir.Expr, ...], decides: int) -> int | None:
        found = [self.value(argument) for argument in arguments]
        if any(value is not None and bool(value) == bool(decides) for value in found):
            return decides
        return None if None in found else 1 - decides

    def _over(self, what: str, sources: tuple[ir.Source, ...], expr: Any) -> int | None:
        among = any(_are_players(self.game, source) for source in sources)
        if among and not self.left:
            return int(what == "all")
        is_plain = len(sources) == 1 and expr.condition is None and what == "count"
        return self.left if among and is_plain else None


def _are_players(game: ir.GameRules, source: ir.Source) -> bool:
    return isinstance(source.mask, ir.Read) and source.mask.state == game.players_left
