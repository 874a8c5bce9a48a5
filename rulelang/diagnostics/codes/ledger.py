"""Codes of the ledger: rules that cite an unknown clause, and clauses that no rule cites."""

from __future__ import annotations

from rulelang.diagnostics.codes.code import Code

LEDGER: tuple[Code, ...] = (
    Code(
        "E0415",
        "a clause that the ledger does not have",
        "Square brackets hold the id of a clause in the game's `rulebook.toml`. This id is not there: usually it is "
        "misspelt.",
        "# the ledger has NIM-1 and NIM-2\nconstant start = 21    [NIM-3]\n",
        "# the ledger has NIM-1 and NIM-2\nconstant start = 21    [NIM-2]\n",
    ),
    Code(
        "W0503",
        "a clause that nothing cites",
        "No line of the rules and no scenario cites this clause of the ledger. Either it was forgotten, or the program leaves it "
        "to people; then say so in its `handled`.",
        '# in rulebook.toml: id = "NIM-1", kind = "rule", and nothing in the rules ends in [NIM-1]\nconstant start = 21\n',
        '# in rulebook.toml: id = "NIM-1", kind = "rule"\nconstant start = 21    [NIM-1]\n',
    ),
)
