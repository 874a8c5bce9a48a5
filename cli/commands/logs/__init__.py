"""Turns log files into others: joined, compressed, queried, moved to newer rules.

    logs      ->  cat        one file, compressed or not
              ->  query      an answer in rows; export: tables
    log       ->  migrate    another log, and a report

Invariant: a command writes only the file that it is given for output, and never replaces one.
"""
