"""Lines that are read without decoding them mean what they mean decoded."""

import json
import random
from io import BytesIO
from pathlib import Path

import pytest

from rulelang.errors import DamagedLog, LogError
from rulelang.log import reading
from rulelang.log.fields import kind_of
from rulelang.log.format import canonical
from rulelang.log.plain import plain_line
from rulelang.log.reading import parse_log
from tests.replays.__main__ import FOLDER
from tests.seeds import few_of

LOGS = sorted(FOLDER.glob("*.jsonl"))
SPLICES = (
    b" ", b"\\", b'"', b",", b"\x00", b"\x80", b"\xc3\xa9", b"\xed\xa0\x80", b"0", b"-", b"1.5", b"null", b"true",
    b'"n":1,', b',"h":""', b',"face":3', b',"goes_on":true', b',"goes_on":false', b"\\u00e9", b"[]", b"{}", b"\r",
)  # fmt: skip


def _read(text: bytes) -> object:
    """Returns all that is known of a log, or what is wrong with it."""
    try:
        log = parse_log(BytesIO(text))
    except DamagedLog as error:
        return str(error), error.line, error.saved, error.size
    except LogError as error:
        return str(error)
    steps = log.steps
    each = [(steps.line(s), steps.stands(s), steps.before(s), steps.input(s)) for s in range(len(steps))]
    return each, log.inputs, log.choices, log.is_complete, log.notes, log.size, log.chain.digest


def _decoded(text: bytes, monkeypatch: pytest.MonkeyPatch) -> object:
    with monkeypatch.context() as patch:
        patch.setattr(reading, "plain_line", lambda raw: None)
        return _read(text)


@pytest.mark.parametrize("path", LOGS[::7], ids=lambda path: path.stem)
def test_a_log_as_it_is_written_is_read_without_decoding_its_inputs_and_events(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = path.read_bytes()
    lines = text.splitlines(keepends=True)[1:]
    plain = [plain_line(line) for line in lines]
    assert all(
        found or line.startswith((b'{"end"', b'{"fault"')) or b"\\" in line
        for line, found in zip(lines, plain, strict=True)
    )
    assert _read(text) == _decoded(text, monkeypatch)


@pytest.mark.parametrize("seed", few_of(40, few=10))
def test_an_edited_line_is_refused_or_taken_as_when_it_is_decoded(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    lines = rng.choice(LOGS).read_bytes().splitlines(keepends=True)[:120]
    for _ in range(25):
        edited = list(lines)
        at = rng.randrange(1, len(edited))
        line, place = edited[at], rng.randrange(len(edited[at]))
        edited[at] = line[:place] + rng.choice(SPLICES) + line[place + rng.randrange(3) :]
        text = b"".join(edited)
        assert _read(text) == _decoded(text, monkeypatch)


@pytest.mark.parametrize("seed", range(20))
def test_a_line_read_without_decoding_is_its_own_canonical_text(seed: int) -> None:
    rng = random.Random(seed)
    lines = rng.choice(LOGS).read_bytes().splitlines(keepends=True)[1:]
    found = 0
    for _ in range(400):
        line = rng.choice(lines)
        place = rng.randrange(len(line))
        edited = line[:place] + rng.choice(SPLICES) + line[place + rng.randrange(8) :]
        plain = plain_line(edited)
        if plain is None:
            continue
        found += 1
        record = json.loads(edited)
        assert plain.what == kind_of(record, 2)
        assert (plain.number, plain.to) == (record.get("n", 0), record.get("to", 0))
        assert plain.digits == record.pop("h", None)
        assert plain.body == canonical(record).encode()
    assert found
