"""Diagnostics after an edit, worked out from those before it: they are those of a check from nothing."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulelang.diagnostics.model import Diagnostic
from rulelang.driver.chain import Unit, steps_to_faults
from rulelang.texts.model import Nothing
from rulelang.workspace import workspace as workspaces
from rulelang.workspace.workspace import Workspace
from tests.files import CLASSICS, GAMES

PIG = (CLASSICS / "pig.rules").read_text()
LARGEST = GAMES / "exit_velocity" / "exit_velocity.rules"


@pytest.fixture(scope="module")
def session() -> Workspace:
    opened = Workspace()
    opened.diagnostics(LARGEST)
    return opened


def told(found: tuple[Diagnostic, ...]) -> list[tuple[object, ...]]:
    """Returns all that people see of diagnostics, with every place."""
    return [(d.code, d.message, d.help, d.span, d.span.text, [(one.span, one.text) for one in d.labels]) for d in found]


def from_nothing(text: str) -> list[tuple[object, ...]]:
    fresh = Workspace(Nothing())
    fresh.put("/game.rules", text)
    return told(fresh.diagnostics("/game.rules"))


def typed(text: str, rng: random.Random) -> str:
    """Returns a text after a letter, a word or a line of it has changed."""
    at = rng.randrange(len(text))
    match rng.randrange(4):
        case 0:
            return text[:at] + rng.choice("abxyz0189 +=()\n") + text[at:]
        case 1:
            return text[:at] + text[at + 1 :]
        case 2:
            words = list(re.finditer(r"\b[a-z_]+\b|\b\d+\b", text))
            old, new = rng.choice(words), rng.choice(words)
            return text[: old.start()] + new.group() + text[old.end() :]
        case _:
            lines = text.split("\n")
            lines.insert(rng.randrange(len(lines)), rng.choice(lines))
            return "\n".join(lines)


@pytest.mark.parametrize("game", ["pig", "kuhn"])
def test_what_is_told_after_an_edit_is_what_a_check_from_nothing_tells(game: str) -> None:
    whole = (CLASSICS / f"{game}.rules").read_text()
    opened, rng = Workspace(Nothing()), random.Random(6)
    opened.put("/game.rules", whole)
    opened.diagnostics("/game.rules")
    for _ in range(15):
        text = whole
        for _ in range(rng.randrange(1, 3)):
            text = typed(text, rng)
            opened.put("/game.rules", text)
            assert told(opened.diagnostics("/game.rules")) == from_nothing(text), text
        opened.put("/game.rules", whole)
        opened.diagnostics("/game.rules")


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games that are checked as a whole, by entry."""
    found: list[str] = []

    def noted(unit: Unit) -> Iterator[Unit]:
        found.append(unit.entry.name)
        return steps_to_faults(unit)

    monkeypatch.setattr(workspaces, "steps_to_faults", noted)
    return found


EDITS = (
    ("play:\n", "# a comment\nplay:\n", ()),
    ("    seated += 1\n", "    seated += 2\n", ()),
    ("    seated += 1\n", "    seeted += 1\n", ("E0201",)),
    ("    seated += 1\n", "    seated += = 1\n", ("E0106",)),
    ("number of seats", "number of chairs", ()),
    ("[EV-", "[EX-", ()),
    ("May deposited resources be traded?", "May deposits be traded?", ()),
    ("Where does {c} start?", "Where does {c start?", ("E0110",)),
)


@pytest.mark.long
def test_an_edit_of_a_body_looks_at_that_body_alone(checked: list[str], session: Workspace) -> None:
    text = LARGEST.read_text(encoding="utf-8")
    for old, new, codes in EDITS:
        assert old in text
        session.put(LARGEST, text.replace(old, new, 1))
        assert tuple(d.code for d in session.diagnostics(LARGEST)) == codes, new
    session.drop(LARGEST)
    assert session.diagnostics(LARGEST) == ()
    assert checked == []


@pytest.mark.parametrize(
    ("old", "new", "codes"),
    [
        ("  supply: group", "  suply: group", {"E0201"}),
        ("option residue: 0..10000", "option residue: flag", {"E0301", "E0303"}),
        ("option residue: 0..10000", "option residue: 0..1000O", {"E0106"}),
    ],
)
def test_an_edit_of_a_head_looks_at_those_alone_that_name_it(
    checked: list[str], session: Workspace, old: str, new: str, codes: set[str]
) -> None:
    text = LARGEST.read_text(encoding="utf-8")
    assert old in text
    session.put(LARGEST, text.replace(old, new, 1))
    found = session.diagnostics(LARGEST)
    assert {one.code for one in found if one.is_error} == codes
    session.drop(LARGEST)
    assert session.diagnostics(LARGEST) == ()
    assert checked == []


def test_a_hole_that_cannot_be_read_hides_nothing_that_a_check_from_nothing_tells() -> None:
    session = Workspace(Nothing())
    warned = PIG + '\nvalue far(n: 0..3) -> 0..3 = n + 1\n\nto more(n: 0..3) "More {n}":\n  let m = n + 1\n'
    cut = warned.replace('"More {n}"', '"More {n"')
    for one in (warned, cut, cut.replace("m = n", "m = k"), cut.replace("more(n", "less(n"), warned):
        session.put("/game.rules", one)
        assert told(session.diagnostics("/game.rules")) == from_nothing(one), one


def test_words_that_make_two_options_read_alike_are_told() -> None:
    session = Workspace(Nothing())
    told_of = []
    for label in ("Hold", "roll", "Rolls", "Stop", "Roll"):
        text = PIG.replace('hold "Hold"', f'hold "{label}"')
        session.put("/game.rules", text)
        found = told(session.diagnostics("/game.rules"))
        assert found == from_nothing(text), label
        told_of.append([one[0] for one in found])
    assert told_of == [[], ["W0513"], ["W0513"], [], ["W0513"]]


def test_faults_elsewhere_lie_where_their_lines_lie_now() -> None:
    session = Workspace(Nothing())
    warned = PIG + "\nvalue far(n: 0..3) -> 0..3 = n + 1\n\nto more(n: 0..3):\n  let m = n + 1\n"
    assert [one[0] for one in from_nothing(warned)] == ["W0502"]
    first, second = warned.replace("m = n + 1", "m = n + 2"), warned.replace("m = n + 1", "m = n +")
    for one in (warned, f"# one\n{warned}", first, second):
        session.put("/game.rules", one)
        assert told(session.diagnostics("/game.rules")) == from_nothing(one)


def test_names_are_found_at_once_while_a_body_is_typed(checked: list[str], session: Workspace) -> None:
    text = LARGEST.read_text(encoding="utf-8")
    typing = text.replace("    seated += 1\n", "    seated += 1\n    let more = seat\n", 1)
    session.put(LARGEST, typing)
    session.diagnostics(LARGEST)
    (found,) = session.definition_at_once(LARGEST, LARGEST, typing.index("    seated += 1") + 5)
    assert (found.name, found.what) == ("seated", "variable")
    assert "seated" in {one.name for one in session.names(LARGEST, LARGEST).definitions}
    assert checked == []


def test_a_path_that_is_no_file_of_the_game_has_no_names(tmp_path: Path) -> None:
    session = Workspace(Nothing())
    session.put("/game.rules", PIG)
    assert session.definition_at_once("/game.rules", tmp_path / "other.rules", 0) == ()


HEADS = """game box "Box":
  players 2

names p, q: Player

enum Rank: jack, queen, king

kind Card "card":
  rank: Rank
  | rank  | sign |
  | jack  | "J"  |
  | queen | "Q"  |
  | king  | "K"  |

data cost(r: Rank):
  price: 0..9 = 0
  | r     | price |
  | jack  | 1     |
  | queen | 2     |
  | king  | 3     |

each Player has:
  hand: slot for Card, seen by owner
  gold: 0..9 = 1, called "money"
  marks(n: 0..5): 0..3
the game has:
  pot: 0..20 = 0

value strong(p) -> 0..9, called "strength of {p}" = 7 if p.gold > 3 else 2

setup:
  for p in Player: move random(c in Card if c in box) to p.hand

to pay(p):
  p.gold = 6
  p.marks(4) = 3
  pot += strong(p)

play:
  turns p from first_player:
    if p.hand.rank == king: pot = 3
    pay(p)
    p chooses one of:
      rest "Rest": pot = 0
      stake(r: Rank) "Stake {r}":
        needs p.gold >= cost(r).price "{p} cannot pay {r}"
        pot += cost(r).price
    if pot > 15: finish with winner p
"""
CHANGES = (
    ('called "money"', 'called "coins"'),
    ("gold: 0..9", "gold: 0..5"),
    ("marks(n: 0..5): 0..3", "marks(n: 0..3): 0..3"),
    ("marks(n: 0..5): 0..3", "marks(n: 0..5): 0..2"),
    ("-> 0..9, called", "-> 0..4, called"),
    ("-> 0..9, called", "-> 1..9, called"),
    ("pot: 0..20 = 0", "pot: 0..20 = 30"),
    ("slot for Card, seen by owner", "slot for Card"),
    ("slot for Card, seen by owner", "slot for Card, face down"),
    ("if p.hand.rank == king: pot = 3", "if next(p).hand.rank == king: pot = 3"),
    ("if p.hand.rank == king: pot = 3\n    pay(p)", "if next(p).hand.rank == king: pay(p)"),
    ("| king  | 3     |", "| king  | 3 if pot > 2 else 1 |"),
    ("| king  | 3     |", "| king  | 30     |"),
    ('"{p} cannot pay {r}"', '"Nobody can pay {r}"'),
    ('needs p.gold >= cost(r).price "', 'needs next(p).hand.rank == r "'),
    ("enum Rank: jack, queen, king", "enum Rank: jack, queen, king, ace"),
    ("players 2", "players 2..3"),
    ("p.gold = 6", "p.gold = 12"),
    ('rest "Rest"', 'rest "Rest a while"'),
)
"""Parts of the rules, most of them in heads, and what takes their place."""


@pytest.mark.long
def test_an_edit_of_a_head_tells_what_a_check_from_nothing_tells() -> None:
    session, rng = Workspace(Nothing()), random.Random(5)
    session.put("/game.rules", HEADS)
    session.diagnostics("/game.rules")
    found = set()
    for some in (*([one] for one in CHANGES), *(rng.sample(CHANGES, 2) for _ in range(5))):
        text = HEADS
        for old, new in some:
            assert old in HEADS
            text = text.replace(old, new, 1)
        session.put("/game.rules", text)
        now = told(session.diagnostics("/game.rules"))
        assert now == from_nothing(text), some
        found |= {one[0] for one in now}
    assert {"E0402", "W0502"} <= found
