"""Turns IR with hooks, phases and `whenever` rules into plain procedures.

Afterwards only procedures, calls and choices are left: `Settle` and `Proceed` are gone, a phase ends by running the
`whenever` rules, a hook is a call, a move inside `simultaneously` is a deferred call, `least` is spelled out.

    after eliminate(p): move p.tokens to discards      eliminate's own body, then Call(hook)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import count
from typing import Any

import attrs

from rulelang.ir import model as ir
from rulelang.ir.bounds import spell_out_bounds
from rulelang.ir.flow.openly import leave_out_openly
from rulelang.ir.model.traits import traits
from rulelang.ir.recursion import unroll
from rulelang.ir.types import FlagType, SetType
from rulelang.ir.walk import Spliced, asks, calls_in, reachable, rewrite, walk
from rulelang.ir.witness import place_witnesses

ROUNDS = 100
"""The number of rounds that `whenever` rules may run in a row before RunawayRules is raised."""


def weave(game: ir.GameRules) -> ir.GameRules:
    """Returns a game after every pass, in order; raises TooMany or Unbounded if a pass fails."""
    return witness(unfold(game))


def may_fail(game: ir.GameRules) -> bool:
    """Returns whether `unfold` may find a fault: only copies of recursive verbs and bounds can be too many."""
    parts = (game.values, game.data, game.procedures, game.choices)
    return any(p.recursion is not None for p in game.procedures) or any(isinstance(n, ir.Bound) for n in walk(parts))


def unfold(game: ir.GameRules) -> ir.GameRules:
    """Returns the game with plain procedures only; raises TooMany or Unbounded if that is impossible."""
    for one in UNFOLDING:
        game = one(game)
    return game


def witness(game: ir.GameRules) -> ir.GameRules:
    """Returns an unfolded game with the witnesses that words need, and with the procedures that stop marked."""
    for one in WITNESSING:
        game = one(game)
    return game


class _Fresh:
    """Hands out new ids of locals, loops and procedures."""

    def __init__(self, game: ir.GameRules) -> None:
        self.game = game
        self.procedures = list(game.procedures)

    def local(self, name: str, type: Any) -> ir.Variable:
        return ir.Variable(next(self._ids[0]), name, type)

    def loop(self) -> int:
        return next(self._ids[1])

    @cached_property
    def _ids(self) -> tuple[Iterator[int], Iterator[int]]:
        """The free ids of locals and of loops."""
        local = loop = 0
        for node in walk(self.game):
            kind = type(node)
            if kind is ir.Variable:
                local = max(local, node.id)
            elif kind is ir.Loop or kind is ir.Repeat:
                loop = max(loop, node.id)
        return count(local + 1), count(loop + 1)

    def procedure(self, name: str, parameters: tuple[ir.Variable, ...], body: tuple[ir.Statement, ...]) -> int:
        id = len(self.procedures)
        self.procedures.append(ir.Procedure(id, name, parameters, body, None))
        return id


# ------------------------------------------------------------------ hooks and phases


def weave_hooks(game: ir.GameRules) -> ir.GameRules:
    """Returns a game with hooks as calls in their procedures, and with a `Settle` at the end of each phase."""
    fresh = _Fresh(game)
    during = dict(game.during)
    hooks_of: dict[int, list[ir.Hook]] = {}
    for hook in game.hooks:
        hooks_of.setdefault(hook.of, []).append(hook)
    for procedure in game.procedures:
        hooks = hooks_of.get(procedure.id, [])
        if hooks or procedure.phase:
            fresh.procedures[procedure.id] = _around(fresh, procedure, hooks, during.get(procedure.id))
    return attrs.evolve(game, procedures=tuple(fresh.procedures), hooks=())


def _around(fresh: _Fresh, procedure: ir.Procedure, hooks: list[ir.Hook], during: int | None) -> ir.Procedure:
    arguments = tuple(ir.Local(v.id) for v in procedure.parameters)
    core: tuple[ir.Statement, ...] = procedure.body
    instead = [h for h in hooks if h.when == "instead"]
    is_apart = bool(instead) or _returns(core)
    if is_apart:
        id = fresh.procedure(procedure.name, procedure.parameters, core)
        core = (ir.Call(id, arguments),)
        _replace_proceed(fresh, instead, id)
    befores = tuple(_hook_call(h, arguments) for h in hooks if h.when == "before")
    afters = tuple(_hook_call(h, arguments) for h in hooks if h.when == "after")
    middle = (*befores, *core)
    if instead:
        branches = tuple((h.condition or ir.Const(1), (ir.Call(h.procedure, arguments),), 0) for h in reversed(instead))
        middle = (ir.When(branches, middle),)
    begin: tuple[ir.Statement, ...] = ()
    end: tuple[ir.Statement, ...] = ()
    if procedure.phase:
        end = (ir.Settle(),)
        if during is not None:
            place = ir.Place(during, ())
            begin = (ir.Assign(place, "=", ir.Const(1)),)
            end = (ir.Settle(), ir.Assign(place, "=", ir.Const(0)))
    around = attrs.evolve(procedure, body=(*begin, *middle, *end, *afters))
    return _with_own_names(fresh, around) if is_apart else around


def _returns(body: tuple[ir.Statement, ...]) -> bool:
    return any(isinstance(n, ir.Return) for n in walk(body))


def _with_own_names(fresh: _Fresh, procedure: ir.Procedure) -> ir.Procedure:
    """Returns the procedure around a core with parameters of its own, since no local belongs to two procedures and the
    choices of the core read the core's.
    """
    renamed = {v.id: fresh.local(v.name, v.type) for v in procedure.parameters}

    def change(node: Any) -> Any:
        if isinstance(node, ir.Local) and node.id in renamed:
            return ir.Local(renamed[node.id].id)
        return node

    return attrs.evolve(procedure, parameters=tuple(renamed.values()), body=rewrite(procedure.body, change))


def _replace_proceed(fresh: _Fresh, instead: list[ir.Hook], core: int) -> None:
    for hook in instead:
        # Of several hooks that somebody chooses from, each stands behind a call.
        for id in (hook.procedure, *sorted(_called(fresh.procedures[hook.procedure].body))):
            own = fresh.procedures[id]
            call = ir.Call(core, tuple(ir.Local(v.id) for v in own.parameters))

            def change(node: Any, call: ir.Call = call) -> Any:
                return attrs.evolve(call, site=node.site) if isinstance(node, ir.Proceed) else node

            fresh.procedures[id] = attrs.evolve(own, body=rewrite(own.body, change))


def _called(body: tuple[ir.Statement, ...]) -> set[int]:
    return {node.procedure for node in walk(body) if isinstance(node, ir.Call)}


def _hook_call(hook: ir.Hook, arguments: tuple[ir.Expr, ...]) -> ir.Statement:
    call = ir.Call(hook.procedure, arguments)
    return call if hook.condition is None else ir.When(((hook.condition, (call,), 0),))


# ------------------------------------------------------------------ whenever


def weave_whenevers(game: ir.GameRules) -> ir.GameRules:
    """Returns a game with one procedure that runs all `whenever` rules (the checkpoint), called wherever they run."""
    fresh = _Fresh(game)
    checkpoint = None
    if game.whenevers:
        rounds, fired = fresh.loop(), fresh.local("fired", FlagType())
        body: list[ir.Statement] = [ir.Bind(fired, ir.Const(0))]
        for rule in game.whenevers:
            body.append(_standing_rule(game, fresh, rule, fired))
        quiet = ir.Op("not", (ir.Local(fired.id),))
        body.append(ir.When(((quiet, (ir.Stop(rounds),), 0),)))
        look: tuple[ir.Statement, ...] = (ir.Repeat(rounds, None, None, tuple(body), ROUNDS),)
        checkpoint = fresh.procedure("checkpoint", (), look)
        if _leads_back(game):
            game = _with_flag(game, checkpoint)
            place = ir.Place(game.during[-1][1], ())
            look = (ir.Assign(place, "=", ir.Const(1)), *look, ir.Assign(place, "=", ir.Const(0)))
            fresh.procedures[checkpoint] = attrs.evolve(fresh.procedures[checkpoint], body=look)
    game = attrs.evolve(game, procedures=tuple(fresh.procedures), whenevers=(), checkpoint=checkpoint)
    return _place_checkpoints(game)


def _leads_back(game: ir.GameRules) -> bool:
    """Returns whether a `whenever` rule can reach a place where all of them run."""
    within = reachable(game, {rule.procedure for rule in game.whenevers})
    return any(isinstance(n, ir.Settle | ir.Ask) for id in within for n in walk(game.procedures[id].body))


def _with_flag(game: ir.GameRules, checkpoint: int) -> ir.GameRules:
    """Returns a game with a flag that is set while the `whenever` rules run, so that a nested checkpoint is skipped:
    the outer one tests all rules again anyhow.
    """
    flag = ir.StateVariable(len(game.states), "settling", None, (), FlagType(), None, (), builtin=True)
    return attrs.evolve(game, states=(*game.states, flag), during=(*game.during, (checkpoint, flag.id)))


def _standing_rule(game: ir.GameRules, fresh: _Fresh, rule: ir.Whenever, fired: ir.Variable) -> ir.Statement:
    stops = any(asks(game, game.procedures[i].body) for i in reachable(game, {rule.procedure}))
    call = ir.Call(rule.procedure, tuple(ir.Local(v.id) for v in rule.names), site=rule.site)
    mark = ir.Bind(fired, ir.Const(1))
    if not rule.names:
        return _unless_fired(ir.When(((rule.condition, (call, mark), rule.site),)), fired, stops)
    return _unless_fired(_matches(fresh, rule, 0, call, mark, stops, fired), fired, stops)


def _unless_fired(statement: ir.Statement, fired: ir.Variable, stops: bool) -> ir.Statement:
    """Returns a rule wrapped so that, if its body asks, it handles a single match and then all rules run again."""
    return ir.When(((ir.Op("not", (ir.Local(fired.id),)), (statement,), 0),)) if stops else statement


def _matches(
    fresh: _Fresh,
    rule: ir.Whenever,
    level: int,
    call: ir.Statement,
    mark: ir.Statement,
    stops: bool,
    fired: ir.Variable,
) -> ir.Statement:
    """Returns nested loops over the matches of a rule: values of its first name for which the others match, and so on."""
    name, source = rule.names[level], rule.sources[level]
    rest, sources = rule.names[level + 1 :], rule.sources[level + 1 :]
    condition: ir.Expr = rule.condition
    if rest:
        condition = ir.Over("any", rest, sources, None, rule.condition)
    mask = ir.Over("set", (name,), (source,), ir.Local(name.id), condition)
    inner = (call, mark) if not rest else (_matches(fresh, rule, level + 1, call, mark, stops, fired),)
    found = fresh.local(f"{name.name}s", SetType(name.type))
    if stops:
        first = ir.Over(
            "first", (again := fresh.local(name.name, name.type),), (ir.Source(ir.Local(found.id)),), None, None
        )
        body: tuple[ir.Statement, ...] = (ir.Bind(name, first), *inner)
        del again
    else:
        body = (ir.Loop(fresh.loop(), name, ir.Source(ir.Local(found.id)), (), None, inner, site=rule.site),)
    some = ir.Op("!=", (ir.Local(found.id), ir.Const(0)))
    return ir.When(((ir.Const(1), (ir.Bind(found, mask), ir.When(((some, body, rule.site),))), 0),))


def _place_checkpoints(game: ir.GameRules) -> ir.GameRules:
    checkpoint = game.checkpoint
    counts = checkpoint is not None or game.history is not None
    depth = ir.Place(game.depth, ())
    at_top = ir.Op("==", (ir.Read(game.depth, ()), ir.Const(0)))
    flag = dict(game.during).get(-1 if checkpoint is None else checkpoint)
    fresh = _Fresh(game)

    def look_again(site: int = 0) -> ir.Statement:
        assert checkpoint is not None
        call = ir.Call(checkpoint, (), site=site)
        return call if flag is None else ir.When(((ir.Op("not", (ir.Read(flag, ()),)), (call,), 0),))

    def change(node: Any) -> Any:
        if isinstance(node, ir.Settle):
            return Spliced((look_again(node.site),) if checkpoint is not None else ())
        if counts and isinstance(node, ir.BeginBody):
            return Spliced((node, ir.Assign(depth, "+", ir.Const(1))))
        if counts and isinstance(node, ir.EndBody):
            look = (look_again(),) if checkpoint is not None else ()
            return Spliced(
                (node, ir.Assign(depth, "+", ir.Const(-1)), ir.When(((at_top, _stood(game, look, node.site), 0),)))
            )
        if game.history is not None and isinstance(node, ir.Ask) and not game.choices[node.choice].private:
            stand = ir.Stand("asked", site=node.site)
            end = _unless_full(game, game.history, fresh, node)
            return Spliced((ir.When(((at_top, (stand, end), node.site),), site=node.site), node))
        return node

    procedures = tuple(rewrite(game.procedures, change))
    choices = tuple(_unrecorded(c) if c.private else c for c in rewrite(game.choices, change))
    return attrs.evolve(game, procedures=procedures, choices=choices)


def _unrecorded(choice: ir.Choice) -> ir.Choice:
    """Returns a choice after whose options no position stands."""
    unrecorded: ir.Choice = rewrite(choice, lambda node: Spliced(()) if isinstance(node, ir.Stand) else node)
    return unrecorded


def _stood(game: ir.GameRules, look: tuple[ir.Statement, ...], site: int) -> tuple[ir.Statement, ...]:
    """Returns the call of the checkpoint, with the position
    recorded before it and replaced after it if there is a history.
    """
    if game.history is None:
        return look
    settled = (ir.Stand("settled", site=site),) if look else ()
    return (ir.Stand("answered", site=site), *look, *settled)


# ------------------------------------------------------------------ the end


def end_undecided(game: ir.GameRules) -> ir.GameRules:
    """Returns a game that ends undecided where its rules run out."""
    procedures = list(game.procedures)
    main = procedures[game.main]
    procedures[game.main] = attrs.evolve(main, body=(*main.body, _undecided(game)))
    return attrs.evolve(game, procedures=tuple(procedures))


def without_undecided(game: ir.GameRules) -> ir.GameRules:
    """Returns a woven game as earlier versions played it: its rules run out without an outcome, and one position more than
    its history holds is a fault."""

    def change(node: Any) -> Any:
        return Spliced(()) if isinstance(node, ir.Finish) and node.how == "undecided" else node

    choices = tuple(rewrite(game.choices, change))
    return attrs.evolve(game, procedures=tuple(rewrite(game.procedures, change)), choices=choices)


def _undecided(game: ir.GameRules, site: int = 0) -> ir.Statement:
    rule = next((rule.id for rule in game.rules if rule.what == "play"), 0)
    return ir.Finish("undecided", None, rule, site=site)


def _unless_full(game: ir.GameRules, history: ir.History, fresh: _Fresh, ask: ir.Ask) -> ir.Statement:
    """Returns the end of a game whose history has no room for the answers to a choice: none of them could be taken."""
    choice = game.choices[ask.choice]
    answers: ir.Expr = ir.Const(1)
    if choice.variable is not None and choice.source is not None:
        asked, own = fresh.local(choice.variable.name, choice.variable.type), choice.variable.id

        def change(node: Any) -> Any:
            return ir.Local(asked.id) if isinstance(node, ir.Local) and node.id == own else node

        answers = ir.Over("count", (asked,), (choice.source,), None, rewrite(choice.condition, change))
    stood = ir.Op("+", (ir.Read(history.stood, ()), answers))
    full = ir.Op(">", (stood, ir.Const(history.most)))
    return ir.When(((full, (_undecided(game, history.site),), ask.site),), site=ask.site)


# ------------------------------------------------------------------ simultaneously


def defer_changes(game: ir.GameRules) -> ir.GameRules:
    """Returns a game with deferred calls in place of moves and
    eliminations in `simultaneously` and procedures called there.
    """
    simultaneous = [n for n in walk(game.procedures) if isinstance(n, ir.Simultaneous)]
    simultaneous += [n for n in walk(game.choices) if isinstance(n, ir.Simultaneous)]
    if not simultaneous:
        return game
    eliminate = {p.id for p in game.procedures if _eliminates(p)}
    inside = _reached(game, {i for t in simultaneous for i in calls_in(game, t.body)}, eliminate)
    fresh = _Fresh(game)

    def change(node: Any) -> Any:
        return _defer(fresh, node, eliminate)

    for id in sorted(inside - eliminate):
        own = fresh.procedures[id]
        fresh.procedures[id] = attrs.evolve(own, body=rewrite(own.body, change))

    def in_block(node: Any) -> Any:
        return attrs.evolve(node, body=rewrite(node.body, change)) if isinstance(node, ir.Simultaneous) else node

    procedures = tuple(rewrite(tuple(fresh.procedures), in_block))
    choices = tuple(rewrite(game.choices, in_block))
    # Procedures for deferred changes were appended while the blocks were rewritten.
    procedures = (*procedures, *fresh.procedures[len(procedures) :])
    return attrs.evolve(game, procedures=procedures, choices=choices)


def _reached(game: ir.GameRules, start: set[int], stop: set[int]) -> set[int]:
    seen: set[int] = set()
    queue = sorted(start)
    while queue:
        id = queue.pop()
        if id not in seen and id not in stop:
            seen.add(id)
            queue.extend(calls_in(game, game.procedures[id].body) - seen)
    return seen


def _eliminates(procedure: ir.Procedure) -> bool:
    return procedure.name == "eliminate" and procedure.rule is not None


def _with_parts(node: Any, change: Callable[[ir.Expr], ir.Expr]) -> Any:
    """Returns a statement with each of its expressions changed."""

    def changed(part: object) -> object:
        if isinstance(part, tuple):
            return tuple(change(inner) for inner in part)
        return change(part) if isinstance(part, ir.Expr) else part

    return attrs.evolve(node, **{field.name: changed(getattr(node, field.name)) for field in attrs.fields(type(node))})


def _held_source(node: ir.Move, hold: Callable[[ir.Expr], ir.Expr]) -> ir.Source:
    """Returns the source of a move that is put off. A whole pile means its things before the block; a number of them is
    drawn from its top only when the call runs."""
    mask, pile = node.what.mask, node.what.pile
    if pile is None:
        return node.what if mask is None else ir.Source(hold(mask))
    held = attrs.evolve(pile, index=tuple(hold(i) for i in pile.index))
    mask = pile if mask is None and node.count is None else mask
    return ir.Source(hold(mask) if mask is not None else None, held)


def _defer(fresh: _Fresh, node: Any, eliminate: set[int]) -> Any:
    if isinstance(node, ir.Call) and node.procedure in eliminate:
        return ir.Defer(node.procedure, node.arguments, site=node.site)
    if not isinstance(node, ir.Deferrable):
        return node
    arguments: list[ir.Expr] = []
    parameters: list[ir.Variable] = []

    def hold(expr: ir.Expr) -> ir.Expr:
        if isinstance(expr, ir.Const):
            return expr
        variable = fresh.local(f"held{len(parameters)}", FlagType())
        parameters.append(variable)
        arguments.append(expr)
        return ir.Local(variable.id)

    if isinstance(node, ir.Move):
        held: ir.Statement = attrs.evolve(
            node,
            what=_held_source(node, hold),
            count=hold(node.count) if node.count is not None else None,
            to=attrs.evolve(node.to, index=tuple(hold(i) for i in node.to.index)),
        )
    else:
        held = _with_parts(node, hold)
    id = fresh.procedure("later", tuple(parameters), (held,))
    return ir.Defer(id, tuple(arguments), site=node.site)


# ------------------------------------------------------------------ open tops


def turn_up_tops(game: ir.GameRules) -> ir.GameRules:
    """Returns a game that turns up the top of each pile declared
    `top face up` after every statement that may change it.
    """
    piles = [zone for zone in game.zones if zone.top_up]

    def change(node: Any) -> Any:
        of = traits(node) if isinstance(node, ir.Statement) else None
        if of is None or of.refers is None or of.effect not in ("moves", "shuffles"):
            return node
        kind = game.zones[of.refers.id].kind
        tops = ((zone.kind, ir.TopOf(zone.id, ())) for zone in piles if zone.kind == kind)
        reveals = tuple(ir.Reveal(kind, ir.Op("single", (top,)), site=node.site) for kind, top in tops)
        return Spliced((node, *reveals)) if reveals else node

    if not piles:
        return game
    return attrs.evolve(
        game, procedures=tuple(rewrite(game.procedures, change)), choices=tuple(rewrite(game.choices, change))
    )


# ------------------------------------------------------------------ what stops


def mark_stopping(game: ir.GameRules) -> ir.GameRules:
    """Returns a game with `stops` set: on procedures in which the game may stop for a choice, and on all phases.

    `play` counts as a phase from here on, because a scenario without a phase of its own begins there.
    """
    plays = {rule.id for rule in game.rules if rule.what == "play"}
    procedures = tuple(attrs.evolve(p, phase=p.phase or p.rule in plays) for p in game.procedures)
    game = attrs.evolve(game, procedures=procedures)
    stopping = {p.id for p in game.procedures if p.phase or asks(game, p.body)}
    changed = True
    while changed:
        changed = False
        for procedure in game.procedures:
            if procedure.id not in stopping and calls_in(game, procedure.body) & stopping:
                stopping.add(procedure.id)
                changed = True
    procedures = tuple(attrs.evolve(p, stops=p.id in stopping) for p in game.procedures)
    return attrs.evolve(game, procedures=procedures)


GamePass = Callable[[ir.GameRules], ir.GameRules]

UNFOLDING: tuple[GamePass, ...] = (
    weave_hooks,
    unroll,
    weave_whenevers,
    end_undecided,
    defer_changes,
    turn_up_tops,
    spell_out_bounds,
)
"""The passes that make plain procedures; they may find faults of the author."""
WITNESSING: tuple[GamePass, ...] = (place_witnesses, leave_out_openly, mark_stopping)
"""The passes that a run also needs; they find no faults, so diagnostics need not wait for them."""
WEAVE: tuple[GamePass, ...] = (*UNFOLDING, *WITNESSING)
