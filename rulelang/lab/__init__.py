"""Turns games and bots into played games, and many played games into statistics.

greedy, planner:500        a bot, and the number of positions that it may visit
arena: 200 games           win rates with intervals, lengths, endings

Invariant: a bot gets a `SeatView`, its seat's view and re-deals, never a row; budgets are positions, never seconds.
"""
