"""`why` as it is typed: as a command about a log, and at a prompt."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import main
from rulelang import api
from tests.workbench.test_reasons import HIKE


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    path = tmp_path / "hike.rules"
    path.write_text(HIKE)
    return path


@pytest.fixture
def log(tmp_path: Path, rules: Path) -> Path:
    match = api.load(rules).start(seed=1)
    for answer in ("red: train", "blue: wish", "blue: 1"):
        match.play(answer)
    match.log.save(tmp_path / "hike.jsonl")
    return tmp_path / "hike.jsonl"


def asked(log: Path, rules: Path, *words: str) -> str:
    result = CliRunner().invoke(main, ["why", str(log), *words, "--game", str(rules)])
    assert result.exit_code == 0, result.output
    return result.output


def test_a_value_is_told_line_by_line(log: Path, rules: Path) -> None:
    assert asked(log, rules, "reach(red)").splitlines() == [
        "reach(red) = 3",
        "  base 2 [H-1]  (hike.rules:13:26)",
        "  +1 long_legs [H-2]  (hike.rules:14:1)",
        "  at most 6 [H-3]  (hike.rules:16:1)",
        "  (does not apply: if p.gold > 7  (hike.rules:15:1))",
    ]


def test_an_absence_names_the_needs_with_the_values_filled_in_and_the_nearest(log: Path, rules: Path) -> None:
    lines = asked(log, rules, "red: train@3").splitlines()
    assert "  needs not p.strong and p.gold >= reach(p): red's strong is yes" in lines
    assert lines[-1].startswith("the nearest on offer is “red: ")


@pytest.mark.parametrize(
    ("what", "keys"),
    [
        ("red.gold", {"about", "step", "chain"}),
        ("reach(red)", {"about", "step", "account"}),
        ("red: move(1)", {"about", "step", "option", "offered", "needs"}),
        ("red: train", {"about", "step", "option", "offered", "needs", "because", "clauses", "place", "nearest"}),
    ],
)
def test_json_is_one_document(log: Path, rules: Path, what: str, keys: set[str]) -> None:
    assert json.loads(asked(log, rules, what, "--json")).keys() == keys


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("luck(blue)", "not for all to see"),
        ("blue: train", "does not see what others may choose from"),
        ("reach(green)", "no Player is called"),
        ("red.silver", "nothing here is called"),
        ("reach(red, 3)", "`reach` wants (p)"),
    ],
)
def test_what_cannot_be_told_is_said_in_a_sentence(log: Path, rules: Path, what: str, said: str) -> None:
    result = CliRunner().invoke(main, ["why", str(log), what, "--game", str(rules), "--as", "red"])
    assert result.exit_code == 1
    assert said in result.stderr


def test_what_nothing_has_changed_is_told_with_its_declaration(log: Path, rules: Path) -> None:
    said = asked(log, rules, "blue.strong", "--as", "red")
    assert "blue.strong is no, as it began: nothing has changed it" in said
    (link,) = json.loads(asked(log, rules, "blue.strong", "--json"))["chain"]
    assert link["what"] == "start"
    assert rules.name in link["place"]


def typed(rules: Path, *lines: str) -> str:
    words = ["play", str(rules), "--seed", "1", "--seat", "all=me", "--log", str(rules.with_suffix(".played"))]
    result = CliRunner().invoke(main, words, input="".join(f"{line}\n" for line in (*lines, "quit")))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.output
    return result.output


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("why move(2)", "“red moves 2” is on offer"),
        ("why may I move(2)?", "reach(red) = 2"),
        ("why not move(9)?", "9 is not on offer"),
        ("why can't I move(9)", "the nearest on offer is “red moves 2”"),
        ("why not 99?", "there is no 99 here"),
        ("why 1?", "is on offer"),
        ("why reach(red)", "base 2 [H-1]"),
        ("why red.gold", "red.gold is 6, as it began"),
        ("why luck(blue)", "not for all to see"),
        ("why blue.lucky", "nothing here is called"),
        ("why nonsense", "nothing here is called `nonsense`"),
    ],
)
def test_why_is_answered_at_a_prompt(rules: Path, question: str, said: str) -> None:
    assert said in " ".join(typed(rules, question).split())


def test_at_a_prompt_the_chain_of_what_happened_is_told(rules: Path) -> None:
    said = typed(rules, "train", "why red.strong")
    assert "step 1, red: train" in said
    assert "red.strong: no -> yes" in said
