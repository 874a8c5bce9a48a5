"""A few random games -> the lines of the rules that take the most steps.

Every payment is counted where it is made, so the steps of a value belong to the line that asks for it. The games are the
same every time, and end after a number of choices and of steps, whatever the clock says.

    costs = line_costs(game, layout, players=2)
    costs.dear[0].share, costs.steps_a_choice(costs.dear[0])      # 0.87, 12_300
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import attrs

from rulelang.errors import RulelangError
from rulelang.ir.model import GameRules
from rulelang.ir.numbers import Row, Seat
from rulelang.machines.chance import Seeded
from rulelang.machines.generated import GeneratedMachine
from rulelang.machines.machine import Answer
from rulelang.machines.meter import runaway
from rulelang.machines.offers.offer import Offer
from rulelang.playouts.batch import answers_base, rng_of
from rulelang.playouts.remedies import remedy
from rulelang.program.layout import Layout
from rulelang.program.python.compiled import Compiled, Memory, StepCode, compile_game
from rulelang.program.python.support import PlayoutOver, Trap, no_draw
from rulelang.source import Span

GAMES = 3
"""The number of games."""
CHOICES = 100
"""The most choices of one of them."""
STEPS = 20_000_000
"""The steps after which no further choice is made."""
SEED = "speed"
DEAR = 10_000
"""The steps a choice from which a line is dear: as many as there are pairs of spaces on a board of a hundred."""
SHARE = 0.05
"""The least share of all steps that is worth telling."""
SHOWN = 5
"""The most lines that are shown."""


@attrs.frozen
class LineCost:
    """The steps that one line of the rules took, and what to write instead where that is known ("" where not)."""

    span: Span
    steps: int
    share: float
    instead: str

    @property
    def text(self) -> str:
        """The whole line, with single spaces."""
        line, _ = self.span.source.position(self.span.start)
        return " ".join(self.span.source.text.splitlines()[line - 1].split())

    @property
    def place(self) -> str:
        """File and line."""
        return self.span.place.rpartition(":")[0]


@attrs.frozen
class LineCosts:
    """The lines of a game, the dearest first, and the choices and steps of the games that were played."""

    lines: tuple[LineCost, ...]
    choices: int
    steps: int
    trouble: str = ""
    """Why the rules failed in one of the games; "" if they did not."""

    @property
    def dear(self) -> tuple[LineCost, ...]:
        """The few lines that cost far more than lines do."""
        return tuple(x for x in self.lines if x.share >= SHARE and self.steps_a_choice(x) >= DEAR)[:SHOWN]

    def steps_a_choice(self, line: LineCost) -> int:
        """Returns the steps of a line divided by the number of choices."""
        return round(line.steps / max(self.choices, 1))


def line_costs(game: GameRules, layout: Layout, players: int, options: Mapping[int, int] | None = None) -> LineCosts:
    """Plays some random games, and returns what their lines took; a game whose rules fail ends there."""
    compiled, paid, choices, trouble = compile_game(game, layout), Counter[int](), 0, ""
    for number in range(GAMES):
        chance = Seeded(f"{SEED}:{number}", game, layout)
        try:
            for _ in _played(PayingMachine(compiled, chance, paid), number, players, options or {}):
                choices += 1
        except RulelangError as error:
            trouble = trouble or str(error)
    return LineCosts(_by_line(layout, paid), choices, paid.total(), trouble)


def _played(machine: PayingMachine, number: int, players: int, options: Mapping[int, int]) -> Iterable[Answer]:
    """Yields the random answers of a game before each is given."""
    rng = rng_of(answers_base(SEED), number)
    machine.begin(players, options)
    for _ in range(CHOICES):
        pending = machine.pending
        if pending is None or machine.paid.total() >= STEPS:
            return
        seat = pending.seats[0]
        answer = Offer(machine, seat).pick(rng.randrange)
        yield answer
        machine.answer(seat, answer)


class PayingMachine(GeneratedMachine):
    """A machine whose budget is always spent, so that it hears of every payment and its site."""

    __slots__ = ("_spent", "paid")

    def __init__(self, compiled: Compiled, chance: Seeded, paid: Counter[int]) -> None:
        super().__init__(compiled, chance)
        self.paid = paid
        """The steps by site."""
        self._renew()

    def _renew(self) -> None:
        self.left = self.over = self._spent = 0

    def pass_on(self, site: int) -> None:
        """Counts the steps of a site; raises RunawayRules once a whole budget is spent."""
        self.paid[site] -= self.left
        self._spent -= self.left
        self.left = 0
        if self._spent > self.steps.budget:
            raise runaway(self.steps, self.paid, self.steps.budget)

    def begin(self, players: int, options: Mapping[int, int]) -> None:
        """Sets up and runs to the first choice; the steps of initial values are not counted."""
        row, main = self.opening(players, options), self.compiled.main
        self._row, self._is_lent = row, False
        self._renew()
        self._run((), lambda code, row, memory: main, lambda machine: machine.run_from(main))

    def answer(self, seat: Seat, answer: Answer) -> None:
        """Takes a legal answer and runs on; see `Machine`."""
        compiled, question = self.compiled, self._row[self.compiled.question] - 1

        def start(code: StepCode, row: Row, memory: Memory) -> int:
            row[compiled.question] = 0
            begin = code.answers[question][answer[0]]
            return begin(row, memory, seat) if code.keeps[question] else begin(row, memory)

        self._renew()
        self._run(answer, start, lambda machine: machine.answer(seat, answer))

    def options(self, seat: Seat) -> Iterable[Answer]:
        """Returns the legal answers of the seat that is asked, ascending; of more sets than can be listed, the steps are
        not counted."""
        number, code = self.held[self.compiled.question], self.compiled.untraced.code
        if self.listed is not None and self.listed[0] is self.held:
            return self.listed[1][:]
        if number in self.compiled.wide and Offer(self, seat).is_wide:
            return super().options(seat)
        self._renew()
        try:
            found = code.options[number - 1](self.held + [0] * code.scratch, [0, None, (), no_draw, self], seat)
        except (Trap, PlayoutOver, RecursionError):
            return super().options(seat)
        self.listed = self.held, found
        return found[:]


def _by_line(layout: Layout, paid: Counter[int]) -> tuple[LineCost, ...]:
    """Returns the steps of sites as those of lines."""
    sites: dict[str, list[int]] = {}
    for site in sorted(paid):
        if site:
            sites.setdefault(layout.steps.game.sites[site].span.place.rpartition(":")[0], []).append(site)
    total, found = max(paid.total(), 1), []
    for on_line in sites.values():
        steps = sum(paid[site] for site in on_line)
        dearest = max(on_line, key=lambda site: (paid[site], -site))
        dear = steps >= SHARE * total
        found.append(
            LineCost(
                layout.steps.game.sites[dearest].span,
                steps,
                steps / total,
                remedy(layout.steps, dearest) if dear else "",
            )
        )
    return tuple(sorted(found, key=lambda line: (-line.steps, line.span.source.name, line.span.start)))
