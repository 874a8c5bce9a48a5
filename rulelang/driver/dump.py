"""A game as text after a stage of the chain: what `rulelang dump` prints.

dump(Unit(Disk(), entry), "woven")        the IR that every executor starts from
"""

from __future__ import annotations

from collections.abc import Callable

import attrs

from rulelang.driver.chain import Arrow, Unit, check, lay_out, patch, run, weave
from rulelang.errors import RulelangError, RulesError
from rulelang.ir.encoding.printer import print_game
from rulelang.syntax.printing.tree import print_tree


@attrs.frozen
class Stage:
    """A point of the chain that can be dumped: the arrow it follows, and its printer."""

    name: str
    behind: Arrow
    shown: Callable[[Unit], str | None]
    """Returns the text; None if the chain did not get that far."""


def _tree(unit: Unit) -> str | None:
    return print_tree(unit.patched.module) if unit.patched is not None else None


def _ir(unit: Unit) -> str | None:
    return print_game(unit.lowered) if unit.lowered is not None else None


def _woven(unit: Unit) -> str | None:
    return print_game(unit.woven) if unit.woven is not None else None


def _python(unit: Unit) -> str | None:
    from rulelang.program.python.compiled import compile_game
    from rulelang.program.python.legend import explained, legend

    game, layout = unit.woven, unit.layout
    if game is None or layout is None:
        return None
    compiled = compile_game(game, layout)
    return explained(compiled.source(traced=False), legend(game, layout, compiled.control))


def _lir(unit: Unit) -> str | None:
    from rulelang.program.blocks import cut
    from rulelang.program.control import control
    from rulelang.program.low import Unsupported, lower, print_program
    from rulelang.program.python.legend import explained, legend

    game, layout = unit.woven, unit.layout
    if game is None or layout is None:
        return None
    slots = control(game, layout, cut(game, layout.steps))
    names = legend(game, layout, slots)
    try:
        program = lower(game, layout, slots)
        names.update({place + i: names[slot] for slot, place, words in program.wide for i in range(words)})
        return explained(print_program(program), names)
    except Unsupported as missing:
        raise RulelangError(f"the low-level IR cannot say all of {game.title} yet: it has {missing}") from None


def _playouts(unit: Unit) -> str | None:
    from rulelang.program.python.compiled import compile_game
    from rulelang.program.python.legend import explained, legend

    game, layout = unit.woven, unit.layout
    if game is None or layout is None:
        return None
    compiled = compile_game(game, layout)
    text = compiled.plain.text()
    if text is None:
        raise RulelangError(f"random games of {game.title} are played step by step, by the code of stage python")
    return explained(text, legend(game, layout, compiled.control))


STAGES = (
    Stage("tree", patch, _tree),
    Stage("ir", check, _ir),
    Stage("woven", weave, _woven),
    Stage("python", lay_out, _python),
    Stage("lir", lay_out, _lir),
    Stage("playouts", lay_out, _playouts),
)


def dump(unit: Unit, name: str) -> str:
    """Returns a game as text after a stage, given by name; raises RulesError if faults keep the game from reaching it.

    Raises RulelangError for a game that the low-level IR cannot express, and for one that has no code for playouts.

    >>> from rulelang.texts.reader import Disk, find_entry
    >>> dump(Unit(Disk(), find_entry("outspeed")), "woven").splitlines()[0]
    'game outspeed "Outspeed": 3..6 players, seats green, red, blue, purple, yellow, orange'
    """
    stage = next(stage for stage in STAGES if stage.name == name)
    reached = run(unit, until=stage.behind)
    text = stage.shown(reached)
    if text is None or (reached.has_errors and stage.behind is not patch):
        raise RulesError(reached.diagnostics)
    return text
