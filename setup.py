"""Builds the package: finds what ships, checks the games in the copy, and puts their IR into the wheel beside their rules."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
FOLDERS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["package-dir"]
SHIPPED = {".js", ".json", ".lark", ".py", ".rules", ".toml"}
WRITES = "from rulelang.api.loading import write_checked; write_checked()"


def packages() -> list[str]:
    """Returns every package: each folder, at any depth, that holds a file to ship."""
    return sorted(
        ".".join((package, *path.relative_to(ROOT / top).parts))
        for package, top in FOLDERS.items()
        for path in (ROOT / top, *(ROOT / top).rglob("*"))
        if path.is_dir() and path.name != "__pycache__" and any(p.suffix in SHIPPED for p in path.iterdir())
    )


class Build(build_py):
    """Copies the package, then checks the games in the copy."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            # The libraries that the build may use lie on this process's path alone.
            path = os.pathsep.join([os.path.abspath(self.build_lib), *sys.path])
            environment = os.environ | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1", "RULELANG_CACHE": "off"}
            subprocess.run([sys.executable, "-c", WRITES], env=environment, cwd=self.build_lib, check=True)


setup(packages=packages(), cmdclass={"build_py": Build})
