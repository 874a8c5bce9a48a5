"""Things, where they lie, and what is drawn: places in the row, piles, zones, moves, ways, chance.

move c to p.hand        ->  call m4(r0, r1)
top of deck             ->  (row[90] & 0xffff) - 1
"""
