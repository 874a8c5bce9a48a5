"""A rulebook's clauses (the ledger) and a game's lines -> what rules do it, what scenarios show it, and which line nothing shows.

[[clause]] id = "N-2"            coverage: implemented by nim.rules:11, shown by "no more than there are"
the game without nim.rules:11    mutation: red, or it survives and nothing shows what the line is for
"""
