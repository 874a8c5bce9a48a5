"""What lies in sight, by its written name, with the type that a test expects."""

from __future__ import annotations

from collections.abc import Mapping

from rulelang.match.view import View
from rulelang.match.view_cache import Heap, Seen


def variable(view: View | Mapping[str, Seen | Heap], name: str) -> Seen:
    """Returns a variable of a view or of a match's state."""
    found = view[name]
    assert isinstance(found, Seen)
    return found


def zone(view: View | Mapping[str, Seen | Heap], name: str) -> Heap:
    """Returns a zone of a view or of a match's state."""
    found = view[name]
    assert isinstance(found, Heap)
    return found
