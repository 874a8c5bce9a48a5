"""An option pattern of a scenario -> the option that a match takes, or the reason why there is none.

green: play_bonus(nitro)     any nitro that green may play; else the message of the `needs` that refuses it
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import attrs

from rulelang.errors import RuntimeRules
from rulelang.ir.model import Branch, Choice, GameRules, Parameter
from rulelang.ir.numbers import Seat
from rulelang.ir.scenarios import NamedThings, OptionPattern, Sought
from rulelang.ir.types import NONE, Type
from rulelang.knowledge.redaction import read, written_answer
from rulelang.knowledge.rendering import Scene
from rulelang.machines.evaluate import Locals, sequence
from rulelang.machines.machine import Answer, Refusal
from rulelang.machines.offers.offer import MOST, Offer
from rulelang.machines.walk import Evaluation
from rulelang.match.options.option import Option, Wording
from rulelang.match.position import Position
from rulelang.program.packing import members
from rulelang.program.values import written
from rulelang.prose.present import against, present
from rulelang.scenarios import messages


@attrs.frozen
class No:
    """The reason why an option cannot be chosen, with the clauses cited.

    `absent`: the question has no such branch; `unasked`: the seat is not asked.
    """

    text: str
    clauses: tuple[str, ...] = ()
    absent: bool = False
    unasked: bool = False

    def __str__(self) -> str:
        return self.text + (f" [{', '.join(self.clauses)}]" if self.clauses else "")


@attrs.frozen
class Answers:
    """The answers that the asked seats may give at a position."""

    position: Position

    @property
    def game(self) -> GameRules:
        """The game, whose seats may have the names that a scenario gives them."""
        return self.position.game

    def find(self, seat: Seat, pattern: OptionPattern) -> Option | No:
        """Returns the option that a pattern means, or the reason why there is none."""
        choice = self.position.choice
        if choice is None or seat not in self.position.to_move:
            asked = messages.asked(self.game, self.position.pending)
            return No(f"{self.game.seats[seat]} is not asked; {asked}", absent=True, unasked=True)
        readings = [(b, way.arguments) for way in pattern.ways for c, b in sorted(way.branches) if c == choice.id]
        if not readings:
            other = messages.options(choice)
            return No(f"{self.game.seats[seat]} is asked for something else: {other}", absent=True)
        refused: list[No] = []
        for branch, arguments in readings:
            is_open = arguments is None and choice.branches[branch].parameters
            found = self._any(choice, seat, branch) if is_open else self._one(choice, seat, branch, arguments or ())
            if not isinstance(found, No):
                return Wording(self.game, choice).option(seat, found)
            refused.append(found)
        return refused[0]

    def decline(self) -> Option:
        """Returns the first option that declines, else the first of all, of the first seat that is asked."""
        choice, seat = self.position.choice, self.position.to_move[0]
        assert choice is not None
        declining = [(number,) for number, branch in enumerate(choice.branches) if branch.declines]
        return Wording(self.game, choice).option(seat, (declining or Offer(self.position.machine, seat).first(1))[0])

    def _any(self, choice: Choice, seat: Seat, branch: int) -> Answer | No:
        found = Offer(self.position.machine, seat).first_of(branch)
        about = choice.branches[branch]
        clauses = [c for need in about.needs for c in need.clauses] + [*self._place_of(choice, about)]
        return found or No(f"no `{about.name}` is legal now", tuple(dict.fromkeys(clauses)))

    def _one(self, choice: Choice, seat: Seat, number: int, arguments: tuple[Sought, ...]) -> Answer | No:
        branch = choice.branches[number]
        if any(isinstance(sought, NamedThings) and sought.several for sought in arguments):
            types = [parameter.variable.type for parameter in branch.parameters]
            for answer in Offer(self.position.machine, seat).first(MOST):
                fitting = zip(arguments, answer[1:], types, strict=False)
                if answer[0] == number and all(self.fits(s, value, type) for s, value, type in fitting):
                    return answer
        best: No | None = None
        for values in islice(self._readings(choice, seat, branch, arguments), MOST):
            answer = (number, *values)
            refusal = self.position.machine.refusal(seat, answer)
            if refusal is None:
                return answer
            if best is None or refusal.need is not None:
                best = self._reason(choice, seat, answer, refusal)
        return best or No(f"`{branch.name}` is not on offer")

    def _readings(
        self, choice: Choice, seat: Seat, branch: Branch, arguments: tuple[Sought, ...]
    ) -> Iterator[tuple[int, ...]]:
        """Yields the possible meanings of the arguments; among
        things written alike, those in a legal answer come first."""
        start = self.position.locals(choice, seat)

        def read_on(values: tuple[int, ...], locals: Locals) -> Iterator[tuple[int, ...]]:
            if len(values) == len(arguments):
                yield values
                return
            parameter = branch.parameters[len(values)]
            for value in self._values(arguments[len(values)], self._offered(parameter, locals)):
                yield from read_on((*values, value), {**locals, parameter.variable.id: value})

        return read_on((), start)

    def _offered(self, parameter: Parameter, locals: Locals) -> set[int]:
        try:
            return set(sequence(parameter.domain, self.look(), dict(locals)))
        except RuntimeRules:
            return set()

    def _values(self, sought: Sought, offered: set[int]) -> list[int]:
        if not isinstance(sought, NamedThings):
            return [self.look().value(sought, {})]

        def by_offer(mask: int) -> list[int]:
            return sorted(members(mask), key=lambda thing: thing not in offered)

        if not sought.several:
            return by_offer(sought.items[0])
        taken: list[int] = []
        for mask in sought.items:
            taken += [thing for thing in by_offer(mask) if thing not in taken][:1]
        mask = 0
        for thing in taken:
            mask |= 1 << thing
        return [mask]

    def fits(self, sought: Sought, value: int, type: Type) -> bool:
        """Returns whether a value fits a pattern; things that are written alike all fit."""
        if not isinstance(sought, NamedThings):
            return messages.matches(self.game, value, self.look().value(sought, {}), type)
        if value == NONE:
            return False
        if not sought.several:
            return bool(sought.items[0] >> value & 1)
        counts = {mask: sought.items.count(mask) for mask in sought.items}
        right = all((value & mask).bit_count() == count for mask, count in counts.items())
        return right and value.bit_count() == len(sought.items)

    def look(self) -> Evaluation:
        """Returns an evaluation of the position."""
        return Evaluation(self.position.row, self.game, self.position.layout)

    # -------------------------------------------------------------- refusals

    def _reason(self, choice: Choice, seat: Seat, answer: Answer, refusal: Refusal) -> No:
        if refusal.branch is None:
            return No(f"`{written_answer(self.game, choice, answer)}` is not on offer", absent=True)
        branch = choice.branches[refusal.branch]
        if refusal.need is not None:
            return self._needed(choice, branch, seat, answer, refusal.need)
        position = refusal.parameter or 0
        parameter = branch.parameters[position].variable
        value = written(answer[position + 1], parameter.type, self.game)
        return No(f"{value} is not on offer for `{parameter.name}`", self._place_of(choice, branch))

    def _needed(self, choice: Choice, branch: Branch, seat: Seat, answer: Answer, position: int) -> No:
        need = branch.needs[position]
        site = self.game.sites[need.site]
        clauses = need.clauses or site.clauses
        bound = {p.variable.id: value for p, value in zip(branch.parameters, answer[1:], strict=True)}
        locals = {**self.position.locals(choice, seat), **bound}
        if need.message is None:
            passage = (choice, self.game.rules[choice.rule].parameters)
            return No(against(present(self.game, passage, locals), need.condition), clauses)
        scene = Scene(self.position.visibility, self.position.row, None, locals, {})
        try:
            return No(read(scene.words(need.message)), clauses)
        except RuntimeRules as error:
            return No(str(error), clauses)

    def _place_of(self, choice: Choice, branch: Branch) -> tuple[str, ...]:
        """Returns the clauses cited where a branch is declared and where it is offered."""
        return tuple(dict.fromkeys((*self.game.sites[branch.site].clauses, *self.game.sites[choice.site].clauses)))
