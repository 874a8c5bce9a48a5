"""What is installed is what is in the checkout: every room and every game is in the wheel's list."""

from __future__ import annotations

import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.files import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]


def test_every_folder_with_something_to_ship_is_listed() -> None:
    beside = {"cli": "cli", "grammar": "grammar", "shipped": "games"}
    places = {"rulelang": ROOT / "rulelang", **{f"rulelang.{n}": ROOT / folder for n, folder in beside.items()}}
    found = set()
    for package, folder in places.items():
        for path in [folder, *folder.rglob("*")]:
            ships = path.is_dir() and any(
                p.suffix in {".py", ".rules", ".toml", ".lark", ".json"} for p in path.iterdir()
            )
            if ships and "__pycache__" not in path.parts:
                found.add(".".join([package, *path.relative_to(folder).parts]))
    assert sorted(found) == sorted(PROJECT["packages"])


USERS = """\
import random

import rulelang

game = rulelang.load("outspeed")
match = game.start(players=3, seed=7)
option = match.options.pick(random.Random(1))
seat: int = option.seat
wrong: str = option.seat
"""


@pytest.mark.long
def test_a_users_file_is_checked_against_the_types_of_the_wheel(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(tmp_path), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True, timeout=300)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        static = {path.name for path in (ROOT / "rulelang/web/static").iterdir()}
        assert {name.rpartition("/")[2] for name in packed.namelist() if "web/static/" in name} == static
        packed.extractall(tmp_path / "site")
    (tmp_path / "user.py").write_text(USERS)
    mypy = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--config-file=",
        "--cache-dir",
        str(tmp_path / "cache"),
        "user.py",
    ]
    env = {"MYPYPATH": str(tmp_path / "site"), "PATH": ""}
    done = subprocess.run(mypy, check=False, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=300)
    told = [line for line in done.stdout.splitlines() if line.startswith("user.py")]
    assert told == [
        'user.py:9: error: Incompatible types in assignment (expression has type "Seat", variable has type "str")  [assignment]'
    ], done.stdout
