"""`rulelang play`: people at a terminal and bots at one table, with questions, undo and a running clock."""
