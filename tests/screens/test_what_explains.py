"""`what X` explains whatever the screen and the options speak of, in each game that ships."""

from __future__ import annotations

import re
from functools import cache

import pytest

from rulelang import api
from rulelang.errors import UnknownOption
from rulelang.ir.numbers import Seat
from rulelang.ir.types import EnumType, KindType, SetType
from rulelang.knowledge.redaction import name_of, said_cell
from rulelang.match.match import BareMatch
from rulelang.match.refused import refused
from rulelang.program.packing import members
from rulelang.program.values import plain
from rulelang.screens import what
from rulelang.screens.model import Part
from rulelang.screens.picture import on_screen, picture
from rulelang.screens.sights import said
from rulelang.screens.what import explained
from rulelang.session.dialogue import Dialogue
from rulelang.session.fallback_reply import no_answer
from rulelang.session.references import cited, of_the_aim, sentences, with_sentences
from rulelang.session.refusals import forbidden
from tests.screens.pictures import TABLES, Seen, about, amid
from tests.seeds import rest_long

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


@pytest.fixture
def _once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks at a position once, however many words are asked about: the screen, and all that has a name."""
    found: dict[tuple[int, int | None], list[tuple[str, what.Explained]]] = {}
    named = what._all

    def all_named(match: BareMatch, seat: Seat | None, parts: tuple[Part, ...]) -> list[tuple[str, what.Explained]]:
        if (id(match), seat) not in found:
            found[id(match), seat] = list(named(match, seat, parts))
        return found[id(match), seat]

    monkeypatch.setattr(what, "picture", cache(picture))
    monkeypatch.setattr(what, "_all", all_named)


@pytest.mark.usefixtures("_once")
@pytest.mark.parametrize("at", rest_long(["opening", "later"], "later"))
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


@pytest.mark.usefixtures("_once")
@pytest.mark.parametrize("game", rest_long(TABLES, "outspeed", "empty_space"))
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


@pytest.mark.usefixtures("_once")
@pytest.mark.parametrize("game", rest_long(TABLES, "outspeed", "empty_space"))
def test_a_number_on_the_screen_is_explained_by_what_has_it(game: str) -> None:
    match = amid(game)
    seat, shown = match.to_move[0], on_screen(match.game)
    boxed = {thing for heap in match.view(seat).zones if heap.name.startswith("box") for thing in heap.things}
    numbers = {
        seen.value: seen.name
        for seen in match.view(seat).variables
        if seen.value is not None and seen.value >= 0 and seen.text == str(seen.value)
        if seen.name.partition(".")[0] not in boxed
        if seen.name.partition("(")[0].rpartition(".")[2] in shown
    }
    assert numbers
    for number, name in numbers.items():
        facts = [fact for one in explained(match, seat, str(number)) if one.noun == "number" for fact in one.facts]
        assert facts, (number, name)


def test_a_card_is_explained_by_the_rows_of_the_data_about_it() -> None:
    hab, *_ = explained(about("exobase").start(seed=1), 0, "hab")
    assert "level 3: metal 3, water 2, food 2, energy needed 2, makes oxygen" in hab.facts
    assert "space 4, the built side: level 3, health regained 4" in hab.facts


def test_a_member_is_explained_by_the_things_on_which_it_is_printed() -> None:
    research, *_ = explained(about("exobase").start(seed=1), 0, "research")
    assert research.facts == ("type of lab",), research


def test_a_number_is_told_by_the_names_of_what_has_it() -> None:
    match = about("outspeed").start(3, 5)
    (one,) = (one for one in explained(match, 0, "12") if one.noun == "number")
    assert {"Green's fuel", "Red's fuel", "Blue's fuel"} <= set(one.facts)
    assert not [one for one in explained(match, 0, "4711") if one.noun == "number"]


@pytest.mark.usefixtures("_once")
@pytest.mark.parametrize("game", rest_long(TABLES, "outspeed", "empty_space"))
def test_every_word_and_every_number_on_the_screen_is_explained(game: str) -> None:
    match = amid(game)
    seat = match.to_move[0]
    words = {word for part in picture(match, seat) for line in said(part) for word in re.findall(r"[^\W_]+", line)}
    assert len(words) > 20
    assert not sorted(word for word in words if not explained(match, seat, word))


@pytest.mark.long
@pytest.mark.parametrize("game", TABLES)
def test_every_answer_on_offer_is_explained_by_its_number_and_by_its_words(game: str) -> None:
    seen = Seen(amid(game))
    question = Dialogue.of(seen.match, seen.seat).question
    for line in question.parts or question.lines:
        for word in (line.key, line.label):
            seen.person._tell_what(seen.seat, word, question)
            said_of = seen.text()
            assert "(answer)" in said_of or "(action)" in said_of or line.label in said_of, word
            assert "Nothing here" not in said_of, word


def test_the_columns_of_a_table_and_the_parts_of_a_screen_are_explained() -> None:
    match = amid("outspeed")
    (places,) = explained(match, match.to_move[0], "places")
    assert (places.noun, places.facts) == ("column", ("left: 1", "middle: 6", "right: 6"))
    (ships,) = explained(match, match.to_move[0], "Ships")
    assert "Red: place 2, zone 6, 7 fuel, 0 bonus tokens" in ships.facts
    (left, *_) = explained(match, match.to_move[0], "left")
    assert (left.noun, left.facts) == ("route", ("places 1", "fuel 3"))


def test_nobody_who_does_not_play_is_spoken_of() -> None:
    match = about("outspeed").start(3, 5)
    (fuel,) = (one for one in explained(match, 0, "fuel") if one.noun == "variable")
    assert fuel.facts == ("Green's fuel: 12", "Red's fuel: 12", "Blue's fuel: 12")


def test_the_time_on_a_clock_is_told_in_seconds() -> None:
    (sand,) = explained(about("exit_velocity").start(2, 5), 0, "sand")
    assert sand.facts == ("sand: 60 s",)
    (sand,) = explained(about("exit_velocity+untimed").start(2, 5), 0, "sand")
    assert sand.facts == ("sand: it does not run",)


def test_a_space_is_explained_by_what_lies_there() -> None:
    match = amid("exobase")
    (site,) = explained(match, 0, "j11")
    assert site.facts[0] == "power station"
    (sign, *_) = explained(match, 0, "d1")
    assert sign.facts[0] == "d: target die"


def test_a_clause_is_explained_by_the_sentences_that_stand_on_it() -> None:
    match = amid("exobase")
    (clause,) = explained(match, 0, "XB-13.1")
    assert clause.facts == (
        "build is not allowed if the number of resources missing for the card at level 1 is more than the rebate of the"
        " founder: “The card takes … more than are in storage”",
    )


def test_a_refusal_is_said_as_the_condition_of_the_rule() -> None:
    match = amid("exit_velocity")
    deposit = next(one for one in explained(match, 0, "deposit") if one.text == "Deposit all")
    assert "not allowed if the active contestant has no counters: “You carry nothing” [EV-19.3]" in deposit.facts


def test_the_sentence_of_a_clause_comes_from_the_ledger_and_first() -> None:
    game = api.load("outspeed")
    match = game.start(seed=1)
    found = with_sentences(game, "os-6.9", explained(match, 0, "os-6.9"))
    assert (found[0].name, found[0].noun) == ("OS-6.9", "clause")
    assert found[0].text == sentences(game)["OS-6.9"]
    assert found[0].facts == (
        "program is not allowed if the route is none of the open routes: “The route light is off”",
    )
    uncited = next(id for id in sentences(game) if not explained(match, 0, id))
    assert [one.text for one in with_sentences(game, uncited, ())] == [sentences(game)[uncited]]
    assert with_sentences(game, "OS-99.9", ()) == ()
    assert with_sentences(game, "nitro", ()) == ()


def test_what_one_does_is_explained_by_the_sentence_of_its_clause() -> None:
    game = api.load("exit_velocity")
    found = with_sentences(game, "launch", explained(game.start(3, seed=1), 0, "launch"))
    launch = next(one for one in found if one.noun == "action")
    assert launch.facts[0] == f"EV-31.2: {sentences(game)['EV-31.2']}"


def test_the_clauses_of_a_refusal_are_read_below_it() -> None:
    game = api.load("outspeed")
    assert cited(game, ("OS-6.9", "OS-99.9")) == (f"OS-6.9: {sentences(game)['OS-6.9']}",)
    assert cited(game, ()) == ()


def test_what_a_player_may_not_know_is_not_explained_to_them() -> None:
    match = amid("exit_velocity")
    hidden = (seat for seat in range(match.players) if seat != match.to_move[0])
    for seat in hidden:
        name = match.seat_names[seat]
        facts = [fact for one in explained(match, match.to_move[0], name) for fact in one.facts]
        assert "ship a ship card" in facts


def test_what_is_forbidden_is_told_once_a_rule_and_clauses_come_first() -> None:
    match = amid("exobase")
    found = forbidden(match, match.to_move[0])
    assert len({(one.words, one.reason.span) for one in found}) == len(found)
    some = {option.answer[0] for option in match.options_of(match.to_move[0])}
    order = [(one.answer[0] in some, not one.reason.clauses) for one in found]
    assert (True, False) in order
    assert order == sorted(order)
    begun = next(one for one in found if one.answer[0] != found[0].answer[0])
    assert forbidden(match, match.to_move[0], begun.answer[:1])[0].words == begun.words


def test_a_word_that_is_no_answer_is_told_from_one_that_nothing_has() -> None:
    match = amid("outspeed")
    dialogue = Dialogue.of(match, match.to_move[0])
    for word, reply in (("nitro", "cannot be chosen now (what nitro says"), ("frobnicate", "nothing here is called")):
        with pytest.raises(UnknownOption, match=re.escape(reply)):
            dialogue.answer(word)


def test_what_a_variant_abolishes_is_refused_with_its_clause_at_any_question() -> None:
    alone = about("empty_space+solo").start(1, seed=5)
    dialogue = Dialogue.of(alone, Seat(0))
    assert alone.choice is not None
    assert all(branch.name != "buy_rocket" for branch in alone.choice.branches)
    for words in ("buy_rocket", "Buy the rocket", "buying my rocket with red red red red"):
        with pytest.raises(UnknownOption, match=r"Alone, rockets are never bought \[ES-11\.5\]$"):
            dialogue.answer(words)
    with pytest.raises(UnknownOption, match="cannot be chosen now"):
        dialogue.answer("peek")


def test_a_word_that_answers_many_questions_is_not_said_to_be_for_one_of_them() -> None:
    match = about("exobase").start(seed=1)
    assert "it is for" not in no_answer(match, Seat(0), "stop", ())
    assert "keep the task card" in no_answer(match, Seat(0), "learn", ())


def test_a_thing_is_explained_by_what_is_printed_on_it_and_by_its_line_on_the_screen() -> None:
    match = about("exobase").start(1, 3)
    (lab,) = explained(match, 0, "lab")
    assert lab.facts[0] == (
        "Tasks (dice of danger: what they bring; a die of 4 or less costs 1 health): 2: 2 of any kind, 3: 4 of any kind,"
        " teaches recon, to build 3M 2T 2W, doors north, east, south, west"
    )
    assert "recon: Once, you look through the pile and swap a card with one of those to build" in lab.facts
    assert not [fact for fact in lab.facts if fact.endswith((" no", " nothing", " none"))]
    (row,) = (one for one in explained(match, 0, "row") if one.noun == "group")
    assert row.facts == ("the row of cards: 4 cards: solar array, geothermal plant, deep mine, hydroponics",)


def test_what_is_out_of_play_is_said_to_be_and_not_spoken_of_otherwise() -> None:
    match = about("exobase").start(1, 3)
    (vance,) = explained(match, 0, "vance")
    assert vance.facts[-1] == "in the box, out of play"
    (health,) = (one for one in explained(match, 0, "health") if one.noun == "variable")
    assert health.facts == ("Burman's health: 7", "Sato's health: 5", "Reyes' health: 5", "Duarte's health: 6")


def test_what_is_on_the_screen_is_spoken_of_first() -> None:
    match = amid("exit_velocity")
    (tech,) = (one for one in explained(match, match.to_move[0], "tech level") if one.noun == "variable")
    assert tech.facts[:3] == ("Nat A's tech level: 1", "Mgeni A's tech level: 1", "Ubuso A's tech level: 1")


def test_a_sign_of_a_map_and_a_sign_beside_a_number_are_explained() -> None:
    seen = Seen(amid("exit_velocity"))
    assert seen.what("U A").startswith("U A (sign): Ubuso A\n")
    assert seen.what("·").startswith("· (sign): nothing is shown there\n")
    assert "♥: health" in Seen(amid("exobase")).what("♥")


@pytest.mark.parametrize(
    ("game", "word"), [("exobase", "win"), ("exobase", "lose"), ("exit_velocity", "win"), ("empty_space+solo", "lose")]
)
def test_what_winning_and_losing_mean_is_said_by_the_aim_where_nothing_is_called_so(game: str, word: str) -> None:
    match = about(game).start(max(1, about(game).players[0]), 5)
    first, *_ = of_the_aim(match, 0, word, explained(match, 0, word))
    assert first.noun == "aim"
    assert all(word in fact for fact in first.facts)


def test_a_clause_with_a_sentence_is_told_without_code() -> None:
    match = about("outspeed").start(3, 5)
    (jam,) = with_sentences(about("outspeed"), "OS-7.11", explained(match, 0, "OS-7.11"))
    assert not any("(" in fact for fact in jam.facts), jam.facts


def test_a_number_follows_the_word_for_its_place() -> None:
    game = about("outspeed").start(3, 5).game
    (fields,) = (state for state in game.states if state.name == "forcefields")
    assert said_cell(game, fields, 15) == "number of forcefields in zone 15"
