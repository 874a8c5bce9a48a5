"""What tests of machines ask for by name."""

from __future__ import annotations

import pytest

from rulelang.program.python.playing import PlainPlay


@pytest.fixture
def every_step_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps single steps from the code of playouts, which pays for the most that a block can cost."""
    monkeypatch.setattr(PlainPlay, "_gains", lambda self: False)
