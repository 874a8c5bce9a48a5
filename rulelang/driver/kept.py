"""Checked games in the cache: IR as data, keyed by every word it was made of and by the compiler's own files.

    read_game(made_of(entry, ("sprint",)))      KeptGame(ir, rules_hash, text_hash, warnings), or None

What is read back is checked field by field (`ir.schema`).
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import attrs

from rulelang.cache import users_cache
from rulelang.diagnostics.model import Diagnostic, Label
from rulelang.ir import model as ir
from rulelang.ir.data import from_data, game_from_data, to_data
from rulelang.source import Source, Span
from rulelang.texts.model import Unreadable
from rulelang.texts.reader import Disk, is_inside
from rulelang.version import VERSION

_DIGEST = re.compile(r"[0-9a-f]{16}")
MOST_FILES = 200
COMPILER = ("syntax", "texts", "variants", "semantics", "ir", "diagnostics", "driver")
"""The rooms that make IR of rules: where one of their files has changed, nothing that was kept counts."""


@attrs.frozen
class KeptGame:
    """A checked game as it is kept: its IR, digests and warnings."""

    ir: ir.Game
    rules_hash: str
    text_hash: str
    warnings: tuple[Diagnostic, ...] = ()


@cache
def _compiler() -> str:
    """Returns what tells this compiler from another one: its version, and when its files were written."""
    here = Path(__file__).parent.parent
    grammars = (here / "grammar" / "rules.lark", here.parent / "grammar" / "rules.lark")
    paths = sorted(path for room in COMPILER for path in (here / room).rglob("*.py"))
    paths += [path for path in grammars if path.is_file()]
    stamps = [(path.name, found.st_size, found.st_mtime_ns) for path in paths for found in (path.stat(),)]
    return repr((VERSION, stamps))


@attrs.frozen
class MadeOf:
    """What a game may be made of: a digest of every word, and the texts."""

    key: str
    sources: tuple[Source, ...] = attrs.field(eq=False, repr=False)


def made_of(entry: Path, variants: tuple[str, ...]) -> MadeOf | None:
    """Returns what a game on the disk may be made of now; None for what is not kept."""
    folder = entry.parent.resolve()
    whole = folder.name == entry.stem
    paths = sorted(folder.rglob("*.rules"))[: MOST_FILES + 1] if whole else [entry.resolve()]
    if len(paths) > MOST_FILES:
        return None
    digest = hashlib.sha256(repr((_compiler(), variants)).encode())
    sources = []
    try:
        for path in paths:
            if not is_inside(path, folder):
                return None
            text = Disk().read(path)
            if not whole and ("include" in text or not re.search(r"^game ", text, re.M)):
                return None
            name = path.relative_to(folder).as_posix()
            digest.update(repr((name, text)).encode())
            sources.append(Source(name, text))
    except (OSError, Unreadable):
        return None
    return MadeOf(digest.hexdigest(), tuple(sources))


def read_game(made: MadeOf) -> KeptGame | None:
    """Returns a game from the cache; None if it is not there, was made of something else, is damaged or not the user's own."""
    own = users_cache()
    body = own.read(_name(made.key), made.key) if own is not None else None
    if body is None:
        return None
    try:
        stored = json.loads(body)
        by_name = {s.name: s for s in made.sources}
        named = [by_name[name] for name in stored["sources"]]
        warnings = tuple(_warning(*fields) for fields in from_data(stored["warnings"], named))
        rules, text = (_DIGEST.fullmatch(stored[name]) for name in ("rules_hash", "text_hash"))
        if rules is None or text is None:
            return None
        return KeptGame(game_from_data(stored["ir"], named), rules[0], text[0], warnings)
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _fields(warning: Diagnostic) -> tuple[Any, ...]:
    """Returns a warning as what `to_data` keeps: words, spans and tuples of them."""
    labels = tuple((label.span, label.text) for label in warning.labels)
    return warning.code, warning.message, (warning.span, warning.primary.text), labels, warning.help, warning.fix


def _warning(code: str, message: str, primary: Any, labels: Any, help: str | None, fix: str | None) -> Diagnostic:
    """Returns the warning that `_fields` took apart; raises TypeError where it is none."""
    words = (code, message, primary[1], *(label[1] for label in labels))
    spans = (primary[0], *(label[0] for label in labels))
    known = all(isinstance(word, str) for word in words) and all(isinstance(span, Span) for span in spans)
    if not known or not all(word is None or isinstance(word, str) for word in (help, fix)):
        raise TypeError("this is no warning")
    return Diagnostic(code, message, Label(*primary), tuple(Label(*label) for label in labels), help, fix)


def write_game(made: MadeOf, kept: KeptGame) -> None:
    """Keeps a checked game; does nothing where the cache cannot be written."""
    own = users_cache()
    if own is None:
        return
    sources: list[Source] = []
    data = to_data(kept.ir, sources)
    warnings = to_data(tuple(_fields(warning) for warning in kept.warnings), sources)
    stored = {
        "sources": [s.name for s in sources],
        "rules_hash": kept.rules_hash,
        "text_hash": kept.text_hash,
        "warnings": warnings,
        "ir": data,
    }
    body = json.dumps(stored, separators=(",", ":"))
    own.write(_name(made.key), made.key, body)


def _name(key: str) -> str:
    return f"game-{key[:32]}.json"
