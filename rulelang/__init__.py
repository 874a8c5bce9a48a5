"""A small language in which a board game's rulebook is written down so that it runs.

    >>> import rulelang
    >>> match = rulelang.load("outspeed").start(players=4, seed=7)
    >>> match.to_move
    (0, 1, 2, 3)

The names below are looked up when they are first used: a compiled game runs without the parser.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rulelang.driver.collector import held_back
from rulelang.version import VERSION

if TYPE_CHECKING:
    from rulelang.api import Checked, Game, Match, NoSuchGame, check, check_text, games, load, replay
    from rulelang.diagnostics.model import Diagnostic
    from rulelang.errors import (
        IllegalOption,
        InvalidInput,
        LogError,
        NoOption,
        RangeViolation,
        ReplayMismatch,
        RulelangError,
        RulesError,
        RunawayRules,
        UnknownOption,
    )
    from rulelang.log.format import Log
    from rulelang.log.replay import Replay
    from rulelang.match.chance_outcomes import Possible
    from rulelang.match.options.explain import Reason
    from rulelang.match.options.option import Option
    from rulelang.match.recording.events import Event, Outcome
    from rulelang.match.view import View
    from rulelang.workspace.workspace import Workspace

__version__ = VERSION

_HOMES = {
    "rulelang.api": ("Checked", "Game", "Match", "NoSuchGame", "check", "check_text", "games", "load", "replay"),
    "rulelang.diagnostics.model": ("Diagnostic",),
    "rulelang.errors": (
        "IllegalOption", "InvalidInput", "LogError", "NoOption", "RangeViolation", "ReplayMismatch", "RulelangError", "RulesError",
        "RunawayRules", "UnknownOption",
    ),
    "rulelang.log.format": ("Log",),
    "rulelang.log.replay": ("Replay",),
    "rulelang.match.options.explain": ("Reason",),
    "rulelang.match.options.option": ("Option",),
    "rulelang.match.chance_outcomes": ("Possible",),
    "rulelang.match.recording.events": ("Event", "Outcome"),
    "rulelang.match.view": ("View",),
    "rulelang.workspace.workspace": ("Workspace",),
}  # fmt: skip
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Checked",
    "Diagnostic",
    "Event",
    "Game",
    "IllegalOption",
    "InvalidInput",
    "Log",
    "LogError",
    "Match",
    "NoOption",
    "NoSuchGame",
    "Option",
    "Outcome",
    "Possible",
    "RangeViolation",
    "Reason",
    "Replay",
    "ReplayMismatch",
    "RulelangError",
    "RulesError",
    "RunawayRules",
    "UnknownOption",
    "View",
    "Workspace",
    "check",
    "check_text",
    "games",
    "load",
    "replay",
]


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        with held_back():
            return getattr(import_module(_HOME_OF[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
