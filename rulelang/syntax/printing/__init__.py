"""Tree -> the one style of text: `printer.print_module`, what `rulelang fmt` writes.

    needs heap>0 "The heap is empty" [N-2]      ->      needs heap > 0     "The heap is empty"          [N-2]

Invariant: what is printed parses to the same tree, and prints as itself.
"""
