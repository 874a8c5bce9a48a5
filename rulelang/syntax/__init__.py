"""Turns text into a tree (`parser.parse`), and a tree into text (`printing`).

    constant heap = 21       ConstantDeclaration(name=IdentNode("heap"), value=NumberExpression(21))

    grammar/rules.lark --tables--> tables.Tables      characters --lexer--> tokens --parser, build--> nodes

Invariant: no text makes anything here raise; a line that cannot be read is left out of the tree, and one run finds all
syntax faults of a file. The tree knows nothing of types or the IR.
"""
