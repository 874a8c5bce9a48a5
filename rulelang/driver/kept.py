"""Keeps checked games: their IR as data, and the code generated from it.

    read_game(made_of(entry, ("sprint",)))      KeptGame(ir, rules_hash, text_hash, warnings, digest), or None
    KeptCode(digest).read("traced")             compiled Python, or None
    KeptCode(digest).secrets(game)              its secrets, cached or computed

The key of cached IR covers the texts and the compiler's own files; IR is validated field by field when it is read back
(`ir.encoding.schema`), once: a mark kept like code says that these very bytes are valid. A shipped game also has its
IR beside its texts (`write_shipped`), so that its first start checks nothing. The key of cached code covers the IR, the
files that generate code from it, and the interpreter. Code cannot be validated, so it is read only if nobody but the
user could have written it (`cache.read_code`).
"""

from __future__ import annotations

import hashlib
import json
import marshal
import os
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib.util import MAGIC_NUMBER
from pathlib import Path
from typing import Any

import attrs

from rulelang import disk
from rulelang.cache import sealed, unsealed, users_cache
from rulelang.diagnostics.model import Diagnostic, Label
from rulelang.driver.collector import held_back
from rulelang.ir import model as ir
from rulelang.ir.encoding.data import from_data, game_from_data, to_data
from rulelang.knowledge.secrets import Secrets
from rulelang.source import SourceText, Span
from rulelang.texts.model import UnreadableText, name_beside
from rulelang.texts.reader import Disk, is_inside, parts_of
from rulelang.texts.shipped import LIBRARY, roots
from rulelang.version import VERSION

_DIGEST = re.compile(r"[0-9a-f]{16}")
MOST_FILES = 200
COMPILER = ("syntax", "texts", "variants", "semantics", "ir", "program", "diagnostics", "driver")
"""The rooms that turn rules into IR: a change to one of their files invalidates all cached IR."""
SHIPPED = "checked.json"
"""The file in the folder of a shipped game that holds its IR."""
MADE_OF_IR = ("ir", "program", "knowledge")
"""The rooms that turn IR into the code and secrets cached beside it."""
VALID = "valid"
"""The name of the mark that some IR was validated."""
_HERE = Path(__file__).parent.parent


@attrs.frozen
class KeptGame:
    """A cached game: its IR, digests and warnings."""

    ir: ir.GameRules
    rules_hash: str
    text_hash: str
    warnings: tuple[Diagnostic, ...] = ()
    digest: str = ""
    """The digest of the cached text, under which code generated from the IR is cached."""


@cache
def _compiler() -> str:
    """Returns a fingerprint of this compiler: its version, and the names, sizes and dates of its files."""
    return repr(
        (VERSION, [_stamps(room) for room in COMPILER], [_stamp(path.stat(), path.name) for path in _grammar()])
    )


@cache
def _compiler_by_words() -> str:
    """Returns a fingerprint of this compiler that is the same wherever it is installed: its version, and the contents
    of its files.
    """
    paths = sorted(Path(file.path) for room in COMPILER for file in _files(str(_HERE / room)))
    return repr((VERSION, [(path.name, digest_of(path.read_text("utf-8"))) for path in (*paths, *_grammar())]))


def _grammar() -> list[Path]:
    """Returns the file of the grammar, where it is installed or in a checkout."""
    places = (_HERE / "grammar" / "rules.lark", _HERE.parent / "grammar" / "rules.lark")
    return [path for path in places if path.is_file()]


@cache
def everything_here() -> str:
    """Returns a fingerprint of all code that can look for faults, as installed here."""
    return repr((VERSION, _stamps(""), [_stamp(path.stat(), path.name) for path in _grammar()]))


@cache
def _printer() -> str:
    """Returns a fingerprint of the files that generate code, and
    of the interpreter; code cached under another is not run.
    """
    stamps = [_stamps(room) for room in MADE_OF_IR]
    return repr((VERSION, stamps, sys.implementation.cache_tag, MAGIC_NUMBER, sys.flags.optimize))


@cache
def _stamps(room: str) -> list[tuple[str, int, int]]:
    """Returns the names, sizes and dates of a room's files."""
    return sorted(_stamp(file.stat(), file.path) for file in _files(str(_HERE / room)))


def _stamp(found: os.stat_result, name: str) -> tuple[str, int, int]:
    return name, found.st_size, found.st_mtime_ns


def _files(folder: str) -> Iterator[os.DirEntry[str]]:
    """Yields the files of code in a folder and the folders below, with what the system tells of each in passing."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir():
                yield from _files(entry.path)
            elif entry.name.endswith((".py", ".ll")):
                yield entry


@attrs.frozen
class MadeOf:
    """The sources of a game: a digest of every text and of the variants, the texts, and their folder."""

    texts: str
    sources: tuple[SourceText, ...] = attrs.field(eq=False, repr=False)
    folder: Path = attrs.field(eq=False, repr=False)

    @property
    def key(self) -> str:
        """The key in the user's own cache: it covers the texts and this compiler as installed here."""
        return digest_of(repr((_compiler(), self.texts)))

    @property
    def shipped_key(self) -> str:
        """The key of IR that ships: it covers the texts and this compiler, wherever it is installed."""
        return digest_of(repr((_compiler_by_words(), self.texts)))

    @property
    def shipped(self) -> Path | None:
        """The file with the IR of a shipped game; None for any other game, since its folder may come from anywhere."""
        is_ours = any(self.folder.parent == root.resolve() for root in roots())
        return self.folder / SHIPPED if is_ours else None


def made_of(entry: Path, variants: tuple[str, ...], more: tuple[Path, ...] = ()) -> MadeOf | None:
    """Returns the sources of a game on disk, and of further files with variants of it; None if it cannot be cached,
    because it has too many files, or its texts cannot be read or may lie elsewhere.
    """
    folder = entry.parent.resolve()
    whole = folder.name == entry.stem
    paths = sorted(folder.rglob("*.rules"))[: MOST_FILES + 1] if whole else [entry.resolve()]
    if len(paths) > MOST_FILES:
        return None
    digest = hashlib.sha256(repr(variants).encode())
    sources = []
    try:
        for path in paths:
            if not is_inside(path, folder):
                return None
            text = Disk().read(path)
            if not whole and (_includes_files(text) or not re.search(r"^game ", text, re.M)):
                return None
            name = path.relative_to(folder).as_posix()
            digest.update(repr((name, text)).encode())
            sources.append(SourceText(name, text))
        for path in more:
            text = Disk().read(path)
            if _includes_files(text):
                return None
            name = name_beside({source.name for source in sources}, path)
            digest.update(repr((name, text)).encode())
            sources.append(SourceText(name, text))
        for part, path in parts_of(source.text for source in sources).items():
            text = Disk().read(path)
            digest.update(repr((LIBRARY, part, text)).encode())
            sources.append(SourceText(f"{LIBRARY}{part}", text))
    except (OSError, UnreadableText):
        return None
    return MadeOf(digest.hexdigest(), tuple(sources), folder)


def _includes_files(text: str) -> bool:
    """Returns whether a text may include other files than parts of the library."""
    return "include" in text.replace(f'include "{LIBRARY}', "")


def read_game(made: MadeOf) -> KeptGame | None:
    """Returns a game from the cache, else as it was shipped; None
    if both are missing, stale, damaged or not the user's own.
    """
    own = users_cache()
    body = own.read(_name(made.key), made.key) if own is not None else None
    if body is None:
        body = _shipped(made)
        if body is None:
            return None
        if own is not None:
            own.write(_name(made.key), made.key, body)
    code = KeptCode(digest_of(body))
    is_valid = code.read(VALID) is not None
    try:
        with held_back():
            kept = _decoded(body, code.digest, made, is_valid=is_valid)
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    if kept is not None and not is_valid:
        code.write(VALID, VALID.encode())
    return kept


def _shipped(made: MadeOf) -> str | None:
    """Returns the stored text of the IR that ships with a game; None unless this compiler made it from these texts."""
    path = made.shipped
    try:
        body = None if path is None else unsealed(made.shipped_key, path.read_bytes())
        return None if body is None else body.decode()
    except (OSError, ValueError):
        return None


def write_shipped(made: MadeOf, kept: KeptGame) -> None:
    """Writes the IR of a shipped game beside its texts; raises OSError, and ValueError for a game that does not ship."""
    if made.shipped is None:
        raise ValueError(f"{made.folder} is not the folder of a game that ships")
    disk.replace(made.shipped, sealed(made.shipped_key, _encoded(kept).encode()))


def _decoded(body: str, digest: str, made: MadeOf, *, is_valid: bool) -> KeptGame | None:
    stored = json.loads(body)
    by_name = {s.name: s for s in made.sources}
    named = [by_name[name] for name in stored["sources"]]
    warnings = tuple(_warning(*fields) for fields in from_data(stored["warnings"], named, is_valid=is_valid))
    rules, text = (_DIGEST.fullmatch(stored[name]) for name in ("rules_hash", "text_hash"))
    if rules is None or text is None:
        return None
    game = game_from_data(stored["ir"], named, is_valid=is_valid)
    return KeptGame(game, rules[0], text[0], warnings, digest)


def _fields(warning: Diagnostic) -> tuple[Any, ...]:
    """Returns a warning in the form that `to_data` stores: strings, spans and tuples of them."""
    labels = tuple((label.span, label.text) for label in warning.labels)
    return warning.code, warning.message, (warning.span, warning.primary.text), labels, warning.help, warning.fix


def _warning(code: str, message: str, primary: Any, labels: Any, help: str | None, fix: str | None) -> Diagnostic:
    """Returns the warning that `_fields` took apart; raises TypeError for malformed fields."""
    words = (code, message, primary[1], *(label[1] for label in labels))
    spans = (primary[0], *(label[0] for label in labels))
    known = all(isinstance(word, str) for word in words) and all(isinstance(span, Span) for span in spans)
    if not known or not all(word is None or isinstance(word, str) for word in (help, fix)):
        raise TypeError("this is no warning")
    return Diagnostic(code, message, Label(*primary), tuple(Label(*label) for label in labels), help, fix)


def write_game(made: MadeOf, kept: KeptGame) -> str:
    """Caches a checked game and returns its digest; without a cache, does nothing and returns ""."""
    own = users_cache()
    if own is None:
        return ""
    body = _encoded(kept)
    code = KeptCode(digest_of(body))
    own.write(_name(made.key), made.key, body)
    code.write(VALID, VALID.encode())
    return code.digest


def _encoded(kept: KeptGame) -> str:
    sources: list[SourceText] = []
    data = to_data(kept.ir, sources)
    warnings = to_data(tuple(_fields(warning) for warning in kept.warnings), sources)
    stored = {
        "sources": [s.name for s in sources],
        "rules_hash": kept.rules_hash,
        "text_hash": kept.text_hash,
        "warnings": warnings,
        "ir": data,
    }
    return json.dumps(stored, separators=(",", ":"))


def digest_of(text: str) -> str:
    """Returns the digest of a cached text."""
    return hashlib.sha256(text.encode()).hexdigest()


def _name(key: str) -> str:
    return f"game-{key[:32]}.json"


@attrs.frozen
class KeptCode:
    """Cached code of a game, under the digest of its IR."""

    digest: str

    def read(self, name: str) -> bytes | None:
        """Returns the code cached under a name; None if it is missing, made by another compiler or interpreter, or
        not safe to run.
        """
        own, key = users_cache(), self._key(name)
        return None if own is None else own.read_code(self._file(key), key)

    def write(self, name: str, code: bytes) -> None:
        """Caches code under a name; does nothing if the cache cannot be written."""
        own, key = users_cache(), self._key(name)
        if own is not None:
            own.write_code(self._file(key), key, code)

    def secrets(self, game: ir.GameRules) -> Secrets:
        """Returns the game's secrets, from the cache or computed."""
        kept = self.read("secrets")
        if kept is not None:
            return Secrets.from_data(marshal.loads(kept), game)
        # A game whose secrets were kept starts without the analysis of where values flow.
        from rulelang.knowledge.analysis import secrets_of

        secrets = secrets_of(game)
        self.write("secrets", marshal.dumps(secrets.to_data()))
        return secrets

    def _key(self, name: str) -> str:
        return digest_of(repr((name, self.digest, _printer())))

    def _file(self, key: str) -> str:
        return f"code-{key[:32]}.bin"
