"""A place in an open text -> the names that fit there, each with its kind and description.

completions(service, path, EditorPlace(6, 4))      after `p.`: the variables and zones of its owner; in brackets: clauses

Where a value of a known type is due (a cell of a table, a given, an expectation, a part of an option), the names of that
type come first. The line is read as it stands, since it is half written; types come from the declarations around it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

import attrs

from rulelang.language_service.document import EditorPlace
from rulelang.language_service.service import LanguageService, clause_at
from rulelang.syntax import nodes
from rulelang.syntax.tables import read_tables
from rulelang.workspace.definitions import Definable, Definition

_BEFORE = re.compile(r"(?P<dot>\.)?(?P<word>\w*)$", re.ASCII)
_COMPARED = re.compile(r"(\w+)(?:\([^()]*\))?\s*(?:=|==|!=|<=|>=|<|>)\s*(?:\{(?:\w+,\s*)*)?\w*$", re.ASCII)
_ANSWERS = re.compile(r"^\s+(?:expect\s+)?\w+(?::|\s+can(?:not)?)\s+(?P<rest>.*)$", re.ASCII)
_CALL = re.compile(r"(\w+)\(([^()]*)$", re.ASCII)
_CHAIN = re.compile(r"[A-Za-z_]\w*(?:\([^()]*\))?(?:\.\w+(?:\([^()]*\))?)*\.(?=\w*$)", re.ASCII)
_RANGE = re.compile(r"\b(\d+)\.\.(\d+)\b")
_BEGUN = re.compile(r"^\s+(?P<word>given|expect)\s+(?:.*(?:,|\band|\bor|\bnot)\s+)?\w*$", re.ASCII)
_LOCAL = re.compile(r"\b(?:let|for|each)\s+(\w+(?:,\s*\w+)*)", re.ASCII)
_HEAD = re.compile(r"^\w[^(\"]*\((?P<parameters>[^()]*)\)", re.ASCII)
_IN_SCENARIO = re.compile(r"^\s+(?:given|expect|after)\b")
_FIELD = re.compile(r"^\s+([A-Za-z_]\w*)\s*:", re.ASCII)
MOST_NUMBERS = 30
"""The longest range whose numbers are listed."""
Completable: TypeAlias = Definable | Literal["keyword", "clause"]
"""The kinds of what can be completed."""
OWNED = ("variable", "column")
BARE = (
    "action", "board", "clock", "constant", "data", "die", "enum", "kind", "member", "map", "seat", "thing", "value",
    "variable", "verb", "rule",
)  # fmt: skip
"""The kinds of declarations that a bare name can mean."""


@attrs.frozen
class Completion:
    """One name that fits at a place: its kind, and its description from the rules or the ledger."""

    name: str
    what: Completable
    says: str = ""
    is_wanted: bool = False
    """Whether it is of the type that is due at the place; such names are listed first."""


def completions(service: LanguageService, path: Path, place: EditorPlace) -> tuple[Completion, ...]:
    """Returns the names that can stand at a place, sorted, those of the wanted type first; the editor narrows them down by
    what is typed."""
    document = service.document(path)
    if document is None:
        return ()
    offset, text = document.offset(place), document.source.text
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    if _is_cite(text, offset, line):
        return tuple(_clauses(service, path))
    if line.count('"') % 2 or "#" in line:
        return ()
    before = _BEFORE.search(line)
    found = service.workspace.names(service.entry(path), path).definitions
    if before is not None and before["dot"]:
        owned = [one for one in found if one.owner is not None and one.what in OWNED]
        type = _Known.of(service, path).owner(line, text[:offset].split("\n")[:-1])
        of_type = [one for one in owned if one.owner == type]
        names = tuple(_completion(one) for one in of_type or owned)
    else:
        here, above = _Known.of(service, path), text[: text.rfind("\n", 0, offset) + 1].split("\n")[:-1]
        named = (_completion(one) for one in found if one.what in BARE)
        names = (*_keywords(), *named, *here.locals(line.removesuffix(before["word"] if before else ""), above))
    listed = {one.name: one for one in names}
    for name in _wanted(service, path, line, text[:offset].split("\n")[:-1]):
        known = listed.get(name) or Completion(name, "member")
        listed[name] = attrs.evolve(known, is_wanted=True)
    return tuple(sorted(listed.values(), key=lambda one: (not one.is_wanted, one.name)))


def _is_cite(text: str, offset: int, line: str) -> bool:
    return clause_at(text, offset) is not None or re.search(r"\s\[[A-Z0-9.,\s-]*$", line) is not None


def _clauses(service: LanguageService, path: Path) -> Iterator[Completion]:
    loaded = service.loaded(path)
    for clause in () if loaded is None else loaded.ledger:
        yield Completion(str(clause.get("id")), "clause", str(clause.get("text", "")))


def _keywords() -> Iterator[Completion]:
    yield from (Completion(word, "keyword") for word in read_tables().words)


def _completion(one: Definition) -> Completion:
    source = one.span.source
    return Completion(one.name, one.what, source.line(source.position(one.span.start)[0]).strip())


# ------------------------------------------------------------------ the wanted type


def _wanted(service: LanguageService, path: Path, line: str, above: Sequence[str]) -> tuple[str, ...]:
    """Returns the names and numbers of the type that is due at the end of a line; () if nothing certain is."""
    known = _Known.of(service, path)
    type = known.due(line, above)
    if type == "column":
        return tuple(_columns(above))
    return () if type is None else tuple(dict.fromkeys(known.members(type)))


@attrs.frozen
class _Known:
    """The declarations of a game, as far as they are read."""

    declared: tuple[nodes.Declaration, ...]
    definitions: tuple[Definition, ...]
    things: Mapping[str, frozenset[str]] = attrs.field(factory=dict)
    """By thing or space, as the game was checked last: the kinds and boards that have one of that name. A table may number
    its things, and a board names its spaces itself."""

    @classmethod
    def of(cls, service: LanguageService, path: Path) -> _Known:
        loaded = service.loaded(path)
        found = service.workspace.names(service.entry(path), path).definitions if loaded is not None else ()
        if loaded is None:
            return cls((), found)
        resolved = service.workspace.last_sound(service.entry(path)).resolved
        known = {} if resolved is None else resolved.world.things
        things = {name: frozenset(kind.name for kind, _ in some) for name, some in known.items()}
        return cls(loaded.module.declarations, found, things)

    def due(self, line: str, above: Sequence[str]) -> str | None:
        """Returns the type that is due at the end of a line, as the rules write it; `option` for an option's name, `given`
        or `expect` for what such a line speaks of, `column` for the head of a table."""
        if line.lstrip().startswith("|"):
            return self._cell(line, above) if above and above[-1].lstrip().startswith("|") else "column"
        answer = _ANSWERS.match(line)
        if answer is not None and _is_in_scenario(above):
            call = _CALL.search(answer["rest"])
            if call is not None:
                return self._parameter(call[1], call[2].count(","))
            return "option" if re.fullmatch(r"\w*", answer["rest"]) else None
        compared = _COMPARED.search(line) if _IN_SCENARIO.match(line) else None
        begun = _BEGUN.match(line)
        if compared is None and begun is not None and _is_in_scenario(above):
            return begun["word"]
        return None if compared is None else self._variable(compared[1])

    def owner(self, line: str, above: Sequence[str]) -> str | None:
        """Returns the type of what stands before the last point of a line: `Player` for `p.`; None if nothing says it."""
        chain = _CHAIN.search(line)
        if chain is None:
            return None
        first, *rest = re.sub(r"\([^()]*\)", "", chain[0]).rstrip(".").split(".")
        type = self._named(first, line, above)
        for name in rest if type is not None else ():
            type = self._word(self._variable(name))
        return type

    def locals(self, line: str, above: Sequence[str]) -> Iterator[Completion]:
        """Yields the names that mean something in the declaration around a line alone: parameters, those after `let` and
        `for`, and those of a `names` line that occur in it. The text is read, since what is half written is no tree."""
        head = next((n for n in range(len(above) - 1, -1, -1) if above[n][:1].strip()), len(above))
        around = "\n".join((*above[head:], line))
        groups = (group for one in self.declared if isinstance(one, nodes.NamesDeclaration) for group in one.groups)
        shared = {name.text: f"{name.text}: {type.span.text}" for names, type in groups for name in names}
        said = _HEAD.match(around)
        for parameter in said["parameters"].split(",") if said is not None else ():
            name = re.match(r"\s*([A-Za-z_]\w*)", parameter)
            if name is not None:
                yield Completion(name[1], "parameter", shared.get(name[1], parameter.strip()))
        words = set(re.findall(r"\w+", around))
        yield from (Completion(name, "name", says) for name, says in shared.items() if name in words)
        for match in _LOCAL.finditer(around):
            for name in re.findall(r"[A-Za-z_]\w*", match[1]):
                yield Completion(name, "let", shared.get(name, ""))

    def _named(self, name: str, line: str, above: Sequence[str]) -> str | None:
        """Returns the type of a name: as the declaration around a line says it, a `names` line, or what it names."""
        head = next((n for n in range(len(above) - 1, -1, -1) if above[n][:1].strip()), 0)
        around = "\n".join((*above[head:], line))
        said = re.search(rf"\b{name}\b(?:, \w+)*\s*(?::|\bin\b)\s*([A-Za-z_]\w*)", around, re.ASCII)
        if said is not None and (found := self._word(said[1])) is not None:
            return found
        groups = (group for one in self.declared if isinstance(one, nodes.NamesDeclaration) for group in one.groups)
        shared = next((t.span.text for names, t in groups if name in (n.text for n in names)), None)
        if shared is not None:
            return self._word(shared)
        meant = next((one for one in self.definitions if one.name == name and one.what in ("seat", "thing")), None)
        if meant is not None:
            return "Player" if meant.what == "seat" else meant.owner
        return self._word(self._variable(name))

    def _word(self, type: str | None) -> str | None:
        """Returns the name of the kind, board or other owner of names that a written type says."""
        owners = {one.owner for one in self.definitions if one.what in OWNED}
        return next((word for word in re.findall(r"[A-Za-z_]\w*", type or "") if word in owners), None)

    def _cell(self, line: str, above: Sequence[str]) -> str | None:
        """Returns the type of the column in which a row of a table ends."""
        rows = []
        for row in reversed(above):
            if not row.lstrip().startswith("|"):
                break
            rows.append(row)
        column = line.count("|") - 1
        head = [cell.strip() for cell in rows[-1].split("|")[1:]] if rows else []
        if column >= len(head):
            return None
        fields = (field for one in self.declared for field in getattr(one, "fields", ()))
        return next((field.type.span.text for field in fields if field.name.text == head[column]), None)

    def _parameter(self, action: str, number: int) -> str | None:
        """Returns the type of a parameter of an action; the first one, who acts, is not written in an option."""
        for one in self.declared:
            if isinstance(one, nodes.ActionDeclaration) and one.name.text == action:
                given = one.parameters[1:]
                return self._of_parameter(given[number]) if number < len(given) else None
        return None

    def _of_parameter(self, parameter: nodes.ParameterNode) -> str | None:
        if parameter.type is not None:
            return parameter.type.span.text
        if parameter.domain is not None:
            last = re.search(r"(\w+)\W*$", parameter.domain.span.text)
            return self._variable(last[1]) if last else None
        groups = (group for one in self.declared if isinstance(one, nodes.NamesDeclaration) for group in one.groups)
        return next((t.span.text for names, t in groups if parameter.name.text in (n.text for n in names)), None)

    def _variable(self, name: str) -> str | None:
        states = (one for one in self.declared if isinstance(one, nodes.StateDeclaration))
        found = (v.type.span.text for one in states for v in one.variables if v.name.text == name)
        fields = (f.type.span.text for one in self.declared for f in getattr(one, "fields", ()) if f.name.text == name)
        return next(found, None) or next(fields, None)

    def members(self, type: str) -> Iterator[str]:
        """Yields the values of a type, as the rules write it."""
        if type == "option":
            yield from (one.name.text for one in self.declared if isinstance(one, nodes.ActionDeclaration))
            yield "pass"
            return
        if type in ("given", "expect"):
            spoken_of = ("variable", "seat") if type == "given" else ("variable", "seat", "value")
            found = (one for one in self.definitions if one.what in spoken_of)
            yield from (one.name for one in found if one.owner is None or one.what == "seat")
            boards = {one.name.text for one in self.declared if isinstance(one, nodes.BoardDeclaration)}
            with_state = {one.owner for one in self.definitions if one.what == "variable"} - boards
            yield from (name for name, kinds in self.things.items() if not kinds.isdisjoint(with_state))
            return
        for low, high in _RANGE.findall(type):
            yield from map(str, range(int(low), min(int(high), int(low) + MOST_NUMBERS) + 1))
        words = set(re.findall(r"[A-Za-z_]\w*", type))
        if "flag" in words:
            yield from ("yes", "no")
        if "Player" in words:
            yield from (one.name for one in self.definitions if one.what == "seat")
        yield from (one.name for one in self.definitions if one.owner in words and one.what in ("member", "thing"))
        enums = (one for one in self.declared if isinstance(one, nodes.StateDeclaration))
        inline = (v.type for one in enums for v in one.variables if v.type.span.text == type)
        yield from (name.text for one in inline if isinstance(one, nodes.EnumTypeNode) for name in one.members)
        yield from (name for name, kinds in self.things.items() if not kinds.isdisjoint(words))
        if type.endswith("?") or type.startswith("slot "):
            yield "none"


def _columns(above: Sequence[str]) -> Iterator[str]:
    """Yields the columns that the first row of a table may name: those declared above it, and those that each table may
    have."""
    for line in itertools.takewhile(lambda line: not line[:1].strip(), reversed(above)):
        field = _FIELD.match(line)
        if field is not None:
            yield field[1]
    yield from ("name", "called", "copies")


def _is_in_scenario(above: Sequence[str]) -> bool:
    head = next((line for line in reversed(above) if line[:1].strip()), "")
    return head.startswith("scenario ")
