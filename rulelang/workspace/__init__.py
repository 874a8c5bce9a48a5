"""Texts that change under somebody's hands -> diagnostics, games, and where each name is declared and used.

    workspace.put(path, text)          what an editor holds, over what is on the disk
    workspace.faults(entry)            all that is wrong with the game, its variants and scenarios
    workspace.definition(entry, path, offset)

Invariant: what comes of texts depends on them alone; what did not change is not done again (`workspace`).
"""
