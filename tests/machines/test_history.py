"""Positions that have stood: how often, up to how many, and what would bring one back."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from rulelang import api
from rulelang.errors import RangeViolation
from rulelang.ir.numbers import Seat
from rulelang.machines.machine import Machine
from tests.files import CLASSICS
from tests.games.classics import classic, machine_of
from tests.games.written import assert_holds, faults, game

TRACK = """\
game shuttle "Shuttle":
  players 2
  seats ann, ben
  history of {parts}: at most {most}

names p: Player
kind Chip "chip":
  n: 1..2
  | copies | n |
  | 2      | 1 |
  | 1      | 2 |
the game has:
  at: 0..9 = 5
  unrelated: 0..99 = 0
  purse: group of Chip
  note: 0..9 = 0, seen by nobody
each Player has:
  score: 0..9 = 0
action left(p) "Left":
  needs at > 0
  at -= 1
action right(p) "Right":
  needs at < 9
  at += 1
action rest(p) "Rest": unrelated += 1
action swap(p, c: Chip) "Swap {{c}}":
  if c in purse: move c to box
  else: move c to purse
"""
PLAY = """\
play:
  turns p from ann:
    p chooses one of left, right, rest, swap
"""


def shuttle(parts: str = "at, mover", most: int = 50, play: str = PLAY) -> str:
    return TRACK.format(parts=parts, most=most) + play


@pytest.mark.parametrize(("length", "paths"), [(2, 9), (3, 907)])
@pytest.mark.parametrize("executor", ["generated", "reference"])
def test_there_are_as_many_ways_to_play_go_with_superko_as_is_published(
    length: int, paths: int, executor: str, tmp_path: Path
) -> None:
    """The counts are those of Tromp and Farnebäck, Combinatorics of Go (2007), table of 1 × n."""
    if executor == "reference" and length == 3:
        pytest.skip("a fork of the reference machine plays all again: too slow")
    if length == 3:
        played = classic("ko")
    else:
        entry = tmp_path / "ko.rules"
        text = (CLASSICS / "ko.rules").read_text().partition("scenario")[0]
        entry.write_text(text.replace(". . .", ". ."))
        played = api.load(entry)

    def count(machine: Machine) -> int:
        ways = 1
        for answer in machine.options(Seat(0)):
            if len(answer) > 1:
                child = machine.fork()
                child.answer(Seat(0), answer)
                ways += count(child)
        return ways

    assert count(machine_of(played, executor, 1)) == paths


def test_a_position_counts_from_when_it_first_stands(tmp_path: Path) -> None:
    assert_holds(
        shuttle()
        + """
scenario "to and fro":
  expect occurrences == 1
  ann: left
  expect occurrences == 1
  ben: right
  expect occurrences == 2
  ann: left
  ben: right
  expect occurrences == 3 and unrelated == 0

scenario "whose turn it is makes another position":
  ann: left
  ben: rest
  expect occurrences == 1
  ann: rest
  expect occurrences == 2

scenario "what is not named does not count":
  ann: rest
  ben: rest
  ann: swap(Chip(2))
  ben: rest
  expect occurrences == 3
""",
        tmp_path,
    )


@pytest.mark.parametrize(
    "play",
    [
        "    p chooses one of left, right, rest\n    if occurrences == 3: finish with winner p\n",
        "    if occurrences == 3: finish with winner next(p)\n    p chooses one of left, right, rest\n",
        "    p chooses one of left, right, rest\nwhenever occurrences == 3 as again: finish with winner mover\n",
    ],
)
@pytest.mark.parametrize("parts", ["at", "at, mover"])
def test_a_repetition_is_seen_wherever_it_is_asked_for(play: str, parts: str, tmp_path: Path) -> None:
    text = shuttle(parts, play=f"play:\n  turns p from ann:\n{play}")
    for executor in ("reference", "generated"):
        match = game(text, tmp_path).start(2, seed=1, executor=executor)
        # 5, 4, 5, 4, 5: the third 5 comes with the fourth answer; 4 after an answer of ann's stands twice by then.
        for answer in ("left", "right", "left"):
            match.play(answer)
            assert match.outcome is None
        match.play("right")
        stood_after_answer = "chooses" in play.split("occurrences", maxsplit=1)[0] and parts == "at, mover"
        if stood_after_answer:
            # With whose turn it is, 5 stood only twice after an answer of ben's.
            assert match.outcome is None
            match.play("left")
        assert match.outcome is not None


def test_resting_lets_a_position_stand_once_more(tmp_path: Path) -> None:
    assert_holds(
        shuttle("at")
        + 'scenario "rest":\n  ann: rest\n  ben: rest\n  expect occurrences == 3\n  ann: left\n  expect occurrences == 1\n',
        tmp_path,
    )


def test_things_that_are_alike_make_the_same_position(tmp_path: Path) -> None:
    match = game(shuttle("purse"), tmp_path).start(2, seed=1)
    assert [str(o) for o in match.options if "swap" in str(o)] == ["swap(Chip(1))", "swap(Chip(2))"]
    text = shuttle("purse").replace("{{c}}", "{c}") + (
        'scenario "alike":\n  ann: swap(Chip(1))\n  ben: swap(Chip(2))\n  expect occurrences == 1\n'
        "  ann: swap(Chip(2))\n  expect occurrences == 2 and count(purse) == 1\n"
    )
    assert_holds(text, tmp_path)


SUPERKO = shuttle(
    "at",
    play="""\
action hop(p, to: 0..9) "Go to {to}":
  needs abs(to - at) == 1
  needs occurrences after go(to) == 1  "{to} has been"
  go(to)
action twice(p) "Twice":
  needs occurrences after twice(p) < 3
  at = 5
to go(to: 0..9): at = to
whenever at == 7 as slide: at = 8
play:
  turns p from ann:
    p chooses one of hop, twice, or stop
""",
)
LOOKED_AHEAD = """\
game ahead "Ahead":
  players 2
  history of at: at most 60

names p: Player; n: 0..3
the game has:
  at: 0..3 = 0
each Player has:
  sum: 0..99 = 0

to go(n): at = n
value reached(n) -> 0..99 = count(p in players if p.sum > n * at)
value score(p) -> 0..999 = 10 * (occurrences after go(2)) + reached(1) + reached(2) + max(reached(n) for n in 0..3) + p.sum

play:
  turns p from first_player:
    p chooses at in 0..3
    p.sum += at, at most 99
    if p.sum > 40: finish with winner p
"""


def test_needs_refuse_what_would_bring_a_position_back(tmp_path: Path) -> None:
    assert_holds(
        SUPERKO
        + """
scenario "nowhere twice":
  ann: hop(4)
  expect ben cannot hop(5)
  ben: twice
  expect occurrences == 2 and at == 5
  expect ann cannot twice
  ann: hop(6)
  expect ben cannot hop(5)
  ben: hop(7)
  expect at == 8 and occurrences == 1
  expect ann can hop(9)
""",
        tmp_path,
    )


@pytest.mark.parametrize("executor", ["reference", "generated"])
@pytest.mark.parametrize("parts", ["at", "at, mover"])
def test_where_the_history_is_full_nobody_is_asked_and_the_game_ends_undecided(
    parts: str, executor: str, tmp_path: Path
) -> None:
    """Every option used to be refused there, with a fault."""
    match = game(shuttle(parts, most=4), tmp_path).start(2, seed=1, executor=executor)
    for _ in range(3):
        match.play("left")
    assert (match.to_move, match.outcome is not None and match.outcome.kind) == ((), "undecided")


@pytest.mark.parametrize("executor", ["reference", "generated"])
def test_a_secret_choice_needs_room_for_all_who_are_asked(executor: str, tmp_path: Path) -> None:
    play = "play:\n  repeat:\n    each p in players if p.score == 0 secretly chooses one of left, right\n"
    match = game(shuttle("at", most=4, play=play), tmp_path).start(2, seed=1, executor=executor)
    match.play("ann: left")
    match.play("ben: left")
    assert (match.to_move, match.outcome is not None and match.outcome.kind) == ((), "undecided")


@pytest.mark.parametrize("executor", ["reference", "generated", "native"])
def test_a_log_of_an_earlier_format_has_its_fault_where_the_history_was_full(executor: str, tmp_path: Path) -> None:
    played = api.Game(game(shuttle("at", most=4), tmp_path).internals.of_format(2))
    match = played.start(2, seed=1, executor=executor)
    for _ in range(3):
        match.play("left")
    with pytest.raises(RangeViolation, match="the history holds at most 4 positions; this would be number 5") as full:
        match.play("left")
    assert played.ir.sites[full.value.site].span.text.startswith("history of")
    assert api.replay(match.log, under=str(tmp_path / "sketch.rules")).difference is None


@pytest.mark.parametrize("executor", ["reference", "generated"])
def test_undo_and_forks_are_exact(executor: str, tmp_path: Path) -> None:
    played = game(shuttle("at, mover, purse", most=200), tmp_path)
    rng = random.Random(5)
    match = played.start(2, seed=1, executor=executor)
    rows = [list(match.position.row)]
    for _ in range(30):
        options = list(match.options)
        match.play(options[rng.randrange(len(options))])
        rows.append(list(match.position.row))
    fork = match.fork()
    for row in rows[-2:9:-1]:
        match.undo()
        assert list(match.position.row) == row
    for answer in ("right", "left"):
        match.play(answer)
        fork.play("rest")
    assert list(fork.position.row)[: len(rows[-1])] != rows[-1]


def test_both_executors_write_the_same_history(tmp_path: Path) -> None:
    for text in (shuttle("at, mover, purse, Player.score", most=200), SUPERKO):
        played = game(text, tmp_path)
        for seed in range(4):
            rng = random.Random(seed)
            one, two = (played.start(2, seed=seed, executor=e) for e in ("reference", "generated"))
            for _ in range(25):
                options = [str(o) for o in one.options]
                if not options:
                    break
                assert options == [str(o) for o in two.options]
                answer = options[rng.randrange(len(options))]
                one.play(answer)
                two.play(answer)
                size = played.internals.layout.size
                assert list(one.position.row)[:size] == list(two.position.row)[:size]


def test_the_key_knows_what_has_stood(tmp_path: Path) -> None:
    played = game(shuttle("at"), tmp_path)
    one, two = played.start(2, seed=1), played.start(2, seed=1)
    for answer in ("left", "right"):
        one.play(answer)
    for answer in ("right", "left"):
        two.play(answer)
    assert one.view(0)["at"] == two.view(0)["at"]
    assert one.key != two.key


def test_a_log_is_replayed_with_its_history(tmp_path: Path) -> None:
    played = game(shuttle("at, mover"), tmp_path)
    match = played.start(2, seed=1)
    for answer in ("left", "right", "left", "rest"):
        match.play(answer)
    match.log.save(tmp_path / "shuttle.jsonl")
    again = api.replay(tmp_path / "shuttle.jsonl", under=played)
    assert list(again.match.position.row) == list(match.position.row)


def test_no_view_shows_the_history(tmp_path: Path) -> None:
    match = game(shuttle(), tmp_path).start(2, seed=1)
    match.play("left")
    assert not [v.name for v in match.view(0).variables if "history" in v.name]
    assert not [c for e in match.events for c in e.changes if "history" in c.text]


@pytest.mark.parametrize(
    ("parts", "code"),
    [
        ("at, turn", "E0416"),
        ("round", "E0416"),
        ("Chip.n", "E0416"),
        ("nothing_there", "E0416"),
        ("at + 1", "E0106"),
        ("note", "E0402"),
    ],
)
def test_a_position_is_made_of_open_variables_and_zones(parts: str, code: str, tmp_path: Path) -> None:
    assert [c for c, _ in faults(shuttle(parts), tmp_path)][:1] == [code]


@pytest.mark.parametrize("most", ["0", "10001"])
def test_a_history_holds_a_number_of_positions(most: str, tmp_path: Path) -> None:
    assert [c for c, _ in faults(shuttle("at", most=int(most)), tmp_path)] == ["E0313"]


UNFORESEEN: list[tuple[str, str]] = [
    ("to act(p): p chooses one of left, right\n", "somebody is asked in it"),
    ("to act(p): at = roll(d6)\n", "it rolls, draws or shuffles"),
    ("to act(p): shuffle(deck)\n", "it rolls, draws or shuffles"),
    ("to act(p): note = 3\nto more(p):\n  if note == 3: at = 4\nafter act(p): more(p)\n", "`note` is a secret"),
    ("phase act(p): at = 3\n", "it is a phase"),
]


@pytest.mark.parametrize(("verb", "words"), UNFORESEEN)
def test_what_asks_draws_or_tells_secrets_cannot_be_foreseen(verb: str, words: str, tmp_path: Path) -> None:
    more = "die d6: 1..6\nthe game has:\n  deck: pile of Chip\n"
    text = shuttle(
        "at", play=f'{more}{verb}action go(p) "Go":\n  needs occurrences after act(p) == 1\n  act(p)\n{PLAY}'
    )
    found = faults(text.replace("left, right, rest, swap", "left, go"), tmp_path)
    assert [(code, words in message) for code, message in found] == [("E0416", True)]


def test_without_a_header_line_the_words_mean_nothing(tmp_path: Path) -> None:
    assert [c for c, _ in faults("to go(): settle\nvalue some = occurrences after go()\n", tmp_path)] == ["E0416"]
    assert [c for c, _ in faults("value some = occurrences\n", tmp_path)] == ["E0201"]
    assert faults("the game has:\n  occurrences: 0..9 = 3\nvalue some = occurrences + 1\n", tmp_path) == []


def test_a_variant_says_what_a_position_is(tmp_path: Path) -> None:
    text = shuttle("at") + "variant strict of shuttle:\n  history of at, mover: at most 3\n"
    (tmp_path / "shuttle.rules").write_text(text)
    base, strict = api.load(tmp_path / "shuttle.rules"), api.check(tmp_path / "shuttle.rules", ("strict",)).game
    assert strict is not None
    assert strict.ir.history is not None
    assert strict.ir.history.most == 3
    assert base.rules_hash != strict.rules_hash
