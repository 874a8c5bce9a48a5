"""The public way in: a match has its log, and a log is played again."""

from __future__ import annotations

import importlib
import pkgutil
import random
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest

import rulelang
from rulelang import api
from rulelang.diagnostics.model import Label
from rulelang.errors import LogError, RulelangError
from rulelang.ir.numbers import Seat
from rulelang.log.format import Header, Log
from rulelang.log.reading import read_log
from rulelang.match.redeals.redeal import redeal
from rulelang.source import SourceText, Span
from tests.files import DOCS
from tests.games.classics import classic
from tests.views import zone


def race(seed: int = 7, plies: int = 20, **more: object) -> api.Match:
    match = rulelang.load("outspeed").start(players=3, seed=seed, **more)  # type: ignore[arg-type]
    rng = random.Random(seed)
    for _ in range(plies):
        match.play(rng.choice(list(match.options)))
    return match


# ------------------------------------------------------------------ public names

ANYWHERE = Span(SourceText("nim.rules", "heap"), 0, 4)
USES: dict[str, Callable[[], object]] = {
    "Checked": lambda: rulelang.Checked(None, ()),
    "Diagnostic": lambda: rulelang.Diagnostic("E0207", "no zone", Label(ANYWHERE, "")),
    "Event": lambda: isinstance(race(plies=1).events[0], rulelang.Event) or pytest.fail("it is another one"),
    "Game": lambda: rulelang.Game(rulelang.load("outspeed").internals),
    "IllegalOption": lambda: rulelang.IllegalOption("no"),
    "InvalidInput": lambda: rulelang.InvalidInput("no"),
    "Log": lambda: isinstance(race(plies=1).log, rulelang.Log) or pytest.fail("it is another one"),
    "LogError": lambda: rulelang.LogError("no"),
    "Match": lambda: isinstance(race(plies=1), rulelang.Match) or pytest.fail("`start` returns another Match"),
    "NoOption": lambda: rulelang.NoOption("no"),
    "NoSuchGame": lambda: rulelang.NoSuchGame("no"),
    "Option": lambda: isinstance(race(plies=1).options[0], rulelang.Option) or pytest.fail("it is another one"),
    "Outcome": lambda: rulelang.Outcome("lost", (), (), (), "end", ()),
    "Possible": lambda: (
        isinstance(race(plies=0, explicit_chance=True).chance[0], rulelang.Possible) or pytest.fail("it is another one")
    ),
    "RangeViolation": lambda: rulelang.RangeViolation("no"),
    "Reason": lambda: (
        isinstance(race(plies=0).why_not("green: program(left)") or rulelang.Reason("no"), rulelang.Reason)
        or pytest.fail("it is another one")
    ),
    "Replay": lambda: (
        isinstance(rulelang.replay(race(plies=1).log), rulelang.Replay) or pytest.fail("it is another one")
    ),
    "ReplayMismatch": lambda: rulelang.ReplayMismatch(2, "take(1)", "take(2)"),
    "RulelangError": lambda: rulelang.RulelangError("no"),
    "RulesError": lambda: rulelang.RulesError(()),
    "RunawayRules": lambda: rulelang.RunawayRules("no"),
    "UnknownOption": lambda: rulelang.UnknownOption("no"),
    "View": lambda: isinstance(race(plies=1).view(0), rulelang.View) or pytest.fail("it is another one"),
    "Workspace": lambda: rulelang.Workspace().put("nim.rules", "game nim"),
    "check": lambda: rulelang.check("outspeed").game or pytest.fail("Outspeed does not check"),
    "check_text": lambda: rulelang.check_text("constant heap = ").diagnostics[0],
    "games": lambda: rulelang.games().index("outspeed"),
    "load": lambda: rulelang.load("outspeed"),
    "replay": lambda: rulelang.replay(race(plies=1).log),
}


def test_every_public_name_is_used_here() -> None:
    assert sorted(USES) == sorted(rulelang.__all__) == dir(rulelang)


@pytest.mark.parametrize("name", USES)
def test_a_public_name_works_twice_after_a_game_was_loaded(name: str) -> None:
    rulelang.load("outspeed").start(players=3).play("green: program(left)")
    public = getattr(rulelang, name)
    USES[name]()
    USES[name]()
    assert getattr(rulelang, name) is public


@pytest.mark.long
def test_public_names_stay_what_they_are_once_every_module_is_imported() -> None:
    """A fresh interpreter imports all there is, then looks at the names: importing a submodule sets it in its package."""
    program = (
        "import pkgutil, importlib, types, rulelang\n"
        "rulelang.load('outspeed')\n"
        "for m in pkgutil.walk_packages(rulelang.__path__, 'rulelang.'):\n"
        "    m.name.endswith('__main__') or importlib.import_module(m.name)\n"
        "assert not [n for n in rulelang.__all__ if isinstance(getattr(rulelang, n), types.ModuleType)]\n"
        "assert rulelang.check('outspeed') and rulelang.check('outspeed') and rulelang.games() and rulelang.games()\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=600)


def test_no_submodule_bears_the_name_of_something_its_package_exports() -> None:
    packages = [rulelang, *(importlib.import_module(m.name) for m in modules("rulelang") if m.ispkg)]
    for package in packages:
        submodules = {m.name for m in pkgutil.iter_modules(package.__path__)}
        exported = {*getattr(package, "__all__", ()), *getattr(package, "_HOME_OF", ())}
        assert not submodules & exported, package.__name__


def test_a_match_is_played_forked_looked_at_and_dealt_anew_by_public_names() -> None:
    match = rulelang.load("outspeed").start(players=3, seed=7, options={}, executor="reference", traced=True)
    option = match.options_of(match.to_move[0])[0]
    assert option in match.options
    assert match.why_not(option) is None
    twin = match.fork()
    assert match.play(option) == twin.push(option)
    assert twin.key == match.key
    assert match.information(0) == twin.information(0)
    assert match.log.for_seat(0).events_for(0) == match.events_for(0)
    other = match.redeal(1, random.Random(1), budget=0)
    assert isinstance(other, rulelang.Match)
    assert zone(other.view(1), "bonuses").things == zone(match.view(1), "bonuses").things
    assert match.state["red.fuel"] == other.state["red.fuel"]
    assert match.outcome is None
    assert repr(match) == "<Match of outspeed: red, blue to choose>"


def test_random_outcomes_are_asked_for_where_that_is_agreed() -> None:
    match = rulelang.load("outspeed").start(players=3, explicit_chance=True)
    first = match.chance
    assert sum(possible.probability for possible in first) == 1
    match.play_chance(first[0])
    assert match.chance != first


def test_a_match_hands_out_neither_its_row_nor_its_machine_nor_what_lies_sealed() -> None:
    match = race(plies=1)
    assert not {"row", "machine", "seal", "knowledge"} & {name for name in dir(match) if not name.startswith("_")}


PAGE = (DOCS / "api.md").read_text(encoding="utf-8")


def public(of: object) -> list[str]:
    return [name for name in dir(of) if not name.startswith("_")]


def test_the_page_on_the_api_lists_every_name_of_a_game() -> None:
    assert [name for name in public(api.Game) if f"`game.{name}`" not in PAGE] == []


def test_the_page_on_the_api_lists_every_name_of_a_match() -> None:
    assert [name for name in public(race(plies=0)) if f"`match.{name}`" not in PAGE] == []


def test_every_name_of_a_game_has_an_example() -> None:
    fields = {field.name for field in attrs.fields(api.Game)}
    assert [name for name in public(api.Game) if ">>>" not in (getattr(api.Game, name).__doc__ or "")] == sorted(fields)


def modules(name: str) -> list[pkgutil.ModuleInfo]:
    return list(pkgutil.walk_packages(importlib.import_module(name).__path__, f"{name}."))


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


OPTIONAL = """\
game nim "Nim":
  players 2
  seats red, green

names p: Player
enum Lane: left, middle

option cap: -1..9? = none "How many rounds at most? (none: any number)"
option lane: Lane? = left "Which lane?"
option who: Player? = none "Who begins?"
option open: flag? = none "Open?"

play:
  turns p from first_player:
    p chooses n in 1..3
    if round == cap: finish lost

screen:
  line "{cap} {lane} {who} {open}"
"""


@pytest.fixture
def optional(tmp_path: Path) -> api.Game:
    entry = tmp_path / "nim.rules"
    entry.write_text(OPTIONAL)
    return rulelang.load(entry)


@pytest.mark.parametrize("executor", ["generated", "reference"])
@pytest.mark.parametrize(
    ("name", "agreed", "written"),
    [
        ("cap", "none", "none"),
        ("cap", None, "none"),
        ("cap", 2, "2"),
        ("cap", "-1", "-1"),
        ("cap", "02", "2"),
        ("lane", "none", "none"),
        ("lane", "middle", "middle"),
        ("who", "none", "none"),
        ("who", "green", "green"),
        ("open", "none", "none"),
        ("open", False, "no"),
    ],
)
def test_whatever_an_option_may_be_can_be_agreed_on_none_too(
    optional: api.Game, name: str, agreed: str | int | None, written: str, executor: str
) -> None:
    match = optional.start(options={name: agreed}, executor=executor)
    assert match.log.header.options == ((name, written),)
    shown = {variable.name: variable.text for variable in match.view(None).variables}
    assert shown[name] == written
    match.play("3")
    assert rulelang.replay(match.log, under=optional).difference is None


def test_a_game_goes_on_where_the_most_rounds_are_none(optional: api.Game) -> None:
    match = optional.start()
    for _ in range(40):
        match.play("1")
    assert match.outcome is None
    capped = optional.start(options={"cap": 2})
    for _ in range(3):
        capped.play("1")
    assert capped.outcome is not None


@pytest.mark.parametrize(
    ("name", "agreed", "message"),
    [
        ("cap", "0.5", "the option cap is a number from -1 to 9, or none, not '0.5'"),
        ("cap", "--1", "a number from -1 to 9, or none"),
        ("cap", "-", "a number from -1 to 9, or none"),
        ("cap", "10", "a number from -1 to 9, or none"),
        ("cap", "", "a number from -1 to 9, or none"),
        ("lane", "up", "the option lane is one of left, middle, or none, not 'up'"),
        ("who", "blue", "the option who is one of red, green, or none, not 'blue'"),
        ("open", "perhaps", "the option open is yes or no, or none, not 'perhaps'"),
    ],
)
def test_what_an_option_may_not_be_is_refused_with_what_it_may(
    optional: api.Game, name: str, agreed: str, message: str
) -> None:
    with pytest.raises(RulelangError, match=re.escape(message)):
        optional.start(options={name: agreed})


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
    deal = redeal(race(), Seat(0), random.Random(1))
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
    assert rulelang.replay(match.log, under=str(game.internals.entry)).match.key == match.key
    with pytest.raises(LogError, match="a log of `nim`, not of `outspeed`"):
        rulelang.replay(match.log, under="outspeed")


def test_no_path_is_made_of_what_a_log_names(tmp_path: Path) -> None:
    (tmp_path / "evil.rules").write_text("")
    with pytest.raises(LogError, match="does not ship"):
        rulelang.replay(Log(Header(f"{tmp_path}/evil.rules", ("red", "blue"), 7), ()))


def test_a_log_with_a_wrong_number_of_seats_is_refused() -> None:
    with pytest.raises(RulelangError, match="for 3 to 6 players, not 1"):
        rulelang.replay(Log(Header("outspeed", ("green",), 7), ()))
