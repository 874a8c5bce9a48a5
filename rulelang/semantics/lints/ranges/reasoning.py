"""The complete reasoner, assembled from its parts.

x + 1 in 1..4       x is 0..3
s.owner != none     neither s.owner nor s is none
"""

from __future__ import annotations

import attrs

from rulelang.semantics.lints.ranges.assumptions import Assumptions
from rulelang.semantics.lints.ranges.consequences import Consequences
from rulelang.semantics.lints.ranges.expressions import Estimates
from rulelang.semantics.lints.ranges.sets import Memberships


@attrs.define
class Reasoning(Estimates, Memberships, Assumptions, Consequences):
    """Answers every question about the expressions of one game."""
