"""Turns the parts of a `.rules` file into values: the node classes of the tree, before names and types are resolved.

Invariant: every node is a frozen value; `span` comes last, is keyword-only and takes no part in equality, so two trees
are equal if they say the same. `count(x in S)` and `{x in S if c}` are distinguished from calls and displays; nothing
else is resolved.

    action take(p, n: 1..3) "Take {n}":      ActionDeclaration(head, needs=(...), body=(...))
      needs n <= heap  "Too many"            NeedNode(condition, message, cites)
      heap -= n                              AssignStatement(target, "-=", value)

The name of a class ends in its sort of node: Declaration, Statement, Expression, Operation (of a variant), Step (of a
scenario), TypeNode, or Node for their parts.
"""

from rulelang.syntax.nodes.declarations import *
from rulelang.syntax.nodes.expressions import *
from rulelang.syntax.nodes.scenarios import *
from rulelang.syntax.nodes.statements import *
from rulelang.syntax.nodes.vocabulary import *
