"""What a seat makes of what others do: the names that hidden things could have, and re-deals that are counted."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations, permutations

import pytest

from rulelang import api
from rulelang.ir.facts import kind_of
from rulelang.ir.numbers import Seat
from rulelang.ir.types import SetType
from rulelang.machines.chance import Tape
from rulelang.machines.evaluate import contents
from rulelang.match.match import BareMatch
from rulelang.match.redeals.counting import CountedDeals
from rulelang.match.redeals.redeal import redeal
from rulelang.match.redeals.suspicion import suspected
from rulelang.program.packing import mask_of, members
from tests.files import TESTS
from tests.match.test_redeals import chi_square, too_much
from tests.seeds import rest_long
from tests.views import variable

Hands = tuple[frozenset[str], ...]


@cache
def loaded(name: str) -> api.Game:
    return api.load(TESTS / "redeals" / f"{name}.rules")


def played(name: str, seed: int, most: int) -> Iterator[api.Match]:
    """A match played at random, at each stop."""
    match, rng = loaded(name).start(seed=seed), random.Random(seed)
    for _ in range(most):
        yield match
        if not match.to_move:
            return
        match.push(rng.choice(match.options.first(300)))


def held(match: BareMatch, seat: int, eyes: int) -> Sequence[str | None]:
    return match.view(eyes)[f"{match.seats[seat]}.hand"].things  # type: ignore[union-attr]


# ------------------------------------------------------------------ counting


@pytest.mark.parametrize(
    "guesses",
    [[0b0011, 0b0111, 0b0111], [0b1111, 0b0011, 0b0110], [0b11111] * 2 + [0b00111] * 2, [0b1, 0b11, 0b11100, 0b11110]],
)
def test_each_deal_that_fits_is_drawn_as_often_as_any_other(guesses: list[int]) -> None:
    names = [name for name in range(5) if any(guess >> name & 1 for guess in guesses)]
    fits = {
        deal
        for deal in permutations(names, len(guesses))
        if all(guess >> name & 1 for guess, name in zip(guesses, deal, strict=True))
    }
    deals, rng = CountedDeals.of(guesses), random.Random(1)
    assert deals is not None
    counts = Counter(tuple(deals.drawn(rng)) for _ in range(100 * len(fits)))
    assert set(counts) == fits
    assert chi_square(counts, dict.fromkeys(fits, 100.0)) < too_much(max(1, len(fits) - 1))  # type: ignore[arg-type]


def test_places_that_no_names_fit_are_not_counted() -> None:
    assert CountedDeals.of([0b11, 0b11, 0b11]) is None
    assert CountedDeals.of([0b01, 0b01, 0b10]) is None


# ------------------------------------------------------------------ the truth is never ruled out


@pytest.mark.parametrize("name", rest_long(["hanabi", "hearts", "passing", "whist_52"], "passing", "whist_52"))
def test_what_a_thing_is_is_always_among_what_it_could_be(name: str) -> None:
    for seed in range(2):
        for n, match in enumerate(played(name, seed, 24)):
            for seat in range(match.players) if n % 3 == 0 else ():
                for kind, masks in suspected(match, Seat(seat)).masks.items():
                    classes = match.game.kinds[kind].classes
                    for thing, mask in enumerate(masks):
                        assert any(mask >> name & 1 for name in range(len(classes)) if classes[name] == classes[thing])


# ------------------------------------------------------------------ whist


def voids(match: BareMatch) -> set[tuple[int, str]]:
    """Who has not followed which suit, read off the log."""
    found, trick, led = set(), 0, ""
    for entry in match.log.entries:  # type: ignore[attr-defined]
        if type(entry).__name__ == "Taken":
            text = "".join(part if isinstance(part, str) else part.read(-1) for part in entry.option)
            suit = text.removeprefix("play(Card(").split(", ")[0]
            led = suit if trick % 4 == 0 else led
            if suit != led:
                found.add((entry.seat, led))
            trick += 1
    return found


@pytest.mark.parametrize("plays", [3, 12, 31])
def test_fifty_two_cards_are_dealt_exactly_without_a_suit_that_was_not_followed(plays: int) -> None:
    *_, match = played("whist_52", 3, plays + 1)
    missing = voids(match)
    assert plays < 31 or {seat for seat, _ in missing} - {0}
    for n in range(20):
        deal = match.redeal(0, random.Random(n))
        assert deal.exact
        assert held(deal, 0, 0) == held(match, 0, 0)
        assert deal.view(0) == match.view(0)
        assert deal.information(0) == match.information(0)
        for seat, suit in missing:
            assert not any(suit in str(card) for card in held(deal, seat, seat))


def hands_that_fit(match: BareMatch, seat: int) -> set[Hands]:
    """The hands of the others by brute force: what is left, shared out in all ways that the voids allow."""
    others = [other for other in range(4) if other != seat]
    left = frozenset(str(card) for other in others for card in held(match, other, other))
    sizes, missing = {other: len(held(match, other, other)) for other in others}, voids(match)

    def may(other: int, cards: frozenset[str]) -> bool:
        return not any(card.startswith(f"Card({suit},") for who, suit in missing if who == other for card in cards)

    found = set[Hands]()
    first, second, third = others
    for one in map(frozenset, combinations(sorted(left), sizes[first])):
        for two in map(frozenset, combinations(sorted(left - one), sizes[second])):
            hands = (one, two, left - one - two)
            if all(may(other, cards) for other, cards in zip((first, second, third), hands, strict=True)):
                found.add(hands)
    return found


@pytest.mark.long
@pytest.mark.parametrize(("seed", "plays"), [(3, 42), (5, 45), (8, 46)])
def test_the_last_cards_of_whist_are_dealt_as_often_as_brute_force_says(seed: int, plays: int) -> None:
    *_, match = played("whist_52", seed, plays + 1)
    for seat in (0, 2):
        fits = hands_that_fit(match, seat)
        counts: Counter[Hands] = Counter()
        rng, draws = random.Random(seed), min(12 * len(fits), 1200)
        for _ in range(draws):
            deal = match.redeal(seat, rng)
            assert deal.exact
            counts[tuple(frozenset(map(str, held(deal, other, other))) for other in range(4) if other != seat)] += 1
        assert set(counts) <= fits
        if 1 < len(fits) <= 200:
            expected = dict.fromkeys(fits, draws / len(fits))
            assert chi_square(counts, expected) < too_much(len(fits) - 1)  # type: ignore[arg-type]


# ------------------------------------------------------------------ hearts


def test_hearts_is_dealt_exactly_after_three_cards_were_passed_on() -> None:
    match = next(match for n, match in enumerate(played("hearts", 5, 12)) if n == 4)
    starter = match.to_move[0]
    for seat in range(4):
        for n in range(10):
            deal = match.redeal(seat, random.Random(n))
            assert deal.exact
            assert "Card(clubs, 2)" in held(deal, starter, starter), "who holds the two of clubs begins"
            assert held(deal, seat, seat) == held(match, seat, seat)


# ------------------------------------------------------------------ hints


@pytest.mark.long
def test_a_card_that_was_hinted_at_has_its_colour_in_each_re_deal_that_bots_think_in() -> None:
    hinted = 0
    for seed in range(6):
        match, rng = loaded("hanabi").start(seed=seed), random.Random(seed)
        for n in range(16):
            if not match.to_move:
                break
            seat = match.to_move[0]
            deals = [redeal(match, seat, random.Random(n)), match.redeal(seat, random.Random(n))]
            assert deals[1].exact
            for deal, place in ((d, p) for d in deals for p in ("first", "second", "third", "fourth")):
                card = f"{match.seats[seat]}.hand({place}_card)"
                colour, rank = (
                    variable(match.state, f"{match.seats[seat]}.hinted_{what}({place}_card)").text
                    for what in ("colour", "rank")
                )
                (thing,) = deal.view(1 - seat)[card].things or (None,)  # type: ignore[union-attr]
                if thing is not None and (colour, rank) != ("none", "0"):
                    hinted += 1
                    assert colour == "none" or f"({colour}," in str(thing)
                    assert rank == "0" or f", {rank})" in str(thing)
            options = list(match.options)
            hints = [option for option in options if "hint" in option.text]
            match.push(rng.choice(hints if hints and rng.randrange(2) else options))
    assert hinted > 100


def test_a_card_that_was_not_hinted_at_has_another_colour() -> None:
    match = loaded("hanabi").start(seed=2)
    option = next(option for option in match.options if "hint_colour" in option.text)
    colour = option.text.removeprefix("hint_colour(").removesuffix(")")
    match.push(option)
    for n in range(20):
        deal = redeal(match, Seat(1), random.Random(n))
        for place in ("first", "second", "third", "fourth"):
            is_hinted = variable(match.state, f"ben.hinted_colour({place}_card)").text == colour
            (thing,) = deal.view(0)[f"ben.hand({place}_card)"].things  # type: ignore[union-attr]
            assert (f"({colour}," in str(thing)) is is_hinted


# ------------------------------------------------------------------ played again


def lying(match: BareMatch, kind: int) -> list[list[int]]:
    """The things in each place."""
    zones = [zone for zone in match.game.zones if zone.kind == kind]
    row, sizes = match.position.row, match.internals.layout.zone_sizes
    return [contents(row, match.internals.layout, zone, i) for zone in zones for i in range(sizes[zone.id])]  # type: ignore[misc]


def names_in(match: BareMatch, deal: BareMatch, kind: int) -> list[int]:
    """A name for each thing, by where it lies in a deal; what stays where it was keeps its name."""
    names = list(range(match.game.kinds[kind].size))
    for before, after in zip(lying(match, kind), lying(deal, kind), strict=True):
        gone = [thing for thing in before if thing not in after]
        for thing, name in zip(gone, [name for name in after if name not in before], strict=True):
            names[thing] = name
    return names


def played_again(match: BareMatch, deal: BareMatch) -> BareMatch | None:
    """The match from its beginning, with the cards of a deal; None where somebody could not have done what it did."""
    (kind,) = (kind for kind in match.game.kinds if kind.movable)
    names = names_in(match, deal, kind.id)
    first, _ = match.earlier()[0]
    assert first.internals.moment.chapter is not None
    (shuffle,) = first.internals.moment.chapter.trail.draws
    order = shuffle.value
    assert isinstance(order, tuple)
    again = match.internals.again(Tape(iter([tuple(names[thing] for thing in order)]), match.internals.layout))
    for before, past in match.earlier():
        branch = before.choice.branches[past.answer[0]]  # type: ignore[union-attr]
        values = []
        for parameter, value in zip(branch.parameters, past.answer[1:], strict=True):
            about = parameter.variable.type
            if kind_of(about, match.game) is None:
                values.append(value)
            else:
                values.append(mask_of(names[t] for t in members(value)) if isinstance(about, SetType) else names[value])
        answer = (past.answer[0], *values)
        if not again.position.machine.allows(past.seat, answer):
            return None
        again.push(again.options_of(past.seat).option(past.seat, answer))
    return again


@pytest.mark.long
@pytest.mark.parametrize(("name", "plays"), [("whist_52", 22), ("hearts", 4), ("hearts", 20)])
def test_a_match_played_again_with_what_was_dealt_shows_the_seat_what_it_saw(name: str, plays: int) -> None:
    match = next(match for n, match in enumerate(played(name, 7, plays + 1)) if n == plays)
    for seat in range(4):
        told = narrowed(match, seat)
        for n in range(3):
            again = played_again(match, match.redeal(seat, random.Random(n)))
            assert again is not None
            assert again.information(seat) == match.information(seat)
            assert narrowed(again, seat) == told, "what is made of it depends on nothing that the seat did not see"


def narrowed(match: BareMatch, seat: int) -> tuple[list[list[list[int]]], bool, int]:
    """The names that the things in each place could have, and whether there is anything else to tell."""
    found = suspected(match, Seat(seat))
    knowledge = match.position.knowledge
    masks = [
        [sorted(knowledge.guesses(seat, kind)[t] & found.masks[kind][t] for t in place) for place in lying(match, kind)]
        for kind in found.masks
    ]
    return masks, found.whole, len(found.open)


def test_where_the_rules_never_tell_what_a_thing_is_bots_conclude_nothing() -> None:
    match = api.load("exit_velocity").start(seed=1)
    assert not suspected(match, Seat(0), only_narrowing=True).masks
    assert suspected(match, Seat(0)).masks
