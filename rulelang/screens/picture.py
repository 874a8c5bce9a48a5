"""A match and a seat -> the seat's screen, as values: for the terminal and for a page alike.


The lines of the game's `screen:` block, as the seat may read them:

    line "Turn {turn}"                        Words("Turn 3")
    map Space: "{mark(s)}"                    Map: one cell a space, row by row
    map Site: "{s.card}" doors s.card.doors    Map: a frame with doors for each space that shows something
    track z in 1..9: "{crew(z)}"              Track: a line of cells
    each Player: "{p}  fuel {p.fuel}"         List: a line for each
    cards p.tokens of viewer "Your tokens"    Cards: names, and backs for unknown cards
    table route(n, side, lane, viewer) by lane    Grid: a row for each lane

The screen of a game without the block is made from its declarations; see `screens.default`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.ir import model as ir
from rulelang.ir.walk import walk
from rulelang.match import inputs
from rulelang.screens.aim import progress
from rulelang.screens.build import ScreenBuilder
from rulelang.screens.default import sketch
from rulelang.screens.model import Part

if TYPE_CHECKING:
    from rulelang.match.match import BareMatch


def picture(match: BareMatch, seat: int | None) -> tuple[Part, ...]:
    """Returns the screen of a seat (None: of a spectator), from the top."""
    drawing = ScreenBuilder.of(match, inputs.viewer(seat, match.players))
    drawn = sketch(drawing) if not match.game.screen else (p for line in match.game.screen for p in drawing.line(line))
    return (*drawn, *progress(match, drawing))


def on_screen(game: ir.GameRules) -> frozenset[str]:
    """Returns the names of the variables on a game's screen: all, if it has no `screen:` block."""
    if not game.screen:
        clocks = {clock.state for clock in game.clocks}
        return frozenset(state.name for state in game.states if not state.untold or state.id in clocks)
    found: set[str] = set()
    nodes, seen = [*walk(game.screen)], set[int]()
    while nodes:
        node = nodes.pop()
        if isinstance(node, ir.Read):
            found.add(game.states[node.state].name)
        elif isinstance(node, ir.CallValue) and node.value not in seen:
            seen.add(node.value)
            nodes += walk(game.values[node.value])
    return frozenset(found)
