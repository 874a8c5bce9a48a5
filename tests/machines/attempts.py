"""What comes of something on a machine, so that two machines can be compared."""

from __future__ import annotations

from collections.abc import Callable

from rulelang.errors import RuntimeRules


def attempt(act: Callable[..., object], *arguments: object) -> object:
    """Returns what comes of something, or what went wrong and where."""
    try:
        return act(*arguments)
    except RuntimeRules as error:
        return type(error), str(error), error.site
