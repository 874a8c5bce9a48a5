"""The `aim:` block: tree -> IR, with every way to end the game named by one of its lines.

ends last_ship "The last ship wins"      AimEnding(rules=(17,), goal=Template(…), told=None)
"""

from __future__ import annotations

from collections.abc import Iterable

from rulelang.diagnostics.model import Label
from rulelang.ir import model as ir
from rulelang.ir.walk import walk
from rulelang.semantics.expressions.templates import shown_fields, template
from rulelang.semantics.names.scope import Env, World
from rulelang.syntax import nodes


def lower_aim(world: World, aims: list[nodes.AimDeclaration]) -> ir.Aim | None:
    """Returns the lines of all `aim:` blocks as IR; None if there is none. To be called once all bodies are lowered."""
    if not aims:
        return None
    for aim in aims:
        world.site("aim", aim.span, aim.cites)
    lines = [line for aim in aims for line in aim.lines]
    for line in lines:
        world.site("aim", line.span, line.cites)
    _check_repeated(world, lines)
    ends = _ways_to_end(world)
    endings = tuple(_ending(world, line, ends) for line in lines if line.what == "ends")
    named = {rule for ending in endings for rule in ending.rules}
    for rule in sorted(ends - named):
        _report_unnamed(world, world.rules[rule], aims[0])
    texts = {line.what: _text(world, line) for line in lines if line.what != "ends"}
    nothing = ir.AimText()
    return ir.Aim(texts.get("about", nothing), texts.get("lasts", nothing), texts.get("progress", nothing), endings)


def _text(world: World, line: nodes.AimLineNode) -> ir.AimText:
    """Lowers a line of sentences; only a line of progress is read by a seat that it may name as `viewer`."""
    viewer = ir.Variable(0, "viewer", world.player.or_none()) if line.what == "progress" else None
    return ir.AimText(shown_fields(world, Env(viewer=viewer, name="aim"), line.fields), _clauses(line))


def _ending(world: World, line: nodes.AimLineNode, ends: set[int]) -> ir.AimEnding:
    rules = tuple(rule for name in line.names for rule in _rules_of(world, name, ends))
    goal = shown_fields(world, Env(name="aim"), line.fields)[0]
    return ir.AimEnding(rules, goal, template(world, Env(name="aim"), line.told), _clauses(line))


def _rules_of(world: World, name: nodes.IdentNode, ends: set[int]) -> list[int]:
    """Returns the rules of a name that end the game; reports a name that no such rule has."""
    named = [rule.id for rule in world.rules if rule.name == name.text]
    if not named:
        world.unknown(name.text, name.span, "no rule is", sorted({world.rules[rule].name for rule in ends}))
    found = [rule for rule in named if rule in ends]
    if named and not found:
        message = f"`{name.text}` does not end the game"
        world.sink.report("W0520", message, name.span, "no `finish` stands in it", help="leave the name out")
    return found


def _ways_to_end(world: World) -> set[int]:
    """Returns the rules whose bodies hold a `finish`."""
    bodies: Iterable[object] = (tuple(world.procedures.values()), tuple(world.choices))
    return {node.rule for node in walk(bodies) if isinstance(node, ir.Finish)}


def _report_unnamed(world: World, rule: ir.Rule, aim: nodes.AimDeclaration) -> None:
    named = rule.name.isidentifier()
    help = f'add a line `ends {rule.name} "…"`' if named else "give the rule a name with `as`, for a line `ends`"
    message = f"the aim does not say that {f'`{rule.name}`' if named else 'this rule'} ends the game"
    labels = (Label(aim.span, "the aim"),)
    world.sink.report("W0520", message, rule.span, "a `finish` stands in it", labels=labels, help=help)


def _check_repeated(world: World, lines: list[nodes.AimLineNode]) -> None:
    first: dict[str, nodes.AimLineNode] = {}
    for line in lines:
        for what, span in (
            [(line.what, line.span)] if line.what != "ends" else [(f"ends {n.text}", n.span) for n in line.names]
        ):
            before = first.setdefault(what, line)
            if before is not line:
                world.sink.report(
                    "E0202", f"the aim says `{what}` twice", span, labels=(Label(before.span, "first here"),)
                )


def _clauses(line: nodes.AimLineNode) -> tuple[str, ...]:
    return tuple(cite.id for cite in line.cites)
