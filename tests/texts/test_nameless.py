"""Things, acts and flags to which the rules give no words: people read what they are, never how they are written."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import pytest

from cli.screen import narrate
from cli.screen.styles import Styles
from rulelang import api
from rulelang.ir.numbers import Thing
from rulelang.knowledge.redaction import thing_name, times
from rulelang.log.format import Chain, canonical
from rulelang.log.reading import parse_log
from rulelang.match.match import BareMatch
from tests.games.written import game

LOTS = """\
game lots "Lots":
  players 2
  seats ann "Ann", bob "Bob"
names p, q: Player; l: Lot; t: Ticket; k: Coin; c: Cube; n: 1..3
enum Good: silk, tea
kind Lot "lot":
  good: Good
  value: 1..50
  | copies | good | value |
  | 1      | silk | 20    |
  | 1      | silk | 30    |
  | 2      | tea  | 20    |
  | 1      | tea  | 30    |
kind Ticket "ticket":
  good: Good
  big: flag
  | copies | good | big |
  | 2      | silk | yes |
  | 1      | silk | no  |
  | 1      | tea  | yes |
  | 1      | tea  | no  |
kind Coin "coin":
  value: 1..5
  weight: 1..5
  | copies | value | weight |
  | 1      | 1     | 2      |
  | 1      | 2     | 2      |
  | 1      | 2     | 3      |
kind Cube "cube":
  | copies |
  | 4      |
the game has:
  shop: pile of Lot, face down
  pit: group of Cube
each Player has:
  hand: group of Lot, seen by owner
  tired: flag = no
  has_moved: flag = no
setup:
  move Lot to shop
  shuffle(shop)
  for p in players: move 1 of shop to p.hand
play:
  for p in players:
    p chooses one of:
      take(l in p.hand, q in players, n in 1..3): move l to shop
      rest:
        p.tired = yes
        p.has_moved = yes
    p.tired = no
    p.has_moved = no
"""

NAMES = {
    "Lot": ["silk lot 20", "silk lot 30", "tea lot 20", "tea lot 20", "tea lot 30"],
    "Ticket": ["big silk ticket", "big silk ticket", "silk ticket", "big tea ticket", "tea ticket"],
    "Coin": ["coin (value 1, weight 2)", "coin (value 2, weight 2)", "coin (value 2, weight 3)"],
    "Cube": ["a cube"] * 4,
}


@pytest.fixture
def lots(tmp_path: Path) -> api.Game:
    return game(LOTS, tmp_path)


def told(match: BareMatch, seat: int | None, already: int) -> list[str]:
    return [line.plain.strip() for line in narrate(match.events_for(seat, already), Styles.of_match(match))]


@pytest.mark.parametrize("kind", NAMES)
def test_a_thing_without_a_name_is_called_by_its_kind_and_what_is_printed_on_it(kind: str, lots: api.Game) -> None:
    about = next(one for one in lots.ir.kinds if one.name == kind)
    assert [thing_name(about, Thing(thing)) for thing in range(about.size)] == NAMES[kind]


def test_several_of_one_sort_are_counted() -> None:
    assert times("big silk ticket", 2, "a ticket", "tickets") == "2 big silk tickets"
    assert times("a cube", 3, "a cube", "cubes") == "3 cubes"


def test_its_written_form_stays_in_options(lots: api.Game) -> None:
    match = lots.start(2, seed=1)
    texts = [option.text for option in match.options]
    assert any(text.startswith("take(Lot(") for text in texts)
    match.play(f"ann: {texts[0]}")


def test_an_act_without_a_sentence_is_told_in_names_to_those_who_may_know(lots: api.Game) -> None:
    match = lots.start(2, seed=1)
    before, option = match.event_count, match.options.first(1)[0]
    match.push(option)
    own, other = told(match, 0, before)[0], told(match, 1, before)[0]
    held = thing_name(match.game.kinds[1], Thing(option.answer[1]))
    assert own.startswith(f"Ann: take {held}, ann, 1")
    assert other.startswith("Ann: take a lot, ?, ?")
    assert "Lot(" not in own + other


def test_a_flag_of_a_player_is_told_as_a_sentence(lots: api.Game) -> None:
    match = lots.start(2, seed=1)
    before = match.event_count
    match.play("ann: rest")
    said = " / ".join(told(match, None, before))
    for words in ("Ann is tired", "Ann has moved", "Ann is no longer tired", "Ann has not moved"):
        assert words in said, said
    assert "yes" not in said


def test_a_log_that_tells_things_by_their_written_form_is_replayed_without_a_word(lots: api.Game) -> None:
    rules = LOTS.replace("take(l in p.hand, q in players, n in 1..3):", 'take(l in p.hand) "Take {l}":')
    assert rules != LOTS
    named = api.check_text(rules).game
    assert named is not None
    match = named.start(2, seed=1)
    match.push(match.options.first(1)[0])
    lines, chain, written = match.log.text.splitlines(), Chain(), []
    for line in lines:
        record = json.loads(line)
        if record.get("sentence", "").startswith("Take "):
            record["sentence"] = f"Take {record['changes'][0][1]}"
        digits = chain.add(record)
        written.append(canonical(record | {"h": digits} if "h" in record else record))
    assert any('"sentence":"Take Lot(' in line for line in written)
    log = parse_log(BytesIO("".join(f"{line}\n" for line in written).encode()))
    assert api.replay(log, under=named).difference is None


WORDS = {
    "a menu's words": ("      rest:", '      rest "Rest":'),
    "two sentences": ("      rest:", '      rest "Rest", "{p} rests":'),
    "names of seats": ('ann "Ann"', 'ann "Anna"'),
    "a noun": ('kind Lot "lot":', 'kind Lot "parcel":'),
    "names of members": ("enum Good: silk, tea", 'enum Good "good": silk "Silk", tea'),
    "a variable's name": ("  tired: flag = no", '  tired: flag = no, called "weary"'),
    "a screen": ("setup:", 'screen:\n  line "{count(shop)}"\nsetup:'),
    "the words of a question": ('one of "Well?":', 'one of "What now?":'),
}


@pytest.mark.parametrize("what", WORDS)
def test_words_for_people_are_no_part_of_the_rules_hash(what: str) -> None:
    asked = LOTS.replace("p chooses one of:", 'p chooses one of "Well?":')
    before, after = WORDS[what]
    assert before in asked
    one, other = (api.check_text(text).game for text in (asked, asked.replace(before, after)))
    assert one is not None
    assert other is not None
    assert one.rules_hash == other.rules_hash
