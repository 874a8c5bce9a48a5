"""Turns a match and something in it into its reason: a chain
of causes, the parts of a number, the standing of an option.

why(match, "red.fuel", eyes)        the chain that leads to its last change
why(match, "reach(red)", eyes)      base 3, +2 long_legs, at most 4
why(match, "red: pay(3)", eyes)     needs n <= p.gold: n is 3, red.gold is 2

Invariant: a reason names nothing that the asker may not know.
"""
