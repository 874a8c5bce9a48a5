"""A match and something in it -> the reason for it: a chain of causes, what a number is made of, how an option stands.

why(match, "red.fuel", eyes)        the chain that leads to its last change
why(match, "reach(red)", eyes)      base 3, +2 long_legs, at most 4
why(match, "red: pay(3)", eyes)     needs n <= p.gold: n is 3, red.gold is 2
"""
