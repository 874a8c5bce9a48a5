"""What can be swept, and what is said about what cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang import load
from rulelang.errors import InvalidInput
from rulelang.studies.axes import Axis, operation, target_of
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


def test_a_column_is_changed_in_all_rows_or_in_those_that_fit() -> None:
    assert operation(Axis("Bonus.copies", ("2",)), "column", "2") == "in Bonus if yes: copies = 2"
    assert (
        operation(Axis("Bonus[power == nitro].copies", ("2",)), "column", "2")
        == "in Bonus if power == nitro: copies = 2"
    )


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("game = ", "no TOML"),
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
