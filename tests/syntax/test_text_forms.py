"""One game, however its files were written: line ends, byte order marks and Unicode forms change nothing but bytes."""

from __future__ import annotations

import shutil
import unicodedata
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import main
from rulelang import api
from rulelang.driver.kept import made_of, read_game
from rulelang.rulebook.ledger import check_citations, check_silence, clauses_of
from rulelang.scenarios.run import run_scenarios
from rulelang.source import SourceText
from rulelang.syntax.parser import parse
from tests.files import GAMES

CAFE = '''\
game cafe "Caf\u00e9":
  players 2
  rulebook "cl\u00e1usulas.toml"

include "b\u00e9b\u00e9.rules"

names p: Player; s: Space

board Space: square
  mark: flag = no
  | mark | mark |
  map """
    . \u00e9 .
    . . .
  """

action go(p, s) "\u00c0 {s}":                                              [C-1]
  needs s.row == 1  "\u00catre l\u00e0"
  tables += 1

play:                                                                [C-1]
  turns p from first_player: p chooses one of go, or stop
'''.replace("  mark: flag = no\n  | mark | mark |\n", '  door: flag = no\n  | mark | door |\n  | "\u00e9"  | yes  |\n')
BABY = "the game has:\n  tables: 0..99 = 0                                                  [C-1]\n"
VARIANT = 'variant big of cafe "Plus grand \u00e9t\u00e9":\n  replace action go(p, s) "\u00c0 {s}":\n    tables += 2\n'
SCENARIO = 'scenario "\u00e0 c\u00f4t\u00e9":\n  players player1, player2\n  player1: go(b1)\n  expect tables == 1\n'
LEDGER = '[[clause]]\nid = "C-1"\nkind = "rule"\ntext = "D\u00e9j\u00e0 vu: on va \u00e0 une table."\n'
FILES = {
    "cafe.rules": CAFE,
    "b\u00e9b\u00e9.rules": BABY,
    "cl\u00e1usulas.toml": LEDGER,
    "variants/big.rules": VARIANT,
    "scenarios/first.rules": SCENARIO,
}

Form = Callable[[str], str]


def mixed(text: str) -> str:
    ends = ["\r\n", "\n", "\r"]
    return "".join(line + ends[n % 3] for n, line in enumerate(text.split("\n")[:-1]))


FORMS: dict[str, Form] = {
    "CRLF": lambda text: text.replace("\n", "\r\n"),
    "CR": lambda text: text.replace("\n", "\r"),
    "all three": mixed,
    "a byte order mark": lambda text: "\ufeff" + text,
    "NFD": lambda text: unicodedata.normalize("NFD", text),
    "all at once": lambda text: "\ufeff" + mixed(unicodedata.normalize("NFD", text)),
}


def write(folder: Path, form: Form) -> Path:
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(form(text).encode())
    return folder


def facts(entry: Path) -> dict[str, object]:
    """All that is made of a game: both digests of it and of its variant, its spaces, verdicts and clauses."""
    whole, big = api.load(entry), api.load(f"{entry}+big")
    scenarios = [(result.name, result.passed) for result in run_scenarios(whole)]
    return {
        "digests": [(game.rules_hash, game.text_hash) for game in (whole, big)],
        "spaces": [kind.names for kind in whole.ir.kinds if kind.name == "Space"],
        "tables": whole.ir.tables,
        "scenarios": scenarios,
        "clauses": clauses_of(whole.internals.loaded.ledger),
        "findings": [(d.code, d.message) for d in (*check_citations(whole), *check_silence(whole))],
    }


@pytest.fixture
def plain(tmp_path: Path) -> dict[str, object]:
    return facts(write(tmp_path / "plain" / "cafe", str))


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_a_game_is_the_same_game(form: str, tmp_path: Path, plain: dict[str, object]) -> None:
    folder = write(tmp_path / "formed" / "cafe", FORMS[form])
    for _ in ("checked", "from the cache"):
        assert facts(folder) == plain
    assert plain["scenarios"] == [("\u00e0 c\u00f4t\u00e9", True)]


@pytest.mark.parametrize("form", FORMS)
def test_what_was_kept_of_one_form_counts_for_the_others(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULELANG_CACHE", str(tmp_path / "cache"))
    api.load(write(tmp_path / "plain" / "cafe", str))
    made = made_of(write(tmp_path / "formed" / "cafe", FORMS[form]) / "cafe.rules", ())
    assert made is not None
    assert read_game(made) is not None


@pytest.mark.long
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["outspeed", "empty_space"])
def test_every_form_of_a_game_that_ships_is_the_same_game(name: str, form: str, tmp_path: Path) -> None:
    folder = tmp_path / name
    shutil.copytree(GAMES / name, folder)
    for path in (*folder.rglob("*.rules"), *folder.rglob("*.toml")):
        path.write_bytes(FORMS[form](path.read_bytes().decode()).encode())
    formed, plain = api.check(folder).game, api.check(name).game
    assert formed is not None
    assert plain is not None
    assert (formed.rules_hash, formed.text_hash) == (plain.rules_hash, plain.text_hash)


@pytest.mark.parametrize("form", FORMS)
def test_fmt_writes_one_form(form: str, tmp_path: Path) -> None:
    path = tmp_path / "cafe.rules"
    path.write_bytes(FORMS[form](CAFE).encode())
    runner = CliRunner()
    assert runner.invoke(main, ["fmt", "--check", str(path)]).exit_code == 1
    assert runner.invoke(main, ["fmt", str(path)]).exit_code == 0
    assert b"\r" not in path.read_bytes()
    assert path.read_bytes().decode() == unicodedata.normalize("NFC", path.read_bytes().decode()).removeprefix("\ufeff")
    assert runner.invoke(main, ["fmt", "--check", str(path)]).exit_code == 0
    piped = runner.invoke(main, ["fmt", "-"], input=FORMS[form](CAFE).encode())
    assert piped.stdout_bytes == path.read_bytes()
    assert runner.invoke(main, ["fmt", "--check", "-"], input=FORMS[form](CAFE).encode()).exit_code == 1


def test_a_log_with_a_byte_order_mark_and_other_line_ends_is_read(tmp_path: Path) -> None:
    match = api.load("outspeed").start(players=3, seed=7)
    match.play(match.options[0])
    path = tmp_path / "race.jsonl"
    path.write_bytes(("\ufeff" + match.log.text.replace("\n", "\r\n")).encode())
    assert api.replay(path).difference is None


def test_places_are_those_of_the_file_however_its_lines_end() -> None:
    for ends in ("\n", "\r\n", "\r"):
        (found,) = parse(SourceText("nim.rules", f"constant a = 1{ends}constant b = = 2{ends}")).diagnostics
        assert found.span.place == "nim.rules:2:14"


def test_in_a_map_what_looks_like_a_letter_or_a_blank_is_named(tmp_path: Path) -> None:
    """A mark of another alphabet is not the mark of the legend; a blank of another kind moves what follows it."""
    marks = 'board Space: square\n  map """\n    \u0430 .\n    .\u3000.\n  """\n'
    found = parse(SourceText("map.rules", marks)).diagnostics
    assert [(d.code, d.span.place) for d in found] == [("W0123", "map.rules:3:5"), ("W0122", "map.rules:4:6")]
    graph = 'board City: graph\n  map """\n    gate\n    h\u0430rbour: gate\n  """\n'
    path = tmp_path / "city.rules"
    path.write_text('game city "City":\n  players 2\n' + graph + "play:\n  settle\n")
    assert {(d.code, d.span.place) for d in api.check(path).diagnostics} == {
        ("W0123", "city.rules:6:6"),
        ("E0314", "city.rules:6:5"),
    }
