"""Codes E03: types, ranges, tables."""

from __future__ import annotations

from rulelang.diagnostics.codes.code import Code

TYPES: tuple[Code, ...] = (
    Code(
        "E0301",
        "the wrong type",
        "This expression has another type than the one expected here.",
        "the game has:\n  open: flag = 3\n",
        "the game has:\n  open: flag = yes\n",
    ),
    Code(
        "E0302",
        "not a number",
        "Sums, products, `roll` and clamps need numbers. `count(S)` is the number of members of a set.",
        "names p: Player\nvalue more(p) = p + 1\n",
        "names p: Player\neach Player has:\n  fuel: 0..9 = 1\nvalue more(p) = p.fuel + 1\n",
    ),
    Code(
        "E0303",
        "two things that cannot be compared",
        "Equality needs two values of one type, `<` two numbers (or members of one enum), `in` a thing and a set of such things.",
        "enum Colour: red, blue\nvalue odd = red == 3\n",
        "enum Colour: red, blue\nvalue odd = red == blue\n",
    ),
    Code(
        "E0304",
        "division by 0",
        "The divisor is always 0.",
        "value some = 3 / 0 rounded up\n",
        "value some = 3 / 2 rounded up\n",
    ),
    Code(
        "E0305",
        "this cannot stand here",
        "Verbs and phases are not values, a line must do something, and some forms belong in other places; the message says which it is.",
        "to rest(): settle\nvalue some = rest()\n",
        "to rest(): settle\nto sleep(): rest()\n",
    ),
    Code(
        "E0306",
        "a number that is too large",
        "Numbers fit in 32 bits with a sign: at most 2147483647.",
        "constant huge = 99999 * 99999\n",
        "constant huge = 2147483647\n",
    ),
    Code(
        "E0307",
        "this cannot be changed",
        "Only variables can be changed, with `=`, `+=` and `-=`. Constants, printed attributes and values cannot; things are moved with `move`.",
        "constant size = 3\nto grow(): size += 1\n",
        "the game has:\n  size: 0..9 = 3\nto grow(): size += 1\n",
    ),
    Code(
        "E0308",
        "an empty range",
        "A range goes from its low end up to its high end.",
        "the game has:\n  heap: 9..0 = 5\n",
        "the game has:\n  heap: 0..9 = 5\n",
    ),
    Code(
        "E0309",
        "a thing and a zone that do not go together",
        "A zone holds things of one kind; only things move, only to zones, and only a pile has a top and a bottom.",
        'kind Card "card":\n  n: 0..3\n  | n    |\n  | 0..3 |\nthe game has:\n  heap: 0..9 = 5\n  deck: pile of Card\nsetup:\n  move Card to heap\n',
        'kind Card "card":\n  n: 0..3\n  | n    |\n  | 0..3 |\nthe game has:\n  heap: 0..9 = 5\n  deck: pile of Card\nsetup:\n  move Card to deck\n',
    ),
    Code(
        "E0310",
        "a set that is too large",
        "A set can hold numbers from 0 to 4095, or from -2048 to 2047 if some are below 0. A number to choose from and the "
        "spaces of a track count from 0.",
        "value some = 0..5000\n",
        "value some = 0..50\n",
    ),
    Code(
        "E0311",
        "not known before the game",
        "Ranges, numbers of copies, printed values and constants are computed before the game, so they cannot depend on it.",
        "the game has:\n  heap: 0..9 = 5\nconstant half = heap\n",
        "constant half = 4\nthe game has:\n  heap: 0..9 = half\n",
    ),
    Code(
        "E0312",
        "a table that does not fit",
        "The first row names the columns, every row has a cell for each, keys do not repeat, and a blank cell needs a default.",
        'kind Card "card":\n  n: 0..3\n  | n |\n  | 1 | 1 |\n',
        'kind Card "card":\n  n: 0..3\n  | n |\n  | 1 |\n',
    ),
    Code(
        "E0313",
        "too many",
        "A kind has at most 2000 things, a table 200000 keys, a variable 200000 values; a board's maps have 4000000 pairs of spaces.",
        'kind Card "card":\n  n: 0..3\n  | copies | n |\n  | 5000   | 1 |\n',
        'kind Card "card":\n  n: 0..3\n  | copies | n |\n  | 50     | 1 |\n',
    ),
    Code(
        "E0314",
        "a board that does not fit",
        "A board has from 1 to 1000 spaces, its marks stand apart, and only square boards have diagonals.",
        "board Space: square\n  mark: 0..1 = 0\n",
        'board Space: square\n  map """\n    . .\n    . .\n  """\n',
    ),
    Code(
        "E0316",
        "outside of its range",
        "The value is certain to leave the range declared for it.",
        "the game has:\n  heap: 0..9 = 12\n",
        "the game has:\n  heap: 0..12 = 12\n",
    ),
    Code(
        "E0317",
        "an expression that is too large",
        "`next(…)` and values that yield a row of data are expanded where they are used, so nesting them grows fast.",
        f"enum Lane: left, middle, right\nvalue far = {'next(' * 16}left{')' * 16}\n",
        "enum Lane: left, middle, right\nvalue far = next(next(left))\n",
    ),
    Code(
        "E0318",
        "rows of hexes that do not interlock",
        "Each row of a hex map begins half a space to the right or left of the one above it; `_` marks a gap without a space.",
        'board Space: hex\n  map """\n    . .\n       . .\n  """\n',
        'board Space: hex\n  map """\n    . .\n     . .\n  """\n',
    ),
    Code(
        "E0319",
        "`none` in a set",
        "A set holds things, members or numbers, never `none`. An expression that may be `none` is left out of the set when it is.",
        "enum Lane: left, right\nthe game has:\n  lane: Lane? = none\nvalue off -> flag = lane in {none, left}\n",
        "enum Lane: left, right\nthe game has:\n  lane: Lane? = none\nvalue off -> flag = lane == none or lane in {left}\n",
    ),
    Code(
        "E0331",
        "a name that changes in play",
        "The name of a thing (`called`) is fixed before the game starts, so it may use only the columns of its kind; the "
        "name of a value may use only its keys. A description (`text`) may use everything that everyone may see.",
        'the game has:\n  day: 1..9 = 1\nkind Card "card":\n  called: "card of day {day}"\n  n: 1..3\n  | n    |\n  | 1..3 |\n',
        'kind Card "card":\n  called: "card {n}"\n  n: 1..3\n  | n    |\n  | 1..3 |\n',
    ),
    Code(
        "E0332",
        "a sign or an image that cannot be drawn",
        "A sign has at most three characters. An image is a file below the game's folder, named from there, and its name "
        "ends in .png, .jpg, .jpeg, .webp or .svg.",
        'kind Man "man":\n  sign: "knight"\n  n: 1..3\n  | n    |\n  | 1..3 |\n',
        'kind Man "man":\n  sign: "♞"\n  n: 1..3\n  | n    |\n  | 1..3 |\n',
    ),
)
