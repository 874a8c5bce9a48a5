"""Gathers every declaration of a file into a `World`, so that order in the file never matters.

enum Lane: left, right        world.globals["Lane"], world.members["left"]
the game has: heap: 0..9 = 5  world.globals["heap"] -> StateName
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import TypeVar

import attrs

from rulelang.diagnostics.model import Label
from rulelang.ir import model as ir
from rulelang.ir.types import LARGEST, BadType, EnumType, FlagType, IntType, KindType, SetType, Type, size_of
from rulelang.program.values import noun_from, plural
from rulelang.semantics.declarations import clocks, tables, words
from rulelang.semantics.declarations.boards.entering import declare_boards, enter_boards
from rulelang.semantics.declarations.boxes import cover_boxes, enter_box
from rulelang.semantics.declarations.modifiers import moment_of
from rulelang.semantics.expressions import values
from rulelang.semantics.expressions.templates import template
from rulelang.semantics.names import nouns, seats
from rulelang.semantics.names.coercion import coerce, lower, number_of
from rulelang.semantics.names.scope import (
    BUILTINS,
    ActionName,
    ConstantName,
    DieName,
    Env,
    StateName,
    TypeName,
    World,
    ZoneName,
)
from rulelang.semantics.names.type_relations import BAD, Typed, name_of
from rulelang.semantics.names.type_syntax import written_type
from rulelang.semantics.statements import verbs
from rulelang.syntax import nodes
from rulelang.syntax.nodes.walk import walk

N = TypeVar("N", bound=nodes.Declaration)
MOST_SLOTS = 200_000
"""The most values of a variable, and the most places of a zone."""
MOST_IN_ALL = 1_000_000
"""The most values and places of all variables and zones of a game together: a position is a list of about that length.
"""
MOST_MEMBERS = 2000
MOST_FACES = 1000
MOST_DICE = 200


def of_type(module: nodes.ModuleNode, type: type[N]) -> Iterator[N]:
    """Returns the declarations of one sort, in source order."""
    return (d for d in module.declarations if isinstance(d, type))


def declare(world: World, module: nodes.ModuleNode) -> None:
    """Enters everything that has a name."""
    variables = (v for s in of_type(module, nodes.StateDeclaration) for v in s.variables)
    world.mentioned = _mentioned(module.declarations)
    said = (group for node in of_type(module, nodes.NamesDeclaration) for group in node.groups)
    world.written_names = {name.text: type for names, type in said for name in names}
    world.later = {v.name.text for v in variables} | {v.name.text for v in of_type(module, nodes.ValueDeclaration)}
    _enums(world, module)
    _nouns(world, module)
    _kind_names(world, module)
    _constants(world, module)
    _dice(world, module)
    entered = enter_boards(world, module)
    _kinds(world, module)
    declare_boards(world, entered)
    _names(world, module)
    _options(world, module)
    world.later = set()
    for clock in of_type(module, nodes.ClockDeclaration):
        clocks.declare_clock(world, clock)
    _states(world, module)
    for i, data in enumerate(of_type(module, nodes.DataDeclaration)):
        tables.declare_data(world, data, i)
    for value in of_type(module, nodes.ValueDeclaration):
        values.declare_value(world, value)
    verbs.declare_eliminate(world)
    replaced = {hook.verb.text for hook in of_type(module, nodes.HookDeclaration) if hook.when == "instead"}
    for verb in of_type(module, nodes.VerbDeclaration):
        verbs.declare_verb(world, verb, is_replaced=verb.name.text in replaced)
    for action in of_type(module, nodes.ActionDeclaration):
        world.declare(action.name, ActionName(action, action.name.span, world.new_procedure()))
    _look_up(world, module)


def _look_up(world: World, module: nodes.ModuleNode) -> None:
    """Reports maps of boards, and actions `beside` others, that name a board or action that does not exist."""
    named = [board.name.text for board in of_type(module, nodes.BoardDeclaration)]
    for drawing in of_type(module, nodes.DrawingDeclaration):
        if drawing.board is not None and drawing.board.text not in named:
            world.unknown(drawing.board.text, drawing.board.span, "no board", named)
    actions = [action.name.text for action in of_type(module, nodes.ActionDeclaration)]
    for other in (other for action in of_type(module, nodes.ActionDeclaration) for other in action.beside):
        if other.text not in actions:
            world.unknown(other.text, other.span, "no action", actions)


def builtin_states(world: World) -> None:
    """Enters the variables that the language itself declares, such as `players`, `mover` and `turn`."""
    player = world.player
    for name, type, dimensions in (
        ("all players", SetType(player), ()),
        ("players", SetType(player), ()),
        ("mover", player.or_none(), ()),
        ("turn", IntType(0, LARGEST), ()),
        ("round", IntType(0, LARGEST), ()),
        ("depth", IntType(0, 1000), ()),
        ("extra_turn", IntType(0, 1000), (player,)),
        ("skip_turn", IntType(0, 1000), (player,)),
    ):
        world.turn_states[name] = world.state(name, None, dimensions, type, builtin=True)


def _enums(world: World, module: nodes.ModuleNode) -> None:
    for node in of_type(module, nodes.EnumDeclaration):
        members = tuple(m.text for m in node.members)
        if len(members) > MOST_MEMBERS:
            message = f"`{node.name.text}` has {len(members)} members"
            world.sink.report("E0313", message, node.name.span, f"at most {MOST_MEMBERS}")
            members = members[:MOST_MEMBERS]
        seen: set[str] = set()
        for member in node.members[:MOST_MEMBERS]:
            if member.text in seen:
                world.sink.report("E0202", f"`{member.text}` appears twice in `{node.name.text}`", member.span)
            seen.add(member.text)
            if member.text in BUILTINS:
                world.sink.report("E0203", f"`{member.text}` is built in and cannot be declared", member.span)
        type = EnumType(node.name.text, members)
        world.declare(node.name, TypeName(type, node.name.span))
        world.site("enum", node.span, node.cites)
        words.enter_enum(world, node)
        for i, text in enumerate(members):
            world.members[text] = (*world.members.get(text, ()), (type, i))


def _nouns(world: World, module: nodes.ModuleNode) -> None:
    for node in of_type(module, nodes.NounDeclaration):
        if node.name.text in world.nouns:
            world.sink.report("E0202", f"the noun `{node.name.text}` is declared twice", node.name.span)
        one = nouns.raw(node.one)
        world.nouns[node.name.text] = one, nouns.raw(node.many) or plural(one)
        world.site("noun", node.span, node.cites)


def _kind_names(world: World, module: nodes.ModuleNode) -> None:
    world.kind_ids["Player"] = 0
    alike = tuple(range(world.players[1]))
    called = tuple(name for name, _ in world.seat_words)
    if len(called) < len(alike):
        called = tuple(f"player {seat + 1}" for seat in alike) if not called else world.seats
    looks = tuple(look for _, look in world.seat_words)[: len(alike)]
    looks = looks if any(look.shape or look.sign for look in looks) else ()
    kind = ir.Kind(0, "Player", "player", len(alike), world.seats, (), alike, False, "players", called, looks=looks)
    world.kinds.append(kind)
    for node in module.declarations:
        if isinstance(node, nodes.KindDeclaration | nodes.BoardDeclaration) and node.name.text not in world.kind_ids:
            id = len(world.kinds)
            world.kind_ids[node.name.text] = id
            label = nouns.raw(node.label) or noun_from(node.name.text)
            many = nouns.raw(node.plural) if isinstance(node, nodes.KindDeclaration) else ""
            several = many or plural(label)
            world.kinds.append(ir.Kind(id, node.name.text, label, 0, (), (), (), False, several))
            world.declare(node.name, TypeName(KindType(node.name.text, 0), node.name.span))
        elif isinstance(node, nodes.KindDeclaration | nodes.BoardDeclaration):
            world.sink.report("E0202", f"`{node.name.text}` is declared twice", node.name.span)


def _mentioned(node: object) -> set[str]:
    """Returns the names that are written inside a node."""
    found = set()
    for part in walk(node):
        if isinstance(part, nodes.NameExpression):
            found.add(part.text)
        elif isinstance(part, nodes.NamedTypeNode):
            found.add(part.name)
    return found


def _in_order(world: World, declared: dict[str, N], body: str) -> list[N]:
    """Returns declarations in an order in which each follows those that its `body` mentions; reports a cycle."""
    done: dict[str, N] = {}
    under_way: dict[str, list[str]] = {}
    """For each declaration in progress: the names that it still waits for."""
    for first in declared:
        waiting = [first] if first not in done else []
        while waiting:
            name = waiting[-1]
            if name not in under_way:
                needed = _mentioned(getattr(declared[name], body))
                under_way[name] = sorted((n for n in needed if n in declared and n != name), reverse=True)
            if not under_way[name]:
                done[name] = declared[name]
                waiting.pop()
                continue
            other = under_way[name].pop()
            if other in done:
                continue
            if other in under_way:
                world.sink.report("E0405", f"`{name}` and `{other}` depend on each other", declared[name].span)
            else:
                waiting.append(other)
    return list(done.values())


def _constants(world: World, module: nodes.ModuleNode) -> None:
    declared: dict[str, nodes.ConstantDeclaration] = {}
    for node in of_type(module, nodes.ConstantDeclaration):
        if node.name.text in declared:
            world.sink.report(
                "E0202",
                f"`{node.name.text}` is declared twice",
                node.name.span,
                labels=(Label(declared[node.name.text].span, "first declared here"),),
            )
            continue
        declared[node.name.text] = node
    for node in _in_order(world, declared, "value"):
        circular = [n for n in sorted(_mentioned(node.value)) if n in declared and n not in world.globals]
        for name in circular:
            world.declare(declared[name].name, ConstantName(0, BAD, declared[name].name.span))
        if node.name.text in world.globals:
            continue
        value = lower(world, Env(), node.value)
        world.site("constant", node.span, node.cites)
        if isinstance(value.type, BadType):
            world.declare(node.name, ConstantName(0, BAD, node.name.span))
        elif isinstance(value.ir, ir.Const):
            world.declare(node.name, ConstantName(value.ir.value, value.type, node.name.span))
        else:
            world.sink.report("E0311", "a constant must be known before the game starts", node.value.span)
            world.declare(node.name, ConstantName(0, BAD, node.name.span))


def _dice(world: World, module: nodes.ModuleNode) -> None:
    for node in of_type(module, nodes.DieDeclaration):
        if len(world.dice) == MOST_DICE:
            world.sink.report("E0313", "these are too many dice", node.name.span, f"at most {MOST_DICE}")
            break
        faces: list[int] = []
        for face in node.faces:
            value = lower(world, Env(), face)
            if isinstance(value.type, SetType) and isinstance(value.ir, ir.Const):
                faces.extend(i for i in range(value.ir.value.bit_length()) if value.ir.value >> i & 1)
            elif isinstance(value.ir, ir.Const) and isinstance(value.type, IntType):
                faces.append(value.ir.value)
            elif not isinstance(value.type, BadType):
                world.sink.report("E0302", "a die's faces are numbers", face.span)
        if len(faces) > MOST_FACES:
            message = f"`{node.name.text}` has {len(faces)} faces"
            world.sink.report("E0313", message, node.name.span, f"at most {MOST_FACES}")
            faces = faces[:MOST_FACES]
        id = len(world.dice)
        world.dice.append(ir.Die(id, node.name.text, tuple(faces) or (1,)))
        world.declare(node.name, DieName(id, tuple(faces), node.name.span))
        world.site("die", node.span, node.cites)


def _kinds(world: World, module: nodes.ModuleNode) -> None:
    declared = {n.name.text: n for n in of_type(module, nodes.KindDeclaration)}
    for node in _in_order(world, declared, "fields"):
        tables.declare_kind(world, node)


def _names(world: World, module: nodes.ModuleNode) -> None:
    for node in of_type(module, nodes.NamesDeclaration):
        for names, written in node.groups:
            type = written_type(world, written)
            for name in names:
                if name.text in BUILTINS:
                    world.sink.report("E0203", f"`{name.text}` is built in and cannot be a name", name.span)
                world.parameter_types[name.text] = type


def _options(world: World, module: nodes.ModuleNode) -> None:
    for node in of_type(module, nodes.OptionDeclaration):
        type = written_type(world, node.type, node.name.text)
        if not isinstance(type, IntType | FlagType | EnumType | BadType) and type.certain() != world.player:
            message = f"an option is a number, a flag, an enum or a player, not {name_of(type)}"
            world.sink.report("E0204", message, node.type.span)
            type = BadType()
        id = world.state(node.name.text, None, (), type, option=True)
        if node.label is not None:
            world.states[id] = attrs.evolve(world.states[id], text=ir.Template((nouns.raw(node.label),), (None,)))
        if isinstance(node.type, nodes.MapTypeNode):
            world.map_options.setdefault(node.type.board.text, id)
        world.declare(node.name, StateName(id, None, (), type, node, node.name.span))
        default = tables.typed_constant(world, node.default, type) if node.default is not None else None
        if default is not None:
            world.states[id] = attrs.evolve(world.states[id], initial=ir.Const(default))
        world.site("option", node.span, node.cites)


# ------------------------------------------------------------------ state


def _states(world: World, module: nodes.ModuleNode) -> None:
    movable = {
        v.type.kind.text
        for s in of_type(module, nodes.StateDeclaration)
        for v in s.variables
        if isinstance(v.type, nodes.ZoneTypeNode)
    }
    places: dict[str, int] = {}
    for board in world.maps:
        if board not in world.map_options:
            span = world.globals[board].span
            help = f"let the table choose: `option map: map of {board} = …`"
            world.sink.report("E0314", f"nothing says which map of `{board}` is played on", span, help=help)
    for name, id in world.kind_ids.items():
        if name in movable and name not in world.boards and name != "Player":
            world.kinds[id] = attrs.evolve(world.kinds[id], movable=True)
            world.boxes[name] = len(world.zones)
            world.zones.append(ir.Zone(len(world.zones), "box", "group", id, None, (), 0, "all", None, (), None, None))
            places[name] = 1
    for state in of_type(module, nodes.StateDeclaration):
        owner = _owner(world, state)
        world.site("state", state.span, state.cites)
        for variable in state.variables:
            if isinstance(variable.type, nodes.BoxTypeNode):
                enter_box(world, state, variable)
            elif isinstance(variable.type, nodes.ZoneTypeNode):
                _zone(world, owner, variable, variable.type, places)
            else:
                _variable(world, owner, variable)
    shapes = [*(s.dimensions for s in world.states), *(z.dimensions for z in world.zones)]
    in_all = sum(prod([_width(type) for type in shape]) for shape in shapes)
    if in_all > MOST_IN_ALL:
        span = next(s.span for s in of_type(module, nodes.StateDeclaration))
        message = f"the variables and zones of this game have {in_all} values"
        world.sink.report("E0313", message, span, f"at most {MOST_IN_ALL} in all")


def _owner(world: World, state: nodes.StateDeclaration) -> KindType | None:
    if state.owner is None:
        return None
    if state.owner.text == "Player":
        return world.player
    meaning = world.globals.get(state.owner.text)
    if isinstance(meaning, TypeName) and isinstance(meaning.type, KindType):
        return meaning.type
    world.unknown(state.owner.text, state.owner.span, "no kind", [*world.kind_ids])
    return None


def _dimensions(
    world: World, owner: KindType | None, variable: nodes.VariableNode
) -> tuple[tuple[Type, ...], tuple[ir.Variable, ...]]:
    head = values.head_of(world, variable.parameters)
    names = head.variables
    own = (world.variable(owner.name[0].lower() + owner.name[1:], owner), *names) if owner is not None else names
    return tuple(v.type for v in own), own


def _enter(world: World, owner: KindType | None, variable: nodes.VariableNode, meaning: StateName | ZoneName) -> None:
    name = variable.name.text
    if owner is None:
        world.declare(variable.name, meaning)
        return
    known = world.owned.get((owner.name, name))
    if known is not None:
        world.sink.report(
            "E0202",
            f"{owner.name} has a `{name}` already",
            variable.name.span,
            labels=(Label(known.span, "first declared here"),),
        )
        return
    world.owned[owner.name, name] = meaning


def _zone(
    world: World,
    owner: KindType | None,
    variable: nodes.VariableNode,
    written: nodes.ZoneTypeNode,
    places: dict[str, int],
) -> None:
    name = variable.name.text
    kind = world.kind_ids.get(written.kind.text)
    if kind is None or written.kind.text not in world.boxes:
        things = [k for k, i in world.kind_ids.items() if k != "Player" and k not in world.boards]
        world.unknown(written.kind.text, written.kind.span, "no kind of thing", things)
        _bad_variable(world, owner, variable)
        return
    dimensions, _ = _dimensions(world, owner, variable)
    width = 1
    for type in dimensions:
        width *= max(1, _width(type))
    if width > MOST_SLOTS:
        world.sink.report("E0313", f"`{name}` has {width} places", variable.name.span, f"at most {MOST_SLOTS}")
        return
    zone = ir.Zone(
        len(world.zones), name, written.form, kind, owner.name if owner else None, dimensions,
        places[written.kind.text], "all", None, (), None, None, world.site("zone", variable.span, variable.cites),
    )  # fmt: skip
    places[written.kind.text] += width
    world.zones.append(zone)
    if written.form == "pile":
        world.stream(f"shuffle {name}")
    type = KindType(written.kind.text, world.kinds[kind].size)
    _enter(
        world, owner, variable,
        ZoneName(zone.id, written.form, type, zone.owner, dimensions, variable, variable.name.span),
    )  # fmt: skip
    if variable.initial is not None:
        world.sink.report("E0307", "a zone starts empty", variable.initial.span, help="move things there in `setup:`")


def _width(type: Type) -> int:
    return size_of(type) if isinstance(type, IntType | FlagType | EnumType | KindType) else 1


def _variable(world: World, owner: KindType | None, variable: nodes.VariableNode) -> None:
    name = variable.name.text
    type = written_type(world, variable.type, f"{owner.name + ' ' if owner else ''}{name}")
    dimensions, _ = _dimensions(world, owner, variable)
    width = 1
    for dimension in dimensions:
        width *= max(1, _width(dimension))
    if width > MOST_SLOTS:
        world.sink.report("E0313", f"`{name}` has {width} values", variable.name.span, f"at most {MOST_SLOTS}")
        return
    site = world.site("variable", variable.span, variable.cites)
    scratch = any(m.what == "scratch" for m in variable.modifiers)
    id = world.state(name, owner.name if owner else None, dimensions, type, scratch=scratch, site=site)
    if any(m.until == "turn of owner ends" for m in variable.modifiers):
        more = {"builtin": True, "untold": True, "site": site}
        world.fresh[id] = world.state(f"{name}_is_fresh", owner.name if owner else None, dimensions, FlagType(), **more)
    _enter(
        world,
        owner,
        variable,
        StateName(id, owner.name if owner else None, dimensions, type, variable, variable.name.span),
    )


def _bad_variable(world: World, owner: KindType | None, variable: nodes.VariableNode) -> None:
    """Enters a variable or zone whose type is at fault, so that its uses are not faults, too."""
    dimensions, _ = _dimensions(world, owner, variable)
    holder = owner.name if owner is not None else None
    id = world.state(variable.name.text, holder, dimensions, BAD)
    _enter(world, owner, variable, StateName(id, holder, dimensions, BAD, None, variable.name.span))


def lower_states(world: World) -> None:
    """Lowers the initial values, visibility and other modifiers of variables and zones, once all names are known."""
    for meaning in [*world.globals.values(), *world.owned.values()]:
        if isinstance(meaning, StateName) and isinstance(meaning.node, nodes.VariableNode):
            state = world.states[meaning.id] = _with_details(world, meaning, meaning.node)
            if meaning.id in world.fresh:
                of = world.states[world.fresh[meaning.id]]
                world.states[of.id] = attrs.evolve(
                    of, visible=state.visible, seen_by=state.seen_by, initial_names=state.initial_names
                )
        elif isinstance(meaning, ZoneName) and meaning.node is not None:
            world.zones[meaning.id] = _zone_details(world, meaning, meaning.node)
    cover_boxes(world)


def _scope(
    world: World, owner: str | None, node: nodes.VariableNode, dimensions: tuple[Type, ...]
) -> tuple[Env, tuple[ir.Variable, ...]]:
    names = [p.name.text for p in node.parameters]
    if owner is not None:
        names.insert(0, owner[0].lower() + owner[1:])
    variables = tuple(world.variable(n, d) for n, d in zip(names, dimensions, strict=True))
    return Env(name=node.name.text).bind(*variables), variables


def _with_details(world: World, meaning: StateName, node: nodes.VariableNode) -> ir.StateVariable:
    env, names = _scope(world, meaning.owner, node, meaning.dimensions)
    state = _worded(world, world.states[meaning.id], node, env)
    if node.initial is not None:
        value = lower(world, env, node.initial, meaning.type)
        expr = coerce(world, value, meaning.type, node.initial.span)
        tables.check_range(world, value, meaning.type, node.initial.span)
        if not meaning.type.optional and not isinstance(meaning.type, SetType):
            seats.warn_empty(
                world, env, (expr,), f"`none` does not fit into {name_of(meaning.type)}", node.initial.span
            )
        state = attrs.evolve(state, initial=expr, initial_names=names)
    visible, seen_by, seen_names = _visibility(world, meaning, node, names, env)
    return attrs.evolve(
        state,
        visible=visible,
        seen_by=seen_by,
        initial_names=names if state.initial is not None or seen_names else state.initial_names,
    )


def _worded(world: World, state: ir.StateVariable, node: nodes.VariableNode, env: Env) -> ir.StateVariable:
    """Returns a variable with its name for people, its text, whether it is untold, and until when it lasts."""
    for modifier in node.modifiers:
        match modifier.what:
            case "called":
                state = attrs.evolve(state, called=nouns.raw(modifier.text))
            case "text":
                state = attrs.evolve(state, text=template(world, Env(name=env.name), modifier.text))
            case "untold":
                state = attrs.evolve(state, untold=True)
            case "until":
                state = attrs.evolve(state, until=moment_of(world, node, modifier, state))
            case _:  # the other modifiers have no words
                pass
    return state


def _zone_details(world: World, meaning: ZoneName, node: nodes.VariableNode) -> ir.Zone:
    env, names = _scope(world, meaning.owner, node, meaning.dimensions)
    visible, seen_by, seen_names = _visibility(world, meaning, node, names, env)
    zone = attrs.evolve(world.zones[meaning.id], visible=visible, seen_by=seen_by, seen_names=seen_names)
    for modifier in node.modifiers:
        if modifier.what == "at most" and modifier.value is not None:
            zone = attrs.evolve(zone, capacity=_capacity(world, meaning, modifier.value))
        if modifier.what == "refills from" and modifier.value is not None:
            zone = attrs.evolve(zone, refills_from=_refill(world, meaning, modifier.value))
        if modifier.what == "called":
            zone = attrs.evolve(zone, called=nouns.raw(modifier.text))
        if modifier.what == "text":
            zone = attrs.evolve(zone, text=template(world, Env(name=env.name), modifier.text))
        if modifier.what == "untold":
            zone = attrs.evolve(zone, untold=True)
        if modifier.what == "top face up":
            zone = attrs.evolve(zone, top_up=_has_open_top(world, meaning, node))
    return zone


def _capacity(world: World, meaning: ZoneName, node: nodes.Expression) -> ir.Expr:
    most = number_of(world, Env(), node).ir
    if meaning.form == "slot" and isinstance(most, ir.Const) and most.value > 1:
        help = f"`group of {meaning.kind.name}, at most {most.value}` holds so many"
        world.sink.report("E0309", "a slot holds one thing at most", node.span, help=help)
    return most


def _has_open_top(world: World, meaning: ZoneName, node: nodes.VariableNode) -> bool:
    if meaning.form == "pile" and not meaning.dimensions:
        return True
    help = "only a pile of `the game has:` turns up what lies on top; elsewhere use `reveal`"
    world.sink.report("E0309", f"`{node.name.text}` has no top to turn up", node.name.span, help=help)
    return False


def _refill(world: World, meaning: ZoneName, node: nodes.Expression) -> int | None:
    name = node.text if isinstance(node, nodes.NameExpression) else ""
    source = world.globals.get(name) or world.owned.get((meaning.owner or "", name))
    if isinstance(source, ZoneName) and source.kind == meaning.kind:
        return source.id
    zones = [n for n, m in world.globals.items() if isinstance(m, ZoneName) and m.kind == meaning.kind]
    world.unknown(name or "this", node.span, "no zone of the same kind", zones)
    return None


def _visibility(
    world: World, meaning: StateName | ZoneName, node: nodes.VariableNode, names: tuple[ir.Variable, ...], env: Env
) -> tuple[ir.SeenBy, ir.Expr | None, tuple[ir.Variable, ...]]:
    for modifier in node.modifiers:
        if modifier.what == "face up":
            return "all", None, ()
        if modifier.what == "face down":
            return "nobody", None, ()
        if modifier.what != "seen by" or modifier.value is None:
            continue
        value = modifier.value
        if isinstance(value, nodes.NameExpression) and value.text == "nobody":
            return "nobody", None, ()
        if isinstance(value, nodes.NameExpression) and value.text == "owner":
            if meaning.owner != "Player":
                world.sink.report("E0402", "this has no owner to see it", value.span, help="write `seen by nobody`")
            return "owner", None, ()
        if "owner" in _mentioned(value) and "owner" not in world.globals:
            if meaning.owner is None:
                message = "this has no owner who could see it"
                world.sink.report("E0402", message, value.span, help="only what `each … has:` declares has one")
                return "nobody", None, ()
            if all(v.name != "owner" for v in names):
                env = env.naming("owner", Typed(ir.Local(names[0].id), names[0].type))
        seen = lower(world, env, value, SetType(world.player))
        return "expr", coerce(world, seen, SetType(world.player), value.span), names
    return "all", None, ()
