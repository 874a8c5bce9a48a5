"""A game -> its single declarations by target, so that two games can be compared.

each Player has:                 ("has", "Player", "fuel"), ("has", "Player", "push")
  fuel: 0..9
  push: 0..9
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulelang.syntax import nodes
from rulelang.syntax.nodes.walk import word_of
from rulelang.syntax.printing.printer import print_module
from rulelang.variants import targets
from rulelang.variants.targets import TargetPath, shown


@attrs.frozen
class Declared:
    """One single declaration, such as one variable of an `each … has` with several."""

    node: nodes.Declaration
    text: str


def differing(old: dict[TargetPath, Declared], new: dict[TargetPath, Declared]) -> Iterator[TargetPath]:
    """Yields the targets of declarations that differ, in the
    order of the first game; additions of the second come last."""
    for target, one in old.items():
        if target not in new or new[target].text != one.text:
            yield target
    yield from (target for target in new if target not in old)


def declared(module: nodes.ModuleNode) -> dict[TargetPath, Declared]:
    """Returns the declarations of a game by target; similar declarations without names are numbered."""
    names = targets.parameter_names(module.declarations)
    found: dict[TargetPath, Declared] = {}
    for node in _apart(module):
        base = target = _target(node, names)
        number = 1
        while target in found:
            number += 1
            target = (*base, number)
        text = print_module(nodes.ModuleNode((node,), span=node.span))
        if isinstance(node, nodes.GameDeclaration) and node.lines:
            text = text.partition("\n")[2]
        found[target] = Declared(node, text)
    return found


def _apart(module: nodes.ModuleNode) -> Iterator[nodes.Declaration]:
    """Yields single declarations, splitting those of several variables or names."""
    for node in module.declarations:
        match node:
            case nodes.StateDeclaration(_, variables):
                yield from (attrs.evolve(node, variables=(variable,)) for variable in variables)
            case nodes.NamesDeclaration(groups=groups):
                yield from (attrs.evolve(node, groups=(group,)) for group in groups)
            case nodes.GameDeclaration(lines=lines):
                yield from (attrs.evolve(node, lines=part) for part in ((), *((line,) for line in lines)))
            case _:  # any other declaration declares one thing
                yield node


def _target(node: nodes.Declaration, names: frozenset[str]) -> TargetPath:
    match node:
        case nodes.StateDeclaration(variables=(variable,)):
            return targets.variable_target(node, variable)
        case nodes.NamesDeclaration(groups=((given, _),)):
            return ("names", *(name.text for name in given))
        case nodes.GameDeclaration(lines=lines):
            return ("game", lines[0].what if lines else "title")
        case _:  # any other declaration is its target, or one of its kind
            return targets.target_of(node, names) or (word_of(node),)


def declarations_of(declared: dict[TargetPath, Declared]) -> Iterator[nodes.Declaration]:
    """Yields declarations, with the lines of the header joined again."""
    header = [one.node for one in declared.values() if isinstance(one.node, nodes.GameDeclaration)]
    if header:
        yield attrs.evolve(header[0], lines=tuple(line for game in header for line in game.lines))
    yield from (one.node for one in declared.values() if not isinstance(one.node, nodes.GameDeclaration))


def phrase(target: TargetPath) -> str:
    """Returns a target's name in messages."""
    if isinstance(target[-1], int):
        target = target[:-1]
    return f"`names {', '.join(map(str, target[1:]))}`" if target[0] == "names" else shown(target)
