"""Labels, prompts and reasons that read locals of the body around them: whoever may know reads them, nobody else does.

Small games, each on both executors. `said` is the log's sentence of a rule, `asked` all that a seat reads while it is asked.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from rulelang import api
from rulelang.ir.encoding.digest import rules_digest
from rulelang.ir.numbers import Seat
from rulelang.knowledge.redaction import Hole
from rulelang.match.match import BareMatch
from rulelang.match.redeals.redeal import redeal

Start: TypeAlias = Callable[..., BareMatch]

HEAD = """\
game tiny "Tiny":
  players 2..3
  seats red, blue, green

names p, q: Player; n, m: 1..3

each Player has:
  gold: 0..9 = 0
  bid: 0..9 = 0, seen by owner
"""
CARDS = """\
kind Card "card":
  worth: 1..9
  | name  | worth |
  | ace   | 1     |
  | queen | 8     |
  | king  | 9     |

names c: Card

the game has:
  deck: pile of Card, face down
  table: group of Card
each Player has:
  hand: group of Card, seen by owner
  marked: Card? = none, seen by owner
"""
RED, BLUE, GREEN = range(3)


def game_of(rules: str, folder: Path) -> api.Game:
    entry = folder / "tiny.rules"
    entry.write_text(HEAD + rules)
    found = api.check(entry)
    assert found.game is not None, [f"{d.code} {d.span.place} {d.message}" for d in found.diagnostics]
    return found.game


@pytest.fixture(params=["generated", "reference"])
def start(request: pytest.FixtureRequest, tmp_path: Path) -> Start:
    """Starts a match of rules given as text, on one executor or the other."""

    def begin(rules: str, players: int = 3) -> BareMatch:
        return game_of(rules, tmp_path).start(players, 0, executor=request.param)

    return begin


def asked(match: BareMatch, seat: int) -> tuple[str, list[str]]:
    """What a seat reads while it is asked: the prompt, and each option's label."""
    return match.prompt(seat), [option.label for option in match.options_of(seat)]


def said(match: BareMatch, rule: str) -> tuple[str | Hole, ...]:
    """The last sentence of a rule, as red, blue, green and a spectator read it in the log."""
    return tuple(
        next(event.sentence for event in reversed(match.events_for(seat)) if event.rule == rule)[0]
        for seat in (*range(match.players), None)
    )


# ------------------------------------------------------------------ what everybody may know


ENCLOSING = """\
to offer(p, n):
  let double = 2 * n
  for q in players if q != p:
    q chooses m in 1..2 "How much of {n} from {p}?"
    q chooses one of "{p} offers {n}, {double} with {m}":
      accept(k in 1..2) "Take {k} of {n} ({double}) from {p}, not {m}":
        p chooses one of "{q} takes {k}":
          agree "Give {q} {k} of {double}": q.gold += k
          haggle "Give less than {k}": settle
      refuse "Leave {p}'s {n}": settle
play: offer(first_player, 3)
"""


def test_labels_and_prompts_read_parameters_lets_loops_and_outer_answers(start: Start) -> None:
    match = start(ENCLOSING)
    assert asked(match, BLUE)[0] == "How much of 3 from red?"
    match.play("blue: 2")
    assert asked(match, BLUE) == (
        "red offers 3, 6 with 2",
        ["Take 1 of 3 (6) from red, not 2", "Take 2 of 3 (6) from red, not 2", "Leave red's 3"],
    )
    match.play("blue: accept(2)")
    assert asked(match, RED) == ("blue takes 2", ["Give blue 2 of 6", "Give less than 2"])
    match.play("red: agree")
    assert said(match, "accept") == ("Take 2 of 3 (6) from red, not 2",) * 4
    assert said(match, "agree") == ("Give blue 2 of 6",) * 4
    match.play("green: 1")
    match.play("green: refuse")
    assert said(match, "refuse") == ("Leave red's 3",) * 4


def test_a_lone_option_is_said_in_the_log_with_what_its_label_reads(start: Start) -> None:
    match = start("""\
to hand_out(p, n):
  p chooses one of:
    take "Take {n}": p.gold += n
play:
  hand_out(first_player, 2)
  first_player chooses one of rest, rest_more
action rest(p) "Rest": settle
action rest_more(p) "Rest on": settle
""")
    assert said(match, "take") == ("Take 2",) * 4


def test_a_label_is_the_same_after_undo_and_in_a_fork(start: Start) -> None:
    match = start(ENCLOSING)
    match.play("blue: 2")
    before, fork = asked(match, BLUE), match.fork()
    match.play("blue: accept(1)")
    match.undo()
    assert asked(match, BLUE) == asked(fork, BLUE) == before


def test_what_labels_read_does_not_change_what_the_rules_are(tmp_path: Path) -> None:
    other = ENCLOSING.replace("Leave {p}'s {n}", "No").replace("Give less than {k}", "Less, {double}")
    hidden = CARDS + ENCLOSING, CARDS + other
    assert rules_digest(game_of(ENCLOSING, tmp_path).ir) == rules_digest(game_of(other, tmp_path).ir)
    assert rules_digest(game_of(hidden[0], tmp_path).ir) == rules_digest(game_of(hidden[1], tmp_path).ir)


def test_a_sentence_reads_what_stood_when_the_verb_was_replaced(start: Start) -> None:
    match = start("""\
to offer(p, n):
  p chooses one of:
    accept "Take {n}": p.gold += n
    refuse "Leave {n}": settle
instead of offer(p, n) if p.gold == 0: proceed
play: offer(first_player, 2)
""")
    assert asked(match, RED)[1] == ["Take 2", "Leave 2"]
    match.play("red: refuse")
    assert said(match, "refuse") == ("Leave 2",) * 4


# ------------------------------------------------------------------ hidden variables


SECRET = """\
action think(p, n) "Think": p.bid = n
to call(p, q):
  let bid = p.bid
  let more = bid + 1
  q chooses one of "{p} bids {bid}":
    raise "Over {more}": settle
    fold(m) "Under {bid} by {m}":
      q chooses one of "really {more}?":
        yeah "Yes, {bid}": settle
        no_way "No, {more}": settle
play:
  for p in players: p chooses one of think
  call(red_one, red_one)
  call(red_one, next(red_one))
value red_one = first(players)
"""


def test_a_let_of_a_hidden_variable_is_read_by_its_owner_alone(start: Start) -> None:
    match = start(SECRET)
    for move in ("red: think(3)", "blue: think(2)", "green: think(1)"):
        match.play(move)
    assert asked(match, RED)[0] == "red bids 3"
    assert "Over 4" in asked(match, RED)[1]
    match.play("red: raise")
    assert said(match, "raise") == ("Over 4", "Over a number", "Over a number", "Over a number")
    assert asked(match, BLUE) == (
        "red bids a number",
        ["Over a number", *(f"Under a number by {m}" for m in (1, 2, 3))],
    )
    match.play("blue: fold(2)")
    assert said(match, "fold") == ("Under 3 by 2", "Under a number by 2", "Under a number by 2", "Under a number by 2")
    assert asked(match, BLUE) == ("really a number?", ["Yes, a number", "No, a number"])


def test_what_others_read_does_not_hang_on_the_secret(start: Start) -> None:
    def readings(bid: int) -> list[object]:
        match, read = start(SECRET), list[object]()
        for move in (f"red: think({bid})", "blue: think(2)", "green: think(1)", "red: raise", "blue: fold(1)"):
            match.play(move)
            read.append([asked(match, seat) for seat in (BLUE, GREEN)])
        match.play("blue: yeah")
        return [*read, match.events_for(BLUE), match.events_for(GREEN), match.events_for(None)]

    assert readings(1) == readings(3)


def test_what_was_hidden_stays_so_when_the_variable_has_changed(start: Start) -> None:
    match = start("""\
play:
  for p in players: p chooses one of think
  let due = first(players).bid
  first(players).bid = 0
  next(first(players)) chooses one of "{due}":
    pay "Pay {due}": settle
    wait "Wait": settle
action think(p, n) "Think": p.bid = n
""")
    for move in ("red: think(2)", "blue: think(2)", "green: think(2)"):
        match.play(move)
    assert asked(match, BLUE) == ("a number", ["Pay a number", "Wait"])
    match.play("blue: pay")
    assert said(match, "pay") == ("Pay 2", "Pay a number", "Pay a number", "Pay a number")


def test_who_may_know_a_parameter_hangs_on_the_call(start: Start) -> None:
    match = start("""\
to tell(q, n: 0..9):
  q chooses one of "{n}":
    nod "Nod at {n}": settle
    shrug "Shrug": settle
play:
  first_player.bid = 7
  let blue_one = next(first_player)
  tell(blue_one, first_player.bid)
  tell(blue_one, 5)
  tell(first_player, first_player.bid)
  tell(blue_one, first_player.bid)
""")
    assert asked(match, BLUE)[0] == "a number"
    match.play("blue: nod")
    assert said(match, "nod") == ("Nod at 7", "Nod at a number", "Nod at a number", "Nod at a number")
    assert asked(match, BLUE)[0] == "5"
    match.play("blue: nod")
    assert said(match, "nod") == ("Nod at 5",) * 4
    assert asked(match, RED)[0] == "7"
    match.play("red: shrug")
    assert asked(match, BLUE)[0] == "a number"


def test_a_loop_over_what_a_secret_allows_tells_nothing(start: Start) -> None:
    match = start("""\
play:
  first_player.bid = 7
  for k in 0..9 if k == first_player.bid:
    next(first_player) openly chooses one of "{k}":
      nod "Nod at {k}": settle
      shrug "Shrug": settle
  for k in {q.bid for q in players if q.bid > 0}:
    next(first_player) openly chooses one of "{k}":
      nod_again "Nod at {k}": settle
      shrug "Shrug": settle
""")
    assert asked(match, BLUE) == ("a number", ["Nod at a number", "Shrug"])
    match.play("blue: nod")
    assert said(match, "nod") == ("Nod at 7", "Nod at a number", "Nod at a number", "Nod at a number")
    assert asked(match, BLUE) == ("a number", ["Nod at a number", "Shrug"])


def test_an_answer_that_is_a_secret_stays_one_in_the_choice_that_follows(start: Start) -> None:
    match = start("""\
action stake(p, n) "Stake {n}":
  p.bid = n
  next(p) chooses one of "{p} staked {n}":
    match_it "Match {n}": settle
    leave_it "Leave {n}": settle
  p chooses one of "You staked {n}":
    sure "Sure of {n}": settle
    unsure "Unsure": settle
play: first_player chooses one of stake
""")
    match.play("red: stake(3)")
    assert asked(match, BLUE) == ("red staked a number", ["Match a number", "Leave a number"])
    match.play("blue: match_it")
    assert said(match, "match_it") == ("Match 3", "Match a number", "Match a number", "Match a number")
    assert asked(match, RED) == ("You staked 3", ["Sure of 3", "Unsure"])
    match.play("red: sure")
    assert said(match, "sure") == ("Sure of 3", "Sure of a number", "Sure of a number", "Sure of a number")


def test_a_reason_does_not_tell_a_secret(start: Start) -> None:
    match = start("""\
play:
  first_player.bid = 7
  let due = first_player.bid
  next(first_player) chooses one of:
    pay:
      needs mover != none  "You owe {due}"
      settle
    wait: settle
    shrug: settle
""")
    reason = match.why_not("blue: pay")
    assert reason is not None
    assert reason.message == "You owe a number"


def test_dice_are_read_by_all_and_what_they_are_added_to_is_not(start: Start) -> None:
    match = start("""\
die d6: 1..6
the game has:
  open_heaps(k: 1..6): 0..9 = 3
  closed_heaps(k: 1..6): 0..9 = 3, seen by nobody
data price_of(p):
  gold: 0..20
  | gold             |
  | p.bid + roll(d6) |
play:
  first_player.bid = 7
  let thrown = roll(d6)
  let sum_up = roll(d6) + first_player.bid
  let either = first_player.bid if roll(d6) > 6 else thrown
  let laid = open_heaps(roll(d6))
  let dark = closed_heaps(roll(d6))
  let paid = price_of(first_player).gold
  let picked = random(k in 1..9 if k == first_player.bid)
  next(first_player) chooses one of "{thrown}, {laid}, {sum_up}, {either}, {dark}, {paid}, {picked}":
    nod "Nod": settle
    shrug "Shrug": settle
""")
    thrown, laid, *rest = asked(match, BLUE)[0].split(", ")
    assert thrown.isdigit()
    assert laid == "3"
    assert rest == ["a number"] * 5


# ------------------------------------------------------------------ things


HANDS = """\
setup:
  move Card to deck
  shuffle(deck)
  move ace to first_player.hand
  move queen to next(first_player).hand
play:
"""


def test_things_are_named_to_those_who_know_them(start: Start) -> None:
    match = start(
        CARDS
        + HANDS
        + """\
  for c in first_player.hand:
    let worth = c.worth
    let highest = max(c.worth for c in first_player.hand)
    next(first_player) chooses one of "{c}, {c.worth}":
      nod "Nod at {c}: {worth}, {highest}": settle
      shrug "Shrug": settle
    first_player chooses one of "{c}, {worth}":
      agree "Yes, {c}": settle
      deny "No, {highest}": settle
"""
    )
    assert asked(match, BLUE) == ("a card, a number", ["Nod at a card: a number, a number", "Shrug"])
    match.play("blue: nod")
    assert said(match, "nod") == ("Nod at ace: 1, 1", *("Nod at a card: a number, a number",) * 3)
    assert asked(match, RED) == ("ace, 1", ["Yes, ace", "No, 1"])


def test_a_thing_that_lies_open_is_named_to_all(start: Start) -> None:
    match = start(
        CARDS
        + HANDS
        + """\
  let shown = first(c in first_player.hand)
  reveal(shown)
  next(first_player) chooses one of "{shown}":
    nod "Nod at {shown}, {shown.worth}": settle
    shrug "Shrug": settle
"""
    )
    assert asked(match, BLUE) == ("ace", ["Nod at ace, 1", "Shrug"])
    match.play("blue: nod")
    assert said(match, "nod") == ("Nod at ace, 1",) * 4


def test_a_thing_that_only_somebody_points_to_is_named_to_nobody_else(start: Start) -> None:
    match = start(
        CARDS
        + """\
setup: move Card to table
to mark(p, c) "{p} marks {c}": p.marked = c
play:
  first_player.marked = queen
  let aim = first_player.marked
  mark(first_player, first_player.marked)
  next(first_player) chooses one of "{aim}, {aim.worth}":
    nod "Nod at {aim}": settle
    shrug "Shrug": settle
"""
    )
    assert asked(match, BLUE) == ("a card, a number", ["Nod at a card", "Shrug"])
    match.play("blue: nod")
    assert said(match, "nod") == ("Nod at queen", *("Nod at a card",) * 3)
    assert said(match, "mark") == ("red marks queen", *("red marks a card",) * 3)


def test_who_chooses_among_names_reads_them(start: Start) -> None:
    match = start(
        CARDS
        + HANDS
        + """\
  next(first_player) chooses one of "What has red?":
    guess(c in Card) "Guess {c}, worth {c.worth}":
      first_player chooses one of "Is it {c}?":
        yeah "Yes": settle
        no_way "No": settle
"""
    )
    assert asked(match, BLUE)[1] == ["Guess ace, worth 1", "Guess queen, worth 8", "Guess king, worth 9"]


def test_in_a_redeal_words_tell_what_the_seat_knew(start: Start) -> None:
    match = start(SECRET)
    for move in ("red: think(3)", "blue: think(2)", "green: think(1)", "red: raise"):
        match.play(move)
    dealt = redeal(match, Seat(BLUE), random.Random(1), traced=True)
    assert asked(dealt, BLUE) == asked(match, BLUE)


def test_what_a_hidden_pile_adds_up_to_is_read_by_nobody(start: Start) -> None:
    match = start(
        CARDS
        + """\
setup:
  move Card to deck
  shuffle(deck)
play:
  let sum_up = sum(c.worth for c in deck if c.worth > 1)
  first_player chooses one of "{sum(c.worth for c in deck)}, {max(c.worth for c in deck)}, {sum_up}, {count(deck)}":
    nod "Nod at {best(c in deck by highest c.worth)}": settle
    shrug "Shrug at {any(c == ace for c in deck)}": settle
"""
    )
    assert asked(match, RED) == ("a number, a number, a number, 3", ["Nod at some cards", "Shrug at yes or no"])


def test_each_depth_of_a_verb_that_calls_itself_has_words_of_its_own(start: Start) -> None:
    match = start(
        """\
to dig(p, k: 0..3) at most 2 deep:
  let found = p.bid + k
  p chooses one of "{p} at {k}":
    down(m in 1..2) "Down from {k} by {m}, {found}":
      if k > 0: dig(next(p), k - 1)
      next(p) chooses one of "{k} {m}":
        nod "Nod at {k}, {m}, {found}": settle
        shrug "Shrug": settle
    stay "Stay at {k} with {found}": settle
play:
  for p in players: p.bid = 5
  dig(first_player, 1)
"""
    )
    assert asked(match, RED) == ("red at 1", ["Down from 1 by 1, 6", "Down from 1 by 2, 6", "Stay at 1 with 6"])
    match.play("red: down(2)")
    assert said(match, "down") == ("Down from 1 by 2, 6", *("Down from 1 by 2, a number",) * 3)
    assert asked(match, BLUE)[1][0] == "Down from 0 by 1, 5"
    match.play("blue: down(1)")
    assert said(match, "down")[RED] == "Down from 0 by 1, a number"
    assert asked(match, GREEN) == ("0 1", ["Nod at 0, 1, a number", "Shrug"])
    match.play("green: nod")
    assert asked(match, BLUE) == ("1 2", ["Nod at 1, 2, a number", "Shrug"])
    match.play("blue: nod")
    assert said(match, "nod") == ("Nod at 1, 2, 6", *("Nod at 1, 2, a number",) * 3)


TASKS = """\
enum Task "task":
  dig: "Bring up 3 gold"
  rest
enum Nature "nature":
  tough: "Rarely gets tired"
kind Worker "worker":
  nature: Nature
  | name   | nature |
  | digger | tough  |
each Player has:
  plan: Task = dig, seen by owner
names t: Task
"""


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("Will you {t}?", "dig: Bring up 3 gold"),
        ("Will {q} do what {first_player} plans, {t}?", "dig: Bring up 3 gold"),
        ("Will you {t}, or {dig}?", ""),
        ("Will you do what {q} plans, {q.plan}?", ""),
        ("Will you do what you plan, {first_player.plan}?", "dig: Bring up 3 gold"),
        ("Will you {rest}?", ""),
        ("Will you?", ""),
        ("Will the {digger} {t}?", "dig: Bring up 3 gold"),
        ("Will the {digger} do it?", ""),
    ],
)
def test_the_text_of_what_a_question_names_goes_with_it_where_the_seat_may_know_it(
    start: Start, question: str, topic: str
) -> None:
    match = start(
        f"""{TASKS}
play:
  let t = dig
  let q = next(first_player)
  first_player chooses one of "{question}":
    nod "Nod": settle
    shrug "Shrug": settle
"""
    )
    assert match.topic(RED) == topic
    assert match.topic(BLUE) == ""
