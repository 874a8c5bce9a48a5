"""The change of a variable, or the move of a thing -> its words: the written form, and a sentence for people.

red.fuel: 3 -> 4                    "Red's fuel rises from 3 to 4"
nitro: red.tokens -> discards       "nitro goes from Red's tokens to the discards"

Words depend on few numbers: the change of a variable that everybody sees on its values, the name of a thing on who can
identify it. So they are made once for a game and a number of players, and the same `Change` stands in many events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import attrs

from rulelang.ir.facts import kind_of
from rulelang.ir.model import GameRules, StateVariable
from rulelang.ir.numbers import Mask, Seat, Slot, Thing, seats_of
from rulelang.ir.types import NONE, FlagType, IntType, KindType, SetType
from rulelang.knowledge.phrase import spliced
from rulelang.knowledge.redaction import (
    EVERYONE,
    NOBODY,
    Words,
    back,
    cell_name,
    name_of,
    said_cell,
    said_zone,
    zone_name,
)
from rulelang.knowledge.rendering import Pointing, settled, things_in
from rulelang.knowledge.visibility import Visibility
from rulelang.machines.machine import LaidEnd
from rulelang.match.recording.announced import said_draft, type_key
from rulelang.match.recording.events import Change, Told, ToldForm
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
    kept, key = after.visibility.assigned, _key(before, after, about, index, old, new)
    found = kept.get(key)
    if isinstance(found, Assigned):
        return found
    words = _words(before, after, about, index, old, new)
    if key:
        if len(kept) >= MOST:
            kept.clear()
        kept[key] = words
    return words


def _key(before: Pointing, after: Pointing, about: StateVariable, index: int, old: int, new: int) -> tuple[int, ...]:
    """Returns the key of the words: the change and, for things, the
    viewers who can identify them; () if they depend on more."""
    kind, key = kind_of(about.type, after.visibility.game), (about.id, index, old, new)
    if kind is None:
        return key
    if not isinstance(about.type, KindType):
        return ()
    was, now = EVERYONE, EVERYONE
    if old != NONE:
        was = Mask(before.told(kind.id, Thing(old), 1 << old))
        if before.knowledge is not None:
            slot = Slot(after.visibility.layout.states[about.id] + index)
            was = Mask(was | before.knowledge.told_in(slot, kind.id, old))
    if new != NONE:
        now = Mask(after.told(kind.id, Thing(new), 1 << new))
    return (*key, was, now)


MOST = 20_000
"""The most words of one sort that are cached."""


@attrs.frozen(eq=False)
class OpenWrites:
    """The changes that a line makes to a variable that everybody sees, and that holds no things, each made once."""

    visibility: Visibility
    about: StateVariable
    clauses: tuple[str, ...]
    """The clauses that the line cites."""
    saying: Mapping[int, bool]
    """The rules whose sentences say such a change; see `Said.by`."""
    covered: Mask
    """The viewers who need not be told of it where no sentence says it."""
    word: str
    """The word under which a sentence names its value; see `type_key`."""
    made: dict[tuple[int, int, int, Mask], Change] = attrs.field(factory=dict)

    def change(self, index: int, old: int, new: int, covered: Mask) -> Change:
        """Returns a change, which is news to nobody if the value stays the same."""
        found = self.made.get((index, old, new, covered))
        if found is None:
            pointing = Pointing(self.visibility, [], None)  # nobody points at what is no thing
            words = assigned(pointing, pointing, self.about, index, old, new)
            seers = NOBODY if old == new else EVERYONE
            found = Change("set", words.name, words.before, words.after, seers, words.told, covered, self.clauses)
            if len(self.made) >= MOST_OF_LINE:
                self.made.clear()
            self.made[index, old, new, covered] = found
        return found


MOST_OF_LINE = 2_000
"""The most changes by one line that are cached."""


def open_writes(visibility: Visibility, state: int, site: int) -> OpenWrites:
    """Returns the changes that a line makes to a variable that everybody sees, and that holds no things."""
    about, sites = visibility.game.states[state], visibility.game.sites
    clauses = sites[site].clauses if 0 <= site < len(sites) else ()
    saying, covered = ({}, EVERYONE) if about.untold else (visibility.said.by(state, site), NOBODY)
    found = OpenWrites(visibility, about, clauses, saying, covered, type_key(about.type, 0)[0])
    visibility.open_writes[state, site] = found
    return found


def moved(
    visibility: Visibility,
    kind: int,
    thing: Thing,
    places: tuple[int, int],
    end: LaidEnd,
    identified: Mask,
    covered: Mask,
    clauses: tuple[str, ...],
) -> Change:
    """Returns the move of a thing, which some viewers have `identified`, from one place to another, by a line that cites
    some clauses."""
    kept, key = visibility.changes, ("move", kind, thing, *places, end, identified, covered, clauses)
    found = kept.get(key)
    if isinstance(found, Change):
        return found
    game, (source, target) = visibility.game, (visibility.zones_at[kind][place] for place in places)
    said = thing_words(visibility, kind, thing, identified, said=True)
    told = Told("goes", said, (said_zone(game, *source),), (said_zone(game, *target),), back(game.kinds[kind]))
    onto = zone_name(game, *target) + (" bottom" if end == "bottom" else "")
    named = thing_words(visibility, kind, thing, identified)
    change = Change("move", named, (zone_name(game, *source),), (onto,), told=told, covered=covered, clauses=clauses)
    return _kept(visibility, key, change)


def _kept(visibility: Visibility, key: tuple[object, ...], change: Change) -> Change:
    if len(visibility.changes) >= MOST:
        visibility.changes.clear()
    visibility.changes[key] = change
    return change


def thing_words(visibility: Visibility, kind: int, thing: Thing, seers: Mask, *, said: bool = False) -> Words:
    """Returns the words for a thing that some viewers can identify: its written form or, if it is `said`, its name."""
    kept, key = visibility.thing_words, (kind, int(thing), seers, said)
    found = kept.get(key)
    if found is None:
        if len(kept) >= MOST:
            kept.clear()
        about = visibility.game.kinds[kind]
        type = KindType(about.name, about.size)
        hole = things_in(thing, type, kind, visibility.game, seers, said=said)
        found = kept[key] = settled((hole,), visibility.game)
    return found


def seat_names(game: GameRules, players: int, seats: int, name_of: Callable[[GameRules, Seat], str]) -> str:
    """Returns the names of the seats in a mask, as a list."""
    return spliced((name_of(game, seat) for seat in seats_of(players) if seats >> seat & 1), ", ")


def _words(before: Pointing, after: Pointing, about: StateVariable, index: int, old: int, new: int) -> Assigned:
    game, slot = after.visibility.game, Slot(after.visibility.layout.states[about.id] + index)

    counts = isinstance(about.type, IntType) and NONE not in (old, new)
    how: ToldForm = "becomes"
    if counts:
        how = "rises" if new > old else "falls"
    if isinstance(about.type, SetType):
        how = "holds"
    said = before.held(said_draft(game, old, about.type), slot), after.words(said_draft(game, new, about.type))
    told = Told(how, (said_cell(game, about, index),), *said)
    if isinstance(about.type, FlagType) and about.owner is not None and len(about.dimensions) == 1:
        owner = name_of(*index_at(about.dimensions, index)[0], game)
        told = Told("is so", (owner,), (clean(about.called) or plain(about.name),), said[1])
    was = before.held(value_draft(game, old, about.type, EVERYONE), slot)
    now = after.words(value_draft(game, new, about.type, EVERYONE))
    return Assigned((cell_name(game, about, index),), was, now, told)
