"""A game -> the parts that a round or a turn goes through, and what is chosen in each.

overview(game, steps)     Section("glance", "Overview", (StepList((Item("Programming: “Which route?” Take the … route"),)),))
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulelang.ir import model as ir
from rulelang.ir.walk import walk
from rulelang.knowledge.redaction import VALUE
from rulelang.machines.legal import abolished_by, agreed_by_default
from rulelang.prose.words import Plain, Words, begun, flat, plain_text, row
from rulelang.rulebook.printed.model import Item, Paragraph, Section, StepList
from rulelang.rulebook.printed.steps import StatementProse, link, procedure_target, target


def overview(game: ir.GameRules, steps: StatementProse) -> Section | None:
    """Returns the section that lists the parts of the course of play, in order; None if nobody chooses anything."""
    course = [p for p in game.procedures if _what(game, p) == "play"]
    phases = [_part(game, steps, phase) for phase in _phases(game, course)]
    beside = tuple(_questions(game, steps, _asked(game, steps, course)))
    items = (*(Item(words) for words in beside), *phases)
    if not items:
        return None
    said = "A game goes through these parts, over and over, until it ends:" if phases else "Those who play choose:"
    return Section("glance", "Overview", (Paragraph((Plain(said),)), StepList(items, ordered=bool(phases))))


def _part(game: ir.GameRules, steps: StatementProse, phase: ir.Procedure) -> Item:
    """Returns the line on a phase: its title, which leads to its section, and the questions asked in it."""
    assert phase.rule is not None
    rule = game.rules[phase.rule]
    said = rule.told or rule.label or rule.called
    name = steps.about(phase).prose.template(said) if said is not None else (Plain(rule.name.replace("_", " ")),)
    title = (link(begun(name), procedure_target(phase, rule)),)
    asked = tuple(_questions(game, steps, _asked(game, steps, [phase])))
    if not asked:
        return Item(flat(title, "."), rule.clauses)
    if len(asked) == 1:
        return Item(flat(title, ": ", *asked), rule.clauses)
    return Item(flat(title, ":"), rule.clauses, tuple(map(Item, asked)))


def _questions(game: ir.GameRules, steps: StatementProse, choices: Iterator[ir.Choice]) -> Iterator[Words]:
    """Yields the questions of some choices, each once, with the actions among which one chooses."""
    found: set[str] = set()
    for choice in choices:
        say = steps.about(choice.who, choice.prompt)
        prompt = () if choice.prompt is None else flat("“", say.prose.template(choice.prompt), "”")
        options = row(tuple(_options(game, steps, choice)), ", ", " or ")
        words = flat(prompt, " " if prompt and options else "", options)
        if words and plain_text(words) not in found:
            found.add(plain_text(words))
            yield words


def _options(game: ir.GameRules, steps: StatementProse, choice: ir.Choice) -> Iterator[Words]:
    agreed = agreed_by_default(game)
    for branch in choice.branches:
        rule = game.rules[branch.rule]
        if branch.interrupt or branch.name == VALUE or abolished_by(branch, agreed) is not None:
            continue
        if branch.declines:
            yield (Plain("nothing"),)
        elif target(rule) in steps.elsewhere:
            yield (link(steps.about(rule).menu(rule), target(rule)),)
        else:
            yield steps.about(rule).menu(rule)


def _phases(game: ir.GameRules, course: list[ir.Procedure]) -> list[ir.Procedure]:
    """Returns the phases that the course of play calls, in order."""
    return [one for one in _called(game, course, lambda _: True) if _what(game, one) == "phase"]


def _asked(game: ir.GameRules, steps: StatementProse, of: list[ir.Procedure]) -> Iterator[ir.Choice]:
    """Yields the choices of procedures and of what is described in them, in the order of the rules."""
    for procedure in _called(game, of, lambda called: called.id in steps.inside):
        yield from (game.choices[node.choice] for node in walk(procedure.body) if isinstance(node, ir.Ask))


def _called(
    game: ir.GameRules, of: list[ir.Procedure], follows: Callable[[ir.Procedure], bool]
) -> Iterator[ir.Procedure]:
    """Yields procedures, and those that they call as far as one follows, each once; not what is called by actions."""
    waiting, seen = of[::-1], set[int]()
    while waiting:
        procedure = waiting.pop()
        if procedure.id in seen:
            continue
        seen.add(procedure.id)
        yield procedure
        called = [
            game.procedures[node.procedure] for node in walk(procedure.body) if isinstance(node, ir.Call | ir.Defer)
        ]
        waiting += [one for one in reversed(called) if follows(one)]


def _what(game: ir.GameRules, procedure: ir.Procedure) -> str:
    return "" if procedure.rule is None else game.rules[procedure.rule].what
