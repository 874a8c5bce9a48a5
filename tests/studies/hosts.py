"""Several hosts on one machine: network namespaces with an address each, on a bridge of their own.

    with network(3) as (first, second, third):
        first.start("python3", "-m", "http.server")
        second.kill()                                     everything that runs there dies at once

They are made by whoever may make them (root, with iproute2), and removed at the end.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import attrs


@attrs.frozen
class Host:
    """A network namespace and its address."""

    name: str
    address: str

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        """Starts a program on this host."""
        command = ["ip", "netns", "exec", self.name, *words]
        return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def kill(self) -> None:
        """Kills all that runs on this host."""
        pids = subprocess.run(["ip", "netns", "pids", self.name], capture_output=True, check=True).stdout.split()
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)


@contextmanager
def network(count: int) -> Iterator[tuple[Host, ...]]:
    """Makes hosts that reach each other and nothing else; raises OSError where that is not allowed."""
    if shutil.which("ip") is None:
        raise OSError("there is no `ip`")
    hosts = tuple(Host(f"rules{os.getpid()}-{number}", f"10.77.0.{number + 1}") for number in range(count))
    first, *others = hosts
    try:
        for host in hosts:
            _ip("netns", "add", host.name)
            _ip("-n", host.name, "link", "set", "lo", "up")
        _ip("-n", first.name, "link", "add", "bridge", "type", "bridge")
        _ip("-n", first.name, "link", "set", "bridge", "up")
        _ip("-n", first.name, "addr", "add", f"{first.address}/24", "dev", "bridge")
        for number, host in enumerate(others):
            port = f"port{number}"
            _ip("-n", first.name, "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", host.name)
            _ip("-n", first.name, "link", "set", port, "master", "bridge", "up")
            _ip("-n", host.name, "addr", "add", f"{host.address}/24", "dev", "eth0")
            _ip("-n", host.name, "link", "set", "eth0", "up")
        yield hosts
    finally:
        for host in hosts:
            with suppress(OSError, subprocess.CalledProcessError):
                host.kill()
            with suppress(OSError):
                _ip("netns", "del", host.name)


def _ip(*words: str) -> None:
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise OSError(done.stderr.strip())
