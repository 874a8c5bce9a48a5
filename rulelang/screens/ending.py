"""The ending of a game in words: who has won, why, and in which places the seats are.

EndingWords("Green wins", "All other ships are out of fuel [OS-7.44]", "")
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, assert_never

import attrs

from rulelang.knowledge.phrase import spliced
from rulelang.match.recording.events import Outcome
from rulelang.screens.aim import ended_by

if TYPE_CHECKING:
    from rulelang.match.match import BareMatch


@attrs.frozen
class EndingWords:
    """The ending of a game: `who` has won, `why` in the words of the rules, with clauses, and the `places`, if the
    game has any.
    """

    who: str
    why: str = ""
    places: str = ""


def ending(match: BareMatch, seat: int | None) -> EndingWords | None:
    """Returns the ending as a seat (None: a spectator) may read it; None while the game goes on."""
    outcome, names = match.outcome_for(seat), match.seat_names
    if outcome is None:
        return None
    why = ended_by(match, seat)
    if outcome.kind == "ranking" and outcome.ranking:
        return EndingWords(_winning(outcome.ranking[0], names), why, ended(outcome, names))
    return EndingWords(ended(outcome, names), why)


def ended(outcome: Outcome, names: tuple[str, ...]) -> str:
    """Returns the ending of a game in a line; `names` are those of its seats."""
    match outcome.kind:
        case "winner":
            if 1 < len(outcome.winners) == len(names):
                return spliced(("A draw: ", enumerated(names)))
            return _winning(outcome.winners, names)
        case "ranking":
            groups = (enumerated([names[s] for s in group]) for group in outcome.ranking)
            return spliced([spliced((f"{place}. ", group)) for place, group in enumerate(groups, start=1)], "   ")
        case "score":
            shared = "" if len(names) == 1 else ", which all share"
            return f"The game ends with a score of {', '.join(str(n) for n in outcome.scores)}{shared}"
        case "lost":
            return "The game is lost" if len(names) == 1 else "The game ends, and nobody wins"
        case "undecided":
            return "The game ends undecided: its rules do not say who wins"
        case _:
            assert_never(outcome.kind)


def _winning(seats: Sequence[int], names: tuple[str, ...]) -> str:
    who = enumerated([names[seat] for seat in seats]) or "nobody"
    return spliced((who, " win" if len(seats) > 1 else " wins"))


def enumerated(names: Sequence[str]) -> str:
    """Returns names as a sentence lists them.

    >>> enumerated(["red", "blue", "green"]), enumerated(["red", "blue"]), enumerated([])
    ('red, blue and green', 'red and blue', '')
    """
    return spliced((spliced(names[:-1], ", "), " and ", names[-1])) if len(names) > 1 else spliced(names)
