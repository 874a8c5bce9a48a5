"""In a game that hides something, each throw or pick that decides what runs gets a name, and so does each of several that
are handed over, so that what is made of it says who may know it.

if roll(d6) > 3: p.low = yes      ->      let it = roll(d6) > 3; if it: p.low = yes
deal(p, roll(d6), roll(d6))       ->      let it = roll(d6); let it' = roll(d6); deal(p, it, it')
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import assert_never

import attrs

from rulelang.ir import model as ir
from rulelang.ir.flow.destinations import is_drawn
from rulelang.ir.types import LARGEST, FlagType, IntType, Type
from rulelang.ir.walk import Spliced, rewrite, walk
from rulelang.semantics.names.scope import World


def name_deciding_throws(world: World, game: ir.GameRules) -> ir.GameRules:
    """Returns the game with a local for each such throw; itself if it has none, or hides nothing."""
    if all(seen == "all" for seen in (*(s.visible for s in game.states), *(z.visible for z in game.zones))):
        return game
    parts = (game.procedures, game.choices)
    if not any(
        is_drawn(game, _deciding(node)) for node in walk(parts) if isinstance(node, ir.When | ir.Repeat | ir.Call)
    ):
        return game
    naming = _Naming(game, count(max(v.id for v in walk(game) if isinstance(v, ir.Variable)) + 1))
    found: ir.GameRules = rewrite(game, naming.change)
    return found


def _deciding(node: ir.When | ir.Repeat | ir.Call) -> tuple[ir.Expr | None, ...]:
    match node:
        case ir.When(branches=branches):
            return tuple(condition for condition, _, _ in branches)
        case ir.Repeat(times=times):
            return (times,)
        case ir.Call(arguments=arguments):
            return arguments
        case _:
            assert_never(node)


@attrs.define
class _Naming:
    game: ir.GameRules
    fresh: Iterator[int]

    def change(self, node: object) -> object:
        match node:
            case ir.When():
                changed = self._decided(node)
                return node if changed == (node,) else Spliced(changed)
            case ir.Repeat(times=times) if times is not None and is_drawn(self.game, times):
                let, name = self._named(times, IntType(-LARGEST, LARGEST), node.site)
                return Spliced((let, attrs.evolve(node, times=name)))
            case ir.Call(arguments=arguments) if len(self._drawn(arguments)) > 1:
                return self._handed_over(node, arguments)
            case _:  # nothing else throws before it runs
                return node

    def _drawn(self, arguments: tuple[ir.Expr, ...]) -> tuple[int, ...]:
        return tuple(i for i, argument in enumerate(arguments) if is_drawn(self.game, argument))

    def _handed_over(self, call: ir.Call, arguments: tuple[ir.Expr, ...]) -> Spliced:
        """Returns a call of which each thrown argument has a name: one may be for all to see, and another not."""
        lets: list[ir.Statement] = []
        names = list(arguments)
        for i in self._drawn(arguments):
            let, names[i] = self._named(
                arguments[i], self.game.procedures[call.procedure].parameters[i].type, call.site
            )
            lets.append(let)
        return Spliced((*lets, attrs.evolve(call, arguments=tuple(names))))

    def _decided(self, when: ir.When) -> tuple[ir.Statement, ...]:
        """Returns an `if` with a `let` before its first condition that throws; what follows that becomes its `else`."""
        for i, (condition, body, site) in enumerate(when.branches):
            if is_drawn(self.game, condition):
                let, name = self._named(condition, FlagType(), site or when.site)
                rest = attrs.evolve(when, branches=when.branches[i + 1 :])
                otherwise = self._decided(rest) if rest.branches else when.otherwise
                decided = ir.When(((name, body, site),), otherwise, site=when.site)
                if not i:
                    return let, decided
                return (attrs.evolve(when, branches=when.branches[:i], otherwise=(let, decided)),)
        return (when,)

    def _named(self, value: ir.Expr, type: Type, site: int) -> tuple[ir.Bind, ir.Local]:
        variable = ir.Variable(next(self.fresh), "it", type)
        return ir.Bind(variable, value, site=site), ir.Local(variable.id)
