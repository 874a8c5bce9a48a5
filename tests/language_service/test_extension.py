"""The extension of VS Code is built into one file that holds all that it needs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.files import ROOT

EXTENSION = ROOT / "editors/vscode"
REQUIRED = os.environ.get("RULELANG_REQUIRE_CHROMIUM") == "1"


@pytest.mark.long
def test_the_extension_is_packed_with_its_client(tmp_path: Path) -> None:
    if not (EXTENSION / "node_modules/.bin/vsce").exists() or shutil.which("npm") is None:
        assert not REQUIRED, "make extension sets it up"
        pytest.skip("vsce is not installed: make extension")
    built = tmp_path / "rules.vsix"
    subprocess.run(["npm", "run", "--silent", "package", "--", "--out", str(built)], cwd=EXTENSION, check=True)
    with ZipFile(built) as packed:
        names = set(packed.namelist())
        assert {"extension/dist/extension.js", "extension/syntaxes/rules.tmLanguage.json"} <= names
        assert not any("node_modules" in name for name in names)
        assert b"TextDocumentSyncKind" in packed.read("extension/dist/extension.js")


def test_what_the_extension_names_is_there() -> None:
    about = json.loads((EXTENSION / "package.json").read_text())
    offered = about["contributes"]
    for part in (*offered["grammars"], *offered["snippets"]):
        assert (EXTENSION / part["path"]).is_file()
    script = (EXTENSION / "extension.js").read_text()
    assert all(f'"{one["command"]}"' in script for one in offered["commands"])
