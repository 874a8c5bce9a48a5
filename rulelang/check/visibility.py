"""Checks on secrets: what a choice shows its chooser must not depend on what the chooser may not see.

    needs any(c.kind == joker for c in q.hand)     E0402: the list of options would tell what q holds
    least(route(…).cost) reads p.lane under seal   fine; reading it outside of `least` is E0403

It also decides which choices may be forced: only where nothing hidden is read, so that a lone option is no secret.
"""

from __future__ import annotations

import attrs

from rulelang.check.scope import World
from rulelang.ir import model as ir
from rulelang.ir.walk import walk


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
    seen: set[tuple[str, int, tuple[bool, ...]]] = attrs.field(factory=set)

    def look(self, node: object, own: frozenset[int], counted: bool = False) -> None:
        """Goes through an expression; `own` are the locals known to be the chooser."""
        match node:
            case tuple():
                for part in node:
                    self.look(part, own)
            case ir.Bound():
                pass
            case ir.Op(name="size" | "==" | "!=", arguments=arguments) if _counts(node):
                for part in arguments:
                    self.look(part, own, True)
            case ir.Read(state=state, index=index):
                self._variable(self.game.states[state], index, own)
                self.look(index, own)
            case ir.Contents(zone=zone, index=index) | ir.InSlot(zone=zone, index=index):
                if not counted:
                    self._zone(self.game.zones[zone], index, own)
                self.look(index, own)
            case ir.TopOf(zone=zone, index=index):
                if not self.game.zones[zone].top_up:
                    self._zone(self.game.zones[zone], index, own)
                self.look(index, own)
            case ir.OwnerOf(kind=kind, owner=owner, thing=thing):
                self._whereabouts(kind, owner)
                self.look(thing, own)
            case ir.PlaceOf(kind=kind, thing=thing):
                self._whereabouts(kind)
                self.look(thing, own)
            case ir.CallValue(value=value, arguments=arguments):
                self._value(value, arguments, own)
            case ir.Source(mask=mask, pile=pile):
                self.look(mask, own)
                if pile is not None and mask is None:
                    self.look(pile, own)
            case _ if attrs.has(type(node)) and type(node).__module__ == ir.__name__:
                for field in attrs.fields(type(node)):  # type: ignore[arg-type]
                    self.look(getattr(node, field.name), own)

    def _value(self, value: int, arguments: tuple[ir.Expr, ...], own: frozenset[int]) -> None:
        self.look(arguments, own)
        flags = tuple(isinstance(a, ir.Local) and a.id in own for a in arguments)
        if ("value", value, flags) in self.seen:
            return
        self.seen.add(("value", value, flags))
        declared = self.game.values[value]
        inner = frozenset(p.id for p, flag in zip(declared.parameters, flags, strict=True) if flag)
        for case in declared.cases:
            self.look((case.condition, case.value), inner)
        for adjustment in declared.adjustments:
            self.look((adjustment.condition, adjustment.amount), inner)

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
    for need in branch.needs:
        finder = Finder(world, game, choice.actor.id)
        finder.look((need.condition, need.message.parts if need.message else ()), own)
        _report(world, game, finder, need.site, f"whether `{branch.name}` is allowed")
        hidden = hidden or finder.hidden
    _check_seal(world, game, choice, branch)
    return hidden


def _report(world: World, game: ir.Game, finder: Finder, site: int, what: str) -> None:
    for name, declared in finder.found[:1]:
        from rulelang.diagnostics.model import Label

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
