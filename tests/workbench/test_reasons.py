"""Why something in a log came about: the chain of causes, an absence, and what a seat may not know of either."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import main
from rulelang import api
from rulelang.log.replay import Replay
from rulelang.workbench.reasons.breakdown import NumberAccount
from rulelang.workbench.reasons.why import ALL, Asker, NoReason, of_event, of_number, of_option, of_variable, why

GAME = """
game bids "Bids":
  players 2
  seats red, blue

names p: Player; n: 1..3

each Player has:
  bid: 0..3 = 0, seen by owner
  gold: 0..9 = 6

action pay(p, n) "{p} pays {n}":                                     [B-1]
  needs n <= p.gold  "{p} has only {p.gold} gold"                    [B-2]
  spend(p, n)

to spend(p, n) "{p} spends {n}":                                     [B-3]
  p.gold -= n                                                        [B-4]

play:
  each p in players secretly chooses p.bid in 1..3                   [B-5]
  turns p from first_player:
    p chooses one of pay, or pass
    if p.gold == 0: finish with winner p
"""


def replayed(folder: Path, *answers: str) -> tuple[api.Match, Replay]:
    path = folder / "bids.rules"
    path.write_text(GAME)
    match = api.load(path).start(seed=1)
    for answer in answers:
        match.play(answer)
    return match, api.replay(match.log, under=str(path))


ANSWERS = ("red: 2", "blue: 3", "pay(3)", "pay(1)", "pay(2)")


def test_a_chain_goes_from_the_answer_over_the_rules_to_the_change(tmp_path: Path) -> None:
    _, again = replayed(tmp_path, *ANSWERS)
    chain = of_variable(again.positions[5].match, "red.gold", ALL)
    assert [link.text for link in chain] == [
        "step 5, red: pay(2)",
        "play",
        'pay(red, 2) "red pays 2"',
        'spend(red, 2) "red spends 2"',
        "red.gold: 3 -> 1",
    ]
    assert chain[3].clauses == ("B-3", "B-4")
    assert chain[3].place == "bids.rules:16:1"
    assert [link.what for link in chain] == ["input", "play", "action", "verb", "change"]


def test_an_earlier_step_has_an_earlier_cause(tmp_path: Path) -> None:
    _, again = replayed(tmp_path, *ANSWERS)
    chain = of_variable(again.positions[4].match, "red.gold", ALL)
    assert chain[0].text == "step 3, red: pay(3)"
    assert chain[-1].text == "red.gold: 6 -> 3"
    assert of_variable(again.positions[2].match, "red.gold", ALL) == ()


def test_an_event_is_told_with_all_its_changes(tmp_path: Path) -> None:
    match, again = replayed(tmp_path, *ANSWERS)
    number = next(event.number for event in match.events if event.rule == "spend")
    chain = of_event(again.match, number, ALL)
    assert chain[-1].text == "red.gold: 6 -> 3"
    assert of_event(again.match, 10_000, ALL) == ()


SEALED = """
game dash "Dash":
  players 2
  seats red, blue

names p: Player; n: 1..3

each Player has:
  speed: 0..3 = 0
  fuel: 0..9 = 6
  at: 0..9 = 0

action drive(p, n) "Drive {n}": p.speed = n

to burn(p, n) "{p} burns {n} fuel": p.fuel -= n                      [D-1]
to go(p, n) "{p} goes {n} on": p.at += n                             [D-2]

play:
  repeat while red.at < 6:
    each p in players secretly chooses one of drive
    simultaneously for p in players: burn(p, p.speed)
    simultaneously for p in players: go(p, p.speed)
  finish with winner red
"""


@pytest.mark.parametrize(
    ("about", "answer", "call"),
    [
        ("red.fuel", "step 1, red: drive(2)", 'burn(red, 2) "red burns 2 fuel"'),
        ("blue.fuel", "step 2, blue: drive(1)", 'burn(blue, 1) "blue burns 1 fuel"'),
        ("red.at", "step 1, red: drive(2)", 'go(red, 2) "red goes 2 on"'),
    ],
)
def test_of_answers_under_seal_the_owners_is_the_cause_and_of_what_happens_at_once_its_call(
    tmp_path: Path, about: str, answer: str, call: str
) -> None:
    (tmp_path / "dash.rules").write_text(SEALED)
    match = api.load(tmp_path / "dash.rules").start(seed=1)
    match.play("red: drive(2)")
    match.play("blue: drive(1)")
    chain = why(match, about, Asker(0))
    assert isinstance(chain, tuple)
    assert [chain[0].text, chain[-2].text] == [answer, call]


def test_what_was_not_there_names_the_needs_with_its_values_and_the_nearest_that_was(tmp_path: Path) -> None:
    match, _ = replayed(tmp_path, "red: 2", "blue: 3", "pay(3)", "pay(1)", "pay(2)", "pass")
    standing = of_option(match, "red: pay(3)", ALL)
    assert standing.refusal is not None
    assert (standing.refusal.message, standing.refusal.clauses) == ("red has only 1 gold", ("B-2",))
    assert [(one.text, one.facts) for one in standing.requirements] == [
        ("only if 3 is at most red's gold", ("red's gold is 1",))
    ]
    assert standing.nearest == "red pays 1"
    assert of_option(match, "red: pay(1)", ALL).refusal is None


def test_a_seat_is_told_the_same_of_matches_that_it_cannot_tell_apart(tmp_path: Path) -> None:
    """Twins: blue bid 3 in one and 1 in the other, which red may not know."""
    told = []
    for bid in ("blue: 3", "blue: 1"):
        match, again = replayed(tmp_path, "red: 2", bid, "pay(3)")
        for number in range(match.event_count):
            told.append((number, [link.text for link in of_event(again.match, number, Asker(0))]))
        told.append((-1, [link.text for link in of_variable(again.positions[3].match, "blue.bid", Asker(0))]))
    half = len(told) // 2
    assert told[:half] == told[half:]
    assert any("blue: ?" in text for _, texts in told for text in texts)
    assert told[half - 1] == (-1, []), "red does not see that blue's bid changed"


@pytest.mark.parametrize("what", ["red.gold@5", "red.gold", "3"])
def test_the_command_prints_the_chain(tmp_path: Path, what: str) -> None:
    match, _ = replayed(tmp_path, *ANSWERS)
    match.log.save(tmp_path / "a.jsonl")
    words = ["why", str(tmp_path / "a.jsonl"), what, "--game", str(tmp_path / "bids.rules")]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    chain = json.loads(CliRunner().invoke(main, [*words, "--json"]).stdout)["chain"]
    assert chain[0]["what"] == "input"
    assert len(chain) == len(result.output.splitlines())


def test_what_is_nowhere_in_a_log_is_refused_in_words(tmp_path: Path) -> None:
    match, _ = replayed(tmp_path, *ANSWERS)
    match.log.save(tmp_path / "a.jsonl")
    words = ["why", str(tmp_path / "a.jsonl"), "--game", str(tmp_path / "bids.rules")]
    nothing = CliRunner().invoke(main, [*words, "silver@3"])
    assert nothing.exit_code == 1
    assert "nothing here is called 'silver'" in nothing.output
    others = CliRunner().invoke(main, [*words, "red: pay(3)@3", "--as", "blue"])
    assert others.exit_code == 1
    assert "does not see what others may choose from" in others.output
    assert CliRunner().invoke(main, [*words, "red.gold@x"]).exit_code == 2


# ------------------------------------------------------------------ numbers that are adjusted

HIKE = """
game hike "Hike":
  players 2
  seats red, blue

names p, q: Player; n: 1..9

each Player has:
  gold: 0..9 = 6
  strong: flag = no
  lucky: 0..1 = 0, seen by owner

value reach(p) -> 0..9 = 2                                          [H-1]
adjust reach(p): +1 if p.strong as long_legs                        [H-2]
adjust reach(p): +1 if p.gold > 7
adjust reach(p): at most 6                                          [H-3]
value cost(p, n) -> 0..9 = n
adjust cost(p, n): -1, at least 1 if p.strong as thrift             [H-4]
value vigour(p) -> 0..9 = 2
adjust vigour(p): +1
adjust vigour(p): set 3, times 2 if p.strong as trained             [H-11]
value mood(p) -> Mood = calm
adjust mood(p): set proud if p.strong
enum Mood: calm, proud
value luck(p) -> 0..9 = 1
adjust luck(p): +2 if p.lucky == 1 as charm
data toll(p):
  fee: 0..9 = 1
  | p    | fee |
  | red  | 1   |
  | blue | 2   |
adjust toll(p).fee: +1 if p.strong as show_off                      [H-5]

action move(p, n in 1..reach(p)) "{p} moves {n}":                   [H-6]
  needs cost(p, n) <= p.gold
  spend(p, cost(p, n))
action train(p):
  needs not p.strong and p.gold >= reach(p)
  p.strong = yes
  p.gold -= toll(p).fee                                             [H-7]
action wish(p):
  p chooses p.lucky in 0..1

to spend(p, n: 0..9) "{p} spends {n}":                              [H-8]
  let due = n
  p.gold -= due                                                     [H-9]

after spend(p, n) if n > 1 as reward: next(p).gold += 1, at most 9  [H-10]

play:
  turns p from first_player:
    p chooses one of move, train, wish, or pass
    if p.gold == 0: finish with winner p
"""


def hike(*answers: str) -> api.Match:
    checked = api.check_text(HIKE)
    assert checked.game is not None, [f"{one.code} {one.message}" for one in checked.diagnostics]
    match = checked.game.start(seed=1)
    for answer in answers:
        match.play(answer)
    return match


def test_a_number_is_told_with_what_it_begins_with_and_each_adjustment_that_applies() -> None:
    account = of_number(hike("red: train"), "reach(red)", ALL)
    assert account is not None
    assert account.text == "reach(red) = 3: base 2, +1 long_legs, at most 6"
    assert [part.clauses for part in account.parts] == [("H-1",), ("H-2",), ("H-3",)]
    assert [part.text for part in account.idle] == ["if p.gold > 7"]
    cell = of_number(hike("red: train"), "toll(red).fee", ALL)
    assert cell is not None
    assert cell.text == "toll(red).fee = 2: base 1, +1 show_off"


def test_an_account_tells_the_layers_in_the_order_in_which_they_apply() -> None:
    match = hike("red: train")
    texts = [account.text for of in ("vigour(red)", "mood(red)") if (account := of_number(match, of, ALL)) is not None]
    assert texts == [
        "vigour(red) = 7: base 2, set 3 trained, times 2 trained, +1",
        "mood(red) = proud: base calm, set proud if p.strong",
    ]


def test_a_chain_names_the_adjustments_that_its_change_was_worked_out_from() -> None:
    chain = of_variable(hike("red: train", "blue: pass", "red: move(3)"), "red.gold", ALL)
    assert [(link.what, link.text, link.clauses) for link in chain[1:]] == [
        ("play", "play", ()),
        ("action", 'move(red, 3) "red moves 3"', ("H-6",)),
        ("verb", 'spend(red, 2) "red spends 2"', ("H-8", "H-9")),
        ("value", "cost(red, 3) = 2: base 3", ()),
        ("adjustment", "cost(red, 3): -1 thrift", ("H-4",)),
        ("adjustment", "cost(red, 3): at least 1 thrift", ("H-4",)),
        ("change", "red.gold: 4 -> 2", ()),
    ]


def test_a_hook_is_a_link_of_the_chain() -> None:
    chain = of_variable(hike("red: train", "blue: pass", "red: move(3)"), "blue.gold", ALL)
    assert [link.what for link in chain] == ["input", "play", "action", "verb", "hook", "change"]
    assert chain[4].clauses == ("H-10",)


def test_a_cell_of_data_is_in_the_chain_as_well() -> None:
    chain = of_variable(hike("red: move(1)", "blue: train"), "blue.gold", ALL)
    assert [link.text for link in chain[-3:]] == [
        "toll(blue).fee = 3: base 2",
        "toll(blue).fee: +1 show_off",
        "blue.gold: 6 -> 3",
    ]


def test_an_option_on_offer_is_told_with_what_it_needs_and_what_it_is_chosen_from() -> None:
    standing = of_option(hike("red: train", "blue: pass"), "red: move(3)", ALL)
    assert standing.refusal is None
    domain, need = standing.requirements
    assert domain.text == "n is one of 1, 2, 3"
    assert [account.text for account in domain.accounts] == ["reach(red) = 3: base 2, +1 long_legs, at most 6"]
    assert (need.text, need.facts) == (
        "only if the cost of red and 3 is at most red's gold",
        ("the cost of red and 3 is 2", "red's gold is 4"),
    )
    assert [account.text for account in need.accounts] == ["cost(red, 3) = 2: base 3, -1 thrift, at least 1 thrift"]


def test_of_a_needs_of_several_parts_those_that_fail_are_told() -> None:
    standing = of_option(hike("red: train", "blue: pass"), "red: train", ALL)
    assert standing.refusal is not None
    assert standing.requirements[0].facts == ("red's strong is yes",)
    assert standing.nearest


def test_a_name_alone_asks_about_the_option_of_that_name() -> None:
    assert of_option(hike("red: train", "blue: pass"), "red: train", ALL).refusal is not None
    with pytest.raises(NoReason):
        of_option(hike(), "red: move", ALL)


def test_a_number_worked_out_from_what_a_seat_may_not_know_is_not_told_to_it() -> None:
    match = hike("red: wish", "red: 1")
    mine = why(match, "luck(red)", Asker(0))
    assert isinstance(mine, NumberAccount)
    assert mine.text == "luck(red) = 3: base 1, +2 charm"
    for eyes in (Asker(1), Asker(None)):
        with pytest.raises(NoReason, match="not for all to see"):
            why(match, "luck(red)", eyes)


VEILED = """
game veiled "Veiled":
  players 2
  seats red, blue
names p, q: Player; n: 0..9
each Player has:
  gold: 0..99 = 5
  strong: flag = yes
  sly: 0..1 = 0, seen by owner
  mood: 0..9 = 0, seen by owner
value pay(p) -> 0..99 = 1
adjust pay(p): +1 if p.strong as bold
value tip(p) -> 0..99 = 2
adjust tip(p): +0 if p.sly == 1 as wink
to think(p): p chooses p.sly in 0..1
to earn(p, q):
  BODY
play:
  turns p from first_player:
    think(p)
    earn(p, next(p))
    if p.gold > 90: finish with winner p
"""
BODIES = (
    ("if p.sly == 1:\n    q.gold += pay(q)\n  else:\n    q.gold += 2", False),
    ("if p.sly == 1: q.mood = 1\n  q.gold += pay(q)", False),
    ("q.gold += tip(p)", False),
    ("q.gold += pay(q)", True),
    ("let due = tip(p)\n  q.gold += due", False),
    ("for r in players by highest r.mood + r.sly:\n    r.gold += pay(r)", False),
    ("for r in {r in players if r.sly == p.sly}: q.gold += pay(r)", False),
    ("q.gold += sum(pay(r) for r in players if r.sly == p.sly)", False),
)


@pytest.mark.parametrize(("body", "tells"), BODIES)
def test_adjustments_of_a_change_that_all_see_are_told_to_who_may_know_that_they_applied(
    body: str, tells: bool
) -> None:
    """Twins: red is sly in one and not in the other, which blue may not know; gold changes alike where it can."""
    checked = api.check_text(VEILED.replace("BODY", body).replace("names p, q", "names p, q, r"))
    assert checked.game is not None, [f"{one.code} {one.message}" for one in checked.diagnostics]
    told = []
    for sly in ("1", "0"):
        match = checked.game.start(seed=1)
        match.play(f"red: {sly}")
        told.append([link.text for link in of_variable(match, "blue.gold", Asker(1))])
        whole = of_variable(match, "blue.gold", ALL)
        assert sly != "1" or any(link.what == "adjustment" for link in whole), "who sees all is told"
    assert any(": +1 bold" in text for text in told[0]) == tells
    assert [text for text in told[0] if "gold" not in text] == [text for text in told[1] if "gold" not in text]


GUESSES = """\
game guesses "Guesses":
  players 2
  seats red, blue
names p, q: Player; n: 1..3
each Player has:
  secret: 1..3 = 1, seen by owner
value doubled(p) -> 0..9 = 2 * p.secret
action guess(p, n) "Has the next {n}?":
  needs next(p).secret != n openly  "That is what it has"
  needs doubled(next(p)) < 99 openly  "Too much"
  settle
play:
  blue chooses blue.secret in 1..3
  red chooses one of guess, or pass
  finish with winner red
"""


def test_what_a_need_reads_in_secret_is_named_to_those_who_may_see_it_alone() -> None:
    """The rules mean to tell whether a guess is right, not what the other has."""
    checked = api.check_text(GUESSES)
    assert checked.game is not None, checked.diagnostics
    told = []
    for secret in (1, 2):
        match = checked.game.start(2, seed=1)
        match.push(match.options_of(1)[secret])
        red, everything = (of_option(match, "red: guess(1)", eyes) for eyes in (Asker(0), ALL))
        facts = [fact for one in everything.requirements for fact in one.facts]
        assert f"blue's secret is {secret + 1}" in facts
        assert any(fact.startswith("the doubled") and fact.endswith(f"is {2 * (secret + 1)}") for fact in facts)
        told.append((red.requirements, [one.accounts for one in red.requirements]))
    assert told[0] == told[1]
    assert not any("secret is" in fact for one in told[0][0] for fact in one.facts)
