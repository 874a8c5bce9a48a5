"""Declarations that nothing uses: the trees of a game -> a warning for each.

value twice = heap * 2      W0524: no rule, text, screen, scenario or variant reads it
to rest(): heap = 0         W0524: nothing calls it
let x = d6                  W0524: nothing rolls the die that `x` stands for
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
    for node in module.declarations:
        _look_for_dice(sink, module, node)
    return sink.sorted()


def _look_for_dice(sink: Sink, module: nodes.ModuleNode, node: nodes.Node) -> None:
    """Reports each `let` of a declaration that stands for a die which nothing rolls."""
    dice = {other.name.text for other in module.declarations if isinstance(other, nodes.DieDeclaration)}
    read = set(_names_in(node)) if dice else set()
    for let in walk(node) if dice else ():
        if isinstance(let, nodes.LetStatement) and _is_die(let.value, dice):
            name = let.name.text
            dice.add(name)
            if name not in read:
                help = f"write `let {name} = roll(…)` for a throw of it"
                sink.report("W0524", f"nothing uses `{name}`, which is a die, not a throw", let.name.span, help=help)


def _is_die(value: nodes.Expression, dice: set[str]) -> bool:
    match value:
        case nodes.NameExpression(text=text):
            return text in dice
        case nodes.ConditionalExpression(then=then, otherwise=otherwise):
            return _is_die(then, dice) and _is_die(otherwise, dice)
        case _:  # any other value is worked out
            return False


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
