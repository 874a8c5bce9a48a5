"""Small games meant to betray a secret: two courses that differ in it alone look alike to a seat, in all that it can ask for."""

from __future__ import annotations

import attrs
import pytest

from cli.reason import lines_of
from rulelang import api
from rulelang.api import Match
from rulelang.errors import RulelangError
from rulelang.screens.picture import picture
from rulelang.screens.what import explained
from rulelang.workbench.reasons.why import Asker, NoReason, why

HEAD = """\
game hostile "Hostile":
  players 3
  seats red, blue, green
names p, q: Player; c, d: Card; n, x: 0..9
enum Role: sheriff, thief
kind Card "card":
  v: 1..9
  | v    |
  | 1..9 |
"""
DEAL = """\
setup:
  move Card to deck
  shuffle(deck)
  for p in players: move 2 of deck to p.hand
"""
ZONES = """\
the game has:
  deck: pile of Card, face down
  table: group of Card, face up
  vault: slot for Card, seen by nobody
each Player has:
  hand: group of Card, seen by owner
"""


@attrs.frozen
class Hostile:
    """A game, and what blue answers in secret in either course."""

    rules: str
    answers: tuple[str, str] = ("2", "7")
    then: tuple[str, ...] = ()
    """What is answered afterwards, in both."""


SECRET = """\
each Player has:
  secret: 0..9 = 0, seen by owner
"""
ASK = "  blue chooses blue.secret in 0..9\n"
NEXT = "  red chooses n in 1..2\n  finish with winner red\n"
GAMES = {
    "a hook on what is hidden": Hostile(
        HEAD
        + SECRET
        + "  out: flag = no, seen by owner\n"
        + 'to wince(p) "{p} winces": settle\nwhenever blue.secret > 5 and not blue.out:\n  blue.out = yes\n  wince(blue)\n'
        + "play:\n"
        + ASK
        + NEXT
    ),
    "a price that reads another's number": Hostile(
        HEAD
        + SECRET
        + 'action buy(p, n: 1..3) "Buy {n}":\n  shows "{n * blue.secret} coins"\n  settle\n'
        + "play:\n"
        + ASK
        + "  red chooses one of buy, or pass\n  finish with winner red\n"
    ),
    "an adjustment by a secret, with a name": Hostile(
        HEAD
        + SECRET
        + "value cost(p) -> 0..99 = 2\nadjust cost(p): +3 if blue.secret > 5 as fear\n"
        + "adjust cost(p): +0 if blue.secret > 5 as dread\n"
        + 'to pay(p) "{p} pays {cost(p)}": settle\n'
        + "play:\n"
        + ASK
        + "  pay(red)\n"
        + NEXT
    ),
    "a role in sentences, sets and counts": Hostile(
        HEAD
        + "each Player has:\n  role: Role = sheriff, seen by owner\n  mates: set of Player = {}, seen by owner\n"
        + 'to greet(p, q) "{p} greets {q}, a {q.role}, of {q.mates}, {count(q.mates)} mates": settle\n'
        + "play:\n  blue chooses blue.role in Role\n"
        + "  if blue.role == thief: blue.mates += {green}\n  greet(red, blue)\n"
        + "  for q in players if q in blue.mates: greet(blue, q)\n"
        + NEXT,
        ("sheriff", "thief"),
    ),
    "a fault in numbers worked out from a secret": Hostile(
        HEAD
        + SECRET
        + 'value half(p) -> 0..9 = 9 / (blue.secret - 2) rounded down\nto tell(p) "{p} has {half(p)}": settle\n'
        + "play:\n"
        + ASK
        + "  tell(red)\n"
        + NEXT
    ),
    "a deck that is counted, summed and looked through": Hostile(
        HEAD
        + ZONES
        + DEAL
        + 'to look(p) "{p} sees {max(c.v for c in deck)}, {count(c in deck if c.v > 4)}, {top(deck)}, {deck}, {vault}": settle\n'
        + "play:\n  blue chooses c in blue.hand\n  move c to deck\n  shuffle(deck)\n"
        + "  let d = top(deck)\n  move d to vault\n  look(red)\n"
        + '  red chooses one of "{top(deck)} on {vault}, {vault.v}":\n    on "On {d}": settle\n    off "Off": settle\n'
        + "  finish with winner red\n",
        ("0", "1"),
    ),
    "a seat's own set that holds others' cards": Hostile(
        HEAD
        + ZONES
        + "  eyed: set of Card = {}\n"
        + DEAL
        + 'to mark(p) "{p} marks {p.eyed}": settle\n'
        + "play:\n  blue chooses c in blue.hand\n  red.eyed = {c}\n  mark(red)\n  red.eyed = {c}\n"
        + "  move c to vault\n  mark(red)\n"
        + NEXT,
        ("0", "1"),
    ),
    "a verb that gives up by a secret": Hostile(
        HEAD
        + SECRET
        + 'to dig(p, n) at most 4 deep "{p} digs {n}", else "{p} digs in vain":\n  if blue.secret > 5: return\n  dig_on(p, n)\n'
        + 'to dig_on(p, n) "{p} digs on":\n  if n > 0: dig(p, n - 1)\n'
        + "play:\n"
        + ASK
        + "  dig(green, 2)\n"
        + NEXT
    ),
    "a winner's hidden score": Hostile(
        HEAD
        + SECRET
        + "value score(p) -> 0..9 = p.secret\n"
        + "play:\n"
        + ASK
        + "  red chooses n in 1..2\n  finish with winner red\n",
        then=("1",),
    ),
    "a hidden score that cannot be worked out": Hostile(
        HEAD
        + SECRET
        + "value score(p) -> 0..9 = 9 / (p.secret - 2) rounded down\n"
        + "play:\n"
        + ASK
        + "  red chooses n in 1..2\n  finish with winner red\n",
        then=("1",),
    ),
    "a price that cannot be worked out": Hostile(
        HEAD
        + SECRET
        + 'value price(p) -> 0..9 = 9 / (blue.secret - 2) rounded down\naction buy(p, n: 1..3) "Buy {n} for {price(p)}":\n'
        + '  shows "{price(p)} coins each"\n  settle\n'
        + 'screen:\n  line "red pays {price(red)}"\n  each Player: "{p} {price(p)} {p.secret}"\n'
        + "play:\n"
        + ASK
        + "  red chooses one of buy, or pass\n  finish with winner red\n"
    ),
    "passes that write at once by a secret": Hostile(
        HEAD
        + SECRET
        + "  tally: 0..99 = 0, seen by owner\n"
        + 'to note(p, n) "{p} notes {n}", else "{p} notes nothing": p.tally += n\n'
        + "play:\n"
        + ASK
        + "  simultaneously for p in players if p.secret > 5: note(p, p.secret)\n"
        + NEXT
    ),
    "a verb that a scratch variable decides on": Hostile(
        HEAD
        + SECRET
        + "  owed: 0..9 = 0, scratch\n"
        + 'to pay(p) "{p} pays": settle\n'
        + "play:\n"
        + ASK
        + "  green.owed = blue.secret\n  if green.owed > 5: pay(green)\n  green.owed = 0\n"
        + NEXT
    ),
    "a card handed on through three locals": Hostile(
        HEAD
        + ZONES
        + DEAL
        + 'to carry(p, c) "{p} carries {c}":\n  let d = c\n  drop_it(p, d)\n'
        + 'to drop_it(p, d) "{p} drops {d}, of {d.v}": move d to vault\n'
        + "play:\n  blue chooses c in blue.hand\n  carry(blue, c)\n"
        + '  red chooses one of "Was it {c}?":\n    yes_it_was "Yes, {c}": settle\n    no "No": settle\n'
        + "  finish with winner red\n",
        ("0", "1"),
    ),
}


def shown(match: Match, seat: int | None, *, asks: bool) -> dict[str, object]:
    """Returns all that a viewer sees, and can ask for."""
    found: dict[str, object] = {
        "log": match.log.for_seat(seat).text,
        "view": match.view(seat),
        "screen": picture(match, seat),
    }
    if seat is None:
        return found
    found |= {"prompt": match.prompt(seat), "information": match.information(seat)}
    found["options"] = [(o.text, o.label) for o in match.options_of(seat)] if seat in match.to_move else []
    cells = [name for _, _, name in match.visibility.cells]
    heaps = [name for _, _, name in match.visibility.heaps]
    values = [f"{v.name}({s})" for v in match.game.values for s in match.seats]
    for name in (*cells, *heaps, *values, *(f"{match.seats[seat]}: {n}" for n in range(4))) if asks else ():
        try:
            found[f"why {name}"] = tuple(lines_of(why(match, name, Asker(seat))))
        except (NoReason, RulelangError) as error:
            found[f"why {name}"] = str(error)
        try:
            found[f"what {name}"] = [str(card) for card in explained(match, seat, name)]
        except RulelangError as error:
            found[f"what {name}"] = str(error)
        try:
            found[f"why not {name}"] = str(match.why_not(f"{match.seats[seat]}: {name}"))
        except RulelangError as error:
            found[f"why not {name}"] = str(error)
    return found


@pytest.mark.long
@pytest.mark.parametrize("executor", ["generated", "reference"])
@pytest.mark.parametrize("name", GAMES)
def test_what_blue_keeps_secret_is_shown_to_nobody_else(name: str, executor: str) -> None:
    hostile = GAMES[name]
    checked = api.check_text(hostile.rules)
    assert checked.game is not None, [d.message for d in checked.diagnostics]
    matches = []
    for answer in hostile.answers:
        match = checked.game.start(3, seed=4, executor=executor)
        match.play(list(match.options)[int(answer)] if answer in "01" else answer)
        for text in hostile.then:
            match.play(text)
        matches.append(match)
    # Answers to questions are made of what the executors share: on the reference they take seconds.
    asks = executor == "generated"
    own, other = (shown(match, 1, asks=asks) for match in matches)
    assert own != other
    for viewer in (0, 2, None):
        one, other = (shown(match, viewer, asks=asks) for match in matches)
        assert one == other
