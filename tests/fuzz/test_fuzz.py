"""Attacks with seeded inputs: some hundred of each here, hours of them by `make fuzz`; what was ever found is tried each time."""

from __future__ import annotations

import json
import random
from array import array
from itertools import count
from pathlib import Path

import pytest

from rulelang.ir.encoding import data, schema
from rulelang.machines.generated import GeneratedMachine
from rulelang.machines.interpreter import Interpreter
from rulelang.program.low import model as low
from rulelang.program.low import row
from rulelang.program.python.compiled import Compiled
from tests.fuzz import bounds, cache, executors, functions, logs, mutants, texts, twins
from tests.fuzz.finding import Finding
from tests.seeds import few_of, rest_long

CORPUS = Path(__file__).parent / "corpus"
SEEDS = range(8)


def found(attack: str) -> list[Path]:
    return sorted((CORPUS / attack).glob("*"))


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_texts_that_nobody_wrote_are_read_and_formatted(seed: int) -> None:
    for number in range(40):
        texts.attack(random.Random(f"{seed} {number}"))


@pytest.mark.parametrize("path", found("texts"), ids=lambda path: path.stem)
def test_a_text_that_was_found_is_read_and_formatted(path: Path) -> None:
    text = path.read_bytes().decode("utf-8", "surrogatepass")
    texts.read(text)
    texts.formatted(text)


@pytest.mark.parametrize("seed", SEEDS)
def test_logs_that_were_changed_are_read_or_refused(seed: int) -> None:
    for number in range(40):
        logs.attack(random.Random(f"{seed} {number}"))


@pytest.mark.parametrize("path", found("logs"), ids=lambda path: path.stem)
def test_a_log_that_was_found_is_read_or_refused(path: Path) -> None:
    for number in range(len(logs.games())):
        logs.read(number, path.read_bytes())


@pytest.mark.long
@pytest.mark.parametrize("seed", SEEDS)
def test_what_was_changed_in_the_cache_runs_nothing(seed: int) -> None:
    for number in range(20):
        cache.attack(random.Random(f"{seed} {number}"))


@pytest.mark.long
def test_no_number_of_what_is_kept_can_be_python() -> None:
    tried = 0
    for text, sources in cache.kept():
        for changed in cache.every_field(json.loads(text)):
            cache.read(changed, sources)
            tried += 1
    assert tried > 2000


@pytest.mark.parametrize("path", found("cache"), ids=lambda path: path.stem)
def test_what_was_found_in_the_cache_runs_nothing(path: Path) -> None:
    for _, sources in cache.kept():
        cache.read(json.loads(path.read_bytes()), sources)


@pytest.mark.long
@pytest.mark.parametrize("kind", [*executors.PROGRAMS, "logged"])
def test_random_programs_go_alike_on_every_executor(kind: str) -> None:
    assert sum(executors.again(f"{kind} {seed}") for seed in range(3)) > 0


@pytest.mark.parametrize("path", rest_long(found("executors"), *found("executors")[4:9]), ids=lambda path: path.stem)
def test_a_program_that_was_found_goes_alike_on_every_executor(path: Path) -> None:
    executors.again(path.read_text())


@pytest.mark.parametrize("seed", few_of(12, few=2))
def test_rules_that_were_changed_go_alike_on_every_executor(seed: int) -> None:
    mutants.attack(random.Random(seed))


@pytest.mark.parametrize("path", found("mutants"), ids=lambda path: path.stem)
def test_changed_rules_that_were_found_go_alike_on_every_executor(path: Path) -> None:
    mutants.again(path.read_text("utf-8"))


@pytest.mark.long
def test_an_executor_that_differs_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Interpreter, "score", lambda self, seat: 10**6)
    with pytest.raises(Finding, match="the interpreting machine differs in a score"):
        executors.agree("any", 0)
    monkeypatch.undo()
    calls = count()
    monkeypatch.setattr(GeneratedMachine, "play_many", lambda _, games: array("q", [next(calls)]) * (4 * games.many))
    with pytest.raises(Finding, match="the native machine differs in a batch of games"):
        executors.agree("any", 0)


@pytest.mark.long
@pytest.mark.parametrize("found", ["history 415101380", "lasting 1", "lasting_board 1", "lasting_turns 1"])
def test_what_is_said_of_a_random_program_is_true_of_it(found: str) -> None:
    assert bounds.again(found) > 0


@pytest.mark.parametrize("path", found("bounds"), ids=lambda path: path.stem)
def test_what_was_not_true_of_a_program_that_was_found_is(path: Path) -> None:
    bounds.again(path.read_text())


@pytest.mark.parametrize("path", found("functions"), ids=lambda path: path.stem)
def test_a_function_that_was_found_does_the_same(path: Path) -> None:
    functions.again(path.read_text())


def test_what_is_not_true_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(row, "type_bounds", lambda type: low.Bounds(3, 3))
    with pytest.raises(Finding, match=r"which is not in Bounds\(low=3, high=3"):
        bounds.again("board 1")


@pytest.mark.parametrize("path", found("twins"), ids=lambda path: path.stem)
def test_a_game_that_told_a_secret_tells_it_no_more(path: Path) -> None:
    seed, _, number = path.read_text().partition(",")
    twins.looked_at(int(seed), int(number or 0) + 1)


def test_an_attack_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the attacks look for is found where it is put."""
    monkeypatch.setattr(texts, "format_source", lambda source: source.text + "# more\n")
    with pytest.raises(Finding, match="comments"):
        texts.formatted("constant a = 1\n")
    monkeypatch.setattr(logs, "parse_log", lambda file: 1 / 0)
    with pytest.raises(Finding, match="ZeroDivisionError"):
        logs.read(0, b"")


def test_python_of_a_stranger_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Compiled, "source", lambda self, traced: f"x = {cache.CANARY}\n")
    text, sources = min(cache.kept(), key=lambda kept: len(kept[0]))
    with pytest.raises(Finding, match="Python of a stranger"):
        cache.read(json.loads(text), sources)


@pytest.mark.long
def test_even_without_looking_at_each_field_no_text_becomes_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "look_at", lambda kind, values: None)
    monkeypatch.setattr(schema, "look_at_whole", lambda game, numbers: None)
    monkeypatch.setattr(data, "_Decoder", type("Lenient", (data._Decoder,), {"_count": lambda *_: None}))
    text, sources = min(cache.kept(), key=lambda kept: len(kept[0]))
    every = list(map(json.dumps, cache.every_field(json.loads(text))))
    assert len(every) > 100
    for spoilt in every:
        cache.read(json.loads(spoilt), sources)
