"""What tests of machines ask for by name."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

from rulelang.program.python.playing import PlainPlay

if TYPE_CHECKING:
    from rulelang.machines.native.code import Native


@pytest.fixture
def every_step_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps single steps from the code of playouts, which pays for the most that a block can cost."""
    monkeypatch.setattr(PlainPlay, "_gains", lambda self: False)


@pytest.fixture
def code_is_optimised(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets games run optimised machine code from their first step."""
    if find_spec("llvmlite") is None:
        return
    from rulelang.machines.native import code, game

    def settled(*given: Any) -> Native:
        native = code.made(*given)
        native.settle()
        return native

    monkeypatch.setattr(game, "made", settled)
