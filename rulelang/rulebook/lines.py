"""A game -> its lines that cite clauses, with the sites of the IR that show that each of them ran.

heap -= n                                  [N-2]      CitingLine(node=Assign, clauses=("N-2",), sites={17})
constant size = 21                         [N-1]      static: holds in every game
needs n <= heap  "Only {heap} are left"    [N-3]      runs when it refuses
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import attrs

from rulelang.ir.model import Site
from rulelang.source import Span
from rulelang.syntax import nodes
from rulelang.syntax.nodes.walk import walk

MOST_ON_A_LINE = 4
"""The most ids on one line; a line with more is a heap, and counts for none of them."""

RUNNING = (
    nodes.Statement,
    nodes.BranchNode,
    nodes.OptionNode,
    nodes.CaseNode,
    nodes.ValueDeclaration,
    nodes.AdjustDeclaration,
    nodes.VerbDeclaration,
    nodes.HookDeclaration,
    nodes.WheneverDeclaration,
    nodes.FlowDeclaration,
    nodes.ActionDeclaration,
)
"""The nodes that may run or not; the rows of data tables are among them. Any other node that can cite (a constant, a
kind, a variable, the header) holds in every game."""


@attrs.frozen(eq=False)
class CitingLine:
    """A node that cites clauses, as a line of the rules."""

    node: nodes.Node
    clauses: tuple[str, ...]
    place: str
    """`outspeed.rules:31`."""
    heap: bool
    static: bool
    sites: frozenset[int]
    """The sites of which any among a run's hits shows that the line ran."""
    needs: frozenset[int]
    """The sites of which any among a run's refusals shows that the line refused."""

    def ran(self, hits: frozenset[int], refused: frozenset[int]) -> bool:
        """Returns whether the line ran, or refused, in a run with these hits."""
        return self.static or bool(self.sites & hits) or bool(self.needs & refused)


def citing_lines(module: nodes.ModuleNode, sites: Iterable[Site]) -> tuple[CitingLine, ...]:
    """Returns every line of a whole game that cites a clause, in source order."""
    cited = [(node, cites) for node in walk(module) if (cites := getattr(node, "cites", ()))]
    on_line = Counter(place_of(cite.span) for _, cites in cited for cite in cites)
    cells = {id(row) for data in module.declarations if isinstance(data, nodes.DataDeclaration) for row in data.rows}
    by_source: dict[str, list[Site]] = {}
    for site in sites:
        by_source.setdefault(site.span.source.name, []).append(site)
    lines = []
    for node, cites in cited:
        inside = [s for s in by_source.get(node.span.source.name, ()) if _within(s.span, node.span)]
        running = isinstance(node, RUNNING) or id(node) in cells
        need = isinstance(node, nodes.NeedNode)
        lines.append(
            CitingLine(
                node=node,
                clauses=tuple(cite.id for cite in cites),
                place=place_of(node.span),
                heap=on_line[place_of(cites[0].span)] > MOST_ON_A_LINE,
                static=not running and not need,
                sites=frozenset(s.id for s in inside if s.what != "needs" and running),
                needs=frozenset(s.id for s in inside if s.what == "needs" and need),
            )
        )
    return tuple(lines)


def _within(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def place_of(span: Span) -> str:
    """Returns the file and line at which a span begins."""
    line, _ = span.source.position(span.start)
    return f"{span.source.name}:{line}"
