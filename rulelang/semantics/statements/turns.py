"""`turns p from e:` -> a loop that goes round those still playing, with extra and skipped turns if any rule gives them.

turns p from first_player: …     mover = e; round = 1
turns p from e to …: …           the same, but after each turn the expression behind `to` says who is next
                                 repeat: p = mover; turn += 1; …; mover = next(p), round += 1 where it comes round to e
"""

from __future__ import annotations

import attrs

from rulelang.ir import model as ir
from rulelang.ir.types import NONE, size_of
from rulelang.semantics.expressions.values import next_player
from rulelang.semantics.names.coercion import lower_body, want
from rulelang.semantics.names.scope import Env, World
from rulelang.semantics.names.seats import warn_empty
from rulelang.semantics.statements.lapses import as_a_round_ends, as_a_turn_begins, as_a_turn_ends
from rulelang.syntax import nodes

MOST_SKIPS = 1000


@attrs.frozen
class _Round:
    """A `turns` while it is lowered: the locals for the mover and for the next player."""

    world: World
    site: int
    loop: int
    mover: ir.Variable
    following: ir.Variable
    then: nodes.Expression | None = None
    """The expression for who is next, which reads the mover; None goes round the table."""
    env: Env = attrs.field(factory=Env)

    def read(self, name: str, *index: ir.Expr) -> ir.Expr:
        return ir.Read(self.world.turn_states[name], index)

    def put(self, name: str, operator: ir.AssignOperator, value: ir.Expr, *index: ir.Expr) -> ir.Statement:
        return ir.Assign(ir.Place(self.world.turn_states[name], index), operator, value, site=self.site)

    def when(self, condition: ir.Expr, *body: ir.Statement, otherwise: tuple[ir.Statement, ...] = ()) -> ir.Statement:
        return ir.When(((condition, body, self.site),), otherwise, site=self.site)

    def follow(self, who: ir.Expr) -> ir.Statement:
        return ir.Bind(self.following, who, site=self.site)

    def goes_on(self, who: ir.Variable) -> tuple[ir.Statement, ...]:
        """Returns the statements that find who follows somebody."""
        if self.then is None:
            return (self.follow(next_player(self.world, "next", ir.Local(who.id))),)
        anew = () if who is self.mover else (ir.Bind(self.mover, ir.Local(who.id), site=self.site),)
        return (*anew, self.follow(want(self.world, self.env, self.then, self.world.player.or_none())))


def lower_turns(world: World, env: Env, node: nodes.TurnsStatement, site: int) -> list[ir.Statement]:
    """Lowers `turns p from e:`; `stop` inside ends the turns."""
    start = want(world, env, node.start, world.player)
    warn_empty(world, env, (start,), "the turns cannot begin there", node.start.span)
    mover = world.variable(node.name.text, world.player)
    world.note_local(node.name.span, world.player)
    following_name = world.variable("following", world.player.or_none())
    going = _Round(world, site, world.loop(), mover, following_name, node.then, env.bind(mover))
    inner = attrs.evolve(env.bind(mover), loops=(*env.loops, (going.loop, len(env.bodies))))
    following = ir.Local(going.following.id)
    begun = world.variable("begun", world.player)
    is_over = _has_come_round(going, start, begun)
    body = (
        ir.Bind(mover, going.read("mover"), site=site),
        going.put("turn", "+", ir.Const(1)),
        *as_a_turn_begins(world, ir.Local(mover.id)),
        *lower_body(world, inner, node.body),
        *as_a_turn_ends(world, ir.Local(mover.id)),
        *_advance(going),
        going.when(ir.Op("==", (following, ir.Const(NONE))), ir.Stop(going.loop, site=site)),
        going.when(is_over, *as_a_round_ends(world), going.put("round", "+", ir.Const(1))),
        going.put("mover", "=", following),
    )
    loop = ir.Repeat(going.loop, None, None, body, site=site)
    is_counted = node.then is not None or not _is_lowest(start)
    first = (ir.Bind(begun, going.read("mover"), site=site),) if is_counted else ()
    at_last = (*as_a_turn_ends(world, going.read("mover")), *as_a_round_ends(world))
    return [going.put("mover", "=", start), going.put("round", "=", ir.Const(1)), *first, loop, *at_last]


def _has_come_round(going: _Round, start: ir.Expr, begun: ir.Variable) -> ir.Expr:
    """Returns the condition that a round is over: the next player is no farther from the first one than the mover. Where
    the rules say who is next, it is over when it comes back to the first one."""
    if going.then is not None:
        return ir.Op("==", (ir.Local(going.following.id), ir.Local(begun.id)))
    seats = ir.Const(size_of(going.world.player))

    def ahead(seat: ir.Variable) -> ir.Expr:
        there = ir.Local(seat.id)
        return there if _is_lowest(start) else ir.Op("mod", (ir.Op("-", (there, ir.Local(begun.id))), seats))

    return ir.Op("<=", (ahead(going.following), ahead(going.mover)))


def _is_lowest(start: ir.Expr) -> bool:
    return isinstance(start, ir.Const) and start.value == 0


def _advance(going: _Round) -> tuple[ir.Statement, ...]:
    """Returns the statements that find the next player: the next one still playing, subject to extra and skipped turns."""
    follow = going.goes_on(going.mover)
    if "skip_turn" in going.world.mentioned:
        follow = (*follow, _skip(going))
    if "extra_turn" not in going.world.mentioned:
        return follow
    mover = ir.Local(going.mover.id)
    again = ir.Op(">", (going.read("extra_turn", mover), ir.Const(0)))
    playing = ir.Op("in", (mover, going.read("players")))
    taken = going.put("extra_turn", "+", ir.Const(-1), mover)
    return (going.when(ir.And((playing, again)), taken, going.follow(mover), otherwise=follow),)


def _skip(going: _Round) -> ir.Statement:
    following = ir.Local(going.following.id)
    someone = ir.Op("!=", (following, ir.Const(NONE)))
    sits_out = ir.Op(">", (going.read("skip_turn", following), ir.Const(0)))
    body = (going.put("skip_turn", "+", ir.Const(-1), following), *going.goes_on(going.following))
    return ir.Repeat(going.world.loop(), ir.And((someone, sits_out)), None, body, limit=MOST_SKIPS, site=going.site)
