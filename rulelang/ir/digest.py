"""IR -> a digest of what the rules do, the same on every machine.

Labels, messages, screens, spans, sites and clauses do not count: two games with this digest play alike.
"""

from __future__ import annotations

import hashlib
from typing import Any

import attrs

from rulelang.ir import model as ir
from rulelang.ir import types

SILENT = frozenset(
    (
        "around", "clauses", "label", "message", "prompt", "rules", "score", "screen", "shifts", "site", "sites", "span",
        "title",
    )
)  # fmt: skip


def rules_digest(game: ir.Game) -> str:
    """Gives 16 hexadecimal digits."""
    digest = hashlib.sha256()
    _feed(digest, game)
    return digest.hexdigest()[:16]


def _feed(digest: Any, node: Any) -> None:
    if isinstance(node, tuple):
        digest.update(b"(")
        for part in node:
            if not isinstance(part, ir.Witness):
                _feed(digest, part)
        digest.update(b")")
    elif type(node) in ir.NODES or type(node).__module__ == types.__name__:
        digest.update(type(node).__name__.encode())
        for field in attrs.fields(type(node)):
            if field.name not in SILENT:
                _feed(digest, getattr(node, field.name))
    else:
        digest.update(repr(node).encode() + b",")
