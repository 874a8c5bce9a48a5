"""Orders as a rulebook says them: whose turn comes next, and what somebody puts in order.

Bind(left, players), Repeat(ask for one of them, …)    ChosenOrder(loop=for q in players, who chooses)
"""

from __future__ import annotations

import attrs

from rulelang.ir import model as ir
from rulelang.ir.walk import rewrite, walk
from rulelang.prose.prose import Prose
from rulelang.prose.words import Words, flat


def turns_in(others: list[ir.Statement], mover: int) -> ir.Repeat | None:
    """Returns the loop of `turns p from q:` among the statements that the line becomes; None for another line."""
    loop = next((one for one in others if not isinstance(one, ir.Bind)), None)
    match loop:
        case ir.Repeat(body=(ir.Bind(value=ir.Read(state=read)), ir.Assign(), *_)) if read == mover:
            return loop
        case _:  # any other statement
            return None


def who_is_next(prose: Prose, loop: ir.Repeat) -> Words:
    """Returns the words for who is next in `turns`, if the rules say so; else ()."""
    match loop.body[-2]:
        case ir.When(branches=((ir.Op(name="==", arguments=(ir.Local(id=following), _)), _, _),)):
            found = [n for n in walk(loop.body[-5:-3]) if isinstance(n, ir.Bind) and n.variable.id == following]
            value = next((n.value for n in found if not isinstance(n.value, ir.Local)), None)
            return () if value is None else flat(" (next comes ", prose.value(value, prose.types.thing(0)), ")")
        case _:  # round the table
            return ()


@attrs.frozen
class ChosenOrder:
    """Passes or rules that somebody puts in order."""

    choice: int
    loop: ir.Loop | None
    """The passes; None for rules."""
    calls: tuple[ir.Statement, ...] = ()
    """The rules, each behind its condition."""
    once: bool = False
    """Whether a single one of them is carried out."""


def chosen_order(game: ir.GameRules, statements: list[ir.Statement]) -> ChosenOrder | None:
    """Returns the order that some statements let a player choose; None if they begin with something else."""
    match statements:
        case [
            ir.Bind(variable=left, value=whole),
            ir.Repeat(
                id=id, body=(ir.Bind(value=among), ir.When(), ir.When(otherwise=(ir.Ask(choice=choice),)), taken, *body)
            ),
            *_,
        ] if isinstance(taken, ir.Bind) and taken.variable == left and " left" in left.name:
            if isinstance(among, ir.Over):
                return ChosenOrder(choice, _passes(game, id, whole, among, choice, tuple(body)))
            conditions = [part.condition for part in walk(among) if isinstance(part, ir.Either)]
            return ChosenOrder(choice, None, _rules(conditions, body[0]), len(body) > 1)
        case _:  # any other statements
            return None


def _passes(
    game: ir.GameRules, id: int, whole: ir.Expr, among: ir.Over, choice: int, body: tuple[ir.Statement, ...]
) -> ir.Loop:
    (old,), chosen = among.names, game.choices[choice].branches[0].parameters[0].variable
    test = rewrite(among.condition, lambda part: ir.Local(chosen.id) if part == ir.Local(old.id) else part)
    return ir.Loop(id, chosen, ir.Source(whole), (), test, body)


def _rules(conditions: list[ir.Expr], calls: ir.Statement) -> tuple[ir.Statement, ...]:
    assert isinstance(calls, ir.When)
    found: list[ir.Statement] = []
    for (_, body, site), condition in zip(calls.branches, conditions, strict=True):
        test = condition.arguments[1] if isinstance(condition, ir.And) else condition
        found += body if test == ir.Const(1) else [ir.When(((test, body, site),), site=site)]
    return tuple(found)


def in_time(choice: ir.Choice) -> str:
    """Returns the words for the time that a choice leaves: ` within 60 seconds (else: pass)`; "" if it waits for ever."""
    if choice.seconds is None or choice.decline is None:
        return ""
    return (
        f" within {choice.seconds} second{'s' * (choice.seconds != 1)} (else: {choice.branches[choice.decline].name})"
    )


def drops_answer(game: ir.GameRules, statement: ir.Statement) -> bool:
    """Returns whether a statement only forgets what a verb has answered, of which people need not be told."""
    match statement:
        case ir.Assign(place=ir.Place(state=state), site=0):
            return game.states[state].builtin and game.states[state].name.startswith("answer of ")
        case _:  # any other statement does something
            return False


TURNS = {
    "extra_turn": " takes one more turn, right after the present one if it is theirs, else after their next",
    "skip_turn": " misses the next turn",
}
"""The words behind whoever's turns a built-in variable changes."""
