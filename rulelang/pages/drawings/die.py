"""The face of a die -> a drawing: pips for small numbers, else what stands on it.

die("6", "blue")      <svg class="die ink-blue" …> with six pips
"""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.pages.markup import Markup, element

SIDE = 24.0
MIDDLE, LOW, HIGH = 12.0, 6.5, 17.5
CORNERS = ((LOW, LOW), (HIGH, HIGH), (HIGH, LOW), (LOW, HIGH))
PIPS = {
    "1": ((MIDDLE, MIDDLE),),
    "2": CORNERS[:2],
    "3": (*CORNERS[:2], (MIDDLE, MIDDLE)),
    "4": CORNERS,
    "5": (*CORNERS, (MIDDLE, MIDDLE)),
    "6": (*CORNERS, (LOW, MIDDLE), (HIGH, MIDDLE)),
}
"""The places of the pips of each face."""


def die(face: str, colour: str = "") -> Markup:
    """Returns a die that shows a face; the text beside it says the same."""
    return element(
        "svg",
        element("rect", x=1.5, y=1.5, width=21, height=21, rx=4),
        tuple(_face(face)),
        klass=f"die ink-{colour}" if colour else "die",
        viewBox=f"0 0 {SIDE:.0f} {SIDE:.0f}",
        aria_hidden="true",
    )


def _face(face: str) -> Iterator[Markup]:
    if face in PIPS:
        yield from (element("circle", cx=x, cy=y, r=2.3) for x, y in PIPS[face])
    else:
        size = min(13.0, 32.0 / max(len(face), 1))
        yield element("text", face[:6], x=MIDDLE, y=MIDDLE + size * 0.36, font_size=size)
