"""Hidden information where it is real: what a seat of Empty Space has seen, peeked at or could count holds in every re-deal.

`TWINS=10000` in the environment looks at so many positions in place of a few hundred, `LOGS=542` at so many seats' logs in place of a dozen.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import attrs
import pytest

from rulelang import api
from rulelang.api import Match
from rulelang.ir.model import Kind
from rulelang.ir.numbers import Seat
from rulelang.ir.picks import pick_kinds
from rulelang.match.match import BareMatch
from rulelang.match.redeals.redeal import redeal
from rulelang.match.view_cache import Heap

POSITIONS = int(os.environ.get("TWINS", "240"))
LOGS = int(os.environ.get("LOGS", "12"))
TABLES = (("empty_space", 2), ("empty_space", 4), ("empty_space+faster", 3), ("empty_space+solo", 1))
KEEN = ("peek", "keep_the_secret", "buy", "explore", "fly", "pay", "launch")
"""What makes a game one of probes and peeks rather than of picking up and throwing away."""


def plies(name: str, players: int, seed: int) -> Iterator[Match]:
    """Plays a game at random, keen on flying and looking; a stop before each answer."""
    match = api.load(name).start(players, seed=f"universe {seed}", options={"most_rounds": 60})
    rng = random.Random(seed)
    while match.to_move:
        yield match
        options = list(match.options)
        keen = [option for option in options if option.text.startswith(KEEN)]
        match.push(rng.choice(keen if keen and rng.random() < 0.6 else options))


def heap(match: BareMatch, seat: int | None, name: str) -> Heap:
    found = match.view(seat)[name]
    assert isinstance(found, Heap)
    return found


def faces(match: BareMatch, seat: int) -> Counter[tuple[str, str]]:
    """Returns how often a seat sees each card, and exoplanet, face up or peeked at or in its hand."""
    return Counter((zone.kind, thing) for zone in match.view(seat).zones for thing in zone.things if thing is not None)


def looks(match: BareMatch) -> list[tuple[int, str]]:
    """Returns who has looked at which card that still lies face down."""
    spaces = (zone for zone in match.view(None).zones if zone.name.endswith(".cards") and zone.things[:1] == (None,))
    return [
        (seat, zone.name)
        for zone in spaces
        for seat in range(match.players)
        if heap(match, seat, zone.name).things[0] is not None
    ]


@pytest.fixture(scope="module")
def peeked() -> Match:
    """A game in which several cards have been looked at by some, and not by others."""
    return next(match for match in plies("empty_space", 3, 5) if len(looks(match)) > 5)


def test_what_was_peeked_at_is_kept_by_every_redeal(peeked: Match) -> None:
    for seat, name in looks(peeked):
        known = heap(peeked, seat, name)
        for n in range(6):
            deal = redeal(peeked, Seat(seat), random.Random(n))
            assert heap(deal, seat, name) == known
            assert heap(deal, None, name).things == (None,)


def test_what_another_peeked_at_may_be_anything_still(peeked: Match) -> None:
    alone = [(seat, name) for seat, name in looks(peeked) if heap(peeked, (seat + 1) % 3, name).things[0] is None]
    for seat, name in alone[:4]:
        deals = (redeal(peeked, Seat((seat + 1) % 3), random.Random(n)) for n in range(30))
        assert len({heap(deal, seat, name).things for deal in deals}) > 2


def test_a_card_turned_up_or_changed_is_known_to_all_at_once() -> None:
    for match in plies("empty_space", 2, 3):
        for zone in match.view(None).zones:
            if zone.name.endswith(".cards") and zone.things[:1] not in ((), (None,)):
                assert all(heap(match, seat, zone.name).things[0] == zone.things[0] for seat in (0, 1))
        if match.inputs > 150:
            return


def test_a_card_taken_openly_stays_in_the_hand_where_it_went() -> None:
    """Until its owner lays aside something unseen: cards go face up to the discards, so nothing is ever forgotten."""
    match = api.load("empty_space").start(2, seed=4, options={"starts": "yuri"})
    for option in ("a1", "a2"):
        match.play(option)
    match.play("b1")
    match.play("b2")
    match.play("research")
    (first, *_) = heap(match, None, "display").things
    match.play(f"take_shown({first})")
    assert first in heap(match, 1, "yuri.hand").things
    for n in range(12):
        deal = redeal(match, Seat(1), random.Random(n))
        assert first in heap(deal, 0, "yuri.hand").things
        assert None in heap(deal, 1, "yuri.hand").things


def test_counts_hold_in_every_redeal() -> None:
    """All 92 universe cards are somewhere: what a seat sees is not among what it does not."""
    whole = Counter({"red": 19, "green": 19, "blue": 19, "yellow": 19, "wild": 7, "black_hole": 9})
    for match in plies("empty_space", 3, 8):
        if match.inputs % 40 == 0:
            for seat in range(3):
                deal = redeal(match, Seat(seat), random.Random(match.inputs))
                cards, row = deal.game.kinds[1], deal.position.row
                lying = Counter(
                    cards.names[thing]
                    for thing in range(cards.size)
                    if row[deal.internals.layout.places[1] + thing] >= 0
                )
                assert lying == whole
                assert faces(deal, seat) == faces(match, seat)
        if match.inputs > 240:
            return


def test_a_replay_shows_each_seat_what_it_saw_then_and_nothing_else() -> None:
    match, then = None, []
    for match in plies("empty_space", 3, 5):
        then.append([match.view(seat) for seat in (0, 1, 2, None)] if match.inputs % 25 == 0 else None)
        if match.inputs > 200:
            break
    assert match is not None
    again = api.replay(match.log)
    assert again.difference is None
    for position, views in zip(again.positions, then, strict=False):
        assert views is None or [position.match.view(seat) for seat in (0, 1, 2, None)] == views


@pytest.mark.long
def test_no_seat_can_tell_its_twin() -> None:
    looked = told_apart = 0
    seed = 0
    while looked < POSITIONS:
        name, players = TABLES[seed % len(TABLES)]
        rng = random.Random(seed)
        for n, match in enumerate(plies(name, players, seed)):
            if n % (1 + n // 20):
                continue
            seat = rng.randrange(players)
            twin = redeal(match, Seat(seat), rng)
            assert twin.view(seat) == match.view(seat)
            assert twin.information(seat) == match.information(seat)
            looked += 1
            told_apart += (
                twin.position.row[: match.internals.layout.size] != match.position.row[: match.internals.layout.size]
            )
            if looked >= POSITIONS:
                break
        seed += 1
    assert told_apart > 0.9 * looked


@pytest.mark.long
def test_a_seat_cannot_tell_its_twin_as_long_as_the_same_is_done_in_both() -> None:
    """Until a card comes to light that differs: which of several copies somebody moves, nobody can tell."""
    alike = 0
    for seed in range(POSITIONS // 10):
        rng, seat, begun = random.Random(seed), seed % 2, 10 + 7 * (seed % 5)
        match = next(match for n, match in enumerate(plies("empty_space", 2, seed)) if n == begun)
        twin = redeal(match, Seat(seat), rng, traced=True)
        while match.to_move and twin.to_move == match.to_move:
            theirs = {option.text for option in twin.options}
            both = [
                option.text for option in match.options if option.text in theirs and not option.text.startswith("draw")
            ]
            if not both:
                break
            text = rng.choice(both)
            before = match.event_count
            match.play(text)
            twin.play(text)
            mine, others = match.events_for(seat, before), twin.events_for(seat, before)
            came_to_light = any(
                change.what in ("reveal", "show") or change.before in (("deck",), ("exo_deck",))
                for event in mine + others
                for change in event.changes
            )
            if mine != others and came_to_light:
                break
            assert mine == others
            for one, other in ((match.view(seat), twin.view(seat)),):
                assert [option.text for option in one.options] == [option.text for option in other.options]
                assert attrs.evolve(one, options=()) == attrs.evolve(other, options=())
            alike += 1
    assert alike > POSITIONS // 5


@pytest.mark.long
@pytest.mark.parametrize("variants", ["solo", "faster+lifeline", "comet", "solo+hourglass"])
def test_both_executors_play_every_variant_alike(variants: str) -> None:
    game = api.load(f"empty_space+{variants}")
    players = game.players[0]
    ours, oracle = (game.start(players, seed=3, executor=name) for name in ("generated", "reference"))
    rng = random.Random(3)
    while ours.to_move and ours.inputs < 120:
        options = list(ours.options)
        assert options == list(oracle.options)
        option = rng.choice([o for o in options if o.text.startswith(KEEN)] or options)
        ours.push(option)
        oracle.push(option)
        assert ours.position.row[: ours.internals.layout.size] == oracle.position.row[: ours.internals.layout.size]
    assert ours.events == oracle.events


@attrs.define
class Faces:
    """Chance that falls alike on faces: of several copies of one face it takes the first, or the last."""

    seed: int
    kinds: tuple[Kind, ...]
    picked: Mapping[int, int]
    """By stream: the kind of the things that it picks."""
    is_last: bool
    drawn: int = 0

    def _rng(self) -> random.Random:
        self.drawn += 1
        return random.Random(f"{self.seed} {self.drawn}")

    def roll(self, row: list[int], stream: int, faces: tuple[int, ...]) -> int:
        return self._rng().choice(faces)

    def pick(self, row: list[int], stream: int, among: list[int]) -> int:
        if stream not in self.picked:
            return self._rng().choice(among)
        return self._ordered(self.picked[stream], among)[0]

    def shuffle(self, row: list[int], stream: int, kind: int, things: list[int]) -> list[int]:
        return self._ordered(kind, things)

    def _ordered(self, kind: int, things: Sequence[int]) -> list[int]:
        names = self.kinds[kind].names
        faces = sorted(names[thing] for thing in things)
        self._rng().shuffle(faces)
        copies = {face: sorted((t for t in things if names[t] == face), reverse=self.is_last) for face in faces}
        return [copies[face].pop() for face in faces]


@pytest.mark.long
def test_copies_of_one_face_are_told_apart_by_no_seats_log() -> None:
    """Two games with the same faces everywhere, and other copies of them: what anybody is told is the same, byte by byte."""
    game, logs, others = api.load("empty_space"), 0, 0
    rules = next(plies("empty_space", 3, 0)).game
    picked = pick_kinds(rules, movable=True)
    for seed in range((LOGS + 2) // 3):
        rng = random.Random(seed)
        one, other = (
            game.start(3, chance=Faces(seed, rules.kinds, picked, last), options={"most_rounds": 8})
            for last in (False, True)
        )
        while one.to_move:
            options = list(one.options)
            keen = [option for option in options if option.text.startswith(KEEN)]
            text = rng.choice(keen if keen and rng.random() < 0.6 else options).text
            one.play(text)
            other.play(text)
        for seat in (0, 1, 2):
            assert one.log.for_seat(seat).text == other.log.for_seat(seat).text, seed
            logs += 1
        others += one.position.row[: one.internals.layout.size] != other.position.row[: one.internals.layout.size]
    assert logs >= LOGS
    assert others > logs // 6
