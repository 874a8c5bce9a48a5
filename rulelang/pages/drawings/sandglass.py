"""A clock -> a glass through which sand runs; the page's script lets it run, between two frames as well.

sandglass()      <svg class="sand" …> with `data-sand="above"` and `data-sand="below"`
"""

from __future__ import annotations

from rulelang.pages.markup import Markup, element

GLASS = "M4 3 H20 V5 C20 11 13.5 12.5 13.5 16 C13.5 19.5 20 21 20 27 V29 H4 V27 C4 21 10.5 19.5 10.5 16 C10.5 12.5 4 11 4 5 Z"
"""The outline: two bulbs and a neck."""
ABOVE, BELOW = (4.0, 12.0), (17.0, 12.0)
"""The top and the height of the sand in each bulb, when it is full."""


def sandglass() -> Markup:
    """Returns a glass whose upper bulb is full."""
    clip = element("clipPath", element("path", d=GLASS), id="glass")
    heaps = (
        element("rect", x=3, y=top, width=18, height=height, klass="grains", data_sand=name)
        for name, (top, height) in (("above", ABOVE), ("below", BELOW))
    )
    fall = element("rect", x=11.4, y=15, width=1.2, height=13, klass="grains fall")
    return element(
        "svg",
        clip,
        element("g", tuple(heaps), fall, clip_path="url(#glass)"),
        element("path", d=GLASS, klass="glass"),
        klass="sand",
        viewBox="0 0 24 32",
        aria_hidden="true",
    )
