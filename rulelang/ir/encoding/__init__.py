"""Typed IR -> what can be kept, compared and read: plain data and back, a digest, text.

    data.to_data(game, sources)    lists and numbers, for the compile cache; `schema` checks what is read back
    digest.rules_digest(game)      16 letters, the same for rules that mean the same
    printer.print_game(game)       what `rulelang dump --stage ir` prints

Invariant: nothing here changes a game; what `data` reads back is equal to what it wrote.
"""
