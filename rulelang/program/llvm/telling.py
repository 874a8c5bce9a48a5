"""A traced program of the low-level IR -> a module of LLVM IR that notes in a buffer what a step tells and writes.

    row[4] = 7                        4, 7                        a write: the place, the word
    row[90..92] = r3                  90 + (3 << 32), w, w, w     a write of several words
    tell set 1, r0, r5, r6, 17        -3, 1, r0, r5, r6, 17       what a trace is told: ~2, and its numbers

`Notes.notes[2]` says which call that is. Whoever knows the row before the step finds the row at each call. What is
written while something is foreseen is told to nobody, so its notes go where the row is put back.
"""

from __future__ import annotations

import attrs

from rulelang.program.llvm import entries, frame
from rulelang.program.llvm.function import Callees, FunctionPrinter, type_of
from rulelang.program.llvm.module import declarations, opening, without_score
from rulelang.program.llvm.shape import MANY, ROOM, SPILL, Note, Notes, Shape
from rulelang.program.low import model as low
from rulelang.program.low.things.telling import ENDS, HOW, TELLS
from rulelang.program.low.widths import FullWords

SHARED = """\
define internal ptr @room(ptr %M, i64 %words) nounwind {{
  %cp = getelementptr inbounds i64, ptr %M, i64 {count}
  %at = load i64, ptr %cp
  %next = add i64 %at, %words
  store i64 %next, ptr %cp
  %fits = icmp ule i64 %next, {room}
  %place = select i1 %fits, i64 %at, i64 {room}
  %first = getelementptr inbounds i64, ptr %cp, i64 1
  %to = getelementptr inbounds i64, ptr %first, i64 %place
  ret ptr %to
}}
define internal void @write(ptr %S, ptr %M, i64 %place, i64 %value) nounwind {{
entry:
  %p = getelementptr inbounds i64, ptr %S, i64 %place
  %old = load i64, ptr %p
  %same = icmp eq i64 %old, %value
  br i1 %same, label %out, label %change
change:
  store i64 %value, ptr %p
  %is_read = icmp ult i64 %place, {behind}
  br i1 %is_read, label %note, label %out
note:
  %to = call ptr @room(ptr %M, i64 2)
  store i64 %place, ptr %to
  %vp = getelementptr inbounds i64, ptr %to, i64 1
  store i64 %value, ptr %vp
  br label %out
out:
  ret void
}}
define internal void @wrote(ptr %S, ptr %M, i64 %place, i64 %words) nounwind {{
entry:
  %is_read = icmp ult i64 %place, {behind}
  br i1 %is_read, label %note, label %out
note:
  %size = add i64 %words, 1
  %to = call ptr @room(ptr %M, i64 %size)
  %many = shl i64 %words, {many}
  %head = or i64 %many, %place
  store i64 %head, ptr %to
  %vp = getelementptr inbounds i64, ptr %to, i64 1
  %p = getelementptr inbounds i64, ptr %S, i64 %place
  %bytes = shl i64 %words, 3
  call void @llvm.memcpy.p0.p0.i64(ptr %vp, ptr %p, i64 %bytes, i1 false)
  br label %out
out:
  ret void
}}"""


def print_telling(program: low.Program) -> tuple[str, Notes]:
    """Returns the text of a module with the entry points `run_on` and `answer`, and what is needed to run it."""
    program = without_score(program)
    count = frame.memos_at(program)
    shared = SHARED.format(count=count, room=ROOM, behind=program.row - program.scratch, many=MANY)
    lines = opening(program, shared.splitlines())
    callees, notes = Callees.of(program), dict[Note, int]()
    for function in program.functions:
        lines += TellingPrinter(program, function, callees, count, notes).lines()
    lines += entries.run_on(program)
    lines += entries.answer(program)
    lines += declarations(lines)
    shape = attrs.evolve(Shape.of(program), frame=count + 1 + ROOM + SPILL)
    return "\n".join(lines) + "\n", Notes(shape, count, tuple(notes))


class TellingPrinter(FunctionPrinter):
    """Prints one function, which notes what it writes and tells."""

    def __init__(
        self, program: low.Program, function: low.Function, callees: Callees, count: int, notes: dict[Note, int]
    ) -> None:
        super().__init__(program, function, callees)
        self._count, self._notes = count, notes
        self._kept = set[int]()
        self._full = FullWords(program.tables, self.widths, function.body)

    def store(self, index: low.Word, value: low.Word, words: int) -> None:
        """Prints a write to the row, and its note if the row between steps has the place."""
        if isinstance(index, low.ConstWord) and index.value >= self.program.row - self.program.scratch:
            super().store(index, value, words)
            return
        word, place = self.word(value, words), self.word(index)
        if words == 1:
            self.add(f"call void @write(ptr %S, ptr %M, i64 {place}, i64 {word})")
            return
        at = self.value(f"getelementptr inbounds i64, ptr %S, i64 {place}")
        self.add(f"store {type_of(words)} {word}, ptr {at}, align 8")
        self.add(f"call void @wrote(ptr %S, ptr %M, i64 {place}, i64 {words})")

    def draw(self, register: int, stream: low.Word) -> None:
        """Prints a draw, which counts in the row."""
        super().draw(register, stream)
        place = self.word(low.BinaryWord("+", low.ConstWord(self.program.counters), stream))
        self.add(f"call void @wrote(ptr %S, ptr %M, i64 {place}, i64 1)")

    def keep_row(self, array: int, still: low.Still) -> None:
        """Prints the copying of the row, and of the number of notes."""
        if array not in self._kept:
            self._kept.add(array)
            self.memory.append(f"%noted{array} = alloca i64")
        self.add(f"store i64 {self.value(f'load i64, ptr {self.field(self._count)}')}, ptr %noted{array}")
        super().keep_row(array, still)

    def put_back_row(self, array: int, still: low.Still) -> None:
        """Prints the copying back, which drops the notes since the row was kept."""
        self.add(f"store i64 {self.value(f'load i64, ptr %noted{array}')}, ptr {self.field(self._count)}")
        super().put_back_row(array, still)

    def tell(self, order: low.TellInst) -> None:
        """Prints the note of what a trace is told."""
        # The numbers are read as signed ones, so a set with the highest bit takes one word more.
        widths = [self.width(word) + (word in self._full) for word in order.arguments]
        number = self._notes.setdefault(_note(order, tuple(widths)), len(self._notes))
        words = [self.word(argument, width) for argument, width in zip(order.arguments, widths, strict=True)]
        to = self.value(f"call ptr @room(ptr %M, i64 {1 + sum(widths)})")
        self.add(f"store i64 {~number}, ptr {to}")
        at = 1
        for word, width in zip(words, widths, strict=True):
            place = self.value(f"getelementptr inbounds i64, ptr {to}, i64 {at}")
            self.add(f"store {type_of(width)} {word}, ptr {place}, align 8")
            at += width


def _note(order: low.TellInst, widths: tuple[int, ...]) -> Note:
    """Returns the form of a statement's note."""
    parts = TELLS[order.tell]
    rest = parts.index("numbers") if "numbers" in parts else -1
    for place, part in enumerate(parts):
        if part in ("end", "how"):
            number = order.arguments[place]
            assert isinstance(number, low.ConstWord)
            return Note(order.tell, widths, place, ENDS[number.value] if part == "end" else HOW[number.value], rest)
    return Note(order.tell, widths, rest=rest)
