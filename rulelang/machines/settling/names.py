"""The names by which running rules can tell like things apart: what locals stand for, and what they are about to.

for c in hand: …              each card of the hand has its turn, so it is like no other
let c = random(d in hand)     c is like no other while c is in scope
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from rulelang.ir.facts import kind_of
from rulelang.ir.model import GameRules, Loop, Over, Variable
from rulelang.ir.numbers import Row
from rulelang.ir.types import SetType, Type, first_of
from rulelang.ir.walk import walk
from rulelang.machines.evaluate import Locals
from rulelang.program.control import Control
from rulelang.program.deferred import INNER, OUTERMOST, CallQueue
from rulelang.program.packing import items, members


class Names:
    """The things that the names of a running step stand for; a name may count for longer than it lives, which is never wrong."""

    def __init__(self, game: GameRules, control: Control) -> None:
        self.game, self.control = game, control
        self.block = 0
        """The block that runs."""
        nodes = list(walk((game.procedures, game.choices)))
        self._types = {node.id: node.type for node in nodes if isinstance(node, Variable)}
        self._loops = {node.id: node.variable.type for node in nodes if isinstance(node, Loop)}
        self._scopes: list[Locals] = []
        self._found: list[tuple[int, int]] = []
        """Kinds and masks of their things that had a turn or were found, in order."""

    @contextmanager
    def within(self, locals: Locals) -> Iterator[None]:
        """Counts the values of some locals meanwhile."""
        self._scopes.append(locals)
        try:
            yield
        finally:
            self._scopes.pop()

    def goes_over(self, loop: Loop, members: Iterable[int]) -> None:
        """Notes what a loop goes over: each of them has its turn."""
        kind = kind_of(loop.variable.type, self.game)
        if kind is not None:
            self._found += ((kind.id, 1 << member) for member in members)

    def found(self, over: Over, result: int) -> None:
        """Notes what a comprehension has come to, if that is a thing or a set of things."""
        kind = kind_of(over.names[0].type, self.game)
        if kind is None or result < 0:
            return
        if over.what == "first":
            self._found.append((kind.id, 1 << result))
        elif over.what in ("set", "best") and over.value is None:
            self._found.append((kind.id, result))

    def of(
        self, kind: int, row: Row, locals: Locals, deferred: Sequence[tuple[int, tuple[int, ...]]]
    ) -> Mapping[int, Hashable]:
        """Returns, by thing of a kind, the numbers of the names that stand for it or for a set that holds it."""
        masks = [mask for of, mask in self._found if of == kind]
        masks += self._locals_of(kind, self._living(row, locals))
        for scope in self._scopes:
            if scope is not locals:
                masks += self._locals_of(kind, scope)
        masks += self._awaited(kind, row)
        for procedure, arguments in deferred:
            masks += self._arguments_of(kind, procedure, arguments)
        named: dict[int, tuple[int, ...]] = {}
        for number, mask in enumerate(dict.fromkeys(masks)):
            for thing in members(mask):
                named[thing] = (*named.get(thing, ()), number)
        return named

    def _living(self, row: Row, locals: Locals) -> Locals:
        """Returns the locals of a step that are in scope, of those that outlive a region: slots of others are 0."""
        slots, running = self.control.slots, self._running(row)
        areas = [slots.areas[procedure] for procedure in running if procedure in slots.areas]
        return {
            id: value
            for id, value in locals.items()
            if id not in slots.variables or any(first <= slots.variables[id] < last for first, last in areas)
        }

    def _running(self, row: Row) -> list[int]:
        """Returns the cut procedures that run: the block's, the one that called it, and so on."""
        blocks, found = self.control.blocks.blocks, list[int]()
        at = self.block
        while at >= 0 and len(found) < len(self.game.procedures):
            found.append(procedure := blocks[at].procedure)
            address = self.control.slots.addresses.get(procedure)
            at = self.control.returns.get(procedure, -1) if address is None else row[address]
        return found

    def _locals_of(self, kind: int, locals: Locals) -> Iterator[int]:
        for id, value in locals.items():
            yield from self._mask(kind, self._types.get(id), value)

    def _arguments_of(self, kind: int, procedure: int, arguments: Iterable[int]) -> Iterator[int]:
        parameters = self.game.procedures[procedure].parameters
        for variable, value in zip(parameters, arguments, strict=True):
            yield from self._mask(kind, variable.type, value)

    def _mask(self, kind: int, type: Type | None, value: int) -> Iterator[int]:
        """Yields the mask of the things that a value stands for, if it has any of a kind."""
        if value >= 0 and self._is_of(type, kind):
            mask = value if isinstance(type, SetType) else 1 << value
            if mask:
                yield mask

    def _is_of(self, type: Type | None, kind: int) -> bool:
        own = kind_of(type, self.game)
        return own is not None and own.id == kind

    def _awaited(self, kind: int, row: Row) -> Iterator[int]:
        """Yields masks of things that the row keeps for later: turns of loops, sealed answers, deferred calls."""
        slots, queue = self.control.slots, CallQueue(self.game)
        for loop, slot in slots.orders.items():
            if self._is_of(self._loops[loop], kind):
                yield from (1 << item + first_of(self._loops[loop]) for item in items(row[slot]))
        for question, start in slots.answers.items():
            choice, width = self.game.choices[self.control.blocks.questions[question].choice], slots.widths[question]
            for at in range(start, start + width * len(self.game.seats), width):
                if row[at] > 0:
                    for parameter, value in zip(choice.branches[row[at] - 1].parameters, row[at + 1 :], strict=False):
                        yield from self._mask(kind, parameter.variable.type, value)
        for place in slots.deferred.values():
            calls = row[place]
            while calls not in (0, OUTERMOST, INNER):
                (procedure, *arguments), calls = queue.next_call(calls)
                yield from self._arguments_of(kind, procedure, arguments)
