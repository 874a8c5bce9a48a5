"""A passage in a position -> its words, with the present values in place of the names: for refusals and reasons.

needs n <= p.fuel        3 is more than Red's fuel
"""

from __future__ import annotations

from collections.abc import Mapping

from rulelang.ir import model as ir
from rulelang.ir.walk import walk
from rulelang.knowledge.redaction import name_of, unknown
from rulelang.prose.inference import Inference
from rulelang.prose.prose import Prose
from rulelang.prose.words import Plain, Words, plain_text


def present(game: ir.GameRules, passage: object, values: Mapping[int, int | None]) -> Prose:
    """Returns the words for a passage in which locals stand for values; a value that may not be told (None) is said by
    its kind: `a card`.
    """
    variables = {node.id: node for node in walk(passage) if isinstance(node, ir.Variable)}
    names: dict[int, Words] = {
        id: (Plain(unknown(one.type, game) if (value := values[id]) is None else name_of(value, one.type, game)),)
        for id, one in variables.items()
        if id in values
    }
    return Prose(game, Inference(game, variables)).about(passage).given(names)


def against(say: Prose, condition: ir.Expr) -> str:
    """Returns the reason why a condition that does not hold forbids something: its opposite, `3 is more than Red's fuel`."""
    match condition:
        case ir.Op(name="!=", arguments=(left, right)) if say.value(left) == say.value(right):
            return f"it may not be {plain_text(say.value(left))}"
        case _:  # any other condition
            return plain_text(say.holds(condition, so=False))
