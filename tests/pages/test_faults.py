"""The list of faults beside the texts."""

from __future__ import annotations

from rulelang.pages.editor import ShownFault, ShownState, state_panel


def test_the_first_fault_of_each_code_says_what_the_code_means() -> None:
    faults = [
        ShownFault("nim.rules", line, 0, code, "m", True) for line, code in enumerate(("E0201", "E0106", "E0201"))
    ]
    panel = str(state_panel(ShownState((), tuple(faults))))
    assert panel.count("What E0201 means") == panel.count("What E0106 means") == 1
    assert panel.index("nim.rules:1") < panel.index("# E0201: an unknown name") < panel.index("nim.rules:2")
