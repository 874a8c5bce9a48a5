"""Logs compressed with zstd (`race.jsonl.zst`), unpacked piece by piece and up to a bound.

    with unpacked(open_to_read(path)) as file: ...      the text of all frames, one after the other
    packed(text)                                        one frame

Python has zstd since 3.14; for earlier versions it comes with the extra `zstd`. A tiny file can unpack to a huge text,
so it is unpacked only as it is read, and a file that grows more than GROWTH times, beyond FREE bytes, is refused.
"""

from __future__ import annotations

import importlib
from io import BufferedReader, RawIOBase
from types import ModuleType
from typing import IO, Any

from rulelang.errors import LogError

MAGIC = b"\x28\xb5\x2f\xfd"
"""The first bytes of a frame of zstd."""
SUFFIX = ".zst"
WIDEST = 25
"""The widest window that is unpacked, as a power of two bytes: a bound on the memory that a frame can demand."""
FREE = 2**28
GROWTH = 2_000
LEVEL = 10
_PIECE = 2**16


def zstd() -> ModuleType:
    """Returns the zstd library; raises LogError if it is not installed."""
    for name in ("compression.zstd", "backports.zstd"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise LogError("a log in zstd needs Python 3.14, or: pip install 'rulelang[zstd]' (or unpack it first: zstd -d)")


def is_packed(file: IO[bytes]) -> bool:
    """Returns whether a seekable file continues with zstd data."""
    start = file.tell()
    head = file.read(len(MAGIC))
    file.seek(start)
    return head == MAGIC


def packed(text: bytes) -> bytes:
    """Returns a text as one frame, the same bytes for the same text and library; raises LogError without the library."""
    found: bytes = zstd().compress(text, LEVEL)
    return found


def unpacked(file: IO[bytes]) -> IO[bytes]:
    """Returns the text of a packed file as a file; closing it closes the packed one.

    Reading it raises LogError for data that is not zstd, for a
    truncated stream, and for one that grows beyond the bound.
    """
    return BufferedReader(_Unpacking(file), _PIECE)


class _Unpacking(RawIOBase):
    """The unpacked text of a file, as it is read."""

    def __init__(self, file: IO[bytes]) -> None:
        self._library = zstd()
        self._file = file
        self._frame: Any = None
        self._left = b""
        """Bytes that have been read and belong to the next frame."""
        self._taken = self._given = 0

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._file.close()
        super().close()

    def readinto(self, buffer: Any) -> int:
        """Fills a buffer as far as one step of unpacking goes; returns 0 at the end."""
        while True:
            data = self._next(len(buffer))
            if data is None:
                return 0
            if data:
                break
        self._given += len(data)
        if self._given > max(FREE, GROWTH * self._taken):
            raise LogError(f"{self._taken:,} bytes of zstd stand for more than {self._given:,}: not a log")
        buffer[: len(data)] = data
        return len(data)

    def _next(self, most: int) -> bytes | None:
        """Returns the output of one step of unpacking, possibly empty; None at the end. Raises LogError."""
        if self._frame is None or self._frame.eof:
            rest = (self._frame.unused_data if self._frame is not None else b"") or self._read()
            if not rest:
                return None
            option = self._library.DecompressionParameter.window_log_max
            self._frame, self._left = self._library.ZstdDecompressor(options={option: WIDEST}), rest
        elif self._frame.needs_input:
            self._left = self._read()
            if not self._left:
                raise LogError("the compressed log was cut off: compress the original log again")
        fed, self._left = self._left, b""
        try:
            data: bytes = self._frame.decompress(fed, most)
        except self._library.ZstdError:
            raise LogError("the compressed log is damaged: it cannot be unpacked") from None
        return data

    def _read(self) -> bytes:
        data = self._file.read(_PIECE)
        self._taken += len(data)
        return data
