"""The IR of a game -> its rules as people read them: a document of sections, paragraphs, steps and tables, on a page or as Markdown.

verb pay(p, n): p.fuel -= n, at least 0      ->      The player's fuel falls by n (to 0 at the least).

Invariant: what is said comes from the rules alone, and no text of theirs is taken for markup.
"""
