"""A checked game: its facts, and the matches and playouts that begin from it.

game.start(players=3, seed=7)        a Match
game.playouts(1000)                  arrays
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import attrs

from rulelang.api.match import Match, counted, measures
from rulelang.api.names import checked_unit, known_unit, texts_of
from rulelang.api.table_options import value_of
from rulelang.diagnostics.model import Diagnostic
from rulelang.diagnostics.suggest import suggest
from rulelang.driver.collector import held_back
from rulelang.driver.kept import KeptCode, digest_of
from rulelang.errors import InvalidInput, RulelangError
from rulelang.ir import model
from rulelang.ir.model.vocabulary import LoneOptions
from rulelang.ir.picks import with_earlier_streams
from rulelang.ir.walk import is_larger
from rulelang.knowledge.secrets import Secrets
from rulelang.knowledge.visibility import Visibility
from rulelang.machines.chance import Seeded, stream_keys
from rulelang.machines.executors import AUTO, Prepared, Runnable, Settles, executor_called
from rulelang.machines.machine import Chance, Machine, Trace
from rulelang.match.inputs import whole
from rulelang.match.match import BareMatch
from rulelang.playouts.playout import MOST_CHOICES
from rulelang.program.layout import Layout, lay_out
from rulelang.seed import checked, described
from rulelang.texts.reader import Disk

if TYPE_CHECKING:
    from rulelang.api.positions import GivenPosition
    from rulelang.driver.chain import Unit
    from rulelang.log.bare.wording import Phrases
    from rulelang.log.format import Header
    from rulelang.playouts.batch import Playouts
    from rulelang.playouts.stepper import Stepper
    from rulelang.playouts.stepping import Batch
    from rulelang.semantics.names.scope import World
    from rulelang.syntax import nodes
    from rulelang.texts.loading import Loaded
    from rulelang.texts.model import Texts


SMALL = 260
"""The most IR nodes of small rules; machine code played none of those measured faster (docs/compiler.md)."""


LONE: tuple[LoneOptions, ...] = get_args(LoneOptions)
"""The treatments of a lone option."""


@attrs.frozen
class Checked:
    """The result of checking a game: the game, if it can be played, and all diagnostics."""

    game: Game | None
    diagnostics: tuple[Diagnostic, ...]
    rules: Game | None = attrs.field(default=attrs.Factory(lambda self: self.game, takes_self=True), repr=False)
    """The game, even if some of its scenarios could not be read, so that the others can be checked."""


@attrs.frozen(eq=False)
class Whole:
    """A game's text, patched and checked, as scenarios, coverage and the formatter need it."""

    loaded: Loaded
    module: nodes.ModuleNode
    """The whole game after patching."""
    world: World
    """The declaration of every name."""
    lowered: model.GameRules
    """The IR before weaving."""
    scenarios: tuple[nodes.ScenarioDeclaration, ...] = ()
    """The scenarios that must pass with these variants in force."""

    @classmethod
    def of(cls, unit: Unit) -> Whole | None:
        """Returns the text of a game that went through the chain, at least as far as `check`; None after a fault outside
        scenarios."""
        loaded, patched, resolved = unit.loaded, unit.patched, unit.resolved
        if unit.rules_have_errors or unit.lowered is None:
            return None
        assert loaded is not None
        assert patched is not None
        assert resolved is not None
        return cls(loaded, patched.module, resolved.world, unit.lowered, patched.scenarios)


@attrs.define(frozen=True, slots=False, eq=False)
class Game:
    """A checked game: static facts, and `start`."""

    id: str
    title: str
    players: tuple[int, int]
    variants: tuple[str, ...]
    """The variants in force, in order."""
    ir: model.GameRules = attrs.field(repr=False)
    entry: Path = attrs.field(repr=False)
    diagnostics: tuple[Diagnostic, ...] = attrs.field(default=(), repr=False)
    """The warnings."""
    more: tuple[Path, ...] = attrs.field(default=(), repr=False)
    """Further files with variants of it."""
    format: int | None = attrs.field(default=None, repr=False)
    """The format of earlier logs by which its random streams are named; None for the present one."""
    _texts: Texts = attrs.field(factory=Disk, repr=False)
    _whole: Whole | None = attrs.field(default=None, repr=False)
    _digests: tuple[str, str] | None = attrs.field(default=None, repr=False)
    _kept: tuple[model.GameRules, str] | None = attrs.field(default=None, repr=False)
    """The cached IR, and the name under which its code is cached; a game whose IR was changed has no code yet."""

    @cached_property
    def whole(self) -> Whole:
        """The text behind the game; read again when the game came from the compile cache."""
        if self._whole is not None:
            return self._whole
        from rulelang.ir.encoding.digest import rules_digest

        where = self._texts, self.entry, self.variants, self.more
        fresh = Whole.of(known_unit(*where))
        if fresh is None or self._digests is None or rules_digest(fresh.lowered) != self._digests[0]:
            fresh = Whole.of(checked_unit(*where))
        if fresh is None:
            raise RulelangError(f"{self.entry.name} changed while it was in use")
        return fresh

    @cached_property
    def loaded(self) -> Loaded:
        """Its texts as trees; for a game from the compile cache, they are parsed for this, and not checked."""
        if self._whole is not None:
            return self._whole.loaded
        return texts_of(self._texts, self.entry, self.more)

    @property
    def ledger(self) -> tuple[dict[str, object], ...]:
        """The clauses of its ledger as TOML tables."""
        return self.loaded.ledger

    def image(self, written: str) -> bytes | None:
        """Returns the contents of an image that the rules name; None if they do not, or it is not there."""
        from rulelang.texts.images import image_of

        return image_of(self._texts, self.entry, self.id, written) if written in self.ir.images else None

    @property
    def module(self) -> nodes.ModuleNode:
        return self.whole.module

    @property
    def world(self) -> World:
        return self.whole.world

    @cached_property
    def layout(self) -> Layout:
        return lay_out(self.ir)

    @cached_property
    def phrases(self) -> Phrases:
        """The words of its logs, a cache that fills up as they are computed."""
        from rulelang.log.bare.wording import Phrases

        return Phrases(self.ir, self.layout, self.secrets)

    @cached_property
    def secrets(self) -> Secrets:
        """The locals of the rules that hold secrets."""
        if self._kept_code is not None:
            return self._kept_code.secrets(self.ir)
        from rulelang.knowledge.analysis import secrets_of

        return secrets_of(self.ir)

    @cached_property
    def rules_hash(self) -> str:
        """A digest of what the rules do: no labels, comments, screens, spans or scenarios."""
        if self._digests:
            return self._digests[0]
        from rulelang.ir.encoding.digest import rules_digest

        return rules_digest(self.whole.lowered)

    @cached_property
    def text_hash(self) -> str:
        """A digest of the patched game's canonical text."""
        if self._digests:
            return self._digests[1]
        from rulelang.syntax.printing.printer import print_module

        return hashlib.sha256(print_module(self.module).encode()).hexdigest()[:16]

    @cached_property
    def options(self) -> dict[str, model.StateVariable]:
        """The game's options, by name: settings that the players agree on before the game."""
        return {s.name: s for s in self.ir.states if s.option}

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: object) -> Game:
        return self

    def __getstate__(self) -> dict[str, Any]:
        """Returns the state to pickle: the IR and its digests; the text is read again when it is needed."""
        fields = {field.name: getattr(self, field.name) for field in attrs.fields(Game)}
        return fields | {"_whole": None, "_digests": (self.rules_hash, self.text_hash)}

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
        a match of rules that are `is_small` stays in Python. All play the same. Bots think on the executor of their
        match, and on "auto" if it is that.

        `lone` overrides what the rules say about a question with a single option: "asked" asks it (as when counting
        positions), "taken" takes the option without asking. The log records it.

        `given` is a position as `Match.as_given` writes it, in which the match begins in place of the set-up: it says
        who play, and what is agreed.

        Raises RulelangError for a wrong number of players, an option that the game does not have, or a position that
        cannot be read, and InvalidInput for a seed that is neither an integer nor text, or for any other `lone`.
        """
        is_given = "chance" in more or more.get("explicit_chance", False)
        return self._start(players, seed, options, executor, lone, None if is_given else seed, given=given, **more)

    def _start(
        self,
        players: int | None,
        seed: int | str,
        options: Mapping[str, int | str | bool | None] | None,
        executor: str,
        lone: LoneOptions | None,
        told: int | str | None,
        given: str | None = None,
        **more: Any,
    ) -> Match:
        """Starts a match whose log records `told` as its seed; None if chance comes from outside."""
        begins = None if given is None else self._beginning(given)
        count = self._count(players if begins is None or players is not None else begins.players)
        asked, seed = seed, checked(seed)
        told = seed if told is asked else None if told is None else checked(told)
        chosen = self._chosen(options)
        if begins is not None:
            if count != begins.players or any(begins.options.get(one, at) != at for one, at in chosen.items()):
                raise RulelangError("the position says how many play, and what is agreed")
            chosen = begins.options
            more |= {"placed": begins.row, "given": given}
        more.setdefault("secrets", self.secrets)
        game = self.with_lone(lone)
        visibility = game._visibility(count)
        if executor == AUTO and self.is_small:
            executor = "generated"
            more.setdefault("thinking", partial(game.machine, AUTO))
        # The first match compiles code, all of which stays in memory.
        with held_back():
            machine = game.machine(executor) if begins is None else begins.machine(game.machine(executor))
            return Match(game, told, lone, machine, count, seed=seed, options=chosen, visibility=visibility, **more)

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

        many, at_most, threads = measures(many, at_most, threads, policy)
        found = executor_called(executor or AUTO)
        count, chosen = self._count(players), self._chosen(options)
        fresh = self.machine(found.name)
        other = fresh if found.is_whole else self.machine("generated")
        return played(
            self.ir,
            self.layout,
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
        return Batch(*self._numbered(seed, executor), self._count(players), self._chosen(options), many, at_most)

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

        return Stepper(*self._numbered(seed, executor), self._count(players), self._chosen(options))

    def _numbered(
        self, seed: int | str, executor: str
    ) -> tuple[Callable[[int], Machine], Callable[[Iterable[int]], array[int]]]:
        """Returns two functions: one makes the machine of a game by its number, one returns the keys of the streams of
        some games."""
        seed, machine = checked(seed), self.machine(executor)

        def fresh(number: int) -> Machine:
            return machine(Seeded(f"{seed}:{number}", self.ir, self.layout))

        def keys(numbers: Iterable[int]) -> array[int]:
            return stream_keys((f"{seed}:{number}" for number in numbers), self.ir)

        return fresh, keys

    @cached_property
    def is_small(self) -> bool:
        """Whether the rules are so small that generated Python is estimated to play a match sooner than machine code.

        >>> from rulelang import load
        >>> load("outspeed").is_small
        False
        """
        return not is_larger(self.ir, SMALL)

    def begin(
        self,
        header: Header,
        chance: Chance,
        options: Mapping[str, str] | None = None,
        heard_by: Callable[[BareMatch], Trace] | None = None,
    ) -> Match:
        """Starts the match that a log's header describes, under these rules, drawing from `chance`.

        `options` replace those of the header. If there is `heard_by`, the match is untraced, and the trace that this
        returns hears its steps. Raises RulelangError as `start` does.
        """
        seed = 0 if header.seed is None else header.seed
        agreed = dict(header.options) if options is None else options
        more: dict[str, Any] = {} if heard_by is None else {"traced": False, "probe": heard_by}
        players, told = len(header.players), header.seed
        return self._start(players, seed, agreed, "generated", header.lone, told, header.given, chance=chance, **more)

    def takes(self, option: str, value: str) -> bool:
        """Returns whether the game has this option and the option can take the value."""
        try:
            value_of(self.ir, self._option(option), value)
        except RulelangError:
            return False
        return True

    def with_lone(self, lone: LoneOptions | None) -> Game:
        """Returns the game with lone options "asked" or "taken"; the same game for None.

        Raises InvalidInput for any other value.
        """
        if lone is None:
            return self
        if lone not in LONE:
            raise InvalidInput(f"lone options are asked or taken, not {described(lone)}")
        return self._asking if lone == "asked" else self._taking

    def of_format(self, format: int) -> Game:
        """Returns the game as logs of a format were played: before format 4 a die had one stream, and all owners of a
        variable shared one; before format 3 picks were named by numbers, and a history could not be full.
        """
        from rulelang.log.fields import NAMED_STREAMS, OWNED_STREAMS

        if format >= OWNED_STREAMS or self.format is not None:
            return self
        return self._owners_share if format >= NAMED_STREAMS else self._numbered_draws

    @cached_property
    def _owners_share(self) -> Game:
        return self._of_format(3, self.ir)

    @cached_property
    def _numbered_draws(self) -> Game:
        from rulelang.ir.weave import without_undecided

        return self._of_format(2, self.ir if self.ir.history is None else without_undecided(self.ir))

    def _of_format(self, format: int, ir: model.GameRules) -> Game:
        if ir is self.ir and all(name.startswith("shuffle ") for name in ir.streams):
            return attrs.evolve(self, format=format)
        return self._with(with_earlier_streams(ir, format), f"as in logs of format {format}", format=format)

    @cached_property
    def _asking(self) -> Game:
        return self._where(lambda choice: False)

    @cached_property
    def _taking(self) -> Game:
        return self._where(lambda choice: choice.open)

    def _where(self, forced: Callable[[model.Choice], bool]) -> Game:
        """Returns the game with lone options taken wherever `forced` says so; the game itself if nothing changes."""
        choices = tuple(attrs.evolve(choice, forced=forced(choice)) for choice in self.ir.choices)
        if choices == self.ir.choices:
            return self
        return self._with(attrs.evolve(self.ir, choices=choices), str([choice.forced for choice in choices]))

    def _with(self, ir: model.GameRules, changed: str, **more: Any) -> Game:
        """Returns the game with other IR for the same rules; `changed` tells its cached code from others'."""
        own = self._kept_code
        kept = None if own is None else (ir, digest_of(f"{own.digest} {changed}"))
        return attrs.evolve(self, ir=ir, digests=(self.rules_hash, self.text_hash), kept=kept, **more)

    @property
    def _kept_code(self) -> KeptCode | None:
        """Returns the cached code of this IR; None if the IR itself is not cached unchanged."""
        return KeptCode(self._kept[1]) if self._kept is not None and self._kept[0] is self.ir else None

    def machine(self, executor: str = "generated") -> Prepared:
        """Returns the factory of machines that run this game; raises RulelangError for an unknown executor."""
        found = executor_called(executor)
        if found.name not in self._prepared:
            self._prepared[found.name] = found.prepare(self._runnable)
        return self._prepared[found.name]

    @cached_property
    def _runnable(self) -> Runnable:
        return Runnable(self.ir, self.layout, self._kept_code)

    def settle(self, executor: str = "native") -> None:
        """Waits until an executor is as fast as it will be: machine code is not optimised at first. Measure after this;
        results are the same before. Raises RulelangError as `start` does.

        >>> from rulelang import load
        >>> load("outspeed").settle("generated")
        """
        prepared = self.machine(executor)
        if isinstance(prepared, Settles):
            prepared.settle()

    def _visibility(self, players: int) -> Visibility:
        """Returns the declared visibility that all matches with a number of players share."""
        if players not in self._visibilities:
            self._visibilities[players] = Visibility(self.ir, self.layout, players, self.secrets.scratch)
        return self._visibilities[players]

    @cached_property
    def _visibilities(self) -> dict[int, Visibility]:
        return {}

    @cached_property
    def _prepared(self) -> dict[str, Prepared]:
        return {}

    def _beginning(self, given: str) -> GivenPosition:
        """Returns a position that a match begins in; raises RulelangError."""
        from rulelang.api.positions import read_position

        if not isinstance(given, str):
            raise InvalidInput(f"a position is a text, not {described(given)}")
        return read_position(self, given)

    def _count(self, players: int | None) -> int:
        """Returns the number of players; raises RulelangError if the game does not allow it."""
        low, high = self.players
        count = low if players is None else whole(players, "a number of players")
        if not low <= count <= high:
            range_ = f"{low} to {high} players" if low < high else f"{low} player{'s' if low > 1 else ''}"
            raise RulelangError(f"{self.title} is for {range_}, not {count}")
        return count

    def _option(self, name: str) -> model.StateVariable:
        if name not in self.options:
            known = ", ".join(self.options) or "none"
            near = suggest(str(name), self.options)
            meant = f"; did you mean {near}?" if near else ""
            raise RulelangError(f"{self.title} has no option {name!r}{meant} (it has: {known})")
        return self.options[name]

    def _chosen(self, options: Mapping[str, int | str | bool | None] | None) -> dict[int, int]:
        """Returns the option values by state id; raises RulelangError for an option that the game does not have."""
        if options is None:
            return {}
        if not isinstance(options, Mapping):
            raise InvalidInput(f"options are a mapping of names to values, not {described(options)}")
        return {self._option(name).id: value_of(self.ir, self._option(name), value) for name, value in options.items()}
