"""The things that each place could hold -> a random deal in which every place gets one thing, and each thing one place.

matching([0b11, 0b11, 0b100], rng)      [1, 0, 2] or [0, 1, 2], equally likely
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rulelang.knowledge.knowledge import Rng
from rulelang.program.packing import mask_of, members


def matching(guesses: Sequence[int], rng: Rng) -> list[int]:
    """Returns a random perfect matching of places to names they could have; one must exist.

    If places share their guesses, every matching is equally likely.
    """
    return Matchings.of(guesses).drawn(rng)


@attrs.frozen
class Matchings:
    """The perfect matchings of places to the names that they could have, from which many are drawn."""

    guesses: Sequence[int]
    named: list[int]
    """By place: its name if it could have only one, else -1."""
    blocks: list[tuple[list[int], list[int]]]
    """Places that share their guesses, and as many names."""
    rest: list[int]
    """The other places."""

    @classmethod
    def of(cls, guesses: Sequence[int]) -> Matchings:
        """Returns the matchings of places, given the mask of the names of each."""
        named = [-1 if guess & guess - 1 else guess.bit_length() - 1 for guess in guesses]
        alike: dict[int, list[int]] = {}
        for place, guess in enumerate(guesses):
            if named[place] < 0:
                alike.setdefault(guess, []).append(place)
        blocks, rest = [], list[int]()
        for guess, places in alike.items():
            if guess.bit_count() == len(places):
                blocks.append((places, members(guess)))
            else:
                rest.extend(places)
        return cls(guesses, named, blocks, sorted(rest))

    def drawn(self, rng: Rng) -> list[int]:
        """Returns a random matching: by place, its name."""
        named = self.named[:]
        for places, names in self.blocks:
            for place, name in zip(places, shuffled(names, rng), strict=True):
                named[place] = name
        if self.rest:
            taken = mask_of(name for name in named if name >= 0)
            _match_rest(self.guesses, named, self.rest, taken, rng)
        return named


def _match_rest(guesses: Sequence[int], named: list[int], rest: list[int], taken: int, rng: Rng) -> None:
    """Matches places with overlapping guesses: by augmenting paths in a random order, then random swaps."""
    free = [guesses[place] & ~taken for place in range(len(guesses))]
    names = 0
    for place in rest:
        names |= free[place]
    priority = shuffled(members(names), rng)
    holder: dict[int, int] = {}
    for place in shuffled(rest, rng):
        _augment(place, free, priority, holder)
    for name, place in holder.items():
        named[place] = name
    for i in range(len(rest) - 1, 0, -1):
        a, b = rest[i], rest[rng.randrange(i + 1)]
        if free[a] >> named[b] & 1 and free[b] >> named[a] & 1:
            named[a], named[b] = named[b], named[a]


def _augment(start: int, free: Sequence[int], priority: Sequence[int], holder: dict[int, int]) -> None:
    """Assigns a name to a place along a shortest augmenting path."""
    came: dict[int, int] = {}
    queue = [start]
    for place in queue:
        for name in priority:
            if free[place] >> name & 1 and name not in came:
                came[name] = place
                if name not in holder:
                    while True:
                        place = came[name]
                        before = next((n for n, p in holder.items() if p == place), None)
                        holder[name] = place
                        if before is None:
                            return
                        name = before
                queue.append(holder[name])
    raise ValueError("no deal fits what is known")


def shuffled(values: Sequence[int], rng: Rng) -> list[int]:
    """Returns the values in random order."""
    order = list(values)
    for i in range(len(order) - 1, 0, -1):
        j = rng.randrange(i + 1)
        order[i], order[j] = order[j], order[i]
    return order
