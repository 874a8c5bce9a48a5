"""The names of variants wanted -> the variants to apply, in order.

    variant sprint of outspeed:          stack(("dash",)) -> (sprint, dash)
    variant dash of sprint:

Faults in heads are reported here, even of variants that are not wanted: a missing base, a cycle, a name declared twice.
"""

from __future__ import annotations

import attrs

from rulelang.diagnostics.model import Label, Sink
from rulelang.source import NOWHERE
from rulelang.syntax import nodes


@attrs.frozen
class Heads:
    """The variants of a game by name; of several with one name, the first."""

    game: nodes.GameDeclaration | None
    by_name: dict[str, nodes.VariantDeclaration]

    @classmethod
    def of(cls, module: nodes.ModuleNode, variants: tuple[nodes.VariantDeclaration, ...], sink: Sink) -> Heads:
        game = next((d for d in module.declarations if isinstance(d, nodes.GameDeclaration)), None)
        heads = cls(game, {})
        for variant in variants:
            first = heads.by_name.setdefault(variant.name.text, variant)
            if first is not variant:
                labels = (Label(first.name.span, "first declared here"),)
                sink.report(
                    "E0202", f"the variant `{first.name.text}` is declared twice", variant.name.span, labels=labels
                )
        for variant in variants:
            heads._check(variant, sink)
        return heads

    def _check(self, variant: nodes.VariantDeclaration, sink: Sink) -> None:
        of, name = variant.of.text, variant.name.text
        bases = [self.game.name.text] if self.game is not None else []
        if of not in bases and of not in self.by_name and bases:
            near = sink.near(of, [*bases, *self.by_name])
            help = f"did you mean `{near}`?" if near else f"write `variant {name} of {bases[0]}`"
            sink.report(
                "E0602", f"`{of}` is neither this game nor a variant of it", variant.of.span, help=help, fix=near
            )
        elif variant in self.above(variant):
            sink.report("E0603", f"the variant `{name}` builds on itself", variant.of.span, "round in a circle")

    def above(self, variant: nodes.VariantDeclaration) -> tuple[nodes.VariantDeclaration, ...]:
        """Returns the variants that a variant builds on, nearest first; in a cycle, the variant itself too."""
        found: list[nodes.VariantDeclaration] = []
        of = variant.of.text
        while of in self.by_name and self.by_name[of] not in found and not self._is_game(of):
            found.append(self.by_name[of])
            of = self.by_name[of].of.text
        return tuple(found)

    def _is_game(self, name: str) -> bool:
        return self.game is not None and self.game.name.text == name

    def stack(self, wanted: tuple[str, ...], sink: Sink) -> tuple[nodes.VariantDeclaration, ...]:
        """Returns the variants to apply, each after those that it builds on; reports unknown names."""
        chosen: list[nodes.VariantDeclaration] = []
        for name in wanted:
            variant = self.by_name.get(name)
            if variant is None:
                self._unknown(name, sink)
            else:
                for one in (*reversed(self.above(variant)), variant):
                    chosen += [one] if one not in chosen else []
        return tuple(chosen)

    def _unknown(self, name: str, sink: Sink) -> None:
        near = sink.near(name, self.by_name)
        known = ", ".join(f"`{n}`" for n in self.by_name)
        help = f"did you mean `{near}`?" if near else f"there are {known}" if known else "there are none"
        game = self.game.name if self.game is not None else None
        shown_game = f"`{game.text}`" if game is not None else "this game"
        span = game.span if game is not None else NOWHERE
        sink.report("E0601", f"{shown_game} has no variant `{_plain(name)}`", span, help=help)


def _plain(text: str) -> str:
    """Returns a name from a command line, shortened and without control characters."""
    return "".join(c for c in text[:40] if c.isprintable())
