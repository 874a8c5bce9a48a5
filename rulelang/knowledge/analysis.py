"""Rules -> the secrets in them, found by following where hidden values flow (`ir.flow`).

secrets_of(game).locals      the ids of the locals that hold a secret
"""

from __future__ import annotations

from rulelang.ir.flow.course import FlowWalk, information_flow
from rulelang.ir.model import Assign, BeginBody, Call, Const, Defer, GameRules, Local, Op
from rulelang.ir.picks import pick_kinds
from rulelang.ir.walk import walk
from rulelang.knowledge.secrets import Secrets, is_hidden


def secrets_of(game: GameRules) -> Secrets:
    """Returns the secrets of a game."""
    course = information_flow(game)
    locals = frozenset(course.secret_locals)
    found = list(walk((game.procedures, game.choices)))
    asked = _asked(game, course, found)
    constants: dict[tuple[int, int], bool] = {}
    for node in found:
        if isinstance(node, Assign):
            key = (node.site, node.place.state)
            plain = node.operator == "=" and all(isinstance(n, (Const, Op)) for n in walk(node.value))
            constants[key] = constants.get(key, True) and plain
    rules = _by_rule(game, locals, found)
    scratch = frozenset(state for state, label in course.scratch.items() if label)
    picks, covert = pick_kinds(game, movable=False), course.destinations.unnoticed
    secrets = Secrets(locals, rules, asked, constants, picks, covert, scratch, game)
    secrets.__dict__["course"] = course
    return secrets


def _asked(game: GameRules, course: FlowWalk, statements: list[object]) -> dict[int, frozenset[int]]:
    """Returns, by hidden variable, the answers written into it unchanged and nowhere else, through any depth of verbs."""
    parameters = {p.variable.id for choice in game.choices for branch in choice.branches for p in branch.parameters}
    handed: dict[int, set[int]] = {}
    changed = True
    while changed:
        changed = False
        for node in statements:
            if isinstance(node, (Call, Defer)):
                for variable, argument in zip(game.procedures[node.procedure].parameters, node.arguments, strict=False):
                    if isinstance(argument, Local):
                        whole = handed.setdefault(variable.id, {variable.id})
                        more = handed.get(argument.id, {argument.id})
                        changed |= not more <= whole
                        whole |= more
    found: dict[int, frozenset[int]] = {}
    for node in statements:
        if isinstance(node, Assign) and is_hidden(game.states[node.place.state]) and isinstance(node.value, Local):
            origins = handed.get(node.value.id, {node.value.id}) & parameters
            origins = {origin for origin in origins if course.destinations.of(origin)}
            found[node.place.state] = found.get(node.place.state, frozenset()) | origins
    return {state: origins for state, origins in found.items() if origins}


def _by_rule(game: GameRules, secret: frozenset[int], statements: list[object]) -> tuple[tuple[bool, ...], ...]:
    flags = [[parameter.id in secret for parameter in rule.parameters] for rule in game.rules]
    for procedure in game.procedures:
        if procedure.rule is not None:
            for i, variable in enumerate(procedure.parameters[: len(flags[procedure.rule])]):
                flags[procedure.rule][i] |= variable.id in secret
    for node in statements:
        if isinstance(node, BeginBody):
            for i, argument in enumerate(node.arguments[: len(flags[node.rule])]):
                flags[node.rule][i] |= any(isinstance(node, Local) and node.id in secret for node in walk(argument))
    return tuple(tuple(row) for row in flags)
