"""Tree -> typed IR, with every fault that can be found before a game is played.

    action take(p, n: 1..3): heap -= n      Procedure("take", (p, n), (Assign(heap, "-", Local(n)),))

    names < expressions < statements < declarations < lints < passes | scenarios, and `game` on top of them

Invariant: nothing is raised for a fault of an author; where an error was found there is no IR.
"""
