"""What tests of several rooms ask for by name."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result
from hypothesis import settings
from syrupy.assertion import SnapshotAssertion

from cli import main
from rulelang.errors import Unsupported
from tests import loaded
from tests.snapshots import TextFile

if TYPE_CHECKING:
    from playwright.sync_api import Browser

Run = Callable[..., Result]
HAS_NATIVE = find_spec("llvmlite") is not None
# What a slow machine takes longer for is no fault, and one that is found is found by everybody.
settings.register_profile("rulelang", deadline=None, derandomize=True)
settings.load_profile("rulelang")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Puts slow tests first: what is left for the end is short, so all processes end together."""
    items.sort(key=lambda item: item.get_closest_marker("slow") is None)


def pytest_collection_finish() -> None:
    """Lets the collector of cycles leave alone what has been made so far, nearly all of which stays to the end, and look
    less often at what the tests make."""
    loaded.put_in_place()
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Lets tests of some rooms share the games that ship."""
    loaded.share_in(item)


@pytest.fixture(autouse=True)
def plain_code(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaves machine code plain: to optimise it takes another process a second or more, for which few tests wait.

    Tests that are about optimised code are marked `optimised`.
    """
    if request.node.get_closest_marker("optimised") is None and HAS_NATIVE:
        from rulelang.machines.native import code

        monkeypatch.setattr(code, "Optimising", lambda *_: None)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser for all tests of a file; only they import Playwright."""
    from playwright.sync_api import sync_playwright

    from tests.web.browser import CHROMIUM, PATIENCE

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM)
        started.on("context", lambda context: context.set_default_timeout(PATIENCE))
        yield started
        started.close()


@pytest.fixture
def screen(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    """What a screen shows, kept as one text file a test."""
    return snapshot.use_extension(TextFile)


@pytest.fixture
def refuses_histories(monkeypatch: pytest.MonkeyPatch) -> None:
    """Makes games with a history such that the low-level IR cannot say them, and does without code that is kept."""

    def refused(*_: object) -> None:
        raise Unsupported("positions")

    monkeypatch.setenv("RULELANG_CACHE", "off")
    monkeypatch.setattr("rulelang.program.low.statements.stand", refused)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command line in an empty folder, 100 columns wide, without colour."""
    monkeypatch.chdir(tmp_path)
    env = {
        "COLUMNS": "100",
        "NO_COLOR": "1",
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "TERM": "dumb",
    }

    def run(*words: str, typed: str | bytes = "") -> Result:
        result = CliRunner(env=env).invoke(main, words, input=typed)
        assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
        return result

    return run
