"""How fast a choice reaches every page of its table, with one table open and with 200: `python benchmarks/tables.py`.

A server of its own is started. Clients open 200 tables of Outspeed, each with 4 people, and keep a page open for each
seat. First one table is played while the others have no page; then all are, each choice some seconds after the last,
as people do. Latency is from the click's message until the last page of the table has its new frame. The memory is
that of the server, by table.
"""

from __future__ import annotations

import argparse
import asyncio
import html
import json
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from pathlib import Path

import attrs
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin

SEATS = 4
PATIENCE = 5.0
"""The seconds after which a frame counts as lost."""
CHOICE = re.compile(r'data-choose="([^"]*)"(?! data-member)')
STEP = re.compile(r'data-step="(\d+)"')
FORM = {"game": "outspeed", "players": str(SEATS), **{f"seat-{seat}": "link" for seat in range(1, SEATS + 1)}}


@attrs.define
class Client:
    """The pages of one table's people."""

    sockets: list[ClientConnection]
    mains: list[str]
    rng: random.Random

    async def choose(self) -> float | None:
        """Makes a choice at a seat that is asked; returns the seconds until all pages show it, None if none is asked."""
        asked = [seat for seat, main in enumerate(self.mains) if 'id="asking"' in main and CHOICE.search(main)]
        if not asked:
            return None
        seat = self.rng.choice(asked)
        step = STEP.search(self.mains[seat])
        assert step is not None
        said = {"do": "choose", "text": html.unescape(self.rng.choice(CHOICE.findall(self.mains[seat])))}
        start = time.perf_counter()
        await self.sockets[seat].send(json.dumps(said | {"step": int(step[1])}))
        times = await asyncio.gather(*(self._frame(one) for one in range(len(self.sockets))))
        return max(times) - start

    async def _frame(self, seat: int) -> float:
        """Waits for the next frame of a page, and for those that follow at once; returns when the first was there."""
        first = 0.0
        while True:
            try:
                text = await asyncio.wait_for(self.sockets[seat].recv(), 0.05 if first else PATIENCE)
            except TimeoutError:
                return first or time.perf_counter()
            first = first or time.perf_counter()
            self.mains[seat] = json.loads(text).get("main", self.mains[seat])


def opened(base: str, seed: int) -> list[str]:
    """Opens a table by the form of the shelf; returns the addresses of its seats' sockets."""
    body = urllib.parse.urlencode(FORM | {"seed": str(seed)}).encode()
    asked = urllib.request.Request(base + "/", body, {"Origin": base})
    with urllib.request.urlopen(asked) as answer:
        links = re.findall(r'href="(http[^"]*/t/[^"]*)"', answer.read().decode())
    return [f"{link.replace('http', 'ws', 1)}/live" for link in links[:SEATS]]


async def seated(addresses: list[str], seed: int) -> Client:
    """Opens a page for each seat of a table."""
    origin = Origin(addresses[0].replace("ws", "http", 1).partition("/t/")[0])
    sockets = [await connect(address, origin=origin, max_size=None, compression=None) for address in addresses]
    mains = [json.loads(await socket.recv())["main"] for socket in sockets]
    return Client(sockets, mains, random.Random(seed))


async def played(clients: list[Client], seconds: float, pause: float) -> list[float]:
    """Lets all tables choose for some seconds, each after a random pause; returns the latencies."""
    until, found = time.monotonic() + seconds, list[float]()

    async def play(client: Client) -> None:
        await asyncio.sleep(client.rng.uniform(0, min(pause, seconds)))
        while time.monotonic() < until:
            took = await client.choose()
            if took is None:
                return
            found.append(took)
            await asyncio.sleep(min(client.rng.uniform(0.5, 1.5) * pause, max(until - time.monotonic(), 0)))

    await asyncio.gather(*map(play, clients))
    return found


def resident(process: int) -> float:
    """Returns the resident memory of a process in MB."""
    pages = Path(f"/proc/{process}/statm").read_text().split()[1]
    return int(pages) * resource.getpagesize() / 1e6


def said(name: str, found: list[float]) -> float:
    """Prints the latencies of one phase; returns their 99th percentile."""
    ordered = sorted(found)
    last = ordered[min(int(len(ordered) * 0.99), len(ordered) - 1)]
    print(f"{name}: {len(found)} choices, median {statistics.median(found) * 1e3:.1f} ms, p99 {last * 1e3:.1f} ms")
    return last


async def measured(base: str, process: int, tables: int, seconds: float, pause: float) -> None:
    """Measures one table alone, then all."""
    print(f"memory before any table: {resident(process):.0f} MB")
    for several in (tables // 4, tables // 4, tables - 2 * (tables // 4)):
        places = [await asyncio.to_thread(opened, base, seed) for seed in range(several)]
        everything.extend(places)
        print(f"memory with {len(everything)} tables: {resident(process):.0f} MB")
    alone: list[float] = []
    for number, place in enumerate(everything[:12]):
        client = await seated(place, number)
        alone += await played([client], seconds / 12, 0.1)
        for socket in client.sockets:
            await socket.close()
    idle = said("one table at a time", alone)
    clients = [await seated(place, number) for number, place in enumerate(everything[12:], start=12)]
    print(f"memory with {sum(len(c.sockets) for c in clients)} open pages: {resident(process):.0f} MB")
    busy = said(f"{len(clients)} tables, a choice in {pause:.0f} s each", await played(clients, seconds, pause))
    print(f"p99 of many / of one: {busy / idle:.2f}; memory afterwards {resident(process):.0f} MB")


everything: list[list[str]] = []


def main() -> None:
    """Starts a server and measures it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=212)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pause", type=float, default=20, help="seconds between the choices at a table")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "rulelang.cli", "serve", "--port", "0", "--no-open", "--games", folder]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            base = server.stdout.readline().strip().rstrip("/")
            try:
                asyncio.run(measured(base, server.pid, asked.tables, asked.seconds, asked.pause))
            finally:
                server.kill()


if __name__ == "__main__":
    main()
