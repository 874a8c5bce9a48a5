"""Copies in one place -> those that nobody can tell apart, and the knowledge after an answer that names one of them.

red plays nitro, of two that lie in her hand      named: either of them
"""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.ir.model import Choice, GameRules
from rulelang.ir.numbers import Row, Thing
from rulelang.ir.types import NONE
from rulelang.knowledge.knowledge import Knowledge
from rulelang.knowledge.rendering import Pointing
from rulelang.knowledge.secrets import Secrets
from rulelang.knowledge.visibility import Visibility
from rulelang.machines.machine import Answer
from rulelang.program.equivalence import belongings, public
from rulelang.program.layout import Layout
from rulelang.program.packing import mask_of, things_of


def copies_of(game: GameRules, layout: Layout, row: Row, kind: int, thing: Thing, lying: Sequence[Thing]) -> int:
    """Returns the mask of the things in one place that nobody could tell from a thing that is, or was, there."""
    classes = game.kinds[kind].classes
    alike = [t for t in lying if classes[t] == classes[thing] and t != thing]
    if not alike:
        return 0
    if not layout.owned[kind] and not layout.pointing[kind]:
        return mask_of(alike)
    own = belongings(layout, row, kind, thing, public)
    return mask_of(t for t in alike if belongings(layout, row, kind, t, public) == own)


def named_in(
    visibility: Visibility, secrets: Secrets, row: Row, choice: Choice, seat: int, answer: Answer, knowledge: Knowledge
) -> Knowledge:
    """Returns the knowledge after a seat's answer has named things.

    Viewers who know of one of several copies in a place take it to be the one named; viewers who can tell a thing by
    its place know which one is meant.
    """
    game, layout = visibility.game, visibility.layout
    for at, kind, is_set, is_secret in secrets.things_among(choice, answer[0]):
        value = answer[at]
        if value == NONE:
            continue
        things = value if is_set else 1 << value
        groups: dict[int, int] = {}
        for thing in things_of(things):
            place = row[layout.places[kind.id] + thing]
            if place >= 0 and knowledge.lying(kind.id).alike[thing] != 1 << thing:
                copies = 1 << thing | copies_of(game, layout, row, kind.id, thing, knowledge.things_at(kind.id, place))
                groups[copies] = groups.get(copies, 0) | 1 << thing
        for copies, mine in groups.items():
            if copies != mine:
                knowledge = knowledge.named(kind.id, mine, copies)
        pointing = Pointing(visibility, row, knowledge)
        for thing in things_of(things):
            told = pointing.pointed(kind.id, thing, things) | 1 << seat
            if is_secret:  # The thing is not pointed at in public, so its followers still know which it is.
                told |= knowledge.followers(kind.id, thing)
            knowledge = knowledge.singled_out(kind.id, thing, told)
    return knowledge
