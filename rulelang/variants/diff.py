"""A variant -> its changes in words, one line for each operation.

constant starting_fuel = 9                `starting_fuel` is 9
in Bonus if power == nitro: copies = 4    `copies` of Bonus is 4 if power == nitro
remove out_of_fuel                        without `out_of_fuel`
"""

from __future__ import annotations

from rulelang.syntax import nodes
from rulelang.syntax.printing.expression_printer import ExpressionPrinter, in_one_line, on_one_line
from rulelang.variants import targets
from rulelang.variants.targets import shown


def in_words(variant: nodes.VariantDeclaration, module: nodes.ModuleNode) -> tuple[str, ...]:
    """Returns a line for each operation of a variant, in order; its own scenarios and `names` lines are not listed."""
    added = [o.declaration for o in variant.operations if isinstance(o, nodes.AddOperation)]
    names = targets.parameter_names([*module.declarations, *added])
    return tuple(line for operation in variant.operations for line in _lines(operation, names))


def _lines(operation: nodes.Operation, names: frozenset[str]) -> list[str]:
    match operation:
        case nodes.AddOperation(nodes.ConstantDeclaration(name, value)):
            return [f"`{name.text}` is {in_one_line(value)}"]
        case nodes.AddOperation(nodes.OptionDeclaration(name, _, nodes.Expression() as default)):
            return [f"`{name.text}` can be chosen, {in_one_line(default)} unless said"]
        case nodes.AddOperation(nodes.ScenarioDeclaration() | nodes.NamesDeclaration()):
            return []
        case nodes.AddOperation(declaration):
            return [f"also {target}" for target in _shown(declaration, names)]
        case nodes.ReplaceOperation(declaration):
            return [f"another {target}" for target in _shown(declaration, names)]
        case nodes.RemoveOperation(name):
            return [f"without `{name.text}`"]
        case nodes.ChangeFieldOperation(kind, condition, field, value):
            where = f" if {in_one_line(condition)}" if condition is not None else ""
            said = f'"{value.raw}"' if isinstance(value, nodes.TextNode) else in_one_line(value)
            return [f"`{field.text}` of {kind.text} is {said}{where}"]
        case nodes.ChangeColumnOperation(table, column):
            return [
                f"`{column.name.text}` of {table.text} may be {on_one_line(ExpressionPrinter(keep_form=False).type(column.type))}"
            ]
        case nodes.AddRowsOperation(table, (_, *rows)):
            return [f"{len(rows)} more {'row' if len(rows) == 1 else 'rows'} of {table.text}"]
        case nodes.AddMembersOperation(enum, members):
            return [f"{enum.text} may be {', '.join(member.text for member in members)} too"]
        case nodes.SetGameLineOperation(nodes.GameLineNode("lone", names=(manner,))):
            return [f"lone options are {manner.text}"]
        case nodes.SetGameLineOperation(nodes.GameLineNode("steps", value=nodes.Expression() as most)):
            return [f"at most {in_one_line(most)} steps between two choices"]
        case nodes.SetGameLineOperation(line):
            words = ", ".join(name.text for name in line.names)
            return [f"{line.what} {words if line.value is None else in_one_line(line.value)}".rstrip()]
        case nodes.VoidOperation(scenario, because):
            return [f'"{scenario.raw}" no longer holds, because {because.raw}']
        case nodes.VoidCitingOperation(cited, because):
            return [f"scenarios of {', '.join(cite.id for cite in cited)} no longer hold, because {because.raw}"]
        case _:  # no other operation is worth a line
            return []


def _shown(declaration: nodes.Declaration, names: frozenset[str]) -> list[str]:
    match declaration:
        case nodes.StateDeclaration(_, variables):
            return [shown(targets.variable_target(declaration, v)) for v in variables]
        case nodes.ScenarioDeclaration(title):
            return [f'scenario "{title.raw}"']
        case _:  # any other declaration has one target
            pass
    target = targets.target_of(declaration, names)
    return [shown(target)] if target is not None else []
