"""The wheel and the sdist hold what ships in the checkout, pass their checks, and carry types for users."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.files import ROOT

FOLDERS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["package-dir"]
UNSHIPPED = {".pyc", ".md"}

USERS = """\
import random

import rulelang

game = rulelang.load("outspeed")
match = game.start(players=3, seed=7)
option = match.options.pick(random.Random(1))
seat: int = option.seat
wrong: str = option.seat
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns a folder with the sdist and the wheel, built as a release builds them: the wheel from the sdist."""
    folder = tmp_path_factory.mktemp("built")
    ran("build", "--outdir", str(folder), str(ROOT))
    return folder


def ran(module: str, *arguments: str) -> str:
    """Returns what a module prints when it is run; a failure shows both of its streams."""
    command = [sys.executable, "-m", module, *arguments]
    # As in a user's shell: what a build compiles on its way must not get into the wheel.
    environment = {**os.environ, "NO_COLOR": "1"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=1_200, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def shipped() -> Iterator[str]:
    """Yields the path in the wheel of every file of the checkout that ships."""
    for package, top in FOLDERS.items():
        folder = ROOT / top
        for path in folder.rglob("*"):
            if path.is_file() and path.suffix not in UNSHIPPED and path.name != "checked.json":
                yield "/".join([*package.split("."), *path.relative_to(folder).parts])


@pytest.mark.long
@pytest.mark.slow  # all that need the wheel follow each other, so it is built once
def test_the_wheel_holds_every_file_that_ships_and_every_game_checked(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        held = set(packed.namelist())
    games = [path.name for path in (ROOT / "games").iterdir() if path.is_dir() and path.name != "__pycache__"]
    assert {*shipped(), *(f"rulelang/shipped/{game}/checked.json" for game in games)} <= held


@pytest.mark.long
@pytest.mark.slow  # all that need the wheel follow each other, so it is built once
def test_wheel_and_sdist_pass_the_checks_of_a_release(built: Path) -> None:
    wheels = [str(path) for path in built.glob("*.whl")]
    ran("twine", "check", "--strict", *map(str, built.iterdir()))
    ran("check_wheel_contents", *wheels)
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as packed:
        pictures = [name for name in packed.getnames() if "/docs/pictures/" in name]
    assert len(pictures) == len(list((ROOT / "docs/pictures").iterdir()))


@pytest.mark.long
@pytest.mark.slow  # all that need the wheel follow each other, so it is built once
def test_a_users_file_is_checked_against_the_types_of_the_wheel(built: Path, tmp_path: Path) -> None:
    # The wheel is built. As in a user's own site-packages, mypy reads the types of its functions and not their bodies.
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path / "site")
    (tmp_path / "user.py").write_text(USERS)
    mypy = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--config-file=",
        "--follow-imports=silent",
        "--cache-dir",
        str(tmp_path / "cache"),
        "user.py",
    ]
    env = {"MYPYPATH": str(tmp_path / "site"), "PATH": ""}
    done = subprocess.run(mypy, check=False, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=1_200)
    told = [line for line in done.stdout.splitlines() if line.startswith("user.py")]
    assert told == [
        'user.py:9: error: Incompatible types in assignment (expression has type "Seat", variable has type "str")  [assignment]'
    ], done.stdout
