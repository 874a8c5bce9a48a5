"""Games of two rule sets on the same chances: what is seen, what would have been, and where the options differ."""

from __future__ import annotations

import errno
import json
from functools import partial
from pathlib import Path
from random import Random
from statistics import fmean

import attrs
import pytest
from click.testing import CliRunner, Result

from cli.main import main
from rulelang import api
from rulelang.lab.arena import Fixture
from rulelang.lab.bots import bot
from rulelang.log.reading import read_log
from rulelang.workbench.comparison import Compared, Measured, compare, measure, verdict, witness
from tests.files import CLASSICS

NIM = str(CLASSICS / "nim.rules")
SHORT = 'variant short of nim "Short":\n  replace the game has:\n    heap: 0..21 = 9\n'


def pairs(blocks: int, shift: float, *, each: int = 2, spread: float = 1.0) -> list[tuple[Measured, Measured]]:
    """Games of two rule sets whose lengths differ by a shift; games of one block share an effect."""
    rng, found = Random(1), []
    for seed in range(blocks):
        common = rng.gauss(0, 10)
        own = rng.gauss(shift, spread)
        for _ in range(each):
            fixture = Fixture(0, seed, (0, 1))
            found.append(
                (Measured(fixture, (("length", 50 + common),)), Measured(fixture, (("length", 50 + common + own),)))
            )
    return found


def test_what_is_common_to_both_sides_does_not_hide_a_difference() -> None:
    (length,) = compare(pairs(20, 2.0))
    assert length.is_seen
    assert length.low < 2.0 < length.high
    assert length.high - length.low < 2, "the effect of a seed, ten times as large, is taken out"
    assert verdict([length]).startswith("seen: length +")


def test_games_of_one_seed_are_one_observation() -> None:
    (few,), (many,) = compare(pairs(10, 0.5)), compare(pairs(10, 0.5, each=50))
    assert few.blocks == many.blocks == 10
    assert few.low == pytest.approx(many.low)
    assert few.p == pytest.approx(many.p)


def test_of_what_is_alike_in_every_pair_nothing_is_said() -> None:
    """All games were as long: that says nothing of how large a difference in length would have been seen."""
    (length,) = compare(pairs(6, 0.0, spread=0.0))
    wins = attrs.evolve(compare(pairs(6, 0.0))[0], name="won by red")
    assert verdict([length, wins]).startswith("no difference seen; one of ")
    assert "length" not in verdict([length, wins])


def test_a_difference_that_is_the_same_in_every_block_has_no_effect_size() -> None:
    """Its spread is nothing, so no number says how many spreads it is."""
    (length,) = compare(pairs(6, 2.0, spread=0.0))
    assert length.difference == 2.0
    assert length.effect is None
    assert compare(pairs(6, 0.0, spread=0.0))[0].effect == 0.0


def test_where_nothing_is_seen_it_is_said_what_would_have_been() -> None:
    (length,) = compare(pairs(12, 0.0))
    assert not length.is_seen
    said = verdict([length])
    assert said.startswith("no difference seen; one of ")
    assert f"{length.would_be_seen:.1f} choices" in said


def test_games_that_all_went_alike_are_said_to_have_done_so() -> None:
    assert verdict(compare(pairs(6, 0.0, spread=0.0))) == "no difference at all: every pair of games went the same way"


def sampled(rng: Random, blocks: int, shift: float, measures: int = 20) -> tuple[Compared, ...]:
    """Measures that do not differ, but for the first by so many standard deviations."""
    names = ["length", *(f"action {i:02}" for i in range(1, measures))]
    found = []
    for seed in range(blocks):
        fixture = Fixture(0, seed, (0,))
        before = {name: rng.gauss(0, 0.6) for name in names}
        after = {name: rng.gauss(shift if name == "length" else 0, 0.8) for name in names}
        found.append((Measured(fixture, tuple(before.items())), Measured(fixture, tuple(after.items()))))
    return compare(found)


def test_of_twenty_comparisons_of_nothing_one_in_twenty_families_shows_one() -> None:
    """Without a correction, of twenty measures that do not differ one would be seen each time."""
    rng = Random(3)
    seen = sum(any(one.is_seen for one in sampled(rng, 12, 0.0)) for _ in range(200))
    assert 2 <= seen <= 20


@pytest.mark.long
@pytest.mark.parametrize("blocks", [6, 30])
def test_what_would_have_been_seen_is_seen_four_times_in_five(blocks: int) -> None:
    """Among twenty measures, at the corrected level: what the verdict says is what the table can do."""
    rng = Random(9)
    least = fmean(sampled(rng, blocks, 0.0)[0].would_be_seen for _ in range(100))
    seen = [sampled(rng, blocks, least)[0].is_seen for _ in range(200)]
    assert 0.7 <= fmean(seen) <= 0.9


def test_random_numbers_of_bots_alone_are_seen_no_more_often_than_one_time_in_twenty() -> None:
    """The same game on the same seeds, with bots that draw other random numbers: nothing differs, however often one looks."""
    game = api.load(NIM)
    found = []
    for family in range(60):
        pairs = []
        for block in range(10):
            seed = 100 * family + block
            one, other = (Fixture(0, seed, (0, 0), bot_seed=seed + more) for more in (0, 50))
            measured = partial(measure, partial(game.start, 2), (bot("random"),))
            pairs.append((measured(one), measured(other)))
        found.append(any(one.is_seen for one in compare(pairs)))
    assert sum(found) <= 8


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    rng, held = Random(5), 0
    for _ in range(300):
        found = []
        for seed in range(8):
            fixture = Fixture(0, seed, (0,))
            found.append((Measured(fixture, (("x", 0.0),)), Measured(fixture, (("x", rng.gauss(1, 2)),))))
        (one,) = compare(found)
        held += one.low <= 1 <= one.high
    assert 0.91 <= held / 300 <= 0.985


def test_a_witness_is_where_the_same_choices_lead_to_other_options(tmp_path: Path) -> None:
    (tmp_path / "short.rules").write_text(SHORT)
    before, after = (api.load(name).start(seed=1) for name in (NIM, f"{NIM}+{tmp_path}/short.rules+short"))
    found = witness(before, after, (bot("first"),), 1)
    assert found is not None
    assert found.only_before
    assert not found.only_after
    assert {option.text for option in found.match.options} >= set(found.only_before)


def test_the_command_prints_a_table_a_verdict_and_saves_witnesses(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "short.rules").write_text(SHORT)
    monkeypatch.chdir(tmp_path)
    words = ["diff", NIM, f"{NIM}+short.rules+short", "--games", "12", "--bots", "random,first", "--witnesses", "w"]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    assert "6 blocks of one seed over all seatings" in result.output
    assert "seen: length -" in result.output
    table = result.output[result.output.index("  A  ") :].partition("seen:")[0]
    assert all(len(line) <= 80 for line in table.splitlines()), "a terminal of 80 columns shows it"
    data = json.loads(CliRunner().invoke(main, [*words, "--json"]).stdout)
    length = next(one for one in data["measures"] if one["measure"] == "length")
    assert length["difference"] < 0
    assert length["seen"]
    saved = data["witnesses"][0]["log"]
    assert read_log(saved).header.game == "nim"
    replayed = CliRunner().invoke(main, ["replay", saved, "--game", NIM])
    assert replayed.exit_code == 0, replayed.output
    against = CliRunner().invoke(
        main,
        ["arena", NIM, "--against", f"{NIM}+short.rules+short", "--games", "12", "--bots", "random,first", "--json"],
    )
    assert json.loads(against.stdout)["measures"] == data["measures"]


def test_the_command_that_is_printed_opens_a_witness_of_rules_that_do_not_ship(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "short.rules").write_text(SHORT)
    monkeypatch.chdir(tmp_path)
    words = ["diff", f"{NIM}+short.rules+short", NIM, "--games", "4", "--bots", "random", "--witnesses", "w"]
    printed = CliRunner().invoke(main, words).output
    line = next(line for line in printed.splitlines() if line.startswith("witness: "))
    opened = CliRunner().invoke(main, line.partition("  rulelang ")[2].split())
    assert opened.exit_code == 0, opened.output


def nim_diff(*words: str) -> Result:
    return CliRunner().invoke(main, ["diff", NIM, NIM, "--bots", "random", *words])


OPTIONED = """
game heap "Heap":
  players 2
names p: Player; n: 1..3
option size: 5..40 = 21 "How many?"
the game has:
  heap: 0..40 = size
action take(p, n) "Take {n}":
  needs n <= heap
  heap -= n
play:
  turns p from first_player:
    p chooses one of take
    if heap == 0: finish with winner p
"""


def test_the_same_game_is_compared_under_two_agreements(tmp_path: Path) -> None:
    (tmp_path / "heap.rules").write_text(OPTIONED)
    game = str(tmp_path / "heap.rules")
    words = ["diff", game, game, "--games", "10", "--bots", "random", "--witnesses", str(tmp_path / "w")]
    result = CliRunner().invoke(main, [*words, "--before", "size=40", "--after", "size=9"])
    assert result.exit_code == 0, result.output
    assert f"{game}, size=9" in result.output
    assert "seen: length -" in result.output
    both = json.loads(CliRunner().invoke(main, [*words, "--option", "size=9", "--json"]).stdout)
    assert both["options"] == [{"size": "9"}, {"size": "9"}]
    assert both["verdict"] == "no difference at all: every pair of games went the same way"


def test_the_random_numbers_of_bots_have_a_seed_of_their_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The same bots on the same chances: only what they choose among equals is another."""
    monkeypatch.chdir(tmp_path)

    def means(*words: str) -> list[float]:
        words = ("diff", NIM, NIM, "--games", "20", "--bots", "random", "--json", *words)
        return [one["before"] for one in json.loads(CliRunner().invoke(main, list(words)).stdout)["measures"]]

    assert means("--bot-seed", "5") == means("--luck", "5")
    assert means("--bot-seed", "5") != means("--bot-seed", "6")


def test_an_option_that_one_of_the_games_has_not_is_refused_with_its_name(tmp_path: Path) -> None:
    result = nim_diff("--games", "2", "--after", "size=9")
    assert result.exit_code == 2
    assert f"{NIM}: Nim has no option 'size'" in result.output


def test_where_witnesses_cannot_be_saved_it_is_said_before_a_game_is_played(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    result = nim_diff("--games", "2", "--witnesses", str(tmp_path / "taken" / "w"))
    assert result.exit_code == 3
    assert "Not a directory" in result.output
    assert "blocks" not in result.output


def test_a_disk_that_is_full_costs_the_witness_and_not_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "short.rules").write_text(SHORT)

    def full(path: Path, data: bytes, **_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr("rulelang.disk.replace", full)
    words = ["diff", NIM, f"{NIM}+{tmp_path}/short.rules+short", "--games", "4", "--bots", "first"]
    result = CliRunner().invoke(main, [*words, "--witnesses", str(tmp_path / "w"), "--json"])
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert data["measures"]
    assert {one["log"] for one in data["witnesses"]} == {None}
    assert "this witness is not saved" in result.stderr


def test_a_witness_takes_no_other_witness_place(tmp_path: Path) -> None:
    (tmp_path / "short.rules").write_text(SHORT)
    words = ["diff", NIM, f"{NIM}+{tmp_path}/short.rules+short", "--games", "1", "--witnesses", str(tmp_path / "w")]
    for bots in ("first", "random", "first"):
        assert CliRunner().invoke(main, [*words, "--bots", bots]).exit_code == 0
    assert len(list((tmp_path / "w").iterdir())) == 2, "the third comparison finds its own log there"


def test_a_game_that_does_not_end_is_given_up_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulelang.workbench.comparison.MOST_CHOICES", 3)
    game = api.load(NIM)
    values = dict(measure(lambda seed: game.start(seed=seed), (bot("first"),), Fixture(0, 1, (0, 0))).values)
    assert values["length"] == 3
    assert values["unfinished"] == 1.0
