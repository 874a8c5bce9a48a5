"""Reports lines and names that are given twice where only one can count, so that none is silently ignored.

players 2
players 3                    E0202: which one?
to pay(n, n): …              E0202: both parameters are called `n`
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulelang.diagnostics.model import Label
from rulelang.semantics.names.scope import World
from rulelang.source import Span
from rulelang.syntax import nodes
from rulelang.syntax.nodes.walk import walk

Written = tuple[str, Span]
"""A text, and the place where it is written."""
_LISTING = (
    nodes.Declaration,
    nodes.LetStatement,
    nodes.AssignStatement,
    nodes.ChooseStatement,
    nodes.OptionNode,
    nodes.VariableNode,
)


def check_repeated(world: World, module: nodes.ModuleNode) -> None:
    """Reports header lines, parameters, names, marks, clamps, options and modifiers that are given twice."""
    for node in walk(module.declarations):
        if isinstance(node, _LISTING):
            for what, written in _lists(node):
                _report(world, what, written)
    _report(world, "`{0}` names two rules", list(_rule_names(module.declarations)))
    _names(world, module)


def check_repeated_in(world: World, scenario: nodes.ScenarioDeclaration) -> None:
    """Reports options and places that a scenario sets twice."""
    for what, written in _lists(scenario):
        _report(world, what, written)


def _report(world: World, what: str, written: Iterable[Written]) -> None:
    first: dict[str, Span] = {}
    for text, span in written:
        if text in first and first[text] != span:
            labels = (Label(first[text], "first here"),)
            world.sink.report("E0202", what.format(text), span, "written again", labels=labels)
        first.setdefault(text, span)


def _lists(node: nodes.Node) -> Iterator[tuple[str, list[Written]]]:
    """Yields lists in which nothing may occur twice, each with the message if it does."""
    match node:
        case nodes.GameDeclaration(lines=lines):
            # The modules that read the other lines report their repetitions.
            kinds = ("players", "seats", "rulebook")
            yield "the header says twice: `{0}`", [(line.what, line.span) for line in lines if line.what in kinds]
        case nodes.KindDeclaration(rows=rows):
            yield "two rows are called `{0}`", _column(rows, "name")
        case nodes.BoardDeclaration(rows=rows):
            yield "the mark {0} appears twice in the legend", _column(rows, "mark")
        case nodes.LetStatement(clamps=clamps) | nodes.AssignStatement(clamps=clamps):
            yield "{0} is said twice", [("`at least`" if c.least else "`at most`", c.span) for c in clamps]
        case nodes.ChooseStatement(actions=actions, options=options):
            yield "`{0}` is offered twice", [(i.text, i.span) for i in (*actions, *(o.name for o in options))]
        case nodes.ScenarioDeclaration(options=options, steps=steps):
            yield "`{0}` is agreed on twice", [(name.text, name.span) for name, _ in options]
            yield from (("`{0}` is given twice", given) for given in _givens(steps))
        case nodes.VariableNode(modifiers=modifiers):
            yield "{0} is said twice", [(_aspect(m), m.span) for m in modifiers]
        case _:  # any other node may repeat a parameter
            pass
    parameters = getattr(node, "parameters", ())
    if parameters and isinstance(parameters[0], nodes.ParameterNode):
        yield "two parameters are called `{0}`", [(p.name.text, p.name.span) for p in parameters]


def _column(rows: tuple[nodes.RowNode, ...], name: str) -> list[Written]:
    head = [cell.text if isinstance(cell, nodes.NameExpression) else "" for cell in rows[0].cells] if rows else []
    if name not in head:
        return []
    at = head.index(name)
    cells = [row.cells[at] for row in rows[1:] if at < len(row.cells)]
    return [(cell.span.text, cell.span) for cell in cells if cell is not None]


def _aspect(modifier: nodes.ModifierNode) -> str:
    faces = ("face up", "face down", "seen by")
    return "who sees it" if modifier.what in faces else f"`{modifier.what}`"


def _givens(steps: tuple[nodes.ScenarioStep, ...]) -> Iterator[list[Written]]:
    """Yields runs of consecutive givens; after another step, the same place may be given again."""
    given: list[Written] = []
    for step in steps:
        if isinstance(step, nodes.GivenStep):
            at = step.at.span.text if step.at is not None else ""
            given += [
                (f"{' '.join(place.span.text.split())}{at and ' at '}{at}", place.span) for place, _ in step.assignments
            ]
        else:
            yield given
            given = []
    yield given


def _rule_names(declarations: tuple[nodes.Declaration, ...]) -> Iterator[Written]:
    """Yields the `as` names of rules, by which variants refer to them."""
    for declaration in declarations:
        if (
            isinstance(declaration, nodes.HookDeclaration | nodes.WheneverDeclaration | nodes.AdjustDeclaration)
            and declaration.label is not None
        ):
            yield declaration.label.text, declaration.label.span


def _names(world: World, module: nodes.ModuleNode) -> None:
    """Reports a name to which `names` lines give two types."""
    first: dict[str, tuple[str, Span]] = {}
    for declaration in module.declarations:
        for names, type in declaration.groups if isinstance(declaration, nodes.NamesDeclaration) else ():
            written = " ".join(type.span.text.split())
            for name in names:
                known = first.setdefault(name.text, (written, name.span))
                if known[0] != written:
                    labels = (Label(known[1], f"`{known[0]}`"),)
                    message = f"`{name.text}` is said to be two things"
                    world.sink.report("E0202", message, name.span, f"`{written}`", labels=labels)
