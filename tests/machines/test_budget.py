"""Rules that would run for ever end within their budget of steps, on both executors at the same line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import attrs
import pytest

from rulelang.api import Game
from rulelang.errors import RunawayRules
from rulelang.ir.model import STEPS
from rulelang.ir.numbers import Seat
from rulelang.machines.machine import Machine
from rulelang.screens.picture import picture
from tests.games.written import faults, game

LITTLE = 100_000
"""Both executors are compared with a smaller budget, for the reference takes a microsecond or two for each step."""

HEAD = """\
game sketch "Sketch":
  players 2
names p: Player
the game has:
  n: 0..9 = 0
"""
ASKS = """\
play:
  turns p from first_player:
    p chooses one of:
      go "Go": n = 1
      stay "Stay": settle
"""
PAIRS = "sum(1 for a in 1..4000, b in 1..4000 if a + b == 7)"


def chain(line: str, last: str, most: int = 40) -> str:
    return "".join(line.format(i=i, j=i + 1) for i in range(1, most)) + last.format(i=most)


DOUBLE = "value v{i}(a: 0..9) = min(v{j}(a), v{j}(0))\n", "value v{i}(a: 0..9) = min(n + a, 9)\n"
STARTS = {
    "nested for": (
        "play:\n  for a in 1..4000:\n    for b in 1..4000:\n      for c in 1..4000: n = 1\n",
        "for c in 1..4000: n = 1",
    ),
    "repeat": ("play:\n  repeat while n == 0:\n    n = 0\n", "repeat while n == 0:"),
    "sum": (f"play:\n  n = min({PAIRS}, 9)\n", "n = min(sum("),
    "verbs that double": (
        chain("to v{i}():\n  v{j}()\n  v{j}()\n", "to v{i}(): n = 1\n") + "play:\n  v1()\n",
        "v3",
    ),
    "a verb that calls itself twice": (
        "to v(k: 0..99) at most 30 deep:\n  if k < 28:\n    v(k + 1)\n    v(k + 1)\nplay:\n  v(0)\n",
        "if k < 28:",
    ),
    "values that double": (chain(*DOUBLE) + "play:\n  n = v1(2)\n", "n = v1(2)"),
    "a value that calls itself for each": (
        "value f(k: 0..99, j: 0..4095) -> 0..9, at most 90 deep = 1 if k == 0 else"
        " min(sum(f(k - 1, i) for i in 0..4095), j, 9)\nplay:\n  n = f(60, 1)\n",
        "n = f(60, 1)",
    ),
    "a large set": ("play:\n  n = min(count({(a + b) % 4096 for a in 1..4000, b in 1..4000}), 9)\n", "n = min(count("),
    "a cell": (
        f"data costs(i: 1..2):\n  cost: 0..9\n  | i | cost |\n  | 1 | min({PAIRS}, 9) |\n  | 2 | 3 |\n"
        "play:\n  n = costs(1).cost\n",
        "n = costs(1).cost",
    ),
    # A machine that walks the rules sets up: values that double cost it a whole budget in no time.
    "set-up": (chain(*DOUBLE) + "the game has:\n  m: 0..9 = v1(2)\nplay: settle\n", "m"),
    "dice": ("die d: 1, 2\nplay:\n  for a in 1..4000:\n    n = min(roll(d, 4000), 9)\n", "n = min(roll(d, 4000), 9)"),
}


@pytest.mark.parametrize("name", ["nested for", "set-up"])
def test_what_would_run_for_ever_ends_within_the_usual_budget(name: str, tmp_path: Path) -> None:
    rules, line = STARTS[name]
    played = game(HEAD + rules, tmp_path)
    with pytest.raises(RunawayRules, match=f"more than {STEPS:,} steps without a choice") as ended:
        played.start(2)
    assert line in str(ended.value)


@pytest.mark.parametrize("name", STARTS)
def test_both_executors_end_at_the_same_line_and_name_it(name: str, tmp_path: Path) -> None:
    rules, line = STARTS[name]
    played, said = little(rules, tmp_path), []
    for executor in ("generated", "reference"):
        with pytest.raises(RunawayRules, match=f"more than {LITTLE:,} steps without a choice") as ended:
            played.start(2, executor=executor)
        said.append((str(ended.value), ended.value.site))
    assert line in said[0][0]
    assert said[0] == said[1]


# ------------------------------------------------------------------ questions about a position


def little(rules: str, folder: Path) -> Game:
    played = game(HEAD + rules, folder)
    return Game(attrs.evolve(played.internals, ir=attrs.evolve(played.ir, steps=LITTLE)))


def said_by_both(played: Game, question: Callable[[Machine], object]) -> str:
    said = []
    for executor in ("generated", "reference"):
        match = played.start(2, executor=executor)
        with pytest.raises(RunawayRules) as ended:
            question(match.position.machine)
        said.append((str(ended.value), ended.value.site))
    assert said[0] == said[1]
    return said[0][0]


def test_looking_through_options_ends_at_the_need_that_ate_it(tmp_path: Path) -> None:
    asks = ASKS.replace(
        'go "Go":', 'go(a: 0..4095, b: 0..4095, c: 0..4095) "Go":\n        needs a + b + c < 12285\n       '
    )
    played = little(asks, tmp_path)
    assert "go(a: 0..4095" in said_by_both(played, lambda machine: list(machine.options(Seat(0))))


def test_a_refusal_ends_at_the_need_that_ate_it(tmp_path: Path) -> None:
    played = little(ASKS + f'      look(a: 0..9) "Look":\n        needs a + {PAIRS} > 3\n        n = 2\n', tmp_path)
    said = said_by_both(played, lambda machine: machine.refusal(Seat(0), (2, 5)))
    assert "most of them in `needs a + sum(1 for" in said


def test_what_one_refusal_has_worked_out_costs_the_next_as_much(tmp_path: Path) -> None:
    more = '      once "Once":\n        needs n > big\n        n = 2\n'
    more += '      twice "Twice":\n        needs n > big + big\n        n = 2\n'
    dear = f"value big = sum(1 for a in 1..{LITTLE * 2 // 3 // 50}, b in 1..50 if a + b == 7)\n"
    played = little(dear + ASKS + more, tmp_path)
    for executor in ("generated", "reference"):
        machine = played.start(2, executor=executor).position.machine
        for _ in range(2):
            assert machine.refusal(Seat(0), (2,)) is not None
            with pytest.raises(RunawayRules):
                machine.refusal(Seat(0), (3,))


def test_a_score_has_an_eighth_of_the_budget(tmp_path: Path) -> None:
    played = little(f"value score(p) = {PAIRS}\n" + ASKS, tmp_path)
    assert f"more than {LITTLE // 8:,} steps" in said_by_both(played, lambda machine: machine.score(Seat(0)))


def test_words_that_would_take_too_long_say_so_and_those_beside_them_are_said(tmp_path: Path) -> None:
    asks = ASKS.replace('"Go"', '"Go {big}, {n}"')
    played = little(f'value big = {PAIRS}\n{asks}screen:\n  line "{{big}} of {{n}}"\n', tmp_path)
    for executor in ("generated", "reference"):
        match = played.start(2, executor=executor)
        go, stay = (option.label for option in match.options)
        assert go.startswith(f"Go (at fault: more than {LITTLE // 8:,} steps without a choice")
        assert go.endswith("), 0")
        assert stay == "Stay"
        drawn = str(picture(match, 0))
        assert f"more than {LITTLE // 8:,} steps" in drawn
        assert " of 0" in drawn
        match.play("go")
        assert match.position.row != played.start(2).position.row


# ------------------------------------------------------------------ the header's line


@pytest.mark.long
def test_a_header_allows_more_steps_and_its_rules_are_others(tmp_path: Path) -> None:
    rules = HEAD + "play:\n  for a in 1..4000:\n    for b in 1..300: n = 1\n"
    with pytest.raises(RunawayRules):
        game(rules, tmp_path).start(2)
    more = game(rules.replace("  players 2\n", "  players 2\n  at most 20000000 steps\n"), tmp_path)
    # The reference would take seconds; that both count alike is shown by smaller budgets.
    assert more.start(2, executor="generated").position.pending is None
    assert more.rules_hash != game(rules, tmp_path).rules_hash


@pytest.mark.parametrize("line", ["at most 7999999 steps", "at most 1000000001 steps"])
def test_a_header_neither_takes_steps_away_nor_gives_them_all(line: str, tmp_path: Path) -> None:
    said = faults(HEAD.replace("  players 2\n", f"  players 2\n  {line}\n") + ASKS, tmp_path)
    assert said == [("E0212", "the rules may take 8000000 to 1000000000 steps between two choices")]


SEARCHES: dict[str, tuple[str, Callable[[Machine], object]]] = {
    "needs of one option": (
        f'      look(a: 0..9) "Look":\n        needs a + {PAIRS} > 3\n        n = 2\n',
        lambda machine: machine.refusal(Seat(0), (2, 5)),
    ),
    "needs after dear ones that hold": (
        '      look(a: 0..9) "Look":\n        needs sum(1 for i in 1..300 if i > a) > 3\n'
        f"        needs a + {PAIRS} > 3\n        n = 2\n",
        lambda machine: machine.refusal(Seat(0), (2, 5)),
    ),
    "what a set is taken from": (
        f'      look(s in any of {{x in 0..9 if x + {PAIRS} > 3}}) "Look": n = 2\n',
        lambda machine: machine.refusal(Seat(0), (2, 5)),
    ),
    "many options": (
        '      look(a: 0..4095, b: 0..4095, c: 0..4095) "Look":\n        needs a + b + c < 12285\n        n = 2\n',
        lambda machine: list(machine.options(Seat(0))),
    ),
    "a dear need of few options beside many cheap ones": (
        '      near(a: 0..400) "Near": n = 1\n'
        f'      look(a: 0..9) "Look":\n        needs a + {PAIRS} > 3\n        n = 2\n',
        lambda machine: list(machine.options(Seat(0))),
    ),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_both_executors_tell_which_line_of_a_question_ate_the_budget(name: str, tmp_path: Path) -> None:
    more, question = SEARCHES[name]
    assert "most of them in" in said_by_both(little(ASKS + more, tmp_path), question)


@pytest.mark.parametrize("name", SEARCHES)
def test_a_question_that_ends_without_an_answer_never_waits_for_the_reference(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rulelang.machines import walk

    more, question = SEARCHES[name]
    match = little(ASKS + more, tmp_path).start(2)
    monkeypatch.setattr(walk.Evaluation, "value", lambda *_: pytest.fail("the reference was asked"))
    monkeypatch.setattr(walk.Evaluation, "holds", lambda *_: pytest.fail("the reference was asked"))
    with pytest.raises(RunawayRules):
        question(match.position.machine)


def test_options_that_might_have_cost_too_much_and_do_not_are_all_there(tmp_path: Path) -> None:
    more = f'      look(a: 0..9) "Look":\n        needs n > 0 and a + {PAIRS} > 3\n        n = 2\n'
    more += '      near(a: 0..1300, b: 0..40) "Near":\n        needs a + b < 3\n        n = 1\n'
    played, found = little(ASKS + more, tmp_path), []
    for executor in ("generated", "reference"):
        found.append(list(played.start(2, executor=executor).position.machine.options(Seat(0))))
    assert found[0] == found[1] != []
