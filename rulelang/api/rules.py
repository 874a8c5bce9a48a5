"""The rules that a match is played by, as the files of this room need them: an `api.Game`.

rules.ir, rules.layout, rules.world        the IR, its slots, the declarations
"""

from __future__ import annotations

from typing import Protocol

from rulelang.ir.model import GameRules
from rulelang.match.timeline import Fresh
from rulelang.program.layout import Layout
from rulelang.semantics.names.scope import World


class PlayedRules(Protocol):
    """The rules that a match is played by, and that positions are read and written by."""

    @property
    def id(self) -> str: ...
    @property
    def variants(self) -> tuple[str, ...]: ...
    @property
    def ir(self) -> GameRules: ...
    @property
    def layout(self) -> Layout: ...
    @property
    def world(self) -> World: ...
    @property
    def rules_hash(self) -> str: ...
    @property
    def text_hash(self) -> str: ...
    @property
    def format(self) -> int | None: ...

    def machine(self, executor: str) -> Fresh:
        """Returns a factory of machines."""
