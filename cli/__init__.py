"""The command line: one file a command, loaded when it is asked for.

rulelang check nim      main -> commands.authoring.check: the faults, as text or `--json`; 0, 1 with errors, 3 if it cannot be read

Invariant: only this room prints.
"""

from .main import main

__all__ = ["main"]
