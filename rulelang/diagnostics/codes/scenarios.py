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
        "`rulelang test` plays a scenario and checks its expectations. Either the rules differ from the rulebook, or the "
        "scenario does; the message shows the values on both sides.",
        _nim('"one taken":\n  red: take(1)\n  expect heap == 19\n'),
        _nim('"one taken":\n  red: take(1)\n  expect heap == 20\n'),
    ),
    Code(
        "E0701",
        "nobody of that name plays",
        "The players of a scenario are those in its `players` line; without one, the first seats of the game, as many as "
        "the game needs at least.",
        _nim('"one taken":\n  rod: take(1)\n  expect heap == 20\n'),
        _nim('"one taken":\n  red: take(1)\n  expect heap == 20\n'),
    ),
    Code(
        "E0702",
        "players that cannot play",
        "`players` lists as many names as the game allows, each once, and none that means something else in the game.",
        _nim('"one taken":\n  players red, blue, green\n  expect heap == 21\n'),
        _nim('"one taken":\n  players green, blue\n  expect heap == 21\n'),
    ),
    Code(
        "E0703",
        "something that cannot be given or ordered",
        "`given` sets variables and puts things into zones. Values, printed attributes and constants cannot be given, since "
        "they are computed or never change. `top …` is for piles.",
        _cards('"a card":\n  given red.hand = top Card(hearts, 2)\n  expect count(red.hand) == 2\n'),
        _cards('"a card":\n  given deck = top Card(hearts, 2), ...\n  expect Card(hearts, 2) in red.hand\n'),
    ),
    Code(
        "E0704",
        "no phase of that name",
        "`at` names a phase of the game, with its arguments if it has any: the scenario begins right before it. All "
        "givens of a scenario belong to one such moment; without `at`, to the one before `play` begins. A text behind `at` is a "
        "place in the rules, as positions are printed with it.",
        _nim('"the last":\n  given heap = 2 at tuor\n  expect heap == 2\n'),
        _nim('"the last":\n  given heap = 2 at tour\n  expect heap == 2\n'),
    ),
    Code(
        "E0705",
        "no such option",
        "After a player's name, write an option as logs do: an action with its arguments but without the player, "
        "`pass`, or just the value if a value is chosen.",
        _nim('"one taken":\n  red: tale(1)\n  expect heap == 20\n'),
        _nim('"one taken":\n  red: take(1)\n  expect heap == 20\n'),
    ),
    Code(
        "E0706",
        "no such thing, or several",
        "A thing is written by its name, or as `Kind(values)` with enough of its printed values to identify it; a "
        "value that no other thing of its kind has is enough. Identical things are written alike, and any of them is "
        "meant.",
        _cards('"a card":\n  given red.hand = {Card(2)}\n  expect count(red.hand) == 1\n'),
        _cards('"a card":\n  given red.hand = {Card(hearts, 2)}\n  expect Card(hearts, 2) in red.hand\n'),
    ),
    Code(
        "E0707",
        "a line that cannot stand there",
        "A scenario lists its players, then its givens, then inputs and expectations in the order in which they "
        "happen. Once the game runs, nothing can be given; in the middle of a verb, nobody can be asked.",
        _nim('"one taken":\n  red: take(1)\n  given heap = 3\n  expect heap == 3\n'),
        _nim('"one taken":\n  given heap = 3\n  red: take(1)\n  expect heap == 2\n'),
    ),
    Code(
        "E0708",
        "a result that cannot come",
        "`roll` needs a die and faces that the die has; `draw` needs things or values that a random pick or a shuffle can "
        "yield.",
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
        "two scenarios with one title",
        "A scenario is identified by its title: variants void it by title, and results are listed under it.",
        _nim('"one taken":\n  expect heap == 21\nscenario "one taken":\n  expect heap == 21\n'),
        _nim('"nothing taken":\n  expect heap == 21\nscenario "two play":\n  expect count(players) == 2\n'),
    ),
    Code(
        "E0711",
        "no such option of the game",
        "`with` sets options that the game declares, each to one of its values.",
        _nim('"a long heap" with size = 30:\n  expect heap == 21\n'),
        _nim('"a long heap":\n  expect heap == 21\n'),
    ),
)
