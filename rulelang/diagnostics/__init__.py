"""Faults found in rules, as values (`model`), the registry of their codes (`codes`), and how they look (`render`).

    E0201 nim.rules:12:11  nothing named `hep`      Diagnostic(code, message, primary, labels, help, fix)

Invariant: nobody raises for a fault of an author; what is found goes into a `Sink`, and every code has a bad and a good example.
"""
