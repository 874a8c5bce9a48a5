"""The one reader of rules: finds games, follows includes, reads ledgers.

    games/outspeed/            load_folder("games/outspeed") -> Loaded(entry, module, …)
      outspeed.rules             the entry; `include "tiles.rules"` stays inside this folder
      rulebook.toml              the ledger
      variants/*.rules           variants of the game
      scenarios/*.rules          scenarios of the game

A file that holds variants of a game that ships, and no game, is that game with these variants.

It also keeps the compile cache: the IR of a checked game as data in the user's own cache folder, keyed by every word it was
made of and by version, checked by digest and field by field when it is read. It may be deleted at any time.

Invariant: nothing outside the entry's folder is read but games that ship, whatever an include or a link says.
Invariant: what is read has one form (`source.normal`): the same rules, whatever system their files were written on.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import re
import stat
import tomllib
import unicodedata
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import platformdirs

from rulelang import disk
from rulelang.diagnostics.model import Diagnostic, Label, Sink
from rulelang.ir import model as ir
from rulelang.ir.data import from_data, game_from_data, to_data
from rulelang.source import NOWHERE, Source, Span, normal
from rulelang.version import VERSION

if TYPE_CHECKING:
    from rulelang.syntax import nodes

LARGEST_FILE = 4_000_000
LARGEST_KEPT = 2**28
MOST_FILES = 200
_DIGEST = re.compile(r"[0-9a-f]{16}")
COMPILER = ("syntax", "variants", "semantics", "ir", "diagnostics")
"""The rooms that make IR of rules: where one of their files has changed, nothing that was kept counts."""


class NoSuchGame(Exception):
    """Nothing to read under that name."""


@attrs.frozen
class Loaded:
    """A game as read: its whole text as one tree, its variants and scenarios apart."""

    entry: Path
    name: str
    """The folder's name, or the file's."""
    module: nodes.Module
    variants: tuple[nodes.Variant, ...]
    scenarios: tuple[nodes.Scenario, ...]
    sources: tuple[Source, ...]
    diagnostics: tuple[Diagnostic, ...]
    ledger: tuple[dict[str, object], ...]


def game_folders() -> tuple[Path, ...]:
    """Gives the folders of all shipped games, by name."""
    found = []
    for root in _roots():
        found += [p for p in sorted(root.iterdir()) if (p / f"{p.name}.rules").is_file()]
    return tuple(found)


def _roots() -> list[Path]:
    """Where shipped games lie: in the installed package, else in the checkout beside it."""
    package = Path(str(resources.files("rulelang")))
    for root in (package / "shipped", package.parent / "games"):
        if root.is_dir():
            return [root]
    return []


def find_entry(name: str) -> Path:
    """Gives the entry file of `outspeed`, `games/outspeed` or `path/to/nim.rules`; raises NoSuchGame."""
    try:
        return _find_entry(name)
    except OSError as error:
        raise NoSuchGame(f"there is no game {name[:40]!r}...: {error.strerror}") from None
    except ValueError:
        # No system takes such a path: there is a NUL in it.
        raise NoSuchGame(f"there is no game {name[:40]!r}") from None


def _find_entry(name: str) -> Path:
    path = Path(name)
    if path.suffix == ".rules" or os.sep in name:
        if path.is_dir() and (path / f"{path.resolve().name}.rules").is_file():
            return path / f"{path.resolve().name}.rules"
        if path.is_file():
            return path
        raise NoSuchGame(f"there is no file {name!r}")
    for folder in game_folders():
        if folder.name == name:
            return folder / f"{name}.rules"
    if path.is_dir() and (path / f"{name}.rules").is_file():
        return path / f"{name}.rules"
    known = ", ".join(f.name for f in game_folders())
    raise NoSuchGame(f"there is no game {name!r} (there are: {known}; or give the path of a .rules file)")


def load_entry(entry: Path) -> Loaded:
    """Reads a game with all that belongs to it; faults are in `diagnostics`."""
    from rulelang.syntax import nodes

    prepare_cache()
    reader = _Reader(entry.parent.resolve(), Sink())
    module = reader.read(entry, entry.name, ())
    game = next((d for d in module.declarations if isinstance(d, nodes.Game)), None)
    shipped = _shipped_base(module) if game is None else None
    if shipped is not None:
        return _varied(load_entry(shipped), entry, module, reader)
    whole = entry.parent.resolve().name == entry.stem
    beside: list[nodes.Declaration] = []
    for folder in ("variants", "scenarios") if whole else ():
        for path in sorted((entry.parent / folder).glob("*.rules")):
            beside += reader.beside(path, f"{folder}/{path.name}")
    declarations = [*module.declarations, *beside]
    ledger = reader.ledger(game) if game is not None else ()
    apart = (nodes.Variant, nodes.Scenario)
    return Loaded(
        entry=entry,
        name=entry.parent.resolve().name if whole else entry.stem,
        module=nodes.Module(tuple(d for d in declarations if not isinstance(d, apart)), span=module.span),
        variants=tuple(d for d in declarations if isinstance(d, nodes.Variant)),
        scenarios=tuple(d for d in declarations if isinstance(d, nodes.Scenario)),
        sources=tuple(reader.sources),
        diagnostics=reader.sink.sorted(),
        ledger=ledger,
    )


def _shipped_base(module: nodes.Module) -> Path | None:
    """Gives the entry of the game that ships whose variant a module begins with."""
    from rulelang.syntax import nodes

    variant = next((d for d in module.declarations if isinstance(d, nodes.Variant)), None)
    folders = game_folders() if variant is not None else ()
    return next((f / f"{f.name}.rules" for f in folders if variant is not None and f.name == variant.of.text), None)


def _varied(game: Loaded, entry: Path, module: nodes.Module, reader: _Reader) -> Loaded:
    """Gives a game with the variants and scenarios of a file of its own beside it."""
    from rulelang.syntax import nodes

    apart = (nodes.Variant, nodes.Scenario)
    rest = tuple(d for d in module.declarations if not isinstance(d, apart))
    return attrs.evolve(
        game,
        entry=entry,
        module=attrs.evolve(game.module, declarations=(*game.module.declarations, *rest)),
        variants=(*game.variants, *(d for d in module.declarations if isinstance(d, nodes.Variant))),
        scenarios=(*game.scenarios, *(d for d in module.declarations if isinstance(d, nodes.Scenario))),
        sources=(*game.sources, *reader.sources),
        diagnostics=(*game.diagnostics, *reader.sink.sorted()),
    )


@attrs.define
class _Reader:
    folder: Path
    sink: Sink
    sources: list[Source] = attrs.field(factory=list)

    def read(self, path: Path, name: str, including: tuple[nodes.Include, ...]) -> nodes.Module:
        """Reads one file and what it includes, as one module."""
        from rulelang.syntax import nodes
        from rulelang.syntax.parser import parse

        at = including[-1].span if including else NOWHERE
        source = self._source(path, name, at)
        if source is None:
            return nodes.Module((), span=NOWHERE)
        parsed = parse(source)
        self.sink.extend(parsed.diagnostics)
        declarations: list[nodes.Declaration] = []
        for node in parsed.module.declarations:
            if isinstance(node, nodes.Include):
                declarations += self._include(node, path, including)
            else:
                declarations.append(node)
        return nodes.Module(tuple(declarations), parsed.module.comments, span=Span(source, 0, len(source.text)))

    def beside(self, path: Path, name: str) -> tuple[nodes.Declaration, ...]:
        """Reads a file that belongs to the game because of where it lies."""
        if not is_inside(path, self.folder):
            self._fault("E0213", f"{name} leads outside of the game's folder", name, NOWHERE)
            return ()
        return self.read(path, name, ()).declarations

    def _source(self, path: Path, name: str, at: Span) -> Source | None:
        try:
            text = _text_of(path)
        except _TooLarge as error:
            self._fault("E0215", f"{name} {error}", name, at)
            return None
        except UnicodeDecodeError:
            self._fault("E0216", f"{name} is not text: it cannot be decoded as UTF-8", name, at)
            return None
        except OSError as error:
            self._fault("E0215", f"{name} cannot be read: {error.strerror or 'no such file'}", name, at)
            return None
        source = Source(name, text)
        self.sources.append(source)
        if not source.text.strip():
            self._fault("E0211", f"{name} is empty: no game is declared here", name, Span(source, 0, 0))
        return source

    def _fault(self, code: str, message: str, name: str, at: Span) -> None:
        span = at if at is not NOWHERE else Span(Source(name, ""), 0, 0)
        self.sink.report(code, message, span)

    def _include(
        self, node: nodes.Include, path: Path, including: tuple[nodes.Include, ...]
    ) -> tuple[nodes.Declaration, ...]:
        written = node.path.raw
        if Path(written).is_absolute() or not is_inside(_found(path.parent, written), self.folder):
            self.sink.report(
                "E0213", "an include stays inside the game's folder", node.path.span, "this leads outside of it"
            )
            return ()
        target = _found(path.parent, written).resolve()
        chain = [_found(path.parent, n.path.raw).resolve() for n in including]
        if target == path.resolve() or target in chain or (target == self.folder / path.name and including):
            labels = tuple(Label(n.span, "included here") for n in including)
            self.sink.report("E0214", f"`{written}` includes itself", node.span, "a cycle of includes", labels=labels)
            return ()
        if len(self.sources) >= MOST_FILES:
            self.sink.report("E0215", f"a game has at most {MOST_FILES} files", node.span)
            return ()
        return self.read(target, target.relative_to(self.folder).as_posix(), (*including, node)).declarations

    def ledger(self, game: nodes.Game) -> tuple[dict[str, object], ...]:
        """Gives the clauses of the game's `rulebook`, as tables; none if it names none."""
        line = next((n for n in game.lines if n.what == "rulebook" and n.text is not None), None)
        if line is None or line.text is None:
            return ()
        path = _found(self.folder, line.text.raw)
        if not is_inside(path, self.folder):
            self.sink.report("E0213", "the ledger stays inside the game's folder", line.text.span)
            return ()
        try:
            clauses = tomllib.loads(_text_of(path)).get("clause", [])
        except (OSError, ValueError, RecursionError, _TooLarge) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            self.sink.report("E0215", f"the ledger {line.text.raw} cannot be read: {reason}", line.text.span)
            return ()
        listed = clauses if isinstance(clauses, list) else []
        return tuple(c for c in listed if isinstance(c, dict) and isinstance(c.get("id"), str))


class _TooLarge(Exception):
    """More than anybody writes."""

    def __str__(self) -> str:
        return f"is too large: at most {LARGEST_FILE // 1_000_000} MB"


def _text_of(path: Path) -> str:
    """Returns the text of a file, in the one form; raises OSError for what is no plain file, UnicodeDecodeError and _TooLarge."""
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "this is not a file")
    if found.st_size > LARGEST_FILE:
        raise _TooLarge
    return normal(path.read_bytes().decode("utf-8"))


def _found(folder: Path, written: str) -> Path:
    """Returns the path that rules name: where there is none, one whose names are the same in NFC."""
    path = folder / written
    parts = Path(written).parts
    if written.isascii() or ".." in parts or Path(written).is_absolute() or os.path.lexists(path):
        return path
    found = folder
    for part in parts:
        try:
            same = sorted(name for name in os.listdir(found) if unicodedata.normalize("NFC", name) == part)
        except OSError:
            return path
        found = found / (same[0] if same else part)
    return found


def is_inside(path: Path, folder: Path) -> bool:
    """Tells whether a path stays inside a folder, wherever links lead."""
    try:
        return path.resolve().is_relative_to(folder)
    except (OSError, RuntimeError, ValueError):
        # A link to itself, or what can be no path at all.
        return False


# ------------------------------------------------------------------ the compile cache


@attrs.frozen
class Compiled:
    """A checked game as it is kept: its IR, digests and warnings."""

    ir: ir.Game
    rules_hash: str
    text_hash: str
    warnings: tuple[Diagnostic, ...] = ()


def cache_folder() -> Path:
    """Gives the user's own cache folder of rulelang; RULELANG_CACHE names another."""
    return Path(os.environ.get("RULELANG_CACHE") or platformdirs.user_cache_dir("rulelang", appauthor=False))


def prepare_cache() -> None:
    """Lets the built grammar be kept in the cache folder, where that is the user's own."""
    from rulelang.syntax import parser

    folder = cache_folder()
    parser.use_cache(str(folder / f"grammar-{VERSION}.json") if disk.own_folder(folder) else None)


@cache
def _compiler() -> str:
    """Gives what tells this compiler from another one: its version, and when its files were written."""
    here = Path(__file__).parent
    grammars = (here / "grammar" / "rules.lark", here.parent / "grammar" / "rules.lark")
    paths = sorted(path for room in COMPILER for path in (here / room).rglob("*.py"))
    paths += [path for path in grammars if path.is_file()]
    stamps = [(path.name, found.st_size, found.st_mtime_ns) for path in paths for found in (path.stat(),)]
    return repr((VERSION, stamps))


def _fingerprint(entry: Path, variants: tuple[str, ...]) -> tuple[str, list[Source]] | None:
    """Gives a digest of all that a game may be made of, and its sources; None for what is not kept."""
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
            text = _text_of(path)
            if not whole and ("include" in text or not re.search(r"^game ", text, re.M)):
                return None
            name = path.relative_to(folder).as_posix()
            digest.update(repr((name, text)).encode())
            sources.append(Source(name, text))
    except (OSError, UnicodeDecodeError, _TooLarge):
        return None
    return digest.hexdigest(), sources


def read_compiled(entry: Path, variants: tuple[str, ...]) -> Compiled | None:
    """Returns a game from the cache; None if it is not there, was made of something else, is damaged or not the user's own."""
    found = _fingerprint(entry, variants)
    if found is None or not disk.own_folder(cache_folder()):
        return None
    key, sources = found
    try:
        kept = disk.read_own(cache_folder() / f"game-{key[:32]}.json", LARGEST_KEPT)
        seal, _, body = kept.decode().partition("\n")
        if seal != hashlib.sha256(body.encode()).hexdigest():
            return None
        stored = json.loads(body)
        by_name = {s.name: s for s in sources}
        named = [by_name[name] for name in stored["sources"]]
        warnings = tuple(_warning(*fields) for fields in from_data(stored["warnings"], named))
        rules, text = (_DIGEST.fullmatch(stored[name]) for name in ("rules_hash", "text_hash"))
        if rules is None or text is None:
            return None
        return Compiled(game_from_data(stored["ir"], named), rules[0], text[0], warnings)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
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


def write_compiled(entry: Path, variants: tuple[str, ...], compiled: Compiled) -> None:
    """Keeps a checked game; does nothing where the cache cannot be written."""
    found = _fingerprint(entry, variants)
    if found is None:
        return
    sources: list[Source] = []
    data = to_data(compiled.ir, sources)
    warnings = to_data(tuple(_fields(warning) for warning in compiled.warnings), sources)
    stored = {
        "sources": [s.name for s in sources],
        "rules_hash": compiled.rules_hash,
        "text_hash": compiled.text_hash,
        "warnings": warnings,
        "ir": data,
    }
    body = json.dumps(stored, separators=(",", ":"))
    if disk.own_folder(cache_folder()):
        with contextlib.suppress(OSError):
            sealed = f"{hashlib.sha256(body.encode()).hexdigest()}\n{body}".encode()
            disk.replace(cache_folder() / f"game-{found[0][:32]}.json", sealed, mode=0o600)
