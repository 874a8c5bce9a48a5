"""A scenario becomes the position on the table, things on the board are moved, and the position becomes a scenario."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rulelang import api
from rulelang.api import Game
from rulelang.editing.desk import Desk
from rulelang.editing.moving import Drag, moved
from rulelang.errors import InvalidInput
from rulelang.match.refused import refused
from rulelang.scenarios.run import run_scenario
from rulelang.source import SourceText
from rulelang.syntax import nodes
from rulelang.syntax.parser import parse
from rulelang.web.links import HOST
from rulelang.workbench.excerpt import excerpt, refusal
from tests.editing.desk import Page, desk_of, pages

STONES = """game stones "Stones":
  players 2..3
  seats red, blue, green

board Space: square
  map \"\"\"
    . . .
    . . .
  \"\"\"

kind Stone "stone":
  | copies | name  |
  | 2      | flint |
  | 1      | slate |

names p: Player; s: Space

the game has:
  heap: pile of Stone, face up

each Space has:
  mark: Player? = none
  pit: slot for Stone

each Player has:
  at: Space? = none
  bag: group of Stone, at most 1

setup:
  a1.mark = red
  b1.mark = blue
  red.at = c1
  move Stone to heap
  move slate to b2.pit
  move 1 of heap to a2.pit

action claim(p, s) "Claim {s}":
  needs s.mark == none  "{s} is taken"
  s.mark = p

play:
  turns p from first_player:
    p chooses one of claim
    if all(s.mark != none for s in Space): finish with winner p

scenario "three play":
  players red, blue, green
  given c2.mark = green
  expect red cannot claim(c2)

scenario "blue is next":
  players red, blue
  given c2.mark = blue
  red: claim(b2)
  expect b2.mark == red
"""


@pytest.fixture(scope="module")
def stones(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("stones") / "stones.rules"
    path.write_text(STONES)
    return api.load(str(path))


def _at(game: Game, space: str) -> str:
    """Returns the mark of a space."""
    kind = next(kind for kind in game.ir.kinds if kind.name == "Space")
    return f"Space {kind.names.index(space)}"


@pytest.mark.parametrize(
    ("thing", "start", "end", "changed"),
    [
        ("piece Red", "a1", "c2", ("a1.mark = none", "c2.mark = red")),
        ("piece red", "c1", "c2", ("red.at = c2",)),
        ("piece flint", "a2", "c2", ("a2.pit = none", "c2.pit = flint")),
        ("card flint", "zone heap", "zone red.bag", ("heap = {}", "red.bag = {flint}")),
        ("piece slate", "b2", "zone heap", ("heap = top slate, flint", "b2.pit = none")),
    ],
)
def test_a_thing_that_is_moved_changes_the_givens_of_its_places_alone(
    stones: Game, thing: str, start: str, end: str, changed: tuple[str, ...]
) -> None:
    match = stones.start(2)
    marks = [place if place.startswith("zone") else _at(stones, place) for place in (start, end)]
    found = moved(stones, match, Drag(thing, *marks))
    assert sorted(found.changed) == sorted(changed)
    # It begins as it says, and back where it was the position is the one before.
    there = stones.start(given=found.text)
    back = moved(stones, there, Drag(thing, *marks[::-1]))
    assert stones.start(given=back.text).key == match.key


@pytest.mark.parametrize(
    ("thing", "start", "end", "said"),
    [
        ("piece Red", "a1", "b1", "that place is occupied: blue is there"),
        ("piece flint", "a2", "b2", "`pit` holds at most 1, not 2"),
        ("piece green", "a1", "nowhere", "no given can say that green lies there"),
        ("piece Red", "a1", "zone heap", "no given can say that red lies there"),
        ("", "", "", "no given can say that this lies there"),
    ],
)
def test_where_a_thing_cannot_be_is_said(stones: Game, thing: str, start: str, end: str, said: str) -> None:
    marks = [_at(stones, place) if len(place) == 2 else place for place in (start, end)]
    with pytest.raises(InvalidInput) as caught:
        moved(stones, stones.start(2), Drag(thing, *marks))
    assert str(caught.value) == said


def test_a_page_moves_things_and_writes_the_position_as_a_scenario_that_passes(tmp_path: Path) -> None:
    with _page(tmp_path) as page:
        desk = page.desk
        start, end = _at(desk.game, "a1"), _at(desk.game, "c2")
        answer = page.ask("rulelang/move", thing="piece Red", start=start, end=end)
        assert (answer["givens"], answer["table"]) == (["a1.mark = none", "c2.mark = red"], desk.table)
        assert "claim(a1)" in {option.text for option in desk.live.table.match.options}
        answer = page.ask("rulelang/move", thing="piece Red", start=end, end=_at(desk.game, "b1"))
        assert answer == {"trouble": "that place is occupied: blue is there"}
        assert page.ask("rulelang/move") == {"trouble": "no given can say that this lies there"}
        page.ask("rulelang/read", file="stones.rules")
        written = page.ask("rulelang/position")
        assert written == {"file": "stones.rules", "line": STONES.count("\n") + 1}
        assert 'scenario "position":' in desk.text("stones.rules")
        page.state("3 scenarios pass")
        # An edit of the rules is followed from that position on.
        page.type("stones.rules", desk.text("stones.rules"))
        before, text = desk.game, desk.text("stones.rules")
        page.type("stones.rules", text.replace("is taken", "is claimed"))
        while desk.game is before:
            page.ask("textDocument/foldingRange", textDocument={"uri": "rules:///stones.rules"})
        assert not desk.trouble
        assert "claim(a1)" in {option.text for option in desk.live.table.match.options}


def test_after_a_thing_was_moved_a_choice_and_a_refusal_become_scenarios_that_pass(stones: Game) -> None:
    drag = Drag("piece Red", _at(stones, "a1"), _at(stones, "c2"))
    match = stones.start(given=moved(stones, stones.start(2), drag).text)
    match.push(match.option("claim(a1)"))
    option, _ = next(iter(refused(match, match.to_move[0])))
    shown = excerpt(stones, match, 1).text, refusal(stones, match, option).text
    assert shown[0].splitlines()[-2:] == ["  red: claim(a1)", "  expect a1.mark == red"]
    assert shown[1].splitlines()[-2:] == ["  red: claim(a1)", "  expect blue cannot claim(a1)"]
    for text in shown:
        parsed = parse(SourceText("here", text))
        (node,) = (one for one in parsed.module.declarations if isinstance(one, nodes.ScenarioDeclaration))
        assert (parsed.diagnostics, run_scenario(stones, node, match.internals.secrets).faults) == ((), ())


def test_the_scenario_at_the_cursor_becomes_the_position_on_the_table(tmp_path: Path) -> None:
    lines = STONES.splitlines()
    with _page(tmp_path) as page:
        desk = page.desk
        before = desk.table
        given = lines.index("  given c2.mark = blue")
        assert page.ask("rulelang/open", file="stones.rules", line=given) == {"table": before, "said": ""}
        assert "claim(c2)" not in {option.text for option in desk.live.table.match.options}
        assert "claim(b2)" in {option.text for option in desk.live.table.match.options}
        answer = page.ask("rulelang/open", file="stones.rules", line=lines.index('scenario "three play":'))
        # Another number of players sits down at another table.
        assert answer["table"] == desk.table != before
        assert desk.live.table.match.players == 3
        # It can be run to its end, or to the line where it fails.
        answer = page.ask("rulelang/open", file="stones.rules", line=given, runs=True)
        assert answer["said"] == "It passes: this is its end."
        assert "claim(b2)" not in {option.text for option in desk.live.table.match.options}
        page.type("stones.rules", STONES)
        page.type("stones.rules", STONES.replace("expect b2.mark == red", "expect b2.mark == blue\n  blue: claim(a2)"))
        answer = page.ask("rulelang/open", file="stones.rules", line=given, runs=True)
        assert answer["said"].startswith("Here it fails: expected b2.mark == blue")
        assert "claim(a2)" in {option.text for option in desk.live.table.match.options}
        for file, line in (("stones.rules", 0), ("else.rules", 50)):
            assert page.ask("rulelang/open", file=file, line=line) == {"trouble": "no scenario stands at the cursor"}
        page.type("stones.rules", STONES)
        page.type("stones.rules", STONES.replace("s.mark = p\n", "s.mork = p\n"))
        answer = page.ask("rulelang/open", file="stones.rules", line=given)
        assert answer == {"trouble": "the rules have errors: no scenario can begin"}


def test_a_step_of_a_log_becomes_the_position_on_the_table_which_follows_the_texts_from_there(tmp_path: Path) -> None:
    with _page(tmp_path) as page:
        desk = page.desk
        first, match = desk.table, desk.live.table.match
        page.ask("rulelang/read", file="stones.rules")
        for nth in (0, -1):
            match.push(list(match.options)[nth])
        answers = _answers(desk)
        desk.live.table.sync()
        now = match.key
        _, _, id, token = page.ask("rulelang/steps")["path"].split("/")
        viewing = desk.hall.view(id, HOST)
        assert viewing is not None
        assert desk.hall.links.who(id, token, 3) == HOST
        viewing.do({"do": "go", "text": "1"})
        path = viewing.do({"do": "branch"})["go"]
        assert page.ask("rulelang/table") == {"table": path} != {"table": first}
        assert (_answers(desk), match.key) == (answers[:1], now), "the game of before stays as it is"
        before = desk.game
        page.type("stones.rules", STONES)
        page.type("stones.rules", STONES.replace("is taken", "is claimed"))
        while desk.game is before:
            page.ask("textDocument/foldingRange", textDocument={"uri": "rules:///stones.rules"})
        # The bot has chosen otherwise there.
        assert (desk.table, _answers(desk)[:1], desk.trouble) == (path, answers[:1], "")
        assert answers[1] not in _answers(desk)


def _answers(desk: Desk) -> list[object]:
    return [past.answer for _, past in desk.live.table.match.earlier()]


@contextmanager
def _page(folder: Path) -> Iterator[Page]:
    (folder / "stones.rules").write_text(STONES)
    with pages(desk_of(folder / "stones.rules", folder / "tables")) as (page,):
        yield page
