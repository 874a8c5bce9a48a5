"""Codes R06: what stops a running game."""

from __future__ import annotations

from rulelang.diagnostics.codes.code import Code

RUNTIME: tuple[Code, ...] = ()
