"""`rulelang log cat LOGS…`: logs one after another, compressed or not."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from rulelang.diagnostics.render import escaped

from ...argument import FilePath
from ...exits import Refused, Unreadable
from ...logbook import log_files


@click.command("cat")
@click.argument("logs", nargs=-1, required=True, type=FilePath())
@click.option("--out", type=FilePath(), metavar="FILE", help="A new file; one called .zst is compressed.")
@click.option("--nth", type=click.IntRange(1), help="Only this one of all the logs, counted from 1.")
def command(*, logs: tuple[Path, ...], out: Path | None, nth: int | None) -> None:
    """Write LOGS (files and folders) one after the other, as text or into a new file.

    Logs in one file are read as if each had one of its own: by replay, impact, query and this. What cannot be read, or was cut
    off in its last line, is refused, for nothing is left out silently.

    \b
    Examples:
      rulelang log cat played/ --out all.jsonl.zst
      rulelang log cat all.jsonl.zst --nth 3 --out third.jsonl
    """
    from rulelang import disk
    from rulelang.log.compressed import SUFFIX, packed

    texts = _texts(log_files(logs), nth)
    if out is None:
        _write(texts)
        return
    every = list(texts)
    if not every:
        raise Unreadable("there are fewer logs than that")
    whole = b"".join(every)
    try:
        disk.create(out, packed(whole) if out.suffix == SUFFIX else whole)
    except FileExistsError:
        raise Refused(f"{out} exists already; nothing is overwritten") from None
    count = f"{len(every)} log{'s' if len(every) > 1 else ''}"
    click.echo(escaped(f"{out} has {count}, {out.stat().st_size:,} bytes for {len(whole):,}"))


def _write(texts: Iterator[bytes]) -> None:
    """Writes logs to standard output unchanged; on a terminal, without control characters."""
    for text in texts:
        if sys.stdout.isatty():
            for line in text.decode().split("\n")[:-1]:
                click.echo(escaped(line))
        else:
            sys.stdout.buffer.write(text)
    sys.stdout.buffer.flush()


def _texts(paths: tuple[Path, ...], nth: int | None) -> Iterator[bytes]:
    """Yields the text of each log; ends the command with 3 for a damaged or truncated one."""
    from rulelang.errors import LogError
    from rulelang.log.reading import read_logs

    number = 0
    for path in paths:
        for log in read_logs(path):
            number += 1
            if nth is not None and number != nth:
                continue
            if isinstance(log, LogError):
                raise Unreadable(f"{path}: {log}")
            if log.notes:
                raise Unreadable(f"{path}: {log.notes[0]}: save the intact part first (rulelang replay --repair)")
            yield log.text
            if nth is not None:
                return
