"""High Water, written once more in Python; the example goes in lock step with it. Which report is heard next is chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import attrs

FEVERS = ("amber", "blue", "green")
MAP = """
alder amber birch elm; birch amber cedar elm; cedar amber fir linden; elm amber fir hazel; fir amber linden
hazel blue ivy maple; ivy blue maple oak; maple blue oak; oak blue pine; pine blue rowan yew
linden green rowan; rowan green sloe; sloe green thorn; thorn green willow yew; willow green yew; yew blue
"""
LINES = tuple(line.split() for line in MAP.replace("\n", ";").split(";") if line.strip())
FEVER = {town: fever for town, fever, *_ in LINES}
TOWNS = tuple(FEVER)
NEXT_TO = {town: {*near, *(other for other, _, *others in LINES if town in others)} for town, _, *near in LINES}
ACTS, HAND_LIMIT, MOST_OUTBREAKS, MOST_SICK, MOST_SPREAD = 4, 7, 7, 18, 4
RISING = "none"
"""The town of a card of rising water."""


@attrs.define
class Healer:
    """A player; a card goes by its town."""

    name: str
    hand: list[str]
    at: str = "fir"


@attrs.define
class Rivers:
    """One game; the deck is from its top, `heard` are the towns of the reports to come in the present step."""

    healers: list[Healer]
    deck: list[str]
    sick: Counter[tuple[str, str]]
    hospitals: set[str] = attrs.field(factory=lambda: {"fir"})
    cures: set[str] = attrs.field(factory=set)
    outbreaks: int = 0
    spread: int = 2
    turn: int = 0
    acts: int = ACTS - 1
    heard: list[str] = attrs.field(factory=list)
    broke: set[str] = attrs.field(factory=set)
    drops: bool = False
    is_too_late: bool = False

    @property
    def own(self) -> Healer:
        return self.healers[self.turn]

    @property
    def is_lost(self) -> bool:
        sick = (sum(self.sick[town, fever] for town in TOWNS) for fever in FEVERS)
        return self.is_too_late or self.outbreaks == MOST_OUTBREAKS or any(many > MOST_SICK for many in sick)

    # -------------------------------------------------------------- what may be done

    def options(self) -> set[str]:
        if self.drops:
            return {f"Card({town})" for town in self.own.hand}
        return {*self._acts(), "stop"}

    def _acts(self) -> Iterator[str]:
        own, here = self.own, self.own.at
        yield from (f"walk({town})" for town in NEXT_TO[here])
        yield from (f"ride(Card({town}))" for town in own.hand if town != here)
        yield from (f"tend({fever})" for fever in FEVERS if self.sick[here, fever])
        if here in own.hand:
            if here not in self.hospitals:
                yield f"build(Card({here}))"
            others = (one for one in self.healers if one is not own and one.at == here)
            yield from (f"give(Card({here}), {other.name})" for other in others)
        if here in self.hospitals:
            for fever in (one for one in FEVERS if one not in self.cures):
                cards = sorted((town for town in own.hand if FEVER[town] == fever), key=TOWNS.index)
                for some in combinations(cards, 4):
                    yield f"find_cure({fever}, {{{', '.join(f'Card({town})' for town in some)}}})"

    # -------------------------------------------------------------- what comes of it

    def play(self, answer: str, heard: list[str]) -> None:
        """Carries out an answer; `heard` are the towns of the reports that were heard meanwhile, in order."""
        self.heard = [*heard]
        if self.drops:
            self.own.hand.remove(answer.removeprefix("Card(").rstrip(")"))
            self._end_night()
        elif answer != "stop" and self._act(answer) and self.acts:
            self.acts -= 1
        elif len(self.cures) < len(FEVERS):
            self._night()
        assert not self.heard

    def _act(self, answer: str) -> bool:
        """Carries out an act; returns whether the turn may go on."""
        name, _, rest = answer.rstrip(")}").replace("Card(", "").replace(")", "").partition("(")
        words, own = rest.split(", "), self.own
        match name:
            case "walk" | "ride":
                own.at = words[0]
                if name == "ride":
                    own.hand.remove(words[0])
            case "tend":
                fewer = 3 if words[0] in self.cures else 1
                self.sick[own.at, words[0]] = max(0, self.sick[own.at, words[0]] - fewer)
            case "build":
                own.hand.remove(words[0])
                self.hospitals.add(own.at)
            case "give":
                own.hand.remove(words[0])
                next(one for one in self.healers if one.name == words[1]).hand.append(words[0])
            case _:  # a cure
                fever, *cards = rest.replace("{", "").split(", ")
                self.cures.add(fever)
                for town in cards:
                    own.hand.remove(town)
                return len(self.cures) < len(FEVERS)
        return True

    def _night(self) -> None:
        for _ in range(2):
            if not self.deck:
                self.is_too_late = True
                return
            town = self.deck.pop(0)
            if town == RISING:
                self.spread = min(MOST_SPREAD, self.spread + 1)
                self._hear(3)
            else:
                self.own.hand.append(town)
        self._end_night()

    def _end_night(self) -> None:
        self.drops = len(self.own.hand) > HAND_LIMIT
        if self.drops or (self.is_lost and not self.heard):
            return
        for _ in range(self.spread):
            self._hear(1)
        self.broke.clear()
        self.turn, self.acts = (self.turn + 1) % len(self.healers), ACTS - 1

    def _hear(self, many: int) -> None:
        town = self.heard.pop(0)
        for _ in range(many):
            self._infect(town, FEVER[town])

    def _infect(self, town: str, fever: str) -> None:
        if self.sick[town, fever] < 3:
            self.sick[town, fever] += 1
        elif town not in self.broke:
            self.broke.add(town)
            self.outbreaks = min(MOST_OUTBREAKS, self.outbreaks + 1)
            for near in (one for one in TOWNS if one in NEXT_TO[town]):
                self._infect(near, fever)
