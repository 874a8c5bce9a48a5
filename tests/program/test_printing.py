"""How often a game is printed, and that it does not matter which of its modules comes first."""

from __future__ import annotations

import pytest

from rulelang import api
from rulelang.program.pycode import compile_game, whole
from rulelang.program.pycode.function import ModulePrinter
from rulelang.program.pycode.module import Printed


@pytest.mark.parametrize("name", api.games())
def test_a_game_is_printed_anew_only_where_something_was_learnt_too_late(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = api.load(name)
    times: list[bool] = []
    printed = whole.print_module

    def noting(module: ModulePrinter) -> Printed:
        times.append(module.traced)
        return printed(module)

    monkeypatch.setattr(whole, "print_module", noting)
    one, other = (compile_game(game.ir, game.layout) for _ in range(2))
    traced, untraced = one.source(traced=True), one.source(traced=False)
    assert times.count(True) <= 2
    assert times.count(False) == 1
    assert other.source(traced=False) == untraced
    assert other.source(traced=True) == traced
