"""The members that a loop or a comprehension goes over: the set, the condition on each, and whether they are all players
or all things in a zone.

for q in {r in players if r.gold > 3}: …      members: players, q.gold > 3
{c in Card if c in q.hand}                    plain: q.hand, so how many there are is public
{c in Card if c in q.hand and c.v > 3}        plain: {c in q.hand if c.v > 3}
"""

from __future__ import annotations

import attrs

from rulelang.ir import model as ir
from rulelang.ir.facts import conjuncts
from rulelang.ir.flow.place import Opened, of_variable
from rulelang.ir.types import NONE
from rulelang.ir.walk import rewrite, spelled_out, walk


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
        declared = game.values[mask.value]
        if _is_plain(declared):
            mask = spelled_out(declared, mask.arguments).cases[0].value
    mask = None if mask is None else plain(mask, game)
    if isinstance(mask, ir.Contents):
        return ir.Source(mask), None
    match mask:
        case ir.Over(what="set", names=(one,), sources=(inner,), value=ir.Local(id=id), condition=test) if id == one.id:
            own = ir.Local(variable.id)
            return inner, rewrite(test, lambda n: own if n == ir.Local(one.id) else n)
        case _:  # any other set is gone over as it is
            return source, None


def is_never_empty(game: ir.GameRules, source: ir.Source) -> bool:
    """Returns whether a set surely has members, so that a loop over it shows that play came there: the players."""
    return source.mask in {ir.Read(game.players_left, ()), ir.Read(game.all_players, ())}


def decided_by(source: ir.Source, variable: ir.Variable) -> tuple[ir.Expr, ...]:
    """Returns the conditions that hold for every member of a source."""
    return tuple(ir.Op("in", (ir.Local(variable.id), part)) for part in (source.mask, source.pile) if part is not None)


# ------------------------------------------------------------------ whole zones


def is_counted(source: ir.Source) -> bool:
    """Returns whether a source is a whole zone, so that the number of its members is public."""
    if source.pile is not None:
        return source.mask is None
    return isinstance(source.mask, ir.Contents)


def whole_zone(source: ir.Source, test: ir.Expr | None, member: int, game: ir.GameRules) -> ir.Contents | None:
    """Returns the zone of which a test asks, for each thing there is, whether it lies there: `c in Card if c in p.hand`."""
    match source, test:
        case (
            ir.Source(mask=ir.Const(value=mask), pile=None),
            ir.Op(name="in", arguments=(ir.Local(id=id), ir.Contents() as place)),
        ) if id == member and mask == (1 << game.kinds[game.zones[place.zone].kind].size) - 1:
            return place
        case _:  # any other test looks at the things themselves
            return None


def _is_plain(value: ir.Value) -> bool:
    """Returns whether a value is one expression, in every position."""
    return len(value.cases) == 1 and value.cases[0].condition is None and not value.adjustments


def plain(expr: ir.Expr, game: ir.GameRules) -> ir.Expr:
    """Returns the same set in fewer words: the content of a zone instead of all things that lie there."""
    match expr:
        case ir.CallValue(value=value, arguments=arguments):
            declared = game.values[value]
            if _is_plain(declared):
                found = plain(spelled_out(declared, arguments).cases[0].value, game)
                return found if isinstance(found, ir.Contents) else expr
            return expr
        case ir.Op(name="union" | "minus", arguments=(of, ir.Const(value=0))):
            return plain(of, game)
        case ir.Over():
            return _of_zones(expr, game)
        case ir.Pick(of=of):
            return attrs.evolve(expr, of=_plain_source(of, game))
        case ir.Either(then=then, otherwise=otherwise):
            return attrs.evolve(expr, then=plain(then, game), otherwise=plain(otherwise, game))
        case _:  # any other set stays as it is
            return expr


def _of_zones(over: ir.Over, game: ir.GameRules) -> ir.Expr:
    """Returns a comprehension over zones instead of sets that hold them, with a condition that says which things it means;
    of all things in a zone, its content."""
    if over.what == "all" and over.value is None:  # its condition is what all are to meet
        return over
    sources = [_plain_source(source, game) for source in over.sources]
    conditions = list(conjuncts(over.condition)) if over.condition is not None else []
    names = [name.id for name in over.names]
    for at, source in enumerate(sources):
        lie = [(part, _lies_in(part, names[at], game)) for part in conditions]
        for part, place in lie:
            if place is not None and _holds(source, place, game) and not _reads(place, names[at:]):
                sources[at] = ir.Source(place)
                conditions = [other for other in conditions if other != part]
                break
    if sources == list(over.sources):
        narrow = over
    else:
        condition = None if not conditions else conditions[0] if len(conditions) == 1 else ir.And(tuple(conditions))
        narrow = attrs.evolve(over, sources=tuple(sources), condition=condition)
    match narrow:
        case ir.Over(
            what="set", names=(one,), sources=(ir.Source(mask=ir.Contents() as all, pile=None),), condition=None
        ) if narrow.value == ir.Local(one.id):
            return all
        case _:  # any other comprehension is not the content of a zone
            return narrow


def _plain_source(source: ir.Source, game: ir.GameRules) -> ir.Source:
    if source.mask is None or source.pile is not None:
        return source
    mask = plain(source.mask, game)
    return source if mask is source.mask else ir.Source(mask)


def _lies_in(condition: ir.Expr, member: int, game: ir.GameRules) -> ir.Contents | None:
    """Returns the zone in which a condition says that a member lies."""
    match condition:
        case ir.Op(name="in", arguments=(ir.Local(id=id), there)) if id == member:
            place = plain(there, game)
            return place if isinstance(place, ir.Contents) else None
        case _:  # any other condition names no zone
            return None


def _holds(source: ir.Source, place: ir.Contents, game: ir.GameRules) -> bool:
    """Returns whether a set certainly holds all things in a zone."""
    match source.mask:
        case ir.Const(value=mask):
            return mask == (1 << game.kinds[game.zones[place.zone].kind].size) - 1
        case ir.Op(name="union", arguments=parts):
            return any(_holds(ir.Source(part), place, game) for part in parts)
        case _:  # any other set holds the things of its own zone
            return source.mask == place or (source.mask is None and source.pile == place)


def _reads(place: ir.Contents, locals: list[int]) -> bool:
    return any(isinstance(node, ir.Local) and node.id in locals for node in walk(place))
