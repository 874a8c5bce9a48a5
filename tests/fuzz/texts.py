"""Texts of rules, as nobody writes them: what is read of them, and what the formatter makes of them.

spoilt(choose)      a text of the games, the classics, the corpus or the docs, changed in its words or in its form
formatted(text)     fmt(fmt(x)) == fmt(x), the same tree, the same comments
read(text)          a tree and diagnostics, never an exception
"""

from __future__ import annotations

import random
import re
from functools import cache

from rulelang.diagnostics.codes import CODES
from rulelang.diagnostics.model import Sink
from rulelang.diagnostics.render import render_all
from rulelang.source import SourceText
from rulelang.syntax.lexer import BlockLayout, scan
from rulelang.syntax.parser import parse
from rulelang.syntax.printing.printer import format_source
from rulelang.syntax.tables import HARD_WORDS, Tables, read_tables
from rulelang.syntax.texts import map_lines
from tests.files import DOCS, GAMES, TESTS
from tests.fuzz.finding import Finding
from tests.generators.rules import derived, mutated

KEYWORDS = sorted(set(read_tables().words) - set(HARD_WORDS))
BLANKS = (" ", "  ", "\n", "\n\n\n", "\t", "\n      ", "\r\n", "\r")
NOTES = (
    "#",
    "# a note",
    "#! kept",
    "  # note",
    '# "half a text',
    "#\t{x}",
    "# é",
    "#  two",
    "#\u00a0",
    "##",
    "# [A-1]",
)
SIGNS = (
    "(",
    ")",
    "{",
    "}",
    '"',
    '"""',
    "|",
    ":",
    ",",
    ", ",
    "[A-1]",
    "[A-1, B-2]",
    "-",
    "not ",
    "else",
    "otherwise",
    ";",
)
STRANGE = (
    "\u200b",
    "\ufeff",
    "\u0430",
    "e\u0301",
    "\u2028",
    "\x00",
    "\x1b[2J",
    "\U0001f469\u200d\U0001f680",
    "\u202e",
    "٣",
)


@cache
def tables() -> Tables:
    return read_tables()


@cache
def texts() -> tuple[str, ...]:
    """Returns what is changed: every file of rules in the repository, each example of the docs and of a code."""
    paths = sorted((*GAMES.glob("**/*.rules"), *TESTS.glob("**/*.rules")))
    files = [path.read_bytes().decode() for path in paths if "fuzz" not in path.parts]
    chunks = [chunk for text in files for chunk in text.split("---\n")]
    docs = [text for path in sorted(DOCS.glob("*.md")) for text in fences(path.read_text("utf-8"))]
    examples = [text for code in CODES.values() for text in (code.bad, code.good)]
    return tuple(chunks + docs + examples)


def fences(page: str) -> list[str]:
    """Returns the examples of rules on a page."""
    return re.findall(r"^```rules[^\n]*\n(.*?)^```", page, re.M | re.S)


@cache
def pieces() -> tuple[str, ...]:
    """Returns the declarations of all texts, each once."""
    found = [piece for text in texts() for piece in re.split(r"\n(?=\S)", text)]
    return tuple(dict.fromkeys(f"{piece}\n" for piece in found if piece.strip()))


def spoilt(choose: random.Random) -> str:
    """Returns a text with a few changes, most of them in its form."""
    if choose.random() < 0.05:
        return reformed(derived(choose), choose)
    # A short text is changed where it matters more often.
    several = choose.choices(pieces(), k=choose.choice((1, 1, 2, 3)))
    text = choose.choice(texts()) if choose.random() < 0.02 else "".join(several)
    if choose.random() < 0.4 and re.search(r"[a-z]\w", text):
        text = mutated(text, choose, most=2)
    return reformed(text, choose)


def reformed(text: str, choose: random.Random) -> str:
    """Changes the form of a text in a few places: blanks, line ends, comments, brackets."""
    for _ in range(choose.choice((0, 1, 1, 2, 3, 6))):
        edges = [found.start() for found in re.finditer(r"\b|[ \n(){},|:\[\]]", text)] or [0]
        at = choose.choice(edges)
        match choose.randrange(10):
            case 0 | 1:
                text = text[:at] + choose.choice(BLANKS) + text[at:]
            case 2 | 3:
                end = text.find("\n", at)
                end = len(text) if end < 0 else end
                text = text[:end] + choose.choice(("", " ", "\n", "\n    ")) + choose.choice(NOTES) + text[end:]
            case 4:
                text = text[:at] + choose.choice(NOTES) + "\n" + text[at:]
            case 5:
                text = text[:at] + choose.choice(SIGNS) + text[at:]
            case 6:
                other = choose.choice([edge for edge in edges if 0 <= edge - at < 60] or [at])
                text = text[:at] + "(" + text[at:other] + ")" + text[other:]
            case 7:
                text = re.sub(r"\n *", "\n", text, count=1) if choose.random() < 0.3 else text[:at] + text[at + 1 :]
            case 8 if choose.random() < 0.5:
                found = choose.choice(list(re.finditer(r"\b[a-z]\w*", text)) or [None])
                if found is not None:
                    word = choose.choice(KEYWORDS)
                    word = f"({word})" if choose.random() < 0.4 else word
                    text = text[: found.start()] + word + text[found.end() :]
            case 8 if choose.random() < 0.3:
                text = text[:at] + choose.choice(STRANGE) + text[at:]
            case _:
                text = text.removesuffix("\n") + choose.choice(("", "\n", "\n\n", "\n  # the end", " # end"))
    return text


# ------------------------------------------------------------------ what must hold


def read(text: str) -> None:
    """Any text is read, and what is wrong with it can be shown."""
    try:
        found = parse(SourceText("fuzz.rules", text)).diagnostics
        render_all(found)
    except Exception as error:
        raise Finding(f"reading raised {error!r}", text) from error
    for d in found:
        if not 0 <= d.span.start <= d.span.end <= len(d.span.source.text):
            raise Finding(f"{d.code} stands outside of the text", text)


def formatted(text: str) -> None:
    """What is rules stays the same rules when it is formatted, and once is enough."""
    source = SourceText("fuzz.rules", text)
    before = parse(source)
    try:
        once = format_source(source)
    except Exception as error:
        raise Finding(f"formatting raised {error!r}", text) from error
    if any(d.is_error for d in before.diagnostics):
        if once != source.text:
            raise Finding("what is no rules was changed", text)
        return
    after = parse(SourceText("once.rules", once))
    if any(d.is_error for d in after.diagnostics):
        raise Finding(f"the formatter spoils it: {after.diagnostics[0].message}", text)
    # Braces inside a text are an older form, which the formatter rewrites.
    is_old = "{{" in text
    if after.module != before.module and not is_old:
        raise Finding("the formatter changes the rules", text)
    notes = [sorted(note.text for note in parsed.module.comments) for parsed in (before, after)]
    if notes[0] != notes[1]:
        raise Finding("the formatter changes the comments", text)
    if words(before_text := source.text) != words(once) and not is_old:
        raise Finding("the formatter loses or adds words", before_text)
    if "\r" in once or not (once.endswith("\n") or not once):
        raise Finding("the formatter writes other line ends", text)
    if format_source(SourceText("twice.rules", once)) != once:
        raise Finding("formatting twice changes more", text)


def words(text: str) -> list[str]:
    """Returns all names, numbers, texts and clause ids of a text, sorted."""
    source = SourceText("words.rules", text)
    tokens = BlockLayout(source, Sink()).lines(scan(tables(), source.text, 0, len(source.text))).tokens
    found: list[str] = []
    for token in tokens:
        match token.type:
            case "NUMBER":
                found.append(str(int(token)))
            case "LONG_STRING":
                found.extend(map_lines(token))
            case "CITE":
                found.extend(re.findall(r"[^\s,\[\]]+", token))
            case _ if re.match(r'[\w"]', token):
                found.append(str(token))
    return sorted(found)


def attack(choose: random.Random) -> None:
    """Reads and formats a text that nobody wrote."""
    text = spoilt(choose)
    read(text)
    formatted(text)
