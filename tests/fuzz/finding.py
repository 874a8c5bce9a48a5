"""What an attack has found: the input, and what does not hold of it."""

from __future__ import annotations


class Finding(AssertionError):
    """Something that should hold of any input does not hold of this one."""

    def __init__(self, what: str, content: str | bytes) -> None:
        self.what = what
        self.content = content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass")
        super().__init__(f"{what}\n{self.content[:2000]!r}")
