"""The tree of play in a log: answers that were taken back and replaced by others form a line of their own.

    0 the set-up
    1 red: take(3)
        3 blue: take(1)      line 1, taken back
    5 blue: take(2)          line 2, which stands

Steps taken back and then repeated unchanged form one line, not two.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulelang.errors import LogError
from rulelang.log.fields import INPUTS
from rulelang.log.steps import NONE, OpenSteps, Step, Steps


@attrs.frozen
class PlayedStep:
    """One answer in the tree, identified by the step of the log that first gave it."""

    step: int
    depth: int
    """The number of lines that branch off on the way to it."""
    line: int | None
    """The number of the line that ends with it, from 1; None if it is continued."""
    stands: bool
    """Whether it stands at the end of the log."""


@attrs.frozen
class Tree:
    """The lines of play in a log."""

    nodes: tuple[PlayedStep, ...]
    """The steps from the set-up on; among several continuations, the one that stands (else the last) comes last, the
    others deeper."""
    before: dict[int, int] = attrs.field(repr=False)
    """By step in `nodes`: the step that it continues."""
    same: dict[int, int] = attrs.field(repr=False)
    """By step that repeats one that was taken back: the equal step in `nodes`."""

    @property
    def lines(self) -> int:
        """The number of lines."""
        return sum(node.line is not None for node in self.nodes)

    def path(self, step: int) -> tuple[int, ...]:
        """Returns the steps that lead to a step, from the set-up on."""
        found, at = [], self.same.get(step, step)
        while at != NONE:
            found.append(at)
            at = self.before[at]
        return tuple(reversed(found))

    def line(self, number: int) -> tuple[int, ...]:
        """Returns the steps of a line, from the set-up on; raises LogError if there is no such line."""
        end = next((node.step for node in self.nodes if node.line == number), None)
        if end is None:
            raise LogError(f"there is no line {number} in this log: it has {self.lines}")
        return self.path(end)


def tree_of(steps: Steps) -> Tree:
    """Returns the tree of play in a log; raises LogError if it can no longer be read."""
    before, kids, same = _grown(steps)
    standing = {0, *(same.get(step, step) for step in steps.standing)}
    nodes: list[PlayedStep] = []
    lines = 0
    waiting = [(0, 0)]
    while waiting:
        step, depth = waiting.pop()
        ways = kids.get(step, [])
        lines += not ways
        nodes.append(PlayedStep(step, depth, None if ways else lines, step in standing))
        if ways:
            main = next((way for way in ways if way in standing), ways[-1])
            waiting.append((main, depth))
            waiting += [(way, depth + 1) for way in reversed(ways) if way != main]
    return Tree(tuple(nodes), before, same)


def _grown(steps: Steps) -> tuple[dict[int, int], dict[int, list[int]], dict[int, int]]:
    """Returns the step that each step continues, the steps that continue it, and the steps that repeat earlier ones."""
    before: dict[int, int] = {0: NONE}
    kids: dict[int, list[int]] = {}
    same: dict[int, int] = {}
    with steps.opened() as log:
        for step in range(1, len(steps)):
            if steps.stands(step) != step:
                continue
            parent = same.get(steps.before(step), steps.before(step))
            ways = kids.setdefault(parent, [])
            known = next((way for way in ways if _is_same(log, way, step)), None)
            if known is not None:
                same[step] = known
            else:
                before[step] = parent
                ways.append(step)
    return before, kids, same


def _is_same(log: OpenSteps, one: int, other: int) -> bool:
    return list(_inputs(log[one])) == list(_inputs(log[other]))


def _inputs(step: Step) -> Iterator[dict[str, object]]:
    """Yields an answer and its random outcomes, without their numbers."""
    for line in step.lines:
        if line.what in INPUTS:
            yield {name: value for name, value in line.record.items() if name not in ("n", "h")}
