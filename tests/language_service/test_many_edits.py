"""Random edits of small games inside this process: nothing fails, nothing stale is told, and nothing piles up.

`EDITS=10000 python -m pytest tests/language_service/test_many_edits.py` makes as many edits as one likes.
"""

from __future__ import annotations

import gc
import json
import os
import random
import weakref
from collections.abc import Callable
from pathlib import Path

import pytest

from rulelang.driver.collector import SEARCHED_EVERY, leave_out
from rulelang.language_service.actions import actions
from rulelang.language_service.completion import completions
from rulelang.language_service.document import EditorPlace, EditorRange
from rulelang.language_service.hover import hover
from rulelang.language_service.server import server
from rulelang.language_service.service import LanguageService
from rulelang.texts.model import Nothing
from rulelang.workspace.workspace import Workspace
from tests.files import CLASSICS
from tests.language_service.conformance import edited

EDITS = int(os.environ.get("EDITS", "400"))
SEED = int(os.environ.get("SEED", "1"))
GAMES = ("nim", "pig", "kuhn", "tic_tac_toe")
WHOLE_AGAIN = 12
"""The edits after which a text is made whole again: worse texts are all alike."""
COMPARED = 5
"""Of so many edits, one is compared with a check from nothing."""
GROWTH = 1.15
"""The factor by which the objects of this process may grow between the middle and the end."""

Ask = Callable[[LanguageService, Path, EditorPlace], object]
REQUESTS: tuple[Ask, ...] = (
    hover,
    completions,
    lambda service, path, place: service.definition(path, place),
    lambda service, path, place: actions(service, path, EditorRange(place, place)),
)


def told(service: LanguageService, path: Path) -> list[tuple[object, ...]]:
    """Returns all that an editor shows of the faults of a text."""
    return [(one.range, one.code, one.message, one.is_error) for one in service.faults(path)[path]]


def objects() -> int:
    """Returns the number of objects that are alive."""
    gc.unfreeze()
    gc.collect()
    return len(gc.get_objects())


@pytest.mark.long
def test_random_edits_tell_what_check_tells_and_leave_nothing_behind() -> None:
    rng = random.Random(SEED)
    service = LanguageService(Workspace(Nothing()))
    whole = {Path(f"/{game}/{game}.rules"): (CLASSICS / f"{game}.rules").read_text() for game in GAMES}
    texts, alive = dict(whole), 0
    for count in range(EDITS):
        path = rng.choice(list(texts))
        texts[path] = whole[path] if rng.randrange(WHOLE_AGAIN) == 0 else edited(texts[path], rng)
        service.open(path, texts[path])
        service.first_faults(path)
        document = service.documents[path]
        place = document.place(rng.randrange(len(document.source.text) + 1))
        rng.choice(REQUESTS)(service, path, place)
        if rng.randrange(COMPARED) == 0:
            fresh = LanguageService(Workspace(Nothing()))
            fresh.open(path, texts[path])
            assert told(service, path) == told(fresh, path), (count, texts[path])
        if count == EDITS // 2:
            alive = objects()
    assert objects() < GROWTH * alive


def test_a_cycle_is_freed_in_the_end_even_if_it_was_left_out_of_searches() -> None:
    class Knot:
        me: Knot

    knot = Knot()
    knot.me = knot
    there = weakref.ref(knot)
    leave_out()
    del knot
    for _ in range(SEARCHED_EVERY):
        leave_out()
    gc.unfreeze()
    assert there() is None


class _Nowhere:
    """Where a server's messages go unheard."""

    def write(self, data: bytes) -> None:
        """Drops a message."""

    def close(self) -> None:
        """Does nothing."""


def test_a_server_keeps_nothing_of_the_messages_that_it_has_handled() -> None:
    protocol = server(LanguageService(Workspace(Nothing()))).protocol
    protocol.set_writer(_Nowhere(), include_headers=False)

    def say(method: str, **params: object) -> None:
        text = json.dumps({"jsonrpc": "2.0", "method": method, "params": params})
        protocol.handle_message(json.loads(text, object_hook=protocol.structure_message))

    nim = (CLASSICS / "nim.rules").read_text()
    document = {"uri": "file:///nim/nim.rules", "languageId": "rules", "version": 0, "text": nim}
    say("textDocument/didOpen", textDocument=document)
    for version in range(1, 30):
        change = [{"text": f"{nim}# {version}\n"}]
        say("textDocument/didChange", textDocument={"uri": document["uri"], "version": version}, contentChanges=change)
    assert len(protocol._request_futures) <= 1


def _scenario_typed(service: LanguageService, nim: str, count: int) -> Path:
    path = Path("/nim/scenarios/typed.rules")
    service.open(Path("/nim/nim.rules"), nim)
    steps = "  first: take(1)\n  second: take(1)\n" * 9
    service.open(path, f'scenario "typed {count}":\n{steps}  expect heap == 3\n')
    return path


def _variant_named(service: LanguageService, nim: str, count: int) -> Path:
    path = Path("/nim/nim.rules")
    service.open(
        path, f'{nim}\nvariant v{count} of nim "Typed":\n  replace action take(p, n):\n    heap -= min(n, heap)\n'
    )
    return path


def _another_opened(service: LanguageService, nim: str, count: int) -> Path:
    path = Path(f"/game{count}/game{count}.rules")
    service.open(path, nim.replace("game nim", f"game game{count}"))
    if count:
        service.close(Path(f"/game{count - 1}/game{count - 1}.rules"))
    return path


@pytest.mark.long
@pytest.mark.parametrize("edit", [_scenario_typed, _variant_named, _another_opened])
def test_what_was_typed_or_closed_leaves_nothing_behind(edit: Callable[[LanguageService, str, int], Path]) -> None:
    service, nim = LanguageService(Workspace(Nothing())), (CLASSICS / "nim.rules").read_text()
    counts = []
    for count in range(20):
        path = edit(service, nim, count)
        assert not [one for one in service.faults(path)[path] if one.is_error]
        if count in (7, 19):
            counts.append(objects())
    before, after = counts
    assert after - before < 1000
