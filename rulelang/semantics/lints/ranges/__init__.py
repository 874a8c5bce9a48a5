"""Turns typed IR into warnings about numbers, keys or `none` that may reach a place that cannot hold them.

    heap: 0..21, heap -= n with n in 1..3       W0502: test first, or write `at least 0`

    check       walks the rules with the facts known at each place (`known`, `contexts`)
    declared    walks what is declared: values, data, the screen
    findings    reports an expression that may not fit its place
    reasoner    the base of all reasoning; the values of an expression and the facts that follow from a condition are found in
                `expressions`, `sets`, `assumptions` and `consequences`, which call each other through it
    memory      stores each answer with the facts that it depends on

Invariant: memory never changes the diagnostics; a line that is too large to be examined completely gets no warning.
"""
