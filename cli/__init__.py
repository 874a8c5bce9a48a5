"""Turns a command line into output and an exit code: one file for each command, loaded on demand.

rulelang check nim      main -> commands.authoring.check: the diagnostics, as text or `--json`; 0, 1 with errors, 3 if a
file cannot be read

Invariant: only this room prints.
"""

from .main import main

__all__ = ["main"]
