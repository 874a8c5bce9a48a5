"""All boards of a game -> their spaces, and then their tables: edges and corners behind the boards that have them.

entered = enter_boards(world, module)        spaces, before the things on which they may be printed
declare_boards(world, entered)               columns and tables, after these
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rulelang.semantics.declarations.boards.board import declare_board, enter_spaces
from rulelang.semantics.declarations.boards.borders import enter_borders, join_borders
from rulelang.semantics.declarations.boards.edges import SORTS
from rulelang.semantics.declarations.boards.shapes import BoardTables
from rulelang.semantics.names.scope import World
from rulelang.syntax import nodes


@attrs.frozen
class Entered:
    """A board whose spaces are entered: its declaration, and its maps outside of that."""

    node: nodes.BoardDeclaration
    drawings: tuple[nodes.DrawingDeclaration, ...]
    board: BoardTables


def enter_boards(world: World, module: nodes.ModuleNode) -> list[Entered]:
    """Enters the spaces of all boards; reports a board that has none, and leaves it out."""
    declared = [node for node in module.declarations if isinstance(node, nodes.BoardDeclaration)]
    maps = [node for node in module.declarations if isinstance(node, nodes.DrawingDeclaration)]
    known: dict[str, BoardTables | None] = {}
    found = []
    for node in sorted(declared, key=lambda node: node.of is not None):
        drawings = tuple(one for one in maps if one.board == node.name)
        if node.of is not None or node.shape.text in SORTS:
            board = enter_borders(world, node, known)
            for drawing in drawings:
                message = f"the {node.shape.text} of a board are drawn with it, and have no map of their own"
                world.sink.report("E0314", message, drawing.span)
        else:
            board = enter_spaces(world, node, drawings)
        known.setdefault(node.name.text, board)
        if board is not None:
            found.append(Entered(node, drawings, board))
    return found


def declare_boards(world: World, entered: Sequence[Entered]) -> None:
    """Enters the columns and tables of boards whose spaces are entered."""
    for one in entered:
        declare_board(world, one.node, one.board, one.drawings)
    for one in entered:
        if one.board.of is not None:
            join_borders(world, one.board, [other.board for other in entered], one.node.name.span)
