"""A stretch of a text -> the edits that people make often: to name a number, to make a value, to cite, to void.

actions(service, path, range)        (Action("Name 3 as a constant", {path: (TextChange(range, "most"), …)}), …)
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from rulelang.language_service.document import EditorRange, EditorText
from rulelang.language_service.service import LanguageService, TextChange
from rulelang.source import SourceText, Span
from rulelang.syntax import nodes
from rulelang.syntax.nodes.walk import walk
from rulelang.syntax.parser import parse
from rulelang.texts.loading import Loaded

MOST_CLAUSES = 4
"""The most clauses that are offered to be cited."""
_BODIES = (
    nodes.ActionDeclaration | nodes.VerbDeclaration | nodes.ValueDeclaration | nodes.HookDeclaration
    | nodes.WheneverDeclaration | nodes.FlowDeclaration | nodes.StateDeclaration
)  # fmt: skip
"""The declarations in which a number or an expression can get a name."""
_CITES = re.compile(r"\[([A-Z][\w.-]*(?:,\s*[A-Z][\w.-]*)*)\]\s*$", re.ASCII)
_COLUMN = 69
"""The column at which the one style begins the ids of clauses, where there is room."""


@attrs.frozen
class Action:
    """An edit that is offered: its title, and its changes of texts."""

    title: str
    changes: Mapping[Path, tuple[TextChange, ...]]


def actions(service: LanguageService, path: Path, range: EditorRange) -> tuple[Action, ...]:
    """Returns the edits that are offered for a stretch of a text; none for one that is no file of rules."""
    document, loaded = service.document(path), service.loaded(path)
    if document is None or loaded is None:
        return ()
    # The same number may stand at several places of the tree.
    return tuple({one.title: one for one in _Place(service, path, document, loaded, range).all()}.values())


@attrs.frozen
class _Place:
    """A stretch of one text of a game."""

    service: LanguageService
    path: Path
    document: EditorText
    loaded: Loaded
    range: EditorRange

    def all(self) -> Iterator[Action]:
        """Yields the edits that are offered."""
        for top in self._tops():
            if isinstance(top, _BODIES):
                yield from self._named(top)
            if isinstance(top, nodes.ScenarioDeclaration):
                yield from self._voided(top)
        yield from self._cited()

    @property
    def _stretch(self) -> tuple[int, int]:
        """The offsets of the stretch, without the blanks around it."""
        start, end = self.document.offset(self.range.start), self.document.offset(self.range.end)
        text = self.document.source.text[start:end]
        return start + len(text) - len(text.lstrip()), end - (len(text) - len(text.rstrip()) if text.strip() else 0)

    @property
    def _source_name(self) -> str | None:
        pairs = zip(self.loaded.sources, self.loaded.paths, strict=True)
        return next((source.name for source, path in pairs if path == self.path), None)

    def _tops(self) -> Iterator[nodes.Declaration]:
        start, end = self._stretch
        name = self._source_name
        for one in (*self.loaded.module.declarations, *self.loaded.scenarios):
            if one.span.source.name == name and one.span.start <= start and end <= one.span.end:
                yield one

    # -------------------------------------------------------------- names for numbers and expressions

    def _named(self, top: nodes.Declaration) -> Iterator[Action]:
        start, end = self._stretch
        for node in walk(top):
            if not isinstance(node, nodes.Expression):
                continue
            if isinstance(node, nodes.NumberExpression) and node.span.start <= start and end <= node.span.end:
                name = self._fresh("number")
                yield self._inserted(
                    f"Name {node.span.text} as a constant", top, f"constant {name} = {node.span.text}", node.span, name
                )
            elif (node.span.start, node.span.end) == (start, end) and not isinstance(node, nodes.NameExpression):
                yield from self._valued(top, node)

    def _valued(self, top: nodes.Declaration, node: nodes.Expression) -> Iterator[Action]:
        """Yields the edit that makes a value of an expression; none if it uses a local whose type no `names` line gives."""
        uses = self.service.workspace.names(self.service.entry(self.path), self.path).uses
        inside = [use for use in uses if use.span.source == node.span.source]
        inside = [use for use in inside if node.span.start <= use.span.start and use.span.end <= node.span.end]
        bound = {one.name.text for one in walk(node) if isinstance(one, nodes.BinderNode)}
        local = ("parameter", "let", "choice", "name")
        names = {use.span.text for use in inside if any(one.what in local for one in use.definitions)} - bound
        groups = (
            g for one in self.loaded.module.declarations if isinstance(one, nodes.NamesDeclaration) for g in one.groups
        )
        shared = {name.text for some, _ in groups for name in some}
        if not names <= shared:
            return
        name = self._fresh("result")
        head = f"{name}({', '.join(sorted(names))})" if names else name
        yield self._inserted("Make a value of it", top, f"value {head} = {node.span.text}", node.span, head)

    def _inserted(self, title: str, top: nodes.Declaration, line: str, there: Span, name: str) -> Action:
        """Returns the edit that declares a name before a declaration, and puts it in the place of a span."""
        at = self.document.place(top.span.start)
        above = TextChange(EditorRange(at, at), f"{line}\n\n")
        return Action(title, {self.path: (above, TextChange(self.document.range(there), name))})

    def _fresh(self, word: str) -> str:
        names = self.service.workspace.names(self.service.entry(self.path), self.path)
        known = {one.name for one in names.definitions}
        return next(
            one for one in itertools.chain((word,), (f"{word}_{n}" for n in itertools.count(2))) if one not in known
        )

    # -------------------------------------------------------------- clauses

    def _cited(self) -> Iterator[Action]:
        """Yields the edits that cite a clause at the end of the line, uncited clauses first."""
        number = self.range.start.line
        lines = self.document.source.text.split("\n")
        line = lines[number] if number < len(lines) else ""
        if not line.strip() or "#" in line or line.lstrip().startswith(("|", '"""')):
            return
        cites = _CITES.search(line)
        here = re.split(r",\s*", cites[1]) if cites else []
        end = self.document.offset(attrs.evolve(self.range.start, column=0)) + len(line.rstrip())
        at = self.document.place(end - 1 if cites else end)
        likely = self._likely(line, here)
        if not cites and likely and not self._may_cite(end):
            return
        for clause in likely:
            id = str(clause["id"])
            added = f", {id}" if cites else f"{' ' * max(_COLUMN - len(line.rstrip()), 2)}[{id}]"
            title = f"Cite {id}: {_short(str(clause.get('text', '')))}"
            yield Action(title, {self.path: (TextChange(EditorRange(at, at), added),)})

    def _may_cite(self, end: int) -> bool:
        """Returns whether a clause can be cited at an offset, where a line ends."""
        text = self.document.source.text
        name = self._source_name
        every = (*self.loaded.module.declarations, *self.loaded.variants, *self.loaded.scenarios)
        for one in every:
            if one.span.source.name == name and one.span.start <= end <= one.span.end:
                cited = f"{text[one.span.start : end]}  [A-1]{text[end : one.span.end]}"
                return not any(fault.is_error for fault in parse(SourceText("", cited)).diagnostics)
        return False

    def _likely(self, line: str, here: list[str]) -> list[Mapping[str, Any]]:
        """Returns the clauses that share most words with a line."""
        nodes_of = (*self.loaded.module.declarations, *self.loaded.variants)
        cited = {one.id for top in nodes_of for one in walk(top) if isinstance(one, nodes.CiteNode)}
        words = _words(line)
        ranked = [
            (len(words & _words(str(clause.get("text", "")))), str(clause.get("id")) not in cited, clause)
            for clause in self.loaded.ledger
            if str(clause.get("id")) not in here
        ]
        ranked = sorted((one for one in ranked if one[0]), key=lambda one: (-one[0] - one[1], str(one[2].get("id"))))
        return [clause for _, _, clause in ranked[:MOST_CLAUSES]]

    # -------------------------------------------------------------- scenarios

    def _voided(self, scenario: nodes.ScenarioDeclaration) -> Iterator[Action]:
        """Yields, for each variant that does not void a scenario of the game yet, the edit that does."""
        for variant in self.loaded.variants:
            where = self.service.place_of(self.path, variant.span)
            voids = (one for one in variant.operations if isinstance(one, nodes.VoidOperation))
            known = any(one.scenario.raw == scenario.title.raw for one in voids)
            if where is None or known or scenario.span.source.name == variant.span.source.name:
                continue
            text = variant.span.source.text
            end = variant.span.start + len(text[variant.span.start : variant.span.end].rstrip())
            place = self.service.place_of(self.path, Span(variant.span.source, end, end))
            assert place is not None
            line = f'\n  void "{scenario.title.raw}" because "…"'
            yield Action(f"Void it in {variant.name.text}", {where.path: (TextChange(place.range, line),)})


def _words(text: str) -> set[str]:
    """Returns the words of a text that say something, without their endings.

    >>> sorted(_words("needs n <= heap  \\"Only {heap} matches left\\""))
    ['heap', 'left', 'match', 'need', 'only']
    """
    return {re.sub(r"(es|s|ed|ing)$", "", word) for word in re.findall(r"[a-z]{4,}", text.casefold())}


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:59].rstrip()}…"
