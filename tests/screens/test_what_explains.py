"""`what X` explains whatever the screen and the options speak of, in each game that ships."""

from __future__ import annotations

import pytest

from rulelang.ir.types import EnumType, KindType, SetType
from rulelang.knowledge.redaction import name_of, plain
from rulelang.match.match import BareMatch
from rulelang.match.refused import refused
from rulelang.program.packing import members
from rulelang.screens.picture import on_screen
from rulelang.screens.what import explained
from tests.screens.pictures import TABLES, about, amid

MOST = 60
"""Options of a position that are looked through."""


def values_of(match: BareMatch, seat: int) -> set[str]:
    """Returns the names of all that the options of a seat are made of."""
    choice, found = match.choice, set[str]()
    assert choice is not None
    for option in match.options_of(seat).first(MOST):
        branch = choice.branches[option.answer[0]]
        for value, parameter in zip(option.answer[1:], branch.parameters, strict=True):
            type = parameter.variable.type
            held = members(value) if isinstance(type, SetType) else [value]
            element = type.element if isinstance(type, SetType) else type
            if isinstance(element, (KindType, EnumType)):
                found |= {name_of(one, element, match.game) for one in held if one >= 0}
    return found


@pytest.mark.parametrize("at", ["opening", "later"])
@pytest.mark.parametrize("game", TABLES)
def test_all_that_options_and_the_screen_speak_of_is_explained(game: str, at: str) -> None:
    match = amid(game) if at == "later" else about(game).start(TABLES[game][0], 5)
    seat, choice = match.to_move[0], match.choice
    assert choice is not None
    words = values_of(match, seat)
    words |= {
        plain(match.game.rules[b.rule].name) for b in choice.branches if match.game.rules[b.rule].what == "action"
    }
    declared = {state.name for state in match.game.states if not state.builtin}
    words |= {plain(name) for name in on_screen(match.game) & declared}
    words |= {zone.called or plain(zone.name) for zone in match.game.zones if zone.name != "box"}
    words |= {kind.label for kind in match.game.kinds}
    words |= {clause for _, reason in refused(match, seat) for clause in reason.clauses}
    unknown = sorted(word for word in words if not explained(match, seat, word))
    assert not unknown


@pytest.mark.parametrize("game", TABLES)
def test_what_has_a_text_says_it(game: str) -> None:
    """A member of an enum that has a text is explained by it, and by the clause behind it."""
    match = amid(game)
    seat, found = match.to_move[0], 0
    for enum in match.game.enums:
        for called, text in zip(enum.called, enum.texts, strict=False):
            if text is not None:
                found += 1
                assert any(one.text for one in explained(match, seat, called)), called
    assert found > 0 or game == "empty_space"


@pytest.mark.parametrize("game", TABLES)
def test_a_number_on_the_screen_is_explained_by_what_has_it(game: str) -> None:
    match = amid(game)
    seat, shown = match.to_move[0], on_screen(match.game)
    numbers = {
        seen.value: seen.name
        for seen in match.view(seat).variables
        if seen.value is not None and seen.value >= 0 and seen.text == str(seen.value)
        if seen.name.partition("(")[0].rpartition(".")[2] in shown
    }
    assert numbers
    for number, name in numbers.items():
        facts = [fact for one in explained(match, seat, str(number)) if one.sort == "number" for fact in one.facts]
        assert facts, (number, name)


def test_a_number_is_told_by_the_names_of_what_has_it() -> None:
    match = about("outspeed").start(3, 5)
    (one,) = (one for one in explained(match, 0, "12") if one.sort == "number")
    assert {"Green's fuel", "Red's fuel", "Blue's fuel"} <= set(one.facts)
    assert not [one for one in explained(match, 0, "4711") if one.sort == "number"]
