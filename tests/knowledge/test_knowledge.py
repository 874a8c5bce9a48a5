"""Who knows which thing: what is seen, forgotten and dealt again."""

from __future__ import annotations

import random
from functools import partial

import pytest

from rulelang.ir.model import GameRules
from rulelang.ir.numbers import Seat, Thing
from rulelang.knowledge.analysis import secrets_of
from rulelang.knowledge.guesses import Matchings
from rulelang.knowledge.knowledge import Knowledge
from rulelang.knowledge.redaction import EVERYONE
from rulelang.match.match import BareMatch
from rulelang.match.redeals.redeal import redeal
from rulelang.program.layout import lay_out
from tests.games.hidden import hidden, interpreted

CARD = 1
BOX, DECK, RED_HAND, BLUE_HAND, RED_ASIDE, BLUE_ASIDE, RED_ROW, BLUE_ROW, SPARE = range(9)
RED, BLUE, SPECTATOR = range(3)
ACE, KING, KING_2, QUEEN, TEN, TEN_2, TEN_3, TWO = range(8)


@pytest.fixture(scope="module")
def game() -> GameRules:
    return hidden()


@pytest.fixture
def start(game: GameRules) -> Knowledge:
    return Knowledge.start(game, lay_out(game), 3)


def match(game: GameRules, seed: int = 1) -> BareMatch:
    layout = lay_out(game)
    return BareMatch(game, layout, partial(interpreted, game, layout), 2, seed=seed, secrets=secrets_of(game))


def dealt(start: Knowledge) -> Knowledge:
    """All cards in the deck and shuffled; red has ace and king, blue queen and ten."""
    for thing in range(8):
        start = start.moved(CARD, Thing(thing), BOX, DECK, leaves=EVERYONE, enters=0, end="top")
    start = start.shuffled(CARD, DECK, range(8), seen=0)
    for thing in (ACE, KING):
        start = start.moved(CARD, Thing(thing), DECK, RED_HAND, leaves=0, enters=1 << RED)
    for thing in (QUEEN, TEN):
        start = start.moved(CARD, Thing(thing), DECK, BLUE_HAND, leaves=0, enters=1 << BLUE)
    return start


def test_at_the_start_everybody_knows_everything(start: Knowledge) -> None:
    assert all(start.knowers(CARD, Thing(thing)) == EVERYONE for thing in range(8))


def test_what_goes_face_down_from_the_box_is_known_until_it_is_shuffled(start: Knowledge) -> None:
    down = start.moved(CARD, Thing(ACE), BOX, DECK, leaves=EVERYONE, enters=0, end="top")
    down = down.moved(CARD, Thing(TWO), BOX, DECK, leaves=EVERYONE, enters=0, end="top")
    assert down.knowers(CARD, Thing(ACE)) == EVERYONE
    assert down.shuffled(CARD, DECK, (ACE, TWO), seen=0).knowers(CARD, Thing(ACE)) == 0


def test_who_draws_knows_the_card_and_nobody_else_does(start: Knowledge) -> None:
    know = dealt(start)
    assert know.knows(RED, CARD, Thing(ACE))
    assert not know.knows(BLUE, CARD, Thing(ACE))
    assert not know.knows(SPECTATOR, CARD, Thing(ACE))


def test_a_card_that_one_has_is_not_among_what_others_could_have(start: Knowledge) -> None:
    know = dealt(start)
    assert not know.could_be(RED, CARD, Thing(QUEEN)) >> ACE & 1
    assert know.could_be(BLUE, CARD, Thing(ACE)) >> TWO & 1


def test_a_known_place_in_a_pile_is_kept_until_it_is_shuffled(start: Knowledge) -> None:
    know = dealt(start).shown(CARD, Thing(KING_2), 1 << RED)
    drawn = know.moved(CARD, Thing(KING_2), DECK, BLUE_HAND, leaves=0, enters=1 << BLUE)
    assert drawn.knows(RED, CARD, Thing(KING_2))
    assert not know.shuffled(CARD, DECK, (KING_2, TEN_2, TEN_3, TWO), seen=0).knows(RED, CARD, Thing(KING_2))


def test_what_is_taken_from_the_middle_of_a_pile_could_be_any_of_it(start: Knowledge) -> None:
    know = dealt(start).shown(CARD, Thing(KING_2), 1 << RED)
    taken = know.moved(CARD, Thing(TEN_2), DECK, BLUE_HAND, leaves=0, enters=1 << BLUE)
    assert not taken.knows(RED, CARD, Thing(KING_2))


def test_when_a_card_leaves_a_hand_unseen_the_whole_hand_is_forgotten(start: Knowledge) -> None:
    know = dealt(start).shown(CARD, Thing(ACE), 1 << BLUE)
    assert know.knows(BLUE, CARD, Thing(ACE))
    after = know.moved(CARD, Thing(KING), RED_HAND, RED_ASIDE, leaves=1 << RED, enters=0)
    assert not after.knows(BLUE, CARD, Thing(ACE))
    assert after.could_be(BLUE, CARD, Thing(KING)) >> ACE & 1
    assert after.knows(RED, CARD, Thing(ACE))
    assert after.knows(RED, CARD, Thing(KING))


def test_a_card_that_is_played_openly_is_known_to_all_and_leaves_the_rest_as_it_was(start: Knowledge) -> None:
    know = dealt(start).shown(CARD, Thing(ACE), 1 << BLUE)
    after = know.moved(CARD, Thing(KING), RED_HAND, RED_ROW, leaves=1 << RED, enters=EVERYONE)
    assert after.knowers(CARD, Thing(KING)) == EVERYONE
    assert after.knows(BLUE, CARD, Thing(ACE))


def test_a_card_that_lies_open_is_seen_leaving_a_hidden_hand(start: Knowledge) -> None:
    know = dealt(start).turned_up(CARD, Thing(ACE))
    after = know.moved(CARD, Thing(ACE), RED_HAND, RED_ASIDE, leaves=1 << RED, enters=0)
    assert after.knowers(CARD, Thing(ACE)) == EVERYONE
    unseen = know.moved(CARD, Thing(KING), RED_HAND, RED_ASIDE, leaves=1 << RED, enters=0)
    assert unseen.knowers(CARD, Thing(ACE)) == EVERYONE, "what lies open stays known when a hidden card leaves"


def test_what_is_drawn_blindly_from_the_box_is_known_to_nobody(start: Knowledge) -> None:
    know = start.drawn(CARD, (ACE, QUEEN)).moved(CARD, Thing(ACE), BOX, SPARE, leaves=EVERYONE, enters=0)
    assert know.knowers(CARD, Thing(ACE)) == 0
    assert know.could_be(RED, CARD, Thing(ACE)) == 1 << ACE | 1 << QUEEN
    assert know.knowers(CARD, Thing(TWO)) == EVERYONE


def test_the_last_of_several_is_known_when_the_others_are_seen(start: Knowledge) -> None:
    know = start.drawn(CARD, (ACE, QUEEN)).turned_up(CARD, Thing(ACE))
    assert know.knowers(CARD, Thing(QUEEN)) == EVERYONE


def test_copies_that_look_alike_are_known_without_being_told_apart(start: Knowledge) -> None:
    know = start.drawn(CARD, (TEN, TEN_2))
    assert know.knowers(CARD, Thing(TEN)) == EVERYONE


def test_viewers_who_have_seen_the_same_share_their_guesses(start: Knowledge) -> None:
    know = dealt(start)
    lying = know.kinds[CARD]
    assert lying is not None
    plain = start.drawn(CARD, (ACE, QUEEN)).kinds[CARD]
    assert plain is not None
    assert plain.could[RED] is plain.could[BLUE] is plain.could[SPECTATOR]


def test_every_deal_fits_what_is_known() -> None:
    rng = random.Random(3)
    guesses = [0b0111, 0b0011, 0b0110, 0b1000]
    seen = set()
    for _ in range(200):
        deal = Matchings.of(guesses).drawn(rng)
        assert sorted(deal) == [0, 1, 2, 3]
        assert all(guess >> name & 1 for guess, name in zip(guesses, deal, strict=True))
        seen.add(tuple(deal))
    assert seen == {(0, 1, 2, 3), (2, 0, 1, 3), (1, 0, 2, 3)}


def test_a_deal_of_equal_guesses_gives_every_order_alike() -> None:
    rng = random.Random(5)
    counts: dict[tuple[int, ...], int] = {}
    for _ in range(6000):
        deal = tuple(Matchings.of([0b111] * 3).drawn(rng))
        counts[deal] = counts.get(deal, 0) + 1
    assert len(counts) == 6
    assert all(850 < count < 1150 for count in counts.values())


@pytest.mark.long
def test_a_chain_of_overlapping_guesses_is_dealt_in_bounded_time() -> None:
    guesses = [(1 << i | 1 << (i + 1)) if i < 1999 else 1 << 1999 for i in range(2000)]
    assert Matchings.of(guesses).drawn(random.Random(1)) == list(range(2000))


def test_a_redeal_keeps_what_the_seat_knows_and_changes_the_rest(game: GameRules) -> None:
    here = match(game)
    rng = random.Random(1)
    hands = set()
    for _ in range(30):
        deal = redeal(here, Seat(RED), rng)
        assert deal.view(RED) == here.view(RED)
        assert deal.information(RED) == here.information(RED)
        hands.add(deal.view(BLUE)["blue.hand"])
    assert len(hands) > 5


def test_a_redeal_can_be_played_to_its_end(game: GameRules) -> None:
    here = match(game)
    rng = random.Random(2)
    while here.to_move:
        deal = redeal(here, here.to_move[0], rng)
        while deal.to_move:
            deal.play(rng.choice(list(deal.options)))
        assert deal.outcome is not None
        here.play(rng.choice(list(here.options)))


def test_twins_are_dealt_alike() -> None:
    """What a re-deal gives depends on what the seat knows and on random numbers, not on what is true."""
    game = hidden()
    here = match(game)
    twin = next(
        deal
        for deal in (redeal(here, Seat(RED), random.Random(n)) for n in range(50))
        if deal.view(BLUE)["blue.hand"] != here.view(BLUE)["blue.hand"]
    )
    for n in range(10):
        mine, theirs = redeal(here, Seat(RED), random.Random(n)), redeal(twin, Seat(RED), random.Random(n))
        assert mine.view(BLUE).zones == theirs.view(BLUE).zones


def test_a_sealed_answer_of_another_is_guessed_again_and_ones_own_is_kept(game: GameRules) -> None:
    here = match(game)
    here.play("blue: 3")
    assert here.view(RED).answered == (BLUE,)
    assert here.view(RED).answer is None
    assert here.view(BLUE).answer == "3"
    ships = set()
    for n in range(30):
        deal = redeal(here, Seat(RED), random.Random(n))
        deal.play("red: 1")
        ships.add(deal.view(BLUE)["blue.ship"])
    assert len(ships) == 3
    for n in range(10):
        deal = redeal(here, Seat(BLUE), random.Random(n))
        deal.play("red: 1")
        assert getattr(deal.view(BLUE)["blue.ship"], "value", None) == 3


def test_a_hidden_variable_becomes_what_it_could_be(game: GameRules) -> None:
    here = match(game)
    here.play("blue: 3")
    here.play("red: 1")
    blues = {redeal(here, Seat(RED), random.Random(n)).position.row[_slot(here, "ship") + BLUE] for n in range(40)}
    reds = {redeal(here, Seat(RED), random.Random(n)).position.row[_slot(here, "ship") + RED] for n in range(40)}
    lucks = {redeal(here, Seat(RED), random.Random(n)).position.row[_slot(here, "luck")] for n in range(80)}
    assert (blues, reds) == ({1, 2, 3}, {1})
    assert len(lucks) > 4


def _slot(match: BareMatch, name: str) -> int:
    return next(match.internals.layout.states[state.id] for state in match.game.states if state.name == name)
