"""Removes rows of data whose key is a thing that a variant removes.

    in Pilot if name == ann: copies = 0        data pay(c):  | ann        | 2 |
                                                             | {ann, bob} | 3 |        | bob | 3 |

Only keys are considered: a cell with that thing as its value stays, and is a fault, and so is a rule that names it.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from rulelang.syntax import nodes
from rulelang.variants.printed import CellWords, NotPrinted, printed


def without_orphans(
    before: tuple[nodes.Declaration, ...], after: tuple[nodes.Declaration, ...]
) -> tuple[nodes.Declaration, ...]:
    """Returns a patched game's declarations without the rows and parts of keys whose things a variant has removed.

    `before` are the declarations of the game without variants, `after` those of the patched game.
    """
    names_after = _things(after)
    gone = {kind: names - names_after[kind] for kind, names in _things(before).items() if kind in names_after}
    if not any(gone.values()):
        return after
    types = {
        name.text: type
        for d in after
        if isinstance(d, nodes.NamesDeclaration)
        for names, type in d.groups
        for name in names
    }
    return tuple(_kept(d, gone, types) if isinstance(d, nodes.DataDeclaration) else d for d in after)


def _things(declarations: tuple[nodes.Declaration, ...]) -> dict[str, frozenset[str]]:
    """Returns, for each kind, the names of the things that have at least one copy."""
    words = CellWords.of(list(declarations))
    return {d.name.text: _named(d, words) for d in declarations if isinstance(d, nodes.KindDeclaration)}


def _named(kind: nodes.KindDeclaration, words: CellWords) -> frozenset[str]:
    heads = (
        [cell.text if isinstance(cell, nodes.NameExpression) else "" for cell in kind.rows[0].cells]
        if kind.rows
        else []
    )
    if "name" not in heads:
        return frozenset()
    found = set()
    for row in kind.rows[1:]:
        cells = dict(zip(heads, row.cells, strict=False))
        name = cells.get("name")
        if isinstance(name, nodes.NameExpression) and not _is_zero(cells.get("copies"), words):
            found.add(name.text)
    return frozenset(found)


def _is_zero(copies: nodes.Expression | nodes.TextNode | None, words: CellWords) -> bool:
    if not isinstance(copies, nodes.Expression):
        return False
    try:
        return printed(copies, words, {}) == 0
    except NotPrinted:
        return False


def _kept(
    data: nodes.DataDeclaration, gone: Mapping[str, frozenset[str]], types: Mapping[str, nodes.TypeNode]
) -> nodes.DataDeclaration:
    heads = (
        [cell.text if isinstance(cell, nodes.NameExpression) else "" for cell in data.rows[0].cells]
        if data.rows
        else []
    )
    keys: dict[int, frozenset[str]] = {}
    for parameter in data.parameters:
        type = parameter.type or types.get(parameter.name.text)
        if isinstance(type, nodes.NamedTypeNode) and gone.get(type.name) and parameter.name.text in heads:
            keys[heads.index(parameter.name.text)] = gone[type.name]
    if not keys:
        return data
    rows = [left for row in data.rows[1:] if (left := _left(row, keys)) is not None]
    return attrs.evolve(data, rows=(data.rows[0], *rows))


def _left(row: nodes.RowNode, keys: Mapping[int, frozenset[str]]) -> nodes.RowNode | None:
    """Returns a row without these names in its keys; None if a key has no other member."""
    cells = list(row.cells)
    for at, names in keys.items():
        match cells[at] if at < len(cells) else None:
            case nodes.NameExpression(text) if text in names:
                return None
            case nodes.SetDisplayExpression(items) as written:
                left = tuple(i for i in items if not (isinstance(i, nodes.NameExpression) and i.text in names))
                if items and not left:
                    return None
                cells[at] = attrs.evolve(written, items=left)
            case _:  # any other cell names nothing that is gone
                pass
    return attrs.evolve(row, cells=tuple(cells))
