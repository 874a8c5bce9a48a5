"""Turns a game's IR into its rules as people read them: sections, paragraphs, steps and tables, as HTML or Markdown.

verb pay(p, n): p.fuel -= n, at least 0      ->      The player's fuel falls by n (to 0 at the least).

Invariant: everything printed comes from the rules alone, and none of their texts is treated as markup.
"""
