"""A whole game's tree -> the meanings of its names -> typed IR.

    resolve(module)     Resolved(world, header): every declared name, before any body is lowered
    lower(resolved)     Lowered(game, world): the bodies, with a type for every expression

The passes that the language requires (`passes.PASSES`) and the checks that need the whole game (`lints.CHECKS`) run on
the lowered game. `rulelang.driver` shows the whole chain.
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from rulelang.diagnostics.model import Diagnostic, Label, Sink
from rulelang.ir import model as ir
from rulelang.semantics.declarations import aims, clocks, history, screens, words
from rulelang.semantics.declarations import declaration as declarations
from rulelang.semantics.declarations.declaration import of_type
from rulelang.semantics.declarations.modifiers import check_modifiers
from rulelang.semantics.declarations.repeated import check_repeated
from rulelang.semantics.declarations.tables import lower_data
from rulelang.semantics.expressions.expression import lower_expression
from rulelang.semantics.expressions.values import lower_adjust, lower_value
from rulelang.semantics.names.coercion import constant
from rulelang.semantics.names.nouns import raw
from rulelang.semantics.names.scope import ActionName, DataName, ValueName, VerbName, World
from rulelang.semantics.names.type_relations import BAD
from rulelang.semantics.statements.choices import lower_action_body, lower_action_heads
from rulelang.semantics.statements.interrupts import lower_others_first
from rulelang.semantics.statements.statement import lower_statements
from rulelang.semantics.statements.verbs import lower_flow, lower_hooks, lower_verb, lower_whenevers
from rulelang.syntax import nodes

MOST_SEATS = 16
MOST_STEPS = 1_000_000_000


@attrs.frozen
class Resolved:
    """The names of a game, resolved; `header` is None if no game is declared."""

    module: nodes.ModuleNode
    header: nodes.GameDeclaration | None
    world: World = attrs.field(repr=False)
    diagnostics: tuple[Diagnostic, ...]


@attrs.frozen
class Lowered:
    """The IR of a game as written; None after an error in `resolve` or `lower`."""

    game: ir.GameRules | None
    diagnostics: tuple[Diagnostic, ...]


def resolve(module: nodes.ModuleNode) -> Resolved:
    """Returns the world with every declared name of a whole game (variants applied, includes merged)."""
    world = World(Sink(), lower_expression, lower_statements, is_whole=not _lost(module))
    header = _header(world, module)
    if header is not None:
        declarations.builtin_states(world)
        declarations.declare(world, module)
        check_repeated(world, module)
    return Resolved(module, header, world, world.sink.sorted())


def lower(resolved: Resolved) -> Lowered:
    """Returns the IR of a game that has a header, and fills the world with what the bodies add; to be called once."""
    assert resolved.header is not None
    world, known = resolved.world, len(resolved.world.sink.found)
    game = _lower(world, resolved.module, resolved.header)
    if not world.sink.has_errors:
        check_modifiers(world, resolved.module)
    return Lowered(None if world.sink.has_errors else game, Sink(world.sink.found[known:]).sorted())


def faults_in(resolved: Resolved, is_wanted: Callable[[nodes.Declaration], bool]) -> tuple[Diagnostic, ...]:
    """Returns the faults that `lower` finds in some bodies, and in whatever is no body; the world is used up then."""
    assert resolved.header is not None
    world, known = resolved.world, len(resolved.world.sink.found)
    _lower(world, resolved.module, resolved.header, is_wanted)
    return Sink(world.sink.found[known:]).sorted()


# ------------------------------------------------------------------ the header


def _lost(module: nodes.ModuleNode) -> list[nodes.UnreadNode]:
    """Returns the lines of the game, not of its scenarios, that could not be read."""
    return [unread for unread in module.unread if unread.of != "scenario"]


def _header(world: World, module: nodes.ModuleNode) -> nodes.GameDeclaration | None:
    games = list(of_type(module, nodes.GameDeclaration))
    if not games and _lost(module):
        span = _lost(module)[0].span
        return nodes.GameDeclaration(nodes.IdentNode("unread", span=span), nodes.TextNode("", ()), (), span=span)
    if not games:
        span = module.declarations[0].span if module.declarations else module.span
        world.sink.report("E0211", "no game is declared here", span, help='begin with `game NAME "Title":`')
        return None
    if len(games) > 1:
        world.sink.report(
            "E0202", "a file holds one game", games[1].span, labels=(Label(games[0].span, "the first one"),)
        )
    game = games[0]
    found = False
    for line in game.lines:
        world.site("header", line.span, line.cites)
        if line.what == "players" and line.value is not None:
            found = True
            _players(world, line.value)
        elif line.what == "seats":
            _seats(world, line)
        elif line.what == "lone":
            _lone(world, game, line)
        elif line.what == "steps" and line.value is not None:
            _steps(world, game, line, line.value)
    if not found:
        world.sink.report(
            "E0212", "the game does not say how many play", game.name.span, help="add a line `players 2..4`"
        )
    most = world.players[1]
    names = (*world.seats, *(f"player{i + 1}" for i in range(len(world.seats), most)))
    if world.seats and len(world.seats) < most:
        world.sink.report(
            "E0212",
            f"{most} can play, {len(world.seats)} seat{' is' if len(world.seats) == 1 else 's are'} named",
            game.name.span,
        )
    world.seats = names[:most] if not world.seats else world.seats
    return game


def _players(world: World, node: nodes.Expression) -> None:
    low = high = None
    if isinstance(node, nodes.RangeExpression):
        low, high = constant(world, node.low), constant(world, node.high)
    else:
        low = high = constant(world, node)
    if low is None or high is None:
        return
    if not 1 <= low <= high <= MOST_SEATS:
        world.sink.report("E0212", f"1 to {MOST_SEATS} can play", node.span, f"{low}..{high}")
        return
    world.players = (low, high)


def _seats(world: World, line: nodes.GameLineNode) -> None:
    world.seats = tuple(n.text for n in line.names)
    words.enter_seats(world, line.names)
    for i, name in enumerate(line.names):
        if name.text in world.seats[:i]:
            world.sink.report("E0202", f"the seat `{name.text}` appears twice", name.span)


def _lone(world: World, game: nodes.GameDeclaration, line: nodes.GameLineNode) -> None:
    first = next(other for other in game.lines if other.what == "lone")
    if first is not line:
        labels = (Label(first.span, "the first line"),)
        world.sink.report("E0202", "the header has two lines on lone options", line.span, labels=labels)
    world.lone = "asked" if line.names[0].text == "asked" else "taken"


def _steps(world: World, game: nodes.GameDeclaration, line: nodes.GameLineNode, node: nodes.Expression) -> None:
    first = next(other for other in game.lines if other.what == "steps")
    if first is not line:
        labels = (Label(first.span, "the first line"),)
        world.sink.report("E0202", "the header has two limits of steps", line.span, labels=labels)
    most = constant(world, node)
    if most is None:
        return
    if not ir.STEPS <= most <= MOST_STEPS:
        message = f"the rules may take {ir.STEPS} to {MOST_STEPS} steps between two choices"
        world.sink.report(
            "E0212", message, node.span, str(most), help="every game has the least of it without this line"
        )
        return
    world.steps = most


# ------------------------------------------------------------------ bodies


def _lower(
    world: World,
    module: nodes.ModuleNode,
    header: nodes.GameDeclaration,
    is_wanted: Callable[[nodes.Declaration], bool] = lambda _: True,
) -> ir.GameRules:
    """Lowers all bodies, or those of the wanted declarations: then no game can be made of it."""
    lower_action_heads(world)
    history.lower_history(world, header)
    declarations.lower_states(world)
    for value in world.values:
        if any(map(is_wanted, value.declarations)):
            lower_value(world, value)
    adjusts = list(of_type(module, nodes.AdjustDeclaration))
    _adjust(world, adjusts)
    known = [d for d in world.globals.values() if isinstance(d, DataName) and is_wanted(d.node)]
    data = tuple(lower_data(world, d, adjusts) for d in known)
    for meaning in tuple(world.globals.values()):
        if isinstance(meaning, VerbName) and not meaning.builtin and any(map(is_wanted, meaning.declarations)):
            with world.passing((nodes.VerbDeclaration.__name__, meaning.name)):
                lower_verb(world, meaning)
        elif isinstance(meaning, ActionName) and is_wanted(meaning.node):
            with world.passing((nodes.ActionDeclaration.__name__, meaning.node.name.text)):
                lower_action_body(world, meaning)
    hooks = lower_hooks(world, filter(is_wanted, of_type(module, nodes.HookDeclaration)))
    whenevers = lower_whenevers(world, filter(is_wanted, of_type(module, nodes.WheneverDeclaration)))
    lower_others_first(world)
    main = _main(world, module, header)
    clocks.check_clocks(world, module)
    words.lower_texts(world, module)
    with world.passing((nodes.ScreenDeclaration.__name__, 0)):
        lines = screens.lower_screen(world, list(of_type(module, nodes.ScreenDeclaration)))
    with world.passing((nodes.AimDeclaration.__name__, 0)):
        aim = aims.lower_aim(world, list(filter(is_wanted, of_type(module, nodes.AimDeclaration))))
    world.assembled = True
    return attrs.evolve(_assemble(world, header, data, hooks, whenevers, main, lines), aim=aim)


def _adjust(world: World, adjusts: list[nodes.AdjustDeclaration]) -> None:
    for node in adjusts:
        if node.column is not None:
            meaning = world.globals.get(node.name.text)
            if not isinstance(meaning, DataName):
                world.unknown(
                    node.name.text,
                    node.name.span,
                    "no data",
                    [n for n, m in world.globals.items() if isinstance(m, DataName)],
                )
            elif node.column.text not in meaning.columns:
                world.unknown(node.column.text, node.column.span, "no column", list(meaning.columns))
            continue
        found = lower_adjust(world, node)
        if found is not None:
            value = world.values[found[0]]
            if value.lowered is None:
                continue  # it is none of the wanted bodies
            value.lowered = attrs.evolve(value.lowered, adjustments=(*value.lowered.adjustments, *found[1]))


def _main(world: World, module: nodes.ModuleNode, header: nodes.GameDeclaration) -> int:
    calls = []
    for what in ("setup", "play"):
        flows = [f for f in of_type(module, nodes.FlowDeclaration) if f.what == what]
        if len(flows) > 1:
            world.sink.report(
                "E0202", f"`{what}:` is declared twice", flows[1].span, labels=(Label(flows[0].span, "first here"),)
            )
        with world.passing((nodes.FlowDeclaration.__name__, what)):
            procedure = lower_flow(world, what, flows[0] if flows else None)
        if procedure is not None:
            calls.append(ir.Call(procedure, ()))
        elif what == "play":
            world.sink.report("E0212", "the game has no `play:`", header.name.span, "nothing would happen")
    id = world.new_procedure()
    world.add_procedure(ir.Procedure(id, "main", (), tuple(calls), None))
    return id


def _assemble(
    world: World,
    header: nodes.GameDeclaration,
    data: tuple[ir.DataTable, ...],
    hooks: tuple[ir.Hook, ...],
    whenevers: tuple[ir.Whenever, ...],
    main: int,
    screen: tuple[ir.ScreenLine, ...],
) -> ir.GameRules:
    empty = ir.Value(0, "", (), BAD, ())
    score = world.globals.get("score")
    return ir.GameRules(
        id=header.name.text,
        title=raw(header.title),
        players=world.players,
        seats=world.seats,
        kinds=tuple(world.kinds),
        boards=tuple(
            attrs.evolve(shape, option=world.map_options.get(name))
            for name, shapes in world.boards.items()
            for shape in shapes
        ),
        tables=tuple(world.tables),
        dice=tuple(world.dice),
        states=tuple(world.states),
        zones=tuple(world.zones),
        values=tuple(v.lowered or attrs.evolve(empty, id=v.id, name=v.name) for v in world.values),
        data=data,
        procedures=tuple(
            world.procedures.get(i, ir.Procedure(i, "?", (), (), None)) for i in range(world.next_procedure)
        ),
        choices=tuple(world.choices),
        rules=tuple(world.rules),
        sites=tuple(world.sites),
        streams=tuple(world.streams),
        targets=tuple(world.targets),
        main=main,
        steps=world.steps,
        all_players=world.turn_states["all players"],
        players_left=world.turn_states["players"],
        depth=world.turn_states["depth"],
        mover=world.turn_states["mover"],
        screen=screen,
        score=score.id if isinstance(score, ValueName) and len(score.parameters) == 1 else None,
        history=world.history,
        clocks=tuple(ir.Clock(c.state, c.reading, c.per_second) for c in world.clocks.values()),
        scratch=tuple(s.id for s in world.states if s.scratch),
        enums=tuple(world.enums.values()),
        colours=tuple(look.colour for _, look in world.seat_words)[: world.players[1]],
        during=tuple(
            (m.procedure, state)
            for name, state in world.during.items()
            if isinstance(m := world.globals[name], VerbName)
        ),
        hooks=hooks,
        whenevers=whenevers,
    )
