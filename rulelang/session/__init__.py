"""Seats, a match and a log -> a table: who is asked next, what an answer means, what may be taken back, what each has been told.

    table = begin(game, "nim", 2, seated(("first=me",), game.ir.seats, False))
    table.asked                                   # 0: the seat to choose
    dialogue = Dialogue.of(table.match, 0)
    dialogue.question                             # its lines, for a terminal or a page to draw
    table.take(dialogue.answer("take 2"))         # dialogue.answer: an option, or the next question

Invariant: nothing here prints, reads a keyboard or looks at a wall clock; a terminal, a page and a server share it.
"""
