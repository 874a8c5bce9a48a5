"""Every chunk of `tests/corpus/bad` is refused as its markers say, in the words of its snapshot."""

from __future__ import annotations

import re
from pathlib import Path

import attrs
import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.location import PyTestLocation
from syrupy.types import SnapshotIndex

from rulelang.diagnostics.codes import CODES, Code
from rulelang.diagnostics.codes.code import FRAME, PLAY
from rulelang.diagnostics.codes.syntax import SYNTAX
from rulelang.diagnostics.model import Diagnostic, Sink
from rulelang.diagnostics.render import render_all
from rulelang.semantics.lints.unused import check_unused
from rulelang.source import SourceText
from rulelang.syntax.parser import parse
from rulelang.syntax.tables import read_tables
from tests.files import TESTS
from tests.snapshots import TextFile

CORPUS = TESTS / "corpus" / "bad"
MARKER = re.compile(r'#! (\w+)(?: "([^"]*)")?')
MARKED = re.compile(r" *#! .*$", re.M)
FEWEST_CHUNKS = 3
UNDECIDED, UNUSED = "W0517", "W0524"
ASKED_FOR = re.compile(r"^# rulelang \w+ \w+\+(\S+)", re.M)
WITHOUT_CHUNKS = {"E0105"}  # a file that is too large is made in test_syntax.py


@attrs.frozen
class Chunk:
    name: str
    area: str
    text: str


class FolderOfCode(TextFile):
    """Keeps the picture of `E0101-tabs-1` in `E0101/tabs-1.txt`."""

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        return str(Path(test_location.filepath).parent / "__snapshots__" / _parts(test_location)[0])

    @classmethod
    def get_snapshot_name(cls, *, test_location: PyTestLocation, index: SnapshotIndex = 0) -> str:
        return _parts(test_location)[1]


def _parts(test_location: PyTestLocation) -> tuple[str, str]:
    code, _, rest = test_location.snapshot_name.partition("[")[2].removesuffix("]").partition("-")
    return code, rest


@pytest.fixture
def rendering(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(FolderOfCode)


def chunks() -> list[Chunk]:
    found = []
    for path in sorted(CORPUS.glob("*/*.rules")):
        texts = path.read_bytes().decode().split("---\n")
        for number, text in enumerate(texts, start=1):
            found.append(Chunk(f"{path.parent.name}-{path.stem}-{number}", path.parent.name, text))
    return found


def diagnose(chunk: Chunk, folder: Path) -> tuple[Diagnostic, ...]:
    """Reads a chunk about syntax; checks any other as a game of one file, with what any game has put behind it."""
    name = f"{chunk.name}.rules"
    if chunk.area.startswith("E01"):
        return parse(SourceText(name, chunk.text)).diagnostics
    from rulelang import api
    from rulelang.scenarios.run import lower_all

    framed = chunk.text if re.search("^game ", chunk.text, re.M) else chunk.text + "\n" + FRAME
    framed = framed if re.search("^play:", framed, re.M) else framed + PLAY
    (folder / name).write_text(framed, encoding="utf-8", newline="")
    variants = ASKED_FOR.findall(chunk.text) or re.findall(r"^variant (\w+)", chunk.text, re.M)
    sink = Sink()
    for wanted in ((), *(v.split("+") for v in variants)):
        checked = api.check(folder / name, tuple(wanted))
        # A chunk shows one fault, and need not say how its game ends, nor use all that it declares.
        sink.extend([d for d in checked.diagnostics if d.code != UNDECIDED or chunk.area == UNDECIDED])
        if chunk.area == UNUSED and checked.game is not None:
            sink.extend(
                check_unused(
                    checked.game.ir, checked.game.internals.loaded.module, checked.game.internals.loaded.variants
                )
            )
        sink.extend(lower_all(checked.game) if checked.game is not None else ())
    return sink.sorted()


@pytest.mark.parametrize("chunk", chunks(), ids=lambda chunk: chunk.name)
def test_a_chunk_is_refused_where_and_as_its_markers_say(
    chunk: Chunk, rendering: SnapshotAssertion, tmp_path: Path
) -> None:
    expected = [
        (number, code, part)
        for number, line in enumerate(chunk.text.split("\n"), start=1)
        for code, part in MARKER.findall(line)
    ]
    diagnostics = diagnose(attrs.evolve(chunk, text=MARKED.sub("", chunk.text)), tmp_path)
    found = [(d.span.source.position(d.span.start)[0], d.code, d.message) for d in diagnostics]
    missing = [e for e in expected if not any(_answers(f, e) for f in found)]
    surplus = [f for f in found if not any(_answers(f, e) for e in expected)]
    assert (missing, surplus, len(found)) == ([], [], len(expected))
    if found:
        assert render_all(diagnostics) == rendering


def _answers(found: tuple[int, str, str], expected: tuple[int, str, str]) -> bool:
    return found[:2] == expected[:2] and expected[2] in found[2]


@pytest.mark.parametrize("code", SYNTAX, ids=lambda code: code.id)
def test_every_syntax_code_has_chunks_enough(code: Code) -> None:
    own = [chunk for chunk in chunks() if chunk.area == code.id]
    assert len(own) >= FEWEST_CHUNKS or code.id in WITHOUT_CHUNKS


def test_every_chunk_stands_below_a_code_of_the_registry() -> None:
    assert {chunk.area for chunk in chunks()} <= set(CODES)


@pytest.mark.parametrize("chunk", [c for c in chunks() if c.area.startswith("E01")], ids=lambda chunk: chunk.name)
def test_no_message_names_a_terminal(chunk: Chunk, tmp_path: Path) -> None:
    shown = " ".join(f"{d.message} {d.help} {d.primary.text}" for d in diagnose(chunk, tmp_path))
    assert "__" not in shown
    terminals = {symbol for actions in read_tables().actions for symbol in actions}
    assert not terminals.intersection(re.findall(r"[A-Z_]{3,}", shown))


@pytest.mark.parametrize("code", SYNTAX, ids=lambda code: code.id)
def test_the_examples_of_a_syntax_code_show_it(code: Code) -> None:
    if code.id not in WITHOUT_CHUNKS:
        assert {d.code for d in parse(SourceText("bad.rules", code.bad)).diagnostics} == {code.id}
    assert parse(SourceText("good.rules", code.good)).diagnostics == ()
