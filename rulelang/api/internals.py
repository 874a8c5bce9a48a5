"""The inside of a game: its texts, its IR, its machines; `api.Game` is the face before it.

game.internals.machine("generated")        a factory of machines
game.internals.layout                      the slots of a row
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import attrs

from rulelang.api.match import Match
from rulelang.api.names import checked_unit, known_unit, texts_of
from rulelang.api.table_options import value_of
from rulelang.diagnostics.suggest import suggest
from rulelang.driver.collector import held_back
from rulelang.driver.kept import KeptCode, digest_of
from rulelang.errors import InvalidInput, RulelangError
from rulelang.ir import model
from rulelang.ir.model.vocabulary import LoneOptions
from rulelang.ir.picks import with_earlier_streams
from rulelang.ir.walk import is_larger
from rulelang.knowledge.announced_changes import Said
from rulelang.knowledge.secrets import Secrets
from rulelang.knowledge.visibility import Visibility
from rulelang.machines.chance import Seeded, stream_keys
from rulelang.machines.executors import AUTO, Prepared, Runnable, Settles, executor_called
from rulelang.machines.machine import Chance, Machine, Trace
from rulelang.match.inputs import whole
from rulelang.match.match import BareMatch
from rulelang.program.layout import Layout, lay_out
from rulelang.seed import checked, described
from rulelang.texts.reader import Disk

if TYPE_CHECKING:
    from rulelang.api.positions import GivenPosition
    from rulelang.driver.chain import Unit
    from rulelang.log.bare.wording import Phrases
    from rulelang.log.format import Header
    from rulelang.semantics.names.scope import World
    from rulelang.syntax import nodes
    from rulelang.texts.loading import Loaded
    from rulelang.texts.model import Texts


MOST_SMALL_NODES = 260
"""The most IR nodes of small rules."""
PLAYED_IN_PYTHON = 1_000
"""The matches of small rules that Python plays in any case: they take about as long as loading LLVM."""


LONE: tuple[LoneOptions, ...] = get_args(LoneOptions)
"""The treatments of a lone option."""


@attrs.define
class BegunMatches:
    """The number of matches of small rules that have begun, and whether machine code plays the next ones."""

    many: int = 0
    is_in_code: bool = False


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
        """Returns the text of a game that went through the chain, at
        least as far as `check`; None after a fault outside scenarios."""
        loaded, patched, resolved = unit.loaded, unit.patched, unit.resolved
        if unit.rules_have_errors or unit.lowered is None:
            return None
        assert loaded is not None
        assert patched is not None
        assert resolved is not None
        return cls(loaded, patched.module, resolved.world, unit.lowered, patched.scenarios)


@attrs.define(frozen=True, slots=False, eq=False)
class Internals:
    """The inside of a checked game: its files and trees, its IR, and all that is computed from these when it is needed.

    The other rooms work with it. Programs that use rulelang are promised nothing about it: what they need is on `Game`.

    >>> from rulelang import load
    >>> internals = load("outspeed").internals
    >>> internals.entry.name, internals.layout.size > 0
    ('outspeed.rules', True)
    """

    ir: model.GameRules = attrs.field(repr=False)
    entry: Path
    """The game's own file."""
    variants: tuple[str, ...] = ()
    """The variants in force, in order."""
    more: tuple[Path, ...] = ()
    """Further files with variants of it."""
    format: int | None = None
    """The format of earlier logs by which its random streams are named; None for the present one."""
    _texts: Texts = attrs.field(factory=Disk, repr=False)
    _whole: Whole | None = attrs.field(default=None, repr=False)
    _digests: tuple[str, str] | None = attrs.field(default=None, repr=False)
    _kept: tuple[model.GameRules, str] | None = attrs.field(default=None, repr=False)
    """The cached IR, and the name under which its code is cached; a game whose IR was changed has no code yet."""

    @property
    def id(self) -> str:
        return self.ir.id

    # -------------------------------------------------------------- texts

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

        return image_of(self._texts, self.entry, self.ir.id, written) if written in self.ir.images else None

    @property
    def module(self) -> nodes.ModuleNode:
        return self.whole.module

    @property
    def world(self) -> World:
        return self.whole.world

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

    def __getstate__(self) -> dict[str, Any]:
        """Returns the state to pickle: the IR and its digests; the text is read again when it is needed."""
        fields = {field.name: getattr(self, field.name) for field in attrs.fields(Internals)}
        return fields | {"_whole": None, "_digests": (self.rules_hash, self.text_hash)}

    # -------------------------------------------------------------- rules

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
    def options(self) -> dict[str, model.StateVariable]:
        """The game's options, by name: settings that the players agree on before the game."""
        return {s.name: s for s in self.ir.states if s.option}

    @cached_property
    def is_small(self) -> bool:
        """Whether generated Python plays a match before machine code is loaded; see `Game.is_small`."""
        return not is_larger(self.ir, MOST_SMALL_NODES)

    def takes(self, option: str, value: str) -> bool:
        """Returns whether the game has this option and the option can take the value."""
        try:
            value_of(self.ir, self._option(option), value)
        except RulelangError:
            return False
        return True

    def with_lone(self, lone: LoneOptions | None) -> Internals:
        """Returns the internals with lone options "asked" or "taken"; these same ones for None.

        Raises InvalidInput for any other value.
        """
        if lone is None:
            return self
        if lone not in LONE:
            raise InvalidInput(f"lone options are asked or taken, not {described(lone)}")
        return self._asking if lone == "asked" else self._taking

    def of_format(self, format: int) -> Internals:
        """Returns the internals by which logs of a format were played: before format 4 a die had one stream, and all
        owners of a variable shared one; before format 3 picks were named by numbers, and a history could not be full.
        """
        from rulelang.log.fields import NAMED_STREAMS, OWNED_STREAMS

        if format >= OWNED_STREAMS or self.format is not None:
            return self
        return self._owners_share if format >= NAMED_STREAMS else self._numbered_draws

    @cached_property
    def _owners_share(self) -> Internals:
        return self._of_format(3, self.ir)

    @cached_property
    def _numbered_draws(self) -> Internals:
        from rulelang.ir.weave import without_undecided

        return self._of_format(2, self.ir if self.ir.history is None else without_undecided(self.ir))

    def _of_format(self, format: int, ir: model.GameRules) -> Internals:
        if ir is self.ir and all(name.startswith("shuffle ") for name in ir.streams):
            return attrs.evolve(self, format=format)
        return self._with(with_earlier_streams(ir, format), f"as in logs of format {format}", format=format)

    @cached_property
    def _asking(self) -> Internals:
        return self._where(lambda choice: False)

    @cached_property
    def _taking(self) -> Internals:
        return self._where(lambda choice: choice.open)

    def _where(self, forced: Callable[[model.Choice], bool]) -> Internals:
        """Returns the internals with lone options taken wherever `forced` says so; these same ones if nothing changes."""
        choices = tuple(attrs.evolve(choice, forced=forced(choice)) for choice in self.ir.choices)
        if choices == self.ir.choices:
            return self
        return self._with(attrs.evolve(self.ir, choices=choices), str([choice.forced for choice in choices]))

    def _with(self, ir: model.GameRules, changed: str, **more: Any) -> Internals:
        """Returns internals with other IR for the same rules; `changed` tells its cached code from others'."""
        own = self._kept_code
        kept = None if own is None else (ir, digest_of(f"{own.digest} {changed}"))
        return attrs.evolve(self, ir=ir, digests=(self.rules_hash, self.text_hash), kept=kept, **more)

    @property
    def _kept_code(self) -> KeptCode | None:
        """Returns the cached code of this IR; None if the IR itself is not cached unchanged."""
        return KeptCode(self._kept[1]) if self._kept is not None and self._kept[0] is self.ir else None

    # -------------------------------------------------------------- machines

    def machine(self, executor: str = "generated") -> Prepared:
        """Returns the factory of machines that run this game; raises RulelangError for an unknown executor."""
        found = executor_called(executor)
        if found.name not in self._prepared:
            self._prepared[found.name] = found.prepare(self._runnable)
        return self._prepared[found.name]

    @property
    def _at_hand(self) -> str:
        """The fastest executor whose code is loaded: most logs are replayed sooner than machine code is."""
        prepared = self._prepared.get(AUTO)
        return AUTO if isinstance(prepared, Settles) and prepared.is_loaded else "generated"

    def _is_played_in_code(self) -> bool:
        """Returns whether a further match of small rules is played in machine code: after many others, once that is there."""
        begun = self._begun
        begun.many += 1
        if begun.many > PLAYED_IN_PYTHON and not begun.is_in_code:
            prepared = self.machine(AUTO)
            begun.is_in_code = isinstance(prepared, Settles) and prepared.is_settled()
        return begun.is_in_code

    @cached_property
    def _begun(self) -> BegunMatches:
        return BegunMatches()

    @cached_property
    def _runnable(self) -> Runnable:
        return Runnable(self.ir, self.layout, self._kept_code)

    # -------------------------------------------------------------- matches

    def start(
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
        count = self.count(players if begins is None or players is not None else begins.players)
        asked, seed = seed, checked(seed)
        told = seed if told is asked else None if told is None else checked(told)
        chosen = self.chosen(options)
        if begins is not None:
            if count != begins.players or any(begins.options.get(one, at) != at for one, at in chosen.items()):
                raise RulelangError("the position says how many play, and what is agreed")
            chosen = begins.options
            more |= {"placed": begins.row, "given": given}
        more.setdefault("secrets", self.secrets)
        game = self.with_lone(lone)
        visibility = game._visibility(count)
        if executor == AUTO and self.is_small and not game._is_played_in_code():
            executor = "generated"
            more.setdefault("thinking", partial(game.machine, AUTO))
        # The first match compiles code, all of which stays in memory.
        with held_back():
            machine = game.machine(executor)
            return Match(game, told, lone, machine, count, seed=seed, options=chosen, visibility=visibility, **more)

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
        return self.start(players, seed, agreed, self._at_hand, header.lone, told, header.given, chance=chance, **more)

    def numbered(
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

    def count(self, players: int | None) -> int:
        """Returns the number of players; raises RulelangError if the game does not allow it."""
        low, high = self.ir.players
        count = low if players is None else whole(players, "a number of players")
        if not low <= count <= high:
            range_ = f"{low} to {high} players" if low < high else f"{low} player{'s' if low > 1 else ''}"
            raise RulelangError(f"{self.ir.title} is for {range_}, not {count}")
        return count

    def chosen(self, options: Mapping[str, int | str | bool | None] | None) -> dict[int, int]:
        """Returns the option values by state id; raises RulelangError for an option that the game does not have."""
        if options is None:
            return {}
        if not isinstance(options, Mapping):
            raise InvalidInput(f"options are a mapping of names to values, not {described(options)}")
        return {self._option(name).id: value_of(self.ir, self._option(name), value) for name, value in options.items()}

    def _visibility(self, players: int) -> Visibility:
        """Returns the declared visibility that all matches with a number of players share."""
        if players not in self._visibilities:
            unshown = self.secrets.scratch
            self._visibilities[players] = Visibility(self.ir, self.layout, players, unshown, said=self.said)
        return self._visibilities[players]

    @cached_property
    def said(self) -> Said:
        """The sentences of the game, and the writes that they say."""
        return Said(self.ir)

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

    def _option(self, name: str) -> model.StateVariable:
        if name not in self.options:
            known = ", ".join(self.options) or "none"
            near = suggest(str(name), self.options)
            meant = f"; did you mean {near}?" if near else ""
            raise RulelangError(f"{self.ir.title} has no option {name!r}{meant} (it has: {known})")
        return self.options[name]
