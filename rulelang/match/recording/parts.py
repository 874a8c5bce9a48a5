"""Parts of things that are known although the things are not: the colour of a card that was hinted at.

show(c.colour, q)        q knows from then on that the card is one of the red ones
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rulelang.ir.model import WHOLE, GameRules, Table
from rulelang.ir.numbers import Mask, Thing
from rulelang.knowledge.knowledge import Knowledge
from rulelang.knowledge.redaction import UNKNOWN, Words, name_of, secret
from rulelang.program.packing import mask_of, members
from rulelang.program.values import clean, plain, written


@attrs.frozen
class ShownParts:
    """The printed attributes of a game's things, each by its table."""

    game: GameRules

    def like(self, kind: int, thing: Thing, part: int) -> int:
        """Returns the mask of the things that have a part in common with one."""
        values = self.game.tables[part].values
        return mask_of(other for other in range(self.game.kinds[kind].size) if values[other] == values[thing])

    def knowers(self, knowledge: Knowledge, kind: int, thing: Thing, part: int) -> Mask:
        """Returns the mask of the viewers who know a part of a thing; EVERYONE if all do."""
        return knowledge.knowers_among(kind, thing, self.like(kind, thing, part))

    def shown(self, knowledge: Knowledge, kind: int, thing: Thing, seats: int, part: int) -> Knowledge:
        """Returns the knowledge after some were shown a thing, or a part of it."""
        if part == WHOLE:
            return knowledge.shown(kind, thing, seats)
        return knowledge.shown_in_part(kind, thing, seats, self.like(kind, thing, part))

    def words(self, knowledge: Knowledge, kind: int, thing: Thing, part: int, said: Words) -> tuple[Words, Words]:
        """Returns the words for what is shown of a thing, whose name people read as `said`: in a log, where nothing stands
        for all of it, and for people."""
        if part == WHOLE:
            return (), said
        table, seers = self.game.tables[part], self.knowers(knowledge, kind, thing, part)
        value = name_of(table.values[thing], table.type, self.game)
        name = _name(self.game, kind, part)
        noted = secret(part_shown(self.game, kind, thing, part), seers, f"{name}: {UNKNOWN}")
        called = clean(table.called) or plain(name)
        return noted, (f"the {called} of ", *said, *secret(f" ({value})", seers, ""))

    def hint(self, knowledge: Knowledge, viewer: int, kind: int, thing: Thing, tables: Sequence[Table]) -> str:
        """Returns the parts, of some tables, that a viewer knows of a thing that it does not know: `colour: red`, or ""."""
        could, found = members(knowledge.could_be(viewer, kind, thing)), list[str]()
        for table in tables:
            if len({table.values[other] for other in could}) == 1:
                found.append(part_shown(self.game, kind, Thing(could[0]), table.id))
        return ", ".join(found)


def part_shown(game: GameRules, kind: int, thing: int, part: int) -> str:
    """Returns a part of a thing as a log notes it: `colour: red`."""
    table = game.tables[part]
    return f"{_name(game, kind, part)}: {written(table.values[thing], table.type, game)}"


def _name(game: GameRules, kind: int, part: int) -> str:
    return next(name for name, table, _ in game.kinds[kind].columns if table == part)
