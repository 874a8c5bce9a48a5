"""Checks on secrets: what a choice shows its chooser must not depend on what the chooser may not see.

    needs any(c.kind == joker for c in q.hand)     E0402: the list of options would tell what q holds
    top(s.cards).face if is_face_up(top(s.cards))  fine: where it is read, everybody sees it
    least(route(…).cost) reads p.lane under seal   fine; reading it outside of `least` is E0403

It also decides which choices may be forced: only where nothing hidden is read, so that a lone option is no secret.
"""

from __future__ import annotations

import attrs

from rulelang.diagnostics.model import Label
from rulelang.ir import model as ir
from rulelang.ir.walk import rewrite, walk
from rulelang.semantics.scope import World

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
                for part in arguments:
                    self.look(part, own, up=up)
                    up |= self.face_up(part)
            case ir.Either(condition=condition, then=then, otherwise=otherwise):
                self.look((condition, otherwise), own, up=up)
                self.look(then, own, up=up | self.face_up(condition))
            case ir.Over(sources=sources, condition=condition, value=value, keys=keys):
                self.look((sources, condition), own, up=up)
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
        for case in value.cases:
            self.look(case.condition, own, up=up)
            self.look(case.value, own, up=up | self.face_up(case.condition))
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
        if not (state.visible == "owner" and self._own(index, own)) and state.visible != "expr":
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
        if not (zone.visible == "owner" and self._own(index, own)) and zone.visible != "expr":
            self.found.append((zone.name, zone.site))


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


def check_secrets(world: World, game: ir.Game) -> ir.Game:
    """Reports choices that would tell secrets; marks those that may be forced."""
    choices = []
    for choice in game.choices:
        hidden = False
        for branch in choice.branches:
            hidden = _check_branch(world, game, choice, branch) or hidden
        choices.append(attrs.evolve(choice, forced=choice.forced and not hidden))
    return attrs.evolve(game, choices=tuple(choices))


def _check_branch(world: World, game: ir.Game, choice: ir.Choice, branch: ir.Branch) -> bool:
    assert choice.actor is not None
    own = frozenset({choice.actor.id})
    hidden = False
    for parameter in branch.parameters:
        finder = Finder(world, game, choice.actor.id)
        finder.look((parameter.domain, parameter.low, parameter.high), own)
        _report(world, game, finder, choice.site, f"the options of `{branch.name}`")
        hidden = hidden or finder.hidden
    for i, need in enumerate(branch.needs):
        finder = Finder(world, game, choice.actor.id)
        # What the needs before it ask for holds where it is looked at.
        before = [n for n in branch.needs[:i] if n.after <= need.after]
        up = frozenset[ir.Expr]().union(*(finder.face_up(n.condition) for n in before))
        finder.look((need.condition, need.message.parts if need.message else ()), own, up=up)
        _report(world, game, finder, need.site, f"whether `{branch.name}` is allowed")
        hidden = hidden or finder.hidden
    _check_seal(world, game, choice, branch)
    return hidden


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
