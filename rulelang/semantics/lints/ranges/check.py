"""The check of ranges: walks all rules with the facts known at each place.

if p.at != c1: p.at = step(p.at, forward)       fine: only c1 has no next space, and this is another space
"""

from __future__ import annotations

from typing import Any, TypeVar, assert_never

import attrs

from rulelang.ir import model as ir
from rulelang.ir.types import IntType, SetType
from rulelang.ir.walk import calls_in, reachable, walk
from rulelang.semantics.lints.ranges.amounts import FOUND, KEPT, MISSING, Amount, of_type, reckoned
from rulelang.semantics.lints.ranges.assumptions import Assumptions
from rulelang.semantics.lints.ranges.consequences import Consequences
from rulelang.semantics.lints.ranges.contexts import Contexts
from rulelang.semantics.lints.ranges.declarations import DeclarationRanges
from rulelang.semantics.lints.ranges.expressions import Estimates
from rulelang.semantics.lints.ranges.findings import Findings
from rulelang.semantics.lints.ranges.known import KnownRanges, Reads, Writes, either
from rulelang.semantics.lints.ranges.memory import AnswerMemory
from rulelang.semantics.lints.ranges.parts import Examined, PartMemory
from rulelang.semantics.lints.ranges.reasoner import ENOUGH, OFF_EDGE, SOMETHING
from rulelang.semantics.lints.ranges.sets import Memberships
from rulelang.semantics.names.scope import World
from rulelang.source import Span


@attrs.define
class Reasoning(Estimates, Memberships, Assumptions, Consequences):
    """Answers every question about the expressions of one game."""


def check_ranges(world: World, game: ir.GameRules) -> None:
    """Warns of keys out of bounds, numbers that may leave their range, and `none` where it is not allowed."""
    if world.sink.has_errors:
        return
    parts = _known(world, PartMemory, PartMemory()).next()
    plain = parts.plain(game)
    reads = Reads(plain)
    writes = Writes(plain, reads)
    steps = frozenset(table for (_, name), (table, _) in world.board_tables.items() if name == "step")
    declared = frozenset(value.id for value in world.values if value.declared is not None)
    before = _known(world, AnswerMemory, None)
    memory = AnswerMemory.of(plain, parts.types(plain), steps, declared, before)
    world.notes[AnswerMemory], world.notes[PartMemory] = memory, parts
    if before is None or memory.bits is not before.bits:
        parts.examined, parts.sound = {}, {}
    findings = Findings(world, plain, Reasoning(plain, memory, steps, declared))
    DeclarationRanges(world, plain, findings, parts).check()
    _Statements(world, plain, findings, reads, writes, Contexts(plain, writes), parts).check()


_K = TypeVar("_K")


def _known(world: World, type: type[_K], otherwise: Any) -> Any:
    """Returns the result of a type that the last run has left."""
    found = world.notes.get(type)
    return found if isinstance(found, type) else otherwise


# ------------------------------------------------------------------ what is done


@attrs.define
class _Statements:
    """Checks procedures, callers first."""

    world: World
    game: ir.GameRules
    find: Findings
    reads: Reads
    writes: Writes
    contexts: Contexts
    parts: PartMemory
    last: dict[int, Examined] = attrs.field(factory=dict)
    """By procedure: its examination in the last run."""
    at_once: frozenset[int] = attrs.field(init=False)
    """The sites of changes that may happen at the same time as others like them."""
    worded: set[int] = attrs.field(factory=set)
    """The rules whose sentences have been examined."""

    def __attrs_post_init__(self) -> None:
        bodies = [
            node.body for node in walk((self.game.procedures, self.game.choices)) if isinstance(node, ir.Simultaneous)
        ]
        called = reachable(self.game, calls_in(self.game, tuple(bodies), deferred=False), deferred=False)
        bodies += [self.game.procedures[id].body for id in called]
        self.at_once = frozenset(node.site for node in walk(tuple(bodies)) if isinstance(node, ir.Assign))

    def check(self) -> None:
        for node in walk((self.game.values, self.game.choices, self.game.procedures)):
            if isinstance(node, ir.Foreseen):
                self._hand_over(node.procedure, node.arguments, KnownRanges())
        for rule in self.game.whenevers:
            self._whenever(rule)
        conditions = {hook.procedure: hook.condition for hook in self.game.hooks if hook.condition is not None}
        game = self.game
        # The types of variables are among what each examination says that it read.
        heads = tuple((s.name, s.dimensions, s.scratch, s.builtin, s.option) for s in game.states)
        rules = (game.zones, game.hooks, game.whenevers, game.clocks, game.history, game.depth)
        about = (heads, rules, self.at_once, self.world.player)
        self.last = self.parts.examined if about == self.parts.about else {}
        self.parts.about, self.parts.examined = about, {}
        for procedure in self.contexts.callers_first():
            self._procedure(procedure, conditions.get(procedure.id))
        for id in range(len(self.game.rules)):
            if id not in self.worded:
                self._rule(id, KnownRanges())

    def _procedure(self, procedure: ir.Procedure, condition: ir.Expr | None) -> None:
        """Examines a procedure, unless it would go as the last time, and that had nothing to report."""
        known, memory = self.contexts.at(procedure.id), self.find.reasoning.memory
        facts, around = tuple(known.facts.items()), self.contexts.around(procedure)
        last = self.last.get(procedure.id)
        if (
            last is None
            or last.procedure is not procedure
            or last.read & memory.changed
            or last.known != facts
            or last.around != around
        ):
            reports, handed, worded = self.find.reports, len(self.contexts.handed), self.worded
            self.worded = set()
            self._examined(procedure, condition, known)
            own, self.worded = frozenset(self.worded), worded | self.worded
            if self.find.reports > reports:
                return
            read = memory.reading(procedure, around, condition, tuple(known.facts))
            last = Examined(procedure, facts, around, read, tuple(self.contexts.handed[handed:]), own)
        else:
            self.worded |= last.worded
            for called, given in last.handed:
                self.contexts.hand(called, given)
        self.parts.examined[procedure.id] = last

    def _examined(self, procedure: ir.Procedure, condition: ir.Expr | None, entering: KnownRanges) -> None:
        known: KnownRanges | None = entering
        if condition is not None:
            hook = self.game.rules[procedure.rule] if procedure.rule is not None else None
            self.find.never(condition, hook.span if hook is not None else self._span(0))
            known = self.find.reasoning.assume(condition, entering)
        self._rule(procedure.rule, known)
        self.body(procedure.body, known)

    def _rule(self, id: int | None, known: KnownRanges | None) -> None:
        """Examines the sentences of a rule, and the texts that options show."""
        if id is None:
            return
        self.worded.add(id)
        rule = self.game.rules[id]
        for words in (rule.label, rule.told, rule.otherwise):
            self.find.reasoning.fuel = ENOUGH
            self.find.words(words, known, rule.span)
        for field in rule.shows:
            self.find.expression(field.condition, known, rule.span)
            self.find.words(field.text, self._assume(field.condition, known), rule.span)

    def _under_its_names(self, branch: ir.Branch, known: KnownRanges | None) -> KnownRanges | None:
        """Returns the facts about an option, under the names that its sentences read."""
        begin = next((s for s in branch.body if isinstance(s, ir.BeginBody)), None)
        if known is None or begin is None:
            return known
        rule, around = self.game.rules[branch.rule], known
        names, arguments = (*rule.parameters, *rule.around), (*begin.arguments, *begin.around)
        given = tuple((a, self.find.amount(a, around, closely=True)) for a in arguments[: len(names)])
        return KnownRanges({**known.facts, **self.contexts.handed_over(names[: len(given)], given, known).facts})

    def _whenever(self, rule: ir.Whenever) -> None:
        span = self._span(rule.site)
        known = self.find.reasoning.entering(rule.names, rule.sources, None, KnownRanges())
        self.find.expression(rule.condition, known, span)
        self.find.never(rule.condition, span)
        known = None if known is None else self.find.reasoning.assume(rule.condition, known)
        if known is not None:
            self._hand_over(rule.procedure, tuple(ir.Local(name.id) for name in rule.names), known)

    def _span(self, site: int) -> Span:
        """Returns the span of a site, and renews the fuel, which each line has of its own."""
        self.find.reasoning.fuel = ENOUGH
        return self.game.sites[site].span

    def _assume(self, e: ir.Expr | None, known: KnownRanges | None, *, holds: bool = True) -> KnownRanges | None:
        return known if known is None or e is None else self.find.reasoning.assume(e, known, holds=holds)

    def body(self, body: tuple[ir.Statement, ...], known: KnownRanges | None) -> KnownRanges | None:
        """Examines statements; returns the facts known after them, None if they never end."""
        for statement in body:
            if known is None:
                return None
            known = self._statement(statement, known)
        return known

    def _statement(self, s: ir.Statement, known: KnownRanges) -> KnownRanges | None:
        span = self._span(s.site)
        match s:
            case ir.Bind():
                return self._bind(s, known, span)
            case ir.Assign():
                return self._assign(s, known, span)
            case ir.When(branches=branches, otherwise=otherwise):
                ways: list[KnownRanges | None] = []
                rest: KnownRanges | None = known
                for at, (test, inner, site) in enumerate(branches):
                    place = self._span(site) if site else span
                    self.find.expression(test, rest, place)
                    self.find.never(test, place, unless=[earlier for earlier, _, _ in branches[:at]])
                    ways.append(self.body(inner, self._assume(test, rest)))
                    rest = self._assume(test, rest, holds=False)
                return either((*ways, self.body(otherwise, rest)))
            case ir.Loop():
                return self._loop(s, known, span)
            case ir.Repeat():
                return self._repeat(s, known, span)
            case ir.Simultaneous(variable=variable, source=source, condition=condition, body=inner):
                self.find.source(source, known, span)
                after = known.forgetting(self.writes.of(inner), self.reads)
                way = self.find.reasoning.entering((variable,), (source,), None, after)
                self.find.expression(condition, way, span)
                self.find.never(condition, span)
                self.body(inner, self._assume(condition, way))
                return after
            case ir.Call(procedure=procedure, arguments=arguments) | ir.Defer(procedure=procedure, arguments=arguments):
                return self._call(s, procedure, arguments, known, span)
            case ir.Ask(choice=choice):
                return self._choice(self.game.choices[choice], known, span)
            case ir.Move():
                self._move(s, known, span)
                return self._laid(s, known)
            case ir.Finish(how=how, value=value):
                self._finish(how, value, known, span)
                return None
            case ir.Stop() | ir.Return() | ir.Fail():
                return None
            case ir.Reveal(things=things) | ir.Show(things=things):
                self.find.expression(things, known, span)
            case ir.Shuffle(zone=zone, index=index):
                self._zone(zone, index, known, span)
            case ir.Eliminate() | ir.Settle() | ir.Proceed() | ir.Stand():
                pass
            case ir.BeginBody() | ir.EndBody() | ir.Witness():
                pass
            case _:
                assert_never(s)
        return known.forgetting(self.writes.of(s), self.reads)

    def _bind(self, s: ir.Bind, known: KnownRanges, span: Span) -> KnownRanges | None:
        self.find.expression(s.value, known, span)
        local = ir.Local(s.variable.id)
        known = KnownRanges({e: a for e, a in known.facts.items() if local not in tuple(walk(e))})
        if self.find.reasoning.is_set(s.value):
            if self.find.reasoning.is_some(s.value, known):
                return self.find.reasoning.learn(ir.Op("size", (local,)), OFF_EDGE, known)
            return known
        found = self._clamped(self.find.amount(s.value, known, closely=True), s.least, s.most, known, span)
        return known.knowing(local, found)

    def _clamped(
        self, found: Amount, least: ir.Expr | None, most: ir.Expr | None, known: KnownRanges, span: Span
    ) -> Amount:
        ends: tuple[tuple[ir.Expr | None, ir.Calculation], ...] = ((least, "max"), (most, "min"))
        for clamp, name in ends:
            if clamp is not None:
                self.find.expression(clamp, known, span)
                self.find.number(clamp, known, span, "a bound")
                end = self.find.amount(clamp, known, closely=True).without_none()
                found = attrs.evolve(reckoned(name, [found.without_none(), end]), none=found.none)
        return found

    def _assign(self, s: ir.Assign, known: KnownRanges, span: Span) -> KnownRanges | None:
        state = self.game.states[s.place.state]
        self.find.expression(s.value, known, span)
        self._written(state, s.place, known, span)
        read = ir.Read(state.id, s.place.index)
        if s.operator == "=":
            found = self.find.amount(s.value, known, closely=False)
            if not state.builtin:
                self.find.holds(s.value, state.type, known, span, "the variable", f"`{state.name}`", MISSING)
            if isinstance(state.type, SetType):
                self.find.added(s.value, known, span, "nothing is added")
                self.find.number_fits(s.value, state.type, known, span, f"`{state.name}`")
        else:
            less = isinstance(s.value, ir.Op) and s.value.name == "neg"
            part = s.value.arguments[0] if less and isinstance(s.value, ir.Op) else s.value
            self.find.number(part, known, span, "taken away" if less else "added", KEPT)
            parts = [self.find.amount(part, known, closely=False).without_none() for part in (read, s.value)]
            found = reckoned("+", parts)
        found = self._clamped(found, s.least, s.most, known, span)
        if s.operator == "+":
            self._adds(s, state, found, span)
        if s.operator == "=" and isinstance(state.type, IntType) and not state.builtin:
            self._range(s, state.type, found, known, span)
        known = known.forgetting(frozenset({state.id}), self.reads)
        if isinstance(state.type, SetType) or state.id in self.reads.of(s.value) | self._index_reads(s.place):
            if isinstance(state.type, SetType) or state.id in self._index_reads(s.place):
                return known
        held = found.meet(of_type(state.type))
        return None if held.is_empty else known.knowing(read, held)

    def _adds(self, s: ir.Assign, state: ir.StateVariable, found: Amount, span: Span) -> None:
        """Reports a sum that never fits; changes that happen at once are added up before any check."""
        type = state.type
        if isinstance(type, IntType) and s.site not in self.at_once and found.is_outside(type.low, type.high):
            self.find.assigned(s.value, found, state.name, type, span)

    def _index_reads(self, place: ir.Place) -> frozenset[int]:
        return frozenset().union(*(self.reads.of(i) for i in place.index))

    def _written(self, state: ir.StateVariable, place: ir.Place, known: KnownRanges, span: Span) -> None:
        at = ir.Read(state.id, place.index)
        for part, type in zip(place.index, state.dimensions, strict=True):
            self.find.expression(part, known, span)
            self.find.holds(part, type, known, span, f"what has `{state.name}`")
        self.find.keys(state.name, state.dimensions, place.index, known, span, at)

    def _range(self, s: ir.Assign, type: IntType, found: Amount, known: KnownRanges, span: Span) -> None:
        if found.fits(type.low, type.high):
            return
        closer = self._clamped(self.find.amount(s.value, known, closely=True), s.least, s.most, known, span)
        if not closer.fits(type.low, type.high):
            self.find.assigned(s.value, closer, self.game.states[s.place.state].name, type, span)

    def _loop(self, s: ir.Loop, known: KnownRanges, span: Span) -> KnownRanges | None:
        self.find.source(s.source, known, span)
        after = known.forgetting(self.writes.of(s.body), self.reads)
        # The set is fixed before the first round, so its condition may no longer hold in a later one.
        way = self.find.reasoning.entering((s.variable,), (s.source,), None, known)
        for key in s.keys:
            self.find.expression(key.value, way, span)
        way = None if way is None else way.forgetting(self.writes.of(s.body), self.reads)
        self.find.expression(s.condition, way, span)
        self.find.never(s.condition, span)
        self.body(s.body, self._assume(s.condition, way))
        return after

    def _repeat(self, s: ir.Repeat, known: KnownRanges, span: Span) -> KnownRanges | None:
        if s.times is not None:
            self.find.expression(s.times, known, span)
            self.find.number(s.times, known, span, "so many times")
        after = known.forgetting(self.writes.of(s.body), self.reads)
        self.find.expression(s.condition, after, span)
        self.find.never(s.condition, span)
        self.body(s.body, self._assume(s.condition, after))
        left = any(isinstance(n, ir.Stop) and n.loop == s.id for n in walk(s.body))
        left = left or any(isinstance(n, ir.Ask) for n in walk(s.body)) or s.times is not None
        return after if left or s.condition is None else self._assume(s.condition, after, holds=False)

    def _call(
        self, s: ir.Statement, procedure: int, arguments: tuple[ir.Expr, ...], known: KnownRanges, span: Span
    ) -> KnownRanges | None:
        called = self.game.procedures[procedure]
        for variable, argument in zip(called.parameters, arguments, strict=True):
            self.find.expression(argument, known, span)
            what = f"`{variable.name}` of `{called.name}`"
            self.find.holds(argument, variable.type, known, span, what)
            self.find.number_fits(argument, variable.type, known, span, what)
        self._hand_over(procedure, arguments, known)
        return known.forgetting(self.writes.of(s), self.reads)

    def _hand_over(self, procedure: int, arguments: tuple[ir.Expr, ...], known: KnownRanges) -> None:
        given = []
        for variable, argument in zip(self.game.procedures[procedure].parameters, arguments, strict=True):
            found = self.find.amount(argument, known, closely=True)
            # The caller gets the warning; the verb itself relies on the types of its parameters.
            held = found.without_none().meet(of_type(variable.type.certain()))
            none = found.none if found.none < FOUND or variable.type.optional else 0
            plain = isinstance(variable.type, SetType) or not held.has_number
            given.append((argument, of_type(variable.type) if plain else attrs.evolve(held, none=none)))
        self.contexts.note(procedure, tuple(given), known)

    def _zone(self, zone: int, index: tuple[ir.Expr, ...], known: KnownRanges, span: Span) -> None:
        held = self.game.zones[zone]
        for part, type in zip(index, held.dimensions, strict=True):
            self.find.expression(part, known, span)
            self.find.holds(part, type, known, span, f"what has `{held.name}`")
        self.find.keys(held.name, held.dimensions, index, known, span, ir.Contents(zone, index))

    def _move(self, s: ir.Move, known: KnownRanges, span: Span) -> None:
        self.find.source(s.what, known, span)
        if s.what.mask is not None and s.what.pile is None:
            self.find.added(s.what.mask, known, span, "nothing is moved", found=False)
        self._zone(s.to.zone, s.to.index, known, span)
        if s.count is not None:
            self.find.expression(s.count, known, span)
            self.find.number(s.count, known, span, "so many")

    def _laid(self, s: ir.Move, known: KnownRanges) -> KnownRanges | None:
        """Returns the ranges after a move: a pile or slot that one thing was surely moved to is not empty."""
        after, to, mask = known.forgetting(self.writes.of(s), self.reads), s.to, s.what.mask
        form = self.game.zones[to.zone].form
        if form == "group" or s.what.pile is not None or not isinstance(mask, ir.Op) or mask.name != "single":
            return after
        if s.count is not None or self.find.amount(mask.arguments[0], known, closely=False).none:
            return after
        there = ir.TopOf(to.zone, to.index) if form == "pile" else ir.InSlot(to.zone, to.index)
        return self.find.reasoning.learn(there, SOMETHING, after)

    def _finish(self, how: ir.EndForm, value: ir.Expr | None, known: KnownRanges, span: Span) -> None:
        self.find.expression(value, known, span)
        if how == "score" and value is not None:
            self.find.number(value, known, span, "the score")
        if how == "winner" and isinstance(value, ir.Op) and value.name == "single":
            self.find.holds(value.arguments[0], self.world.player, known, span, "who wins")

    # -------------------------------------------------------------- choices

    def _choice(self, choice: ir.Choice, known: KnownRanges, span: Span) -> KnownRanges | None:
        if choice.source is not None:
            self.find.source(choice.source, known, span)
        if choice.who is not None:
            self.find.expression(choice.who, known, span)
            self.find.holds(choice.who, self.world.player, known, span, "who chooses")
        self.find.words(choice.prompt, known, span)
        others = choice.branches if choice.sealed else tuple(b for b in choice.branches if b.interrupt)
        standing = self.writes.of(*(ir.Call(w.procedure, ()) for w in self.game.whenevers))
        known = known.forgetting(self.writes.of(others) | standing if others else frozenset(), self.reads)
        ways = [self._branch(choice, branch, known) for branch in choice.branches]
        ways = [None if way is None else way.forgetting(standing, self.reads) for way in ways]
        if choice.empty == "none" and not self._is_answered(choice, known):
            ways.append(self.body(choice.when_none, known))
        return either(ways)

    def _is_answered(self, choice: ir.Choice, known: KnownRanges) -> bool:
        """Returns whether a choice is certain to have an option: a member of a set that is not empty."""
        if choice.sealed or len(choice.branches) != 1:
            return False
        (branch,) = choice.branches
        plain = len(branch.parameters) == 1 and not branch.needs and branch.parameters[0].low is None
        return plain and self.find.reasoning.is_some_source(branch.parameters[0].domain, known)

    def _branch(self, choice: ir.Choice, branch: ir.Branch, known: KnownRanges) -> KnownRanges | None:
        span = self._span(branch.site or choice.site)
        way: KnownRanges | None = known
        if choice.variable is not None and choice.source is not None:
            self.find.never(choice.condition, span)
            way = self.find.reasoning.entering((choice.variable,), (choice.source,), choice.condition, known)
        for parameter in branch.parameters:
            self.find.source(parameter.domain, way, span)
            if way is not None and parameter.low is None:
                way = self.find.reasoning.entering((parameter.variable,), (parameter.domain,), None, way)
            elif way is not None and isinstance(parameter.low, ir.Const) and parameter.low.value > 0:
                way = self.find.reasoning.learn(ir.Op("size", (ir.Local(parameter.variable.id),)), OFF_EDGE, way)
        for need in branch.needs:
            place = self._span(need.site) if need.site else span
            self.find.expression(need.condition, way, place)
            self.find.never(need.condition, place)
            self.find.words(need.message, self._assume(need.condition, way, holds=False), place)
            way = self._assume(need.condition, way)
        self._rule(branch.rule, self._under_its_names(branch, way))
        return self.body(branch.body, way)
