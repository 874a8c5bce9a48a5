"""Turns names, types and literals of the tree into declared
meanings, `Type` and `Typed`: the base of all of `semantics`.

    Lane: left, right              scope.World.members["left"] -> ((Lane, 0),)
    0..most?                       type_syntax: IntType(0, 12, optional=True)
    6 if c else 2                  type_relations.join: IntType(2, 6)

Invariant: nothing here knows how an expression or a statement is lowered; `coercion.lower` calls the function for it
through the `World`, because expressions, sets and types contain each other.
"""
