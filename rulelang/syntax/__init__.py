"""Turns text into a tree (`parser.parse`), and a tree into text (`printing`).

    constant heap = 21       nodes.Constant(name=heap, value=Number(21))

    grammar/rules.lark --tables--> tables.Tables      characters --lexer--> tokens --parser, build--> nodes

Invariant: nothing here raises on any text; a line that cannot be read is left out of the tree, and every syntax fault of a
file is found in one run. The tree knows nothing of types or the IR.
"""
