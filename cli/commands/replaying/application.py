"""The terminal for stepping through a log: frames out, keys in."""

from __future__ import annotations

import os
from io import StringIO
from typing import TYPE_CHECKING, Any

from rich.console import Console

from ...console import is_coloured

if TYPE_CHECKING:
    from prompt_toolkit.formatted_text import ANSI

    from .viewer import Viewer

NAMES = {
    "c-m": "enter",
    "c-j": "enter",
    "c-h": "backspace",
    "c-d": "q",
}
"""Our names for keys that prompt_toolkit names differently."""
IDLE, SLICE = 0.1, 0.01
"""The seconds without a key after which later steps are computed, and the seconds of each stretch of computing."""
SPECIAL = ("up", "down", "left", "right", "pageup", "pagedown", "home", "end", "escape", *NAMES)


def show(viewer: Viewer, **terminal: Any) -> None:
    """Lets a person step through a replay until they quit;
    `terminal` are the input and output, if not this process's."""
    from prompt_toolkit.application import Application
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
    from prompt_toolkit.keys import Keys
    from prompt_toolkit.layout import Layout, Window
    from prompt_toolkit.layout.controls import FormattedTextControl

    os.environ.setdefault("PROMPT_TOOLKIT_NO_CPR", "1")
    bindings = KeyBindings()

    def press(event: KeyPressEvent, key: str) -> None:
        viewer.press(key)
        if viewer.is_over:
            event.app.exit()

    for name in SPECIAL:
        bindings.add(name, eager=name == "escape")(lambda event, name=name: press(event, NAMES.get(name, name)))
    bindings.add("c-c")(lambda event: event.app.exit(exception=KeyboardInterrupt))
    bindings.add(Keys.Any)(lambda event: press(event, event.data))
    app: Application[None]
    control = FormattedTextControl(lambda: _ansi(viewer, *app.output.get_size()[::-1]))
    app = Application(
        layout=Layout(Window(control, wrap_lines=False)), key_bindings=bindings, full_screen=True, **terminal
    )
    app.ttimeoutlen = 0.05

    def begin() -> None:
        app.create_background_task(_looking_ahead(viewer))

    app.run(pre_run=begin)


async def _looking_ahead(viewer: Viewer) -> None:
    """Computes step after step while no key is pressed."""
    from asyncio import sleep
    from time import perf_counter

    await sleep(IDLE)
    begun = perf_counter()
    for _ in viewer.playback.ahead():
        if perf_counter() - begun > SLICE:
            await sleep(0.001)
            begun = perf_counter()


def _ansi(viewer: Viewer, width: int, height: int) -> ANSI:
    """Returns a frame in the form that prompt_toolkit expects."""
    import sys

    from prompt_toolkit.formatted_text import ANSI

    from .frame import frame

    out = StringIO()
    console = Console(
        file=out,
        width=width,
        color_system="standard" if is_coloured(sys.stdout) else None,
        force_terminal=True,
        legacy_windows=False,
        soft_wrap=True,
    )
    for line in frame(viewer, width, height):
        console.print(line, markup=False, highlight=False, no_wrap=True)
    return ANSI(out.getvalue().removesuffix("\n"))
