"""Turns a pending choice into its legal answers: listed if few, counted and sampled if many.

    keep(s in 5 of hand)    Offer(machine, seat).count -> 15_504

Invariant: an offer counts, lists and draws the same answers, each once.
"""
