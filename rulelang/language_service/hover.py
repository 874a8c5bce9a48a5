"""A name or a clause in an open text -> its description, in Markdown.

hover(service, path, EditorPlace(3, 7))        ("**heap** (variable) …", None)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from rulelang.ir.model import StateVariable, Zone
from rulelang.language_service.document import EditorPlace, EditorRange
from rulelang.language_service.evidence import shown_by
from rulelang.language_service.service import LanguageService, clause_at
from rulelang.workspace.definitions import Definition

_CITED = re.compile(r"\[([A-Z][^\[\]]*)\]\s*$")
MOST_SCENARIOS = 6
"""The most scenarios that are named."""
_SEEN = {"all": "everybody", "owner": "its owner alone", "nobody": "nobody", "expr": "those that `seen by` says"}


def hover(service: LanguageService, path: Path, place: EditorPlace) -> tuple[str, EditorRange | None]:
    """Returns a description of the name or the clause at a place, in Markdown; "" for any other place."""
    document, loaded = service.document(path), service.loaded(path)
    if document is None or loaded is None:
        return "", None
    clause = clause_at(document.source.text, document.offset(place))
    if clause is not None:
        said = {str(one.get("id")): str(one.get("text", "")) for one in loaded.ledger}.get(clause.text)
        shown = [s.title.raw for s in loaded.scenarios if clause.text in (cite.id for cite in s.cites)]
        listed = f"\n\nScenarios: {'; '.join(shown)}" if shown else ""
        return (f"**{clause.text}**\n\n{said}{listed}" if said else ""), document.range(clause)
    found = service.definitions_at_once(path, place)
    return "\n\n---\n\n".join("\n\n".join(_described(service, path, one)) for one in found), None


def _described(service: LanguageService, path: Path, one: Definition) -> Iterator[str]:
    source = one.span.source
    line, _ = source.position(one.span.start)
    yield f"**{one.name}** ({one.what}{f' of {one.owner}' if one.owner else ''})"
    yield f"```rules\n{source.line(line).strip()}\n```"
    type = _type(service, path, one)
    if type:
        yield f"Its type: `{type}`"
    seen = _seen(service, path, one) if one.what == "variable" else ""
    if seen:
        yield seen
    yield from _clauses(service, path, one)
    if one.what in ("action", "verb", "value"):
        shown = shown_by(service, path, one.name)
        more = f" and {len(shown) - MOST_SCENARIOS} more" if len(shown) > MOST_SCENARIOS else ""
        if shown:
            yield f"Scenarios: {'; '.join(shown[:MOST_SCENARIOS])}{more}"


def _type(service: LanguageService, path: Path, one: Definition) -> str | None:
    """Returns the type that a value or a local has, as it is written in rules; None for what says its type itself."""
    match one.what:
        case "value":
            return service.types(path).get(one.name)
        case "let" | "parameter" | "choice" | "name":
            there = service.place_of(path, one.span)
            known = {} if there is None else service.workspace.local_types(service.entry(path), there.path)
            return known.get((one.span.source.name, one.span.start))
        case _:  # the other names have their type beside them, or none
            return None


def _clauses(service: LanguageService, path: Path, one: Definition) -> Iterator[str]:
    """Yields the clauses that the line of a declaration cites, with their words."""
    loaded = service.loaded(path)
    said = {} if loaded is None else {str(clause.get("id")): str(clause.get("text", "")) for clause in loaded.ledger}
    line, _ = one.span.source.position(one.span.start)
    cited = _CITED.search(one.span.source.line(line))
    for id in re.split(r",\s*", cited[1]) if cited else ():
        if id in said:
            yield f"**{id}** {said[id]}"


def _seen(service: LanguageService, path: Path, one: Definition) -> str:
    """Returns a sentence on who may see a variable, or the things in a zone; "" while the rules cannot be read."""
    game = service.workspace.last_sound(service.entry(path)).lowered
    every: tuple[StateVariable | Zone, ...] = () if game is None else (*game.states, *game.zones)
    found = next((each for each in every if each.name == one.name and each.owner == one.owner), None)
    if found is None:
        return ""
    lie = "What lies in it is seen by" if isinstance(found, Zone) else "It is seen by"
    top = "; its top thing lies face up" if isinstance(found, Zone) and found.top_up else ""
    return f"{lie} {_SEEN[found.visible]}{top}."
