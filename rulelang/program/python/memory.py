"""The memory of printed functions: a list that they are given beside the row.

M[LEFT] -= 3         # the steps left of the budget
"""

MEMORY = ("LEFT", "FOUND", "GIVEN", "DRAW", "METER", "TRACE", "CHANCE", "MACHINE", "AT_ONCE")
"""The names of its places, in order. Code that tells no trace needs only the first four."""
LEFT, FOUND, GIVEN, DRAW, METER, TRACE, CHANCE, MACHINE, AT_ONCE = range(len(MEMORY))
"""The steps left; the options that the last look at them listed; the current answer; the function that draws 64 bits; the
meter that pays when the steps are spent, if there is one; the trace; the source of chance; the machine, as a listener to
`enter_phase` sees it; a token while the moves of a `simultaneously` are made, else None.
"""
