"""A source of chance -> rules text that nobody would write: good games spoilt in a place or two, and sentences of the grammar.

mutated("heap -= n", choose)      "heap += n", "heap -= heap", "-= n", …
derived(choose)                   whatever `grammar/rules.lark` allows, names of the game in PRELUDE in it
"""

from __future__ import annotations

import random
import re
from functools import cache
from itertools import count

from rulelang.syntax.tables import build_parser
from tests.files import CLASSICS, GAMES

CLASSIC_TEXTS = tuple(path.read_text(encoding="utf-8") for path in sorted(CLASSICS.glob("*.rules")))
OUTSPEED = tuple(p.read_text(encoding="utf-8") for p in sorted((GAMES / "outspeed").glob("**/*.rules")))

TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|[A-Za-z_]\w*|\d+|\n *|\.\.\.|\.\.|->|[+\-=!<>]=|[^\s\w]| +')
PART = re.compile(r"\b[a-z_]\w*(?:\.\w+)*(?:\([^()\n]*\))?|\b\d+\b|\{[^{}\n]*\}")
"""What can stand for a value."""

LIKE = tuple(
    tuple(words.split("|"))
    for words in (
        "+|-|*",
        "<|<=|>|>=|==|!=",
        "and|or",
        "count|sum|min|max|any|all|first|best|random",
        "highest|lowest",
        "+=|-=|=",
        "yes|no",
        "least|most",
        "in|not in",
        "players|Player",
        "top|bottom",
        "top|place|holder|is_face_up",
        "next|previous",
        "if|elif",
        "face up|face down|seen by owner|seen by nobody|scratch",
        "one of|up to 2 of|any of|2 of",
        "pass|stop",
        "pile of|group of|slot for",
        "secretly chooses|chooses",
        "before|after|instead of",
        "settle|stop|return|proceed",
        "0|1|2|3|9|4095|2147483647",
    )
)
"""Words that may stand where others do."""


# ------------------------------------------------------------------ good games, spoilt


def whole(parts: tuple[str, ...]) -> str:
    """Puts the files of a game into one."""
    first, *rest = sorted(parts, key=lambda part: not re.search("^game ", part, re.M))
    return re.sub(r"(?m)^include .*\n", "", first) + "\n".join(rest)


def mutated(text: str, choose: random.Random, most: int = 4) -> str:
    """Changes a text in one place or a few."""
    for _ in range(choose.randint(1, most)):
        change = choose.choice((_lines, _tokens, _words, _words, _parts, _parts))
        text = change(text, choose) or text
    return text


def _lines(text: str, choose: random.Random) -> str:
    lines = text.split("\n")
    here, there = choose.randrange(len(lines)), choose.randrange(len(lines))
    margin = len(lines[here]) - len(lines[here].lstrip())
    match choose.randrange(5):
        case 0:
            del lines[here]
        case 1:
            lines.insert(here, lines[there])
        case 2:
            lines[here], lines[there] = lines[there], lines[here]
        case 3:
            lines.insert(here + 1, " " * margin + lines[there].lstrip())
        case _:
            lines[here] = " " * margin + lines[there].lstrip()
    return "\n".join(lines)


def _tokens(text: str, choose: random.Random) -> str:
    tokens = TOKEN.findall(text)
    if not tokens:
        return ""
    here, there = choose.randrange(len(tokens)), choose.randrange(len(tokens))
    match choose.randrange(4):
        case 0:
            del tokens[here]
        case 1:
            tokens.insert(here, tokens[here])
        case 2:
            tokens[here], tokens[there] = tokens[there], tokens[here]
        case _:
            tokens[here] = tokens[there]
    return "".join(tokens)


def _words(text: str, choose: random.Random) -> str:
    """Puts another word in the place of one that means the like."""
    words = choose.choice(LIKE)
    found = [m for word in words for m in re.finditer(rf"(?<![\w+\-<>=!]){re.escape(word)}(?![\w=<>])", text)]
    if not found:
        return ""
    one = choose.choice(found)
    return text[: one.start()] + choose.choice(words) + text[one.end() :]


def _parts(text: str, choose: random.Random) -> str:
    """Puts a value from nearby in the place of another."""
    lines = text.split("\n")
    fitting = [n for n, line in enumerate(lines) if PART.search(line)]
    if not fitting:
        return ""
    here = choose.choice(fitting)
    there = min(max(here + choose.randint(-6, 6), 0), len(lines) - 1)
    new = [m.group() for m in PART.finditer(lines[there])]
    old = choose.choice(list(PART.finditer(lines[here])))
    if new:
        lines[here] = lines[here][: old.start()] + choose.choice(new) + lines[here][old.end() :]
    return "\n".join(lines)


# ------------------------------------------------------------------ sentences of the grammar

PRELUDE = """\
game g "G":
  players 2..3
names p, q: Player; n: 0..9; c: Card; s: Space; e: E
enum E: a, b
die d: 1..6
kind Card "card":
  rank: 1..5
  | rank |
  | 1..5 |
board Space: square
  map \"\"\"
    . .
    . .
  \"\"\"
data t(n: 0..9):
  cost: 0..9 = 1
  | n | cost     |
  | 1 | roll(d)  |
the game has:
  x: 0..9 = 1
  deck: pile of Card, face down
each Player has:
  hand: group of Card, seen by owner
  lane: E? = none
value v(n) -> 0..9 = n
action act(p, n) "A": settle
"""

_NAMES = [
    "p",
    "q",
    "n",
    "c",
    "s",
    "x",
    "v",
    "t",
    "d",
    "deck",
    "hand",
    "lane",
    "rank",
    "cost",
    "a",
    "b",
    "act",
    "Player",
    "Card",
    "Space",
    "E",
    "players",
    "none",
    "yes",
    "first_player",
    "f",
    "g",
    "h",
]
_TEXT = {
    "NUMBER": ["0", "1", "2", "3", "9", "4096"],
    "NAME": _NAMES,
    "CITE": ["[A-1]"],
    "LONG_STRING": ['"""\n    . .\n"""'],
}
_STRINGS = ['"x"', '"{p}"', '"{n + 1} of {x}"']


@cache
def _grammar() -> tuple[dict[str, list[list[str]]], dict[str, str], dict[str, int]]:
    """Returns the rules by origin, the text of each sign and word, and how deep each rule goes at least."""
    lark = build_parser()
    words = {t.name: t.pattern.value for t in lark.terminals if t.pattern.type == "str"}
    rules: dict[str, list[list[str]]] = {}
    for rule in lark.rules:
        if "ERROR" not in {symbol.name for symbol in rule.expansion}:
            rules.setdefault(rule.origin.name, []).append([symbol.name for symbol in rule.expansion])
    depths: dict[str, int] = {}
    for depth in count():
        new = {n for n, ways in rules.items() if n not in depths and any(_within(way, rules, depths) for way in ways)}
        if not new:
            return rules, words, depths
        depths.update(dict.fromkeys(new, depth))
    raise AssertionError


def _within(way: list[str], rules: dict[str, list[list[str]]], depths: dict[str, int]) -> bool:
    return all(symbol in depths for symbol in way if symbol in rules)


def derived(choose: random.Random, depth: int = 14) -> str:
    """Returns a few declarations that the grammar allows, behind the PRELUDE."""
    rules, words, depths = _grammar()
    found: list[str] = []
    waiting = [("_part", depth) for _ in range(choose.randint(1, 4))]
    while waiting and len(found) < 400:
        symbol, left = waiting.pop()
        if symbol not in rules:
            found.append(symbol)
            continue
        ways = [w for w in rules[symbol] if _within(w, rules, depths)]
        fitting = [w for w in ways if all(depths[s] < left for s in w if s in depths)]
        shortest = min(ways, key=lambda w: (max((depths[s] for s in w if s in depths), default=0), len(w)))
        way = choose.choice(fitting) if fitting else shortest
        waiting += [(part, left - 1) for part in reversed(way)]
    play = "" if "PLAY" in found and choose.random() < 0.5 else "play:\n  settle\n"
    return (
        PRELUDE
        + _laid_out([*found, *(symbol for symbol, _ in reversed(waiting) if symbol not in rules)], words, choose)
        + play
    )


def _laid_out(symbols: list[str], words: dict[str, str], choose: random.Random) -> str:
    depth, line, text = 0, "", ""
    for symbol in symbols:
        if symbol == "_NL":
            text += f"{'  ' * max(depth, 0)}{line.strip()}\n"
            line = ""
        elif symbol in ("_INDENT", "_DEDENT"):
            depth += 1 if symbol == "_INDENT" else -1
        elif symbol == "STRING":
            line += f" {choose.choice(_STRINGS)}"
        else:
            line += f" {choose.choice(_TEXT[symbol]) if symbol in _TEXT else words.get(symbol, symbol)}"
    return text
