"""Lone options: taken without asking, or asked for, as the rules, the table or a scenario say."""

from __future__ import annotations

import random
from io import BytesIO
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli import main
from rulelang import api
from rulelang.errors import InvalidInput, LogError
from rulelang.ir.model.vocabulary import LoneOptions
from rulelang.log.reading import parse_log, read_log
from rulelang.scenarios.run import lower_all, run_scenarios
from tests.games.classics import NAMES, classic

RULES = """\
game queue "Queue":
  players 2
  seats red, blue
{header}
names p: Player; n: 1..3

the game has:
  heap: 0..9 = 4

action take(p, n) "Take {{n}}":
  needs n <= heap  "Only {{heap}} left"
  heap -= n

action rest(p) "Rest":
  needs heap == 0

play:
  turns p from first_player:
    p chooses one of take, rest
    if round == 3: finish with winner p

variant patient of queue "Patient":
  lone options are asked

variant hasty of queue "Hasty":
  lone options are taken
{scenarios}"""
ASKED = "  lone options are asked\n"
SLOW = """
scenario "a lone option is asked for":
  lone options are asked
  red: take(3)
  blue: take(1)
  expect red is asked and heap == 0
"""


def queue(folder: Path, header: str = "", scenarios: str = "", variants: str = "") -> api.Game:
    path = folder / "queue.rules"
    path.write_text(RULES.format(header=header, scenarios=scenarios))
    return api.load(f"{path}{variants}")


def forced(match: api.Match) -> int:
    """Counts the options that were taken without asking."""
    return sum(change.what == "forced" for event in match.events for change in event.changes)


def played(match: api.Match, *answers: str) -> api.Match:
    for answer in answers:
        match.play(answer)
    return match


# ------------------------------------------------------------------ who says it


@pytest.mark.parametrize("executor", ["generated", "reference"])
@pytest.mark.parametrize(
    ("header", "variants", "lone", "asked"),
    [
        ("", "", None, False),
        ("", "", "asked", True),
        ("", "", "taken", False),
        ("", "+patient", None, True),
        ("", "+patient", "taken", False),
        (ASKED, "", None, True),
        (ASKED, "", "taken", False),
        (ASKED, "+hasty", None, False),
        (ASKED, "+hasty", "asked", True),
    ],
)
def test_the_table_decides_before_the_rules_do(
    header: str, variants: str, lone: LoneOptions | None, asked: bool, executor: str, tmp_path: Path
) -> None:
    game = queue(tmp_path, header, variants=variants)
    for each in (game, queue(tmp_path, header, variants=variants)):  # the second comes from the compile cache
        match = played(each.start(lone=lone, executor=executor), "take(3)")
        assert (forced(match) == 0) == asked
        assert [option.text for option in match.options] == (["take(1)"] if asked else [])
        assert match.to_move == ((1,) if asked else ())


def test_what_the_rules_say_counts_in_their_hash_and_what_the_table_says_does_not(tmp_path: Path) -> None:
    game, patient = queue(tmp_path), queue(tmp_path, ASKED)
    assert game.rules_hash != patient.rules_hash
    assert game.start(lone="asked").header.rules == game.rules_hash
    assert queue(tmp_path, "  lone options are taken\n").rules_hash == game.rules_hash


@pytest.mark.parametrize("lone", ["ask", "", 1, True, ["asked"]])
def test_nothing_else_can_become_of_lone_options(lone: object, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="lone options are asked or taken, not"):
        queue(tmp_path).start(lone=lone)  # type: ignore[arg-type]


def test_the_header_says_it_once(tmp_path: Path) -> None:
    (tmp_path / "queue.rules").write_text(RULES.format(header=ASKED * 2, scenarios=""))
    (found,) = api.check(tmp_path / "queue.rules").diagnostics
    assert (found.code, found.span.place) == ("E0202", "queue.rules:5:3")


def test_a_variant_that_says_what_is_so_is_refused(tmp_path: Path) -> None:
    (tmp_path / "queue.rules").write_text(RULES.format(header=ASKED, scenarios=""))
    assert {d.code for d in api.check(tmp_path / "queue.rules", ("patient",)).diagnostics} == {"E0605"}


# ------------------------------------------------------------------ options and play


@pytest.mark.long
@pytest.mark.parametrize("name", [*NAMES, *api.games()])
def test_where_all_is_asked_each_option_can_be_played_and_both_executors_agree(name: str) -> None:
    game = classic(name) if name in NAMES else api.load(name)
    options = {"max_rounds": 1} if "max_rounds" in game.options else None
    ours, oracle = (game.start(seed=3, options=options, lone="asked", executor=e) for e in ("generated", "reference"))
    rng = random.Random(3)
    for _ in range(150):
        if not ours.to_move:
            break
        offered = list(ours.options)
        assert offered == list(oracle.options)
        option = rng.choice(offered)
        assert ours.why_not(option) is None
        oracle.play(f"{ours.seats[option.seat]}: {option.text}")
        ours.play(f"{ours.seats[option.seat]}: {option.text}")
        assert ours.to_move == oracle.to_move
        assert ours.position.row[: ours.internals.layout.size] == oracle.position.row[: ours.internals.layout.size]
    assert ours.events == oracle.events
    assert forced(ours) == 0


def test_a_choice_with_secrets_is_asked_for_whatever_the_table_says(tmp_path: Path) -> None:
    """One card of a hidden hand: that it is alone is the owner's business."""
    rules = (
        'game cards "Cards":\n  players 2\nnames p: Player\nkind Card "card":\n  n: 1..2\n  | n |\n  | 1 |\n  | 2 |\n'
        "each Player has:\n  hand: group of Card, seen by owner\n"
        "setup:\n  for p in players: move random(c in Card if c in box) to p.hand\n"
        'action show_up(p, c in p.hand) "Show {c}": move c to box\n'
        "play:\n  for p in players: p chooses one of show_up\n"
    )
    (tmp_path / "cards.rules").write_text(rules)
    for lone in (None, "asked", "taken"):
        match = api.load(tmp_path / "cards.rules").start(lone=lone)
        assert match.to_move == (0,)
        assert forced(match) == 0


def test_forks_and_undo_stay_with_what_the_table_says(tmp_path: Path) -> None:
    match = played(queue(tmp_path).start(lone="asked"), "take(3)")
    fork = match.fork()
    assert [option.text for option in fork.options] == ["take(1)"]
    match.play("take(1)")
    match.undo()
    assert [option.text for option in match.options] == ["take(1)"]
    assert fork.header.lone == match.header.lone == "asked"


# ------------------------------------------------------------------ logs


@pytest.mark.parametrize(("header", "lone"), [("", "asked"), (ASKED, "taken"), ("", None), (ASKED, None)])
def test_a_log_keeps_what_the_table_said_and_replay_obeys(
    header: str, lone: LoneOptions | None, tmp_path: Path
) -> None:
    game = queue(tmp_path, header)
    match = played(game.start(lone=lone), "take(3)")
    assert match.log.header.lone == lone
    assert ('"lone"' in match.log.lines[0]) == (lone is not None)
    again = api.replay(match.log, under=game)
    assert again.difference is None
    assert again.match.log.text == match.log.text  # type: ignore[attr-defined]
    assert again.match.to_move == match.to_move


def test_a_log_is_obeyed_under_other_rules_too(tmp_path: Path) -> None:
    path = tmp_path / "queue.rules"
    match = played(queue(tmp_path).start(lone="asked"), "take(3)", "take(1)", "rest")
    assert api.replay(match.log, under=f"{path}+patient").difference is None
    assert api.replay(match.log, under=f"{path}+hasty").difference is None
    unsaid = played(queue(tmp_path, variants="+patient").start(), "take(3)", "take(1)", "rest")
    assert api.replay(unsaid.log, under=f"{path}+patient").difference is None
    assert api.replay(unsaid.log, under=str(path)).difference is not None


def test_a_log_that_says_something_else_is_refused(tmp_path: Path) -> None:
    text = queue(tmp_path).start(lone="asked").log.text
    with pytest.raises(LogError, match="line 1: `lone` is malformed"):
        parse_log(BytesIO(text.replace('"lone":"asked"', '"lone":"never"').encode()))


# ------------------------------------------------------------------ scenarios


@pytest.mark.parametrize("header", ["", ASKED])
def test_a_scenario_says_it_for_itself(header: str, tmp_path: Path) -> None:
    taken = 'scenario "it is taken":\n  players red, blue\n  lone options are taken\n  red: take(3)\n  expect blue is not asked\n'
    game = queue(tmp_path, header, SLOW.replace(" and heap == 0", "") + taken)
    results = run_scenarios(game, executor="both")
    assert [(result.name, result.faults) for result in results] == [
        ("a lone option is asked for", ()),
        ("it is taken", ()),
    ]


@pytest.mark.parametrize(
    "lines",
    [
        "  lone options are asked\n  players red, blue\n",
        "  red: take(1)\n  lone options are asked\n",
        "  given heap = 3\n  lone options are asked\n",
        "  lone options are asked\n  lone options are asked\n",
    ],
)
def test_a_scenario_says_it_in_its_head(lines: str, tmp_path: Path) -> None:
    game = queue(tmp_path, scenarios=f'scenario "s":\n{lines}  expect heap > 0\n')
    assert "E0707" in {d.code for d in lower_all(game)}


# ------------------------------------------------------------------ the command line


def test_a_game_is_played_and_gone_on_with_as_the_table_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    queue(tmp_path)
    run = CliRunner(env={"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb"}).invoke
    words = ["play", "queue.rules", "--seat", "all=me", "--lone", "asked", "--log", "a.jsonl"]
    first = run(main, words, input="3\nquit\n")
    assert first.exit_code == 0, first.output
    assert read_log(tmp_path / "a.jsonl").header.lone == "asked"
    on = run(main, ["play", "queue.rules", "--resume", "a.jsonl"], input="1\nquit\n")
    assert on.exit_code == 0, on.output
    assert "Take 1" in on.output
    log = read_log(tmp_path / "a.jsonl")
    assert [line.record["option"] for line in log.lines if line.what == "choice"] == ["take(3)", "take(1)"]
    assert run(main, ["replay", "a.jsonl", "--game", "queue.rules"]).exit_code == 0
    other = run(main, ["play", "queue.rules", "--resume", "a.jsonl", "--lone", "taken", "--seed", "3"])
    assert other.exit_code == 2
    assert "the log says how its game goes on: leave out --seed, --lone" in other.output
    assert run(main, ["play", "queue.rules", "--lone", "perhaps"]).exit_code == 2
