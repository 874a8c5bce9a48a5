"""A match and a seat -> whether it is fair that the seat takes its last choice back.

Somebody who plays alone may, unless they have seen something hidden since; several people may only where they agreed to it.
"""

from __future__ import annotations

from rulelang.errors import IllegalOption
from rulelang.match.match import BareMatch


class Unfair(IllegalOption):
    """To take a choice back would be unfair; a table may allow it nevertheless."""


def look_at_fairness(match: BareMatch, seat: int, people: int) -> None:
    """Raises Unfair where a seat may not take its last choice back, IllegalOption where there is none."""
    if people > 1:
        raise Unfair("several people play here")
    before = match.fork()
    before.undo(seat)
    if has_learnt(before, match, seat):
        raise Unfair("you have seen hidden things since then")


def has_learnt(before: BareMatch, now: BareMatch, seat: int) -> bool:
    """Returns whether a seat has come to know something hidden since: a thing's face, or what others chose in secret."""
    was_sealed = before.choice is not None and before.choice.sealed
    if was_sealed and not now.position.seal.answers and len(before.to_move) + len(before.position.seal.answers) > 1:
        return True
    old, new = before.eyes(seat), now.eyes(seat)
    return any(
        new.thing(kind.id, thing) is not None and old.thing(kind.id, thing) is None
        for kind in now.game.kinds
        if kind.movable
        for thing in range(kind.size)
    )
