"""Turns lines that could not be read into nodes that say what they cost, and leaves out the faults that follow from them.

    value reach(p) = = 3            UnreadNode(names={"reach"})
    let n = reach(p)                E0201 "no value named `reach`" follows from it, and is not told

Invariant: a line that could not be read costs its own declaration and hides no fault of another one.
"""
