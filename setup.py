"""Builds the package: the games that ship are checked on the way, and their IR goes into the wheel beside their rules."""

import os
import subprocess
import sys

from setuptools import setup
from setuptools.command.build_py import build_py

WRITES = "from rulelang.api.loading import write_checked; write_checked()"


class Build(build_py):
    """Copies the package, then checks the games in the copy."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            # The libraries that the build may use lie on this process's path alone.
            path = os.pathsep.join([os.path.abspath(self.build_lib), *sys.path])
            environment = os.environ | {"PYTHONPATH": path, "RULELANG_CACHE": "off"}
            subprocess.run([sys.executable, "-c", WRITES], env=environment, cwd=self.build_lib, check=True)


setup(cmdclass={"build_py": Build})
