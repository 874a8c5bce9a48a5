"""Sentences that say what was asked for, where something else may come about: IR -> a warning for each.

to pay(p, n: 0..9) "{p} pays {n}": p.gold -= n, at least 0     W0521: whoever has 1 does not pay 3
instead of pay(p, n) if p.lucky: settle                        W0521: "{p} pays {n}" is said all the same

The amount is followed into the verbs that are called, up to one that says something of it itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from rulelang.diagnostics.model import Label
from rulelang.ir import model as ir
from rulelang.ir.walk import called_values, read_in, walk
from rulelang.semantics.names.scope import World
from rulelang.source import NOWHERE


def check_promises(world: World, game: ir.GameRules) -> None:
    """Warns of a number in a sentence that a clamp may cut, and of a sentence that is said of what a hook replaces."""
    for told in _told(game):
        promised = _promised(told)
        for cut in _cuts(game, told.rule, told.body, promised) if promised else ():
            if not (_reads(told.rule, cut.change.place.state) or _is_guarded(game, told, cut)):
                message = f"“{{{cut.name}}}” is what is asked for; what comes about is cut here"
                label = Label(told.rule.span, "the sentence")
                help_ = f"say what comes about, such as {{min({cut.name}, …)}}"
                world.sink.report("W0521", message, game.sites[cut.change.site].span, labels=(label,), help=help_)
                break  # Once for each sentence.
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


@attrs.frozen
class _Told:
    """A rule with a sentence, and the body that it tells of."""

    rule: ir.Rule
    names: Mapping[int, int]
    """The parameters of the body, by those of the rule."""
    body: object
    by: ir.Procedure | tuple[ir.Choice, ir.Branch]
    """Its verb, or the choice and the branch of it."""


@attrs.frozen
class _Cut:
    """A clamped change by an amount that a sentence says."""

    name: str
    change: ir.Assign
    way: tuple[tuple[object, ir.Call], ...]
    """The bodies that the amount is passed through, each with its call of the next verb."""
    body: object
    """The body that makes the change."""


def _told(game: ir.GameRules) -> Iterator[_Told]:
    """Yields the rules with a sentence."""
    for procedure in game.procedures:
        if procedure.rule is not None:
            rule = game.rules[procedure.rule]
            yield _Told(rule, {v.id: v.id for v in rule.parameters}, procedure.body, procedure)
    for choice in game.choices:
        for branch in choice.branches:
            begun = (n for n in walk(branch.body) if isinstance(n, ir.BeginBody) and n.rule == branch.rule)
            for begin in begun:
                rule = game.rules[begin.rule]
                pairs = zip(rule.parameters, begin.arguments, strict=False)
                given = {v.id: a.id for v, a in pairs if isinstance(a, ir.Local)}
                yield _Told(rule, given, branch.body, (choice, branch))


def _cuts(
    game: ir.GameRules,
    rule: ir.Rule,
    body: object,
    promised: Mapping[int, str],
    way: tuple[tuple[object, ir.Call], ...] = (),
) -> Iterator[_Cut]:
    """Yields the clamped changes by promised amounts, in a body and in the verbs that it passes an amount to.

    A verb whose own sentence says something of the amount is left out: people read there what comes about.
    """
    for node in walk(body):
        if isinstance(node, ir.Assign) and (node.least or node.most) is not None:
            name = promised.get(_amount(node))
            if name is not None:
                yield _Cut(name, node, way, body)
        elif isinstance(node, ir.Call) and all(call.procedure != node.procedure for _, call in way):
            of = game.procedures[node.procedure]
            pairs = zip(node.arguments, of.parameters, strict=False)
            passed = {v.id: promised[a.id] for a, v in pairs if isinstance(a, ir.Local) and a.id in promised}
            if passed and not _says_something_of(game, of, rule, passed):
                yield from _cuts(game, rule, of.body, passed, (*way, (body, node)))


def _says_something_of(game: ir.GameRules, procedure: ir.Procedure, rule: ir.Rule, passed: Mapping[int, str]) -> bool:
    """Returns whether a procedure has a sentence of its own, other than that of `rule`, that reads what it is passed."""
    if procedure.rule is None or procedure.rule == rule.id:
        return False
    own = game.rules[procedure.rule]
    return not own.untold and not read_in(own.label, own.otherwise).isdisjoint(passed)


# ------------------------------------------------------------------ whether somebody asks before


def _is_guarded(game: ir.GameRules, told: _Told, cut: _Cut) -> bool:
    """Returns whether a change in a called verb may never be cut for this sentence, but only for others that call the
    verb: something on each way to it asks about the variable. One that nobody is told of is bookkeeping."""
    if all(game.procedures[call.procedure].rule in (None, told.rule.id) for _, call in cut.way):
        return False  # It stands in the rule itself, which would not clamp in vain.
    state = cut.change.place.state
    if game.states[state].untold or game.states[state].scratch:
        return True
    steps: tuple[tuple[object, ir.Statement], ...] = (*cut.way, (cut.body, cut.change))
    asked = tuple(one for body, step in steps for one in _asked_before(body, step))
    if isinstance(told.by, tuple):
        return _is_read(game, state, (asked, _asked_for(game, *told.by)))
    at = next((i for i, v in enumerate(told.by.parameters) if v.name == cut.name), None)
    return at is None or _is_read(game, state, asked) or not _comes_unasked(game, state, told.by, at, frozenset())


def _comes_unasked(game: ir.GameRules, state: int, procedure: ir.Procedure, at: int, seen: frozenset[int]) -> bool:
    """Returns whether the argument number `at` of a verb comes from
    somewhere without anything on the way that reads a variable."""
    for caller, body, asked in _callers(game):
        for call in (n for n in walk(body) if isinstance(n, ir.Call) and n.procedure == procedure.id):
            if _is_read(game, state, (asked, call.arguments, *_asked_before(body, call))):
                continue
            given = {a.id for a in call.arguments[at : at + 1] if isinstance(a, ir.Local)}
            own = () if caller is None else caller.parameters
            passed = next((i for i, v in enumerate(own) if v.id in given), None)
            if caller is None or passed is None:
                return True
            if caller.id not in seen and _comes_unasked(game, state, caller, passed, seen | {procedure.id}):
                return True
    return False


def _callers(game: ir.GameRules) -> Iterator[tuple[ir.Procedure | None, object, object]]:
    """Yields the bodies that may call verbs, each with its procedure, if it has one, and with all that is asked before."""
    yield from ((procedure, procedure.body, ()) for procedure in game.procedures)
    for choice in game.choices:
        yield None, choice.when_none, (choice.condition, choice.source)
        yield from ((None, branch.body, _asked_for(game, choice, branch)) for branch in choice.branches)


def _asked_for(game: ir.GameRules, choice: ir.Choice, branch: ir.Branch) -> tuple[object, ...]:
    """Returns all that decides whether a branch is offered, and with which values."""
    asking = [
        (procedure.body, node)
        for procedure in game.procedures
        for node in walk(procedure.body)
        if isinstance(node, ir.Ask) and node.choice == choice.id
    ]
    before = (one for body, ask in asking for one in _asked_before(body, ask))
    conditions = tuple(need.condition for need in branch.needs)
    return choice.condition, choice.source, conditions, branch.parameters, *before


def _asked_before(body: object, step: ir.Statement) -> Iterator[object]:
    """Yields the parts of a body that may decide whether it comes to a step: the conditions around the step, those that
    may leave the body before, and the values of its names."""
    for node in walk(body):
        match node:
            case ir.Bind(value=value):
                yield value
            case ir.When(branches=branches) if _holds(node, step) or _leaves(node):
                yield from (condition for condition, _, _ in branches)
            case ir.Loop(condition=condition, source=source) if _holds(node, step):
                yield condition, source
            case ir.Repeat(condition=condition, times=times) if _holds(node, step):
                yield condition, times
            case _:  # no other part of a body decides what runs
                pass


def _holds(node: object, step: ir.Statement) -> bool:
    return any(part is step for part in walk(node))


def _leaves(node: object) -> bool:
    return any(isinstance(part, ir.Return | ir.Stop) for part in walk(node))


def _is_read(game: ir.GameRules, state: int, asked: tuple[object, ...]) -> bool:
    """Returns whether a variable is read in some parts of a game, or in the values that they call."""
    values = (game.values[id] for id in called_values(game, asked))
    within = (asked, tuple((value.cases, value.adjustments) for value in values))
    return any(isinstance(node, ir.Read) and node.state == state for node in walk(within))


# ------------------------------------------------------------------ sentences


def _reads(rule: ir.Rule, state: int) -> bool:
    """Returns whether the sentence of a rule says what there is as well: `{p} owes {n} and has {p.gold}`."""
    return any(isinstance(node, ir.Read) and node.state == state for node in walk(_sentence(rule)))


def _sentence(rule: ir.Rule) -> ir.Template | None:
    """Returns the sentence that is told once a rule is done; None if it has but the words of a menu."""
    return rule.told if rule.what in ("action", "option") else rule.label


def _promised(told: _Told) -> dict[int, str]:
    """Returns the parameters of a body, with their names, that the sentence of its rule says as they are."""
    rule, names, sentence = told.rule, told.names, _sentence(told.rule)
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
