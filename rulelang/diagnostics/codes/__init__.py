"""Turns a code into its explanation, as `rulelang explain E0118` prints it: the registry of codes.

A code is a letter (E refuses, W warns), an area of two digits and a number of two:

    01 syntax    02 names    03 types    04 the rules of the game    05 lints    06 variants    07 scenarios

Invariant: every code that a pass reports is in one of the tuples joined here; its severity never changes.
"""

from __future__ import annotations

from rulelang.diagnostics.codes.code import Code
from rulelang.diagnostics.codes.ledger import LEDGER
from rulelang.diagnostics.codes.names import NAMES
from rulelang.diagnostics.codes.rules import RULES
from rulelang.diagnostics.codes.scenarios import SCENARIOS
from rulelang.diagnostics.codes.syntax import SYNTAX
from rulelang.diagnostics.codes.types import TYPES
from rulelang.diagnostics.codes.variants import VARIANTS

AREAS: tuple[tuple[Code, ...], ...] = (SYNTAX, NAMES, TYPES, RULES, LEDGER, VARIANTS, SCENARIOS)
CODES: dict[str, Code] = {code.id: code for area in AREAS for code in area}
"""Every code by its id."""

__all__ = ["AREAS", "CODES", "Code"]
