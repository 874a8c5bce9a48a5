"""Tasks -> tasks that are done, by this process, by processes of this machine, or by machines of a Dask cluster.

    Alone()            one after the other, here
    Processes(2)       two processes
    Dask(None, 2)      a local cluster of two workers;  Dask("tcp://lab:8786")  a cluster that runs already

Results are in files, so a worker says only that it is done. Invariant: a task whose worker dies is given to another.
"""

from __future__ import annotations

import importlib
import logging
import signal
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack
from typing import Any, Protocol, TypeVar

import attrs

from rulelang.errors import RulelangError

T = TypeVar("T", bound=Hashable)
WINDOW = 4
"""The tasks under way for each worker, including those that wait."""


class Workers(Protocol):
    """Those who do tasks."""

    def done(self, work: Callable[[T], T], tasks: Sequence[T], tries: int) -> Iterator[T]:
        """Yields tasks as they are done, in any order; raises what a task raises, RulelangError if its workers die."""


@attrs.frozen
class Alone:
    """This process."""

    def done(self, work: Callable[[T], T], tasks: Sequence[T], tries: int) -> Iterator[T]:
        yield from map(work, tasks)


@attrs.frozen
class Processes:
    """Processes of this machine."""

    count: int

    def done(self, work: Callable[[T], T], tasks: Sequence[T], tries: int) -> Iterator[T]:
        left, failed = list(tasks), Counter[T]()
        while left:
            # Ctrl-C is meant for this process.
            pool = ProcessPoolExecutor(self.count, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN))
            try:
                for task in _windowed(pool, work, left, self.count * WINDOW):
                    left.remove(task)
                    yield task
            except BrokenProcessPool:
                failed.update(left[: self.count * WINDOW])
                if failed.most_common(1)[0][1] >= tries:
                    raise RulelangError("workers died again and again; is there enough memory?") from None
            finally:
                pool.shutdown(cancel_futures=True)


def _windowed(pool: ProcessPoolExecutor, work: Callable[[T], T], tasks: Sequence[T], window: int) -> Iterator[T]:
    """Yields tasks as they are done; no more than a window of them is given to the pool at once."""
    waiting, running = iter(list(tasks)), set[Future[T]]()
    while True:
        while len(running) < window and (task := next(waiting, None)) is not None:
            running.add(pool.submit(work, task))
        if not running:
            return
        done, running = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            yield future.result()


@attrs.frozen
class Dask:
    """The workers of a Dask cluster: one that runs at an address, or processes of this machine."""

    address: str | None = None
    count: int = 1

    def done(self, work: Callable[[T], T], tasks: Sequence[T], tries: int) -> Iterator[T]:
        distributed = _distributed()
        with ExitStack() as opened:
            # This program says itself what has happened.
            for logger in ("distributed", "distributed.client"):
                logging.getLogger(logger).setLevel(logging.CRITICAL)
            where = self.address or opened.enter_context(
                distributed.LocalCluster(n_workers=self.count, threads_per_worker=1, dashboard_address=None)
            )
            try:
                client = opened.enter_context(distributed.Client(where, timeout="20s"))
            except (OSError, TimeoutError, ValueError) as failure:
                raise RulelangError(f"no Dask scheduler answers at {self.address}: {failure}") from None
            try:
                yield from _submitted(client, distributed.as_completed(), work, tasks, tries, self.count)
            except RulelangError:
                raise
            except Exception:
                # A client that has lost its scheduler fails in many ways, which differ between versions of Dask.
                if client.status == "running":
                    raise
                whose = f"at {self.address}" if self.address else "of this machine"
                raise RulelangError(f"the Dask scheduler {whose} is gone; repeat the command to go on") from None


def _distributed() -> Any:
    try:
        return importlib.import_module("distributed")
    except ImportError:
        raise RulelangError("Dask is not installed: pip install 'rulelang[lab]'") from None


def _submitted(
    client: Any, watched: Any, work: Callable[[T], T], tasks: Sequence[T], tries: int, workers: int
) -> Iterator[T]:
    """Yields tasks as a cluster has done them; one whose worker died is submitted again."""
    waiting, failed = iter(list(tasks)), Counter[T]()
    going: dict[Any, T] = {}

    def send(task: T | None) -> None:
        if task is not None:
            future = client.submit(work, task, pure=False)
            going[future.key] = task
            watched.add(future)

    for _ in range(max(len(client.scheduler_info()["workers"]), workers) * WINDOW):
        send(next(waiting, None))
    for future in watched:
        task = going.pop(future.key)
        if future.status == "finished":
            yield task
            send(next(waiting, None))
            continue
        if future.status != "error" and client.status != "running":
            # All futures are cancelled when the scheduler dies. What is sent from now on may never come back.
            raise ConnectionError
        failure = future.exception() if future.status == "error" else f"it was {future.status}"
        failed[task] += 1
        if isinstance(failure, RulelangError):
            raise failure
        if failed[task] >= tries:
            raise RulelangError(f"a chunk failed {tries} times: {failure}")
        send(task)
