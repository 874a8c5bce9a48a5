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


def explanation(code: str) -> str:
    """Returns the meaning of a code, in Markdown, with an example and the same put right; a sentence for an unknown code.

    >>> explanation("E0201").splitlines()[0]
    '# E0201: an unknown name'
    """
    known = CODES.get(code.strip().upper())
    if known is None:
        return f"no message has the code {code[:20]!r}"
    parts = [f"# {known.id}: {known.title}", known.explanation.strip()]
    for title, text in (("For example:", known.bad), ("Put right:", known.good)):
        if text.strip():
            parts += [title, f"```rules\n{text.strip(chr(10))}\n```"]
    return "\n\n".join(parts) + "\n"


__all__ = ["AREAS", "CODES", "Code", "explanation"]
