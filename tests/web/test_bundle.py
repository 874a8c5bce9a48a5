"""What ships is what the script makes."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.files import ROOT

WEB = ROOT / "web"
REQUIRED = os.environ.get("RULELANG_REQUIRE_CHROMIUM") == "1"


def test_the_bundle_is_what_the_script_makes(tmp_path: Path) -> None:
    if not (WEB / "node_modules/esbuild").is_dir() or shutil.which("node") is None:
        assert not REQUIRED, "make bundle sets it up"
        pytest.skip("esbuild is not installed: make bundle")
    subprocess.run(["node", "build.mjs", str(tmp_path)], cwd=WEB, check=True)
    for built in tmp_path.iterdir():
        assert (ROOT / "rulelang/web/static" / built.name).read_bytes() == built.read_bytes()


def test_the_lock_file_names_no_host() -> None:
    assert "://" not in (WEB / "package-lock.json").read_text().replace("https://github.com/sponsors", "")
