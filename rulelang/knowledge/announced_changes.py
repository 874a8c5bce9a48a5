"""The rules -> for each line that writes a variable, the rules whose sentences say that very change.

to pay(p, n) "{p} pays {n} fuel": p.fuel -= n      the hole `n` is the change, `p` the owner: the sentence says it
action tell(p, n) "Tell about {n}": hints -= 1     1 is not the hole, even while n is 1: the sentence does not
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TypeAlias, cast

import attrs

from rulelang.ir import model as ir
from rulelang.ir.types import IntType, Type
from rulelang.ir.walk import is_larger, rewrite, walk
from rulelang.knowledge.redaction import name_of
from rulelang.program.values import clean, plain

Body: TypeAlias = tuple[str, int, int]
"""A body of statements: ("procedure", id, 0), ("branch", choice, number) or ("none", choice, 0)."""
Shape: TypeAlias = object
"""An expression as a value that is equal for expressions which compute the same."""
Fit: TypeAlias = tuple[Shape, bool]
"""A hole that is a change, and whether it says the amount and not the new value."""
MOST_BODIES = 60
"""The most calls through which one write is followed."""
LARGE = 40
"""The number of nodes from which an expression is no longer followed through calls."""


@attrs.frozen(eq=False)
class _Write:
    """A write as a body sees it: the index of its place, and the expressions that may be the change."""

    state: int
    index: tuple[ir.Expr, ...]
    values: tuple[ir.Expr, ...]
    """Its new value, unless the rules give only the amount of the change."""
    amounts: tuple[ir.Expr, ...]
    is_clamped: bool = False
    """Whether the change may be smaller, by a bound or because a loop may stop: `n` of `{min(n, p.fuel)}` or of
    `{reach(p, n)}` stands for it then."""

    def given(self, words: Mapping[int, ir.Expr]) -> _Write:
        """Returns the write as a caller sees it."""

        def change(node: object) -> object:
            return words.get(node.id, node) if isinstance(node, ir.Local) else node

        index, values = rewrite(self.index, change), rewrite(self.values, change)
        return attrs.evolve(self, index=index, values=values, amounts=rewrite(self.amounts, change))


@attrs.frozen(eq=False, slots=False)
class Said:
    """The sentences of a game, and the writes that they say."""

    game: ir.GameRules

    def by(self, state: int, site: int) -> Mapping[int, bool]:
        """Returns the rules whose sentences say the change that a line makes to a variable, and whether they say its
        amount and not the new value.
        """
        return self._rules.get((state, site), {})

    @cached_property
    def _rules(self) -> dict[tuple[int, int], dict[int, bool]]:
        """For each line and variable, the rules; where a hole fits several variables, only that of which it speaks."""
        holes: dict[tuple[int, Shape], dict[int, dict[tuple[int, int], bool]]] = {}
        for (state, site), found in self._fitting().items():
            for rule, fit in found.items():
                if fit is not None:
                    hole, is_amount = fit
                    holes.setdefault((rule, hole), {}).setdefault(state, {})[state, site] = is_amount
        said: dict[tuple[int, int], dict[int, bool]] = {}
        for (rule, _), states in holes.items():
            words = _words(self.game.rules[rule])
            spoken_of = [state for state in states if self._name(state) & words]
            if not spoken_of and not self._speaks_of_another(words):
                spoken_of = list(states)[:1]
            for state in spoken_of:
                for line, is_amount in states[state].items():
                    said.setdefault(line, {})[rule] = is_amount
        return said

    def _speaks_of_another(self, words: frozenset[str]) -> bool:
        """Returns whether a sentence names a variable with a number: `{n}` of "Pay {n} gold" is no silver."""
        numbers = (state.id for state in self.game.states if isinstance(state.type, IntType) and not state.builtin)
        return any((name := self._name(state)) and name <= words for state in numbers)

    def _fitting(self) -> dict[tuple[int, int], dict[int, Fit | None]]:
        """Returns, for each line and variable, the rules with the hole that is the change; None if it is not always."""
        found: dict[tuple[int, int], dict[int, Fit | None]] = {}
        for body in self._bodies:
            times = _times(self._bodies[body])
            for statement in walk(self._bodies[body]):
                if isinstance(statement, ir.Assign):
                    at = found.setdefault((statement.place.state, statement.site), {})
                    for rule, fit in self._follow(body, _written(statement, times.get(id(statement)))):
                        at[rule] = fit if at.get(rule, fit) == fit else None
        return found

    def _follow(self, body: Body, write: _Write) -> Iterator[tuple[int, Fit | None]]:
        """Yields the rules that a write runs in, each with the hole of its sentence that is the change, if one is."""
        waiting, seen = [(body, write)], set[Shape]()
        while waiting and len(seen) < MOST_BODIES:
            body, write = waiting.pop()
            parts = (write.index, write.values, write.amounts)
            key = (body, self._shape(parts))
            if key in seen or is_larger(parts, LARGE):
                continue
            seen.add(key)
            rule = self._rule(body)
            if rule is not None and _sentence(self.game.rules[rule]) is not None:
                yield rule, self._hole(body, rule, write)
            waiting += [(outer, write.given(words)) for outer, words in self._callers.get(body, ())]

    def _hole(self, body: Body, rule: int, write: _Write) -> Fit | None:
        holes = self._holes(body, rule)
        for one, type in zip(write.index, self.game.states[write.state].dimensions, strict=True):
            if self._shape(one) not in holes and not self._is_named(one, type, rule):
                return None
        values, amounts = ([self._shape(part) for part in some] for some in (write.values, write.amounts))
        for hole in holes:
            if hole in values:
                return hole, False
            if hole in amounts or (write.is_clamped and _is_part_of(hole, amounts)):
                return hole, True
        return None

    def _is_named(self, key: ir.Expr, type: Type, rule: int) -> bool:
        """Returns whether a sentence names a key in plain words: `{p} takes {n} water`."""
        if not isinstance(key, ir.Const):
            return False
        name = name_of(key.value, type, self.game)
        return not name.isdecimal() and _stems(name) <= _words(self.game.rules[rule])

    def _holes(self, body: Body, rule: int) -> tuple[Shape, ...]:
        """Returns the holes of a rule's sentence, in the terms of its body."""
        about = self.game.rules[rule]
        sentence, given = _sentence(about), self._given(body, about)
        parts = [part for part in sentence.parts if not isinstance(part, str)] if sentence is not None else []
        if about.told is None and about.what in ("action", "option") and about.parameters:
            parts.append(ir.Local(about.parameters[0].id))  # the label is told behind the name of who did it

        def change(node: object) -> object:
            return given.get(node.id, node) if isinstance(node, ir.Local) else node

        return tuple(self._shape(_amount(rewrite(part, change))) for part in parts)

    def _given(self, body: Body, rule: ir.Rule) -> dict[int, ir.Expr]:
        """Returns the expressions in a body for its rule's parameters, and for the copies of locals around it."""
        names = (*rule.parameters, *rule.around)
        if body[0] == "procedure":
            of = self.game.procedures[body[1]].parameters
            return {v.id: ir.Local(own.id) for v, own in zip(names, of, strict=False)}
        begin = next((s for s in walk(self._bodies[body]) if isinstance(s, ir.BeginBody)), None)
        values = () if begin is None else (*begin.arguments, *begin.around)
        return {v.id: value for v, value in zip(names, values, strict=False)}

    def _rule(self, body: Body) -> int | None:
        what, id, number = body
        if what == "procedure":
            return self.game.procedures[id].rule
        return self.game.choices[id].branches[number].rule if what == "branch" else None

    @cached_property
    def _bodies(self) -> dict[Body, tuple[ir.Statement, ...]]:
        found: dict[Body, tuple[ir.Statement, ...]] = {("procedure", p.id, 0): p.body for p in self.game.procedures}
        for choice in self.game.choices:
            found |= {("branch", choice.id, n): branch.body for n, branch in enumerate(choice.branches)}
            found["none", choice.id, 0] = choice.when_none
        return found

    @cached_property
    def _callers(self) -> dict[Body, list[tuple[Body, dict[int, ir.Expr]]]]:
        """For each body, those that run it, with their expressions for its parameters."""
        found: dict[Body, list[tuple[Body, dict[int, ir.Expr]]]] = {}
        for body, statements in self._bodies.items():
            for node in walk(statements):
                if isinstance(node, ir.Call | ir.Defer):
                    parameters = self.game.procedures[node.procedure].parameters
                    given = {v.id: a for v, a in zip(parameters, node.arguments, strict=False)}
                    found.setdefault(("procedure", node.procedure, 0), []).append((body, given))
                elif isinstance(node, ir.Ask):
                    choice = self.game.choices[node.choice]
                    actor = choice.actor
                    given = {actor.id: choice.who} if actor is not None and choice.who is not None else {}
                    for n in range(len(choice.branches)):
                        found.setdefault(("branch", choice.id, n), []).append((body, given))
                    found.setdefault(("none", choice.id, 0), []).append((body, given))
        return found

    @cached_property
    def _lets(self) -> dict[int, ir.Expr]:
        """For each local that is bound in one place, and not by chance, its value."""
        binds = [node for body in self._bodies.values() for node in walk(body) if isinstance(node, ir.Bind)]
        times = Counter(bind.variable.id for bind in binds)
        return {
            bind.variable.id: bind.value
            for bind in binds
            if times[bind.variable.id] == 1
            and bind.least is bind.most is None
            and not any(isinstance(node, ir.Draw) for node in walk(bind.value))
            and not is_larger(bind.value, LARGE)
        }

    def _shape(self, node: object, bound: Mapping[int, int] | None = None) -> Shape:
        """Returns the shape of an expression: names of comprehensions by their positions, a `let` by what it is."""
        bound = bound or {}
        match node:
            case tuple():
                return tuple(self._shape(part, bound) for part in node)
            case ir.Local(id=id):
                if id in self._lets and id not in bound:
                    return self._shape(self._lets[id], bound)
                return ("name", bound[id]) if id in bound else ("local", id)
            case ir.Variable(id=id):
                return ("name", bound[id]) if id in bound else ("local", id)
            case ir.Over(names=names):
                bound = {**bound, **{name.id: len(bound) + at for at, name in enumerate(names)}}
            case _:  # any other node, or what it holds
                pass
        if type(node) not in ir.NODES:
            return node
        fields = attrs.fields(type(cast(attrs.AttrsInstance, node)))
        parts = (self._shape(getattr(node, field.name), bound) for field in fields if field.eq and field.name != "safe")
        return (type(node).__name__, *parts)

    def _name(self, state: int) -> frozenset[str]:
        known = self.game.states[state]
        return _stems(clean(known.called) or plain(known.name))


def _sentence(rule: ir.Rule) -> ir.Template | None:
    return rule.told or rule.label


def _is_part_of(hole: Shape, amounts: list[Shape]) -> bool:
    """Returns whether a hole says as much of an amount as there is: `min(n, p.fuel)`, `reach(p, n)`."""
    match hole:
        case ("Op", "min", tuple(parts)) | ("CallValue", _, tuple(parts)):
            return any(amount in parts for amount in amounts)
        case _:  # any other hole
            return False


def _times(body: tuple[ir.Statement, ...]) -> dict[int, ir.Repeat]:
    """Returns, by id of a statement that is repeated a number of times, its loop."""
    loops = [node for node in walk(body) if isinstance(node, ir.Repeat)]
    return {id(inner): loop for loop in loops if loop.times is not None for inner in walk(loop.body)}


def _written(statement: ir.Assign, loop: ir.Repeat | None) -> _Write:
    """Returns a write, with its new value or the amount by which it changes the old one, once or so many times."""
    place, value = statement.place, statement.value
    times = None if loop is None else loop.times
    values: tuple[ir.Expr, ...] = () if statement.operator == "+" else (value,)
    amounts: tuple[ir.Expr, ...] = () if values else (_amount(value),)
    match value:
        case ir.Op(name="+" | "-", arguments=(ir.Read(state=state, index=index), by)) if values:
            amounts = (_amount(by),) if (state, index) == (place.state, place.index) else ()
        case _ if times is not None and amounts == (ir.Const(1),):
            amounts += (times,)
        case _:  # any other value is the change itself
            pass
    stops_early = loop is not None and any(isinstance(node, ir.Stop) for node in walk(loop.body))
    is_clamped = statement.least is not None or statement.most is not None or stops_early
    return _Write(place.state, place.index, values, amounts, is_clamped)


def _amount(node: ir.Expr) -> ir.Expr:
    """Returns a number without its sign, its noun and its bounds."""
    match node:
        case ir.Op(name="neg", arguments=(of,)) | ir.Counted(of=of) | ir.Bound(of=of) | ir.Openly(condition=of):
            return _amount(of)
        case ir.Const(value=value) if value < 0:
            return ir.Const(-value)
        case _:  # any other expression
            return node


def _words(rule: ir.Rule) -> frozenset[str]:
    """Returns the words of a sentence, without their endings."""
    sentence = _sentence(rule)
    parts = () if sentence is None else sentence.parts
    nouns = (f"{part.one} {part.many}" for part in parts if isinstance(part, ir.Counted))
    return _stems(" ".join((*(clean(part) for part in parts if isinstance(part, str)), *nouns)))


def _stems(text: str) -> frozenset[str]:
    words = "".join(letter if letter.isalnum() else " " for letter in text.casefold()).split()
    return frozenset(word.removesuffix("s") for word in words) - {"the", "a", "of"}
