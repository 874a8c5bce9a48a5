"""Turns a position into its legal options, their words, and the reason why any other option is refused.

    on_offer(position, (0,))                take(1), take(2)
    meant(position, "red: take(3)")         Option(0, "take", …), which need not be legal
    reason(position, option)                Reason("Only 2 left", ("N-1",))

Invariant: nothing here changes a position.
"""
