"""Checks on secrets: a question must not show the seat that
it asks anything that depends on what this seat may not see.

    needs any(c.kind == joker for c in q.hand)     E0402: the list of options would tell what q holds
    top(s.cards).face if is_face_up(top(s.cards))  fine: it is read only if everybody sees it
    if strong(q): p chooses …                      E0402: being asked would tell p what q holds
    if strong(p): p chooses …                      W0512: being asked tells the others; `if strong(p) openly:` says that it may
    least(route(…).cost) reads p.lane under seal   fine; reading it outside of `least` is E0403

A lone option may be taken without asking only if the options read nothing hidden (`tells_secrets`), so that it is no
secret. `ir.flow` finds the secrets that an expression depends on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import attrs

from rulelang.diagnostics.model import Label
from rulelang.ir import model as ir
from rulelang.ir.flow.course import FlowWalk
from rulelang.ir.flow.members import is_counted
from rulelang.ir.flow.memory import FlowMemory
from rulelang.ir.flow.place import FlowFacts
from rulelang.ir.flow.pointing import is_movable
from rulelang.ir.flow.reading import Reading
from rulelang.ir.flow.secret import AskedSeat, Secret, in_order
from rulelang.ir.walk import rewrite, spelled_out, walk
from rulelang.semantics.names.scope import World


def check_secrets(world: World, game: ir.GameRules) -> None:
    """Reports questions that would tell secrets, by their options or by being asked at all."""
    course = course_of(world, game)
    for choice in game.choices:
        question = ChoiceVisibility(world, game, course, choice)
        for branch in choice.branches:
            for look in question.looks(branch):
                question.report(look.found, look.site, look.message, help=look.help, head=look.head)
            _check_seal(world, game, choice, branch)
        question.being_put()
    if game.players[1] > 1:
        _check_shows(world, game)


def _check_shows(world: World, game: ir.GameRules) -> None:
    """Reports things that are shown, as everybody sees, because secrets say so, or to those whom secrets pick."""
    for show, decided in course_of(world, game).shows.values():
        hidden = [s for s in decided if not _is_seen_by_the_rest(game, s, show.seats)]
        for secret in in_order(hidden)[:1]:
            message = f"whether, and to whom, this is shown depends on `{_words(game, secret)}`, which not all may see"
            world.sink.report(
                "W0512",
                message + _path(game, secret),
                game.sites[show.site].span,
                "everybody sees who is shown something",
                help="where it is meant to be told, say `openly`: `for q in players if … openly: show(…, q)`",
            )


def _is_seen_by_the_rest(game: ir.GameRules, secret: Secret, seats: ir.Expr) -> bool:
    """Returns whether everybody sees a secret but its owner, to whom something is shown: a hint in Hanabi."""
    if secret.zone is None or not secret.index:
        return False
    zone = game.zones[secret.zone]
    match zone.seen_by:
        case ir.Over(
            what="set",
            sources=(ir.Source(mask=ir.Read(state=state)),),
            condition=ir.Op(name="!=", arguments=(ir.Local(), ir.Local()) as sides),
        ) if zone.seen_names and state in (game.players_left, game.all_players):
            return ir.Local(zone.seen_names[0].id) in sides and seats == ir.Op("single", secret.index[:1])
        case _:  # any other zone has other eyes
            return False


def tells_secrets(world: World, game: ir.GameRules, choice: ir.Choice) -> bool:
    """Returns whether the options of a choice depend on anything hidden."""
    question = ChoiceVisibility(world, game, course_of(world, game), choice)
    return any(look.found or look.is_told for branch in choice.branches for look in question.looks(branch))


def course_of(world: World, game: ir.GameRules) -> FlowWalk:
    """Returns the information flow of a game, computed once for each game, and for all that are like it."""
    if world.course is None or world.course.game.procedures is not game.procedures:
        memory = world.notes.setdefault(FlowMemory, FlowMemory())
        assert isinstance(memory, FlowMemory)
        world.course = memory.of(game)
    return world.course


@attrs.frozen
class Dependence:
    """The secrets that a domain or a need depends on, with its site and the head of its rule."""

    found: list[Secret]
    site: int
    message: str
    """The beginning of the message, up to what it depends on."""
    head: str = ""
    help: str = ""
    is_told: bool = False
    """Whether it is meant to be told (`openly`)."""


@attrs.define
class ChoiceVisibility:
    """Checks the options of one choice, and whether it is asked at all."""

    world: World
    game: ir.GameRules
    course: FlowWalk
    choice: ir.Choice
    place: FlowFacts = attrs.field(init=False)
    asked: AskedSeat = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.place = self.course.questions.get(self.choice.id, FlowFacts())
        self.asked = AskedSeat.by(self.game, self.choice, self.place.aliases)

    # -------------------------------------------------------------- options

    def looks(self, branch: ir.Branch) -> Iterator[Dependence]:
        """Yields the dependences of each domain and need of a branch, also on secrets that the asked seat may see."""
        rule = self.game.rules[branch.rule]
        facts: list[ir.Expr] = []
        for i, parameter in enumerate(branch.parameters):
            asked = [n.condition for n in branch.needs if n.after <= i]
            facts += _picked(self.game, parameter)
            reading = self._reading(self.choice.site, (*facts, *asked))
            reading.look((parameter.domain, parameter.low, parameter.high))
            what = f"the options of `{rule.name}` depend on"
            help = PLACES if is_movable(parameter.variable.type, self.game) and _lies_in_zone(parameter) else ""
            yield Dependence(self._closed(reading), self.choice.site, what, rule.span.text, help)
        for i, need in enumerate(branch.needs):
            # The conditions of earlier needs hold where a later one is tested.
            before = [
                n for j, n in enumerate(branch.needs) if n.after < need.after or (n.after == need.after and j < i)
            ]
            reading = self._reading(need.site, (*facts, *(n.condition for n in before)))
            up = frozenset[ir.Expr]().union(*(reading.face_up(n.condition) for n in before))
            reading.look(need.condition, up=up)
            told = isinstance(need.condition, ir.Openly)
            yield Dependence(
                self._closed(reading), need.site, f"whether `{rule.name}` is allowed depends on", is_told=told
            )

    def _reading(self, site: int, facts: tuple[ir.Expr, ...]) -> Reading:
        return self.course.reading(self.place, site, facts)

    def _closed(self, reading: Reading) -> list[Secret]:
        return [s for s in reading.found if not self.place.is_opened(s)]

    # -------------------------------------------------------------- being asked

    def being_put(self) -> None:
        """Checks the secrets that decide whether the question is asked, and of whom."""
        choice = self.choice
        reading = self._reading(choice.site, ())
        reading.look((choice.who, choice.condition))
        if choice.source is not None and not is_counted(choice.source):
            reading.look(choice.source)
        decided = in_order([*self.place.decided, *self._closed(reading)])
        what = f"whether {self._name()} is asked depends on"
        others = self.game.players[1] > 1
        if (
            not self.report(decided, choice.site, what, help=OPENLY)
            and decided
            and others
            and not choice.private
            and choice.id not in self.world.openly
        ):
            secret = decided[0]
            words = _words(self.game, secret)
            message = f"{what} `{words}`, which not all may see{_path(self.game, secret)}"
            self.world.sink.report(
                "W0512", message, self.game.sites[choice.site].span, "the others learn it", help=MEANT
            )

    def _name(self) -> str:
        """Returns the asked seat as the rules name it."""
        if self.choice.variable is not None:
            return f"`{self.choice.variable.name}`"
        spoken = ASKED.match(self.game.sites[self.choice.site].span.text)
        return f"`{spoken.group(1)}`" if spoken is not None else "the chooser"

    # -------------------------------------------------------------- words

    def report(self, found: Iterable[Secret], site: int, what: str, help: str = "", head: str = "") -> bool:
        """Returns whether there is a secret that the asked seat may not see, and reports the first; `head` may name it."""
        secret = next((s for s in found if not self.asked.sees(s)), None)
        if secret is None or self.choice.id in self.world.openly:
            return False
        game, name = self.game, self._name()
        labels = [Label(game.sites[s].span, "a secret") for s in (_declared(game, secret),) if s]
        labels += [
            Label(game.sites[at].span, f"it comes in by `{by}` here") for by, at in _way_in(secret) if at and at != site
        ]
        self.world.sink.report(
            "E0402",
            f"{what} `{_words(game, secret, head)}`, which {name} may not see{_path(game, secret)}",
            game.sites[site].span,
            f"{name} would learn it",
            labels=tuple(labels),
            help=help
            or "test it after the choice is made, in the body; where it is meant to be told, say `needs … openly` or `p openly chooses …`",
        )
        return True


OPENLY = "ask whoever it is in any case, or let the rules first change something that all see, whatever it was before; where it is meant to be told, say `openly`"
PLACES = "things that the chooser cannot see cannot be offered by their names; let it choose by where they lie: `hand(n: 1..5): slot for Card`, and `p chooses n in 1..5`"
MEANT = "where it is meant to be told, say `openly`: `if … openly:`; where it is not, `p secretly chooses …` tells nobody else"


def _declared(game: ir.GameRules, secret: Secret) -> int:
    if secret.state is not None:
        return game.states[secret.state].site
    return game.zones[secret.zone].site if secret.zone is not None else 0


def _words(game: ir.GameRules, secret: Secret, head: str = "") -> str:
    """Returns a secret as the rules name it where they read it, or in a head; else the declared name."""
    if secret.state is None and secret.zone is None:  # an answer that its chooser alone knows
        return secret.through[-1][0]
    name = game.states[secret.state].name if secret.state is not None else game.zones[secret.zone or 0].name
    text = game.sites[secret.site].span.text if secret.site else ""
    for found in SPOKEN.finditer(f"{text}\n{head}"):
        if found.group("name") == name:
            return found.group()
    return name


ASKED = re.compile(r"\s*(\S.{0,40}?)(?:\s+(?:openly|secretly))?\s+chooses\b")
"""Matches the chooser in a sentence of choice."""

SPOKEN = re.compile(r"(?:[a-z_]\w*(?:\((?:[^()]|\([^()]*\))*\))?\.)+(?P<name>[a-z_]\w*)\b")
"""Matches a read with its owner, such as `next(p).hand` or `p.hand`."""


def _path(game: ir.GameRules, secret: Secret) -> str:
    """Returns the part of a message that names the local through which a secret came, and the place that bound it."""
    for name, site in _way_in(secret) if secret.state is not None or secret.zone is not None else ():
        line = _line(game, site)
        return f": it comes in through `{name}`" + (f", line {line}" if line else "")
    return ""


def _way_in(secret: Secret) -> tuple[tuple[str, int], ...]:
    """Returns the last local of the rules through which a secret came; a name with a blank is none of theirs."""
    return tuple(way for way in secret.through if " " not in way[0])[-1:]


def _line(game: ir.GameRules, site: int) -> int:
    span = game.sites[site].span
    return span.source.position(span.start)[0] if site else 0


# ------------------------------------------------------------------ domains


def _picked(game: ir.GameRules, parameter: ir.Parameter) -> list[ir.Expr]:
    """Returns the conditions on the members of a parameter's domain, if that is a set with a condition."""
    domain = parameter.domain.mask
    if isinstance(domain, ir.CallValue):
        body = spelled_out(game.values[domain.value], domain.arguments)
        domain = body.cases[0].value if len(body.cases) == 1 and body.cases[0].condition is None else None
    match domain:
        case ir.Over(what="set", names=(one,), value=ir.Local(id=id), condition=ir.Op() | ir.And() as test):
            own = ir.Local(parameter.variable.id)
            picked = rewrite(test, lambda n: own if n == ir.Local(one.id) else n)
            return [picked] if id == one.id and parameter.low is None else []
        case _:  # any other domain picks nothing
            return []


def _lies_in_zone(parameter: ir.Parameter) -> bool:
    """Returns whether a parameter goes over all that lies in a zone."""
    return isinstance(parameter.domain.mask, ir.Contents) or parameter.domain.pile is not None


def _check_seal(world: World, game: ir.GameRules, choice: ir.Choice, branch: ir.Branch) -> None:
    """Reports a variable that this sealed choice writes and a domain or need reads without `least` or `most`."""
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


def _sealed_states(game: ir.GameRules, branch: ir.Branch) -> set[int]:
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


def _reads(game: ir.GameRules, node: object, seen: set[int]) -> set[int]:
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
