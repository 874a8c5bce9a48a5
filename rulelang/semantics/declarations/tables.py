"""Kinds, boards and data: rows of cells -> things, spaces and tables.

kind Bonus "bonus token":            7 things whose `power` is flamethrower, 7 whose power is forcefield:
  power: Power                       Kind(names=("flamethrower", …), classes=(0, 0, …))
  | copies | power                       |
  | 7      | {flamethrower, forcefield}  |
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

import attrs

from rulelang.ir import model as ir
from rulelang.ir.types import (
    NONE,
    BadType,
    EnumType,
    FlagType,
    IntType,
    KindType,
    NoneType,
    SetType,
    Type,
    first_of,
    size_of,
)
from rulelang.program.packing import members
from rulelang.program.values import plain
from rulelang.semantics.declarations import words
from rulelang.semantics.declarations.keyed_columns import key_of, refuse_key, written_columns
from rulelang.semantics.expressions.thing_literals import namesakes, word
from rulelang.semantics.expressions.values import changes_of, head_of
from rulelang.semantics.names.coercion import coerce, constant, lower
from rulelang.semantics.names.literals import owners_of
from rulelang.semantics.names.nouns import raw
from rulelang.semantics.names.scope import ColumnName, DataName, DrawTarget, Env, TypeName, World
from rulelang.semantics.names.type_relations import Typed, fits, name_of
from rulelang.semantics.names.type_syntax import written_type
from rulelang.source import Span
from rulelang.syntax import nodes

MOST_THINGS = 2000
MOST_CELLS = 200_000


@attrs.frozen
class FieldLine:
    name: str
    type: Type
    default: int | None
    node: nodes.FieldLineNode
    key: tuple[Type, ...] = ()
    """Of a column for one member of a key, such as `cost(ruby)`: the types of the key."""


@attrs.frozen
class TableColumn:
    """A column of a table, for messages about its cells."""

    table: nodes.KindDeclaration | nodes.DataDeclaration
    name: str

    def widened(self, low: int, high: int, cell: Span) -> str | None:
        """Returns the hint how a variant whose cell is out of range
        can widen the column; None for a cell of the table itself.
        """
        own = self.table.span
        if own.source.name == cell.source.name and own.start <= cell.start and cell.end <= own.end:
            return None
        return f"`in {self.table.name.text}: {self.name}: {low}..{high}` widens the column"


def fields_of(
    world: World, owner: str, lines: tuple[nodes.FieldLineNode, ...], *, keyed: bool = False
) -> list[FieldLine]:
    """Returns the fields that the field lines of a kind, board or data declare; only those of a kind or board are `keyed`,
    one for each member of their key."""
    fields: list[FieldLine] = []
    for line in lines:
        type = written_type(world, line.type, f"{owner} {line.name.text}")
        default = None
        if line.default is not None:
            default = typed_constant(world, line.default, type)
        elif isinstance(type, SetType):
            default = 0
        elif type.optional:
            default = NONE
        elif isinstance(type, FlagType):
            default = 0
        if any(f.name == line.name.text for f in fields):
            world.sink.report("E0202", f"`{line.name.text}` is declared twice", line.name.span)
            continue
        key = key_of(world, line) if keyed else refuse_key(world, line)
        if key:
            fields += [FieldLine(name, type, default, line, key) for name in written_columns(world, line, key)]
        else:
            fields.append(FieldLine(line.name.text, type, default, line))
    return fields


def typed_constant(world: World, node: nodes.Expression, type: Type, column: TableColumn | None = None) -> int | None:
    """Returns the value of a default or a cell, which must be
    known before the game and have this type; None after a fault.
    """
    value = lower(world, Env(printed=True), node, type)
    expr = coerce(world, value, type, node.span)
    if isinstance(value.type, BadType):
        return None
    if not isinstance(expr, ir.Const):
        world.sink.report(
            "E0311", "this must be known before the game starts", node.span, "only constants may stand here"
        )
        return None
    check_range(world, Typed(expr, value.type), type, node.span, column)
    return expr.value


def check_range(world: World, value: Typed, type: Type, span: Span, column: TableColumn | None = None) -> None:
    """Reports a constant that is outside its range; `column` is the column of a table that it is written in."""
    if not isinstance(value.type, IntType):
        return  # told already: it is not a number
    if isinstance(type, IntType) and isinstance(value.ir, ir.Const) and value.ir.value != NONE:
        found = value.ir.value
        if not type.low <= found <= type.high:
            help = column.widened(min(type.low, found), max(type.high, found), span) if column is not None else None
            world.sink.report("E0316", f"{found} is outside of {name_of(type)}", span, name_of(type), help=help)


def header(world: World, rows: tuple[nodes.RowNode, ...], known: list[str], what: str) -> list[str] | None:
    """Returns the column names in a table's first row; None if there are no rows, or after a fault."""
    if not rows:
        return None
    columns = []
    for cell in rows[0].cells:
        name = nodes.column_of(cell)
        if name is None or name not in known:
            span = cell.span if cell is not None else rows[0].span
            if name is None:
                world.sink.report("E0312", "the first row of a table names its columns", span)
            else:
                world.unknown(name, span, f"no column of {what}", known)
            return None
        if name in columns:
            world.sink.report("E0202", f"column `{name}` appears twice", cell.span if cell else rows[0].span)
            return None
        columns.append(name)
    return columns


def cells_by_name(
    world: World, columns: list[str], row: nodes.RowNode
) -> dict[str, nodes.Expression | nodes.TextNode] | None:
    if len(row.cells) != len(columns):
        world.sink.report(
            "E0312", f"this row has {len(row.cells)} cells, the table has {len(columns)} columns", row.span
        )
        return None
    return {name: cell for name, cell in zip(columns, row.cells, strict=True) if cell is not None}


def spread(world: World, node: nodes.Expression, type: Type, column: TableColumn | None = None) -> list[int] | None:
    """Returns the values that a cell stands for: one, or each of a set or range; None after a fault."""
    if isinstance(type, IntType) and isinstance(node, nodes.SetDisplayExpression | nodes.RangeExpression):
        return _numbers(world, node, type, column)
    value = lower(world, Env(printed=True), node, type if isinstance(type, SetType) else SetType(type))
    if isinstance(value.type, BadType):
        return None
    if not isinstance(value.ir, ir.Const):
        world.sink.report("E0311", "a table's cell must be known before the game starts", node.span)
        return None
    if isinstance(value.type, SetType) and not isinstance(type, SetType):
        if not fits(value.type.element, type):
            world.sink.report("E0301", f"expected {name_of(type)}, found {name_of(value.type)}", node.span)
            return None
        return [i for i in range(value.ir.value.bit_length()) if value.ir.value >> i & 1]
    if not fits(value.type, type) and not (isinstance(value.type, NoneType) and isinstance(type, SetType)):
        world.sink.report("E0301", f"expected {name_of(type)}, found {name_of(value.type)}", node.span)
        return None
    check_range(world, value, type, node.span, column)
    return [value.ir.value]


def _numbers(
    world: World, node: nodes.SetDisplayExpression | nodes.RangeExpression, type: IntType, column: TableColumn | None
) -> list[int] | None:
    """Returns the numbers that a cell stands for; None after a
    fault. Unlike other sets, a set in a cell may hold any number.
    """
    ends = node.items if isinstance(node, nodes.SetDisplayExpression) else (node.low, node.high)
    known = [typed_constant(world, end, type.certain(), column) for end in ends]
    values = [value for value in known if value is not None]
    if len(values) < len(known):
        return None
    if isinstance(node, nodes.SetDisplayExpression):
        return sorted(set(values))
    if values[1] - values[0] >= MOST_CELLS:
        world.sink.report("E0313", "this range is too large for a cell", node.span, f"at most {MOST_CELLS} values")
        return None
    return [value for value in range(values[0], values[1] + 1) if type.low <= value <= type.high]


# ------------------------------------------------------------------ kinds


@attrs.define
class KindRows:
    """The things of a kind while its rows are read."""

    names: list[str] = attrs.field(factory=list)
    said: dict[str, list[nodes.TextNode | None]] = attrs.field(factory=lambda: {word: [] for word in nodes.WORDS})
    """By the column of a text: the text of each thing."""
    rows: list[tuple[int, ...]] = attrs.field(factory=list)


def declare_kind(world: World, node: nodes.KindDeclaration) -> None:
    """Enters a kind with its things; cells may name things of the kind itself."""
    if any(_is_of(field.type, node.name.text) for field in node.fields):
        _enter_names(world, node)
    fields = fields_of(world, node.name.text, node.fields, keyed=True)
    things = KindRows()
    columns = header(
        world, node.rows, ["copies", "name", *nodes.WORDS, *(f.name for f in fields)], f"`{node.name.text}`"
    )
    for row in node.rows[1:] if columns else ():
        cells = cells_by_name(world, columns or [], row)
        world.site("row", row.span, row.cites)
        if cells is not None:
            _add_things(world, node, fields, cells, things, row)
    if len(things.rows) > MOST_THINGS:
        world.sink.report(
            "E0313", f"{len(things.rows)} things of a kind are too many", node.name.span, f"at most {MOST_THINGS}"
        )
        things.rows, things.names = things.rows[:1], things.names[:1]
    for f in fields:
        world.site("field", f.node.span, f.node.cites)
    world.site("kind", node.name.span, node.cites)
    _enter_kind(world, node, fields, things)


def _is_of(type: nodes.TypeNode, kind: str) -> bool:
    inner = type.of if isinstance(type, nodes.OptionalTypeNode | nodes.SetTypeNode) else type
    return _is_of(inner, kind) if inner is not type else isinstance(type, nodes.NamedTypeNode) and type.name == kind


def _enter_names(world: World, node: nodes.KindDeclaration) -> None:
    """Enters a kind's things by their names, before the cells that name them are read."""
    others = tuple(field for field in node.fields if not _is_of(field.type, node.name.text))
    with world.quiet():
        fields, things = fields_of(world, node.name.text, others, keyed=True), KindRows()
        columns = header(world, node.rows, ["copies", "name", *nodes.WORDS, *(f.name.text for f in node.fields)], "")
        for row in node.rows[1:] if columns else ():
            cells = cells_by_name(world, columns or [], row)
            if cells is not None:
                _add_things(world, node, fields, cells, things, row)
    type, id = KindType(node.name.text, len(things.rows)), world.kind_ids[node.name.text]
    world.kinds[id] = attrs.evolve(world.kinds[id], size=type.size, names=tuple(things.names))
    _make_known(world, type, things.names)


def _add_things(
    world: World,
    node: nodes.KindDeclaration,
    fields: list[FieldLine],
    cells: dict[str, nodes.Expression | nodes.TextNode],
    things: KindRows,
    row: nodes.RowNode,
) -> None:
    copies = 1
    if isinstance(cells.get("copies"), nodes.Expression):
        copies = constant(world, cells["copies"]) or 0  # type: ignore[arg-type]
        if not 0 <= copies <= MOST_THINGS:
            world.sink.report("E0313", f"{copies} copies are too many", row.span, f"at most {MOST_THINGS}")
            return
    choices: list[list[int]] = []
    for field in fields:
        cell = cells.get(field.name)
        if cell is None:
            if field.default is None:
                world.sink.report(
                    "E0312",
                    f"`{field.name}` is blank and has no default",
                    row.span,
                    help=f"write `{field.name}: {field.node.type.span.text or '…'} = …`",
                )
                return
            choices.append([field.default])
        elif isinstance(cell, nodes.Expression):
            values = spread(world, cell, field.type, TableColumn(node, field.name))
            if values is None:
                return
            choices.append(values)
        else:
            help = "texts stand under " + ", ".join(f"`{word}`" for word in nodes.WORDS)
            world.sink.report("E0312", f"a text stands where `{field.name}` is wanted", cell.span, help=help)
            return
    name = cells.get("name")
    if name is not None and not isinstance(name, nodes.NameExpression):
        world.sink.report("E0312", "a thing's name is one word", name.span)
        return
    if prod(len(c) for c in choices) * copies > MOST_THINGS:
        world.sink.report("E0313", "this row makes too many things", row.span, f"at most {MOST_THINGS}")
        return
    for values_of_row in product(*choices):
        for _ in range(copies):
            things.rows.append(values_of_row)
            things.names.append(name.text if name is not None else "")
            for column, said in things.said.items():
                text = cells.get(column) if all(f.name != column for f in fields) else None
                said.append(text if isinstance(text, nodes.TextNode) else None)


def _enter_kind(world: World, node: nodes.KindDeclaration, fields: list[FieldLine], things: KindRows) -> None:
    size = len(things.rows)
    type = KindType(node.name.text, size)
    id = world.kind_ids[node.name.text]
    if any(_is_of(field.type, node.name.text) for field in node.fields) and world.kinds[id].size != size:
        help = "write a row for each"
        world.sink.report("E0312", "a cell of the kind's own things names one of them", node.name.span, help=help)
    columns = []
    for i, field in enumerate(fields):
        table = world.table(
            f"{node.name.text}.{field.name}",
            (type,),
            field.type,
            tuple(r[i] for r in things.rows),
            called_with_key(field) if field.key else raw(field.node.called),
        )
        columns.append((field.name, table, field.type))
        if not field.key:
            world.owned[node.name.text, field.name] = ColumnName(node.name.text, table, field.type, field.node.span)
    _enter_keyed(world, type, fields, things)
    label = world.kinds[id].label
    plural = world.kinds[id].plural
    firsts: dict[tuple[object, ...], int] = {}
    classes = [firsts.setdefault((things.rows[i], things.names[i]), i) for i in range(size)]
    names = written_forms(node.name.text, things, columns, world)
    alike = tuple(classes)
    called = words.name_things(world, node, names, things.said["called"], things.rows, columns)
    looks = words.looks_of(world, node, things.said, things.rows, columns, classes)
    world.thing_texts[node.name.text] = things.said["text"]
    world.kinds[id] = ir.Kind(
        id, node.name.text, label, size, names, tuple(columns), alike, False, plural, called, looks=looks
    )
    _make_known(world, type, things.names)


def called_with_key(field: FieldLine) -> str:
    """Returns the name for people of a column for one member: `price (ruby)`."""
    name, _, member = field.name.partition("(")
    return f"{raw(field.node.called) or plain(name)} ({plain(member)}"


def _enter_keyed(world: World, type: KindType, fields: list[FieldLine], things: KindRows) -> None:
    """Enters the columns that are read with a key, each with the cells of all its members."""
    for line, at in keyed_fields(fields):
        key, own = fields[at[0]].key, fields[at[0]].type
        values = tuple(things_row[i] for things_row in things.rows for i in at)
        table = world.table(f"{type.name}.{line.name.text}", (type, *key), own, values, raw(line.called))
        world.owned[type.name, line.name.text] = ColumnName(type.name, table, own, line.span, key)


def keyed_fields(fields: list[FieldLine]) -> Iterator[tuple[nodes.FieldLineNode, list[int]]]:
    """Yields each field line with a key, and the places of its columns among the fields."""
    for line in dict.fromkeys(field.node for field in fields if field.key):
        yield line, [i for i, field in enumerate(fields) if field.node is line]


def _make_known(world: World, type: KindType, names: list[str]) -> None:
    """Enters the type of a kind, now that its size is known, and the names of its things."""
    meaning = world.globals.get(type.name)
    if isinstance(meaning, TypeName):
        meaning.type = type
    for i, name in enumerate(names):
        if name:
            world.name_thing(name, type, i)


def written_forms(kind: str, things: KindRows, columns: list[tuple[str, int, Type]], world: World) -> tuple[str, ...]:
    """Returns the written form of each thing: its name, else `Kind(values)` with the values in which things of the
    kind differ, or with a single value that no other thing has; an enum's member among those stands alone.
    """
    differing = [i for i in range(len(columns)) if len({r[i] for r in things.rows}) > 1]
    kinds_of_row: dict[tuple[int, int], int] = {}
    for row in set(things.rows):
        for j in differing:
            kinds_of_row[j, row[j]] = kinds_of_row.get((j, row[j]), 0) + 1
    forms = []
    for name, row in zip(things.names, things.rows, strict=True):
        if name:
            forms.append(name)
            continue
        words = [(j, word(columns[j][2], row[j], world)) for j in differing]
        telling = [(j, text) for j, text in words if kinds_of_row[j, row[j]] == 1]
        bare = [text for j, text in telling if isinstance(columns[j][2], EnumType)]
        said = [text for _, text in telling[:1]] or [text for j, text in words if row[j] != NONE]
        said = said or [word(c[2], v, world) for c, v in zip(columns, row, strict=True)]
        forms.append(bare[0] if bare else f"{kind}({', '.join(said)})" if said else kind)
    return tuple(forms)


# ------------------------------------------------------------------ data


def declare_data(world: World, node: nodes.DataDeclaration, id: int) -> DataName | None:
    """Enters a data table's name and columns; its cells are lowered later."""
    head = head_of(world, node.parameters)
    columns: dict[str, tuple[int, Type]] = {}
    for i, line in enumerate(node.fields):
        columns[line.name.text] = (i, written_type(world, line.type, f"{node.name.text} {line.name.text}"))
    named = [c.text for c in node.rows[0].cells if isinstance(c, nodes.NameExpression)] if node.rows else []
    keys = 0
    for variable in head.variables:
        if variable.name not in named:
            break
        keys += 1
    for variable, parameter in zip(head.variables, node.parameters, strict=False):
        _warn_hidden(world, variable.name, parameter.name.span)
    data = DataName(id, node, head.variables, keys, columns, node.name.span)
    for row in node.rows[1:]:
        for name, cell in zip(named, row.cells, strict=False):
            if name in columns and cell is not None and _rolls(world, cell):
                world.rolling[id, name] = True
    world.declare(node.name, data)
    return data


def _warn_hidden(world: World, name: str, span: Span) -> None:
    """Warns of a key of data with the name of a member, which cannot be named so in the cells."""
    owners = owners_of(world, name)
    if owners:
        message = f"this key hides `{owners[0]}.{name}`"
        help_ = f"give the key another name; the other is `{owners[0]}.{name}` everywhere"
        world.sink.report("W0528", message, span, f"in the cells, `{name}` is the key", help=help_)


def _rolls(world: World, node: object) -> bool:
    """Returns whether a cell contains `roll` or `random`."""
    if (
        isinstance(node, nodes.CallExpression)
        and isinstance(node.function, nodes.NameExpression)
        and node.function.text in {"roll", "random"}
    ):
        return True
    if isinstance(node, nodes.AggregateExpression) and node.function.text == "random":
        return True
    if isinstance(node, nodes.Node):
        return any(_rolls(world, getattr(node, f.name)) for f in attrs.fields(type(node)) if f.name != "span")
    return isinstance(node, tuple) and any(_rolls(world, n) for n in node)


def lower_data(world: World, data: DataName, adjusts: list[nodes.AdjustDeclaration]) -> ir.DataTable:
    """Returns a data table with its rows lowered: the row number at each key, and the cells of each column."""
    node = data.node
    name = node.name.text
    types = tuple(v.type for v in data.parameters[: data.keys])
    space = prod(_size(t) for t in types)
    if space > MOST_CELLS or any(not isinstance(t, IntType | EnumType | KindType | FlagType) for t in types):
        if not any(isinstance(t, BadType) for t in types):
            world.sink.report("E0313", f"`{name}` has {space} keys", node.name.span, f"at most {MOST_CELLS}")
        return ir.DataTable(data.id, name, data.parameters, 0, (-1,), ())
    fields = fields_of(world, name, node.fields)
    keys = [v.name for v in data.parameters[: data.keys]]
    columns = header(world, node.rows, [*keys, *(f.name for f in fields)], f"`{name}`") or []
    index = [-1] * space
    cells: list[list[ir.Expr]] = [[] for _ in fields]
    sites: list[int] = []
    for number, row in enumerate(node.rows[1:]):
        by_name = cells_by_name(world, columns, row) if columns else None
        if by_name is None:
            continue
        sites.append(world.site("row", row.span, row.cites))
        _place_row(world, node, keys, types, by_name, index, len(sites) - 1, row)
        _lower_row(world, data, fields, by_name, cells, row)
        if number > MOST_CELLS:
            break
    for field in fields:
        world.site("field", field.node.span, field.node.cites)
    lowered = tuple(
        ir.DataColumn(
            f.name,
            f.type,
            tuple(cells[i]),
            tuple(sites),
            _adjustments(world, data, f, adjusts),
            raw(f.node.called),
        )
        for i, f in enumerate(fields)
    )
    return ir.DataTable(
        data.id, name, data.parameters, data.keys, tuple(index), lowered, world.site("data", node.name.span, node.cites)
    )


def _size(type: Type) -> int:
    return size_of(type) if isinstance(type, IntType | EnumType | KindType | FlagType) else 1


def _place_row(
    world: World,
    data: nodes.DataDeclaration,
    keys: list[str],
    types: tuple[Type, ...],
    cells: dict[str, nodes.Expression | nodes.TextNode],
    index: list[int],
    number: int,
    row: nodes.RowNode,
) -> None:
    choices = []
    for name, type in zip(keys, types, strict=True):
        cell = cells.get(name)
        if cell is None:
            values: list[int] | None = [i + first_of(type) for i in range(size_of(type))]
        else:
            column = TableColumn(data, name)
            values = _keys(world, cell, type, column) if isinstance(cell, nodes.Expression) else None
        if values is None:
            return
        choices.append(values)
    for key in product(*choices):
        position = 0
        for type, value in zip(types, key, strict=True):
            if not 0 <= value - first_of(type) < size_of(type):
                return
            position = position * size_of(type) + value - first_of(type)
        if index[position] >= 0:
            world.sink.report("E0312", "another row has this key already", row.span, "rows must not overlap")
            return
        index[position] = number


def _keys(world: World, cell: nodes.Expression, type: Type, column: TableColumn) -> list[int] | None:
    """Returns the keys that a cell stands for: one, each of a set or range, or all things that share a name."""
    named = namesakes(world, Env(printed=True), cell, type)
    return spread(world, cell, type, column) if named is None else members(named)


def _lower_row(
    world: World,
    data: DataName,
    fields: list[FieldLine],
    by_name: dict[str, nodes.Expression | nodes.TextNode],
    cells: list[list[ir.Expr]],
    row: nodes.RowNode,
) -> None:
    name = data.node.name.text
    scope = Env(dice=True, cell=True, name=name).bind(*data.parameters)
    for i, field in enumerate(fields):
        env = attrs.evolve(scope, draws=DrawTarget(f"{name}.{field.name}", is_newly_named=True))
        cell = by_name.get(field.name)
        if isinstance(cell, nodes.Expression):
            value = lower(world, env, cell, field.type)
            cells[i].append(coerce(world, value, field.type, cell.span))
            check_range(world, value, field.type, cell.span, TableColumn(data.node, field.name))
        elif field.default is None:
            world.sink.report("E0312", f"`{field.name}` is blank and has no default", row.span)
            cells[i].append(ir.Const(0))
        else:
            cells[i].append(ir.Const(field.default))


def _adjustments(
    world: World, data: DataName, column: FieldLine, adjusts: list[nodes.AdjustDeclaration]
) -> tuple[ir.Adjustment, ...]:
    found: list[ir.Adjustment] = []
    for node in adjusts:
        if node.name.text == data.node.name.text and node.column is not None and node.column.text == column.name:
            found.extend(changes_of(world, node, data.parameters, column.type))
    return tuple(found)
