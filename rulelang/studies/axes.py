"""A swept name and its values -> what the name is in a game, and the operation of a variant that sets it.

    starting_fuel=6..18/2         constant starting_fuel = 6, …
    Craft[name == gnat].price=1,2 in Craft if name == gnat: price = 1, …
    heap=9..12, Player.fuel=6,9   what the game, or each player, has at the start
    reach=3..5                    a value, if it has no cases
    long_legs=0..2                the amount of an adjustment with a name; `no` removes it
    hardcore=yes,no               an option that is agreed on
    players=2..4                  how many play
    jam=yes,no                    any rule with a name: `no` removes it
    sprint=yes,no                 a variant of the game
    game=nim,nim+misere           one game or another
    bots=mcts:64/mcts:32,mcts:128/mcts:64    who plays, several at one table with a / between them

Invariant: every value is a word of the rules' own language; nothing is computed here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, assert_never

import attrs

from rulelang.diagnostics.suggest import hint
from rulelang.errors import InvalidInput
from rulelang.studies.replacements import declared, form_of, replacing

if TYPE_CHECKING:
    from rulelang.api import Game

Target = Literal[
    "game", "bots", "players", "option", "constant", "column", "state", "value", "adjustment", "variant", "rule"
]
MOST_VALUES = 1_000
"""The most values of one axis."""
_AXIS = re.compile(r"(?P<name>[^\W\d]\w*)(?:\[(?P<where>[^\]\n]*)\])?(?:\.(?P<column>[^\W\d]\w*))?")
_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)(?:/(\d+))?")
_VALUE = re.compile(r"""[\w .*/+()"'~:\\-]+""")
SWITCH = ("yes", "no")
"""The values of a rule or variant that is there or not."""


@attrs.frozen
class Axis:
    """A name that is swept, and the words that it takes in turn."""

    name: str
    values: tuple[str, ...]

    @classmethod
    def read(cls, text: str) -> Axis:
        """Returns an axis from `NAME=VALUES`; raises InvalidInput.

        >>> Axis.read("fuel=6..10/2"), Axis.read("mode = easy, hard").values
        (Axis(name='fuel', values=('6', '8', '10')), ('easy', 'hard'))
        """
        equals = re.search(r"(?<![=<>!])=(?!=)", re.sub(r"\[[^\]]*\]", lambda within: "." * len(within[0]), text))
        if equals is None:
            raise InvalidInput(f"a sweep is written NAME=VALUES, such as size=3..9; found {text!r}")
        return cls.of(text[: equals.start()].strip(), text[equals.end() :])

    @classmethod
    def of(cls, name: str, values: object) -> Axis:
        """Returns an axis from a name and its values: `"3..9"`, `"a, b"`, or a list; raises InvalidInput."""
        if _AXIS.fullmatch(name) is None:
            raise InvalidInput(
                f"{name!r} is not a name that can be swept: write NAME, KIND.column or KIND[condition].column"
            )
        words = _words(name, values)
        if len(set(words)) < len(words):
            raise InvalidInput(f"{name} has a value twice: {', '.join(words)}")
        return cls(name, words)


def _words(name: str, values: object) -> tuple[str, ...]:
    """Returns the values of an axis as words of the rules; raises InvalidInput."""
    if isinstance(values, list):
        words = tuple(("yes" if v else "no") if isinstance(v, bool) else str(v).strip() for v in values)
    elif not isinstance(values, str):
        raise InvalidInput(f"the values of {name} are a text such as '3..9' or a list, not {values!r:.40}")
    elif (range_ := _RANGE.fullmatch(values.strip())) is not None:
        low, high, step = int(range_[1]), int(range_[2]), int(range_[3] or 1)
        if low > high or not step:
            raise InvalidInput(f"{name}={values.strip()} holds no value: write the lower end first, and a step from 1")
        if (high - low) // step >= MOST_VALUES:
            raise InvalidInput(f"{name} has more than {MOST_VALUES} values")
        return tuple(str(value) for value in range(low, high + 1, step))
    else:
        words = tuple(word.strip() for word in values.split(","))
    if not words or len(words) > MOST_VALUES:
        raise InvalidInput(f"{name} needs 1 to {MOST_VALUES} values")
    if bad := [word for word in words if _VALUE.fullmatch(word) is None]:
        raise InvalidInput(
            f"{bad[0]!r} is no value for {name}: values are numbers, names and texts, with commas between them"
        )
    return words


def target_of(game: Game, axis: Axis) -> Target:
    """Returns the target that the name of an axis stands for in a game; raises InvalidInput, with the nearest name."""
    found = _AXIS.fullmatch(axis.name)
    assert found is not None
    known = _targets(game)
    if found["column"] is not None and axis.name not in known:
        return "column"
    if found["where"] is not None and found["column"] is None:
        raise InvalidInput(f"{axis.name}: which column? write {axis.name}.copies, for one")
    if axis.name not in known:
        several = [name for name in known if name.endswith(f".{axis.name}")]
        if several:
            raise InvalidInput(f"{game.title} has several things called {axis.name!r}: write {' or '.join(several)}")
        raise InvalidInput(f"{game.title} has nothing called {axis.name!r} that can be swept{hint(axis.name, known)}")
    target = known[axis.name]
    if target in ("rule", "variant") and (bad := [value for value in axis.values if value not in SWITCH]):
        raise InvalidInput(f"{axis.name} is a {target}: its values are yes and no, not {bad[0]!r}")
    return target


def _targets(game: Game) -> Mapping[str, Target]:
    """Returns the targets of a game that can be swept without a condition, by name."""
    from rulelang.syntax import nodes

    found: dict[str, Target] = {rule.name: "rule" for rule in game.ir.rules if rule.name != "eliminate"}
    for name, declarations in declared(game).items():
        if len(declarations) == 1:
            found[name] = form_of(declarations[0])
    for declaration in game.internals.module.declarations:
        if isinstance(declaration, nodes.ConstantDeclaration):
            found[declaration.name.text] = "constant"
    found |= {variant.name.text: "variant" for variant in game.internals.loaded.variants}
    found |= dict.fromkeys(game.options, "option")
    return found | {"players": "players", "game": "game", "bots": "bots"}


def operation(axis: Axis, target: Target, value: str, game: Game) -> str | None:
    """Returns the lines of a variant that give an axis a value in a game; None where no line does. Raises InvalidInput.

    >>> from rulelang import load
    >>> nim = load("tests/classics/nim.rules")
    >>> operation(Axis.of("Craft[name == gnat].price", "1..2"), "column", "2", nim)
    'in Craft if name == gnat: price = 2'
    >>> operation(Axis.of("jam", "yes,no"), "rule", "no", nim), operation(Axis.of("jam", "yes,no"), "rule", "yes", nim)
    ('remove jam', None)
    >>> operation(Axis.of("heap", "1..2"), "state", "2", nim)
    'replace the game has:\\n  heap: 0..21 = 2'
    """
    match target:
        case "constant":
            return f"constant {axis.name} = {value}"
        case "column":
            found = _AXIS.fullmatch(axis.name)
            assert found is not None
            return f"in {found['name']} if {(found['where'] or 'yes').strip()}: {found['column']} = {value}"
        case "adjustment" if value not in SWITCH:
            return replacing(game, axis.name, value)
        case "rule" | "adjustment":
            return f"remove {axis.name}" if value == "no" else None
        case "state" | "value":
            return replacing(game, axis.name, value)
        case "game" | "bots" | "players" | "option" | "variant":
            return None
        case _:
            assert_never(target)
