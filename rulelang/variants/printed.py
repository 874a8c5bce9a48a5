"""The values printed in a table's cells: an evaluator for just
enough of the language to tell rows apart before any check.

    | 7 | {flamethrower, forcefield} |      7, frozenset({"flamethrower", "forcefield"})
    power == nitro                          whether the word in the column `power` is nitro

A value is a number, a word (an enum's member, a thing, a space, a seat, a direction, yes, no, none) or a set of these.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeAlias

import attrs

from rulelang.source import Span
from rulelang.syntax import nodes

PrintedValue: TypeAlias = int | str | frozenset[int | str]
LARGEST_SET = 2000
MOST_SEATS = 16
DIRECTIONS = frozenset(
    ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest", "forward", "backward"]
)
_SPACE = re.compile(r"[A-Za-z]+\d+(_[a-z]+)?")
_WORD = re.compile(r"[a-z][a-z0-9_]*")
MOST_CONSTANTS = 20
"""The longest chain of constants that refer to each other; a longer one, or a cycle, counts as unknown."""


@attrs.define(eq=False)
class NotPrinted(Exception):
    """Part of an expression cannot be evaluated before the game; `unknown` is a name in it that means nothing, if any."""

    span: Span
    unknown: str | None = None


@attrs.frozen
class CellWords:
    """The constants and words that a game's cells may use."""

    constants: Mapping[str, nodes.Expression]
    enums: Mapping[str, tuple[str, ...]]
    things: frozenset[str]
    """Members of enums, names of things, spaces of graphs, seats, directions, and the words of the language."""
    owners: frozenset[str]
    """The enums, kinds, boards and `Player`: what may stand before the point in `Space.a1`."""
    has_maps: bool
    """Whether spaces are named by column and row, so that a word like `b7` may be one."""
    told: dict[str, PrintedValue] = attrs.field(factory=dict, eq=False, repr=False)
    """The values of constants computed so far."""

    @classmethod
    def of(cls, declarations: list[nodes.Declaration]) -> CellWords:
        """Gathers the words and constants of a game."""
        enums = {
            d.name.text: tuple(m.text for m in d.members) for d in declarations if isinstance(d, nodes.EnumDeclaration)
        }
        things = {"yes", "no", "none", *(member for members in enums.values() for member in members)}
        boards = {d.name.text: d for d in declarations if isinstance(d, nodes.BoardDeclaration)}
        for declaration in declarations:
            if isinstance(declaration, nodes.KindDeclaration | nodes.DataDeclaration | nodes.BoardDeclaration):
                things |= _members_of_fields(declaration) | _names_in_cells(declaration)
            elif isinstance(declaration, nodes.GameDeclaration):
                things |= _seats(declaration)
        for board in boards.values():
            own = [d.lines for d in declarations if isinstance(d, nodes.DrawingDeclaration) and d.board == board.name]
            things |= DIRECTIONS | _names_on_maps(board, [*own, *(map.lines for map in board.maps)])
        constants = {d.name.text: d.value for d in declarations if isinstance(d, nodes.ConstantDeclaration)}
        owners = {
            *enums,
            *boards,
            "Player",
            *(d.name.text for d in declarations if isinstance(d, nodes.KindDeclaration)),
        }
        has_maps = any(board.shape.text != "graph" for board in boards.values())
        return cls(constants, enums, frozenset(things), frozenset(owners), has_maps)

    def knows(self, text: str) -> bool:
        """Returns whether a word may be printed in a cell."""
        return text in self.things or (self.has_maps and _SPACE.fullmatch(text) is not None)


def _names_on_maps(board: nodes.BoardDeclaration, maps: list[tuple[str, ...]]) -> set[str]:
    """Returns the names of a graph's spaces: the first word of each line."""
    if board.shape.text != "graph":
        return set()
    return {word[0] for lines in maps for line in lines if (word := _WORD.match(line))}


def _seats(game: nodes.GameDeclaration) -> set[str]:
    named = {name.text for line in game.lines if line.what == "seats" for name in line.names}
    return named or {f"player{number}" for number in range(1, MOST_SEATS + 1)}


def _members_of_fields(node: nodes.KindDeclaration | nodes.DataDeclaration | nodes.BoardDeclaration) -> set[str]:
    types = [
        f.type.of if isinstance(f.type, nodes.OptionalTypeNode | nodes.SetTypeNode) else f.type for f in node.fields
    ]
    return {member.text for type in types if isinstance(type, nodes.EnumTypeNode) for member in type.members}


def _names_in_cells(node: nodes.KindDeclaration | nodes.DataDeclaration | nodes.BoardDeclaration) -> set[str]:
    """Returns the names in a kind's `name` column."""
    head = node.rows[0].cells if node.rows else ()
    columns = [i for i, cell in enumerate(head) if isinstance(cell, nodes.NameExpression) and cell.text == "name"]
    cells = [row.cells[i] for row in node.rows[1:] for i in columns if i < len(row.cells)]
    return {cell.text for cell in cells if isinstance(cell, nodes.NameExpression)}


def printed(
    node: nodes.Expression, words: CellWords, columns: Mapping[str, PrintedValue], depth: int = 0
) -> PrintedValue:
    """Returns the printed value of an expression; raises NotPrinted if it needs more than the printed cells."""

    def value(part: nodes.Expression) -> PrintedValue:
        return printed(part, words, columns, depth)

    match node:
        case nodes.NumberExpression(number):
            return number
        case nodes.NameExpression(text) if text in columns:
            return columns[text]
        case nodes.NameExpression(text) if text in words.constants:
            return _constant(text, node, words, depth)
        case nodes.NameExpression(text) if text in words.enums:
            return frozenset(words.enums[text])
        case nodes.NameExpression(text):
            if not words.knows(text):
                raise NotPrinted(node.span, text)
            return text
        case nodes.AttributeExpression(of=nodes.NameExpression(owner), name=name) if owner in words.owners:
            return name.text
        case nodes.CallExpression(function=nodes.NameExpression(owner)) if owner in words.owners:
            return " ".join(node.span.text.split())
        case nodes.RangeExpression(low, high):
            return _range(value(low), value(high), node)
        case nodes.SetDisplayExpression(items):
            return frozenset(_single(value(item), item) for item in items)
        case nodes.UnaryExpression("-", operand):
            return -_number(value(operand), operand)
        case nodes.UnaryExpression("not", operand):
            return _flag(not _truth(value(operand), operand))
        case nodes.ConditionalExpression(then, condition, otherwise):
            return value(then) if _truth(value(condition), condition) else value(otherwise)
        case nodes.BinaryExpression("and", left, right):
            return _flag(_truth(value(left), left) and _truth(value(right), right))
        case nodes.BinaryExpression("or", left, right):
            return _flag(_truth(value(left), left) or _truth(value(right), right))
        case nodes.BinaryExpression():
            return _binary(node, *_ranked(node, value(node.left), value(node.right), words))
        case _:  # any other expression cannot be printed
            raise NotPrinted(node.span)


def _constant(name: str, node: nodes.NameExpression, words: CellWords, depth: int) -> PrintedValue:
    if name not in words.told:
        if depth >= MOST_CONSTANTS:
            raise NotPrinted(node.span)
        words.told[name] = printed(words.constants[name], words, {}, depth + 1)
    return words.told[name]


def holds(node: nodes.Expression, words: CellWords, columns: Mapping[str, PrintedValue]) -> bool:
    """Returns whether a condition holds for the printed values of a row; raises NotPrinted if they do not decide it."""
    return _truth(printed(node, words, columns), node)


def _ranked(
    node: nodes.BinaryExpression, left: PrintedValue, right: PrintedValue, words: CellWords
) -> tuple[PrintedValue, PrintedValue]:
    """Returns the two sides of an ordering, members of one enum as their places in it."""
    both = [members for members in words.enums.values() if left in members and right in members]
    if len(both) != 1 or node.operator not in ("<", "<=", ">", ">="):
        return left, right
    return both[0].index(str(left)), both[0].index(str(right))


def _binary(node: nodes.BinaryExpression, left: PrintedValue, right: PrintedValue) -> PrintedValue:
    match node.operator:
        case "==":
            return _flag(left == right)
        case "!=":
            return _flag(left != right)
        case "in" | "not in":
            if not isinstance(right, frozenset) or isinstance(left, frozenset):
                raise NotPrinted(node.span)
            return _flag((left in right) == (node.operator == "in"))
        case "+" | "-" if isinstance(left, frozenset) and isinstance(right, frozenset):
            return left | right if node.operator == "+" else left - right
        case _:  # the other operators are of numbers
            pass
    a, b = _number(left, node.left), _number(right, node.right)
    match node.operator:
        case "<" | "<=" | ">" | ">=":
            return _flag({"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[node.operator])
        case "+" | "-" | "*":
            return {"+": a + b, "-": a - b, "*": a * b}[node.operator]
        case "%" if b:
            return a % b
        case "/" if b:
            return a // b if node.rounded == "down" else -(-a // b)
        case _:  # the other operators are not printed
            raise NotPrinted(node.span)


def _range(low: PrintedValue, high: PrintedValue, node: nodes.RangeExpression) -> PrintedValue:
    a, b = _number(low, node.low), _number(high, node.high)
    if b - a >= LARGEST_SET:
        raise NotPrinted(node.span)
    return frozenset(range(a, b + 1))


def _single(value: PrintedValue, node: nodes.Expression) -> int | str:
    if isinstance(value, frozenset):
        raise NotPrinted(node.span)
    return value


def _number(value: PrintedValue, node: nodes.Expression) -> int:
    if not isinstance(value, int) or abs(value) >= 2**31:
        raise NotPrinted(node.span)
    return value


def _truth(value: PrintedValue, node: nodes.Expression) -> bool:
    if value not in {"yes", "no"}:
        raise NotPrinted(node.span)
    return value == "yes"


def _flag(truth: bool) -> PrintedValue:
    return "yes" if truth else "no"
