"""Machine code that notes what a step tells a trace, and the reading of its notes.

code = TellingCode(compiled, notes, engine)
StepReading(machine, code, trace, row).read(words)      calls the trace, each time with the row of that moment

The notes are read after the step, so a step that traps has told nothing.
"""

from __future__ import annotations

import marshal
from array import array
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rulelang.errors import Unsupported
from rulelang.ir.numbers import Row
from rulelang.machines.chance import ChanceDraw, DrawForm, Watched
from rulelang.machines.generated import IDLE, GeneratedMachine
from rulelang.machines.handover import Edit
from rulelang.machines.native.engine import CALL, Engine, NativeMemory, code_name, loaded, places_of
from rulelang.machines.native.optimiser import PLAIN, object_code
from rulelang.program.llvm.shape import MANY, Note, Notes
from rulelang.program.packing import items, members
from rulelang.program.python.compiled import Compiled
from rulelang.program.python.loadable import Shelf
from rulelang.program.python.memory import AT_ONCE, MEMORY
from rulelang.program.python.support import things_in

if TYPE_CHECKING:
    from rulelang.machines.machine import Trace
    from rulelang.program.low import model as low

Numbers = tuple[Any, ...]
FORMS: dict[str, DrawForm] = {"rolled": "roll", "picked": "pick", "picked_from_pile": "pick", "shuffled": "shuffle"}
"""By what is told of a draw: its form."""
CALLS: tuple[low.TellName, ...] = (
    *("enter", "leave", "set", "set_again", "move", "witness"),
    *("shuffle", "turn_up", "show", "roll", "pick", "forced", "finish"),
)
"""What is told by a mere call of the trace."""
TRIED = 16
"""The number of answers after which it is decided whether machine code pays."""
WORTH_NOTING = 2_000
"""The average number of steps that an answer pays from which on machine code with notes is faster than printed Python."""
FAR = 1 << MANY
"""Above all places of the row."""


class TellingCode:
    """A game's machine code that tells what it does, with everything its machines share."""

    def __init__(self, notes: Notes, engine: Engine) -> None:
        shape = notes.shape
        self._engine = engine
        self.answer = CALL(engine.get_function_address("answer"))
        self.run_on = CALL(engine.get_function_address("run_on"))
        self.words = NativeMemory(shape.row, shape.frame, 0)
        self.behind, self.slots, self.count = shape.behind, shape.slots, notes.count
        self.nothing = array("q", bytes(8 * (shape.row - shape.behind)))
        self.whose = [place for place in places_of(shape) for _ in range((place[2] - place[1]) // 8)]
        """By word behind the slots: the slot that it belongs to, and where that slot's bytes begin and end."""
        self.notes = [
            (n.tell, sum(n.widths), reader(n), CALLS.index(n.tell) if n.tell in CALLS else -1) for n in notes.notes
        ]
        """By number: what is told, the number of its words, how they are read (None if each is an argument), and the number
        of the call of the trace among CALLS; -1 if it is no mere call."""
        self.wide = {(shape.slots + start // 8, (end - start) // 8): slot for slot, start, end in places_of(shape)}
        """By the place and number of its words: each slot whose words lie behind the slots."""


def reader(note: Note) -> Callable[[tuple[int, ...]], Numbers] | None:
    """Returns a function of the words of a note that returns the arguments of the call; None if each word is one."""
    widths, place, text, rest = note.widths, note.place, note.text, note.rest
    if all(width == 1 for width in widths):
        if place < 0 and rest < 0:
            return None
        if place < 0:
            return lambda words: (*words[:rest], words[rest:])
        if rest < 0:
            return lambda words: (*words[:place], text, *words[place + 1 :])

    def read(words: tuple[int, ...]) -> Numbers:
        numbers: list[Any] = []
        at = 0
        for width in widths:
            numbers.append(words[at] if width == 1 else _wide(array("q", words[at : at + width])))
            at += width
        if place >= 0:
            numbers[place] = text
        return tuple(numbers) if rest < 0 else (*numbers[:rest], tuple(numbers[rest:]))

    return read


def _wide(words: array[int]) -> int:
    return int.from_bytes(words.tobytes(), "little", signed=True)


class StepReading:
    """The notes of one step, as they are read to the trace of a machine."""

    def __init__(self, machine: GeneratedMachine, code: TellingCode, trace: Trace, before: array[int]) -> None:
        """Begins at the row before the step, packed; the machine has it as a list."""
        self.machine, self.code, self.trace = machine, code, trace
        self.row: Row = machine.row
        self._more = before[code.slots :]
        self._changed = set[int]()
        """The words behind the slots that have been written since the slots were put together."""
        self.calls = 0
        """The number of calls made."""
        self.drawn: list[ChanceDraw] = []
        """What was drawn, in order."""
        self.edits: list[Edit] = []
        """What the listener wrote when it was told of a phase."""

    def read(self, words: tuple[int, ...]) -> bool:
        """Calls the trace, and stops if the listener writes to
        the row; returns whether it came to the end."""
        row, slots, notes = self.row, self.code.slots, self.code.notes
        more, changed, draw = self._more, self._changed, self._draw
        calls = [getattr(self.trace, name) for name in CALLS]
        at, end = 0, len(words)
        memory = self.machine._memory = [None] * len(MEMORY)
        try:
            while at < end:
                head = words[at]
                if 0 <= head < slots:
                    row[head] = words[at + 1]
                    at += 2
                    continue
                at += 1
                if head >= 0:
                    if head < FAR:
                        more[head - slots] = words[at]
                        changed.add(head - slots)
                        at += 1
                    else:
                        at = self._write(head, words, at)
                    continue
                tell, size, reader, call = notes[~head]
                told: Numbers = words[at : at + size]
                if reader is not None:
                    told = reader(told)
                at += size
                if call >= 0:
                    if changed:
                        self._join()
                    self.calls += 1
                    calls[call](*told)
                elif tell == "enter_phase":
                    if changed:
                        self._join()
                    if not self._enter_phase(*told):
                        return False
                elif tell == "begin_moves":
                    memory[AT_ONCE] = memory[AT_ONCE] or object()
                elif tell == "end_moves":
                    memory[AT_ONCE] = None
                else:
                    draw(tell, *told)
            self._join()
        finally:
            self.machine._memory = IDLE
        return True

    def draw_again(self, words: tuple[int, ...]) -> None:
        """Has the listener to chance know of the draws alone: nobody hears the rest."""
        notes, at, end = self.code.notes, 0, len(words)
        while at < end:
            head = words[at]
            if head >= 0:
                at += 2 if head < FAR else 1 + (head >> MANY)
                continue
            tell, size, reader, _ = notes[~head]
            at += 1
            if tell in FORMS:
                self._draw(tell, *(words[at : at + size] if reader is None else reader(words[at : at + size])))
            at += size

    def _write(self, head: int, words: tuple[int, ...], at: int) -> int:
        """Takes a write of several words into the row; returns the place of the next note."""
        many, place, slots = head >> MANY, head & FAR - 1, self.code.slots
        if place < slots:
            # The counter of a stream.
            self.row[place] = words[at]
            return at + many
        written = array("q", words[at : at + many])
        self._more[place - slots : place - slots + many] = written
        whole = self.code.wide.get((place, many))
        if whole is None:
            self._changed.update(range(place - slots, place - slots + many))
        else:
            self.row[whole] = _wide(written)
            if self._changed:
                self._changed.difference_update(range(place - slots, place - slots + many))
        return at + many

    def _join(self) -> None:
        """Puts the words together of the slots that have changed."""
        more, whose = self._more, self.code.whose
        for slot, start, end in {whose[word] for word in self._changed}:
            self.row[slot] = _wide(more[start // 8 : end // 8])
        self._changed.clear()

    def _draw(self, tell: str, stream: int, *of: int) -> None:
        """Has the listener to chance know of a draw, as if it had been asked for it."""
        watched = self.machine.chance
        if type(watched) is not Watched:
            return
        if tell == "picked":
            watched.among = members(of[1])
        elif tell == "picked_from_pile":
            watched.among = things_in(of[1], of[2])
        elif tell == "shuffled":
            watched.order = list[int](items(of[0]))
        outcome = tuple(watched.order) if tell == "shuffled" else of[0]
        drawn: ChanceDraw = FORMS[tell], stream, outcome
        self.drawn.append(drawn)
        watched.drawn.append(drawn)

    def _enter_phase(self, procedure: int, arguments: tuple[int, ...]) -> bool:
        """Tells of a phase; returns whether the listener left the row alone."""
        before = self.row[:]
        self.calls += 1
        self.trace.enter_phase(procedure, arguments, self.machine)
        after = self.machine.row
        if after == before:
            self.edits.append({})
            return True
        self.edits.append({i: new for i, (old, new) in enumerate(zip(before, after, strict=True)) if old != new})
        return False


class ToldSteps:
    """A game's steps that tell a trace, and their machine code once it is known to pay.

    StepReading notes takes time for each, so code pays where the rules compute much for each call. Until that is known, the
    generated machine takes the steps.
    """

    def __init__(self, compiled: Compiled, shelf: Shelf | None) -> None:
        self._compiled, self._shelf = compiled, shelf
        self._answers = self._paid = 0

    @cached_property
    def _name(self) -> str:
        return f"telling {code_name()}"

    @cached_property
    def code(self) -> TellingCode | None:
        """The code; None as long as there is none."""
        kept = None if self._shelf is None else self._shelf.read(self._name)
        return None if kept is None else _loaded(*marshal.loads(kept))

    def after(self, paid: int) -> None:
        """Counts an answer that another machine took, with the steps that it paid; compiles code once that pays."""
        self._answers += 1
        self._paid += paid
        if self._answers == TRIED and self._paid >= TRIED * WORTH_NOTING:
            self.compile()

    def compile(self) -> None:
        """Has the code compiled, whether it pays or not; a game that cannot be compiled goes on without."""
        try:
            data, code = _compiled(self._compiled)
        except Unsupported:
            return
        if self._shelf is not None:
            self._shelf.write(self._name, marshal.dumps((data, code)))
        self.code = _loaded(data, code)


def _loaded(data: tuple[Any, ...], code: bytes) -> TellingCode:
    return TellingCode(Notes.of_data(data), loaded(code))


def _compiled(compiled: Compiled) -> tuple[tuple[Any, ...], bytes]:
    # The printing modules are slow to import, and not needed when the code is kept.
    from rulelang.program.llvm.telling import print_telling
    from rulelang.program.low import lower

    text, notes = print_telling(lower(compiled.game, compiled.layout, compiled.control, is_traced=True))
    return notes.data, object_code(text.encode(), PLAIN)
