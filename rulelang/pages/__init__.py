"""Turns a seat's picture, question and news into a page: HTML, and SVG for boards.

    Markup(element("p", "fuel < 3", klass="words"))      <p class="words">fuel &lt; 3</p>
    board(part, ink, targets)                            <svg class="board" …> with a group for each space

Invariant: text becomes markup only in `markup.py`, which escapes it; a page shows what the seat's picture shows, and
nothing else about the position.
"""
