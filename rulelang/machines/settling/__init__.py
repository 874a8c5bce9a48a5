"""Turns the draws of a step into the questions of explicit chance: shuffles are settled late, like things are one outcome.

    shuffle(deck)                 nothing is asked; the deck's things are exchangeable
    move 1 of deck to p.hand      which of them lies on top is asked now
    if top(deck).v > 3: …         and here, which one is the next
    let c = random(d in hand)     from here on, c is like no other thing

In the row, the things of an open pile lie in any order. When a place is read, the thing that chance gives is put there, in
exchange for the one that lay there.

Invariant: a position is one that a shuffle of its own at the time would have led to, whatever order the open things have;
and two things are one outcome only if neither the row nor any local tells them apart. Rules that choose the first of like
things by their numbers are not covered.
"""
