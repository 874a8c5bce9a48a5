"""Two games -> the declarations that differ: added, removed or changed, with both texts and the clauses they cite.

    constant size = 21              constant size = 15              changed, changes play
    "{p} moves {n} forward"         "{p} flies {n} on"              changed, words alone

Whether a difference changes play is tried, not guessed: the first game is checked with that one declaration of the second
in it, and its rules hash is compared with the first game's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

import attrs

from rulelang.api import Game
from rulelang.driver.chain import of_module, run
from rulelang.ir.digest import rules_digest
from rulelang.source import Span
from rulelang.syntax import nodes
from rulelang.syntax.printing.printer import print_module
from rulelang.syntax.walk import walk
from rulelang.variants import targets
from rulelang.variants.targets import Target, shown


class Kind(Enum):
    """What became of a declaration."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


class Effect(Enum):
    """What one difference does by itself."""

    PLAY = "changes play"
    WORDS = "words alone"
    TOGETHER = "changes play only together with others"
    """By itself it does not make rules that can be checked."""


@attrs.frozen
class Difference:
    """One declaration that is not the same in both games; `before` or `after` is "" where it is not there."""

    target: str
    """`starting_fuel`, or the zone, hook or case that it is, as messages name it."""
    kind: Kind
    effect: Effect
    before: str
    after: str
    clauses: tuple[str, ...]
    """All that either text cites, each once."""
    span: Span = attrs.field(repr=False, eq=False)
    """Where it stands, in the second game if it is there."""


@attrs.frozen
class _Declared:
    """One declaration by itself: a variable alone, of an `each … has` with several."""

    node: nodes.Declaration
    text: str


def differences(before: Game, after: Game) -> tuple[Difference, ...]:
    """Returns what differs, in the order of the first game, what the second one adds at the end.

    >>> from rulelang.api import load
    >>> [d.target for d in differences(load("outspeed"), load("outspeed+sprint"))]
    ['`after stack_tiles`']
    """
    old, new = _declared(before.module), _declared(after.module)
    comparing = _Comparing(before, old, new)
    return tuple(comparing.difference(target) for target in _differing(old, new))


def _differing(old: dict[Target, _Declared], new: dict[Target, _Declared]) -> Iterator[Target]:
    for target, one in old.items():
        if target not in new or new[target].text != one.text:
            yield target
    yield from (target for target in new if target not in old)


def _declared(module: nodes.Module) -> dict[Target, _Declared]:
    """Returns the declarations of a game by target; of several without names that look alike, each by its number."""
    names = targets.parameter_names(module.declarations)
    found: dict[Target, _Declared] = {}
    for node in _apart(module):
        base = target = _target(node, names)
        number = 1
        while target in found:
            number += 1
            target = (*base, number)
        text = print_module(nodes.Module((node,), span=node.span))
        if isinstance(node, nodes.Game) and node.lines:
            text = text.partition("\n")[2]
        found[target] = _Declared(node, text)
    return found


def _apart(module: nodes.Module) -> Iterator[nodes.Declaration]:
    """Yields declarations, those of several variables or names one by one."""
    for node in module.declarations:
        match node:
            case nodes.State(_, variables):
                yield from (attrs.evolve(node, variables=(variable,)) for variable in variables)
            case nodes.Names(groups=groups):
                yield from (attrs.evolve(node, groups=(group,)) for group in groups)
            case nodes.Game(lines=lines):
                yield from (attrs.evolve(node, lines=part) for part in ((), *((line,) for line in lines)))
            case _:
                yield node


def _target(node: nodes.Declaration, names: frozenset[str]) -> Target:
    match node:
        case nodes.State(variables=(variable,)):
            return targets.variable_target(node, variable)
        case nodes.Names(groups=((given, _),)):
            return ("names", *(name.text for name in given))
        case nodes.Game(lines=lines):
            return ("game", lines[0].what if lines else "title")
    return targets.target_of(node, names) or (type(node).__name__,)


@attrs.frozen
class _Comparing:
    game: Game
    """The first one."""
    old: dict[Target, _Declared]
    new: dict[Target, _Declared]

    def difference(self, target: Target) -> Difference:
        before, after = self.old.get(target), self.new.get(target)
        kind = Kind.CHANGED if before and after else Kind.REMOVED if before else Kind.ADDED
        there = after or before
        assert there is not None
        cites = [cite.id for one in (before, after) if one for cite in walk(one.node) if isinstance(cite, nodes.Cite)]
        return Difference(
            _phrase(target),
            kind,
            self._effect(target, after),
            before.text if before else "",
            after.text if after else "",
            tuple(dict.fromkeys(cites)),
            there.node.span,
        )

    def _effect(self, target: Target, after: _Declared | None) -> Effect:
        """Tries the first game with this one difference."""
        mixed = dict(self.old)
        if after is not None:
            mixed[target] = after
        else:
            del mixed[target]
        unit = run(of_module(nodes.Module(tuple(_joined(mixed)), span=self.game.module.span)))
        if unit.woven is None or unit.lowered is None:
            return Effect.TOGETHER
        return Effect.WORDS if rules_digest(unit.lowered) == self.game.rules_hash else Effect.PLAY


def _joined(declared: dict[Target, _Declared]) -> Iterator[nodes.Declaration]:
    """Yields declarations with the lines of the header in one again."""
    header = [one.node for one in declared.values() if isinstance(one.node, nodes.Game)]
    if header:
        yield attrs.evolve(header[0], lines=tuple(line for game in header for line in game.lines))
    yield from (one.node for one in declared.values() if not isinstance(one.node, nodes.Game))


def _phrase(target: Target) -> str:
    if isinstance(target[-1], int):
        target = target[:-1]
    return f"`names {', '.join(map(str, target[1:]))}`" if target[0] == "names" else shown(target)
