"""A match with its log: a game in progress that knows the rules and the seed from which it began.

match.log.save("race.jsonl")        replay("race.jsonl")
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from rulelang.errors import InvalidInput, RulelangError
from rulelang.ir.model import GameRules
from rulelang.ir.model.vocabulary import LoneOptions
from rulelang.knowledge.guesses import Rng
from rulelang.machines.executors import AUTO
from rulelang.machines.machine import Chance, Machine
from rulelang.match.inputs import seat as checked_seat
from rulelang.match.inputs import whole
from rulelang.match.match import BareMatch
from rulelang.match.state import BUDGET
from rulelang.match.timeline import Fresh
from rulelang.playouts.playout import MOST_CHOICES
from rulelang.program.values import not_found, written
from rulelang.seed import checked, described
from rulelang.version import VERSION

if TYPE_CHECKING:
    from rulelang.api.rules import PlayedRules
    from rulelang.log.format import Header, Log
    from rulelang.match.redeals.retrace import AnswerPolicy
    from rulelang.playouts.batch import Playouts


MOST_THREADS = 1024
"""The most threads of a batch: a system may give no more, and results do not depend on their number."""


def measures(many: int, at_most: int, threads: int, policy: str) -> tuple[int, int, int]:
    """Returns the numbers that a call of playouts takes; raises RulelangError if one is impossible, and for another policy."""
    if policy != "random":
        raise RulelangError(f"playouts are random: there is no policy {policy!r}")
    many, at_most, threads = (
        whole(many, "a number of playouts"),
        whole(at_most, "a number of choices"),
        whole(threads, "a number of threads"),
    )
    if not 1 <= threads <= MOST_THREADS:
        raise RulelangError(f"playouts run on 1 to {MOST_THREADS:,} threads, not on {threads:,}")
    return many, at_most, threads


def counted(game: GameRules, names: object) -> tuple[str, ...]:
    """Returns the names of rules to count, each once; raises RulelangError for a name that no rule has."""
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise InvalidInput(f"the rules to count are a list of names, not {described(names)}")
    known = [rule.name for rule in game.rules if rule.name]
    for name in names:
        if name not in known:
            raise RulelangError(not_found(str(name), "rule", known))
    return tuple(dict.fromkeys(names))


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
        loaded: PlayedRules,
        told: int | str | None,
        lone: LoneOptions | None,
        machine: Fresh,
        players: int,
        *,
        options: Mapping[int, int],
        given: str | None = None,
        **more: Any,
    ) -> None:
        self._loaded, self._given_text = loaded, given
        self._told, self._lone = told, lone
        agreed = (state for state in loaded.ir.states if state.id in options) if options else ()
        self._agreed = tuple((state.name, options[state.id]) for state in agreed)
        super().__init__(loaded.ir, loaded.layout, machine, players, options=options, **more)

    def __repr__(self) -> str:
        asked = ", ".join(self.seats[seat] for seat in self.to_move)
        stands = f"{asked} to choose" if asked else "over" if self.outcome is not None else "waits for chance"
        return f"<Match of {self._loaded.id}: {stands}>"

    @property
    def header(self) -> Header:
        """The log's header; together with the inputs, it is enough to play the match again."""
        from rulelang.log.fields import FORMAT
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
            given=self._given_text,
            format=loaded.format or FORMAT,
        )

    @property
    def log(self) -> Log:
        """The log so far: `save` it, or ask for one seat's (`for_seat`, `events_for`)."""
        from rulelang.log.format import Log

        return Log.of(self.header, self)

    def as_given(self) -> str:
        """Returns the present position as a scenario, which `Game.start(given=…)` begins in, and to which expectations may be
        added; hidden things stand in it too.

        All is said but the dice to come and what seats remember. Raises InvalidInput where nobody is asked, or answers
        are under seal.

        >>> from rulelang import load
        >>> game = load("tests/classics/nim.rules")
        >>> match = game.start(seed=7)
        >>> events = match.play(match.options[0])
        >>> game.start(given=match.as_given()).key == match.key
        True
        """
        from rulelang.api.positions import written_position

        return written_position(self._loaded, self.position)

    def playouts(
        self,
        many: int,
        seed: int | str = 0,
        *,
        policy: str = "random",
        at_most: int = MOST_CHOICES,
        threads: int = 1,
        counts: Iterable[str] = (),
    ) -> Playouts:
        """Plays this match on at random, many times, with other dice each time; see `Game.playouts`.

        The match itself stays as it is. Lengths count from here. They start from the true position, hidden parts included: for a
        seat, play on from its `redeal`.

        >>> from rulelang import load
        >>> match = load("tests/classics/nim.rules").start(seed=7)
        >>> list(match.playouts(3, seed=1, at_most=2).lengths)
        [2, 2, 2]
        """
        from rulelang.playouts.batch import played

        many, at_most, threads = measures(many, at_most, threads, policy)
        loaded, orders = self._loaded, self.position.orders
        row = list(self.position.machine.row)

        def from_here(fresh: Fresh, chance: Chance) -> Machine:
            machine = fresh(chance)
            machine.row = orders.settled(row, chance.shuffle)
            return machine

        # Machine code would begin all games with the same order of a pile that is open.
        executors = ("generated" if orders.piles else AUTO, "generated")
        fresh, other = (partial(from_here, loaded.machine(name)) for name in executors)
        return played(
            loaded.ir,
            loaded.layout,
            fresh,
            other,
            self.players,
            many,
            seed=checked(seed),
            most=at_most,
            threads=threads,
            counts=counted(loaded.ir, counts),
            under_way=True,
        )

    def redeal(
        self, seat: int, rng: Rng, *, budget: int = BUDGET, policy: AnswerPolicy | None = None, traced: bool = False
    ) -> Self:
        """Returns another match that a seat could not tell from this
        one, with fresh chance; see `exact` for the distribution.

        If `budget` positions suffice, all possible courses are listed and one is drawn by its probability; otherwise a
        Markov chain of small changes starts at a deal that agrees with everything the seat knows. `drawing` records
        which was done. A budget of 0 returns that first deal. Random outcomes are weighted by their probabilities;
        unseen answers of others are weighted evenly over the legal ones, or by `policy`.

        Raises InvalidInput for a seat that the match does not have.
        """
        from rulelang.match.redeals.drawing import drawn

        return drawn(self, checked_seat(seat, self.players), rng, whole(budget, "a budget"), policy, traced)

    def _hide_seed(self) -> None:
        self._told = self._given_text = None
