"""IR -> IR with a `Witness` before the binding of each local that words mention, and before each secret roll.

Prompts, reasons for refusing an option, and labels of options mention locals, and so may reveal whatever those depend
on. In a game without anything hidden, everyone may know all locals, and nothing changes.

    let due = q.debt                                 Witness(due, of=q.debt), then Bind(due)
    p chooses one of: pay "Pay {due}": …             "Pay {due}" is shown to those who could see q.debt then
    show(top(deck), p)                               Witness(POINTED, of=top(deck)): having known that card before a
    shuffle
                                                         does not mean knowing that it lies on top
    p chooses one of: high: p.secret = 9             Witness(CHOOSER, of=p): p alone may know which option it took
    p.secret = roll(d6)                              Witness(THROWS, of=p.secret): those who see it may see the face
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from typing import Any

import attrs

from rulelang.ir import model as ir
from rulelang.ir.flow.course import FlowWalk, information_flow
from rulelang.ir.flow.destinations import in_terms_of, inside_and_after, is_drawn, locals_in
from rulelang.ir.flow.pointing import held_by, things_of
from rulelang.ir.flow.secret import FlowLabel, Secret
from rulelang.ir.flow.unseen_calls import UnseenCalls, read_where_hidden
from rulelang.ir.model.traits import Traits, traits
from rulelang.ir.types import KindType
from rulelang.ir.walk import Spliced, read_in, rewrite, statements_in, walk

NOBODY = ir.Local(-1)
"""Stands for a value that nobody may see."""


def place_witnesses(game: ir.GameRules) -> ir.GameRules:
    """Returns a game with the witnesses in its procedures and choices, numbered from 0."""
    if all(seen == "all" for seen in (*(s.visible for s in game.states), *(z.visible for z in game.zones))):
        return game
    course = information_flow(game)
    spoken = _spoken_of(game, course) | read_where_hidden(game, course)
    placing = _Placing(game, course, _of_actions(game), _with_sources(game, spoken))
    placing.game = UnseenCalls(game, course, placing.receiving, placing.witness).done()
    return placing.covered(placing.done())


def _of_actions(game: ir.GameRules) -> frozenset[int]:
    """Returns the procedures of actions: they need no witnesses
    for their arguments, since the event of the choice shows them.
    """
    return frozenset(
        call.procedure
        for choice in game.choices
        for branch in choice.branches
        for call in branch.body
        if isinstance(call, ir.Call) and ir.BeginBody(branch.rule, call.arguments, site=call.site) in branch.body
    )


def _spoken_of(game: ir.GameRules, course: FlowWalk) -> frozenset[int]:
    """Returns the locals that words read: parameters of verbs if they hold secrets, and all locals in other words."""
    found: set[int] = set()
    for procedure in game.procedures:
        if procedure.rule is not None:
            hidden = [i for i, v in enumerate(procedure.parameters) if course.locals.get(v.id)]
            found |= {v.id for i in hidden for v in _both(game, procedure, i)}
    for rule in game.rules:
        found |= {variable.id for variable in rule.around}
    for shown in walk((game.procedures, game.choices)):
        found |= set(things_of(shown.things)) if isinstance(shown, ir.Show) else set()
    for choice in game.choices:
        found |= read_in(choice.prompt, tuple(need.message for branch in choice.branches for need in branch.needs))
    return frozenset(found)


def _with_sources(game: ir.GameRules, locals: Iterable[int]) -> frozenset[int]:
    """Returns locals, and those from which their values are computed, directly or through others."""
    found = set(locals)
    flows: list[tuple[int, set[int]]] = []
    for statement in statements_in((game.procedures, game.choices)):
        seen = statement.condition if isinstance(statement, ir.Loop | ir.Simultaneous) else None
        flows += [(local, read_in(of, seen)) for local, of in _bound_by(game, statement)]
    before = -1
    while before != len(found):
        before = len(found)
        for local, reads in flows:
            found |= reads if local in found else set()
    return frozenset(found)


def _bound_by(game: ir.GameRules, statement: ir.Statement) -> Iterator[tuple[int, tuple[ir.Expr, ...]]]:
    """Yields the locals that a statement binds, each with the expressions that its value comes from."""
    if isinstance(statement, ir.BeginBody):
        names = game.rules[statement.rule].around
        yield from ((v.id, (read,)) for v, read in zip(names, statement.around, strict=True))
    elif isinstance(statement, ir.Call):
        called = game.procedures[statement.procedure]
        for i, argument in enumerate(statement.arguments):
            yield from ((v.id, (argument,)) for v in _both(game, called, i))
    else:
        yield from ((variable.id, _sources(traits(statement))) for variable in traits(statement).binds)


def _sources(of: Traits) -> tuple[ir.Expr, ...]:
    """Returns the expressions that the value of a local comes from, given the traits of the statement that binds it."""
    whole = [part for part in of.evaluates if part is not None and not isinstance(part, ir.Source)]
    among = tuple(part for part in of.evaluates if isinstance(part, ir.Source))
    keys = tuple(part for part in of.each_round if isinstance(part, ir.Order))
    return (*whole, *([ir.Over("first", of.binds, among, None, None, keys)] if among else []))


def _both(game: ir.GameRules, procedure: ir.Procedure, i: int) -> tuple[ir.Variable, ...]:
    """Returns a parameter of a procedure, and its counterpart in the rule that events show."""
    rule = None if procedure.rule is None else game.rules[procedure.rule]
    shown = rule.parameters[i : i + 1] if rule is not None else ()
    return tuple(dict.fromkeys((procedure.parameters[i], *shown)))


@attrs.define(slots=False)
class _Placing:
    game: ir.GameRules
    course: FlowWalk
    actions: frozenset[int]
    spoken: frozenset[int]
    placed: int = 0

    def done(self) -> ir.GameRules:
        procedures = rewrite(self.game.procedures, self._change)
        return attrs.evolve(self.game, procedures=procedures, choices=rewrite(self.game.choices, self._change))

    def covered(self, game: ir.GameRules) -> ir.GameRules:
        """Returns a game with witnesses around the bodies of options that their choosers alone may know to be taken."""
        return attrs.evolve(game, choices=tuple(map(self._covered, game.choices)))

    def _covered(self, choice: ir.Choice) -> ir.Choice:
        if choice.actor is None:
            return choice
        chooser, branches = ir.Local(choice.actor.id), list(choice.branches)
        for number, branch in enumerate(choice.branches):
            if not self.course.destinations.is_covert(choice.id, number):
                continue
            own, after = inside_and_after(branch)
            before = self.witness(ir.CHOOSER, (chooser,), branch.site)
            again = self.witness(ir.CALLED, (), branch.site)
            branches[number] = attrs.evolve(branch, body=(before, *own, again, *after))
        return attrs.evolve(choice, branches=tuple(branches))

    def _change(self, node: Any) -> Any:
        if isinstance(node, ir.Move | ir.Reveal):
            shown = self._laid_open(node)
            return Spliced((node, *(self.witness(local, (), node.site) for local in shown))) if shown else node
        if isinstance(node, ir.Show) and not things_of(node.things) and not held_by(node.things):
            return Spliced((self.witness(ir.POINTED, (node.things,), node.site), node))
        if not isinstance(node, ir.Bind | ir.Loop | ir.Simultaneous | ir.Call | ir.Defer | ir.BeginBody | ir.Assign):
            return node
        bound: list[tuple[int, tuple[ir.Expr, ...]]] = []
        cells = self.receiving(node)
        if getattr(node, "procedure", -1) not in self.actions:
            bound = [(local, (*of, *cells)) for local, of in _bound_by(self.game, node) if local in self.spoken]
        before = [self.witness(local, of, node.site) for local, of in bound]
        if (
            isinstance(node, ir.Loop | ir.Simultaneous)
            and bound
            and (node.condition is not None or _is_movable(node.variable, self.game))
        ):
            # The rounds of a loop depend on its condition too, and each round refers anew to a thing.
            condition = () if node.condition is None else (node.condition,)
            seen = self.witness(node.variable.id, (ir.Local(node.variable.id), *condition), node.site)
            node = attrs.evolve(node, body=(seen, *node.body))
        if not cells:
            return Spliced((*before, node)) if before else node
        behind = self.witness(ir.THROWS, cells, node.site)
        # A called verb starts afresh: everyone may know the throws inside it.
        after = () if isinstance(node, ir.Call | ir.Defer) else (self.witness(ir.THROWS, (), node.site),)
        return Spliced((*before, behind, node, *after))

    def _laid_open(self, node: ir.Move | ir.Reveal) -> list[int]:
        """Returns the locals that stood for a secret and are now revealed to everyone."""
        if isinstance(node, ir.Move) and self.game.zones[node.to.zone].visible != "all":
            return []
        things = node.what.mask if isinstance(node, ir.Move) else node.things
        return [id for id in things_of(things) if id in self.spoken and id in self.course.secret_locals]

    def witness(self, local: int, of: tuple[ir.Expr, ...], site: int) -> ir.Witness:
        """Returns the next witness: it says that a local's value comes from some expressions."""
        self.placed += 1
        return ir.Witness(self.placed - 1, local, of, tuple(sorted(read_in(of))), site=site)

    def receiving(self, node: ir.Statement) -> tuple[ir.Expr, ...]:
        """Returns reads of the hidden variables that receive a statement's draws; () if everyone may see the draws."""
        return _cells(_goes(self.game, self.course, node), self._in_sight(node))

    def _in_sight(self, node: ir.Statement) -> set[int] | frozenset[int]:
        """Returns the locals that are certain to have a value at a statement."""
        if isinstance(node, ir.Bind):
            return self.sights.get(node.variable.id, frozenset())
        return locals_in(node)

    @cached_property
    def sights(self) -> dict[int, frozenset[int]]:
        """The locals that are bound before each `let`."""
        found: dict[int, frozenset[int]] = {}
        for procedure in self.game.procedures:
            _look_around(self.game, procedure.body, frozenset(v.id for v in procedure.parameters), found)
        return found


def _is_movable(variable: ir.Variable, game: ir.GameRules) -> bool:
    """Returns whether a variable stands for things that move."""
    return isinstance(variable.type, KindType) and any(k.name == variable.type.name and k.movable for k in game.kinds)


# ------------------------------------------------------------------ secret throws


def _goes(game: ir.GameRules, course: FlowWalk, node: ir.Statement) -> FlowLabel:
    """Returns the hidden variables that receive a statement's draw; none if everyone may see it."""
    found: set[Any] = set()
    match node:
        case ir.Assign(place=place, value=value) if is_drawn(game, value):
            about = game.states[place.state]
            own = frozenset((Secret(about.id, None, place.index),))
            return course.destinations.drawn_into(about) if about.visible == "all" else own
        case ir.Bind(variable=variable, value=value) if is_drawn(game, value):
            return course.destinations.drawn(variable.id)
        case ir.Call(procedure=callee, arguments=arguments) | ir.Defer(procedure=callee, arguments=arguments):
            parameters = game.procedures[callee].parameters
            given = {p.id: argument for p, argument in zip(parameters, arguments, strict=False)}
            for parameter, argument in zip(parameters, arguments, strict=False):
                if is_drawn(game, argument):
                    goes = course.destinations.of(parameter.id)
                    if not goes:
                        return frozenset()
                    found |= {in_terms_of(secret, given) for secret in goes}
        case _:  # any other statement takes nothing drawn anywhere else
            pass
    return frozenset(found)


def _cells(goes: FlowLabel, in_sight: Collection[int]) -> tuple[ir.Expr, ...]:
    """Returns reads of the variables in some secrets; NOBODY for one whose index reads locals out of scope."""
    return tuple(
        ir.Read(s.state, s.index)
        if s.state is not None and s.index is not None and locals_in(s.index) <= set(in_sight)
        else NOBODY
        for s in sorted(goes, key=lambda s: (s.state or 0, s.site))
    )


def _look_around(
    game: ir.GameRules, body: tuple[ir.Statement, ...], before: frozenset[int], found: dict[int, frozenset[int]]
) -> None:
    for statement in body:
        match statement:
            case ir.Bind(variable=variable):
                found[variable.id] = before
                before |= {variable.id}
            case ir.Loop(variable=variable) | ir.Simultaneous(variable=variable):
                _look_around(game, statement.body, before | {variable.id}, found)
            case ir.Repeat():
                _look_around(game, statement.body, before, found)
            case ir.When(branches=branches, otherwise=otherwise):
                for inner in (*(body for _, body, _ in branches), otherwise):
                    _look_around(game, inner, before, found)
            case ir.Ask(choice=choice):
                asked = game.choices[choice]
                own = {name.id for name in (asked.actor, asked.variable) if name is not None}
                for branch in asked.branches:
                    _look_around(game, branch.body, before | own | {p.variable.id for p in branch.parameters}, found)
                _look_around(game, asked.when_none, before, found)
            case _:  # no other statement binds, or has statements inside
                pass
