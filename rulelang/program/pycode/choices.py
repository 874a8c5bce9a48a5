"""Questions -> functions that list the options, tell whether there is one, and say why an answer is refused.

    p chooses one of take(n in 1..3)        # def o0(S, M, seat):
      needs n <= heap                       #     found = []
                                            #     for x1 in (1, 2, 3):
                                            #         if x1 <= S[3]:
                                            #             found.append((0, x1))
                                            #     return found

Among things that are alike, only the lowest are listed; as an answer any of them is accepted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from contextlib import AbstractContextManager

import attrs

from rulelang.ir.model import Choice, Expr, Local, Need, Parameter
from rulelang.ir.types import SET_LIMIT, KindType
from rulelang.program.blocks import QuestionBlocks, offered_branches
from rulelang.program.pycode.expressions import sets, walks
from rulelang.program.pycode.fragment import Fragment, number, tuple_text
from rulelang.program.pycode.function import ModulePrinter, PrintedFunction
from rulelang.program.pycode.module import PrintedLine

UNKNOWN = "None, None, None"
"""The refusal of a branch that does not exist."""


def print_question(module: ModulePrinter, question: QuestionBlocks) -> None:
    """Prints the functions of a question: `o` lists, `h` tells if there is an option (and which, if a lone one is taken),
    `r` refuses."""
    choice = module.game.choices[question.choice]
    _print_options(module, question, choice)
    _print_probe(module, question, choice)
    _print_refusal(module, question, choice)


def _begin(module: ModulePrinter, name: str, choice: Choice, parameters: list[str]) -> PrintedFunction:
    f = PrintedFunction(module, name, parameters, f"choice {choice.name}")
    for variable in (choice.variable, choice.actor):
        if variable is not None:
            f.env[variable.id] = module.parameter(variable, "seat")
    return f


def _print_options(module: ModulePrinter, question: QuestionBlocks, choice: Choice) -> None:
    f = _begin(module, f"o{question.id}", choice, ["S", "M", "seat"])
    small = {} if module.is_counted else _affordable(module, choice)
    if any(parameter.low is not None for branch in choice.branches for parameter in branch.parameters):
        # There may be very many sets, so they are yielded one by one.
        _each_option(f, choice, lambda option: f.line(f"yield {option}"), small)
    else:
        f.line("found = []")
        _each_option(f, choice, lambda option: f.line(f"found.append({option})"), small)
        f.line("return found")
    add_question(module, f, sum(small.values()))


def _affordable(module: ModulePrinter, choice: Choice) -> dict[int, int]:
    """Returns, by branch, the most that listing its options costs, for the branches that three quarters of a budget
    can pay.

    Their steps are not counted: each is taken to cost its most. Where the rest of the budget is then too small, the
    options are listed again with every step counted.
    """
    costs = sorted((module.steps.completions(branch), i) for i, branch in enumerate(choice.branches))
    left, found = module.steps.budget * 3 // 4, {}
    for cost, i in costs:
        if cost > left:
            break
        left -= cost
        found[i] = cost
    return found


def add_question(module: ModulePrinter, f: PrintedFunction, most: int = 0) -> None:
    """Adds a finished function that only looks at a position, so the game does not pay for it.

    `most` steps are charged at once, for what the function does not count as it goes.
    """
    if any(re.search(r"\bM\b", line.text) for line in f.lines[1:]):
        f.lines.insert(1, PrintedLine(1, f"M = M.look({most})", 0))
    f.close()


def _print_probe(module: ModulePrinter, question: QuestionBlocks, choice: Choice) -> None:
    """Prints the function that returns None if there is no option, the lone option if it is to be taken, else ()."""
    f = _begin(module, f"h{question.id}", choice, ["S", "M", "seat"])
    if choice.forced:
        f.line("lone = None")

        def take(option: str) -> None:
            f.line("if lone is not None: return ()")
            f.line(f"lone = {option}")

        _each_option(f, choice, take)
        f.line("return lone")
    else:
        _each_option(f, choice, lambda option: f.line("return ()"))
        f.line("return None")
    f.close()


def _each_option(
    f: PrintedFunction, choice: Choice, take: Callable[[str], None], small: Collection[int] | None = None
) -> None:
    """Prints the loops over all options.

    Without `small`, the line that asks pays for the options; with it, each branch and need pays for itself, except
    those of the branches in `small`.
    """
    steps, at = f.module.steps, f.at if small is not None else lambda site: f.at(f.site)
    is_open = steps.looking(choice)
    for i, branch in offered_branches(choice).items():
        depth = f.depth
        if f.pays != (i not in (small or ())):
            f.pays = not f.pays
            f.forget()
        pays = is_open and f.pays
        with at(branch.site):
            f.pay(steps.option(branch, 0) if pays else 0)
            _met(f, [need for need in branch.needs if need.after == 0], at)
            for known, parameter in enumerate(branch.parameters, 1):
                needs = [need for need in branch.needs if need.after == known]
                rate = steps.option(branch, known) if pays else 0
                if needs and _sifts(f, parameter, needs[0].condition):
                    walks.open_walk(f, parameter.domain, parameter.variable, needs.pop(0).condition, rate=rate)
                    f.module.note((parameter.variable,), [f.local(parameter.variable.id)])
                else:
                    _candidates(f, parameter, rate)
                _met(f, needs, at)
        values = [f.local(parameter.variable.id) for parameter in branch.parameters]
        take(f"({tuple_text([number(i), *values])})")
        f.depth = depth


def _met(f: PrintedFunction, needs: list[Need], at: Callable[[int], AbstractContextManager[None]]) -> None:
    for need in needs:
        with at(need.site):
            text = f.condition(need.condition)
            if text != "True":
                f.line(f"if {text}:")
                f.depth += 1


def _sifts(f: PrintedFunction, parameter: Parameter, need: Expr) -> bool:
    """Returns whether the loop over the candidates of a parameter already skips those that do not meet a need."""
    is_plain = parameter.low is None and f.module.likeness(parameter.interchange) is None
    return is_plain and not f.opens(need) and walks.can_sift(f, parameter.domain, parameter.variable, need)


def _candidates(f: PrintedFunction, parameter: Parameter, rate: int) -> None:
    """Prints the head of the loop over the candidates of a parameter, ascending, and stays in its body; each costs
    `rate`."""
    likeness = f.module.likeness(parameter.interchange)
    if parameter.low is None and likeness is None and parameter.domain.pile is None:
        walks.open_walk(f, parameter.domain, parameter.variable, rate=rate)
        f.module.note((parameter.variable,), [f.local(parameter.variable.id)])
        return
    values = walks.listed(f, parameter.domain, rate if parameter.low is None else min(rate, 1))
    if parameter.domain.pile is not None:
        values = attrs.evolve(values, text=f"sorted({values.text})")
    name = f.fresh("x")
    bits = None if values.high is None else (2 << values.high) - 1
    if parameter.low is None:
        f.line(f"for {name} in {values.text if likeness is None else f'distinct({likeness}, S, {values.text})'}:")
        fragment = attrs.evolve(values, text=name, atom=True, simple=True)
    else:
        low = f.expression(parameter.low).integer
        high = number(SET_LIMIT) if parameter.high is None else f.expression(parameter.high).integer
        head = "subsets(" if likeness is None else f"subsets_alike({likeness}, S, "
        f.line(f"for {name} in {head}{values.text}, {low.text}, {high.text}):")
        fragment = Fragment(name, 0, bits, atom=True, simple=True, is_set=True)
    f.depth += 1
    if parameter.low is not None:
        f.pay(rate)
    f.env[parameter.variable.id] = fragment
    f.module.note((parameter.variable,), [fragment])


# ------------------------------------------------------------------ refusals


def _print_refusal(module: ModulePrinter, question: QuestionBlocks, choice: Choice) -> None:
    f = _begin(module, f"r{question.id}", choice, ["S", "M", "seat", "A"])
    f.pays = module.steps.refusing(choice) > module.steps.budget
    f.line("given = len(A) - 1")
    offered = offered_branches(choice)
    plain = {i for i, branch in offered.items() if not branch.parameters and not branch.needs}
    for first, last in _runs(sorted(plain)):
        test = f"A[0] == {first}" if first == last else f"{first} <= A[0] <= {last}"
        with f.indented(f"if given >= 0 and {test}:"):
            f.line(f"return ({UNKNOWN}) if given else None")
    for i, branch in offered.items():
        if i in plain:
            continue
        with f.indented(f"if given >= 0 and A[0] == {i}:"), f.at(branch.site):
            f.line(f"if given > {len(branch.parameters)}: return {UNKNOWN}")
            for position, parameter in enumerate(branch.parameters):
                f.line(f"if given <= {position}: return {i}, None, {position}")
                test = _is_candidate(f, parameter, position)
                f.line(f"if not ({test}): return {i}, None, {position}")
                name = f"y{position}"
                f.env[parameter.variable.id] = f.module.parameter(parameter.variable, name)
            for position, need in enumerate(branch.needs):
                with f.at(need.site):
                    f.line(f"if not ({f.condition(need.condition)}): return {i}, {position}, None")
            f.line("return None")
    f.line(f"return {UNKNOWN}")
    add_question(module, f)


def _runs(numbers: list[int]) -> list[tuple[int, int]]:
    """Returns the first and the last number of each run of consecutive numbers.


    >>> _runs([0, 1, 2, 5, 7, 8])
    [(0, 2), (5, 5), (7, 8)]
    """
    found: list[tuple[int, int]] = []
    for one in numbers:
        if found and found[-1][1] == one - 1:
            found[-1] = found[-1][0], one
        else:
            found.append((one, one))
    return found


def _is_candidate(f: PrintedFunction, parameter: Parameter, position: int) -> str:
    """Prints a name for the answered value of a parameter; returns the condition that it is in the parameter's
    domain."""
    name = f"y{position}"
    f.line(f"{name} = A[{position + 1}]")
    fragment = Fragment(name, none=True, atom=True, simple=True)
    f.env[parameter.variable.id] = fragment
    if parameter.low is None:
        if parameter.domain.pile is None:
            assert parameter.domain.mask is not None
            return sets.membership(f, Local(parameter.variable.id), parameter.domain.mask).condition
        return f"{name} in {walks.listed(f, parameter.domain).text}"
    domain = f.named(walks.mask_of(f, parameter.domain))
    low = f.named(f.expression(parameter.low).integer)
    test = f"{name} >= 0 and not {name} & ~{domain.operand} and {low.text} <= {name}.bit_count()"
    if low.none:
        test = f"{low.text} != NONE and {test}"
    if parameter.high is not None:
        test += f" <= {f.expression(parameter.high).integer.operand}"
    return test


# ------------------------------------------------------------------ things that are alike


def print_likeness(module: ModulePrinter, kind: int) -> str:
    """Prints the function that maps a thing of a kind to its likeness, equal for things that are alike; returns its
    name."""
    things = module.game.kinds[kind]
    layout = module.layout
    f = PrintedFunction(module, f"k{kind}", ["S", "t"], f"what tells one {things.name} from another")
    classes = module.constant(f"K{kind}", f"which {things.name} are printed alike", things.classes)
    traits = [f"{classes}[t]"]
    if things.movable:
        traits += [f"S[{layout.places[kind]} + t]", f"S[{layout.faces[kind]} + t]"]
    for state in module.game.states:
        first = state.dimensions[0] if state.dimensions else None
        if isinstance(first, KindType) and first.name == things.name:
            width = layout.state_sizes[state.id] // things.size
            start = layout.states[state.id]
            if width == 1:
                traits.append(f"S[{start} + t]")
            else:
                traits.append(f"*S[{start} + t * {width}:{start + width} + t * {width}]")
    f.line(f"return ({', '.join(traits)},)")
    f.close()
    return f.name
