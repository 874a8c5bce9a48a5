"""Turns a position into the options on offer, their words, and the reason why any other is refused.

    on_offer(position, (0,))                take(1), take(2)
    meant(position, "red: take(3)")         Option(0, "take", …), which need not be legal
    reason(position, option)                Reason("Only 2 left", ("N-1",))

Invariant: nothing here moves a position on.
"""
