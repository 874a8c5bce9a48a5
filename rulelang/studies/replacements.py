"""A declaration of a game and another value -> the lines of a variant that replace it.

    fuel, 9             replace each Player has:
                          fuel: 0..199 = 9
    long_legs, 2        replace adjust reach(p): +2 if p.race == elf as long_legs
    reach, 3            replace value reach(p) -> 0..9 = 3

All but the value stays as the game has it. Invariant: a name leads to one declaration, or is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias, assert_never

import attrs

from rulelang.errors import InvalidInput
from rulelang.source import SourceText
from rulelang.syntax import nodes
from rulelang.syntax.nodes.vocabulary import AdjustSign
from rulelang.syntax.parser import parse_expression
from rulelang.syntax.printing.columns import lay_out
from rulelang.syntax.printing.printer import TreePrinter

if TYPE_CHECKING:
    from rulelang.api import Game

Valued: TypeAlias = nodes.StateDeclaration | nodes.AdjustDeclaration | nodes.ValueDeclaration
"""Declarations that hold a value; of what a kind has, one with the variable alone."""
ValueForm = Literal["state", "adjustment", "value"]


def declared(game: Game) -> dict[str, list[Valued]]:
    """Returns the declarations of a game that hold a value, by each name that they go by: `fuel` and `Player.fuel`."""
    found: dict[str, list[Valued]] = {}
    for name, declaration in _named(game):
        found.setdefault(name, []).append(declaration)
    return found


def _named(game: Game) -> Iterator[tuple[str, Valued]]:
    for declaration in game.internals.module.declarations:
        match declaration:
            case nodes.StateDeclaration(owner=owner, variables=variables):
                for variable in variables:
                    alone = attrs.evolve(declaration, variables=(variable,))
                    if variable.initial is not None:
                        yield variable.name.text, alone
                        if owner is not None:
                            yield f"{owner.text}.{variable.name.text}", alone
            case nodes.AdjustDeclaration(label=nodes.IdentNode(text=name), changes=(_,)):
                yield name, declaration
            case nodes.ValueDeclaration(cases=(nodes.CaseNode(condition=None),)):
                yield declaration.name.text, declaration
            case _:  # whatever holds no single value
                pass


def form_of(declaration: Valued) -> ValueForm:
    """Returns the form of a declaration that holds a value."""
    match declaration:
        case nodes.StateDeclaration():
            return "state"
        case nodes.AdjustDeclaration():
            return "adjustment"
        case nodes.ValueDeclaration():
            return "value"
        case _:
            assert_never(declaration)


def replacing(game: Game, name: str, value: str) -> str | None:
    """Returns the lines of a variant that give what goes by a name another value; None if it has that already.

    Raises InvalidInput.
    """
    found = declared(game).get(name, [])
    if len(found) != 1:
        raise InvalidInput(f"{game.title} has {len(found) or 'no'} {'values' if found else 'value'} called {name!r}")
    text = _printed(_with(found[0], value))
    return None if text == _printed(found[0]) else text


def _printed(declaration: Valued) -> str:
    printer = TreePrinter(keep_form=False)
    printer.declaration(declaration, "replace ")
    return lay_out(printer.lines).rstrip("\n")


def _with(declaration: Valued, text: str) -> Valued:
    """Returns a declaration with another value."""
    match declaration:
        case nodes.StateDeclaration(variables=(variable,)):
            return attrs.evolve(declaration, variables=(attrs.evolve(variable, initial=_expression(text)),))
        case nodes.AdjustDeclaration(changes=(change,)):
            # An amount below 0 turns the sign round.
            what = _TURNED[change.what] if text.startswith("-") else change.what
            value = _expression(text if what == change.what else text.removeprefix("-"))
            return attrs.evolve(declaration, changes=(attrs.evolve(change, what=what, value=value),))
        case nodes.ValueDeclaration(cases=(case,)):
            return attrs.evolve(declaration, cases=(attrs.evolve(case, value=_expression(text)),))
        case _:  # more variables, changes or cases than one, which `declared` leaves out
            raise TypeError(f"no single value: {declaration}")


_TURNED: Mapping[AdjustSign, AdjustSign] = {"+": "-", "-": "+", "least": "least", "most": "most"}


def _expression(text: str) -> nodes.Expression:
    tree, faults = parse_expression(SourceText("value", text), 0, len(text))
    if tree is None or faults:
        raise InvalidInput(f"{text!r} is no value: {faults[0].message if faults else 'it is empty'}")
    return tree
