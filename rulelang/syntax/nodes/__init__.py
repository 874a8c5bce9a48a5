"""The tree: what a `.rules` file says, before anybody asks whether it makes sense.

Every node is a frozen value; `span` comes last, is keyword-only and takes no part in
equality, so two trees are equal when they say the same. Names are not resolved here,
`count(x in S)` and `{x in S if c}` are told apart from calls and displays, nothing else.

    action take(p, n: 1..3) "Take {n}":      ActionDeclaration(head, needs=(...), body=(...))
      needs n <= heap  "Too many"            NeedNode(condition, message, cites)
      heap -= n                              AssignStatement(target, "-=", value)

A class ends in what the node is: Declaration, Statement, Expression, Operation (of a variant), Step (of a scenario), TypeNode, or,
of what is a part of these alone, Node.
"""

from rulelang.syntax.nodes.declarations import *
from rulelang.syntax.nodes.expressions import *
from rulelang.syntax.nodes.scenarios import *
from rulelang.syntax.nodes.statements import *
from rulelang.syntax.nodes.vocabulary import *
