"""The ending of a game in words: `Green wins`, `1. Ada   2. Bo`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from rulelang.knowledge.phrase import spliced
from rulelang.match.recording.events import Outcome


def ended(outcome: Outcome, names: tuple[str, ...]) -> str:
    """Returns the ending of a game in words; `names` are those of its seats."""
    match outcome.kind:
        case "winner":
            who = enumerated([names[s] for s in outcome.winners]) or "nobody"
            if 1 < len(outcome.winners) == len(names):
                return spliced(("A draw: ", who))
            return spliced((who, " win" if len(outcome.winners) > 1 else " wins"))
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


def enumerated(names: Sequence[str]) -> str:
    """Returns names as a sentence lists them.

    >>> enumerated(["red", "blue", "green"]), enumerated(["red", "blue"]), enumerated([])
    ('red, blue and green', 'red and blue', '')
    """
    return spliced((spliced(names[:-1], ", "), " and ", names[-1])) if len(names) > 1 else spliced(names)
