"""What can be swept, and what is said about what cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang import load
from rulelang.errors import InvalidInput
from rulelang.studies.axes import Axis, operation, target_of
from rulelang.studies.run import begin
from rulelang.studies.study import read_study, study_of


@pytest.mark.parametrize(
    ("written", "values"),
    [
        ("size=3..6", ("3", "4", "5", "6")),
        ("size=3..9/3", ("3", "6", "9")),
        ("size=-1..1", ("-1", "0", "1")),
        ("mode=easy, hard", ("easy", "hard")),
        ("Craft[name == gnat].price=2,4", ("2", "4")),
    ],
)
def test_values_are_a_range_with_a_step_or_a_list(written: str, values: tuple[str, ...]) -> None:
    assert Axis.read(written).values == values


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("size", "NAME=VALUES"),
        ("size=9..3", "holds no value"),
        ("size=1..9/0", "holds no value"),
        ("size=1,1", "twice"),
        ("size=", "no value"),
        ("size=1;2", "no value"),
        ("size=1\nplay:", "no value"),
        ("9=1", "not a name"),
        ("Craft[a\nb].x=1", "not a name"),
        ("size=1..100000", "more than 1000"),
    ],
)
def test_a_malformed_axis_is_refused_with_the_way_to_write_it(written: str, told: str) -> None:
    with pytest.raises(InvalidInput, match=told):
        Axis.read(written)


def test_a_name_is_found_among_all_that_a_variant_can_change(nim: Path) -> None:
    game = load(nim)
    wanted = {
        "size": "constant",
        "take": "rule",
        "misere": "variant",
        "players": "players",
        "Card[suit == a].n": "column",
    }
    assert {name: target_of(game, Axis(name, ("yes", "no"))) for name in wanted} == wanted
    with pytest.raises(InvalidInput, match=r"nothing called 'siz' .*did you mean size"):
        target_of(game, Axis("siz", ("1",)))
    with pytest.raises(InvalidInput, match="values are yes and no"):
        target_of(game, Axis("misere", ("maybe",)))


RACE = """\
game race "Race":
  players 2

enum Power: nitro, brake
kind Token "token":
  power: Power
  | copies | power |
  | 3      | Power |

names p: Player; t: Token; w: Power
data fee(w):
  cost: 0..9
  | w     | cost |
  | nitro | 3    |
  | brake | 1    |

each Player has:
  zone: 0..90 = 0
  fuel: 0..30 = 12
  tokens: group of Token, seen by owner
each Token has:
  zone: 0..9 = 1
the game has:
  lap: 0..9 = 2

value reach(p) -> 0..20 = 4
value pace(p) -> 0..20 =
  2 if p.fuel > 5
  1 otherwise
adjust reach(p): +1 if p.fuel > 6 as long_legs
adjust reach(p): at most 9 as short
setup: move 4 of Token to first_player.tokens

action go(p) "Go": p.zone += reach(p) + pace(p) + fee(nitro).cost
play:
  turns p from first_player:
    p chooses one of go
    if p.zone > 20: finish with winner p
"""


@pytest.fixture
def race(tmp_path: Path) -> Path:
    """A game with something of everything that can be swept."""
    path = tmp_path / "race.rules"
    path.write_text(RACE)
    return path


@pytest.mark.parametrize(
    ("name", "value", "lines"),
    [
        ("Token.copies", "2", "in Token if yes: copies = 2"),
        ("Token[power == nitro].copies", "0", "in Token if power == nitro: copies = 0"),
        ("fee.cost", "5", "in fee if yes: cost = 5"),
        ("fee[w == nitro].cost", "5", "in fee if w == nitro: cost = 5"),
        ("fuel", "9", "replace each Player has:\n  fuel: 0..30 = 9"),
        ("Player.zone", "3", "replace each Player has:\n  zone: 0..90 = 3"),
        ("lap", "7", "replace the game has:\n  lap: 0..9 = 7"),
        ("reach", "6", "replace value reach(p) -> 0..20 = 6"),
        ("long_legs", "3", "replace adjust reach(p): +3 if p.fuel > 6 as long_legs"),
        ("long_legs", "-2", "replace adjust reach(p): -2 if p.fuel > 6 as long_legs"),
        ("long_legs", "no", "remove long_legs"),
        ("short", "7", "replace adjust reach(p): at most 7 as short"),
    ],
)
def test_whatever_has_a_name_is_swept_by_lines_that_make_a_game(
    race: Path, tmp_path: Path, name: str, value: str, lines: str
) -> None:
    axis = Axis(name, (value,))
    game = load(race)
    written = operation(axis, target_of(game, axis), value, game)
    assert written is not None
    assert written == lines
    cell = tmp_path / "cell.rules"
    cell.write_text("variant cell of race:\n" + "".join(f"  {line}\n" for line in written.split("\n")))
    assert load(f"{race}+{cell}+cell").rules_hash != game.rules_hash


def test_a_value_that_a_thing_has_already_needs_no_line(race: Path) -> None:
    game = load(race)
    same = {"fuel": "12", "reach": "4", "long_legs": "1"}
    assert [operation(Axis(n, (v,)), target_of(game, Axis(n, (v,))), v, game) for n, v in same.items()] == [None] * 3


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("zone", "several things called 'zone': write Player.zone or Token.zone"),
        ("pace", "nothing called 'pace'"),
        ("feul", "did you mean fuel"),
        ("tokens", "nothing called 'tokens'"),
    ],
)
def test_what_holds_no_single_value_cannot_be_swept(race: Path, name: str, told: str) -> None:
    with pytest.raises(InvalidInput, match=told):
        target_of(load(race), Axis(name, ("1",)))


def test_a_cell_whose_value_makes_no_game_is_named(race: Path, tmp_path: Path) -> None:
    for swept, cell in (
        ("fuel = [9, 31]", "fuel=31"),
        ('reach = ["nobody"]', "reach=nobody"),
        ('"fee[x == 1].cost" = [1]', "fee"),
    ):
        study = read_study(f'game = "{race}"\nbots = "random"\n[vary]\n{swept}')
        with pytest.raises(InvalidInput, match=f"the cell {cell}"):
            begin(study, tmp_path / "out")
        assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("game = ", "not TOML"),
        ("games = 3", "names its game"),
        ('game = "nim"\ngame_s = 3', "has no 'game_s'"),
        ('game = "nim"\ngames = 0', "whole number from 1"),
        ('game = "nim"\ngames = true', "whole number from 1"),
        ('game = "nim"\nbots = 3', "bots are names"),
        ('game = "nim"\nvary = 3', "is a table"),
        ('game = "nim"\n[vary]\na = "1..100"\nb = "1..100"\nc="1..2"', "20000 cells"),
    ],
)
def test_a_faulty_study_is_refused_in_a_sentence(text: str, told: str) -> None:
    with pytest.raises(InvalidInput, match=told):
        read_study(text)


def test_a_study_reads_back_as_it_was_written() -> None:
    study = read_study(
        'game = "nim"\nplayers = [2, 3]\nbots = "random, greedy"\n[vary]\nsize = [3, 4]\n[measure]\nm = "p.x"'
    )
    assert study_of(study.to_data()) == study
    assert [cell.label for cell in study.cells()][:2] == ["players=2, size=3", "players=2, size=4"]
