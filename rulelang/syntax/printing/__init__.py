"""Turns a tree into text in the standard style: `printer.format_source`
for `rulelang fmt`, `printer.print_module` for the canonical text.

    needs heap>0 "The heap is empty" [N-2]      ->      needs heap > 0     "The heap is empty"          [N-2]

Invariant: printed text parses to the same tree, and printing that tree gives the same text.
"""
