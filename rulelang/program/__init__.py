"""Turns woven IR into a layout, blocks and control state, and those into the low-level IR (`low`), which is printed as
Python (`python`) or LLVM IR (`llvm`).

    heap: 0..21            layout: slot 7 of the row
    p chooses one of take  blocks: the code is cut there, and continues in another function

Invariant: no name of the rules reaches generated code; all executors read the same layout.
"""
