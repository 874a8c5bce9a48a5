"""Unrolls recursive verbs into one copy for each depth, because machines have no call stack.

    to spread(c) at most 2 deep: …       spread, spread, spread; the last one's call of itself is a Fail

Mutually recursive verbs get a copy for each reachable combination of depths.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import attrs

from rulelang.ir import model as ir
from rulelang.ir.walk import calls_in, reachable, rewrite, walk

MOST_COPIES = 1000
"""The most copies of procedures that the recursion of a game may need."""

Depths: TypeAlias = tuple[tuple[int, int], ...]
"""The (procedure, depth) of each active procedure with a depth limit, sorted by procedure."""


class TooMany(Exception):
    """The recursion of a procedure needs too many copies."""

    def __init__(self, procedure: ir.Procedure) -> None:
        self.procedure = procedure
        super().__init__(procedure.name)


def unroll(game: ir.GameRules) -> ir.GameRules:
    """Returns a game with copies in place of recursive procedures; raises TooMany if it needs more than `MOST_COPIES`."""
    deep = {p.id: p.recursion for p in game.procedures if p.recursion is not None}
    if not deep:
        return game
    return _Unrolling(game, deep).whole()


@attrs.define
class _Unrolling:
    game: ir.GameRules
    deep: dict[int, int]
    procedures: list[ir.Procedure] = attrs.field(init=False)
    choices: list[ir.Choice] = attrs.field(init=False)
    circles: dict[int, frozenset[int]] = attrs.field(init=False)
    """By recursive procedure: all procedures that it is mutually recursive with, itself included."""
    copies: dict[tuple[int, Depths], int] = attrs.field(factory=dict)
    waiting: list[tuple[int, int, Depths]] = attrs.field(factory=list)
    """(copy, original, depths) of the copies that are still to be made."""
    variables: int = 0
    loops: int = 0

    def __attrs_post_init__(self) -> None:
        self.procedures, self.choices = list(self.game.procedures), list(self.game.choices)
        self.variables = max((n.id for n in walk(self.game) if isinstance(n, ir.Variable)), default=0)
        self.loops = max((n.id for n in walk(self.game) if isinstance(n, ir.Loop | ir.Repeat)), default=0)
        after = {p.id: reachable(self.game, calls_in(self.game, p.body)) for p in self.game.procedures}
        own = [id for id, others in after.items() if id in others]
        self.circles = {id: frozenset(o for o in own if o in after[id] and id in after[o]) for id in own}

    def whole(self) -> ir.GameRules:
        """Returns the game without recursion."""
        for procedure in self.game.procedures:
            if procedure.id not in self.circles:
                self.procedures[procedure.id] = self._redirected(procedure)
        values = rewrite(self.game.values, self._foreseen)
        while self.waiting:
            copy, original, depths = self.waiting.pop()
            self.procedures[copy] = self._copy(copy, self.game.procedures[original], depths)
        for id in self.circles:
            # Only the copies of recursive procedures are called from now on.
            self.procedures[id] = attrs.evolve(self.procedures[id], body=(), recursion=None)
        done = tuple(attrs.evolve(p, recursion=None) for p in self.procedures)
        return attrs.evolve(self.game, procedures=done, choices=tuple(self.choices), values=values)

    def _redirected(self, procedure: ir.Procedure) -> ir.Procedure:
        """Returns a non-recursive procedure with its calls of recursive ones redirected to their first copies."""

        def change(node: Any) -> Any:
            return self._call(node, (), frozenset()) if isinstance(node, ir.Call) else self._foreseen(node)

        for id in sorted(_asked(self.game, procedure.body)):
            self.choices[id] = rewrite(self.choices[id], change)
        return attrs.evolve(procedure, body=rewrite(procedure.body, change))

    def _foreseen(self, node: Any) -> Any:
        """Returns a node, with a `Foreseen` of a recursive procedure redirected to its first copy."""
        if not isinstance(node, ir.Foreseen) or node.procedure not in self.circles:
            return node
        depths = ((node.procedure, 1),) if node.procedure in self.deep else ()
        return attrs.evolve(node, procedure=self._copy_of(node.procedure, depths))

    def _call(self, call: ir.Call, depths: Depths, circle: frozenset[int]) -> ir.Statement:
        """Returns a call redirected to the copy for its depth; a Fail if it would go too deep."""
        id = call.procedure
        if id not in self.circles:
            return call
        counts = dict(depths) if id in circle else {}
        if id in self.deep:
            counts[id] = counts.get(id, 0) + 1
            if counts[id] > self.deep[id] + 1:
                name = self.game.procedures[id].name
                return ir.Fail(f"`{name}` calls itself more than {self.deep[id]} deep", site=call.site)
        return attrs.evolve(call, procedure=self._copy_of(id, tuple(sorted(counts.items()))))

    def _copy_of(self, original: int, depths: Depths) -> int:
        key = original, depths
        if key not in self.copies:
            if len(self.copies) == MOST_COPIES:
                raise TooMany(self.game.procedures[original])
            self.copies[key] = len(self.procedures)
            self.procedures.append(self.game.procedures[original])
            self.waiting.append((self.copies[key], original, depths))
        return self.copies[key]

    def _copy(self, id: int, procedure: ir.Procedure, depths: Depths) -> ir.Procedure:
        """Returns a copy of a procedure with locals, loops and choices of its own."""
        circle = self.circles[procedure.id]
        asked = {old: len(self.choices) + i for i, old in enumerate(sorted(_asked(self.game, procedure.body)))}
        parts = (procedure, *(self.game.choices[old] for old in asked))
        locals = {n.id: self._next_local() for n in walk(parts) if isinstance(n, ir.Variable)}
        loops = {n.id: self._next_loop() for n in walk(parts) if isinstance(n, ir.Loop | ir.Repeat)}

        def change(node: Any) -> Any:
            match node:
                case ir.Variable(id=old):
                    return attrs.evolve(node, id=locals[old])
                case ir.Local(id=old):
                    return ir.Local(locals[old])
                case ir.Loop(id=old) | ir.Repeat(id=old):
                    return attrs.evolve(node, id=loops[old])
                case ir.Stop(loop=old):
                    return attrs.evolve(node, loop=loops[old])
                case ir.Ask(choice=old):
                    return attrs.evolve(node, choice=asked[old])
                case ir.Call():
                    return self._call(node, depths, circle)
                case _:  # any other node has no number, or foresees a call
                    return self._foreseen(node)

        self.choices.extend(attrs.evolve(rewrite(self.game.choices[old], change), id=new) for old, new in asked.items())
        copy: ir.Procedure = rewrite(procedure, change)
        return attrs.evolve(copy, id=id)

    def _next_local(self) -> int:
        self.variables += 1
        return self.variables

    def _next_loop(self) -> int:
        self.loops += 1
        return self.loops


def _asked(game: ir.GameRules, body: object) -> frozenset[int]:
    """Returns the choices that a body asks, directly or in the bodies of choices."""
    return frozenset(_each_asked(game, body, set()))


def _each_asked(game: ir.GameRules, body: object, seen: set[int]) -> Iterator[int]:
    for node in walk(body):
        if isinstance(node, ir.Ask) and node.choice not in seen:
            seen.add(node.choice)
            yield node.choice
            yield from _each_asked(game, game.choices[node.choice], seen)
