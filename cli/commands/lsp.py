"""`rulelang lsp`: a language server for editors, on standard input and output."""

from __future__ import annotations

import logging
import os
import re
import sys
from typing import BinaryIO, cast

import attrs
import click

from ..exits import Refused

LONGEST_LINE, LARGEST_MESSAGE = 10_000, 64_000_000
"""The most bytes of a header's line, and of a message."""
_LENGTH = re.compile(rb"content-length:[ \t]*(\d+)\s*$", re.I)


@attrs.define
class Messages:
    """The messages on a stream, in which a header is found again behind one that gave a wrong length.

    >>> import io
    >>> messages = Messages(io.BytesIO(b'"left over"content-length: 2\\r\\n\\r\\n{}'))
    >>> messages.readline(), messages.readline(), messages.read(2)
    (b'Content-Length: 2\\r\\n', b'\\r\\n', b'{}')
    """

    stream: BinaryIO

    def readline(self) -> bytes:
        """Returns the next line of a header, without the length of a message that is too large; b"" at the end of the stream."""
        line = self.stream.readline(LONGEST_LINE)
        found = _LENGTH.search(line)
        if found is None:
            return line
        is_well = len(found[1]) < 10 and int(found[1]) <= LARGEST_MESSAGE
        return b"Content-Length: %d\r\n" % int(found[1]) if is_well else b"\r\n"

    def read(self, length: int) -> bytes:
        """Returns a message of so many bytes."""
        return self.stream.read(length)


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
    # Editors show what is logged, and pygls logs where on this machine something went wrong.
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    # The server closes its output, and the command has its own to flush.
    with os.fdopen(os.dup(sys.stdout.fileno()), "wb") as out:
        server().start_io(cast("BinaryIO", Messages(sys.stdin.buffer)), out)
