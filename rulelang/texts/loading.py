"""The texts of a game -> one tree of the game, and the trees of its variants and scenarios apart from it.

    games/outspeed/            load(Disk(), entry) -> Loaded(entry, module, …)
      outspeed.rules             the entry; `include "tiles.rules"` stays inside this folder, `include "std:…"` reads the library
      rulebook.toml              the ledger
      variants/*.rules           variants of the game
      scenarios/*.rules          scenarios of the game

An entry that holds variants of a shipped game, and no game of its own, stands for that game with these variants.

Invariant: apart from shipped games and the library, nothing outside the entry's folder is read, whatever an include or a link says.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import attrs

from rulelang.diagnostics.model import Diagnostic, Label, Sink
from rulelang.diagnostics.suggest import suggest
from rulelang.source import NOWHERE, SourceText, Span
from rulelang.syntax import nodes
from rulelang.syntax.parser import Parsed, parse
from rulelang.texts.model import Texts, UnreadableText, name_beside
from rulelang.texts.shipped import LIBRARY

MOST_FILES = 200
BESIDE = ("variants/", "scenarios/")
"""The folders beside the entry whose files are read with it."""
APART = (nodes.VariantDeclaration, nodes.ScenarioDeclaration)
MOST_TREES = 200
"""The most trees that are remembered; the largest game that ships has 26 texts."""
MOST_LEDGERS = 20
"""The most ledgers that are remembered."""
Parse = Callable[[SourceText], Parsed]


@attrs.frozen
class Loaded:
    """A game as loaded: the whole game as one tree, with its variants and scenarios apart from it."""

    entry: Path
    module: nodes.ModuleNode
    variants: tuple[nodes.VariantDeclaration, ...]
    scenarios: tuple[nodes.ScenarioDeclaration, ...]
    sources: tuple[SourceText, ...]
    diagnostics: tuple[Diagnostic, ...]
    ledger: tuple[dict[str, object], ...]
    paths: tuple[Path, ...] = ()
    """The path of each source."""
    further: tuple[SourceText, ...] = ()
    """The files that hold variants alone and lie apart from the game."""

    @property
    def variants_apart(self) -> tuple[nodes.VariantDeclaration, ...]:
        """The variants in the further files."""
        return tuple(v for v in self.variants if v.span.source in self.further)

    @property
    def combinations(self) -> tuple[tuple[str, ...], ...]:
        """The combinations of variants to be checked: none, then each alone.

        If the entry holds only variants of a game that ships, they are all: the game itself and its own variants are
        as they were.
        """
        alone = tuple((variant.name.text,) for variant in self.variants)
        apart = tuple((variant.name.text,) for variant in self.variants_apart)
        is_apart = any(source.name == self.entry.name for source in self.further)
        return apart if apart and is_apart else ((), *alone)


def parse_once(source: SourceText) -> Parsed:
    """Returns the tree of a text with its faults: the one of before, if this very text was read under this name.

    >>> parse_once(SourceText("nim.rules", "constant heap = 21")) is parse_once(SourceText("nim.rules", "constant heap = 21"))
    True
    """
    return _parsed(source.name, source.text)


@lru_cache(MOST_TREES)
def _parsed(name: str, text: str) -> Parsed:
    return parse(SourceText(name, text))


def load(texts: Texts, entry: Path, parse: Parse = parse_once) -> Loaded:
    """Returns a game with its includes, variants, scenarios and ledger; faults are in its `diagnostics`."""
    folder = texts.resolved(entry.parent)
    reader = _Reader(texts, parse, folder, Sink())
    module = reader.read(entry, entry.name, ())
    game = next((d for d in module.declarations if isinstance(d, nodes.GameDeclaration)), None)
    shipped = _shipped_base(texts, module) if game is None else None
    if shipped is not None:
        base = load(texts, shipped, parse)
        if (name := name_beside({s.name for s in base.sources}, entry)) != entry.name:
            reader = _Reader(texts, parse, folder, Sink())
            module = reader.read(entry, name, ())
        return _varied(base, entry, module, reader)
    whole = folder.name == entry.stem
    beside: list[nodes.Declaration] = []
    for part in BESIDE if whole else ():
        for path in texts.beside(entry.parent / part):
            beside += reader.beside(path, f"{part}{path.name}")
    declarations = [*module.declarations, *beside]
    ledger = reader.ledger(game) if game is not None else ()
    return Loaded(
        entry=entry,
        module=nodes.ModuleNode(
            tuple(d for d in declarations if not isinstance(d, APART)), unread=tuple(reader.unread), span=module.span
        ),
        variants=tuple(d for d in declarations if isinstance(d, nodes.VariantDeclaration)),
        scenarios=tuple(d for d in declarations if isinstance(d, nodes.ScenarioDeclaration)),
        sources=tuple(reader.sources),
        diagnostics=reader.sink.sorted(),
        ledger=ledger,
        paths=tuple(reader.paths),
    )


def with_file(loaded: Loaded, texts: Texts, path: Path) -> Loaded:
    """Returns a game with the variants and scenarios of one more file, which may lie anywhere; a file that was read
    already adds nothing.

    Any other declaration in that file is a fault, and is left out.
    """
    if texts.resolved(path) in map(texts.resolved, loaded.paths):
        return loaded
    reader = _Reader(texts, parse_once, texts.resolved(path.parent), Sink())
    module = reader.read(path, name_beside({s.name for s in loaded.sources}, path), ())
    for node in module.declarations:
        if not isinstance(node, APART):
            reader.sink.report("E0211", f"{path.name} holds more than variants: it is a game of its own", node.span)
            break
    apart = tuple(d for d in module.declarations if isinstance(d, APART))
    return _varied(loaded, loaded.entry, attrs.evolve(module, declarations=apart), reader)


def _shipped_base(texts: Texts, module: nodes.ModuleNode) -> Path | None:
    """Returns the entry of the shipped game that a module's first variant is a variant of; None if there is none."""
    variant = next((d for d in module.declarations if isinstance(d, nodes.VariantDeclaration)), None)
    return texts.shipped(variant.of.text) if variant is not None else None


def _varied(game: Loaded, entry: Path, module: nodes.ModuleNode, reader: _Reader) -> Loaded:
    """Returns a game with what a separate file declares added to it."""
    rest = tuple(d for d in module.declarations if not isinstance(d, APART))
    return attrs.evolve(
        game,
        entry=entry,
        module=attrs.evolve(
            game.module,
            declarations=(*game.module.declarations, *rest),
            unread=(*game.module.unread, *reader.unread),
        ),
        variants=(*game.variants, *(d for d in module.declarations if isinstance(d, nodes.VariantDeclaration))),
        scenarios=(*game.scenarios, *(d for d in module.declarations if isinstance(d, nodes.ScenarioDeclaration))),
        sources=(*game.sources, *reader.sources),
        diagnostics=(*game.diagnostics, *reader.sink.sorted()),
        paths=(*game.paths, *reader.paths),
        further=(*game.further, *(reader.sources[:1] if not rest else ())),
    )


@attrs.define
class _Reader:
    texts: Texts
    parse: Parse
    folder: Path
    """The folder of the entry, with links followed."""
    sink: Sink
    sources: list[SourceText] = attrs.field(factory=list)
    paths: list[Path] = attrs.field(factory=list)
    unread: list[nodes.UnreadNode] = attrs.field(factory=list)
    """The lines of all files that could not be read."""
    open: list[Path] = attrs.field(factory=list)
    """The files that are being read, each included by the one before it, with links followed."""

    def read(self, path: Path, name: str, including: tuple[nodes.IncludeDeclaration, ...]) -> nodes.ModuleNode:
        """Reads one file and the files that it includes, as one module."""
        self.open.append(self.texts.resolved(path))
        try:
            return self._read(path, name, including)
        finally:
            self.open.pop()

    def _read(self, path: Path, name: str, including: tuple[nodes.IncludeDeclaration, ...]) -> nodes.ModuleNode:
        at = including[-1].span if including else NOWHERE
        parsed = self._parsed(path, name, at)
        if parsed is None:
            return nodes.ModuleNode((), span=NOWHERE)
        source = parsed.module.span.source
        self.sink.extend(parsed.diagnostics)
        self.unread += parsed.module.unread
        declarations: list[nodes.Declaration] = []
        for node in parsed.module.declarations:
            if isinstance(node, nodes.IncludeDeclaration):
                declarations += self._include(node, path, including)
            else:
                declarations.append(node)
        return nodes.ModuleNode(tuple(declarations), parsed.module.comments, span=Span(source, 0, len(source.text)))

    def beside(self, path: Path, name: str) -> tuple[nodes.Declaration, ...]:
        """Reads a file that belongs to the game because it lies in its folder of variants or scenarios."""
        if not self.texts.is_inside(path, self.folder):
            self._fault("E0213", f"{name} leads outside of the game's folder", name, NOWHERE)
            return ()
        return self.read(path, name, ()).declarations

    def _parsed(self, path: Path, name: str, at: Span) -> Parsed | None:
        try:
            text = self.texts.read(path)
        except UnreadableText as error:
            self._unreadable(error, name, at)
            return None
        parsed = self.parse(SourceText(name, text))
        source = parsed.module.span.source
        self.sources.append(source)
        self.paths.append(path)
        if not source.text.strip():
            self._fault("E0211", f"{name} is empty: no game is declared here", name, Span(source, 0, 0))
        return parsed

    def _unreadable(self, error: UnreadableText, name: str, at: Span) -> None:
        """Reports a text at its first fault, or, if none of it can be read, where it is included."""
        if error.before is None:
            self._fault(error.code, f"{name} {error}", name, at)
            return
        source = SourceText(name, error.before)
        labels = (Label(at, "included here"),) if at is not NOWHERE else ()
        end = len(source.text)
        self.sink.report(error.code, f"{name} {error}", Span(source, end, end), labels=labels)

    def _fault(self, code: str, message: str, name: str, at: Span) -> None:
        span = at if at is not NOWHERE else Span(SourceText(name, ""), 0, 0)
        self.sink.report(code, message, span, help=self._in_library(name))

    def _in_library(self, written: str) -> str | None:
        """Returns the hint that a path that leads nowhere names a part of the library."""
        name = written.removesuffix(".rules")
        return f'the library has it: `include "{LIBRARY}{name}"`' if name in self.texts.parts() else None

    def _include(
        self, node: nodes.IncludeDeclaration, path: Path, including: tuple[nodes.IncludeDeclaration, ...]
    ) -> tuple[nodes.Declaration, ...]:
        written = node.path.raw
        if written.startswith(LIBRARY):
            return self._part(node, written.removeprefix(LIBRARY), including)
        if Path(written).is_absolute() or not self.texts.is_inside(self.texts.named(path.parent, written), self.folder):
            self.sink.report(
                "E0213",
                "an include stays inside the game's folder",
                node.path.span,
                "this leads outside of it",
                help=self._in_library(written),
            )
            return ()
        target = self.texts.resolved(self.texts.named(path.parent, written))
        if target in self.open:
            labels = tuple(Label(n.span, "included here") for n in including)
            self.sink.report("E0214", f"`{written}` includes itself", node.span, "a cycle of includes", labels=labels)
            return ()
        if len(self.sources) >= MOST_FILES:
            self.sink.report("E0215", f"a game has at most {MOST_FILES} files", node.span)
            return ()
        return self.read(target, target.relative_to(self.folder).as_posix(), (*including, node)).declarations

    def _part(
        self, node: nodes.IncludeDeclaration, name: str, including: tuple[nodes.IncludeDeclaration, ...]
    ) -> tuple[nodes.Declaration, ...]:
        """Reads a part of the library, which may be included more than once: it is read at the first place."""
        known = self.texts.parts()
        if name not in known:
            near = suggest(name, known)
            hint = f"did you mean {LIBRARY}{near}?" if near else f"there are: {', '.join(map(LIBRARY.__add__, known))}"
            self.sink.report("E0215", f"the library has no part `{name}`", node.path.span, help=hint)
            return ()
        if known[name] in self.paths:
            return ()
        return self.read(known[name], f"{LIBRARY}{name}", (*including, node)).declarations

    def ledger(self, game: nodes.GameDeclaration) -> tuple[dict[str, object], ...]:
        """Returns the clauses in the ledger that the game's `rulebook`
        line names, as TOML tables; none without such a line.
        """
        line = next((n for n in game.lines if n.what == "rulebook" and n.text is not None), None)
        if line is None or line.text is None:
            return ()
        path = self.texts.named(self.folder, line.text.raw)
        if not self.texts.is_inside(path, self.folder):
            self.sink.report("E0213", "the ledger stays inside the game's folder", line.text.span)
            return ()
        try:
            return clauses_in(self.texts.read(path))
        except UnreadableText as error:
            self.sink.report("E0215", f"the ledger {line.text.raw} {error}", line.text.span)
            return ()
        except (ValueError, RecursionError) as error:
            self.sink.report("E0215", f"the ledger {line.text.raw} cannot be read: {error}", line.text.span)
            return ()


@lru_cache(MOST_LEDGERS)  # An editor asks for it after each letter.
def clauses_in(text: str) -> tuple[dict[str, object], ...]:
    """Returns the clauses of a ledger, as TOML tables; raises ValueError or RecursionError for a text that is no TOML.

    >>> clauses_in('[[clause]]\\nid = "NIM-1"')
    ({'id': 'NIM-1'},)
    """
    clauses = tomllib.loads(text).get("clause", [])
    listed = clauses if isinstance(clauses, list) else []
    return tuple(c for c in listed if isinstance(c, dict) and isinstance(c.get("id"), str))
