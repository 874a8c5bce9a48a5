"""Codes R06: faults that stop a running game."""

from __future__ import annotations

from rulelang.diagnostics.codes.code import Code

RUNTIME: tuple[Code, ...] = ()
