"""What is hidden stays hidden: views, prompts, options, reasons and logs of small games that try to betray it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from rulelang import api
from rulelang.match.match import BareMatch
from tests.views import zone

Start: TypeAlias = Callable[..., BareMatch]

HEAD = """\
game tiny "Tiny":
  players 2..3
  seats red, blue, green

names p, q: Player; n, m: 1..6
die d6: 1..6

each Player has:
  secret: 1..6 = 1, seen by owner
  gold: 0..99 = 0
"""
CARDS = """\
kind Card "card":
  v: 1..9
  | v    |
  | 1..9 |
names c, d: Card
the game has:
  deck: pile of Card, face down
  table: group of Card
each Player has:
  hand: group of Card, seen by owner
setup:
  move Card to deck
  shuffle(deck)
  for p in players: move 2 of deck to p.hand
"""
RED, BLUE, GREEN = range(3)


@pytest.fixture(params=["generated", "reference"])
def start(request: pytest.FixtureRequest, tmp_path: Path) -> Start:
    """Starts a match of rules given as text, on one executor or the other."""

    def begin(rules: str, players: int = 2, seed: int = 0) -> BareMatch:
        return checked(rules, tmp_path).start(players, seed, executor=request.param)

    return begin


def checked(rules: str, folder: Path) -> api.Game:
    entry = folder / "tiny.rules"
    entry.write_text(HEAD + rules)
    found = api.check(entry)
    assert found.game is not None, [f"{d.code} {d.span.place} {d.message}" for d in found.diagnostics]
    return found.game


def log(match: BareMatch, seat: int | None) -> str:
    """The log that a seat may read, without its header."""
    return "\n".join(match.log.for_seat(seat).text.splitlines()[1:])  # type: ignore[attr-defined]


# ------------------------------------------------------------------ the end


SCORES = """\
value score(p) = sum(c.v for c in p.hand)
play:
  first_player chooses n in 1..2
  finish with winner first_player
"""


def test_scores_worked_out_from_hidden_hands_are_in_nobodys_log(start: Start) -> None:
    match = start(CARDS + SCORES)
    match.play("1")
    assert match.outcome is not None
    assert len(match.outcome.scores) == 2
    for seat in (RED, BLUE, None):
        assert '"scores":[]' in log(match, seat)
        assert match.view(seat).outcome.scores == ()  # type: ignore[union-attr]
    assert f'"scores":{list(match.outcome.scores)}'.replace(" ", "") in match.log.text  # type: ignore[attr-defined]


def test_scores_worked_out_from_what_all_see_are_in_every_log(start: Start) -> None:
    match = start(CARDS + SCORES.replace("sum(c.v for c in p.hand)", "p.gold + count(p.hand)"))
    match.play("1")
    for seat in (RED, BLUE, None):
        assert '"scores":[2,2]' in log(match, seat)


# ------------------------------------------------------------------ scenarios


def test_what_a_scenario_deals_out_of_the_box_nobody_knows_but_who_sees_where_it_lies(tmp_path: Path) -> None:
    from tests.games.written import assert_holds

    rules = CARDS.replace(
        "  move Card to deck\n  shuffle(deck)\n  for p in players: move 2 of deck to p.hand\n", "  settle\n"
    )
    assert_holds(
        HEAD.replace("2..3", "3")
        + rules
        + """
play:
  first_player chooses n in 1..2
scenario "a hand":
  given blue.hand = {Card(1), Card(2)}
  expect blue sees blue.hand
  expect red cannot see blue.hand
  expect green cannot see blue.hand
scenario "a single card":
  given blue.hand = {Card(9)}, red.hand = {Card(1)}
  expect blue sees blue.hand
  expect red cannot see blue.hand
  expect red sees red.hand
""",
        tmp_path,
    )


# ------------------------------------------------------------------ throws


BEHIND_A_SCREEN = """\
to keep(p, n): p.secret = n
to keep_lower(p, n, m): p.secret = min(n, m)
play:
  red_one.secret = roll(d6)
  let n = roll(d6)
  red_one.secret = n
  keep(red_one, roll(d6))
  for i in 1..2:
    let first_throw = roll(d6)
    let second_throw = roll(d6)
    keep_lower(red_one, first_throw, second_throw)
  red_one.secret = random(1..6)
  red_one chooses m in 1..2
value red_one -> Player = first(players)
"""


def test_a_throw_for_a_hidden_variable_is_told_to_nobody_else_whatever_falls(start: Start) -> None:
    """A face that happens to equal the old value changes nothing, and is as secret as any other."""
    logs = set()
    for seed in range(30):
        match = start(BEHIND_A_SCREEN, seed=seed)
        logs.add(log(match, BLUE) + log(match, None))
        assert '"face":' in log(match, RED)
    assert len(logs) == 1
    assert '"face"' not in logs.pop()


def test_a_throw_that_all_see_in_the_end_they_see_as_it_falls(start: Start) -> None:
    match = start("""\
to take(p, n):
  p.gold += n
  p.secret = n
play:
  let n = roll(d6)
  first_player.gold += n
  take(first_player, roll(d6))
  first_player.secret = roll(d6)
  first_player.gold += roll(d6)
  first_player chooses m in 1..2
""")
    for seat in (BLUE, None):
        assert log(match, seat).count('"face":') == 3
    assert log(match, RED).count('"face":') == 4


# ------------------------------------------------------------------ what is worked out from others' secrets


WORKED_OUT = """\
to weigh(p, x: 0..99) "The weight is {x}": settle
to look(p):
  let x = sum(c.v for c in next(p).hand)
  let high = first(c in next(p).hand by highest c.v)
  weigh(p, x)
  point(p, high)
  p chooses one of "Is it {x}?":
     yes_it_is "{x}, with {high}": settle
     no "No": settle
to point(p, c) "It is {c}": settle
play:
  look(first_player)
"""


def test_what_is_worked_out_from_anothers_hand_is_read_by_that_seat_alone(start: Start) -> None:
    match = start(CARDS + WORKED_OUT, players=3)
    weight = sum(int(name[5]) for name in zone(match.view(BLUE), "blue.hand").things if name is not None)
    assert match.prompt(RED) == "Is it a number?"
    assert [o.label for o in match.options_of(RED)] == ["a number, with a card", "No"]
    for seat in (RED, GREEN, None):
        assert "weigh(red, ?)" in log(match, seat)
        assert "The weight is a number" in log(match, seat)
        assert "It is a card" in log(match, seat)
    assert f"weigh(red, {weight})" in log(match, BLUE)
    assert f"The weight is {weight}" in log(match, BLUE)
    match.play("yes_it_is")
    assert f'"sentence":"{weight}, with card ' in log(match, BLUE)
    assert '"sentence":"a number, with a card"' in log(match, RED)


def test_an_open_and_a_secret_choice_of_one_variable_keep_apart(start: Start) -> None:
    match = start("""\
play:
  for p in players: p chooses p.secret in 1..6
  each p in players secretly chooses p.secret in 1..6
  first_player chooses n in 1..2
""")
    for option in ("red: 2", "blue: 3", "red: 4", "blue: 5"):
        match.play(option)
    assert [log(match, RED).count(f'"option":"{n}"') for n in (2, 3, 4, 5)] == [1, 0, 1, 0]
    assert [log(match, BLUE).count(f'"option":"{n}"') for n in (2, 3, 4, 5)] == [0, 1, 0, 1]
    assert all(f"bid({n}" not in log(match, None) for n in (2, 3, 4, 5))
    assert "secret(red, ?)" in log(match, None)


def test_an_answer_that_is_worked_with_before_it_is_hidden_is_as_secret(start: Start) -> None:
    match = start("""\
to keep(p, n): p.secret = 7 - n
play:
  first_player chooses n in 1..6
  first_player chooses one of:
    settle_it(m in 1..6) "Settle {m}": keep(first_player, m)
  first_player chooses n in 1..2
""")
    match.play("red: 3")
    match.play("red: settle_it(4)")
    assert '"option":"3"' not in log(match, BLUE)  # nothing is made of it
    assert '"option":"3"' in log(match, RED)
    assert '"option":"settle_it(?)"' in log(match, BLUE)
    assert '"sentence":"Settle a number"' in log(match, BLUE)
    assert "keep(red, ?)" in log(match, BLUE)
    assert '"option":"settle_it(4)"' in log(match, RED)


@pytest.mark.parametrize("beside", ["", "nod"])
def test_which_of_the_options_that_nobody_notices_was_taken_is_not_told_beside_one_that_all_see(
    beside: str, start: Start
) -> None:
    option = "" if beside else '      nod "Nod": first_player.gold += 1\n'
    action = 'action nod(p) at any time "Nod": p.gold += 1\n' if beside else ""
    match = start(f"""\
{action}play:
  repeat 4 times:
    first_player chooses one of:
      keep "Keep": first_player.secret = 3
      sulk "Sulk": first_player.secret = 4
      rest "Rest": settle
{option}  finish lost
""")
    for name in ("keep", "sulk", "rest"):
        match.play(f"red: {name}")
        assert f'"option":"{name}"' in log(match, RED)
    match.play("red: nod")
    told = log(match, BLUE)
    assert not any(name in told for name in ("keep", "sulk", "rest", "Keep", "Sulk", "Rest"))
    assert '"option":"nod"' in told


# ------------------------------------------------------------------ bookkeeping

NOTED = """\
each Player has:
  noted: 0..99 = 0, scratch
to say(p, x: 0..99) "{p} says {x}": settle
to look(p, q):
  p.noted = NOTE, at most 99
  say(q, p.noted)
play:
  for p in players: p chooses n in 1..2
  look(first_player, next(first_player))
  finish lost
"""


@pytest.mark.parametrize("note", ["sum(c.v for c in q.hand)", "q.secret + 1", "p.noted + q.secret"])
def test_what_is_noted_aside_of_a_secret_is_still_one(note: str, start: Start) -> None:
    match = start(CARDS + NOTED.replace("NOTE", note), players=3)
    for _ in range(3):
        match.play(next(iter(match.options)))
    for seat in (RED, GREEN, None):
        assert "blue says a number" in log(match, seat)
        assert "say(blue, ?)" in log(match, seat)


def test_what_is_noted_aside_of_what_all_see_all_read(start: Start) -> None:
    match = start(CARDS + NOTED.replace("NOTE", "q.gold + 7"), players=3)
    for _ in range(3):
        match.play(next(iter(match.options)))
    assert "blue says 7" in log(match, GREEN)


FIRST = """
game first "First":
  players 2
  seats red, blue

names p: Player; c: Card
kind Card "card":
  v: 1..9
  | v    |
  | 1..9 |

the game has:
  deck: pile of Card, face down
each Player has:
  hand: group of Card, seen by owner

setup:
  move Card to deck
  shuffle(deck)
  for p in players: move 3 of deck to p.hand

play:
  first_player chooses some in any of HAND
  for c in some: move c to deck
  finish with winner first_player
"""


@pytest.mark.parametrize(("hand", "codes"), [("first_player.hand", []), ("next(first_player).hand", ["E0402"])])
def test_a_seat_that_the_rules_name_by_its_part_chooses_in_its_own_hand_and_in_no_other(
    hand: str, codes: list[str]
) -> None:
    assert [d.code for d in api.check_text(FIRST.replace("HAND", hand)).diagnostics] == codes
