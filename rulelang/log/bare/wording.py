"""The words of a log for values, things, places, answers and events, each computed once for a game.

    phrases.change_set(3, 0, 5, 4)      ["set","red.fuel","5","4"]

A log hides no words, so most depend on numbers alone; sentences may depend on the row.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TypeAlias, assert_never

import attrs

from rulelang.errors import RulelangError
from rulelang.ir.facts import LOCAL, kind_of, sentence_holes
from rulelang.ir.model import (
    Choice,
    Contents,
    Counted,
    Expr,
    GameRules,
    InSlot,
    Local,
    Read,
    Rule,
    Template,
    TopOf,
)
from rulelang.ir.numbers import Row, Seat
from rulelang.ir.types import NONE, SetType, Type
from rulelang.ir.walk import walk
from rulelang.knowledge.redaction import (
    EVERYONE,
    UNKNOWN,
    cell_name,
    name_of,
    read,
    seat_name,
    written_answer,
    zone_name,
)
from rulelang.knowledge.rendering import settled, things_in
from rulelang.knowledge.secrets import Secrets
from rulelang.knowledge.visibility import delayed_rules, is_inner
from rulelang.machines.evaluate import Locals, zone_at
from rulelang.machines.machine import Answer, ValueFunction
from rulelang.machines.walk import evaluate
from rulelang.match.options.option import read_answer
from rulelang.match.recording.events import AnsweredBy
from rulelang.match.recording.viewer_text import answer_draft, called_draft, value_draft
from rulelang.program.layout import Layout
from rulelang.program.python.support import Trap
from rulelang.program.values import clean

THINGS = (Local, Contents, InSlot, TopOf, Read)
"""The expressions that name things in their places."""

NO_HOLE = -1
"""The number of a hole that depends on locals alone."""
MOST = 50_000
"""The most words of one sort that are kept from one log to the next."""

Phrase: TypeAlias = Callable[["Situation"], str]

as_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


class Unechoed(RulelangError):
    """Raised if the lines of a step depend on everybody's knowledge."""


@attrs.define
class Situation:
    """The moment at which a rule is put into words: the row, and the rule's arguments, in order and by local; `functions`
    compute the holes of sentences (`Machine.holes`)."""

    rule: int
    row: Row
    arguments: tuple[int, ...]
    locals: Locals
    functions: Mapping[int, ValueFunction]


@attrs.frozen(eq=False)
class Opening:
    """The parts of an event's line that depend only on the rule and its arguments."""

    rule: Rule | None
    """Its rule; None for an event of the game itself."""
    front: str
    """The fields from the rule to the clauses."""
    locals: Locals
    sentence: str | None
    """The sentence in JSON; None if it depends on the row."""
    otherwise: str | None
    """The sentence if the rule changes nothing; "" if it has no other."""
    goes_on: bool = False


ToldChange: TypeAlias = tuple[int, int, int, int, int] | tuple[int, int, int, int, str, int] | tuple[str, int]
"""A change of an event, as a trace is told of it: a variable is set, a thing moves, or the text of any other, in JSON; at
last the site of its line."""


class Phrases:
    """The words of one game's logs. Raises Unechoed for words that depend on who may read them."""

    def __init__(self, game: GameRules, layout: Layout, secrets: Secrets) -> None:
        self.game, self.layout, self._secrets = game, layout, secrets
        self.hidden = [about.scratch or is_inner(game, about.id) for about in game.states]
        """By state: whether its changes are left out of events."""
        self.delayed = delayed_rules(game)
        """See `Visibility.delayed`."""
        self.openings: dict[tuple[int, tuple[int, ...]], Opening] = {}
        """The openings made so far, by rule and arguments; see `opening`."""
        self.events: dict[tuple[Opening, str, tuple[ToldChange, ...]], str] = {}
        """The lines made so far, by their beginnings, sentences and changes; see `event`."""
        self._continued: dict[Opening | None, Opening] = {}
        self._changes: dict[ToldChange, str] = {}
        self._answered: dict[tuple[int, Seat, Answer], str] = {}
        self._answers: dict[tuple[int, Seat, Answer], str] = {}
        self._fields: dict[str, tuple[str, str, int | None, AnsweredBy | None]] = {}
        self._meant: dict[tuple[int, str], list[Answer]] = {}
        self._names_each: dict[tuple[int, int], bool] = {}
        self._written: dict[tuple[int, Answer], str] = {}
        self._is_fixed: dict[int, bool] = {}
        self._parts: dict[int, tuple[str | Phrase, ...]] = {}
        holes = ((rule.id, id(hole)) for rule in game.rules for hole in sentence_holes(rule))
        self._numbers = {hole: number for number, hole in enumerate(holes)}
        """By rule and hole of its sentences that reads the position: the number in `Machine.holes`."""

    def shorten(self) -> None:
        """Empties the caches that have grown beyond MOST."""
        for kept in (
            self.openings,
            self.events,
            self._continued,
            self._changes,
            self._answered,
            self._answers,
            self._meant,
            self._fields,
            self._written,
        ):
            if len(kept) > MOST:
                kept.clear()

    # -------------------------------------------------------------- answers

    def fields(self, written: str) -> tuple[str, str, int | None, AnsweredBy | None]:
        """Returns the seat, the option, the clock's reading, and who gave it, from the written fields of an answer."""
        found = self._fields.get(written)
        if found is None:
            record = json.loads(f"{{{written}}}")
            found = self._fields[written] = record["seat"], record["option"], record.get("elapsed"), record.get("by")
        return found

    def meant(self, choice: int, text: str) -> list[Answer]:
        """Returns the answers that a text could stand for; see `read_answer`."""
        found = self._meant.get((choice, text))
        if found is None:
            found = self._meant[choice, text] = read_answer(self.game, self.game.choices[choice], text)
        return found

    def names_each(self, choice: Choice, branch: int) -> bool:
        """Returns whether the answers that a text could stand for are all that are written so, as they are offered: the lowest first.

        Of a set, only the lowest is read; a pile is gone through from its top.
        """
        key = choice.id, branch
        if key not in self._names_each:
            self._names_each[key] = not any(
                isinstance(parameter.variable.type, SetType) or parameter.domain.pile is not None
                for parameter in choice.branches[branch].parameters
            )
        return self._names_each[key]

    def written(self, choice: Choice, answer: Answer) -> str:
        """Returns the written form of an answer."""
        found = self._written.get((choice.id, answer))
        if found is None:
            found = self._written[choice.id, answer] = written_answer(self.game, choice, answer)
        return found

    def answered(self, choice: int, seat: Seat, answer: Answer) -> str:
        """Returns the fields of an answer's line from the seat to the option."""
        key = (choice, seat, answer)
        found = self._answered.get(key)
        if found is None:
            seat_text, name = as_json(seat_name(self.game, seat)), as_json(self.game.choices[choice].name)
            option = as_json(self.answer(choice, seat, answer))
            found = self._answered[key] = f'"seat":{seat_text},"choice":{name},"option":{option}'
        return found

    def answer(self, choice: int, seat: Seat, answer: Answer) -> str:
        """Returns an answer as it is written."""
        found = self._answers.get((choice, seat, answer))
        if found is None:
            words = settled(answer_draft(self.game, self._secrets, choice, seat, answer), self.game)
            found = self._answers[choice, seat, answer] = read(words)
        return found

    # -------------------------------------------------------------- events

    def opening(
        self, rule: int, arguments: tuple[int, ...], row: Row, functions: Mapping[int, ValueFunction]
    ) -> Opening:
        """Returns the fixed parts of the first event of a rule."""
        about = self.game.rules[rule]
        variables = (*about.parameters, *about.around)
        locals = {variable.id: value for variable, value in zip(variables, arguments, strict=False)}
        front = self._front(about.name, about.what, self._called(about, arguments))
        now = Situation(rule, row, arguments, locals, functions)
        sentence, otherwise = (self._fixed(one, now) for one in (about.told or about.label, about.otherwise))
        opening = Opening(about, front, locals, '""' if sentence == "" else sentence, otherwise)
        self.openings[rule, arguments] = opening
        return opening

    def going_on(self, opening: Opening | None) -> Opening:
        """Returns the fixed parts of another event of a rule, or of an event of the game itself."""
        found = self._continued.get(opening)
        if found is None:
            name = self.game.id
            front = self._front(name, "game", name) if opening is None else opening.front
            found = Opening(None, front, {}, '""', "", opening is not None)
            self._continued[opening] = found
        return found

    @staticmethod
    def _front(rule: str, what: str, call: str) -> str:
        return f'"rule":{as_json(rule)},"what":{as_json(what)},"call":{as_json(call)},"clauses":'

    def sentences(self, opening: Opening, now: Situation) -> tuple[str, str]:
        """Returns the sentence of a rule that begins, and its sentence for changing nothing, in JSON."""
        about = self.game.rules[now.rule]
        sentence, otherwise, template = opening.sentence, opening.otherwise, about.told or about.label
        if sentence is None and template is not None:
            sentence = self._said(template, now)
        if otherwise is None and about.otherwise is not None:
            otherwise = self._said(about.otherwise, now)
        return sentence or '""', otherwise or ""

    def event(self, opening: Opening, sentence: str, told: tuple[ToldChange, ...]) -> str:
        """Returns the line of an event from its rule on."""
        clauses, sites = [] if opening.rule is None else [*opening.rule.clauses], self.game.sites
        for change in told:
            if 0 <= change[-1] < len(sites):
                clauses += [clause for clause in sites[change[-1]].clauses if clause not in clauses]
        on, changes = ',"goes_on":true}' if opening.goes_on else "}", ",".join(map(self._change, told))
        line = f'{opening.front}{as_json(clauses)},"sentence":{sentence},"changes":[{changes}]{on}'
        self.events[opening, sentence, told] = line
        return line

    def _called(self, rule: Rule, arguments: tuple[int, ...]) -> str:
        pairs = zip(rule.parameters, arguments, strict=False)
        words = [value_draft(self.game, value, variable.type, EVERYONE) for variable, value in pairs]
        return read(settled(called_draft(rule.name, words), self.game))

    # -------------------------------------------------------------- changes

    def _change(self, told: ToldChange) -> str:
        found = self._changes.get(told)
        if found is None:
            found = self._changes[told] = self._in_json(told)
        return found

    def _in_json(self, told: ToldChange) -> str:
        """Returns a change in JSON."""
        match told:
            case (text, _):
                return text
            case (state, index, old, new, _):
                about = self.game.states[state]
                words = (self._value(old, about.type), self._value(new, about.type))
                return change_of("set", cell_name(self.game, about, index), *words)
            case (kind, thing, source, target, end, _):
                onto = self._place(kind, target) + (" bottom" if end == "bottom" else "")
                return change_of("move", self.thing(kind, thing), self._place(kind, source), onto)
            case _:
                assert_never(told)

    def thing(self, kind: int, thing: int) -> str:
        """Returns a thing's written name."""
        return self.game.kinds[kind].names[thing]

    def picked(self, stream: int, value: int) -> str:
        """Returns the written form of a value drawn from a stream."""
        if stream not in self._secrets.picks or value == NONE:
            return str(value)
        return self.thing(self._secrets.picks[stream], value)

    def _value(self, value: int, type: Type) -> str:
        return read(settled(value_draft(self.game, value, type, EVERYONE), self.game))

    def _place(self, kind: int, place: int) -> str:
        return zone_name(self.game, *zone_at(self.game, self.layout, kind, place))

    # -------------------------------------------------------------- sentences

    def _said(self, template: Template, now: Situation) -> str:
        """Returns the words of a template in JSON."""
        parts = self._parts.get(id(template))
        if parts is None:
            pairs = zip(template.parts, template.types, strict=True)
            parts = tuple(clean(part) if isinstance(part, str) else self._hole(part, type) for part, type in pairs)
            self._parts[id(template)] = parts
        return as_json("".join([part if isinstance(part, str) else part(now) for part in parts]))

    def _fixed(self, template: Template | None, now: Situation) -> str | None:
        """Returns the words of a template in JSON; None if they depend on the row, "" if there are none."""
        if template is None or not template.parts:
            return ""
        is_fixed = self._is_fixed.get(id(template))
        if is_fixed is None:
            holes = (part for part in template.parts if not isinstance(part, str))
            is_fixed = all(type(node) in LOCAL for hole in holes for node in walk(hole) if attrs.has(type(node)))
            self._is_fixed[id(template)] = is_fixed
        return self._said(template, now) if is_fixed else None

    def _hole(self, expr: Expr, type: Type | None) -> Phrase:
        """Returns the function that words one hole of a template."""
        game, layout = self.game, self.layout
        kept: dict[int, str] = {}
        source, words = (
            (expr.of, _counting(expr)) if isinstance(expr, Counted) else (expr, self._references(expr, type))
        )

        def computed(now: Situation) -> int:
            function = now.functions.get(self._numbers.get((now.rule, id(source)), NO_HOLE))
            if function is not None:
                with suppress(Trap, RecursionError):  # what is at fault is found by the walk
                    return function(now.row, *now.arguments)
            if isinstance(source, Local):
                return now.locals[source.id]
            return evaluate(source, now.row, dict(now.locals), game, layout)

        def said(now: Situation) -> str:
            try:
                value = computed(now)
            except KeyError:
                return UNKNOWN
            except RulelangError:
                raise Unechoed("words went wrong") from None
            text = kept.get(value)
            if text is None:
                text = kept[value] = words(value)
            return text

        return said

    def _references(self, expr: Expr, type: Type | None) -> Callable[[int], str]:
        """Returns the function that names the values of an expression."""
        game = self.game
        kind = kind_of(type, game)
        if kind is None or not isinstance(expr, THINGS):
            return lambda value: name_of(value, type, game)
        kind_id, may_be_secret = kind.id, isinstance(expr, Read)

        def named(value: int) -> str:
            if value == NONE:
                return name_of(value, type, game)
            things = things_in(value, type, kind_id, game, EVERYONE, said=True)
            text = read(settled((things,), game))
            if may_be_secret and text != name_of(value, type, game):
                raise Unechoed("who may read it decides how it is said")
            return text

        return named


def _counting(expr: Counted) -> Callable[[int], str]:
    def counted(number: int) -> str:
        noun = clean(expr.one if number == 1 else expr.many)
        return f"{'no' if number == NONE else number} {noun}"

    return counted


def change_of(*words: str) -> str:
    """Returns a change in JSON: its form, its subject, the value before and after."""
    return as_json([*words, *("",) * (4 - len(words))])
