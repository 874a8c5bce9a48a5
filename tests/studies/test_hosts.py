"""A study over several hosts survives the death of each of them."""

from __future__ import annotations

import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

pytest.importorskip("pyarrow")
pytest.importorskip("distributed")

from rulelang.studies.run import begin, run
from rulelang.studies.storage import Folder
from rulelang.studies.study import read_study
from rulelang.studies.workers import Alone
from tests.studies.hosts import Host, network

PORT = 8786


def serving(scheduler: Host, *workers: Host) -> None:
    """Starts the scheduler of a cluster and a worker on each of some other hosts."""
    dask, where = (sys.executable, "-m", "distributed.cli"), f"tcp://{scheduler.address}:{PORT}"
    scheduler.start(*dask[:2], "distributed.cli.dask_scheduler", "--port", f"{PORT}", "--no-dashboard")
    for host in workers:
        host.start(*dask[:2], "distributed.cli.dask_worker", where, "--nthreads", "1", "--no-nanny", "--no-dashboard")


def driving(host: Host, scheduler: Host, folder: Path) -> subprocess.Popen[bytes]:
    """Starts the study on a host."""
    words = ("lab", "run", str(folder.parent / "study.toml"), "--out", str(folder))
    return host.start(
        sys.executable, "-m", "rulelang.cli", *words, "--scheduler", f"dask:tcp://{scheduler.address}:{PORT}"
    )


def chunks(folder: Path, more: int, driver: subprocess.Popen[bytes]) -> None:
    """Waits until some more chunks are there, or the driver has ended."""
    there = len([*folder.rglob("games/*/*.parquet")])
    while len([*folder.rglob("games/*/*.parquet")]) < there + more and driver.poll() is None:
        time.sleep(0.02)


@pytest.mark.long
@pytest.mark.slow  # a scheduler, workers and drivers are started anew after each death
def test_a_study_goes_on_after_each_of_its_hosts_has_died(nim: Path, tmp_path: Path) -> None:
    settings = f'game = "{nim}"\nbots = ["random", "first"]\ngames = 900\nchunk = 10\n[vary]\nsize = [6, 9]'
    (tmp_path / "study.toml").write_text(settings)
    whole, folder = begin(read_study(settings), tmp_path / "whole"), tmp_path / "killed"
    assert all(run(whole, Alone()))
    with ExitStack() as made:
        try:
            scheduler, one, two, here = made.enter_context(network(4))
        except OSError as error:
            pytest.skip(f"this machine makes no hosts: {error}")
        serving(scheduler, one, two)
        driver = driving(here, scheduler, folder)
        chunks(folder, 3, driver)
        one.kill()
        chunks(folder, 5, driver)
        assert driver.poll() is None
        scheduler.kill()
        _, told = driver.communicate(timeout=60)
        assert driver.returncode == 1, told.decode()
        assert b"scheduler" in told
        assert b"Traceback" not in told
        serving(scheduler, one)
        driver = driving(here, scheduler, folder)
        chunks(folder, 3, driver)
        here.kill()
        kept = {path: path.stat().st_mtime_ns for path in folder.rglob("all*.parquet")}
        _, told = driving(here, scheduler, folder).communicate(timeout=120)
        assert not told.strip(), told.decode()
        assert all(path.stat().st_mtime_ns == when for path, when in kept.items())
    assert written(folder) == written(whole.path)
    assert Folder(folder).games(0) == 900


def written(folder: Path) -> dict[str, bytes]:
    """Returns the contents of all tables of a study by name."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.parquet"))}
