"""Tracks where answers, throws and picks go: an answer is told only where it reaches what everyone sees.

p.secret = roll(d6)                    only those who see p.secret see the roll
p.ship(s) = yes                        only those who see p.ship, and p, see the answer s
if n == 1: p.low = yes                 only those who see p.low, and p, see the answer n
let n = roll(d6) … p.gold += n         everyone sees the result, so everyone sees the roll
p chooses one of: high: p.secret = 9   only those who see p.secret, and p, see which was taken of the options that nobody notices
p chooses n in 1..6                    only p sees the answer n, which nothing is made of
let n = roll(d6)                       nobody sees the roll, which nothing is made of
p secretly chooses n in 1..6           only p sees the answer n, unless everyone sees what is made of it
p.mark = n … p.secret = p.mark         through a scratch variable that statements alone read, like through a local

A value reaches a variable by what is written, by the key under
which it is written, and by deciding whether it is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import assert_never

import attrs

from rulelang.ir import model as ir
from rulelang.ir.flow.secret import LARGEST, NOTHING, FlowLabel, Secret
from rulelang.ir.model.traits import Traits, traits
from rulelang.ir.types import SetType
from rulelang.ir.walk import Called, bodies, called_in, calls_in, closure, is_larger, reachable, rewrite, walk

SCRATCH = -1_000_000
"""Locals from here on down stand for scratch variables."""
Arguments = Mapping[int, ir.Expr]
"""By parameter of a verb: the expression that a call hands over."""


@attrs.define
class Destinations:
    """The destinations of each local's value: `hidden` variables, and whether it is also used in the `open`, or `named` in
    words or in a question."""

    hidden: dict[int, FlowLabel] = attrs.field(factory=dict)
    open: set[int] = attrs.field(factory=set)
    named: set[int] = attrs.field(factory=set)
    is_traced: bool = False
    """Whether the uses were collected; they are not in a game that hides nothing."""
    taken: dict[tuple[int, int], int] = attrs.field(factory=dict)
    """By choice and number of an option: the local that stands for whether it is taken, of options without sentences, and
    of all options of choices of which nobody else learns."""
    private: frozenset[int] = frozenset()
    """The choices of which nobody but the chooser learns."""
    scratch: dict[int, int] = attrs.field(factory=dict)
    """For each `scratch` variable that statements alone read: the local that stands for what it holds."""

    def covert(self, choice: int) -> FlowLabel:
        """Returns the hidden variables that are written by which of the options is taken that nobody notices."""
        return NOTHING.union(*(self.of(self.taken[option]) for option in self.unnoticed if option[0] == choice))

    @cached_property
    def unnoticed(self) -> frozenset[tuple[int, int]]:
        """The options, by choice and number, of which the chooser alone, and those who see what they reach, may know which
        is taken: several of a choice that nothing shows, if one of them is written down in secret or none has words."""
        quiet: dict[int, list[int]] = {}
        for (choice, number), local in self.taken.items():
            if choice in self.private or (self.is_traced and local not in self.open):
                quiet.setdefault(choice, []).append(number)
        return frozenset(
            (choice, number)
            for choice, numbers in quiet.items()
            if choice in self.private
            or (len(numbers) > 1 and any(self.is_own(self.taken[choice, number]) for number in numbers))
            for number in numbers
        )

    def is_own(self, local: int) -> bool:
        """Returns whether an answer is told to nobody but those who see the hidden variables that it reaches, and its
        chooser."""
        if not self.is_traced or local in self.open:
            return False
        return bool(self.hidden.get(local)) or local not in self.named

    def is_covert(self, choice: int, option: int) -> bool:
        """Returns whether the chooser alone, and those who see what it reaches, may know that an option of a choice is
        taken, and not another that nobody notices."""
        return (choice, option) in self.unnoticed

    def is_counted(self, choice: int, option: int, answer: ir.Variable) -> bool:
        """Returns whether all see that something was chosen and, of things, how many."""
        is_own_set = isinstance(answer.type, SetType) and self.is_own(answer.id)
        return not self.is_covert(choice, option) and not is_own_set

    def drawn(self, local: int) -> FlowLabel:
        """Returns the hidden variables that a throw or a pick reaches, and a secret of nobody's if nothing is made of it; none
        if everyone sees it."""
        goes = self.of(local)
        return goes if goes or not self.is_own(local) else frozenset((Secret(None, None, None),))

    def drawn_into(self, state: ir.StateVariable) -> FlowLabel:
        """Returns the same of a throw or a pick that is kept in a scratch variable; none for other variables."""
        return self.drawn(self.scratch[state.id]) if state.id in self.scratch else NOTHING

    def of(self, local: int) -> FlowLabel:
        """Returns the hidden variables that a local reaches; none if it is also used where everyone sees it."""
        return NOTHING if local in self.open else self.hidden.get(local, NOTHING)


def destinations_of(game: ir.GameRules) -> Destinations:
    """Returns the destinations of all locals, directly or through other locals and verbs."""
    tracing = _Tracing(game)
    tracing.found.private = frozenset(choice.id for choice in game.choices if choice.private)
    for procedure in game.procedures:
        tracing.procedure(procedure)
    for hook in game.hooks:
        tracing.hook(hook)
    for choice in game.choices:
        tracing.home = tracing.homes.get(choice.id)
        tracing.choice(choice)
        tracing.question(choice)
    return tracing.settled()


@attrs.define(slots=False)
class _Tracing:
    """Collects the uses of locals, and of the conditions that decide whether a body runs, each as a local of its own
    with a negative id."""

    game: ir.GameRules
    found: Destinations = attrs.field(factory=Destinations)
    flows: dict[int, list[tuple[int, Arguments]]] = attrs.field(factory=dict)
    """By local: the locals that its value reaches next."""
    again: dict[int, set[int]] = attrs.field(factory=dict)
    """By local: the choices of which nobody but the chooser learns and that are asked or not by its value."""
    home: int | None = None
    """The procedure whose body, or one of whose choices, is gone through."""
    _last: int = 0
    _loops: dict[int, int] = attrs.field(factory=dict)
    _out: list[tuple[int, int | None]] = attrs.field(factory=list)
    """The ways out of the procedure that were met: the local that stands for whether each is taken, and the loop that it
    leaves, or None."""
    _in_option: bool = False
    _within: list[int] = attrs.field(factory=list)
    """The locals that stand for the rounds of the loops around a statement."""

    @cached_property
    def scratch(self) -> dict[int, int]:
        """See `Destinations`."""
        # What a verb answers is handed on in a variable of the compiler's.
        own = {s.id for s in self.game.states if s.scratch and (not s.builtin or s.name.startswith("answer of "))}
        if not own:
            return {}
        # Values and data are read where something names them.
        apart = ("procedures", "choices", "values", "data")
        elsewhere = [getattr(self.game, f.name) for f in attrs.fields(ir.GameRules) if f.name not in apart]
        elsewhere += [(c.who, c.condition, c.source, c.prompt) for c in self.game.choices]
        elsewhere += [(branch.parameters, branch.needs) for c in self.game.choices for branch in c.branches]
        return {id: SCRATCH - id for id in own - self._states_in(tuple(elsewhere))}

    @cached_property
    def _computed(self) -> dict[Called, object]:
        return bodies(self.game)

    def _states_in(self, node: object) -> frozenset[int]:
        """Returns the variables that a node reads, also through values and data."""
        called = closure(called_in(node), lambda one: called_in(self._computed[one]))
        nodes = walk((node, *(self._computed[one] for one in called)))
        return frozenset(n.state for n in nodes if isinstance(n, ir.Read))

    def read(self, node: object) -> set[int]:
        """Returns the locals that a node reads, and those that stand for what scratch variables hold."""
        held = self._states_in(node) & self.scratch.keys() if self.scratch else ()
        return locals_in(node) | {self.scratch[id] for id in held}

    def called(self, procedure: int) -> int:
        """Returns the local that stands for whether a procedure is called."""
        return -1 - procedure

    def fresh(self) -> int:
        """Returns a local that stands for whether a body runs."""
        self._last -= 1
        return self._last - len(self.game.procedures)

    def round(self, loop: int) -> int:
        """Returns the local that stands for whether a round of a loop runs, and goes on."""
        if loop not in self._loops:
            self._loops[loop] = self.fresh()
        return self._loops[loop]

    @cached_property
    def homes(self) -> dict[int, int]:
        """The procedure that asks each choice, also inside another choice; those of choices alone are missing."""
        asked: dict[int, list[int]] = {
            choice.id: [n.choice for n in walk(choice) if isinstance(n, ir.Ask)] for choice in self.game.choices
        }
        found: dict[int, int] = {}
        for procedure in self.game.procedures:
            waiting = [node.choice for node in walk(procedure.body) if isinstance(node, ir.Ask)]
            while waiting:
                choice = waiting.pop()
                if choice not in found:
                    found[choice] = procedure.id
                    waiting += asked[choice]
        return found

    def procedure(self, procedure: ir.Procedure) -> None:
        """Notes the uses in a procedure."""
        self.home = procedure.id
        self._out = []
        self.body(procedure.body, self.called(procedure.id))

    def hook(self, hook: ir.Hook) -> None:
        """Notes the uses in a hook's condition and call, which stand in its verb."""
        runs = self.called(hook.of)
        call = ir.Call(hook.procedure, tuple(ir.Local(p.id) for p in self.game.procedures[hook.of].parameters))
        self._inside((call,), runs, hook.condition)
        if hook.when == "instead":
            self._reach(runs, hook.condition)

    def body(self, body: Iterable[ir.Statement], runs: int) -> None:
        """Notes the uses in a body; `runs` stands for whether it runs: what follows a way out runs if it was not taken."""
        for statement in body:
            before = len(self._out)
            self._statement(statement, runs)
            if len(self._out) > before:
                rest = self.fresh()
                for leaving in (runs, *(local for local, _ in self._out[before:])):
                    self.flows.setdefault(leaving, []).append((rest, {}))
                runs = rest

    def choice(self, choice: ir.Choice) -> None:
        """Notes the uses in the bodies of a choice."""
        self._in_option = True
        has_words = any(self.game.rules[branch.rule].label is not None for branch in choice.branches)
        for number, branch in enumerate(choice.branches):
            taken = self.fresh()
            own, after = inside_and_after(branch)
            # What `whenever` rules do here, they do after any option.
            settles = [one for one in own if isinstance(one, ir.Call) and one.procedure == self.game.checkpoint]
            self.body((one for one in own if one not in settles), taken)
            self.body((*settles, *after), self.fresh())
            self.flows.setdefault(taken, []).extend((p.variable.id, {}) for p in branch.parameters)
            if choice.private or (choice.actor is not None and not _is_noticed(self.game, branch)):
                self.found.taken[choice.id, number] = taken
                if has_words:
                    self.found.named |= {taken}
        self.body(choice.when_none, self.fresh())

    def question(self, choice: ir.Choice) -> None:
        """Notes the dependencies of a question, except on its answers, and the names in sentences."""
        named = locals_in((choice.who, choice.condition, choice.source, choice.prompt))
        for branch in choice.branches:
            own = [parameter.variable for parameter in branch.parameters]
            named |= locals_in((branch.parameters, branch.needs)) - {variable.id for variable in own}
            named |= said_in(self.game.rules[branch.rule], own)
        self.found.named |= named - {v.id for v in (choice.actor, choice.variable) if v is not None}

    def settled(self) -> Destinations:
        """Returns the destinations once nothing reaches anything new."""
        self._settle()
        if self.again:
            self.found.open |= self._told_by_asking()
            self._settle()
        self.found.is_traced, self.found.scratch = True, self.scratch
        return self.found

    def _told_by_asking(self) -> set[int]:
        """Returns the answers and throws that decide whether another seat is asked without the others learning it, so that
        this seat learns of them."""
        asked = {choice.id: choice.who for choice in self.game.choices}
        own: dict[int, ir.Expr | None] = {}
        for choice in self.game.choices:
            own |= {p.variable.id: choice.who for branch in choice.branches for p in branch.parameters}
            own |= {local: choice.who for (of, _), local in self.found.taken.items() if of == choice.id}
        nodes = walk((self.game.procedures, self.game.choices))
        drawn = {n.variable.id for n in nodes if isinstance(n, ir.Bind) and is_drawn(self.game, n.value)}
        return {
            local
            for local, choices in self.again.items()
            if local in drawn or (local in own and any(asked[choice] != own[local] for choice in choices))
        }

    def _settle(self) -> None:
        found, changed = self.found, True
        while changed:
            changed = False
            for local, targets in self.flows.items():
                for target, given in targets:
                    if target in found.open and local not in found.open:
                        found.open.add(local)
                        changed = True
                    if target in found.named and local not in found.named:
                        found.named.add(local)
                        changed = True
                    if not self.again.get(target, set()) <= self.again.get(local, set()):
                        self.again.setdefault(local, set()).update(self.again[target])
                        changed = True
                    more = frozenset(in_terms_of(s, given) for s in found.hidden.get(target, NOTHING))
                    before = found.hidden.get(local, NOTHING)
                    if not more <= before:
                        found.hidden[local] = before | more
                        changed = True

    def _statement(self, statement: ir.Statement, runs: int) -> None:
        of = traits(statement)
        if is_drawn(self.game, of.evaluates):
            self.found.named.add(runs)
        match of.effect:
            case "writes":
                assert isinstance(statement, ir.Assign)
                self._written(statement, {*self.read((statement.value, statement.least, statement.most)), runs})
                self._written(statement, self.read(statement.place.index))
            case "binds":
                self._bound(of)
                # What options give one name to is read behind the choice.
                self.flows.setdefault(runs, []).extend((variable.id, {}) for variable in of.binds)
            case "calls":
                assert isinstance(statement, ir.Call | ir.Defer)
                self._called(statement, runs)
            case "decides":
                # A body runs by its own condition, and by those before it.
                for number, body in enumerate(of.bodies, start=1):
                    self._inside(body, runs, of.evaluates[:number])
            case "goes over" | "repeats":
                self._bound(of)
                inner = self.round(getattr(statement, "id", -1)) if hasattr(statement, "id") else self.fresh()
                self._within.append(inner)
                for body in of.bodies:
                    self._inside(body, runs, (of.evaluates, of.each_round), inner)
                self._within.pop()
                self._out = [way for way in self._out if way[1] is None or way[1] != getattr(statement, "id", None)]
            # A fault, such as a verb that calls itself too deep, is no part of a game that people play.
            case "tells" | "fails":
                pass
            case "leaves":
                self._left(statement, runs)
            case "asks":
                assert isinstance(statement, ir.Ask)
                if statement.choice in self.found.private:
                    self.again.setdefault(runs, set()).add(statement.choice)
                else:
                    self.found.open.add(runs)
            case "shuffles":
                self.found.open |= self.read(statement)
            case "moves" | "shows" | "eliminates" | "ends" | "records" | "expands":
                self.found.open |= self.read(statement)
                self.found.open.add(runs)
            case _:
                assert_never(of.effect)

    def _bound(self, of: Traits) -> None:
        for variable in of.binds:
            self._reach(variable.id, of.evaluates)

    def _called(self, call: ir.Call | ir.Defer, runs: int) -> None:
        if call.procedure == self.game.checkpoint:  # `whenever` rules run after anything, whatever was decided
            return
        parameters = self.game.procedures[call.procedure].parameters
        if self.game.procedures[call.procedure].rule is not None:
            # The line of a verb says that it is called, and with what.
            self.found.named |= self.read(call.arguments) | {runs}
        given = {p.id: argument for p, argument in zip(parameters, call.arguments, strict=False)}
        for parameter, argument in zip(parameters, call.arguments, strict=False):
            self._reach(parameter.id, argument, given)
        self.flows.setdefault(runs, []).append((self.called(call.procedure), given))

    def _written(self, statement: ir.Assign, locals: set[int]) -> None:
        state = self.game.states[statement.place.state]
        if state.id == self.game.depth:  # it counts in every body alike
            return
        if state.id in self.scratch:
            for local in locals:
                self.flows.setdefault(local, []).append((self.scratch[state.id], {}))
            return
        if state.visible == "all":
            self.found.open |= locals
            return
        secret = Secret(state.id, None, statement.place.index, site=statement.site)
        for local in locals:
            self.found.hidden[local] = self.found.hidden.get(local, NOTHING) | {secret}

    def _reach(self, target: int, parts: object, given: Arguments | None = None) -> None:
        for local in self.read(parts):
            self.flows.setdefault(local, []).append((target, given or {}))

    def _left(self, statement: ir.Statement, runs: int) -> None:
        """Notes what a way out of a loop or a verb decides: what follows it, and whether the rounds go on.

        Out of an option it counts as seen, unless a question is asked again and again there of which nobody else learns.
        """
        if not self._in_option:
            loop = statement.loop if isinstance(statement, ir.Stop) else None
            self._out.append((runs, loop))
            rounds = self._within if loop is None else [self.round(loop)]
            self.flows.setdefault(runs, []).extend((one, {}) for one in rounds)
        elif isinstance(statement, ir.Stop) and statement.loop in self.retried:
            self.flows.setdefault(runs, []).append((self.round(statement.loop), {}))
        elif isinstance(statement, ir.Return) and self.home is not None and self.home in self.retrying:
            self.flows.setdefault(runs, []).append((self.called(self.home), {}))
        else:
            self.found.open.add(runs)

    @cached_property
    def retried(self) -> frozenset[int]:
        """The loops in which a question is asked of which nobody but the chooser learns."""
        loops = (n for n in walk((self.game.procedures, self.game.choices)) if isinstance(n, ir.Loop | ir.Repeat))
        return frozenset(loop.id for loop in loops if self._asks_in_private(loop.body))

    @cached_property
    def retrying(self) -> frozenset[int]:
        """The procedures that ask such a question."""
        return frozenset(self.homes[choice] for choice in self.found.private if choice in self.homes)

    def _asks_in_private(self, body: object) -> bool:
        return any(isinstance(n, ir.Ask) and n.choice in self.found.private for n in walk(body))

    def _inside(self, body: Iterable[ir.Statement], runs: int, conditions: object, inner: int | None = None) -> None:
        """Notes the uses in a body that runs or not by some conditions; `inner` stands for whether it does."""
        inner = self.fresh() if inner is None else inner
        self._reach(inner, conditions)
        self.flows.setdefault(runs, []).append((inner, {}))
        self.body(body, inner)


def inside_and_after(branch: ir.Branch) -> tuple[tuple[ir.Statement, ...], tuple[ir.Statement, ...]]:
    """Returns the body of an option, and what runs after the body of any option."""
    ends = next((i for i, one in enumerate(branch.body) if isinstance(one, ir.EndBody)), len(branch.body) - 1) + 1
    return branch.body[:ends], branch.body[ends:]


def _is_noticed(game: ir.GameRules, branch: ir.Branch) -> bool:
    """Returns whether a sentence tells of an option (its words in the menu are none), or of anything that is called in it,
    or a shuffle makes others forget."""
    body = inside_and_after(branch)[0]
    called = reachable(game, calls_in(game, body))
    told = [game.rules[branch.rule].told]
    verbs = (game.rules[rule] for id in called if (rule := game.procedures[id].rule) is not None)
    told += [sentence for verb in verbs for sentence in (verb.told, verb.label)]
    shuffles = (isinstance(n, ir.Shuffle) for n in walk((body, tuple(game.procedures[id].body for id in called))))
    return any(shuffles) or any(sentence is not None for sentence in told)


def said_in(rule: ir.Rule, variables: Iterable[ir.Variable]) -> set[int]:
    """Returns which of the parameters of an option or a verb, and of the locals around it, its sentences read."""
    read = locals_in((rule.told, rule.label, rule.otherwise))
    names = {parameter.name for parameter in rule.parameters if parameter.id in read}
    return read | {variable.id for variable in variables if variable.name in names}


def locals_in(node: object) -> set[int]:
    """Returns the ids of the locals that a node reads."""
    return {n.id for n in walk(node) if isinstance(n, ir.Local)}


def in_terms_of(secret: Secret, given: Mapping[int, ir.Expr]) -> Secret:
    """Returns a secret with parameters replaced by the arguments of a call."""
    if not given or secret.index is None:
        return secret
    index = rewrite(secret.index, lambda n: given.get(n.id, n) if isinstance(n, ir.Local) else n)
    return attrs.evolve(secret, index=None if is_larger(index, LARGEST) else index)


def is_drawn(game: ir.GameRules, nodes: Iterable[object] | object) -> bool:
    """Returns whether evaluating these expressions draws on chance."""
    for node in walk(nodes):
        if isinstance(node, ir.Draw):
            return True
        if isinstance(node, ir.Cell) and is_drawn(game, game.data[node.data].columns[node.column].cells):
            return True
    return False
