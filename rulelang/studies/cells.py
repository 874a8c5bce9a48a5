"""The cells of a study -> games that were checked, each under a name by which anybody can load it.

    size=15, jam=no    ->    nim+out/cells/0003.rules+cell

A cell that needs no line of its own (players, options, variants of the game) needs no file either.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.errors import InvalidInput, RulelangError, RulesError, RuntimeRules
from rulelang.lab.cheating import OPEN, measured
from rulelang.lab.own_bots import digest, is_own_bot
from rulelang.studies.axes import Target, operation, target_of
from rulelang.studies.figures.comparing import SHARE_NAMES
from rulelang.studies.measures import Measure, measure_of
from rulelang.studies.playing import TABLES, CellSetup
from rulelang.studies.study import LENGTHS, Study, StudyCell

if TYPE_CHECKING:
    from rulelang.api import Game
    from rulelang.api.match import Match

SAME = "E0605"
"""The code of an operation that changes nothing, which a value that the game has already leads to."""


@attrs.frozen
class ReadyCell:
    """A cell that can be played: the name of its game, the number of players, the agreed options."""

    cell: StudyCell
    name: str
    players: int
    options: tuple[tuple[str, str], ...]
    rules_hash: str = ""
    bots: tuple[tuple[str, str], ...] = ()
    """The bots from files by name, each with a digest of its source."""

    def to_data(self) -> dict[str, Any]:
        """Returns it as plain data, without the name of its game, which depends on where the folder lies."""
        found = {"number": self.cell.number, "parameters": dict(self.cell.parameters), "players": self.players}
        return found | {"options": dict(self.options), "rules_hash": self.rules_hash, "bots": dict(self.bots)}

    def changed(self, rules_hash: str, bots: Mapping[str, str]) -> str:
        """Returns the name of what is no longer as it was: the cell, whose rules have this digest, or a bot among these,
        each with a digest; "" if all is."""
        if rules_hash != self.rules_hash:
            return f"the cell {self.cell.label}"
        return next((name for name, digest in self.bots if bots.get(name) != digest), "")

    def table(self, study: Study, home: str = "") -> CellSetup:
        """Returns the table at which the cell's games are played; relative paths begin at `home`.

        Raises RulelangError if the rules, or a bot's file, are not those that were checked: another machine has others.
        """
        from rulelang import api

        game = api.load(_located(self.name, home))
        if other := self.changed(game.rules_hash, digests((*study.bots, study.values_by), home)):
            raise RulelangError(f"{other} is not the same where a worker runs as where the study began")
        return CellSetup.of(game, self.players, study, dict(self.options), measures(game, study), home)


def digests(bots: Sequence[str], home: str = "") -> dict[str, str]:
    """Returns a digest of the source of each bot that comes from a file; raises InvalidInput for one without a file."""
    return {name: digest(name.removesuffix(OPEN), home) for name in bots if is_own_bot(name)}


def _located(name: str, home: str) -> str:
    """Returns the name of a game whose relative paths begin at a folder."""
    from rulelang.api.names import named

    if not home or Path(home) == Path.cwd():
        return name
    base, variants, files = named(name)
    paths = [Path(home, base) if Path(home, base).exists() else base, *(Path(home, file) for file in files)]
    return "+".join([*map(_quoted, paths), *variants])


TAKEN = frozenset({*(column for columns in TABLES.values() for column in columns), *SHARE_NAMES, *LENGTHS, "balance"})
"""The names of columns and figures, which no measure can have."""


def measures(game: Game, study: Study) -> tuple[Measure, ...]:
    """Returns the measures of a study; raises InvalidInput."""
    names = [name for name, _ in study.measures]
    for name in names:
        if name in TAKEN:
            raise InvalidInput(
                f"a measure is not called {name}, as a figure or a column is; write my_{name}=EXPRESSION"
            )
        if names.count(name) > 1:
            raise InvalidInput(f"two measures are called {name}")
    return tuple(measure_of(game, name, text) for name, text in study.measures)


class Preparing:
    """Makes the cells of a study of one game; `targets` says what each axis is. Raises RulesError, RulelangError."""

    def __init__(self, study: Study, folder: Path) -> None:
        from rulelang import api

        self.study, self.folder = study, folder
        self.base = api.load(study.game)
        self._bases = {study.game: self.base}
        self.targets: Mapping[str, Target] = {axis.name: target_of(self.base, axis) for axis in study.axes}
        measures(self.base, study)

    def variant_of(self, cell: StudyCell) -> str:
        """Returns the text of the variant of a cell; "" if it needs none."""
        by_name = {axis.name: axis for axis in self.study.axes}
        try:
            game = self._base(cell)
            told = [operation(by_name[name], self.targets[name], value, game) for name, value in cell.parameters]
        except (InvalidInput, RulesError) as error:
            raise InvalidInput(f"the cell {cell.label} is not a valid game: {error}") from None
        lines = [line for operation in told if operation is not None for line in operation.split("\n")]
        return self._variant(cell, lines) if lines else ""

    def _variant(self, cell: StudyCell, lines: list[str]) -> str:
        title = cell.label.replace('"', "'").replace("{", "(").replace("}", ")")
        base = self._base(cell)
        of = base.variants or [base.id]
        return "\n".join([f'variant cell of {of[-1]} "{title}":', *(f"  {line}" for line in lines), ""])

    def _base(self, cell: StudyCell) -> Game:
        """Returns the game that a cell changes: the study's or the one that is swept, with the variants of the cell."""
        from rulelang import api

        name = self.name(cell, None)
        if name not in self._bases:
            self._bases[name] = api.load(name)
        return self._bases[name]

    def _variants(self, cell: StudyCell) -> list[str]:
        """Returns the variants of the game that a cell switches on."""
        return [name for name, value in cell.parameters if self.targets[name] == "variant" and value == "yes"]

    def name(self, cell: StudyCell, path: Path | None) -> str:
        """Returns the name of the game of a cell whose variant lies at a path; None if it has none."""
        parts = [dict(cell.parameters).get("game", self.study.game), *self._variants(cell)]
        return "+".join(parts if path is None else [*parts, _quoted(path), "cell"])

    def prepared(self, cell: StudyCell, path: Path | None) -> ReadyCell:
        """Returns a cell whose game has been checked and begun; raises InvalidInput, which names the cell."""
        from rulelang import api

        given = dict(cell.parameters)
        options = dict(self.study.options)
        options |= {name: given[name] for name in given if self.targets[name] == "option"}
        name = self.name(cell, path)
        try:
            game = api.load(name)
            low = game.players[0]
            players = int(given["players"]) if "players" in given else self.study.players or low
            study = self.study.at(cell, players)
            own = _checked((*study.bots, study.values_by))
            if len(study.bots) > players and not study.is_random:
                raise InvalidInput(_too_many(study.bots, players))
            if measured(study.values_by).redeals != "known":
                raise InvalidInput(f"{study.values_by} replays a match, and values are of positions without a past")
            begun(game, players, options)
        except RulesError as error:
            first = next((fault for fault in error.diagnostics if fault.is_error), error.diagnostics[0])
            if first.code == SAME:
                raise
            raise InvalidInput(f"the cell {cell.label} is not a valid game: {first.message} [{first.code}]") from None
        except (RulelangError, ValueError) as error:
            raise InvalidInput(f"the cell {cell.label} cannot be played: {error}") from None
        return ReadyCell(cell, name, players, tuple(options.items()), game.rules_hash, tuple(own.items()))


TRIED = 20
"""The seeds with which a game is begun before it is said that its set-up always fails."""


def begun(game: Game, players: int, options: Mapping[str, str]) -> Match:
    """Returns a match that has begun, of the first seed on which the set-up does not fail; raises RulelangError."""
    for seed in range(TRIED - 1):
        with suppress(RuntimeRules):
            return game.start(players, seed, options, traced=False)
    return game.start(players, TRIED - 1, options, traced=False)


def _checked(bots: Sequence[str]) -> dict[str, str]:
    """Returns the digests of those bots of a cell that come from files; raises InvalidInput for one that is none."""
    for bot in dict.fromkeys(bots):
        try:
            measured(bot)
        except KeyError:
            raise InvalidInput(f"there is no bot: {bot!r}") from None
    return digests(bots)


def _too_many(bots: Sequence[str], players: int) -> str:
    """Returns the refusal of more bots than seats, with a way to let each of them play."""
    seats = "1 seat" if players == 1 else f"{players} seats"
    told = "/".join(bots[:players]), "/".join([*bots[: players - 1], bots[players]])
    return f"{len(bots)} bots cannot sit on {seats}; let them meet in several cells: bots={','.join(told)}"


def _quoted(path: Path | str) -> str:
    return f'"{path}"' if "+" in str(path) else str(path)


def without_idle(text: str, error: RulesError) -> str:
    """Returns the text of a cell's variant without the lines that change nothing; "" if no line is left."""
    lines = text.split("\n")
    idle = {
        fault.span.source.text.count("\n", 0, fault.span.start) for fault in error.diagnostics if fault.code == SAME
    }
    left = [line for at, line in enumerate(lines) if at not in idle]
    return "\n".join(left) if len([line for line in left if line.strip()]) > 1 else ""
