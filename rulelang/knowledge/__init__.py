"""Turns the events of a traced machine into each seat's knowledge, and words into what each reader may see of them.

events of a traced machine   ->   knowledge: for each thing and viewer a mask of what it could be
"red takes 2 of {hand}"      ->   redaction: the exact words for those who may see the hand, vaguer ones for others

Invariant: knowledge is folded from what a seat was told; it never falls back on the truth.
"""
