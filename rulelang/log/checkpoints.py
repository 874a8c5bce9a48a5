"""Checkpoints of a long log: matches after some steps, from which the others are replayed, in bounded memory.

    steps      0 ........ 256 ........ 512 ........ 768 ... 990 991 992 ... 1000
    kept       |           |            |            |       |   |   |       |

The most recent ones are kept, and some earlier ones at a distance that doubles whenever they become too many.
"""

from __future__ import annotations

from collections.abc import Callable

from rulelang.errors import IllegalOption
from rulelang.log.steps import NONE, OpenSteps, Step, Steps
from rulelang.match.match import BareMatch

NEAR = 128
"""How many of the most recent answers keep the match that followed them."""
MOST = 384
"""The number of matches at which the earlier ones are thinned out."""

Again = Callable[[BareMatch, Step, int], None]
"""Plays a step, which begins with the input of a number, in a match."""


class Checkpoints:
    """Matches along the line that stands, by number of answers. Each knows only the events of its own step."""

    def __init__(self, steps: Steps, again: Again) -> None:
        self._steps, self._again = steps, again
        self._kept: dict[int, tuple[int, BareMatch]] = {}
        self._distance = 1

    def keep(self, step: int, match: BareMatch) -> None:
        """Keeps a match after a step."""
        depth = self._steps.depth(step)
        self._kept[depth] = step, match
        if len(self._kept) > MOST:
            self._thin_out(depth)
            while len(self._kept) > MOST - NEAR:
                self._distance *= 2
                self._thin_out(depth)

    def _thin_out(self, now: int) -> None:
        self._kept = {
            depth: kept
            for depth, kept in self._kept.items()
            if depth % self._distance == 0 or now - NEAR < depth <= now
        }

    def at(self, step: int, log: OpenSteps) -> BareMatch:
        """Returns the match after a step, not to be played on; raises LogError if the log was changed."""
        steps, path, stand = self._steps, list[int](), self._steps.stands(step)
        while self._kept.get(steps.depth(stand), (NONE, None))[0] != stand:
            path.append(stand)
            stand = steps.before(stand)
        match = self._kept[steps.depth(stand)][1]
        for one in reversed(path):
            match = match.fork()
            self._again(match, log[one], steps.input(one))
            self.keep(one, match)
        return match

    def take_back(self, match: BareMatch, step: int, to: int, log: OpenSteps) -> None:
        """Applies an undo of the log to a match; raises IllegalOption if there is nothing to take back."""
        if self._steps.stands(step) == NONE:
            raise IllegalOption("there is nothing to take back")
        match.internals.return_to(self.at(step, log), to)
