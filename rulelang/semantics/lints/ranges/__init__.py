"""Typed IR -> warnings where a number, a key or `none` may come to a place that does not hold it.

    heap: 0..21, heap -= n with n in 1..3       W0502: ask first, or write `at least 0`

    check       goes through the rules with what is known at each place (`known`, `contexts`)
    findings    says what is wrong with an expression there
    reasoning   answers what an expression can be and what a condition lets one know: `expressions`, `sets`, `assumptions`,
                `consequences`, which ask each other through `reasoner`
    memory      keeps each answer with the facts that it hangs on

Invariant: what is remembered never changes what is found; a line that is too large to be looked at whole is not warned of.
"""
