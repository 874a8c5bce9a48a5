"""The menus that seats have been given -> the numbers of the next one, so that a plan is made with numbers that stay.

menus.before(match, 0)              the menu whose numbers the next one keeps; None for numbers from 1
"""

from __future__ import annotations

import attrs

from rulelang.knowledge.redaction import read
from rulelang.match.match import BareMatch
from rulelang.match.recording.events import Drawn, Event, Taken, Undone
from rulelang.session.question import Question

ENDING = ("stop", "pass")
"""The answers that end a plan."""
ROUNDS = ("turn", "round", "mover")
"""The engine's variables whose change ends a plan."""


@attrs.define
class Menus:
    """The menus of a match, by the number of answers that stood before each, with the seat and the choice."""

    _given: dict[int, tuple[int, str, Question]] = attrs.field(factory=dict)

    def before(self, match: BareMatch, seat: int) -> Question | None:
        """Returns the menu that the present choice gave a seat while it made the same plan, or before it took an answer
        back; None if there is none."""
        at = len(match.earlier())
        self._given = {number: given for number, given in self._given.items() if number <= at}
        asked = None if match.choice is None else (seat, match.choice.name)
        number = max((number for number, given in self._given.items() if given[:2] == asked), default=None)
        if number is None or not (number == at or is_planning(match, seat, at - number)):
            return None
        return self._given[number][2]

    def give(self, match: BareMatch, seat: int, choice: str, asked: Question) -> None:
        """Notes the menu that a seat is given now."""
        self._given[len(match.earlier())] = seat, choice, asked


def is_planning(match: BareMatch, seat: int, answers: int = 1) -> bool:
    """Returns whether a seat goes on with a plan: the last answers that stand were its own and did not end the plan, and no
    phase, turn or round has begun since."""
    number = sum(isinstance(entry, Taken | Drawn | Undone) for entry in match.journal)
    standing = number + 1  # inputs with this number, or a higher one, are taken back
    for entry in reversed(match.journal):
        stands = number < standing
        if isinstance(entry, Event):
            if stands and (_begins_phase(entry) or any(read(c.subject) in ROUNDS for c in entry.changes)):
                return False
        elif isinstance(entry, Taken | Drawn | Undone):
            number -= 1
            if stands and isinstance(entry, Undone):
                standing = entry.to
            elif stands and isinstance(entry, Taken):
                answers -= 1
                if entry.seat != seat or read(entry.option) in ENDING or not answers:
                    return entry.seat == seat and read(entry.option) not in ENDING
    return False


def _begins_phase(event: Event) -> bool:
    return event.what == "phase" and not event.goes_on
