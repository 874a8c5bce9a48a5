"""Codes of the ledger: rules that cite an unknown clause, and clauses that no rule cites."""

from __future__ import annotations

from rulelang.diagnostics.codes.code import Code

LEDGER: tuple[Code, ...] = (
    Code(
        "E0415",
        "a clause that the ledger does not have",
        "What stands in square brackets is the id of a clause in the game's `rulebook.toml`. An id that is not there cites "
        "nothing: mostly it is misspelt.",
        "# the ledger has NIM-1 and NIM-2\nconstant start = 21    [NIM-3]\n",
        "# the ledger has NIM-1 and NIM-2\nconstant start = 21    [NIM-2]\n",
    ),
    Code(
        "W0503",
        "a clause that nothing cites",
        "A clause of the ledger that no line of the rules and no scenario names is one that was forgotten, or one that the "
        "program leaves to people; then its `handled` says so in words.",
        '# in rulebook.toml: id = "NIM-1", kind = "rule", and nothing in the rules ends in [NIM-1]\nconstant start = 21\n',
        '# in rulebook.toml: id = "NIM-1", kind = "rule"\nconstant start = 21    [NIM-1]\n',
    ),
)
