"""A pending choice -> its legal answers, listed where they are few, counted and drawn where they are many.

    keep(s in 5 of hand)    Offer(machine, seat).count -> 15_504

Invariant: an offer counts, lists and draws the same answers, each once.
"""
