"""Results of `impact` in the user's own cache: what was done survives an interrupt.

kept = ImpactCache("outspeed+hungry", ("nearest", None), fresh=False)
kept.put(path, records); kept.get(path)

A line holds a file's path, size and time, and its records. What is held in memory is where each line begins.
"""

from __future__ import annotations

import hashlib
import json
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

import attrs

Records = list[dict[str, Any]]
Stamp = tuple[str, int, int]


@attrs.define(init=False)
class ImpactCache:
    """Earlier results by a log's path, size and time, for the same rules and the same `how`."""

    _file: BinaryIO
    _begins: dict[bytes, int]

    def __init__(self, rules: str, how: tuple[str | None, ...], *, fresh: bool) -> None:
        from rulelang.cache import users_cache, users_folder

        key = hashlib.sha256(repr((rules, _hash_of(rules), how)).encode()).hexdigest()[:16]
        self._begins = {}
        self._file = BytesIO()
        if users_cache() is not None:
            path = users_folder() / f"impact-{key}.jsonl"
            if fresh:
                path.unlink(missing_ok=True)
            self._file = path.open("a+b")
            self._index()

    def _index(self) -> None:
        self._file.seek(0)
        begin = 0
        for line in self._file:
            found = _read(line)
            if found is not None:
                self._begins[_digest(found[0])] = begin
            begin += len(line)
        if begin and not line.endswith(b"\n"):
            # An interrupt in the middle of a line leaves the beginning of it.
            self._file.write(b"\n")

    def get(self, path: Path) -> Records | None:
        """Returns the cached results of a file; None if there are none, or if the file has changed."""
        stamp = _stamp(path)
        begin = self._begins.get(_digest(stamp))
        if begin is None:
            return None
        self._file.seek(begin)
        found = _read(self._file.readline())
        return found[1] if found is not None and found[0] == stamp else None

    def put(self, path: Path, records: Records) -> Records:
        """Caches the results of a file at once."""
        self._file.write(json.dumps([*_stamp(path), records]).encode() + b"\n")
        self._file.flush()
        return records


def _read(line: bytes) -> tuple[Stamp, Records] | None:
    """Returns the stamp and the records on a line; None for one that is damaged."""
    from rulelang.workbench.impact import Impact

    try:
        path, size, time, records = json.loads(line)
        for record in records:
            Impact.of(record)
        return (str(path), int(size), int(time)), list(records)
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _digest(stamp: Stamp) -> bytes:
    return hashlib.blake2b(repr(stamp).encode(), digest_size=12).digest()


def _stamp(path: Path) -> Stamp:
    found = path.stat()
    return str(path.resolve()), found.st_size, found.st_mtime_ns


def _hash_of(rules: str) -> str:
    """Returns the digest of rules; of variants named alone, that of all games that ship."""
    from rulelang import api
    from rulelang.errors import RulelangError

    try:
        return api.load(rules).rules_hash
    except RulelangError:
        return repr([(name, api.load(name).text_hash) for name in api.games()])
