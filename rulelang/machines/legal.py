"""A choice and a row -> the legal answers, and the reason why another answer is not legal.

Parameters are bound left to right; a `needs` is tested as soon as everything it reads is bound, so a hopeless prefix is
abandoned early. The lowest of several interchangeable things stands for all.

    p chooses one of take(n in 1..3), or pass        # (0, 1), (0, 2), (0, 3), (1,)
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import assert_never

from rulelang.ir.model import Branch, Choice, Const, Expr, GameRules, Need, Op, Parameter, Read, StateVariable
from rulelang.ir.numbers import Thing
from rulelang.ir.types import NONE, PLAYER, size_of
from rulelang.machines.evaluate import Evaluator, Locals, sequence
from rulelang.machines.machine import Answer, Refusal
from rulelang.machines.meter import part_of_account
from rulelang.program.equivalence import Likeness, Sees, likeness, pointers, points_at
from rulelang.program.layout import index_at
from rulelang.program.packing import members
from rulelang.program.subsets import Subsets


def legal(choice: Choice, locals: Locals, look: Evaluator) -> Iterator[Answer]:
    """Yields the legal answers, each once, ascending; `locals` has the chooser bound."""
    payer = look.site
    for number, branch in enumerate(choice.branches):
        if is_offered(choice, branch):
            # If the question has no line to pay, each branch and each of its needs pays for itself.
            look.site = payer or branch.site
            yield from _completions(choice, branch, (number,), dict(locals), look)


def is_offered(choice: Choice, branch: Branch) -> bool:
    """Returns whether a branch is on offer at all: interrupts are not while the choice is sealed."""
    return not (choice.sealed and branch.interrupt)


def refusal(choice: Choice, answer: Answer, locals: Locals, look: Evaluator) -> tuple[Refusal, Need | None] | None:
    """Returns the first reason why an answer is not legal, with the need that refuses it; None if it is legal.

    A need that refuses whatever the parameter could be comes before the domain that a value is not in.
    """
    branch = choice.branches[answer[0]] if answer and 0 <= answer[0] < len(choice.branches) else None
    if branch is None or not is_offered(choice, branch) or len(answer) - 1 > len(branch.parameters):
        return Refusal(None), None
    locals, look.site = dict(locals), branch.site
    for position, parameter in enumerate(branch.parameters):
        if position + 1 >= len(answer) or not _is_candidate(parameter, answer[position + 1], locals, look):
            return _unmet(answer[0], branch, position, locals, look) or (Refusal(answer[0], parameter=position), None)
        locals[parameter.variable.id] = answer[position + 1]
    return _unmet(answer[0], branch, len(branch.parameters), locals, look)


def _unmet(number: int, branch: Branch, known: int, locals: Locals, look: Evaluator) -> tuple[Refusal, Need] | None:
    """Returns the refusal of the first need that does not hold, of those that read no more than the first parameters."""
    for position, need in enumerate(branch.needs):
        if need.after <= known and not is_met(need, locals, look, is_question=True):
            return Refusal(number, need=position), need
    return None


def bind(branch: Branch, answer: Answer, locals: Locals) -> None:
    """Binds the parameters of the branch that was chosen."""
    for parameter, value in zip(branch.parameters, answer[1:], strict=True):
        locals[parameter.variable.id] = value


def _completions(choice: Choice, branch: Branch, prefix: Answer, locals: Locals, look: Evaluator) -> Iterator[Answer]:
    known = len(prefix) - 1
    if not known:
        look.pay(_rate(choice, branch, 0, look))
    is_question = look.site == branch.site
    if not all(is_met(need, locals, look, is_question=is_question) for need in branch.needs if need.after == known):
        return
    if known == len(branch.parameters):
        yield prefix
        return
    parameter = branch.parameters[known]
    for value in _candidates(choice, branch, known, locals, look, _rate(choice, branch, known + 1, look)):
        locals[parameter.variable.id] = value
        yield from _completions(choice, branch, (*prefix, value), locals, look)


def _rate(choice: Choice, branch: Branch, known: int, look: Evaluator) -> int:
    """Returns the cost of each value of a parameter (0: of the
    branch itself); nothing if the enumeration is already paid for.
    """
    steps = look.layout.steps
    return steps.option(branch, known) if steps.looking(choice) else 0


def is_met(need: Need, locals: Locals, look: Evaluator, *, is_question: bool = False) -> bool:
    """Returns whether a need holds, and notes its test; in a question about the position, the need's own line pays."""
    if look.hits is not None:
        look.hits.add(need.site)
    payer, look.site = look.site, need.site if is_question else look.site
    holds = look.holds(need.condition, locals)
    look.site = payer
    return holds


def _is_candidate(parameter: Parameter, value: int, locals: Locals, look: Evaluator) -> bool:
    domain = sequence(parameter.domain, look, locals)
    if parameter.low is None:
        return value in domain
    low, high = _bounds(parameter, len(domain), locals, look)
    return value >= 0 and set(members(value)) <= set(domain) and low <= value.bit_count() <= high


def _candidates(
    choice: Choice, branch: Branch, known: int, locals: Locals, look: Evaluator, rate: int
) -> Iterator[int]:
    """Yields the candidates of a parameter, each paid for: members all at once, sets one by one."""
    if branch.parameters[known].low is None:
        yield from singles(choice, branch, known, locals, look, rate)
        return
    for chosen in subsets(choice, branch, known, locals, look, min(rate, 1)):
        look.pay(rate)
        yield chosen


def singles(choice: Choice, branch: Branch, known: int, locals: Locals, look: Evaluator, rate: int = 0) -> list[int]:
    """Returns the candidates for a parameter before any need:
    ascending, the lowest of alike things; each costs `rate` steps."""
    values = sorted(look.paid(branch.parameters[known].domain, locals, rate))
    group = alike(choice, branch, known, locals, look)
    if group is None:
        return values
    firsts: dict[Hashable, int] = {}
    for value in values:
        firsts.setdefault(group(value), value)
    return list(firsts.values())


def subsets(choice: Choice, branch: Branch, known: int, locals: Locals, look: Evaluator, rate: int = 0) -> Subsets:
    """Returns the candidate sets for a parameter before any need; each of their members costs `rate` steps."""
    parameter = branch.parameters[known]
    values = sorted(look.paid(parameter.domain, locals, rate))
    low, high = _bounds(parameter, len(values), locals, look)
    return Subsets(values, low, high, alike(choice, branch, known, locals, look))


def is_large(parameter: Parameter, locals: Locals, look: Evaluator) -> bool:
    """Returns whether a parameter has more candidate sets than can be tried one by one if no two things were alike: what is
    alike depends on the parameters before it, which may not be known yet."""
    values = sorted(look.paid(parameter.domain, locals, 0))
    return Subsets(values, *_bounds(parameter, len(values), locals, look)).is_large


def alike(
    choice: Choice, branch: Branch, known: int, locals: Locals, look: Evaluator
) -> Callable[[int], Likeness] | None:
    """Returns the function that groups the candidates for a parameter that the seat that is asked cannot tell apart;
    None if there are none."""
    game, kind = look.game, branch.parameters[known].interchange
    if kind is None or not game.kinds[kind].has_copies:
        return None
    sees = seen_by(None if choice.actor is None else locals.get(choice.actor.id), look)
    pointing = [(locals[id], is_set) for id, is_set in pointers(game, look.layout.local_types, branch, known)]

    def like(thing: int) -> Likeness:
        own = likeness(game, look.layout, look.row, kind, Thing(thing), sees)
        return (*own, *(points_at(value, is_set, thing) for value, is_set in pointing))

    return like


def seen_by(seat: int | None, look: Evaluator) -> Sees:
    """Returns the function that tells whether a seat (None: a spectator) sees a cell of a variable."""
    layout = look.layout

    def sees(state: StateVariable, at: int) -> bool:
        match state.visible:
            case "all":
                return not state.scratch
            case "owner":
                return (
                    state.owner == PLAYER and at * size_of(state.dimensions[0]) // layout.state_sizes[state.id] == seat
                )
            case "expr" if state.seen_by is not None and seat is not None:
                index = index_at(state.dimensions, at)
                names = {name.id: value for name, (value, _) in zip(state.initial_names, index, strict=False)}
                seers = look.in_row(look.row, part_of_account(layout)).value(state.seen_by, names)
                return seers > 0 and bool(seers >> seat & 1)
            case "nobody" | "expr":
                return False
            case _:
                assert_never(state.visible)

    return sees


def _bounds(parameter: Parameter, there: int, locals: Locals, look: Evaluator) -> tuple[int, int]:
    """Returns the smallest and the largest size on offer."""
    low = 0 if parameter.low is None else look.value(parameter.low, locals)
    high = there if parameter.high is None else look.value(parameter.high, locals)
    return (there + 1 if low == NONE else max(low, 0)), min(high, there)


# ------------------------------------------------------------------ what is never allowed


def agreed_by_default(game: GameRules) -> Callable[[int], int | None]:
    """Returns a function from a state variable to its default; None for a variable that is not an option."""

    def value(state: int) -> int | None:
        variable = game.states[state]
        return variable.initial.value if variable.option and isinstance(variable.initial, Const) else None

    return value


def agreed_in(game: GameRules, offsets: Sequence[int], row: Sequence[int]) -> Callable[[int], int | None]:
    """Returns a function from a state variable to what was agreed at the table of a position; None if it is no option."""
    return lambda state: row[offsets[state]] if game.states[state].option else None


def abolished_by(branch: Branch, agreed: Callable[[int], int | None]) -> Need | None:
    """Returns the first need of a branch that reads nothing but what is agreed before the game, and does not hold."""
    return next((need for need in branch.needs if _value(need.condition, agreed) == 0), None)


def _value(condition: Expr, agreed: Callable[[int], int | None]) -> int | None:
    """Returns the value of a condition; None if it may change, or is more than one option."""
    match condition:
        case Const(value=value):
            return value
        case Read(state=state, index=()):
            return agreed(state)
        case Op(name="not", arguments=(of,)):
            inner = _value(of, agreed)
            return None if inner is None else int(not inner)
        case _:  # what else may be said can change while a game is played
            return None
