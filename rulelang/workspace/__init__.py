"""Turns changing texts into diagnostics, games, and the declarations and uses of every name.

    workspace.put(path, text)          an editor's text, in place of the one on disk
    workspace.faults(entry)            the faults of the game, its variants and scenarios
        workspace.definition(entry, path, offset)      where the name at that offset is declared

Invariant: results depend on the texts alone; work on unchanged texts is not repeated (`workspace`).
"""
