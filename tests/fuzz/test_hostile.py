"""Bad input: each gets a clear message, through the library and through the command line; nothing hangs, nothing is lost.

No test measures time, but one that is generous: what would hang, hangs here.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import attrs
import pytest
from click.testing import CliRunner, Result

from cli.main import main
from rulelang import api
from rulelang.errors import RunawayRules
from rulelang.scenarios.run import run_scenarios

NIM = """\
game nim "Nim":
  players 2
  seats red, blue

names p: Player

the game has:
  heap: 0..9 = 5

action take(p, n: 1..9) "Take {n}":
  needs n <= heap  "Too many"
  heap -= n

play:
  turns p from first_player:
    p chooses one of take
    if heap == 0: finish with winner p
"""

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@attrs.frozen
class Evil:
    """A file with one evil in it, and what is said about it."""

    name: str
    content: str | bytes
    code: str
    words: str


def nim(more: str) -> str:
    return NIM + "\n" + more


EVILS = (
    Evil("noise", bytes(range(256)) * 8, "E0216", "cannot be decoded as UTF-8"),
    Evil("utf 16", NIM.encode("utf-16"), "E0216", "cannot be decoded as UTF-8"),
    Evil("nothing", "", "E0211", "is empty: no game"),
    Evil("blanks", " \n\n  \n", "E0211", "is empty: no game"),
    Evil("no game", "constant a = 1\n", "E0211", "no game is declared"),
    Evil("a tab", NIM.replace("  players", "\tplayers"), "E0101", "a tab stands here"),
    Evil("a NUL", NIM.replace("Too", "T\0o"), "E0102", "control character (U+0000)"),
    Evil("escape codes", NIM.replace("Too", "\x1b[2J\x1b]0;owned\x07"), "E0102", "control character (U+001B)"),
    Evil("text that runs backwards", NIM.replace("Too", "\u202eToo"), "E0102", "control character (U+202E)"),
    Evil("brackets", nim(f"constant x = {'(' * 10_000}1{')' * 10_000}\n"), "E0104", "nested too deeply"),
    Evil("braces in a text", nim('screen:\n  line "' + "{x" * 5_000 + '"\n'), "E0110", "without its"),
    Evil("blocks", nim("setup:\n" + "".join("  " * i + "if yes:\n" for i in range(1, 100))), "E0104", "too deeply"),
    Evil("signs", nim(f"constant x = {'-' * 10_000}1\n"), "E0104", "nested too deeply"),
    Evil("a number", nim("constant x = 99999999999999999999\n"), "E0111", "does not fit in 32 bits"),
    Evil("a product", nim("constant x = 2000000000 * 2000000000\n"), "E0306", "too large"),
    Evil("a set", nim("value v = 0..2000000000\n"), "E0310", "a set of numbers holds 0..4095"),
    Evil("a table", nim("kind K:\n  n: 0..9\n  | n |\n" + "  | 1 |\n" * 10**6), "E0215", "too large"),
    Evil("a table that fits", nim("kind K:\n  n: 0..9\n  | n |\n" + "  | 1 |\n" * 5000), "E0313", "too many"),
    Evil("copies", nim("kind K:\n  n: 0..9\n  | copies     | n |\n  | 2000000000 | 1 |\n"), "E0313", "too many"),
    Evil("words", nim("x " * 300_000), "E0105", "too large"),
    Evil("values", nim("the game has:\n  a(x: 0..2000000000, y: 0..2000000000): 0..9 = 0\n"), "E0313", "values"),
    Evil("all values", nim("the game has:\n" + "".join(f"  a{i}(x: 0..99999): 0..9 = 0\n" for i in range(20))), "E0313", "in all"),
    Evil("members", nim("enum E: " + ", ".join(f"e{i}" for i in range(9000)) + "\n"), "E0313", "9000 members"),
    Evil("faces", nim("die d: 0..4000\n"), "E0313", "4001 faces"),
    Evil("dice", nim("".join(f"die d{i}: 1, 2\n" for i in range(300))), "E0313", "too many dice"),
    Evil("wrong names", nim("setup:\n" + "".join(f"  heep{i} = 1\n" for i in range(2000))), "E0201", "nothing named"),
    Evil("an endless loop", nim("phase x:\n  repeat:\n    heap = heap\n"), "E0404", "this loop never ends"),
    Evil("a circle of verbs", nim("to a(): b()\nto b(): a()\n"), "E0405", "in a circle"),
    Evil("a circle of constants", nim("constant a = b\nconstant b = a\n"), "E0405", "depend on each other"),
    Evil("a way of verbs", nim("to v0(): settle\n" + "".join(f"to v{i}(): v{i - 1}()\n" for i in range(1, 2000))), "E0406", "too many calls"),
    Evil("a way of constants", nim("".join(f"constant c{i} = c{i + 1}\n" for i in range(3000)) + "constant c3000 = x\n"), "E0201", "`x`"),
    Evil("growth", nim("enum E: a, b\nvalue v = " + "next(" * 30 + "a" + ")" * 30 + "\n"), "E0317", "too large"),
    Evil("an include that climbs", nim('include "../canary.rules"\n'), "E0213", "inside the game's folder"),
    Evil("an include from the root", nim('include "/etc/passwd"\n'), "E0213", "inside the game's folder"),
    Evil("an include by a link", nim('include "link.rules"\n'), "E0213", "inside the game's folder"),
    Evil("an include of a link to itself", nim('include "round.rules"\n'), "E0213", "inside the game's folder"),
    Evil("an include of itself", nim('include "evil.rules"\n'), "E0214", "includes itself"),
    Evil("an include in a circle", nim('include "there.rules"\n'), "E0214", "includes itself"),
    Evil("an include of a folder", nim('include "folder.rules"\n'), "E0215", "this is not a file"),
    Evil("an include of a pipe", nim('include "pipe.rules"\n'), "E0215", "this is not a file"),
    Evil("an include of nothing", nim('include "nowhere.rules"\n'), "E0215", "cannot be read"),
    Evil("an include with a long name", nim(f'include "{"x" * 9000}.rules"\n'), "E0215", "cannot be read"),
    Evil("includes that double", nim('include "d0.rules"\n'), "E0215", "at most 200 files"),
    Evil("a ledger that climbs", NIM.replace("  seats", '  rulebook "../canary.toml"\n  seats'), "E0213", "ledger"),
    Evil("a ledger that is no table", NIM.replace("  seats", '  rulebook "deep.toml"\n  seats'), "E0215", "ledger"),
    Evil("a ledger that is a pipe", NIM.replace("  seats", '  rulebook "pipe.rules"\n  seats'), "E0215", "not a file"),
)  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with traps in it, and a canary outside that no message may sing of."""
    (tmp_path / "canary.rules").write_text("enum Canary: sings\n")
    (tmp_path / "canary.toml").write_text('[[clause]]\nid = "CANARY-1"\n')
    game = tmp_path / "g"
    game.mkdir()
    (game / "link.rules").symlink_to("../canary.rules")
    (game / "round.rules").symlink_to("round.rules")
    (game / "there.rules").write_text('include "back.rules"\n')
    (game / "back.rules").write_text('include "there.rules"\n')
    (game / "folder.rules").mkdir()
    os.mkfifo(game / "pipe.rules")
    (game / "deep.toml").write_text("a = " + "[" * 10_000)
    for i in range(12):
        (game / f"d{i}.rules").write_text(f'include "d{i + 1}.rules"\n' * 2)
    (game / "d12.rules").write_text("# the last\n")
    return game


@pytest.fixture
def written(folder: Path) -> Callable[[str | bytes], Path]:
    """Writes a rules file into the folder."""

    def write(content: str | bytes) -> Path:
        path = folder / "evil.rules"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def run(*words: str | Path, input: str = "") -> Result:
    """Runs a command; whatever comes of it, it is no traceback and nothing that a terminal obeys."""
    result = CliRunner().invoke(main, [str(w) for w in words], input=input, env={"COLUMNS": "120", "NO_COLOR": "1"})
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    assert "Traceback" not in result.output
    assert not CONTROL.search(result.output)
    return result


# ------------------------------------------------------------------ rules


@pytest.mark.parametrize("evil", EVILS, ids=lambda evil: evil.name)
def test_a_bad_file_is_refused_in_words(evil: Evil, written: Callable[[str | bytes], Path]) -> None:
    checked = api.check(written(evil.content))
    assert checked.game is None
    assert any(d.code == evil.code and evil.words in d.message + d.primary.text for d in checked.diagnostics), [
        (d.code, d.message) for d in checked.diagnostics[:5]
    ]


@pytest.mark.parametrize("evil", EVILS, ids=lambda evil: evil.name)
def test_the_command_line_says_it_and_leaves_with_1(evil: Evil, written: Callable[[str | bytes], Path]) -> None:
    result = run("check", written(evil.content))
    assert result.exit_code == 1
    assert evil.code in result.output or "more" in result.output
    assert "anary" not in result.output.replace("canary.rules", "").replace("canary.toml", "")


def test_what_lies_beside_a_game_is_read_only_inside_its_folder(folder: Path) -> None:
    (folder / "g.rules").write_text(NIM)
    for name in ("variants", "scenarios"):
        (folder / name).mkdir()
        (folder / name / "link.rules").symlink_to("../../canary.rules")
        os.mkfifo(folder / name / "pipe.rules")
    checked = api.check(folder)
    assert [d.code for d in checked.diagnostics] == ["E0213", "E0215", "E0213", "E0215"]
    assert "Canary" not in run("check", folder).output


@pytest.mark.parametrize("name", ["nosuch", "nosuch.rules", "/dev/zero", "no/such/place", "a\x1b[2Jb", "x" * 5000, ""])
def test_a_game_that_is_not_there_is_named(name: str) -> None:
    result = run("check", name)
    assert result.exit_code == 3
    assert "there is no" in result.output


def test_names_of_python_and_of_the_engine_are_names_like_any_other(written: Callable[[str | bytes], Path]) -> None:
    words = ("__import__", "exec", "class", "lambda", "None", "S", "M", "NONE", "members", "print", "__class__", "x1")
    rules = "the game has:\n" + "".join(f"  {word}: 0..9 = 3\n" for word in words)
    rules += "setup:\n" + "".join(f"  {word} += 1\n" for word in words)
    path = written(nim(rules))
    assert run("check", path).exit_code == 0
    game = api.load(path)
    for executor in ("generated", "reference"):
        match = game.start(executor=executor)
        match.play("red: take(5)")
        assert match.outcome is not None


def test_a_label_cannot_speak_to_the_terminal_or_to_the_one_who_draws_it(
    written: Callable[[str | bytes], Path],
) -> None:
    path = written(NIM.replace("Take {n}", "[bold red]Take[/] {{n}} [link=file:///etc]{n}[/link] \\\\x1b"))
    result = run("play", path, "--seed", "1", "--seat", "all=first", "--fast")
    assert result.exit_code == 0
    assert "[bold red]" in run("play", path, "--seed", "1", "--players", "2", input="1\nquit\n").output


# ------------------------------------------------------------------ rules that run away

SPIN = """\
game spin "Spin":
  players 2
names p: Player
the game has:
  x: 0..9 = 1
  y: 0..9 = 1
{}
action go(p) "Go":
{}
play:
  turns p from first_player: p chooses one of go, or pass
"""

LITTLE = 200_000
RUNAWAYS = {
    "a loop while something holds": ("", "  repeat while x > 0: x = 1"),
    "a loop of many times": ("", "  repeat 2000000000 times: x = 1"),
    "whenever-rules that never settle": ("whenever y == 2: x = 3 - x", "  y = 2"),
    "a choice that is forced": ("", "  repeat while x > 0: p chooses x in {1}"),
    "turns that nobody takes": ("", "  turns p from first_player:\n    if x == 3: stop"),
    "many dice": ("die d: 0, 0", "  let n = roll(d, 2000000000)"),
}


@pytest.mark.long
@pytest.mark.parametrize("executor", ["generated", "reference"])
@pytest.mark.parametrize("name", RUNAWAYS)
def test_rules_that_do_not_end_are_stopped(name: str, executor: str, written: Callable[[str | bytes], Path]) -> None:
    game = api.load(written(SPIN.format(*RUNAWAYS[name])))
    if executor == "reference":  # It takes all steps before it stops; `machines/test_reference.py` waits for 8,000,000.
        game = api.Game(attrs.evolve(game.internals, ir=attrs.evolve(game.ir, steps=LITTLE)))
    match = game.start(executor=executor, traced=False)
    with pytest.raises(RunawayRules):
        match.play("player1: go")


def test_a_game_that_went_wrong_keeps_its_log(written: Callable[[str | bytes], Path], tmp_path: Path) -> None:
    path, log = written(SPIN.format(*RUNAWAYS["a loop of many times"])), tmp_path / "spin.jsonl"
    result = run("play", path, "--log", log, "--seed", "1", input="1\n")
    assert result.exit_code == 1
    assert "steps without a choice" in result.output
    *_, last_input, _, fault = log.read_text().splitlines()
    assert json.loads(last_input)["option"] == "go"
    assert "steps without a choice" in json.loads(fault)["fault"]


# ------------------------------------------------------------------ logs


@pytest.fixture(scope="module")
def race(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A whole log of a game of outspeed."""
    path = tmp_path_factory.mktemp("log") / "race.jsonl"
    assert run("play", "outspeed", "--seed", "3", "--seat", "all=random", "--fast", "--log", path).exit_code == 0
    assert run("replay", path, "--json").exit_code == 0
    return path.read_bytes()


@pytest.fixture
def log(tmp_path: Path, race: bytes) -> Path:
    path = tmp_path / "race.jsonl"
    path.write_bytes(race)
    return path


LOGS: dict[str, tuple[Callable[[list[bytes]], bytes], int]] = {
    "nothing": (lambda lines: b"", 3),
    "noise": (lambda lines: bytes(range(256)) * 64, 3),
    "no log": (lambda lines: b'{"name": "a package", "version": 1}\n', 3),
    "a list": (lambda lines: b"[1, 2, 3]\n", 3),
    "deep brackets": (lambda lines: b"[" * 100_000 + b"\n", 3),
    "a long number": (lambda lines: b'{"rulelang": "log", "format": ' + b"9" * 10_000 + b"}\n", 3),
    "from the future": (lambda lines: re.sub(rb'"format":\d+', b'"format":99', lines[0]) + b"".join(lines[1:]), 3),
    "another game": (lambda lines: lines[0].replace(b'"outspeed"', b'"nosuch"') + b"".join(lines[1:]), 3),
    "a path for a game": (
        lambda lines: lines[0].replace(b'"outspeed"', b'"../../etc/passwd"') + b"".join(lines[1:]),
        3,
    ),
    "a line left out": (lambda lines: b"".join(lines[: len(lines) // 2] + lines[len(lines) // 2 + 1 :]), 3),
    "a line twice": (lambda lines: b"".join([*lines[:9], lines[8], *lines[9:]]), 3),
    "no header": (lambda lines: b"".join(lines[1:]), 3),
    "another seed": (lambda lines: re.sub(rb'"seed":\w+', b'"seed":4', lines[0]) + b"".join(lines[1:]), 3),
}


@pytest.mark.parametrize("name", LOGS)
def test_a_bad_log_is_refused_in_words(name: str, log: Path) -> None:
    change, code = LOGS[name]
    log.write_bytes(change(log.read_bytes().splitlines(keepends=True)))
    result = run("replay", log)
    assert result.exit_code == code, result.output
    assert result.output.startswith("Error: ")
    assert len(result.output) < 1000


def test_a_log_cut_off_anywhere_is_read_up_to_there(log: Path) -> None:
    whole = log.read_bytes()
    for part in (len(whole) - 1, len(whole) // 2, len(whole) // 3):
        log.write_bytes(whole[:part])
        assert run("replay", log, "--json").exit_code in (0, 3)
    lines = whole.splitlines(keepends=True)
    log.write_bytes(b"".join(lines[: len(lines) // 2]) + lines[len(lines) // 2][:20])
    result = run("replay", log, "--json")
    assert result.exit_code == 0, result.output


# ------------------------------------------------------------------ scenarios, options, answers


@pytest.mark.long
def test_a_scenario_that_runs_away_has_not_passed(written: Callable[[str | bytes], Path]) -> None:
    rules = SPIN.format(*RUNAWAYS["a loop of many times"])
    rules += 'scenario "round and round":\n  players red, blue\n  red: go\n  expect x == 1\n'
    game = api.load(written(rules))
    few_steps = api.Game(attrs.evolve(game.internals, ir=attrs.evolve(game.ir, steps=LITTLE)))
    (result,) = run_scenarios(few_steps, executor="both")
    assert not result.passed
    assert any("steps without a choice" in fault.message for fault in result.faults)


@pytest.mark.long
def test_options_beyond_counting_are_lazy(written: Callable[[str | bytes], Path]) -> None:
    game = api.load(written(SPIN.format("", "  p chooses some in 20 of 0..40\n  x = 2")))
    match = game.start()
    match.play("player1: go")
    assert len(list(islice(match.options, 5))) == 5
    assert bool(match.options)


@pytest.mark.parametrize("answer", ["", "\x1b[2J", "take(" * 1000, "take(99999999999999999999)", "nobody", "1" * 5000])
def test_a_hostile_answer_is_refused_at_the_prompt(answer: str, written: Callable[[str | bytes], Path]) -> None:
    result = run("play", written(NIM), "--seed", "1", input=f"{answer}\nquit\n")
    assert result.exit_code == 0
