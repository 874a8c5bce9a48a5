"""A game of small words -> the code that plays it, once that is worth printing.

plain = PlainPlay(game, layout, control, shelf)
plain.after(400)      # None at first: 400 more answers are to be played; later PlainCode
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs

from rulelang.errors import Unsupported
from rulelang.ir.model import GameRules, Pick, Simultaneous
from rulelang.ir.numbers import Row
from rulelang.ir.walk import walk
from rulelang.program.python.loadable import Loadable, Shelf, pieces
from rulelang.program.python.support import names

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
KEPT = "playouts"
"""The name of the code on a shelf."""


@attrs.frozen
class PlainCode:
    """Functions of the row and the memory, a list: they raise Trap where the row is spoilt and a step is left to others.

    play_on     plays random answers; it makes its own memory
    options     by question: lists the options of a seat
    answers     by question and branch: carries out an answer; returns the next block, or -1
    blocks      by block, as `answers`
    looked      by question: whether its options were listed before it was asked, and left in the memory
    is_stepped  whether single steps gain by it
    """

    play_on: PlayOn
    options: tuple[Callable[[Row, list[Any], int], list[tuple[int, ...]]], ...]
    answers: tuple[tuple[Callable[[Row, list[Any]], int], ...], ...]
    blocks: tuple[Callable[[Row, list[Any]], int], ...]
    looked: tuple[bool, ...]
    is_stepped: bool


class PlainPlay:
    """The code of a game of small words."""

    def __init__(self, game: GameRules, layout: Layout, control: Control, shelf: Shelf | None) -> None:
        self._game, self._layout, self._control, self._shelf = game, layout, control, shelf
        self._answers = 0
        self.code: PlainCode | None = None
        """The code, where it is printed already."""
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

    def after(self, answers: int) -> PlainCode | None:
        """Returns the code; None as long as too few answers are played, and for a game that it does not suit."""
        if self._is_settled:
            return self.code
        if not self._is_looked_up:
            self._is_looked_up = True
            self.code = self._kept()
            self._is_settled = self.code is not None or not _is_plain(self._game)
        self._answers += answers
        return self.code if self._answers < WORTH_PRINTING else self.prepare()

    def prepare(self) -> PlainCode | None:
        """Prints the code, however few answers are played; returns it, None for a game that it does not suit."""
        if not self._is_settled:
            self.code = self._kept() or self._printed()
            self._is_settled = True
        return self.code

    def _kept(self) -> PlainCode | None:
        data = None if self._shelf is None else self._shelf.read(KEPT)
        kept = None if data is None else Loadable.from_bytes(data)
        return None if kept is None else self._loaded(kept)

    def _printed(self) -> PlainCode | None:
        text = self.text()
        if text is None:
            return None
        made = Loadable(text, {}, tuple(pieces(text, "playouts")))
        if self._shelf is not None:
            self._shelf.write(KEPT, made.to_bytes())
        return self._loaded(made)

    def _loaded(self, made: Loadable) -> PlainCode:
        found = names()
        for piece in made.code:
            exec(piece, found)
        return PlainCode(
            found["play_on"], found["OPTIONS"], found["ANSWERS"], found["BLOCKS"], found["LOOKED"], self._gains()
        )

    def _gains(self) -> bool:
        """Returns whether single steps gain: no sets are to be chosen, which may be very many, and no answers are sealed."""
        return not any(choice.has_sets or choice.sealed for choice in self._game.choices)


def _is_plain(game: GameRules) -> bool:
    """Returns whether a game has nothing that is printed badly: piles, picks, moves at once."""
    if any(zone.form == "pile" for zone in game.zones):
        return False
    return not any(isinstance(node, Simultaneous | Pick) for node in walk((game.procedures, game.choices, game.values)))
