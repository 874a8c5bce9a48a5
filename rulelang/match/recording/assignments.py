"""The change of a variable -> its words: the written form, and a sentence for people.

red.fuel: 3 -> 4          "Red's fuel rises from 3 to 4"

If a variable holds no things, everybody reads the same for the same change, so these words are cached.
"""

from __future__ import annotations

import attrs

from rulelang.ir.model import StateVariable
from rulelang.ir.numbers import Slot
from rulelang.ir.types import NONE, FlagType, IntType, SetType
from rulelang.knowledge.redaction import EVERYONE, Words, cell_name, kind_of, name_of, said_cell
from rulelang.knowledge.rendering import Draft, Pointing, settled
from rulelang.match.recording.announced import said_draft
from rulelang.match.recording.events import Told, ToldForm
from rulelang.match.recording.viewer_text import value_draft
from rulelang.program.layout import index_at
from rulelang.program.values import clean, plain


@attrs.frozen
class Assigned:
    """The words for one change of a variable."""

    name: Words
    before: Words
    after: Words
    told: Told


def assigned(before: Pointing, after: Pointing, about: StateVariable, index: int, old: int, new: int) -> Assigned:
    """Returns the words for the change of a variable: its old value as viewers could identify it before, its new value
    as they can now.
    """
    kept, key = after.visibility.assigned, (about.id, index, old, new)
    found = kept.get(key)
    if isinstance(found, Assigned):
        return found
    words = _words(before, after, about, index, old, new)
    if kind_of(about.type, after.visibility.game) is None:
        if len(kept) >= MOST:
            kept.clear()
        kept[key] = words
    return words


MOST = 20_000
"""The most changes whose words are cached."""


def _words(before: Pointing, after: Pointing, about: StateVariable, index: int, old: int, new: int) -> Assigned:
    game, slot = after.visibility.game, Slot(after.visibility.layout.states[about.id] + index)

    def words(draft: Draft) -> Words:
        return settled(after.named(draft), game)

    counts = isinstance(about.type, IntType) and NONE not in (old, new)
    how: ToldForm = "becomes"
    if counts:
        how = "rises" if new > old else "falls"
    if isinstance(about.type, SetType):
        how = "holds"
    said = before.held(said_draft(game, old, about.type), slot), words(said_draft(game, new, about.type))
    told = Told(how, (said_cell(game, about, index),), *said)
    if isinstance(about.type, FlagType) and about.owner is not None and len(about.dimensions) == 1:
        owner = name_of(*index_at(about.dimensions, index)[0], game)
        told = Told("is so", (owner,), (clean(about.called) or plain(about.name),), said[1])
    was = before.held(value_draft(game, old, about.type, EVERYONE), slot)
    now = words(value_draft(game, new, about.type, EVERYONE))
    return Assigned((cell_name(game, about, index),), was, now, told)
