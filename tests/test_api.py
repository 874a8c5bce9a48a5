"""The public way in: a match has its log, and a log is played again."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from classics_games import classic

import rulelang
from rulelang import api
from rulelang.errors import LogError, RulelangError
from rulelang.log.format import Header, Log
from rulelang.log.reading import read_log
from rulelang.match.redeal import redeal


def race(seed: int = 7, plies: int = 20, **more: object) -> api.Match:
    match = rulelang.load("outspeed").start(players=3, seed=seed, **more)  # type: ignore[arg-type]
    luck = random.Random(seed)
    for _ in range(plies):
        match.play(luck.choice(list(match.options)))
    return match


# ------------------------------------------------------------------ the log of a match


def test_the_log_of_a_match_says_what_is_played() -> None:
    game = rulelang.load("outspeed")
    header = race().log.header
    assert (header.game, header.seed, header.players) == ("outspeed", 7, ("green", "red", "blue"))
    assert (header.rules, header.text, header.viewer) == (game.rules_hash, game.text_hash, None)
    assert header.engine == f"rulelang {rulelang.__version__}"


def test_the_log_holds_variants_and_what_was_agreed(tmp_path: Path) -> None:
    entry = tmp_path / "nim.rules"
    entry.write_text(
        'game nim "Nim":\n  players 2\noption rounds: 1..9 = 3 "Rounds?"\noption open: flag = no "Open?"\n'
        "play:\n  for p in players: p chooses n in 1..rounds + 1\n"
        'variant long of nim "Long":\n  option rounds: 1..9 = 5 "Rounds?"\n'
    )
    game = api.check(entry, ("long",)).game
    assert game is not None
    match = game.start(options={"rounds": 2, "open": True})
    assert match.log.header.variants == ("long",)
    assert match.log.header.options == (("rounds", "2"), ("open", "yes"))
    match.play("3")
    assert rulelang.replay(match.log, under=game).match.key == match.key


def test_the_log_grows_with_the_match_and_a_fork_has_its_own() -> None:
    match = race()
    fork = match.fork()
    before = match.log.text
    fork.play(fork.options[0])
    assert match.log.text == before
    assert fork.log.text.startswith(before)
    assert fork.log.header == match.log.header


def test_events_for_a_seat_are_those_of_the_match() -> None:
    match = race()
    for seat in (0, 1, 2, None):
        assert match.log.events_for(seat) == match.events_for(seat)


def test_a_match_whose_chance_comes_from_outside_tells_no_seed() -> None:
    assert rulelang.load("outspeed").start(players=3, explicit_chance=True).log.header.seed is None


def test_a_redeal_tells_no_seed() -> None:
    deal = redeal(race(), 0, random.Random(1))
    assert deal.log.header.seed is None  # type: ignore[attr-defined]


# ------------------------------------------------------------------ replay


def test_a_saved_log_is_played_again_from_its_file(tmp_path: Path) -> None:
    match = race(plies=40)
    match.log.save(tmp_path / "race.jsonl")
    for path in (tmp_path / "race.jsonl", str(tmp_path / "race.jsonl")):
        again = rulelang.replay(path)
        assert again.difference is None
        assert again.match.key == match.key
    assert rulelang.replay(read_log(tmp_path / "race.jsonl")).match.events == match.events


def test_the_log_of_a_replayed_match_is_the_log() -> None:
    match = race()
    assert rulelang.replay(match.log).match.log.text == match.log.text  # type: ignore[attr-defined]


@pytest.mark.parametrize("under", ["sprint", "outspeed+sprint"])
def test_a_log_is_played_under_variants_of_its_game(under: str) -> None:
    difference = rulelang.replay(race().log, under=under).difference
    assert difference is not None
    assert difference.logged != difference.played


def test_a_log_of_a_variant_is_played_under_the_game_without_it() -> None:
    match = rulelang.load("outspeed+sprint").start(players=3, seed=1)
    for _ in range(20):
        match.play(match.options[0])
    assert rulelang.replay(match.log).difference is None
    assert rulelang.replay(match.log, under="").difference is not None
    assert rulelang.replay(match.log, under="sprint").difference is None


def test_a_log_of_a_game_that_does_not_ship_wants_its_rules() -> None:
    game = classic("nim")
    match = game.start(seed=1)
    match.play("take(3)")
    with pytest.raises(LogError, match="`nim`, which does not ship"):
        rulelang.replay(match.log)
    assert rulelang.replay(match.log, under=game).match.key == match.key
    assert rulelang.replay(match.log, under=str(game.entry)).match.key == match.key
    with pytest.raises(LogError, match="a log of `nim`, not of `outspeed`"):
        rulelang.replay(match.log, under="outspeed")


def test_no_path_is_made_of_what_a_log_names(tmp_path: Path) -> None:
    (tmp_path / "evil.rules").write_text("")
    with pytest.raises(LogError, match="does not ship"):
        rulelang.replay(Log(Header(f"{tmp_path}/evil.rules", ("red", "blue"), 7), ()))


def test_a_log_with_a_wrong_number_of_seats_is_refused() -> None:
    with pytest.raises(RulelangError, match="for 3 to 6 players, not 1"):
        rulelang.replay(Log(Header("outspeed", ("green",), 7), ()))
