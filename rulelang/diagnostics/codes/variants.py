"""Codes E07: variants and scenarios."""

from __future__ import annotations

from rulelang.diagnostics.codes.code import Code

VARIANTS: tuple[Code, ...] = ()
