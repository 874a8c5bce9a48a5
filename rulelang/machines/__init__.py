"""Turns a layout and chance into running positions: the
protocol, the machines that implement it, and sources of chance.

executor_called("generated").prepare(Runnable(game, layout))(chance)   a machine; `begin`, then `answer` by `answer`

Invariant: all machines stop at the same choices with the same rows; no clock, no `random`, no `hash()` order.
"""
