"""An option -> the rules that decide whether it may be taken now, with the values that they read.

    red: pay(3)      needs n <= purse(p)  [B-2]
                       n is 3, purse(red) is 2
                       purse(red) = 2: base 4, -2 debts

For a legal option, all its needs and domains; for another, the ones that refuse it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import attrs

from rulelang.errors import RuntimeRules
from rulelang.ir import model as ir
from rulelang.ir.types import NONE, FlagType, KindType, SetType, Type
from rulelang.ir.walk import parts_of
from rulelang.knowledge.phrase import names_in, spliced
from rulelang.knowledge.redaction import EVERYONE, name_of, said_cell, said_value
from rulelang.knowledge.rendering import counted
from rulelang.machines.evaluate import Locals, gone_over
from rulelang.machines.offers.offer import MOST
from rulelang.match.match import BareMatch
from rulelang.match.options.explain import Reason, bound
from rulelang.match.options.option import Option
from rulelang.match.position import Position
from rulelang.program.layout import flat
from rulelang.program.values import plain
from rulelang.prose.phrases import of_these
from rulelang.prose.present import present
from rulelang.prose.prose import Prose
from rulelang.prose.words import Plain, Words, plain_text
from rulelang.prose.words import flat as phrase
from rulelang.source import NOWHERE, Span
from rulelang.workbench.reasons.breakdown import Accounting, NumberAccount
from rulelang.workbench.suggestion import nearest

SHOWN = 12
"""The most members of a domain that are named."""


@attrs.frozen
class Requirement:
    """A need of an option, or the domain of one of its parameters: what it says of this position, the values read, and
    their accounts."""

    text: str
    facts: tuple[str, ...]
    accounts: tuple[NumberAccount, ...]
    clauses: tuple[str, ...] = ()
    span: Span = attrs.field(default=NOWHERE, repr=False, eq=False)


@attrs.frozen
class OptionStanding:
    """The standing of an option: `refusal` is the reason against it,
    None if it is legal; `nearest` is the most similar legal option.
    """

    option: str
    refusal: Reason | None
    requirements: tuple[Requirement, ...]
    nearest: str = ""


def standing(match: BareMatch, text: str, viewer: int | None) -> OptionStanding:
    """Returns the standing of an option, written `red: take(3)`, as a viewer (a bit; None: who sees all) may know it.

    Raises UnknownOption for what cannot be an option now.
    """
    return standing_of(match, match.option(text), viewer)


def standing_of(match: BareMatch, option: Option, viewer: int | None) -> OptionStanding:
    """Returns the standing of an option of this moment; see `standing`."""
    position, refusal = match.position, match.why_not(option)
    choice = position.choice
    assert choice is not None
    branch = choice.branches[option.answer[0]]
    look = _Look.at(position, choice, branch, option, viewer)
    refused = position.machine.refusal(option.seat, option.answer)
    domains = [look.domain(parameter) for parameter in branch.parameters]
    needs = [look.need(need) for need in branch.needs]
    said = _said(match, option)
    if refusal is None:
        return OptionStanding(said, None, (*(one for one in domains if one.accounts), *needs))
    decisive: tuple[Requirement, ...] = ()
    if refused is not None and refused.need is not None:
        decisive = (needs[refused.need],)
    elif refused is not None and refused.parameter is not None:
        decisive = tuple(domains[refused.parameter : refused.parameter + 1])
    return OptionStanding(said, refusal, decisive, _nearest(match, option))


def _nearest(match: BareMatch, option: Option) -> str:
    near = nearest(option.text, match.options_of(option.seat).first(MOST))
    return "" if near is None else _said(match, near)


def _said(match: BareMatch, option: Option) -> str:
    """Returns an option in words for people: `Red: Buy the pick`,
    or `Red buys the pick` if its words begin with the seat."""
    label = option.label
    has_seat = any(name.what == "seat" and name.start == 0 for name in names_in(label))
    return label if has_seat else spliced((match.seat_names[option.seat], ": ", label))


@attrs.frozen
class _Look:
    """The evaluation of one option's needs."""

    position: Position
    locals: Locals
    told: Mapping[int, int]
    bare: Prose
    """The words for the choice, without any value."""
    say: Prose
    """The words for the choice in this position."""
    viewer: int | None

    @classmethod
    def at(cls, position: Position, choice: ir.Choice, branch: ir.Branch, option: Option, viewer: int | None) -> _Look:
        around, own = position.locals(choice, option.seat), bound(branch, option)
        told = position.witnesses.told(around, position.row) | dict.fromkeys(own, EVERYONE)
        passage = (choice, position.game.rules[choice.rule].parameters)
        values = {
            id: v if viewer is None or told.get(id, EVERYONE) & viewer else None for id, v in (around | own).items()
        }
        bare, say = present(position.game, passage, {}), present(position.game, passage, values)
        return cls(position, around | own, told, bare, say, viewer)

    def need(self, need: ir.Need) -> Requirement:
        """Returns one `needs`, with the present values that its condition reads."""
        site = self.position.game.sites[need.site]
        facts, accounts = self._read(need.condition)
        return Requirement(
            f"only if {plain_text(self.say.holds(need.condition))}",
            facts,
            accounts,
            need.clauses or site.clauses,
            site.span,
        )

    def domain(self, parameter: ir.Parameter) -> Requirement:
        """Returns the domain of a parameter of the option."""
        look = self._accounting()
        type = parameter.variable.type
        name = plain_text(self.bare.local(parameter.variable.id))
        try:
            members = gone_over(parameter.domain, look, dict(self.locals))[0]
        except (RuntimeRules, KeyError):
            members = []
        if not self._may_know(look.seers):
            return Requirement(f"{name} is one of some", (), ())
        element = getattr(type, "element", type)
        names = [name_of(member, element, self.position.game) for member in members[:SHOWN]]
        more = ", …" if len(members) > SHOWN else ""
        if not names:
            return Requirement(f"there is nothing for {name}", (), _telling(look))
        return Requirement(f"{name} is one of {', '.join(names)}{more}", (), _telling(look))

    def _read(self, condition: ir.Expr) -> tuple[tuple[str, ...], tuple[NumberAccount, ...]]:
        whole = self._accounting()
        if self._value(condition, whole) is None:
            return (), ()
        return tuple(dict.fromkeys(self._facts(condition))), _telling(whole)

    def _facts(self, expr: object) -> Iterator[str]:
        """Yields the present value of each thing that a condition reads: `Red's gold is 1`."""
        match expr:
            case ir.And(arguments=arguments):
                failing = [one for one in arguments if self._value(one, self._accounting()) in (0, NONE)]
                for argument in failing or arguments:
                    yield from self._facts(argument)
            case ir.Const() | ir.Local():
                pass
            case ir.Read() | ir.CallValue() | ir.Cell() | ir.Column() | ir.Over():
                said = self._named(expr)
                value = None if said is None else self._value(expr, self._accounting())
                if said is None:
                    yield from self._facts_of_parts(expr)
                elif value is not None and isinstance(expr, ir.CallValue) and self._is_called(expr):
                    yield self._fact(expr, value)
                elif value is not None:
                    yield f"{said[0]} is {name_of(value, said[1], self.position.game)}"
            case ir.Op(name="size", arguments=(ir.Contents(),)):
                value = self._value(expr, self._accounting())
                if value is not None:
                    yield f"{self._text(expr)} is {value}"
            case ir.Contents(zone=number):
                value = self._value(expr, self._accounting())
                if value is not None and value.bit_count() <= SHOWN:
                    kind = self.position.game.kinds[self.position.game.zones[number].kind]
                    things = name_of(value, SetType(KindType(kind.name, kind.size)), self.position.game)
                    yield f"{self._text(expr)} is {things}"
            case _:  # the facts of any other expression are those of its parts
                yield from self._facts_of_parts(expr)

    def _is_called(self, expr: ir.CallValue) -> bool:
        return self.position.game.values[expr.value].called is not None

    def _fact(self, expr: ir.CallValue, worth: int) -> str:
        """Returns the fact about a value with a name: `Red is broke`, `the open routes = left, right`."""
        value = self.position.game.values[expr.value]
        keys = list(map(self._argument, value.parameters, expr.arguments))
        if not isinstance(value.type, FlagType):
            return f"{said_value(value, keys)} = {name_of(worth, value.type, self.position.game)}"
        said = said_value(value, keys, holds=worth == 1)
        return said if worth == 1 or value.denied is not None else f"not so: {said}"

    def _facts_of_parts(self, expr: object) -> Iterator[str]:
        for part in parts_of(expr) if isinstance(expr, tuple) or attrs.has(type(expr)) else ():
            yield from self._facts(part)

    def _named(self, expr: ir.Expr) -> tuple[str, Type | None] | None:
        """Returns the name of an expression, with its values filled in, and its type; None if it has no short name."""
        game = self.position.game
        match expr:
            case ir.Read(state=number, index=index):
                state = game.states[number]
                values = [self._value(part, self._accounting()) for part in index]
                at = -1 if None in values else flat(state.dimensions, tuple(v for v in values if v is not None))
                return (said_cell(game, state, at), state.type) if at >= 0 else None
            case ir.CallValue(value=number, arguments=arguments):
                value = game.values[number]
                if value.called is not None:
                    words = map(self._argument, value.parameters, arguments)
                    return said_value(value, words), value.type
                return self._called(value.name, value.parameters, arguments), value.type
            case ir.Cell(data=number, column=at, arguments=arguments):
                data, column = game.data[number], game.data[number].columns[at]
                keys = ", ".join(map(self._argument, data.parameters, arguments))
                return f"the {self.say.column(number, at)} of the {plain(data.name)} for {keys}", column.type
            case ir.Column(table=number):
                typed = (type for kind in game.kinds for _, table, type in kind.columns if table == number)
                return self._text(expr), next(typed, None)
            case ir.Over():
                lot = counted(expr) if (expr.what, expr.condition, expr.value) == ("count", None, None) else None
                return None if lot is None else (self._text(expr), None)
            case _:  # no other expression has a name
                return None

    def _called(self, name: str, parameters: tuple[ir.Variable, ...], arguments: tuple[ir.Expr, ...]) -> str:
        """Returns a value without a name of its own with the values of its arguments: `the reach of Red`, `the least
        that the reach of Red can be`."""
        bound, _, own = name.rpartition(" ")
        asked = next((len(one.parameters) for one in self.position.game.values if one.name == own), len(parameters))
        words: list[Words] = [(Plain(word),) for word in map(self._argument, parameters[:asked], arguments)]
        said = plain_text(phrase("the ", plain(own), *of_these(words, plain(own))))
        return f"the {bound} that {said} can be" if bound else said

    def _argument(self, parameter: ir.Variable, argument: ir.Expr) -> str:
        """Returns an argument as people read it; `?` where the viewer may not know it."""
        value = self._value(argument, self._accounting())
        return "?" if value is None else name_of(value, parameter.type, self.position.game)

    def _text(self, expr: ir.Expr) -> str:
        """Returns the words for an expression, with values in place of names."""
        return plain_text(self.say.value(expr))

    def _value(self, expr: ir.Expr, look: Accounting) -> int | None:
        """Returns the value of an expression; None if it fails, or the viewer may not know it."""
        try:
            value = look.value(expr, dict(self.locals))
        except (RuntimeRules, KeyError):
            return None
        return value if self._may_know(look.seers) else None

    def _may_know(self, seers: int) -> bool:
        return self.viewer is None or seers == EVERYONE or bool(seers & self.viewer)

    def _accounting(self) -> Accounting:
        position = self.position
        return Accounting(
            position.row,
            position.game,
            position.layout,
            visibility=position.visibility,
            knowledge=position.knowledge,
            told=self.told,
            patience=position.patience,
        )


def _telling(look: Accounting) -> tuple[NumberAccount, ...]:
    return tuple(account for account in look.accounts if account.is_telling)
