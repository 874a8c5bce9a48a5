"""`rulelang play`: people at a terminal and bots at one table, with questions, undo and a running clock.

red (you) > take 2      person: an answer, or a question back; `undo`, `?`, `quit` are the table's own
"""
