"""A game -> the function that plays random answers on its row, once that is worth printing.

play = RandomPlay(game, layout, control, shelf)
play.after(400)      # None at first: 400 more answers are to be played; later a function
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, TypeAlias

from rulelang.errors import Unsupported
from rulelang.ir.model import GameRules, Pick, Simultaneous
from rulelang.ir.numbers import Row
from rulelang.ir.types import NONE
from rulelang.ir.walk import walk
from rulelang.program.python.loadable import Loadable, Shelf, pieces

if TYPE_CHECKING:
    from rulelang.program.control import Control
    from rulelang.program.layout import Layout

Draw: TypeAlias = Callable[[Row, int], int]
"""Returns the next 64 bits of a random stream, and counts the draw in the row."""
PlayOn: TypeAlias = Callable[[Row, int, int, Draw], tuple[int, int, int]]
"""Plays at most so many answers, drawn from an rng; returns their number, the rng behind them, and what stopped
it (`stops`)."""
WORTH_PRINTING = 10_000
"""The number of answers that are played before the function is printed, which takes about as long."""
MOST_OPTIONS = 4_096
"""The most options that are listed."""
KEPT = "playouts"
"""The name of the code on a shelf."""


class Trap(Exception):
    """A step is left to another executor."""


class PlayoutOver(Exception):
    """The game is over."""


class RandomPlay:
    """The function that plays random answers."""

    def __init__(self, game: GameRules, layout: Layout, control: Control, shelf: Shelf | None) -> None:
        self._game, self._layout, self._control, self._shelf = game, layout, control, shelf
        self._answers = 0
        self._play: PlayOn | None = None
        self._is_looked_up = self._is_settled = False

    def text(self) -> str | None:
        """Returns the text of the module; None if the game is played in another way."""
        # The passes are slow to import, and not needed when the shelf has the code.
        from rulelang.program.low import lower
        from rulelang.program.low.passes.playouts import for_playouts, is_plain
        from rulelang.program.python.playouts import print_playouts

        if not _is_plain(self._game):
            return None
        try:
            program = lower(self._game, self._layout, self._control)
        except Unsupported:
            return None
        return print_playouts(for_playouts(program)) if is_plain(program) else None

    def after(self, answers: int) -> PlayOn | None:
        """Returns the function; None as long as too few answers are played, and for a game that it does not suit."""
        if self._is_settled:
            return self._play
        if not self._is_looked_up:
            self._is_looked_up = True
            self._play = self._kept()
            self._is_settled = self._play is not None or not _is_plain(self._game)
        self._answers += answers
        return self._play if self._answers < WORTH_PRINTING else self.prepare()

    def prepare(self) -> PlayOn | None:
        """Prints the function, however few answers are played; returns it, None for a game that it does not suit."""
        if not self._is_settled:
            self._play = self._kept() or self._printed()
            self._is_settled = True
        return self._play

    def _kept(self) -> PlayOn | None:
        data = None if self._shelf is None else self._shelf.read(KEPT)
        kept = None if data is None else Loadable.from_bytes(data)
        return None if kept is None else _loaded(kept)

    def _printed(self) -> PlayOn | None:
        text = self.text()
        if text is None:
            return None
        file = f"<playouts {blake2b(text.encode(), digest_size=8).hexdigest()}>"
        made = Loadable(text, (), tuple(pieces(text, file)))
        if self._shelf is not None:
            self._shelf.write(KEPT, made.to_bytes())
        return _loaded(made)


def _is_plain(game: GameRules) -> bool:
    """Returns whether a game has nothing that is printed badly: piles, picks, moves at once."""
    if any(zone.form == "pile" for zone in game.zones):
        return False
    return not any(isinstance(node, Simultaneous | Pick) for node in walk((game.procedures, game.choices, game.values)))


def _loaded(made: Loadable) -> PlayOn:
    names: dict[str, Any] = {"NONE": NONE, "Trap": Trap, "PlayoutOver": PlayoutOver, "MOST": MOST_OPTIONS}
    for piece in made.code:
        exec(piece, names)
    play: PlayOn = names["play_on"]
    return play
