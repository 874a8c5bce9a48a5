"""Loops in which a player may act who is already out of the game: IR -> a warning for each.

for p in players: p chooses one of hit       W0527: an earlier pass can have eliminated p
for p in players: strike(p, next(p))         likewise, if `strike` eliminates
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

import attrs

from rulelang.ir import model as ir
from rulelang.ir.walk import closure, walk
from rulelang.semantics.names.scope import World

Part: TypeAlias = tuple[str, int, frozenset[int]]
"""A procedure or choice that a loop leads to: which of the two, its id, and the locals in it that are the loop's player."""


def check_gone(world: World, game: ir.GameRules) -> None:
    """Warns of a loop over `players` in which each acts, where one pass can eliminate a player of a later one."""
    if not any(isinstance(node, ir.Eliminate) for node in walk(game.procedures)):
        return
    for loop in _loops(game):
        paths = _Paths(game, loop)
        if not paths.eliminates_others():
            continue
        acts = "is asked all the same" if paths.asks() else "acts all the same" if paths.strikes() else None
        if acts is not None:
            name = loop.variable.name
            message = f"`{name}` may be out of the game when its turn comes, and {acts}"
            help_ = (
                f"to skip eliminated players, write `for {name} in players if {name} in players:`; if all are to act, "
                f"name them before the loop (`let those = players`), and loop over `those`"
            )
            span = game.sites[loop.site].span
            world.sink.report("W0527", message, span, "those who play when the loop begins", help=help_)


def _loops(game: ir.GameRules) -> Iterator[ir.Loop]:
    """Yields the loops over all who play that ask nothing when each one's turn comes."""
    left = game.players_left
    for node in walk((game.procedures, game.choices)):
        if isinstance(node, ir.Loop) and node.condition is None:
            if any(_is_left(part, left) for part in walk(node.source)):
                yield node


def _is_left(node: object, left: int) -> bool:
    return isinstance(node, ir.Read) and node.state == left


@attrs.define
class _Paths:
    """The parts of the rules that a loop leads to, each with the locals that stand for the loop's player in it."""

    game: ir.GameRules
    loop: ir.Loop
    called: frozenset[Part] = attrs.field(init=False)
    """What its body leads to by itself."""
    standing: frozenset[Part] = attrs.field(init=False)
    """What the standing rules lead to, with which a choice ends."""

    def __attrs_post_init__(self) -> None:
        own = frozenset({self.loop.variable.id})
        self.called = frozenset(closure(self._leads_to(self.loop.body, own), self._after))
        rules = [rule.procedure for rule in self.game.whenevers if any(what == "choice" for what, _, _ in self.called)]
        self.standing = frozenset(closure([("procedure", id, frozenset[int]()) for id in rules], self._after))

    def asks(self) -> bool:
        """Returns whether the loop's player is asked."""
        choices = [(self.game.choices[id], own) for what, id, own in self.called if what == "choice"]
        return any(_is_own(choice.who, own) for choice, own in choices)

    def strikes(self) -> bool:
        """Returns whether a procedure that is given the loop's player eliminates somebody else."""
        given = [part for part in self.called if part[0] == "procedure" and part[2]]
        return any(self._eliminates(part) for start in given for part in closure([start], self._after))

    def eliminates_others(self) -> bool:
        """Returns whether somebody else than the loop's player can be eliminated."""
        return any(self._eliminates(part) for part in self.called | self.standing)

    def _eliminates(self, part: Part) -> bool:
        nodes = walk(self._content(part))
        return any(isinstance(node, ir.Eliminate) and not _is_own(node.who, part[2]) for node in nodes)

    def _after(self, part: Part) -> Iterator[Part]:
        yield from self._leads_to(self._content(part), part[2])

    def _content(self, part: Part) -> object:
        what, id, _ = part
        return self.game.procedures[id].body if what == "procedure" else self.game.choices[id]

    def _leads_to(self, content: object, own: frozenset[int]) -> Iterator[Part]:
        for node in walk(content):
            if isinstance(node, ir.Call | ir.Defer):
                given = [at for at, argument in enumerate(node.arguments) if _is_own(argument, own)]
                hooks = [hook.procedure for hook in self.game.hooks if hook.of == node.procedure]
                for id in (node.procedure, *hooks):
                    parameters = self.game.procedures[id].parameters
                    yield "procedure", id, frozenset(parameters[at].id for at in given if at < len(parameters))
            elif isinstance(node, ir.Ask):
                choice = self.game.choices[node.choice]
                actor = {choice.actor.id} if choice.actor is not None and _is_own(choice.who, own) else set[int]()
                yield "choice", node.choice, own | actor


def _is_own(who: ir.Expr | None, own: frozenset[int]) -> bool:
    return isinstance(who, ir.Local) and who.id in own
