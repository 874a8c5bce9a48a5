"""A log and other rules -> a sentence on where they part, and one on the edits to blame.

parting(replayed)                     "The rules part after step 20: pay(green, 1); now: pay(green, 2)"
because(log, outspeed, hungry)        "Because of: steep_ground (variants/hungry.rules:6:3)"
"""

from __future__ import annotations

from rulelang.api import Game
from rulelang.errors import RulelangError
from rulelang.log.reading import ReadLog
from rulelang.log.replay import Replay
from rulelang.workbench.changes.edits import Edit, Edits
from rulelang.workbench.divergence import is_well_up_to, retell


def parting(other: Replay) -> str:
    """Returns a sentence on where a log and other rules part; "" where they agree."""
    found = other.difference
    if not other.positions:
        return "The other rules lead to another set-up"
    return "" if found is None else f"The rules part after step {other.choices}: {found.logged}; now: {found.played}"


def because(log: ReadLog, own: Game, other: Game) -> str:
    """Returns a sentence that names the smallest set of edits without which the first difference disappears; "" if none
    is found. It plays the log by many games between the two."""
    try:
        told = retell(log, other)
        blamed = Edits.of(own, other).culprits(is_well_up_to(told)) if told.differences else ()
    except RulelangError:
        return ""
    return f"Because of: {', '.join(map(_said, blamed))}" if blamed else ""


def _said(edit: Edit) -> str:
    cited = f" [{', '.join(edit.clauses)}]" if edit.clauses else ""
    return f"{edit.name}{cited} ({edit.span.place})"
