"""Empty Space, where scenarios do not reach: what goes on for long, and what is on the screen at times only."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

import rulelang
from rulelang.api import Match
from rulelang.screens.picture import picture
from tests.views import variable

WANTED = ("research", "take_top", "stop", "go_on")


def plod(match: Match) -> None:
    """Plays one answer of somebody who picks cards up, plays none, and throws away what is too much."""
    options = list(match.options)
    match.play(next((option for option in options if option.text.startswith(WANTED)), options[0]))


def rounds(match: Match) -> int:
    return int(variable(match.view(None), "round").text)


def test_no_number_of_rounds_ends_a_game() -> None:
    match = rulelang.load("empty_space").start(2, seed=4)
    while rounds(match) <= 70:
        plod(match)
    assert match.outcome is None


@pytest.mark.parametrize(("game", "players"), [("empty_space", 3), ("empty_space+solo", 1)])
def test_a_number_of_rounds_that_was_agreed_on_does(game: str, players: int) -> None:
    match = rulelang.load(game).start(players, seed=4, options={"most_rounds": 4})
    while match.to_move:
        assert rounds(match) <= 4
        plod(match)
    assert rounds(match) == 4
    assert match.outcome is not None
    assert match.outcome.rule in ("end_after_most_rounds", "score_the_game")


@pytest.mark.parametrize("seed", range(6))
def test_alone_every_game_ends_by_itself(seed: int) -> None:
    match = rulelang.load("empty_space+solo").start(1, seed=seed, traced=False)
    rng = random.Random(seed)
    for _ in range(2000):
        if not match.to_move:
            break
        match.push(rng.choice(list(match.options)))
    assert match.outcome is not None
    assert variable(match.view(0), "rating").text != "none"


@pytest.mark.parametrize(("game", "players"), [("empty_space", 2), ("empty_space+solo", 1)])
def test_the_screen_speaks_of_most_rounds_where_there_are_any(game: str, players: int) -> None:
    def text(agreed: int | None) -> str:
        match = rulelang.load(game).start(players, seed=4, options={"most_rounds": agreed})
        return str(picture(match, 0))

    assert "after" not in text(None)
    assert "after round 60" in text(60) or "after turn 60" in text(60)


# ------------------------------------------------------------------ where a craft may go, by a search of its own


CLOSED = "a card that lies face down"
FIRST_ROW = {"hourglass": "b1 c1 d1 e1", "standard": "a1 b1 c1 d1", "twin_lanes": "a1 b1 d1 e1"}


class Chart:
    """What one seat sees of the universe, and where its craft may go: every way to pay is tried, every way on searched."""

    def __init__(self, match: Match, seat: int, first_row: list[str]) -> None:
        own, open = ({zone.name: zone.things for zone in match.view(viewer).zones} for viewer in (seat, None))
        name = match.seats[seat]
        self.colour = variable(match.view(seat), f"{name}.colour").text
        self.hand = Counter(card for card in own[f"{name}.hand"] if card is not None)
        self.spaces = [zone.removesuffix(".craft") for zone in open if zone.endswith(".craft")]
        self.craft = {s: set(open[f"{s}.craft"]) for s in self.spaces}
        self.cards = {s: open[f"{s}.cards"][0] or CLOSED for s in self.spaces if open[f"{s}.cards"]}
        faces = {s: open[f"{s}.exoplanet"] for s in self.spaces}
        self.exoplanets = {s: face[0] for s, face in faces.items() if face and face[0]}
        self.first_row = first_row
        places = {craft: s for s in self.spaces for craft in self.craft[s]}
        probe = f"{self.colour}_probe"
        has_landed = places.get(probe) in self.exoplanets and self.exoplanets[places[probe]] == self.colour
        self.flyer = f"{self.colour}_rocket" if has_landed else probe
        self.here = places.get(self.flyer)

    def next_to(self, space: str) -> Iterator[str]:
        column, row = ord(space[0]), int(space[1])
        for beside in ((column + 1, row), (column - 1, row), (column, row + 1), (column, row - 1)):
            other = f"{chr(beside[0])}{beside[1]}"
            if other in self.cards or other in self.exoplanets:
                yield other

    def may_rest(self, space: str) -> bool:
        if space in self.exoplanets:
            return self.exoplanets[space] == self.colour
        return self.cards[space] == CLOSED or self.craft[space] <= {self.flyer}

    def fees(self, space: str, hand: Counter[str]) -> Iterator[tuple[str, Counter[str]]]:
        """Yields each card that pays for a space, none as "", with what is left."""
        face = self.exoplanets.get(space) or self.cards[space]
        if face in (CLOSED, "wild", self.colour):
            yield "", hand
        elif face != "black_hole":
            yield from ((card, hand - Counter([card])) for card in (face, "wild") if hand[card])

    def leads_out(self, space: str, hand: Counter[str], passed: frozenset[str] = frozenset()) -> bool:
        return self.may_rest(space) or any(
            self.leads_out(onward, left, passed | {space})
            for onward in self.next_to(space)
            if onward not in passed
            for _, left in self.fees(onward, hand)
        )

    def steps(self) -> set[str]:
        into = self.next_to(self.here) if self.here else (s for s in self.first_row if s in self.cards)
        return {
            f"pay({space}, {card})" if card else f"fly({space})"
            for space in into
            for card, left in self.fees(space, self.hand)
            if self.leads_out(space, left)
        }


@pytest.mark.parametrize(("universe", "seed"), [("hourglass", 1), ("standard", 5), ("twin_lanes", 4)])
def test_a_craft_is_offered_each_step_that_it_can_go_on_from_and_no_other(universe: str, seed: int) -> None:
    agreed: dict[str, str | int | bool | None] = {"universe": universe, "fast": True, "most_rounds": 80}
    match = rulelang.load("empty_space").start(4, seed=seed, options=agreed, traced=False)
    rng, crowded = random.Random(seed), 0
    while match.to_move and match.inputs < 700:
        options = list(match.options)
        words = {option.text for option in options}
        steps = {word for word in words if word.startswith(("fly(", "pay("))}
        if steps or "halt" in words:
            chart = Chart(match, match.to_move[0], FIRST_ROW[universe].split())
            assert steps == chart.steps()
            assert ("halt" in words) == (chart.here is None or chart.may_rest(chart.here))
            crowded += "halt" not in words
        keen = [option for option in options if option.text.startswith(("fly", "pay", "explore", "buy"))]
        match.push(rng.choice(keen if keen and rng.random() < 0.8 else options))
    assert crowded > 10
