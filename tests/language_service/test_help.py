"""Help as one types: names of the wanted type, frequent edits, what shows what, who may see it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulelang.api.checking import check_text
from rulelang.errors import InvalidInput
from rulelang.language_service.actions import Action, actions
from rulelang.language_service.completion import completions
from rulelang.language_service.document import EditorPlace, EditorRange, EditorText
from rulelang.language_service.evidence import lenses, refused_there, run
from rulelang.language_service.hover import hover
from rulelang.language_service.service import LanguageService
from rulelang.language_service.structure import format_lines, hints

RULES = """game race "Race":
  players 2..4
  seats red, blue, green, yellow
  rulebook "rulebook.toml"

names p, q: Player; n: 1..3

enum Lane "lane": left, middle, right

kind Card "card":
  lane: Lane
  cost: 0..9 = 0

  | lane | cost |
  | left | 3    |

the game has:
  heap: 0..21 = 21
  deck: pile of Card, face down

each Player has:
  lane: Lane = left
  hand: group of Card, seen by owner
  secret: 0..3 = 0, seen by nobody

action steer(p, lane: Lane, n) "Steer":                              [R-1]
  p.lane = lane
  heap -= min(heap, n + 12)

play:
  turns p from first_player:
    p chooses one of steer
    if heap == 0: finish with winner p
"""
SCENARIO = """
scenario "red steers":                                               [R-1]
  players red, blue
  red: steer(right, 2)
  expect red.lane == right
"""
LEDGER = """[[clause]]
id = "R-1"
section = "Play"
kind = "rule"
text = "A player steers into a lane."

[[clause]]
id = "R-2"
section = "Play"
kind = "rule"
text = "Matches leave the heap."
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a game that has a ledger."""
    (tmp_path / "race").mkdir()
    (tmp_path / "race/race.rules").write_text(RULES + SCENARIO)
    (tmp_path / "race/rulebook.toml").write_text(LEDGER)
    return tmp_path / "race"


@pytest.fixture
def service(folder: Path) -> LanguageService:
    """The service, with the game open in it."""
    found = LanguageService()
    found.open(folder / "race.rules", RULES + SCENARIO)
    return found


def test_a_game_is_not_read_anew_when_its_file_is_closed_and_opened_again(
    folder: Path, service: LanguageService
) -> None:
    entry = folder / "race.rules"
    before = service.workspace.loaded(entry).module.declarations
    service.close(entry)
    service.open(entry, RULES + SCENARIO)
    assert [id(node) for node in service.workspace.loaded(entry).module.declarations] == [id(node) for node in before]
    # A file of another game takes its place.
    service.close(entry)
    service.open(folder.parent / "other.rules", RULES)
    service.close(folder.parent / "other.rules")
    service.open(entry, RULES + SCENARIO)
    assert service.workspace.loaded(entry).module.declarations[0] is not before[0]


def _wanted(folder: Path, after: str) -> list[str]:
    """The names of the wanted type at the end of a text that follows the rules."""
    service, text = LanguageService(), f"{RULES}{after}"
    service.open(folder / "race.rules", text)
    lines = text.split("\n")
    place = EditorPlace(len(lines) - 1, len(lines[-1]))
    return [one.name for one in completions(service, folder / "race.rules", place) if one.is_wanted]


IN_SCENARIO = '\nscenario "one":\n  players red, blue\n'


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("  given red.lane = ", ["left", "middle", "right"]),
        ("  given red.lane = mi", ["left", "middle", "right"]),
        ("  expect blue.lane != ", ["left", "middle", "right"]),
        ("  expect blue.secret >= ", ["0", "1", "2", "3"]),
        ("  red: ", ["pass", "steer"]),
        ("  red: ste", ["pass", "steer"]),
        ("  red: steer(", ["left", "middle", "right"]),
        ("  red: steer(left, ", ["1", "2", "3"]),
        ("  expect red can ", ["pass", "steer"]),
        ("  expect red cannot steer(", ["left", "middle", "right"]),
        ("  red: no_such(", []),
        ("  players ", []),
        ("  given deck = {", []),
        ("  given ", ["blue", "deck", "green", "heap", "red", "yellow"]),
        ("  given heap = 3, re", ["blue", "deck", "green", "heap", "red", "yellow"]),
        ("  expect heap == 3 and ", ["blue", "deck", "green", "heap", "red", "yellow"]),
    ],
)
def test_a_scenario_is_offered_what_fits(folder: Path, typed: str, names: list[str]) -> None:
    assert sorted(_wanted(folder, IN_SCENARIO + typed)) == sorted(names)


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("\nvalue a(p) = p.", ["hand", "lane", "secret"]),
        ("\nvalue a(c: Card) = c.", ["cost", "lane"]),
        ("\nvalue a = red.", ["hand", "lane", "secret"]),
        ("\nvalue a = sum(c.cost for c in Card if c.", ["cost", "lane"]),
        ("\nvalue a(unsaid) = unsaid.", ["cost", "hand", "lane", "secret"]),
    ],
)
def test_behind_a_point_stands_what_belongs_to_the_type_before_it(folder: Path, typed: str, names: list[str]) -> None:
    service, text = LanguageService(), f"{RULES}{typed}"
    service.open(folder / "race.rules", text)
    lines = text.split("\n")
    place = EditorPlace(len(lines) - 1, len(lines[-1]))
    assert [one.name for one in completions(service, folder / "race.rules", place)] == names


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("\naction turn(p, to: Lane, n):\n  heap -= ", {"n", "p", "to"}),
        ("\naction turn(p):\n  let limit = heap + 1\n  heap -= min(li", {"limit", "p"}),
        ("\nto all_turn():\n  for q in players:\n    q.lane = ", {"q"}),
        ("\nto all_turn():\n  heap -= n", set()),
    ],
)
def test_the_names_of_the_declaration_around_are_offered(folder: Path, typed: str, names: set[str]) -> None:
    service, text = LanguageService(), f"{RULES}{typed}"
    service.open(folder / "race.rules", text)
    lines = text.split("\n")
    found = completions(service, folder / "race.rules", EditorPlace(len(lines) - 1, len(lines[-1])))
    assert {one.name for one in found if one.what in ("let", "name", "parameter")} == names


def test_a_let_says_its_type(folder: Path) -> None:
    service, path = LanguageService(), folder / "race.rules"
    text = RULES.replace("  heap -= min(heap, n + 12)\n", "  let limit = n + 12\n  heap -= min(heap, limit)\n")
    service.open(path, text)
    (hint,) = (one for one in hints(service, path) if one.text.startswith(": "))
    place = service.documents[path].place(text.index(" = n + 12"))
    assert (hint.place, hint.text) == (place, ": 13..15")
    # While a line is broken, a hover still knows what was known, wherever it stands now.
    service.open(path, text.replace("names p", "# one\nnames p, = p"))
    document = service.documents[path]
    assert "`13..15`" in hover(service, path, document.place(document.source.text.index("limit =")))[0]


@pytest.mark.parametrize(
    ("row", "names"), [("  | ", ["left", "middle", "right"]), ("  | left | ", [str(n) for n in range(10)])]
)
def test_a_cell_of_a_table_is_offered_what_its_column_holds(folder: Path, row: str, names: list[str]) -> None:
    table = "\nkind Other:\n  lane: Lane\n  cost: 0..9\n\n  | lane | cost |\n  | right | 2 |\n"
    assert sorted(_wanted(folder, table + row)) == names


def test_the_head_of_a_table_is_offered_its_columns(folder: Path) -> None:
    head = "\nkind Other:\n  lane: Lane\n  cost: 0..9\n\n  | "
    assert set(_wanted(folder, head)) == {"lane", "cost", "name", "called", "copies"}


BOARD = """
board Field: square
  map \"\"\"
    . .
    . .
  \"\"\"
kind Rover "rover":
  | name  |
  | rover |
each Rover has:
  at: Field? = none
action go(p, f: Field):
  for r in Rover: r.at = f
"""


@pytest.mark.parametrize(
    ("typed", "wanted", "unwanted"),
    [
        ("  red: go(", {"a1", "b2"}, {"rover"}),
        ("  given rover.at = ", {"a1", "b2", "none"}, {"rover"}),
        ("  given ", {"rover", "red", "heap"}, {"a1"}),
    ],
)
def test_spaces_of_a_board_are_offered_where_one_is_due(
    folder: Path, typed: str, wanted: set[str], unwanted: set[str]
) -> None:
    service, path = LanguageService(), folder / "race.rules"
    service.open(path, RULES + BOARD + SCENARIO)
    service.faults(path)
    text = RULES + BOARD + IN_SCENARIO + typed
    service.open(path, text)
    place = service.documents[path].place(len(text))
    found = {one.name for one in completions(service, path, place) if one.is_wanted}
    assert wanted <= found
    assert not unwanted & found


# ------------------------------------------------------------------ edits


def _offered(service: LanguageService, path: Path, words: str) -> Iterator[Action]:
    text = service.documents[path].source.text
    at = text.index(words)
    document = EditorText(text)
    yield from actions(service, path, EditorRange(document.place(at), document.place(at + len(words))))


def _made(service: LanguageService, path: Path, words: str, title: str) -> str:
    """The text after an edit that is offered for some words."""
    (found,) = (one for one in _offered(service, path, words) if one.title.startswith(title))
    document = service.documents[path]
    text = document.source.text
    for change in sorted(found.changes[path], key=lambda one: one.range.start, reverse=True):
        text = text[: document.offset(change.range.start)] + change.text + text[document.offset(change.range.end) :]
    return text


def _errors(text: str) -> list[str]:
    return [
        one.code for one in check_text(text.replace('  rulebook "rulebook.toml"\n', "")).diagnostics if one.is_error
    ]


def test_a_number_gets_a_name(service: LanguageService, folder: Path) -> None:
    text = _made(service, folder / "race.rules", "12", "Name 12 as a constant")
    assert "constant number = 12\n\naction steer" in text
    assert "n + number)" in text
    assert _errors(text) == []


REFUSING = RULES.replace("  p.lane = lane\n", '  needs n <= heap  "Only {heap} left"\n  p.lane = lane\n').replace(
    "min(heap, n + 12)", "n"
)


def _refusal(folder: Path, rules: str, words: str) -> tuple[LanguageService, str]:
    """The service, and the text after a scenario of what is refused in the line of some words."""
    service, path = LanguageService(), folder / "race.rules"
    service.open(path, rules)
    place = service.documents[path].place(rules.index(words))
    ((there, (change,)),) = refused_there(service, path, place).items()
    assert there == path
    at = service.documents[path].offset(change.range.start)
    return service, rules[:at] + change.text + rules[at:]


def test_a_need_becomes_a_scenario_of_what_it_refuses(folder: Path) -> None:
    service, text = _refusal(folder, REFUSING, "needs n <= heap")
    assert "cannot steer(left, 3): Only" in text
    assert _errors(text) == []
    path = folder / "race.rules"
    service.open(path, text)
    title = text.rpartition('scenario "')[2].partition('"')[0]
    assert run(service, path, title) == f'"{title}": it passes'
    # Without the rule it fails, and a second one has another title.
    service.open(path, text.replace("needs n <= heap", "needs n <= 9"))
    assert "passes" not in run(service, path, title)
    assert f'"{title} (2)"' in _refusal(folder, text, "needs n <= heap")[1]


@pytest.mark.parametrize(
    ("rules", "words", "said"),
    [
        (REFUSING, "heap -= n", "no `needs`"),
        (REFUSING.replace("n <= heap", "n <= hep"), "needs n", "have errors"),
        (REFUSING.replace("n <= heap", "n <= 3"), "needs n", "nothing was refused"),
    ],
)
def test_where_nothing_is_refused_it_is_said(folder: Path, rules: str, words: str, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        _refusal(folder, rules, words)


def test_an_expression_becomes_a_value_of_the_names_that_it_uses(service: LanguageService, folder: Path) -> None:
    text = _made(service, folder / "race.rules", "min(heap, n + 12)", "Make a value")
    assert "value result(n) = min(heap, n + 12)\n\naction steer" in text
    assert "heap -= result(n)" in text
    assert _errors(text) == []


def test_the_clause_that_fits_a_line_best_can_be_cited(service: LanguageService, folder: Path) -> None:
    path = folder / "race.rules"
    line = next(one for one in RULES.split("\n") if "heap -=" in one)
    text = _made(service, path, line.strip(), "Cite R-2")
    cited = next(one for one in text.split("\n") if "heap -=" in one)
    assert cited == f"{line:<69}[R-2]"
    assert not any(one.title.startswith("Cite R-1") for one in _offered(service, path, "action steer(p"))


def test_no_clause_is_offered_where_none_can_be_cited(folder: Path) -> None:
    service, path = LanguageService(), folder / "race.rules"
    service.open(
        path, RULES + 'screen:\n  each {p in players}: "{p}",\n      "steering {p.lane} into a lane" if heap > 0\n'
    )
    offered = [one.title for one in _offered(service, path, '"steering')]
    assert not [title for title in offered if title.startswith("Cite")]


def test_a_scenario_is_voided_in_a_variant(service: LanguageService, folder: Path) -> None:
    varied = folder / "variants/fast.rules"
    varied.parent.mkdir()
    varied.write_text('variant fast of race "Fast":\n  constant unused = 3\n')
    service.open(varied, varied.read_text())
    (found,) = (one for one in _offered(service, folder / "race.rules", "red steers") if one.title.startswith("Void"))
    assert found.title == "Void it in fast"
    (change,) = found.changes[varied]
    assert change.text == '\n  void "red steers" because "…"'
    assert change.range.start == EditorPlace(1, 21)


@pytest.mark.parametrize("words", ['steer(p, lane: Lane, n) "Steer":      ', "one of steer"])
def test_a_name_is_changed_in_variants_and_scenarios_wherever_one_begins(folder: Path, words: str) -> None:
    (folder / "variants").mkdir()
    varied, path = folder / "variants/fast.rules", folder / "race.rules"
    varied.write_text(
        'variant fast of race "Fast":\n  replace action steer(p, lane: Lane, n) "Steer":\n    heap -= min(heap, n)\n'
    )
    service = LanguageService()
    service.open(path, RULES + SCENARIO)
    place = service.documents[path].place(
        RULES.index(words) + len(words.rpartition(" ")[0] if "one" in words else "") + 1
    )
    changes = service.rename(path, place, "swerve")
    assert {there.name: len(some) for there, some in changes.items()} == {"race.rules": 3, "fast.rules": 1}


# ------------------------------------------------------------------ what shows what


OWN = """game gems "Gems":
  players 2
  seats red "Red" in crimson, blue
enum Mood: calm "at ease", angry
kind Stone "stone":
  weight: 0..9
  | name | weight |
  | ruby | 3      |
each Stone has:
  load: 0..9 = stone.weight
each Player has:
  mood: Mood = calm
names p: Player
constant top_load = 3
setup:
  ruby.load = top_load
play:
  finish with winner red
scenario "the load is the weight":
  expect ruby.load == ruby.weight and red.mood == calm
"""


@pytest.mark.parametrize(
    ("at", "name", "changed"),
    [
        ("Stone has", "Gem", {"Stone": "Gem", "stone.weight": "gem.weight"}),
        ("stone.weight", "gem", {"Stone": "Gem", "stone.weight": "gem.weight"}),
        ('red "Red"', "rose", {'red "': 'rose "', "winner red": "winner rose", "red.mood": "rose.mood"}),
        ("calm ", "quiet", {'calm "': 'quiet "', "= calm": "= quiet"}),
        ("top_load = 3", "many", {"top_load": "many"}),
        ("the load", "a ruby is 3", {"the load is the weight": "a ruby is 3"}),
        ("the load", '"a ruby is 3"', {"the load is the weight": "a ruby is 3"}),
    ],
)
def test_a_name_is_changed_in_each_form_in_which_it_is_written(
    folder: Path, at: str, name: str, changed: dict[str, str]
) -> None:
    service, path = LanguageService(), folder / "race.rules"
    service.open(path, OWN)
    text, wanted = _renamed(service, path, at, name), OWN
    for old, new in changed.items():
        wanted = wanted.replace(old, new)
    assert text == wanted
    assert _errors(text) == []


@pytest.mark.parametrize(
    ("at", "name", "said"),
    [
        ("load:", "9x", "is not a name"),
        ("names p", "min", "`min` is built in"),
        ("Stone has", "top_load", "`top_load` is declared already"),
        ("the load", 'a "ruby"', "cannot be a title"),
    ],
)
def test_what_cannot_be_a_name_is_refused(folder: Path, at: str, name: str, said: str) -> None:
    service, path = LanguageService(), folder / "race.rules"
    service.open(path, OWN)
    with pytest.raises(InvalidInput, match=said):
        _renamed(service, path, at, name)


def _renamed(service: LanguageService, path: Path, at: str, name: str) -> str:
    """Returns the text of a file after the name that begins some words in it is changed."""
    document = service.documents[path]
    place = document.place(document.source.text.index(at) + (6 if at.startswith("names") else 0))
    changes = sorted(service.rename(path, place, name)[path], key=lambda one: one.range.start, reverse=True)
    for one in changes:
        document = document.changed(one.range, one.text)
    return document.text


def test_lenses_lead_from_rules_to_scenarios_and_back(service: LanguageService, folder: Path) -> None:
    path = folder / "race.rules"
    said = [(one.title, one.does, *one.scenarios) for one in lenses(service, path)]
    own = ("run", "run", "red steers")
    assert said == [("1 scenario", "show"), own, own, ("play from here", "play", "red steers")]
    ledger = folder / "rulebook.toml"
    service.open(ledger, LEDGER)
    assert [one.title for one in lenses(service, ledger)] == ["1 line, 1 scenario", "0 lines, 0 scenarios"]


def test_the_scenarios_of_a_rule_are_run_at_once(service: LanguageService, folder: Path) -> None:
    path = folder / "race.rules"
    another = SCENARIO.replace("red steers", "again").replace("== right", "== left")
    service.open(path, RULES + SCENARIO + another.replace("== left", "!= left"))
    assert run(service, path, "red steers", "again") == "All 2 scenarios pass."
    service.open(path, RULES + SCENARIO + another)
    assert run(service, path, "red steers", "again").endswith("(1 of 2 fail)")


def test_a_scenario_is_run_from_its_lens(service: LanguageService, folder: Path) -> None:
    path = folder / "race.rules"
    assert run(service, path, "red steers") == '"red steers": it passes'
    assert "no scenario" in run(service, path, "another")
    service.open(path, (RULES + SCENARIO).replace("== right", "== left"))
    assert "expected" in run(service, path, "red steers")
    service.open(path, RULES.replace("heap -=", "heep -="))
    assert "errors" in run(service, path, "red steers")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("heap: 0..21", "It is seen by everybody."),
        ("secret: 0..3", "It is seen by nobody."),
        ("hand: group", "What lies in it is seen by its owner alone."),
        ("deck: pile", "What lies in it is seen by nobody."),
        ("steer(p, lane", "Scenarios: red steers"),
        ("n + 12", "**n** (parameter)"),
        ("n + 12", "Its type: `1..3`"),
        ("p.lane = lane", "Its type: `Player`"),
        ("lane\n  heap", "Its type: `Lane`"),
        ("p chooses", "Its type: `Player`"),
        ("red, blue, green", "seat of Player"),
        ("steer(p, lane", "**R-1** A player steers into a lane."),
    ],
)
def test_a_hover_says_who_may_see_it_and_what_shows_it(
    service: LanguageService, folder: Path, words: str, said: str
) -> None:
    path = folder / "race.rules"
    document: Any = service.documents[path]
    text, _ = hover(service, path, document.place(document.source.text.index(words)))
    assert said in text


UNTIDY = RULES.replace("\nnames", "\n\n\nnames").replace("  deck:", "  deck :").replace(
    "heap -= min(heap, n + 12)", 'heap -= min( heap,n+12 )  # e\u0301 🎲'
).replace("\n\nplay:", "\nplay:")  # fmt: skip


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_lines_that_are_formatted_one_after_the_other_make_the_whole_text_that_is_formatted(
    folder: Path, end: str
) -> None:
    service, path = LanguageService(), folder / "race.rules"
    text = UNTIDY.replace("\n", end)
    service.open(path, text)
    (whole,) = service.format(path)
    document = EditorText(text)
    for line in reversed(range(len(document.lines))):
        for change in sorted(format_lines(service, path, line, line), key=lambda one: one.range.start, reverse=True):
            document = document.changed(change.range, change.text)
        service.open(path, document.text)
    assert document.source.text == EditorText(whole.text).source.text
    assert document.text.count(end) == document.text.count("\n")


def test_a_name_is_marked_in_its_file_without_a_check_of_the_variants(folder: Path) -> None:
    (folder / "variants").mkdir()
    (folder / "variants/fast.rules").write_text('variant fast of race "Fast":\n  constant unused = 3\n')
    service, path = LanguageService(), folder / "race.rules"
    service.open(path, RULES + SCENARIO)
    place = service.documents[path].place(RULES.index("steer(p"))
    marked = service.highlights(path, place)
    assert [one.range for one in service.references(path, place) if one.path == path] == list(marked)
    assert len(marked) == 3
    service.open(path, RULES.replace("heap -=", "heap += ") + SCENARIO)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(service.workspace, "references", None)
        assert service.highlights(path, place) == marked
