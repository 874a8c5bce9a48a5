"""Orders that begin with somebody: loops, questions, firsts and turns, alike on all executors."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulelang.source import SourceText
from rulelang.syntax.printing.printer import format_source
from tests.games.written import assert_holds, game
from tests.seeds import few_of

RULES = """\
game orders "Orders":
  players 4
  seats ann, ben, cleo, dee
names p, q: Player
enum Lane: left, middle, right
the game has:
  turned: flag = no
  told: 0..99999 = 0
  leader: Player? = none
each Player has:
  n: 0..9 = 0
setup:
  ann.n = 1
  ben.n = 2
  cleo.n = 2
  dee.n = 4
to tell(p): told = told * 10 + p.n, at most 99999
value lanes = first(l in Lane from middle if l != middle)
value best_from(p) = first(q in players from next(p) by highest q.n if q != dee)
value odd = first(i in -2..4 from 3 if i % 2 == 0 and i > 0)
play:
  for p in players from leader: tell(p)
  told = 0
  for p in players from next(first_player): tell(p)
  turns p from ben to previous(p) if turned else next(p):
    p chooses one of:
      turn_round "Turn": turned = not turned
      go "Go":
        for q in players from next(p) by lowest q.n: leader = q
      skip_next "Skip": skip_turn(previous(p) if turned else next(p))
      again "Again": extra_turn(p)
      leave "Leave":
        needs count(players) > 2
        eliminate(p)
    if round == 4: finish with winner p

scenario "an order":
  expect told == 2241 and lanes == right and best_from(cleo) == ben and best_from(ann) == ben and odd == 4
  ben: go
  expect leader == dee
  cleo: turn_round
  expect round == 2
  ben: skip_next
  dee: leave
  cleo: again
  cleo: go
  ben: skip_next
  expect cleo is asked and round == 3
"""


def test_orders_are_kept(tmp_path: Path) -> None:
    assert_holds(RULES.replace("expect cleo is asked and round", "expect cleo is asked\n  expect round"), tmp_path)


@pytest.mark.parametrize("seed", few_of(3, few=1))
def test_all_executors_go_in_the_same_order(seed: int, tmp_path: Path) -> None:
    rules = game(RULES.split("scenario", maxsplit=1)[0], tmp_path)
    matches = [rules.start(executor=executor) for executor in ("reference", "generated", "native")]
    choose = random.Random(seed)
    while matches[0].to_move:
        option = choose.choice(list(matches[0].options))
        for match in matches:
            match.play(option.text)
        assert len({match.key for match in matches}) == 1
        assert len({str(match.events) for match in matches}) == 1


def test_orders_are_printed_as_they_are_written() -> None:
    text = RULES.split("scenario", maxsplit=1)[0].rstrip() + "\n"
    for line in (
        "each p in players from ben by highest p.n if p != ann chooses one of go",
        "for p in players from ben:",
    ):
        assert line.rstrip(":") in format_source(
            SourceText("orders", f"play:\n  {line}\n{'    settle' * (':' in line)}\n")
        )
    assert format_source(SourceText("orders", text)) == text
