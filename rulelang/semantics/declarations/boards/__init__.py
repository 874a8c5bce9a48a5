"""Turns boards into kinds of spaces, with tables of what lies where; `entering.enter_boards` begins.

    board Space: square         spaces a1, b1, …; s.row, s.column; neighbours(s), step(s, d), distance(a, b)
    board Road: edges of Space  spaces a1_east, …; a1.edges, a1_east.spaces

Invariant: what a rule may ask about a board is in a table when bodies are lowered.
"""
