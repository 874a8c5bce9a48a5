"""A folder -> how its files stand in git: which are new, which differ from the last commit.

standing(Path("nim"))        {"nim.rules": "changed", "variants/two.rules": "new"}
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeAlias

Standing: TypeAlias = Literal["new", "changed"]
PATIENCE = 5
"""The seconds that git may take."""
_QUIET = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "--no-optional-locks")
"""The words by which git neither runs what a repository names nor writes anything."""


def standing(folder: Path) -> Mapping[str, Standing]:
    """Returns the files below a folder that the last commit does not hold as they are on the disk, by their names.

    There are none where there is no git, or no repository.
    """
    if sys.platform == "emscripten":
        return {}
    asked = ("git", *_QUIET, "-C", str(folder), "status", "--porcelain=v1", "-z", "--untracked-files=all", "--", ".")
    top = ("git", *_QUIET, "-C", str(folder), "rev-parse", "--show-prefix")
    try:
        said, prefix = (
            subprocess.run(words, capture_output=True, timeout=PATIENCE, check=True).stdout.decode(errors="replace")
            for words in (asked, top)
        )
    except (OSError, subprocess.SubprocessError):
        return {}
    return read(said, prefix.rstrip("\n"))


def read(said: str, prefix: str = "") -> Mapping[str, Standing]:
    """Returns the files of what `git status --porcelain -z` says; names are told from a folder's `prefix` on.

    >>> read(" M nim/nim.rules\\0?? nim/two.rules\\0R  nim/b.rules\\0nim/a.rules\\0", "nim/")
    {'nim.rules': 'changed', 'two.rules': 'new', 'b.rules': 'changed'}
    """
    found: dict[str, Standing] = {}
    entries = iter(said.split("\0"))
    for entry in entries:
        code, name = entry[:2], entry[3:]
        if "R" in code or "C" in code:
            # The old name follows.
            next(entries, None)
        if name.startswith(prefix) and name != prefix:
            found[name.removeprefix(prefix)] = "new" if code in ("??", "A ", "AM") else "changed"
    return found
