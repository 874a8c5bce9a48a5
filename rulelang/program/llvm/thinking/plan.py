"""The words of a re-deal in machine code: those of its plan, before the lists that `dealing.ll` describes."""

from __future__ import annotations

from rulelang.program.results import HolderForm

PLAN = (
    *("seat", "asked", "many", "options", "lengths"),
    *("kinds_many", "kinds", "cells_many", "cells", "sealed_many", "sealed", "others_many", "others"),
    *("before", "order", "dice_word"),
    *("sights_many", "sights", "kinds_end", "plan_end", "options_room", "held", "mark"),
    *("deals", "dealt", "stay", "compared", "ranked", "policy_word"),
)
"""The first words of a plan: the seat, the number of its question, how many options it has, and the places of these and of the
length of an answer by branch; the numbers and places of kinds, hidden variables, answers under seal and other seats; the places
of room for the row before those answers, and for the names of a block; and the word from which the dice that follow are named.

Those of `greedy` follow: the number and place of what a seat sees of each kind; the ends of the kinds written so far, and of the room for
them; the most options; the places of room for the things of a slot and for marks of things; how many deals are made, and the place of
their rows behind that of the row before; how many options stay in every deal, and the most that are compared; the place of room for their
order; and the word of the random numbers of the policy."""
FORMS: dict[HolderForm, int] = {"value": 0, "mask": 1, "pile": 2}
"""The number of each form in which a slot holds things."""
NONE_JOINS, ALL_JOIN, ONLY_BOX = range(3)
"""Which boxes from which things were picked unseen count among hidden places; see `greedy.ll`."""
SEALED_HEAD = 2
"""The words before an answer under seal: its seat, and whether that is the one for which is dealt."""
