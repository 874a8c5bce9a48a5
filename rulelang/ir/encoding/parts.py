"""A woven game -> the parts that a run may come by, as texts: a run that comes by no part that differs goes as before.

    parts = RunParts.of(game)
    parts.come_by({4}, {(0, 1)})                {"base", "procedures advance", "values speed", …}
    parts.differing(RunParts.of(edited))        {"values speed"}

A run notes the rules that began and the options that were chosen (a machine tells both). What else it may come by follows
from those: procedures that are no rules of their own, questions, and all values, data and tables that these read. Parts go
by their names, and name each other; so equal texts mean the same, whatever numbers an edit has moved.

Words for people, and what is seen by whom, are no part. The clauses of a question are a part of their own, which comes with
the question wherever somebody asks why an answer is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

import attrs

from rulelang.ir import model as ir
from rulelang.ir.encoding.digest import Canonical
from rulelang.ir.encoding.printer import IRPrinter
from rulelang.ir.picks import pick_kinds
from rulelang.ir.walk import closure

Met: TypeAlias = tuple[str, int]
"""A declaration that a part names: the field of the game in which it stands, and its number there; `foreseen` procedures
are run by whoever evaluates the part."""
_Part: TypeAlias = tuple[str, bool]
"""A part by its name, and whether it is foreseen: then nobody notes which rules begin in it."""
BASE = "base"
"""The part that every run comes by: how a game begins, and what there is in it."""
CITED = "cited by {}"
"""The part with the clauses that a choice, which has this name, cites."""
_NUMBERED = ("values", "data", "tables", "procedures", "choices", "states")
"""The fields with the declarations that parts name."""
_OF_GAME = ("players", "seats", "steps", "history", "dice", "clocks", "streams", "during", "scratch")
"""The fields that every run comes by, whatever it does."""


@attrs.frozen(eq=False)
class RunParts:
    """The parts of a game, by name."""

    game: ir.GameRules = attrs.field(repr=False)
    _printer: _Printer = attrs.field(repr=False)
    _known: dict[tuple[str, bool], frozenset[str]] = attrs.field(factory=dict, init=False, repr=False)

    @classmethod
    def of(cls, game: ir.GameRules) -> RunParts:
        """Returns the parts of a woven game."""
        printer = _Printer(game)
        printer.print_all()
        return cls(game, printer)

    @property
    def texts(self) -> Mapping[str, str]:
        """The texts of the parts."""
        return self._printer.texts

    def come_by(
        self,
        rules: Iterable[int],
        branches: Iterable[tuple[int, int]],
        read: object = None,
        *,
        asks_why: bool = False,
    ) -> frozenset[str]:
        """Returns the parts that a run has come by, if these rules began in it, these branches of choices were chosen, and
        somebody evaluated the expressions inside what was `read`, such as a scenario; with the clauses of all questions if
        somebody `asks_why` an answer is refused."""
        of_rule, of_branch = self._printer.of_rule, self._printer.of_branch
        begun = [name for rule in rules for name in of_rule.get(rule, ())]
        chosen = [of_branch[one] for one in branches]
        also = self._leads_to(self._printer.named_in(read), is_foreseen=False)
        parts = [(name, False) for name in (BASE, *begun, *chosen)]
        found = frozenset[str]().union(*map(self._along, (*parts, *also)))
        return found.union(map(CITED.format, found)) if asks_why else found

    def differing(self, other: RunParts) -> frozenset[str]:
        """Returns the names of the parts that are others in another game, or only in one of both."""
        names = self.texts.keys() | other.texts.keys()
        return frozenset(name for name in names if self.texts.get(name) != other.texts.get(name))

    def _along(self, part: _Part) -> frozenset[str]:
        """Returns the parts that come with one, wherever a run comes by it, and the part itself."""
        if part not in self._known:
            found = closure([part], lambda one: self._leads_to(self._printer.met[one[0]], is_foreseen=one[1]))
            self._known[part] = frozenset(name for name, _ in found)
        return self._known[part]

    def _leads_to(self, met: Iterable[Met], *, is_foreseen: bool) -> Iterator[_Part]:
        """Yields the parts that come with some declarations which a part names."""
        names = self._printer.own_names
        for what, id in met:
            match what:
                case "values" | "data" | "tables" | "choices":
                    yield names[what, id], is_foreseen
                case "procedures":
                    # Where another rule begins, the run notes it.
                    if is_foreseen or self.game.procedures[id].rule is None:
                        yield names[what, id], is_foreseen
                case "foreseen":
                    after = () if self.game.checkpoint is None else (self.game.checkpoint,)
                    yield from ((names["procedures", one], True) for one in (id, *after))
                case _:  # all variables are in the base
                    pass


@attrs.define
class _Printer(Canonical):
    """Prints the parts one by one, and notes which declarations each of them names."""

    texts: dict[str, str] = attrs.field(factory=dict)
    met: dict[str, frozenset[Met]] = attrs.field(factory=dict)
    own_names: dict[Met, str] = attrs.field(factory=dict)
    """The names of the declarations, each its own."""
    of_rule: dict[int, tuple[str, ...]] = attrs.field(factory=dict)
    of_branch: dict[tuple[int, int], str] = attrs.field(factory=dict)
    _noted: set[Met] = attrs.field(factory=set)
    """The declarations that were named since the last part."""
    _waiting: list[int] = attrs.field(factory=list)
    """The choices that were asked since then."""

    def print_all(self) -> None:
        """Prints all parts."""
        of = self.of
        for what in _NUMBERED:
            counts = Counter[str]()
            for one in getattr(of, what):
                name = f"{what} {one.owner}.{one.name}" if getattr(one, "owner", None) else f"{what} {one.name}"
                counts[name] += 1
                self.own_names[what, one.id] = name if counts[name] == 1 else f"{name}'{counts[name]}"
        self._part(BASE, self._base())
        for value in of.values:
            self._part(self.own_names["values", value.id], self._value(value))
        for data in of.data:
            self._part(self.own_names["data", data.id], self._data(data))
        for table in of.tables:
            self._part(self.own_names["tables", table.id], self._table(table))
        for procedure in of.procedures:
            name = self.own_names["procedures", procedure.id]
            self._part(name, self._procedure(procedure))
            if procedure.rule is not None:
                self.of_rule[procedure.rule] = (*self.of_rule.get(procedure.rule, ()), name)
            self._questions()

    def named_in(self, value: object) -> frozenset[Met]:
        """Returns the declarations that the expressions inside a value name."""
        self._noted = set()
        for node in _nodes_in(value):
            self._field(node)
        return frozenset(self._noted)

    def _part(self, name: str, lines: Iterator[str], *, goes_on: bool = False) -> None:
        """Prints a part; one that goes on with another shares its locals."""
        if not goes_on:
            self.fresh.clear()
        self._noted = set()
        self.texts[name] = "\n".join(lines)
        self.met[name] = frozenset(self._noted)

    def _questions(self) -> None:
        """Prints the choices that the last procedure asks, and what their options do: they share its locals."""
        while self._waiting:
            choice = self.of.choices[self._waiting.pop()]
            name = self.own_names["choices", choice.id]
            if name in self.texts:
                continue
            offer = attrs.evolve(choice, branches=tuple(attrs.evolve(one, body=()) for one in choice.branches))
            self._part(name, self._offer(offer), goes_on=True)
            self.texts[CITED.format(name)] = self._clauses(choice)
            for number, branch in enumerate(choice.branches):
                does = self.of_branch[choice.id, number] = f"{name} option {number}"
                self._part(does, self._body(branch.body, 0), goes_on=True)

    def _base(self) -> Iterator[str]:
        """Yields the lines of the base; the numbers of variables, zones and things stay as they are in it."""
        of = self.of
        yield from (f"{field}: {getattr(of, field)!r}" for field in _OF_GAME)
        yield from (f"board {one.kind}: {one.cells} {one.marks} {one.directions} {one.map}" for one in of.boards)
        yield f"picks: {sorted(pick_kinds(of).items())}"
        for kind in of.kinds:
            columns = [(name, self.named("tables", table)) for name, table, _ in kind.columns]
            yield f"kind {kind.name}: {kind.names} {kind.classes} {kind.movable} {columns}"
        for state in of.states:
            yield from self._variable(state)
            yield f"until {state.until}"
        for zone in of.zones:
            yield from self._zone(zone)
            yield f"box: {zone.visible}, {zone.top_up}"
        yield f"begins with {self.named('procedures', of.main)}"

    def _offer(self, choice: ir.Choice) -> Iterator[str]:
        """Yields the lines of a choice."""
        yield from self._choice(choice)
        yield f"open {choice.open}, private {choice.private}, sealed {choice.sealed}, forced {choice.forced}"
        for branch in choice.branches:
            yield f"alike {[parameter.interchange for parameter in branch.parameters]}"

    def _clauses(self, choice: ir.Choice) -> str:
        """Returns the clauses that say why an answer to a choice is refused."""
        sites = self.of.sites
        cited = [sites[choice.site].clauses]
        for branch in choice.branches:
            cited.append(sites[branch.site].clauses)
            cited += [need.clauses or sites[need.site].clauses for need in branch.needs]
        return repr(cited)

    # -------------------------------------------------------------- differences from the canonical form

    def named(self, what: str, id: int) -> str:
        """Returns the name of a declaration, and notes it."""
        if what not in _NUMBERED:
            return f"{getattr(self.of, what)[id].name} {id if what == 'zones' else ''}"
        self._noted.add((what, id))
        return self.own_names[what, id]

    def expression(self, node: ir.Expr) -> str:
        """Returns an expression as text, with the streams of what is drawn."""
        if isinstance(node, ir.Foreseen):
            self._noted.add(("foreseen", node.procedure))
        text = super().expression(node)
        return f"{text} from {node.stream}, {node.cells}" if isinstance(node, ir.Roll | ir.Pick) else text

    def _statement(self, statement: ir.Statement, level: int) -> Iterator[str]:
        if isinstance(statement, ir.Witness):
            return
        if isinstance(statement, ir.Ask):
            self._waiting.append(statement.choice)
        yield from IRPrinter._statement(self, statement, level)


def _nodes_in(value: object) -> Iterator[object]:
    """Yields the outermost nodes of the IR inside a value."""
    if type(value) in ir.NODES:
        yield value
    elif isinstance(value, tuple | frozenset):
        for one in value:
            yield from _nodes_in(one)
    elif attrs.has(kind := type(value)):
        for field in attrs.fields(kind):
            if field.eq:
                yield from _nodes_in(getattr(value, field.name))
