"""Scenarios that are ready to run -> which of them hold, what they show, and what went wrong.

    first: take(1)
    expect winner first      ScenarioResult("the last one wins", passed=True, hits={…})

Invariant: a scenario runs on both executors, which must agree; what it leaves to chance is run with several seeds.
"""
