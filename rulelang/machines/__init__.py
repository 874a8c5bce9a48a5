"""Positions that run: the protocol, two machines that implement it, and where chance comes from.

executor_called("generated").prepare(game, layout, None)(chance)     a machine; `begin`, then `answer` by `answer`

Invariant: both machines stop at the same choices with the same rows; no clock, no `random`, no `hash()` order.
"""
