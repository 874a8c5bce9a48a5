"""The public API: `load` a game, `check` its rules, `start` a match, `replay` its log.

The parser and the checks are imported only when they are needed: a game from the compile cache runs without them.

    >>> import rulelang
    >>> game = rulelang.load("outspeed")
    >>> game.title
    'Outspeed'
    >>> match = game.start(players=4, seed=7)
    >>> match.to_move
    (0, 1, 2, 3)
    >>> rulelang.replay(match.log).difference is None
    True
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, assert_never

import attrs

from rulelang.cache import users_cache
from rulelang.diagnostics.model import Diagnostic
from rulelang.diagnostics.suggest import suggest
from rulelang.driver.kept import KeptCode, KeptGame, digest_of, made_of, read_game, write_game
from rulelang.errors import InvalidInput, LogError, RulelangError, RulesError, UnknownOption
from rulelang.ir import model
from rulelang.ir.encoding.digest import rules_digest
from rulelang.ir.numbers import Seat
from rulelang.ir.types import BadType, EnumType, FlagType, IntType, KindType, NoneType, RowType, SetType, Type
from rulelang.knowledge.secrets import Secrets, secrets_of
from rulelang.machines.chance import Seeded
from rulelang.machines.executors import Prepared, executor_called
from rulelang.machines.machine import Chance, Machine
from rulelang.match import match as bare
from rulelang.match.inputs import whole
from rulelang.match.moment import Moment, RedealRecord
from rulelang.match.timeline import Fresh
from rulelang.program.layout import Layout, lay_out
from rulelang.program.values import clean, read_value, within, written
from rulelang.seed import checked, described
from rulelang.texts.model import Overlay
from rulelang.texts.reader import Disk, Shipped, find_entry
from rulelang.texts.reader import NothingToRead as NoGameOnDisk
from rulelang.texts.shipped import game_folders
from rulelang.version import VERSION

if TYPE_CHECKING:
    from rulelang.driver.chain import Unit
    from rulelang.log.format import Header, Log
    from rulelang.log.reading import ReadLog
    from rulelang.log.replay import Replay
    from rulelang.playouts.batch import Playouts
    from rulelang.playouts.stepping import Batch
    from rulelang.semantics.names.scope import World
    from rulelang.syntax import nodes
    from rulelang.texts.loading import Loaded
    from rulelang.texts.model import Texts


MOST = 10_000
"""After so many choices a playout is cut."""
WORTH_COMPILING = 50
"""From so many playouts on, a game is compiled to machine code for them."""
LONE = ("asked", "taken")
"""What may become of a lone option."""
FLAGS = {"true": "yes", "false": "no", "1": "yes", "0": "no"}
"""How a flag may be agreed on, and its value."""


class NoSuchGame(RulelangError):
    """No game has that name, or no file lies at that path."""


@attrs.frozen
class Checked:
    """The result of checking a game: the game, if it can be played, and all diagnostics."""

    game: Game | None
    diagnostics: tuple[Diagnostic, ...]


@attrs.frozen(eq=False)
class Whole:
    """A game's text, patched and checked, as scenarios, coverage and the formatter need it."""

    loaded: Loaded
    module: nodes.ModuleNode
    """The whole game after patching."""
    world: World
    """What every name stands for."""
    lowered: model.GameRules
    """Its IR before it was woven."""
    scenarios: tuple[nodes.ScenarioDeclaration, ...] = ()
    """What must hold with these variants in force."""


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
    """Warnings."""
    more: tuple[Path, ...] = attrs.field(default=(), repr=False)
    """Further files that variants of it are in."""
    _texts: Texts = attrs.field(factory=Disk, repr=False)
    _whole: Whole | None = attrs.field(default=None, repr=False)
    _digests: tuple[str, str] | None = attrs.field(default=None, repr=False)
    _kept: tuple[model.GameRules, str] | None = attrs.field(default=None, repr=False)
    """The IR that is kept, and what its code is kept under; whoever changes the IR has no code yet."""

    @cached_property
    def whole(self) -> Whole:
        """The text behind the game; read again when the game came from the compile cache."""
        if self._whole is not None:
            return self._whole
        fresh = _check(self._texts, self.entry, self.variants, self.more).game
        if fresh is None or fresh._whole is None:
            raise RulelangError(f"{self.entry.name} changed while it was in use")
        return fresh._whole

    @property
    def loaded(self) -> Loaded:
        return self.whole.loaded

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
    def secrets(self) -> Secrets:
        """The locals of the rules that hold secrets."""
        return secrets_of(self.ir) if self._kept_code is None else self._kept_code.secrets(self.ir)

    @cached_property
    def rules_hash(self) -> str:
        """A digest of what the rules do: no labels, comments, screens, spans or scenarios."""
        return self._digests[0] if self._digests else rules_digest(self.whole.lowered)

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
        executor: str = "generated",
        lone: str | None = None,
        **more: Any,
    ) -> Match:
        """Starts a match; `executor` is "generated", "reference" or "native"; other arguments go to
        `match.match.Match`.

        `lone` overrides what the rules say about a question with a single option: "asked" asks it (as when counting
        positions), "taken" takes the option without asking. The log records it.

        Raises RulelangError for a wrong number of players or an option that the game does not have, and InvalidInput
        for a seed that is neither an integer nor text, or for any other `lone`.
        """
        is_given = "chance" in more or more.get("explicit_chance", False)
        return self._start(players, seed, options, executor, lone, None if is_given else seed, **more)

    def _start(
        self,
        players: int | None,
        seed: int | str,
        options: Mapping[str, int | str | bool | None] | None,
        executor: str,
        lone: str | None,
        told: int | str | None,
        **more: Any,
    ) -> Match:
        """Starts a match whose log records `told` as its seed; None if chance comes from outside."""
        count = self._count(players)
        seed, told = checked(seed), None if told is None else checked(told)
        chosen = self._chosen(options)
        more.setdefault("secrets", self.secrets)
        game = self.with_lone(lone)
        return Match(game, told, lone, game.machine(executor), count, seed=seed, options=chosen, **more)

    def playouts(
        self,
        many: int,
        players: int | None = None,
        seed: int | str = 0,
        options: Mapping[str, int | str | bool | None] | None = None,
        *,
        policy: str = "random",
        at_most: int = MOST,
        executor: str | None = None,
        threads: int = 1,
    ) -> Playouts:
        """Plays `count` random games without a match; returns winners, scores and lengths as arrays.

        `players` defaults to the fewest that the game allows. A playout is cut after `at_most` choices and counts as
        unfinished; one that ends by a fault of the rules counts as that. The same arguments give the same games,
        whatever the `executor` (None: the fastest for so many) and however many `threads`. Raises RulelangError as
        `start` does, and for another policy.

        >>> found = load("outspeed").playouts(2, players=3, seed=7, at_most=20)
        >>> len(found), found.unfinished, list(found.lengths)
        (2, 2, [20, 20])
        """
        from rulelang.playouts.batch import played

        if policy != "random":
            raise RulelangError(f"playouts are random: there is no policy {policy!r}")
        many, at_most, threads = (
            whole(many, "a number of playouts"),
            whole(at_most, "a number of choices"),
            whole(threads, "a number of threads"),
        )
        if many < 0 or at_most < 0 or threads < 1:
            raise RulelangError("there are no fewer than 0 playouts, of 0 choices, on 1 thread")
        fastest = self._fastest(many) if executor is None else executor
        count, chosen = self._count(players), self._chosen(options)
        fresh, other = self.machine(fastest), self.machine("reference" if fastest == "reference" else "generated")
        return played(
            self.ir,
            self.layout,
            fresh,
            other,
            count,
            many,
            seed=checked(seed),
            options=chosen,
            most=at_most,
            threads=threads,
        )

    def play_batch(
        self,
        many: int,
        players: int | None = None,
        seed: int | str = 0,
        options: Mapping[str, int | str | bool | None] | None = None,
        *,
        at_most: int = MOST,
        executor: str = "generated",
    ) -> Batch:
        """Begins so many games that go on side by side, each with the answers that it is given; see `Batch`.

        Game number i is `start(seed="SEED:i")`. One takes no more answers after `at_most` of them, and counts as unfinished.
        Raises RulelangError as `start` does.

        >>> batch = load("outspeed").play_batch(2, players=3, seed=7)
        >>> list(batch.seats), list(batch.counts)
        ([0, 0], [3, 3])
        >>> batch.step([0, 2])
        >>> list(batch.seats), batch.padded.shape
        ([1, 1], (2, 3, 2))
        """
        from rulelang.playouts.stepping import Batch

        many, at_most = whole(many, "a number of games"), whole(at_most, "a number of choices")
        seed, count, chosen, fresh = checked(seed), self._count(players), self._chosen(options), self.machine(executor)

        def start(number: int) -> Machine:
            machine = fresh(Seeded(f"{seed}:{number}", self.ir, self.layout))
            machine.begin(count, chosen)
            return machine

        return Batch(start, many, at_most)

    def _fastest(self, many: int) -> str:
        """Returns the fastest executor for `count` playouts; machine code, which may take seconds to compile, pays only
        for many.
        """
        if many < WORTH_COMPILING and "native" not in self._prepared:
            return "generated"
        try:
            self.machine("native")
        except RulelangError:
            return "generated"
        return "native"

    def begin(self, header: Header, chance: Chance, options: Mapping[str, str] | None = None) -> Match:
        """Starts the match that a log's header describes, under these rules, drawing from `chance`.

        `options` replace those of the header. Raises RulelangError as `start` does.
        """
        seed = 0 if header.seed is None else header.seed
        agreed = dict(header.options) if options is None else options
        return self._start(len(header.players), seed, agreed, "generated", header.lone, header.seed, chance=chance)

    def takes(self, option: str, value: str) -> bool:
        """Returns whether the game has this option and the option can take the value."""
        try:
            self._option_value(option, value)
        except RulelangError:
            return False
        return True

    def with_lone(self, lone: str | None) -> Game:
        """Returns the game with lone options "asked" or "taken"; the same game for None.

        Raises InvalidInput for any other value.
        """
        if lone is None:
            return self
        if lone not in LONE:
            raise InvalidInput(f"lone options are asked or taken, not {described(lone)}")
        return self._asking if lone == "asked" else self._taking

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
        ir = attrs.evolve(self.ir, choices=choices)
        own, asked = self._kept_code, [choice.forced for choice in choices]
        kept = None if own is None else (ir, digest_of(f"{own.digest} {asked}"))
        return attrs.evolve(self, ir=ir, digests=(self.rules_hash, self.text_hash), kept=kept)

    @property
    def _kept_code(self) -> KeptCode | None:
        """Returns the cached code of this IR; None if the IR itself is not cached unchanged."""
        return KeptCode(self._kept[1]) if self._kept is not None and self._kept[0] is self.ir else None

    def machine(self, executor: str = "generated") -> Prepared:
        """Returns the factory of machines that run this game; raises RulelangError for an unknown executor."""
        found = executor_called(executor)
        if found.name not in self._prepared:
            self._prepared[found.name] = found.prepare(self.ir, self.layout, self._kept_code)
        return self._prepared[found.name]

    @cached_property
    def _prepared(self) -> dict[str, Prepared]:
        return {}

    def _count(self, players: int | None) -> int:
        """Returns the number of players; raises RulelangError if the game does not allow it."""
        low, high = self.players
        count = low if players is None else whole(players, "a number of players")
        if not low <= count <= high:
            range_ = f"{low} to {high} players" if low < high else f"{low} player{'s' if low > 1 else ''}"
            raise RulelangError(f"{self.title} is for {range_}, not {count}")
        return count

    def _chosen(self, options: Mapping[str, int | str | bool | None] | None) -> dict[int, int]:
        """Returns the option values by state id; raises RulelangError for an option that the game does not have."""
        if not isinstance(options, Mapping | None):
            raise InvalidInput(f"options are a mapping of names to values, not {described(options)}")
        return {self._option(name).id: self._option_value(name, value) for name, value in (options or {}).items()}

    def _option(self, name: str) -> model.StateVariable:
        if name not in self.options:
            known = ", ".join(self.options) or "none"
            near = suggest(str(name), self.options)
            meant = f"; did you mean {near}?" if near else ""
            raise RulelangError(f"{self.title} has no option {name!r}{meant} (it has: {known})")
        return self.options[name]

    def _option_value(self, name: str, value: int | str | bool | None) -> int:
        """Returns an option's value from its written form: a number, yes or no, an enum's member, a seat, or none."""
        type = self._option(name).type
        text = "none" if value is None else str(value).strip()
        if isinstance(type, FlagType):
            text = FLAGS.get(text.lower(), text.lower())
        try:
            found = read_value(self.ir, text, type)[0]
        except UnknownOption:
            found = None
        if found is None or not within(type, found):
            raise RulelangError(f"the option {name} is {self._option_values(type)}, not {text!r}")
        return found

    def _option_values(self, type: Type) -> str:
        match type:
            case IntType(low=low, high=high):
                expected = f"a number from {low} to {high}"
            case EnumType(members=names):
                expected = f"one of {', '.join(names)}"
            case KindType():
                expected = f"one of {', '.join(self.ir.seats)}"
            case FlagType() | SetType() | RowType() | NoneType() | BadType():
                expected = "yes or no"
            case _:
                assert_never(type)
        return expected + (", or none" if type.optional else "")


class Match(bare.BareMatch):
    """One game under way, with its log.

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
        lone: str | None,
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


def replay(log: str | Path | Log | ReadLog, under: str | Game | None = None, *, compares: bool = True) -> Replay:
    """Plays a log again and compares it, up to the end or the first difference; the result holds both sides of the
    difference.

    With `compares` false, the log is played without comparing, which is faster: only an input that the rules refuse is
    a difference.

    `log` is a file or a log; `under` names the rules to play it by, if not those that the log names: variants of its
    game (`sprint+hungry`), a game as `load` takes it, or a loaded game. Raises LogError for a log that cannot be
    played again, and whatever `load` and `Game.start` raise.

    >>> match = load("outspeed").start(players=3, seed=7)
    >>> for _ in range(12):
    ...     events = match.play(match.options[0])
    >>> replay(match.log).match.key == match.key
    True
    >>> replay(match.log, under="sprint").difference
    Difference(...)
    """
    from rulelang.log.format import Log
    from rulelang.log.reading import ReadLog, parse_log, read_log
    from rulelang.log.replay import replay as play_again

    if isinstance(log, Log):
        log = parse_log(BytesIO(log.text.encode()))
    elif isinstance(log, (str, Path)):
        log = read_log(log)
    elif not isinstance(log, ReadLog):
        raise InvalidInput(f"a log is a path, `match.log` or what `read_log` returns, not {described(log)}")
    if not isinstance(under, Game | str | None):
        raise InvalidInput(f"rules are named by a text, or are a game, not {described(under)}")
    header = log.header
    game = under if isinstance(under, Game) else load(rules_of(header, under))

    def start(chance: Chance) -> Match:
        return game.begin(header, chance)

    picks, same_text = game.secrets.picks, header.text == game.text_hash
    return play_again(log, game.ir, game.layout, start, picks, same_text=same_text, compares=compares)


def rules_of(header: Header, under: str | None) -> str:
    """Returns the name of the game to load for a log; a log does not record where the rules lie on disk."""
    base = under.partition("+")[0] if under and not os.path.exists(under) else under
    if under and base and (os.path.exists(base) or base in games() or base.endswith(".rules")):
        return under
    if header.game not in games():
        raise LogError(f"this is a log of `{clean(header.game)[:40]}`, which does not ship: say under which rules")
    variants = header.variants if under is None else (under,) if under else ()
    return "+".join((header.game, *variants))


def check(name: str | Path, variants: tuple[str, ...] = ()) -> Checked:
    """Checks a game given by name, folder or path, with its variants applied; never raises for faulty rules."""
    return _check(Disk(), _entry(name), _variants(variants))


def check_text(text: str, variants: tuple[str, ...] = ()) -> Checked:
    """Checks a text that need not be on disk: the rules of a game, or variants of a game that ships.

    >>> check_text("game nim").diagnostics[0].code
    'E0106'

    Raises InvalidInput if `text` or a variant's name is not a string.
    """
    if not isinstance(text, str):
        raise InvalidInput(f"rules are a text, not {text!r:.40}")
    entry = Path("/text.rules")
    return _check(Overlay(Shipped(), {entry: text}), entry, _variants(variants))


def _variants(names: object) -> tuple[str, ...]:
    """Returns the variants' names; raises InvalidInput for a single string, which would otherwise be read letter by
    letter.
    """
    if isinstance(names, (tuple, list)) and all(isinstance(name, str) for name in names):
        return tuple(names)
    raise InvalidInput(f"variants are a tuple of names, such as ('sprint',), not {names!r:.40}")


def _entry(name: str | Path) -> Path:
    try:
        return find_entry(str(name))
    except NoGameOnDisk as error:
        raise NoSuchGame(str(error)) from None


def named(name: str) -> tuple[str, tuple[str, ...], tuple[Path, ...]]:
    """Splits a name into its base, its variants, and further files that hold variants; an existing path is a base
    alone.

    >>> named("outspeed+sprint"), named("rich.rules+rich+ten.rules+ten")[1:]
    (('outspeed', ('sprint',), ()), (('rich', 'ten'), (...Path('ten.rules'),)))
    """
    if os.path.exists(name):
        return name, (), ()
    base, *rest = (part.strip('"') for part in name.split("+"))
    files = tuple(Path(part) for part in rest if part.endswith(".rules"))
    return base, tuple(part for part in rest if not part.endswith(".rules")), files


def read(name: str) -> tuple[Loaded, tuple[str, ...]]:
    """Reads a game, and further files with variants of it, by a name as `load` takes it; also returns the variants
    named.
    """
    from rulelang.texts.loading import load

    base, variants, more = named(name)
    prepare_parser()
    return _with_files(load(Disk(), _entry(base)), more), variants


def _with_files(loaded: Loaded, more: tuple[Path, ...]) -> Loaded:
    from rulelang.texts.loading import with_file

    for path in more:
        if not path.is_file():
            raise NoSuchGame(f"there is no file {str(path)!r}")
        loaded = with_file(loaded, Disk(), path)
    return loaded


def _check(texts: Texts, entry: Path, variants: tuple[str, ...], more: tuple[Path, ...] = ()) -> Checked:
    from rulelang.driver.chain import Unit, of_loaded, run
    from rulelang.driver.collector import held_back
    from rulelang.texts.loading import load

    prepare_parser()
    with held_back():
        if not more:
            return result_of(run(Unit(texts, entry, variants)))
        checked = result_of(run(of_loaded(texts, _with_files(load(texts, entry), more), variants)))
    return checked if checked.game is None else attrs.evolve(checked, game=attrs.evolve(checked.game, more=more))


def check_loaded(loaded: Loaded, variants: tuple[str, ...] = ()) -> Checked:
    """Patches and checks the texts that were read."""
    from rulelang.driver.chain import of_loaded, run

    return result_of(run(of_loaded(Disk(), loaded, variants)))


def prepare_parser() -> None:
    """Lets the parser keep its tables in the user's own cache."""
    from rulelang.syntax.parser import use_cache

    use_cache(users_cache())


def result_of(unit: Unit) -> Checked:
    """Returns the game that came out of the chain, if one did, and all diagnostics."""
    found, loaded, patched, resolved = unit.diagnostics, unit.loaded, unit.patched, unit.resolved
    if unit.has_errors or unit.woven is None or unit.lowered is None:
        return Checked(None, found)
    assert loaded is not None
    assert patched is not None
    assert resolved is not None
    woven = unit.woven
    game = Game(
        id=woven.id,
        title=woven.title,
        players=woven.players,
        variants=unit.variants,
        ir=woven,
        entry=loaded.entry,
        diagnostics=found,
        texts=unit.texts,
        whole=Whole(loaded, patched.module, resolved.world, unit.lowered, patched.scenarios),
    )
    return Checked(game, found)


def load(name: str | Path) -> Game:
    """Loads a game: `outspeed`, `outspeed+sprint`, a folder or a path; raises RulesError with all diagnostics.

    A game that has not changed comes from the compile cache: its IR as data, in the user's own cache folder.
    """
    base, variants, more = named(str(name))
    entry = _entry(base)
    made = made_of(entry, variants) if not more else None
    kept = read_game(made) if made is not None else None
    if kept is not None:
        ir, digests = kept.ir, (kept.rules_hash, kept.text_hash)
        return Game(
            ir.id, ir.title, ir.players, variants, ir, entry, kept.warnings, digests=digests, kept=(ir, kept.digest)
        )
    game = _check(Disk(), entry, variants, more)
    if game.game is None:
        raise RulesError(game.diagnostics)
    whole = game.game
    if made is not None and made == made_of(entry, variants):
        # What changed while it was read is not kept.
        digest = write_game(made, KeptGame(whole.ir, whole.rules_hash, whole.text_hash, whole.diagnostics))
        return attrs.evolve(whole, kept=(whole.ir, digest) if digest else None)
    return whole


def games() -> tuple[str, ...]:
    """Returns the names of the games that ship."""
    return tuple(f.name for f in game_folders())
