"""Games of hidden cards and numbers that nobody would write: two deals that a seat may not tell apart look alike to it, step by step.

`SKETCHES=10000` in the environment looks at so many games in place of twenty-four; `make fuzz ATTACKS=twins` goes on with others.
"""

from __future__ import annotations

import os

import pytest

from rulelang.ir.numbers import Thing
from rulelang.knowledge.redaction import EVERYONE
from rulelang.knowledge.rendering import Pointing
from rulelang.machines import legal
from rulelang.match.match import BareMatch
from rulelang.match.recording.recorder import Recorder
from rulelang.program.equivalence import everything
from tests.fuzz import twins
from tests.fuzz.finding import Finding
from tests.generators.secrets import with_head

SKETCHES = int(os.environ.get("SKETCHES", "24"))
PARTS = 4


@pytest.mark.long
@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_positions_that_differ_in_what_a_seat_may_not_know_look_alike_to_it(part: int) -> None:
    # A part checks and plays 6 games, each with twins of its positions: some ten seconds.
    looked = [twins.looked_at(seed) for seed in range(part, SKETCHES, PARTS)]
    played = [found for found in looked if found is not None]
    assert len(played) > SKETCHES // PARTS // 4
    assert sum(played) > 2 * len(played)


def test_what_is_shown_to_a_seat_that_may_not_know_it_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BareMatch, "prompt", lambda match, seat: str(match.position.row))
    with pytest.raises(Finding, match="may not know"):
        _ = [twins.looked_at(seed) for seed in range(12)]


@pytest.mark.long
def test_a_name_told_for_being_remembered_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def remembered(pointing: Pointing, kind: int, thing: int, beside: int = 0, by_place: bool = False) -> int:
        return EVERYONE if pointing.knowledge is None else pointing.knowledge.knowers(kind, Thing(thing))

    monkeypatch.setattr(Pointing, "told", remembered)
    with pytest.raises(Finding, match="may not know"):
        _ = [twins.looked_at(seed) for seed in range(60)]


@pytest.mark.long
def test_a_verb_told_below_a_hidden_condition_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Recorder, "_called", lambda recorder: EVERYONE)
    with pytest.raises(Finding, match="may not know"):
        _ = [twins.looked_at(seed) for seed in range(48, 60)]  # few sketches have such a verb: one of these has


def turn(*lines: str) -> str:
    """Returns the text of a game with these lines for a turn."""
    return with_head("\n".join(("to go(p, q):", *(f"  {line}" for line in lines))))


@pytest.mark.long
def test_an_old_viewer_that_sees_an_unseen_write_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    setting = turn("veil_setting()", "hand_over(q)", "veil_setting()", "hand_over(p)")
    assert twins.played(setting, 6)
    monkeypatch.setattr(Recorder, "set_again", lambda *write: None)
    with pytest.raises(Finding, match="may not know"):
        twins.played(setting, 6)


@pytest.mark.long
def test_things_told_apart_by_what_nobody_sees_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    assert twins.played(turn("chip(p)"), 5)
    monkeypatch.setattr(legal, "seen_by", lambda seat, look: everything)
    with pytest.raises(Finding, match="may not know"):
        twins.played(turn("chip(p)"), 5)


@pytest.mark.long
def test_an_undo_of_what_was_told_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    telling = turn("p chooses n in 1..2", "p.bid = q.secret, at most 99")
    assert twins.played(telling, 0)
    monkeypatch.setattr(twins, "learnt_since", lambda match, number: 0)
    with pytest.raises(Finding, match="can be taken back"):
        twins.played(telling, 0)


ONCE_TOLD = {
    1067: """\
to go(p, q):
  veil_pass(p)
  veil_mark(q)
  if fee(1, q).cost == p.tmp:
    keep(q, note)
    say(p, sum(c.v for c in q.aside))
  if q.hand != {}: look_at(p, random(c in q.hand))
  let x1_0 = p.gold
""",
    1465: """\
to go(p, q):
  veil_pass(p)
  veil_mark(q)
  p chooses one of "Now p.gold":
    go_0(n in 1..3) "Go {n} for {p.gold}":
      needs n != max(c.v for c in table)  "Not with {p.gold}"
      raise(q, p.gold)
    rest_0 "Rest": settle
  p.secret = roll(d6)
  q chooses n in {n in 0..6 if n <= q.secret or n == 0}
  p chooses n in 0..p.gold, or pass
  for c in shelf: point(p, c)
""",
    2807: """\
to go(p, q):
  p chooses n in 1..2
  if p.strong:
    let x1_1 = worth(q)
  p.strong = note > 4
  shelve(p, random(c in p.hand))
  if 3 > 4:
    p.secret = fee(2, p).cost, at most 99
  p.gold += toll(q), at most 99
  raise(q, p.gold)
""",
    3: """\
to go(p, q):
  veil_pass(p)
  veil_choose(q)
  p.gold = 3
  move random(c in q.hand) to deck bottom
  let x1_0 = 3
""",
    87: """\
to go(p, q):
  veil_pass(p)
  veil_bury(q)
  let x1_0 = fee(1, q).cost
  choose(p, top(deck))
  veil_mark(q)
  let x2_0 = count(c in q.hand if c.suit == moon)
  veil_laid(p)
  veil_card(p)
""",
    175: """\
to go(p, q):
  p chooses n in 1..2
  choose(q, random(c in vault))
  veil_laid(p)
""",
}
"""Turns of games in which a seat was once told what it may not know."""


@pytest.mark.long
@pytest.mark.parametrize("seed", ONCE_TOLD)
def test_games_that_once_told_a_secret_keep_it(seed: int) -> None:
    assert (twins.played(with_head(ONCE_TOLD[seed].rstrip()), seed) or 0) > 0
