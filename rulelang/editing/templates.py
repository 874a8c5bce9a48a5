"""A name, a title and what a game is like -> the texts of a small whole game to start from, and a folder that holds them.

    texts_of("nim", "Nim")                 {"nim.rules": "…", "rulebook.toml": "…", "scenarios/first.rules": "…"}
    create_game(folder, "nim", "Nim")      writes them in `folder/nim`: all of them, or nothing

A game may also be like one that ships: then it is a variant of it.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Mapping
from pathlib import Path

from rulelang.api.checking import check_texts
from rulelang.api.loading import games
from rulelang.disk import create_folder
from rulelang.errors import InvalidInput
from rulelang.texts.model import Overlay
from rulelang.texts.reader import Disk

_HEAP = """\
# {title}: a heap of matches, taken in turn. Whoever takes the last one wins. Change it into your own game.

game {name} "{title}":
  players 2
  seats red, blue
  rulebook "rulebook.toml"

names p: Player; n: 1..3

constant matches = 12                                                [{prefix}-1]

the game has:
  heap: 0..matches = matches                                         [{prefix}-1]

action take(p, n) "Take {{n}}":                                        [{prefix}-2]
  needs n <= heap  "Only {{heap}} left"                                [{prefix}-3]
  heap -= n

play:
  turns p from first_player:                                         [{prefix}-2]
    p chooses one of take "How many do you take?"
    if heap == 0: finish with winner p                               [{prefix}-4]

# What people see, and what bots steer by: leave the other side a multiple of four.

screen:
  line "{{heap}} matches on the table"

value score(p) = 1 if heap % 4 == 0 else 0
"""

_HEAP_LEDGER = """\
# The rulebook, clause by clause, in our own words. Rules and scenarios cite the ids in square brackets.

[[clause]]
id = "{prefix}-1"
section = "Set-up"
kind = "setup"
text = "Twelve matches lie on the table."

[[clause]]
id = "{prefix}-2"
section = "Play"
kind = "rule"
text = "The players take turns; on each turn one takes one, two or three matches."

[[clause]]
id = "{prefix}-3"
section = "Play"
kind = "rule"
text = "Nobody can take more matches than there are."

[[clause]]
id = "{prefix}-4"
section = "End"
kind = "end"
text = "Whoever takes the last match wins."
"""

_HEAP_SCENARIOS = """\
# What must hold. `rulelang test {name}` plays each of these.

scenario "twelve matches lie on the table, red begins":              [{prefix}-1]
  players red, blue
  expect heap == 12
  expect red can take(3)

scenario "they take turns":                                          [{prefix}-2]
  players red, blue
  red: take(2)
  blue: take(3)
  expect heap == 7
  expect red can take(1)

scenario "nobody takes more than there are":                         [{prefix}-3]
  players red, blue
  given heap = 2
  expect red can take(2)
  expect red cannot take(3)                                          [{prefix}-3]

scenario "the last match wins":                                      [{prefix}-4]
  players red, blue
  given heap = 3
  red: take(3)
  expect winner red
"""

_EMPTY = """\
# {title}: two players, and nothing to do yet but wait.

game {name} "{title}":
  players 2
  seats red, blue

names p: Player

the game has:
  waited: 0..10 = 0

play:
  turns p from first_player:
    p chooses one of:
      wait "Wait": waited += 1
      stop_here "End the game": finish with winner p
    if waited == 10: finish with winner {{}}
"""

_EMPTY_SCENARIOS = """\
scenario "who ends the game wins it":
  players red, blue
  red: wait
  blue: stop_here
  expect winner blue
"""

_BOARD = '''\
# {title}: three stones in a row win, on a board of four by four.

game {name} "{title}":
  players 2
  seats red, blue

include "std:boards/lines"

names p: Player; s: Space

constant in_a_row = 3

board Space: square
  map """
    . . . .
    . . . .
    . . . .
    . . . .
  """

each Space has:
  stone: Player? = none

value owner(s) -> Player? = s.stone

action put(p, s) "Place a stone on {{s}}":
  needs s.stone == none  "{{s}} is taken"
  s.stone = p
  if is_in_row(p, s, in_a_row): finish with winner p

play:
  turns p from first_player:
    p chooses one of put
    if all(s.stone != none for s in Space): finish with winner {{}}
'''

_BOARD_SCENARIOS = """\
scenario "three in a row win":
  players red, blue
  given a1.stone = red, b1.stone = red
  red: put(c1)
  expect winner red

scenario "a stone stays where it is":
  players red, blue
  red: put(b2)
  expect blue cannot put(b2)
"""

_CARDS = """\
# {title}: each lays a card, and the higher one wins a point. Whoever has more points when the hands are empty wins.

game {name} "{title}":
  players 2
  seats red, blue

include "std:cards/french"

constant hand_size = 5

each Player has:
  points: 0..hand_size = 0
  laid: slot for Card
the game has:
  laid_aside: group of Card

setup: deal(hand_size)

action lay(p, c in p.hand) "Lay {{c}}":
  move c to p.laid

to compare() "The cards are compared":
  for p in players:
    if all(q == p or q.laid.rank < p.laid.rank for q in players): p.points += 1, at most hand_size
  for p in players: move p.laid to laid_aside

play:
  turns p from first_player:
    p chooses one of lay "Which card do you lay?"
    if all(q.laid != none for q in players): compare()
    if all(q.hand == {{}} and q.laid == none for q in players): finish with ranking q in players by highest q.points

value score(p) = p.points
"""

_CARDS_SCENARIOS = """\
scenario "the higher card wins a point":
  players red, blue
  given red.hand = {{Card(spades, ace)}}, blue.hand = {{Card(clubs, two)}}
  red: lay(Card(spades, ace))
  blue: lay(Card(clubs, two))
  expect red.points == 1 and blue.points == 0
"""

_DICE = """\
# {title}: roll as often as you dare. A one loses what you have rolled in this turn. Whoever has thirty first wins.

game {name} "{title}":
  players 2
  seats red, blue

names p: Player

constant goal = 30

die d6: 1..6

each Player has:
  total: 0..goal + 6 = 0
the game has:
  pot: 0..goal + 6 = 0

play:
  turns p from first_player:
    pot = 0
    repeat while p.total + pot < goal:
      p chooses one of:
        throw "Roll":
          let face = roll(d6)
          if face == 1:
            pot = 0
            stop
          pot += face
        hold "Hold": stop
    p.total += pot
    if p.total >= goal: finish with winner p

value score(p) = p.total
"""

_DICE_SCENARIOS = """\
scenario "what is held is kept":
  players red, blue
  roll d6 4
  red: throw
  red: hold
  expect red.total == 4

scenario "a one loses the pot":
  players red, blue
  roll d6 4, 1
  red: throw
  red: throw
  expect red.total == 0 and pot == 0
"""

_VARIANT = """\
# {title}: what is different from {like}, operation by operation. All that is not said here stays as it is.

variant {name} of {like} "{title}":

  scenario "the game begins":
    expect count(players) >= 1
"""

_FIRST = "scenarios/first.rules"
_TEXTS: Mapping[str, Mapping[str, str]] = {
    "heap": {"{name}.rules": _HEAP, "rulebook.toml": _HEAP_LEDGER, _FIRST: _HEAP_SCENARIOS},
    "empty": {"{name}.rules": _EMPTY, _FIRST: _EMPTY_SCENARIOS},
    "board": {"{name}.rules": _BOARD, _FIRST: _BOARD_SCENARIOS},
    "cards": {"{name}.rules": _CARDS, _FIRST: _CARDS_SCENARIOS},
    "dice": {"{name}.rules": _DICE, _FIRST: _DICE_SCENARIOS},
}
TEMPLATES: Mapping[str, str] = {
    "heap": "a heap of matches, with a rulebook",
    "empty": "an empty game",
    "board": "a small board",
    "cards": "cards",
    "dice": "dice",
}
"""The kinds of small games, and what a person calls them."""


def texts_of(name: str, title: str, like: str = "heap") -> dict[str, str]:
    """Returns the texts of a new game, by their paths inside its folder.

    Raises InvalidInput for a name, a title or a kind that is none.

    >>> list(texts_of("hop", "Hop"))
    ['hop.rules', 'rulebook.toml', 'scenarios/first.rules']
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,40}", name, re.ASCII):
        raise InvalidInput("a game's name is lower-case letters, digits and _, and begins with a letter")
    if not title.isprintable() or not title.strip() or set('"\\{}') & set(title):
        raise InvalidInput('a title is one line of text without ", \\ and braces')
    known = (*TEMPLATES, *games())
    if like not in known:
        raise InvalidInput(f"a new game is like one of these: {', '.join(known)}")
    files = _TEXTS.get(like, {"{name}.rules": _VARIANT})
    words = {"name": name, "title": title, "like": like, "prefix": _prefix(name)}
    return {path.format_map(words): text.format_map(words) for path, text in files.items()}


def title_of(name: str) -> str:
    """Returns the title of a game that is given none.

    >>> title_of("space_race")
    'Space race'
    """
    return name.replace("_", " ").capitalize()


def variants_of(name: str, like: str) -> tuple[str, ...]:
    """Returns the variants with which a new game is played: its own, if it is one.

    >>> variants_of("rich", "outspeed"), variants_of("hop", "dice")
    (('rich',), ())
    """
    return () if like in TEMPLATES else (name,)


def create_game(folder: Path, name: str, title: str, like: str = "heap") -> Path:
    """Writes a new game in a folder of its own, all of it or nothing; returns its entry.

    Raises InvalidInput, FileExistsError if anything has its name, and OSError.
    """
    there = folder / name
    if os.path.lexists(there):
        texts_of(name, title, like)
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(there))
    words = checked_texts(name, title, like, folder)
    create_folder(there, {path: text.encode() for path, text in words.items()})
    return there / f"{name}.rules"


def checked_texts(name: str, title: str, like: str, folder: Path = Path("/")) -> dict[str, str]:
    """Returns the texts of a new game that is to lie in a folder, by their paths inside its own; writes nothing.

    Raises InvalidInput for a name, a title or a kind that is none, and for a name that has another meaning.
    """
    words = texts_of(name, title, like)
    # Texts that no file holds yet are found by their whole paths.
    at = folder.resolve() / name
    texts = {at / path: text for path, text in words.items()}
    checked = check_texts(Overlay(Disk(), texts), at / f"{name}.rules", variants_of(name, like))
    fault = next((one for one in checked.diagnostics if one.is_error), None)
    if fault is not None:
        # It is a word of the language, or a variant that ships.
        raise InvalidInput(f"no game can be called {name}: {fault.message}")
    return words


def _prefix(name: str) -> str:
    """Returns the letters at the beginning of clause ids.

    >>> _prefix("space_race"), _prefix("nim")
    ('SR', 'NIM')
    """
    words = name.split("_")
    return "".join(word[0] for word in words if word).upper() if len(words) > 1 else name[:3].upper()
