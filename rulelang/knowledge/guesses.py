"""The things that each thing could be -> what it could be once more is seen, and random deals of all of them.

fixed((0b11, 0b11, 0b100), 0)           (0b01, 0b10, 0b100): what is seen is nothing else, and nothing else is it
Matchings.of([0b11, 0b11, 0b100]).drawn(rng)      [1, 0, 2] or [0, 1, 2], equally likely
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

import attrs

from rulelang.ir.numbers import Thing
from rulelang.program.packing import mask_of, members
from rulelang.program.randomness import RandomStream

Guesses: TypeAlias = tuple[int, ...]
"""By thing: the mask of the things that it could be."""


class Rng(Protocol):
    """A source of random numbers for re-deals; `random.Random` is one."""

    def randrange(self, stop: int, /) -> int:
        """Returns a number from 0 up to `stop`, exclusive."""


# ------------------------------------------------------------------ what is seen


def each(
    could: tuple[Guesses, ...], key: Callable[[int], int], change: Callable[[Guesses, int], Guesses]
) -> tuple[Guesses, ...]:
    """Changes each viewer's guesses, computing once for viewers who share both guesses and key."""
    made: dict[tuple[int, int], Guesses] = {}
    changed = []
    for viewer, guesses in enumerate(could):
        about = id(guesses), key(viewer)
        if about not in made:
            made[about] = change(guesses, about[1])
        changed.append(made[about])
    return tuple(changed)


def taken_for_known(guesses: Guesses, things: int, copies: int, alike: Sequence[int]) -> Guesses:
    """Swaps unknown things for copies that are known.

    Nobody can tell which of several copies it was, and the internal number must not reveal it either.
    """
    unknown = [t for t in members(things) if guesses[t] & ~alike[t]]
    known = [t for t in members(copies & ~things) if guesses[t] & ~alike[t] == 0] if unknown else []
    for one, other in zip(unknown, known, strict=False):
        to = list(range(len(guesses)))
        to[one], to[other] = other, one
        guesses = renamed(guesses, tuple(to), {})
    return guesses


def taken_for_scarcest(guesses: Guesses, thing: Thing, alike: int) -> Guesses:
    """Takes a revealed thing for the copy that could lie in the fewest places.

    If two greens went openly into a hand and one green comes out, it could be any green; so nobody is
    surer than before that one of the two is still there.
    """
    copies = guesses[thing] & alike
    others = copies & ~(1 << thing)
    if not others or not guesses[thing] & ~alike:
        return guesses
    # Where all of them could lie, none is scarcer for it.
    some = [part for guess in guesses if (part := guess & copies) and part != copies]
    places = {t: sum([part >> t & 1 for part in some]) for t in members(copies)}
    could = [t for t in members(others) if guesses[t] >> thing & 1]
    scarcest = min(could, key=lambda t: (places[t], t), default=thing)
    if places[scarcest] >= places[thing]:
        return guesses
    both = 1 << thing | 1 << scarcest
    return tuple(guess ^ both if guess & both not in (0, both) else guess for guess in guesses)


def merged(guesses: Guesses, several: Sequence[int]) -> Guesses:
    """Merges candidates: each of several things could now be any of them."""
    union = 0
    for thing in several:
        union |= guesses[thing]
    if all(guesses[thing] == union for thing in several):
        return guesses
    merged = list(guesses)
    for thing in several:
        merged[thing] = union
    return tuple(merged)


def fixed(guesses: Guesses, thing: Thing) -> Guesses:
    """Fixes a revealed thing: no other can be it, and a thing left with one candidate is known, too."""
    if guesses[thing] == 1 << thing:
        return guesses
    fixed = list(guesses)
    fixed[thing] = 1 << thing
    queue = [1 << thing]
    while queue:
        one = queue.pop()
        for other, guess in enumerate(fixed):
            if guess & one and guess != one:
                left = fixed[other] = guess & ~one
                if not left & (left - 1):
                    queue.append(left)
    return tuple(fixed)


def narrowed(guesses: Guesses, thing: Thing, like: int) -> Guesses:
    """Returns guesses once a thing is known to be one of some; one with a single candidate is known."""
    left = guesses[thing] & like
    if left == 1 << thing:
        return fixed(guesses, thing)
    return guesses if left == guesses[thing] else (*guesses[:thing], left, *guesses[thing + 1 :])


def renamed(guesses: Guesses, dealt: tuple[int, ...], masks: dict[int, int] | None) -> Guesses:
    """Returns guesses under the new names; the candidates keep
    their names, or (`masks`, by old names) are renamed as well.
    """
    renamed = list(guesses)
    for thing, guess in enumerate(guesses):
        if masks is None:
            renamed[dealt[thing]] = guess
            continue
        if guess not in masks:
            masks[guess] = mask_of(dealt[t] for t in members(guess))
        renamed[dealt[thing]] = masks[guess]
    return tuple(renamed)


# ------------------------------------------------------------------ deals


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
        """Returns a random matching: by place, its name. One must exist.

        If places share their guesses, every matching is equally likely.
        """
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
    if type(rng) is RandomStream:
        rng.shuffle(order)
        return order
    for i in range(len(order) - 1, 0, -1):
        j = rng.randrange(i + 1)
        order[i], order[j] = order[j], order[i]
    return order
