"""Bots at a live table: one that thinks for long holds up nobody's page, and answers the table as it is then."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path
from typing import Any

from rulelang.lab.bots import Bot
from rulelang.lab.seat_view import SeatView
from rulelang.match.options.option import Option
from rulelang.web.live import LiveTable
from tests.files import ROOT
from tests.web.site import hall_in

TIC_TAC_TOE = str(ROOT / "tests/classics/tic_tac_toe.rules")
SOON = 5
"""The seconds within which a page must be answered."""


class _Slow:
    """A bot that thinks until it is let go."""

    def __init__(self) -> None:
        self.begun, self.may_answer, self.times = threading.Event(), threading.Event(), 0

    def choose(self, seen: SeatView) -> Option:
        """Takes the first option, once it may."""
        self.times += 1
        self.begun.set()
        self.may_answer.wait(60)
        return seen.options.first(1)[0]


def _table(folder: Path) -> tuple[LiveTable, _Slow]:
    slow = _Slow()
    live = hall_in(folder).open(TIC_TAC_TOE, seats=("cross=me",), seed=1, allow_undo=True)
    live.table.seats = (None, Bot("slow", "thinks", slow.choose))
    return live, slow


async def _next(frames: Any) -> dict[str, Any]:
    message = await asyncio.wait_for(anext(frames), SOON)
    assert isinstance(message, dict)
    return message


def test_pages_open_and_questions_are_answered_while_a_bot_thinks(tmp_path: Path) -> None:
    live, slow = _table(tmp_path)

    async def play() -> None:
        page = live.opened(("seat 0",))
        frames = live.frames(page)
        await _next(frames)
        await live.say(page, {"do": "choose", "text": "put(b2)", "step": live.sittings["seat 0"].step})
        assert await asyncio.to_thread(slow.begun.wait, SOON)
        other = live.frames(live.opened(("seat 0",)))
        assert "nought</b> is choosing" in (await _next(other))["main"]
        watching = live.opened(("watch",))
        assert "b2: cross" in (await _next(live.frames(watching)))["main"]
        reply = await asyncio.wait_for(live.say(page, {"do": "why", "text": "b2", "step": 0}), SOON)
        assert reply is not None
        assert "dialog" in reply
        slow.may_answer.set()
        while "a1: nought" not in (await _next(frames))["main"]:
            pass

    asyncio.run(play())
    assert slow.times == 1


def test_a_choice_is_taken_back_while_a_bot_thinks_and_its_answer_comes_to_nothing(tmp_path: Path) -> None:
    live, slow = _table(tmp_path)

    async def play() -> None:
        page = live.opened(("seat 0",))
        frames = live.frames(page)
        await _next(frames)
        sitting = live.sittings["seat 0"]
        await live.say(page, {"do": "choose", "text": "put(b2)", "step": sitting.step})
        assert await asyncio.to_thread(slow.begun.wait, SOON)
        assert await asyncio.wait_for(live.say(page, {"do": "undo"}), SOON) is None
        assert live.table.asked == 0
        await live.say(page, {"do": "choose", "text": "put(c3)", "step": sitting.step})
        slow.may_answer.set()
        while "a1: nought" not in (main := (await _next(frames))["main"]):
            pass
        assert "c3: cross" in main
        assert "b2: " not in main

    asyncio.run(play())
    assert slow.times == 2
