"""What is installed is what is in the checkout: every room and every game is in the wheel's list."""

from __future__ import annotations

import tomllib

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
