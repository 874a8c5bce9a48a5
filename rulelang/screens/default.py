"""A game's declarations -> its screen, for games that have no `screen:` block.

Boards become maps with the contents of each space, the game's own state becomes numbers and rows of cards, and each
player becomes a row of a table, all as the seat may read them. Parts that are empty, 0 or none everywhere are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest

import attrs

from rulelang.ir import model as ir
from rulelang.ir.numbers import Seat, seats_of
from rulelang.ir.types import NONE, PLAYER, FlagType, IntType, Type, size_of
from rulelang.knowledge.phrase import named, spliced
from rulelang.knowledge.redaction import back, cell_name, name_of, said_cell, said_seat, zone_name
from rulelang.knowledge.visibility import is_inner
from rulelang.program.layout import index_at
from rulelang.program.values import clean, plain
from rulelang.screens.build import NOTHING, ScreenBuilder
from rulelang.screens.looks import signs_in
from rulelang.screens.model import Cards, Grid, Map, Numbers, Part, ScreenCell, Words

BOX = "box"
GROUND = "."
"""The mark of a plain space, which what lies there takes the place of."""
PLACES = ("row", "column")
"""The attributes that every space has, and its name says."""
MOST_COLUMNS = 9
"""The most columns of a table of the players; a wider one is cut into several."""
MOST_ENTRIES = 40
"""The most values of one array that are shown."""


def sketch(drawing: ScreenBuilder) -> Iterator[Part]:
    """Yields the screen of a game without a `screen:` block."""
    for board in drawing.game.boards:
        if drawing.is_played_on(board) and board.of is None:
            own = (_map(drawing, other) for other in drawing.game.boards if other.of == board.kind)
            yield attrs.evolve(_map(drawing, board), borders=tuple(cell for one in own for cell in one.cells))
            yield from _signs(drawing.game, board)
    boards = {drawing.game.kinds[board.kind].name for board in drawing.game.boards}
    yield from _numbers(drawing, boards)
    yield from _heaps(drawing, boards)
    yield from _players(drawing)


# ------------------------------------------------------------------ boards


def _map(drawing: ScreenBuilder, board: ir.BoardShape) -> Map:
    # A board that is drawn in colours, or with signs of its own, shows what is printed by them.
    texts, marked = {}, not board.looks and any(_signs(drawing.game, board))
    for space in range(drawing.game.kinds[board.kind].size):
        standing = spliced([text for text in _on(drawing, board, space) if text not in NOTHING], ", ")
        mark = board.marks[space]
        # A mark that says what is printed there stays, unless the pieces on it have signs of their own.
        is_told = standing and marked and mark != GROUND and not signs_in(standing, drawing.game)
        texts[space] = spliced((mark, standing), " ") if is_told else standing or mark
    return drawing.map_of(board, texts)


def _signs(game: ir.GameRules, board: ir.BoardShape) -> Iterator[Words]:
    """Yields the meaning of a map's marks, if it has several: `~: pond   .: grass`."""
    kind, said = game.kinds[board.kind], dict[str, str]()
    for space, mark in enumerate(board.marks):
        printed = ((name, game.tables[table].values[space], type) for name, table, type in kind.columns)
        words = [_printed(game, *one) for one in printed if one[0] not in PLACES]
        said.setdefault(mark, spliced([word for word in words if word], ", "))
    if len(said) > 1 and any(said.values()):
        yield Words(spliced([spliced((mark, ": ", words)) for mark, words in said.items() if words], "   "))


def _printed(game: ir.GameRules, name: str, value: int, type: Type) -> str:
    """Returns the words for a printed attribute: `pond`, `harbour` for a flag, `depth 3`; "" for none."""
    if value == NONE or isinstance(type, FlagType):
        return plain(name) if value == 1 else ""
    said = name_of(value, type, game)
    return spliced((plain(name), " ", said)) if isinstance(type, IntType) else said


def _on(drawing: ScreenBuilder, board: ir.BoardShape, space: int) -> Iterator[str]:
    """Yields the visible contents of a space: the players there, its variables, the things there."""
    game, kind = drawing.game, drawing.game.kinds[board.kind]
    for state in _states(drawing):
        type = state.type
        if state.owner == PLAYER and len(state.dimensions) == 1 and getattr(type, "name", "") == kind.name:
            for seat in seats_of(drawing.match.players):
                if drawing.value(ir.Read(state.id, (ir.Const(seat),))) == space:
                    yield said_seat(game, seat)
        elif state.owner == kind.name:
            for at in _instances(state.dimensions, space):
                text, keys = _cell(drawing, state, at), _keys(cell_name(game, state, at))
                said = _name(state) if text == "yes" else text
                parts = (said, keys) if text == "yes" else (keys, said)
                yield spliced([part for part in parts if part], " ") if text not in NOTHING else text
    for zone in game.zones:
        if zone.owner == kind.name:
            for instance in _instances(zone.dimensions, space):
                yield _keyed_heap(drawing, zone, instance)


# ------------------------------------------------------------------ the state of the game


def _numbers(drawing: ScreenBuilder, boards: set[str]) -> Iterator[Numbers]:
    alone: list[ScreenCell] = []
    arrays: list[Numbers] = []
    for state in _states(drawing):
        if state.owner in (PLAYER, *boards):
            continue
        if not state.dimensions:
            alone.append(ScreenCell(_name(state), _cell(drawing, state, 0)))
            continue
        cells = [
            ScreenCell(_cell_name(drawing.game, state, at), _cell(drawing, state, at)) for at in _all(state.dimensions)
        ]
        telling = tuple(cell for cell in cells if cell.text not in NOTHING)[:MOST_ENTRIES]
        if telling:
            arrays.append(Numbers(telling))
    if alone:
        yield Numbers(tuple(alone))
    yield from arrays


def _heaps(drawing: ScreenBuilder, boards: set[str]) -> Iterator[Cards]:
    for zone in drawing.game.zones:
        if zone.owner in (PLAYER, *boards) or zone.name == BOX:
            continue
        for instance in _all(zone.dimensions):
            cards = drawing.cards_of(zone, instance)
            if cards.cards or not zone.dimensions:
                yield cards


# ------------------------------------------------------------------ the players


def _players(drawing: ScreenBuilder) -> Iterator[Part]:
    game, seats = drawing.game, seats_of(drawing.match.players)
    columns: list[tuple[str, list[str]]] = []
    for state in _states(drawing):
        if state.owner == PLAYER:
            columns.append((_name(state), [_own(drawing, state, seat) for seat in seats]))
    for zone in game.zones:
        if zone.owner == PLAYER:
            texts = [
                spliced((t for i in _instances(zone.dimensions, seat) if (t := _keyed_heap(drawing, zone, i))), ", ")
                for seat in seats
            ]
            columns.append((clean(zone.called) or plain(zone.name), texts))
    for start in range(0, len(columns), MOST_COLUMNS):
        some = columns[start : start + MOST_COLUMNS]
        rows = tuple((said_seat(game, seat), *(texts[seat] for _, texts in some)) for seat in seats)
        yield Grid("", ("", *(name for name, _ in some)), rows)


def _own(drawing: ScreenBuilder, state: ir.StateVariable, seat: Seat) -> str:
    """Returns the text of a player's variable; for an array, its values that are not empty: `metal 2, ore 1`."""
    if len(state.dimensions) == 1:
        return _cell(drawing, state, seat)
    parts = []
    for at in _instances(state.dimensions, seat):
        text = _cell(drawing, state, at)
        if text not in NOTHING:
            name = _keys(cell_name(drawing.game, state, at))
            parts.append(name if text == "yes" else f"{name} {text}")
    return ", ".join(parts)


# ------------------------------------------------------------------ cells and heaps


def _states(drawing: ScreenBuilder) -> Iterator[ir.StateVariable]:
    """Yields the variables that the game's own text declares and whose changes are told, and clocks."""
    clocks = {clock.state for clock in drawing.game.clocks}
    for state in drawing.game.states:
        is_hidden = state.scratch or (state.untold and state.id not in clocks)
        if not (is_hidden or state.builtin or state.option or is_inner(drawing.game, state.id)):
            yield state


def _name(state: ir.StateVariable) -> str:
    """Returns the name of a variable for people."""
    return clean(state.called) or plain(state.name)


def _cell_name(game: ir.GameRules, state: ir.StateVariable, at: int) -> str:
    """Returns the name of one value of an array: `price of wool` where the rules name it for people, else `price(wool)`."""
    return said_cell(game, state, at) if state.called else cell_name(game, state, at)


def _cell(drawing: ScreenBuilder, state: ir.StateVariable, at: int) -> str:
    index = tuple(ir.Const(value) for value, _ in index_at(state.dimensions, at))
    return drawing.worded(ir.Read(state.id, index), state.type)


def _heap_text(drawing: ScreenBuilder, zone: ir.Zone, instance: int) -> str:
    """Returns the contents of a zone on one line: `nitro, 2 bonus tokens`, `2 cards, a card (colour: red)`."""
    heap = drawing.heaps[zone_name(drawing.game, zone, instance)]
    known = [name for name in heap.things if name is not None]
    backs = Counter(hint for hint, name in zip_longest(heap.hints, heap.things, fillvalue="") if name is None)
    kind = drawing.game.kinds[zone.kind]
    one, many = back(kind)
    said = [
        spliced(
            (
                named(one if count == 1 else f"{count} {many}", "back", (kind.name, NONE), count),
                f" ({hint})" if hint else "",
            )
        )
        for hint, count in sorted(backs.items())
    ]
    return spliced([*known, *said], ", ")


def _keyed_heap(drawing: ScreenBuilder, zone: ir.Zone, instance: int) -> str:
    """Returns the contents of a zone behind its keys, if it has any beside its owner: `1: nitro`; "" for an empty one."""
    text = _heap_text(drawing, zone, instance)
    keys = _keys(zone_name(drawing.game, zone, instance))
    return spliced((keys, ": ", text)) if text and keys else text


def _keys(name: str) -> str:
    """Returns the keys in a written name: `east` of `a1.road(east)`."""
    return name.partition("(")[2].removesuffix(")")


def _all(dimensions: tuple[Type, ...]) -> range:
    width = 1
    for type in dimensions:
        width *= size_of(type)
    return range(width)


def _instances(dimensions: tuple[Type, ...], owner: int) -> range:
    """Returns the positions that belong to one owner, who is the first dimension."""
    width = len(_all(dimensions[1:]))
    return range(owner * width, (owner + 1) * width)
