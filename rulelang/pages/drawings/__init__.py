"""Turns boards, dice, clocks and the course of scores into drawings, as SVG.

    board(part, "map-1", ink, targets)      <svg class="board" …>
    plot(course, seats, ink)                <svg class="plot" …>

Invariant: a drawing is made of what the seat's picture shows, and its size does not depend on the page's.
"""
