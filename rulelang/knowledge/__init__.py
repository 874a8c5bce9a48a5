"""Who may know what: words for some eyes only, what each seat knows of each thing, names that tell no more than that.

events of a traced machine   ->   knowledge: for each thing and viewer a mask of what it could be
"red takes 2 of {hand}"      ->   redaction: the words for those who may see the hand, others for the rest

Invariant: knowledge is folded from what a seat was told; it never falls back on what is true.
"""
