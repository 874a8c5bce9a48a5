"""Turns questions about rules into studies, and studies into reports.

    study.toml, or words  ->  run, sweep, compare    a folder of tables
    folder                ->  report                 sentences, figures, plots
                          ->  watch                  the figures so far
                          ->  show                   one game, as a log
    goal                  ->  tune                   a variant that meets it

Invariant: what was played is not played again, and the same study gives the same figures.
"""
