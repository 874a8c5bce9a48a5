"""An IR expression -> its type, so that numbers in it can be named: 3 is "ion cannon" in a comparison of powers."""

from __future__ import annotations

from typing import assert_never

import attrs

from rulelang.ir import model as ir
from rulelang.ir.model.operators import OPERATORS
from rulelang.ir.types import LARGEST, PLAYER, FlagType, IntType, KindType, SetType, Type
from rulelang.ir.walk import walk

NUMBER = IntType(-LARGEST, LARGEST)


@attrs.frozen
class Inference:
    """The types of one game's expressions."""

    game: ir.GameRules
    locals: dict[int, ir.Variable]

    @classmethod
    def of_game(cls, game: ir.GameRules) -> Inference:
        """Returns the inference for a game, with its locals."""
        return cls(game, {node.id: node for node in walk(game) if isinstance(node, ir.Variable)})

    def of(self, node: ir.Expr) -> Type | None:
        """Returns the type of an expression; None if the expression alone does not determine it, as for a number."""
        game = self.game
        match node:
            case ir.Local(id=id):
                return self.locals[id].type if id in self.locals else None
            case ir.Read(state=state):
                return game.states[state].type
            case ir.Column(table=table):
                return game.tables[table].type
            case ir.Contents(zone=zone):
                return SetType(self.thing(game.zones[zone].kind))
            case ir.InSlot(zone=zone) | ir.TopOf(zone=zone):
                return self.thing(game.zones[zone].kind)
            case ir.OwnerOf(owner=owner):
                return next((self.thing(kind.id) for kind in game.kinds if kind.name == owner), None)
            case ir.CallValue(value=value):
                return game.values[value].type
            case ir.Cell(data=data, column=column):
                return game.data[data].columns[column].type
            case ir.Either(then=then, otherwise=otherwise):
                return self.of(then) or self.of(otherwise)
            case ir.Pick(of=source):
                return self.member(source)
            case ir.Bound(of=of) | ir.Openly(condition=of):
                return self.of(of)
            case ir.And() | ir.Or() | ir.HasRow() | ir.FaceUp():
                return FlagType()
            case ir.Foreseen(of=ir.CallValue() as of):
                return self.of(of)
            case ir.Way(neighbours=table, end=None) | ir.DirectedWay(step=table, end=None):
                return self._spaces(table, 1 if isinstance(node, ir.Way) else 2)
            case ir.Roll() | ir.Way() | ir.DirectedWay() | ir.Occurrences() | ir.Foreseen() | ir.Counted():
                return NUMBER
            case ir.Over():
                return self._over(node)
            case ir.Op(name=name, arguments=arguments):
                return self._operator(name, arguments)
            case ir.Const() | ir.PlaceOf():
                return None
            case _:
                assert_never(node)

    def _spaces(self, table: int, from_last: int) -> Type:
        """Returns the type of a set of spaces, given a table and which of its dimensions, from the last, they are."""
        return SetType(self.game.tables[table].dimensions[-from_last])

    def thing(self, kind: int) -> Type:
        """Returns the type of a kind's things."""
        found = self.game.kinds[kind]
        return KindType(found.name, found.size)

    def member(self, source: ir.Source) -> Type | None:
        """Returns the type of a source's members."""
        if source.mask is not None:
            type = self.of(source.mask)
            return type.element if isinstance(type, SetType) else None
        type = self.of(source.pile) if source.pile is not None else None
        return type.element if isinstance(type, SetType) else None

    def _over(self, node: ir.Over) -> Type | None:
        match node.what:
            case "count" | "sum":
                return NUMBER
            case "any" | "all":
                return FlagType()
            case "first":
                return node.names[0].type
            case "best":
                return SetType(node.names[0].type)
            case "set" | "min" | "max":
                value = self.of(node.value) if node.value is not None else None
                return SetType(value) if node.what == "set" and value is not None else value
            case _:
                assert_never(node.what)

    def _operator(self, name: ir.Operator, arguments: tuple[ir.Expr, ...]) -> Type | None:
        gives = OPERATORS[name].gives
        match gives:
            case "a flag":
                return FlagType()
            case "a number":
                return NUMBER
            case "a set of numbers":
                return SetType(NUMBER)
            case "a set of its operand":
                element = self.of(arguments[0])
                return SetType(element) if element is not None else None
            case "what its operands are":
                return next((type for type in map(self.of, arguments) if type is not None), None)
            case _:
                assert_never(gives)


def is_player(type: Type | None) -> bool:
    """Returns whether values of a type are seats."""
    return isinstance(type, KindType) and type.name == PLAYER
