"""Finds the witnesses whose locals everybody may know in every position, and the values that everybody could work out,
because they read only what is public.

    each Player has: fuel: 0..9                 # all see it
    let due = max(q.fuel, 2)                    # the witness of `due` need not be evaluated
    let due = max(q.fuel, q.secret)             # this one must be

Things are public if no place that they can be in is hidden, and they are never drawn at random.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from rulelang.ir import model as ir
from rulelang.ir.facts import kind_of
from rulelang.ir.picks import pick_kinds
from rulelang.ir.walk import walk

PLAIN = frozenset(
    (
        *(ir.Const, ir.Op, ir.And, ir.Or, ir.Either, ir.Over, ir.Source, ir.Order, ir.Variable),
        *(ir.CallValue, ir.ValueCase, ir.Adjustment, ir.Column),
        *(ir.Cell, ir.HasRow, ir.DataColumn),
    )
)
"""The nodes that read nothing themselves."""


def evident_witnesses(
    game: ir.GameRules, witnesses: Mapping[int, ir.Witness], doubtful: Collection[int], unshown: Collection[int]
) -> frozenset[int]:
    """Returns the numbers of the witnesses whose locals everybody may know in every position.

    `doubtful` are the locals that hold a secret or stand for a
    thing; `unshown` the scratch variables that may hold a secret.
    """
    hidden = hidden_kinds(game, pick_kinds(game).values())
    evident = {
        id
        for id, witness in witnesses.items()
        if not {*witness.reads} & {*doubtful}
        and all(_is_open(game, node, hidden, unshown) for node in _all(game, witness.of))
    }
    before = -1
    while before != len(evident):  # a local that is read may have a witness of its own
        before = len(evident)
        noted = {witness.local for id, witness in witnesses.items() if id not in evident}
        evident = {id for id in evident if not noted.intersection(witnesses[id].reads)}
    return frozenset(evident)


def evident_values(game: ir.GameRules, values: Iterable[int], unshown: Collection[int]) -> frozenset[int]:
    """Returns the values that everybody who knows their arguments could work out in every position."""
    hidden = hidden_kinds(game, pick_kinds(game).values())
    return frozenset(id for id in values if _is_evident(game, ir.CallValue(id, ()), hidden, unshown))


def _is_evident(game: ir.GameRules, expr: ir.Expr, hidden: Collection[int], unshown: Collection[int]) -> bool:
    """Returns whether everybody who knows its locals could work out an expression in every position."""
    return all(_is_open(game, node, hidden, unshown) for node in _all(game, (expr,)))


def zones_read(
    game: ir.GameRules, expr: ir.Expr, hidden: Collection[int], unshown: Collection[int]
) -> frozenset[int] | None:
    """Returns the zones of an expression that everybody could work out who knows its locals, and the things that lie there;
    None if it depends on more. Zones whose things are public are left out: those of no `hidden` kind.
    """
    found = set[int]()
    for node in _all(game, (expr,)):
        if _is_open(game, node, hidden, unshown) or (isinstance(node, ir.OwnerOf) and owns_openly(game, node)):
            continue
        if not isinstance(node, ir.Contents | ir.InSlot | ir.TopOf):
            return None
        found.add(node.zone)
    return frozenset(found)


def owns_openly(game: ir.GameRules, node: ir.OwnerOf) -> bool:
    """Returns whether everybody sees in which of its owners' zones a thing lies."""
    return all(zone.visible == "all" for zone in game.zones if (zone.kind, zone.owner) == (node.kind, node.owner))


def hidden_kinds(game: ir.GameRules, picked: Iterable[int]) -> frozenset[int]:
    """Returns the kinds whose things may lie in a hidden place, or are `picked` at random."""
    return frozenset({*picked, *(zone.kind for zone in game.zones if zone.visible != "all")})


def _is_open(game: ir.GameRules, node: object, hidden: Collection[int], unshown: Collection[int]) -> bool:
    """Returns whether everybody can see what a node itself reads."""
    match node:
        case ir.Local(id=id):
            return id >= 0
        case ir.Read(state=state):
            kind = kind_of(game.states[state].type, game)
            is_seen = game.states[state].visible == "all" and state not in unshown
            return is_seen and (kind is None or kind.id not in hidden)
        case ir.Contents(zone=zone) | ir.InSlot(zone=zone) | ir.TopOf(zone=zone):
            return game.zones[zone].kind not in hidden
        case ir.PlaceOf(kind=kind) | ir.OwnerOf(kind=kind) | ir.FaceUp(kind=kind):
            return kind not in hidden
        case _:  # any other node is public if it is known to read nothing itself
            return type(node) in PLAIN


def _all(game: ir.GameRules, of: tuple[ir.Expr, ...]) -> Iterator[object]:
    """Yields all nodes of some expressions, of the values that
    they call, and of the columns of tables that they read."""
    waiting: list[object] = [of]
    called: set[int] = set()
    looked_up: set[tuple[int, int]] = set()
    while waiting:
        for node in walk(waiting.pop()):
            yield node
            if isinstance(node, ir.CallValue) and node.value not in called:
                called.add(node.value)
                waiting.append((game.values[node.value].cases, game.values[node.value].adjustments))
            elif isinstance(node, ir.Cell) and (node.data, node.column) not in looked_up:
                looked_up.add((node.data, node.column))
                waiting.append(game.data[node.data].columns[node.column])
