"""Open texts -> answers for editors, for all files of each game.

service.definition(path, EditorPlace(3, 7))        (EditorSpan(path, range),)
service.rename(path, EditorPlace(3, 7), "pile")    {path: (TextChange(range, "pile"), …)}
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import attrs

from rulelang.diagnostics.model import Diagnostic
from rulelang.driver.collector import leave_out
from rulelang.errors import InvalidInput
from rulelang.language_service.document import EditorPlace, EditorRange, EditorText, read_text
from rulelang.semantics.names.scope import BUILTINS
from rulelang.semantics.names.type_relations import name_of
from rulelang.source import SourceText, Span
from rulelang.syntax.parser import parse
from rulelang.syntax.printing.printer import format_source
from rulelang.texts.loading import Loaded
from rulelang.texts.model import UnreadableText
from rulelang.texts.reader import is_inside
from rulelang.texts.shipped import LIBRARY, is_part
from rulelang.workspace.definitions import LOCALS, Definable, Definition
from rulelang.workspace.workspace import Workspace

SUFFIX = ".rules"
HIGHEST = 4
"""The number of folders above a file in which its game is looked for."""


@attrs.frozen
class EditorSpan:
    """A stretch of one file."""

    path: Path
    range: EditorRange


@attrs.frozen
class EditorFault:
    """A diagnostic where an editor shows it, with related places and the text that mends it, if that is certain."""

    range: EditorRange
    code: str
    message: str
    is_error: bool
    related: tuple[tuple[EditorSpan, str], ...] = ()
    fix: str | None = None


@attrs.frozen
class TextChange:
    """A stretch of a file, and the text to put in its place."""

    range: EditorRange
    text: str


@attrs.frozen
class EditorSymbol:
    """A declaration: its name, its kind (`verb`, `zone` …), what it belongs to, its name's place."""

    name: str
    what: Definable
    owner: str
    span: EditorSpan


@attrs.define
class LanguageService:
    """The texts that editors hold, and the games they are part of."""

    workspace: Workspace = attrs.field(factory=Workspace)
    documents: dict[Path, EditorText] = attrs.field(factory=dict)
    """The open texts."""
    held: set[Path] = attrs.field(factory=set)
    """The entries of games that are open even while none of their files is."""
    _last: Path | None = None
    """The entry of the game whose last file was closed, until a file is opened: editors close one before they open the next."""
    _faults: dict[Path, tuple[int, Mapping[Path, tuple[EditorFault, ...]]]] = attrs.field(factory=dict)
    """By entry: the faults that were found last, and in which version of the workspace."""

    # -------------------------------------------------------------- texts

    def open(self, path: Path, text: str) -> None:
        """Takes an editor's text, at first and after each change, in place of the file's."""
        is_new = path not in self.documents
        self.documents[path] = EditorText(text)
        self.workspace.put(path, text)
        if is_new:
            self._last = None
            self._forget()

    def close(self, path: Path) -> None:
        """Goes back to the file; what is known of a game goes with its last open file, once another is opened."""
        if path in self.documents:
            self._last = self.entry(path)
            del self.documents[path]
            self.workspace.drop(path)
            self._forget()

    def _forget(self) -> None:
        """Forgets the games of which no file is open."""
        entries = {*self.held, *map(self.entry, self.documents)}
        self.workspace.keep(entries if self._last is None else {*entries, self._last})
        self._faults = {entry: found for entry, found in self._faults.items() if entry in entries}

    def is_known(self, path: Path) -> bool:
        """Returns whether a file is open, or is part of a game that is: nothing is told of any other."""
        if path in self.documents or path in self.held:
            return True
        entries = {*self.held, *map(self.entry, self.documents)}
        return any(path in self.workspace.loaded(entry).paths for entry in entries)

    def entry(self, path: Path) -> Path:
        """Returns the entry file of the game that a file is part of: `nim/nim.rules` for all files below `nim`."""
        folder = path.parent
        for _ in range(HIGHEST):
            entry = folder / f"{folder.name}{SUFFIX}"
            if entry == path or entry in self.documents or _is_entry(entry):
                return entry
            folder = folder.parent
        return self._reading(path) if is_part(path) else path

    def _reading(self, part: Path) -> Path:
        """Returns the entry of an open game that reads a part of the library; the part itself if there is none."""
        for entry in dict.fromkeys(self.entry(path) for path in self.documents if not is_part(path)):
            if part in self.workspace.loaded(entry).paths:
                return entry
        return part

    def document(self, path: Path) -> EditorText | None:
        """Returns an open text, or one that was read for a game; None for any other file."""
        if path in self.documents:
            return self.documents[path]
        loaded = self.loaded(path)
        source = None if loaded is None else dict(zip(loaded.paths, loaded.sources, strict=True)).get(path)
        return None if source is None else read_text(source.text)

    def loaded(self, path: Path) -> Loaded | None:
        """Returns the texts of the game that a file is part of; None if they cannot be read, or the file is not known."""
        try:
            return self.workspace.loaded(self.entry(path)) if self.is_known(path) else None
        except (UnreadableText, OSError):
            return None

    # -------------------------------------------------------------- faults

    def faults(self, path: Path) -> Mapping[Path, tuple[EditorFault, ...]]:
        """Returns the faults of all files of the game that a file is part of; those without faults have none."""
        if not self.is_known(path):
            return {path: ()}
        entry = self.entry(path)
        version, known = self._faults.get(entry, (-1, {}))
        if version != self.workspace.version or path not in known:
            known = self._all_faults(path, entry)
            leave_out()
            self._faults[entry] = self.workspace.version, known
        return known

    def faults_at_once(self, path: Path) -> Mapping[Path, tuple[EditorFault, ...]]:
        """Returns the faults of all files of the game that a file is part of, as far as they are known soon after an edit:
        those of the game itself as it is, and those of its variants, scenarios and ledger as they were found last."""
        entry, loaded = self.entry(path), self.loaded(path)
        version, known = self._faults.get(entry, (-1, {}))
        if loaded is None or version == self.workspace.version:
            return known
        apart = {one.span.source.name for one in (*loaded.variants, *loaded.scenarios)}
        late = {found: known.get(found, ()) for name, found in self._paths(loaded).items() if name in apart}
        return self._placed(loaded, self.workspace.diagnostics(entry), ()) | late

    def _all_faults(self, path: Path, entry: Path) -> Mapping[Path, tuple[EditorFault, ...]]:
        loaded = self.loaded(path)
        return {path: ()} if loaded is None else self._placed(loaded, self.workspace.faults(entry), (path,))

    def _placed(
        self, loaded: Loaded, diagnostics: Iterable[Diagnostic], others: tuple[Path, ...]
    ) -> dict[Path, tuple[EditorFault, ...]]:
        """Returns the faults of each file of a game, and of some others."""
        where = self._paths(loaded)
        found: dict[Path, list[EditorFault]] = {one: [] for one in (*loaded.paths, *others)}
        for diagnostic in diagnostics:
            span = self._span(diagnostic.span, where)
            if span is not None:
                found.setdefault(span.path, []).append(self._fault(diagnostic, span.range, where))
        return {one: tuple(faults) for one, faults in found.items()}

    async def prepare(self, path: Path) -> None:
        """Finds the faults of a game in steps, between which other tasks go on, so that cancelling it loses little."""
        if self.loaded(path) is not None:
            for _ in self.workspace.steps(self.entry(path)):
                await asyncio.sleep(0)
            self.workspace.references(self.entry(path))

    def first_faults(self, path: Path) -> tuple[EditorFault, ...] | None:
        """Returns the faults of a file of the game itself or its scenarios, without what its variants and ledger add: they
        are found sooner than all of them. None for a file with variants."""
        entry, loaded = self.entry(path), self.loaded(path)
        if loaded is None:
            return None
        name = next((name for name, found in self._paths(loaded).items() if found == path), "")
        if any(one.span.source.name == name for one in loaded.variants):
            return None
        found = self.workspace.diagnostics(entry)
        if any(one.span.source.name == name for one in loaded.scenarios):
            found += self.workspace.scenario_faults(entry)
        return self._placed(loaded, found, ()).get(path, ())

    def place_of(self, path: Path, span: Span) -> EditorSpan | None:
        """Returns where a span of the game of a file lies; None for one that lies in none of its files."""
        loaded = self.loaded(path)
        return None if loaded is None else self._span(span, self._paths(loaded))

    def _fault(self, diagnostic: Diagnostic, range: EditorRange, where: Mapping[str, Path]) -> EditorFault:
        remark = f": {diagnostic.primary.text}" if diagnostic.primary.text else ""
        hint = f"\n{diagnostic.help}" if diagnostic.help else ""
        labels = ((self._span(label.span, where), label.text) for label in diagnostic.labels)
        return EditorFault(
            range,
            diagnostic.code,
            f"{diagnostic.message}{remark}{hint}",
            diagnostic.is_error,
            tuple((span, text) for span, text in labels if span is not None),
            diagnostic.fix,
        )

    def _paths(self, loaded: Loaded) -> dict[str, Path]:
        return {source.name: path for source, path in zip(loaded.sources, loaded.paths, strict=True)}

    def _span(self, span: Span, where: Mapping[str, Path]) -> EditorSpan | None:
        path = where.get(span.source.name)
        if path is None:
            return None
        document = self.documents.get(path) or read_text(span.source.text)
        return EditorSpan(path, document.range(span))

    # -------------------------------------------------------------- names

    def definition(self, path: Path, place: EditorPlace) -> tuple[EditorSpan, ...]:
        """Returns the declarations of the name at a place."""
        return tuple(self._spans(path, (found.span for found in self.definitions_at_once(path, place))))

    def references(self, path: Path, place: EditorPlace, *, with_declarations: bool = True) -> tuple[EditorSpan, ...]:
        """Returns the uses of the name at a place in all files of its game."""
        loaded, document = self.loaded(path), self.document(path)
        if loaded is None or document is None:
            return ()
        entry = self.entry(path)
        uses = self.workspace.uses(entry, path, document.offset(place))
        declared = tuple(d.span for d in self.definitions(path, place)) if with_declarations else ()
        return tuple(dict.fromkeys(self._spans(path, (*declared, *uses))))

    def highlights(self, path: Path, place: EditorPlace) -> tuple[EditorRange, ...]:
        """Returns where the name at a place stands in its own file, at once: an editor asks wherever the cursor goes."""
        if self.loaded(path) is None:
            return ()
        found = self.workspace.names(self.entry(path), path)
        at = self.definitions_at_once(path, place)
        every = dict.fromkeys(one for definition in at for one in found.all_of(definition))
        spans = [span for one in every for span in (one.span, *found.of(one))]
        return tuple(dict.fromkeys(span.range for span in self._spans(path, tuple(spans)) if span.path == path))

    def rename(self, path: Path, place: EditorPlace, name: str) -> Mapping[Path, tuple[TextChange, ...]]:
        """Returns the changes that give the name at a place another one, in all files of its game.

        Raises InvalidInput for a word that cannot be a name, or a place where none stands.
        """
        definitions, document, entry = self.definitions(path, place), self.document(path), self.entry(path)
        if not definitions or document is None:
            raise InvalidInput("there is no name of the rules here")
        if any(definition.span.source.name.startswith(LIBRARY) for definition in definitions):
            raise InvalidInput("this name belongs to the library, which is not changed here")
        old = definitions[0].name
        if old[0].isupper() and old not in (line := document.lines[place.line]) and _lower(old) in line:
            name = name[:1].upper() + name[1:]
        self._refuse_name(path, definitions[0], name)
        found: dict[Path, list[TextChange]] = {}
        spans = dict.fromkeys((*(one.span for one in definitions), *self.workspace.uses_of(entry, definitions)))
        for span in spans:
            new = _written_as(span.text, definitions[0], name)
            there = self.place_of(path, span)
            if new is not None and there is not None:
                found.setdefault(there.path, []).append(TextChange(there.range, new))
        return {one: tuple(changes) for one, changes in found.items()}

    def _refuse_name(self, path: Path, definition: Definition, name: str) -> None:
        """Raises InvalidInput for a word that cannot take the place of a name."""
        if definition.what == "scenario":
            if not name.strip('"') or any(sign in name.strip('"') for sign in '"\n\\{}'):
                raise InvalidInput(f"{name!r} cannot be a title: a text in one line, without quotes and braces")
            return
        if not name.isidentifier() or not name.isascii():
            raise InvalidInput(f"{name!r} is not a name: letters, digits and _, beginning with a letter")
        if name in BUILTINS:
            raise InvalidInput(f"`{name}` is built in")
        if definition.owner is None and definition.what not in LOCALS:
            known = self.workspace.names(self.entry(path), path).definitions
            if any(one.name == name and one.owner is None and one.what not in LOCALS for one in known):
                raise InvalidInput(f"`{name}` is declared already")

    def types(self, path: Path) -> Mapping[str, str]:
        """Returns the type of each value of a game, as it is written in rules, whether or not its head says it; as the
        game was checked last, which makes no one wait."""
        loaded = self.loaded(path)
        resolved = None if loaded is None else self.workspace.last_sound(self.entry(path)).resolved
        values = () if resolved is None else resolved.world.values
        return {value.name: name_of(value.type) for value in values if value.type is not None}

    def symbols(self, path: Path) -> tuple[EditorSymbol, ...]:
        """Returns the declarations in a file, in its order."""
        return tuple(one for one in self.all_symbols(path) if one.span.path == path)

    def all_symbols(self, path: Path) -> Iterator[EditorSymbol]:
        """Yields the declarations of all files of the game that a file is part of, but no parameters."""
        loaded = self.loaded(path)
        if loaded is None:
            return
        where = self._paths(loaded)
        for one in self.workspace.names(self.entry(path), path).definitions:
            span = self._span(one.span, where)
            if span is not None and one.what not in ("parameter", "let", "choice", "name"):
                yield EditorSymbol(one.name, one.what, one.owner or "", span)

    def definitions(self, path: Path, place: EditorPlace) -> tuple[Definition, ...]:
        """Returns the declarations that the name at a place can mean."""
        loaded, document = self.loaded(path), self.document(path)
        if loaded is None or document is None:
            return ()
        return self.workspace.definition(self.entry(path), path, document.offset(place))

    def definitions_at_once(self, path: Path, place: EditorPlace) -> tuple[Definition, ...]:
        """Returns the declarations that the name at a place can mean, without a check of what was just edited."""
        loaded, document = self.loaded(path), self.document(path)
        if loaded is None or document is None:
            return ()
        return self.workspace.definition_at_once(self.entry(path), path, document.offset(place))

    def _spans(self, path: Path, spans: Iterator[Span] | tuple[Span, ...]) -> Iterator[EditorSpan]:
        loaded = self.loaded(path)
        where = {} if loaded is None else self._paths(loaded)
        yield from (found for span in spans if (found := self._span(span, where)) is not None)

    # -------------------------------------------------------------- edits

    def format(self, path: Path) -> tuple[TextChange, ...]:
        """Returns the change that puts a text into the one style; none if it is in it, or cannot be read as rules."""
        document, text = self.document(path), self.formatted(path)
        if document is None or text is None or text == document.source.text:
            return ()
        return (TextChange(document.whole, text.replace("\n", document.line_end)),)

    def formatted(self, path: Path) -> str | None:
        """Returns a text in the one style; None if it cannot be read as rules."""
        document = self.document(path)
        if document is None:
            return None
        source = SourceText(path.name, document.text)
        return None if any(fault.is_error for fault in parse(source).diagnostics) else format_source(source)


def _written_as(old: str, definition: Definition, name: str) -> str | None:
    """Returns the new form of a word that names something, None for one that stays, as the spaces of a map do."""
    if definition.what == "scenario":
        return name.strip('"')
    if old == _lower(definition.name) != definition.name:
        return _lower(name)  # the owner of a variable, named after its kind
    return name if old == definition.name else None


def _lower(name: str) -> str:
    return name[:1].lower() + name[1:]


def _is_entry(path: Path) -> bool:
    """Returns whether a path is that of a file which lies in its folder, wherever links lead."""
    try:
        return path.is_file() and is_inside(path, path.parent.resolve())
    except OSError:
        return False


def clause_at(text: str, offset: int) -> Span | None:
    """Returns the clause id in square brackets at an offset.

    >>> text = "p.fuel -= n     [OS-6.13, OS-6.14]"
    >>> found = clause_at(text, 28)
    >>> found is not None and found.text
    'OS-6.14'
    """
    start, end = text.rfind("[", 0, offset), text.find("]", offset)
    if start < 0 or end < 0 or "\n" in text[start:end] or "]" in text[start:offset]:
        return None
    left = max(text.rfind(",", start, offset), start) + 1
    right = next((at for at in (text.find(",", offset, end),) if at >= 0), end)
    word = text[left:right]
    left += len(word) - len(word.lstrip())
    found = Span(SourceText("", text), left, left + len(word.strip()))
    return found if found.text and any(map(str.isdigit, found.text)) else None
