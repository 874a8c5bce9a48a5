"""Declarations that nothing uses: the trees of a game -> a warning for each.

value twice = heap * 2      W0524: no rule, text, screen, scenario or variant reads it
to rest(): heap = 0         W0524: nothing calls it
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from rulelang.diagnostics.model import Diagnostic, Sink
from rulelang.ir import model as ir
from rulelang.ir.walk import asks, reachable
from rulelang.syntax import nodes
from rulelang.syntax.nodes.walk import walk

_NAMES = (nodes.NameExpression, nodes.IdentNode)
READ_BY_BOTS = "score"
"""The value that nothing in the rules has to read."""


def check_unused(game: ir.GameRules, module: nodes.ModuleNode, others: Iterable[nodes.Node]) -> tuple[Diagnostic, ...]:
    """Returns a warning of each verb, action, value and option that nothing mentions outside of itself; `others` are the
    variants and scenarios, which may."""
    if not any(asks(game, game.procedures[id].body) for id in reachable(game, {game.main})):
        return ()  # Where nobody is asked, nothing is played yet.
    sink = Sink()
    declared = [(what, name, node) for node in module.declarations for what, name in _named(node)]
    used = Counter(name for node in module.declarations for name in _names_in(node))
    used.update(part.text for node in others for part in walk(node) if isinstance(part, _NAMES))
    for _, name, node in declared:
        used[name.text] -= sum(1 for inside in _names_in(node) if inside == name.text)
    for what, name, _ in declared:
        if not used[name.text] and name.text != READ_BY_BOTS:
            sink.report("W0524", f"nothing uses {what} `{name.text}`", name.span, help="take it out, or use it")
            used[name.text] += 1  # Once for all of its cases.
    return sink.sorted()


def _named(node: nodes.Node) -> Iterator[tuple[str, nodes.IdentNode]]:
    """Yields the words for a declaration and its name, if others have to use it."""
    match node:
        case nodes.VerbDeclaration(name=name):
            yield "the verb", name
        case nodes.ActionDeclaration(name=name, when=None):
            yield "the action", name
        case nodes.ValueDeclaration(name=name):
            yield "the value", name
        case nodes.OptionDeclaration(name=name):
            yield "the option", name
        case _:  # types, things and boards are what there is, and rules apply by themselves
            return


def _names_in(node: nodes.Node) -> Iterator[str]:
    """Yields the names that are read or called in a node, once for each time."""
    for part in walk(node):
        if isinstance(part, nodes.NameExpression):
            yield part.text
        elif isinstance(part, nodes.ChooseStatement | nodes.OptionNode):
            yield from (name.text for name in walk(part) if isinstance(name, nodes.IdentNode))
