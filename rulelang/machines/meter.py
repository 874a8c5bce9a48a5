"""The budget of steps: the amount left, the lines that spent it, and the error when it is spent.

A step of the game has one budget, from one choice to the next. Each question about a position has one of its own: a
whole one for options and refusals, a part of one for frequent questions (scores, words, screens). `ir.steps` defines
the costs. The first half of a budget is only counted down; during the second half the spending lines are sampled, so
that the error can name the loop that spent it.

    meter.left -= 7                       # every executor pays like this,
    if meter.left < 0: meter.pass_on(12)  # and names the line once the first half is spent
"""

from __future__ import annotations

from rulelang.errors import RunawayRules
from rulelang.ir.model import CallValue, Cell, GameRules, Over, Statement
from rulelang.ir.steps import PART, StepCosts
from rulelang.ir.walk import statements_in, walk
from rulelang.program.layout import Layout

GRAINS = 1024
"""The number of parts of the budget; at the beginning of each part, the line that spends is noted."""
LONGEST = 60
"""The most characters of a line that an error quotes."""


class Meter:
    """The rest of a budget: `left` belongs to the current half. When it falls below 0, `note` must be called."""

    __slots__ = ("eaten", "left", "over")
    steps: StepCosts
    part = 1
    """The divisor of the rules' budget: 1 for the whole."""

    @property
    def _halves(self) -> tuple[int, int]:
        budget = self.steps.budget // self.part
        return budget - budget // 2, budget // 2

    def renew(self) -> None:
        """Begins a new budget."""
        self.left, self.over = self._halves[0], 0

    @property
    def spent(self) -> int:
        """The number of steps paid for."""
        return self._halves[0] - self.left + self.over

    def charge(self, steps: int, site: int) -> None:
        """Pays for some steps of a line. Raises RunawayRules when the budget is spent."""
        self.left -= steps
        if self.left < 0:
            self.pass_on(site)

    def pass_on(self, site: int) -> None:
        """Pays from the second half what the first half could not, on behalf of a line. Raises RunawayRules when the
        second half is spent too.
        """
        if not self.over:
            self.eaten: dict[int, int] = {}
        rest, grain = self._halves[1], max(1, self.steps.budget // GRAINS)
        spent = self.over - self.left
        granted = min(-(-spent // grain) * grain, rest)
        self.eaten[site] = self.eaten.get(site, 0) + granted - self.over
        self.over, self.left = granted, granted - spent
        if spent > rest:
            raise runaway(self.steps, self.eaten, sum(self._halves))

    def take_over(self, other: Meter) -> None:
        """Goes on with what is left of another budget."""
        self.left, self.over = other.left, other.over
        if other.over:
            self.eaten = other.eaten


class Account(Meter):
    """A budget of its own, or a part of one."""

    __slots__ = ("part", "steps")

    def __init__(self, steps: StepCosts, part: int = 1) -> None:
        self.steps, self.part = steps, part
        self.renew()


class Patience:
    """State shared by questions about one position: once one has overdrawn, no other that costs anything is begun."""

    def __init__(self) -> None:
        self.is_over = False


class Shared(Account):
    """The budget of one among many questions about a position."""

    __slots__ = ("_patience",)

    def __init__(self, steps: StepCosts, patience: Patience) -> None:
        self._patience = patience
        super().__init__(steps, PART)
        if patience.is_over:
            self.left, self.over, self.eaten = 0, self._halves[1], {}

    def pass_on(self, site: int) -> None:
        """Pays from the second half; see `Meter.pass_on`."""
        try:
            super().pass_on(site)
        except RunawayRules:
            self._patience.is_over = True
            raise


def account(layout: Layout) -> Meter:
    """Returns a whole budget, for options and refusals."""
    return Account(layout.steps)


def part_of_account(layout: Layout) -> Meter:
    """Returns a part of a budget, for any other question about a position."""
    return Account(layout.steps, PART)


# ------------------------------------------------------------------ in words


def runaway(steps: StepCosts, eaten: dict[int, int], budget: int) -> RunawayRules:
    """Returns the error that names the rule and line that spent the most, and the expensive value it computes."""
    game = steps.game
    site = max(eaten, key=lambda site: (eaten[site], -site))
    words = f"more than {budget:,} steps without a choice"
    line = _line(game, site)
    where = [f"`{line}`"] if line else []
    owner = _owner(game, site)
    if owner:
        where.append(f"in {owner}" if not line else f"of {owner}")
    if where:
        words += f", most of them in {' '.join(where).removeprefix('in ')}"
    value = _dearest(steps, site)
    if value:
        words += f" (for `{value}`)"
    return RunawayRules(f"{words}; `at most N steps` in the header allows more", site)


def _line(game: GameRules, site: int) -> str:
    if not 0 < site < len(game.sites):
        return ""
    lines = game.sites[site].span.text.strip().splitlines()
    text = " ".join(lines[0].split()) if lines else ""
    text = "".join(c for c in text if c.isprintable()).replace("`", "'")
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def _owner(game: GameRules, site: int) -> str:
    """Returns the rule that a line belongs to."""
    for branch in (branch for choice in game.choices for branch in choice.branches):
        if branch.site == site or any(need.site == site for need in branch.needs) or _is_inside(site, branch.body):
            return f"`{branch.name}`" if branch.name else ""
    for procedure in game.procedures:
        if _is_inside(site, procedure.body):
            rule = game.rules[procedure.rule] if procedure.rule is not None else None
            return f"`{rule.name if rule is not None else procedure.name}`"
    return ""


def _is_inside(site: int, body: tuple[Statement, ...]) -> bool:
    return any(statement.site == site for statement in statements_in(body)) if site else False


def _dearest(steps: StepCosts, site: int) -> str:
    """Returns the value or column that can cost the most among those a line reads; "" if it reads none."""
    game = steps.game
    nodes: list[object] = []
    for body in (*(p.body for p in game.procedures), *(b.body for c in game.choices for b in c.branches)):
        nodes += [statement for statement in statements_in(body) if statement.site == site]
    nodes += [n.condition for c in game.choices for b in c.branches for n in b.needs if n.site == site]
    nodes += [b.parameters for c in game.choices for b in c.branches if b.site == site]
    name, seen = "", set[object]()
    while True:
        calls = [n for node in nodes for n in walk(node) if isinstance(n, CallValue | Cell) and n not in seen]
        calls = [n for n in calls if steps.is_open(n)]
        loops = [n for node in nodes for n in walk(node) if isinstance(n, Over) and steps.is_open(n)]
        if not calls or (name and any(steps.bound(o) >= steps.bound(c) for o in loops for c in calls)):
            return name
        dearest = max(calls, key=steps.bound)
        seen.add(dearest)
        if isinstance(dearest, CallValue):
            value = game.values[dearest.value]
            name, nodes = value.name, [value.cases, value.adjustments]
        else:
            column = game.data[dearest.data].columns[dearest.column]
            name, nodes = f"{game.data[dearest.data].name}.{column.name}", [column.cells, column.adjustments]
