"""Turns the trace of a step into events, random outcomes, and the words that each seat reads of them.

    move(nitro, red.tokens, discards)    Event("use", changes=("nitro: red.tokens -> discards",))

Invariant: who may read a thing's name is settled when the words are written; later knowledge does not change it.
"""
