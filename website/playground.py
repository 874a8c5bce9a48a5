"""The playground: the workbench's page for no server, with Pyodide and the wheels that it runs.

write_playground(Path("build/site/play"))
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from rulelang.pages.documents import document, waiting_main
from rulelang.pages.editor import editor_page
from website.games import gallery_games, new_game

ROOT = Path(__file__).parent.parent
WEB = ROOT / "web"
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""The files of Pyodide that a page needs."""
WHEELS = ("attrs", "platformdirs", "pygls", "lsprotocol", "cattrs", "typing_extensions")
"""The packages that rulelang needs in a browser."""
LIVE = "/edit"
"""The path at which the workbench is found inside the browser (`rulelang.editing.playground.EDIT`)."""


def write_playground(folder: Path) -> None:
    """Writes the playground into a folder."""
    for name in ("static", "pyodide", "wheels"):
        (folder / name).mkdir(parents=True)
    (folder / "index.html").write_text(
        editor_page("Playground", LIVE, None, "", [new_game(), *(one.door for one in gallery_games())])
    )
    table = document("The table", waiting_main("The table"), live=LIVE, static="static", inside=True)
    (folder / "table.html").write_text(table)
    for name in ("style.css", "icon.svg"):
        shutil.copy(ROOT / "rulelang/web/static" / name, folder / "static")
    subprocess.run(["node", "build.mjs", str(folder / "static"), "table", "playground", "python"], cwd=WEB, check=True)
    for name in PYODIDE:
        shutil.copy(WEB / "node_modules/pyodide" / name, folder / "pyodide")
    _write_wheels(folder / "wheels")


def _write_wheels(folder: Path) -> None:
    """Writes the wheels, and the list of them that the page reads."""
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", str(folder), str(ROOT)], check=True)
    subprocess.run(
        [*pip, "download", "--no-deps", "--only-binary", ":all:", "--dest", str(folder), *WHEELS], check=True
    )
    names = sorted(path.name for path in folder.glob("*.whl"))
    (folder / "wheels.json").write_text(json.dumps(names))
