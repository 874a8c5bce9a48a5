"""Turns typed IR into forms to store, compare and read: plain data (and back), a digest, text.

    data.to_data(game, sources)    lists and numbers, for the cache; `schema` validates data that is read back
    digest.rules_digest(game)      16 letters, the same for rules that mean the same
    printer.print_game(game)       what `rulelang dump --stage ir` prints

Invariant: nothing here changes a game; `data` reads back a game equal to the one it wrote.
"""
