"""`why` as it is typed: as a command about a log, and at a prompt."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import main
from rulelang import api
from tests.session.test_mentions import MARKET
from tests.workbench.test_reasons import HIKE

BARE = """
game bare "Bare":
  players 2

names p: Player; n: 1..10

the game has:
  purse: 0..10 = 10
each Player has:
  reserve: 0..200 = 0, seen by owner

setup:
  for p in players: p chooses p.reserve in 0..200

action pay(p, n):
  needs n <= purse
  purse -= n

play:
  turns p from first_player: p chooses one of pay, or pass
"""


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
    assert "  only if red is not strong and red's gold is at least the reach of red: red's strong is yes" in lines
    assert lines[-1].startswith("the nearest on offer is “red: ")


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("why was train not offered?@3", "“red: train”: red is strong or red's gold is less than the reach of red"),
        (
            "Why was train not offered at step 3?",
            "“red: train”: red is strong or red's gold is less than the reach of red",
        ),
        ("why can't red train", "“red: train”: red is strong or red's gold is less than the reach of red"),
        ("train", "“red: train”: red is strong or red's gold is less than the reach of red"),
        ("why may I move 4?", "“red moves 4”: 4 is not on offer: 1, 2, 3 [H-6]"),
        ("Why may red not move 4?", "“red moves 4”: 4 is not on offer: 1, 2, 3 [H-6]"),
        ("why may I move 1?", "“red moves 1” is on offer"),
        ("why is red.gold 4?", "step 1, red: train"),
        ("why is reach(red) 3?", "reach(red) = 3"),
    ],
)
def test_a_question_may_be_put_in_words(log: Path, rules: Path, question: str, first: str) -> None:
    assert asked(log, rules, question).startswith(first)


@pytest.mark.parametrize(
    "words", [("train", "--as", "blue"), ("train", "--as", "spectator"), ("why may blue move 1?",)]
)
def test_in_words_too_a_seat_asks_about_its_own_options_and_only_when_it_is_asked(
    log: Path, rules: Path, words: tuple[str, ...]
) -> None:
    result = CliRunner().invoke(main, ["why", str(log), *words, "--game", str(rules)])
    assert result.exit_code == 1
    assert result.output.startswith("Error: step 3: ")


@pytest.mark.parametrize(("seat", "who"), [("blue", "blue"), ("spectator", "a spectator")])
def test_who_does_not_choose_is_told_so(log: Path, rules: Path, seat: str, who: str) -> None:
    words = ["why", str(log), "why may I not train?", "--game", str(rules), "--as", seat]
    assert CliRunner().invoke(main, words).output == f"Error: step 3: {who} does not choose here\n"


def test_words_for_no_option_are_told_from_words_for_nothing(log: Path, rules: Path) -> None:
    result = CliRunner().invoke(main, ["why", str(log), "why was fly not offered?", "--game", str(rules)])
    assert result.output == "Error: step 3: nothing here is called `fly`\n"


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
        ("why red.gold", "red's gold is 6, as it began"),
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
    assert "red is strong" in said
    assert "->" not in said


@pytest.fixture
def market(tmp_path: Path) -> Path:
    path = tmp_path / "market.rules"
    path.write_text(MARKET, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("why not buy a probe", "Buy the … (2, such as Buy the red probe with …): It takes 3 of the red cards of Ann"),
        ("why can't I buy the red probe?", "Buy the red probe with …: It takes 3"),
        ("why not red cards", "“Ann: Lay red card down” is on offer"),
        ("why red card", "the set-up"),
        ("why not", "Take …: There is nothing in the stall"),
        ("why not 400", "“Ann: Bid 400”: You have only 40"),
        ("why not take", "Take …: There is nothing in the stall"),
        ("why not shout", "it is for “Anything else?”"),
        ("why gold", "Ann's gold is 40, as it began"),
        ("why Ben's gold", "Ben's gold is 40, as it began"),
        ("what 2", "Lay red card down (answer)"),
        ("what probes", "buy probe (action)"),
        ("what is a probe?", "buy probe (action)"),
        ("what's the red card", "red card (card)"),
        ("what does a red card do", "red card (card)"),
        ("what red cards", "red card (card)"),
    ],
)
def test_a_question_is_understood_as_people_put_it(market: Path, question: str, said: str) -> None:
    assert said in " ".join(typed(market, question).split())


def test_the_number_of_a_line_means_the_line_alone(market: Path) -> None:
    said = typed(market, "what 1")
    assert "bid (action): Bid …" in said
    assert "(number)" not in said


def test_a_rule_without_words_is_told_as_it_is_called(market: Path) -> None:
    """The default face tells who did what, though the rules give no words to it, and asks for what it wants by name."""
    market.write_text(BARE, encoding="utf-8")
    said = typed(market.rename(market.with_name("bare.rules")), "50", "30", "pay 7", "steps")
    assert "player 1: Reserve: which number?  0–200" in said
    assert "player 1: pay 7   purse falls from 10 to 3" in said


def test_secret_answers_are_listed_by_their_kind(market: Path) -> None:
    market.write_text(BARE, encoding="utf-8")
    words = ["play", str(market), "--seed", "1", "--seat", "player2=random", "--seat", "player1=me"]
    said = CliRunner().invoke(main, words, input="50\nsteps\nquit\n").output
    assert "player 2: a number" in said


def drawn(tmp_path: Path, title: str, line: str) -> int:
    """Returns how often the part of the market's screen with this title is drawn when a line is typed."""
    path = tmp_path / f"{line}.rules"
    path.write_text(
        f'{MARKET}\nscreen:\n  line "A stall"\n  fold "{title}": line "It holds silver"\n', encoding="utf-8"
    )
    return typed(path, line).count("It holds silver")


def test_a_part_of_the_screen_is_drawn_by_its_title_of_several_words(tmp_path: Path) -> None:
    assert drawn(tmp_path, "Your purse", "your purse") == drawn(tmp_path, "Your purse", "steps") + 1


def test_a_word_that_begins_an_answer_draws_no_part_of_the_screen(tmp_path: Path) -> None:
    assert drawn(tmp_path, "Bidding", "bidding") == drawn(tmp_path, "Bidding", "steps") + 1
    assert drawn(tmp_path, "Bidding", "bid") == drawn(tmp_path, "Bidding", "more")


CREW = """\
game crew "Crew":
  players 1
  seats ann "Ann"

enum Talent "talent":
  heals: "Somebody regains 2 health"
  digs: "One more mineral"
  rests: "Nobody is tired"
kind Founder "founder":
  talents: set of Talent
  | name  | called  | talents         |
  | li    | "Li"    | {heals}         |
  | reyes | "Reyes" | {digs}          |
  | sato  | "Sato"  | {digs, rests}   |
  | okoye | "Okoye" |                 |
names p: Player; f: Founder; n: 1..5
play:
  repeat:
    first_player chooses one of work
action work(p, f, n) "Work: {f} for {n} hours": settle
"""


def test_a_part_of_an_answer_is_explained_by_the_one_text_of_its_thing(tmp_path: Path) -> None:
    path = tmp_path / "crew.rules"
    path.write_text(CREW, encoding="utf-8")
    said = [line.strip() for line in typed(path).splitlines()]
    assert "1  Li   Somebody regains 2 health" in said
    assert "2  Reyes   One more mineral" in said
    assert "3  Sato   1–5" in said, "of several texts, none is the thing's: the numbers that may follow are shown"
    assert "4  Okoye   1–5" in said
