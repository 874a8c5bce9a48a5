"""The tries of `planner` in machine code: the words that it is given, and the sums that it keeps between two calls.

AheadCall(words, rows, asked, padded, width, try_ahead).tried(candidates, until)      what some options have led to
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence

from rulelang.machines.native.engine import NativeMemory
from rulelang.machines.native.thinking.search import PLACES, Padded, firsts_of
from rulelang.program.llvm.frame import GOING, STATUS
from rulelang.program.llvm.thinking.thought import LOOKED
from rulelang.program.llvm.thinking.tree import SEARCH
from rulelang.program.randomness import signed
from rulelang.program.results import AheadTries

PIECE = 100_000
"""The positions after which a call ends, so that Ctrl-C is heard."""


class AheadCall:
    """The tries of a few options in some packed rows in turn."""

    def __init__(
        self,
        words: NativeMemory,
        rows: Sequence[array[int]],
        asked: AheadTries,
        padded: Padded,
        width: int,
        try_ahead: Callable[[int], int],
    ) -> None:
        self.words, self.asked, self.try_ahead = words, asked, try_ahead
        self.tries = 0
        self.deals = array("q", b"".join(row.tobytes() for row in rows))
        self.firsts, many = firsts_of(asked.firsts, padded, width), len(asked.firsts[0])
        self.sums = array("d", bytes(8 * many))
        self.given = array("q", bytes(8 * len(SEARCH)))
        for name, word in {
            "row": words.row_at,
            "frame": words.frame_at,
            "thought": words.thought_at,
            "deals": self.deals.buffer_info()[0],
            "deals_many": len(rows),
            "deal": -1,
            "firsts": self.firsts.buffer_info()[0],
            "firsts_many": many,
            "worths": self.sums.buffer_info()[0],
            "seat": asked.seat,
            "ahead": asked.ahead,
            "replies": asked.replies,
            "word": signed(asked.rng),
            "looked": asked.thought[LOOKED],
        }.items():
            self.given[PLACES[name]] = word

    def tried(self, candidates: Sequence[int], until: int) -> tuple[int, list[float]] | None:
        """Tries some options until so many positions were looked at; see `lab.planner.TriesAhead`."""
        given, thought, some = self.given, self.words.thought, array("q", candidates)
        thought[: len(self.asked.thought) - 1] = self.asked.thought[:-1]
        given[PLACES["candidates"]], given[PLACES["candidates_many"]] = some.buffer_info()
        looked, used = PLACES["looked"], PLACES["used"]
        self.words.frame[STATUS] = GOING
        while 2 * given[looked] + given[used] < 2 * until:
            given[PLACES["until"]] = min(until, given[looked] + given[used] + PIECE)
            tries = self.try_ahead(given.buffer_info()[0])
            if tries < 0:
                # Forks need zeros behind their rows, and a trap leaves other words there.
                thought[:] = array("q", bytes(8 * len(thought)))
                return None
            self.tries += tries
        return self.tries, [self.sums[number] for number in candidates]
