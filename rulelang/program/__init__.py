"""Woven IR -> layout, blocks and control -> Python (`pycode`).

    heap: 0..21            layout: slot 7 of the row
    p chooses one of take  blocks: the code is cut there, and goes on in another function

Invariant: no name of the rules reaches generated code; both executors read the same layout.
"""
