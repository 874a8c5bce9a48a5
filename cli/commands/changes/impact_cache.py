"""Results of `impact` in the user's own cache, so that finished work survives an interrupt.

kept = ImpactCache("outspeed+hungry", ("nearest", None), fresh=False)
kept.put(portion, records); kept.get(portion)

A line holds a file's path, size and time, the number of its logs before the portion, and the records. Only the
positions of lines are held in memory.
"""

from __future__ import annotations

import hashlib
import json
from io import BytesIO
from typing import TYPE_CHECKING, Any, BinaryIO

import attrs

if TYPE_CHECKING:
    from .portions import Portion

Records = list[dict[str, Any]]
Stamp = tuple[str, int, int, int]


@attrs.define(init=False)
class ImpactCache:
    """Earlier results by a file's path, size and time, portion by portion, for the same rules and the same `how`."""

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
            # An interrupt may have left an incomplete line.
            self._file.write(b"\n")

    def get(self, portion: Portion) -> Records | None:
        """Returns the cached results of a portion; None if there are none, or if its file has changed."""
        stamp = _stamp(portion)
        begin = self._begins.get(_digest(stamp))
        if begin is None:
            return None
        self._file.seek(begin)
        found = _read(self._file.readline())
        return found[1] if found is not None and found[0] == stamp else None

    def put(self, portion: Portion, records: Records) -> Records:
        """Caches the results of a portion at once."""
        self._file.write(json.dumps([*_stamp(portion), records]).encode() + b"\n")
        self._file.flush()
        return records


def _read(line: bytes) -> tuple[Stamp, Records] | None:
    """Returns the stamp and the records on a line; None for one that is damaged."""
    from rulelang.workbench.impact import Impact

    try:
        path, size, time, begin, records = json.loads(line)
        for record in records:
            Impact.of(record)
        return (str(path), int(size), int(time), int(begin)), list(records)
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _digest(stamp: Stamp) -> bytes:
    return hashlib.blake2b(repr(stamp).encode(), digest_size=12).digest()


def _stamp(portion: Portion) -> Stamp:
    found = portion.path.stat()
    return str(portion.path.resolve()), found.st_size, found.st_mtime_ns, portion.begin


def _hash_of(rules: str) -> str:
    """Returns the digest of rules; for names of variants alone, that of all games that ship."""
    from rulelang import api
    from rulelang.errors import RulelangError

    try:
        return api.load(rules).rules_hash
    except RulelangError:
        return repr([(name, api.load(name).text_hash) for name in api.games()])
