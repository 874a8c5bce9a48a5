"""Every file and folder that a page names is there."""

import re
from pathlib import Path

import pytest

from tests.files import ROOT

PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "tests").rglob("README.md")],
    key=lambda path: path.relative_to(ROOT).as_posix(),
)
FOLDERS = ("rulelang", "cli", "tests", "docs", "games", "grammar", "benchmarks")
FILE = re.compile(r"`(?:[\w.-]+/)*[\w.-]+\.(?:py|md|toml|lark|json|pyi)`")
FOLDER = re.compile(r"`(?:[\w.-]+/)+`")
LINK = re.compile(r"\]\(([^)#:]+)(?:#[^)]*)?\)")
MADE_LATER = ("`nim/rulebook.toml`", "`checked.json`")
"""What a page tells its reader to write, and what the build writes."""


def paths() -> set[str]:
    """Returns every file and folder of the checkout, and each of its ends: `a/b.py` and `b.py`."""
    found = set()
    for path in [*ROOT.glob("*"), *(p for folder in FOLDERS for p in (ROOT / folder).rglob("*"))]:
        parts = path.relative_to(ROOT).parts
        end = "/" if path.is_dir() else ""
        found |= {"/".join(parts[i:]) + end for i in range(len(parts))}
    return found


def missing(page: Path, text: str, there: set[str]) -> list[str]:
    """Returns the paths that a page names and the checkout does not have."""
    named = [name for name in FILE.findall(text) + FOLDER.findall(text) if name not in MADE_LATER]
    lost = [name for name in named if name.strip("`") not in there]
    return lost + [link for link in LINK.findall(text) if not (page.parent / link).exists()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_what_a_page_names_is_there(page: Path) -> None:
    assert missing(page, page.read_text("utf-8"), paths()) == []


def test_a_path_that_has_moved_is_found() -> None:
    there = {"log/player.py", "player.py", "log/"}
    text = "`log/player.py` and `log/`, but `tests/player.py`, `logs/` and [nowhere](no.md)"
    assert missing(ROOT / "docs" / "log.md", text, there) == ["`tests/player.py`", "`logs/`", "no.md"]
