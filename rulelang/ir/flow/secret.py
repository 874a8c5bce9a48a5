"""A secret as the rules name it, and whether a seat certainly sees it.

next(p).secret        Secret(state "secret", index next(p)): its owner sees it, and p need not be the owner

Anything not provably seen counts as hidden.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

import attrs

from rulelang.ir import model as ir
from rulelang.ir.facts import conjuncts, mirrored
from rulelang.ir.model.traits import MOVED
from rulelang.ir.walk import calls_in, is_larger, rewrite, walk

LARGEST = 60
"""The most nodes of an index that is kept."""
MOST = 64
"""The most secrets of a variable or zone that are told apart."""


@attrs.frozen
class Secret:
    """A hidden variable, the contents of a hidden zone, or the place of a thing in such a zone, as the rules read it; without
    either, an answer that its chooser alone knows."""

    state: int | None
    """The id of the variable; None for a zone."""
    zone: int | None
    index: tuple[ir.Expr, ...] | None
    """The owner and the keys, in terms of the locals in scope; None if they cannot be expressed so."""
    facts: tuple[ir.Expr, ...] = ()
    """The conditions that held where it was read."""
    shown: tuple[Secret | ir.Expr, ...] = ()
    """Where else it was written or moved, and to whom (a mask of
    seats) it was shown; seeing one of these means knowing it.
    """
    site: int = attrs.field(default=0, eq=False)
    """The site at which it was read."""

    through: tuple[tuple[str, int], ...] = attrs.field(default=(), eq=False)
    """The locals, values and variables through which it came, last first: the name of each, and a site."""
    stands_for_all: bool = False
    """Whether it stands for all secrets of its variable or zone, because there were too many to tell apart."""

    def is_seen_with(self, other: Secret) -> bool:
        """Returns whether everybody who sees another secret of the same variable or zone certainly sees this one."""
        return self.index == other.index and _has(self.facts, other.facts) and _has(self.shown, other.shown)


def _has(all: tuple[object, ...], some: tuple[object, ...]) -> bool:
    return not some or set(some) <= set(all)


FlowLabel: TypeAlias = frozenset[Secret]
"""The secrets that a value depends on."""

NOTHING: FlowLabel = frozenset()


def in_order(label: Iterable[Secret]) -> list[Secret]:
    """Returns secrets in the order in which they were read, the same in every process."""
    return sorted(label, key=lambda s: (s.site, s.state or 0, s.zone or 0, s.through))


def _label(secrets: Iterable[Secret]) -> FlowLabel:
    """Returns the label of some secrets; of those that have become equal, the one that was read first."""
    every = list(secrets)
    label = frozenset(every)
    return label if len(label) == len(every) else frozenset(in_order(every))


def joined(*labels: Iterable[Secret]) -> FlowLabel:
    """Returns the secrets of several labels, without those that anybody who sees the others sees as well. Of a variable or
    zone with too many, one stands for all: nobody is known to see it.
    """
    label = NOTHING.union(*labels)
    if len(label) < 2:
        return label
    groups: dict[tuple[int | None, int | None], list[Secret]] = {}
    for s in label:
        groups.setdefault((s.state, s.zone), []).append(s)
    return NOTHING.union(*map(_fewest, groups.values()))


def _fewest(group: list[Secret]) -> list[Secret]:
    kept: list[Secret] = []
    for s in sorted(group, key=lambda s: (len(s.facts) + len(s.shown), s.site, s.through)):
        if not any(s.is_seen_with(other) for other in kept):
            kept.append(s)
        if len(kept) > MOST or s.stands_for_all:
            return [attrs.evolve(kept[0], index=None, facts=(), shown=(), stands_for_all=True)]
    return kept


def come_through(label: Iterable[Secret], name: str, site: int) -> FlowLabel:
    """Returns secrets with the note that they came through a local bound at a site."""
    return _label(attrs.evolve(s, through=((name, site), *s.through)) for s in label)


def also_shown(label: FlowLabel, other: Secret | ir.Expr) -> FlowLabel:
    """Returns secrets with the note that seeing another secret, or being one of some seats, means knowing them."""
    return _label(s if other in s.shown else attrs.evolve(s, shown=(*s.shown, other)) for s in label)


def outdated(label: FlowLabel, written: frozenset[int]) -> FlowLabel:
    """Returns secrets after writes to some variables: an index that reads one of them is no longer known."""

    def reads(index: tuple[ir.Expr, ...] | None) -> bool:
        return index is not None and any(
            (isinstance(n, ir.Read) and n.state in written) or (MOVED in written and isinstance(n, ir.Lying))
            for n in walk(index)
        )

    if not written or not any(reads(s.index) for s in label):
        return label
    return _label(attrs.evolve(s, index=None) if reads(s.index) else s for s in label)


def unaliased(label: FlowLabel, aliases: Mapping[int, ir.Expr]) -> FlowLabel:
    """Returns secrets with the locals in their indices replaced by the expressions that they are aliases of."""

    def plain(node: object) -> object:
        # What a variable holds later is not what it holds here.
        other = aliases.get(node.id) if isinstance(node, ir.Local) else None
        return node if other is None or isinstance(other, ir.Read) else other

    return _label(s if s.index is None else attrs.evolve(s, index=rewrite(s.index, plain)) for s in label)


def of_earlier(label: FlowLabel, local: int) -> FlowLabel:
    """Returns secrets that were read in terms of a local once it has been bound anew, as in the next round of a loop."""
    own, earlier = ir.Local(local), ir.Local(-1 - local)

    def renamed(one: Secret) -> Secret:
        if own not in walk((one.index or (), one.facts)):
            return one
        index, facts = rewrite((one.index, one.facts), lambda n: earlier if n == own else n)
        return attrs.evolve(one, index=index, facts=facts, shown=())

    return _label(map(renamed, label))


def handed_over(
    label: FlowLabel, parameters: tuple[ir.Variable, ...], arguments: tuple[ir.Expr, ...], players: frozenset[int]
) -> FlowLabel:
    """Returns secrets in terms of the parameters of a call, instead of its arguments.

    `players` are the ids of the parameters that stand for players: only there can a constant be named by its parameter.
    """
    given: list[tuple[ir.Expr, ir.Local]] = [
        (argument, ir.Local(v.id))
        for v, argument in zip(parameters, arguments, strict=False)
        if not isinstance(argument, ir.Const) or v.id in players
    ]
    names = dict(given)
    own = {v.id for v in parameters}

    def renamed(node: object) -> object:
        return names.get(node, node) if type(node) in ir.NODES else node  # type: ignore[call-overload]

    def index(old: tuple[ir.Expr, ...] | None) -> tuple[ir.Expr, ...] | None:
        new = None if old is None else rewrite(_outermost_first(old, names), renamed)
        return None if new is None or _is_foreign(new, own) else new

    def secret(old: Secret) -> Secret:
        facts = tuple(f for f in rewrite(old.facts, renamed) if not _is_foreign(f, own))
        shown = (secret(s) if isinstance(s, Secret) else rewrite(s, renamed) for s in old.shown)
        kept = tuple(dict.fromkeys(s for s in shown if _may_be_seen(s, own)))
        return attrs.evolve(old, index=index(old.index), facts=facts, shown=kept)

    return _label(secret(s) for s in label)


def _outermost_first(old: tuple[ir.Expr, ...], names: dict[ir.Expr, ir.Local]) -> tuple[ir.Expr, ...]:
    return tuple(names.get(part, part) for part in old)


def _may_be_seen(shown: Secret | ir.Expr, own: set[int]) -> bool:
    """Returns whether seats may still be known to see another secret, or to be those to whom one was shown."""
    if isinstance(shown, Secret):
        return shown.index is not None or bool(shown.shown)
    return not _is_foreign(shown, own)


def _is_foreign(node: object, own: set[int]) -> bool:
    """Returns whether an expression reads locals out of scope, or is too large to keep."""
    if is_larger(node, LARGEST):
        return True
    bound = {name.id for over in walk(node) if isinstance(over, ir.Over) for name in over.names}
    return any(isinstance(n, ir.Local) and n.id not in own | bound for n in walk(node))


# ------------------------------------------------------------------ seats


@attrs.frozen
class AskedSeat:
    """The seat that a choice asks, as the rules name it there."""

    game: ir.GameRules
    actor: int
    own: frozenset[int]
    """The locals that are known to be this seat, the actor among them."""
    who: ir.Expr | None = None

    @classmethod
    def by(cls, game: ir.GameRules, choice: ir.Choice, aliases: dict[int, ir.Expr]) -> AskedSeat:
        """Returns the seat that a choice asks."""
        assert choice.actor is not None
        own = {choice.actor.id} | ({choice.variable.id} if choice.variable is not None else set())
        who = choice.who
        while isinstance(who, ir.Local):
            own.add(who.id)
            who = aliases.get(who.id)
        own |= {id for id, of in aliases.items() if isinstance(of, ir.Local) and of.id in own}
        return cls(game, choice.actor.id, frozenset(own), who)

    def sees(self, secret: Secret) -> bool:
        """Returns whether the seat certainly sees a secret."""
        return self._sees_itself(secret) or any(
            self.sees(s) if isinstance(s, Secret) else self._is_among(s, ()) for s in secret.shown
        )

    def _sees_itself(self, secret: Secret) -> bool:
        if secret.index is None:
            return False
        what: ir.StateVariable | ir.Zone
        if secret.state is not None:
            what = self.game.states[secret.state]
            names = what.initial_names
        elif secret.zone is None:
            return False
        else:
            what = self.game.zones[secret.zone]
            names = what.seen_names
        if what.visible == "expr" and what.seen_by is not None:
            given = {name.id: part for name, part in zip(names, secret.index, strict=False)}
            seers = rewrite(what.seen_by, lambda n: given.get(n.id, n) if isinstance(n, ir.Local) else n)
            return self._is_among(seers, secret.facts)
        if what.visible != "owner" or not secret.index:
            return False
        owner = secret.index[0]
        return self._is_me(owner) or self._holds(ir.Op("==", (owner, ir.Local(self.actor))), secret.facts)

    def _is_among(self, seers: ir.Expr, facts: tuple[ir.Expr, ...]) -> bool:
        """Returns whether the seat is certainly a member of a set."""
        me = ir.Local(self.actor)
        if self._holds(ir.Op("in", (me, seers)), facts):
            return True
        match seers:
            case ir.Read(state=state):
                return state in (self.game.players_left, self.game.all_players)
            case ir.Op(name="single", arguments=(one,)):
                return self._is_me(one) or self._holds(ir.Op("==", (one, me)), facts)
            case ir.Op(name="union", arguments=arguments):
                return any(self._is_among(part, facts) for part in arguments)
            case ir.Op(name="minus", arguments=(some, ir.Op(name="single", arguments=(one,)))):
                return self._is_among(some, facts) and self._holds(ir.Op("!=", (one, me)), facts)
            case ir.Const(value=mask) if isinstance(self.who, ir.Const):
                return bool(mask >> self.who.value & 1)
            case ir.Over(what="set", names=(one,), sources=(source,), value=ir.Local(id=id)) if id == one.id:
                test = rewrite(seers.condition, lambda n: me if n == ir.Local(one.id) else n)
                whole = source.mask is not None and self._is_among(source.mask, facts)
                return whole and all(self._holds(part, facts) for part in (conjuncts(test) if test is not None else ()))
            case _:  # the seat may be outside any other set
                return False

    def _is_me(self, node: object) -> bool:
        if isinstance(node, ir.Local) and node.id in self.own:
            return True
        return type(node) is type(self.who) and _with_own_names(node) == _with_own_names(self.who)

    def _is_certain(self, test: ir.Expr) -> bool:
        """Returns whether a test holds at any place."""
        me = ir.Local(self.actor)
        match test:
            case ir.Op(name="==", arguments=(one, other)):
                return one == other
            case ir.Op(name="!=", arguments=(one, other)):
                others = [next_to(b, self.game) for a, b in ((one, other), (other, one)) if a == me]
                return me in others and _always_has_others(self.game)
            case _:  # no other test is certain without a fact
                return False

    def _holds(self, test: ir.Expr, facts: tuple[ir.Expr, ...]) -> bool:
        """Returns whether a test is among the conditions that hold, with its sides in either order, or holds of
        whoever is asked."""

        def plain(node: object) -> object:
            return ir.Local(self.actor) if self._is_me(node) else node

        wanted = rewrite(test, plain)
        match wanted:
            case ir.Or(arguments=arguments):
                return any(self._holds(part, facts) for part in arguments)
            case ir.And(arguments=arguments):
                return all(self._holds(part, facts) for part in arguments)
            case ir.Op(name="==", arguments=(one, other)) if one == other:
                return True
            case _:  # any other test must follow from the facts
                pass
        found = {rewrite(part, plain) for fact in facts for part in conjuncts(fact)}
        turned = mirrored(wanted)
        return self._is_certain(wanted) or wanted in found or (turned is not None and turned in found)


# ------------------------------------------------------------------ expressions for seats


def _with_own_names(node: Any) -> Any:
    """Returns an expression with the names that it binds numbered from its beginning, so that like ones are equal."""
    bound = {v.id: -1 - i for i, v in enumerate(v for n in walk(node) if isinstance(n, ir.Over) for v in n.names)}
    if not bound:
        return node

    def named(inner: object) -> object:
        if isinstance(inner, ir.Local) and inner.id in bound:
            return ir.Local(bound[inner.id])
        return attrs.evolve(inner, id=bound[inner.id]) if isinstance(inner, ir.Variable) else inner

    return rewrite(node, named)


def next_to(node: ir.Expr, game: ir.GameRules) -> ir.Expr | None:
    """Returns `p`, of `next(p)` or `previous(p)`."""
    match node:
        case ir.Either(
            otherwise=ir.Over(
                what="min" | "max",
                sources=(ir.Source(mask=ir.Read(state=state)),),
                condition=ir.Op(name=">" | "<", arguments=(_, player)),
            )
        ) if state == game.players_left:
            return player
        case _:  # any other expression names another seat
            return None


def _always_has_others(game: ir.GameRules) -> bool:
    """Returns whether two players at least are playing at any time."""
    called = calls_in(game, (game.procedures, game.choices))
    return game.players[0] > 1 and not any(
        isinstance(n, ir.Eliminate) for p in game.procedures if p.id in called for n in walk(p.body)
    )
