"""Turns faults in rules into diagnostics: values (`model`), the
registry of their codes (`codes`), and their rendering (`render`).

    E0201 nim.rules:12:11  nothing named `hep`      Diagnostic(code, message, primary, labels, help, fix)

Invariant: an author's fault never raises an exception; passes
report it to a `Sink`. Every code has a bad and a good example.
"""
