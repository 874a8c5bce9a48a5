"""Checks on a whole game's IR: `(world, game)` -> diagnostics.

repeat: heap = heap           flow: E0404, neither a choice nor a way out
needs any(c.kind == joker for c in q.hand)     visibility: E0402, the options would tell what q holds
"""
