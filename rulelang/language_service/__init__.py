"""Turns the texts that an editor holds into what it shows: faults, hovers, completions, definitions, symbols, edits.

    service = LanguageService()
    service.open(Path("nim/nim.rules"), text)
    service.faults(Path("nim/nim.rules"))        {Path("nim/nim.rules"): (EditorFault(range, "E0201", …),)}

Invariant: places are those of the editor's own text (lines from 0, columns in UTF-16 units), whatever its line ends and
its form of Unicode; nothing is written, and no file is read that lies outside the folder of a game.
"""
