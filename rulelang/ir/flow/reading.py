"""Collects the secrets that an expression depends on.

    any(c.n == 3 for c in q.hand)      the contents of q.hand
    count(q.hand) > 0                  nothing: the number of cards is public
    strong(q)                          the secrets that the value's cases read, with q for its parameter
    x + 1                              the secrets that x depended on when it was bound

Each secret keeps the conditions that hold where it is read (`q != p
and any(… for c in q.hand)`). Things that lie face up are not hidden.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import attrs

from rulelang.ir import model as ir
from rulelang.ir.facts import conjuncts, pointing_at_hidden
from rulelang.ir.flow.lying import lying
from rulelang.ir.flow.members import is_counted, plain, whole_zone
from rulelang.ir.flow.place import Opened, Shown, is_opened, of_variable
from rulelang.ir.flow.secret import NOTHING, FlowLabel, Secret, in_order
from rulelang.ir.types import NONE, SetType, Type
from rulelang.ir.walk import spelled_out, walk, with_arguments

SPELLED_OUT = 6
"""The depth of nested calls up to which a value's body is read with the arguments of the call."""
MOST_SPELLED_OUT = 2_000
"""The most calls of a reading whose bodies are read so; the bodies of further calls are read once each."""


@attrs.frozen
class Hidden:
    """The hidden parts of a game, by id, and the values and data that read them, directly or through others."""

    states: frozenset[int]
    zones: frozenset[int]
    kinds: frozenset[int]
    """Kinds with things that may lie in hidden zones."""
    values: frozenset[int]
    """Values that read hidden parts and, as -1 - id, such data."""
    boxes: frozenset[int] = frozenset()
    """Boxes in which things stay hidden."""
    holding: frozenset[int] = frozenset()
    """The variables that hold things of those kinds: seeing the variable does not mean seeing the thing."""
    bodies: dict[tuple[int, tuple[ir.Expr, ...]], tuple[ir.Value, ir.Value]] = attrs.field(
        factory=dict, eq=False, repr=False
    )
    """By the id of a value, which is kept alive here, and arguments: the value, and its body with these for its parameters."""

    @classmethod
    def of(cls, game: ir.GameRules) -> Hidden:
        """Returns the hidden parts of a game; `scratch` variables, which no view shows, are among them."""
        states = frozenset(s.id for s in game.states if s.visible != "all" or s.scratch)
        kinds = frozenset(zone.kind for zone in game.zones if zone.visible != "all" and zone.name != "box")
        zones = {z.id for z in game.zones if z.visible != "all"}
        holding = frozenset(state.id for state, _ in pointing_at_hidden(game))
        boxes = frozenset(id for id in zones if game.zones[id].name == "box")
        found = cls(states, frozenset(zones), kinds, frozenset(), boxes, holding)
        bodies: dict[int, object] = {value.id: (value.cases, value.adjustments) for value in game.values}
        bodies |= {-1 - data.id: data.columns for data in game.data}
        values = {id for id, body in bodies.items() if found.is_read(body, ())}
        asked = {id: _asked_in(body) for id, body in bodies.items() if id not in values}
        while more := {id for id, others in asked.items() if id not in values and not values.isdisjoint(others)}:
            values |= more
        return attrs.evolve(found, values=frozenset(values))

    def is_read(self, node: object, locals: Collection[int]) -> bool:
        """Returns whether a node may read a hidden part, or one of these locals."""
        return any(self._tells(part, locals) for part in walk(node))

    def _tells(self, node: object, locals: Collection[int]) -> bool:
        match node:
            case ir.Local():
                return node.id in locals
            case ir.Read():
                return node.state in self.states or node.state in self.holding
            case ir.Contents() | ir.InSlot() | ir.TopOf():
                return node.zone in self.zones
            case ir.PlaceOf() | ir.OwnerOf() | ir.FaceUp():
                return node.kind in self.kinds
            case ir.CallValue():
                return node.value in self.values
            case ir.Cell():
                return -1 - node.data in self.values
            case _:  # any other node tells nothing by itself
                return False


@attrs.define
class Reading:
    """Walks expressions at one place in the rules and collects the secrets that they depend on."""

    game: ir.GameRules
    hidden: Hidden
    labels: Mapping[int, FlowLabel]
    """By local: the secrets that it depends on."""

    scratch: Mapping[int, FlowLabel]
    """By `scratch` variable: the secrets of the values written to it, in terms of its own names."""
    site: int = 0
    facts: tuple[ir.Expr, ...] = ()
    """The conditions that hold at this place."""
    found: list[Secret] = attrs.field(factory=list)
    seen: set[int] = attrs.field(factory=set)
    inside: list[int] = attrs.field(factory=list)
    """The values that are being spelled out, outermost first."""
    spelled_out: int = 0
    """The number of calls whose bodies were read with their arguments."""
    by: tuple[tuple[str, int], ...] = ()
    """The name of the outermost value or data that is being read, with site 0; empty outside of any."""
    sealed: frozenset[int] = frozenset()
    """Variables under seal, inside `least` and `most`; reading them reveals nothing."""
    held: Mapping[int, FlowLabel] = attrs.field(factory=dict)
    """By variable that holds things: the secrets of where these lay
    when they were assigned, in terms of the variable's own names.
    """

    opened: Opened = frozenset()
    """The zones and variables whose things lie face up at this place."""
    shown: Shown = frozenset()
    """The things that some seats were shown where they lie."""
    placed: Mapping[int, Type] = attrs.field(factory=dict)
    """The types of locals of which all see whether they stand for anything, and for how many things."""
    members: dict[int, ir.Source] = attrs.field(factory=dict)
    """By local that ranges over the things of a whole zone: that zone."""

    def look(self, node: object, counted: bool = False, up: frozenset[ir.Expr] = frozenset()) -> None:
        """Walks an expression. `counted`: only the number of things is read; `up`: expressions known to lie face up."""
        if node is None:
            return
        match node:
            case tuple():
                for part in node:
                    self.look(part, up=up)
            case ir.Openly():
                pass
            case ir.Bound(of=of, seals=seals):
                before, self.sealed = self.sealed, self.sealed | {seal.state for seal in seals}
                self.look(of, up=up)
                self.sealed = before
            case ir.Op():
                self._operator(node, up)
            case ir.And(arguments=arguments):
                for i, part in enumerate(arguments):
                    rest = (*arguments[:i], *arguments[i + 1 :])
                    with self.knowing(*arguments[:i]):
                        self.look(part, up=up.union(*map(self.face_up, rest)))
            case ir.Or(arguments=arguments):
                for i, part in enumerate(arguments):
                    rest = (*arguments[:i], *arguments[i + 1 :])
                    with self.knowing(*map(denied, arguments[:i])):
                        self.look(part, up=up.union(*(self.face_up(denied(other)) for other in rest)))
            case ir.Either():
                self._either(node, up)
            case ir.Over():
                self._comprehension(node, counted, up)
            case ir.Local() | ir.Read() | ir.Contents() | ir.InSlot() | ir.TopOf() | ir.OwnerOf() | ir.PlaceOf():
                self._read(node, counted, up)
            case ir.Column(table=table, of=of) if to := self._shown_of(ir.Column(table, of)):
                found, self.found = self.found, []
                self.look(node.of, up=up)
                self.found = [*found, *(attrs.evolve(s, shown=(*s.shown, *to)) for s in self.found)]
            case ir.FaceUp(thing=ir.TopOf(index=index) | ir.InSlot(index=index)):
                self.look(index, up=up)
            case ir.FaceUp(thing=ir.Local(id=id)) if id in self.members:
                pass  # Which things lie face up is no secret.
            case ir.CallValue(value=value, arguments=arguments):
                self.look(arguments, up=up)
                self._value(self.game.values[value], arguments, up)
            case ir.Cell(data=data, column=column, arguments=arguments):
                self.look(arguments, up=up)
                self._cell(self.game.data[data], column, arguments, up)
            case ir.Source(mask=mask, pile=pile):
                self.look(mask, up=up)
                if pile is not None and mask is None:
                    self.look(pile, up=up)
            case _ if type(node) in ir.NODES:
                for field in attrs.fields(type(node)):  # type: ignore[arg-type]
                    self.look(getattr(node, field.name), up=up)
            case _:  # a word or a number, which reads nothing
                pass

    def _shown_of(self, node: ir.Expr) -> tuple[ir.Expr, ...]:
        """Returns the seats to whom a thing, or a part of one, was shown where it lies."""
        return tuple(seats for shown, seats in self.shown if shown == node)

    def _comprehension(self, written: ir.Over, counted: bool, up: frozenset[ir.Expr]) -> None:
        """Walks a comprehension. Of the things of a whole zone it reveals what it reads of each, whatever it reads: their
        number and which of them lie face up are public.
        """
        node, condition = plain(written, self.game), written.condition
        if not isinstance(node, ir.Over):
            self.look(node, counted, up)
            return
        tests = [test for test in (node.condition, node.value) if test not in (None, ir.Const(1))]
        if node.what in ("count", "any") and len(node.sources) == len(tests) == 1:
            # How many things lie in a zone, and whether there are any, is public.
            if (place := whole_zone(node.sources[0], tests[0], node.names[0].id, self.game)) is not None:
                self.look(place.index, up=up)
                return
        before = dict(self.members)
        for name, source in zip(node.names, node.sources, strict=True):
            if is_counted(source):
                self.look(_index_of(source), up=up)
                self.members[name.id] = source
            else:
                self.members.pop(name.id, None)
        self.look(node.condition, up=up)
        # Members that fail the condition do not contribute.
        up |= self.face_up(node.condition)
        with self.knowing(*([condition] if condition is not None else [])):
            for name, source in zip(node.names, node.sources, strict=True):
                if not is_counted(source):
                    self.look(source, up=up)
                elif node.what in ("first", "best"):
                    self.look(ir.Local(name.id), up=up)
            self.look((node.value, node.keys), up=up)
        self.members = before

    def _operator(self, node: ir.Op, up: frozenset[ir.Expr]) -> None:
        """Walks an operator; some comparisons reveal less than their sides."""
        if node.name == "in" and self._lies(node):
            return
        if node.name in ("==", "!=", "size", "in"):
            node = attrs.evolve(node, arguments=tuple(plain(part, self.game) for part in node.arguments))
        if node.name in ("==", "!="):
            one, other = node.arguments
            if one == other:
                return
            if self._compared(one, other, up) or self._compared(other, one, up):
                return
        for part in node.arguments:
            match part:
                case ir.Over(what="set", names=(member,), value=ir.Local(id=id)) if node.name == "size" and (
                    id == member.id
                ):
                    self.look(attrs.evolve(part, what="count", value=None), up=up)
                case _:  # any other part is looked at as it is
                    self.look(part, _counts(node), up)

    def _lies(self, node: ir.Op) -> bool:
        """Returns whether it is known of a thing in which zone it lies, if it is anywhere, so that all see whether it is in
        one; walks what decides which zones are meant."""
        thing, zone = node.arguments
        if not isinstance(thing, ir.Local) or not isinstance(zone, ir.Contents):
            return False
        for there in lying(self.facts, thing).values():
            if there.zone != zone.zone or there.index == zone.index:
                self.look(there.index)
                self.look(zone.index)
                return True
        return False

    def _compared(self, one: ir.Expr, other: ir.Expr, up: frozenset[ir.Expr]) -> bool:
        """Returns whether it reveals less than both of its sides that they are equal, and walks them if so."""
        match one, other:
            case ir.Local(id=id), ir.Const() if id in self.placed and other == nothing_of(self.placed[id]):
                pass
            case ir.Read(state=state, index=index), ir.Const() if state in self.hidden.holding and other == nothing_of(
                self.game.states[state].type
            ):
                self._variable(self.game.states[state], index)
                self.look(index, up=up)
            case ir.Over(what="set" | "first" | "best"), ir.Const(value=value) if value == (
                NONE if one.what == "first" else 0
            ) and (one.value in (None, ir.Local(one.names[0].id))):
                # Whether there are any tells less than which they are.
                self.look(attrs.evolve(one, what="any", value=ir.Const(1), keys=()), up=up)
            case ir.Pick(of=source), ir.Const(value=value) if value == NONE and is_counted(source):
                self.look(_index_of(source), up=up)
            case ir.OwnerOf(kind=kind, owner=owner, thing=thing), whose if whose != ir.Const(NONE):
                self.look((thing, whose), up=up)
                if thing not in up:
                    self._whereabouts(kind, owner, whose)
            case _:  # any other comparison reveals both of its sides
                return False
        return True

    def _read(self, node: ir.Expr, counted: bool, up: frozenset[ir.Expr]) -> None:
        """Notes the secret that a node itself reads, and walks its index."""
        match node:
            case ir.Local(id=id):
                if node not in up and not (counted and id in self.placed):
                    self.found.extend(in_order(self.labels.get(id, NOTHING)))
                    self.look(self.members.get(id), up=up)
            case ir.Read(state=state, index=index):
                self._variable(self.game.states[state], index)
                if node not in up and not is_opened(self.opened, of_variable(state), index):
                    self._things(self.game.states[state], index)
                self.look(index, up=up)
            case (
                ir.Contents(zone=zone, index=index)
                | ir.InSlot(zone=zone, index=index)
                | ir.TopOf(zone=zone, index=index)
            ):
                is_shown = isinstance(node, ir.TopOf) and self.game.zones[zone].top_up
                if not counted and not is_shown and node not in up:
                    self._zone(self.game.zones[zone], index, self._shown_of(node))
                self.look(index, up=up)
            case ir.OwnerOf(kind=kind, owner=owner, thing=thing):
                if thing not in up:
                    self._whereabouts(kind, owner)
                self.look(thing, up=up)
            case ir.PlaceOf(kind=kind, thing=thing):
                if thing not in up:
                    self._whereabouts(kind)
                self.look(thing, up=up)
            case _:  # any other expression reads nothing by itself
                pass

    def _either(self, node: ir.Either, up: frozenset[ir.Expr]) -> None:
        self.look(node.condition, up=up)
        with self.knowing(denied(node.condition)):
            self.look(node.otherwise, up=up | self.face_up(denied(node.condition)))
        with self.knowing(node.condition):
            self.look(node.then, up=up | self.face_up(node.condition))

    # -------------------------------------------------------------- values and data

    def _value(self, declared: ir.Value, arguments: tuple[ir.Expr, ...], up: frozenset[ir.Expr]) -> None:
        """Walks a value's body with the arguments substituted; a recursive call keeps its own parameters."""
        if declared.id not in self.hidden.values:
            return
        is_shallow = declared.id not in self.inside and len(self.inside) < SPELLED_OUT
        if is_shallow and self.spelled_out < MOST_SPELLED_OUT:
            self.spelled_out += 1
            self.inside.append(declared.id)
            with self.inside_of(declared.name):
                self._cases(self._spelled_out(declared, arguments), up)
            self.inside.pop()
        elif declared.id not in self.seen:
            self.seen.add(declared.id)
            self._cases(declared, frozenset())

    def _spelled_out(self, declared: ir.Value, arguments: tuple[ir.Expr, ...]) -> ir.Value:
        key = id(declared), arguments
        found = self.hidden.bodies.get(key)
        if found is None:
            found = self.hidden.bodies[key] = declared, spelled_out(declared, arguments)
        return found[1]

    def _cases(self, value: ir.Value, up: frozenset[ir.Expr]) -> None:
        passed: list[ir.Expr] = []
        for case in value.cases:
            with self.knowing(*passed), self.at(case.site):
                self.look(case.condition, up=up)
                with self.knowing(*([case.condition] if case.condition is not None else [])):
                    self.look(case.value, up=up | self.face_up(case.condition))
            passed += [denied(case.condition)] if case.condition is not None else []
        for adjustment in value.adjustments:
            with self.at(adjustment.site):
                self.look((adjustment.condition, adjustment.amount), up=up)

    def _cell(self, data: ir.DataTable, number: int, arguments: tuple[ir.Expr, ...], up: frozenset[ir.Expr]) -> None:
        """Walks a column's cells with the arguments substituted for the parameters."""
        key = -1 - data.id
        if key not in self.hidden.values or key in self.inside:
            return
        given = {p.id: argument for p, argument in zip(data.parameters, arguments, strict=False)}
        column = with_arguments(data.columns[number], given)
        self.inside.append(key)
        with self.inside_of(data.name):
            for cell, site in zip(column.cells, column.sites, strict=True):
                with self.at(site):
                    self.look(cell, up=up)
            for adjustment in column.adjustments:
                with self.at(adjustment.site):
                    self.look((adjustment.condition, adjustment.amount), up=up)
        self.inside.pop()

    # -------------------------------------------------------------- secrets

    def _variable(self, state: ir.StateVariable, index: tuple[ir.Expr, ...]) -> None:
        if state.scratch:
            given = {name.id: part for name, part in zip(state.initial_names, index, strict=False)}
            for secret in in_order(self.scratch.get(state.id, NOTHING)):
                self.found.append(_in_place_of(secret, given, (state.name, self.site)))
        elif state.visible != "all" and state.id not in self.sealed:
            self.found.append(Secret(state.id, None, index, self.facts, site=self.site, through=self._through()))

    def _things(self, state: ir.StateVariable, index: tuple[ir.Expr, ...]) -> None:
        """Notes the secrets of the things that a variable holds."""
        given = {name.id: part for name, part in zip(state.initial_names, index, strict=False)}
        for secret in in_order(self.held.get(state.id, NOTHING)):
            self.found.append(_in_place_of(secret, given, (state.name, self.site)))

    def _zone(self, zone: ir.Zone, index: tuple[ir.Expr, ...], shown: tuple[ir.Expr, ...]) -> None:
        if zone.visible != "all":
            self.found.append(Secret(None, zone.id, index, self.facts, shown, self.site, self._through()))

    def _whereabouts(self, kind: int, owner: str | None = None, whose: ir.Expr | None = None) -> None:
        """Notes that the place of a thing reveals the contents of a hidden zone, if its kind has one (one of `owner`,
        if given): of any, or of those of `whose` alone, to whom it belongs or not.
        """
        zones = [
            z
            for z in self.game.zones
            if z.kind == kind and owner in (None, z.owner) and z.visible != "all" and z.name != "box"
        ]
        for zone in zones if whose is not None else zones[:1]:
            index = (whose,) if whose is not None and len(zone.dimensions) == 1 else None
            self.found.append(Secret(None, zone.id, index, self.facts, site=self.site, through=self._through()))

    # -------------------------------------------------------------- facts

    @contextmanager
    def knowing(self, *facts: ir.Expr) -> Iterator[None]:
        """Adds conditions that hold inside the `with` block."""
        before, self.facts = self.facts, (*self.facts, *facts)
        yield
        self.facts = before

    @contextmanager
    def at(self, site: int) -> Iterator[None]:
        """Sets the site inside the `with` block, unless it is 0."""
        before, self.site = self.site, site or self.site
        yield
        self.site = before

    @contextmanager
    def inside_of(self, name: str) -> Iterator[None]:
        """Marks the reads inside the `with` block as those of a value or data, unless they are in another already."""
        before, self.by = self.by, self.by or ((name, 0),)
        yield
        self.by = before

    def _through(self) -> tuple[tuple[str, int], ...]:
        return tuple((name, self.site) for name, _ in self.by)

    def face_up(self, condition: ir.Expr | None, depth: int = 0) -> frozenset[ir.Expr]:
        """Returns the expressions whose things lie face up if a condition holds."""
        found = frozenset[ir.Expr]()
        for part in conjuncts(condition) if condition is not None else ():
            match part:
                case ir.FaceUp(thing=thing):
                    found |= {thing}
                case ir.CallValue(value=value, arguments=arguments) if depth < SPELLED_OUT:
                    declared = self.game.values[value]
                    if len(declared.cases) == 1 and declared.cases[0].condition is None:
                        body = self._spelled_out(declared, arguments)
                        found |= self.face_up(body.cases[0].value, depth + 1)
                case _:  # any other condition says nothing of what lies face up
                    pass
        return found


def nothing_of(type: Type) -> ir.Const:
    """Returns the value of a variable of a type that stands for no thing."""
    return ir.Const(0 if isinstance(type, SetType) else NONE)


def denied(condition: ir.Expr) -> ir.Expr:
    """Returns the negation of a condition."""
    return ir.Op("not", (condition,))


def _in_place_of(secret: Secret, given: Mapping[int, ir.Expr], through: tuple[str, int]) -> Secret:
    """Returns a secret that was kept in terms of a variable's
    own names, with the index of a read in place of the names.
    """

    def put(part: Any) -> Any:
        return put_secret(part) if isinstance(part, Secret) else with_arguments(part, given)

    def put_secret(one: Secret) -> Secret:
        whose = None if one.index is None else with_arguments(one.index, given)
        return attrs.evolve(one, index=whose, shown=tuple(map(put, one.shown)), facts=with_arguments(one.facts, given))

    return attrs.evolve(put_secret(secret), through=(through,))


def _counts(node: ir.Op) -> bool:
    """Returns whether an expression like `count(ZONE)` or `ZONE == {}` reveals only a number of things, which is public."""
    match node:
        case ir.Op(name="size"):
            return True
        case ir.Op(name="==" | "!=", arguments=(one, other)):
            return _is_empty(one, other) or _is_empty(other, one)
        case _:  # any other operator reads which things they are
            return False


def _is_empty(lying: ir.Expr, nothing: ir.Expr) -> bool:
    """Returns whether an equality of a zone's content with something else tells that the zone is empty."""
    nothing_there = ir.Const(0) if isinstance(lying, ir.Contents) else ir.Const(NONE)
    return isinstance(lying, ir.Contents | ir.InSlot | ir.TopOf) and nothing == nothing_there


def _index_of(source: ir.Source) -> tuple[ir.Expr, ...]:
    """Returns the owner and the keys of a whole zone."""
    zone = source.pile or source.mask
    assert isinstance(zone, ir.Contents)
    return zone.index


def _asked_in(body: object) -> set[int]:
    """Returns the values that a body calls and, as -1 - id, the data that it reads."""
    nodes = tuple(walk(body))
    values = {node.value for node in nodes if isinstance(node, ir.CallValue)}
    return values | {-1 - node.data for node in nodes if isinstance(node, ir.Cell)}
