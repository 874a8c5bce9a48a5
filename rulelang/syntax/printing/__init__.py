"""Turns a tree into text in the one style: `printer.print_module`, used by `rulelang fmt`.

    needs heap>0 "The heap is empty" [N-2]      ->      needs heap > 0     "The heap is empty"          [N-2]

Invariant: printed text parses to the same tree, and printing that tree gives the same text.
"""
