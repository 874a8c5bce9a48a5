"""Statements of the IR -> steps in words, with the clauses that they cite.

move 2 of bonuses to p.offer      Move 2 from the bonuses to the player's offer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice, takewhile
from typing import assert_never

import attrs

from rulelang.ir import model as ir
from rulelang.ir.types import NONE, EnumType, FlagType, IntType, KindType, SetType, Type, size_of
from rulelang.ir.walk import statements_in, walk
from rulelang.knowledge.redaction import VALUE
from rulelang.machines.legal import abolished_by, agreed_by_default
from rulelang.program.values import clean, plain
from rulelang.prose.passage import is_nameless
from rulelang.prose.phrases import bare, is_plural, with_one_article, without
from rulelang.prose.prose import Prose
from rulelang.prose.words import Plain, SectionLink, Term, Words, begun, flat, plain_text, row
from rulelang.rulebook.printed.model import Item
from rulelang.rulebook.printed.orders import TURNS, chosen_order, drops_answer, in_time, turns_in, who_is_next

ONE = ir.Const(1)
LONG = 4
"""The words of a number that is said behind a sentence and not within it."""
SHORT = 3
"""The most statements of a verb without a sentence that is described wherever it is called."""


def target(rule: ir.Rule) -> str:
    """Returns the id of the section on an action."""
    return f"{rule.what}-{rule.name}"


def procedure_target(procedure: ir.Procedure, rule: ir.Rule) -> str:
    """Returns the id of the section on a verb or a phase; verbs of one name differ by their literal parameters."""
    literal = [plain(v.name) for v in procedure.parameters if v.name.endswith(" ")]
    return "-".join([target(rule), *(name.replace(" ", "_") for name in literal)])


def inside(game: ir.GameRules) -> frozenset[int]:
    """Returns the procedures that are described in place of their calls: unnamed ones, short or called once."""
    callers = Counter(
        node.procedure for node in walk((game.procedures, game.choices)) if isinstance(node, ir.Call | ir.Defer)
    )
    return frozenset(
        p.id for p in game.procedures if p.rule is None or _is_inside(p, game.rules[p.rule], callers[p.id])
    )


def _is_inside(procedure: ir.Procedure, rule: ir.Rule, callers: int) -> bool:
    if rule.what not in ("verb", "hook", "whenever") or rule.untold or procedure.recursion is not None:
        return False
    if rule.label is not None or rule.told is not None or rule.called is not None:
        return False
    return callers == 1 or sum(1 for _ in islice(statements_in(procedure.body), SHORT + 1)) <= SHORT


def cited(items: tuple[Item, ...], clauses: tuple[str, ...]) -> tuple[Item, ...]:
    """Returns steps of which the first also cites the clauses of the calling line."""
    if not items or not clauses:
        return items
    first = attrs.evolve(items[0], clauses=tuple(dict.fromkeys((*clauses, *items[0].clauses))))
    return (first, *items[1:])


def joined(item: Item) -> Item:
    """Returns a step joined with the only step inside it: `If it rains: stay at home.`"""
    if len(item.items) != 1 or item.items[0].items or not item.words or not plain_text(item.words).endswith(":"):
        return item
    inner = item.items[0]
    clauses = tuple(dict.fromkeys((*item.clauses, *inner.clauses)))
    return Item(flat(item.words, " ", going_on(inner.words)), clauses)


def going_on(words: Words) -> Words:
    """Returns words as they stand in the middle of a sentence."""
    match words:
        case (SectionLink(words=inner, target=target), *rest):
            return (link(going_on(inner), target), *rest)
        case (Plain(text=text), *rest) if not text[1:2].isupper():
            return (Plain(text[:1].lower() + text[1:]), *rest)
        case _:  # other words begin alike everywhere
            return words


def link(words: Words, target: str) -> SectionLink:
    """Returns a link with the emphasis of its words."""
    return SectionLink(tuple(span for span in words if not isinstance(span, SectionLink)), target)


def _chosen(body: tuple[ir.Statement, ...], literal: dict[int, int]) -> tuple[ir.Statement, ...]:
    """Returns the body of a verb of several cases; the one that is meant, where literal arguments tell it."""
    match body:
        case (ir.When(branches=branches, otherwise=otherwise),):
            for condition, inner, _ in branches:
                match condition:
                    case ir.Op("==", (ir.Local(id=id), ir.Const(value=value))) if id in literal:
                        if literal[id] == value:
                            return inner
                    case _:  # any other condition is for those who play
                        return body
            return otherwise
        case _:  # a verb of one case
            return body


MANY_NOTES = 3
"""The fewest notes that are struck out in one line."""


@attrs.frozen
class StatementProse:
    """The words for the statements of one passage."""

    prose: Prose
    elsewhere: frozenset[str] = frozenset()
    """The ids of the document's sections, to which steps can link."""
    inside: frozenset[int] = frozenset()
    """The procedures that are described in place of their calls."""
    told: frozenset[int] = frozenset()
    """The sites whose clauses another part of the document cites."""

    @property
    def game(self) -> ir.GameRules:
        """The game that is described."""
        return self.prose.game

    def about(self, *passage: object) -> StatementProse:
        """Returns the same for a passage, with its own names."""
        return attrs.evolve(self, prose=self.prose.about(*passage, *self._inside(passage)))

    def given(self, words: dict[int, Words]) -> StatementProse:
        """Returns the same with words in place of some locals."""
        return attrs.evolve(self, prose=self.prose.given(words))

    def _inside(self, passage: object) -> Iterator[object]:
        """Yields the inner parts of a passage: its choices, and the procedures that are described in place."""
        for node in walk(passage):
            if isinstance(node, ir.Call | ir.Defer) and node.procedure in self.inside:
                piece = self.game.procedures[node.procedure].body
                yield piece
                yield from self._inside(piece)
            elif isinstance(node, ir.Ask):
                choice = self.game.choices[node.choice]
                said = tuple(b for b in choice.branches if target(self.game.rules[b.rule]) not in self.elsewhere)
                asked = (choice.who, choice.variable, choice.source, choice.condition, choice.prompt, said)
                yield asked
                yield from self._inside((said, choice.when_none))

    def of(self, body: tuple[ir.Statement, ...], deep: int = 0) -> tuple[Item, ...]:
        """Returns the steps of a body."""
        items: list[Item] = []
        rest = [one for one in body if not drops_answer(self.game, one)]
        while rest:
            several, count = self._of_one_line(rest, deep)
            items += several if several is not None else self._statement(rest[0], deep)
            rest = rest[count:]
        return tuple(items)

    def _of_one_line(self, rest: list[ir.Statement], deep: int) -> tuple[tuple[Item, ...] | None, int]:
        """Returns the words for several statements that come from one line of the rules, and their number; None and 1
        for a statement that stands alone.
        """
        match rest:
            case [ir.Assign(place=ir.Place(state=mover), value=first), ir.Assign(), *others] if (
                mover == self.game.mover and (loop := turns_in(others, mover)) is not None
            ):
                player, *body = (loop.body[0], *loop.body[2:-4])
                steps = self.about(player, body)
                words: Words = (Plain("Turn after turn:"),)
                if self.game.players[1] > 1 and isinstance(player, ir.Bind):
                    each = steps.prose.new(player.variable)
                    words = flat(
                        "Turn by turn, beginning with ",
                        self.prose.value(first, self.prose.types.thing(0)),
                        ", each ",
                        each,
                        *who_is_next(steps.prose, loop),
                        ":",
                    )
                return (self._item(loop, words, steps.of(tuple(body), deep + 1)),), 3 + others.index(loop)
            case [ir.Bind(), ir.Repeat(), *_] if (found := chosen_order(self.game, rest)) is not None:
                asked = self.chooser(self.game.choices[found.choice])
                each = (
                    flat(
                        "For ",
                        self.prose.each((found.loop.variable,), (found.loop.source,), found.loop.condition),
                        ", in",
                    )
                    if found.loop
                    else (Plain("One of these" if found.once else "In"),)
                )
                order = ", as " if found.once else " the order that "
                inner = found.loop.body if found.loop else found.calls
                chooses = " choose:" if plain_text(asked) == "you" else " chooses:"
                return (self._item(rest[1], flat(each, order, asked, chooses), self.of(inner, deep + 1)),), 2
            case [
                ir.Bind(value=ir.Either(then=usual)),
                ir.Assign(place=ir.Place(state=reading)) as clocked,
                ir.When(),
                ir.Assign(place=ir.Place(state=left)),
                *_,
            ] if any(clock.reading == reading and clock.state == left for clock in self.game.clocks):
                sand = self.prose.value(ir.Read(left, ()))
                taken = flat(
                    "Take from ", sand, " the time that a watch at the table shows, or else ", self.prose.value(usual)
                )
                words = flat(taken, ". If less is left, it has run out, and the rest is left out.")
                return (self._item(clocked, words),), 4
            case _:  # any other statement stands alone, unless it begins a run of bookkeeping
                run = [*takewhile(lambda found: found is not None, map(self._forgotten, rest))]
                names = list(dict.fromkeys(name for found in run for name in found or ()))
                if len(names) < MANY_NOTES:
                    return None, 1
                struck = row(tuple((Term(name),) for name in names), ", ", " and ")
                return (Item(flat("What was noted is struck out: ", struck, ".")),), len(run)

    def _forgotten(self, statement: ir.Statement) -> tuple[str, ...] | None:
        """Returns the names of the parts that a statement resets to their initial state, if people need not be told; None
        if it does anything else."""
        match statement:
            case ir.Assign(place=ir.Place(state=id), operator="=", value=value, least=None, most=None):
                state = self.game.states[id]
                is_struck = value == state.initial and not (isinstance(state.type, FlagType) and value == ir.Const(1))
                is_noted = state.untold and is_struck and not self._clauses(statement.site)
                return (clean(state.called) or plain(state.name),) if is_noted else None
            case ir.Loop(body=body) if not self._clauses(statement.site):
                found = [self._forgotten(inner) for inner in body if not isinstance(inner, ir.Witness)]
                names = [name for some in found for name in some or ()]
                return None if None in found else tuple(names)
            case ir.Witness():
                return ()
            case _:  # any other statement is more than bookkeeping
                return None

    def _statement(self, statement: ir.Statement, deep: int) -> Iterator[Item]:
        match statement:
            case ir.Loop() | ir.Assign() | ir.When() if self.game.sites[statement.site].what == "variable":
                pass  # What lasts for a time says so where it is listed.
            case ir.When():
                yield from self._when(statement, deep)
            case ir.Repeat(times=ir.Const(value=1), condition=None):
                yield from self.of(statement.body, deep)
            case ir.Loop() | ir.Simultaneous() | ir.Repeat():
                yield self._item(statement, flat(self._loop(statement), ":"), self.of(statement.body, deep + 1))
            case ir.Call(procedure=procedure, arguments=arguments) | ir.Defer(procedure=procedure, arguments=arguments):
                yield from self._call(statement, self.game.procedures[procedure], arguments, deep)
            case ir.Ask(choice=choice):
                yield from self._ask(statement, self.game.choices[choice], deep)
            case ir.BeginBody() | ir.EndBody() | ir.Settle() | ir.Witness() | ir.Stand() | ir.Fail():
                pass
            case _:  # a statement without a body is one line
                yield self._item(statement, flat(begun(self._line(statement)), "."))

    def _clauses(self, site: int) -> tuple[str, ...]:
        """Returns the clauses to cite for a site."""
        return () if site in self.told else self.game.sites[site].clauses

    def _item(self, statement: ir.Statement, words: Words, items: tuple[Item, ...] = ()) -> Item:
        return joined(Item(begun(words), self._clauses(statement.site), items))

    def _when(self, statement: ir.When, deep: int) -> Iterator[Item]:
        word = "If "
        for condition, body, site in statement.branches:
            clauses = self._clauses(site or statement.site)
            yield joined(Item(flat(word, self.prose.holds(condition), ":"), clauses, self.of(body, deep + 1)))
            word = "Otherwise, if "
        if statement.otherwise:
            yield joined(Item((Plain("Otherwise:"),), (), self.of(statement.otherwise, deep + 1)))

    def _loop(self, loop: ir.Loop | ir.Simultaneous | ir.Repeat) -> Words:
        say = self.prose
        if isinstance(loop, ir.Repeat):
            many = () if loop.times is None else say.value(loop.times)
            is_short = len(plain_text(many).split()) == 1
            times = () if loop.times is None else flat(" ", many, " times") if is_short else flat(" (", many, ") times")
            condition = () if loop.condition is None else flat(" as long as ", say.holds(loop.condition))
            return flat("Repeat", times, condition)
        each = say.each((loop.variable,), (loop.source,), loop.condition)
        if isinstance(loop, ir.Simultaneous):
            return flat("At the same time, for ", each)
        return flat("For ", each, *((", ", say.in_order(loop.keys, loop.variable.type)) if loop.keys else ()))

    # -------------------------------------------------------------- calls

    def _call(
        self, statement: ir.Statement, procedure: ir.Procedure, arguments: tuple[ir.Expr, ...], deep: int
    ) -> Iterator[Item]:
        if procedure.id in self.inside:
            pairs = list(zip(procedure.parameters, arguments, strict=False))
            literal = {v.id: a.value for v, a in pairs if isinstance(a, ir.Const)}
            words = {v.id: self.prose.value(a, v.type) for v, a in pairs}
            inner = self.given(words).of(_chosen(procedure.body, literal), deep)
            yield from cited(inner, self._clauses(statement.site))
            return
        assert procedure.rule is not None
        rule = self.game.rules[procedure.rule]
        given = {v.id: self.prose.value(a, v.type) for v, a in zip(rule.parameters, arguments, strict=False)}
        apart = self._apart(procedure, rule, arguments, given)
        sentence = self.sentence(rule, arguments, given | apart)
        if (rule.told or rule.label or rule.called) is None and rule.what != "phase":
            sentence = flat("Carry out “", sentence, "”")
        if procedure_target(procedure, rule) in self.elsewhere:
            sentence = (link(sentence, procedure_target(procedure, rule)),)
        where = row(tuple(flat(name, " is ", given[id]) for id, name in apart.items()))
        yield self._item(statement, flat(sentence, ", where " if where else "", where, "."))

    def _apart(
        self, procedure: ir.Procedure, rule: ir.Rule, arguments: tuple[ir.Expr, ...], given: dict[int, Words]
    ) -> dict[int, Words]:
        """Returns the names of those parameters whose arguments are said behind the sentence of a call: `…, where *n* is
        the smallest of 3 and the player's fuel`.

        They are those that the sentence does not speak of, and numbers that take many words.
        """
        spoken = {node.id for node in walk(rule.told or rule.label or rule.called) if isinstance(node, ir.Local)}
        names = self.about(procedure).prose
        found: dict[int, Words] = {}
        for variable, argument in zip(rule.parameters, arguments, strict=False):
            if variable.name.endswith(" "):
                continue
            name, words = names.local(variable.id), given[variable.id]
            is_simple = isinstance(argument, ir.Const | ir.Local) or len(plain_text(words).split()) < LONG
            is_known = is_simple and (isinstance(variable.type, IntType) or variable.id in spoken)
            if variable.id in spoken and (is_known or not isinstance(variable.type, IntType)):
                continue
            if name != words and argument != ir.Const(NONE):
                is_taken = any(span in name for span in words if isinstance(span, Term))
                found[variable.id] = (Term(f"{plain(variable.name)}′", is_name=True),) if is_taken else name
        return found

    def sentence(self, rule: ir.Rule, arguments: tuple[ir.Expr, ...], given: dict[int, Words]) -> Words:
        """Returns the sentence of a rule with words for its parameters, which stand for arguments."""
        template = rule.told or rule.label or rule.called
        if template is None:
            return (Term(plain(rule.name)),)
        say, values = self.prose.given(given), dict(zip((v.id for v in rule.parameters), arguments, strict=False))
        parts: list[str | Words] = []
        number: Type | None = None
        for part, type in zip(template.parts, template.types, strict=True):
            if isinstance(part, str):
                parts.append(part)
                number = number if part == " " else None
                continue
            if isinstance(part, ir.Local) and part.id in given:
                words = given[part.id]
            elif isinstance(part, ir.Counted) and isinstance(part.of, ir.Local) and values.get(part.of.id) == ONE:
                words = say.value(ir.Counted(ONE, part.one, part.many))
            elif isinstance(part, ir.Column) or (isinstance(part, ir.Read) and isinstance(type, KindType)):
                words = say.value(part, type)
            else:
                words = say.template(ir.Template((part,), (type,)))
            # An amount of something that is not named but spoken of: `3 of the resource`.
            is_amount = isinstance(number, IntType) and isinstance(type, EnumType) and bare(words) != words
            parts.append(flat("of ", words) if is_amount else words)
            number = type
        return begun(with_one_article(parts))

    # -------------------------------------------------------------- choices

    def _ask(self, statement: ir.Ask, choice: ir.Choice, deep: int) -> Iterator[Item]:
        who = self.chooser(choice)
        chooses = " choose" if plain_text(who) == "you" else " chooses"
        prompt = () if choice.prompt is None else flat(" “", self.prose.template(choice.prompt), "”")
        offers = tuple(item for branch in choice.branches for item in self.offer(branch, deep))
        secretly = ", each in secret, all at once" * choice.sealed + ", unseen by the others" * choice.private
        yield self._item(statement, flat(who, f"{chooses}{secretly}{in_time(choice)}:", prompt), offers)
        if choice.when_none:
            yield Item((Plain("If there is nothing to choose:"),), (), self.of(choice.when_none, deep + 1))

    def chooser(self, choice: ir.Choice) -> Words:
        """Returns the words for the chooser."""
        if choice.variable is not None and choice.source is not None:
            return begun(self.prose.each((choice.variable,), (choice.source,), choice.condition))
        return self.prose.value(choice.who, self.prose.types.thing(0)) if choice.who is not None else (Plain("you"),)

    def offer(self, branch: ir.Branch, deep: int) -> Iterator[Item]:
        """Yields the options: an action described elsewhere, a thing, or a branch in place."""
        rule = self.game.rules[branch.rule]
        if branch.interrupt or abolished_by(branch, agreed_by_default(self.game)) is not None:
            return
        if branch.declines:
            yield Item((Plain("nothing (pass)" if branch.name == "pass" else f"nothing more ({plain(branch.name)})"),))
        elif target(rule) in self.elsewhere:
            yield Item((link(self.about(rule).menu(rule), target(rule)),))
        elif branch.name == VALUE:
            yield Item(begun(flat(row(tuple(map(self.asked, branch.parameters))), ".")), (), self.needs(branch))
        else:
            words = self.menu(rule) or (Plain(plain(rule.name)),)
            yield Item(words, rule.clauses, (*self.needs(branch), *self.of(branch.body, deep + 1)))

    def menu(self, rule: ir.Rule) -> Words:
        """Returns a rule's label in menus."""
        return begun(self.prose.template(rule.label)) if rule.label is not None else (Plain(plain(rule.name)),)

    def asked(self, parameter: ir.Parameter) -> Words:
        """Returns the words for a parameter and its domain: `lane: any of the lanes`."""
        domain, new = self.domain(parameter), self.prose.new(parameter.variable)
        if plain_text(domain).startswith("all "):
            type = parameter.variable.type
            return flat(new, ": ", self.prose.members(type)) if is_nameless(type) else flat("any ", new)
        one_of = parameter.low is None and not isinstance(parameter.variable.type, IntType)
        return flat(new, ": one of " if one_of else ": ", domain)

    def domain(self, parameter: ir.Parameter) -> Words:
        """Returns the words for a parameter's domain."""
        type = parameter.variable.type
        element = type.element if isinstance(type, SetType) else type
        one = self.prose.all_of(parameter.domain, element)
        held = parameter.domain.pile if parameter.domain.pile is not None else parameter.domain.mask
        if isinstance(held, ir.Contents) and not is_plural(one):
            one = flat(f"the {self.prose.noun(element)[1]} in ", one)
        low, high = parameter.low, parameter.high
        if low is None:
            return one
        if high is None or (isinstance(high, ir.Const) and high.value >= size_of(element)):
            return flat("any number of " if low == ir.Const(0) else flat(self.prose.value(low), " or more of "), one)
        if low == high:
            return flat(self.prose.value(low), " of ", one)
        if low == ir.Const(0):
            return flat("up to ", self.prose.value(high), " of ", one)
        return flat(self.prose.value(low), " to ", self.prose.value(high), " of ", one)

    def needs(self, branch: ir.Branch) -> tuple[Item, ...]:
        """Returns the needs of a branch, each with the rules' message."""
        return tuple(self._said_against(one, begun(self.prose.holds(one.condition, so=False))) for one in branch.needs)

    def never(self, need: ir.Need) -> Item:
        """Returns the need that abolishes a branch, with the rules' message."""
        return self._said_against(need, (Plain("This is never done"),))

    def _said_against(self, need: ir.Need, words: Words) -> Item:
        if need.message is None:
            words = flat(words, ".")
        else:
            words = flat(words, ": “", self.prose.template(need.message), "”")
        return Item(words, need.clauses or self.game.sites[need.site].clauses)

    # -------------------------------------------------------------- single statements

    def _line(self, statement: ir.Statement) -> Words:
        say = self.prose
        match statement:
            case ir.Bind(variable=variable, value=value):
                named, worth = say.local(variable.id), say.value(value, variable.type)
                if without(worth, named) is not None:
                    return flat("Take ", worth)
                return flat("Let ", named, " be ", worth, self._clamps(statement))
            case ir.Assign():
                return self._assign(statement)
            case ir.Move():
                return self._move(statement)
            case ir.Shuffle(zone=zone, index=index):
                return flat("Shuffle ", say.zone(zone, index))
            case ir.Reveal(kind=kind, things=things):
                return flat("Turn ", say.value(things, SetType(say.types.thing(kind))), " face up")
            case ir.Show(kind=kind, things=things, seats=seats, part=part):
                shown = say.value(things, SetType(say.types.thing(kind)))
                if part != ir.WHOLE:
                    alone = things.arguments[0] if isinstance(things, ir.Op) and things.name == "single" else things
                    shown = say.value(ir.Column(part, (alone,)))
                return flat("Show ", shown, " to ", say.value(seats, SetType(say.types.thing(0))), " alone")
            case ir.Eliminate(who=who):
                return flat(say.value(who), " is out of the game")
            case ir.Finish(how=how, value=value):
                return self._finish(how, value)
            case ir.Stop():
                return (Plain("Go no further with this"),)
            case ir.Return():
                return (Plain("Leave the rest out"),)
            case ir.Proceed():
                return (Plain("Do what was to be done"),)
            case (
                ir.When()
                | ir.Loop()
                | ir.Simultaneous()
                | ir.Repeat()
                | ir.Call()
                | ir.Defer()
                | ir.Ask()
                | ir.Settle()
                | ir.BeginBody()
                | ir.EndBody()
                | ir.Witness()
                | ir.Stand()
                | ir.Fail()
            ):
                return (Plain("Go on"),)
            case _:
                assert_never(statement)

    def _assign(self, statement: ir.Assign) -> Words:
        say, state = self.prose, self.game.states[statement.place.state]
        read = ir.Read(state.id, statement.place.index)
        value, there = statement.value, say.value(read)
        if state.builtin and state.name in TURNS:
            return flat(say.value(statement.place.index[0], say.types.thing(0)), TURNS[state.name])
        if (statement.operator, value) == ("+", ir.Const(0)) and statement.most and statement.least in (None, value):
            falls = "fall" if is_plural(there) else "falls"
            return flat(there, f" {falls} to ", say.value(statement.most), ", if above")
        if statement.operator == "+":
            down = isinstance(value, ir.Op) and value.name == "neg"
            down = down or (isinstance(value, ir.Const) and value.value < 0)
            amount = value.arguments[0] if isinstance(value, ir.Op) and value.name == "neg" else value
            amount = ir.Const(abs(amount.value)) if isinstance(amount, ir.Const) else amount
            word = ("fall" if is_plural(there) else "falls") if down else ("rise" if is_plural(there) else "rises")
            return flat(there, f" {word} by ", say.value(amount), self._clamps(statement))
        if isinstance(state.type, FlagType) and not statement.place.index:
            noted = Term(clean(state.called) or plain(state.name))
            if isinstance(value, ir.Const):
                return flat("Note " if value.value else "Strike out ", noted)
            return flat("Note ", noted, " if ", say.holds(value), ", else strike it out")
        if isinstance(state.type, FlagType) and isinstance(value, ir.Const):
            return flat("from now on, ", say.holds(read, so=bool(value.value)))
        if value == ir.Const(NONE):
            return flat(say.there(read, so=False), " any longer")
        if isinstance(state.type, SetType) and isinstance(value, ir.Op) and value.arguments[0] == read:
            other = say.value(value.arguments[1], state.type)
            if value.name == "union":
                return flat("add ", other, " to ", there)
            if value.name == "minus":
                return flat("take ", other, " out of ", there)
        if isinstance(state.type, SetType) and value == ir.Const(0):
            return flat(there, " are emptied" if is_plural(there) else " is emptied")
        if isinstance(state.type, FlagType):
            return flat("from now on, ", say.holds(read), " exactly if ", say.holds(value))
        if isinstance(state.type, KindType) and not state.dimensions and not isinstance(value, ir.Either):
            return flat(say.value(value, state.type), " becomes ", there, self._clamps(statement))
        word = " become " if is_plural(there) else " becomes "
        return flat(there, word, say.value(value, state.type), self._clamps(statement))

    def _clamps(self, statement: ir.Bind | ir.Assign) -> Words:
        least = () if statement.least is None else flat(", but not below ", self.prose.value(statement.least))
        joint = " and" if least else ", but"
        most = () if statement.most is None else flat(f"{joint} not above ", self.prose.value(statement.most))
        return flat(least, most)

    def _move(self, statement: ir.Move) -> Words:
        say, kind = self.prose, self.prose.types.thing(statement.kind)
        source, to = statement.what, say.zone(statement.to.zone, statement.to.index)
        form = self.game.zones[statement.to.zone].form
        into = {"top": "the top of ", "bottom": "the bottom of "}.get(statement.end or "", "")
        single = source.mask.arguments[0] if isinstance(source.mask, ir.Op) and source.mask.name == "single" else None
        if single is not None and source.pile is None:
            what = say.value(single, kind)
        elif source.pile is None and source.mask is not None:
            what = say.value(source.mask, SetType(kind))
        else:
            what = say.all_of(source)
        as_many: Words = ()
        if statement.count is not None:
            what = self._counted(statement, what)
            if not isinstance(statement.count, ir.Const | ir.Local):
                as_many = flat(", as many as ", say.value(statement.count))
        if form == "slot" and not say.is_spot(statement.to.zone):
            return flat(what, " becomes ", say.zone(statement.to.zone, statement.to.index, thing=True))
        return flat("Move ", what, " to ", into, to, as_many)

    def _counted(self, statement: ir.Move, what: Words) -> Words:
        """Returns the words for some of the things to move: `2 cards from the deck`, `1 counter whose colour is red`."""
        say, source, count = self.prose, statement.what, statement.count
        one, many = say.noun(say.types.thing(statement.kind))
        number = flat(say.value(count), " ") if isinstance(count, ir.Const | ir.Local) else ()
        noun = flat(number, one if count == ir.Const(1) else many)
        if source.pile is not None or not isinstance(chosen := source.mask, ir.Over) or not say.is_selection(chosen):
            return flat(noun, " from ", what)
        each = say.each(chosen.names, chosen.sources, chosen.condition, "", many=count != ir.Const(1))
        return flat(number, each)

    def _drops_out(self) -> bool:
        """Returns whether players can drop out of the game before its end."""
        return any(isinstance(node, ir.Eliminate) for node in walk(self.game.procedures))

    def _finish(self, how: ir.EndForm, value: ir.Expr | None) -> Words:
        say = self.prose
        match how:
            case "winner":
                nobody = value is None or value == ir.Const(0)
                won = (Plain("nobody"),) if nobody or value is None else say.value(value, SetType(say.types.thing(0)))
                if isinstance(value, ir.Read) and value.state == self.game.players_left:
                    won = (Plain("whoever is left" if self._drops_out() else "all players"),)
                return flat("The game is over, won by ", won)
            case "ranking":
                keys = say.ranked(value.keys) if isinstance(value, ir.Over) else ()
                return flat("The game is over; the players are ranked by ", keys)
            case "score":
                score = "the score is " if max(self.game.players) == 1 else "the score, which all share, is "
                return flat("The game is over; ", score, say.value(value) if value is not None else "0")
            case "lost":
                return (Plain("The game is over, and nobody has won"),)
            case "undecided":
                return (Plain("The game is over, and nothing says who has won"),)
            case _:
                assert_never(how)
