"""Words about an answer are understood as people say them: with articles, in the plural, in part, or in its written form."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

import rulelang
from rulelang.errors import UnknownOption
from rulelang.match.match import BareMatch
from rulelang.match.options.explain import Reason, needed
from rulelang.match.options.option import Option
from rulelang.session.dialogue import Dialogue
from rulelang.session.refusals import beside_a_lone_option, forbidden

MARKET = """
game market "Market":
  players 2
  seats ann "Ann", ben "Ben"

names p: Player; c: Card; n: 1..500

enum Colour "colour": red, green

kind Card "card":
  called: "{colour} card"
  colour: Colour
  | copies | colour |
  | 3      | Colour |

option tolls: flag = no "Are there tolls?"

the game has:
  stall: group of Card, called "the stall"
each Player has:
  hand: group of Card, seen by owner
  gold: 0..99 = 40

value cards_of(p, k: Colour), called "the {k} cards of {p}" = {c in p.hand if c.colour == k}

setup:
  for p in players: move 2 of {c in Card if c in box and c.colour == red} to p.hand

action buy_probe(p, k: Colour, cards in 3 of cards_of(p, k)) "Buy the {k} probe with {cards}":
  needs p.gold > 0  "You are broke"
  p.gold -= 1

action take_card(p, c in stall) "Take {c}": move c to p.hand

action bid(p, n) "Bid {n}":
  needs n <= p.gold  "You have only {p.gold}"
  p.gold -= n

action lay_down(p, c in p.hand) "Lay {c} down": move c to stall

play:
  turns p from first_player:
    p chooses one of buy_probe, take_card, bid, lay_down, or pass "What will you do?"
    p chooses one of shout, levy, rob, or pass "Anything else?"
action shout(p) "Shout": settle
action levy(p, k: Colour) "Levy the {k} toll":
  needs tolls  "Here is no {k} toll"
  p.gold += 1, at most 99
action rob(p) "Rob the bank":
  needs no
  settle
"""


def started(folder: Path, options: Mapping[str, bool | int | str] | None = None) -> BareMatch:
    path = folder / "market.rules"
    path.write_text(MARKET, encoding="utf-8")
    return rulelang.load(path).start(2, seed=1, options=options)


@pytest.fixture
def market(tmp_path: Path) -> BareMatch:
    return started(tmp_path)


@pytest.mark.parametrize(
    "words",
    [
        "buy a probe",
        "buy_probe",
        "buying probes",
        "the probe",
        "probes",
        "buy the red probe",
        "red probe",
        "Buy probe!",
    ],
)
def test_an_answer_for_which_too_little_is_there_is_found_by_its_words(market: BareMatch, words: str) -> None:
    found = Dialogue.of(market, market.to_move[0]).mentioned(words)
    assert {lack.reason.message for lack in found.lacks} >= {"It takes 3 of the red cards of Ann: there are only 2"}
    assert not found.offered
    assert not found.refused


def test_what_nothing_can_complete_is_told_among_the_forbidden(market: BareMatch) -> None:
    reasons = {one.words: one.reason.message for one in forbidden(market, market.to_move[0])}
    assert reasons["Buy the …"] == "It takes 3 of the red cards of Ann: there are only 2"
    assert reasons["Take …"] == "There is nothing in the stall"


def test_a_rule_that_forbids_comes_before_what_lacks(market: BareMatch) -> None:
    for answer in ("bid(40)", "pass", "pass", "pass"):
        market.play(answer)
    found = Dialogue.of(market, market.to_move[0]).mentioned("buy a probe")
    assert {lack.reason.message for lack in found.lacks} == {"You are broke"}


@pytest.mark.parametrize(
    ("typed", "written"),
    [
        ("lay the red card down", "lay_down(red)"),
        ("laying a card", "lay_down(red)"),
        ("bid 3", "bid(3)"),
        ("passing", "pass"),
    ],
)
def test_words_that_mention_one_answer_are_that_answer(market: BareMatch, typed: str, written: str) -> None:
    answer = Dialogue.of(market, market.to_move[0]).answer(typed)
    assert isinstance(answer, Option)
    assert answer.text == written


def test_words_that_mention_several_answers_name_those_on_offer(market: BareMatch) -> None:
    with pytest.raises(UnknownOption, match=re.escape("`bidding` could be `Bid 1`, `Bid 2`")):
        Dialogue.of(market, market.to_move[0]).answer("bidding")


def test_things_that_are_written_alike_are_one_answer(market: BareMatch) -> None:
    """Two of the three red cards lie elsewhere, and none of them on the stall; six green ones have one name."""
    market.play("lay_down(red)")
    market.play("pass")
    (aside,) = Dialogue.of(market, market.to_move[0]).mentioned("take the green cards").outside
    assert aside.label == "Take green card"


def test_a_number_that_is_asked_for_is_refused_by_its_own_rule(market: BareMatch) -> None:
    dialogue = Dialogue.of(market, market.to_move[0])
    dialogue.answer("bid")
    assert dialogue.question.is_number
    (refused,) = dialogue.mentioned("60").refused
    assert refused[1].message == "You have only 40"
    with pytest.raises(UnknownOption, match="Not now: You have only 40"):
        dialogue.answer("60")


def test_a_number_where_lines_are_listed_is_a_line_else_a_value(market: BareMatch) -> None:
    dialogue = Dialogue.of(market, market.to_move[0])
    assert len(dialogue.mentioned("1").offered) == 40
    (refused,) = dialogue.mentioned("400").refused
    assert refused[0].text == "bid(400)"
    with pytest.raises(UnknownOption, match="there is no 999 here"):
        dialogue.mentioned("999")


def test_words_for_another_question_say_which(market: BareMatch) -> None:
    with pytest.raises(UnknownOption, match=re.escape("it is for “Anything else?”")):
        Dialogue.of(market, market.to_move[0]).answer("shout")


KITCHEN = """
game kitchen "Kitchen":
  players 2

kind Dish "dish", "dishes":
  | name           |
  | pea_soup       |
  | berry_pie      |
  | berry_dumpling |

names p: Player; d: Dish; n: 1..3

the game has:
  menu: set of Dish = {pea_soup, berry_pie}
  served: 0..9 = 0
each Player has:
  coins: 0..9 = 2

value price(d) -> 1..5 =
  5 if d == berry_pie
  1 otherwise

action serve(p, d in menu, n) "Serve {n} of the {d}":
  needs price(d) <= p.coins  "You cannot pay for the {d}"
  served += n, at most 9
action restore(p, d in menu) "Restore the {d}": served += 1, at most 9
action rest(p) "Rest": served = 0

play:
  turns p from first_player:
    p chooses one of serve, restore, or pass
    p chooses one of rest, or pass
"""


def kitchen(folder: Path, text: str = KITCHEN) -> Dialogue:
    path = folder / "kitchen.rules"
    path.write_text(text, encoding="utf-8")
    match = rulelang.load(path).start(2, seed=1)
    return Dialogue.of(match, match.to_move[0])


def test_a_thing_that_no_answer_names_is_looked_for_in_each_of_them(tmp_path: Path) -> None:
    dialogue = kitchen(tmp_path)
    assert [one.text for one in dialogue.mentioned("berry dumpling").outside] == [
        "serve(berry_dumpling, 1)",
        "restore(berry_dumpling)",
    ]
    assert [one.branch for one in dialogue.mentioned("serve a berry dumpling").outside] == ["serve"]


def test_the_name_of_an_answer_to_another_question_is_not_one_that_begins_so(tmp_path: Path) -> None:
    dialogue = kitchen(tmp_path)
    assert not dialogue.mentioned("rest")
    assert [one.text for one in dialogue.mentioned("resto soup").offered] == ["restore(pea_soup)"]


def test_a_list_of_whole_answers_is_not_asked_for_by_one_of_their_parts(tmp_path: Path) -> None:
    dialogue = kitchen(tmp_path, KITCHEN.replace("coins: 0..9 = 2", "coins: 0..9 = 9"))
    dialogue.answer("serve")
    assert (dialogue.question.heading, len(dialogue.question.lines)) == ("Serve … of the …?", 6)
    dialogue.back()
    dialogue.answer("restore")
    assert dialogue.question.heading == "Restore which dish?"


def test_beside_a_lone_option_stands_why_there_is_no_other() -> None:
    match = rulelang.load("empty_space").start(2, seed=4)
    while match.topic(match.to_move[0]) or len(Dialogue.of(match, match.to_move[0]).question.lines) > 1:
        match.play(match.options[0])
    seat = match.to_move[0]
    (one,) = beside_a_lone_option(match, seat, Dialogue.of(match, seat).question)
    assert one.words == "Explore"
    assert "no space craft that can move" in str(one.reason)


def test_where_there_is_something_to_choose_nothing_stands_beside_it() -> None:
    match = rulelang.load("outspeed").start(3, seed=1)
    seat = match.to_move[0]
    assert beside_a_lone_option(match, seat, Dialogue.of(match, seat).question) == ()


def test_what_no_position_allows_is_refused_with_the_reason_at_any_question(market: BareMatch) -> None:
    dialogue = Dialogue.of(market, market.to_move[0])
    for words in ("levy", "Levying the red toll", "levy(red)", "levy the toll"):
        with pytest.raises(UnknownOption, match=r"can never be chosen in this game: Here is no colour toll$"):
            dialogue.answer(words)
    with pytest.raises(UnknownOption, match=r"`rob` can never be chosen in this game$"):
        dialogue.answer("rob")
    with pytest.raises(UnknownOption, match=r"it is for “Anything else\?”"):
        dialogue.answer("shout")


def test_what_was_agreed_decides_what_no_position_allows(tmp_path: Path) -> None:
    match = started(tmp_path, {"tolls": True})
    with pytest.raises(UnknownOption, match=r"it is for “Anything else\?”"):
        Dialogue.of(match, match.to_move[0]).answer("levy")


def test_words_that_mean_nothing_are_compared_with_hundreds_of_forbidden_answers_that_share_their_reasons(
    market: BareMatch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In Exit Velocity each such word took eight seconds: the reason was put into words for each of 1,400 answers, twice."""
    said: list[object] = []

    def counted(*given: object) -> Reason:
        said.append(given)
        return needed(*given)  # type: ignore[arg-type]

    monkeypatch.setattr("rulelang.match.refused.needed", counted)
    dialogue = Dialogue.of(market, market.to_move[0])
    for word in ("bidding 41", "bid 42", "xyzzy"):
        with pytest.raises(UnknownOption):
            dialogue.answer(word)
    assert len(dialogue.vocabulary.refused) >= 460
    assert len(said) < 10
