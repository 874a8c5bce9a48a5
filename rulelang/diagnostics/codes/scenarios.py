"""Codes E07: scenarios."""

from __future__ import annotations

from rulelang.diagnostics.codes.code import Code

_NIM = (
    'game nim "Nim":\n  players 2\n  seats red, blue\nnames p: Player; n: 1..3\n'
    "the game has:\n  heap: 0..21 = 21\n"
    'action take(p, n) "Take {n}":\n  needs n <= heap "Only {heap} left"\n  heap -= n\n'
    "play: tour()\n"
    "phase tour:\n  repeat while heap > 0:\n    for p in players if heap > 0: p chooses one of take\n"
)
_CARDS = (
    'game cards "Cards":\n  players 2\n  seats red, blue\nnames p: Player\nenum Suit: hearts, spades\n'
    "kind Card:\n  suit: Suit\n  value: 1..9\n"
    "  | suit   | value |\n  | hearts | 1..3  |\n  | spades | 1..3  |\n"
    "die d6: 1..6\n"
    "the game has:\n  deck: pile of Card, face down\n"
    "each Player has:\n  hand: group of Card\n"
    "setup:\n  move Card to deck\n  shuffle(deck)\n"
    "play:\n  for p in players: move 1 of deck to p.hand\n"
)


def _nim(scenario: str) -> str:
    return f"{_NIM}scenario {scenario}"


def _cards(scenario: str) -> str:
    return f"{_CARDS}scenario {scenario}"


SCENARIOS: tuple[Code, ...] = (
    Code(
        "E0700",
        "a scenario that fails",
        "`rulelang test` plays a scenario and looks at what it expects. Either the rules do not do what the rulebook says, "
        "or the scenario expects something else than that; the fault shows both sides as they are.",
        _nim('"one taken":\n  red: take(1)\n  expect heap == 19\n'),
        _nim('"one taken":\n  red: take(1)\n  expect heap == 20\n'),
    ),
    Code(
        "E0701",
        "nobody of that name plays",
        "A scenario's names of players are those of its `players` line; without one, those of the game's seats, as many as "
        "the game needs at least.",
        _nim('"one taken":\n  rod: take(1)\n  expect heap == 20\n'),
        _nim('"one taken":\n  red: take(1)\n  expect heap == 20\n'),
    ),
    Code(
        "E0702",
        "players that cannot play",
        "`players` names as many as the game allows, each once, and nothing that means something else in the game.",
        _nim('"one taken":\n  players red, blue, green\n  expect heap == 21\n'),
        _nim('"one taken":\n  players green, blue\n  expect heap == 21\n'),
    ),
    Code(
        "E0703",
        "what cannot be given or ordered",
        "`given` writes to variables and lays things into zones. What follows from others (a value), what is printed and "
        "what never changes cannot be given. `top …` is for piles.",
        _cards('"a card":\n  given red.hand = top Card(hearts, 2)\n  expect count(red.hand) == 2\n'),
        _cards('"a card":\n  given deck = top Card(hearts, 2), ...\n  expect Card(hearts, 2) in red.hand\n'),
    ),
    Code(
        "E0704",
        "no phase of that name",
        "Behind `at` stands a phase of the game, with arguments where it has any: the scenario begins right before it. All "
        "givens of a scenario are written at one such moment; without `at`, before `play` begins.",
        _nim('"the last":\n  given heap = 2 at tuor\n  expect heap == 2\n'),
        _nim('"the last":\n  given heap = 2 at tour\n  expect heap == 2\n'),
    ),
    Code(
        "E0705",
        "no such option",
        "Behind a player's name stands an option as the log writes it: an action with its arguments but without the player, "
        "`pass`, or the value alone where a value is chosen.",
        _nim('"one taken":\n  red: tale(1)\n  expect heap == 20\n'),
        _nim('"one taken":\n  red: take(1)\n  expect heap == 20\n'),
    ),
    Code(
        "E0706",
        "no such thing, or several",
        "A thing is written by its name, or as `Kind(values)` with as many of its printed values as tell it apart; the "
        "value alone where no other thing of its kind has it. Things that are alike share a form, and one is as good as "
        "another.",
        _cards('"a card":\n  given red.hand = {Card(2)}\n  expect count(red.hand) == 1\n'),
        _cards('"a card":\n  given red.hand = {Card(hearts, 2)}\n  expect Card(hearts, 2) in red.hand\n'),
    ),
    Code(
        "E0707",
        "a line that cannot stand there",
        "A scenario says who plays, then what is given, then what is put in and expected, in the order in which it "
        "happens. Once the game runs, nothing is given any more; in the middle of a verb, nobody can be asked.",
        _nim('"one taken":\n  red: take(1)\n  given heap = 3\n  expect heap == 3\n'),
        _nim('"one taken":\n  given heap = 3\n  red: take(1)\n  expect heap == 2\n'),
    ),
    Code(
        "E0708",
        "a result that cannot come",
        "`roll` names a die and faces that it has; `draw` names things, or values, that a random pick or a shuffle can "
        "bring up.",
        _cards('"a six":\n  roll d6 7\n  expect count(deck) == 6\n'),
        _cards('"a card":\n  draw Card(hearts, 2)\n  expect Card(hearts, 2) in red.hand\n'),
    ),
    Code(
        "E0709",
        "no rule of that name",
        "`expect event` and `after` name a verb, an action, a phase, or a rule by its `as` name.",
        _nim('"one taken":\n  red: take(1)\n  expect event tale(red, 1)\n'),
        _nim('"one taken":\n  red: take(1)\n  expect event take(red, 1)\n'),
    ),
    Code(
        "E0710",
        "two scenarios of one title",
        "A scenario is known by its title: variants void it by that, results are listed under it.",
        _nim('"one taken":\n  expect heap == 21\nscenario "one taken":\n  expect heap == 21\n'),
        _nim('"nothing taken":\n  expect heap == 21\nscenario "two play":\n  expect count(players) == 2\n'),
    ),
    Code(
        "E0711",
        "no such option of the game",
        "Behind `with` stand options that the game declares, with one of their values.",
        _nim('"a long heap" with size = 30:\n  expect heap == 21\n'),
        _nim('"a long heap":\n  expect heap == 21\n'),
    ),
)
