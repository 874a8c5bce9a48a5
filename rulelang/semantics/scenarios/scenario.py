"""Scenarios: tree -> `ir.scenarios`, in terms of the checked game.

    red: play_bonus(flamethrower)    InputLine(0, OptionPattern(…)): fits any choice with such an option
    given red.tokens = {nitro}       LayLine(tokens, (red,), (mask of all nitro,))
    expect red.zone == 4             HoldsLine: the condition, with both sides to show if it fails

The names in a scenario's `players` line stand for the first seats, in
order. A faulty line is reported and left out, and the scenario is not run.
"""

from __future__ import annotations

import attrs

from rulelang.diagnostics.model import Diagnostic, Sink
from rulelang.ir import model as ir
from rulelang.ir import scenarios as ready
from rulelang.ir.model.vocabulary import LoneOptions
from rulelang.ir.types import NONE, BadType, IntType, KindType, NoneType, SetType
from rulelang.semantics.declarations.repeated import check_repeated_in
from rulelang.semantics.declarations.tables import check_range
from rulelang.semantics.expressions.thing_literals import form_mask, forms_of, kinds_written, movable, report_no_form
from rulelang.semantics.names.coercion import coerce, lower, number_of, want
from rulelang.semantics.names.scope import DieName, Env, StateName, VerbName, World
from rulelang.semantics.names.type_relations import Typed, name_of
from rulelang.semantics.scenarios import expectations, option_patterns
from rulelang.semantics.scenarios import position_diagrams as drawings
from rulelang.semantics.scenarios.option_patterns import ScenarioContext
from rulelang.source import Span
from rulelang.syntax import nodes

GIVENS = (nodes.GivenStep, nodes.DrawnStep)
BEFORE_INPUTS = (*GIVENS, nodes.RollStep, nodes.DrawStep)


def lower_scenario(
    world: World, game: ir.GameRules, node: nodes.ScenarioDeclaration
) -> tuple[ready.Scenario | None, tuple[Diagnostic, ...]]:
    """Returns a lowered scenario (None after a fault), and its diagnostics."""
    sink = Sink()
    own = attrs.evolve(
        world,
        sink=sink,
        states=list(world.states),
        sites=list(world.sites),
        streams=list(world.streams),
        targets=list(world.targets),
        during=dict(world.during),
        local_types={},
    )
    check_repeated_in(own, node)
    seats = _seats(own, node)
    if seats is None:
        return None, sink.sorted()
    lowered = _Scenario(node, ScenarioContext(own, _scope(own, seats), game, seats)).whole()
    return None if sink.has_errors else lowered, sink.sorted()


def _seats(world: World, node: nodes.ScenarioDeclaration) -> tuple[str, ...] | None:
    """Returns the names of the players, by seat; None after a fault."""
    low, high = world.players
    steps = [step for step in node.steps if isinstance(step, nodes.PlayersStep)]
    if not steps:
        return world.seats[:low]
    for step in steps[1:] or [s for s in steps if s is not node.steps[0]]:
        world.sink.report("E0707", "`players` is the first line of a scenario, once", step.span)
        return None
    names = tuple(name.text for name in steps[0].names)
    for i, name in enumerate(steps[0].names):
        if name.text in names[:i]:
            world.sink.report("E0702", f"`{name.text}` plays twice", name.span)
            return None
        if name.text in world.globals and name.text not in world.seats:
            world.sink.report("E0702", f"`{name.text}` is something else in this game", name.span, "not a seat's name")
            return None
    if not low <= len(names) <= high:
        wanted = f"{low} to {high}" if low < high else str(low)
        world.sink.report("E0702", f"{wanted} play this game, not {len(names)}", steps[0].span, f"{len(names)} names")
        return None
    for place, name in enumerate(steps[0].names):
        if world.named_seats and name.text in world.seats and world.seats[place] != name.text:
            message = f"`{name.text}` sits elsewhere: the rules name {', '.join(sorted(world.named_seats))}"
            help = f"write `players {', '.join(world.seats[: len(names)])}`"
            world.sink.report("E0702", message, name.span, f"this is the seat of {world.seats[place]}", help=help)
            return None
    return names


def _scope(world: World, seats: tuple[str, ...]) -> Env:
    """Returns the scope of a scenario: the names of its seats, and things by their written forms."""
    names: dict[str, ir.Expr] = {name: ir.Const(seat) for seat, name in enumerate(seats)}
    return Env(seats=names, forms=True, dice=True)


@attrs.frozen
class _Scenario:
    """One scenario while it is lowered."""

    node: nodes.ScenarioDeclaration
    stage: ScenarioContext

    @property
    def world(self) -> World:
        return self.stage.world

    @property
    def env(self) -> Env:
        return self.stage.env

    @property
    def game(self) -> ir.GameRules:
        return self.stage.game

    @property
    def seats(self) -> tuple[str, ...]:
        return self.stage.seats

    def whole(self) -> ready.Scenario:
        lone = self._lone()
        steps = [step for step in self.node.steps if not isinstance(step, nodes.PlayersStep | nodes.LoneStep)]
        begun = next(
            (i for i, s in enumerate(steps) if not isinstance(s, BEFORE_INPUTS) and not _is_after(s)), len(steps)
        )
        givens = [i for i, s in enumerate(steps) if isinstance(s, GIVENS)]
        for i in givens:
            if i >= begun:
                self.world.sink.report(
                    "E0707",
                    "`given` stands before the first input and the first `expect`",
                    steps[i].span,
                    help="the game has begun here; write a scenario of its own",
                )
        first = givens[0] if givens and givens[0] < begun else begun
        moment = self._moment([s for s in steps[:begun] if isinstance(s, GIVENS)])
        cites = [*self.node.cites, *(c for s in self.node.steps for c in _cites(s))]
        return ready.Scenario(
            title=self.node.title.raw,
            clauses=tuple(dict.fromkeys(c.id for c in cites)),
            players=len(self.seats),
            seats=self.seats + self._empty_seats(),
            options=self._options(),
            opening=self._lines(steps, 0, first),
            moment=moment,
            arranged=self._lines(steps, first, begun),
            lines=self._lines(steps, begun, len(steps)),
            lone=lone,
            span=self.node.title.span,
        )

    def _lone(self) -> LoneOptions | None:
        """Returns the scenario's treatment of lone options, if a line below its players sets it."""
        steps = self.node.steps
        first = 1 if steps and isinstance(steps[0], nodes.PlayersStep) else 0
        said = [step for step in steps if isinstance(step, nodes.LoneStep)]
        for step in said:
            if step is not steps[first]:
                message = "`lone options ...` is the first line of a scenario but for its players, once"
                self.world.sink.report("E0707", message, step.span)
        if not said:
            return None
        return "asked" if said[0].manner.text == "asked" else "taken"

    def _empty_seats(self) -> tuple[str, ...]:
        """Returns names for the empty seats: their own, unless a player has that name."""
        own = self.world.seats[len(self.seats) :]
        return own if not {*own} & {*self.seats} else tuple(n for n in self.world.seats if n not in self.seats)

    def _options(self) -> tuple[tuple[int, int], ...]:
        chosen = []
        for name, value in self.node.options:
            meaning = self.world.globals.get(name.text)
            if not isinstance(meaning, StateName) or not isinstance(meaning.node, nodes.OptionDeclaration):
                options = [s.name for s in self.world.states if s.option]
                near = self.world.sink.near(name.text, options)
                help = f"did you mean `{near}`?" if near else None
                self.world.sink.report("E0711", f"no option named `{name.text}`", name.span, help=help, fix=near)
                continue
            found = lower(self.world, attrs.evolve(self.env, forms=False, printed=True), value, meaning.type)
            coerce(self.world, found, meaning.type, value.span)
            check_range(self.world, found, meaning.type, value.span)
            if isinstance(found.ir, ir.Const):
                chosen.append((meaning.id, found.ir.value))
            elif not isinstance(found.type, BadType):
                self.world.sink.report("E0311", "an option is known before the game starts", value.span)
        return tuple(chosen)

    # -------------------------------------------------------------- the moment

    def _moment(
        self, givens: list[nodes.GivenStep | nodes.DrawnStep]
    ) -> ready.StartingPoint | ready.StandingPoint | None:
        """Returns the moment at which the givens take effect: before the phase that they name, else before `play`."""
        named = [given.at for given in givens if given.at is not None]
        if not givens:
            return None
        if not named:
            play = [p.id for p in self.game.procedures if p.phase and _what(self.game, p) == "play"]
            return ready.StartingPoint("play", frozenset(play), ())
        for other in named[1:]:
            if other != named[0]:
                self.world.sink.report(
                    "E0704", "a scenario begins at one phase", other.span, "another was named before"
                )
        at = named[0]
        return self._standing(at) if isinstance(at, nodes.TextNode) else self._phase(at)

    def _standing(self, node: nodes.TextNode) -> ready.StandingPoint | None:
        head = node.raw.partition(":")[0].strip()
        names = [choice.name for choice in self.game.choices]
        if head in names:
            return ready.StandingPoint(node.raw)
        near = self.world.sink.near(head, names)
        help = f"did you mean `{near}`?" if near else f"the choices are {', '.join(names)}" if names else None
        self.world.sink.report("E0704", f"no choice is called `{head}`", node.span, help=help)
        return None

    def _phase(self, node: nodes.Expression) -> ready.StartingPoint | None:
        name, arguments = option_patterns.head(node)
        meaning = self.world.globals.get(name)
        found = [p for p in self.game.procedures if p.phase and p.name == name]
        if not found:
            phases = sorted({p.name for p in self.game.procedures if p.phase})
            near = self.world.sink.near(name, phases)
            remark = "a verb, not a phase" if isinstance(meaning, VerbName) else ""
            help = f"did you mean `{near}`?" if near else f"the phases are {', '.join(phases)}" if phases else None
            self.world.sink.report("E0704", f"no phase named `{name}`", node.span, remark, help=help)
            return None
        types = tuple(v.type for v in found[0].parameters)
        sought = option_patterns.arguments_sought(self.stage, name, arguments, types, node.span)
        return ready.StartingPoint(_text(node), frozenset(p.id for p in found), sought)

    # -------------------------------------------------------------- lines

    def _lines(self, steps: list[nodes.ScenarioStep], start: int, end: int) -> tuple[ready.ScenarioLine, ...]:
        lines: list[ready.ScenarioLine] = []
        for i in range(start, end):
            lines.extend(self._line(steps[i], steps[i + 1 :]))
        return tuple(lines)

    def _line(self, step: nodes.ScenarioStep, below: list[nodes.ScenarioStep]) -> list[ready.ScenarioLine]:
        match step:
            case nodes.GivenStep():
                return [line for target, value in step.assignments if (line := self._given(step, target, value))]
            case nodes.DrawnStep():
                return drawings.lay_drawing(self.stage, step, dict(self._options()))
            case nodes.RollStep():
                return self._roll(step)
            case nodes.DrawStep():
                return self._draw(step)
            case nodes.InputStep():
                seat = self.stage.seat(step.who)
                pattern = option_patterns.lower_option_pattern(self.stage, step.option, whole=True)
                if seat is None or pattern is None:
                    return []
                return [ready.InputLine(seat, pattern, self._elapsed(step), span=step.span, clauses=_ids(step))]
            case nodes.OthersStep():
                pattern = option_patterns.lower_option_pattern(self.stage, step.option, whole=True)
                later = frozenset(self._named_below(below))
                return [] if pattern is None else [ready.OthersLine(pattern, later, span=step.span, clauses=_ids(step))]
            case nodes.ExpectStep():
                line = expectations.lower_expectation(self.stage, step)
                return [] if line is None else [line]
            case _:  # who plays, and with which options, is no line
                return []

    def _elapsed(self, step: nodes.InputStep) -> int | None:
        """Returns the time that a line gives for the clock; None if it gives none."""
        if step.elapsed is None:
            return None
        found = number_of(self.world, self.env, step.elapsed).ir
        if isinstance(found, ir.Const) and found.value >= 0:
            return found.value
        self.world.sink.report("E0311", "a clock's time is a number of at least 0", step.elapsed.span)
        return None

    def _named_below(self, steps: list[nodes.ScenarioStep]) -> list[int]:
        """Returns the seats with an input of their own further down, before the next expectation."""
        named = []
        for step in steps:
            if isinstance(step, nodes.ExpectStep) and not _is_after(step):
                break
            if isinstance(step, nodes.InputStep) and step.who.text in self.seats:
                named.append(self.seats.index(step.who.text))
        return named

    # -------------------------------------------------------------- what is laid out

    def _given(
        self, step: nodes.GivenStep, target: nodes.Expression, value: nodes.Expression
    ) -> ready.ScenarioLine | None:
        place = lower(self.world, self.env, target)
        if isinstance(place.type, BadType):
            return None
        index = place.zone[1] if place.zone is not None else place.ir.index if isinstance(place.ir, ir.Read) else ()
        if ir.Const(NONE) in index:
            message = f"`{_text(target)}` cannot be given: nobody sits there"
            self.world.sink.report("E0703", message, target.span, f"here play {', '.join(self.seats)}")
            return None
        if place.zone is not None:
            return self._lay(step, place, target, value)
        if isinstance(place.ir, ir.Read) and place.ir.state not in (self.game.all_players, self.game.depth):
            return self._write(step, place.ir, value)
        help = None
        if isinstance(place.ir, ir.CallValue | ir.Cell):
            help = "it follows from others: give those"
        elif isinstance(place.ir, ir.Column):
            help = "what is printed does not change"
        self.world.sink.report(
            "E0703", f"`{_text(target)}` cannot be given", target.span, "no variable or zone", help=help
        )
        return None

    def _write(self, step: nodes.GivenStep, read: ir.Read, value: nodes.Expression) -> ready.ScenarioLine | None:
        state = self.world.states[read.state]
        if isinstance(value, nodes.TopExpression):
            self.world.sink.report(
                "E0703", f"`{state.name}` has no order", value.span, "only a pile is given with `top`"
            )
            return None
        found = lower(self.world, self.env, value, state.type)
        expr = coerce(self.world, found, state.type, value.span)
        check_range(self.world, found, state.type, value.span)
        expectations.refuse_unfit(self.world, (expr,), value.span)
        return ready.WriteLine(ir.Place(state.id, read.index), expr, span=value.span, clauses=_ids(step))

    def _lay(
        self, step: nodes.GivenStep, place: Typed, target: nodes.Expression, value: nodes.Expression
    ) -> ready.ScenarioLine | None:
        assert place.zone is not None
        kind = movable(self.world, place.type)
        if kind is None:
            return None
        zone = self.world.zones[place.zone[0]]
        if isinstance(value, nodes.TopExpression) and zone.form != "pile":
            self.world.sink.report(
                "E0703", f"`{_text(target)}` has no order", value.span, "only a pile is given with `top`"
            )
            return None
        rest = None
        is_open = isinstance(value, nodes.TopExpression) and value.open
        listed = value.items if isinstance(value, nodes.TopExpression | nodes.SetDisplayExpression) else (value,)
        items: tuple[int, ...] | None = ()
        if not (isinstance(value, nodes.NameExpression) and value.text == "none" and zone.form == "slot"):
            items = forms_of(self.world, self.env, kind, listed)
        if items is None and isinstance(value, nodes.TopExpression):
            for item in listed:
                self._form(kind, item)
            return None
        if items is None:
            expr = want(self.world, self.env, value, SetType(kind.certain()), f"expected {kind.name} things, `{{…}}`")
            items, rest = (), expr
        if zone.form == "slot" and len(items) > 1:
            self.world.sink.report("E0703", f"`{_text(target)}` holds one thing, not {len(items)}", value.span)
        return ready.LayLine(zone.kind, *place.zone, items, rest, is_open, span=value.span, clauses=_ids(step))

    def _form(self, kind: KindType, node: nodes.Expression) -> int | None:
        """Returns the mask of the things of a kind with a written form; reports it if there is none."""
        mask = form_mask(self.world, self.env, kind, node)
        if mask is None:
            report_no_form(self.world, kind, node)
        return mask

    # -------------------------------------------------------------- chance

    def _roll(self, step: nodes.RollStep) -> list[ready.ScenarioLine]:
        die = self.world.globals.get(step.die.text)
        if not isinstance(die, DieName):
            dice = [n for n, m in self.world.globals.items() if isinstance(m, DieName)]
            near = self.world.sink.near(step.die.text, dice)
            help = f"did you mean `{near}`?" if near else None
            self.world.sink.report("E0708", f"no die named `{step.die.text}`", step.die.span, help=help, fix=near)
            return []
        faces = []
        for node in step.results:
            value = lower(self.world, self.env, node)
            if not isinstance(value.type, IntType) or not isinstance(value.ir, ir.Const):
                self._no_face(f"{name_of(value.type)} is no result of a die", node.span, value)
            elif value.ir.value not in die.faces:
                self._no_face(f"`{step.die.text}` has no face {value.ir.value}", node.span, value)
            else:
                faces.append(value.ir.value)
        return [ready.ThrowLine(step.die.text, tuple(faces), span=step.span, clauses=_ids(step))]

    def _no_face(self, message: str, span: Span, value: Typed) -> None:
        if not isinstance(value.type, BadType):
            self.world.sink.report("E0708", message, span)

    def _draw(self, step: nodes.DrawStep) -> list[ready.ScenarioLine]:
        kinds = kinds_written(self.world, self.env, step.things[0])
        if kinds:
            masks = [self._form(kinds[0], node) for node in step.things]
            items = tuple(mask for mask in masks if mask)
            return [ready.DrawLine(self.world.kind_ids[kinds[0].name], items, span=step.span, clauses=_ids(step))]
        items, kind = (), None
        for node in step.things:
            value = lower(self.world, self.env, node)
            kind = self.world.kind_ids.get(value.type.name) if isinstance(value.type, KindType) else None
            plain = (
                isinstance(value.ir, ir.Const)
                and value.ir.value >= 0
                and not isinstance(value.type, SetType | NoneType)
            )
            if isinstance(value.ir, ir.Const) and plain:
                items += (1 << value.ir.value,)
            elif not isinstance(value.type, BadType):
                self.world.sink.report("E0708", f"`{_text(node)}` cannot be drawn", node.span, "a thing or a value")
        return [ready.DrawLine(kind, items, span=step.span, clauses=_ids(step))]


def _is_after(step: nodes.ScenarioStep) -> bool:
    return isinstance(step, nodes.ExpectStep) and step.form == "after"


def _what(game: ir.GameRules, procedure: ir.Procedure) -> str:
    return game.rules[procedure.rule].what if procedure.rule is not None else ""


def _ids(step: nodes.ScenarioStep) -> tuple[str, ...]:
    return tuple(cite.id for cite in step.cites)


def _cites(step: nodes.ScenarioStep) -> list[nodes.CiteNode]:
    inner = step.inner if isinstance(step, nodes.ExpectStep) else ()
    return [*step.cites, *(cite for line in inner for cite in line.cites)]


def _text(node: nodes.Node) -> str:
    return " ".join(node.span.text.split())
