"""What is written twice, or refers to nothing, is an error: no line counts without a word."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang import api
from rulelang.rulebook.coverage import cover
from rulelang.scenarios.run import run_scenarios
from tests.games.written import faults

HEAD = 'game sketch "Sketch":\n  players 2\n'
PLAY = "play:\n  finish lost\n"
OFFER = 'play:\n  first_player chooses one of:\n    give(a: 1..3, a: 1..2) "Give": settle\n    rest "Rest": settle\n'
ASK = 'play:\n  first_player chooses one of:\n    go "Go": settle\n    stay "Stay": settle\n  finish lost\n'
CARD = 'kind Card "card":\n  n: 1..3\n  | n |\n  | 1 |\n'
NUMBER = "the game has:\n  n: 0..9 = 0\n"


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ('game sketch "S":\n  players 2\n  players 3\n' + PLAY, "the header says twice: `players`"),
        ('game sketch "S":\n  players 2\n  seats a, b\n  seats c, d\n' + PLAY, "the header says twice: `seats`"),
        (HEAD + "names p: Player\nnames p: 1..3\n" + PLAY, "`p` is said to be two things"),
        (HEAD + "option r: 1..3 = 1\noption r: 1..3 = 2\n" + PLAY, "`r` is declared twice"),
        (
            HEAD + 'kind C "c":\n  n: 1..3\n  | name | n |\n  | li | 1 |\n  | li | 2 |\n' + PLAY,
            "two rows are called `li`",
        ),
        (HEAD + 'kind C "c":\n  n: 1..3\n  | n | n |\n  | 1 | 2 |\n' + PLAY, "column `n` appears twice"),
        (HEAD + "to pay(a: 1..3, a: 1..2): settle\n" + PLAY, "two parameters are called `a`"),
        (HEAD + "value v(a: 1..3, a: 1..2) = a\n" + PLAY, "two parameters are called `a`"),
        (HEAD + OFFER, "two parameters are called `a`"),
        (HEAD + "the game has:\n  f(a: 1..3, a: 1..2): 0..1 = 0\n" + PLAY, "two parameters are called `a`"),
        (HEAD + "to v(): settle\nbefore v() as x: settle\nafter v() as x: settle\n" + PLAY, "`x` names two rules"),
        (HEAD + NUMBER + "to v(): n += 1, at most 3, at most 5\n" + PLAY, "`at most` is said twice"),
        (HEAD + CARD + "the game has:\n  z: group of Card, face up, face down\n" + PLAY, "who sees it is said twice"),
        (HEAD + CARD + "the game has:\n  z: slot for Card, at most 2\n" + PLAY, "a slot holds one thing at most"),
        (HEAD + "the game has:\n  z: 0..3 = 0, seen by nobody, seen by owner\n" + PLAY, "who sees it is said twice"),
        (HEAD + ASK.replace("stay", "go"), "`go` is offered twice"),
        (
            HEAD
            + 'board S: square\n  t: 0..3\n  map """\n    . .\n  """\n  | mark | t |\n  | "." | 1 |\n  | "." | 2 |\n'
            + PLAY,
            "the mark . appears twice in the legend",
        ),
        (HEAD + NUMBER + ASK + 'scenario "x":\n  given n = 1, n = 2\n  expect n == 2\n', "`n` is given twice"),
        (HEAD + NUMBER + ASK + 'scenario "x":\n  given n = 1\n  given n = 2\n  expect n == 2\n', "`n` is given twice"),
        (
            HEAD + "option r: 1..3 = 1\n" + PLAY + 'scenario "x" with r = 1, r = 2:\n  expect lost\n',
            "`r` is agreed on twice",
        ),
        (
            HEAD + "enum L: a, b\nto v(a): settle\nto v(a): settle\nto v(b): settle\n" + PLAY,
            "this case is never reached",
        ),
        (HEAD + "enum L: a, b\nvalue v(a) = 1\nvalue v(a) = 2\nvalue v(b) = 3\n" + PLAY, "this case is never reached"),
    ],
)
def test_what_is_written_twice_is_an_error(rules: str, message: str, tmp_path: Path) -> None:
    assert [said for _, said in faults(rules, tmp_path)] == [message]


@pytest.mark.parametrize(
    "rules",
    [
        HEAD + "names p: Player\nnames p: Player\n" + PLAY,
        HEAD + NUMBER + ASK + 'scenario "x":\n  given n = 1\n  player1: go\n  expect lost\n',
        HEAD + NUMBER + "to v(): n += 1, at least 1, at most 5\n" + PLAY,
        HEAD + "enum L: a, b\nvalue v(a) =\n  1 if 1 == 2\nvalue v(a) = 2\nvalue v(b) = 3\n" + PLAY,
    ],
)
def test_what_only_looks_like_it_is_none(rules: str, tmp_path: Path) -> None:
    assert faults(rules, tmp_path) == []


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ("n: 0..9 = 0, at most 3", "`at most` says nothing of `n`"),
        ("n: 0..9 = 0, top face up", "`top face up` says nothing of `n`"),
        ("n: 0..9 = 0, refills from deck", "`refills from` says nothing of `n`"),
        ("shown: group of Card, refills from deck", "`refills from` says nothing of `shown`"),
        ("shown: group of Card, scratch", "`scratch` says nothing of `shown`"),
    ],
)
def test_a_modifier_that_says_nothing_where_it_stands_is_warned_of(declared: str, message: str, tmp_path: Path) -> None:
    rules = f"{HEAD}{CARD}the game has:\n  deck: pile of Card\n  {declared}\n{PLAY}"
    assert faults(rules, tmp_path) == [("W0516", message)]


HANDS = """\
names p: Player; c: Card
each Player has:
  hand: group of Card
  marks: set of Card
  best: Card? = none
  bold: flag
to play_out(p, c): move c to p.hand
"""


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("before play_out(p, c in p.hand): settle", "`in p.hand` says nothing of `c`"),
        ("instead of play_out(p, c in 1 of p.hand): proceed", "`in 1 of p.hand` says nothing of `c`"),
        ("to burn(p, c in p.hand): move c to box", "`in p.hand` says nothing of `c`"),
        ("value worth(p, c in p.hand) = c.n", "`in p.hand` says nothing of `c`"),
        ("value worth(c) = c.n\nadjust worth(c in {Card(1)}): +1", "`in {Card(1)}` says nothing of `c`"),
        ("each Player has:\n  seen(c in p.hand): flag", "`in p.hand` says nothing of `c`"),
    ],
)
def test_a_domain_outside_of_an_offer_is_warned_of(rule: str, message: str, tmp_path: Path) -> None:
    assert ("W0516", message) in faults(f"{HEAD}{CARD}{HANDS}{rule}\n{PLAY}", tmp_path)


@pytest.mark.parametrize(
    ("statement", "type"),
    [
        ("p.marks = p.hand, at most 3", "set of Card"),
        ("p.marks += p.hand, at least 1", "set of Card"),
        ("p.best = first(c in p.hand), at most 2", "Card?"),
        ("p.bold = yes, at most 1", "flag"),
        ("let held = p.hand, at most 3", "set of Card"),
    ],
)
def test_only_numbers_are_clamped(statement: str, type: str, tmp_path: Path) -> None:
    said = faults(f"{HEAD}{CARD}{HANDS}to try(p):\n  {statement}\n{PLAY}", tmp_path)
    assert said == [("E0302", f"only a number is clamped, this is {type}")]


def test_only_a_number_is_clamped_in_a_value(tmp_path: Path) -> None:
    rules = "value held(p) =\n  let held = p.hand, at most 3\n  count(held)\n"
    said = faults(f"{HEAD}{CARD}{HANDS}{rules}{PLAY}", tmp_path)
    assert said == [("E0302", "only a number is clamped, this is set of Card")]


VARIED = (
    HEAD
    + """\
board Space: square
  map \"\"\"
    . .
    . .
  \"\"\"
kind Threat "threat":
  level: 1..3
  at: Space
  | level | at |
  | 1     | a1 |
  | 2     | b1 |
play:
  finish lost
scenario "it is lost": [S-1]
  expect lost

variant odd of sketch "Odd":
"""
)


@pytest.mark.parametrize(
    ("operation", "code", "message"),
    [
        ("in Threat if at == z9: level = 3", "E0604", "no row of Threat has `z9`"),
        ("in Threat if level == 3: at = a1", "E0605", "this changes nothing: no row of Threat fits"),
        ('void all citing [S-1, S-9] because "other"', "E0604", "no scenario cites S-9"),
    ],
)
def test_a_variant_that_speaks_of_nothing_is_told_so(operation: str, code: str, message: str, tmp_path: Path) -> None:
    entry = tmp_path / "sketch.rules"
    entry.write_text(f"{VARIED}  {operation}\n")
    found = api.check(entry, ("odd",)).diagnostics
    assert [(d.code, d.message) for d in found] == [(code, message)]


def test_cover_says_which_scenario_cites_too_much(tmp_path: Path) -> None:
    ids = [f"S-{i}" for i in range(1, 9)]
    (tmp_path / "sketch.rules").write_text(
        'game sketch "Sketch":\n  players 2\n  rulebook "rulebook.toml"\n'
        "play:\n  finish lost                                             [S-1]\n"
        f'scenario "all at once": [{", ".join(ids)}]\n  expect lost\n'
    )
    (tmp_path / "rulebook.toml").write_text(
        "".join(f'[[clause]]\nid = "{i}"\ntext = "{i}"\nkind = "rule"\n' for i in ids)
    )
    game = api.load(tmp_path / "sketch.rules")
    lacks = {clause.id: clause.lacks for clause in cover(game, run_scenarios(game, executor="reference")).clauses}
    assert lacks["S-1"] == '"all at once" cites 8 clauses, and one that cites more than 6 shows none'
