"""Turns a whole game's typed IR into diagnostics: each check is a function of `(world, game)`.

    repeat: heap = heap                            flow: E0404, neither a choice nor a way out
    needs any(c.kind == joker for c in q.hand)     visibility: E0402, the options would tell what q holds

Invariant: a check never changes the game; the check of ranges comes last, and runs only if no error was found.
"""

from collections.abc import Callable

from rulelang.ir import model as ir
from rulelang.semantics.lints.ambiguous_options import check_alike
from rulelang.semantics.lints.boxes import check_boxes
from rulelang.semantics.lints.conflicts import check_bounds, check_insteads
from rulelang.semantics.lints.endings import check_endings
from rulelang.semantics.lints.flow import check_calls, check_loops, check_options
from rulelang.semantics.lints.gone import check_gone
from rulelang.semantics.lints.history import check_foreseen, check_parts
from rulelang.semantics.lints.promises import check_promises
from rulelang.semantics.lints.races import check_races
from rulelang.semantics.lints.ranges.check import check_ranges
from rulelang.semantics.lints.standing import check_undone, check_used_up
from rulelang.semantics.lints.visibility import check_secrets
from rulelang.semantics.names.scope import World

CHECKS: tuple[Callable[[World, ir.GameRules], None], ...] = (
    check_parts,
    check_foreseen,
    check_loops,
    check_calls,
    check_options,
    check_races,
    check_insteads,
    check_bounds,
    check_alike,
    check_secrets,
    check_boxes,
    check_endings,
    check_promises,
    check_used_up,
    check_undone,
    check_gone,
    check_ranges,
)
"""The checks, in order: each reports to the world's sink."""
