"""Questions -> functions that list the options, and functions that tell whether there is one.

    p chooses one of take(n)       # o0(r0): Walk(r1, …, (Offer((0, r1)),))

Among things that are alike, the lowest stand for all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import comb
from typing import TypeAlias

from rulelang.ir.model import Branch, Choice, Const, Need, Parameter
from rulelang.ir.steps import StepCosts
from rulelang.ir.types import NONE, SET_LIMIT, IntType
from rulelang.program.blocks import QuestionBlocks, offered_branches
from rulelang.program.low import model as low
from rulelang.program.low import words
from rulelang.program.low.asking.likes import like_before
from rulelang.program.low.function import Builder, Lowering
from rulelang.program.low.rounds.masks import split
from rulelang.program.low.rounds.once import unchanging
from rulelang.program.low.rounds.walks import guarded, walk
from rulelang.program.low.things.piles import plus, raised
from rulelang.program.low.things.zones import lying, mask_of, snapshot
from rulelang.program.low.words import KnownWord, number
from rulelang.program.subsets import TRIED, sets_of

NOTHING, LONE, SEVERAL = range(3)
"""The results of the function that looks whether a question has options: none, a lone one, several."""

Take: TypeAlias = Callable[[Builder, tuple[low.Word, ...], tuple[int, ...]], None]
"""A callback that emits the code for one option: its words, and the width of each."""


def lower_question(lowering: Lowering, question: QuestionBlocks, site: int) -> None:
    """Lowers the function that lists the options of a question, and the one that tells whether there is one, for which
    the line at a site pays."""
    choice = lowering.game.choices[question.choice]
    for name in ("o", "h"):
        f = for_seat(lowering, f"{name}{question.id}", f"options of {choice.name}", choice)
        if name == "o":
            _each_option(f, choice, lambda f, option, widths: f.add(low.OfferInst(option, widths)), is_listed=True)
        else:
            f.site = site
            _look(f, choice)
        lowering.functions[f.name] = f.finished()


def for_seat(lowering: Lowering, name: str, about: str, choice: Choice) -> Builder:
    """Returns a function of the seat that is asked."""
    seat = next((v for v in (choice.actor, choice.variable) if v is not None), None)
    f = Builder(lowering, name, about, () if seat is None else (seat,))
    if seat is None:
        f.parameters = f.fresh() + 1
    elif choice.variable is not None:
        f.env[choice.variable.id] = f.env[seat.id]
    return f


def _look(f: Builder, choice: Choice) -> None:
    """Emits code that looks for options: it makes the first the answer, and stops at a second."""
    if not choice.forced:
        _each_option(f, choice, lambda f, option, widths: f.add(low.ReturnInst(low.ConstWord(SEVERAL))))
        return
    seen = f.kept(low.ConstWord(NOTHING))

    def take(f: Builder, option: tuple[low.Word, ...], widths: tuple[int, ...]) -> None:
        f.add(low.IfInst(seen, (low.ReturnInst(low.ConstWord(SEVERAL)),)))
        f.add(low.SetInst(seen.number, low.ConstWord(LONE)), low.GiveInst(option, widths))

    _each_option(f, choice, take)
    f.add(low.ReturnInst(seen))


def _each_option(f: Builder, choice: Choice, take: Take, *, is_listed: bool = False) -> None:
    steps = f.lowering.steps
    pays = steps.looking(choice)
    free = affordable(steps, choice) if is_listed else {}
    for i, branch in offered_branches(choice).items():
        f.pays = i not in free
        with f.at(branch.site if is_listed else 0):
            f.pay(steps.option(branch, 0) if pays else 0)
            _Branch(f, choice, i, take, pays, is_listed).met(0)
    f.pays = True


def affordable(steps: StepCosts, choice: Choice) -> dict[int, int]:
    """Returns, by branch, the most that listing its options costs, for the branches that three quarters of a budget
    can pay.

    Their steps are not counted: each is taken to cost its most. Where the rest of the budget is then too small, the
    code traps, and another executor counts every step.
    """
    left, found = steps.budget * 3 // 4, dict[int, int]()
    for cost, i in sorted((steps.completions(branch), i) for i, branch in enumerate(choice.branches)):
        if cost > left:
            break
        left -= cost
        found[i] = cost
    return found


class _Branch:
    """A branch whose options are enumerated."""

    def __init__(self, f: Builder, choice: Choice, number: int, take: Take, pays: bool, is_listed: bool) -> None:
        self.f, self.choice, self.number, self.take, self.pays, self.is_listed = (
            f,
            choice,
            number,
            take,
            pays,
            is_listed,
        )
        self.branch = choice.branches[number]
        self.seen_to: list[Need] = []
        """The needs that no value of a loop is left to fail."""

    def met(self, known: int) -> None:
        """Emits the checks of the needs that depend on the first `known` parameters, and within them the rest."""
        self._needs([need for need in self.branch.needs if need.after == known and need not in self.seen_to], known)

    def _needs(self, needs: list[Need], known: int) -> None:
        if needs:
            with self.f.at(needs[0].site if self.is_listed else 0):
                condition = self.f.condition(needs[0].condition)
            with guarded(self.f, condition):
                self._needs(needs[1:], known)
        elif known == len(self.branch.parameters):
            variables = [parameter.variable for parameter in self.branch.parameters]
            widths = (1, *(self.f.lowering.words_of(variable.type) for variable in variables))
            option = (low.ConstWord(self.number), *(self.f.local(variable.id).word for variable in variables))
            self.take(self.f, option, widths)
        else:
            rate = self.f.lowering.steps.option(self.branch, known + 1) if self.pays else 0
            orders, at = self.f.orders, len(self.f.orders)
            name = self.branch.parameters[known].variable.id
            with self._candidates(known, rate, self._only(known)), unchanging(self.f, {name}, orders, at):
                self.met(known + 1)

    def _only(self, known: int) -> KnownWord | None:
        """Returns the set of those values of a parameter that meet the needs which can say so for all of them at once."""
        f, parameter = self.f, self.branch.parameters[known]
        if parameter.low is not None or f.lowering.has_likes(parameter.interchange):
            return None
        needs = [need for need in self.branch.needs if need.after == known + 1]
        only, rest = split(f, tuple(need.condition for need in needs), parameter.variable, parameter.domain)
        self.seen_to += [need for need in needs if need.condition not in rest]
        return only

    @contextmanager
    def _candidates(self, known: int, rate: int, only: KnownWord | None) -> Iterator[None]:
        f, parameter = self.f, self.branch.parameters[known]
        has_likes = f.lowering.has_likes(parameter.interchange)
        if parameter.low is not None:
            with subsets(f, self.choice, self.branch, known, rate, is_bounded=self.is_listed):
                yield
        elif not has_likes and parameter.domain.pile is None:
            with walk(f, parameter.domain, parameter.variable, rate, only):
                yield
        else:
            mask = _domain(f, parameter, rate)
            x = f.fresh()
            bottom, top = words.span(mask.high) if mask.high else (0, 0)
            of = f.env[parameter.variable.id] = KnownWord(low.RegisterWord(x), bottom, top)
            with f.looped() as body:
                is_first: low.Word = low.ConstWord(1)
                if has_likes:
                    before = like_before(f, self.choice, self.branch, known, mask, of)
                    is_first = low.BinaryWord("<", before, low.ConstWord(0))
                with guarded(f, is_first):
                    yield
            f.add(low.WalkInst(x, mask.word, tuple(body)))


def _domain(f: Builder, parameter: Parameter, rate: int) -> KnownWord:
    """Emits code that pays for the candidates of a parameter; returns their set."""
    if not rate:
        return f.named(mask_of(f, parameter.domain))
    if parameter.domain.pile is not None:
        _, many, only = snapshot(f, parameter.domain)
        f.pay(low.BinaryWord("*", many, low.ConstWord(rate)))
        return f.named(lying(f, parameter.domain.pile, only))
    mask = f.named(mask_of(f, parameter.domain))
    size = low.ConstWord(mask.value.bit_count()) if mask.value is not None else low.UnaryWord("count", mask.word)
    f.pay(low.BinaryWord("*", size, low.ConstWord(rate)))
    return mask


# ------------------------------------------------------------------ several at once


@contextmanager
def subsets(f: Builder, choice: Choice, branch: Branch, known: int, rate: int, *, is_bounded: bool) -> Iterator[None]:
    """Emits a loop over the sets that a parameter can be, by size, then lexicographically.

    Among things that are alike only the first few are taken. `is_bounded`: where there are too many sets to list, the
    code traps, and another executor numbers them.
    """
    parameter = branch.parameters[known]
    assert parameter.low is not None
    mask = _domain(f, parameter, min(rate, 1))
    size = mask.high.bit_length()
    values, before, chosen = f.array(size), f.array(size), f.array(size + 1)
    count, x = f.kept(low.ConstWord(0)), f.fresh()
    with f.looped() as body:
        of = KnownWord(low.RegisterWord(x), 0, max(size - 1, 0))
        f.add(low.PutInst(values, count, of.word))
        if f.lowering.has_likes(parameter.interchange):
            f.add(low.PutInst(before, count, like_before(f, choice, branch, known, mask, of)))
        else:
            f.add(low.PutInst(before, count, low.ConstWord(-1)))
        raised(f, count)
    f.add(low.WalkInst(x, mask.word, tuple(body)))
    least, most = _sizes(f, parameter, count)
    if is_bounded:
        _demand_few(f, parameter, size, count, least, most)
    wanted, depth, taken = f.kept(least), f.kept(low.ConstWord(0)), f.kept(low.ConstWord(0))
    f.env[parameter.variable.id] = words.known_set(taken, mask.high)
    with f.looped() as sizes:
        f.add(low.IfInst(low.BinaryWord(">", wanted, most), (low.BreakInst(),)))
        f.add(low.PutInst(chosen, low.ConstWord(0), low.ConstWord(-1)), low.SetInst(depth.number, low.ConstWord(0)))
        f.add(low.SetInst(taken.number, low.ConstWord(0)))
        with f.looped() as each:
            with f.aside() as whole:
                f.pay(rate)
                yield
                raised(f, depth, -1)
                _untaken(f, taken, values, chosen, depth, size)
            with f.aside() as going:
                _take_next(f, taken, (values, before, chosen), depth, low.BinaryWord("-", wanted, depth), count, size)
            f.add(low.IfInst(low.BinaryWord("==", depth, wanted), tuple(whole), tuple(going)))
            f.add(low.IfInst(low.BinaryWord("<", depth, low.ConstWord(0)), (low.BreakInst(),)))
        f.add(low.RepeatInst(tuple(each)))
        raised(f, wanted)
    f.add(low.RepeatInst(tuple(sizes)))


def _bit(f: Builder, number: low.Word, size: int) -> low.Word:
    return words.single(f.named(KnownWord(number, 0, max(size - 1, 0)))).word


def _untaken(f: Builder, taken: low.RegisterWord, values: int, chosen: int, depth: low.RegisterWord, size: int) -> None:
    """Emits code that gives back the thing taken last, if there is one."""
    with f.aside() as back:
        bit = _bit(f, low.ItemWord(values, low.ItemWord(chosen, depth)), size)
        f.add(low.SetInst(taken.number, low.BinaryWord("^", taken, bit)))
    f.add(low.IfInst(low.BinaryWord(">=", depth, low.ConstWord(0)), tuple(back)))


def _take_next(
    f: Builder,
    taken: low.RegisterWord,
    arrays: tuple[int, int, int],
    depth: low.RegisterWord,
    missing: low.Word,
    count: low.Word,
    size: int,
) -> None:
    """Emits code that takes the next thing at a depth, or goes back where too few are left."""
    values, before, chosen = arrays
    at = f.kept(plus(low.ItemWord(chosen, depth), 1))
    with f.aside() as back:
        raised(f, depth, -1)
        _untaken(f, taken, values, chosen, depth, size)
    with f.aside() as on:
        f.add(low.PutInst(chosen, depth, at))
        alike = f.kept(low.ItemWord(before, at))
        held = words.has(words.known_set(taken, (1 << size) - 1), KnownWord(alike, -1, max(size - 1, 0))).word
        with f.aside() as take:
            f.add(low.SetInst(taken.number, low.BinaryWord("|", taken, _bit(f, low.ItemWord(values, at), size))))
            raised(f, depth)
            f.add(low.PutInst(chosen, depth, at))
        f.add(low.IfInst(low.BinaryWord("|", low.BinaryWord("<", alike, low.ConstWord(0)), held), tuple(take)))
    f.add(low.IfInst(low.BinaryWord(">", at, low.BinaryWord("-", count, missing)), tuple(back), tuple(on)))


def _sizes(f: Builder, parameter: Parameter, count: low.Word) -> tuple[low.Word, low.Word]:
    """Returns the least and the greatest number of things that may be chosen; none if the least is none."""
    assert parameter.low is not None
    least = f.named(f.expression(parameter.low))
    most = number(SET_LIMIT) if parameter.high is None else f.expression(parameter.high)
    bottom: low.Word = low.BinaryWord("max", least.word, low.ConstWord(0))
    if least.none:
        bottom = words.chosen(
            low.BinaryWord("==", least.word, low.ConstWord(NONE)), low.ConstWord(SET_LIMIT + 1), bottom
        )
    return f.kept(bottom), f.kept(low.BinaryWord("min", most.word, count))


def _numbers_of_sets(n: int, size: int) -> list[int]:
    """Returns how many sets of `n` things have at most -1, 0, … up to `size` members, at most four times those tried."""
    found = [0]
    for k in range(size + 1):
        found.append(min(found[-1] + comb(n, k), TRIED * 4) if found[-1] < TRIED * 4 else found[-1])
    return found


def _demand_few(f: Builder, parameter: Parameter, size: int, count: low.Word, least: low.Word, most: low.Word) -> None:
    """Emits a trap for more sets than are tried one by one; another executor numbers them instead of listing them."""
    high = parameter.high.value if isinstance(parameter.high, Const) else size
    if sets_of(size, max(0, min(high, size))) <= TRIED:
        return
    rows = tuple(many for n in range(size + 1) for many in _numbers_of_sets(n, size))

    def up_to(k: low.Word) -> low.Word:
        row = low.BinaryWord("*", count, low.ConstWord(size + 2))
        return f.lowering.entry(IntType(0, TRIED * 4), rows, low.BinaryWord("+", row, plus(k, 1))).word

    inside = low.BinaryWord("<=", least, most)
    many = low.BinaryWord(
        "-",
        up_to(low.BinaryWord("max", most, low.ConstWord(-1))),
        up_to(low.BinaryWord("-", low.BinaryWord("min", least, low.ConstWord(size)), low.ConstWord(1))),
    )
    f.trap_if(low.BinaryWord("&", inside, low.BinaryWord(">", many, low.ConstWord(TRIED))))
