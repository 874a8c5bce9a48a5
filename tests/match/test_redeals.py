"""Re-deals against the information set itself: every course of a small match, played with every outcome of chance, of which a seat
would have seen the same."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import sqrt
from pathlib import Path
from typing import Any

import pytest

from rulelang import api
from rulelang.ir.numbers import Seat, Slot
from rulelang.knowledge.knowledge import Knowledge
from rulelang.match.match import BareMatch
from rulelang.match.options.option import Option
from rulelang.match.redeals import drawing
from rulelang.match.redeals.drawing import listed, remembered
from rulelang.match.redeals.listing import Listing
from rulelang.match.redeals.redeal import redeal
from tests.files import TESTS
from tests.games.classics import classic
from tests.games.written import game
from tests.generators.deals import sketched
from tests.seeds import rest_long

FOLDER = TESTS / "redeals"
GAMES = ("dice", "guessing", "kuhn", "leduc", "passing")
BUDGET = 20_000


@cache
def small(name: str) -> api.Game:
    return classic(name) if name == "kuhn" else api.load(FOLDER / f"{name}.rules")


def stops(name: str, seed: int, most: int = 12) -> Iterator[api.Match]:
    """A match played at random, at each stop."""
    match = small(name).start(seed=seed)
    rng = random.Random(seed)
    for _ in range(most):
        yield match
        if not match.to_move:
            return
        match.push(rng.choice(list(match.options_of(rng.choice(match.to_move)))))


def listing_of(match: BareMatch, seat: int) -> Listing:
    memory = remembered(match, Seat(seat))
    assert memory is not None
    listing, _ = listed(match, memory, BUDGET, None)
    assert listing is not None
    return listing


def weights_of(match: BareMatch, seat: int) -> dict[Hashable, Fraction]:
    """How likely each position is that the seat cannot tell from the true one, as it is listed."""
    weights: dict[Hashable, Fraction] = {}
    for course in listing_of(match, seat).courses:
        key = position(course.match)
        weights[key] = weights.get(key, Fraction(0)) + course.weight
    total = sum(weights.values())
    return {key: weight / total for key, weight in weights.items()}


def position(match: BareMatch) -> Hashable:
    """What lies where and what is under seal, but for the order of a pile that nobody knows."""
    views = [match.view(seat) for seat in range(match.players)]
    return tuple((view.variables, view.zones, view.answer) for view in views), match.to_move


def what_was_answered(match: BareMatch) -> list[tuple[int, str, bool, str]]:
    """Who answered what, whether it was under seal, and how a spectator reads it."""
    taken = [entry for entry in match.log.entries if type(entry).__name__ == "Taken"]  # type: ignore[attr-defined]
    spectator = 1 << match.players
    return [
        (
            entry.seat,
            "".join(part if isinstance(part, str) else part.read(-1) for part in entry.option),
            entry.sealed,
            "".join(part if isinstance(part, str) else part.read(spectator) for part in entry.option),
        )
        for entry in taken
    ]


def drawn(match: BareMatch) -> Iterator[tuple[BareMatch, Fraction]]:
    """All ways in which the step under way may end, and how likely each is."""
    if not match.chance:
        yield match, Fraction(1)
    for outcome in match.chance:
        after = match.fork()
        after.play_chance(outcome)
        yield from ((end, weight * outcome.probability) for end, weight in drawn(after))


@cache
def beginnings(name: str) -> tuple[tuple[BareMatch, Fraction], ...]:
    return tuple(drawn(small(name).start(explicit_chance=True)))


def all_courses(
    beginnings: tuple[tuple[BareMatch, Fraction], ...], match: BareMatch, seat: int
) -> dict[Hashable, Fraction]:
    """The information set by brute force: each position that the seat cannot tell from the true one, and how likely it is."""
    answers = what_was_answered(match)
    found: dict[Hashable, Fraction] = {}
    whole: Any = match.information(seat)
    view = match.view(seat)

    def seen_so_far(other: BareMatch) -> bool:
        parts: Any = other.information(seat)
        return bool(parts == whole[: len(parts)])

    def go(other: BareMatch, at: int, weight: Fraction) -> None:
        if not seen_so_far(other):
            return
        if at == len(answers):
            if other.information(seat) == whole and other.view(seat) == view:
                found[position(other)] = found.get(position(other), Fraction(0)) + weight
            return
        actor, text, sealed, open = answers[at]
        could = [
            option
            for option in other.options_of(actor)
            if option.text == text or (actor != seat and (sealed or open != text))
        ]
        ways = []
        for option in could:
            after = other.fork()
            after.push(option)
            ways.append([(end, share) for end, share in drawn(after) if seen_so_far(end)])
        ways = [ends for ends in ways if ends]
        for ends in ways:
            for end, share in ends:
                go(end, at + 1, weight * share / len(ways))

    for beginning, weight in beginnings:
        go(beginning, 0, weight)
    total = sum(found.values())
    return {key: weight / total for key, weight in found.items()}


@pytest.mark.long
@pytest.mark.parametrize("name", GAMES)
def test_the_courses_that_are_listed_are_the_information_set(name: str) -> None:
    # Every course of a whole deal of `passing` is listed: 11 seconds.
    looked = 0
    for seed in range(2 if name != "passing" else 1):
        for n, match in enumerate(stops(name, seed)):
            for seat in range(match.players):
                if name == "passing" and (n + seat) % 3:
                    continue
                mine = weights_of(match, seat)
                assert mine == all_courses(beginnings(name), match, seat)
                looked += len(mine)
    assert looked > 10


@pytest.mark.parametrize("seed", [21, 28, 210, 605])
def test_what_is_picked_from_a_pile_with_copies_is_weighed_by_the_places_it_may_have_lain_in(seed: int) -> None:
    checked = api.check_text(sketched(random.Random(seed)))
    assert checked.game is not None
    starts = tuple(drawn(checked.game.start(2, explicit_chance=True)))
    match = checked.game.start(2, seed=seed)
    match.play("red: 1")
    for seat in range(2):
        assert weights_of(match, seat) == all_courses(starts, match, seat)


# ------------------------------------------------------------------ whist of eight cards


def card(text: str) -> tuple[str, int]:
    suit, n = text.removeprefix("Card(").removesuffix(")").split(", ")
    return suit, int(n)


def hand(match: BareMatch, seat: int, of: int) -> tuple[str | None, ...]:
    return match.view(seat)[f"{match.seats[of]}.hand"].things  # type: ignore[union-attr]


def whist_hands(match: BareMatch, seat: int, start: tuple[str, ...]) -> set[frozenset[str]]:
    """The hands that the other may hold, by the rules of following suit, worked out without the rules that run."""
    other = 1 - seat
    names = match.game.kinds[1].names
    played = [(actor, text.removeprefix("play(").removesuffix(")")) for actor, text, *_ in what_was_answered(match)]
    mine = set(start)
    theirs = [text for actor, text in played if actor == other]
    hands = set()
    for held in combinations([name for name in names if name not in mine], 3):
        left, fits, led = set(held), set(theirs) <= set(held), None
        for number, (actor, text) in enumerate(played):
            led = card(text)[0] if number % 2 == 0 else led
            if actor == other and fits:
                fits = card(text)[0] == led or all(card(one)[0] != led for one in left)
                left.discard(text)
        if fits:
            hands.add(frozenset(left))
    return hands


@pytest.mark.long
def test_a_suit_that_was_not_followed_is_not_dealt_again() -> None:
    voids = 0
    for seed in (3,):
        starts: dict[int, tuple[str, ...]] = {}
        for match in stops("whist", seed):
            for seat in range(2):
                start = starts.setdefault(seat, hand(match, seat, seat))  # type: ignore[arg-type]
                if len(hand(match, 1 - seat, 1 - seat)) == 3:
                    continue
                listing = listing_of(match, seat)
                weights: Counter[frozenset[str]] = Counter()
                for course in listing.courses:
                    weights[frozenset(hand(course.match, 1 - seat, 1 - seat))] += course.weight  # type: ignore[arg-type,assignment]
                assert set(weights) == whist_hands(match, seat, start)
                assert len(set(weights.values())) == 1, "every hand that is left is as likely as any other"
                voids += len(weights) < 6
    assert voids > 2


# ------------------------------------------------------------------ how often


def chi_square(counts: Counter[Hashable], expected: dict[Hashable, float]) -> float:
    return sum((counts[key] - n) ** 2 / n for key, n in expected.items())


def too_much(degrees: int) -> float:
    """What chi-square exceeds once in a thousand: Wilson and Hilferty's approximation."""
    part = 2 / (9 * degrees)
    return degrees * (1 - part + 3.09 * sqrt(part)) ** 3


@pytest.mark.long
@pytest.mark.parametrize("name", [*GAMES, "whist"])
def test_redeals_come_out_as_often_as_they_are_likely(name: str) -> None:
    looked = 0
    for n, match in enumerate(stops(name, 4)):
        if n not in (1, 3):
            continue
        seat = n % match.players
        listing = listing_of(match, seat)
        weights: dict[Hashable, Fraction] = {}
        for course in listing.courses:
            key = position(course.match)
            weights[key] = weights.get(key, Fraction(0)) + course.weight
        draws = 20 * len(weights)
        counts: Counter[Hashable] = Counter()
        rng = random.Random(n)
        for _ in range(draws):
            deal = match.redeal(seat, rng, budget=BUDGET)
            assert deal.exact
            counts[position(deal)] += 1
        assert set(counts) <= set(weights)
        total = sum(weights.values())
        expected = {key: float(draws * weight / total) for key, weight in weights.items()}
        if len(weights) > 1:
            assert chi_square(counts, expected) < too_much(len(weights) - 1)
        looked += len(weights)
    assert looked > 1


@pytest.mark.parametrize(("name", "how"), [("whist", "counted"), ("guessing", "listed")])
def test_a_redeal_says_how_it_was_drawn(name: str, how: str) -> None:
    match = next(match for n, match in enumerate(stops(name, 1)) if n == 3)
    deal = match.redeal(0, random.Random(1))
    assert deal.drawing is not None
    assert (deal.exact, deal.drawing.how, deal.drawing.fits) == (True, how, True)
    masks = match.redeal(0, random.Random(1), budget=0)
    assert masks.drawing is not None
    assert (masks.exact, masks.drawing.how, masks.drawing.fits) == (False, "known", False)
    assert match.exact
    assert match.drawing is None


# ------------------------------------------------------------------ hands that are passed on at once


def test_who_passes_a_card_on_remembers_it_though_others_pass_at_the_same_time() -> None:
    for executor in ("generated", "reference"):
        for seed in range(12):
            match = small("passing").start(seed=seed, executor=executor)
            rng = random.Random(seed)
            passed = {}
            for seat in range(3):
                option = rng.choice(list(match.options_of(seat)))
                passed[seat] = option.text
                match.push(option)
            for seat, thing in passed.items():
                after = (seat + 1) % 3
                assert thing in hand(match, seat, after)
                assert hand(match, seat, (seat + 2) % 3) == (None, None)
                for n in range(4):
                    deal = redeal(match, Seat(seat), random.Random(n))
                    assert thing in hand(deal, after, after)


def test_of_two_cards_passed_on_one_after_the_other_the_second_may_be_the_first(tmp_path: Path) -> None:
    """Not at once: ben may hand ann's card on, and she does not see which he hands on."""
    text = (FOLDER / "passing.rules").read_text()
    once = "simultaneously for p in players if p.passed != none: move p.passed to next(p).hand"
    assert once in text
    later = text.replace(
        "  each p in players secretly chooses p.passed in p.hand\n  " + once,
        "  for p in players:\n    p chooses p.passed in p.hand\n    move p.passed to next(p).hand",
    )
    match = game(later, tmp_path).start(seed=1)
    first = match.options[0].text
    match.play(first)
    assert first in hand(match, 0, 1)
    match.play(match.options[0])
    assert first not in hand(match, 0, 1)


# ------------------------------------------------------------------ copies of one face


COPIES = """\
game copies "Copies":
  players 2
  seats sally, yuri

names p, q: Player; c: Card
enum Colour: red, blue, green
kind Card "card":
  colour: Colour
  | copies | colour |
  | 4      | Colour |
the game has:
  deck: pile of Card, face down
  display: group of Card, face up
  discards: pile of Card, face up
each Player has:
  hand: group of Card, seen by owner
setup:
  move Card to deck
  shuffle(deck)
  for p in players: move 2 of deck to p.hand
  move 4 of deck to display
action take(p, c in display) "Take {c}": move c to p.hand
action spend(p, c in p.hand) "Spend {c}": move c to discards
action bury(p, c in p.hand) "Bury {c}": move c to deck bottom
play:
  repeat 6 times:
    for p in players if count(p.hand) + count(display) > 0: p chooses one of take, spend, bury
  finish with winner players
"""


@pytest.mark.long
def test_which_of_several_copies_was_moved_is_told_by_no_view_and_no_log(tmp_path: Path) -> None:
    """Sally takes a card in the open and later spends one of that colour: nobody can tell whether it is the same."""
    rules = game(COPIES, tmp_path)
    alike = 0
    for seed in range(60):
        rng = random.Random(seed)
        match = rules.start(seed=seed)
        twin = redeal(match, Seat(1), rng, traced=True)
        while match.to_move and twin.to_move == match.to_move:
            actor = match.to_move[0]
            theirs = {option.text for option in twin.options_of(actor)}
            both = [option.text for option in match.options_of(actor) if option.text in theirs]
            if not both:
                break
            text = rng.choice(both)
            match.play(text)
            twin.play(text)
            assert twin.events_for(1)[-1].call == match.events_for(1)[-1].call
            assert twin.view(1).zones == match.view(1).zones
            first, second = (hands_dealt(one) for one in (match, twin))
            assert first == second
            alike += 1
    assert alike > 60


def hands_dealt(match: BareMatch) -> list[object]:
    """What sally holds in some re-deals for yuri."""
    return [sorted(map(str, hand(redeal(match, Seat(1), random.Random(n)), 0, 0))) for n in range(8)]


# ------------------------------------------------------------------ chains


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "stop", "seat", "budget"), [("dice", 1, 0, 60), ("guessing", 3, 0, 90), ("whist", 5, 0, 120)]
)
def test_a_chain_comes_to_each_course_as_often_as_it_is_likely(
    name: str, stop: int, seat: int, budget: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = next(match for n, match in enumerate(stops(name, 4)) if n == stop)
    weights = weights_of(match, seat)
    assert len(weights) > 1
    monkeypatch.setattr(Listing, "of", lambda retrace: None)
    monkeypatch.setattr(drawing, "counted", lambda *_, **__: None)
    counts: Counter[Hashable] = Counter()
    draws = 16 * len(weights)
    for n in range(draws):
        deal = match.redeal(seat, random.Random(n), budget=budget)
        assert deal.drawing is not None
        if deal.drawing.how == "chain":
            assert not deal.exact
            counts[position(deal)] += 1
    assert counts.total() > 0.9 * draws
    assert set(counts) <= set(weights), "no chain ends where the seat would have seen something else"
    expected = {key: float(counts.total() * weight) for key, weight in weights.items()}
    assert chi_square(counts, expected) < too_much(len(weights) - 1)


def high_numbers(match: BareMatch, options: Sequence[Option]) -> list[int]:
    """A policy: who chooses a number, chooses a high one; who hints, hints at what is close to it."""
    return [4 ** (option.answer[-1] if len(option.answer) > 1 else 0) for option in options]


@pytest.mark.long
def test_a_chain_goes_by_the_policy_of_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    match = small("guessing").start(seed=3)
    for answer in ("ann: 2", "ben: 3", "ann: hint(1)", "ben: hint(2)"):
        match.play(answer)
    memory = remembered(match, Seat(0))
    assert memory is not None
    listing, _ = listed(match, memory, BUDGET, high_numbers)
    assert listing is not None
    weights: dict[Hashable, Fraction] = {}
    for course in listing.courses:
        weights[position(course.match)] = weights.get(position(course.match), Fraction(0)) + course.weight
    total = sum(weights.values())
    assert len({weight / total for weight in weights.values()}) == len(weights) == 3
    monkeypatch.setattr(Listing, "of", lambda retrace: None)
    draws = [match.redeal(0, random.Random(n), budget=120, policy=high_numbers) for n in range(150)]
    assert all(deal.drawing is not None and deal.drawing.how == "chain" for deal in draws)
    counts: Counter[Hashable] = Counter(position(deal) for deal in draws)
    expected = {key: float(len(draws) * weight / total) for key, weight in weights.items()}
    assert chi_square(counts, expected) < too_much(len(weights) - 1)


@pytest.mark.long
def test_a_chain_deals_no_suit_again_that_was_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "counted", lambda *_, **__: None)
    text = (FOLDER / "whist.rules").read_text()
    for was, now in (
        ("players 2", "players 4"),
        ("north, south", "north, east, south, west"),
        ("hearts, spades", "hearts, spades, clubs, diamonds"),
        ("1..4", "1..13"),
        ("at most 3", "at most 13"),
        ("0..3 = 0", "0..13 = 0"),
        ("repeat 3", "repeat 13"),
        ("move 3", "move 13"),
    ):
        assert was in text
        text = text.replace(was, now)
    match = game(text, tmp_path).start(seed=3)
    rng = random.Random(1)
    void: set[tuple[int, str]] = set()
    led = ""
    for n in range(30):
        option = rng.choice(list(match.options))
        suit, _ = card(option.text.removeprefix("play(").removesuffix(")"))
        led = suit if n % 4 == 0 else led
        if suit != led:
            void.add((option.seat, led))
        match.push(option)
    assert {seat for seat, _ in void} - {0}
    deal = match.redeal(0, random.Random(1), budget=3000)
    assert deal.drawing is not None
    assert deal.drawing.how == "chain"
    for seat, suit in void:
        assert all(card(str(one))[0] != suit for one in hand(deal, seat, seat))


# ------------------------------------------------------------------ what the documentation promises


@pytest.mark.long
@pytest.mark.parametrize("name", [*GAMES, "whist"])
def test_a_redeal_that_fits_shows_the_seat_what_it_saw(name: str) -> None:
    looked = 0
    for n, match in enumerate(stops(name, 2)):
        seat = n % match.players
        deal = match.redeal(seat, random.Random(n), budget=BUDGET)
        assert deal.drawing is not None
        assert deal.drawing.fits
        assert deal.view(seat) == match.view(seat)
        assert deal.information(seat) == match.information(seat)
        assert deal.to_move == match.to_move
        looked += 1
    assert looked > 2


def test_what_is_known_in_a_redeal_is_worked_out_when_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    match = next(match for n, match in enumerate(stops("whist", 1)) if n == 2)
    with monkeypatch.context() as patch:
        patch.setattr(Knowledge, "renamed", lambda *_: pytest.fail("nobody has read it"))
        deal = match.redeal(0, random.Random(1), budget=0, traced=True)
        deal.push(deal.options.first(1)[0])
    again = match.redeal(0, random.Random(1), budget=0, traced=True)
    assert again.position.knowledge.kinds != match.position.knowledge.kinds


def test_loose_things_get_the_names_that_they_have_in_a_renamed_row() -> None:
    match = next(match for n, match in enumerate(stops("whist", 1)) if n == 2)
    references, row = match.internals.references, match.position.row
    loose = references.loose(row, {1: 0b01101111})
    for names in ((3, 1, 2, 0, 4, 6, 5, 7), (1, 2, 3, 5, 4, 0, 6, 7), tuple(range(8))):
        machine = match.position.machine.rewritten(loose.renamed({1: names}))
        assert machine.row == references.renamed(row, {1: names}, whose=False)
    assert loose.renamed({}) == {}
    assert match.position.row == row


@pytest.mark.parametrize("executor", rest_long(["reference", "generated", "native"], "reference", "generated"))
def test_a_rewritten_machine_goes_on_from_other_values_and_leaves_the_first_alone(executor: str) -> None:
    if executor == "native":
        pytest.importorskip("llvmlite")
    match = api.load("empty_space").start(seed=3, executor=executor)
    machine = match.position.machine
    row, seat = machine.row[:], match.to_move[0]
    answers = list(machine.options(seat))
    other = machine.rewritten({Slot(slot): 0 for slot in range(match.internals.layout.size)})
    assert not any(other.row[: match.internals.layout.size])
    back = other.rewritten({Slot(at): value for at, value in enumerate(row[: match.internals.layout.size])})
    assert back.row == row == machine.row
    assert list(back.options(seat)) == list(machine.rewritten({}).options(seat)) == answers
    assert list(machine.options(seat)) == answers


@pytest.mark.long
def test_a_redeal_of_what_is_not_remembered_is_drawn_from_what_is_known() -> None:
    match = next(match for n, match in enumerate(stops("whist", 1)) if n == 2)
    untraced = match.fork(traced=False)
    again = match.redeal(0, random.Random(1), traced=True)
    for one in (untraced, again):
        deal = one.redeal(0, random.Random(2))
        assert deal.drawing is not None
        assert (deal.drawing.how, deal.exact) == ("known", False)
