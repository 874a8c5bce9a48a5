"""A line that cannot be read costs its own declaration and no more: other faults are told, and none that follow."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulelang.api import check_text
from rulelang.language_service.service import LanguageService
from rulelang.source import SourceText
from rulelang.syntax.lexer import Token, scan
from rulelang.syntax.parser import parse
from rulelang.syntax.tables import read_tables
from rulelang.workspace.workspace import Workspace
from tests.files import ROOT

GAMES = ("outspeed", "exobase", "empty_space", "exit_velocity")
RULES = """game nim "Nim":
  players 2
  seats red, blue
names p: Player
constant size = 3
enum Colour: green, pink
kind Stone "stone":
  weight: 0..9
  | name | weight |
  | ruby | 3      |
the game has:
  heap: 0..9 = 5
  bag: group of Stone
value rest(p) -> 0..9 = heap
to grab(p, n: 1..3):
  heap -= n, at least 0
action take(p):
  grab(p, size)
phase evening:
  if rest(red) > 2: move ruby to bag
play:
  repeat while heap > 0:
    evening()
    turns p from red:
      p chooses one of take
  finish with winner mover
"""


def told(text: str) -> list[tuple[str, int]]:
    return [(d.code, d.span.source.position(d.span.start)[0]) for d in check_text(text).diagnostics]


def test_the_rules_are_whole() -> None:
    assert told(RULES) == []


@pytest.mark.parametrize(
    ("line", "broken"),
    [
        ("  seats red, blue", "  seats red blue,,"),
        ("names p: Player", "names p Player"),
        ("constant size = 3", "constant size = = 3"),
        ("constant size = 3", "constant si"),
        ("enum Colour: green, pink", "enum Colour: green,, pink"),
        ('kind Stone "stone":', 'kind kind Stone "stone"'),
        ("  weight: 0..9", "  weight 0..9"),
        ("  | ruby | 3      |", "  | ruby | 3 3    |"),
        ("the game has:", "the game"),
        ("  heap: 0..9 = 5", "  heap heap: 0..9 = 5"),
        ("value rest(p) -> 0..9 = heap", "value rest(p) -> 0..9 = = heap"),
        ("to grab(p, n: 1..3):", "to grab(p, n: 1..3)):"),
        ("  heap -= n, at least 0", "  heap heap -= n, at least 0"),
        ("action take(p):", "action take(p:"),
        ("phase evening:", "phase:"),
        ("play:", "play"),
        ('game nim "Nim":', "game nim:"),
        ("to grab(p, n: 1..3):", "to gr}ab(p, n: 1..3):"),
        ("to grab(p, n: 1..3):", "to gra let n = 3"),
        ("  heap: 0..9 = 5", "  hea{p: 0..9 = 5"),
        ("  heap: 0..9 = 5", "  ap, 5 = heap taken:"),
        ('kind Stone "stone":', "kind St"),
        ('kind Stone "stone":', "kind Sto  colour: flag"),
        ("constant size = 3", "constant big = 4        nstant size = 3"),
        ("constant size = 3", "value big = min(4, constant size = 3"),
        ("value rest(p) -> 0..9 = heap", "value big = mialue rest(p) -> 0..9 = heap"),
        ("  heap: 0..9 = 5", '  pot: 0..9 = 5, called "the po  heap: 0..9 = 5, called "the heap"'),
    ],
)
def test_a_broken_line_is_told_alone_and_hides_no_unknown_name(line: str, broken: str) -> None:
    text = RULES.replace(line, broken)
    number = RULES.splitlines().index(line) + 1
    first = told(text)
    assert len(first) == 1, first
    assert first[0][0].startswith("E01")
    assert abs(first[0][1] - number) <= 1
    more = told(text + "value wrong = qwertz\n")
    assert more == [*first, ("E0201", len(text.splitlines()) + 1)]


@pytest.mark.parametrize(
    ("line", "broken"),
    [
        ("to grab(p, n: 1..3):", "ab(p, n: 1..3):"),
        ("value rest(p) -> 0..9 = heap", "st(p) -> 0..9 = heap"),
        ("phase evening:", ":"),
        ("constant size = 3", "die six: 1, 2,\n  size: 3"),
        ("value rest(p) -> 0..9 = heap", "value most = 3\n  -> 0..9 = heap"),
        ("  heap: 0..9 = 5", "  ap of matches, taken away"),
    ],
)
def test_the_one_name_that_is_unknown_is_that_of_a_line_without_its_beginning(line: str, broken: str) -> None:
    assert [code[:3] for code, _ in told(RULES.replace(line, broken))] == ["E01"]


def test_of_several_unknown_names_none_is_taken_for_that_of_a_line_without_its_beginning() -> None:
    text = RULES.replace("value rest(p) -> 0..9 = heap", "st(p) -> 0..9 = heap").replace("ruby to bag", "rubin to bag")
    assert [code for code, _ in told(text)] == ["E0118", "E0201", "E0201"]


def test_a_broken_scenario_hides_no_fault_of_another_one() -> None:
    scenarios = 'scenario "one":\n  given heap = = 3\nscenario "two":\n  given heep = 3\n'
    loaded = Workspace()
    loaded.put("/nim.rules", RULES + scenarios)
    assert [d.code for d in loaded.faults("/nim.rules")] == ["E0106", "E0201"]


def test_a_broken_include_may_have_declared_anything() -> None:
    text = RULES.replace("constant size = 3", 'include include "size.rules"').replace("ruby to bag", "rubin to bag")
    assert [code for code, _ in told(text)] == ["E0106"]


def test_the_language_service_tells_the_same() -> None:
    service = LanguageService()
    path = Path("/nim.rules")
    service.open(path, RULES.replace("size = 3", "size = = 3") + "value wrong = qwertz\n")
    assert [fault.code for fault in service.faults(path)[path]] == ["E0106", "E0201"]


# ------------------------------------------------------------------ shipped games, broken in one line


def broken_lines(text: str, rng: random.Random) -> Iterator[str]:
    """Yields texts with one token deleted or doubled, or half a line cut off, that can no longer be read."""
    lines = text.split("\n")
    while True:
        at = rng.randrange(len(lines))
        tokens = [token for token in _tokens(lines[at]) if token.type != "COMMENT"]
        if not tokens:
            continue
        line, token = lines[at], rng.choice(tokens)
        new = rng.choice(
            [
                line[: token.start] + line[token.end :].lstrip(" "),
                line[: token.end] + " " + line[token.start :],
                line[: rng.randrange(tokens[0].end, tokens[-1].end + 1)],
            ]
        )
        changed = "\n".join([*lines[:at], new, *lines[at + 1 :]])
        if new.strip() and any(d.is_error for d in parse(SourceText("broken", changed)).diagnostics):
            yield changed


def _tokens(line: str) -> list[Token]:
    return list(scan(read_tables(), line, 0, len(line)))


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("part", [".", "variants", "scenarios"])
def test_a_shipped_game_broken_in_one_line_tells_that_line_and_no_other(game: str, part: str) -> None:
    rng = random.Random(f"{game} {part}")
    folder = ROOT / "games" / game
    files = sorted((folder / part).glob("*.rules"))
    workspace = Workspace()
    path = rng.choice(files)
    text = next(broken_lines(path.read_text("utf-8"), rng))
    workspace.put(path, text)
    found = workspace.faults(folder / f"{game}.rules")
    assert [d.code[:3] for d in found] == ["E01"], (text, found)
    # Where the name of what is lost cannot be read, any unknown name may be that name.
    is_known = all(one.also not in ("anything", "a value") for one in parse(SourceText("", text)).module.unread)
    if part == "." and is_known:
        workspace.put(path, text + "\nvalue wrong = qwertz\n")
        again = workspace.faults(folder / f"{game}.rules")
        assert sorted(d.code[:3] for d in again) == ["E01", "E02"], (text, again)
