"""Any number of workers writes the same bytes, and a study survives those who die."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

pytest.importorskip("pyarrow")
pytest.importorskip("numpy")

from rulelang.studies.run import begin, run
from rulelang.studies.storage import Folder
from rulelang.studies.study import Study, read_study
from rulelang.studies.workers import Alone, Dask, Processes, Workers


def written(folder: Path) -> dict[str, bytes]:
    """Returns the contents of all tables of a study by name."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.parquet"))}


def small(nim: Path, games: int = 90) -> Study:
    """Returns a study of some seconds, in many chunks."""
    return read_study(f'game = "{nim}"\nbots = ["random", "first"]\ngames = {games}\nchunk = 10\n[vary]\nsize = [6, 9]')


def played(study: Study, path: Path, workers: Workers) -> Folder:
    """Returns the folder of a study that was played."""
    folder = begin(study, path)
    assert all(run(folder, workers))
    return folder


def test_two_processes_write_what_one_writes(nim: Path, tmp_path: Path) -> None:
    one, two = (played(small(nim), tmp_path / str(n), workers) for n, workers in ((1, Alone()), (2, Processes(2))))
    assert written(one.path) == written(two.path)
    assert len(written(one.path)) == 10


@pytest.mark.long
def test_a_study_that_was_broken_off_anywhere_goes_on_in_five_processes_to_the_same_bytes(
    nim: Path, tmp_path: Path
) -> None:
    whole = played(small(nim), tmp_path / "whole", Alone())
    folder = begin(small(nim), tmp_path / "broken")
    for count, _ in enumerate(run(folder, Alone())):
        if count == 5:
            break
    (folder.path / "games" / "cell=0000" / ".half.part").write_bytes(b"half a table")
    assert all(run(folder, Processes(5)))
    assert written(folder.path) == written(whole.path)


@pytest.mark.long
def test_a_study_whose_driver_is_killed_loses_only_the_chunks_under_way(nim: Path, tmp_path: Path) -> None:
    whole = played(small(nim, 400), tmp_path / "whole", Alone())
    words = [sys.executable, "-m", "rulelang.cli", "lab", "sweep", str(nim), "size=6,9", "--bots", "random,first"]
    words += ["--games", "400", "--jobs", "2", "--out", str(tmp_path / "killed")]
    driver = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    while not list((tmp_path / "killed").rglob("*.parquet")) and driver.poll() is None:
        time.sleep(0.05)
    with suppress(ProcessLookupError):  # it was done before we looked
        os.killpg(driver.pid, signal.SIGKILL)
    driver.wait()
    folder = Folder(tmp_path / "killed")
    kept = {path: path.stat().st_mtime_ns for path in folder.path.rglob("all.parquet")}
    assert all(run(folder, Processes(2)))
    assert all(path.stat().st_mtime_ns == when for path, when in kept.items())
    assert {n: b for n, b in written(folder.path).items() if "games" in n} == {
        n: b for n, b in written(whole.path).items() if "games" in n
    }


@pytest.mark.long
def test_dask_writes_the_same_bytes_with_five_workers_and_though_a_worker_is_killed(nim: Path, tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    whole = played(small(nim), tmp_path / "whole", Alone())
    assert written(played(small(nim), tmp_path / "dask", Dask(None, 5)).path) == written(whole.path)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        folder = begin(small(nim), tmp_path / "killed")
        for count, _ in enumerate(run(folder, Dask(cluster.scheduler_address, 2))):
            if count == 3:
                os.kill(next(iter(cluster.workers.values())).pid, signal.SIGKILL)
    assert written(folder.path) == written(whole.path)
    # What Dask says of a connection that is gone is a traceback; a study says the same in a sentence.
    assert not any(
        logging.getLogger(f"distributed.{part}").isEnabledFor(logging.ERROR) for part in ("batched", "client")
    )
