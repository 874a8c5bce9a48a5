"""Strength against budget as a picture: the table of docs/strength.md that begins with `budget`, drawn as SVG.

python benchmarks/strength.py > docs/strength.svg
"""

from __future__ import annotations

from math import log10
from pathlib import Path

TABLE = Path(__file__).parent.parent / "docs" / "strength.md"
LEFT, TOP, WIDTH, HEIGHT, RIGHT, BOTTOM = 48, 16, 520, 280, 220, 44
"""The place and the size of the plot, and the room beside and below it."""
COLOURS = ("#1b6ca8", "#b3541e", "#5b7f1f", "#7a4fa3")
EVEN = 100 / 3
"""What a seat of three wins if all play alike."""

Row = tuple[str, list[tuple[int, int]]]


def rows(text: str) -> list[Row]:
    """Returns the rows of the table: a name, and the budgets with what was won, in per cent."""
    lines = text.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("| budget"))
    budgets = [int(cell) for cell in _cells(lines[first])[1:]]
    found: list[Row] = []
    for line in lines[first + 2 :]:
        if not line.startswith("|"):
            break
        name, *cells = _cells(line)
        points = [(budget, int(cell[:-1])) for budget, cell in zip(budgets, cells, strict=True) if cell]
        found.append((name.replace("`", ""), points))
    return found


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line[1:-1].split("|")]


def drawn(table: list[Row]) -> str:
    """Returns the picture; budgets stand on a scale of their logarithms."""
    budgets = sorted({budget for _, points in table for budget, _ in points})
    low, high = log10(budgets[0]), log10(budgets[-1])

    def x(budget: int) -> float:
        return LEFT + WIDTH * (log10(budget) - low) / (high - low)

    def y(won: float) -> float:
        return TOP + HEIGHT * (1 - won / 100)

    whole = f'width="{LEFT + WIDTH + RIGHT}" height="{TOP + HEIGHT + BOTTOM}"'
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" {whole} font-family="sans-serif" font-size="12" fill="#333">']
    lines.append('<rect width="100%" height="100%" fill="white"/>')
    for won in range(0, 101, 20):
        lines.append(f'<path d="M{LEFT} {y(won):.1f}h{WIDTH}" stroke="#ddd"/>')
        lines.append(f'<text x="{LEFT - 8}" y="{y(won) + 4:.1f}" text-anchor="end">{won} %</text>')
    lines.append(f'<path d="M{LEFT} {y(EVEN):.1f}h{WIDTH}" stroke="#999" stroke-dasharray="4 4"/>')
    label = "one seat of three, if all play alike"
    lines.append(f'<text x="{LEFT + WIDTH}" y="{y(EVEN) + 14:.1f}" text-anchor="end" fill="#777">{label}</text>')
    for budget in budgets:
        lines.append(f'<text x="{x(budget):.1f}" y="{TOP + HEIGHT + 18}" text-anchor="middle">{budget}</text>')
    lines.append(f'<text x="{LEFT + WIDTH / 2:.1f}" y="{TOP + HEIGHT + 36}" text-anchor="middle">budget</text>')
    for (name, points), colour in zip(table, COLOURS, strict=False):
        places = [(x(budget), y(won)) for budget, won in points]
        lines.append(
            f'<polyline points="{" ".join(f"{a:.1f},{b:.1f}" for a, b in places)}" fill="none" stroke="{colour}" stroke-width="2"/>'
        )
        lines += [f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in places]
        a, b = places[-1]
        lines.append(f'<text x="{a + 8:.1f}" y="{b + 4:.1f}" fill="{colour}">{name}</text>')
    return "\n".join([*lines, "</svg>", ""])


if __name__ == "__main__":
    print(drawn(rows(TABLE.read_text(encoding="utf-8"))), end="")
