"""The ways in which a question at the terminal ends without an option: each is raised to the table, which asks again or stops."""

from __future__ import annotations


class Left(Exception):
    """Raised if the person quits or the input ends: `why` says which; `is_interrupted` is for Ctrl-C."""

    def __init__(self, why: str, *, is_interrupted: bool = False) -> None:
        self.why, self.is_interrupted = why, is_interrupted
        super().__init__(why)


class HasAnswered(Exception):
    """Raised after the table has taken an answer that stands, so that it asks again whose turn it is."""


class TakenBack(Exception):
    """Raised after a choice was taken back, so that the table asks again whose turn it is."""
