"""A tree -> text in the standard style: the formatter, and the canonical text of a game.

    to use(p,nitro):p.push+=1 [OS-X.6]
    to use(p, nitro): p.push += 1                                        [OS-X.6]

Formatting keeps what is not in the tree: comments, blank lines (one at a time), redundant brackets, lines broken by
hand, and bodies on the line of their head. The canonical text has none of these. Both parse to an equal tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias, assert_never

from rulelang.source import SourceText
from rulelang.syntax import nodes
from rulelang.syntax.parser import parse
from rulelang.syntax.printing.columns import lay_out
from rulelang.syntax.printing.comments import weave
from rulelang.syntax.printing.expression_printer import ATOM, OR, SUM, idents, on_one_line, quoted
from rulelang.syntax.printing.statement_printer import StatementPrinter, no_word, two_texts
from rulelang.syntax.texts import stacks, ungrouped

EntryNode: TypeAlias = nodes.FieldLineNode | nodes.ToldNode | nodes.MapTextNode | nodes.DrawnNode | nodes.RowNode
"""A line of a kind, a board or data."""


def format_source(source: SourceText) -> str:
    r"""Returns the text of a source in the standard style; unchanged if it has syntax errors.

    >>> format_source(SourceText("nim.rules", "constant   heap=21 # matches\n"))
    'constant heap = 21  # matches\n'
    """
    parsed = parse(source)
    if any(diagnostic.is_error for diagnostic in parsed.diagnostics):
        return source.text
    printer = TreePrinter(keep_form=True)
    printer.module(parsed.module)
    return lay_out(weave(source, printer.lines, parsed.module.comments))


def print_module(module: nodes.ModuleNode) -> str:
    """Returns the canonical text of a tree: the same for all trees that are equal."""
    printer = TreePrinter(keep_form=False)
    printer.module(module)
    return lay_out(printer.lines)


class TreePrinter(StatementPrinter):
    """Collects the lines of a tree."""

    def module(self, module: nodes.ModuleNode) -> None:
        for declaration in module.declarations:
            self.declaration(declaration)

    # ------------------------------------------------------------------ declarations

    def declaration(self, node: nodes.Declaration, before: str = "") -> None:
        """Adds the lines of a declaration, with `before` in front of the first: `replace ` in a variant."""
        match node:
            case (
                nodes.GameDeclaration()
                | nodes.StateDeclaration()
                | nodes.AimDeclaration()
                | nodes.ScreenDeclaration()
                | nodes.VariantDeclaration()
                | nodes.ScenarioDeclaration()
            ):
                self._with_lines(node, before)
            case (
                nodes.KindDeclaration() | nodes.DataDeclaration() | nodes.BoardDeclaration() | nodes.ClockDeclaration()
            ):
                self._with_table(node, before)
            case nodes.ValueDeclaration():
                self._value(node, before)
            case nodes.DrawingDeclaration(name, board, lines):
                self._line(node, f'{before}map {name.text} of {board.text} """', node.cites, drawing=lines)
            case (
                nodes.VerbDeclaration()
                | nodes.HookDeclaration()
                | nodes.WheneverDeclaration()
                | nodes.FlowDeclaration()
                | nodes.ActionDeclaration()
            ):
                needs, shows = (node.needs, node.shows) if isinstance(node, nodes.ActionDeclaration) else ((), None)
                self._suite(node, before + self._head(node), node.cites, node.body, needs, shows)
            case nodes.EnumDeclaration() if any(
                isinstance(m, nodes.NamedNode) and (m.says or m.cites) for m in node.members
            ):
                self._members(node, f"{before}enum {node.name.text}{two_texts(node.label, node.plural)}:", node.members)
            case _:  # all other declarations are one line
                self._line(node, before + self._one_line(node), node.cites)

    def _one_line(self, node: nodes.Declaration) -> str:
        match node:
            case nodes.IncludeDeclaration(path):
                return f"include{quoted(path)}"
            case nodes.NamesDeclaration(groups):
                return "names " + "; ".join(f"{idents(names)}: {self.type(type_)}" for names, type_ in groups)
            case nodes.ConstantDeclaration(name, value):
                return f"constant {name.text} = {self.expr(value)}"
            case nodes.NounDeclaration(name, one, many):
                return f"noun {name.text}{two_texts(one, many)}"
            case nodes.EnumDeclaration(name, members, label, plural):
                return f"enum {name.text}{two_texts(label, plural)}: {', '.join(_named(member) for member in members)}"
            case nodes.DieDeclaration(name, faces):
                return f"die {name.text}: {self.expressions(faces)}"
            case nodes.OptionDeclaration(name, type_, default, label):
                return f"option {name.text}: {self.type(type_)}{self._default(default)}{quoted(label)}"
            case nodes.AdjustDeclaration():
                return self._adjust(node)
            case _:  # a declaration that has lines of its own
                raise TypeError(f"no way to print {type(node).__name__}")

    def _members(
        self, node: nodes.EnumDeclaration | nodes.AddMembersOperation, head: str, members: Sequence[nodes.IdentNode]
    ) -> None:
        """Adds a head, and its members each on a line of its own."""
        self._line(node, head, node.cites)
        with self._block():
            for member in members:
                says, cites = (member.says, member.cites) if isinstance(member, nodes.NamedNode) else (None, ())
                self._line(member, _named(member) + (f":{quoted(says)}" if says is not None else ""), cites)

    def _default(self, value: nodes.Expression | None) -> str:
        return "" if value is None else f" = {self.expr(value)}"

    def _adjust(self, node: nodes.AdjustDeclaration) -> str:
        column = f".{node.column.text}" if node.column else ""
        words = {"set": "set ", "times": "times ", "+": "+", "-": "-", "least": "at least ", "most": "at most "}
        changes = ", ".join(
            words[change.what] + self.expr(change.value, OR if change.what == "set" else SUM) for change in node.changes
        )
        rest = self.condition(node.condition) + _label(node.label)
        return f"adjust {node.name.text}{self.parameters(node.parameters)}{column}: {changes}{rest}"

    def _head(
        self,
        node: nodes.VerbDeclaration
        | nodes.HookDeclaration
        | nodes.WheneverDeclaration
        | nodes.FlowDeclaration
        | nodes.ActionDeclaration,
    ) -> str:
        match node:
            case nodes.VerbDeclaration(True, name, parameters, sentence):
                return f"phase {name.text}{self.parameters(parameters)}{quoted(sentence)}"
            case nodes.VerbDeclaration(_, name, parameters, sentence):
                deep = "" if node.returns is None else f" -> {self.type(node.returns)}"
                deep += "" if node.deep is None else f" at most {self.expr(node.deep, SUM)} deep"
                otherwise = "" if node.otherwise is None else f", else{quoted(node.otherwise)}"
                called = "" if node.called is None else f" called{quoted(node.called)}"
                untold = " untold" + ("," if called else "") if node.untold else ""
                telling = untold + called if untold or called else quoted(sentence) + otherwise
                return f"to {name.text}{self.parameters(parameters) or '()'}{deep}{telling}"
            case nodes.HookDeclaration(when, verb, parameters, condition, label):
                word = "instead of" if when == "instead" else when
                rest = self.condition(condition) + self.chosen(node.chooser) + _label(label)
                return f"{word} {verb.text}{self.parameters(parameters)}{rest}"
            case nodes.WheneverDeclaration(condition, binders, filter_, label):
                order = self.keys(node.keys)
                over = f" for {self.binders(binders)}{order}{self.condition(filter_, OR)}" if binders else ""
                return f"whenever {self.expr(condition, OR)}{over}{self.chosen(node.chooser)}{_label(label)}"
            case nodes.FlowDeclaration(what):
                return what
            case nodes.ActionDeclaration(name, parameters, when, beside, label):
                moment = "" if when is None else f" at any {when}" if not beside else f" beside {idents(beside)}"
                return f"action {name.text}{self.parameters(parameters)}{moment}{two_texts(label, node.told)}"
            case _:
                assert_never(node)

    def _value(self, node: nodes.ValueDeclaration, before: str) -> None:
        type_ = "" if node.type is None else f" -> {self.type(node.type)}"
        deep = "" if node.deep is None else f", at most {self.expr(node.deep, SUM)} deep"
        called = "" if node.called is None else f", called{quoted(node.called)}"
        denied = "" if node.denied is None else f", else{quoted(node.denied)}"
        head = f"{before}value {node.name.text}{self.parameters(node.parameters)}{type_}{deep}{called}{denied} ="
        first, line = node.cases[0], f"{head} {self.expr(node.cases[0].value)}"
        is_plain = len(node.cases) == 1 and first.condition is None and not first.cites and not node.lets
        if is_plain and not self._begins_line(first) and self._fits(line):
            self._line(node, line, node.cites)
            return
        self._line(node, head, node.cites)
        with self._block():
            for let in node.lets:
                self._line(let, f"let {let.name.text} = {self.expr(let.value)}{self._clamps(let.clamps)}", let.cites)
            for case in node.cases:
                self._line(case, self._case(case), case.cites, hang="")

    def _case(self, node: nodes.CaseNode) -> str:
        if node.condition is not None:
            return f"{self.expr(node.value, OR)} if {self.expr(node.condition, OR)}"
        behind = node.span.source.text[node.value.span.end : node.span.end]
        says_otherwise = self.keep_form and behind.lstrip().startswith("otherwise")
        return f"{self.expr(node.value, OR)} otherwise" if says_otherwise else self.expr(node.value)

    # ------------------------------------------------------------------ declarations with lines of their own

    def _with_lines(self, node: nodes.Declaration, before: str) -> None:
        match node:
            case nodes.GameDeclaration(name, title, lines):
                self._line(node, f"{before}game {name.text}{quoted(title)}:", node.cites)
                with self._block():
                    for line in lines:
                        self._line(line, self._game_line(line), line.cites)
            case nodes.StateDeclaration(owner, variables):
                head = "the game has" if owner is None else f"each {owner.text} has"
                self._line(node, f"{before}{head}:", node.cites)
                with self._block():
                    for variable in variables:
                        self._line(variable, self._variable(variable), variable.cites)
            case nodes.AimDeclaration(lines):
                self._line(node, f"{before}aim:", node.cites)
                with self._block():
                    for aim_line in lines:
                        self._line(aim_line, self._aim_line(aim_line), aim_line.cites)
            case nodes.ScreenDeclaration(lines):
                self._line(node, f"{before}screen:", node.cites)
                with self._block():
                    for screen_line in lines:
                        self._line(screen_line, self._screen_line(screen_line))
            case nodes.VariantDeclaration(name, of, title, operations):
                self._line(node, f"{before}variant {name.text} of {of.text}{quoted(title)}:", node.cites)
                with self._block():
                    for operation in operations:
                        self._operation(operation)
            case nodes.ScenarioDeclaration(title, options, steps):
                settings = ", ".join(f"{name.text} = {self.expr(value)}" for name, value in options)
                with_ = f" with {settings}" if settings else ""
                self._line(node, f"{before}scenario{quoted(title)}{with_}:", node.cites)
                with self._block():
                    for step in steps:
                        self._step(step)
            case _:  # a declaration that has no lines of its own
                raise TypeError(f"no way to print {type(node).__name__}")

    def _game_line(self, node: nodes.GameLineNode) -> str:
        if node.what == "lone":
            return f"lone options are {node.names[0].text}"
        value = "" if node.value is None else f" {self.expr(node.value)}"
        if node.parts:
            return f"history of {', '.join(self.expr(part, ATOM) for part in node.parts)}: at most{value}"
        if node.what == "steps":
            return f"at most{value} steps"
        names = f" {', '.join(_named(name) for name in node.names)}" if node.names else ""
        return f"{node.what}{value}{names}{quoted(node.text)}"

    def _variable(self, node: nodes.VariableNode) -> str:
        modifiers = "".join(f", {self._modifier(modifier)}" for modifier in node.modifiers)
        if isinstance(node.type, nodes.BoxTypeNode):
            return f"{node.name.text}: {modifiers.removeprefix(', ')}"
        head = f"{node.name.text}{self.parameters(node.parameters)}: {self.type(node.type)}"
        return head + self._default(node.initial) + modifiers

    def _modifier(self, node: nodes.ModifierNode) -> str:
        least = SUM if node.what == "at most" else OR
        if node.text is not None:
            return f"{node.what}{quoted(node.text)}"
        if node.until:
            return f"{node.what} {node.until}"
        return node.what if node.value is None else f"{node.what} {self.expr(node.value, least)}"

    def _aim_line(self, node: nodes.AimLineNode) -> str:
        told = () if node.told is None else (nodes.ShownFieldNode(node.told, None, span=node.told.span),)
        names = f" {idents(node.names)}" if node.names else ""
        return f"{node.what}{names}{self._fields((*node.fields, *told), on_head=True)}"

    def _screen_line(self, node: nodes.ScreenLineNode) -> str:
        fold = "" if node.fold is None else f"fold{quoted(node.fold)}: "
        return fold + self._screen_part(node)

    def _screen_part(self, node: nodes.ScreenLineNode) -> str:
        subject = "" if node.subject is None else self.expr(node.subject, ATOM)
        match node.what:
            case "line":
                return f"line{self._texts(node)}"
            case "track":
                binder = "" if node.binder is None else self.binders([node.binder])
                return f"track {binder}:{self._texts(node)}"
            case "cards":
                fanned = "" if node.fanned is None else f" fanned {node.fanned.text}"
                return f"cards {subject}{' of viewer' if node.of_viewer else ''}{quoted(node.text)}{fanned}"
            case "table":
                return f"table {subject}{f' by {node.by.text}' if node.by else ''}{quoted(node.text)}"
            case "map" | "each":
                doors = "" if node.doors is None else f" doors {self.expr(node.doors, OR)}"
                marked = " with coordinates" if node.coordinates else ""
                return f"{node.what} {subject}{marked}" + (f":{self._texts(node)}" if node.fields else "") + doors
            case _:
                assert_never(node.what)

    def _texts(self, node: nodes.ScreenLineNode) -> str:
        texts = [text for field in node.fields for text in ungrouped(field, stacks(node))]
        return self._fields(texts, on_head=node.what == "line")

    def _operation(self, node: nodes.Operation) -> None:
        match node:
            case nodes.AddOperation(declaration):
                self.declaration(declaration)
            case nodes.ReplaceOperation(declaration):
                self.declaration(declaration, "replace ")
            case nodes.RemoveOperation(name):
                self._line(node, f"remove {name.text}", node.cites)
            case nodes.ChangeFieldOperation(kind, condition, field, value):
                said = quoted(value).strip() if isinstance(value, nodes.TextNode) else self.expr(value)
                code = f"in {kind.text}{self.condition(condition)}: {field.text} = {said}"
                self._line(node, code, node.cites)
            case nodes.ChangeColumnOperation(table, column):
                self._line(node, f"in {table.text}: {self._field(column)}", node.cites)
            case nodes.AddRowsOperation(table, rows):
                self._line(node, f"add to {table.text}:", node.cites)
                self.tables += 1
                with self._block():
                    for row in rows:
                        self._entry(row)
            case nodes.AddMembersOperation(enum, members) if any(
                isinstance(m, nodes.NamedNode) and (m.says or m.cites) for m in members
            ):
                self._members(node, f"add to enum {enum.text}:", members)
            case nodes.AddMembersOperation(enum, members):
                names = ", ".join(_named(member) for member in members)
                self._line(node, f"add to enum {enum.text}: {names}", node.cites)
            case nodes.SetGameLineOperation(line):
                self._line(line, self._game_line(line), line.cites)
            case nodes.VoidOperation(scenario, because):
                self._line(node, f"void{quoted(scenario)} because{quoted(because)}", node.cites)
            case nodes.VoidCitingOperation(cited, because):
                ids = ", ".join(cite.id for cite in cited)
                self._line(node, f"void all citing [{ids}] because{quoted(because)}", node.cites)
            case _:  # a node that is no operation
                raise TypeError(f"no way to print {type(node).__name__}")

    # ------------------------------------------------------------------ tables

    def _with_table(
        self,
        node: nodes.KindDeclaration | nodes.DataDeclaration | nodes.BoardDeclaration | nodes.ClockDeclaration,
        before: str,
    ) -> None:
        self._line(node, before + self._table_head(node), node.cites)
        fields = () if isinstance(node, nodes.ClockDeclaration) else node.fields
        maps = node.maps if isinstance(node, nodes.BoardDeclaration) else ()
        drawn = node.drawn if isinstance(node, nodes.BoardDeclaration) else ()
        told = node.told if isinstance(node, nodes.KindDeclaration) else ()
        entries: list[EntryNode] = [*told, *fields, *maps, *drawn, *node.rows]
        if self.keep_form:
            entries.sort(key=lambda entry: entry.span.start)
        self.tables += 1
        with self._block():
            for entry in entries:
                self._entry(entry)

    def _table_head(
        self, node: nodes.KindDeclaration | nodes.DataDeclaration | nodes.BoardDeclaration | nodes.ClockDeclaration
    ) -> str:
        match node:
            case nodes.KindDeclaration(name, label):
                return f"kind {name.text}{two_texts(label, node.plural)}:"
            case nodes.DataDeclaration(name, parameters):
                return f"data {name.text}{self.parameters(parameters) or '()'}:"
            case nodes.BoardDeclaration(name, label, shape, diagonals, of=of):
                more = f" of {of.text}" if of else " with diagonals" if diagonals else ""
                return f"board {name.text}{quoted(label)}: {shape.text}{more}"
            case nodes.ClockDeclaration(name, type_):
                return f"clock {name.text}: {self.type(type_)}"
            case _:
                assert_never(node)

    def _entry(self, node: EntryNode) -> None:
        match node:
            case nodes.ToldNode(what, text, cites):
                self._line(node, f"{what.text}:{quoted(text)}", cites)
            case nodes.FieldLineNode(cites=cites):
                self._line(node, self._field(node), cites)
            case nodes.MapTextNode(lines, name, cites):
                self._line(node, f'map{f" {name.text}" if name else ""} """', cites, drawing=lines)
            case nodes.DrawnNode(lines, cites):
                self._line(node, 'drawn """', cites, drawing=lines)
            case nodes.RowNode(cells, cites):
                self._line(node, "", cites, cells=tuple(self._cell(cell) for cell in cells), table=self.tables)
            case _:
                assert_never(node)

    def _field(self, node: nodes.FieldLineNode) -> str:
        called = "" if node.called is None else f", called{quoted(node.called)}"
        name = f"{node.name.text}{self.parameters(node.key)}"
        return f"{name}: {self.type(node.type)}{self._default(node.default)}{called}"

    def _cell(self, cell: nodes.Expression | nodes.TextNode | None) -> str:
        if cell is None:
            return ""
        return quoted(cell).strip() if isinstance(cell, nodes.TextNode) else on_one_line(self.expr(cell))

    # ------------------------------------------------------------------ scenarios

    def _step(self, node: nodes.ScenarioStep) -> None:
        match node:
            case nodes.ExpectStep("after", value, _, _, inner):
                self._after(node, value, inner)
            case nodes.DrawnStep(zone, first, lines, at):
                moment = self._moment(at)
                code = f'given {self.expr(zone, ATOM)} from {self.expr(first, ATOM)}{moment} """'
                self._line(node, code, node.cites, drawing=lines)
            case nodes.ExpectStep():
                self._line(node, self._expect(node), node.cites)
            case _:  # all other lines are inputs
                self._line(node, self._input(node), node.cites)

    def _moment(self, at: nodes.Expression | nodes.TextNode | None) -> str:
        if at is None:
            return ""
        return f" at {quoted(at).strip() if isinstance(at, nodes.TextNode) else self.expr(at, ATOM)}"

    def _input(self, node: nodes.ScenarioStep) -> str:
        match node:
            case nodes.PlayersStep(names):
                return f"players {idents(names)}"
            case nodes.LoneStep(manner):
                return f"lone options are {manner.text}"
            case nodes.GivenStep(assignments, at):
                givens = ", ".join(f"{self.expr(to, ATOM)} = {self.expr(value)}" for to, value in assignments)
                return f"given {givens}{self._moment(at)}"
            case nodes.InputStep(who, option, elapsed):
                return f"{who.text}: {self.expr(option)}" + ("" if elapsed is None else f" after {self.expr(elapsed)}")
            case nodes.OthersStep(option):
                return f"others {self.expr(option)}"
            case nodes.RollStep(die, results):
                return f"roll {die.text} {self.expressions(results)}"
            case nodes.DrawStep(things):
                return f"draw {self.expressions(things)}"
            case _:  # a line that is no input
                raise TypeError(f"no way to print {type(node).__name__}")

    def _after(self, node: nodes.ExpectStep, call: nodes.Expression | None, inner: Sequence[nodes.ExpectStep]) -> None:
        head = f"after {'' if call is None else self.expr(call, ATOM)}:"
        if len(inner) == 1 and not node.cites and self._follows_on_line(inner[0]):
            self._line(node, f"{head} {self._expect(inner[0])}", inner[0].cites)
            return
        self._line(node, head, node.cites)
        with self._block():
            for step in inner:
                self._step(step)

    def _expect(self, node: nodes.ExpectStep) -> str:
        who = "" if node.who is None else node.who.text
        value = "" if node.value is None else self.expr(node.value, ATOM if node.form in ("winner", "event") else 0)
        option = "" if node.option is None else self.expr(node.option)
        match node.form:
            case "holds":
                return f"expect {no_word('lost$|winner[(]|event[(]', value)}"
            case "can" | "cannot":
                return f"expect {who} {node.form} {option}"
            case "is asked" | "is not asked":
                return f"expect {who} {node.form}"
            case "sees":
                return f"expect {who} sees {value}"
            case "blind":
                return f"expect {who} cannot see {value}"
            case "winner" | "lost" | "event" | "after":
                return f"expect {node.form} {value}".rstrip()
            case _:
                assert_never(node.form)


def _named(name: nodes.IdentNode) -> str:
    """Returns the name of a member or a seat, with its name for people, its colour and its shape or sign if it has them."""
    if not isinstance(name, nodes.NamedNode):
        return name.text
    colour = f" in {name.colour.text}" if name.colour else ""
    match name.shape:
        case None:
            drawn = ""
        case nodes.IdentNode(text=shape):
            drawn = f" as {shape}"
        case nodes.TextNode():
            drawn = f" as{quoted(name.shape)}"
        case _:
            assert_never(name.shape)
    return name.text + quoted(name.called) + colour + drawn


def _label(label: nodes.IdentNode | None) -> str:
    return "" if label is None else f" as {label.text}"
