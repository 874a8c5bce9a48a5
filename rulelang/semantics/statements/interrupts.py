"""Interrupts: actions that are offered at choices of something else.

action boon(p) at any time "Boon":      a branch beside p's own options, at p's own choices
action bribe(p) at any choice "Bribe":  the same; and before anybody else's choice, p is asked once: bribe, or pass

No interrupt is offered inside another, or at a choice made in secret.
"""

from __future__ import annotations

from rulelang.ir import model as ir
from rulelang.semantics.names.scope import ActionName, Env, World
from rulelang.semantics.statements.choices import lower_choose
from rulelang.syntax import nodes


def lower_others_first(world: World) -> None:
    """Adds the procedure that asks all seats but the next chooser
    for interrupts `at any choice`, beginning at the mover.
    """
    actions = [m.node for m in world.globals.values() if isinstance(m, ActionName) and m.node.when == "choice"]
    if not actions:
        return
    who, other = world.variable("who", world.player), world.variable("other", world.player)
    env = Env(name="at any choice").bind(other)
    span = actions[0].span
    chooser = nodes.ChooserNode(who=nodes.NameExpression(other.name, span=span), span=span)
    names = tuple(action.name for action in actions)
    choose = nodes.ChooseStatement(chooser, actions=names, decline="pass", span=span)
    site = world.site("statement", span)
    body, _ = lower_choose(world, env, choose, site)
    mover, him = ir.Read(world.turn_states["mover"], ()), ir.Local(other.id)
    order = (ir.Order(False, ir.Op("<", (him, mover))),)
    players = ir.Source(ir.Read(world.turn_states["players"], ()))
    is_other = ir.Op("!=", (him, ir.Local(who.id)))
    loop = ir.Loop(world.loop(), other, players, order, is_other, tuple(body), site=site)
    world.others_first = world.new_procedure()
    world.add_procedure(ir.Procedure(world.others_first, "at any choice", (who,), (loop,), None))
