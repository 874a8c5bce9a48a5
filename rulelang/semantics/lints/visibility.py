"""Checks on secrets: what a choice shows its chooser must not depend on what the chooser may not see.

    needs any(c.kind == joker for c in q.hand)     E0402: the list of options would tell what q holds
    top(s.cards).face if is_face_up(top(s.cards))  fine: where it is read, everybody sees it
    least(route(…).cost) reads p.lane under seal   fine; reading it outside of `least` is E0403

A lone option may be taken without asking only where nothing hidden is read (`tells_secrets`), so that it is no secret.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import attrs

from rulelang.diagnostics.model import Label
from rulelang.ir import model as ir
from rulelang.ir.walk import rewrite, walk
from rulelang.semantics.names.facts import conjuncts, mirrored
from rulelang.semantics.names.scope import World

SPELLED_OUT = 6
"""How deep values are looked into with the arguments that they are called with."""


@attrs.define
class Finder:
    """Looks for hidden reads in what one choice shows."""

    world: World
    game: ir.Game
    actor: int
    """The local that is the chooser."""
    hidden: bool = False
    found: list[tuple[str, int | None]] = attrs.field(factory=list)
    """(what is read, the zone or state's site)"""
    seen: set[tuple[int, tuple[bool, ...]]] = attrs.field(factory=set)
    inside: list[int] = attrs.field(factory=list)
    """The values that are being spelled out, outermost first."""
    facts: tuple[ir.Expr, ...] = ()
    """The conditions that hold where it looks."""

    def look(
        self, node: object, own: frozenset[int], counted: bool = False, up: frozenset[ir.Expr] = frozenset()
    ) -> None:
        """Goes through an expression; `own` are the locals known to be the chooser, `up` is known to lie face up."""
        match node:
            case tuple():
                for part in node:
                    self.look(part, own, up=up)
            case ir.Bound():
                pass
            case ir.Op(name="size" | "==" | "!=", arguments=arguments) if _counts(node):
                for part in arguments:
                    self.look(part, own, True, up)
            case ir.And(arguments=arguments):
                for i, part in enumerate(arguments):
                    with self.knowing(*arguments[:i]):
                        self.look(part, own, up=up)
                    up |= self.face_up(part)
            case ir.Or(arguments=arguments):
                for i, part in enumerate(arguments):
                    with self.knowing(*(_denied(before) for before in arguments[:i])):
                        self.look(part, own, up=up)
            case ir.Either():
                self._either(node, own, up)
            case ir.Over(sources=sources, condition=condition, value=value, keys=keys):
                self.look(condition, own, up=up)
                # What does not pass does not count, whatever it is.
                with self.knowing(*([condition] if condition is not None else [])):
                    self.look(sources, own, up=up)
                    self.look((value, keys), own, up=up | self.face_up(condition))
            case ir.FaceUp(thing=ir.TopOf(index=index) | ir.InSlot(index=index)):
                self.look(index, own, up=up)
            case ir.Read(state=state, index=index):
                self._variable(self.game.states[state], index, own)
                self.look(index, own, up=up)
            case (
                ir.Contents(zone=zone, index=index)
                | ir.InSlot(zone=zone, index=index)
                | ir.TopOf(zone=zone, index=index)
            ):
                shown = isinstance(node, ir.TopOf) and self.game.zones[zone].top_up
                if not counted and not shown and node not in up:
                    self._zone(self.game.zones[zone], index, own)
                self.look(index, own, up=up)
            case ir.OwnerOf(kind=kind, owner=owner, thing=thing):
                self._whereabouts(kind, owner)
                self.look(thing, own, up=up)
            case ir.PlaceOf(kind=kind, thing=thing):
                self._whereabouts(kind)
                self.look(thing, own, up=up)
            case ir.CallValue(value=value, arguments=arguments):
                self.look(arguments, own, up=up)
                self._value(self.game.values[value], arguments, own, up)
            case ir.Source(mask=mask, pile=pile):
                self.look(mask, own, up=up)
                if pile is not None and mask is None:
                    self.look(pile, own, up=up)
            case _ if type(node) in ir.NODES:
                for field in attrs.fields(type(node)):  # type: ignore[arg-type]
                    self.look(getattr(node, field.name), own, up=up)

    def _either(self, node: ir.Either, own: frozenset[int], up: frozenset[ir.Expr]) -> None:
        self.look(node.condition, own, up=up)
        with self.knowing(_denied(node.condition)):
            self.look(node.otherwise, own, up=up)
        with self.knowing(node.condition):
            self.look(node.then, own, up=up | self.face_up(node.condition))

    def _value(
        self, declared: ir.Value, arguments: tuple[ir.Expr, ...], own: frozenset[int], up: frozenset[ir.Expr]
    ) -> None:
        """Looks at what a value reads, spelled out with its arguments; inside of itself with its own names."""
        if declared.id not in self.inside and len(self.inside) < SPELLED_OUT:
            self.inside.append(declared.id)
            self._cases(spelled_out(declared, arguments), own, up)
            self.inside.pop()
            return
        flags = tuple(isinstance(a, ir.Local) and a.id in own for a in arguments)
        if (declared.id, flags) not in self.seen:
            self.seen.add((declared.id, flags))
            inner = frozenset(p.id for p, flag in zip(declared.parameters, flags, strict=True) if flag)
            self._cases(declared, inner, frozenset())

    def _cases(self, value: ir.Value, own: frozenset[int], up: frozenset[ir.Expr]) -> None:
        passed: list[ir.Expr] = []
        for case in value.cases:
            with self.knowing(*passed):
                self.look(case.condition, own, up=up)
                with self.knowing(*([case.condition] if case.condition is not None else [])):
                    self.look(case.value, own, up=up | self.face_up(case.condition))
            passed += [_denied(case.condition)] if case.condition is not None else []
        for adjustment in value.adjustments:
            self.look((adjustment.condition, adjustment.amount), own, up=up)

    def face_up(self, condition: ir.Expr | None, depth: int = 0) -> frozenset[ir.Expr]:
        """Gives what lies face up wherever a condition holds."""
        match condition:
            case ir.FaceUp(thing=thing):
                return frozenset((thing,))
            case ir.And(arguments=arguments):
                return frozenset[ir.Expr]().union(*(self.face_up(part, depth) for part in arguments))
            case ir.CallValue(value=value, arguments=arguments) if depth < SPELLED_OUT:
                body = spelled_out(self.game.values[value], arguments)
                if len(body.cases) == 1 and body.cases[0].condition is None:
                    return self.face_up(body.cases[0].value, depth + 1)
        return frozenset()

    def _own(self, index: tuple[ir.Expr, ...], own: frozenset[int]) -> bool:
        return bool(index) and isinstance(index[0], ir.Local) and index[0].id in own

    def _variable(self, state: ir.StateVariable, index: tuple[ir.Expr, ...], own: frozenset[int]) -> None:
        if state.visible == "all":
            return
        self.hidden = True
        if not self._is_seen(state, state.initial_names, index, own):
            self.found.append((state.name, state.site))

    def _whereabouts(self, kind: int, owner: str | None = None) -> None:
        """Where a thing lies tells what is in a zone: a secret, if things of this kind can lie in a hidden one (of `owner`)."""
        zones = [z for z in self.game.zones if z.kind == kind and owner in (None, z.owner)]
        hidden = next((z for z in zones if z.visible != "all"), None)
        if hidden is not None:
            self.hidden = True
            self.found.append((hidden.name, hidden.site))

    def _zone(self, zone: ir.Zone, index: tuple[ir.Expr, ...], own: frozenset[int]) -> None:
        if zone.name == "box":
            self._whereabouts(zone.kind)
            return
        if zone.visible == "all":
            return
        self.hidden = True
        if not self._is_seen(zone, zone.seen_names, index, own):
            self.found.append((zone.name, zone.site))

    @contextmanager
    def knowing(self, *facts: ir.Expr) -> Iterator[None]:
        """Looks at what follows with more conditions that hold."""
        before, self.facts = self.facts, (*self.facts, *facts)
        yield
        self.facts = before

    def _is_seen(
        self,
        what: ir.StateVariable | ir.Zone,
        names: tuple[ir.Variable, ...],
        index: tuple[ir.Expr, ...],
        own: frozenset[int],
    ) -> bool:
        """Tells whether the chooser surely sees a variable or zone that not everybody sees."""
        if what.visible == "expr" and what.seen_by is not None:
            given = {name.id: part for name, part in zip(names, index, strict=False)}
            seers = rewrite(what.seen_by, lambda n: given.get(n.id, n) if isinstance(n, ir.Local) else n)
            return self._is_among(seers, own)
        return what.visible == "owner" and self._own(index, own)

    def _is_among(self, seers: ir.Expr, own: frozenset[int]) -> bool:
        """Tells whether the chooser is surely one of a set."""
        me = ir.Local(self.actor)
        if self._holds(ir.Op("in", (me, seers)), own):
            return True
        match seers:
            case ir.Read(state=state):
                return state in (self.game.players_left, self.game.all_players)
            case ir.Op(name="single", arguments=(one,)):
                return self._is_me(one, own) or self._holds(ir.Op("==", (one, me)), own)
            case ir.Op(name="union", arguments=arguments):
                return any(self._is_among(part, own) for part in arguments)
            case ir.Over(what="set", names=(one,), sources=(source,), value=ir.Local(id=id)) if id == one.id:
                test = rewrite(seers.condition, lambda n: me if n == ir.Local(one.id) else n)
                whole = source.mask is not None and self._is_among(source.mask, own)
                return whole and all(self._holds(part, own) for part in (conjuncts(test) if test is not None else ()))
        return False

    def _is_me(self, node: object, own: frozenset[int]) -> bool:
        return isinstance(node, ir.Local) and node.id in own

    def _holds(self, test: ir.Expr, own: frozenset[int]) -> bool:
        """Tells whether a test is among the conditions that hold, whichever way round it is written."""

        def plain(node: object) -> object:
            return ir.Local(self.actor) if self._is_me(node, own) else node

        wanted = rewrite(test, plain)
        found = {rewrite(part, plain) for fact in self.facts for part in conjuncts(fact)}
        turned = mirrored(wanted)
        return wanted in found or (turned is not None and turned in found)


def _denied(condition: ir.Expr) -> ir.Expr:
    return ir.Op("not", (condition,))


def _picked(game: ir.Game, parameter: ir.Parameter) -> list[ir.Expr]:
    """Returns what holds of a member of a parameter's domain, where that is a set with a condition."""
    domain = parameter.domain.mask
    if isinstance(domain, ir.CallValue):
        body = spelled_out(game.values[domain.value], domain.arguments)
        domain = body.cases[0].value if len(body.cases) == 1 and body.cases[0].condition is None else None
    match domain:
        case ir.Over(what="set", names=(one,), value=ir.Local(id=id), condition=ir.Op() | ir.And() as test):
            own = ir.Local(parameter.variable.id)
            picked = rewrite(test, lambda n: own if n == ir.Local(one.id) else n)
            return [picked] if id == one.id and parameter.low is None else []
    return []


def spelled_out(value: ir.Value, arguments: tuple[ir.Expr, ...]) -> ir.Value:
    """Gives a value with its arguments in the place of its parameters."""
    given = {p.id: argument for p, argument in zip(value.parameters, arguments, strict=True)}

    def change(node: object) -> object:
        return given.get(node.id, node) if isinstance(node, ir.Local) else node

    return attrs.evolve(
        value, cases=rewrite(value.cases, change), adjustments=rewrite(value.adjustments, change), parameters=()
    )


def _counts(node: object) -> bool:
    """`count(ZONE)` and `ZONE == {}` tell only how many, which everybody may know."""
    if not isinstance(node, ir.Op):
        return False
    zones = [a for a in node.arguments if isinstance(a, ir.Contents | ir.InSlot)]
    rest = [a for a in node.arguments if not isinstance(a, ir.Contents | ir.InSlot)]
    return len(zones) == 1 and all(isinstance(a, ir.Const) and a.value <= 0 for a in rest)


def check_secrets(world: World, game: ir.Game) -> None:
    """Reports choices that would tell secrets."""
    for choice in game.choices:
        if choice.open:
            # Nothing hidden is read for it, and it is not under seal.
            continue
        for branch in choice.branches:
            for finder, site, what in looked_at(world, game, choice, branch):
                _report(world, game, finder, site, what)
            _check_seal(world, game, choice, branch)


def tells_secrets(world: World, game: ir.Game, choice: ir.Choice) -> bool:
    """Says whether anything hidden is read for what a choice shows its chooser."""
    looks = (look for branch in choice.branches for look in looked_at(world, game, choice, branch))
    return any(finder.hidden for finder, _, _ in looks)


def looked_at(world: World, game: ir.Game, choice: ir.Choice, branch: ir.Branch) -> Iterator[tuple[Finder, int, str]]:
    """Yields what was found in each domain and need of a branch, with its site and its name in a message."""
    assert choice.actor is not None
    own = frozenset({choice.actor.id})
    facts: list[ir.Expr] = []
    for i, parameter in enumerate(branch.parameters):
        asked = [n.condition for n in branch.needs if n.after <= i]
        finder = Finder(world, game, choice.actor.id, facts=(*facts, *asked))
        facts += _picked(game, parameter)
        finder.look((parameter.domain, parameter.low, parameter.high), own)
        yield finder, choice.site, f"the options of `{branch.name}`"
    for i, need in enumerate(branch.needs):
        # What the needs before it ask for holds where it is looked at.
        before = [n for j, n in enumerate(branch.needs) if n.after < need.after or (n.after == need.after and j < i)]
        finder = Finder(world, game, choice.actor.id, facts=(*facts, *(n.condition for n in before)))
        up = frozenset[ir.Expr]().union(*(finder.face_up(n.condition) for n in before))
        finder.look((need.condition, need.message.parts if need.message else ()), own, up=up)
        yield finder, need.site, f"whether `{branch.name}` is allowed"


def _report(world: World, game: ir.Game, finder: Finder, site: int, what: str) -> None:
    for name, declared in finder.found[:1]:
        labels = (Label(game.sites[declared].span, "a secret"),) if declared else ()
        world.sink.report(
            "E0402",
            f"{what} depends on a secret: `{name}`",
            game.sites[site].span,
            "the chooser would learn it from the list of options",
            labels=labels,
            help="test it after the choice is made, in the body",
        )


def _check_seal(world: World, game: ir.Game, choice: ir.Choice, branch: ir.Branch) -> None:
    """A variable that this sealed choice writes is read in a domain or a need only through `least` and `most`."""
    if not choice.sealed:
        return
    written = _sealed_states(game, branch)
    for part, site in (
        *((p.domain, choice.site) for p in branch.parameters),
        *((n.condition, n.site) for n in branch.needs),
    ):
        for state in sorted(_reads(game, part, set()) & written):
            world.sink.report(
                "E0403",
                f"`{game.states[state].name}` is under seal here: not everybody has chosen yet",
                game.sites[site].span,
                help="ask for a bound: `least(…)` or `most(…)`",
            )


def _sealed_states(game: ir.Game, branch: ir.Branch) -> set[int]:
    chosen = {p.variable.id for p in branch.parameters}
    bodies = [branch.body]
    arguments: dict[int, int] = {}
    for node in branch.body:
        if isinstance(node, ir.Call):
            procedure = game.procedures[node.procedure]
            bodies.append(procedure.body)
            for variable, argument in zip(procedure.parameters, node.arguments, strict=True):
                if isinstance(argument, ir.Local) and argument.id in chosen:
                    arguments[variable.id] = argument.id
    chosen |= set(arguments)
    return {
        n.place.state
        for body in bodies
        for n in body
        if isinstance(n, ir.Assign) and n.operator == "=" and isinstance(n.value, ir.Local) and n.value.id in chosen
    }


def _reads(game: ir.Game, node: object, seen: set[int]) -> set[int]:
    found: set[int] = set()
    skip: set[int] = set()
    for inner in walk(node):
        if id(inner) in skip:
            skip.update(id(n) for n in walk(inner) if n is not inner)
            continue
        if isinstance(inner, ir.Bound):
            skip.update(id(n) for n in walk(inner))
        elif isinstance(inner, ir.Read):
            found.add(inner.state)
        elif isinstance(inner, ir.CallValue) and inner.value not in seen:
            seen.add(inner.value)
            found |= _reads(game, game.values[inner.value].cases, seen)
    return found
