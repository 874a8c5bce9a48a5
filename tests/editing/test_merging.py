"""Several windows that type at the same time."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections import deque

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulelang.editing.texts.merging import WindowText, merged
from tests.files import ROOT

BASE = "game nim:\n  heap = 21\n  take 1..3\n"
WORDS = st.sampled_from(("x", "yy", "z\n", "\n", "é", "🎲"))


@attrs.define
class Typist:
    """A window, as its page keeps a text: see `Files` in web/src/files.js."""

    text: str
    common: str
    version: int = 0
    heard: deque[tuple[int, str]] = attrs.field(factory=deque)
    """What is under way to it: the version of its text that is contained, and a text."""


@attrs.define
class Exchange:
    """A server and its windows, with a line to and from each on which messages are under way."""

    text: str
    windows: list[Typist]
    known: list[WindowText]
    said: list[deque[tuple[str, int, str]]]
    versions: list[int]

    @classmethod
    def of(cls, text: str, many: int) -> Exchange:
        each = range(many)
        known, said = [WindowText(text) for _ in each], [deque[tuple[str, int, str]]() for _ in each]
        return cls(text, [Typist(text, text) for _ in each], known, said, [0] * many)

    def send(self, at: int) -> None:
        window = self.windows[at]
        if window.text != window.common:
            window.version, window.common = window.version + 1, window.text
            self.said[at].append(("text", window.version, window.text))

    def receive(self, at: int) -> None:
        """Lets a window take what it is told."""
        window = self.windows[at]
        version, text = window.heard.popleft()
        if version == window.version:
            window.text = merged(window.common, window.text, text)
            window.common = text
            self.said[at].append(("took", 0, ""))
            self.send(at)

    def serve(self, at: int) -> None:
        """Lets the server handle a message of a window."""
        kind, version, text = self.said[at].popleft()
        if kind == "took":
            self.known[at].took()
        else:
            self.versions[at] = version
            self.text = self.known[at].sent(text, self.text)
        for window, known, contained in zip(self.windows, self.known, self.versions, strict=True):
            if known.tell(self.text):
                window.heard.append((contained, self.text))

    def settle(self) -> None:
        """Delivers all that is under way."""
        for at in range(len(self.windows)):
            self.send(at)
        while any(self.said) or any(window.heard for window in self.windows):
            for at, window in enumerate(self.windows):
                if self.said[at]:
                    self.serve(at)
                if window.heard:
                    self.receive(at)


@given(st.data(), st.integers(2, 3), st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), max_size=30))
def test_nothing_that_windows_type_at_the_same_time_is_lost(
    data: st.DataObject, many: int, course: list[tuple[int, int]]
) -> None:
    exchange, typed = Exchange.of(BASE, many), list[str]()
    for one, what in course:
        at = one % many
        window = exchange.windows[at]
        if what == 0:
            place = data.draw(st.integers(0, len(window.text)))
            typed.append(chr(0x4E00 + len(typed)))
            window.text = window.text[:place] + typed[-1] + window.text[place:]
        elif what == 1:
            exchange.send(at)
        elif what == 2 and exchange.said[at]:
            exchange.serve(at)
        elif what == 3 and window.heard:
            exchange.receive(at)
    exchange.settle()
    assert {window.text for window in exchange.windows} == {exchange.text}
    assert sorted(letter for letter in exchange.text if letter in typed) == sorted(typed)
    assert "".join(letter for letter in exchange.text if letter not in typed) == BASE


@given(st.lists(WORDS), st.lists(WORDS), st.lists(WORDS))
def test_a_text_that_one_side_left_alone_is_the_other_side_s(base: list[str], one: list[str], other: list[str]) -> None:
    before, mine, theirs = "".join(base), "".join(one), "".join(other)
    assert merged(before, mine, before) == merged(before, before, mine) == merged(before, mine, mine) == mine
    both = merged(before, mine, theirs)
    assert set(mine) - set(before) <= set(both)
    assert set(theirs) - set(before) <= set(both)


@pytest.mark.parametrize(
    ("mine", "theirs", "both"),
    [
        ("a\nx\nc\n", "a\nb\nc\nd\n", "a\nx\nc\nd\n"),
        ("a\nc\n", "a\nb!\nc\n", "a\n!c\n"),
        ("", "a\nb\nc\n# more\n", "# more\n"),
    ],
)
def test_a_deletion_keeps_what_the_other_has_inserted(mine: str, theirs: str, both: str) -> None:
    assert merged("a\nb\nc\n", mine, theirs) == both


RENAMED = "to pay(p):\n  p.gold -= 1\nto rest(p): settle\nto go(p):\n  pay(p)\n"
ON_THE_PAGE = """
import { beside, changed } from "./src/merging.js";
import { Text } from "@codemirror/state";
for (const [base, theirs, mine] of JSON.parse(process.argv[1])) {
  const found = beside(base, theirs, changed(base, mine)).apply(Text.of(mine.split("\\n")));
  console.log(JSON.stringify(found.toString()));
}
"""


def test_the_page_takes_a_text_around_what_it_has_not_sent() -> None:
    """What was typed between two changes of another window landed behind both."""
    theirs = RENAMED.replace("pay", "buy")
    cases = [
        (RENAMED, theirs, RENAMED.replace("settle", "p.x = 1; settle"), theirs.replace("settle", "p.x = 1; settle")),
        (RENAMED, theirs, RENAMED.replace("to rest(p): settle\n", ""), theirs.replace("to rest(p): settle\n", "")),
        ("a = 1\n", "b = 1\na = 1\n", "a = 1\nc = 1\n", "b = 1\na = 1\nc = 1\n"),
    ]
    if not (ROOT / "web/node_modules/@codemirror").is_dir() or shutil.which("node") is None:
        assert os.environ.get("RULELANG_REQUIRE_CHROMIUM") != "1", "make bundle sets it up"
        pytest.skip("CodeMirror is not installed: make bundle")
    given = json.dumps([case[:3] for case in cases])
    command = ["node", "--input-type=module", "--eval", ON_THE_PAGE, given]
    found = subprocess.run(command, cwd=ROOT / "web", check=True, capture_output=True, text=True).stdout
    assert [json.loads(line) for line in found.splitlines()] == [case[3] for case in cases]
