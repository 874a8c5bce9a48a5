"""What is told of a game while it is played: two sentences, what they cover, what is untold, what an option shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.console import Console

import rulelang
from cli.screen import draw, narrate, summary
from cli.screen.styles import Styles
from rulelang.errors import RulesError
from rulelang.match.match import BareMatch
from rulelang.screens.picture import picture
from rulelang.screens.what import explained

ROUTES = """
game routes "Routes":
  players 2
  seats red "Red", blue "Blue"

enum Lane "lane":
  left "left":   "The short way"       [R-1]
  right "right": "The long way round"

names p, q: Player; lane: Lane; n: 0..9

value cost(lane) -> 0..9 =
  1 if lane == left
  3 otherwise

each Player has:
  fuel: 0..9 = 9
  at: 0..9 = 0
  tally: 0..9 = 0, untold

play:
  turns p from first_player: p chooses one of travel, shoot, wait "What now?"

action travel(p, lane) "Take the {lane} way", "{p} takes the {lane} way":
  shows "{cost(lane)} fuel of {p.fuel}", "the last of it" if p.fuel < 3
  needs p.fuel >= cost(lane)  "It takes {cost(lane)} fuel"  [R-2]
  p.at += 1
  burn(p, cost(lane))
  count_up(p)

to burn(p, n) "{p} burns {n} fuel": p.fuel -= n
to count_up(p) untold: p.tally += 1
action shoot(p) "Shoot": cannon(p)
to cannon(p) "{p}'s cannon thunders", else "{p}'s cannon hits nobody":
  for q in players if q != p and q.at > p.at: q.at -= 1
action wait(p) "Wait": p.tally += 1

screen:
  line "Fuel", "low" if red.fuel < 3
  each Player: "{p}", "fuel {p.fuel}", "at {p.at}"
  fold "Tables": each Lane: "{lane} costs {cost(lane)}"
  fold "Notes": line "Nothing to see"
"""


DICE = """\
game dice "Dice":
  players 2
  seats red "Red", blue "Blue"

kind Cube "cube", "cubes":
  | name | called      |
  | red  | "red cube"  |
  | blue | "blue cube" |
names p: Player; n: 1..3
die d6: 1..6

the game has:
  shows(n): 0..6 = 0, untold
  supply: group of Cube
  heap: group of Cube

setup:
  move Cube to supply

play:
  turns p from first_player:
    p chooses one of throw, or pass

action throw(p) "Throw", "{p} throws":
  for n in 1..3: shows(n) = roll(d6)
  fetch()
to fetch():
  move {c in Cube if c in supply} to heap
"""

DEEP = """\
game mine "Mine":
  players 2
  seats red "Red", blue "Blue"

names p: Player
each Player has:
  gold: 0..9 = 0
  depth: 0..9 = 0

play:
  turns p from first_player: digging(p)

phase digging(p) "Digging":
  p chooses one of dig, or pass

action dig(p) "Dig", "{p} digs": begin(p)
to begin(p) "{p} starts": sink(p)
to sink(p) "{p} sinks": find(p)
to find(p) "{p} finds gold": p.gold += 1, at most 9
"""


def start(text: str, folder: Path, players: int = 2) -> BareMatch:
    path = folder / "routes.rules"
    path.write_text(text)
    return rulelang.load(path).start(players, 1)


@pytest.fixture
def match(tmp_path: Path) -> BareMatch:
    return start(ROUTES, tmp_path)


def told(match: BareMatch, already: int = 0) -> list[str]:
    return [line.plain.strip() for line in narrate(match.events_for(None, already), Styles.of_match(match))]


def in_brief(match: BareMatch, width: int = 80, rows: int = 9) -> list[str]:
    return [line.plain for line in summary(match.events_for(None), Styles.of_match(match), width, rows)]


def test_the_menu_and_the_log_have_a_sentence_each(match: BareMatch) -> None:
    assert match.options[0].label == "Take the left way"
    match.play("red: travel(left)")
    assert told(match)[0].startswith("Red takes the left way")


def test_without_a_second_sentence_the_log_says_who(match: BareMatch) -> None:
    match.play("red: wait")
    assert told(match) == ["Red: Wait"]


def test_what_a_sentence_says_is_not_told_again_and_the_rest_is_a_sentence(match: BareMatch) -> None:
    match.play("red: travel(right)")
    assert told(match) == ["Red takes the right way   Red's at rises from 0 to 1", "Red burns 3 fuel"]


def test_a_verb_that_comes_to_nothing_says_so(match: BareMatch) -> None:
    match.play("red: shoot")
    assert told(match)[-1] == "Red's cannon hits nobody"
    match.play("blue: travel(left)")
    before = match.event_count
    match.play("red: shoot")
    assert told(match, before)[-1] == "Red's cannon thunders   Blue's at falls from 1 to 0"


def test_an_option_shows_what_it_costs(match: BareMatch) -> None:
    shows = match.shown(0)
    assert [shows(option) for option in match.options] == ["1 fuel of 9", "3 fuel of 9", "", ""]


def test_many_events_are_told_in_brief_by_rule_and_actor(match: BareMatch) -> None:
    for answer in ("red: wait", "blue: wait", "red: wait", "blue: travel(left)"):
        match.play(answer)
    assert in_brief(match) == [
        "Blue: Wait. Red: Wait (2 times). Blue takes the left way, burns 1 fuel. Blue's at rises from 0 to 1."
    ]


AUCTION = """\
game auction "Auction":
  players 2
  seats red "Red", blue "Blue"

names p: Player; n: 1..9
the game has:
  bid_so_far: 0..9 = 0, untold
  house: 1..9 = 1, untold

play:
  repeat:
    turns p from red: p chooses one of bid, leave

action bid(p, n) "Bid", "{p} bids {n}": bid_so_far = n
action leave(p) "Leave", "{p} leaves":
  get(p, house)
  house += 1, at most 9
to get(p, n) "{p} gets house {n}": bid_so_far = 0
"""


def test_brief_news_tells_nothing_before_what_happened_before_it(tmp_path: Path) -> None:
    auction = start(AUCTION, tmp_path)
    for answer in ("red: bid(1)", "blue: bid(2)", "red: leave", "blue: bid(3)", "red: bid(3)", "blue: leave"):
        auction.play(answer)
    assert in_brief(auction, width=200) == [
        "Red bids 1. Blue bids 2. Red leaves, gets house 1. Blue bids 3; Red too. Blue leaves, gets house 2."
    ]
    assert in_brief(auction, width=60, rows=1) == [
        "Red leaves. Blue bids 3; Red too (1 more before). Blue leaves, gets house 2 (1 more before)."
    ]


def test_what_lies_deep_is_told_in_brief_while_there_is_room(tmp_path: Path) -> None:
    deep = start(DEEP, tmp_path)
    deep.play("red: dig")
    assert in_brief(deep) == ["Digging: Red digs, starts, sinks, finds gold. Red's gold rises from 0 to 1."]
    assert in_brief(deep, width=30, rows=1) == ["Digging: Red digs, starts."]
    assert in_brief(deep, width=24, rows=1) == ["Digging: Red digs."]


def test_what_a_die_shows_several_times_on_end_is_told_together(tmp_path: Path) -> None:
    dice = start(DICE, tmp_path)
    dice.play("red: throw")
    thrown, moved = told(dice)[1:]
    assert thrown.startswith("Red throws   the d6 shows ")
    assert (thrown.count("shows"), thrown.count(" and ")) == (1, 1)
    assert moved == "a red cube and a blue cube go from the supply to the heap"


def test_brief_news_without_room_keeps_the_last_phases(tmp_path: Path) -> None:
    deep = start(DEEP, tmp_path)
    for seat in ("red", "blue", "red"):
        deep.play(f"{seat}: dig")
    assert in_brief(deep, rows=2) == [
        "Digging: Blue digs, starts, sinks, finds gold. Blue's gold rises from 0 to 1.",
        "Digging: Red digs, starts, sinks, finds gold. Red's gold rises from 1 to 2.",
    ]
    assert in_brief(deep, width=30, rows=1) == ["Digging: Red digs, starts."]


def test_what_does_not_fit_is_folded_from_the_last_on(match: BareMatch) -> None:
    console, styles = Console(width=60), Styles.of_match(match)

    def lines(rows: int | None) -> list[str]:
        page = draw(picture(match, 0), styles, console, rows)
        return ["".join(part.text for part in line).rstrip() for line in console.render_lines(page, pad=False)]

    assert len(lines(None)) == 9
    assert [line.strip() for line in lines(4)] == [
        "Fuel",
        "Red   fuel 9   at 0",
        "Blue   fuel 9   at 0",
        "▸ Tables  ▸ Notes",
    ]
    assert lines(6)[-1] == "▸ Tables  ▸ Notes"
    assert lines(7)[-1] == "Notes: Nothing to see"


def test_a_word_on_the_screen_is_explained(match: BareMatch) -> None:
    (lane, *_) = explained(match, 0, "the left")
    assert (lane.name, lane.noun, lane.text, lane.clauses) == ("left", "lane", "The short way", ("R-1",))
    assert [one.noun for one in explained(match, 0, "travel")] == ["action"]
    assert explained(match, 0, "R-2")[0].facts == (
        "travel is not allowed if the player's fuel is less than the cost of the lane: “It takes … fuel”",
    )
    assert explained(match, 0, "fuel")[0].facts == ("Red's fuel: 9", "Blue's fuel: 9")
    assert explained(match, 0, "nonsense") == ()


def test_shows_stands_only_where_something_is_chosen(tmp_path: Path) -> None:
    with pytest.raises(RulesError) as error:
        start(
            ROUTES.replace(
                'to burn(p, n) "{p} burns {n} fuel": p.fuel -= n', 'to burn(p, n):\n  shows "x"\n  p.fuel -= n'
            ),
            tmp_path,
        )
    assert "E0114" in [diagnostic.code for diagnostic in error.value.diagnostics]


TOGETHER = """
game together "Together":
  players 2
  seats red "Red", blue "Blue"

names p, q: Player; n: 0..9

kind Coin "coin":
  called: "gold coin"
  | copies |
  | 6      |

the game has:
  chest: group of Coin, called "the chest"
  pocket: group of Coin, untold

each Player has:
  fuel: 0..9 = 9
  rank: 0..9 = 1

setup:
  move 5 of Coin to chest
  move 1 of Coin to pocket

play:
  turns p from first_player: p chooses one of burn, climb, spend

action burn(p) "Burn":
  simultaneously for q in players: lose(q, 2)
to lose(p, n) "{p} loses {n} fuel", else "{p} loses nothing": p.fuel -= n
action climb(p) "Climb", "{p} climbs with 3": study(p, 3)
to study(p, n) "{p} studies {n}": rise(p)
to rise(p) "{p} is promoted": p.rank += 2
action spend(p) "Spend": move 2 of chest to pocket
"""


def test_what_happens_at_once_is_covered_by_its_sentence_and_never_said_to_be_nothing(tmp_path: Path) -> None:
    match = start(TOGETHER, tmp_path)
    before = match.event_count
    match.play("red: burn")
    assert told(match, before) == ["Red: Burn", "Red loses 2 fuel", "Blue loses 2 fuel"]


def test_of_numbers_the_last_sentence_before_a_change_decides(tmp_path: Path) -> None:
    """The rank becomes 3, and a sentence further out says 3 of something else."""
    match = start(TOGETHER, tmp_path)
    before = match.event_count
    match.play("red: climb")
    assert told(match, before)[-1] == "Red is promoted   Red's rank rises from 1 to 3"


TWICE = """
game twice "Twice":
  players 2
  seats red "Red", blue "Blue"
names p, q: Player; n: 1..5
each Player has:
  gold: 0..99 = 0
  silver: 0..99 = 9
  owes(q): 0..99 = 0
action take(p, n) "Take {n}":
  p.gold += n
  p.gold += n
action lend(p, q, n) "Lend {q} {n}":
  repeat 2 times: q.owes(p) += n
action pay(p, n) "Take what two pay":
  repeat 2 times: gain(p, n)
to gain(p, n) "{p} gains {n}": p.gold += n
action swap(p, n) "Pay {n} gold": p.silver -= n
play:
  turns p from red: p chooses one of take, lend, pay, swap
"""


def test_a_sentence_tells_one_change_and_the_next_one_is_told(tmp_path: Path) -> None:
    """Neither was told: red had 4 more, and read "Take 2". Each call of a verb has a sentence of its own, and one that
    speaks of gold says nothing of silver."""
    match = start(TWICE, tmp_path)
    for option, lines in {
        "red: take(2)": ["Red: Take 2   Red's gold rises from 2 to 4"],
        "blue: lend(red, 3)": ["Blue: Lend Red 3   Red's owes of Blue rise from 3 to 6"],
        "red: pay(1)": ["Red: Take what two pay", "Red gains 1", "Red gains 1"],
        "blue: swap(2)": ["Blue: Pay 2 gold   Blue's silver falls from 9 to 7"],
    }.items():
        before = match.event_count
        match.play(option)
        assert told(match, before) == lines


def test_zones_have_names_and_may_be_untold(tmp_path: Path) -> None:
    match = start(TOGETHER, tmp_path)
    assert told(match) == ["5 gold coins go from the box to the chest"]
    before = match.event_count
    match.play("red: spend")
    assert told(match, before) == ["Red: Spend"]


def test_a_seat_without_a_name_is_told_from_its_written_form(tmp_path: Path) -> None:
    text = 'game one "One":\n  players 2\nnames p: Player\nplay:\n  turns p from first_player: p chooses n in 1..3\n'
    path = tmp_path / "one.rules"
    path.write_text(text)
    match = rulelang.load(path).start(2, 1)
    assert match.seat_names == ("player 1", "player 2")
    assert match.seats == ("player1", "player2")


PAYING = """
game paying "Paying":
  players 2
  seats red "Red", blue "Blue"

names p: Player; c: Card; some: set of Card; n: 1..9

kind Card "card":
  face: enum(one, two, six)
  | face |
  | one  |
  | two  |
  | six  |

the game has:
  discards: group of Card, face up
  vault: group of Card, seen by nobody
each Player has:
  bid: 0..9 = 0, seen by owner
  gold: 0..9 = 0
  hand: group of Card, seen by owner

setup: move Card to red.hand

play:
  turns p from first_player: p chooses one of pay, hide, bid, open_it, or pass

action pay(p, some in 2 of p.hand) "Pay {some}", "{p} pays {some}": spend(some)
to spend(some):
  for c in some: move c to discards
action hide(p, c in p.hand) "Hide {c}", "{p} hides {c}": bury(c)
to bury(c): move c to vault
action bid(p, n) "Bid": p.bid = n
action open_it(p) "Open the bid": announce(p, p.bid)
to announce(p, n) "{p} has named {n}": p.gold = n
"""


def _told_to(match: BareMatch, seat: int | None, already: int) -> list[str]:
    return [line.plain.strip() for line in narrate(match.events_for(seat, already), Styles.of_match(match))]


def test_a_sentence_covers_a_move_only_for_those_to_whom_it_names_as_much(tmp_path: Path) -> None:
    """What is paid lies face up a moment later: who read "2 cards" in the sentence is told which they were."""
    match = start(PAYING, tmp_path)
    before = match.event_count
    match.play("red: pay({one, two})")
    assert _told_to(match, 0, before) == ["Red pays one, two"]
    later = ["Red pays 2 cards", "one and two go from Red's hand to the discards"]
    assert _told_to(match, 1, before) == _told_to(match, None, before) == later


def test_a_sentence_covers_a_move_that_names_no_more(tmp_path: Path) -> None:
    match = start(PAYING, tmp_path)
    before = match.event_count
    match.play("red: hide(six)")
    assert _told_to(match, 0, before) == ["Red hides six"]
    assert _told_to(match, 1, before) == ["Red hides a card"]


def test_a_sentence_covers_a_variable_only_for_those_to_whom_it_names_its_value(tmp_path: Path) -> None:
    match = start(PAYING, tmp_path)
    match.play("red: bid(3)")
    before = match.event_count
    match.play("blue: pass")
    match.play("red: open_it")
    assert _told_to(match, 0, before)[-1] == "Red has named 3"
    assert _told_to(match, 1, before)[-1] == "Red has named a number   Red's gold rises from 0 to 3"


def test_a_number_that_a_sentence_works_out_covers_the_change_it_names(tmp_path: Path) -> None:
    """Three are asked for, two are burnt: the sentence says two, and nothing tells them again."""
    rules = ROUTES.replace('"{p} burns {n} fuel": p.fuel -= n', '"{p} burns {min(n, 2)} fuel": p.fuel -= min(n, 2)')
    assert rules != ROUTES
    match = start(rules, tmp_path)
    match.play("red: travel(right)")
    assert told(match)[-1] == "Red burns 2 fuel"


TURNED = """
game turned "Turned":
  players 1
  seats you "Ada"

names p: Player; c: Card; k: 1..3

kind Card "card":
  worth: 1..3
  | name  | worth |
  | one   | 1     |
  | two   | 2     |
  | three | 3     |

the game has:
  deck: pile of Card, face down, called "the deck"
  table: group of Card, face up, called "the table"

setup: move Card to deck
play:
  repeat while deck != {}: you chooses one of flip, take
action flip(p) "Turn a card": turn_up()
to turn_up() "{top(deck)} is turned face up": reveal(top(deck))
action take(p) "Take the two", "{p} takes the {worth_of(2)}":
  move two to table
value worth_of(k) = first(c in Card if c.worth == k)
"""


def test_a_sentence_that_looks_a_thing_up_covers_what_becomes_of_it(tmp_path: Path) -> None:
    """The card on top is known once it lies open: the sentence names it, and nothing says so again."""
    match = start(TURNED, tmp_path, 1)
    before = match.event_count
    match.play("you: flip")
    assert told(match, before) == ["Ada: Turn a card", "three is turned face up"]


def test_a_sentence_that_works_a_thing_out_covers_its_move(tmp_path: Path) -> None:
    match = start(TURNED.replace("face down, called", "face up, called"), tmp_path, 1)
    before = match.event_count
    match.play("you: take")
    assert told(match, before) == ["Ada takes the two"]


HANDS = """\
game hands "Hands":
  players 2
  seats red "Red", blue "Blue"

kind Card "card":
  | name |
  | ace  |
  | king |
  | ten  |
names p: Player; c: Card
each Player has:
  hand: group of Card, seen by owner
the game has:
  deck: pile of Card, face down
  spent: pile of Card, face up

setup:
  move Card to deck
  shuffle(deck)
  move 2 of deck to red.hand
play:
  repeat: red chooses one of pay, or stop
  finish with winner red
action pay(p, cards in 2 of p.hand) "Pay {cards}", "{p} pays {cards}": lay(cards)
to lay(cards: set of Card): move cards to spent
"""


def test_the_news_name_what_a_verb_without_words_lays_open(tmp_path: Path) -> None:
    match = start(HANDS, tmp_path)
    match.play(match.options[0])
    told = {seat: summary(match.events_for(seat), Styles.of_match(match), 80, 9)[-1].plain for seat in (0, 1)}
    names = told[0].removeprefix("Red pays ").removesuffix(".")
    assert set(names.split(", ")) < {"ace", "king", "ten"}
    assert told[1] == f"Red pays 2 cards ({names})."
