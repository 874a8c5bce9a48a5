"""`python -m website [FOLDER]` builds the site; it needs Node, for the pages' script and Pyodide."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from website.playground import write_playground
from website.sources import write_sources

ROOT = Path(__file__).parent.parent


def build(folder: Path) -> None:
    """Builds the site in a folder, in place of what is there."""
    shutil.rmtree(folder, ignore_errors=True)
    with tempfile.TemporaryDirectory() as made, ThreadPoolExecutor(1) as beside:
        # Other processes build the wheels, so the pages are written meanwhile.
        playground = beside.submit(write_playground, Path(made) / "play")
        write_sources(Path(made))
        subprocess.run([sys.executable, "-m", "zensical", "build", "--strict"], cwd=made, check=True)
        playground.result()
        shutil.copytree(Path(made) / "site", folder)
        shutil.copytree(Path(made) / "play", folder / "play")


if __name__ == "__main__":
    there = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build" / "site"
    build(there)
    print(f"The site is in {there}: python -m http.server -d {there}")
