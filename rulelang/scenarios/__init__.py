"""Turns lowered scenarios into results: passed or failed, the lines they ran, and what went wrong.

    first: take(1)
    expect winner first      ScenarioResult("the last one wins", passed=True, hits={…})

Invariant: a scenario runs on both executors, which must agree;
one that leaves something to chance runs with several seeds.
"""
