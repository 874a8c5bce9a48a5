"""A checked game: its facts, and the matches and playouts that begin from it.

game.start(players=3, seed=7)        a Match
game.playouts(1000)                  arrays
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.api.internals import Internals
from rulelang.api.match import Match, counted, measures
from rulelang.diagnostics.model import Diagnostic
from rulelang.ir import model
from rulelang.ir.model.vocabulary import LoneOptions
from rulelang.machines.executors import AUTO, Settles, executor_called
from rulelang.match.inputs import whole
from rulelang.playouts.playout import MOST_CHOICES
from rulelang.seed import checked

if TYPE_CHECKING:
    from rulelang.playouts.batch import Playouts
    from rulelang.playouts.stepper import Stepper
    from rulelang.playouts.stepping import Batch


@attrs.frozen
class Checked:
    """The result of checking a game: the game, if it can be played, and all diagnostics."""

    game: Game | None
    diagnostics: tuple[Diagnostic, ...]
    rules: Game | None = attrs.field(default=attrs.Factory(lambda self: self.game, takes_self=True), repr=False)
    """The game, even if some of its scenarios could not be read, so that the others can be checked."""


@attrs.frozen(eq=False, repr=False)
class Game:
    """A checked game: its facts, and the ways to play it. docs/api.md lists all of its names.

    >>> from rulelang import load
    >>> game = load("outspeed+sprint")
    >>> game, game.diagnostics
    (<Game outspeed+sprint>, ())
    """

    internals: Internals
    """The inside, which the other rooms work with; programs that use rulelang are promised nothing about it."""
    diagnostics: tuple[Diagnostic, ...] = ()
    """The warnings of the checks."""

    def __repr__(self) -> str:
        return f"<Game {'+'.join((self.id, *self.variants))}>"

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: object) -> Game:
        return self

    # -------------------------------------------------------------- facts

    @property
    def id(self) -> str:
        """The name of the game in its rules and logs.

        >>> from rulelang import load
        >>> load("outspeed+sprint").id
        'outspeed'
        """
        return self.ir.id

    @property
    def title(self) -> str:
        """The name of the game for people.

        >>> from rulelang import load
        >>> load("empty_space").title
        'Empty Space'
        """
        return self.ir.title

    @property
    def players(self) -> tuple[int, int]:
        """The fewest and the most players.

        >>> from rulelang import load
        >>> load("outspeed").players
        (3, 6)
        """
        return self.ir.players

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants in force, in order.

        >>> from rulelang import load
        >>> load("outspeed+sprint").variants
        ('sprint',)
        """
        return self.internals.variants

    @property
    def options(self) -> dict[str, model.StateVariable]:
        """The options of the game, by name: settings that the players agree on before the game.

        >>> from rulelang import load
        >>> "voice" in load("exit_velocity").options
        True
        """
        return self.internals.options

    @property
    def ir(self) -> model.GameRules:
        """The rules as data, as `Actions` and the adapters take them; see `rulelang.ir`.

        >>> from rulelang import load
        >>> [choice.name for choice in load("tests/classics/nim.rules").ir.choices]
        ['play#1']
        """
        return self.internals.ir

    @property
    def rules_hash(self) -> str:
        """A digest of what the rules do: no labels, comments, screens, spans or scenarios.

        >>> from rulelang import load
        >>> load("outspeed").rules_hash == load("outspeed+sprint").rules_hash
        False
        """
        return self.internals.rules_hash

    @property
    def text_hash(self) -> str:
        """A digest of the patched game's canonical text.

        >>> from rulelang import load
        >>> len(load("outspeed").text_hash)
        16
        """
        return self.internals.text_hash

    @property
    def is_small(self) -> bool:
        """Whether the rules are so small that generated Python plays a match before machine code is loaded.

        >>> from rulelang import load
        >>> load("outspeed").is_small
        False
        """
        return self.internals.is_small

    # -------------------------------------------------------------- play

    def start(
        self,
        players: int | None = None,
        seed: int | str = 0,
        options: Mapping[str, int | str | bool | None] | None = None,
        executor: str = AUTO,
        lone: LoneOptions | None = None,
        given: str | None = None,
        **more: Any,
    ) -> Match:
        """Starts a match; `executor` is "auto", "generated", "reference"
        or "native"; other arguments go to `api.match.Match`.

        "auto" begins at once on generated Python, and goes on in machine code once that is compiled beside it or kept;
        the first 1,000 matches of rules that are `is_small` stay in Python. All play the same. Bots think on the executor
        of their match, and on "auto" if it is that.

        `lone` overrides what the rules say about a question with a single option: "asked" asks it (as when counting
        positions), "taken" takes the option without asking. The log records it.

        `given` is a position as `Match.as_given` writes it, in which the match begins in place of the set-up: it says
        who play, and what is agreed.

        Raises RulelangError for a wrong number of players, an option that the game does not have, or a position that
        cannot be read, and InvalidInput for a seed that is neither an integer nor text, or for any other `lone`.

        >>> from rulelang import load
        >>> load("outspeed").start(players=3, seed=7)
        <Match of outspeed: green, red, blue to choose>
        """
        told = None if "chance" in more or more.get("explicit_chance", False) else seed
        return self.internals.start(players, seed, options, executor, lone, told, given=given, **more)

    def playouts(
        self,
        many: int,
        players: int | None = None,
        seed: int | str = 0,
        options: Mapping[str, int | str | bool | None] | None = None,
        *,
        policy: str = "random",
        at_most: int = MOST_CHOICES,
        executor: str | None = AUTO,
        threads: int = 1,
        counts: Iterable[str] = (),
        first: int = 0,
        bot_seed: int | str | None = None,
    ) -> Playouts:
        """Plays `many` random games without a match; returns winners, scores and lengths as arrays.

        `players` defaults to the fewest that the game allows. A playout is cut after `at_most` choices and counts as
        unfinished; one that ends by a fault of the rules counts as that. The same arguments give the same games,
        whatever the `executor` and however many `threads`. `counts` are names of rules
        (verbs, actions, options, `whenever` and hooks with a name): how often each began comes as one more array, for
        which executors other than `native` take longer. `first` is the number of the first game, so that
        games can be played in portions; `bot_seed` is a seed of the answers apart from that of chance. Raises
        RulelangError as `start` does, and for another policy.

        >>> from rulelang import load
        >>> found = load("outspeed").playouts(2, players=3, seed=7, at_most=20)
        >>> len(found), found.unfinished, list(found.lengths)
        (2, 2, [20, 20])
        >>> list(load("tests/classics/nim.rules").playouts(3, seed=7, counts=["take"]).counts["take"])
        [8, 12, 14]
        """
        from rulelang.playouts.batch import played

        inside = self.internals
        many, at_most, threads = measures(many, at_most, threads, policy)
        found = executor_called(executor or AUTO)
        count, chosen = inside.count(players), inside.chosen(options)
        fresh = inside.machine(found.name)
        other = fresh if found.is_whole else inside.machine("generated")
        return played(
            self.ir,
            inside.layout,
            fresh,
            other,
            count,
            many,
            seed=checked(seed),
            bot_seed=None if bot_seed is None else checked(bot_seed),
            first=whole(first, "the number of a game"),
            options=chosen,
            most=at_most,
            threads=threads,
            counts=counted(self.ir, counts),
        )

    def play_batch(
        self,
        many: int,
        players: int | None = None,
        seed: int | str = 0,
        options: Mapping[str, int | str | bool | None] | None = None,
        *,
        at_most: int = MOST_CHOICES,
        executor: str = AUTO,
    ) -> Batch:
        """Begins a number of games side by side, which are played with answers from outside; see `Batch`.

        Game number i is `start(seed="SEED:i")`. A game ends after `at_most` answers, and then counts as unfinished.
        Raises RulelangError as `start` does.

        >>> from rulelang import load
        >>> batch = load("outspeed").play_batch(2, players=3, seed=7)
        >>> list(batch.seats), list(batch.counts)
        ([0, 0], [3, 3])
        >>> batch.step([0, 2])
        >>> list(batch.seats), batch.padded.shape
        ([1, 1], (2, 3, 2))
        """
        from rulelang.playouts.stepping import Batch

        many, at_most = whole(many, "a number of games"), whole(at_most, "a number of choices")
        inside = self.internals
        return Batch(*inside.numbered(seed, executor), inside.count(players), inside.chosen(options), many, at_most)

    def stepper(
        self,
        players: int | None = None,
        seed: int | str = 0,
        options: Mapping[str, int | str | bool | None] | None = None,
        *,
        executor: str = AUTO,
    ) -> Stepper:
        """Begins a game that is played by the numbers of options, in the cheapest steps there are; see `Stepper`.

        Game number i, from 0, is `start(seed="SEED:i")`. Raises RulelangError as `start` does.

        >>> from rulelang import load
        >>> stepper = load("outspeed").stepper(3, seed=7)
        >>> stepper.count, stepper.step(2), stepper.seat
        (3, 3, 1)
        """
        from rulelang.playouts.stepper import Stepper

        inside = self.internals
        return Stepper(*inside.numbered(seed, executor), inside.count(players), inside.chosen(options))

    def settle(self, executor: str = "native") -> None:
        """Waits until an executor is as fast as it will be: machine code is not optimised at first. Measure after this;
        results are the same before. Raises RulelangError as `start` does.

        >>> from rulelang import load
        >>> load("outspeed").settle("generated")
        """
        prepared = self.internals.machine(executor)
        if isinstance(prepared, Settles):
            prepared.settle()
