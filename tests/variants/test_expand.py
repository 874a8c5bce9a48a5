"""`expand` prints a game that is the same game, and stands alone."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import attrs
import pytest
from click.testing import CliRunner

from cli.commands.authoring.expand import expanded
from cli.main import main
from rulelang import api
from rulelang.api.match import Match
from rulelang.driver.chain import Unit, lower, of_loaded, run
from rulelang.ir.encoding.digest import rules_digest
from rulelang.scenarios.run import run_scenarios, scenarios_of, unreadable, variants_own
from rulelang.source import SourceText
from rulelang.syntax.printing.printer import format_source
from rulelang.texts.model import Overlay
from rulelang.texts.reader import Disk, Shipped
from rulelang.variants.expand import expand
from tests.files import NAMES, ONE_OF_EACH, TESTS, VARIANTS

APART = {"empty_space+comet+hourglass", "empty_space+faster+solo"}
"""Pairs that change the same thing."""
PAIRS = [f"{game}+{one}+{other}" for game, variants in VARIANTS.items() for one, other in combinations(variants, 2)]


HOUSE = TESTS / "variants" / "house"
HOUSES = [
    *("outspeed+thirsty", "outspeed+decoys", "outspeed+pits", "outspeed+pits_again", "outspeed+decoys+sprint"),
    *("exobase+long_stay", "exobase+canteen", "exobase+shifts", "exobase+fewer"),
    *("empty_space+big_hands", "empty_space+nebulae", "empty_space+probes", "empty_space+probes_short"),
    *("exit_velocity+relaxed", "exit_velocity+salvage", "exit_velocity+market", "exit_velocity+market_small"),
]
"""Variants that do not ship, of each game, in a file of their own."""
EACH = 12
"""Of so many scenarios one is played again by the expanded game, but for those of the first game, which are all played."""
EACH_OF_A_HOUSE = 48
"""The same beside the scenarios of the variants, where nothing is compiled for so few."""


def alone(name: str, tmp_path: Path) -> api.Game:
    """Returns the game that the text is which the command prints, read from an otherwise empty folder."""
    result = CliRunner().invoke(main, ["expand", name])
    assert result.exit_code == 0, result.stderr
    return read_apart(result.stdout, tmp_path)


def read_apart(text: str, tmp_path: Path) -> api.Game:
    (tmp_path / "apart").mkdir()
    path = tmp_path / "apart" / "alone.rules"
    path.write_text(text, encoding="utf-8")
    checked = api.check(path)
    assert checked.game is not None, checked.diagnostics
    return checked.game


@attrs.frozen
class Both:
    """A game, and the game that its expanded text is."""

    name: str
    game: api.Game
    copy: api.Game

    @classmethod
    def of(cls, name: str, tmp_path: Path) -> Both:
        """Expands a game as the command does, without checking it twice."""
        game = api.load(name)
        return cls(name, game, read_apart(expanded(game)[0], tmp_path))

    def starts(self, executor: str) -> tuple[Match, Match]:
        """Returns eight plies of both."""
        found = []
        for game in (self.game, self.copy):
            match = game.start(seed=5, executor=executor)
            for _ in range(8):
                match.play(match.options[0])
            found.append(match)
        return found[0], found[1]


@pytest.fixture(scope="module")
def both(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Both:
    """What the name of a game stands for; tests of the same name follow each other, so it is expanded once."""
    return Both.of(request.param, tmp_path_factory.mktemp("expanded"))


@pytest.mark.long
@pytest.mark.parametrize("both", [*VARIANTS, *ONE_OF_EACH], indirect=True)
def test_an_expanded_game_is_the_same_game_alone(both: Both) -> None:
    """It goes the same on the reference, which need not be compiled, whatever is played."""
    game, copy = both.game, both.copy
    assert copy.rules_hash == game.rules_hash
    told = [d for d in copy.diagnostics if d.code not in {d.code for d in game.diagnostics}]
    assert told == []
    text = copy.internals.entry.read_text(encoding="utf-8")
    assert format_source(SourceText("alone.rules", text)) == text
    match, other = both.starts("reference")
    assert other.journal == match.journal
    assert other.key == match.key


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in (*NAMES, *PAIRS) if name not in (*VARIANTS, *ONE_OF_EACH, *APART)])
def test_other_variants_and_two_at_once_are_expanded_to_rules_that_mean_the_same(name: str) -> None:
    """What follows from equal rules, such as warnings and courses of play, is shown for one variant of each game."""
    loaded, variants = api.read(name)
    varied = run(of_loaded(Disk(), loaded, variants), until=lower)
    assert varied.patched is not None
    text, entry = expand(varied.patched.module), Path("/alone.rules")
    copy = run(Unit(Overlay(Shipped(), {entry: text}), entry), until=lower)
    assert varied.lowered is not None
    assert copy.lowered is not None, copy.diagnostics
    assert rules_digest(copy.lowered) == rules_digest(varied.lowered)


@pytest.mark.long
@pytest.mark.parametrize("both", [*VARIANTS, *ONE_OF_EACH], indirect=True)
def test_a_log_replays_and_scenarios_pass_in_an_expanded_game_as_they_do_in_the_game(both: Both) -> None:
    """With one variant of each game: the rules have equal hashes with all."""
    game, copy = both.game, both.copy
    match, _ = both.starts("generated")
    replayed = api.replay(match.log, under=copy)
    assert replayed.difference is None
    assert replayed.match.key == match.key
    titles = [node.title.raw for node in scenarios_of(game)]
    assert [node.title.raw for node in scenarios_of(copy)] == titles
    assert not unreadable(copy)
    some = frozenset(titles if both.name == "outspeed+hungry" else titles[::EACH])
    here, there = (
        {r.name: r.passed for r in run_scenarios(g, titles=some, executor="generated")} for g in (game, copy)
    )
    assert here == there
    assert len(there) == len(some)
    assert all(there.values())


@pytest.mark.long
@pytest.mark.parametrize("house", HOUSES)
def test_what_variants_add_stands_in_the_expanded_text(house: str, tmp_path: Path) -> None:
    """Members, rows, columns, a phase, an action: what is red under the variants is red there, and nothing else."""
    base, _, variants = house.partition("+")
    both = Both.of(f"{base}+{HOUSE / base}.rules+{variants}", tmp_path)
    game, copy = both.game, both.copy
    assert copy.rules_hash == game.rules_hash
    titles = {node.title.raw for node in scenarios_of(game)} - {node.title.raw for node in unreadable(game)}
    assert {node.title.raw for node in scenarios_of(copy)} == titles
    some = frozenset(sorted(titles)[::EACH_OF_A_HOUSE]) | (variants_own(game) & titles)
    here, there = ({r.name: r.passed for r in run_scenarios(g, titles=some)} for g in (game, copy))
    assert here == there


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(APART))
def test_a_pair_that_changes_the_same_thing_is_not_expanded(name: str) -> None:
    assert name in PAIRS
    result = CliRunner().invoke(main, ["expand", name])
    assert result.exit_code == 1
    assert "error[E0607]" in result.stderr
    assert result.stdout == ""


@pytest.mark.long
def test_what_a_variant_voids_is_not_in_the_text_and_the_rest_passes(tmp_path: Path) -> None:
    titles = {s.title.raw for s in scenarios_of(api.load("outspeed+sprint"))}
    voided = {s.title.raw for s in scenarios_of(api.load("outspeed"))} - titles
    assert voided
    copy = alone("outspeed+sprint", tmp_path)
    text = (tmp_path / "apart" / "alone.rules").read_text(encoding="utf-8")
    assert not any(f'scenario "{title}"' in text for title in voided)
    results = run_scenarios(copy, executor="generated")
    assert len(results) == len(titles)
    assert all(result.passed for result in results)


@pytest.mark.long
def test_scenarios_of_variants_that_are_not_in_force_are_left_out_of_the_text(tmp_path: Path) -> None:
    """Also those that stand behind their variant in a file of its own."""
    titles = {node.title.raw for node in scenarios_of(alone("empty_space+comet", tmp_path))}
    assert "three cards wide, then seven" in titles
    assert "the waist is two cards wide" not in titles


def test_scenarios_that_name_what_is_no_longer_there_are_left_out_of_the_text(tmp_path: Path) -> None:
    variant = tmp_path / "none.rules"
    variant.write_text('variant none of outspeed "None":\n  in Bonus if power == ion_cannon: copies = 0\n')
    result = CliRunner().invoke(main, ["expand", f"{variant}+none"])
    assert result.exit_code == 0
    assert "left out: 13 scenarios of the game that cannot be read under these variants" in result.stderr
    (tmp_path / "apart").mkdir()
    alone = tmp_path / "apart" / "alone.rules"
    alone.write_text(result.stdout)
    checked = CliRunner().invoke(main, ["check", str(alone), "--concise"])
    assert checked.exit_code == 0, checked.output
    assert api.load(alone).rules_hash == api.load(f"{variant}+none").rules_hash
