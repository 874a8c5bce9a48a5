"""Turns typed IR into warnings about numbers, keys or `none` that may reach a place that cannot hold them.

    heap: 0..21, heap -= n with n in 1..3       W0502: test first, or write `at least 0`

    check       walks the rules with the facts known at each place (`known`, `contexts`)
    findings    reports an expression that may not fit its place
    reasoning   finds the values of an expression and the facts that follow from a condition: `expressions`, `sets`, `assumptions`,
                `consequences`, which call each other through `reasoner`
    memory      stores each answer with the facts that it depends on

Invariant: memory never changes the diagnostics; a line that is too large to be examined completely gets no warning.
"""
