"""The members that a loop goes over: the set, the condition on each, and whether it takes in all players.

for q in {r in players if r.gold > 3}: …      members: players, q.gold > 3
"""

from __future__ import annotations

from rulelang.ir import model as ir
from rulelang.ir.flow.place import Opened, of_variable
from rulelang.ir.flow.reading import spelled_out, whole_zone
from rulelang.ir.types import NONE
from rulelang.ir.walk import rewrite


def is_for_all(game: ir.GameRules, statement: ir.Loop | ir.Simultaneous, zone: int, index: tuple[ir.Expr, ...]) -> bool:
    """Returns whether a loop goes over all players, or over all for whom a variable holds something."""
    mask, holds_one = statement.source.mask, ir.Op("!=", (ir.Read(of_variable(zone), index), ir.Const(NONE)))
    of_all = isinstance(mask, ir.Read) and mask.state in (game.all_players, game.players_left)
    return of_all and len(index) == 1 and statement.condition in (None, holds_one)


def opened_by(game: ir.GameRules, opened: Opened, statement: ir.Loop | ir.Simultaneous) -> Opened:
    """Returns the zones that are open after a loop, because each round has opened one of them."""
    own = ir.Local(statement.variable.id)
    kept: set[tuple[int, tuple[ir.Expr, ...] | None]] = set()
    for zone, index in opened:
        if index is None or own not in index:
            kept.add((zone, index))
        elif zone >= 0 or is_for_all(game, statement, zone, index):
            kept.add((zone, None))
    return frozenset(kept)


def members(source: ir.Source, variable: ir.Variable, game: ir.GameRules) -> tuple[ir.Source, ir.Expr | None]:
    """Returns the set that a loop goes over without its condition, and the condition on the loop's variable."""
    mask = source.mask
    if isinstance(mask, ir.CallValue):
        body = spelled_out(game.values[mask.value], mask.arguments)
        if len(body.cases) == 1 and body.cases[0].condition is None and not body.adjustments:
            mask = body.cases[0].value
    if isinstance(mask, ir.Over) and (zone := _zone_of(mask, game)) is not None:
        return ir.Source(zone), None
    match mask:
        case ir.Over(what="set", names=(one,), sources=(inner,), value=ir.Local(id=id), condition=test) if id == one.id:
            own = ir.Local(variable.id)
            return inner, rewrite(test, lambda n: own if n == ir.Local(one.id) else n)
        case _:  # any other set is gone over as it is
            return source, None


def _zone_of(mask: ir.Over, game: ir.GameRules) -> ir.Contents | None:
    """Returns the zone of which a set holds all things: `{c in Card if c in p.hand}`."""
    is_plain = mask.what == "set" and len(mask.sources) == 1 and mask.value == ir.Local(mask.names[0].id)
    return whole_zone(mask.sources[0], mask.condition, mask.names[0].id, game) if is_plain else None


def decided_by(source: ir.Source, variable: ir.Variable) -> tuple[ir.Expr, ...]:
    """Returns the conditions that hold for every member of a source."""
    return tuple(ir.Op("in", (ir.Local(variable.id), part)) for part in (source.mask, source.pile) if part is not None)
