"""Turns the files of a game's folder into texts that several windows edit, and those into files again.

    folder = GameFolder.of(Path("nim/nim.rules"))
    merged(before, mine, theirs)            one text with both changes

Invariant: nothing outside the folder is read or written, and nothing that was typed is lost by merging.
"""
