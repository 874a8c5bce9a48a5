"""Turns the trace of a step into events, random outcomes, and the words that each seat reads of them.

    move(nitro, red.tokens, discards)    Event("use", changes=("nitro: red.tokens -> discards",))

Invariant: words about a thing are settled when they are written; what is learnt later does not change them.
"""
