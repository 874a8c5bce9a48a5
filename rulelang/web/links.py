"""A table and a seat -> an unguessable link; nothing is stored but one key for each folder of tables.

Links(key).token("k3v9…", "seat 0")      "p2uxw…": the same for the same key, table and seat
"""

from __future__ import annotations

import base64
import contextlib
import hmac
import os
import secrets
from hashlib import sha256
from pathlib import Path

import attrs

KEY_FILE = "links.key"
"""The file in a folder of tables from which its links are made."""
KEY_SIZE = 32
TOKEN_SIZE = 26
"""The characters of a token: 130 bits."""
HOST = "host"
WATCH = "watch"
UNDO_AT_ANY_TIME = "-undo"
"""The end of the name of a table at which choices may be taken back at any time."""


@attrs.frozen
class Links:
    """The links of one folder of tables."""

    key: bytes = attrs.field(repr=False)

    @classmethod
    def of(cls, folder: Path) -> Links:
        """Returns the links of a folder; makes its key at first, readable by its owner alone. Raises OSError."""
        path = folder / KEY_FILE
        with contextlib.suppress(FileExistsError):
            file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with open(file, "wb") as fresh:
                fresh.write(secrets.token_bytes(KEY_SIZE))
        return cls(path.read_bytes())

    def token(self, table: str, who: str) -> str:
        """Returns the token of a seat (`seat 0`), of the spectators (WATCH) or of the host (HOST) of a table."""
        digest = hmac.new(self.key, f"{table}\0{who}".encode(), sha256).digest()
        return base64.b32encode(digest).decode().casefold()[:TOKEN_SIZE]

    def who(self, table: str, token: str, seats: int) -> str | None:
        """Returns whose token it is: `seat 0`, WATCH or HOST; None if it is nobody's."""
        known = (*(f"seat {seat}" for seat in range(seats)), WATCH, HOST)
        # All are compared, in constant time, so that a wrong token tells nothing.
        found = [who for who in known if hmac.compare_digest(self.token(table, who).encode(), token.encode())]
        return found[0] if found else None

    def together(self, table: str, tokens: str, seats: int) -> tuple[str, ...]:
        """Returns those whose tokens a link holds: one, or several seats that share a page; () if any is nobody's."""
        several = tokens.split(".")[: seats + 1]
        found = tuple(who for one in several if (who := self.who(table, one, seats)) is not None)
        if len(found) != len(several) or len(set(found)) != len(found):
            return ()
        return found if len(found) == 1 or all(who.startswith("seat ") for who in found) else ()


def table_id(*, allow_undo: bool = False) -> str:
    """Returns a fresh name for a table, which says whether choices are taken back there at any time: beside the key, the log
    and what stands beforehand, it is all that a server finds again."""
    name = base64.b32encode(secrets.token_bytes(10)).decode().casefold()
    return name + UNDO_AT_ANY_TIME if allow_undo else name
