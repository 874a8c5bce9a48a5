"""The lines of a variant's `aim:` block -> the aim of the patched game.

aim:                                       aim:
  ends last_ship, nobody_left "…"            ends nobody_left "…"       the rest of the old line
  about "Thirteen legs"                ->    about "Seven legs"         as the variant says it
                                             ends last_ship "…"         as the variant says it
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from rulelang.syntax import nodes
from rulelang.variants.targets import TargetPath


def targets_of(line: nodes.AimLineNode) -> Iterator[TargetPath]:
    """Yields the target of a line; for an `ends` line, one for each rule that it speaks of."""
    if line.what != "ends":
        yield ("aim", line.what)
    for name in line.names:
        yield ("aim", "ends", name.text)


def with_lines(old: tuple[nodes.AimLineNode, ...], new: tuple[nodes.AimLineNode, ...]) -> tuple[nodes.AimLineNode, ...]:
    """Returns lines, with others in place of lines with the same target; new ones come last."""
    named = {name.text for line in new for name in line.names}
    by_word: dict[str, nodes.AimLineNode] = {line.what: line for line in new if line.what != "ends"}
    kept = [by_word.pop(line.what, line) for line in without_rules(old, named)]
    return (*kept, *by_word.values(), *(line for line in new if line.what == "ends"))


def without_rules(lines: tuple[nodes.AimLineNode, ...], gone: Iterable[str]) -> tuple[nodes.AimLineNode, ...]:
    """Returns lines that speak of none of these rules; a line that speaks only of them is left out."""
    out = frozenset(gone)
    left = (attrs.evolve(line, names=tuple(n for n in line.names if n.text not in out)) for line in lines)
    return tuple(line for line in left if line.what != "ends" or line.names)
