"""Walks the course of play to find the secrets that each local depends on, and those that decide each question.

    let x = next(p).secret                  x: {next(p).secret}
    if strong(q):                           from here on, events depend on q.secret …
      eliminate(q)                          … until an event that everyone sees reveals it
    p chooses c in p.hand                   c: {p.hand}, until it is revealed
    check(p, x)                             the verb's own parameter: {next(p).secret}

Verbs are walked with the union of their callers' arguments, loops twice. Anything not provably public counts as private.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import assert_never

import attrs

from rulelang.ir import model as ir
from rulelang.ir.flow.acts import Acts, along, reads_any, still
from rulelang.ir.flow.destinations import Destinations, destinations_of, is_drawn, locals_in
from rulelang.ir.flow.lying import left_there, moved_on
from rulelang.ir.flow.members import decided_by, is_counted, is_never_empty, members, opened_by, plain, whole_zone
from rulelang.ir.flow.place import CallFacts, FlowFacts, know, meet, merged, of_variable, united
from rulelang.ir.flow.pointing import held_by, is_movable, lies_there, lying_in, place_named, pointed_out, things_of
from rulelang.ir.flow.reading import Hidden, Reading, denied, nothing_of
from rulelang.ir.flow.secret import (
    NOTHING,
    FlowLabel,
    Secret,
    also_shown,
    come_through,
    handed_over,
    joined,
    of_earlier,
    outdated,
    unaliased,
)
from rulelang.ir.flow.writes import Writes, writes_of, written_by
from rulelang.ir.model.traits import MOVED, bodies
from rulelang.ir.types import PLAYER, KindType, Type
from rulelang.ir.walk import rewrite, walk


@attrs.define(slots=False)
class FlowWalk:
    """Walks a game and collects its information flow; see `information_flow`."""

    game: ir.GameRules
    hidden: Hidden
    destinations: Destinations
    questions: dict[int, FlowFacts] = attrs.field(factory=dict)
    """By choice: the facts at the place where it asks."""
    locals: dict[int, FlowLabel] = attrs.field(factory=dict)
    """By local: the secrets that its value depended on when it was bound."""
    shows: dict[int, tuple[ir.Show, FlowLabel]] = attrs.field(factory=dict)
    """By the id of a `show`, which is kept alive here: the secrets that decide whether, and to whom, it shows."""
    boxed: dict[int, tuple[ir.Move, frozenset[int]]] = attrs.field(factory=dict)
    """By the id of a move to a box that keeps what is hidden, and which is kept alive here: the locals of hidden things."""
    told_of_boxes: set[int] = attrs.field(factory=set)
    """The sites of writes to public variables that depend on what came hidden into a box."""
    scratch: dict[int, FlowLabel] = attrs.field(factory=dict)
    held: dict[int, FlowLabel] = attrs.field(factory=dict)
    """By variable that holds things: the secrets of where these lay when assigned, in terms of its own names."""
    placed: dict[int, Type] = attrs.field(factory=dict)
    """The types of locals of which all see whether they stand for anything, and for how many things: `let c = top(deck)`."""
    doubtful: set[int] = attrs.field(factory=set)
    """Hidden variables with a write that happens or not depending on secrets."""
    contexts: dict[int, CallFacts] = attrs.field(factory=dict)
    waiting: list[int] = attrs.field(factory=list)
    returned: FlowLabel = NOTHING
    stopped: dict[int, FlowLabel] = attrs.field(factory=dict)
    quiet: frozenset[int] = frozenset()
    """By `id`: the statements here that do not reveal which branch was taken."""
    is_changed: bool = False
    footprints: dict[int, tuple[object, bool, frozenset[int]]] = attrs.field(factory=dict, repr=False)
    """By the id of an expression, which is kept alive here: whether it reads anything hidden, and its locals."""

    def walk(self) -> None:
        """Walks all procedures until nothing new is found."""
        for whenever in self.game.whenevers:
            self._standing(whenever)
        self.is_changed = True
        while self.is_changed:
            self.is_changed = False
            self.waiting = [p.id for p in self.game.procedures]
            while self.waiting:
                self._procedure(self.game.procedures[self.waiting.pop(0)])

    # -------------------------------------------------------------- results

    @cached_property
    def secret_locals(self) -> set[int]:
        """The locals that hold a secret; a local that stands for a thing counts only if its identity is secret."""
        nodes = walk((self.game.procedures, self.game.choices, self.game.rules))
        things = {node.id for node in nodes if isinstance(node, ir.Variable) and is_movable(node.type, self.game)}
        pointing = pointed_out(self.game, self.locals, self.held)
        to = self.destinations
        options = ((c.id, n, b.parameters) for c in self.game.choices for n, b in enumerate(c.branches))
        answers = ((*option, p.variable.id) for *option, parameters in options for p in parameters)
        goes = {answer for *option, answer in answers if to.is_own(answer) or to.is_covert(*option)}
        return {id for id, label in self.locals.items() if label and (id not in things or id in pointing)} | goes

    def depends(self, *parts: object, but: Iterable[int] = ()) -> bool:
        """Returns whether expressions depend on any secret; the secrets of the locals in `but` do not count."""
        own = frozenset(but)
        place = FlowFacts({id: label for id, label in self.locals.items() if label and id not in own})
        return bool(self._secrets(place, *parts))

    # -------------------------------------------------------------- procedures

    def _standing(self, rule: ir.Whenever) -> None:
        place = FlowFacts()
        decided = self._secrets(place, rule.sources, rule.condition, site=rule.site)
        arguments = tuple(ir.Local(name.id) for name in rule.names)
        self._hand_over(rule.procedure, arguments, place, decided, rule.site)

    def _procedure(self, procedure: ir.Procedure) -> None:
        context = self.contexts.get(procedure.id, CallFacts())
        place = FlowFacts(dict(context.labels), decided=context.decided, opened=context.opened or frozenset())
        for hook in self.hooks.get(procedure.id, ()):
            decided = self._secrets(place, hook.condition)
            arguments = tuple(ir.Local(v.id) for v in procedure.parameters)
            self._hand_over(hook.procedure, arguments, place, place.decided | decided, 0)
            if hook.when == "instead":
                place.decided |= decided
        self.returned = NOTHING
        self._body(procedure.body, place)

    @cached_property
    def hooks(self) -> dict[int, list[ir.Hook]]:
        """The hooks of each procedure."""
        found: dict[int, list[ir.Hook]] = {}
        for hook in self.game.hooks:
            found.setdefault(hook.of, []).append(hook)
        return found

    def _hand_over(
        self, callee: int, arguments: tuple[ir.Expr, ...], place: FlowFacts, decided: FlowLabel, site: int
    ) -> None:
        """Merges a call into the context of the procedure that it calls."""
        procedure = self.game.procedures[callee]
        parameters = procedure.parameters
        players = frozenset(v.id for v in parameters if isinstance(v.type, KindType) and v.type.name == PLAYER)
        before = self.contexts.get(callee, CallFacts())
        labels = dict(before.labels)
        for parameter, argument in zip(parameters, arguments, strict=False):
            found = handed_over(self._label(place, parameter, argument, site=site), parameters, arguments, players)
            if is_drawn(self.game, argument):
                found |= come_through(self.destinations.of(parameter.id), parameter.name, site)
            labels[parameter.id] = joined(labels.get(parameter.id, NOTHING), found)
            self._note(parameter.id, found)
        decided = joined(before.decided, handed_over(decided, parameters, arguments, players))
        here = frozenset((zone, index) for zone, index in place.opened if index is None)
        opened = here if before.opened is None else before.opened & here
        after = CallFacts({k: v for k, v in labels.items() if v}, decided, opened)
        if after != before:
            self.contexts[callee] = after
            if callee not in self.waiting:
                self.waiting.append(callee)

    @cached_property
    def written(self) -> Writes:
        """The variables that each procedure may write."""
        return written_by(self.game, self.hooks)

    @cached_property
    def acts(self) -> Acts:
        """The statements that show everybody that they are carried out."""
        return Acts(self.game, self.written)

    @cached_property
    def mover(self) -> ir.Expr | None:
        """The read of the player whose turn it is; None of a game without turns."""
        return next((ir.Read(s.id, ()) for s in self.game.states if s.builtin and s.name == "mover"), None)

    @cached_property
    def standing(self) -> frozenset[int]:
        """The variables that `whenever` rules may write at any time."""
        return frozenset().union(*(self.written[w.procedure] for w in self.game.whenevers))

    # -------------------------------------------------------------- expressions

    def _secrets(self, place: FlowFacts, *parts: object, site: int = 0, facts: tuple[ir.Expr, ...] = ()) -> FlowLabel:
        """Returns the secrets that expressions depend on."""
        if not any(self._may_tell(part, place) for part in parts if part is not None):
            return NOTHING
        reading = self.reading(place, site, facts)
        reading.look(parts)
        return joined(s for s in reading.found if not place.is_opened(s))

    def reading(self, place: FlowFacts, site: int = 0, facts: tuple[ir.Expr, ...] = ()) -> Reading:
        """Returns a reader of expressions at one place in the rules."""
        facts = (*place.facts, *facts)
        return Reading(
            self.game,
            self.hidden,
            place.labels,
            self.scratch,
            site,
            facts,
            held=self.held,
            opened=place.opened,
            shown=place.shown,
            placed=self.placed,
        )

    def _may_tell(self, part: object, place: FlowFacts) -> bool:
        """Returns whether a part may depend on anything hidden; quick, since the reads of each part are computed once."""
        if isinstance(part, tuple):
            return any(self._may_tell(inner, place) for inner in part)
        known = self.footprints.get(id(part))
        if known is None:
            known = self.footprints[id(part)] = (part, self.hidden.is_read(part, ()), frozenset(locals_in(part)))
        _, hidden, read = known
        return hidden or any(place.labels.get(local) for local in read)

    def _label(self, place: FlowFacts, variable: ir.Variable, *parts: object, site: int = 0) -> FlowLabel:
        return come_through(self._secrets(place, *parts, site=site), variable.name, site)

    def _note(self, local: int, label: FlowLabel) -> None:
        before = self.locals.get(local, NOTHING)
        if not label <= before:
            self.locals[local] = joined(before, label)

    def _bind(self, place: FlowFacts, variable: ir.Variable, label: FlowLabel) -> None:
        place.decided = of_earlier(place.decided, variable.id)
        place.labels[variable.id] = label
        place.aliases.pop(variable.id, None)
        self._note(variable.id, label)

    # -------------------------------------------------------------- statements

    def _body(self, body: tuple[ir.Statement, ...], place: FlowFacts) -> None:
        for statement in body:
            if place.is_left:
                return
            shows = bool(place.decided) and id(statement) not in self.quiet and self._is_act(statement, place)
            self._statement(statement, place)
            if shows:
                place.decided = NOTHING

    def _is_act(self, statement: ir.Statement, place: FlowFacts) -> bool:
        """Returns whether a statement by itself, or a verb that it calls, shows everybody that it is carried out."""
        return not isinstance(statement, ir.When) and self.acts.is_one(statement, place.facts)

    def _statement(self, statement: ir.Statement, place: FlowFacts) -> None:
        match statement:
            case ir.Bind():
                self._let(statement, place)
            case ir.Assign():
                self._assign(statement, place)
            case ir.Move() | ir.Reveal() | ir.Show() | ir.Eliminate() | ir.Shuffle():
                self._change(statement, place)
            case ir.When():
                self._when(statement, place)
            case ir.Loop():
                self._loop(statement, place)
            case ir.Repeat(condition=condition, times=times):
                decided = self._secrets(place, condition, times, site=statement.site)
                always = condition is None and times is None
                self._rounds(statement.id, statement.body, place, decided, condition, always)
            case ir.Simultaneous(variable=variable, source=source, condition=condition):
                decided = self._secrets(place, source, condition, site=statement.site)
                inner = place.copy()
                inner.decided |= decided
                self._bind(inner, variable, decided)
                self._body(statement.body, inner)
                held = frozenset(o for o in inner.opened if o[0] < 0)
                place.opened = opened_by(self.game, held | {o for o in place.opened if o[0] >= 0}, statement)
                self._after_writing(place, writes_of(statement.body, self.game, self.written))
            case ir.Call(procedure=callee, arguments=arguments) | ir.Defer(procedure=callee, arguments=arguments):
                self._hand_over(callee, arguments, place, place.decided, statement.site)
                self._after_writing(place, self.written[callee])
            case ir.Ask(choice=choice):
                self._ask(self.game.choices[choice], place)
            case ir.BeginBody(rule=rule, around=around):
                for name, read in zip(self.game.rules[rule].around, around, strict=False):
                    self._bind(place, name, self._secrets(place, read, site=statement.site))
            case ir.Return():
                self.returned |= place.decided
                place.is_left = True
            case ir.Stop(loop=loop):
                self.stopped[loop] = self.stopped.get(loop, NOTHING) | place.decided
                place.is_left = True
            case ir.Finish():
                place.is_left = True
            case ir.EndBody() | ir.Witness() | ir.Settle() | ir.Proceed() | ir.Fail() | ir.Stand():
                pass
            case _:
                assert_never(statement)

    def _let(self, let: ir.Bind, place: FlowFacts) -> None:
        variable, value, parts = let.variable, let.value, (let.value, let.least, let.most)
        label = self._label(place, variable, parts, site=let.site)
        if is_drawn(self.game, parts):
            label |= come_through(self.destinations.drawn(variable.id), variable.name, let.site)
        self._bind(place, variable, label)
        index = place_named(value := plain(value, self.game), self.placed)
        if index is not None and not self._secrets(place, index):
            self.placed[variable.id] = variable.type
            place.facts += lies_there(variable, value)
        elif value != nothing_of(variable.type):
            self.placed.pop(variable.id, None)
        if isinstance(value, ir.Local | ir.Const) or value == self.mover:
            place.aliases[variable.id] = value

    def _assign(self, statement: ir.Assign, place: FlowFacts) -> None:
        state = self.game.states[statement.place.state]
        parts = (statement.value, statement.least, statement.most)
        index = statement.place.index
        if state.scratch:
            drawn = self.destinations.drawn_into(state) if is_drawn(self.game, parts) else NOTHING
            label = self._secrets(place, parts, index, site=statement.site) | place.decided
            label |= come_through(drawn, state.name, statement.site)
            self._keep(self.scratch, state, index, unaliased(label, place.aliases))
        elif state.visible != "all" and place.decided:
            self.doubtful.add(state.id)
        elif state.visible == "all" and self.hidden.boxes:
            label = self._secrets(place, parts, site=statement.site) | place.decided
            if any(secret.zone in self.hidden.boxes for secret in label):
                self.told_of_boxes.add(statement.site)
        if self._is_act(statement, place):
            know(place, index)
        if state.id in self.hidden.holding:
            self._hold(statement, state, place)
            return
        if isinstance(statement.value, ir.Local):
            local = statement.value.id
            if state.visible != "all":
                secret = Secret(state.id, None, index, place.facts)
                place.labels[local] = also_shown(place.labels.get(local, NOTHING), secret)
            elif not state.scratch:
                place.labels[local] = NOTHING
        self._after_writing(place, frozenset((state.id,)))

    def _keep(
        self, kept: dict[int, FlowLabel], state: ir.StateVariable, index: tuple[ir.Expr, ...], label: FlowLabel
    ) -> None:
        """Adds the secrets of a written value to those of its variable, in terms of the variable's own names."""
        names = tuple(state.initial_names)
        players = frozenset(v.id for v in names if isinstance(v.type, KindType) and v.type.name == PLAYER)
        before = kept.get(state.id, NOTHING)
        kept[state.id] = joined(before, handed_over(label, names, index, players))
        self.is_changed |= kept[state.id] != before

    def _hold(self, statement: ir.Assign, state: ir.StateVariable, place: FlowFacts) -> None:
        """Notes the things that a variable holds: a public variable does not make their identity public."""
        zone, index = of_variable(state.id), statement.place.index
        label = self._secrets(place, statement.value, site=statement.site)
        self._after_writing(place, frozenset((state.id,)))
        if not label:
            place.opened |= {(zone, index)}
            return
        if not state.scratch:
            self._keep(self.held, state, index, unaliased(label, place.aliases))
        if isinstance(statement.value, ir.Local):
            place.aliases[statement.value.id] = ir.Read(state.id, index)

    def _lies_open(self, place: FlowFacts, things: ir.Expr | None) -> None:
        """Notes that everyone sees the things that some locals and variables hold."""
        for read in (*held_by(things), *(place.aliases.get(local) for local in things_of(things))):
            if isinstance(read, ir.Read):
                place.opened |= {(of_variable(read.state), read.index)}

    def _change(self, statement: ir.Deferrable, place: FlowFacts) -> None:
        match statement:
            case ir.Move(what=what, to=to):
                zone, moved = self.game.zones[to.zone], things_of(what.mask)
                if zone.name == "box" and zone.visible != "all":
                    self.boxed[id(statement)] = statement, frozenset(v for v in moved if place.labels.get(v))
                for local in moved:
                    self._laid(place, local, zone, to.index)
                if zone.visible == "all":
                    self._lies_open(place, what.mask)
                if self._is_act(statement, place):
                    know(place, to.index)
                place.opened = frozenset((z, index) for z, index in place.opened if z != to.zone)
                lie = (*moved_on(place.facts, statement, moved), *left_there(place.facts, statement, self.game))
                self._after_writing(place, frozenset((MOVED,)))
                place.facts += lie
            case ir.Reveal(things=things):
                self._lies_open(place, things)
                for local in things_of(things):
                    whole = [s for s in place.labels.get(local, NOTHING) if s.zone is not None]
                    place.opened |= {(s.zone, s.index) for s in whole if local in self._whole and s.zone is not None}
                    place.labels[local] = NOTHING
                if isinstance(things, ir.Contents):
                    place.opened |= {(things.zone, things.index)}
            case ir.Show(things=things, seats=seats):
                self._tell(statement, place)
                if statement.part != ir.WHOLE:
                    named = (*lying_in(things), *map(ir.Local, things_of(things)))
                    place.shown |= {(ir.Column(statement.part, (thing,)), seats) for thing in named}
                    return
                place.shown |= {(thing, seats) for thing in lying_in(things)}
                for local in things_of(things):
                    place.labels[local] = also_shown(place.labels.get(local, NOTHING), seats)
            case ir.Eliminate(who=who):
                if self._is_act(statement, place):
                    know(place, (who,))
                self._after_writing(place, frozenset((self.game.players_left,)))
            case ir.Shuffle():
                self._after_writing(place, frozenset((MOVED,)))
            case _:
                assert_never(statement)

    def _tell(self, show: ir.Show, place: FlowFacts) -> None:
        _, before = self.shows.get(id(show), (show, NOTHING))
        self.shows[id(show)] = show, before | place.decided | self._secrets(place, show.seats, site=show.site)

    @cached_property
    def _whole(self) -> frozenset[int]:
        """The locals of loops that go over a whole zone."""
        loops = (n for n in walk((self.game.procedures, self.game.choices)) if isinstance(n, ir.Loop))
        return frozenset(n.variable.id for n in loops if n.condition is None and is_counted(n.source))

    def _laid(self, place: FlowFacts, local: int, zone: ir.Zone, index: tuple[ir.Expr, ...]) -> None:
        """Notes that a local's thing was moved to a zone, so that everyone who sees the zone knows it."""
        before = place.labels.get(local, NOTHING)
        if zone.visible == "all":
            place.labels[local] = NOTHING
        elif zone.visible != "nobody":
            place.labels[local] = also_shown(before, Secret(None, zone.id, index, place.facts))

    def _after_writing(self, place: FlowFacts, written: frozenset[int]) -> None:
        if not written:
            return
        place.labels = {id: outdated(label, written) for id, label in place.labels.items() if label}
        place.decided = outdated(place.decided, written)
        place.facts = still(place.facts, written)
        place.shown = frozenset(s for s in place.shown if not any(reads_any(part, written) for part in s))
        place.opened = frozenset((zone, index) for zone, index in place.opened if -1 - zone not in written)
        place.aliases = {k: v for k, v in place.aliases.items() if not (isinstance(v, ir.Read) and v.state in written)}

    # -------------------------------------------------------------- control

    def _when(self, statement: ir.When, place: FlowFacts) -> None:
        before, quiet = place.decided, self.quiet
        decided, known, passed = [before], along(statement, place.facts), place.facts
        for condition, _, site in statement.branches:
            here = attrs.evolve(place, facts=passed)
            decided.append(decided[-1] | self._secrets(here, condition, site=site or statement.site))
            passed = (*passed, denied(condition.condition if isinstance(condition, ir.Openly) else condition))
        if decided[-1]:
            self.quiet |= self.acts.silent(statement, known)
        ways: list[FlowFacts] = []
        for body, facts, label in zip(bodies(self.game, statement), known, (*decided[1:], decided[-1]), strict=True):
            way = place.copy()
            way.decided, way.facts = label, facts
            self._body(body, way)
            ways.append(way)
        self.quiet = quiet
        meet(place, ways, before, is_secret=decided[-1] != before)

    def _loop(self, statement: ir.Loop, place: FlowFacts) -> None:
        variable, source = statement.variable, statement.source
        condition, (source, picked) = statement.condition, members(source, variable, self.game)
        zone = whole_zone(source, condition, variable.id, self.game)
        if zone is not None and MOVED not in writes_of(statement.body, self.game, self.written):
            source, condition = ir.Source(zone), None
        told = isinstance(condition, ir.Openly)
        lying = NOTHING if told else self._label(place, variable, source, site=statement.site)
        counted = is_counted(source) or (isinstance(source.mask, ir.Local) and source.mask.id in self.placed)
        decided = self._secrets(place, () if counted else source, site=statement.site)
        inner = place.copy()
        self._bind(inner, variable, lying)
        facts = tuple(c for c in (condition, *decided_by(source, variable)) if c is not None)
        reading = self.reading(inner, statement.site)
        reading.members = {variable.id: source} if is_counted(source) else {}
        reading.look((picked, condition))
        decided |= joined(s for s in reading.found if not place.is_opened(s))
        if {ir.Local(variable.id)} & (reading.face_up(picked) | reading.face_up(condition)):
            inner.labels[variable.id] = NOTHING
        another = ir.Local(-1 - variable.id)
        keys = rewrite(statement.keys, lambda n: another if n == ir.Local(variable.id) else n)
        decided |= self._secrets(place, keys, site=statement.site)
        if told:
            decided = NOTHING
        kept = inner.labels[variable.id]
        certain = is_never_empty(self.game, source) and picked is None and condition is None
        before = place.facts
        place.labels[variable.id] = kept
        place.facts = (*place.facts, *facts)
        turns = () if condition is None else (condition,)
        self._rounds(statement.id, statement.body, place, decided, None, certain, variable, turns)
        place.facts = tuple(f for f in before if f in place.facts)
        place.opened = opened_by(self.game, place.opened, statement)

    def _rounds(
        self,
        loop: int,
        body: tuple[ir.Statement, ...],
        place: FlowFacts,
        decided: FlowLabel,
        condition: ir.Expr | None,
        certain: bool,
        variable: ir.Variable | None = None,
        turns: tuple[ir.Expr, ...] = (),
    ) -> None:
        """Walks the body of a loop until a round changes no facts, at most twice; each begins with the last one's results.

        What a round may have made false does not hold in the next one, but for the conditions (`turns`) that are looked at
        when its turn comes.
        """
        before, returned = place.decided, self.returned
        self.returned = NOTHING
        self.stopped[loop] = NOTHING
        rounds: list[FlowFacts] = []
        inner, holding = place.copy(), place.facts
        for _ in range(2):
            carried = inner.decided | self.stopped[loop] | self.returned
            carried = carried if variable is None else of_earlier(carried, variable.id)
            inner.decided, inner.is_left = carried | decided, False
            inner.facts = holding if condition is None else (*holding, condition)
            began = inner.copy()
            self._body(body, inner)
            rounds.append(inner)
            still_holding = tuple(fact for fact in holding if fact in inner.facts or fact in turns)
            is_done = self.stopped[loop] | self.returned <= began.decided and inner.is_like(began)
            if is_done and still_holding == holding:
                break
            holding = still_holding
            inner = inner.copy()
        left = self.stopped[loop]
        ended = frozenset[Secret]().union(left, *(one.decided for one in rounds if not one.is_left))
        place.decided = (ended & before) | (ended & self.returned) if certain else before | (ended & self.returned)
        place.gone |= self.returned
        self.returned |= returned
        place.labels = united([place.labels, *(one.labels for one in rounds)])
        place.facts = tuple(f for f in place.facts if all(f in one.facts for one in rounds))
        # Zones that every round opens count as open after the loop: without a round there was nothing to open.
        place.opened = frozenset.intersection(*(one.opened for one in rounds))
        place.shown = frozenset.intersection(place.shown, *(one.shown for one in rounds))
        place.aliases = {k: v for k, v in place.aliases.items() if all(one.aliases.get(k) == v for one in rounds)}

    # -------------------------------------------------------------- questions

    def _ask(self, choice: ir.Choice, place: FlowFacts) -> None:
        self._remember(choice, place)
        # That nobody but the chooser learns of a question shows nobody else that it is reached.
        before = place.decided = place.decided if choice.private else NOTHING
        self._after_writing(place, self.standing)
        ways: list[FlowFacts] = []
        self.doubtful |= {s.state for s in self.destinations.covert(choice.id) if s.state is not None}
        if choice.actor is not None:
            if choice.who is not None:
                know(place, (choice.who,))
            for number, branch in enumerate(choice.branches):
                way = place.copy()
                self._bind(way, choice.actor, NOTHING)
                if isinstance(choice.who, ir.Local | ir.Const):
                    way.aliases[choice.actor.id] = choice.who
                for parameter in branch.parameters:
                    answer = parameter.variable
                    if is_movable(answer.type, self.game) and self.destinations.is_counted(choice.id, number, answer):
                        self.placed[answer.id] = answer.type
                    self._bind(way, answer, self._answered(way, parameter, choice))
                    way.facts += decided_by(parameter.domain, answer) if parameter.low is None else ()
                way.facts += tuple(need.condition for need in branch.needs)
                self._body(branch.body, way)
                ways.append(way)
        if choice.when_none:
            way = place.copy()
            parts = tuple((b.parameters, tuple(n.condition for n in b.needs)) for b in choice.branches)
            way.decided = self._secrets(way, parts, site=choice.site)
            self._body(choice.when_none, way)
            ways.append(way)
        meet(place, ways or [place.copy()], before)
        self._after_writing(place, self.standing)

    def _remember(self, choice: ir.Choice, place: FlowFacts) -> None:
        before = self.questions.get(choice.id)
        self.questions[choice.id] = place.copy() if before is None else merged(before, place)

    def _answered(self, place: FlowFacts, parameter: ir.Parameter, choice: ir.Choice) -> FlowLabel:
        """Returns the secrets of an answer: where it is written and, for a thing, where it lay; its chooser knows it.

        Everyone is told any other answer, so it depends on no other secrets.
        """
        label, variable = NOTHING, parameter.variable
        if is_movable(variable.type, self.game):
            label = self._label(place, variable, parameter.domain, site=choice.site)
        goes = self.destinations.of(variable.id)
        if choice.private and variable.id not in self.destinations.open:
            goes |= {Secret(None, None, None, site=choice.site)}
        if isinstance(choice.who, ir.Local | ir.Const):
            goes = also_shown(goes, ir.Op("single", (choice.who,)))
        return label | come_through(goes, variable.name, choice.site)


def information_flow(game: ir.GameRules) -> FlowWalk:
    """Returns the secrets that each local of a game depends on, and those that decide each question."""
    hidden = Hidden.of(game)
    if not hidden.states and not hidden.zones:
        return FlowWalk(game, hidden, Destinations())
    course = FlowWalk(game, hidden, destinations_of(game))
    course.walk()
    return course
