"""Turns things and their places into low-level IR: piles, zones, moves, ways, chance.

move c to p.hand        ->  call m4(r0, r1)
top of deck             ->  (row[90] & 0xffff) - 1

Invariant: a thing's place and its zone's contents always agree.
"""
