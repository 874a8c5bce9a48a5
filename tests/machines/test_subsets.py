"""Choices among more sets than anybody can list: counted, recognised, picked, explained, played and replayed."""

from __future__ import annotations

import random
from collections import Counter
from functools import partial
from itertools import islice, product
from math import comb
from pathlib import Path

import attrs
import pytest

from rulelang import api
from rulelang.api import Match
from rulelang.errors import Uncountable, UnknownOption
from rulelang.ir.numbers import Row, Seat
from rulelang.lab.bots import bot, play_on
from rulelang.machines.chance import Seeded
from rulelang.machines.generated import GeneratedMachine
from rulelang.machines.machine import Answer, Machine
from rulelang.machines.offers import offer as offers
from rulelang.machines.offers.offer import Offer
from rulelang.machines.offers.weights import Unweighable
from rulelang.playouts.rng import RandomStream
from rulelang.program.layout import lay_out
from rulelang.program.packing import members
from rulelang.program.python.compiled import Memory, compile_game
from rulelang.scenarios.run import run_scenarios
from rulelang.session.partial_questions import Pieces
from tests.games.written import game
from tests.oracle.reference import ReferenceMachine
from tests.seeds import rest_long

CARDS = """
game piles "Piles":
  players 2

names p: Player; c: Card; d: Card; s: set of Card

kind Card "card":
  n: 1..9999
  | n       |
  | 1..{cards} |

the game has:
  heap: group of Card
  gone: group of Card

setup:
  move {{c in Card if c.n <= {there}}} to heap

value score(p) = count(gone)

action lay(p, s in {domain}{more}) "Lay {{s}}":
{needs}  move s to gone

play:
  turns p from player1: p chooses one of lay, or stop
"""


def cards(folder: Path, there: int, domain: str = "any of heap", needs: str = "", more: str = "") -> api.Game:
    """Returns a game in which some of so many cards are laid."""
    needs = f"  needs {needs}\n" if needs else ""
    return game(CARDS.format(cards=max(there, 100), there=there, domain=domain, needs=needs, more=more), folder)


def begun(played: api.Game, seed: int = 1) -> Match:
    return played.start(2, seed)


@pytest.mark.parametrize("there", rest_long([24, 32, 64, 600], 24, 32, 64))
def test_any_of_so_many_cards_is_counted_picked_named_played_and_taken_back(tmp_path: Path, there: int) -> None:
    match = begun(cards(tmp_path, there))
    options = match.options
    assert options.count == 2**there + 1
    picked = options.pick(RandomStream(7).randrange)
    assert picked in options
    assert abs(picked.answer[1].bit_count() - there / 2) < 5 * there**0.5
    assert match.why_not(picked.text) is None
    assert match.option(picked.text) == picked
    before = list(match.position.row)
    match.play(picked.text)
    assert match.inputs == 1
    match.undo()
    assert match.position.row == before


@pytest.mark.parametrize(("domain", "in_vain_at"), [("3 of heap", [0]), ("7 of heap", []), ("12 of heap", [])])
def test_sets_that_cost_too_much_to_list_are_listed_in_vain_once_and_very_many_never(
    tmp_path: Path, domain: str, in_vain_at: list[int]
) -> None:
    small = attrs.evolve(cards(tmp_path, 40, domain).ir, steps=3000)
    layout = lay_out(small)
    machine = GeneratedMachine(compile_game(small, layout), Seeded(1, small, layout))
    machine.begin(2, {})
    code, tries = machine.compiled.untraced.code, list[int]()

    def in_vain(row: Row, memory: Memory, seat: int) -> list[Answer]:
        tries.append(seat)
        return code.options[0](row, memory, seat)

    machine.compiled.untraced.code = attrs.evolve(code, options=(in_vain,))
    for _ in range(3):
        assert len(list(islice(machine.options(Seat(0)), 5))) == 5
    assert tries == in_vain_at


def test_a_bounded_number_of_64_cards_is_counted_by_binomials(tmp_path: Path) -> None:
    assert begun(cards(tmp_path, 64, "3 of heap")).options.count == 41_664 + 1
    assert begun(cards(tmp_path, 64, "up to 3 of heap")).options.count == 41_664 + 2016 + 64 + 1 + 1


def test_what_is_not_on_offer_is_refused_with_the_reason_without_a_list(tmp_path: Path) -> None:
    match = begun(cards(tmp_path, 32, needs='s != {}  "At least one"'))
    assert match.options.count == 2**32 - 1 + 1
    assert str(match.why_not("lay({})")) == "At least one"
    assert "not on offer" in str(match.why_not("lay({Card(1), Card(99)})"))
    assert match.option("lay({Card(1)})") in match.options
    assert match.option("lay({})") not in match.options


def test_len_counts_what_it_can_say_and_never_lists(tmp_path: Path) -> None:
    assert len(begun(cards(tmp_path, 32)).options) == 2**32 + 1
    with pytest.raises(OverflowError):
        len(begun(cards(tmp_path, 64)).options)


def test_options_are_found_by_their_number_from_both_ends(tmp_path: Path) -> None:
    options = begun(cards(tmp_path, 32)).options
    assert [option.text for option in islice(options, 3)] == [options[i].text for i in range(3)]
    assert (options[-1].text, options[2**32 - 1].answer[1]) == ("stop", 2**32 - 1)
    assert options[2**32].text == "stop"
    with pytest.raises(IndexError):
        options[2**32 + 1]


def test_a_game_with_32_cards_is_played_logged_and_replayed_by_bots(tmp_path: Path) -> None:
    played = cards(tmp_path, 32)
    for name in ("random", "greedy", "planner:200"):
        match = begun(played)
        bots = (bot(name), bot("random"))
        options = list(play_on(match, bots, 3, most=4))
        assert options
        assert sum(line.startswith('{"') for line in match.log.text.splitlines()) >= len(options)
        again = api.replay(match.log, played)
        assert again.match.position.row == match.position.row


def test_scenarios_answer_with_sets_of_32(tmp_path: Path) -> None:
    text = (
        CARDS.format(cards=100, there=32, domain="any of heap", needs="", more="")
        + """
scenario "three of 32":
  player1: lay({Card(1), Card(17), Card(32)})
  expect count(gone) == 3
  expect player2 can lay({Card(2)})
  expect player2 cannot lay({Card(17)})
"""
    )
    played = game(text, tmp_path)
    for executor in ("reference", "generated"):
        assert [r.faults for r in run_scenarios(played, executor=executor)] == [()]


@pytest.mark.long
@pytest.mark.parametrize(
    ("needs", "domain", "there", "number"),
    [
        ("count(c in s) != 2", "any of heap", 32, 2**32 - 496),
        ("count(s) in {3, 5}", "any of heap", 2000, comb(2000, 3) + comb(2000, 5)),
        ("all(c.n % 2 == 0 for c in s)", "any of heap", 64, 2**32),
        ("any(c.n == 7 for c in s) and any(c.n == 8 for c in s)", "any of heap", 64, 2**62),
        ("sum(c.n for c in s) == 20", "any of heap", 24, 64),
        ("sum(c.n for c in s) % 5 == 0", "any of heap", 30, (2**30 + 4 * 2**6) // 5),
        ("s != {} and max(c.n for c in s) - min(c.n for c in s) == 20", "any of heap", 32, 12 * 2**19),
        ("count({c.n % 4 for c in s}) <= 1", "any of heap", 64, 4 * (2**16 - 1) + 1),
        ("any(all(c.n % 4 == k for c in s) for k in 0..3)", "any of heap", 64, 4 * (2**16 - 1) + 1),
    ],
)
def test_needs_that_add_up_over_a_set_are_counted(
    tmp_path: Path, needs: str, domain: str, there: int, number: int
) -> None:
    options = begun(cards(tmp_path, there, domain, needs)).options
    assert options.count == number + 1
    for seed in range(5):
        assert options.pick(RandomStream(seed).randrange) in options
    listed = options.first(40)
    assert listed == [options[i] for i in range(min(40, number + 1))]
    assert all(option in options for option in listed)


# ------------------------------------------------------------------ the same as listing them

COPIES = """
names p: Player; t: Token; s: set of Token; u: set of Token
enum Colour: green, red, blue

kind Token "token":
  colour: Colour
  | copies | colour |
  | 3      | green  |
  | 2      | red    |
  | 1      | blue   |

the game has:
  purse: group of Token
  gone: group of Token

setup:
  move Token to purse

action one(p, s in any of purse): move s to gone
action sizes(p, s in any of purse):
  needs count(s) in {1, 3}
  move s to gone
action ends(p, s in up to 4 of purse, n in 1..3):
  needs n >= count(s)
  move s to gone
action two(p, s in 2 of purse, u in any of purse, n in 0..1): move s to gone
action same(p, s in any of purse):
  needs s != {} and any(all(t.colour == k for t in s) for k in Colour)
  move s to gone
action within(p, s in any of purse, t in s): move s to gone

play:
  turns p from player1: p chooses one of one, sizes, ends, two, same, within, or stop
"""


def machines(played: api.Game) -> list[Machine]:
    generated = played.start(2, 1).position.machine
    reference = ReferenceMachine(played.ir, Seeded(1, played.ir, played.internals.layout), played.internals.layout)
    reference.begin(2, {})
    return [generated, reference]


def _nothing_adds_up(*_: object) -> None:
    raise Unweighable


def _says(answer: bool, *_: object) -> bool:
    return answer


@pytest.mark.long
def test_what_is_numbered_is_what_is_listed_in_the_same_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played = game(COPIES, tmp_path)
    for machine, few in product(machines(played), (0, 256)):
        listed = list(machine.options(Seat(0)))
        monkeypatch.setattr(offers, "MOST", 0)
        monkeypatch.setattr(offers, "FEW", few)
        for wide in (False, True):
            monkeypatch.setattr(offers, "is_wide", partial(_says, wide))
            offer = Offer(machine, Seat(0))
            assert offer.count == len(listed)
            assert [offer[i] for i in range(offer.count)] == listed
            assert list(offer) == listed
            assert all(answer in offer for answer in listed)
        monkeypatch.undo()
        lowest = {answer for answer in listed if answer[0] == 0}
        assert [(0, mask) in Offer(machine, Seat(0)) for mask in range(64)] == [
            (0, mask) in lowest for mask in range(64)
        ]


def test_what_cannot_be_counted_is_still_found_and_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played = game(COPIES, tmp_path)
    monkeypatch.setattr(offers, "MOST", 0)
    monkeypatch.setattr(offers, "TRIED", 20)
    monkeypatch.setattr(offers, "is_wide", partial(_says, True))
    monkeypatch.setattr(offers, "Weights", _nothing_adds_up)
    for machine in machines(played):
        offer = Offer(machine, Seat(0))
        listed = list(machine.options(Seat(0)))
        assert list(offer) == listed
        with pytest.raises(Uncountable, match="than can be tried"):
            offer.count
        drawn = Counter(offer.pick(random.Random(seed).randrange) for seed in range(4500))
        assert set(drawn) <= set(listed)
        assert len(drawn) == len(listed)


def test_picks_among_few_are_as_they_were(tmp_path: Path) -> None:
    machine = machines(game(COPIES, tmp_path))[0]
    listed = list(machine.options(Seat(0)))
    for seed in range(50):
        assert Offer(machine, Seat(0)).pick(RandomStream(seed).randrange) == RandomStream(seed).choose(listed)


# ------------------------------------------------------------------ people, piece by piece


def pieces(played: api.Game) -> Pieces:
    match = begun(played)
    assert match.choice is not None
    return Pieces.begun(played.ir, match.choice, match.options_of(0).offer(Seat(0)).ways)


def test_a_person_names_members_until_the_set_is_one_that_is_allowed(tmp_path: Path) -> None:
    begin = pieces(cards(tmp_path, 32, "3 of heap"))
    assert [line.text for line in begin.question.lines] == ["lay", "stop"]
    which = begin.meant("lay")
    assert which.question.members == tuple(f"Card({n})" for n in range(1, 33))
    more = which.meant("4 Card(17)")
    assert not more.is_whole
    assert "card 4, card 17" in more.question.note
    assert "Card(4)" not in more.question.members
    done = more.meant("1")
    assert (done.is_whole, done.answer) == (True, (0, 1 | 1 << 3 | 1 << 16))
    assert which.meant("1 2 3").answer == (0, 0b111)
    with pytest.raises(UnknownOption, match="not on offer"):
        which.meant("1 2 3 4")
    with pytest.raises(UnknownOption, match="not enough"):
        which.meant("none")


@pytest.mark.long
def test_each_piece_on_offer_can_be_completed(tmp_path: Path) -> None:
    played = cards(tmp_path, 24, "up to 4 of heap", "sum(c.n for c in s) == 20 and all(c.n % 2 == 0 for c in s)")
    match = begun(played)
    possible = {frozenset(members(answer[1])) for answer in match.options_of(0).offer(Seat(0)) if answer[0] == 0}
    waiting = [pieces(played).meant("lay")]
    seen = 0
    while waiting:
        here = waiting.pop()
        named = {int(name[5:-1]) - 1 for name in here.question.members}
        taken = set(here.taken)
        assert named == {m for one in possible if taken <= one for m in one - taken}
        for number in range(1, len(named) + 1):
            then = here.meant(str(number))
            seen += 1
            if then.is_whole:
                assert frozenset(members(then.answer[1])) in possible
            elif len(then.taken) < 3:
                waiting.append(then)
    assert seen > 50


PAIRS = """
names p: Player; c: Token
enum Power: nitro, brake, cannon
kind Token "token":
  power: Power
  | copies | power |
  | 10     | Power |
the game has:
  shelf: group of Token
  gone: group of Token
setup:
  move {c in Token} to shelf
action trade(p, c in shelf, some in any of shelf):
  needs c not in some
  move some to gone
  move c to gone
action rest(p): return
play:
  turns p from first_player:
    p chooses one of trade, rest
    if count(shelf) < 5: finish with winner {p}
"""


@pytest.mark.parametrize("executor", ["reference", "generated", "native"])
def test_many_sets_of_things_are_on_offer_beside_a_thing_of_their_kind(executor: str, tmp_path: Path) -> None:
    match = game(PAIRS, tmp_path).start(2, seed=1, executor=executor)
    assert [option.text for option in match.options.first(2)] == ["trade(nitro, {})", "trade(nitro, {nitro})"]
    assert match.options.count > 1000
    match.push(match.options.pick(random.Random(3)))


def test_what_cannot_be_known_is_said_in_the_question(tmp_path: Path) -> None:
    begin = pieces(cards(tmp_path, 32, needs="any(count(c in s if c.n < d.n) == 3 for d in s)", more=""))
    which = begin.meant("lay")
    assert "too much to find out" in which.question.note
    assert which.meant("1 2 3 4").is_whole
    with pytest.raises(UnknownOption, match="not on offer"):
        which.meant("1 2")


def test_copies_of_one_face_are_named_as_often_as_they_are_there(tmp_path: Path) -> None:
    text = COPIES.replace("| 3      |", "| 30     |").replace("| 2      |", "| 20     |").replace(", or stop", "")
    text = text.replace("one of one, sizes, ends, two, same, within", "one of one, two")
    which = pieces(game(text, tmp_path)).meant("one")
    green, red = which.meant("green green red"), which.meant("31 1 2")
    assert green.answer == red.answer == (0, 0b11 | 1 << 30)


BUDGET = """\
game budget "Budget":
  players 2
names p: Player; c: Card
kind Card "card":
  cost: 1..30
  | cost  |
  | 1..30 |
the game has:
  box: face up
each Player has:
  hand: group of Card, seen by owner
setup:
  for c in Card: move c to first_player.hand
action buy(p, some in up to 10 of p.hand) "Buy {some}":
  needs sum(c.cost for c in some) <= 150  "Too dear"
  move some to box
play:
  turns p from first_player: p chooses one of buy, or stop
"""


@pytest.mark.parametrize("executor", ["reference", "generated"])
def test_up_to_so_many_under_a_budget_are_counted_without_a_list(executor: str, tmp_path: Path) -> None:
    match = game(BUDGET, tmp_path).start(executor=executor)
    # By size and sum, the number of sets of the first cards; there are 2 ** 30 sets of any size.
    ways = {(0, 0): 1}
    for cost in range(1, 31):
        for (size, total), many in list(ways.items()):
            ways[size + 1, total + cost] = ways.get((size + 1, total + cost), 0) + many
    wanted = sum(many for (size, total), many in ways.items() if size <= 10 and total <= 150)
    assert len(match.options) == wanted + 1
    last = match.options[wanted - 1].text
    assert last.count("Card(") == 10
    assert match.why_not(last) is None
