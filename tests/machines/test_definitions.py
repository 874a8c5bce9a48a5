"""What two implementations could read differently, settled: a tiny game for each definition, on both executors."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Hashable
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from rulelang import api
from rulelang.errors import IllegalOption, RangeViolation, UnknownOption
from rulelang.ir.numbers import Seat
from rulelang.lab.seat_view import SeatView
from rulelang.log.format import Header, Log
from rulelang.match.match import BareMatch
from rulelang.match.recording.events import Drawn, Event, Taken
from rulelang.match.redeals.redeal import redeal
from rulelang.playouts.rng import RandomStream

Start: TypeAlias = Callable[..., BareMatch]

HEAD = """\
game tiny "Tiny":
  players 2..3
  seats red, blue, green

names p, q: Player
"""
CARDS = """\
kind Card "card":
  n: 1..9
  | n    |
  | 1..9 |
"""


def checked(rules: str, folder: Path, *variants: str) -> api.Checked:
    entry = folder / "tiny.rules"
    entry.write_text(HEAD + rules)
    return api.check(entry, variants)


def game_of(rules: str, folder: Path, *variants: str) -> api.Game:
    found = checked(rules, folder, *variants)
    assert found.game is not None, [f"{d.code} {d.span.place} {d.message}" for d in found.diagnostics]
    return found.game


def codes(rules: str, folder: Path) -> set[str]:
    return {d.code for d in checked(rules, folder).diagnostics}


@pytest.fixture(params=["generated", "reference"])
def start(request: pytest.FixtureRequest, tmp_path: Path) -> Start:
    """Starts a match of rules given as text, on one executor or the other."""

    def begin(rules: str, *variants: str, players: int = 2, seed: int = 0, **more: Any) -> BareMatch:
        return game_of(rules, tmp_path, *variants).start(players, seed, executor=request.param, **more)

    return begin


def value(match: BareMatch, name: str) -> int | None:
    """A variable as a spectator reads it."""
    seen = match.view(None)[name]
    return seen.value  # type: ignore[union-attr]


def offered(match: BareMatch, seat: int = 0) -> list[str]:
    return [option.text for option in match.options_of(seat)]


def inputs(match: BareMatch) -> list[object]:
    return [entry for entry in match.journal if isinstance(entry, (Taken, Drawn))]


def changes(match: BareMatch, what: str) -> list[str]:
    return [c.text for event in match.events for c in event.changes if c.what == what]


# ------------------------------------------------------------------ the actor


STEALING = """\
each Player has:
  gold: 0..9 = 3
action steal(p, victim: Player, n: 1..3) "Steal {n} from {victim}":
  needs victim != p  "Not from yourself"
  needs victim.gold >= n  "There is less"
  victim.gold -= n
  p.gold += n, at most 9
play:
  repeat 2 times:
    for p in players: p chooses one of steal, or pass
"""


def test_the_first_parameter_of_an_action_is_who_chooses_and_is_not_written(start: Start) -> None:
    match = start(STEALING)
    assert "steal(blue, 2)" in offered(match)
    match.play("red: steal(blue, 2)")
    assert (value(match, "red.gold"), value(match, "blue.gold")) == (5, 1)
    assert "steal(red, blue, 2)" not in str(match.journal)


def test_a_log_writes_an_answer_without_the_actor(start: Start) -> None:
    match = start(STEALING)
    match.play("steal(blue, 2)")
    lines = [json.loads(line) for line in Log.of(Header("tiny", match.seats, 0), match).lines]
    answer = next(line for line in lines if line.get("input") == "choice")
    assert (answer["seat"], answer["option"]) == ("red", "steal(blue, 2)")


# ------------------------------------------------------------------ one input


def test_a_choice_with_all_its_parameters_is_one_input(start: Start) -> None:
    match = start(STEALING)
    match.play("steal(blue, 2)")
    assert len(inputs(match)) == 1


def test_a_refused_answer_is_no_input(start: Start) -> None:
    match = start(STEALING)
    before = match.journal
    with pytest.raises(IllegalOption):
        match.play("steal(red, 1)")
    assert match.journal == before


def test_each_random_outcome_is_one_input(start: Start) -> None:
    match = start("""\
die d6: 1..6
the game has:
  total: 0..99 = 0
play:
  total += roll(d6)
  total += roll(d6, 2)
  for p in players: p chooses n in 1..2
""")
    assert len(inputs(match)) == 3
    match.play("1")
    assert len(inputs(match)) == 4


def test_a_forced_choice_is_an_event_and_no_input(start: Start) -> None:
    match = start("""\
the game has:
  left: 0..9 = 1
  taken: 0..9 = 0
play:
  for p in players:
    p chooses n in 1..left
    taken += n
    left += 1
""")
    assert match.to_move == (1,)
    assert inputs(match) == []
    assert changes(match, "forced") == ["forced red -> 1"]
    assert value(match, "taken") == 1


# ------------------------------------------------------------------ forced


def test_pass_and_stop_count_as_options(start: Start) -> None:
    passing = "play:\n  for p in players: p chooses n in {1}, or pass\n"
    stopping = "play:\n  for p in players:\n    repeat 2 times: p chooses n in {1}, or stop\n"
    assert offered(start(passing)) == ["1", "pass"]
    assert offered(start(stopping)) == ["1", "stop"]


def test_an_interrupt_on_offer_counts_as_an_option(start: Start) -> None:
    rules = """\
each Player has:
  boons: 0..3 = 0
action boon(p) at any time "Boon":
  needs p.boons > 0  "No boon"
  p.boons -= 1
play:
  for p in players: p.boons = 1 if p == next(first_player) else 0
  for p in players: p chooses n in {1}
"""
    match = start(rules)
    assert match.to_move == (1,)
    assert offered(match, 1) == ["1", "boon"]


HAND = """\
each Player has:
  hand: group of Card, {seen}
play:
  for p in players: move random(c in Card if c in box) to p.hand
  for p in players: p chooses kept in p.hand
"""


def test_a_lone_option_of_a_hidden_hand_is_asked_for(start: Start) -> None:
    match = start(CARDS + HAND.format(seen="seen by owner"))
    assert match.to_move == (0,)
    assert len(match.options) == 1


def test_a_lone_option_of_an_open_hand_is_taken(start: Start) -> None:
    match = start(CARDS + HAND.format(seen="face up"))
    assert match.outcome is not None
    assert match.outcome.kind == "undecided"
    assert len(changes(match, "forced")) == 2


def test_an_option_that_only_a_hidden_variable_leaves_alone_is_asked_for(start: Start) -> None:
    match = start("""\
each Player has:
  nerve: 0..9 = 0, seen by owner
action run(p) "Run": settle
action stay(p) "Stay":
  needs p.nerve > 0  "You dare not"
play:
  for p in players: p chooses one of run, stay
""")
    assert match.to_move == (0,)
    assert offered(match) == ["run"]


# ------------------------------------------------------------------ interrupts


BOONS = """\
each Player has:
  boons: 0..3 = 2
  size: 1..3 = 1
action boon(p) at any time "Boon":
  needs p.boons > 0  "No boon"
  p.boons -= 1
  p.size += 1, at most 3
"""


def test_an_interrupt_stands_beside_the_owners_own_options(start: Start) -> None:
    match = start(BOONS + "play:\n  for p in players: p chooses n in 1..p.size + 1\n")
    assert offered(match) == ["1", "2", "boon"]
    assert match.to_move == (0,), "the others are not asked"


def test_after_an_interrupt_the_pending_choice_is_computed_anew(start: Start) -> None:
    match = start(BOONS + "play:\n  for p in players: p chooses n in 1..p.size + 1\n")
    match.play("boon")
    assert offered(match) == ["1", "2", "3", "boon"]
    match.play("boon")
    assert offered(match) == ["1", "2", "3", "4"]
    match.play("4")
    assert match.to_move == (1,)


def test_an_interrupt_is_not_offered_in_a_sealed_choice(start: Start) -> None:
    match = start(BOONS + "play:\n  each p in players secretly chooses n in 1..2\n")
    assert offered(match) == ["1", "2"]
    with pytest.raises(UnknownOption):
        match.play("red: boon")


def test_no_interrupt_is_offered_inside_another(start: Start) -> None:
    match = start("""\
each Player has:
  boons: 0..3 = 2
  gold: 0..9 = 0
action boon(p) at any time "Boon":
  needs p.boons > 0  "No boon"
  p.boons -= 1
  p chooses n in 1..2
  p.gold += n, at most 9
action rest(p) at any time "Rest":
  needs p.boons > 0  "No boon"
  p.boons -= 1
play:
  for p in players:
    p chooses k in 1..2
    p.gold += k, at most 9
    p chooses one of rest, or pass
""")
    assert offered(match) == ["1", "2", "boon", "rest"]
    match.play("boon")
    assert offered(match) == ["1", "2"], "inside of the boon"
    match.play("2")
    assert offered(match) == ["1", "2", "boon", "rest"], "the choice that it came upon"
    match.play("1")
    assert value(match, "red.gold") == 3
    assert offered(match) == ["rest", "pass", "boon", "rest"]


SHOUTS = """\
each Player has:
  shouts: 0..2 = 1
the game has:
  heard: 0..9 = 0
action shout(p) at any choice "Shout":
  needs p.shouts > 0  "You are hoarse"
  p.shouts -= 1
  heard += 1
"""


def test_an_interrupt_at_any_choice_is_offered_to_the_others_first_from_the_mover_on(start: Start) -> None:
    match = start(SHOUTS + "play:\n  turns p from previous(first_player): p chooses n in 1..heard + 2\n", players=3)
    assert (match.to_move, offered(match, 0)) == ((0,), ["shout", "pass"]), "red follows green, the mover"
    match.play("pass")
    assert (match.to_move, offered(match, 1)) == ((1,), ["shout", "pass"])
    match.play("shout")
    assert (match.to_move, offered(match, 2)) == ((2,), ["1", "2", "3", "shout"]), "worked out after the shout"
    match.play("shout")
    assert offered(match, 2) == ["1", "2", "3", "4"], "the others are asked once for each choice"
    match.play("1")
    assert (match.to_move, offered(match, 0)) == ((0,), ["1", "2", "3", "4", "shout"]), "the others have none left"


def test_an_interrupt_at_any_choice_is_not_offered_at_secret_choices_nor_inside_another(start: Start) -> None:
    match = start(SHOUTS + "play:\n  each p in players secretly chooses n in 1..2\n")
    assert match.to_move == (0, 1)
    assert offered(match) == ["1", "2"]
    asking = SHOUTS + "  p chooses n in 1..2\n  heard += n\nplay:\n  for p in players: p chooses k in 1..2\n"
    match = start(asking)
    match.play("shout")
    assert (match.to_move, offered(match, 1)) == ((1,), ["1", "2"]), "inside of blue's shout, red is not asked"


# ------------------------------------------------------------------ the order at a phase's end


def test_a_phase_ends_with_its_body_then_whenever_then_its_after_hooks(start: Start) -> None:
    match = start("""\
the game has:
  body: flag = no
  seen: 0..9 = 0
  inside: flag = no
  last: 0..9 = 0
phase morning "Morning": body = yes
whenever body and seen == 0 as look:
  seen = 1
  inside = during(morning)
after morning():
  last = seen * 2 + (1 if during(morning) else 0)
play:
  morning()
  for p in players: p chooses n in 1..2
""")
    assert value(match, "inside") == 1, "the phase still counts as running"
    assert value(match, "last") == 2, "the hook comes after the look, and then the phase is over"


# ------------------------------------------------------------------ whenever


def test_whenever_is_looked_at_after_a_choices_body_at_the_outermost_level(start: Start) -> None:
    match = start("""\
the game has:
  heap: 0..9 = 5
  looks: 0..9 = 0
whenever heap < 5 and looks == 0 as low: looks = 1
play:
  for p in players:
    p chooses one of:
      outer "Outer":
        heap -= 1, at least 0
        p chooses n in 1..2
        p chooses m in 1..2
      rest "Rest": settle
""")
    match.play("outer")
    assert value(match, "looks") == 0
    match.play("1")
    assert value(match, "looks") == 0, "the body of an inner choice is not the outermost"
    match.play("1")
    assert value(match, "looks") == 1


def test_whenever_is_not_looked_at_between_two_statements(start: Start) -> None:
    match = start("""\
the game has:
  heap: 0..9 = 5
  looks: 0..9 = 0
whenever heap == 0 and looks == 0 as low: looks = 1
play:
  heap = 0
  heap = 5
  settle
  heap = 0
  for p in players: p chooses n in 1..2
""")
    assert value(match, "looks") == 0
    match.play("1")
    assert value(match, "looks") == 1


EACH = """\
each Player has:
  ready: flag = yes
the game has:
  done: 0..9 = 0
whenever p.ready and done == 0 for p in players as served:
  p.ready = no
  {body}
  done += 1, at most 9
play:
  settle
  for p in players: p chooses k in 1..2
"""


def test_a_body_without_choices_runs_over_all_matches_at_once(start: Start) -> None:
    match = start(EACH.format(body="settle" and "done += 0, at most 9"), players=3)
    assert value(match, "done") == 3


def test_a_body_with_choices_takes_one_match_at_a_time_in_seat_order_and_looks_again(start: Start) -> None:
    match = start(EACH.format(body='p chooses n in 1..2 "Inside"'), players=3)
    assert (match.to_move, match.prompt(0)) == ((0,), "Inside")
    match.play("1")
    assert value(match, "done") == 1
    assert [value(match, f"{seat}.ready") for seat in match.seats] == [0, 1, 1]
    assert match.prompt(0) == ""


INSIDE = """\
the game has:
  a: 0..9 = 3
  order: 0..999999 = 0
to note(n: 1..9): order = order * 10 + n
phase pause "Pause": note(3)
after pause(): note(4)
whenever a > 0 as falling:
  a -= 1, at least 0
  note(1)
  {inside}
  note(2)
whenever a == 1 as last: note(9)
play:
  {first}
  settle
  for p in players: p chooses n in 1..2
"""


def test_a_settle_or_a_phases_end_inside_a_whenever_rule_leaves_the_look_to_the_one_under_way(start: Start) -> None:
    rules = INSIDE.replace("a == 1", "a == 1 and order < 99999")
    assert value(start(rules.format(inside="settle", first="a = 1")), "order") == 12
    assert value(start(rules.format(inside="settle", first="a = 2")), "order") == 12912
    assert value(start(rules.format(inside="pause()", first="a = 1")), "order") == 1342


def test_rules_are_looked_at_in_source_order_again_until_none_applies(start: Start) -> None:
    match = start("""\
the game has:
  a: 0..9 = 1
  b: 0..9 = 0
whenever b > 0 as second:
  b -= 1, at least 0
  a = 5
whenever a == 1 as first:
  a = 2
  b = 2
play:
  settle
  for p in players: p chooses n in 1..2
""")
    assert (value(match, "a"), value(match, "b")) == (5, 0)


# ------------------------------------------------------------------ hooks


NOTING = """\
the game has:
  notes: 0..99999999 = 0
  odd: flag = no
to note(n: 1..9): notes = notes * 10 + n, at most 99999999
to hit(p): note(5)
"""
PLAY_HIT = """\
play:
  hit(first_player)
  for p in players: p chooses n in 1..2
"""


def test_before_and_after_run_in_source_order_around_the_body(start: Start) -> None:
    hooks = "after hit(p): note(7)\nbefore hit(p): note(1)\nbefore hit(p): note(2)\nafter hit(p): note(8)\n"
    assert value(start(NOTING + hooks + PLAY_HIT), "notes") == 12578


def test_a_variants_hooks_come_last(start: Start) -> None:
    hooks = 'before hit(p): note(1)\nvariant more of tiny "More":\n  before hit(p): note(2)\n  after hit(p): note(9)\n'
    assert value(start(NOTING + PLAY_HIT + hooks, "more"), "notes") == 1259


def test_instead_is_tried_first_and_then_neither_before_nor_the_body_runs_but_after_does(start: Start) -> None:
    hooks = "before hit(p): note(1)\ninstead of hit(p): note(4)\nafter hit(p): note(8)\n"
    assert value(start(NOTING + hooks + PLAY_HIT), "notes") == 48


def test_the_last_declared_instead_that_fits_wins(start: Start) -> None:
    hooks = "instead of hit(p): note(3)\ninstead of hit(p): note(4)\ninstead of hit(p) if odd: note(6)\n"
    assert value(start(NOTING + hooks + PLAY_HIT), "notes") == 4


def test_proceed_runs_the_original(start: Start) -> None:
    hooks = "before hit(p): note(1)\ninstead of hit(p):\n  note(3)\n  proceed\n  note(4)\nafter hit(p): note(8)\n"
    assert value(start(NOTING + hooks + PLAY_HIT), "notes") == 3548


ASKING = """\
each Player has:
  gold: 0..9 = 0
  lucky: flag = no
to offer(p, n: 1..3) "{p} is offered {n}":
  p chooses one of:
    accept "Take {n}":
      p.gold += n
      return
    refuse "Leave {n}": settle
  p.gold = 9
play:
  offer(first_player, 2)
  offer(next(first_player), 3)
"""


@pytest.mark.parametrize("hook", ["", "instead of offer(p, n) if p.lucky: p.gold = 8\n"])
def test_a_verb_that_asks_may_be_left_early_and_be_replaced(start: Start, hook: str) -> None:
    match = start(ASKING + hook)
    match.play("red: accept")
    match.play("blue: refuse")
    assert (value(match, "red.gold"), value(match, "blue.gold")) == (2, 9)


# ------------------------------------------------------------------ adjust


def test_all_sums_come_before_at_least_and_that_before_at_most(start: Start) -> None:
    match = start("""\
the game has:
  worth: 0..99 = 0
value price -> 0..20 = 4
adjust price: at most 9
adjust price: at least 12
adjust price: +5
adjust price: -2
play:
  worth = price
  for p in players: p chooses n in 1..2
""")
    assert value(match, "worth") == 9, "4 + 5 - 2 = 7, at least 12, at most 9"


def test_layers_apply_in_one_order_whatever_order_the_rules_write_them_in(start: Start) -> None:
    match = start("""\
enum Mood: calm, wild
the game has:
  worth: 0..99 = 0
  dear: 0..99 = 0
  is_wild: flag = no
value price -> 0..50 = 4
adjust price: at most 30
adjust price: +5
adjust price: times 2, times 3
adjust price: set 6
adjust price: set 4 if worth == 0
value mood -> Mood = calm
adjust mood: set wild if worth > 0
value fits -> flag = no
adjust fits: set mood == wild
data fee(n: 1..3):
  cost: 0..99 = 1
  of: Mood? = none
  | n    | of   |
  | 1    | calm |
  | 2..3 | none |
adjust fee(n).cost: times 7, +1
adjust fee(n).of: set wild
play:
  worth = price
  dear = price + fee(2).cost
  is_wild = fits and fee(1).of == wild and fee(2).of == none
  for p in players: p chooses n in 1..2
""")
    assert value(match, "worth") == 29, "the last `set` that holds gives 4, times 2, times 3, + 5"
    assert value(match, "dear") == 38, "without it 6, times 2, times 3, + 5, at most 30; 1 times 7, + 1"
    assert value(match, "is_wild") == 1, "what is none stays none"


def test_an_adjustment_multiplies_without_losing_digits(start: Start) -> None:
    match = start("""\
the game has:
  worth: 0..2000000000 = 1000000000
value price -> 0..2000000000 = worth
adjust price: times 4, times 4, times 4, times 4, times 4, times 4, times 4, times 4, times 4, times 4, times 4, times 4
adjust price: at most 7
play:
  worth = price
  for p in players: p chooses n in 1..2
""")
    assert value(match, "worth") == 7


def test_the_range_is_checked_after_the_adjustments(start: Start) -> None:
    rules = (
        "value price -> 0..5 = 4\nadjust price: +7\nadjust price: at most cap\n"
        "the game has:\n  worth: 0..99 = 0\n  cap: 0..9 = {top}\n"
    )
    flow = "play:\n  worth = price\n  for p in players: p chooses n in 1..2\n"
    assert value(start(rules.format(top=5) + flow), "worth") == 5
    with pytest.raises(RangeViolation):
        start(rules.format(top=6) + flow)


def test_a_recursive_value_is_adjusted_at_every_depth(start: Start) -> None:
    match = start("""\
the game has:
  worth: 0..99 = 0
value steps(n: 0..3) -> 0..99, at most 4 deep = 0 if n == 0 else 1 + steps(n - 1)
adjust steps(n: 0..3): +10
play:
  worth = steps(2)
  for p in players: p chooses n in 1..2
""")
    assert value(match, "worth") == 32


def test_an_adjustment_whose_condition_reads_what_it_adjusts_is_an_error(tmp_path: Path) -> None:
    direct = "value price -> 0..9 = 4\nadjust price: +1 if price > 3\nplay:\n  settle\n"
    through = "value price -> 0..9 = 4\nvalue dear -> flag = price > 3\nadjust price: +1 if dear\nplay:\n  settle\n"
    assert len(codes(direct, tmp_path)) == 1
    assert codes(direct, tmp_path) == codes(through, tmp_path)


# ------------------------------------------------------------------ simultaneously


SHOTS = """\
each Player has:
  fuel: 0..9 = 3
  mark: 0..9 = 0
the game has:
  seen: 0..9 = 0
to shoot(p): {shot}
phase fire "Fire":
  simultaneously for p in players: {body}
play:
  fire()
  for p in Player: p chooses n in 1..2
"""


def test_one_variable_with_two_different_clamps_is_an_error(tmp_path: Path, start: Start) -> None:
    body = "shoot(p)"
    shot = "\n  for q in players:\n    if p == first_player: q.fuel -= 2, at least 0\n    else: q.fuel -= 2, at least 1"
    rules = SHOTS.format(body=body, shot=shot)
    if checked(rules, tmp_path).game is not None:
        with pytest.raises(RangeViolation, match="clamped in different ways"):
            start(rules)
    else:
        assert codes(rules, tmp_path) == {"E0407"}


def test_sums_are_clamped_once(start: Start) -> None:
    shot = "\n  for q in players if q != p: q.fuel -= 2, at least 0"
    match = start(SHOTS.format(body="shoot(p)", shot=shot), players=3)
    assert [value(match, f"{seat}.fuel") for seat in match.seats] == [0, 0, 0]


def test_players_are_as_before_the_block(start: Start) -> None:
    shot = "\n  eliminate(p)\n  p.mark = count(players)"
    match = start(SHOTS.format(body="shoot(p)", shot=shot), players=3)
    assert [value(match, f"{seat}.mark") for seat in match.seats] == [3, 3, 3]


HANDED_ON = """\
kind Card "card":
  n: 1..9
  | n    |
  | 1..9 |
names c: Card
each Player has:
  hand: group of Card, at most {most}
  berth: slot for Card
{rules}
setup:
  for p in players: move 2 of {{c in Card if c in box}} to p.hand
  for p in players: move 1 of {{c in Card if c in box}} to p.berth
phase hand_on "Hand on":
  simultaneously for p in players: {body}
play:
  hand_on()
  for p in Player: p chooses n in 1..2
"""


def handed_on(body: str, most: str = "2", rules: str = "") -> str:
    return HANDED_ON.format(body=body, most=most, rules=rules)


def held(match: BareMatch, zone: str) -> list[list[str]]:
    """What lies in a zone of each seat, as a spectator reads it."""
    heaps = match.view(None)
    return [sorted(str(thing) for thing in heaps[f"{seat}.{zone}"].things) for seat in match.seats]  # type: ignore[union-attr]


def answer(match: BareMatch, seat: int) -> None:
    match.play(match.options_of(seat)[0])


@pytest.mark.parametrize("players", [2, 3])
def test_a_full_hand_may_be_handed_on_at_once(start: Start, players: int) -> None:
    match = start(handed_on("move p.hand to next(p).hand"), players=players)
    hands = [["Card(1)", "Card(2)"], ["Card(3)", "Card(4)"], ["Card(5)", "Card(6)"]][:players]
    assert held(match, "hand") == [hands[-1], *hands[:-1]]


@pytest.mark.parametrize("way", ["next", "previous"])
@pytest.mark.parametrize("players", [2, 3])
def test_what_lies_in_slots_may_change_places_at_once(start: Start, players: int, way: str) -> None:
    before = held(start(handed_on("settle"), players=players), "berth")
    match = start(handed_on(f"move p.berth to {way}(p).berth"), players=players)
    assert held(match, "berth") == ([before[-1], *before[:-1]] if way == "next" else [*before[1:], before[0]])


def test_a_zone_may_be_emptied_by_the_move_that_comes_last(start: Start) -> None:
    body = """
    move 1 of p.hand to first_player.hand
    if p == next(first_player): move first_player.hand to box"""
    match = start(handed_on(body), players=3)
    assert len(held(match, "hand")[0]) == 2


def test_a_slot_holds_one_thing_whatever_it_may_hold_at_most(start: Start) -> None:
    rules = handed_on("move p.berth to first_player.berth").replace("slot for Card", "slot for Card, at most room")
    with pytest.raises(RangeViolation, match="`berth` of red would hold 2; it holds at most 1"):
        start(rules.replace("each Player", "the game has:\n  room: 0..9 = 3\neach Player"))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("move p.hand to first_player.hand", "`hand` of red would hold 4; it holds at most 2"),
        ("move p.berth to first_player.berth", "`berth` of red would hold 2; it holds at most 1"),
    ],
)
def test_what_a_zone_holds_at_most_is_looked_at_when_a_block_ends(start: Start, body: str, message: str) -> None:
    with pytest.raises(RangeViolation, match=message) as found:
        start(handed_on(body))
    assert found.value.site


def test_a_bound_that_a_block_changes_is_looked_at_when_the_block_ends(start: Start) -> None:
    body = """
    if p == first_player: move p.hand to next(p).hand
    if p != first_player: eliminate(p)"""
    rules = "the game has:\n  room: 0..9 = {}\nafter eliminate(p): room = {}"
    wider = start(handed_on(body, "room", rules.format(2, 4)))
    assert [len(hand) for hand in held(wider, "hand")] == [0, 4]
    with pytest.raises(RangeViolation, match="`hand` of blue would hold 4; it holds at most 3"):
        start(handed_on(body, "room", rules.format(4, 3)))


def test_a_choice_on_the_way_finds_every_zone_within_its_bounds(start: Start) -> None:
    rules = "after eliminate(p): p chooses n in 1..2"
    swap = "\n    move p.hand to next(p).hand"
    match = start(handed_on(f"{swap}\n    if p == next(first_player): eliminate(p)", rules=rules))
    assert held(match, "hand") == [["Card(3)", "Card(4)"], ["Card(1)", "Card(2)"]]
    answer(match, 1)
    with pytest.raises(RangeViolation, match="`hand` of blue would hold 4; it holds at most 2"):
        start(handed_on(f"{swap}\n    if p == first_player: eliminate(p)", rules=rules))


def test_after_a_choice_on_the_way_the_rest_of_a_block_is_looked_at_when_it_ends(start: Start) -> None:
    body = "\n    if p == first_player: eliminate(p)\n    move p.hand to next(p).hand"
    rules = "after eliminate(p): p chooses n in 1..2"
    match = start(handed_on(body, rules=rules), players=3)
    answer(match, 0)
    assert held(match, "hand") == [["Card(5)", "Card(6)"], ["Card(1)", "Card(2)"], ["Card(3)", "Card(4)"]]
    after = "\n    if p == first_player: eliminate(p)\n    move p.hand to first_player.hand"
    match = start(handed_on(after, rules=rules), players=3)
    with pytest.raises(RangeViolation, match="`hand` of red would hold 6; it holds at most 2"):
        answer(match, 0)


# ------------------------------------------------------------------ stop, return, let


def test_stop_leaves_the_nearest_loop_and_return_the_verb(start: Start) -> None:
    match = start("""\
the game has:
  inner: 0..99 = 0
  outer: 0..99 = 0
  after: 0..99 = 0
to early():
  for p in players:
    after += 1
    return
  after = 50
play:
  repeat 3 times:
    outer += 1
    repeat 5 times:
      inner += 1
      if inner > 0: stop
  early()
  for p in players: p chooses n in 1..2
""")
    assert [value(match, name) for name in ("outer", "inner", "after")] == [3, 3, 1]


def test_stop_in_a_choice_leaves_the_loop_around_the_choice(start: Start) -> None:
    match = start("""\
the game has:
  rounds: 0..9 = 0
play:
  for p in players:
    repeat 3 times:
      rounds += 1, at most 9
      p chooses one of:
        again "Again": settle
        enough "Enough": stop
""")
    match.play("again")
    match.play("enough")
    assert (match.to_move, value(match, "rounds")) == ((1,), 3)


def test_a_let_name_is_not_reassigned(tmp_path: Path) -> None:
    assert codes("play:\n  let n = 1\n  let n = 2\n", tmp_path) == {"E0202"}
    assert codes("play:\n  let n = 1\n  n = 2\n", tmp_path) == {"E0307"}


# ------------------------------------------------------------------ ties


def test_ties_and_walks_go_by_seat_then_declaration_and_piles_from_the_top(start: Start) -> None:
    match = start(
        NOTING
        + """\
enum Lane: left, middle, right
kind Card "card":
  n: 1..9
  | n         |
  | {4, 7, 2} |
each Player has:
  gold: 0..9 = 1
value rank(lane: Lane) = 1 if lane == left else 2 if lane == middle else 3
value seat(p) = 1 if p == first_player else 2
the game has:
  deck: pile of Card, face up
play:
  for p in players by highest p.gold: note(seat(p))
  for lane in {right, middle, left} by lowest 0: note(rank(lane))
  for c in Card: move c to deck
  for c in deck: note(c.n)
  for p in players: p chooses n in 1..2
"""
    )
    cards = [2, 4, 7] if str(value(match, "notes")).endswith("742") else [4, 7, 2]
    top_first = "".join(str(n) for n in reversed(cards))
    assert str(value(match, "notes")) == "12123" + top_first


def test_interchangeable_things_are_one_option(start: Start) -> None:
    match = start("""\
kind Token "token":
  n: 1..2
  | copies | n |
  | 3      | 1 |
  | 2      | 2 |
each Player has:
  tokens: group of Token, face up
play:
  move Token to first_player.tokens
  for p in players if p.tokens != {}: p chooses two in 2 of p.tokens
""")
    assert offered(match) == ["{Token(1), Token(1)}", "{Token(1), Token(2)}", "{Token(2), Token(2)}"]


# ------------------------------------------------------------------ numbers


def test_numbers_are_of_32_bits_and_checked(start: Start) -> None:
    rules = """\
the game has:
  big: 0..2147483647 = 2147483647
  low: -9..9 = -7
  parts: -99..99 = 0
play:
  for p in players:
    p chooses n in 1..6
    if n == 1: parts = low / 2 rounded down
    elif n == 2: parts = low / 2 rounded up
    elif n == 3: parts = low % 3
    elif n == 4: parts = 7 % (low + 4)
    elif n == 5: big += 1
    else:
      let square = big * big
      parts = square % 7
"""
    match = start(rules)
    wanted = {"1": -4, "2": -3, "3": 2, "4": -2}
    for text, result in wanted.items():
        match.play(text)
        assert value(match, "parts") == result
        match.undo()
    for text in "56":
        with pytest.raises(RangeViolation):
            match.play(text)


# ------------------------------------------------------------------ shuffles and random sites


DECK = """\
kind Card "card":
  n: 1..40
  | n    |
  | 1..{cards} |
the game has:
  deck: pile of Card, face up
play:
  move Card to deck
  shuffle(deck)
  {more}
  for p in players: p chooses n in 1..2
"""


def order(match: BareMatch) -> list[str]:
    return [str(name) for name in match.view(None)["deck"].things]  # type: ignore[union-attr]


def test_a_shuffle_is_one_input(start: Start) -> None:
    match = start(DECK.format(cards=9, more="settle"))
    assert [(e.what, e.stream, e.called) for e in inputs(match) if isinstance(e, Drawn)] == [
        ("shuffle", "shuffle deck", "deck")
    ]


def test_one_more_card_leaves_the_others_order_alone(start: Start) -> None:
    few = order(start(DECK.format(cards=30, more="settle"), seed=5))
    more = order(start(DECK.format(cards=31, more="settle"), seed=5))
    assert few != sorted(few)
    assert [card for card in more if card != "Card(31)"] == few


def test_a_second_shuffle_gives_another_order(start: Start) -> None:
    once = order(start(DECK.format(cards=30, more="settle")))
    twice = order(start(DECK.format(cards=30, more="shuffle(deck)")))
    assert sorted(once) == sorted(twice)
    assert once != twice


def test_a_random_has_a_stream_by_what_it_is_for(start: Start) -> None:
    match = start("""\
kind Card "card":
  n: 1..9
  | n    |
  | 1..9 |
the game has:
  a: 0..9 = 0
  pot: group of Card
each Player has:
  x: 0..9 = 0
  hand: group of Card
to draw(): a = random(1..9)
to use(p: Player, n: 1..9): p.x = n
play:
  let one = random(1..9)
  first_player.x = random(1..9)
  first_player.x = random(1..9)
  draw()
  move random(Card) to pot
  for p in players: move random(c in Card if c in box) to p.hand
  use(first_player, random(1..9))
  if random(1..9) > 3: a = one
  for p in players: p chooses n in 1..2
""")
    streams = [e.stream.removeprefix("random ") for e in inputs(match) if isinstance(e, Drawn)]
    assert streams == ["play.one", "red.x", "red.x", "a", "pot", "red.hand", "blue.hand", "use()", "play"]


@pytest.mark.parametrize(
    "setup",
    [
        "  starter = random(players)\n",
        "  weather = random(1..9)\n  starter = random(players)\n",
        "  starter = random(players)\n  weather = random(1..9)\n",
        "  begin()\n",
        "  let other = random(players)\n  weather = random(1..9)\n  begin()\n",
    ],
)
def test_a_draw_put_in_front_taken_away_or_moved_leaves_the_others(setup: str, start: Start) -> None:
    rules = "the game has:\n  starter: Player? = none\n  weather: 0..9 = 0\nto begin():\n  starter = random(players)\n"
    rules = rules if "begin()" in setup else rules.partition("to begin")[0]
    match = start(f"{rules}setup:\n{setup}play:\n  for p in players: p chooses n in 1..2\n")
    begins = [e.values for e in inputs(match) if isinstance(e, Drawn) and e.stream == "random starter"]
    assert begins == [("blue",)]


DRAWS = """\
die d6: 1..6
die d8: 1..8
kind Card "card":
  n: 1..9
  | n    |
  | 1..9 |
the game has:
  starter: Player? = none
  total: 0..999999 = 0
  weather: 0..99 = 0
  price(n: 1..3): 0..9 = 0
each Player has:
  luck: 0..9 = 0
  hand: group of Card
to throw_all():
  repeat 5 times: total = total * 10 + roll(d6), at most 999999
to gain(p: Player): p.luck = roll(d6)
to lose(p: Player): p.luck = roll(d6)
setup:
  {setup}
play:
  for p in players: p chooses n in 1..2
"""


@pytest.mark.parametrize(
    ("before", "after", "read"),
    [
        ("throw_all()", "weather = roll(d6)\n  throw_all()", "total"),
        ("throw_all()", "let x = roll(d6)\n  gain(red)\n  throw_all()", "total"),
        ("throw_all()", "if roll(d6) > 3: settle\n  throw_all()", "total"),
        ("throw_all()", "weather = random(1..9) + roll(d8)\n  throw_all()\n  weather = roll(d6)", "total"),
        ("blue.luck = roll(d6)", "red.luck = roll(d6)\n  blue.luck = roll(d6)", "blue.luck"),
        ("gain(blue)", "gain(red)\n  gain(blue)", "blue.luck"),
        ("gain(blue)", "lose(blue)\n  gain(blue)", "blue.luck"),
        ("lose(blue)", "gain(blue)\n  lose(blue)", "blue.luck"),
        ("blue.luck = random(1..9)", "red.luck = random(1..9)\n  blue.luck = random(1..9)", "blue.luck"),
        ("price(3) = roll(d6)", "price(1) = roll(d6)\n  price(3) = roll(d6)", "price(3)"),
        ("move random(Card) to blue.hand", "move Card(9) to red.hand\n  move random(Card) to red.hand\n"
         "  move Card to box\n  move random(Card) to blue.hand", "blue.hand"),
    ],
)  # fmt: skip
def test_a_throw_or_pick_for_something_else_in_front_leaves_one_as_it_is(
    before: str, after: str, read: str, start: Start
) -> None:
    for seed in range(4):
        first, second = (start(DRAWS.format(setup=setup), seed=seed) for setup in (before, after))
        assert str(first.view(None)[read]) == str(second.view(None)[read]), seed


def test_a_throw_moved_into_a_verb_is_the_same_throw(start: Start) -> None:
    for seed in range(4):
        moved, plain = (
            start(DRAWS.format(setup="throw_all()"), seed=seed),
            start(
                DRAWS.format(setup="repeat 5 times: total = total * 10 + roll(d6), at most 999999").replace(
                    "to throw_all():\n  repeat 5 times: total = total * 10 + roll(d6), at most 999999\n", ""
                ),
                seed=seed,
            ),
        )
        assert value(moved, "total") == value(plain, "total")


def test_dice_that_are_chosen_in_play_have_streams_of_their_own(start: Start) -> None:
    rules = DRAWS.replace("to gain", "to throw(p: Player, d: Die): p.luck = roll(d)\nto gain")
    for seed in range(4):
        first, second = (
            start(rules.format(setup=setup), seed=seed)
            for setup in ("throw(blue, d8)", "throw(red, d6)\n  throw(red, d8)\n  throw(blue, d8)")
        )
        assert value(first, "blue.luck") == value(second, "blue.luck")


def test_one_throw_more_leaves_the_other_streams_alone(start: Start) -> None:
    rules = """\
die d6: 1..6
die d8: 1..8
the game has:
  a: 0..99 = 0
  b: 0..999999 = 0
play:
  {more}
  repeat 6 times: b = b * 10 + roll(d8), at most 999999
  for p in players: p chooses n in 1..2
"""
    plain = start(rules.format(more="settle"), seed=3)
    longer = start(rules.format(more="a = roll(d6, 3)"), seed=3)
    assert value(plain, "b") == value(longer, "b")


def test_explicit_chance_offers_outcomes_with_their_probabilities(start: Start) -> None:
    match = start(
        """\
die uneven: 1, 1, 2
kind Card "card":
  n: 1..3
  | n    |
  | 1..3 |
the game has:
  a: 0..9 = 0
  deck: pile of Card, face up
play:
  a = roll(uneven)
  a = random(5..6)
  move Card to deck
  shuffle(deck)
  for p in players: p chooses n in 1..2
""",
        explicit_chance=True,
    )
    assert [(p.outcome, p.probability) for p in match.chance] == [(1, Fraction(2, 3)), (2, Fraction(1, 3))]
    match.play_chance(match.chance[1])
    assert [(p.outcome, p.probability) for p in match.chance] == [(5, Fraction(1, 2)), (6, Fraction(1, 2))]
    match.play_chance(match.chance[0])
    for left in (3, 2):
        assert [p.probability for p in match.chance] == [Fraction(1, left)] * left
        match.play_chance(match.chance[1])
    assert match.to_move == (0,)
    assert value(match, "a") == 5


# ------------------------------------------------------------------ bots, logs for a seat, knowledge


SECRETS = (
    CARDS
    + """\
the game has:
  deck: pile of Card, face down
each Player has:
  hand: group of Card, seen by owner
setup:
  move Card to deck
  shuffle(deck)
  for p in players: move 2 of deck to p.hand
play:
  for p in players:
    p chooses one of:
      look "Look at the top card": show(top(deck), p)
      mix "Shuffle": shuffle(deck)
      bury "Put the top card under the pile": move 1 of deck to deck bottom
      rest "Rest": settle
  for p in players: p chooses n in 1..2
"""
)


def test_a_bot_gets_views_and_redeals_with_fresh_streams_and_never_the_row_or_the_seed(start: Start) -> None:
    match = start(SECRETS)
    seen = SeatView(match, 0, RandomStream(1))
    public = {name for name in dir(seen) if not name.startswith("_")}
    assert public == {"seat", "rng", "options", "view", "deal_by", "redeal"}
    decks = [seen.redeal().view(0) for _ in range(3)]
    assert all(view == match.view(0) for view in decks)
    rows = {tuple(seen.redeal().position.row) for _ in range(8)}
    assert len(rows) > 1


def test_a_log_for_a_seat_has_no_seed_and_no_outcome_that_it_may_not_know(start: Start) -> None:
    match = start(SECRETS, seed=77)
    lines = [json.loads(line) for line in Log.of(Header("tiny", match.seats, 77), match).for_seat(0).lines]
    assert lines[0]["seed"] is None
    shuffles = [line for line in lines if line.get("input") == "shuffle"]
    assert len(shuffles) == 1
    assert "order" not in shuffles[0]


def test_counts_of_hidden_zones_are_public(start: Start) -> None:
    view = start(SECRETS).view(None)
    assert view["blue.hand"].things == (None, None)  # type: ignore[union-attr]
    assert view["deck"].things == (None,) * 5  # type: ignore[union-attr]


def test_a_known_place_in_a_pile_is_kept_until_it_is_shuffled(start: Start) -> None:
    match = start(SECRETS)
    match.play("red: look")
    top = match.view(0)["deck"].things[0]  # type: ignore[union-attr]
    assert top is not None
    assert match.view(1)["deck"].things[0] is None  # type: ignore[union-attr]
    fork = match.fork()
    match.play("blue: bury")
    assert match.view(0)["deck"].things == (None,) * 4 + (top,)  # type: ignore[union-attr]
    fork.play("blue: mix")
    assert fork.view(0)["deck"].things == (None,) * 5  # type: ignore[union-attr]


def test_a_redeal_agrees_with_everything_that_the_seat_has_seen(start: Start) -> None:
    match = start(SECRETS)
    match.play("red: look")
    rng = random.Random(1)
    for _ in range(10):
        twin = redeal(match, Seat(0), rng)
        assert twin.view(0) == match.view(0)
        assert twin.information(0) == match.information(0)


# ------------------------------------------------------------------ undo


DICE = """\
die d6: 1..6
each Player has:
  sum: 0..999 = 0
play:
  repeat 5 times:
    for p in players:
      p chooses n in 1..2
      p.sum += roll(d6), at most 999
"""


def test_undo_goes_back_to_that_seats_last_choice_and_the_same_dice_come_again(start: Start) -> None:
    match = start(DICE)
    match.play("red: 1")
    before = match.key
    for text in ("blue: 1", "red: 1", "blue: 2"):
        match.play(text)
    sums = [value(match, f"{seat}.sum") for seat in match.seats]
    match.undo(0)
    assert match.to_move == (0,)
    match.undo(1)
    assert (match.to_move, match.key) == ((1,), before)
    for text in ("blue: 1", "red: 1", "blue: 2"):
        match.play(text)
    assert [value(match, f"{seat}.sum") for seat in match.seats] == sums


# ------------------------------------------------------------------ three identities


TWINS = """\
kind Token "token":
  n: 1..2
  | copies | n |
  | 2      | 1 |
  | 1      | 2 |
each Player has:
  tokens: group of Token, face up
the game has:
  thrown: 0..9 = 0, scratch
die d6: 1..6
play:
  for p in players: move random(t in Token if t in box and t.n == 1) to p.tokens
  for p in players:
    p chooses one of:
      throw "Throw": thrown = roll(d6)
      rest "Rest": settle
"""


def test_the_row_is_exact_and_the_key_is_what_is_equal_for_play(start: Start) -> None:
    rows: set[tuple[int, ...]] = set()
    keys: set[Hashable] = set()
    for seed in range(12):
        match = start(TWINS, seed=seed)
        rows.add(tuple(match.position.row))
        keys.add(match.key)
    assert len(rows) == 2
    assert len(keys) == 1, "which of two equal tokens is no difference"
    one, other = start(TWINS, seed=1), start(TWINS, seed=1)
    one.play("throw")
    other.play("rest")
    assert one.position.row != other.position.row
    assert one.key == other.key, "neither the counters of streams nor scratch variables count"


def test_the_key_tells_what_is_known(start: Start) -> None:
    one, other = start(SECRETS), start(SECRETS)
    one.play("red: look")
    other.play("red: rest")
    size = one.internals.layout.size
    assert one.position.row[:size] == other.position.row[:size]
    assert one.key != other.key


def test_the_rules_hash_is_of_what_the_rules_do_and_the_text_hash_of_their_words(tmp_path: Path) -> None:
    rules = 'each Player has:\n  gold: 0..9 = 1\nto pay(p) "{p} pays": p.gold -= 1, at least 0\nplay:\n  settle\n'
    worded = rules.replace("{p} pays", "{p} must pay")
    screened = rules + 'screen:\n  line "Hello"\nscenario "nothing":\n  expect red.gold == 1\n'
    commented = rules.replace("play:", "# And now\nplay:")
    changed = rules.replace("-= 1", "-= 2")
    plain = game_of(rules, tmp_path)
    assert game_of(worded, tmp_path).rules_hash == plain.rules_hash
    assert game_of(worded, tmp_path).text_hash != plain.text_hash
    assert game_of(screened, tmp_path).rules_hash == plain.rules_hash
    assert game_of(commented, tmp_path).rules_hash == plain.rules_hash
    assert game_of(changed, tmp_path).rules_hash != plain.rules_hash


def test_events_are_derived_from_the_inputs(start: Start) -> None:
    one, other = start(STEALING), start(STEALING)
    for match in (one, other):
        match.play("steal(blue, 2)")
    assert one.events == other.events
    assert all(isinstance(event, Event) for event in one.events)


# ------------------------------------------------------------------ what is printed on things


PRINTED = """\
enum Suit: hearts, spades
data lore(suit: Suit):
  luck: 0..9
  | suit   | luck |
  | hearts | 3    |
  | spades | 8    |
kind Card "card":
  suit: Suit?
  loud: flag = no
  rank: 0..9
  | name | suit   | loud | rank |
  | ace  | hearts | yes  | 1    |
  | king | hearts | no   | 9    |
  | fool | none   | yes  | 0    |
  | pike | spades | no   | 4    |
names s: Suit?; x: Card
the game has:
  heap: group of Card
  asked: Suit? = none
  suitless: 0..9 = 0
  asked_for: 0..9 = 0
  lucky: 0..9 = 0
  quiet: set of Card
  loud_low: flag = no
  any_asked: flag = no
setup: move {x in Card if x != pike} to heap
value of_suit(s) -> set of Card = {x in heap if x.suit == s}
value with_suit -> set of Card = heap - of_suit(none)
play:
  suitless = count(x in heap if x.suit == asked)
  asked = hearts
  asked_for = count(of_suit(asked))
  lucky = count(x in with_suit if lore(x.suit).luck == 3)
  quiet = {x in Card if not x.loud}
  loud_low = any(x.rank < 1 for x in heap if x.loud)
  any_asked = any(x.suit == asked for x in heap) and of_suit(spades) == {}
  for p in players: p chooses one of stay, or pass
action stay(p) "Stay": asked = none
"""


def test_a_test_of_what_is_printed_asks_the_same_of_everything(start: Start) -> None:
    match = start(PRINTED)
    assert [value(match, name) for name in ("suitless", "asked_for", "lucky")] == [1, 2, 2]
    assert [value(match, name) for name in ("loud_low", "any_asked")] == [1, 1]
    assert match.view(None)["quiet"].text == "{king, pike}"  # type: ignore[union-attr]
