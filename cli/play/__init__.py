"""Turns typed lines and bots' answers into a game at one table,
with questions, undo and a running clock: `rulelang play`.

red (you) > take 2      person: an answer, or a question back; `undo`, `?`, `quit` go to the table

Invariant: the rules of a table are in `rulelang.session`; this room only draws and reads the keyboard.
"""
