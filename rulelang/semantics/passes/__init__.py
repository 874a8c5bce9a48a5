"""Rewrites of a whole game's IR that a meaning of the language asks for: `(world, game) -> game`.

action boon(p) at any time      interrupts: taken out of the choices that only interrupts lead to
"""
