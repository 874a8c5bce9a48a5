"""What differs between two games, and whether it changes play."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import main
from rulelang import api
from rulelang.workbench.changes.differences import DifferenceKind, Effect, differences

NIM = """
game nim "Nim":
  players 2
  seats red, blue

names p: Player; n: 1..3
constant size = 21                                                   [N-1]

the game has:
  heap: 0..50 = size
  spare: 0..9 = 0

value left -> 0..50 = heap
action take(p, n) "Take {n}":
  needs n <= heap  "Only {heap} are left"                            [N-2]
  heap -= n

whenever heap == 50 as full: heap = 49

play:
  turns p from first_player:
    p chooses one of take
    if heap == 0: finish with winner p
"""


def game(folder: Path, text: str) -> api.Game:
    folder.mkdir(parents=True)
    path = folder / "nim.rules"
    path.write_text(text)
    checked = api.check(path)
    assert checked.game is not None, checked.diagnostics
    return checked.game


def changed(tmp_path: Path, old: str, new: str) -> list[tuple[str, DifferenceKind, Effect]]:
    assert old in NIM
    first, second = game(tmp_path / "a", NIM), game(tmp_path / "b", NIM.replace(old, new))
    return [(d.target, d.kind, d.effect) for d in differences(first, second)]


@pytest.mark.parametrize(
    ("old", "new", "target", "effect"),
    [
        ("constant size = 21 ", "constant size = 15 ", "`size`", Effect.PLAY),
        ("constant size = 21 ", "constant size = 3 * 7 ", "`size`", Effect.WORDS),
        ("[N-1]", "[N-9]", "`size`", Effect.WORDS),
        ('"Take {n}"', '"Remove {n}"', "`take`", Effect.WORDS),
        ('"Only {heap} are left"', '"Too many"', "`take`", Effect.WORDS),
        ("needs n <= heap", "needs n < heap", "`take`", Effect.PLAY),
        ("spare: 0..9 = 0", "spare: 0..9 = 1", "`spare` of the game", Effect.PLAY),
        ("heap == 50 as full: heap = 49", "heap == 50 as full: heap = 48", "`full`", Effect.PLAY),
        (
            "    if heap == 0: finish with winner p",
            "    if heap == 0: finish with winner next(p)",
            "`play`",
            Effect.PLAY,
        ),
        ('"Nim"', '"Nimm"', "the `title` line", Effect.WORDS),
        ("players 2\n", "players 2..2\n", "the `players` line", Effect.WORDS),
        ("seats red, blue", "seats blue, red", "the `seats` line", Effect.PLAY),
    ],
)
def test_a_changed_declaration_is_named_and_its_effect_is_tried(
    old: str, new: str, target: str, effect: Effect, tmp_path: Path
) -> None:
    assert changed(tmp_path, old, new) == [(target, DifferenceKind.CHANGED, effect)]


def test_what_is_new_and_what_is_gone_is_told(tmp_path: Path) -> None:
    spare = "whenever heap == 50 as full: heap = 49\n"
    assert changed(tmp_path, spare, "") == [("`full`", DifferenceKind.REMOVED, Effect.PLAY)]
    assert changed(tmp_path / "more", spare, spare + "value double -> 0..100 = 2 * heap\n") == [
        ("`double`", DifferenceKind.ADDED, Effect.WORDS)
    ]


def test_what_cannot_be_checked_alone_changes_play_with_others(tmp_path: Path) -> None:
    first = game(tmp_path / "a", NIM)
    second = game(tmp_path / "b", NIM.replace("size", "matches"))
    told = {d.target: d.effect for d in differences(first, second)}
    assert told["`size`"] is Effect.TOGETHER
    assert told["`matches`"] is Effect.WORDS


def test_two_declarations_without_a_name_are_held_apart(tmp_path: Path) -> None:
    twice = "after eliminate(p): heap = 9\nafter eliminate(p): heap = 8\nplay:\n"
    assert changed(tmp_path, "play:\n", twice) == [
        ("`after eliminate`", DifferenceKind.ADDED, Effect.PLAY),
        ("`after eliminate`", DifferenceKind.ADDED, Effect.PLAY),
    ]


@pytest.mark.long
@pytest.mark.parametrize("name", api.games())
def test_a_game_does_not_differ_from_itself(name: str) -> None:
    assert differences(api.load(name), api.load(name)) == ()


@pytest.mark.long
def test_the_command_tells_texts_clauses_and_scenarios() -> None:
    result = CliRunner().invoke(main, ["diff", "exit_velocity", "exit_velocity+short"])
    assert result.exit_code == 0
    assert "changed  `Ship`" in result.output
    assert result.output.splitlines()[-1].startswith("3 changed; 2 can change play; scenarios: ")
    told = json.loads(CliRunner().invoke(main, ["diff", "outspeed", "outspeed+sprint", "--json"]).output)
    assert told["same_play"] is False
    assert {d["effect"] for d in told["differences"]} == {"changes play", "words alone"}


def test_rules_with_faults_end_the_command(tmp_path: Path) -> None:
    (tmp_path / "bad.rules").write_text('game bad "Bad":\n  players 2\n')
    result = CliRunner().invoke(main, ["diff", "outspeed", str(tmp_path / "bad.rules")])
    assert result.exit_code == 1
