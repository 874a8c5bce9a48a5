"""Random games by the rules as they were -> how many of them go the same way by the rules as they are now.

await sample.run(Rules.of(service, entry, variants), show)        in a process of its own, in small portions

The games are played once, by the rules at the beginning; by other rules their choices are the players' intentions, and
a game that ends later is played on at random.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from functools import lru_cache, partial
from io import BytesIO
from pathlib import Path
from typing import Literal, ParamSpec, TypeAlias, TypeVar

import attrs

from rulelang.api import Game
from rulelang.api.checking import check_texts
from rulelang.errors import RulelangError
from rulelang.lab.bots import bot
from rulelang.lab.seat_view import SeatView
from rulelang.log.format import Log
from rulelang.log.reading import parse_log
from rulelang.pages.editor import ShownSample
from rulelang.playouts.rng import RandomStream
from rulelang.texts.model import Overlay
from rulelang.texts.reader import Disk
from rulelang.workbench.divergence import retell
from rulelang.workbench.divergence_report import Policy

MANY = 200
"""The number of games."""
PORTION = 4
"""The number of games that are played before anything else is looked at."""
MOST_CHOICES = 400
"""The choices after which a game is left as it is."""
STOP: signal.Signals | None = getattr(signal, "SIGUSR1", None)
"""The signal that stops what the other process does, where there is one; else it stops after a portion."""
P = ParamSpec("P")
T = TypeVar("T")
Course: TypeAlias = Literal["same", "course", "winner"]
"""The course of a game by other rules: the same, another one to the same winner, another winner."""


@attrs.frozen
class EditedRules:
    """The texts of a game in place of those on the disk."""

    entry: Path
    variants: tuple[str, ...]
    over: tuple[tuple[Path, str], ...] = attrs.field(repr=False)

    @classmethod
    def of(cls, entry: Path, variants: tuple[str, ...], texts: Mapping[Path, str]) -> EditedRules:
        """Returns the rules of some texts."""
        return cls(entry, variants, tuple(sorted(texts.items())))


@lru_cache(maxsize=2)
def _game(rules: EditedRules) -> Game:
    game = check_texts(Overlay(Disk(), dict(rules.over)), rules.entry, rules.variants).rules
    if game is None:
        raise RulelangError("these rules have errors")
    return game


def play(rules: EditedRules, players: int, seeds: range) -> list[bytes]:
    """Returns the logs of random games, one for each seed."""
    return [played_at_random(_game(rules), players, seed) for seed in seeds]


def played_at_random(game: Game, players: int, seed: int) -> bytes:
    """Returns the log of a random game."""
    match, who = game.start(players, seed, executor="generated"), bot("random")
    try:
        while match.to_move and match.inputs < MOST_CHOICES:
            seat = match.to_move[0]
            match.push(who.choose(SeatView(match, seat, RandomStream(str(seed), "bot", seat, match.inputs))))
    except RulelangError:
        # A fault of the rules ends the game, which is as good as any other.
        pass
    return Log.of(match.header, match).text.encode()


def compare(rules: EditedRules, logs: list[bytes]) -> list[tuple[Course, int]]:
    """Returns the course of each game by other rules, and by how many choices it is longer."""
    return [compared(_game(rules), log) for log in logs]


def compared(game: Game, text: bytes) -> tuple[Course, int]:
    """Returns the course of a game by other rules, and by how many choices it is longer."""
    log = parse_log(BytesIO(text))
    try:
        told = retell(log, game, Policy.BOT, "random")
    except RulelangError:
        return "winner", 0
    if told.is_unchanged:
        return "same", 0
    tally = told.tally
    return "course" if told.keeps_winner else "winner", tally.taken + tally.replaced + tally.added - log.inputs


@attrs.define(eq=False)
class OtherProcess:
    """A process beside this one, begun with its first work; in a browser's Python, which has but one, a thread."""

    _pool: Executor | None = None
    _id: int = 0

    async def do(self, work: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
        """Does some work in the other process; cancelling stops it there as well."""
        loop = asyncio.get_running_loop()
        if sys.platform == "emscripten":
            return await loop.run_in_executor(None, partial(work, *args, **more))
        if self._pool is None:
            import multiprocessing
            from concurrent.futures import ProcessPoolExecutor

            self._pool = ProcessPoolExecutor(1, multiprocessing.get_context("spawn"), _get_ready)
        if not self._id:
            self._id = await loop.run_in_executor(self._pool, os.getpid)
        try:
            return await loop.run_in_executor(self._pool, partial(_until_stopped, work, *args, **more))
        except asyncio.CancelledError:
            if STOP is not None:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(self._id, STOP)
            raise

    def close(self) -> None:
        """Ends the process."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


class WorkStopped(Exception):
    """Raised in the other process where its work is stopped."""


def _until_stopped(work: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
    """Does some work until it is done, or a signal stops it. Raises WorkStopped."""
    if STOP is None:
        return work(*args, **more)
    signal.signal(STOP, _stop)
    try:
        return work(*args, **more)
    finally:
        signal.signal(STOP, signal.SIG_IGN)


def _stop(_number: int, _frame: object) -> None:
    raise WorkStopped


def _get_ready() -> None:
    """Lets this process go on at a signal for work that is done already, and end when the one that started it has ended,
    however that ended: a process of a pool holds both ends of its queue, and would wait at it for ever."""
    import multiprocessing

    if STOP is not None:
        signal.signal(STOP, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


@attrs.define(eq=False)
class Sample:
    """The games of one desk."""

    before: EditedRules
    players: int
    many: int = MANY
    logs: list[bytes] = attrs.field(factory=list)
    found: list[tuple[Course, int]] = attrs.field(factory=list)
    _opened: Counter[str] = attrs.field(factory=Counter)
    """By course: how many of its games have been asked for."""
    _other: OtherProcess = attrs.field(factory=OtherProcess)

    async def run(self, rules: EditedRules, show: Callable[[], None]) -> None:
        """Plays the games by other rules, portion by portion; cancelling stops it at once."""
        self.forget()
        if rules == self.before:
            show()
            return
        for first in range(0, self.many, PORTION):
            if len(self.logs) <= first:
                seeds = range(first, first + PORTION)
                self.logs += await self._other.do(play, self.before, self.players, seeds)
            logs = self.logs[first : first + PORTION]
            self.found += await self._other.do(compare, rules, logs)
            show()

    def forget(self) -> None:
        """Forgets what was found by rules that have changed since."""
        self.found, self._opened = [], Counter()

    def next(self, course: str) -> bytes | None:
        """Returns the log of a game that takes a course, each time another one, in turn; None if none does."""
        logs = [log for log, (found, _) in zip(self.logs, self.found, strict=False) if found == course]
        self._opened[course] += 1
        return logs[(self._opened[course] - 1) % len(logs)] if logs else None

    @property
    def shown(self) -> ShownSample | None:
        """The figures; None if there are none."""
        if not self.found:
            return None
        count = {course: sum(found == course for found, _ in self.found) for course in ("same", "course", "winner")}
        longer = sum(more for _, more in self.found) / len(self.found)
        return ShownSample(len(self.found), self.many, count["same"], count["course"], count["winner"], longer)

    def close(self) -> None:
        """Ends the process."""
        self._other.close()
