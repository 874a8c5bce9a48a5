"""How files stand in git is shown, and git runs nothing that a repository names."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from rulelang.editing.texts.git import standing

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="there is no git on this machine")


def _git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    subprocess.run(("git", *who, "-C", str(folder), *words), check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with a game in a folder of its own."""
    (tmp_path / "nim").mkdir()
    (tmp_path / "nim/nim.rules").write_text("one\n")
    _git(tmp_path, "init", "-q")
    _git(tmp_path, "add", ".")
    _git(tmp_path, "commit", "-qm", "one")
    return tmp_path


def test_new_and_changed_files_are_told(repository: Path) -> None:
    folder = repository / "nim"
    assert standing(folder) == {}
    (folder / "nim.rules").write_text("two\n")
    (folder / "with space.rules").write_text("new\n")
    (repository / "elsewhere.rules").write_text("new\n")
    assert standing(folder) == {"nim.rules": "changed", "with space.rules": "new"}


def test_a_folder_that_is_in_no_repository_has_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert standing(tmp_path) == {}


def test_a_program_that_a_repository_names_is_not_run(repository: Path) -> None:
    trap = repository / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {repository}/sprung\n")
    trap.chmod(0o700)
    _git(repository, "config", "core.fsmonitor", str(trap))
    standing(repository / "nim")
    assert not (repository / "sprung").exists()
