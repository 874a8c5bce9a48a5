"""The tables of a cell on disk -> arrays by column, as figures take them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import attrs

from rulelang.studies.playing import TABLES

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rulelang.studies.storage import Folder
    from rulelang.studies.study import Study

ArrayColumns = Mapping[str, "NDArray[Any]"]


@attrs.frozen(eq=False)
class CellTables:
    """The tables of one cell as arrays by column; one that has no rows is empty."""

    seats: tuple[str, ...]
    tables: Mapping[str, ArrayColumns]
    measures: tuple[str, ...] = ()
    targets: Mapping[str, float] = attrs.field(factory=dict)
    """The lengths that the study wants, by their names."""
    caps: Mapping[str, float] = attrs.field(factory=dict)
    """The lengths above which games are counted."""

    @property
    def games(self) -> ArrayColumns:
        """The table of games."""
        return self.tables["games"]

    def of(self, name: str) -> ArrayColumns:
        """Returns a table by its name; {} if it has no rows."""
        return self.tables.get(name, {})

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.seats)

    def by_game(self, column: str) -> NDArray[Any]:
        """Returns a column of the games with one entry a game, which all its seats share."""
        return self.games[column][:: self.players]

    def by_seat(self, column: str) -> NDArray[Any]:
        """Returns a column of the games as a matrix: a row a game, a column a seat."""
        return self.games[column].reshape(-1, self.players)

    @property
    def blocks(self) -> NDArray[np.int64]:
        """The block of each game."""
        return self.by_game("block")

    def blocks_of(self, games: NDArray[Any]) -> NDArray[np.int64]:
        """Returns the blocks of some games, given by their numbers."""
        import numpy as np

        return self.blocks[np.searchsorted(self.by_game("game"), games)]


def tables_of(
    folder: Folder, cell: int, seats: tuple[str, ...], study: Study | None = None, names: Iterable[str] = TABLES
) -> CellTables | None:
    """Returns the tables of a cell, or some of them, as far as they are there, with what the study measures and wants; None if no
    game is."""
    import numpy as np

    found: dict[str, ArrayColumns] = {}
    for name in names:
        table = folder.table(name, cell)
        found[name] = {} if table is None else {n: _array(table[n]) for n in table.column_names}
    if not (games := found["games"]):
        return None
    for name, rows in found.items():
        # The games of a chunk are written last.
        there = np.isin(rows["game"], games["game"]) if rows else np.array([True])
        if not there.all():
            found[name] = {column: values[there] for column, values in rows.items()} if there.any() else {}
    if study is None:
        return CellTables(seats, found)
    return CellTables(seats, found, tuple(dict(study.measures)), dict(study.targets), dict(study.caps))


def _array(column: Any) -> NDArray[Any]:
    """Returns a column of Arrow as an array; words are looked up once each."""
    import numpy as np

    if not hasattr(column.type, "value_type"):
        found: NDArray[Any] = column.to_numpy()
        return found
    whole = column.combine_chunks()
    words = np.array(whole.dictionary.to_pylist(), dtype=object)
    return words[whole.indices.to_numpy()] if len(words) else np.array([], dtype=object)
