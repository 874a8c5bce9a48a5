"""Turns choices into low-level IR: the regions between them, questions, options, sealed answers.

p chooses one of take(n)        ->  o0 lists the options, b1 continues after the choice

Invariant: options are listed in the order of `Machine.options`.
"""
