"""Turns a program of the low-level IR into the machine code with which bots think, and states the limits of a thought.

policy(program)     lines of LLVM IR: the score policy of `greedy` and `planner`
search(program)     lines of LLVM IR: the tree of `mcts`

Invariant: each does what its Python in `lab` does, number for number; whatever traps ends a thought, and Python thinks it.
"""
