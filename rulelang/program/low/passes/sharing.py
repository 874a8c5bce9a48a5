"""Words that are computed several times -> registers; what a loop computes anew each time is computed before it.

if (table0[r1] != none): … table0[r1] …      # r9 = table0[r1]; if (r9 != none): … r9 …
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import attrs

from rulelang.program.low import model as low
from rulelang.program.low.passes.ranges.memory import PassMemory
from rulelang.program.low.passes.ranges.rounds import Rounds
from rulelang.program.low.passes.ranges.values import Known, Values, stores
from rulelang.program.low.passes.rewriting import set_by, with_bodies, with_parts, with_words

Body = tuple[low.Inst, ...]


def hoisted(program: low.Program, memory: PassMemory | None = None) -> low.Program:
    """Returns the program with registers for what loops compute and do not change."""
    known = Known(program, memory)
    return attrs.evolve(
        program, functions=tuple(_Sharing(known, f, shares=False).function() for f in program.functions)
    )


def shared(program: low.Program, memory: PassMemory | None = None) -> low.Program:
    """Returns the program with registers for what is computed several times, in loops and elsewhere."""
    known = Known(program, memory)
    return attrs.evolve(program, functions=tuple(_Sharing(known, f).function() for f in program.functions))


class _Sharing:
    def __init__(self, known: Known, function: low.Function, *, shares: bool = True) -> None:
        self.of, self.storing, self.shares = function, known.storing, shares
        self.values = Values(known, function)
        self._dear: dict[low.Word, tuple[low.Word, ...]] = {}
        """By word: the words inside it that are worth a register."""
        self.registers = function.registers
        self.widths = [function.width(i) for i in range(function.registers)]

    def function(self) -> low.Function:
        if self.of.widths:
            # A wide word costs more to keep than to compute.
            return self.of
        body = self._body(self.of.body, {})
        return self.of if body == self.of.body else attrs.evolve(self.of, body=body, registers=self.registers)

    def _body(self, body: Body, known: dict[low.Word, int]) -> Body:
        found: list[low.Inst] = []
        known = dict(known)
        ahead = Counter(self._dear_in(low.orders(body))) if self.shares else Counter()
        for order in body:
            if isinstance(order, low.RepeatInst | low.WalkInst):
                found += self._named([w for w in _invariant(order, self.storing) if self.values.is_total(w)], known)
            if self.shares:
                own = Counter(self._dear_in((order,)))
                ahead -= own
                found += self._named(self._repeated(order, own, ahead), known)
                ahead.subtract(self._dear_in(low.orders((order,))[1:]))
            order = with_words(order, lambda word: self._put_in(word, known))
            inner = self._inside(order, known)
            found.append(inner)
            self._forget(inner, known)
        return tuple(found)

    def _dear_in(self, orders: Iterable[low.Inst]) -> Iterator[low.Word]:
        """Yields the words worth a register that statements compute, each as often as it stands there."""
        for order in orders:
            for word in low.words_in(order):
                if word not in self._dear:
                    self._dear[word] = tuple(part for part in word.within if _is_worth(part))
                yield from self._dear[word]

    def _repeated(self, order: low.Inst, own: Counter[low.Word], ahead: Counter[low.Word]) -> list[low.Word]:
        """Returns the largest words of a statement that it, or what is inside or behind it, computes again."""
        twice = [word for word in own if own[word] + ahead[word] > 1]
        if not twice:
            return []
        sure = {part for word in low.words_in(order) for part in _for_sure(word)}
        wanted = [word for word in twice if word in sure or self.values.is_total(word)]
        return [word for word in wanted if not _is_part(word, wanted, own)]

    def _inside(self, order: low.Inst, known: dict[low.Word, int]) -> low.Inst:
        if isinstance(order, low.RepeatInst | low.WalkInst):
            held = dict(known)
            self._forget(order, held)
            return with_bodies(order, lambda inner: self._body(inner, held))
        return with_bodies(order, lambda inner: self._body(inner, known))

    def _named(self, words: list[low.Word], known: dict[low.Word, int]) -> Body:
        found: list[low.Inst] = []
        for word in words:
            if word not in known:
                found.append(low.SetInst(self.registers, self._put_in(word, known)))
                known[word] = self.registers
                self.registers += 1
        return tuple(found)

    def _put_in(self, word: low.Word, known: dict[low.Word, int]) -> low.Word:
        if word in known:
            return low.RegisterWord(known[word])
        return with_parts(word, lambda part: self._put_in(part, known))

    def _forget(self, order: low.Inst, known: dict[low.Word, int]) -> None:
        """Forgets the words that a statement may have changed."""
        orders = low.orders((order,))
        changed = {low.RegisterWord(r) for each in orders if (r := set_by(each)) is not None}
        writes = stores(orders, self.storing)
        for word in list(known):
            if any(part in changed or (writes and isinstance(part, low.CellWord)) for part in word.within):
                del known[word]


def _for_sure(word: low.Word) -> Iterator[low.Word]:
    """Yields the words within a word that are computed whatever conditions say."""
    yield word
    match word:
        case low.SelectWord(condition=condition):
            yield from _for_sure(condition)
        case low.BinaryWord(name="&" | "|", left=left):
            yield from _for_sure(left)
        case _:  # all parts of other words are computed
            for part in low.parts(word):
                yield from _for_sure(part)


def _is_worth(word: low.Word) -> bool:
    """Returns whether a word costs more than to read a register."""
    match word:
        case low.EntryWord() | low.CellWord(words=1):
            return True
        case low.SelectWord(then=then):
            return isinstance(then, low.EntryWord | low.CellWord)
        case _:  # arithmetic is cheap
            return False


def _is_part(word: low.Word, wanted: list[low.Word], times: Counter[low.Word]) -> bool:
    """Returns whether a word only occurs within another that is wanted as often."""
    return any(other != word and times[other] >= times[word] and word in other.within for other in wanted)


def _invariant(loop: low.RepeatInst | low.WalkInst, storing: frozenset[str]) -> list[low.Word]:
    """Returns the largest words worth a register that a loop computes and does not change."""
    rounds, found = Rounds.of(loop, storing), dict[low.Word, None]()

    def visit(word: low.Word) -> None:
        is_wide = any(isinstance(part, low.CellWord) and part.words > 1 for part in word.within)
        if rounds.keep(word) and not is_wide and _is_worth(word):
            found.setdefault(word)
        else:
            for part in low.parts(word):
                visit(part)

    for each in low.orders((loop,))[1:]:
        for word in low.words_in(each):
            visit(word)
    return list(found)
