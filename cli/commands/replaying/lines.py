"""The lines of play in a log: `replay --tree`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulelang.diagnostics.render import escaped

if TYPE_CHECKING:
    from rulelang.workbench.playback import Playback


def tree(playback: Playback) -> Iterator[str]:
    """Yields a line for each answer in a log; answers that were
    taken back are indented deeper than those that stand."""
    for node in playback.tree.nodes:
        if node.step > playback.last or not playback.is_told(node.step):
            continue
        said = "the set-up" if node.step == 0 else playback.sentence(node.step)
        end = ""
        if node.line is not None:
            end = f"   (line {node.line}" + (", which stands)" if node.stands else ")")
        yield "    " * node.depth + f"{playback.number(node.step):>4}  {escaped(said)}{end}"


def tree_data(playback: Playback) -> str:
    """Returns the same for programs."""
    tree = playback.tree
    nodes = [
        {
            "step": node.step,
            "before": tree.before[node.step] if node.step else None,
            "answer": playback.answer(node.step),
            "line": node.line,
            "stands": node.stands,
        }
        for node in tree.nodes
        if node.step <= playback.last
    ]
    return json.dumps({"lines": tree.lines, "steps": nodes}, indent=2)
