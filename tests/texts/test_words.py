"""What people call things, and what those do: names and texts in the rules, on the options, in the log."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulelang
from rulelang import api
from rulelang.errors import RulesError
from rulelang.ir.numbers import Seat
from rulelang.knowledge.redaction import name_of, read, said_value
from rulelang.match.match import BareMatch
from rulelang.match.view import Eyes
from rulelang.rulebook.printed.book import book, lowered
from rulelang.rulebook.printed.markdown import markdown
from rulelang.screens.what import explained

NAMED = """
game duel "Duel":
  players 2
  seats red "The Red" in crimson, blue

constant reach = 3
noun coin "coin", "coins"

enum Power "power":
  nitro "nitro": "{reach} zones forward"      [D-1]
  ion_cannon: "Everybody else falls back"

kind Craft "space craft", "space craft":
  called: "the {power} craft"
  text: "Flies with {power}, {speed} at a time"
  power: Power
  speed: 1..9
  | name | called          | power      | speed | text              |
  | gnat | "Gnat {speed}"  | nitro      | 4     | "Small and quick" |
  | hulk |                 | ion_cannon | 2     |                   |

names p: Player; c: Craft; n: 0..9

the game has:
  hangar: group of Craft
  tide_line: 0..9 = 2
each Player has:
  purse: 0..9 = 1, called "purse of coins"
  plan: Power? = none, seen by owner
  tally: 0..9 = 0, untold

setup: move Craft to hangar
play:
  turns p from first_player: p chooses one of fly, hide, pay

action fly(p, c in hangar) "Fly {c}": move c to box
action hide(p, power: Power) "Hide {power}": p.plan = power
action pay(p, n in 0..p.purse) "Pay {n of coin}": pay_out(p, n)
to pay_out(p, n) "{p} pays {n of coin} of {count(hangar) of Craft}": p.purse -= n
"""


def start(text: str, folder: Path) -> BareMatch:
    path = folder / "duel.rules"
    path.write_text(text)
    return rulelang.load(path).start(2, 1)


@pytest.fixture
def match(tmp_path: Path) -> BareMatch:
    return start(NAMED, tmp_path)


def test_options_read_by_names_and_are_written_by_identifiers(match: BareMatch) -> None:
    assert [(option.text, option.label) for option in match.options][:4] == [
        ("fly(gnat)", "Fly Gnat 4"),
        ("fly(hulk)", "Fly the ion cannon craft"),
        ("hide(nitro)", "Hide nitro"),
        ("hide(ion_cannon)", "Hide ion cannon"),
    ]


def test_a_noun_follows_its_number(match: BareMatch) -> None:
    assert [option.label for option in match.options][4:] == ["Pay 0 coins", "Pay 1 coin"]
    match.play("red: pay(1)")
    match.play("blue: fly(hulk)")
    match.play("red: pay(0)")
    assert [read(event.sentence) for event in match.events if event.rule == "pay_out"] == [
        "The Red pays 1 coin of 2 space craft",
        "The Red pays 0 coins of 1 space craft",
    ]


def test_what_has_no_name_is_called_by_its_identifier_with_blanks(match: BareMatch) -> None:
    game = match.game
    assert [
        name_of(value, game.states[s.id].type, game) for s in game.states if s.name == "plan" for value in (0, 1)
    ] == [
        "nitro",
        "ion cannon",
    ]
    assert game.colours == ("crimson", "")
    assert game.kinds[0].called == ("The Red", "blue")


def test_texts_are_filled_in_from_the_rules(match: BareMatch) -> None:
    craft = next(kind for kind in match.game.kinds if kind.name == "Craft")
    power = next(enum for enum in match.game.enums if enum.name == "Power")
    eyes = Eyes(match.position, None)
    assert [eyes.read(text) for text in craft.texts] == ["Small and quick", "Flies with ion cannon, 2 at a time"]
    assert [eyes.read(text) for text in power.texts] == ["3 zones forward", "Everybody else falls back"]
    assert power.clauses == (("D-1",), ())


VALUES = """
value afloat(p) -> flag, called "{p} is afloat", else "{p} has sunk" = p.purse > 0
value purses(n) -> 0..2, called "the number of purses of {n}" = count(p in Player if p.purse == n)
"""


@pytest.fixture
def valued(tmp_path: Path) -> BareMatch:
    read = NAMED.replace("p chooses one of fly", "p chooses one of pass_on, fly")
    acting = """
action pass_on(p) "Pass on":
  needs afloat(p)  "Broke"
  p.purse = purses(1)
"""
    return start(read + VALUES + acting, tmp_path)


def test_a_value_is_called_by_its_name_with_its_keys_filled_in(valued: BareMatch) -> None:
    afloat, purses = valued.game.values
    assert said_value(afloat, ["The Red"]) == "The Red is afloat"
    assert said_value(purses, ["3"]) == "the number of purses of 3"


def test_what_explains_a_value_by_its_name(valued: BareMatch) -> None:
    names = [(one.name, one.noun) for one in explained(valued, 0, "purses")]
    assert names == [("the number of purses of …", "term")]


def test_the_printed_rules_call_a_value_by_its_name(tmp_path: Path, valued: BareMatch) -> None:
    loaded, variants = api.read(str(tmp_path / "duel.rules"))
    printed = markdown(book(lowered(loaded, variants)))
    assert "- The player has sunk: “Broke”" in printed
    assert "The player's purse of coins becomes the number of purses of 1." in printed
    assert "- A player is afloat if the player's purse of coins is more than 0." in printed
    assert "- The number of purses of *n*: the number of players" in printed


@pytest.mark.parametrize(
    ("declared", "code"),
    [
        ('value far(p), called "{tide_line} away" = p.purse', "E0331"),
        ('value far(p), called "{q} away" = p.purse', "E0331"),
        ('value far(p) -> 0..9, called "far", else "near" = p.purse', "E0301"),
    ],
)
def test_the_name_of_a_value_is_made_of_its_keys(declared: str, code: str, tmp_path: Path) -> None:
    with pytest.raises(RulesError) as error:
        start(f"{NAMED}{declared}\n", tmp_path)
    assert [diagnostic.code for diagnostic in error.value.diagnostics] == [code]


def test_renaming_changes_no_rule(match: BareMatch, tmp_path: Path) -> None:
    renamed = (
        NAMED.replace('"The Red" in crimson', '"Miss Scarlet"')
        .replace("Gnat {speed}", "Midge")
        .replace('"coin", "coins"', '"penny", "pence"')
        + 'value afloat(p) -> flag, called "{p} is afloat", else "{p} has sunk" = p.purse > 0\n'
    )
    other = start(renamed, tmp_path)
    assert other.game != match.game
    assert rulelang.load(tmp_path / "duel.rules").rules_hash == start_hash(NAMED, tmp_path)
    assert [option.text for option in other.options] == [option.text for option in match.options]


def start_hash(text: str, folder: Path) -> str:
    (folder / "old.rules").write_text(text)
    return rulelang.load(folder / "old.rules").rules_hash


def test_a_variant_renames_things_and_adds_members_with_names(tmp_path: Path) -> None:
    variant = """
variant late of duel "Late":
  in Craft if name == gnat: called = "The old gnat"
  in Craft if name == hulk: text = "Slow: {speed}"
  add to enum Power:
    siphon "the siphon": "Takes a coin"
"""
    (tmp_path / "duel.rules").write_text(NAMED + variant)
    match = rulelang.load(f"{tmp_path / 'duel.rules'}+late").start(2, 1)
    labels = [option.label for option in match.options]
    assert "Fly The old gnat" in labels
    assert "Hide the siphon" in labels
    craft = next(kind for kind in match.game.kinds if kind.name == "Craft")
    assert [Eyes(match.position, None).read(text) for text in craft.texts] == ["Small and quick", "Slow: 2"]


def test_what_a_reader_may_not_know_is_told_by_its_kind(tmp_path: Path) -> None:
    shown = NAMED + '\nscreen:\n  each Player: "{p} plans {p.plan}"\n'
    match = start(shown, tmp_path)
    match.play("red: hide(ion_cannon)")
    plan = match.game.screen[0].fields[0].text
    local = match.game.screen[0].variable
    assert local is not None
    assert [Eyes(match.position, seat).read(plan, {local.id: 0}) for seat in (Seat(0), Seat(1), None)] == [
        "The Red plans ion cannon",
        "The Red plans a power",
        "The Red plans a power",
    ]


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("in crimson", "in krimson", "E0201"),
        ("{n of coin}", "{n of con}", "E0201"),
        ("Gnat {speed}", "{reach}", "E0331"),
    ],
)
def test_words_that_do_not_fit_are_refused(old: str, new: str, code: str, tmp_path: Path) -> None:
    with pytest.raises(RulesError) as error:
        start(NAMED.replace(old, new, 1), tmp_path)
    assert code in [diagnostic.code for diagnostic in error.value.diagnostics]
