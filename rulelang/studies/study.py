"""A study: the game, what is swept, who plays, how many games, from which seeds.

    game = "outspeed"
    players = [3, 4]
    bots = ["greedy", "random"]
    games = 400

    [vary]
    starting_fuel = "6..18/2"
    [stop]
    "win(first)" = 0.02

Invariant: equal studies have equal digests, and a study says all that its results depend on but the versions.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import attrs

from rulelang.diagnostics.suggest import hint
from rulelang.errors import InvalidInput
from rulelang.studies.axes import Axis

MOST_CELLS = 10_000
"""The most cells of a study."""
MOST_GAMES = 1_000_000_000
"""The most games of a cell."""
SAMPLED = 200
"""The games of a cell, from the first, whose single decisions are recorded, unless the study says otherwise."""


@attrs.frozen
class Study:
    """All that is asked of a study. `seed` is the first of the games' chance, `bot_seed` the first of the bots'."""

    game: str
    bots: tuple[str, ...] = ("greedy",)
    games: int = 1_000
    players: int | None = None
    """How many play; None for as few as the game allows, or what is swept says."""
    seed: int = 0
    bot_seed: int = 0
    options: tuple[tuple[str, str], ...] = ()
    axes: tuple[Axis, ...] = ()
    measures: tuple[tuple[str, str], ...] = ()
    """By name, expressions of the rules whose values at the end of each game are recorded."""
    chunk: int = 0
    """The games of a chunk; 0 for what suits the game and the bots (`portions`)."""
    sampled: int = SAMPLED
    values: int = 0
    """The playouts that value a position of a sampled game for each seat; 0 values none."""
    values_by: str = "random"
    """The bot that plays these playouts in all seats."""
    repeats: int = 1
    """The games on each seed of chance, with other seeds of the bots: for the share of luck."""
    streams: int = 0
    """The seeds whose game is played again once for each source of chance, with that alone held: for its share of luck."""
    stop: tuple[tuple[str, float], ...] = ()
    """The figures by which the study stops before all games are played, with half the width of interval that is enough."""

    targets: tuple[tuple[str, float], ...] = ()
    """By name, the lengths that are wanted: for the mean distance of games to them."""
    caps: tuple[tuple[str, float], ...] = ()
    """By name, the lengths above which games are counted."""

    @property
    def blocks(self) -> int:
        """About as many blocks has a cell if all its games are played."""
        return max(self.games // self.repeats, 1)

    @property
    def is_random(self) -> bool:
        """Whether all play at random, which machine code does by itself."""
        return set(self.bots) == {"random"}

    def at(self, cell: StudyCell, players: int) -> Study:
        """Returns the study as it is for a cell: with the bots of that cell, where they are swept, and with as many of the
        bot that ends with a `*` as there are seats left."""
        bots = dict(cell.parameters).get("bots")
        names = self.bots if bots is None else table_of(bots)
        return attrs.evolve(self, bots=_filled(names, players))

    @property
    def all_bots(self) -> tuple[str, ...]:
        """The names of all bots that play in some cell, each once."""
        swept = [table_of(words) for axis in self.axes if axis.name == "bots" for words in axis.values]
        names = [name.removesuffix(REST) for some in swept or [self.bots] for name in some]
        return tuple(dict.fromkeys([*names, self.values_by]))

    def cells(self) -> Iterator[StudyCell]:
        """Yields every combination of the values of the axes, the last axis first."""
        for number, words in enumerate(product(*(axis.values for axis in self.axes))):
            yield StudyCell(number, tuple((axis.name, word) for axis, word in zip(self.axes, words, strict=True)))

    def to_data(self) -> dict[str, Any]:
        """Returns the study as plain data, which `study_of` reads back."""
        data = {field.name: getattr(self, field.name) for field in attrs.fields(Study)}
        data |= {"bots": list(self.bots), "options": dict(self.options), "measures": dict(self.measures)}
        data |= {"stop": dict(self.stop), "targets": dict(self.targets), "caps": dict(self.caps)}
        return data | {"axes": [[axis.name, list(axis.values)] for axis in self.axes]}

    @property
    def digest(self) -> str:
        """A digest of the study."""
        from rulelang.driver.kept import digest_of

        return digest_of(json.dumps(self.to_data(), sort_keys=True))[:16]


@attrs.frozen
class StudyCell:
    """One combination of the values that are swept, by its number from 0."""

    number: int
    parameters: tuple[tuple[str, str], ...]

    @property
    def label(self) -> str:
        """The combination in words: `size=5, players=2`; `base` where nothing is swept."""
        return ", ".join(f"{name}={value}" for name, value in self.parameters) or "base"


REST = "*"
"""The end of the name of a bot that takes all seats that are left."""


def table_of(words: str) -> tuple[str, ...]:
    """Returns the bots of one value of `bots`: names with a / between them, which may also stand in the path of a file.

    >>> table_of("mcts:64/mcts:32*"), table_of("bots/mine.py:careful/greedy")
    (('mcts:64', 'mcts:32*'), ('bots/mine.py:careful', 'greedy'))
    """
    from rulelang.lab.bots import BOTS
    from rulelang.lab.own_bots import is_own_bot

    known = {bot.name for bot in BOTS}
    found, parts = list[str](), list[str]()
    for part in words.split("/"):
        parts.append(part.strip())
        name = "/".join(parts)
        if is_own_bot(name) or re.split("[:*]", name)[0] in known:
            found.append(name)
            parts = []
    return (*found, *parts)


def _filled(names: tuple[str, ...], players: int) -> tuple[str, ...]:
    """Returns bots with as many of the one that ends with REST as there are seats left.

    >>> _filled(("mcts:64", "mcts:32*"), 4), _filled(("greedy*",), 4)
    (('mcts:64', 'mcts:32', 'mcts:32', 'mcts:32'), ('greedy',))
    """
    if len(names) == 1 or not any(name.endswith(REST) for name in names):
        return tuple(name.removesuffix(REST) for name in names)
    left = max(players - len(names) + 1, 1)
    return tuple(name for bot in names for name in [bot.removesuffix(REST)] * (left if bot.endswith(REST) else 1))


def study_of(data: Mapping[str, Any]) -> Study:
    """Returns the study that `Study.to_data` took apart."""
    axes = tuple(Axis(name, tuple(values)) for name, values in data["axes"])
    named = ("options", "measures", "stop", "targets", "caps")
    pairs = {name: tuple(dict(data.get(name, {})).items()) for name in named}
    return Study(**{**data, "bots": tuple(data["bots"]), "axes": axes, **pairs})


def read_study(text: str) -> Study:
    """Returns the study that a TOML text describes; raises InvalidInput, with what is wrong and where.

    >>> read_study('game = "nim"\\nbots = "random"\\n[vary]\\nsize = "15..21/3"').axes
    (Axis(name='size', values=('15', '18', '21')),)
    """
    try:
        told = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"this is not TOML: {error}") from None
    own = {"axes": "vary", "measures": "measure", "targets": "target", "caps": "cap"}
    fields = {own.get(field.name, field.name) for field in attrs.fields(Study)}
    if unknown := sorted(told.keys() - fields):
        raise InvalidInput(
            f"a study has no {unknown[0]!r}{hint(unknown[0], fields)} (it has: {', '.join(sorted(fields))})"
        )
    if not isinstance(told.get("game"), str):
        raise InvalidInput('a study names its game: game = "outspeed"')
    vary = _table(told, "vary")
    players = told.get("players")
    if isinstance(players, list):
        vary, players = {"players": players, **vary}, None
    bots = told.get("bots", ["greedy"])
    bots = [name.strip() for name in bots.split(",")] if isinstance(bots, str) else bots
    if not isinstance(bots, list) or not bots or not all(isinstance(name, str) for name in bots):
        raise InvalidInput('bots are names: bots = ["greedy", "random"]')
    axes = tuple(Axis.of(name, values) for name, values in vary.items())
    options = tuple((name, _word(value)) for name, value in _table(told, "options").items())
    measures = tuple((name, str(value)) for name, value in _table(told, "measure").items())
    stop = tuple((name, width_of(name, value)) for name, value in _table(told, "stop").items())
    targets, caps = (
        tuple((of, length_of(of, value)) for of, value in _table(told, name).items()) for name in ("target", "cap")
    )
    whole: dict[str, Any] = {
        name: _whole(told, name, low, high) for name, (low, high) in _WHOLE.items() if name in told
    }
    if players is not None:
        whole["players"] = _whole({"players": players}, "players", 1, 1_000)
    if not isinstance(told.get("values_by", ""), str):
        raise InvalidInput('values_by names a bot: values_by = "greedy"')
    whole |= {"values_by": told.get("values_by", "random")}
    whole |= {"axes": axes, "measures": measures, "stop": stop, "targets": targets, "caps": caps}
    return limited(Study(told["game"], tuple(bots), options=options, **whole))


_WHOLE = {
    "games": (1, MOST_GAMES),
    "seed": (0, 2**53),
    "bot_seed": (0, 2**53),
    "chunk": (0, 10_000_000),
    "sampled": (0, 1_000_000),
    "values": (0, 100_000),
    "repeats": (1, 1_000),
    "streams": (0, 1_000_000),
}
"""The settings that are whole numbers, and their bounds."""


def limited(study: Study) -> Study:
    """Returns a study that can be run; raises InvalidInput if a name is swept twice, there are too many cells, or
    several bots play where the luck of each source is asked for."""
    names = [axis.name for axis in study.axes]
    if len(set(names)) < len(names):
        raise InvalidInput(f"a name is swept twice: {', '.join(names)}")
    if any(name.endswith(REST) for name in study.bots[:-1]):
        raise InvalidInput(f"only the last bot takes all seats that are left: {', '.join(study.bots)}")
    if study.streams and len(study.bots) > 1 and not study.is_random:
        raise InvalidInput(
            "streams needs one bot that plays in all seats: between several, who sits where decides, too"
        )
    count = 1
    for axis in study.axes:
        count *= len(axis.values)
    if count > MOST_CELLS:
        raise InvalidInput(f"the values make {count} cells; a study has at most {MOST_CELLS}")
    return study


def width_of(name: str, value: object) -> float:
    """Returns half the width of an interval that is enough; raises InvalidInput."""
    return _above_0(value, f"{name} stops a study at a number above 0, such as 0.02")


def _above_0(value: object, told: str) -> float:
    """Returns a number above 0; raises InvalidInput with what is told."""
    try:
        found = float(value) if isinstance(value, int | float | str) and not isinstance(value, bool) else 0.0
    except ValueError:
        found = 0.0
    if not 0 < found < 1e12:
        raise InvalidInput(f"{told}; not {value!r:.40}")
    return found


LENGTHS = ("length", "decisions", "rounds")
"""The names of lengths, which a study may set a target or a cap to; see `figures.lengths`."""


def length_of(name: str, value: object) -> float:
    """Returns the length that a study wants, or allows; raises InvalidInput."""
    if name not in LENGTHS:
        raise InvalidInput(f"no length is called {name!r}{hint(name, LENGTHS)}")
    return _above_0(value, f"{name} is a number above 0, such as {name}=40")


def _word(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _table(told: Mapping[str, Any], name: str) -> dict[str, Any]:
    found = told.get(name, {})
    if not isinstance(found, dict):
        raise InvalidInput(f"[{name}] is a table of names and values")
    return found


def _whole(told: Mapping[str, Any], name: str, low: int, high: int) -> int:
    value = told[name]
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise InvalidInput(f"{name} is a whole number from {low} to {high}, not {value!r:.40}")
    return value
