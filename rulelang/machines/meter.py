"""The budget of steps: what is spent, on which lines, and the error when it is spent.

A step of the game has one budget, from a choice to the next; each question about a position (its options, why not, a screen)
has one of its own. What costs how much is said in `ir.steps`. The first half of a budget is only counted down; in the second
half it is noted which line spends how much, so that the error can name the loop that ate it.

    meter.left -= 7                       # any executor pays so,
    if meter.left < 0: meter.pass_on(12)  # and says for which line when the half is through
"""

from __future__ import annotations

from rulelang.errors import RunawayRules
from rulelang.ir.model import CallValue, Cell, Game, Over, Stmt
from rulelang.ir.steps import Steps
from rulelang.ir.walk import walk
from rulelang.program.layout import Layout

LONGEST = 60
"""Characters of a line that an error quotes."""


class Meter:
    """What is left of a budget: `left` is of the half under way. Where it falls below 0, `note` must be called."""

    __slots__ = ("eaten", "left", "over")
    steps: Steps
    about = ""
    """Whose budget it is, where no line says so."""

    def renew(self) -> None:
        """Begins a new budget."""
        self.left, self.over = self.steps.half, 0

    @property
    def spent(self) -> int:
        """How many steps were paid for."""
        return self.steps.half - self.left + self.over

    def charge(self, steps: int, site: int) -> None:
        """Pays for some steps of a line. Raises RunawayRules when the budget is spent."""
        self.left -= steps
        if self.left < 0:
            self.pass_on(site)

    def pass_on(self, site: int) -> None:
        """Takes from the second half what the first could not pay, for a line. Raises RunawayRules when that is spent too."""
        if not self.over:
            self.eaten: dict[int, int] = {}
        steps, self.left = -self.left, 0
        rest = self.steps.budget - self.steps.half - self.over
        self.eaten[site] = self.eaten.get(site, 0) + min(steps, rest)
        self.over += steps
        if steps > rest:
            raise runaway(self.steps, self.eaten, self.about)


class Account(Meter):
    """A budget of its own."""

    __slots__ = ("about", "steps")

    def __init__(self, steps: Steps, about: str = "") -> None:
        self.steps, self.about = steps, about
        self.renew()


def account(layout: Layout, about: str = "") -> Meter:
    """Returns a whole budget, for one question about a position."""
    return Account(layout.steps, about)


# ------------------------------------------------------------------ in words


def runaway(steps: Steps, eaten: dict[int, int], about: str) -> RunawayRules:
    """Returns the error that names the rule and the line that took the most, and what it works out that takes so long."""
    game = steps.game
    site = max(eaten, key=lambda site: (eaten[site], -site))
    words = f"more than {steps.budget:,} steps without a choice"
    line = _line(game, site)
    where = [f"`{line}`"] if line else []
    owner = _owner(game, site) or about
    if owner:
        where.append(f"in {owner}" if not line else f"of {owner}")
    if where:
        words += f", most of them in {' '.join(where).removeprefix('in ')}"
    value = _dearest(steps, site)
    if value:
        words += f" (for `{value}`)"
    return RunawayRules(f"{words}; `at most N steps` in the header allows more", site)


def _line(game: Game, site: int) -> str:
    if not 0 < site < len(game.sites):
        return ""
    lines = game.sites[site].span.text.strip().splitlines()
    text = " ".join(lines[0].split()) if lines else ""
    text = "".join(c for c in text if c.isprintable()).replace("`", "'")
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def _owner(game: Game, site: int) -> str:
    """Returns the rule that a line stands in."""
    for branch in (branch for choice in game.choices for branch in choice.branches):
        if branch.site == site or any(need.site == site for need in branch.needs) or _is_inside(site, branch.body):
            return f"`{branch.name}`" if branch.name else ""
    for procedure in game.procedures:
        if _is_inside(site, procedure.body):
            rule = game.rules[procedure.rule] if procedure.rule is not None else None
            return f"`{rule.name if rule is not None else procedure.name}`"
    return ""


def _is_inside(site: int, body: tuple[Stmt, ...]) -> bool:
    return any(isinstance(node, Stmt) and node.site == site for node in walk(body)) if site else False


def _dearest(steps: Steps, site: int) -> str:
    """Returns the value or column whose working out can cost the most of what a line asks for; "" where it asks for none."""
    game = steps.game
    nodes: list[object] = []
    for body in (*(p.body for p in game.procedures), *(b.body for c in game.choices for b in c.branches)):
        nodes += [node for node in walk(body) if isinstance(node, Stmt) and node.site == site]
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
