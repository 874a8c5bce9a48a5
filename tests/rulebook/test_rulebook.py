"""Which clauses count as cited, shown and exercised, and which lines nobody would miss."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

from rulelang import api
from rulelang.driver.chain import of_module, run
from rulelang.rulebook.coverage import Coverage, cover
from rulelang.rulebook.exercise import exercise
from rulelang.rulebook.ledger import check_citations, check_silence, clauses_of
from rulelang.rulebook.lines import citing_lines
from rulelang.rulebook.mutation import mutants, survivors
from rulelang.scenarios.run import ScenarioResult, run_scenarios
from rulelang.syntax.printing.printer import print_module

NIM = """\
game nim "Nim":
  players 2..3                                    [N-1]
  seats red, blue, green
  rulebook "rulebook.toml"

names p: Player; n: 1..3
constant size = 7                                 [N-2]

the game has:
  heap: 0..50 = size
  taken: 0..50 = 0

setup:
  taken = 0                                       [N-8]

play:
  turns p from first_player:
    p chooses one of take                         [N-3]
    if heap == 0:                                 [N-5]
      finish with winner p
    elif heap > 40: finish lost                   [N-6]

action take(p, n) "Take {n}":
  needs n <= heap  "Only {heap} are left"         [N-4]
  heap -= n                                       [N-3]
  taken += n                                      [N-7, N-7.1, N-7.2, N-7.3, N-7.4]

scenario "the heap starts full":                  [N-2]
  players red, blue
  expect heap == 7

scenario "two or three can play":                 [N-1]
  players red, blue
  expect count(players) == 2

scenario "matches are taken":                     [N-3, N-9]
  players red, blue
  red: take(3)
  expect heap == 4

scenario "no more than there are":                [N-4, N-8]
  players red, blue
  given heap = 2
  expect red cannot take(3)                       [N-4]

scenario "the last one wins":                     [N-5, N-6]
  players red, blue
  given heap = 2
  red: take(2)
  expect winner red
"""
KINDS = {
    "N-7": "component",
    "N-8": "setup",
    "N-9": "example",
    "N-10": "physical",
    "N-11": "flavour",
    "N-12": "physical",
}
IDS = [*(f"N-{i}" for i in range(1, 13)), "N-7.1"]
WORDS = "The matches are counted; nobody has to lay them out."


def game_of(folder: Path, rules: str = NIM) -> api.Game:
    tables = []
    for id in IDS:
        handled = f'\nhandled = "{WORDS}"' if id == "N-10" else '\nhandled = "short"' if id == "N-12" else ""
        tables.append(f'[[clause]]\nid = "{id}"\nkind = "{KINDS.get(id, "rule")}"\ntext = "…"{handled}\n')
    (folder / "rulebook.toml").write_text("\n".join(tables))
    (folder / "nim.rules").write_text(rules)
    game = api.check(folder / "nim.rules").game
    assert game is not None
    return game


@pytest.fixture(scope="module")
def nim(tmp_path_factory: pytest.TempPathFactory) -> api.Game:
    return game_of(tmp_path_factory.mktemp("nim"))


@pytest.fixture(scope="module")
def results(nim: api.Game) -> tuple[ScenarioResult, ...]:
    found = run_scenarios(nim)
    assert all(result.passed for result in found), [result.faults for result in found]
    return found


@pytest.fixture(scope="module")
def coverage(nim: api.Game, results: tuple[ScenarioResult, ...]) -> Coverage:
    return cover(nim, results, games=4)


def lacks(coverage: Coverage, id: str) -> str | None:
    return next(clause.lacks for clause in coverage.clauses if clause.id == id)


# ------------------------------------------------------------------ the ledger


def test_a_ledger_gives_each_clause_once_and_ignores_what_is_no_text() -> None:
    tables: list[dict[str, object]] = [{"id": "A", "note": 3, "kind": "end"}, {"id": "A"}, {"kind": "rule"}]
    (clause,) = clauses_of(tables)
    assert (clause.id, clause.kind, clause.note) == ("A", "end", None)


def test_a_clause_that_the_ledger_lacks_is_told_with_the_nearest(tmp_path: Path) -> None:
    (first, *_) = check_citations(game_of(tmp_path, NIM.replace("[N-2]\n\nthe", "[N-22]\n\nthe")))
    assert (first.code, first.message, first.help) == (
        "E0415",
        "the ledger has no clause `N-22`",
        "did you mean `N-2`?",
    )
    assert first.span.place == "nim.rules:7:52"


def test_scenarios_cite_too(tmp_path: Path) -> None:
    faults = check_citations(game_of(tmp_path, NIM.replace("[N-3, N-9]", "[N-3, M-9]")))
    assert "the ledger has no clause `M-9`" in [fault.message for fault in faults]


def test_without_a_ledger_anything_may_be_cited(tmp_path: Path) -> None:
    assert check_citations(game_of(tmp_path, NIM.replace('  rulebook "rulebook.toml"\n', ""))) == ()


def test_a_clause_that_nothing_cites_is_told_unless_words_handle_it(nim: api.Game) -> None:
    assert [d.message for d in check_silence(nim)] == ["nothing cites the physical `N-12`"]
    assert {d.span.text for d in check_silence(nim)} == {'rulebook "rulebook.toml"'}


# ------------------------------------------------------------------ coverage


def test_a_line_that_runs_in_a_scenario_that_cites_it_shows_its_clause(coverage: Coverage) -> None:
    clause = next(c for c in coverage.clauses if c.id == "N-3")
    assert clause.cited == ("nim.rules:18", "nim.rules:25")
    assert clause.shown == ("matches are taken",)
    assert clause.lacks is None


def test_a_need_is_shown_by_what_it_refuses(
    nim: api.Game, results: tuple[ScenarioResult, ...], coverage: Coverage
) -> None:
    assert lacks(coverage, "N-4") is None
    allowed = tuple(attrs.evolve(result, refused=frozenset()) for result in results)
    assert lacks(cover(nim, allowed), "N-4") == "no passing scenario that cites it runs one of its lines"


def test_what_holds_in_every_game_is_shown_by_any_scenario_that_cites_it(coverage: Coverage) -> None:
    assert lacks(coverage, "N-1") is None
    assert lacks(coverage, "N-2") is None


def test_a_branch_that_is_not_taken_shows_nothing(coverage: Coverage) -> None:
    assert lacks(coverage, "N-5") is None
    assert lacks(coverage, "N-6") == "no passing scenario that cites it runs one of its lines"


def test_a_heap_of_ids_on_a_line_counts_for_none(coverage: Coverage) -> None:
    assert coverage.heaps == ("nim.rules:26",)
    assert lacks(coverage, "N-7.1") == "no line cites it"
    assert lacks(coverage, "N-7") == "no line cites it, and the ledger does not say how it is handled"


def test_examples_need_a_scenario_and_no_line(coverage: Coverage) -> None:
    assert lacks(coverage, "N-9") is None


def test_physical_clauses_may_be_handled_in_words_if_these_say_something(coverage: Coverage) -> None:
    assert lacks(coverage, "N-10") is None
    assert lacks(coverage, "N-12") is not None
    assert lacks(coverage, "N-11") is None


def test_a_failing_scenario_shows_nothing(nim: api.Game, results: tuple[ScenarioResult, ...]) -> None:
    failed = tuple(attrs.evolve(result, passed=False) for result in results)
    assert lacks(cover(nim, failed), "N-3") == "no passing scenario that cites it runs one of its lines"


def test_a_scenario_that_cites_too_much_shows_nothing(nim: api.Game, results: tuple[ScenarioResult, ...]) -> None:
    wide = tuple(attrs.evolve(result, clauses=(*result.clauses, *"ABCDEF")) for result in results)
    assert not any(clause.shown for clause in cover(nim, wide).clauses)


def test_clauses_are_counted_in_random_games(nim: api.Game, coverage: Coverage) -> None:
    ran = {clause.id: clause.exercised for clause in coverage.clauses}
    assert (ran["N-1"], ran["N-3"], ran["N-5"], ran["N-6"]) == (4, 4, 4, 0)
    assert exercise(nim, 3) == exercise(nim, 3)


def test_the_report_is_plain_data(coverage: Coverage) -> None:
    clauses = coverage.as_json()["clauses"]
    assert isinstance(clauses, list)
    assert set(clauses[0]) >= {"id", "kind", "cited", "shown", "exercised", "handled"}


# ------------------------------------------------------------------ mutation


def mutated(game: api.Game, clause: str) -> list[list[str]]:
    """Returns, for each way of doing without the lines that cite a clause, the lines that are new."""
    old = print_module(game.internals.module).split("\n")
    found = [m for m in mutants(game.internals.module) if clause in m.clauses]
    return [
        [line.split("[")[0].strip() for line in print_module(x).split("\n") if line not in old]
        for m in found
        for x in m.modules
    ]


def test_every_citing_line_has_a_mutant(nim: api.Game) -> None:
    lines = citing_lines(nim.internals.module, nim.ir.sites)
    assert [m.place for m in mutants(nim.internals.module)] == [line.place for line in lines]
    assert len(lines) == 9


def test_constants_and_ranges_are_changed_and_statements_go(nim: api.Game) -> None:
    assert mutated(nim, "N-2")[:2] == [["constant size = 7 + 1"], ["constant size = 7 - 1"]]
    assert mutated(nim, "N-1") == [["players 2 + 1..3"], ["players 2..3 - 1"]]
    assert mutated(nim, "N-8") == mutated(nim, "N-4") == [[]]


def test_a_branch_goes_and_the_next_takes_its_place(nim: api.Game) -> None:
    assert mutated(nim, "N-5") == [["if heap > 40:"]]
    assert mutated(nim, "N-6") == [[]]


def test_what_no_scenario_would_miss_survives(nim: api.Game, results: tuple[ScenarioResult, ...]) -> None:
    left = [mutant.clauses for mutant in survivors(nim, results)]
    assert left == [("N-8",), ("N-6",), ("N-7", "N-7.1", "N-7.2", "N-7.3", "N-7.4")]


def test_a_line_that_survives_shows_nothing(nim: api.Game, results: tuple[ScenarioResult, ...]) -> None:
    stated = cover(nim, results)
    mutated = cover(nim, results, survivors=survivors(nim, results))
    assert lacks(stated, "N-8") is None
    assert lacks(mutated, "N-8") == "the scenarios that cite it pass without its lines, too"
    assert lacks(mutated, "N-3") is None
    assert lacks(mutated, "N-9") is None


CARDS = """\
game draw_one "Draw one":
  players 2
  seats red, blue

names p: Player
enum Suit: cup, coin
die d: 1, 2, 2
kind Card:
  suit: Suit = cup                                [D-1]
  | copies | suit |
  | 2      | coin |                               [D-2]
  | 2      |      |

the game has:
  deck: pile of Card, face down                   [D-3]
  trump: Suit? = none                             [D-4]
each Player has:
  score: 0..9 = 1                                 [D-5]

setup:
  move Card to deck
  shuffle(deck)                                   [D-6]

play:
  for p in players: draw(p)
  finish with ranking p in players by highest worth(p)

to draw(p) "{p} draws":                           [D-7]
  p.score += worth(p)
  if d_is_high: p.score += 1                      [D-8]
  else: p.score += 2

value worth(p) =
  2 if p.score == 1                               [D-9]
  3 otherwise
value d_is_high -> flag = trump == cup            [D-10]
after draw(p): settle                             [D-11]
whenever p.score == 9 for p in players as full:   [D-12]
  finish with winner p
"""


def test_every_kind_of_line_can_be_done_without(tmp_path: Path) -> None:
    game = game_of(tmp_path, CARDS)
    new = {clause: mutated(game, clause) for clause in (f"D-{i}" for i in range(1, 13))}
    assert new["D-3"] == [["deck: pile of Card"]]
    assert ["trump: Suit?"] in new["D-4"]
    assert ["trump: Suit? = cup"] in new["D-4"]
    assert ["score: 0..9 = 1 + 1"] in new["D-5"]
    assert new["D-8"] == [["p.score += 2"]]
    assert ["value d_is_high -> flag = not trump == cup"] in new["D-10"]
    assert new["D-9"] == [["value worth(p) = 3"]]
    assert new["D-11"] == new["D-2"] == [[]]


def test_a_verb_is_emptied_so_that_calls_of_it_stay(tmp_path: Path) -> None:
    game = game_of(tmp_path, CARDS)
    (mutant,) = [m for m in mutants(game.internals.module) if m.clauses == ("D-7",)]
    assert run(of_module(mutant.modules[0])).woven is not None
    assert "p.score += worth(p)" not in print_module(mutant.modules[0])


def test_an_if_without_its_only_branch_leaves_the_else(tmp_path: Path) -> None:
    game = game_of(tmp_path, CARDS)
    (mutant,) = [m for m in mutants(game.internals.module) if m.clauses == ("D-8",)]
    text = print_module(mutant.modules[0])
    assert "if d_is_high" not in text
    assert "p.score += 2" in text


REACHED = """\
game nim "Nim":
  players 2
  seats red, blue
names p: Player; n: 1..3
the game has:
  heap: 0..50 = 4
action take(p, n) "Take {n}":
  needs n <= heap  "Only {heap} are left"         [N-2]
  heap -= n                                       [N-2]
play:
  turns p from first_player:
    p chooses one of take
    if heap == 0: finish with winner p            [N-3]
aim:                                              [N-3]
  ends play "Whoever takes the last one wins."    [N-3]

scenario "nobody takes more than there are":      [N-2]
  given heap = 2
  expect red cannot take(3)                       [N-2]

scenario "whoever takes the last one wins":       [N-3]
  red: take(2)
  blue: take(2)
  expect winner blue
"""


def test_a_scenario_that_reaches_a_line_notices_although_it_cites_another_clause(tmp_path: Path) -> None:
    path = tmp_path / "nim.rules"
    path.write_text(REACHED)
    game = api.load(path)
    assert survivors(game, run_scenarios(game)) == ()


def test_lines_of_an_aim_have_no_mutant(tmp_path: Path) -> None:
    path = tmp_path / "nim.rules"
    path.write_text(REACHED)
    assert [mutant.clauses for mutant in mutants(api.load(path).internals.module)] == [("N-2",), ("N-2",), ("N-3",)]
