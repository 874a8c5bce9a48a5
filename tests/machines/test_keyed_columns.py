"""Printed columns under one name with a key: read alike by all executors, changed by variants, said in the rulebook."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from click.testing import CliRunner

import rulelang
from cli.main import main
from rulelang.workspace.workspace import Workspace

GEMS = """\
game gems "Gems":
  players 2

enum Gem: ruby, onyx, jade

names p: Player; c: Card; g: Gem

kind Card "card":
  worth: 0..9 = 1
  cost(g: Gem): 0..7 = 0, called "price"
  | copies | worth | cost(ruby) | cost(jade) |
  | 2      | 2     | 3          |            |
  | 2      |       | 1          | 2          |
  | 3      | {3, 4} |            | 1          |

the game has:
  box: face up
  deck: pile of Card, face down
each Player has:
  gems(g): 0..9 = 5
  hand: group of Card, seen by owner
  points: 0..99 = 0

value price(c) = sum(c.cost(g) for g in Gem)
value dearest(c) -> Gem? = first(g in Gem by highest c.cost(g) if c.cost(g) > 0)

setup:
  move Card to deck
  shuffle(deck)
  for p in players: move 3 of deck to p.hand

action buy(p, c in p.hand) "Buy {c} for {price(c)}, {c.cost(ruby)} of it rubies":
  needs all(c.cost(g) <= p.gems(g) for g in Gem)  "Too dear"
  for g in Gem: p.gems(g) -= c.cost(g)
  p.points += c.worth + (c.cost(dearest(c)) if dearest(c) != none else 0), at most 99
  move c to box
action earn(p, g) "Take {g}": p.gems(g) += 1, at most 9

play:
  turns p from first_player:
    p chooses one of buy, earn
    if round == 12: finish with ranking q in players by highest q.points
names q: Player

variant dear of gems "Dear":
  add to enum Gem: pearl
  in Card if worth > 1: cost(ruby) = 5
  add to Card:
    | worth | cost(ruby) | cost(pearl) |
    | 9     | 1          | 2           |
  in Card: cost(g: Gem): 0..9

  scenario "a new member has a column, blank in the old rows":
    expect sum(c.cost(pearl) for c in Card) == 2 and count(c in Card if c.cost(ruby) == 5) == 8
"""


PORTS = (
    """\
game ports "Ports":
  players 2

names p: Player; c: Card; g: Gem; s: Port; t: Tool; n: 1..3

enum Gem: ruby, onyx

board Port: graph
  gain(g): 0..5 = 0
  map """
    + '"""'
    + """
    porto h: market
    market: castle
    castle
  """
    + '"""'
    + """
  | mark | gain(ruby) |
  | "h"  | 2          |

kind Tool "tool":
  | name |
  | axe  |
  | saw  |

kind Card "card":
  price(n): 0..9 = 0
  income(g, level: 0..1): 0..9 = 1
  sells(s): 0..9 = 0
  is_for(evening: flag): 0..9 = 0
  wants(t): flag = no
  | name | price(1) | price(3) | income(ruby, 0) | sells(porto) | is_for(yes) | wants(axe) |
  | inn  | 2        | 5        | 7               | 4            | 3           | yes        |
  | mill | 1        |          |                 |              |             |            |

the game has:
  box: face up
  level: 1..4 = 1
each Player has:
  at: Port = porto
  gold: 0..99 = 0
  hand: group of Card

setup: move Card to first_player.hand

value price(c) -> 0..9 = c.price(level) if level in 1..3 else 9

action sell(p, c in p.hand) "Sell {c}":
  needs p.gold >= price(c) - 1  "Too early"
  p.gold += c.sells(p.at) + c.income(ruby, 0) + p.at.gain(ruby) + c.is_for(level < 3), at most 99
  move c to box
action walk(p, s in neighbours(p.at)) "Walk": p.at = s
action rise(p) "Up": level += 1, at most 4

play:
  turns p from first_player:
    p chooses one of sell, walk, rise, or pass
    if round == 4: finish with winner p

scenario "keys of numbers, spaces, flags, things, and two of them":
  given player1.gold = 1
  expect inn.price(3) == 5 and inn.price(2) == 0 and mill.income(onyx, 1) == 1
  expect inn.wants(axe) and not inn.wants(saw) and castle.gain(ruby) == 0
  player1: sell(inn)
  expect player1.gold == 1 + 4 + 7 + 2 + 3

variant dear of ports "Dear":
  add to enum Gem: pearl
  in Card if name == mill: sells(porto) = 5
  add to Card:
    | name | price(2) | income(pearl, 1) |
    | den  | 6        | 3                |

  scenario "members and rows that are new":
    expect mill.sells(porto) == 5 and den.price(2) == 6 and den.income(pearl, 1) == 3 and mill.income(pearl, 1) == 1
"""
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("gems") / "gems.rules"
    found.write_text(GEMS, encoding="utf-8")
    return found


@pytest.mark.parametrize("variant", ["", "+dear"])
def test_all_executors_read_a_column_with_a_key_alike(path: Path, variant: str) -> None:
    game = rulelang.load(f"{path}{variant}")
    for seed in range(3):
        rng = random.Random(seed)
        one, *others = (game.start(seed=seed, executor=name) for name in ("reference", "generated", "native"))
        while one.to_move:
            offered = [option.text for option in one.options]
            for other in others:
                assert [option.text for option in other.options] == offered
                assert other.view(0) == one.view(0)
            text = rng.choice(offered)
            assert [event.sentence for event in one.play(text)] == [event.sentence for event in others[0].play(text)]
            others[1].play(text)
        assert one.log.text == others[0].log.text == others[1].log.text


def test_columns_have_keys_of_numbers_spaces_flags_and_things(tmp_path: Path) -> None:
    entry = tmp_path / "ports.rules"
    entry.write_text(PORTS, encoding="utf-8")
    found = CliRunner().invoke(main, ["test", f"{entry}+dear"])
    assert (found.exit_code, "1 own pass, 1 hold" in found.output) == (0, True), found.output
    shown = CliRunner().invoke(main, ["rulebook", str(entry)]).output
    assert "porto | market | gain (ruby) 2 |" in shown
    assert "price (1) | price (2) | price (3) | income (ruby, 0) |" in shown
    game = rulelang.load(entry)
    rng = random.Random(1)
    one, *others = (game.start(seed=1, executor=name) for name in ("reference", "generated", "native"))
    while one.to_move:
        text = rng.choice([option.text for option in one.options])
        for match in (one, *others):
            match.play(text)
    assert one.log.text == others[0].log.text == others[1].log.text


@pytest.mark.parametrize(
    ("rules", "code", "message"),
    [
        ("if level in 1..3 else 9", "W0511", "`Card.price` may be read at 1..4: it is for 1..3"),
        ("c.price(level) if level in 1..3 else 9", "E0316", "`price` has no 4: it is for 1..3"),
    ],
)
def test_a_key_outside_of_a_column_is_told(rules: str, code: str, message: str) -> None:
    text = PORTS.replace(rules, "c.price(4)" if code == "E0316" else "").partition("scenario")[0]
    assert (code, message) in [(one.code, one.message) for one in rulelang.api.check_text(text).diagnostics]


def test_what_a_card_costs_stays_as_hidden_as_the_card(path: Path) -> None:
    hidden = GEMS.replace("first_player:\n", "first_player:\n    if price(top(deck)) > 2: p chooses one of earn\n")
    path.with_name("leak.rules").write_text(hidden.replace("game gems", "game leak").split("variant")[0], "utf-8")
    codes = [one.code for one in rulelang.check(path.with_name("leak.rules")).diagnostics]
    assert "E0402" in codes or "W0512" in codes


def test_a_variant_changes_adds_and_widens_such_columns(path: Path) -> None:
    found = CliRunner().invoke(main, ["test", f"{path}+dear"])
    assert (found.exit_code, "1 own pass" in found.output) == (0, True), found.output
    whole = CliRunner().invoke(main, ["expand", f"{path}+dear"]).output
    assert "| worth  | cost(ruby) | cost(jade) | cost(pearl) |" in whole
    assert rulelang.check(_written(path, "whole", whole)).game is not None


def _written(path: Path, name: str, text: str) -> Path:
    other = path.with_name(name) / "gems.rules"
    other.parent.mkdir()
    other.write_text(text, encoding="utf-8")
    return other


def test_the_rulebook_has_a_column_for_each_member(path: Path) -> None:
    shown = CliRunner().invoke(main, ["rulebook", str(path)]).output
    assert "worth | price (ruby) | price (onyx) | price (jade) |" in shown
    assert "the card's price (the gem)" in shown


def test_the_name_and_the_key_of_a_column_are_found_wherever_they_are_used(path: Path) -> None:
    workspace = Workspace()
    uses = {name: workspace.uses(path, path, GEMS.index(name)) for name in ("cost(g", "ruby")}
    texts = {name: [one.text for one in found] for name, found in uses.items()}
    assert texts["cost(g"] == ["cost"] * len(texts["cost(g"])
    assert len(texts["cost(g"]) >= 8
    assert len(texts["ruby"]) >= 4
