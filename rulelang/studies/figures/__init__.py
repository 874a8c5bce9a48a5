"""Turns tables of games into metrics with intervals, paired differences, and a report with plots.

    tables     ->  metrics_of        {"length": Estimate(61.2, 58.9, 63.5, 400), …}
    two cells  ->  compared          paired differences, corrected for their number
    folder     ->  report_of         sentences, Markdown, CSV, JSON; plots.page: HTML

Invariant: equal tables give equal figures, to the last digit that is shown.
"""
