"""The legal answers of a seat, counted and sampled without listing them.

Few answers are listed. Many are numbered: if nothing later depends on the members of a set parameter, the number of
sets is multiplied by the number of continuations; if something depends on its size alone, that holds for each size.

    p chooses some in any of hand      # 32 different cards
    offer = Offer(machine, 0)
    offer.count                        # 4294967296, at once
    offer[2**31]                       # one in the middle

If `needs` read the members of a set and there are too many sets to try each, the answers cannot be counted: `count`
raises Uncountable, `pick` tries sets at random, and iteration raises after too many failures in a row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cached_property, reduce
from itertools import chain, islice
from typing import TypeAlias

from rulelang.errors import RuntimeRules, Uncountable
from rulelang.ir import model as ir
from rulelang.ir.numbers import Seat
from rulelang.ir.walk import read_in
from rulelang.machines.evaluate import Locals
from rulelang.machines.legal import is_large, is_met, is_offered, singles, subsets
from rulelang.machines.machine import Answer, Machine, asked_locals
from rulelang.machines.meter import account
from rulelang.machines.offers.ways import END, EachSeparately, Free, Parts, Sifted, Ways, Weighed, number_of, trouble_of
from rulelang.machines.offers.weights import Unweighable, Weights
from rulelang.machines.walk import Evaluation
from rulelang.program.packing import mask_of
from rulelang.program.subsets import TRIED, Subsets, most_answers

MOST = 4_096
"""The most answers that are listed."""
FEW = 256
"""The most sets that are tried one by one rather than weighed."""
DRAWN = 1 << 12
"""The number of sets that are tried at random before the first sets are tried in order."""


Below: TypeAlias = Callable[[int], int]
"""Draws a number from 0 up to another, exclusive."""


class Offer:
    """The legal answers of a seat in one position, in the order of `Machine.options`; () if it is not asked."""

    def __init__(self, machine: Machine, seat: Seat) -> None:
        self.machine, self.seat = machine, seat
        self._is_listed = False
        self._few: tuple[Answer, ...] | None = None

    # -------------------------------------------------------------- counting and picking

    @property
    def count(self) -> int:
        """The number of answers. Raises Uncountable."""
        few = self.few
        if few is not None:
            return len(few)
        if self._ways.is_exact:
            return self._ways.bound
        if self.is_wide:
            raise Uncountable(trouble_of(self._ways))
        return len(self._all)

    def __getitem__(self, position: int) -> Answer:
        """Returns the answer at a position, from 0. Raises IndexError, Uncountable."""
        there = self.count
        if not -there <= position < there:
            raise IndexError(position)
        position %= there
        if self.few is not None:
            return self.few[position]
        found = self._ways.at(position) if self._ways.is_exact else self._all[position]
        assert found is not None
        return found

    def __iter__(self) -> Iterator[Answer]:
        """Yields each answer. Raises Uncountable if too many sets in a row are refused."""
        if self.few is not None:
            return iter(self.few)
        return iter(self._ways if self.is_wide else self.machine.options(self.seat))

    def __contains__(self, answer: object) -> bool:
        """Returns whether an answer is among them: legal, with the lowest of alike things."""
        if not isinstance(answer, tuple) or not self.machine.allows(self.seat, answer):
            return False
        return answer in self.few if self.few is not None else self._is_lowest(answer)

    def first(self, most: int) -> list[Answer]:
        """Returns the first answers, at most `most`; fewer if too many sets in a row are refused."""
        found: list[Answer] = []
        with suppress(Uncountable):
            # A single one is found without a look at the rest, where the machine yields them one by one.
            is_lazy = most == 1 and not self._is_listed and not self.is_wide
            found.extend(islice(self.machine.options(self.seat) if is_lazy else self, most))
        return found

    def first_of(self, branch: int) -> Answer | None:
        """Returns the first answer with a branch; None if there is none, or too many sets in a row are refused."""
        if not self.is_wide:
            return next((answer for answer in self.machine.options(self.seat) if answer[0] == branch), None)
        ways = dict(self._ways.ways).get(branch, EachSeparately([]))
        try:
            return next(((branch, *rest) for rest in ways), None)
        except Uncountable:
            return None

    def pick(self, below: Below) -> Answer:
        """Returns a random answer, each equally likely. Raises Uncountable if none is found.

        If they cannot be counted and hardly any set is allowed, it is one of the first allowed ones.
        """
        few = self.few
        if few is not None:
            return few[below(len(few))]
        if not self.is_wide or self._ways.is_exact:
            return self[below(self.count)]
        found = self._drawn(self._ways, below)
        if found is not None:
            return found
        some = self.first(TRIED)
        if not some:
            raise Uncountable(trouble_of(self._ways))
        return some[below(len(some))]

    def some(self, most: int, below: Below) -> list[Answer]:
        """Returns `most` different answers at random, taking turns between branches; all of them if there are no more."""
        if self.few is not None and len(self.few) <= most:
            return list(self.few)
        branches = self._ways.ways
        found: dict[Answer, None] = {}
        for _ in range(most):
            for branch, ways in branches:
                rest = self._drawn(ways, below, 1 if ways.is_exact else most)
                if rest is not None and len(found) < most:
                    found[branch, *rest] = None
        return list(found) or [self.pick(below)]

    @staticmethod
    def _drawn(ways: Ways, below: Below, tries: int = DRAWN) -> Answer | None:
        drawn = (ways.at(below(ways.bound)) for _ in range(tries))
        return next((answer for answer in drawn if answer is not None), None)

    @property
    def ways(self) -> EachSeparately:
        """The answers branch by branch and value by value, for choosing piece by piece."""
        return self._ways

    # -------------------------------------------------------------- analysis

    @property
    def few(self) -> tuple[Answer, ...] | None:
        """All answers if they are few; None otherwise."""
        if not self._is_listed:
            self._few, self._is_listed = self._listed(), True
        return self._few

    def _listed(self) -> tuple[Answer, ...] | None:
        if self.is_wide:
            few = self._ways.is_exact and self._ways.bound <= MOST
            return tuple(self._ways) if few else None
        found = self.machine.options(self.seat)
        if type(found) is list:
            return tuple(found) if len(found) <= MOST else None
        there = tuple(islice(found, MOST + 1))
        return there if len(there) <= MOST else None

    @cached_property
    def _all(self) -> tuple[Answer, ...]:
        """All answers, if no set makes them too many."""
        return tuple(self.machine.options(self.seat))

    @cached_property
    def _asked(self) -> tuple[ir.Choice, Locals, Evaluation] | None:
        """The choice, its locals for the seat, and the evaluation; None if the seat is not asked."""
        machine, pending = self.machine, self.machine.pending
        if pending is None or self.seat not in pending.seats:
            return None
        choice = machine.game.choices[pending.choice]
        locals = asked_locals(machine, choice, self.seat)
        return choice, locals, Evaluation(machine.row, machine.game, machine.layout, meter=account(machine.layout))

    @cached_property
    def is_wide(self) -> bool:
        """Whether the sets that may be answers are too many to be tried one after the other."""
        pending = self.machine.pending
        if pending is None or not self.machine.game.choices[pending.choice].has_sets or self._asked is None:
            return False
        choice, locals, look = self._asked
        return any(is_wide(choice, branch, locals, look) for branch in choice.branches if is_offered(choice, branch))

    @cached_property
    def _ways(self) -> EachSeparately:
        """The answers, numbered."""
        if self._asked is None:
            return EachSeparately([])
        choice, locals, look = self._asked
        branches = [(number, b) for number, b in enumerate(choice.branches) if is_offered(choice, b)]
        return EachSeparately(
            [(number, _Survey(choice, branch, look).ways(0, dict(locals))) for number, branch in branches]
        )

    def _is_lowest(self, answer: Answer) -> bool:
        """Returns whether a legal answer names the lowest of all alike things."""
        assert self._asked is not None
        choice, locals, look = self._asked
        locals = dict(locals)
        branch = choice.branches[answer[0]]
        for known, (parameter, value) in enumerate(zip(branch.parameters, answer[1:], strict=True)):
            if value not in (singles if parameter.low is None else subsets)(choice, branch, known, locals, look):
                return False
            locals[parameter.variable.id] = value
        return True


# ------------------------------------------------------------------ numbering the answers of a branch


class _Survey:
    """Numbers the ways to complete one branch, with a bounded number of trials."""

    def __init__(self, choice: ir.Choice, branch: ir.Branch, look: Evaluation) -> None:
        self.choice, self.branch, self.look, self.left = choice, branch, look, TRIED

    def ways(self, known: int, locals: Locals) -> Ways:
        """Returns the ways to continue from a number of parameters, whose values `locals` has."""
        branch, look = self.branch, self.look
        self.left -= 1
        if not all(is_met(need, locals, look) for need in branch.needs if need.after == known):
            return EachSeparately([])
        if known == len(branch.parameters):
            return END
        parameter = branch.parameters[known]
        id = parameter.variable.id
        values = (singles if parameter.low is None else subsets)(self.choice, branch, known, locals, look)

        def then(value: int) -> Ways:
            return self.ways(known + 1, {**locals, id: value})

        if not number_of(values):
            return EachSeparately([])
        if is_free(look.game, branch, known):
            return Free(values, then(values[0]))
        if isinstance(values, Subsets) and values.count > FEW and not tells_apart(look.game, branch, known):
            with suppress(Unweighable):
                return self._weighed(values, Weights(_later(branch, known), id, locals, look), then)
        if number_of(values) > self.left:
            return Sifted(
                values, self._alone(known, locals), most_answers(branch.parameters[known + 1 :]), self._trouble(known)
            )
        return EachSeparately([(value, then(value)) for value in values])

    def _weighed(self, values: Subsets, weights: Weights, then: Callable[[int], Ways]) -> Ways:
        """Returns the continuations of sets, if the questions that later parts ask of a set add up over its members."""
        groups, nothing = values.groups, weights.of(0)
        units = [[weights.of(1 << value) for value in group] for group in groups]
        simultaneous = reduce(weights.joined, chain.from_iterable(units), nothing)
        if simultaneous != weights.of(mask_of(values.values)) or any(len(set(unit)) > 1 for unit in units):
            raise Unweighable
        if all(unit[0] == units[0][0] for unit in units):
            # Later parts depend on the size alone.
            sizes = [values.of_size(size) for size in values.sizes]
            return Parts([Free(some, then(some[0])) for some in sizes if some.count])
        return Weighed(groups, values.sizes, weights, then)

    def _alone(self, known: int, locals: Locals) -> Callable[[int], Ways]:
        """Returns a function that tries one value by itself."""
        id = self.branch.parameters[known].variable.id

        def then(value: int) -> Ways:
            self.left = TRIED
            self.look.meter.renew()
            return self.ways(known + 1, {**locals, id: value})

        return then

    def _trouble(self, known: int) -> str:
        name, branch = self.branch.parameters[known].variable.name, self.branch
        site = next((self.look.game.sites[n.site] for n in branch.needs if name and n.after > known), None)
        needs = " ".join(site.span.text.split()) if site is not None else ""
        by = f": `{needs}` is tried on each" if needs else ""
        sized = branch.parameters[known].low is not None
        way = (
            "say how many (`3 of S`, `up to 3 of S`), or let the set after `of`" if sized else "let the set after `in`"
        )
        return (
            f"`{branch.name or name}` offers more values for `{name}` than can be tried{by}; {way} name the candidates"
        )


def is_free(game: ir.GameRules, branch: ir.Branch, position: int) -> bool:
    """Returns whether no later part depends on a parameter."""
    is_read = branch.parameters[position].variable.id in read_in(*_later(branch, position))
    return not is_read and not tells_apart(game, branch, position)


def tells_apart(game: ir.GameRules, branch: ir.Branch, position: int) -> bool:
    """Returns whether the things that a parameter names differ for it from others that a later one could name."""
    kind = branch.parameters[position].interchange
    later = any(parameter.interchange == kind for parameter in branch.parameters[position + 1 :])
    return kind is not None and later and game.kinds[kind].has_copies


def _later(branch: ir.Branch, position: int) -> list[object]:
    """Returns the parts evaluated once a parameter is known."""
    parts: list[object] = [need.condition for need in branch.needs if need.after > position]
    for parameter in branch.parameters[position + 1 :]:
        parts += [parameter.domain, parameter.low, parameter.high]
    return [part for part in parts if part is not None]


def is_wide(choice: ir.Choice, branch: ir.Branch, locals: Locals, look: Evaluation) -> bool:
    """Returns whether a set of a branch has too many candidates to list its answers."""
    own = {parameter.variable.id for parameter in branch.parameters}
    for position, parameter in enumerate(branch.parameters):
        if parameter.low is None or most_answers((parameter,)) <= TRIED:
            continue
        is_known = not own & read_in(*(part for part in (parameter.domain, parameter.low, parameter.high) if part))
        try:
            is_many = is_large(parameter, locals, look) if is_known else None
        except RuntimeRules:
            continue  # The fault is raised when the answers are enumerated.
        # Of sets that depend on earlier parts, there is only a bound: it is believed if later parts may refuse nearly all.
        if is_many or (is_many is None and not is_free(look.game, branch, position)):
            return True
    return False
