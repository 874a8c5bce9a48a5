"""Removes `openly` from conditions, after the search for secrets.

if strong(q) openly: p chooses …        if strong(q): p chooses …
"""

from __future__ import annotations

from typing import Any

import attrs

from rulelang.ir import model as ir
from rulelang.ir.walk import rewrite


def leave_out_openly(game: ir.GameRules) -> ir.GameRules:
    """Returns the same game without `openly`; it plays alike."""
    parts = ("procedures", "choices", "hooks", "whenevers")
    return attrs.evolve(game, **{part: rewrite(getattr(game, part), _bare) for part in parts})


def _bare(node: Any) -> Any:
    match node:
        case ir.Openly(condition=condition):
            return condition
        case ir.Loop(condition=ir.Const(value=1)):
            return attrs.evolve(node, condition=None)
        case _:  # nothing else says `openly`
            return node
