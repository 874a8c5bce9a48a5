"""A game -> the document of its rules: the contents of the box, set-up, the course of play, actions, ends, terms.

book(game)      Document("Outspeed", (Section("box", …), Section("set-up", …), …))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from typing import assert_never

import attrs

from rulelang.api import Game, load, read
from rulelang.driver.chain import check, of_loaded, run
from rulelang.errors import InvalidInput, RulesError
from rulelang.ir import model as ir
from rulelang.ir.numbers import seats_of
from rulelang.ir.types import (
    NONE,
    PLAYER,
    BadType,
    EnumType,
    FlagType,
    IntType,
    KindType,
    NoneType,
    RowType,
    SetType,
    Type,
)
from rulelang.ir.walk import reachable, walk
from rulelang.knowledge.redaction import name_of
from rulelang.machines.legal import abolished_by, agreed_by_default
from rulelang.program.values import clean, plain
from rulelang.prose.phrases import article_before, of_these
from rulelang.prose.prose import Prose
from rulelang.prose.words import Plain, Term, Words, begun, flat, plain_text, row
from rulelang.rulebook.printed.box import LAYER_WORDS, Box, in_effect
from rulelang.rulebook.printed.defaults import as_agreed, settled
from rulelang.rulebook.printed.example import example
from rulelang.rulebook.printed.glance import overview
from rulelang.rulebook.printed.model import Block, Document, Item, Paragraph, PrintedTable, Section
from rulelang.rulebook.printed.model import StepList as Listed
from rulelang.rulebook.printed.sheet import sheet
from rulelang.rulebook.printed.steps import StatementProse, going_on, inside, procedure_target, target
from rulelang.texts.loading import Loaded
from rulelang.texts.reader import Disk

ENDS = (ir.Finish,)


def _conjuncts(condition: ir.Expr | None) -> Iterator[ir.Expr]:
    """Yields the conditions that a condition joins with `and`."""
    match condition:
        case None:
            return
        case ir.And(arguments=arguments):
            yield from arguments
        case _:  # any other condition is one
            yield condition


def _is_of(condition: ir.Expr, shown: Sequence[object]) -> bool:
    """Returns whether a condition says that there is something of what is shown: `cost > 0` where the cost is shown."""
    match condition:
        case ir.Op(name=">" | "!=", arguments=(what, ir.Const(value=least))) if least in (0, NONE):
            return what in shown
        case _:  # any other condition says more
            return False


def lowered(loaded: Loaded, variants: tuple[str, ...] = ()) -> ir.GameRules:
    """Returns the IR of a game with variants after the checks, before it is unfolded and woven; raises RulesError."""
    unit = run(of_loaded(Disk(), loaded, variants), until=check)
    if unit.lowered is None or unit.has_errors:
        raise RulesError(unit.diagnostics)
    return unit.lowered


def book(game: ir.GameRules) -> Document:
    """Returns the document of a game's rules, from its lowered IR."""
    return _Book.of_game(game).document()


def parts(game: ir.GameRules) -> Iterator[tuple[str, Callable[[], Section | None]]]:
    """Yields the maker of each section of the document of a game, in order, with the section's id; most make none if there
    is nothing to say."""
    yield from _Book.of_game(game).parts()


def of_variant(base: ir.GameRules, varied: ir.GameRules, titles: tuple[str, ...]) -> Document:
    """Returns the document of a game with variants, with their changes in front."""
    before, after = book(base), book(varied)
    changes = sheet(before, after)
    about = tuple(Paragraph((Plain(clean(title)),)) for title in titles)
    changes = attrs.evolve(changes, blocks=(*about, *changes.blocks))
    return Document(
        " + ".join((before.title, *(clean(title).partition(":")[0] for title in titles))), (changes, *after.sections)
    )


def only_changes(document: Document) -> Document:
    """Returns only the changes from the document of a variant."""
    return attrs.evolve(document, sections=document.sections[:1])


def document_of(name: str) -> Document:
    """Returns the document of a game by its name, with an example of a turn; with variants, their changes stand in
    front. Raises RulesError."""
    return with_example(_of_name(name), load(name))


def with_example(document: Document, game: Game) -> Document:
    """Returns the document of a game with an example of a turn after the overview."""
    told, sections = example(game), document.sections
    if told is None:
        return document
    place = next((i for i, one in enumerate(sections, start=1) if one.id == "glance"), 1)
    return Document(document.title, (*sections[:place], told, *sections[place:]))


def _of_name(name: str) -> Document:
    loaded, variants = read(name)
    if not variants:
        return book(lowered(loaded))
    titled = {v.name.text: v.title.raw if v.title is not None else v.name.text for v in loaded.variants}
    return of_variant(lowered(loaded), lowered(loaded, variants), tuple(titled[variant] for variant in variants))


def changes_of(name: str) -> Document:
    """Returns the sheet of changes of a game with variants, by its name. Raises RulesError, InvalidInput without any."""
    if "+" not in name:
        raise InvalidInput("a sheet says what a variant changes: name one, such as GAME+VARIANT")
    return only_changes(_of_name(name))


@attrs.frozen
class _Book:
    game: ir.GameRules
    prose: Prose
    steps: StatementProse
    box: Box

    @classmethod
    def of_game(cls, game: ir.GameRules) -> _Book:
        prose, within = Prose.of_game(game), inside(game)
        ruled = [(p, game.rules[p.rule]) for p in game.procedures if p.rule is not None and p.body]
        offered = [game.rules[branch.rule] for choice in game.choices for branch in choice.branches]
        there = frozenset(
            procedure_target(p, r) for p, r in ruled if r.what in ("verb", "phase") and p.id not in within
        )
        there |= frozenset(target(r) for r in offered if r.what == "action")
        return cls(game, prose, StatementProse(prose, there, within), Box(game, prose))

    def document(self) -> Document:
        """Returns the whole document."""
        sections = [make() for _, make in self.parts()]
        return Document(
            clean(self.game.title), tuple(s for s in sections if s is not None and (s.blocks or s.sections))
        )

    def parts(self) -> Iterator[tuple[str, Callable[[], Section | None]]]:
        """Yields the maker of each section of the document, in order, with the section's id."""
        yield "overview", self._overview
        yield "glance", partial(overview, self.game, self.steps)
        yield "box", self.box.section
        yield "set-up", partial(self._of_rule, "set-up", "Set-up", "setup")
        yield "course", self._course
        yield "actions", self._actions
        yield "happenings", self._verbs
        yield "standing", self._standing
        yield "end", self._end
        yield "terms", self._terms

    # -------------------------------------------------------------- overview

    def _overview(self) -> Section:
        low, high = self.game.players
        number = f"{low} to {high} players" if high > low else "one player, alone" if low == 1 else f"{low} players"
        blocks: list[Block] = [*self._aim(), Paragraph((Plain(f"For {number}."),))]
        if high > 1:
            player = KindType(PLAYER, len(self.game.seats))
            seats = ", ".join(name_of(seat, player, self.game) for seat in seats_of(len(self.game.seats)))
            blocks.append(Paragraph((Plain(f"Seats, in the order of play: {seats}."),)))
        agreed = [state for state in self.game.states if state.option]
        rows = tuple(
            (
                flat(
                    Term(clean(s.called) or plain(s.name)),
                    ": " if s.text is not None else "",
                    self.prose.template(s.text) if s.text is not None else (),
                ),
                (Plain(self._range(s.type)),),
                self._usual(s),
            )
            for s in agreed
        )
        if rows:
            blocks.append(Paragraph((Plain("Before a game, the table agrees on:"),)))
            blocks.append(PrintedTable(("", "may be", "unless agreed"), rows))
        return Section("overview", "The game", tuple(blocks))

    def _aim(self) -> Iterator[Block]:
        """Yields blocks on what the game is about, how it ends and how long it lasts."""
        aim = self.game.aim
        if aim is None:
            return
        for line in (aim.about, aim.lasts):
            if said := tuple(self._sentence(field) for field in line.fields if not self._is_never_so(field)):
                yield Paragraph(row(said, " ", " "), line.clauses)
        if aim.endings:
            ways = (ending for ending in aim.endings if not self._is_never_so(ending.goal))
            items = tuple(Item(self._sentence(ending.goal), ending.clauses) for ending in ways)
            yield Listed(items, ordered=False, title="How it ends")

    def _sentence(self, field: ir.ShownField) -> Words:
        """Returns a sentence of the aim, with its condition in front unless that always holds."""
        words = self.prose.template(as_agreed(self.game, field.text))
        if field.condition is None or settled(self.game, field.condition):
            return words
        return flat("If ", self.prose.holds(field.condition), ": ", words)

    def _is_never_so(self, field: ir.ShownField) -> bool:
        return field.condition is not None and settled(self.game, field.condition) is False

    def _usual(self, option: ir.StateVariable) -> Words:
        """Returns the default value of an option in words."""
        match option.initial:
            case None:
                return (Plain("none"),)
            case ir.Const(value=value) if isinstance(option.type, FlagType):
                return (Plain("yes" if value else "no"),)
            case initial:  # any other value is worded as everywhere else
                return self.prose.value(initial, option.type)

    def _range(self, type: Type) -> str:
        match type:
            case FlagType():
                text = "yes or no"
            case IntType(low=low, high=high):
                text = f"{low} to {high}"
            case EnumType(members=names):
                text = ", ".join(name_of(i, type, self.game) for i in range(len(names)))
            case KindType() | SetType() | RowType() | NoneType() | BadType():
                text = f"a {self.prose.noun(type)[0]}"
            case _:
                assert_never(type)
        return text + (", or none" if type.optional else "")

    # -------------------------------------------------------------- the course

    def _of_rule(self, id: str, title: str, what: str) -> Section | None:
        found = [p for p in self.game.procedures if p.rule is not None and self.game.rules[p.rule].what == what]
        blocks = tuple(Listed(self.steps.about(p).of(p.body)) for p in found if p.body)
        clauses = tuple(c for p in found if p.rule is not None for c in self.game.rules[p.rule].clauses)
        return Section(id, title, blocks, (), clauses) if blocks else None

    def _course(self) -> Section:
        whole = self._of_rule("course", "The course of play", "play")
        phases = tuple(self._procedure(p, r) for p, r in sorted(self._ruled("phase"), key=self._turn))
        return Section("course", "The course of play", whole.blocks if whole is not None else (), phases)

    def _turn(self, one: tuple[ir.Procedure, ir.Rule]) -> int:
        """Returns the position of a phase among those that `play` calls; phases that it does not call come last."""
        course = [p.body for p in self.game.procedures if self._what(p) == "play"]
        called = [node.procedure for node in walk(course) if isinstance(node, ir.Call)]
        return called.index(one[0].id) if one[0].id in called else len(called)

    def _ruled(self, *whats: str) -> Iterator[tuple[ir.Procedure, ir.Rule]]:
        """Yields the procedures of rules of some kinds that can run, each with its rule."""
        for procedure in (one for one in self.game.procedures if one.id in self._running):
            is_hooked = any(hook.of == procedure.id for hook in self.game.hooks)
            is_apart = procedure.id not in self.steps.inside or is_hooked
            if procedure.rule is not None and is_apart and procedure.body and self._what(procedure) in whats:
                yield procedure, self.game.rules[procedure.rule]

    @cached_property
    def _running(self) -> frozenset[int]:
        """The procedures that the course of play comes to; a part of the library may have others."""
        begun = {p.id for p in self.game.procedures if self._what(p) in ("setup", "play", "action")}
        begun |= {rule.procedure for rule in self.game.whenevers} | {hook.procedure for hook in self.game.hooks}
        rules = walk((self.game.procedures, self.game.choices, self.game.values, self.game.whenevers))
        begun |= {node.procedure for node in rules if isinstance(node, ir.Foreseen)}
        return frozenset(reachable(self.game, begun))

    def _what(self, procedure: ir.Procedure) -> str:
        return "" if procedure.rule is None else self.game.rules[procedure.rule].what

    def _procedure(self, procedure: ir.Procedure, rule: ir.Rule) -> Section:
        steps = self.steps.about(procedure)
        said = rule.told or rule.label or rule.called
        title = begun(steps.prose.template(said)) if said is not None else (Plain(_titled(rule.name)),)
        spoken = {v.id for v in walk(said) if isinstance(v, ir.Local)} | steps.prose.alone
        given = [steps.prose.new(v) for v in procedure.parameters if v.id not in spoken and not v.name.endswith(" ")]
        blocks: list[Block] = [Paragraph(flat("For a given ", row(tuple(given)), ":"))] if given else []
        body = steps.of(procedure.body)
        if [plain_text(item.words).rstrip(".") for item in body] != [plain_text(title)]:
            blocks.append(Listed(body))
        blocks += self._hooks(procedure, {v.id: steps.prose.local(v.id) for v in procedure.parameters})
        return Section(procedure_target(procedure, rule), title, tuple(blocks), (), rule.clauses)

    def _hooks(self, procedure: ir.Procedure, words: dict[int, Words]) -> Iterator[Block]:
        """Yields the hooks of a procedure, in the words for its parameters."""
        for hook in self.game.hooks:
            if hook.of == procedure.id:
                inner = self.game.procedures[hook.procedure]
                pairs = zip(inner.parameters, procedure.parameters, strict=False)
                same = {own.id: words[of.id] for own, of in pairs if of.id in words}
                steps = self.steps.about(inner, hook.condition).given(same)
                word = {"before": "Before it", "after": "After it", "instead": "Instead"}.get(hook.when, hook.when)
                condition = () if hook.condition is None else flat(", if ", steps.prose.holds(hook.condition))
                yield Paragraph(flat(word, condition, ":"))
                yield Listed(steps.of(inner.body))

    # -------------------------------------------------------------- actions

    def _actions(self) -> Section:
        found: dict[int, list[tuple[ir.Choice, ir.Branch]]] = {}
        for choice in self.game.choices:
            for branch in choice.branches:
                if self.game.rules[branch.rule].what == "action":
                    found.setdefault(branch.rule, []).append((choice, branch))
        return Section("actions", "Actions", (), tuple(self._action(self.game.rules[r], w) for r, w in found.items()))

    def _action(self, rule: ir.Rule, where: list[tuple[ir.Choice, ir.Branch]]) -> Section:
        choice, branch = where[0]
        steps = self.steps.about(branch, choice.who, choice.variable, rule)
        say = steps.prose
        blocks: list[Block] = []
        never = abolished_by(branch, agreed_by_default(self.game))
        if never is not None:
            return Section(target(rule), steps.menu(rule), (Listed((steps.never(never),), ordered=False),))
        if rule.told is not None:
            blocks.append(Paragraph(flat(begun(say.template(rule.told)), ".")))
        if branch.interrupt:
            blocks.append(Paragraph((Plain("It may be done at any time beside other choices."),)))
        asked = tuple(Item(begun(flat(steps.asked(p), "."))) for p in branch.parameters)
        if asked:
            blocks.append(Listed(asked, ordered=False, title="Choose"))
        if rule.shows:
            sure = [need.condition for need in branch.needs]
            shown = dict.fromkeys(begun(self._shown(steps, field, sure)) for field in rule.shows)
            blocks.append(Listed(tuple(map(Item, shown)), ordered=False, title="What it costs and brings"))
        needs = steps.needs(branch)
        if needs:
            blocks.append(Listed(needs, ordered=False, title="What forbids it"))
        # What an action does without a clause of its own lies on the lines that offer it, which cite theirs.
        body = attrs.evolve(steps, told=frozenset(asked.site for asked, _ in where)).of(branch.body)
        if body:
            blocks.append(Listed(body, title="What happens"))
        for call in walk(branch.body):
            if isinstance(call, ir.Call):
                of = self.game.procedures[call.procedure]
                pairs = zip(of.parameters, call.arguments, strict=False)
                blocks += self._hooks(of, {v.id: say.value(argument, v.type) for v, argument in pairs})
        return Section(target(rule), steps.menu(rule), tuple(blocks), (), rule.clauses)

    def _shown(self, steps: StatementProse, field: ir.ShownField, needs: Sequence[ir.Expr]) -> Words:
        """Returns the words that an option shows, with the conditions that neither they say nor the option needs anyway."""
        words, sure = steps.prose.template(field.text), [plain_text(steps.prose.holds(need)) for need in needs]
        shown = [node for part in field.text.parts if not isinstance(part, str) for node in walk(part)]
        untold = [
            one
            for one in _conjuncts(field.condition)
            if not _is_of(one, shown)
            and (said := plain_text(steps.prose.holds(one))) not in sure
            and plain_text(words) not in said
        ]
        return flat(words, " (if ", row(tuple(map(steps.prose.holds, untold)), " and "), ")") if untold else words

    # -------------------------------------------------------------- verbs, standing rules, ends

    def _verbs(self) -> Section:
        sections = tuple(self._procedure(p, r) for p, r in self._ruled("verb") if not self._ends(p))
        sections = tuple(section for section in sections if section.blocks)
        return Section("happenings", "What happens, in detail", (), _alone(sections))

    def _ends(self, procedure: ir.Procedure) -> bool:
        return any(isinstance(node, ENDS) for node in walk(procedure.body))

    def _whenever(self, one: ir.Whenever) -> Item:
        procedure = self.game.procedures[one.procedure]
        steps = self.steps.about(one, procedure)
        for_each = () if not one.names else flat("for ", steps.prose.each(one.names, one.sources, None), ", ")
        words = begun(flat(for_each, "as soon as ", steps.prose.holds(one.condition), ":"))
        return Item(words, self.game.sites[one.site].clauses, steps.of(procedure.body))

    def _standing(self) -> Section | None:
        items = [self._whenever(w) for w in self.game.whenevers if not self._ends(self.game.procedures[w.procedure])]
        return Section("standing", "At any time", (Listed(tuple(items), ordered=False),)) if items else None

    def _end(self) -> Section | None:
        items = [self._whenever(w) for w in self.game.whenevers if self._ends(self.game.procedures[w.procedure])]
        sections = tuple(self._procedure(p, r) for p, r in self._ruled("verb") if self._ends(p))
        blocks = (Listed(tuple(items), ordered=False),) if items else ()
        return Section("end", "The end", blocks, sections) if blocks or sections else None

    # -------------------------------------------------------------- terms

    def _terms(self) -> Section | None:
        spoken = self._spoken()
        read = [v for v in self.game.values if v.id in spoken and v.cases and not v.name.startswith("after ")]
        items = (*self._position(), *map(self._term, read))
        return Section("terms", "Terms", (Listed(items, ordered=False),)) if items else None

    def _position(self) -> Iterator[Item]:
        """Yields the term for a position, where the rules count how often one has stood."""
        history = self.game.history
        if history is not None:
            names = row(tuple((Plain(name),) for name in self.box.compared(history)))
            held = f"When {history.most} positions have stood, the game is over, undecided."
            yield Item(flat("A ", Term("position"), " is ", names, f". {held}"), self.game.sites[history.site].clauses)

    def _spoken(self) -> frozenset[int]:
        """Returns the values that the rules use, without those for screens and bots alone."""
        game = self.game
        passages: list[object] = [game.procedures, game.choices, game.hooks, game.whenevers, game.zones, game.states]
        passages += [game.data, tuple(rule.shows for rule in game.rules)]
        found: set[int] = set()
        while passages:
            passage = passages.pop()
            named = {node.value for node in walk(passage) if isinstance(node, ir.CallValue)} - found
            found |= named
            passages += [game.values[value] for value in named]
        return frozenset(found - {game.score})

    def _term(self, value: ir.Value) -> Item:
        say = self.prose.about(value)
        name = plain(value.name)
        head = flat("The ", Term(name), *of_these([self._key(say, v) for v in value.parameters], name))
        if value.called is not None:
            head = begun(say.filled(value.called, {v.id: self._key(say, v) for v in value.parameters}))
        is_flag = isinstance(value.type, FlagType)
        items: list[Item] = []
        for case in value.cases:
            clauses = self.game.sites[case.site].clauses
            condition = () if case.condition is None else flat("if ", say.holds(case.condition), ", ")
            said = say.holds(case.value) if is_flag else say.value(case.value, value.type)
            otherwise = flat("otherwise " if len(value.cases) > 1 and not condition else "", *condition)
            items.append(Item(begun(flat(otherwise, said, ".")), clauses))
        items += (self._adjusted(say, one, value.type) for one in in_effect(value.adjustments))
        opening = flat(head, " is so:" if is_flag else ":")
        if is_flag and value.called is not None:
            opening = flat(head, " if" if len(items) == 1 else ":")
        elif is_flag and not value.parameters and name.startswith("is "):
            opening = flat("it is ", Term(name[3:]), " if" if len(items) == 1 else ":")
        if len(items) == 1:
            return Item(flat(opening, " ", going_on(items[0].words)), items[0].clauses)
        return Item(opening, (), tuple(items))

    def _key(self, say: Prose, key: ir.Variable) -> Words:
        """Returns a key as the name of a value says it where it is spoken of first: `a player`, `player *p*`, `*n*`."""
        words = say.new(key)
        if key.id in say.alone:
            return article_before(words)
        return say.local(key.id) if isinstance(key.type, IntType) else words

    def _adjusted(self, say: Prose, one: ir.Adjustment, type: Type) -> Item:
        condition = () if one.condition is None else flat(", if ", say.holds(one.condition))
        words = flat(LAYER_WORDS[one.what], say.value(one.amount, type), condition, ".")
        return Item(begun(words), self.game.sites[one.site].clauses)


def _titled(name: str) -> str:
    text = plain(name)
    return text[:1].upper() + text[1:]


def _alone(sections: tuple[Section, ...]) -> tuple[Section, ...]:
    """Returns sections with distinct ids: verbs of one name are told apart by number."""
    counts, found = Counter[str](), list[Section]()
    for section in sections:
        counts[section.id] += 1
        number = counts[section.id]
        found.append(section if number == 1 else attrs.evolve(section, id=f"{section.id}-{number}"))
    return tuple(found)
