"""Witnesses that need not be asked: what everybody may know in every position is not looked at again."""

from __future__ import annotations

import random

import pytest

from rulelang import api
from rulelang.ir.numbers import Mask, Row
from rulelang.knowledge.redaction import EVERYONE
from rulelang.knowledge.secrets import Secrets
from rulelang.knowledge.witnesses import Witnesses
from rulelang.match.recording.rule_words import KeptWords
from tests.generators.secrets import sketched

LOCALS = """
game tiny "Tiny":
  players 2
  seats red, blue
names p, q: Player
kind Card "card":
  v: 1..4
  | v    |
  | 1..4 |
names c: Card
the game has:
  deck: pile of Card, face down
  table: group of Card
each Player has:
  gold: 0..9 = 3
  debt: 0..9 = 4, seen by owner
  hand: group of Card, seen by owner
value worth(p) = p.gold
setup:
  move Card to deck
  shuffle(deck)
  move 2 of deck to table
play:
  for p in players:
    let plain = worth(p)
    let owed = p.debt
    let both = min(plain, owed)
    let lying = count(table)
    p chooses one of:
      rest "Rest {plain} {owed} {both} {lying}": p.gold += 1
"""


def named(game: api.Game, name: str) -> set[int]:
    """The witnesses of a local that the rules call so."""
    from rulelang.ir.model import Bind
    from rulelang.ir.walk import walk

    ids = {node.variable.id for node in walk(game.ir) if isinstance(node, Bind) and node.variable.name == name}
    return {id for id, witness in game.internals.secrets.witnesses.items() if witness.local in ids}


def test_only_what_looks_at_open_variables_is_evident() -> None:
    checked = api.check_text(LOCALS)
    assert checked.game is not None, checked.diagnostics
    evident = checked.game.internals.secrets.evident
    assert named(checked.game, "plain")
    assert named(checked.game, "plain") <= evident
    for name in ("owed", "both", "lying"):
        assert named(checked.game, name)
        assert not named(checked.game, name) & evident, name


def compared(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """From now on, each witness that is evident is asked all the same; the numbers of those that were are in the list."""
    asked: list[int] = []
    seers, evident = Witnesses.seers, Secrets.evident.func  # type: ignore[attr-defined]

    def both(self: Witnesses, number: int, values: tuple[int, ...], row: Row) -> Mask:
        found = seers(self, number, values, row)
        if number in evident(self.secrets):
            asked.append(number)
            assert found == EVERYONE
        return found

    monkeypatch.setattr(Secrets, "evident", frozenset())
    monkeypatch.setattr(Witnesses, "seers", both)
    return asked


@pytest.mark.parametrize(
    ("name", "plies"), [pytest.param("exit_velocity", 60, marks=pytest.mark.long), ("empty_space", 40)]
)
def test_what_is_evident_in_a_game_is_what_its_witnesses_find(
    name: str, plies: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = compared(monkeypatch)
    game, rng = api.load(name), random.Random(3)
    match = game.start(game.players[0], seed=3)
    for _ in range(plies):
        match.push(match.options.pick(rng.randrange))
    assert len(match.events) > plies
    assert asked


@pytest.mark.long
def test_what_is_evident_in_games_that_nobody_would_write_is_what_their_witnesses_find(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = compared(monkeypatch)
    for seed in range(15):
        game, rng = api.check_text(sketched(random.Random(seed))).game, random.Random(seed)
        if game is None:
            continue
        match = game.start(game.players[0], seed=seed)
        for _ in range(8):
            if match.to_move:
                match.push(match.options.pick(rng.randrange))
        assert match.events
    assert asked


SENTENCES = """
game tiny "Tiny":
  players 2
  seats red, blue
names p, q: Player
kind Card "card":
  v: 1..4
  | v    |
  | 1..4 |
names c: Card
the game has:
  deck: pile of Card, face down
  table: group of Card
  boasts: 0..9 = 0
each Player has:
  hand: group of Card, seen by owner
value lying = sum(c.v for c in table)
value held(p) = sum(c.v for c in p.hand)
setup:
  move Card to deck
  shuffle(deck)
  for p in players: move top(deck) to p.hand
play:
  for p in players: boast(p)
  repeat while deck != {}:
    open_one()
    for p in players: boast(p)
to boast(p) "{p} holds {held(p)}": boasts += 1
to open_one() "{lying} lay there before": move top(deck) to table
"""


def test_a_sentence_is_made_once_only_where_everybody_knows_the_things_that_it_reads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    checked = api.check_text(SENTENCES)
    assert checked.game is not None, checked.diagnostics

    def told() -> list[list[str]]:
        assert checked.game is not None
        matches = [checked.game.start(seed=seed) for seed in range(3)]
        return [[event.text for event in match.events_for(seat)] for match in matches for seat in (0, 1, None)]

    made = told()
    kept = checked.game.internals._visibility(2).rule_words
    monkeypatch.setattr(KeptWords, "of", lambda *_: None)
    kept.clear()
    assert made == told()
    assert [text.rpartition(" ")[2] for text in made[0] if "holds" in text].count("number") > 0
    assert "blue holds a number" in made[2]
