"""A log that is played on a machine alone: the same lines as a match writes, and nothing else passes for them."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import attrs
import pytest

from rulelang import Game, Match, api
from rulelang.errors import RuntimeRules
from rulelang.knowledge.analysis import secrets_of
from rulelang.log import replay as replaying
from rulelang.log.bare.run import Unlike, played_bare
from rulelang.log.format import Chain, Log, canonical
from rulelang.log.reading import ReadLog
from rulelang.log.recorded import Recorded
from rulelang.log.replay import Replay
from rulelang.machines.chance import Seeded
from rulelang.machines.executors import Runnable, executor_called
from rulelang.machines.generated import GeneratedMachine
from rulelang.machines.machine import Chance
from rulelang.machines.native.machine import NativeMachine
from rulelang.match.match import BareMatch
from rulelang.program.layout import lay_out
from tests.files import CLASSICS, ROOT
from tests.generators.ir import random_game
from tests.log.test_log import as_read, header, play_on
from tests.seeds import rest_long

GAMES = ("outspeed", "empty_space", "exobase", "exit_velocity", "exit_velocity+untimed", "outspeed+hungry")
PLACES = [*GAMES, *(str(path.relative_to(ROOT)) for path in sorted(CLASSICS.glob("*.rules")))]


def loaded(name: str) -> Game:
    return api.load(ROOT / name if name.endswith(".rules") else name)


def played(game: Game, seed: int = 1, most: int = 250) -> Match:
    """Returns a random match in which a few answers are taken back."""
    match, rng = game.start(seed=seed), random.Random(seed)
    for ply in range(most):
        if not match.to_move:
            break
        match.push(match.options.pick(rng.randrange))
        if ply % 17 == 9:
            match.undo()
    return match


def bare(log: ReadLog, game: Game) -> list[object]:
    begun = game.internals.begin(log.header, Seeded(log.header.seed or 0, game.ir, game.internals.layout))
    chance = Recorded(log.header.seed, game.ir, game.internals.layout, game.internals.secrets.picks)
    return list(played_bare(log, begun, chance, game.internals.phrases, compares=True))


def never(*_: object, **__: object) -> list[object]:
    raise Unlike


@pytest.mark.long
@pytest.mark.parametrize("name", PLACES)
def test_a_machine_alone_writes_the_lines_that_a_match_writes(name: str) -> None:
    game = loaded(name)
    match = played(game)
    log = as_read(match.log.text)
    assert len(bare(log, game)) == len(log.steps) - 1


@pytest.mark.long
@pytest.mark.parametrize("seed", range(20))
def test_so_it_does_in_a_game_that_nobody_would_write(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = random_game(seed)
    layout = lay_out(game)
    machine = executor_called("generated").prepare(Runnable(game, layout))

    def start(chance: Chance) -> BareMatch:
        return BareMatch(game, layout, machine, len(game.seats), chance=chance, secrets=secrets_of(game))

    try:
        match = play_on(start(Seeded(1, game, layout)), 30, seed)
    except RuntimeRules:
        pytest.skip("its rules go wrong")
    log = as_read(Log.of(header(match, 1), match).text)
    begun = start(Seeded(1, game, layout))
    monkeypatch.setattr(replaying, "played_bare", never)
    if replaying.replay(log, game, layout, start).difference is not None:
        pytest.skip("an answer is written as none that it reads")
    chance = Recorded(1, game, layout, begun.internals.secrets.picks)
    if begun.visibility.shifting is not None:
        pytest.skip("who sees what shifts")
    played_bare(log, begun, chance, None, compares=True)


def with_a_line_changed(lines: list[str], rng: random.Random) -> Iterator[str]:
    """Yields a log some times, each time with one field of one line changed, and sealed anew."""
    for _ in range(12):
        records = [json.loads(line) for line in lines]
        at = rng.randrange(1, len(records))
        record = records[at]
        field = rng.choice([key for key in record if key not in ("h", "n", "input", "to", "face")])
        match record[field]:
            case int(number) if not isinstance(number, bool):
                record[field] = number + 1
            case str(text):
                record[field] = f"{text}x"
            case list(parts):
                record[field] = (
                    [*parts, *parts[:1]] if parts else [["set", "x", "", ""]] if field == "changes" else ["x"]
                )
            case None:
                record[field] = 0
            case _:
                continue
        chain, text = Chain(), ""
        for one in records:
            digits = chain.add(one)
            text += (
                canonical({**{k: v for k, v in one.items() if k != "h"}, **({"h": digits} if "h" in one else {})})
                + "\n"
            )
        yield text


@pytest.mark.parametrize(
    "name", rest_long(["outspeed", "tests/classics/pig.rules", "exobase"], "tests/classics/pig.rules")
)
def test_a_line_that_differs_is_found_as_it_is_without_the_short_cut(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = loaded(name)
    lines = played(game, most=30).log.text.splitlines()
    found = 0
    for text in with_a_line_changed(lines, random.Random(3)):
        log = as_read(text)
        quick = api.replay(log, under=game).difference
        with monkeypatch.context() as patched:
            patched.setattr(replaying, "played_bare", never)
            assert api.replay(log, under=game).difference == quick
        found += quick is not None
    assert found > 6


@pytest.mark.long
@pytest.mark.parametrize("name", ["outspeed", "empty_space"])
def test_the_matches_on_the_way_are_those_of_the_long_way(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = loaded(name)
    log = as_read(played(game, most=40).log.text)

    def seen(again: Replay) -> list[object]:
        return [(one.line, one.match.key, one.match.inputs, one.match.can_undo) for one in again.positions[:]]

    quick = api.replay(log, under=game)
    journal = quick.match.journal
    with monkeypatch.context() as patched:
        patched.setattr(replaying, "played_bare", never)
        whole = api.replay(log, under=game)
    assert seen(quick) == seen(whole)
    assert journal == whole.match.journal


def test_what_the_seed_does_not_give_is_played_the_long_way() -> None:
    game = loaded("tests/classics/pig.rules")
    text = played(game).log.text
    log = as_read(text)
    other = game.internals.begin(log.header, Seeded("another", game.ir, game.internals.layout))
    chance = Recorded("another", game.ir, game.internals.layout, game.internals.secrets.picks)
    with pytest.raises(Unlike):
        played_bare(
            attrs.evolve(log, header=attrs.evolve(log.header, seed="another")), other, chance, None, compares=False
        )


@pytest.mark.long
@pytest.mark.parametrize("name", ["outspeed", "exit_velocity"])
def test_it_is_replayed_in_machine_code_as_it_is_in_python(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Machine code is not waited for, but where it is loaded it replays logs; another draw is noticed all the same."""
    pytest.importorskip("llvmlite")
    slow, fast = loaded(name), loaded(name)
    text = played(loaded(name), most=60).log.text
    fast.settle("auto")
    fast.internals.machine("auto")._code.told.compile()  # type: ignore[attr-defined]
    log = as_read(text)
    for compares in (True, False):
        by_python, by_code = (api.replay(log, under=game, compares=compares) for game in (slow, fast))
        assert type(by_python.match.position.machine) is GeneratedMachine
        assert type(by_code.match.position.machine) is NativeMachine
        assert by_code.match.journal == by_python.match.journal
    monkeypatch.setattr(Recorded, "gave", lambda *_: False)
    again = api.replay(log, under=fast, compares=False)
    assert not isinstance(again.match.internals.drawn_from, Seeded), "a draw that is not the log's was heard"
