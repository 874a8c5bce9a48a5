"""Functions of boards: neighbours, distances and directions.

neighbours(s)                                   a table of masks
neighbours(s, {north, east})                    {step(s, d) for d in …}
step(s, north), direction(a, b), opposite(d)    tables
distance(a, b)                                  a table, or a Way if there is no table (on a board with several maps)
distance(a, b, S), connected(a, b, S)           Way: over spaces of S
distance(a, b, S, {north}), connected(…)        DirectedWay: each step in one of these directions
region(s, S), region(s, S, {north})             Way or DirectedWay without an end: all spaces that ways lead to
"""

from __future__ import annotations

from rulelang.ir import model as ir
from rulelang.ir.types import NONE, BadType, EnumType, IntType, KindType, SetType, Type
from rulelang.semantics.names import literals
from rulelang.semantics.names.coercion import coerce, lower, want
from rulelang.semantics.names.scope import Env, World
from rulelang.semantics.names.type_relations import FLAG, NOTHING, Typed, name_of
from rulelang.syntax import nodes

SIGNATURES = {
    "neighbours": ("s", "directions?"),
    "step": ("s", "direction"),
    "distance": ("a", "b", "S?", "directions?"),
    "direction": ("a", "b"),
    "opposite": ("direction",),
    "connected": ("a", "b", "S", "directions?"),
    "region": ("s", "S", "directions?"),
}
"""The parameters of each function; `?` marks those that may be left out."""


def on_map(world: World, board: str) -> tuple[ir.Expr, ...]:
    """Returns the first index of a board's tables: the chosen map, or () if the board has only one."""
    if board not in world.maps:
        return ()
    option = world.map_options.get(board)
    return (ir.Read(option, ()) if option is not None else ir.Const(0),)


def all_spaces(world: World, type: KindType) -> ir.Expr | None:
    """Returns the set of all spaces of the chosen map; None for a board with one map, or a kind that is no board."""
    if type.name not in world.maps:
        return None
    return ir.Column(world.board_tables[type.name, "spaces"][0], on_map(world, type.name))


def lower_board_call(
    world: World, env: Env, name: str, node: nodes.CallExpression, expected: Type | None = None
) -> Typed:
    """Lowers one of the functions that `SIGNATURES` lists."""
    signature, given = SIGNATURES[name], node.arguments
    if not sum(not part.endswith("?") for part in signature) <= len(given) <= len(signature):
        words = ", ".join(part.removesuffix("?") for part in signature)
        optional = " (the last may be left out)" if signature[-1].endswith("?") else ""
        help = f"write `{name}({words})`{optional}"
        world.sink.report("E0207", f"`{name}` does not take {len(given)} arguments", node.span, help=help)
        return NOTHING
    first = lower(world, env, given[0], _board_meant(world, env, name, given, expected))
    board = getattr(first.type, "name", "").removesuffix(" direction")
    of_direction = name == "opposite"
    if (board, "neighbours") not in world.board_tables or of_direction != isinstance(first.type, EnumType):
        if not isinstance(first.type, BadType):
            what = "a direction" if of_direction else "a board's space"
            is_set = name == "neighbours" and isinstance(first.type, SetType)
            advice = "of a set S: `{t for s in S, t in neighbours(s)} - S`" if is_set else None
            world.sink.report("E0303", f"`{name}` takes {what}, found {name_of(first.type)}", node.span, help=advice)
        return NOTHING
    if name == "opposite":
        return _read(world, board, name, (first.ir,), certain=not first.type.optional)
    around = on_map(world, board)
    if name == "neighbours" and len(given) == 1:
        return _read(world, board, name, (*around, first.ir), certain=not first.type.optional)
    if name == "neighbours":
        return _beside(world, env, board, around, first, given[1])
    if name == "region":
        return _region(world, env, given, board, first)
    wanted = _direction_type(world, board) if name == "step" else first.type.certain()
    second = lower(world, env, given[1], wanted)
    end = coerce(world, second, wanted.or_none(), given[1].span)
    certain = not (first.type.optional or second.type.optional)
    if len(given) == 2 and (board, name) in world.board_tables:
        return _read(world, board, name, (*around, first.ir, end), certain=certain)
    if name == "direction":
        return _towards(world, board, around, first.ir, end)
    return _way(world, env, node, board, first, end)


def _board_meant(
    world: World, env: Env, name: str, given: tuple[nodes.Expression, ...], expected: Type | None
) -> Type | None:
    """Returns the type of the first argument that the other
    arguments or the expected result imply; None if they do not.
    """
    if not literals.needs_help(world, env, given[0]):
        return None
    if name in ("neighbours", "step", "opposite"):
        return literals.wanted_element(expected)
    for other in given[1:3] if name in ("distance", "connected", "direction", "region") else ():
        if not literals.needs_help(world, env, other):
            with world.quiet():
                return literals.wanted_element(lower(world, env, other).type)
    return None


def _read(world: World, board: str, name: str, index: tuple[ir.Expr, ...], *, certain: bool) -> Typed:
    table = world.board_tables[board, name][0]
    type = world.tables[table].type
    # On a ring, for example, every step leads somewhere.
    always = certain and not isinstance(type, SetType) and NONE not in world.tables[table].values
    return Typed(ir.Column(table, index, certain), type.certain() if always else type)


def _direction_type(world: World, board: str) -> Type:
    return world.board_tables[board, "opposite"][1]


def _towards(world: World, board: str, around: tuple[ir.Expr, ...], start: ir.Expr, end: ir.Expr) -> Typed:
    """Lowers `direction(a, b)` without a table, to the first direction in which one step leads from a to b."""
    type = _direction_type(world, board)
    assert isinstance(type, EnumType)
    direction = world.variable("d", type)
    there = ir.Column(world.board_tables[board, "step"][0], (*around, start, ir.Local(direction.id)), False)
    leads = ir.And((ir.Op("!=", (end, ir.Const(NONE))), ir.Op("==", (there, end))))
    every = ir.Source(ir.Const((1 << len(type.members)) - 1))
    return Typed(ir.Over("first", (direction,), (every,), None, leads), type.or_none())


def _beside(
    world: World, env: Env, board: str, around: tuple[ir.Expr, ...], space: Typed, directions: nodes.Expression
) -> Typed:
    """Lowers `neighbours(s, {north, east})`: the spaces one step away in these directions."""
    chosen = _directions(world, env, board, directions)
    if chosen is None:
        return NOTHING
    direction = world.variable("d", _direction_type(world, board))
    there = ir.Column(world.board_tables[board, "step"][0], (*around, space.ir, ir.Local(direction.id)), False)
    found = ir.Over("set", (direction,), (ir.Source(chosen),), there, None)
    return Typed(found, SetType(space.type.certain()))


def _way(world: World, env: Env, node: nodes.CallExpression, board: str, first: Typed, end: ir.Expr) -> Typed:
    """Lowers `connected(a, b, S)` and `distance(a, b, S)`: the number of steps over spaces of S, or over all spaces."""
    is_distance = isinstance(node.function, nodes.NameExpression) and node.function.text == "distance"
    space = KindType(board, world.kinds[world.kind_ids[board]].size)
    if len(node.arguments) > 2:
        within = want(world, env, node.arguments[2], SetType(space))
    else:
        within = all_spaces(world, space) or ir.Const((1 << space.size) - 1)
    way = _search(world, env, board, (first.ir, end), within, node.arguments[3:])
    if way is None:
        return NOTHING
    if is_distance:
        return Typed(way, IntType(0, space.size, optional=True))
    return Typed(ir.Op("!=", (way, ir.Const(NONE))), FLAG)


def _region(world: World, env: Env, given: tuple[nodes.Expression, ...], board: str, first: Typed) -> Typed:
    """Lowers `region(s, S)`: the spaces of S that are connected with s."""
    spaces = SetType(KindType(board, world.kinds[world.kind_ids[board]].size))
    found = _search(world, env, board, (first.ir, None), want(world, env, given[1], spaces), given[2:])
    return NOTHING if found is None else Typed(found, spaces)


def _search(
    world: World,
    env: Env,
    board: str,
    ends: tuple[ir.Expr, ir.Expr | None],
    within: ir.Expr,
    directions: tuple[nodes.Expression, ...],
) -> ir.Expr | None:
    """Returns the way between two ends over some spaces, in the directions if they are given; None after a fault."""
    around, (start, end) = on_map(world, board), ends
    if not directions:
        return ir.Way(world.board_tables[board, "neighbours"][0], around, start, end, within)
    chosen = _directions(world, env, board, directions[0])
    if chosen is None:
        return None
    return ir.DirectedWay(world.board_tables[board, "step"][0], around, start, end, within, chosen)


def _directions(world: World, env: Env, board: str, node: nodes.Expression) -> ir.Expr | None:
    """Lowers the set of directions in a call; reports it and returns None if the board is a graph."""
    type = _direction_type(world, board)
    if isinstance(type, EnumType) and type.members:
        return want(world, env, node, SetType(type), "these are directions of the board")
    world.sink.report("E0303", f"`{board}` is a graph and has no directions", node.span)
    return None
