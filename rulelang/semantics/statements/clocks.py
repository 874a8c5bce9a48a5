"""Blocks that run against a clock.

against sand:                   Repeat once; each answer inside costs its time before it takes effect,
  repeat: p chooses one of walk     and one that costs more than the time left empties the clock and leaves the block
"""

from __future__ import annotations

import attrs

from rulelang.ir import model as ir
from rulelang.ir.types import LARGEST, NONE, IntType
from rulelang.semantics.names.coercion import lower_body, number_of
from rulelang.semantics.names.scope import DrawTarget, Env, World
from rulelang.syntax import nodes

LONGEST = 604_800
"""The most seconds (a week) that one may think before the table declines."""


def lower_against(world: World, env: Env, node: nodes.AgainstStatement, site: int) -> list[ir.Statement]:
    """Lowers `against CLOCK:`: its block, with the clock in scope for the choices in it."""
    clock = world.clocks.get(node.clock.text)
    if clock is None:
        world.unknown(node.clock.text, node.clock.span, "no clock", list(world.clocks))
        return []
    id = world.loop()
    loop = (id, len(env.bodies))
    inner = attrs.evolve(env, loops=(*env.loops, loop), clock=(clock, *loop))
    return [ir.Repeat(id, None, ir.Const(1), lower_body(world, inner, node.body), site=site)]


def declined_after(world: World, env: Env, node: nodes.ChooseStatement) -> int | None:
    """Returns the seconds after which the table declines for who has not answered; None if a choice waits for ever."""
    if node.seconds is None:
        return None
    if env.clock is not None:
        help = "leave out `after … seconds`, or ask outside of `against`"
        world.sink.report("E0305", "this choice runs against a clock already", node.seconds.span, help=help)
        return None
    found = number_of(world, env, node.seconds).ir
    if isinstance(found, ir.Const) and 1 <= found.value <= LONGEST:
        return found.value
    if not isinstance(found, ir.Const):
        world.sink.report("E0311", "how long one may think must be known before the game starts", node.seconds.span)
    elif found.value != NONE:
        world.sink.report("E0305", f"one may think for 1 to {LONGEST:,} seconds", node.seconds.span)
    return None


def timed(world: World, env: Env, options: Env, branch: ir.Branch) -> ir.Branch:
    """Returns a branch whose body first takes its time from the clock, and leaves the block if there is too little.

    `env` is the scope of the choice, `options` that of its options.
    """
    assert env.clock is not None
    clock, loop, bodies = env.clock
    clock.chosen.add(branch.name)
    place, left = ir.Place(clock.state, ()), ir.Read(clock.state, ())
    reading = ir.Read(clock.reading, ())
    node = clock.costs.get(branch.name)
    scope = attrs.evolve(options.bind(*(p.variable for p in branch.parameters)), dice=True, sealed=None)
    scope = attrs.evolve(scope, draws=DrawTarget(branch.name, is_newly_named=True))
    cost: ir.Expr = ir.Const(0)
    if node is not None:
        cost = number_of(world, scope, node).ir
    spent = world.variable("spent", IntType(0, LARGEST))
    empty = ir.Assign(place, "=", ir.Const(0), site=branch.site)
    leave = tuple(ir.EndBody(rule, site=branch.site) for rule in reversed(env.bodies[bodies:]))
    late = ir.Op(">", (ir.Local(spent.id), left))
    first = (
        ir.Bind(spent, ir.Either(ir.Op("==", (reading, ir.Const(NONE))), cost, reading), site=branch.site),
        ir.Assign(ir.Place(clock.reading, ()), "=", ir.Const(NONE), site=branch.site),
        ir.When(((late, (empty, *leave, ir.Stop(loop, site=branch.site)), branch.site),), site=branch.site),
        ir.Assign(place, "+", ir.Op("neg", (ir.Local(spent.id),)), site=branch.site),
    )
    return attrs.evolve(branch, body=(*first, *branch.body))
