"""Turns the tree into typed IR, and reports every fault that can be found before a game is played.

    action take(p, n: 1..3): heap -= n      Procedure("take", (p, n), (Assign(heap, "+", Op("neg", (Local(n),))),))

    names < expressions < statements < declarations < lints < passes | scenarios, and `game` on top of them

Invariant: an author's fault never raises an exception; after an error there is no IR.
"""
