"""Turns tables of games into metrics with intervals, and two of them into paired differences.

    tables     ->  metrics_of        {"length": Estimate(61.2, 58.9, 63.5, 400), …}
    two cells  ->  compared          paired differences, corrected for their number

Invariant: equal tables give equal figures, to the last digit that is shown.
"""
