"""`rulelang lsp`: a language server for editors, on standard input and output."""

from __future__ import annotations

import os
import sys

import click

from ..exits import Refused


@click.command("lsp")
@click.option("--stdio", is_flag=True, help="Speak on standard input and output (it always does).")
def command(stdio: bool) -> None:
    """Serve an editor: faults as you type, completions, definitions, renaming, formatting.

    Editors start it themselves: docs/editors.md says how.

    \b
    Examples:
      rulelang lsp
    """
    try:
        from rulelang.language_service.server import server
    except ImportError:
        raise Refused("the language server needs the extra: pip install 'rulelang[lsp]'") from None
    # The server closes its output, and the command has its own to flush.
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as out:
        server().start_io(stdout=out)
