"""An editor's session: texts change word by word, and are broken most of the time."""

from __future__ import annotations

import gc
import shutil
from pathlib import Path

import pytest

import rulelang
from rulelang import api
from rulelang.ir.model import GameRules
from rulelang.scenarios.run import lower_all, run_scenarios
from rulelang.semantics.lints.ranges.memory import AnswerMemory
from rulelang.semantics.names.scope import World
from rulelang.semantics.scenarios.scenario import lower_scenario
from rulelang.source import SourceText
from rulelang.syntax import nodes, parser
from rulelang.syntax.nodes.walk import walk
from rulelang.texts.model import Nothing
from rulelang.workspace import workspace as workspaces
from rulelang.workspace.workspace import Workspace
from tests.files import CLASSICS, GAMES

LARGEST = GAMES / "exit_velocity" / "exit_velocity.rules"
CLASSIC_FILES = sorted(CLASSICS.glob("*.rules"))
NIM = (CLASSICS / "nim.rules").read_text()


@pytest.fixture(scope="module")
def session() -> Workspace:
    return Workspace()


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def offset(text: str, words: str, of: str) -> int:
    """Returns where a name begins, in the first place where some words stand."""
    return text.index(words) + words.index(of)


# ------------------------------------------------------------------ an edit in the largest game


def test_one_wrong_word_is_told_and_all_is_well_when_it_is_right_again(session: Workspace) -> None:
    whole = text_of(LARGEST)
    assert session.diagnostics(LARGEST) == ()
    session.put(LARGEST, whole.replace("value team_count ->", "value teem_count ->"))
    wrong = session.diagnostics(LARGEST)
    assert {d.code for d in wrong} == {"E0201"}
    session.drop(LARGEST)
    assert session.diagnostics(LARGEST) == ()


def test_a_workspace_says_what_the_command_says_of_a_broken_game(tmp_path: Path, session: Workspace) -> None:
    folder = tmp_path / "exit_velocity"
    shutil.copytree(GAMES / "exit_velocity", folder)
    broken = text_of(LARGEST).replace("value team_count ->", "value teem_count ->")
    (folder / LARGEST.name).write_text(broken)
    session.put(LARGEST, broken)
    told = session.diagnostics(LARGEST)
    session.drop(LARGEST)
    assert [(d.code, d.span.place, d.message) for d in told] == [
        (d.code, d.span.place, d.message) for d in api.check(folder / LARGEST.name).diagnostics
    ]
    assert told


def test_only_the_text_that_changed_is_parsed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def parse(source: SourceText) -> parser.Parsed:
        read.append(source.name)
        return parser.parse(source)

    monkeypatch.setattr(workspaces, "parse_source", parse)
    session = Workspace()
    session.diagnostics(LARGEST)
    assert len(read) == len(set(read)) > 20
    read.clear()
    acts = LARGEST.parent / "acts.rules"
    session.put(acts, text_of(acts) + "\n# more\n")
    session.diagnostics(LARGEST)
    assert read == ["acts.rules"]


@pytest.mark.long
def test_a_number_in_one_verb_is_all_that_is_reasoned_about_again(session: Workspace) -> None:
    def worked_out() -> int:
        memory = session.unit(LARGEST).notes[AnswerMemory]
        assert isinstance(memory, AnswerMemory)
        return memory.worked_out

    text = text_of(LARGEST)
    opened = Workspace()
    opened.diagnostics(LARGEST)
    from_nothing = opened.unit(LARGEST).notes[AnswerMemory]
    assert isinstance(from_nothing, AnswerMemory)
    assert from_nothing.worked_out > 1000
    session.diagnostics(LARGEST)
    for edited, most in (
        (f"# more\n{text}", 0),
        (text.replace("drafted, at least 0, at most 8", "drafted, at least 0, at most 7"), 100),
        (text.replace("    seated += 1\n", "    seated += 1, at most 8\n"), 100),
    ):
        session.put(LARGEST, edited)
        assert edited != text
        assert session.diagnostics(LARGEST) == ()
        assert worked_out() <= most, edited
    session.drop(LARGEST)


EDITS = (
    ("outspeed.rules", "  boards_gone: 0..27 = 0", "  more: 0..9 = 0\n  boards_gone: 0..3 = 0"),
    ("track.rules", "to advance(p, n: 0..30)", "to advance(p, n: 0..3)"),
    ("tiles.rules", "cost: 0..12 = 0", "cost: 0..40 = 0"),
    ("outspeed.rules", "to pay(p, n: 0..30)", "to pay(p, n: 0..5)"),
    ("outspeed.rules", "fuel: 0..199", "fuel: 0..9"),
    ("outspeed.rules", "to pay(p, n: 0..5)", "to pay(p, n: 0..30)"),
)


@pytest.mark.long
def test_what_is_remembered_says_what_a_look_from_nothing_says() -> None:
    entry = LARGEST.parent.parent / "outspeed" / "outspeed.rules"
    opened, texts, told = Workspace(), dict[Path, str](), []
    for name, old, new in EDITS:
        path = entry.parent / name
        before = texts.get(path, text_of(path))
        assert old in before
        texts[path] = before.replace(old, new)
        opened.put(path, texts[path])
        fresh = Workspace()
        for other, text in texts.items():
            fresh.put(other, text)
        found = [str(d) for d in opened.diagnostics(entry)]
        assert found == [str(d) for d in fresh.diagnostics(entry)]
        told.append(found)
    assert len({tuple(found) for found in told}) > 3


def test_diagnostics_do_not_wait_for_what_only_a_run_needs() -> None:
    session = Workspace()
    entry = LARGEST.parent.parent / "outspeed" / "outspeed.rules"
    assert session.diagnostics(entry) == ()
    assert session.unit(entry).woven is None
    assert session.check(entry).game is not None
    woven = session.unit(entry).woven
    assert woven is not None
    assert session.check(entry).game.ir is woven  # type: ignore[union-attr]


def test_the_collector_of_cycles_is_held_back_only_while_a_game_is_checked() -> None:
    for switch in (gc.enable, gc.disable):
        switch()
        before = gc.isenabled()
        try:
            Workspace(Nothing()).diagnostics("/nothing.rules")
            assert gc.isenabled() == before
        finally:
            gc.enable()


def test_an_edit_of_a_scenario_does_not_check_the_game_again(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Workspace()
    before_edit = session.faults(LARGEST, ())
    before = session.unit(LARGEST)
    lowered: list[str] = []
    lower = lower_scenario

    def noted(world: World, ir: GameRules, node: nodes.ScenarioDeclaration) -> object:
        lowered.append(node.span.source.name)
        return lower(world, ir, node)

    monkeypatch.setattr(workspaces, "lower_scenario", noted)
    moving = LARGEST.parent / "scenarios" / "moving.rules"
    text = text_of(moving).replace("expect", "expekt", 1)
    session.put(moving, text)
    assert {d.code[:3] for d in session.faults(LARGEST, ())} == {"E01"}
    session.put(moving, text_of(moving) + "\n")
    assert session.faults(LARGEST, ()) == before_edit
    assert session.unit(LARGEST).woven is before.woven
    assert set(lowered) == {"scenarios/moving.rules"}


def test_what_was_wrong_with_a_scenario_is_not_told_when_the_game_has_changed_under_it() -> None:
    session = Workspace(Nothing())
    scenario = '\nscenario "one":\n  first: take(1)\n  expect heap == 20\n'
    session.put("/nim.rules", NIM.replace("heap", "pile") + scenario)
    assert {d.code for d in session.faults("/nim.rules")} == {"E0201"}
    session.put("/nim.rules", NIM + scenario)
    assert session.faults("/nim.rules") == ()


# ------------------------------------------------------------------ texts


def test_a_text_alone_is_a_game() -> None:
    checked = rulelang.check_text(NIM)
    assert checked.game is not None
    match = checked.game.start(2, seed=1)
    assert [o.text for o in match.options][:2] == ["take(1)", "take(2)"]
    assert rulelang.check_text(NIM.replace("heap", "hep", 1)).game is None


def test_a_text_alone_reads_nothing_from_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "more.rules").write_text("constant secret = 1\n")
    monkeypatch.chdir(tmp_path)
    for path in ("more.rules", str(tmp_path / "more.rules")):
        found = rulelang.check_text(f'include "{path}"\n{NIM}').diagnostics
        assert {d.code for d in found} <= {"E0213", "E0215"}
        assert found


def test_a_text_alone_may_be_a_variant_of_a_game_that_ships() -> None:
    text = "variant quick of outspeed:\n  constant starting_fuel = 9\n"
    checked = rulelang.check_text(text, ("quick",))
    assert checked.game is not None
    assert checked.game.rules_hash != rulelang.load("outspeed").rules_hash


def test_includes_variants_and_scenarios_are_read_from_the_texts_at_hand() -> None:
    session = Workspace(Nothing())
    session.put("/nim/nim.rules", 'include "heap.rules"\n' + NIM)
    session.put("/nim/heap.rules", "constant full = 21\n")
    session.put("/nim/variants/few.rules", "variant few of nim:\n  constant full = 5\n")
    session.put("/nim/scenarios/one.rules", 'scenario "one":\n  first: take(1)\n  expect full == 21\n')
    game = session.check("/nim/nim.rules").game
    assert game is not None
    assert [r.passed for r in run_scenarios(game)] == [True]
    assert [v.name.text for v in game.internals.loaded.variants] == ["few"]
    session.drop("/nim/heap.rules")
    assert "E0215" in {d.code for d in session.diagnostics("/nim/nim.rules")}


def test_what_is_put_stands_over_the_disk_and_goes_when_it_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "nim.rules"
    path.write_text(NIM)
    session = Workspace()
    assert session.diagnostics(path) == ()
    first = session.put(path, NIM.replace("heap -= n", "heap -= m"))
    assert [d.code for d in session.diagnostics(path)] == ["E0201"]
    assert session.drop(path) > first
    assert session.diagnostics(path) == ()
    path.write_text(NIM.replace("heap -= n", "heap -= m"))
    session.look_again()
    assert [d.code for d in session.diagnostics(path)] == ["E0201"]


def test_a_game_of_a_text_alone_can_be_read_again_elsewhere() -> None:
    import pickle

    game = rulelang.check_text(NIM).game
    assert game is not None
    again = pickle.loads(pickle.dumps(game))
    assert again.text_hash == game.text_hash
    assert again.internals.module == game.internals.module


# ------------------------------------------------------------------ names, while the text is broken


@pytest.mark.long
def test_a_name_leads_to_its_declaration_over_includes_while_a_line_is_broken(session: Workspace) -> None:
    whole = text_of(LARGEST)
    broken = whole.replace("play:", "play play:", 1)
    session.put(LARGEST, broken)
    try:
        assert {d.code[:3] for d in session.diagnostics(LARGEST)} == {"E01"}
        acts = LARGEST.parent / "acts.rules"
        text = text_of(acts)
        at = offset(text, "against sand:", "sand")
        found = [(d.name, d.what, d.span.source.name) for d in session.definition(LARGEST, acts, at)]
        # A variant puts another clock in its place.
        assert found == [("sand", "clock", "timer.rules"), ("sand", "clock", "variants/untimed.rules")]
        uses = session.uses(LARGEST, acts, at)
        assert {use.source.name for use in uses} >= {"acts.rules", "missions.rules", "timer.rules"}
        assert any(use.source.name.startswith("scenarios/") for use in uses)
        assert {use.text for use in uses} == {"sand"}
    finally:
        session.drop(LARGEST)


def test_a_use_in_a_variant_and_in_a_scenario_lead_to_the_same_place() -> None:
    session = Workspace(Nothing())
    game = NIM.replace("heap: 0..21 = 21", "heap: 0..21 = full") + "\nconstant full = 21\n"
    variant = 'variant few of nim:\n  constant full = 5\n  scenario "few":\n    expect heap == full\n'
    session.put("/nim/nim.rules", game)
    session.put("/nim/variants/few.rules", variant)
    found = session.definition("/nim/nim.rules", "/nim/variants/few.rules", variant.index("heap"))
    assert [d.span.place for d in found] == ["nim.rules:8:3"]
    places = {use.place for use in session.uses("/nim/nim.rules", "/nim/nim.rules", game.index("heap:"))}
    assert {"nim.rules:12:3", "variants/few.rules:4:12"} <= places


TWO = """game two "Two":
  players 2
enum Lane: left, middle
enum Side: left, right
the game has:
  lane: Lane = left
  side: Side = left
each Player has:
  lane: Side = right
play:
  turns p from first_player:
    side = p.lane
    lane = left
    let n = 1 + 1
    p chooses k in 1..3
    if k == n: finish with winner p
"""


@pytest.mark.parametrize(
    ("words", "name", "place"),
    [
        ("lane: Lane = left", "left", "3:12"),
        ("side: Side = left", "left", "4:12"),
        ("side = p.lane", "lane", "9:3"),
        ("side = p.lane", "side", "7:3"),
        ("    lane = left", "lane", "6:3"),
        ("    lane = left", "left", "3:12"),
        ("if k == n", "n", "14:9"),
        ("if k == n", "k", "15:15"),
        ("winner p", "p", "11:9"),
    ],
)
def test_the_types_say_which_of_several_is_meant(words: str, name: str, place: str) -> None:
    session = Workspace(Nothing())
    session.put("/two.rules", TWO)
    assert session.diagnostics("/two.rules") == ()
    at = TWO.index(words) + words.rindex(name)
    found = session.definition("/two.rules", "/two.rules", at)
    assert [d.span.place for d in found] == [f"two.rules:{place}"]


def test_no_local_of_one_rule_is_seen_in_another() -> None:
    text = "to one(n: 1..3):\n  let m = n\nto two(n: 1..3):\n  let m = n\n"
    session = Workspace(Nothing())
    session.put("/t.rules", text)
    second = text.rindex("n\n")
    (found,) = session.definition("/t.rules", "/t.rules", second)
    assert found.span.place == "t.rules:3:8"
    assert [use.place for use in session.uses("/t.rules", "/t.rules", second)] == ["t.rules:4:11"]


# What the language itself names: heads of tables, the owner of a zone, options that decline, directions of boards.
OWN_WORDS = {
    *(
        "name",
        "called",
        "text",
        "copies",
        "sign",
        "shape",
        "colour",
        "image",
        "mark",
        "action",
        "seconds",
        "milliseconds",
        "owner",
        "pass",
        "stop",
        "occurrences",
        "row",
        "column",
        "Direction",
    ),
    *("north", "east", "south", "west", "northeast", "southeast", "southwest", "northwest"),
}


@pytest.mark.long
@pytest.mark.parametrize(
    "entry",
    [*(GAMES / g / f"{g}.rules" for g in ("outspeed", "empty_space", "exobase", "exit_velocity")), *CLASSIC_FILES],
    ids=lambda p: p.stem,
)
def test_every_name_of_a_game_is_declared_built_in_or_a_direction(entry: Path, session: Workspace) -> None:
    from rulelang.semantics.names.scope import BUILTINS, YIELDING

    found = session.references(entry)
    known = {*BUILTINS, *YIELDING, *OWN_WORDS}
    assert {span.text for span in found.unknown} <= known
    game = session.check(entry).game
    assert game is not None
    written = [n for n in walk(game.internals.module) if isinstance(n, nodes.NameExpression)]
    places = {(s.source.name, s.start) for s in (*(r.span for r in found.uses), *(d.span for d in found.definitions))}
    missing = {n.text for n in written if (n.span.source.name, n.span.start) not in places}
    assert missing <= known
    assert lower_all(game) == ()


def test_a_text_that_changes_while_faults_are_looked_for_in_steps_is_told_as_it_is() -> None:
    workspace = Workspace(Nothing())
    workspace.put("/nim.rules", NIM)
    everything = [*workspace.steps("/nim.rules")]
    for number in range(len(everything)):
        workspace.put("/nim.rules", f"{NIM}# {number}\nconstant unused_{number} = 1\n")
        for _ in zip(range(number), workspace.steps("/nim.rules"), strict=False):
            pass
        left = workspace.steps("/nim.rules")
        next(left)
        workspace.put("/nim.rules", f"{NIM}constant known_{number} = = 1\n")
        assert [one for one in left if one] == []
        assert [one.code for one in workspace.faults("/nim.rules")] == ["E0106"]
