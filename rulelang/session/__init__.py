"""Turns seats, a match and a log into a table, which asks,
understands answers, allows undo, and tells each seat the news.

    table = begin(game, "nim", 2, seated(("first=me",), game.ir.seats, False))
    table.asked                                   # 0: the seat to choose
    dialogue = Dialogue.of(table.match, 0)
    dialogue.question                             # its lines, for a terminal or a page to draw
    table.take(dialogue.answer("take 2"))         # dialogue.answer: an option, or the next question

Invariant: nothing here prints, reads a keyboard or a wall clock; a terminal, a page and a server share it.
"""
