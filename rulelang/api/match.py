"""A match with its log: a game in progress that knows the rules and the seed from which it began.

match.log.save("race.jsonl")        replay("race.jsonl")
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

from rulelang.ir.model.vocabulary import LoneOptions
from rulelang.ir.numbers import Seat
from rulelang.machines.machine import Machine
from rulelang.match.match import BareMatch
from rulelang.match.moment import Moment, RedealRecord
from rulelang.match.timeline import Fresh
from rulelang.program.values import written
from rulelang.version import VERSION

if TYPE_CHECKING:
    from rulelang.api.game import Game
    from rulelang.log.format import Header, Log


class Match(BareMatch):
    """One game in progress, with its log.

    >>> from rulelang import load
    >>> match = load("outspeed").start(players=3, seed=7)
    >>> match.log.header.seed
    7
    >>> len(match.log.events_for(0)) == len(match.events)
    True
    """

    def __init__(
        self,
        loaded: Game,
        told: int | str | None,
        lone: LoneOptions | None,
        machine: Fresh,
        players: int,
        *,
        options: Mapping[int, int],
        **more: Any,
    ) -> None:
        self._loaded = loaded
        self._told, self._lone = told, lone
        self._agreed = tuple((state.name, options[state.id]) for state in loaded.ir.states if state.id in options)
        super().__init__(loaded.ir, loaded.layout, machine, players, options=options, **more)

    def __repr__(self) -> str:
        asked = ", ".join(self.seats[seat] for seat in self.to_move)
        stands = f"{asked} to choose" if asked else "over" if self.outcome is not None else "waits for chance"
        return f"<Match of {self._loaded.id}: {stands}>"

    @property
    def header(self) -> Header:
        """The log's header; together with the inputs, it is enough to play the match again."""
        from rulelang.log.format import Header

        loaded = self._loaded
        types = {state.name: state.type for state in loaded.ir.states if state.option}
        return Header(
            loaded.id,
            self.seats,
            self._told,
            loaded.variants,
            tuple((name, written(value, types[name], loaded.ir)) for name, value in self._agreed),
            loaded.rules_hash,
            loaded.text_hash,
            f"rulelang {VERSION}",
            lone=self._lone,
        )

    @property
    def log(self) -> Log:
        """The log so far: `save` it, or ask for one seat's (`for_seat`, `events_for`)."""
        from rulelang.log.format import Log

        return Log.of(self.header, self)

    def aside(self, machine: Machine, moment: Moment, seat: Seat, drawing: RedealRecord, *, traced: bool) -> Self:
        """Returns a match in another position, as for re-deals, whose log does not reveal the seed."""
        copy = super().aside(machine, moment, seat, drawing, traced=traced)
        copy._told = None
        return copy
