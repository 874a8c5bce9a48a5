"""The line on the box in `the game has:` -> who sees the things in it.

box: face up        all see what lies there
nothing, face down  what comes hidden stays hidden: a thing keeps the face that it came with
"""

from __future__ import annotations

import attrs

from rulelang.diagnostics.model import Label
from rulelang.semantics.names.scope import World
from rulelang.syntax import nodes


def enter_box(world: World, holder: nodes.StateDeclaration, line: nodes.VariableNode) -> None:
    """Notes the line that says whether the box lies open."""
    if line.name.text != "box" or holder.owner is not None:
        what = f"{holder.owner.text} has no box" if line.name.text == "box" and holder.owner else "this holds nothing"
        help = (
            "say `pile of …` or `group of …`; only the box is there without that, as `box: face up` in `the game has:`"
        )
        world.sink.report("E0204", what, line.name.span, help=help)
    elif world.box is not None:
        labels = (Label(world.box.span, "first said here"),)
        world.sink.report("E0202", "the box is declared twice", line.span, labels=labels)
    else:
        world.box = line


def cover_boxes(world: World) -> None:
    """Hides what comes unseen into the box, for each kind of which some zone is hidden, unless a line says otherwise."""
    hidden = {zone.kind for zone in world.zones if zone.visible != "all"}
    line, boxes = world.box, [world.zones[id] for id in world.boxes.values()]
    is_open = line is not None and line.modifiers[0].what == "face up"
    site = world.site("zone", line.span, line.cites) if line is not None else 0
    for box in (box for box in boxes if box.kind in hidden):
        world.zones[box.id] = attrs.evolve(box, visible="all" if is_open else "nobody", site=site)
