"""Codes E06: variants."""

from __future__ import annotations

from rulelang.diagnostics.codes.code import Code

_NIM = 'game nim "Nim":\n  players 2\nconstant start = 21\nconstant largest = 3\n'
_RACE = (
    'game race "Race":\n  players 2..4\nkind Card:\n  speed: 1..9\n  | copies | speed |\n  | 4      | 1..3  |\n'
    "names p: Player\neach Player has:\n  hand: group of Card, seen by owner\n"
)

VARIANTS: tuple[Code, ...] = (
    Code(
        "E0601",
        "no variant of that name",
        "A variant is chosen by the name in its head, after a plus sign: `nim+misere`.",
        f"# rulelang play nim+misery\n{_NIM}variant misere of nim:\n  constant largest = 4\n",
        f"# rulelang play nim+misere\n{_NIM}variant misere of nim:\n  constant largest = 4\n",
    ),
    Code(
        "E0602",
        "a variant of something else",
        "`of` names the game that the variant changes, or another variant of that game to build on.",
        f"{_NIM}variant short of nym:\n  constant start = 9\n",
        f"{_NIM}variant short of nim:\n  constant start = 9\n",
    ),
    Code(
        "E0603",
        "a variant that builds on itself",
        "A variant of a variant is applied after that one, so the chain must end at the game and cannot form a circle.",
        f"{_NIM}variant short of greedy:\n  constant start = 9\nvariant greedy of short:\n  constant largest = 5\n",
        f"{_NIM}variant short of nim:\n  constant start = 9\nvariant greedy of short:\n  constant largest = 5\n",
    ),
    Code(
        "E0604",
        "a change to what is not there",
        "`replace`, `remove`, `in KIND` and `void` name something that the game has: a declaration, one case of a "
        "verb (`replace to use(p, nitro)`), one variable, a rule by its `as` name, a column, a scenario by its title.",
        f"{_NIM}variant endless of nim:\n  remove lagrest\n",
        f"{_NIM}variant endless of nim:\n  remove largest\n",
    ),
    Code(
        "E0605",
        "a change that changes nothing",
        "Every line of a variant must make a difference. A line that makes none usually misses its target.",
        f"{_RACE}variant fast of race:\n  in Card if speed == 5: copies = 6\n",
        f"{_RACE}variant fast of race:\n  in Card if speed == 3: copies = 6\n",
    ),
    Code(
        "E0606",
        "something new under a name that is taken",
        "In a variant a declaration without `replace` is new, and its name must be free. Only constants and options are "
        "changed by simply declaring them again.",
        f"{_RACE}variant small of race:\n  each Player has:\n    hand: group of Card, at most 3, seen by owner\n",
        f"{_RACE}variant small of race:\n  replace each Player has:\n    hand: group of Card, at most 3, seen by owner\n",
    ),
    Code(
        "E0607",
        "two variants that change the same thing",
        "Combined variants, as in `nim+short+shorter`, have no order, so no two may change the same thing. If one should "
        "apply after the other, make it a variant of that one.",
        f"# rulelang play nim+short+shorter\n{_NIM}"
        "variant short of nim:\n  constant start = 9\nvariant shorter of nim:\n  constant start = 5\n",
        f"# rulelang play nim+short+shorter\n{_NIM}"
        "variant short of nim:\n  constant start = 9\nvariant shorter of short:\n  constant start = 5\n",
    ),
    Code(
        "E0608",
        "more than one thing could be meant",
        "A hook, an adjustment or a whenever-rule is identified by the verb, value or condition it belongs to. If several share "
        "one, each needs a name (`as NAME`), which the variant then gives.",
        f"{_RACE}after eliminate(p): move p.hand to box\nafter eliminate(p): settle\n"
        "variant calm of race:\n  replace after eliminate(p): return\n",
        f"{_RACE}after eliminate(p) as heritage: move p.hand to box\nafter eliminate(p): settle\n"
        "variant calm of race:\n  replace after eliminate(p) as heritage: return\n",
    ),
    Code(
        "E0609",
        "rows chosen by something that is not printed",
        "`in KIND if c` picks rows by their cells, before any game begins. Its condition compares columns with numbers, "
        "words and sets of these; calls and state are not known yet.",
        f"{_RACE}variant fast of race:\n  in Card if speed == turn(1): copies = 6\n",
        f"{_RACE}variant fast of race:\n  in Card if speed >= 2: copies = 6\n",
    ),
    Code(
        "W0610",
        "scenarios that name something a variant removes",
        "An operation removes something that scenarios of the game name. They count as changed by the variant, like those that play "
        "differently under it; a variant that stays voids them, with its reason.",
        f'{_RACE}scenario "swift":\n  given player1.hand = {{Card(3)}}\nvariant calm of race:\n  in Card if speed == 3: copies = 0\n',
        f'{_RACE}scenario "swift":\n  given player1.hand = {{Card(3)}}\nvariant calm of race:\n  in Card if speed == 3: copies = 0\n'
        '  void "swift" because "there is no such card"\n',
    ),
)
