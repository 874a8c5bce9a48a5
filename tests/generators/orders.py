"""A seed -> a random game of chosen orders, in text: passes, hooks, replacements and standing rules that somebody puts in order.

orders(7)          a game, and a variant `other` that takes some of its rules away and adds others to those put in order
"""

from __future__ import annotations

import random

SEATS = ("ann", "ben", "cleo")
HEAD = """\
game orders "Orders":
  players 3
  seats ann, ben, cleo

names p, q, r: Player

the game has:
  pot: 0..99 = 1
  heat: 0..9 = 0
each Player has:
  took: 0..99 = 0
  marks: 0..9 = 0
  lives: 0..9 = 3

value strong(q) -> flag = q.took > 9 or q.marks > 4
"""


class Orders:
    """Writes one random game."""

    def __init__(self, seed: int) -> None:
        self.choose = random.Random(seed)

    def text(self) -> str:
        """Returns the game and its variant."""
        hooks = [self._hook(name) for name in ("first", "second", "third")[: self.choose.randint(1, 3)]]
        lines = [HEAD, *self._body("to bless(q):", "q"), *self._body("to strike(q):", "q")]
        by = self.choose.choice((*SEATS, "q"))
        for name in hooks:
            lines += self._body(f"{name[0]} bless(q){name[1]} in order chosen by {by} as {name[2]}:", "q")
        for shield in ("shielded", "bribed"):
            lines += self._body(f"instead of strike(q){self._if('q')} in order chosen by q as {shield}:", "q")
        for rule in ("full", "empty"):
            test = self.choose.choice(("q.marks > 6", "q.took > 40", "pot > 60"))
            lines += [f"whenever {test} for q in players in order chosen by mover as {rule}:"]
            # It ends what it began for, whatever comes first.
            lines += [
                "  pot = pot / 2 rounded down",
                "  q.lives = pot % 9",
                "  q.marks = 0",
                "  q.took = 0",
                "  pot = 1",
            ]
        lines += ["whenever q.lives == 0 for q in players ORDER as revived:", "  q.lives = 2"]
        lines += ["  pot = pot * 2 + number(q), at most 99"]
        lines += ["whenever heat > 4 in order chosen by mover as cools: heat = 0"]
        lines += ["whenever heat > 4 in order chosen by mover as burns:", "  heat = 0", "  pot += 3, at most 99"]
        lines += ["play:", "  turns p from ann:", "    p chooses one of:"]
        lines += ['      blessing(q) "Bless {q}": bless(q)', '      striking(q) "Strike {q}": strike(q)']
        lines += ['      share "Share":', *self._loop("        ", "p", 2)]
        lines += ['      warm "Warm": heat += 3, at most 9', '      wait "Wait": settle']
        lines += ["    if round == 5: finish with ranking q in players by highest q.took"]
        lines += ["", 'variant other of orders "Other":', f"  remove {hooks[0][2]}"]
        lines += [f"  {line}" for line in self._body(f"after bless(q) in order chosen by {by} as later:", "q")]
        lines += ["  whenever heat > 2 in order chosen by mover as smokes: heat = 0", "  remove cools"]
        order = self.choose.choice(
            ("from mover", "from next(mover)", "by lowest q.took", "from mover by highest q.took")
        )
        return "\n".join(lines).replace("ORDER", order) + "\n"

    def _hook(self, name: str) -> tuple[str, str, str]:
        return "after", self._if("q"), name

    def _if(self, who: str) -> str:
        tests = (f"{who}.marks > {self.choose.randint(0, 4)}", f"pot > {self.choose.randint(1, 9)}", f"strong({who})")
        return f" if {self.choose.choice(tests)}" if self.choose.random() < 0.6 else ""

    def _body(self, head: str, who: str) -> list[str]:
        return [head, *self._statements("  ", who, 1)]

    def _statements(self, margin: str, who: str, deep: int) -> list[str]:
        lines: list[str] = []
        for _ in range(self.choose.randint(1, 3)):
            match self.choose.randrange(7):
                case 0:
                    lines.append(f"{margin}{who}.took += pot, at most 99")
                case 1:
                    lines.append(f"{margin}pot += {self.choose.randint(1, 5)}, at most 99")
                case 2:
                    lines.append(f"{margin}pot = pot * 2, at most 99")
                case 3:
                    lines.append(f"{margin}{who}.marks += 1, at most 9")
                case 4:
                    lines.append(f"{margin}{who}.lives -= 1, at least 0")
                case 5 if deep:
                    lines += self._loop(margin, who, deep - 1)
                case _:  # a condition
                    lines += [f"{margin}if {who}.took < pot: {who}.took += 1"]
        return lines

    def _loop(self, margin: str, who: str, deep: int) -> list[str]:
        inner = "r" if who == "q" else "q"
        condition = f" if {inner}.took < {self.choose.randint(5, 60)}" if self.choose.random() < 0.6 else ""
        order = f"in order chosen by {self.choose.choice((who, *SEATS))}"
        body = self._statements(f"{margin}  ", inner, 0 if inner == "r" else deep)
        return [f"{margin}for {inner} in players {order}{condition}:", *body]


def orders(seed: int) -> str:
    """Returns the text of a random game of chosen orders."""
    return Orders(seed).text()
