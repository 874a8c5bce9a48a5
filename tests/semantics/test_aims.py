"""The `aim:` block: what it says in play and in print, what a variant changes in it, and what it must not say."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulelang
from rulelang import api
from rulelang.ir.encoding.digest import rules_digest
from rulelang.ir.numbers import Seat
from rulelang.match.match import BareMatch
from rulelang.rulebook.printed.book import book, lowered
from rulelang.rulebook.printed.markdown import markdown
from rulelang.screens.aim import AimWords, aim_of, ended_by
from rulelang.screens.model import Fold, Words
from rulelang.screens.picture import picture
from rulelang.workspace.workspace import Workspace

DUEL = """game duel "Duel":
  players 2
  seats red "Red", blue "Blue"
names p: Player
constant rounds_in_all = 3
each Player has:
  hits: 0..9 = 0
whenever p.hits == 2 for p in players as two_hits: finish with winner p
to call_time() "Time!": finish with winner players
to give_up(): finish lost
play:
  turns p from red:
    p chooses one of hit, wait, leave
    if round == rounds_in_all: call_time()
action hit(p) "Hit": p.hits += 1
action wait(p) "Wait": settle
action leave(p) "Give up": give_up()
"""
AIM = """aim:
  about "They fence for {rounds_in_all} rounds.", "A long one." if rounds_in_all > 5   [D-1]
  lasts "Five minutes."
  progress "{viewer.hits} of 2 hits" if viewer != none
  ends two_hits "Two hits win.", "{2} hits were made"                [D-2]
  ends call_time, give_up "Else nobody wins."
"""
LONG = """variant long of duel "Long":
  constant rounds_in_all = 9
  aim:
    lasts "Ten minutes."
    ends give_up "Who gives up loses for both."
"""
SAFE = """variant safe of duel "Safe":
  remove give_up
  remove leave
  replace play:
    turns p from red:
      p chooses one of hit, wait
      if round == rounds_in_all: call_time()
"""


def match_of(text: str, folder: Path, variant: str = "") -> BareMatch:
    path = folder / "duel.rules"
    path.write_text(text)
    return rulelang.load(f"{path}{variant and '+' + variant}").start(2)


def codes(text: str, folder: Path, *variants: str) -> list[str]:
    path = folder / "duel.rules"
    path.write_text(text)
    return [d.code for d in api.check(path, variants).diagnostics]


def test_an_aim_is_told_with_its_values_and_clauses(tmp_path: Path) -> None:
    match = match_of(DUEL + AIM, tmp_path)
    match.play("red: hit")
    assert aim_of(match, Seat(0)) == AimWords(
        ("They fence for 3 rounds. [D-1]",),
        ("Two hits win. [D-2]", "Else nobody wins."),
        "Five minutes.",
        "1 of 2 hits",
    )
    assert aim_of(match, None) == AimWords(
        ("They fence for 3 rounds. [D-1]",), ("Two hits win. [D-2]", "Else nobody wins."), "Five minutes.", ""
    )


def test_progress_is_the_last_line_of_a_screen_until_the_game_ends(tmp_path: Path) -> None:
    match = match_of(DUEL + AIM, tmp_path)
    assert picture(match, Seat(0))[-1] == Fold("Goal", Words("0 of 2 hits"))
    for answer in ("red: hit", "blue: wait", "red: hit"):
        match.play(answer)
    assert not any(isinstance(part, Fold) and part.title == "Goal" for part in picture(match, Seat(0)))


@pytest.mark.parametrize(
    ("last", "why"), [("red: hit", "2 hits were made [D-2]"), ("red: leave", "")], ids=["with words", "without"]
)
def test_a_game_that_has_ended_says_why_in_the_words_of_its_rules(last: str, why: str, tmp_path: Path) -> None:
    match = match_of(DUEL + AIM, tmp_path)
    for answer in ("red: hit", "blue: hit"):
        match.play(answer)
    assert ended_by(match, Seat(0)) == ""
    match.play(last)
    assert ended_by(match, Seat(0)) == why


def test_without_an_aim_the_sentence_of_the_rule_says_why_a_game_has_ended(tmp_path: Path) -> None:
    match = match_of(DUEL, tmp_path)
    for seat in ("red", "blue", "red", "blue", "red"):
        match.play(f"{seat}: wait")
    assert aim_of(match, Seat(0)) is None
    assert ended_by(match, Seat(0)) == "Time!"


def test_a_variant_changes_lines_of_the_aim(tmp_path: Path) -> None:
    aim = aim_of(match_of(DUEL + AIM + LONG, tmp_path, "long"), Seat(0))
    assert aim is not None
    assert [*aim.sentences] == [
        "They fence for 9 rounds.",
        "A long one. [D-1]",
        "Two hits win. [D-2]",
        "Else nobody wins.",
        "Who gives up loses for both.",
        "Ten minutes.",
    ]


def test_a_rule_that_a_variant_removes_leaves_the_aim(tmp_path: Path) -> None:
    assert codes(DUEL + AIM + SAFE, tmp_path, "safe") == []


def test_variants_that_change_the_same_line_of_the_aim_clash(tmp_path: Path) -> None:
    other = 'variant quick of duel "Quick":\n  aim:\n    lasts "No time."\n'
    assert codes(DUEL + AIM + LONG + other, tmp_path, "long", "quick") == ["E0607"]


def test_a_variant_that_says_what_the_aim_says_changes_nothing(tmp_path: Path) -> None:
    same = 'variant quick of duel "Quick":\n  aim:\n    lasts "Five minutes."\n'
    assert codes(DUEL + AIM + same, tmp_path, "quick") == ["E0605"]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('ends two_hit "No such rule."', "E0201"),
        ('ends hit "It does not end the game."', "W0520"),
        ('ends two_hits "Said twice."', "E0202"),
        ('lasts "Said twice."', "E0202"),
    ],
)
def test_a_line_of_an_aim_names_each_way_to_end_once(line: str, code: str, tmp_path: Path) -> None:
    assert codes(f"{DUEL}{AIM}  {line}\n", tmp_path) == [code]


def test_an_aim_leaves_the_hash_of_the_rules_alone(tmp_path: Path) -> None:
    with_it, without = match_of(DUEL + AIM, tmp_path).game, match_of(DUEL, tmp_path).game
    assert rules_digest(with_it) == rules_digest(without)


def test_a_printed_rulebook_begins_with_the_aim(tmp_path: Path) -> None:
    path = tmp_path / "duel.rules"
    path.write_text(DUEL + AIM)
    printed = markdown(book(lowered(rulelang.load(str(path)).internals.loaded)))
    assert printed.startswith(
        "# Duel\n\n## The game\n\nThey fence for 3 rounds. If 3 is more than 5: A long one. \\[D-1\\]\n\nFive minutes.\n"
    )
    assert "How it ends:\n\n- Two hits win. \\[D-2\\]\n- Else nobody wins.\n" in printed


def test_a_workspace_knows_the_rules_that_an_aim_names(tmp_path: Path) -> None:
    path = tmp_path / "duel.rules"
    path.write_text(DUEL + AIM)
    session, text = Workspace(), DUEL + AIM
    found = session.definition(path, path, text.index("two_hits", text.index("ends")))
    assert [text[d.span.start : d.span.end] for d in found] == ["two_hits"]


@pytest.mark.parametrize("name", ["outspeed", "exobase", "exit_velocity", "empty_space"])
def test_the_aim_of_a_game_that_ships_names_every_way_to_end(name: str) -> None:
    game = rulelang.load(name)
    aim = game.ir.aim
    assert aim is not None
    assert aim.about.fields
    assert aim.lasts.fields
    assert aim.endings
    assert all(ending.rules for ending in aim.endings)
