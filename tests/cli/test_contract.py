"""Five commands that answer questions keep one contract: `--json` is one document on standard output, all else is on standard error.

Exit codes: 0 the question was answered, whatever the answer; 1 it cannot be, as where rules have faults; 2 the command was
called wrongly; 3 a file or a log cannot be read.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli.main import main
from rulelang import api
from tests.files import CLASSICS

VARIANTS = """variant short of nim "Short":
  replace the game has:
    heap: 0..21 = 9

variant broken of nim "Broken":
  constant nothing = nowhere
"""
COMMANDS = {
    "diff": ("diff", "nim.rules", "{rules}"),
    "diff games": ("diff", "nim.rules", "{rules}", "--games", "4"),
    "impact": ("impact", "{rules}", "{log}", "--jobs", "1"),
    "why": ("why", "{log}", "heap@1", "--game", "{rules}"),
    "bisect": ("bisect", "{log}", "--from", "nim.rules", "--to", "{rules}"),
    "log query": ("log", "query", "{log}", "select count(*) as many from inputs"),
}
READS_RULES = [name for name in COMMANDS if name != "log query"]
READS_LOGS = [name for name in COMMANDS if not name.startswith("diff")]
SHORT, BROKEN = "nim.rules+v.rules+short", "nim.rules+v.rules+broken"
Ask = Callable[..., Result]


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Returns a function that asks a command of this name, by default about what is in order."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(CLASSICS / "nim.rules", "nim.rules")
    Path("v.rules").write_text(VARIANTS)
    match = api.load("nim.rules").start(seed=2)
    while match.to_move:
        match.play(match.options[0])
    match.log.save("nim.jsonl")

    def ask(name: str, *more: str, rules: str = SHORT, log: str = "nim.jsonl") -> Result:
        words = [word.format(rules=rules, log=log) for word in COMMANDS[name]]
        return CliRunner().invoke(main, [*words, *more])

    return ask


@pytest.mark.parametrize("name", COMMANDS)
def test_an_answer_is_one_document_and_success(name: str, ask: Ask) -> None:
    result = ask(name, "--json")
    assert result.exit_code == 0, result.stderr
    assert isinstance(json.loads(result.stdout), dict | list)


@pytest.mark.parametrize("name", READS_RULES)
def test_an_answer_that_nothing_differs_is_a_success_too(name: str, ask: Ask) -> None:
    result = ask(name, "--json", rules="nim.rules")
    assert result.exit_code == 0, result.stderr
    json.loads(result.stdout)


@pytest.mark.parametrize("more", [(), ("--json",)])
@pytest.mark.parametrize("name", READS_RULES)
def test_rules_with_faults_leave_no_answer(name: str, more: tuple[str, ...], ask: Ask) -> None:
    result = ask(name, *more, rules=BROKEN)
    assert result.exit_code == 1
    assert "nowhere" in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_that_is_called_wrongly_says_so(name: str, ask: Ask) -> None:
    result = ask(name, "--jsonn")
    assert result.exit_code == 2
    assert "No such option" in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("name", READS_RULES)
def test_rules_that_are_not_there_cannot_be_read(name: str, ask: Ask) -> None:
    result = ask(name, "--json", rules="nowhere.rules")
    assert result.exit_code == 3, result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("name", READS_LOGS)
def test_a_log_that_is_not_there_cannot_be_read(name: str, ask: Ask) -> None:
    result = ask(name, "--json", log="nowhere.jsonl")
    assert result.exit_code == 3, result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("name", [name for name in READS_LOGS if name != "log query"])
def test_what_is_no_log_cannot_be_read(name: str, ask: Ask) -> None:
    """A question in SQL has a row for each file, which says why it cannot be read."""
    Path("junk.jsonl").write_text("no log\n")
    result = ask(name, "--json", log="junk.jsonl")
    assert result.exit_code == 3, result.stderr
    assert "junk.jsonl" in result.stderr


@pytest.mark.long
@pytest.mark.parametrize("rules", ["alone.rules", "alone"])
def test_a_file_or_folder_of_variants_alone_is_in_force_as_a_whole(rules: str, ask: Ask) -> None:
    """As with `replay --under`: nobody means the game as it is."""
    entry = Path(rules) if rules.endswith(".rules") else Path(rules) / "alone.rules"
    entry.parent.mkdir(exist_ok=True)
    entry.write_text('variant slow of outspeed "Slow":\n  constant starting_fuel = 4\n')
    match = api.load("outspeed").start(seed=1)
    for _ in range(12):
        match.play(match.options[0])
    match.log.save("race.jsonl")
    verdicts = json.loads(ask("impact", "--json", rules=rules, log="race.jsonl").stdout)["verdicts"]
    assert verdicts["unchanged"] == 0


def test_bots_are_greedy_where_the_rules_score_and_random_where_they_do_not(ask: Ask) -> None:
    assert json.loads(ask("diff games", "--json").stdout)["bots"] == ["random"]
    Path("v.rules").write_text(VARIANTS.replace("= 9\n", "= 9\n  value score(p) = heap\n"))
    scored = json.loads(ask("diff games", "--json").stdout)
    assert scored["bots"] == ["random"], "one of the two has no score"
    Path("nim.rules").write_text(Path("nim.rules").read_text() + "\nvalue score(p) = heap\n")
    Path("v.rules").write_text(VARIANTS)
    assert json.loads(ask("diff games", "--json").stdout)["bots"] == ["greedy"]
    assert ask("impact", "--policy", "bot", "--json").exit_code == 0
    assert ask("diff games", "--bots", "nobody").exit_code == 2
