"""Questions -> functions that tell whether an answer is legal.

    p chooses one of take(n in 1..3)        # l0(r0): r1 = given[1]; If(not 1 <= r1 <= 3, (Return(0),))
      needs n <= heap                       #         If(not r1 <= row[3], (Return(0),)); Return(1)

Whoever calls one has seen that the answer has a branch of the question and as many parameters as that; each parameter
may be any number. Among things that are alike any is accepted. Where finding out fails or costs too much, the function
traps. Why an answer is not legal is for `machines.legal` to say.
"""

from __future__ import annotations

from rulelang.ir.model import Branch, Expr, Local, Op, Over, Parameter, Source
from rulelang.ir.types import NONE
from rulelang.program.blocks import QuestionBlocks, offered_branches
from rulelang.program.low import model as low
from rulelang.program.low import words
from rulelang.program.low.asking.questions import for_seat
from rulelang.program.low.comprehensions import MOST_OF_ANY
from rulelang.program.low.function import Builder, Lowering
from rulelang.program.low.things.zones import mask_of
from rulelang.program.low.words import KnownWord
from rulelang.program.packing import mask_of as mask_of_numbers

NOT_LEGAL, LEGAL = (low.ReturnInst(low.ConstWord(is_legal)) for is_legal in range(2))


def lower_legality(lowering: Lowering, question: QuestionBlocks) -> str:
    """Lowers the function that returns 1 if the current answer of a seat is legal, else 0; returns its name."""
    choice = lowering.game.choices[question.choice]
    f = for_seat(lowering, f"l{question.id}", f"legality in {choice.name}", choice)
    branches = offered_branches(choice)
    bare = [i for i, branch in branches.items() if not branch.parameters and not branch.needs]
    if bare:
        held = low.BinaryWord(">>", low.ConstWord(mask_of_numbers(bare)), low.GivenWord(0))
        f.add(low.IfInst(low.BinaryWord("&", held, low.ConstWord(1)), (LEGAL,)))
    for i, branch in branches.items():
        if i in bare:
            continue
        env = dict(f.env)
        with f.aside() as orders, f.at(branch.site):
            _look_at(f, branch)
        f.env = env
        f.add(low.IfInst(low.BinaryWord("==", low.GivenWord(0), low.ConstWord(i)), tuple(orders)))
    lowering.functions[f.name] = f.finished()
    return f.name


def _look_at(f: Builder, branch: Branch) -> None:
    """Emits code that tells whether an answer with a branch is legal."""
    for position, parameter in enumerate(branch.parameters, 1):
        given = KnownWord(f.kept(low.GivenWord(position)), -MOST_OF_ANY, MOST_OF_ANY, none=True)
        f.env[parameter.variable.id] = given
        if parameter.low is None:
            _demand_member(f, Local(parameter.variable.id), parameter.domain)
        else:
            _demand_subset(f, given, parameter, parameter.low)
        f.env[parameter.variable.id] = words.typed(given.word, parameter.variable.type)
    for need in branch.needs:
        with f.at(need.site):
            _demand(f, f.condition(need.condition))
    f.add(LEGAL)


def _demand(f: Builder, condition: low.Word) -> None:
    """Emits a return where a condition does not hold."""
    if condition == low.ConstWord(0):
        f.add(NOT_LEGAL)
    elif condition != low.ConstWord(1):
        f.add(low.IfInst(words.negated(condition), (NOT_LEGAL,)))


def _demand_member(f: Builder, of: Local, source: Source) -> None:
    """Emits a return where a number is not in a source; a set by a condition is not built for that."""
    x = f.local(of.id)
    match source:
        case Source(
            mask=Over(what="set", names=(name,), sources=(Source(pile=None) as inner,), condition=condition) as over,
            pile=None,
        ) if over.value in (None, Local(name.id)) and not f.lowering.steps.opens(condition):
            (rate,) = f.lowering.steps.rates(over) or (0,)
            mask = f.named(mask_of(f, inner))
            f.pay(low.BinaryWord("*", words.size_of_set(mask).word, low.ConstWord(rate)) if rate else 0)
            _demand(f, words.has(mask, x).word)
            bottom, top = words.span(mask.high) if mask.high else (0, 0)
            f.env[name.id] = KnownWord(x.word, bottom, top)
            if condition is not None:
                _demand(f, f.condition(condition))
        case Source(mask=mask, pile=None) if mask is not None:
            _demand(f, f.condition(Op("in", (of, mask))))
        case _:  # the things of a pile
            _demand(f, words.has(f.named(mask_of(f, source)), x).word)


def _demand_subset(f: Builder, chosen: KnownWord, parameter: Parameter, least: Expr) -> None:
    """Emits a return where a number is not a set of as many things of a domain as may be chosen."""
    domain = mask_of(f, parameter.domain)
    bottom = f.named(f.expression(least))
    top = None if parameter.high is None else f.expression(parameter.high)
    others = low.BinaryWord("&", chosen.word, low.UnaryWord("flip", domain.word))
    size = low.UnaryWord("count", chosen.word)
    is_one = words.both(
        low.BinaryWord(">=", chosen.word, low.ConstWord(0)), low.BinaryWord("==", others, low.ConstWord(0))
    )
    if bottom.none:
        is_one = words.both(is_one, low.BinaryWord("!=", bottom.word, low.ConstWord(NONE)))
    is_one = words.both(is_one, low.BinaryWord("<=", bottom.word, size))
    _demand(f, is_one if top is None else words.both(is_one, low.BinaryWord("<=", size, top.word)))
