"""The folder in which the logs of finished games are kept: the newest of them, and how each ended.

keep(table, folder)       writes the table's log there, and removes the oldest of more than MOST_KEPT
finished(folder)          (FinishedGame(path, "outspeed", ("sprint",), "Blue wins"), …), the newest first
"""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import attrs

from rulelang.session.table import GameTable

MOST_KEPT = 100
"""The most finished games in the folder."""
_LAST = 20_000
"""The last bytes of a log, in which its ending stands."""


@attrs.frozen
class FinishedGame:
    """A log in the folder, with what its first and last lines say; `winners` are seats as the rules write them."""

    path: Path
    game: str
    people: tuple[str, ...] = ()
    end: str = ""
    winners: tuple[str, ...] = ()
    score: int | None = None

    @property
    def said(self) -> str:
        """The ending of the game, in words."""
        match self.end:
            case "winner" | "ranking":
                return f"won by {', '.join(self.winners)}" if self.winners else "nobody won"
            case "score":
                return f"a score of {self.score}"
            case "lost" | "undecided":
                return self.end
            case _:  # a log that does not end says no ending
                return "not finished"


def keep(table: GameTable, folder: Path) -> Path:
    """Makes sure that a game is on the disk; returns its log, else a new file in a folder that holds MOST_KEPT at most.

    Raises OSError, LogError.
    """
    path = table.keep(folder)
    for old in _newest(folder)[MOST_KEPT:]:
        # Another process may have removed it.
        with contextlib.suppress(FileNotFoundError):
            old.unlink()
    return path


def finished(folder: Path) -> tuple[FinishedGame, ...]:
    """Returns the games in a folder, the newest first; files that are no logs are left out."""
    found = (_read(path) for path in _newest(folder))
    return tuple(one for one in found if one is not None)


def _newest(folder: Path) -> list[Path]:
    """Returns the logs of a folder, the newest first."""
    times = []
    for path in folder.glob("*.jsonl"):
        with contextlib.suppress(OSError):
            times.append((path.stat().st_mtime_ns, path.name, path))
    return [path for _, _, path in sorted(times, reverse=True)]


def _read(path: Path) -> FinishedGame | None:
    try:
        with path.open("rb") as file:
            head = json.loads(file.readline())
            file.seek(max(path.stat().st_size - _LAST, 0))
            last = json.loads(file.read().rstrip().rpartition(b"\n")[2] or b"{}")
        game = "+".join((head["game"], *head["variants"]))
        people = tuple(seat for seat in head["players"] if seat not in head.get("bots", {}))
        return FinishedGame(
            path,
            game,
            people,
            str(last.get("end", "")),
            tuple(map(str, last.get("winners", ()))),
            next(iter(last.get("scores", ())), None),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
