"""A log's game told by other rules: what leads, what differs, which edit it comes from, and how it goes on."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import attrs
import pytest
from click.testing import CliRunner

from cli.main import main
from rulelang import api
from rulelang.ir.numbers import Seat
from rulelang.knowledge.redaction import read
from rulelang.log.format import Chain, Log, sealed_line
from rulelang.log.reading import ReadLog, parse_log
from rulelang.match.recording.events import Drawn, Taken
from rulelang.workbench.changes.edits import Edits
from rulelang.workbench.divergence import is_well_up_to, retell
from rulelang.workbench.divergence_report import Level, Policy, Retold
from rulelang.workbench.provenance import findings
from rulelang.workbench.suggestion import nearest

RACE = """
game race "Race":
  players 2
  seats red, blue

names p: Player; n: 1..3
constant goal = 12                                                   [R-1]
die d6: 1..6
kind Card "card":
  gain: 1..4
  | gain |
  | 1..4 |

the game has:
  deck: pile of Card, face down
  luck: 0..9 = 0
each Player has:
  at: 0..40 = 0
  steps: 0..99 = 20

setup:
  move Card to deck
  shuffle(deck)
  luck = random(1..3)                                                [R-2]

action go(p, n) "{p} goes {n}":                                      [R-3]
  needs n <= p.steps  "{p} has only {p.steps} steps"                 [R-4]
  p.steps -= n
  walk(p, n)

action draw(p) "{p} draws":
  needs deck != {}
  p.at += top(deck).gain
  move 1 of deck to box

to walk(p, n: 1..9) "{p} walks {n}":                                 [R-5]
  p.at += n
  if roll(d6) == 6: p.at += 1                                        [R-6]

play:
  turns p from first_player:
    p chooses one of go, draw, or pass
    if p.at >= goal: finish with winner p                            [R-7]

variant long of race "Long":
  constant goal = 15

variant twice of race "Twice":
  replace to walk(p, n: 1..9) "{p} walks {n}":
    p.at += n
    if roll(d6) == 6: p.at += 1
    if roll(d6) == 6: p.at += 1

variant slow of race "Slow":
  replace action go(p, n) "{p} goes {n}":
    needs n <= 2  "Nobody goes so far"                               [R-9]
    walk(p, n)

variant asking of race "Asking":
  replace play:
    turns p from first_player:
      p chooses luck in 1..3 "Which luck?"
      p chooses one of go, draw, or pass
      if p.at >= goal: finish with winner p

variant more of race "More":
  add to Card:
    | gain |
    | 3    |

variant polite of race "Polite":
  replace action go(p, n) "{p} kindly goes {n}":                     [R-3]
    needs n <= p.steps  "{p} has only {p.steps} steps"               [R-4]
    p.steps -= n
    walk(p, n)

variant tight of race "Tight":
  replace each Player has:
    at: 0..8 = 0

variant three of race "Three":
  players 3
  seats red, blue, green

variant several of race "Several":
  constant goal = 13
  replace to walk(p, n: 1..9) "{p} walks {n}":
    p.at += n
    if blessed: p.at += 1
  option blessed: flag = no
"""
LOTS = """
game lots "Lots":
  players 4
  seats red, blue, green, grey
names p, q: Player
the game has:
  drawn: Player = red
each Player has:
  points: 0..9 = 0
play:
  repeat 8 times:
    for p in {red}:
      p chooses one of spin, or pass
  finish with ranking p in players by highest p.points
action spin(p):
  drawn = random(q in players)
  drawn.points += 1
variant slow of lots "Slow":
  replace each Player has:
    points: 0..8 = 0
"""
ANSWERS = ("go(3)", "go(3)", "draw", "go(3)", "go(2)", "draw", "go(3)", "go(3)", "draw", "go(3)", "go(3)", "go(3)")


@pytest.fixture(scope="module")
def race(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("race") / "race.rules"
    path.write_text(RACE)
    return path


def played(path: Path, seed: int = 3, answers: tuple[str, ...] = ANSWERS) -> api.Match:
    match = api.load(path).start(seed=seed)
    for answer in answers:
        if match.to_move:
            match.play(answer)
    return match


def as_read(log: Log) -> ReadLog:
    return parse_log(BytesIO(log.text.encode()))


def told(path: Path, variant: str, policy: Policy = Policy.NEAREST, match: api.Match | None = None) -> Retold:
    """Retells a log, and checks that the same is found without knowledge of its events."""
    log, game = as_read((match or played(path)).log), api.load(f"{path}+{variant}" if variant else path)
    found, compared = (retell(log, game, policy, "first", only_compares=only) for only in (False, True))
    assert compared.differences == found.differences
    assert (compared.tally, compared.instead, compared.ending) == (found.tally, found.instead, found.ending)
    return found


def test_under_its_own_rules_a_log_is_told_without_a_difference(race: Path) -> None:
    same = told(race, "")
    assert same.is_unchanged
    assert same.match is not None
    assert same.match.events == played(race).events
    assert same.ending[0] == same.ending[1]


def test_a_seat_that_was_picked_at_random_is_picked_again(tmp_path: Path) -> None:
    path = tmp_path / "lots.rules"
    path.write_text(LOTS)
    match = api.load(path).start(seed=5)
    for _ in range(8):
        match.play("spin")
    for variant in ("", "slow"):
        again = told(path, variant, match=match)
        assert [d for d in again.differences if d.level is not Level.VIEW] == []
        assert again.match is not None
        assert [d.values for d in again.match.journal if isinstance(d, Drawn)] == [
            d.values for d in match.journal if isinstance(d, Drawn)
        ]


def test_undone_choices_are_no_part_of_what_the_players_meant(race: Path) -> None:
    match = api.load(race).start(seed=3)
    for answer in ("go(3)", "go(1)"):
        match.play(answer)
    match.undo()
    match.play("go(2)")
    again = told(race, "", match=match)
    assert again.is_unchanged
    assert again.tally.taken == 2


def test_what_differs_last_is_the_outcome_and_the_winner_may_stay(race: Path) -> None:
    longer = told(race, "long", Policy.BOT)
    assert longer.differences[-1].level in (Level.OUTCOME, Level.EVENT, Level.ASKED)
    assert longer.ending[0].how == "winner"
    assert longer.match is not None
    assert longer.match.outcome is not None, "the bot plays on where the log ends"
    assert longer.tally.added > 0


def test_a_recorded_throw_leads_and_a_further_one_comes_from_the_seed(race: Path) -> None:
    """Each step's first throw is the log's, though the rules throw twice: its events differ by the second alone."""
    match = played(race)
    twice = told(race, "twice", Policy.SKIP)
    assert twice.match is not None
    once = [d.values[0] for d in match.journal if isinstance(d, Drawn) and d.what == "roll"]
    both = [d.values[0] for d in twice.match.journal if isinstance(d, Drawn) and d.what == "roll"]
    assert both[::2][: len(once)] == once[: len(both[::2])]
    assert set(both[1::2]) != {both[1]} or len(both) < 6


def test_a_log_without_a_seed_is_led_by_its_outcomes_too(race: Path) -> None:
    log = played(race).log
    bare = as_read(Log(attrs.evolve(log.header, seed=None), log.entries))
    again = retell(bare, api.load(race))
    assert again.is_unchanged
    assert again.ending[1].how == "winner"


def test_one_more_card_leaves_the_others_in_the_order_of_the_log(race: Path) -> None:
    log = played(race).log
    for seed in (3, None):
        header = attrs.evolve(log.header, seed=seed)
        more = retell(as_read(Log(header, log.entries)), api.load(f"{race}+more"))
        assert more.match is not None
        order = next(e.values for e in more.match.journal if isinstance(e, Drawn) and e.what == "shuffle")
        before = next(e.values for e in log.entries if isinstance(e, Drawn) and e.what == "shuffle")
        rest = list(order)
        for name in before:
            rest.remove(name)
        assert len(rest) == 1
        led = [name for name in order if name in before]
        assert [n for n in led if led.count(n) == 1] == [n for n in before if led.count(n) == 1]


def test_what_is_illegal_now_names_the_needs_its_clause_and_its_place(race: Path) -> None:
    first = told(race, "slow").differences[0]
    assert first.level is Level.ILLEGAL
    assert first.sentence.startswith("step 1: red: go(3) is illegal now: Nobody goes so far [R-9] (race.rules:")


def test_nearest_takes_the_most_like_it_and_skip_leaves_it_out(race: Path) -> None:
    near, skip, stop = (told(race, "slow", policy) for policy in (Policy.NEAREST, Policy.SKIP, Policy.STOP))
    assert near.match is not None
    taken = [read(e.option) for e in near.match.journal if isinstance(e, Taken)]
    assert taken[:2] == ["go(2)", "go(2)"]
    assert near.tally.replaced > 0
    assert skip.tally.left_out > 0
    assert skip.tally.replaced == 0
    assert stop.tally.taken == 0
    assert stop.stopped == "stopped at step 1: red: go(3)"


def test_a_further_question_is_answered_in_between_and_the_choices_of_the_log_still_count(race: Path) -> None:
    asking = told(race, "asking")
    assert asking.differences[0].level is Level.ASKED
    assert asking.differences[0].sentence == "step 1: the log has red: go(3); these rules ask red for a value in play"
    assert asking.tally.taken == len([a for a in ANSWERS if a]) or asking.ending[1].how
    assert asking.tally.left_out == 0
    assert asking.tally.added >= asking.tally.taken - 1


def test_a_question_less_leaves_its_answer_out(race: Path) -> None:
    match = api.load(f"{race}+asking").start(seed=3)
    for answer in ("2", "go(3)", "1", "go(3)", "3", "draw"):
        match.play(answer)
    log = as_read(match.log)
    fewer = retell(log, api.load(race))
    assert (fewer.tally.taken, fewer.tally.left_out) == (3, 3)
    assert fewer.differences[0].level is Level.ASKED


def test_words_alone_are_a_difference_of_view(race: Path) -> None:
    polite = told(race, "polite")
    assert {one.level for one in polite.differences} == {Level.VIEW}
    assert 'the log tells "red goes 3"; these rules tell "red kindly goes 3"' in polite.differences[0].sentence
    assert polite.keeps_winner


def test_a_fault_is_told_and_the_game_goes_on_without_what_led_there(race: Path) -> None:
    tight = told(race, "tight", Policy.SKIP)
    faults = [one for one in tight.differences if one.level is Level.FAULT]
    assert faults
    assert "goes wrong under these rules" in faults[0].sentence
    assert tight.tally.left_out > 0


def test_another_number_of_seats_is_a_difference_of_the_set_up(race: Path) -> None:
    three = told(race, "three")
    assert three.differences[0].level is Level.SETUP
    assert three.match is None
    assert not three.keeps_winner


def test_what_was_agreed_and_is_not_known_any_more_is_told(race: Path) -> None:
    match = api.load(f"{race}+several").start(seed=3, options={"blessed": True})
    again = retell(as_read(match.log), api.load(race))
    assert again.differences[0].sentence.startswith("in the set-up, in options: the log has blessed = yes agreed on")


def test_the_edit_that_a_difference_comes_from_is_found_by_taking_edits_away(race: Path) -> None:
    first = told(race, "several")
    assert first.differences[0].level is Level.EVENT
    for before in (api.load(race), api.load(race)):
        edits = Edits.of(before, api.load(f"{race}+several"))
        names = [edit.name for edit in edits.all]
        assert names == ["constant goal", "replace to walk", "option blessed"]
        assert [edit.name for edit in edits.culprits(is_well_up_to(first))] == ["replace to walk"]


def test_of_two_texts_the_edits_are_the_declarations_that_differ(race: Path, tmp_path: Path) -> None:
    other = tmp_path / "race.rules"
    other.write_text(RACE.replace("goal = 12", "goal = 9").replace("random(1..3)", "random(1..3) + 1"))
    edits = Edits.of(api.load(race), api.load(other))
    assert [edit.name for edit in edits.all] == ["constant goal", "setup"]
    first = retell(as_read(played(race).log), api.load(other))
    assert first.differences[0].step == 0
    assert [edit.name for edit in edits.culprits(is_well_up_to(first))] == ["setup"]
    whole = edits.game({0, 1})
    assert whole is not None
    assert whole.rules_hash == api.load(other).rules_hash
    none = edits.game(())
    assert none is not None
    assert none.rules_hash == api.load(race).rules_hash


@pytest.mark.parametrize(
    ("wanted", "offered", "found"),
    [
        ("go(3)", ["go(1)", "go(2)", "draw"], "go(2)"),
        ("steal(blue, metal, 3)", ["steal(red, metal, 3)", "steal(blue, metal, 1)", "pass"], "steal(blue, metal, 1)"),
        ("fly", ["pass", "walk"], "pass"),
        ("7", ["2", "5"], "5"),
    ],
)
def test_the_nearest_option_has_the_same_name_then_the_same_arguments(
    wanted: str, offered: list[str], found: str
) -> None:
    from rulelang.match.options.option import Option

    options = [Option(Seat(0), "play#1", (0, i), text.partition("(")[0], text) for i, text in enumerate(offered)]
    option = nearest(wanted, options, [o for o in options if o.text == "pass"])
    assert option is not None
    assert option.text == found


def test_other_rules_another_text_and_another_engine_are_three_messages(race: Path) -> None:
    header = played(race).log.header
    game = api.load(race)
    assert findings(header, game) == ()
    (rules,) = findings(header, api.load(f"{race}+long"))
    assert rules.text.startswith("other rules: the log was played by race (")
    assert "rulelang log migrate" in rules.text
    (text,) = findings(attrs.evolve(header, text="0" * 16), game)
    assert text.text.startswith("another text: the rules are the same in other words")
    (engine,) = findings(attrs.evolve(header, engine="rulelang 0.0.1"), game)
    assert engine.text.startswith("another engine: rulelang 0.0.1 wrote the log")


def sealed(records: list[dict[str, Any]]) -> str:
    """Lines with a running hash that agrees with them."""
    chain = Chain()
    return "".join(
        f"{sealed_line({k: v for k, v in r.items() if k != 'h'}, chain, n)}\n" for n, r in enumerate(records, 1)
    )


@pytest.mark.parametrize(
    ("cause", "code"), [("other rules", 1), ("another text", 0), ("another engine", 1), ("tampering", 1), ("edited", 3)]
)
def test_the_command_says_in_what_a_log_does_not_fit_and_what_to_do_next(
    race: Path, tmp_path: Path, cause: str, code: int
) -> None:
    records = [json.loads(line) for line in played(race).log.lines]
    later = next(r for r in records if any(change[0] == "set" for change in r.get("changes", ())))
    change = next(change for change in later["changes"] if change[0] == "set")
    if cause == "other rules":
        race.write_text(race.read_text().replace("constant goal = 12 ", "constant goal = 5 "))
    elif cause == "another text":
        race.write_text(race.read_text().replace('"{p} walks {n}"', '"{p} strides {n}"'))
    else:
        change[3] = "7" if change[3] != "7" else "8"
    if cause == "another engine":
        records[0]["engine"] = "rulelang 0.0.1"
    log = tmp_path / "a.jsonl"
    text = sealed(records)
    log.write_text(text if cause != "edited" else "\n".join(map(json.dumps, records)) + "\n")
    said = CliRunner().invoke(main, ["replay", str(log), "--under", str(race), "--to", "999"])
    assert said.exit_code == code, said.output
    next_step = {
        "other rules": "rulelang log migrate",
        "another text": "nothing to do",
        "another engine": "please report it",
        "tampering": "do not trust it from that line on",
        "edited": "can be saved: rulelang replay",
    }
    assert next_step[cause] in said.output
    assert [one for one in next_step.values() if one in said.output] == [next_step[cause]]
    if code == 1:
        data = json.loads(CliRunner().invoke(main, ["replay", str(log), "--under", str(race), "--json"]).output)
        assert data.get("cause", "other rules") == cause


def test_the_command_tells_both_sides_the_edit_and_what_would_have_been_different(race: Path, tmp_path: Path) -> None:
    log = tmp_path / "a.jsonl"
    played(race).log.save(log)
    rules = f"{race}+several"
    result = CliRunner().invoke(main, ["replay", str(log), "--under", rules])
    assert result.exit_code == 1
    for words in ("the log has", "the rules give", "What of this game would have been different", "choices  "):
        assert words in result.output
    same = CliRunner().invoke(main, ["replay", str(log), "--under", str(race)])
    assert same.exit_code == 0, same.output
    assert "the log and the rules agree" in same.output
    data = json.loads(
        CliRunner().invoke(main, ["replay", str(log), "--game", rules, "--json", "--policy", "skip"]).output
    )
    assert data["agrees"] is False
    assert data["policy"] == "skip"
    assert {one["level"] for one in data["differences"]} <= {level.value for level in Level}


@pytest.mark.long
def test_a_file_of_variants_alone_is_in_force_as_a_whole(tmp_path: Path) -> None:
    match = api.load("outspeed").start(players=3, seed=1)
    for _ in range(12):
        match.play(match.options[0])
    match.log.save(tmp_path / "a.jsonl")
    (tmp_path / "rich.rules").write_text('variant rich of outspeed "Rich":\n  constant starting_fuel = 15\n')
    words = ["replay", str(tmp_path / "a.jsonl"), "--under", str(tmp_path / "rich.rules")]
    result = CliRunner().invoke(main, [*words, "--json"])
    data = json.loads(result.output)
    assert [edit["edit"] for edit in data["because"]] == ["constant starting_fuel"]


@pytest.mark.long
@pytest.mark.parametrize(("columns", "is_beside"), [(60, False), (80, False), (110, True), (140, True)])
def test_boards_stand_side_by_side_where_nothing_is_lost_by_it(columns: int, is_beside: bool, tmp_path: Path) -> None:
    match = api.load("outspeed").start(players=3, seed=1)
    for _ in range(12):
        match.play(match.options[0])
    match.log.save(tmp_path / "a.jsonl")
    (tmp_path / "rich.rules").write_text("variant rich of outspeed:\n  constant starting_fuel = 15\n")
    words = ["replay", str(tmp_path / "a.jsonl"), "--under", str(tmp_path / "rich.rules")]
    output = CliRunner().invoke(main, words, env={"COLUMNS": f"{columns}"}).output
    lines = [line.split() for line in output.splitlines()]
    assert (["the", "log", "these", "rules"] in lines) == is_beside
    assert (["these", "rules"] in lines) != is_beside
    for seat in ("Green:", "Red:", "Blue:"):
        assert output.count(seat) == 2


def test_where_the_log_has_no_more_answers_it_says_who_would_play_to_the_end(race: Path, tmp_path: Path) -> None:
    match = played(race)
    assert match.outcome is not None
    match.log.save(tmp_path / "a.jsonl")
    words = ["replay", str(tmp_path / "a.jsonl"), "--under", f"{race}+long"]
    said = {
        policy: CliRunner().invoke(main, [*words, "--policy", policy, "--bots", "first"]).output
        for policy in ("nearest", "bot")
    }
    assert "these rules ask on (--policy bot plays to the end)" in said["nearest"]
    assert "ask on" not in said["bot"]
    assert "a game that goes on" not in said["bot"]


def test_a_log_that_ends_in_the_middle_of_a_step_differs_in_nothing(race: Path) -> None:
    lines = played(race).log.text.splitlines(keepends=True)
    last = max(n for n, line in enumerate(lines) if '"input":"choice"' in line)
    for end in range(last + 1, len(lines) - 1):
        cut = parse_log(BytesIO("".join(lines[:end]).encode()))
        assert retell(cut, api.load(race), Policy.NEAREST, "first").differences == ()
