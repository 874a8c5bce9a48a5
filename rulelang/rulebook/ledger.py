"""The clause ledger of a game, and checks that rules and ledger name the same clauses.

    [[clause]]                        Clause(id="OS-7.11", kind="rule", text="Too many Ships jam a route.", …)
    id = "OS-7.11"
    kind = "rule"
    text = "Too many Ships jam a route."
                                      value jammed(p) -> flag = …        [OS-7.11]      cites it

Invariant: a clause is cited by its id alone; the citations of a game without a ledger are not checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, TypeAlias, get_args

import attrs

from rulelang import api
from rulelang.diagnostics.model import Diagnostic, Sink
from rulelang.source import Span
from rulelang.syntax import nodes
from rulelang.syntax.nodes.walk import walk

SHORTEST_WORDS = 20
"""The fewest characters of a meaningful `handled`."""


ClauseForm: TypeAlias = Literal[
    "rule", "exception", "setup", "end", "clarification", "component", "physical", "example", "flavour"
]
_FORMS: dict[object, ClauseForm] = {form: form for form in get_args(ClauseForm)}


@attrs.frozen
class Clause:
    """One statement of the rulebook, in our own words."""

    id: str
    section: str = ""
    kind: ClauseForm = "rule"
    text: str = ""
    words: str | None = None
    """Words by which players look for the clause, if its sentence has others."""
    ruling: str | None = None
    """Our decision on a point that the rulebook leaves open."""
    note: str | None = None
    scenario: str | None = None
    """A position that would show the clause, in words."""
    handled: str | None = None
    """For a clause that no line of the rules carries out: how it is honoured."""


def clauses_of(tables: Iterable[Mapping[str, object]]) -> tuple[Clause, ...]:
    """Returns the clauses of a ledger's tables, each id once; fields that are not text are dropped, and an unknown kind
    counts as a rule.

    >>> clauses_of([{"id": "N-1", "kind": "end", "text": "Whoever takes the last match wins."}])[0].kind
    'end'
    """
    known = [field.name for field in attrs.fields(Clause)]
    found: dict[str, Clause] = {}
    for table in tables:
        texts = {name: table[name] for name in known if isinstance(table.get(name), str)}
        if "id" in texts:
            clause = Clause(**{**texts, "kind": _FORMS.get(texts.get("kind"), "rule")})  # type: ignore[arg-type]
            found.setdefault(clause.id, attrs.evolve(clause, handled=_enough(clause.handled)))
    return tuple(found.values())


def _enough(words: str | None) -> str | None:
    return words if words is not None and len(words.strip()) > SHORTEST_WORDS else None


def check_citations(game: api.Game) -> tuple[Diagnostic, ...]:
    """Reports every clause that the rules or scenarios of a game cite and its ledger lacks (E0415)."""
    sink = Sink()
    ids = [clause.id for clause in clauses_of(game.internals.loaded.ledger)]
    for cite in _cites(game) if ids else ():
        if cite.id not in ids:
            near = sink.near(cite.id, ids)
            help = f"did you mean `{near}`?" if near else None
            sink.report("E0415", f"the ledger has no clause `{cite.id}`", cite.span, "cited here", help=help, fix=near)
    return sink.sorted()


def check_silence(game: api.Game) -> tuple[Diagnostic, ...]:
    """Reports every clause of a game's ledger, except flavour, that nothing cites and that has no `handled` (W0503)."""
    sink = Sink()
    place = _ledger_line(game)
    cited = {cite.id for cite in _cites(game)}
    for clause in clauses_of(game.internals.loaded.ledger):
        if clause.id not in cited and clause.handled is None and clause.kind != "flavour":
            sink.report("W0503", f"nothing cites the {clause.kind} `{clause.id}`", place)
    return sink.sorted()


def _ledger_line(game: api.Game) -> Span:
    lines = [
        line for node in walk(game.internals.module) if isinstance(node, nodes.GameDeclaration) for line in node.lines
    ]
    return next((line.span for line in lines if line.what == "rulebook"), game.internals.module.span)


def _cites(game: api.Game) -> Iterator[nodes.CiteNode]:
    everything = (game.internals.module, game.internals.loaded.scenarios, game.internals.loaded.variants)
    return (node for node in walk(everything) if isinstance(node, nodes.CiteNode))
