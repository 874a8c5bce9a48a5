"""Turns declarations into a filled `World`; `declaration.declare` enters everything that has a name.

    enum Lane: left, right        world.globals["Lane"], world.members["left"]
    the game has: heap: 0..9 = 5  world.globals["heap"] -> StateName

Invariant: order in the file never matters.
"""
