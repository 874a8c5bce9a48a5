"""Playing by machine: bots, bare playouts, and what many games say.

greedy, planner:500        a bot, and with how many positions it may think
arena: 200 games           wins with intervals, lengths, ends

Invariant: a bot gets a `SeatView`, its seat's view and re-deals, never a row; budgets are positions, never seconds.
"""
