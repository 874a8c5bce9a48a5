"""Sentences that say what was asked for, where something else may come about: IR -> a warning for each.

to pay(p, n: 0..9) "{p} pays {n}": p.gold -= n, at least 0     W0521: whoever has 1 does not pay 3
instead of pay(p, n) if p.lucky: settle                        W0521: "{p} pays {n}" is said all the same
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulelang.diagnostics.model import Label
from rulelang.ir import model as ir
from rulelang.ir.walk import walk
from rulelang.semantics.names.scope import World
from rulelang.source import NOWHERE


def check_promises(world: World, game: ir.GameRules) -> None:
    """Warns of a number in a sentence that a clamp may cut, and of a sentence that is said of what a hook replaces."""
    for rule, names, body in _told(game):
        promised = _promised(rule, names)
        for statement in walk(body) if promised else ():
            if isinstance(statement, ir.Assign) and (statement.least or statement.most) is not None:
                name = promised.get(_amount(statement))
                if name is not None and not _reads(rule, statement.place.state):
                    promised = {}  # Once for each sentence.
                    message = f"“{{{name}}}” is what is asked for; what comes about is cut here"
                    label = Label(rule.span, "the sentence")
                    help_ = f"say what comes about, such as {{min({name}, …)}}"
                    world.sink.report("W0521", message, game.sites[statement.site].span, labels=(label,), help=help_)
    for hook in game.hooks:
        of, instead = game.procedures[hook.of], game.procedures[hook.procedure]
        replaced = None if of.rule is None else game.rules[of.rule]
        if hook.when == "instead" and replaced is not None and _says(replaced) and not _proceeds(instead):
            message = f"the sentence of `{replaced.name}` is said all the same where this takes its place"
            span = game.rules[instead.rule].span if instead.rule is not None else replaced.span
            label = Label(replaced.span, "the sentence")
            help_ = 'let it have another for when it comes to nothing: `else "…"`'
            world.sink.report("W0521", message, span, labels=(label,), help=help_)


def _says(rule: ir.Rule) -> bool:
    """Returns whether a verb of the rules (not a built-in one, which has words of its own) has one sentence alone."""
    return (
        rule.span is not NOWHERE
        and rule.what == "verb"
        and rule.label is not None
        and rule.otherwise is None
        and not rule.untold
    )


def _proceeds(procedure: ir.Procedure) -> bool:
    return any(isinstance(node, ir.Proceed) for node in walk(procedure.body))


def _told(game: ir.GameRules) -> Iterator[tuple[ir.Rule, Mapping[int, int], object]]:
    """Yields the rules with a sentence: each with the parameters of its body by its own, and its body."""
    for procedure in game.procedures:
        if procedure.rule is not None:
            rule = game.rules[procedure.rule]
            yield rule, {v.id: v.id for v in rule.parameters}, procedure.body
    for choice in game.choices:
        for branch in choice.branches:
            begun = (n for n in walk(branch.body) if isinstance(n, ir.BeginBody) and n.rule == branch.rule)
            for begin in begun:
                rule = game.rules[begin.rule]
                pairs = zip(rule.parameters, begin.arguments, strict=False)
                given = {v.id: a.id for v, a in pairs if isinstance(a, ir.Local)}
                yield rule, given, branch.body
                for call in (node for node in walk(branch.body) if isinstance(node, ir.Call)):
                    of = game.procedures[call.procedure]
                    passed = zip(call.arguments, of.parameters, strict=False)
                    inside = {a.id: v.id for a, v in passed if isinstance(a, ir.Local)}
                    yield rule, {own: inside[id] for own, id in given.items() if id in inside}, of.body


def _reads(rule: ir.Rule, state: int) -> bool:
    """Returns whether the sentence of a rule says what there is as well: `{p} owes {n} and has {p.gold}`."""
    return any(isinstance(node, ir.Read) and node.state == state for node in walk(_sentence(rule)))


def _sentence(rule: ir.Rule) -> ir.Template | None:
    """Returns the sentence that is told once a rule is done; None if it has but the words of a menu."""
    return rule.told if rule.what in ("action", "option") else rule.label


def _promised(rule: ir.Rule, names: Mapping[int, int]) -> dict[int, str]:
    """Returns the parameters of a body, with their names, that the sentence of its rule says as they are."""
    sentence = _sentence(rule)
    holes = () if sentence is None or rule.untold else sentence.parts
    whole = [part.of if isinstance(part, ir.Counted) else part for part in holes]
    said = {part.id for part in whole if isinstance(part, ir.Local)}
    return {names[v.id]: v.name for v in rule.parameters if v.id in said and v.id in names}


def _amount(statement: ir.Assign) -> int:
    """Returns the local by which a statement adds or takes away; -1 if there is none."""
    value = statement.value
    if isinstance(value, ir.Op) and value.name == "neg":
        value = value.arguments[0]
    return value.id if statement.operator == "+" and isinstance(value, ir.Local) else -1
