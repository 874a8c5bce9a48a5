"""`rulelang fmt`: formats rules files in place.

A file that cannot be read as rules is left as it is.
"""

from __future__ import annotations

import difflib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from rulelang.diagnostics.render import escaped
from rulelang.disk import replace

from ...argument import FilePath, counted, show
from ...console import is_coloured, style_for
from ...exits import NOT_SO, Unreadable
from ...progress_message import waiting

if TYPE_CHECKING:
    from rulelang.diagnostics.model import Diagnostic
    from rulelang.source import SourceText


@click.command("fmt")
@click.argument("paths", nargs=-1, required=True, type=FilePath())
@click.option("--check", "only_check", is_flag=True, help="Change nothing; exit 1 if a file is not in the style.")
@click.option("--diff", is_flag=True, help="Change nothing; show what would change.")
def command(paths: tuple[Path, ...], only_check: bool, diff: bool) -> None:
    """Put rules files into the one style, in place.

    PATHS are .rules files, folders (all .rules files in them), names of games, or - for standard input. A file is replaced as
    a whole or left as it is; a link that leads out of its folder is not followed.

    \b
    Examples:
      rulelang fmt games/outspeed
      rulelang fmt --check .
      rulelang fmt --diff nim.rules
      rulelang fmt - < nim.rules
    """
    if paths == (Path("-"),):
        _pipe(only_check=only_check, diff=diff)
        return
    with waiting("Formatting the rules"):
        files = _files(paths)
        contents = [_read(path) for path in files]
        sources = [_decoded(written, path) for written, path in zip(contents, files, strict=True)]
        texts = [_formatted(source) for source in sources]
    changed, refused = 0, False
    for path, written, source, text in zip(files, contents, sources, texts, strict=True):
        if not isinstance(text, str):
            _refuse(source, text)
            refused = True
        elif written != text.encode():
            changed += 1
            if diff:
                _print_diff(source, text)
            elif only_check:
                click.echo(f"{escaped(str(path))} is not in the style")
            else:
                replace(path.resolve(), text.encode())
                click.echo(f"{escaped(str(path))} put into the style")
    if not changed and not refused:
        click.echo("nothing to change")
    if refused or (changed and only_check):
        sys.exit(NOT_SO)


def _pipe(*, only_check: bool, diff: bool) -> None:
    from rulelang.source import SourceText

    written = sys.stdin.buffer.read()
    try:
        source = SourceText("-", written.decode("utf-8"))
    except UnicodeDecodeError:
        raise Unreadable("standard input is not text: it cannot be decoded as UTF-8") from None
    text = _formatted(source)
    if not isinstance(text, str):
        _refuse(source, text)
        sys.exit(NOT_SO)
    if diff:
        _print_diff(source, text)
    elif not only_check:
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()
    if only_check and text.encode() != written:
        sys.exit(NOT_SO)


def _files(paths: tuple[Path, ...]) -> list[Path]:
    """Returns the files to format, each once: for a folder, those in it, following its links."""
    from rulelang.texts.reader import NothingToRead, find_entry, is_inside

    found: dict[Path, Path] = {}
    for path in paths:
        if path.is_file():
            if not is_inside(path, path.parent.resolve()):
                raise Unreadable(f"{path} is a link that leads out of its folder: name the file itself")
            found.setdefault(path.resolve(), path)
            continue
        try:
            folder = path if path.is_dir() else find_entry(str(path)).parent
        except NothingToRead as error:
            raise Unreadable(str(error)) from None
        inside = sorted(p for p in folder.rglob("*.rules") if p.is_file())
        if not inside:
            raise Unreadable(f"there is no .rules file in {path}")
        for file in inside:
            if is_inside(file, folder.resolve()):
                found.setdefault(file.resolve(), file)
            else:
                click.echo(
                    f"{escaped(str(file))} is left as it is: it is a link that leads out of the folder", err=True
                )
    return list(found.values())


def _read(path: Path) -> bytes:
    """Returns the text of a file; a file larger than rules can be is refused."""
    from rulelang.texts.model import LARGEST_FILE

    if path.stat().st_size > LARGEST_FILE:
        raise Unreadable(f"{path} is too large for rules")
    return path.read_bytes()


def _decoded(written: bytes, path: Path) -> SourceText:
    from rulelang.source import SourceText

    try:
        return SourceText(str(path), written.decode("utf-8"))
    except UnicodeDecodeError:
        raise Unreadable(f"{path} is not text: it cannot be decoded as UTF-8") from None


def _formatted(source: SourceText) -> str | tuple[Diagnostic, ...]:
    """Returns the formatted text, or the faults of a text that cannot be read as rules."""
    from rulelang.syntax.parser import parse
    from rulelang.syntax.printing.printer import format_source

    return tuple(d for d in parse(source).diagnostics if d.is_error) or format_source(source)


def _refuse(source: SourceText, faults: tuple[Diagnostic, ...]) -> None:
    """Prints the reason why a text is left as it is."""
    show(faults)
    click.echo(f"{escaped(source.name)} is left as it is: {counted(faults)}", err=True)


def _print_diff(source: SourceText, text: str) -> None:
    style = style_for(sys.stdout)
    roles = {"+": "good", "-": "bad", "@": "place"}
    lines = difflib.unified_diff(source.text.splitlines(), text.splitlines(), source.name, f"{source.name} (in style)")
    for line in lines:
        shown = escaped(line.rstrip("\n"))
        role = roles.get(shown[:1])
        click.echo(style(role, shown) if role else shown, color=is_coloured(sys.stdout))
