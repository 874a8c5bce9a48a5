"""A table that is played by people behind links and by bots: choices in, frames out.

live = LiveTable("k3v9…", table, library.title)
await live.say("seat 0", {"do": "choose", "text": "b2", "step": 4})
async for frame in live.frames("seat 0"): …
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Mapping
from time import monotonic
from typing import Any

import attrs

from rulelang.errors import IllegalOption, LogError, RulelangError, RuntimeRules, UnknownOption
from rulelang.ir.numbers import Seat
from rulelang.match.options.option import Option
from rulelang.pages.answers import meanings, reasons
from rulelang.pages.ink import Ink
from rulelang.session.after.course import courses
from rulelang.session.clock import Timer
from rulelang.session.line import sentences
from rulelang.session.table import GameTable
from rulelang.web.links import WATCH
from rulelang.web.sitting import Sitting

PACE = 0.7
"""The seconds between the choices of bots, so that people can follow them."""
MOST_WAITING = 8
"""The most frames that wait for a slow page; it gets the newest."""


@attrs.define
class LiveTable:
    """One table, the seats at it, and the pages that are open."""

    id: str
    table: GameTable
    title: str
    pace: float = PACE
    sittings: dict[str, Sitting] = attrs.field(init=False)
    is_hurried: bool = False
    trouble: str = ""
    clock: Timer | None = None
    again: Callable[[str], str] | None = None
    """Returns the path of a seat at the next table for the same people, which is opened at the first call."""
    _pages: dict[str, set[asyncio.Queue[dict[str, Any]]]] = attrs.field(factory=dict)
    _lock: asyncio.Lock = attrs.field(factory=asyncio.Lock)
    _task: asyncio.Task[None] | None = None
    _review: asyncio.Task[None] | None = None
    """Works out the course of a game that is over."""
    _alarm: asyncio.TimerHandle | None = None

    def __attrs_post_init__(self) -> None:
        ledger = sentences(self.table.game)
        people = {f"seat {seat}": Seat(seat) for seat in range(self.table.match.players)}
        self.sittings = {
            who: Sitting(self.table, seat, self.title, ledger) for who, seat in {**people, WATCH: None}.items()
        }
        self._pages = {who: set() for who in self.sittings}
        for sitting in self.sittings.values():
            sitting.renew()

    # -------------------------------------------------------------- pages

    async def frames(self, who: str) -> AsyncGenerator[dict[str, Any], None]:
        """Yields the messages for one page of a seat: its frames, the first at once, and notices."""
        queue: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        async with self._lock:
            queue.put_nowait(self._message(who))
            self._pages[who].add(queue)
        self.go_on()
        try:
            while True:
                message = await queue.get()
                while queue.qsize() > MOST_WAITING:
                    message = queue.get_nowait()
                yield message
        finally:
            self._pages[who].discard(queue)

    @property
    def open_pages(self) -> int:
        """The number of pages that are open."""
        return sum(map(len, self._pages.values()))

    def _message(self, who: str) -> dict[str, Any]:
        message: dict[str, Any] = {"main": self.sittings[who].frame(self.trouble)}
        sitting = self.sittings[who]
        if self.clock is not None and sitting.dialogue is not None:
            message["clock"] = {"left": self.clock.remaining() / self.clock.per_second, "name": self.clock.name}
        return message

    def _tell(self) -> None:
        """Sends a frame to the pages of each seat whose picture has changed."""
        for who, sitting in self.sittings.items():
            if self._pages[who]:
                before = sitting.shown
                message = self._message(who)
                if sitting.shown != before:
                    for queue in self._pages[who]:
                        queue.put_nowait(message)

    # -------------------------------------------------------------- what people do

    async def say(self, who: str, said: Mapping[str, Any]) -> dict[str, Any] | None:
        """Does what a page asks for; returns a message for that page alone, if there is something to say."""
        sitting = self.sittings[who]
        what, text = said.get("do"), str(said.get("text", ""))
        if what == "skip":
            self.is_hurried = True
            return None
        async with self._lock:
            try:
                return self._do(sitting, str(what), text, said)
            except (UnknownOption, IllegalOption) as error:
                return {"notice": str(error)}
            except RulelangError as error:
                return {"notice": self.table.fault_said(error) if isinstance(error, RuntimeRules) else str(error)}
            finally:
                self._tell()
                self.go_on()

    def _do(self, sitting: Sitting, what: str, text: str, said: Mapping[str, Any]) -> dict[str, Any] | None:
        match what:
            case "why":
                return {"dialog": reasons(sitting.table, sitting.dialogue, text, Ink.of_match(self.table.match))}
            case "what":
                return {"dialog": meanings(sitting.table, sitting.seat, text, Ink.of_match(self.table.match))}
            case _ if sitting.seat is None:
                return {"notice": "This link is for watching"}
            case "again" if self.again is not None and self.table.asked is None:
                for who, pages in self._pages.items():
                    for queue in pages:
                        queue.put_nowait({"go": self.again(who)})
                return None
            case "choose" | "toggle" | "done" | "back" | "undo" if self.trouble:
                return {"notice": self.trouble}
            case "choose" | "toggle" | "done" if said.get("step") != sitting.step:
                return {"notice": "The table has moved on: look again"} | self._frame_of(sitting)
            case "choose":
                self._choose(sitting, sitting.answer(text))
            case "toggle":
                sitting.toggle(text)
            case "done":
                self._choose(sitting, sitting.done())
            case "back":
                sitting.back()
            case "undo":
                self._undo(sitting.seat)
            case _:  # a word that no page of this server sends
                return {"notice": "That is not understood"}
        return None

    def _frame_of(self, sitting: Sitting) -> dict[str, Any]:
        return self._message(next(who for who, one in self.sittings.items() if one is sitting))

    def _choose(self, sitting: Sitting, option: Option | None) -> None:
        if option is not None:
            elapsed = None if self.clock is None else self.clock.elapsed()
            sitting.has_chosen()
            self._take(option, elapsed)

    def _take(self, option: Option, elapsed: int | None = None) -> None:
        choice = self.table.match.choice
        try:
            self.table.take(option, elapsed)
        except RuntimeRules as fault:
            self.trouble = self.table.fault_said(fault)
        except LogError as error:
            self.trouble = str(error)
        self._renew(is_sealed=choice is not None and choice.sealed and self.table.match.choice is choice)

    def _undo(self, seat: Seat) -> None:
        elapsed = None if self.clock is None else self.clock.elapsed()
        self.table.take_back(seat, elapsed=elapsed)
        self._renew()

    def _renew(self, *, is_sealed: bool = False) -> None:
        for sitting in self.sittings.values():
            sitting.renew(is_sealed=is_sealed)
            if self.trouble:
                sitting.dialogue, sitting.picked = None, ()
        if self._review is not None and self.table.asked is not None:
            # The end has been taken back.
            self._review = None
            for sitting in self.sittings.values():
                sitting.course = None
        self._wind()

    async def lay(self, table: GameTable, trouble: str = "") -> None:
        """Lays another game of as many seats on the table, in place of the one there; with a `trouble`, nobody chooses
        until another is laid. Its log takes the place of the other. Raises LogError."""
        async with self._lock:
            path = self.table.log
            self.table.close()
            if path is not None:
                path.unlink()
                table.write_to(path)
            self.table, self.trouble = table, trouble
            for sitting in self.sittings.values():
                sitting.lay(table)
            self._renew()
            self._tell()
        self.go_on()

    # -------------------------------------------------------------- bots and clocks

    def go_on(self) -> None:
        """Lets bots choose, as long as it is for them to choose and somebody looks."""
        if self._task is None or self._task.done():
            asked = None if self.trouble else self.table.asked
            if self.table.match.outcome is not None:
                self._look_back()
            elif asked is not None and self.table.is_bot(asked):
                self._task = asyncio.get_running_loop().create_task(self._bots())
            elif self.clock is None:
                self._wind()

    async def _bots(self) -> None:
        """Plays for the bots that are asked, at a pace that people can follow."""
        while True:
            async with self._lock:
                asked = None if self.trouble else self.table.asked
                if asked is None or not self.table.is_bot(asked):
                    self.is_hurried = False
                    self._wind()
                    self._tell()
                    self._look_back()
                    return
                try:
                    option = await asyncio.to_thread(self.table.bot_option)
                except RulelangError as error:
                    self.trouble = str(error)
                    self._tell()
                    return
                self._take(option)
                self._tell()
            if not self.is_hurried and self.open_pages:
                await asyncio.sleep(self.pace)
            else:
                await asyncio.sleep(0)

    def _look_back(self) -> None:
        """Lets the course of the scores be worked out, once, for a game that is over."""
        if self._review is None and self.table.match.outcome is not None:
            self._review = asyncio.get_running_loop().create_task(self._courses())

    async def _courses(self) -> None:
        """Works out the course of the scores for each seat, and shows it."""
        seats = {who: sitting.seat for who, sitting in self.sittings.items()}
        with contextlib.suppress(RulelangError, OSError):
            found = await asyncio.to_thread(courses, self.table, seats)
            async with self._lock:
                for who, course in found.items():
                    self.sittings[who].course = course
                self._tell()

    def _wind(self, now: Callable[[], float] = monotonic) -> None:
        """Starts the clock of the pending choice, if it has one and a person is asked."""
        if self._alarm is not None:
            self._alarm.cancel()
        self.clock = self._alarm = None
        asked = None if self.trouble else self.table.asked
        if asked is None or self.table.is_bot(asked):
            return
        self.clock = self.table.timer(now)
        if self.clock is not None:
            left = max(self.clock.remaining() / self.clock.per_second, 0) + 0.05
            self._alarm = asyncio.get_running_loop().call_later(left, self._ring)

    def _ring(self) -> None:
        """Answers for a person whose clock has run out."""
        asked, clock = self.table.asked, self.clock
        sitting = self.sittings.get(f"seat {asked}")
        if clock is None or sitting is None or sitting.dialogue is None:
            return
        self._take(sitting.dialogue.options[0], clock.left + 1)
        self._tell()
        self.go_on()

    def close(self) -> None:
        """Closes the log. Raises LogError if it cannot be written."""
        for task in (self._task, self._review):
            if task is not None:
                task.cancel()
        if self._alarm is not None:
            self._alarm.cancel()
        self.table.close()
