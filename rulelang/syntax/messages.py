"""An unexpected token -> a diagnostic: the fault, its place, and the text to write instead.

    mvoe card to discards       E0118  no line begins with `mvoe` here       help: did you mean `move`?

CASES is tried from the top; the first case that recognises the fault answers. If none does, the message says what was
expected and what was found. Authors of rules never see the name of a terminal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

import attrs

from rulelang.diagnostics.habits import LONGEST, instead
from rulelang.diagnostics.model import Diagnostic, Label
from rulelang.diagnostics.suggest import suggest
from rulelang.source import SourceText, Span
from rulelang.syntax.characters import called, looks_like
from rulelang.syntax.lexer import Token
from rulelang.syntax.tables import HARD_WORDS

SIGNS = {
    "COLON": "`:`",
    "SEMICOLON": "`;`",
    "COMMA": "`,`",
    "DOT": "`.`",
    "RANGE": "`..`",
    "ELLIPSIS": "`...`",
    "BAR": "`|`",
    "QUESTION": "`?`",
    "ARROW": "`->`",
    "OPEN": "`(`",
    "CLOSE": "`)`",
    "OPEN_BRACE": "`{`",
    "CLOSE_BRACE": "`}`",
    "ASSIGN": "`=`",
    "INCREASE": "`+=`",
    "DECREASE": "`-=`",
    "EQ": "`==`",
    "NE": "`!=`",
    "LT": "`<`",
    "LE": "`<=`",
    "GT": "`>`",
    "GE": "`>=`",
    "PLUS": "`+`",
    "MINUS": "`-`",
    "STAR": "`*`",
    "SLASH": "`/`",
    "PERCENT": "`%`",
    "CHOSEN_ORDER": "`in order chosen`",
}

THINGS = {
    "NAME": "a name",
    "NUMBER": "a number",
    "STRING": "a text",
    "LONG_STRING": "a drawing",
    "CITE": "a clause id",
    "UNCLOSED": "a text without its end",
    "BAD": "a strange character",
    "COMMENT": "a comment",
    "ERROR": "a broken line",
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "$END": "the end of the file",
}


def is_keyword(terminal: str) -> bool:
    """Returns whether a terminal is a word of the grammar: its name is the word in capitals."""
    return terminal not in SIGNS and terminal not in THINGS


def shown(terminal: str) -> str:
    """Returns a terminal as messages name it.

    >>> shown("COLON"), shown("NAME"), shown("PHASE")
    ('`:`', 'a name', '`phase`')
    """
    return f"`{terminal.lower()}`" if is_keyword(terminal) else SIGNS.get(terminal) or THINGS[terminal]


_BEGINS_EXPRESSION = frozenset({"NAME", "NUMBER", "OPEN", "OPEN_BRACE", "MINUS"})
_COMPARES = frozenset({"EQ", "NE", "LT", "LE", "GT", "GE", "IN", "NOT"})
_GOES_ON = _COMPARES | {
    "AND",
    "OR",
    "AFTER",
    "PLUS",
    "MINUS",
    "STAR",
    "SLASH",
    "PERCENT",
    "RANGE",
    "DOT",
    "OPEN",
    "IF",
    "ROUNDED",
}
_FIRST_TO_SAY = ("COLON", "CLOSE", "CLOSE_BRACE", "ELSE", "ASSIGN", "INCREASE", "BAR", "_NL")
_IN_OTHER_WORDS = frozenset({"E0106", "E0109", "E0114", "E0115", "E0118", "E0121"})
"""The faults of a line that may be in the words of another language."""
_LAYOUT = frozenset({"_NL", "_INDENT", "_DEDENT", "$END"})
_SHORTEST_SLIP = 4
_OPENERS = {"OPEN": "CLOSE", "OPEN_BRACE": "CLOSE_BRACE"}


@attrs.frozen
class UnexpectedToken:
    """A token that does not fit, with the terminals that would.

    `expected` are the terminals that fit instead of the token, `line_expected` those that fit at the start of its line;
    `in_text` says that only the expression in a hole of a text was read.
    """

    source: SourceText
    tokens: Sequence[Token]
    at: int
    expected: frozenset[str]
    line_expected: frozenset[str]
    in_text: bool = False

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    @property
    def previous(self) -> Token | None:
        """The last token before this one, on the same line or an earlier one, layout aside."""
        return next((self.tokens[at] for at in range(self.at - 1, -1, -1) if self.tokens[at].type not in _LAYOUT), None)

    @property
    def line(self) -> Sequence[Token]:
        """The tokens of the logical line before the one at fault."""
        start = self.at
        while start > 0 and self.tokens[start - 1].type not in _LAYOUT:
            start -= 1
        return self.tokens[start : self.at]

    @property
    def text(self) -> str:
        """The statement or declaration around the token at fault, up to the end of its line, without a comment."""
        first = self.line[0] if self.line else self.token
        colon = next((t for t in reversed(self.line) if t.type == "COLON" and t is not self.line[-1]), None)
        ends = next((t.start for t in self.tokens[self.at :] if t.type in _LAYOUT), self.token.end)
        whole = self.source.text[first.start : ends].split("#")[0].strip()
        behind = "" if colon is None else self.source.text[colon.end : ends].split("#")[0].strip()
        # Behind the colon of an `if` or a loop stands a statement of its own.
        return behind if behind and instead(whole) is None else whole

    @property
    def begins_line(self) -> bool:
        return not self.line and self.token.type not in _LAYOUT

    @property
    def opener(self) -> Token | None:
        """The innermost bracket that is open before the token."""
        opened: list[Token] = []
        for token in self.line:
            if token.type in _OPENERS:
                opened.append(token)
            elif opened and token.type == _OPENERS[opened[-1].type]:
                opened.pop()
        return opened[-1] if opened else None

    def span(self, token: Token) -> Span:
        return Span(self.source, token.start, token.end)

    def found(self) -> str:
        """Describes the token at fault, for the words after "found"."""
        token = self.token
        if token.type == "$END" and self.in_text:
            return "`}`"
        if token.type == "NAME":
            return f"the name `{shortened(token)}`"
        if token.type == "NUMBER":
            return f"the number `{shortened(token)}`"
        return shown(token.type)

    def report(
        self,
        code: str,
        message: str,
        token: Token | None = None,
        *,
        labels: tuple[Label, ...] = (),
        help: str | None = None,
        fix: str | None = None,
    ) -> Diagnostic:
        """Returns a diagnostic, at the token at fault unless another is named."""
        return Diagnostic(code, message, Label(self.span(token or self.token), ""), labels, help, fix)


def explain(fault: UnexpectedToken) -> Diagnostic:
    """Returns the diagnostic for a token that does not fit."""
    answer = next((answer for case in CASES if (answer := case(fault)) is not None), None) or _unexpected(fault)
    is_guess = answer.fix is None or answer.code == "E0118" or (answer.help or "").startswith("did you mean")
    declares = answer.message.startswith("no declaration begins")
    known = instead(fault.text, declares=declares) if is_guess and answer.code in _IN_OTHER_WORDS else None
    return answer if known is None else attrs.evolve(answer, help=known, fix=None)


def shortened(text: str) -> str:
    """Returns a text cut to at most 40 characters."""
    return text if len(text) <= 40 else text[:37] + "..."


# --------------------------------------------------------------------------------------------------------- cases


_DRAWN = re.compile(r'map(?:\s+\w+)?\s*:?\s*"?|"|(?:\w{1,3}:)?\s*(?:[^\s|:"()=,]{1,4}\s+)+[^\s|:"()=,]{1,4}')
"""A line of a drawn map, or one of those that people put around it."""


def _bare_map(fault: UnexpectedToken) -> Diagnostic | None:
    """Returns the diagnostic for a map drawn directly below a board instead of in a text of its own."""
    before = fault.source.text[: fault.token.start].split("\n")
    line = fault.source.text.split("\n")[len(before) - 1].strip()
    head = next((text for text in reversed(before[:-1]) if text.strip() and not text[:1].isspace()), "")
    if not head.startswith("board ") or before[-1][:1] not in ("", " ", "\t") or not _DRAWN.fullmatch(line):
        return None
    help_ = 'draw the map between `map """` and `"""`, each on a line of its own, a row of spaces a line'
    return fault.report("E0118", "a map stands in a text of its own", help=help_)


_OPENS_ANOTHER = re.compile(r'\s*(?:drawn|map(?:\s+\w+)*|given\s.*)\s*"""')
"""A line with which a drawing begins."""


def _unclosed_drawing(fault: UnexpectedToken) -> Diagnostic | None:
    """Returns the diagnostic for three quotes without their end, which are read as an empty text and a quote, or as a
    drawing that ends where the next one begins."""
    help_ = 'a drawing ends with `"""` on a line of its own; no quote stands inside it'
    before = fault.previous
    if before is not None and before.type == "LONG_STRING":
        last = fault.source.text[before.start : before.end].rpartition("\n")[2]
        if _OPENS_ANOTHER.fullmatch(last):
            return fault.report("E0108", "this drawing has no closing quotes", before, help=help_)
    following = fault.tokens[fault.at + 1] if fault.at + 1 < len(fault.tokens) else None
    if fault.token != '""' or following is None or following.type != "UNCLOSED" or following.start != fault.token.end:
        return None
    return fault.report("E0108", "this drawing has no closing quotes", help=help_)


def _unclosed_text(fault: UnexpectedToken) -> Diagnostic | None:
    if fault.token.type != "UNCLOSED":
        return None
    help_ = 'a text ends on its own line; a quote inside it is written `\\"`'
    return fault.report("E0108", "this text has no closing quote", help=help_)


_STRANGE = {
    "'": "texts stand in double quotes",
    "\u201c": 'texts stand in straight quotes: `"`',
    "\u201d": 'texts stand in straight quotes: `"`',
    "&": "write `and`",
    "!": "write `not`",
    "^": "there are no powers; multiply",
    "\\": "a line goes on inside brackets, or where the next begins with `and` or `or`",
}


def _strange_character(fault: UnexpectedToken) -> Diagnostic | None:
    token = fault.token
    if token.type != "BAD":
        return None
    if token in ("[", "]"):
        return _not_a_cite(fault)
    help_ = _STRANGE.get(str(token))
    plain = looks_like(token)
    if help_ is None and plain is not None:
        message = f"`{token}` means nothing here: it is {called(token)} and looks like `{plain}`"
        return fault.report("E0121", message, help=f"type `{plain}`", fix=plain)
    if help_ is None and token.isalpha():
        help_ = "names are made of the letters a to z, digits and `_`"
    return fault.report("E0121", f"`{token}` means nothing here", help=help_)


def _square_brackets(fault: UnexpectedToken) -> Diagnostic | None:
    return _not_a_cite(fault) if fault.token.type == "CITE" else None


def _not_a_cite(fault: UnexpectedToken) -> Diagnostic:
    previous = fault.previous
    message = "square brackets hold clause ids and nothing else"
    if previous is not None and previous.end == fault.token.start:
        return fault.report("E0109", message, help="use round brackets: `stored(r)`")
    return fault.report("E0109", message, help="clause ids stand at the end of a line: `[OS-5.1, OS-5.3]`")


def _unclosed_bracket(fault: UnexpectedToken) -> Diagnostic | None:
    opener = fault.opener
    if fault.token.type == "_NL" and opener is not None:
        label = Label(fault.span(fault.token), "the line ends here")
        help_ = "a line that goes on inside brackets is indented deeper than its start"
        message = f"{shown(opener.type)} is not closed"
        return fault.report("E0107", message, opener, labels=(label,), help=help_)
    if fault.token.type in _OPENERS.values() and opener is None:
        return fault.report("E0107", f"{shown(fault.token.type)} closes nothing")
    return None


def _block_too_many(fault: UnexpectedToken) -> Diagnostic | None:
    if fault.token.type != "_INDENT":
        return None
    first = fault.tokens[fault.at + 1]
    labels = (Label(fault.span(fault.previous), "this line opens no block"),) if fault.previous is not None else ()
    return fault.report("E0117", "this line is indented too deep", first, labels=labels)


def _block_missing(fault: UnexpectedToken) -> Diagnostic | None:
    if "_INDENT" not in fault.expected or fault.previous is None:
        return None
    head = fault.source.text[: fault.previous.end].rpartition("\n")[2].strip()
    help_ = instead(head) or "write its block below, two spaces deeper"
    return fault.report("E0116", "an indented block is missing below this line", fault.previous, help=help_)


def _else_without_if(fault: UnexpectedToken) -> Diagnostic | None:
    if not fault.begins_line or fault.token.type not in ("ELSE", "ELIF"):
        return None
    loop = _loop_above(fault)
    if loop is not None:
        message = f"{shown(fault.token.type)} stands below a loop, which has none"
        help_ = f"test before the loop whether it has any members: {loop}"
        return fault.report("E0114", message, help=help_)
    return fault.report("E0114", f"{shown(fault.token.type)} has no `if` above it", help="it is indented like its `if`")


_LOOP = re.compile(r"(?:simultaneously )?for (\w+) in (.+?)(?: (?:from|by) .+?)?(?: if (.+?))?:.*|repeat\b.*")


def _loop_above(fault: UnexpectedToken) -> str | None:
    """Returns the words in place of the `else` of a loop; None if the line that it is indented like begins no loop."""
    *above, before = fault.source.text[: fault.token.start].split("\n")
    alike = (line for line in reversed(above) if line.strip() and len(line) - len(line.lstrip()) <= len(before))
    head = next(alike, "")
    found = _LOOP.fullmatch(head.split("#")[0].strip()) if len(head) <= LONGEST else None
    if found is None or len(head) - len(head.lstrip()) != len(before):
        return None
    name, domain, condition = found.groups()
    if name is None:
        return "`if …:`, with the loop in its block, and `else:` below it"
    nothing = f"{{{name} in {domain} if {condition}}} == {{}}" if condition else f"{domain} == {{}}"
    return f"`if {nothing}:`, and the loop below `else:`"


def _hard_word(fault: UnexpectedToken) -> Diagnostic | None:
    if str(fault.token) not in HARD_WORDS or "NAME" not in fault.expected or "NUMBER" in fault.expected:
        return None
    return fault.report("E0115", f"{shown(fault.token.type)} cannot be a name", help="choose another word")


def _misspelt_start(fault: UnexpectedToken) -> Diagnostic | None:
    """Returns the diagnostic for a first word that nearly spells one that may begin a line."""
    line = [*fault.line, fault.token]
    first = line[0]
    if len(line) > 2 or first.type != "NAME" or len(first) < _SHORTEST_SLIP or not _is_word_like(fault.token):
        return None
    near = suggest(str(first), _words(fault.line_expected))
    if near is None:
        return None
    message = f"no line begins with `{shortened(first)}` here"
    return fault.report("E0118", message, first, help=f"did you mean `{near}`?", fix=near)


def _is_word_like(token: Token) -> bool:
    return is_keyword(token.type) or token.type in ("NAME", "NUMBER", "STRING", "_NL", "COLON", "OPEN_BRACE")


_AT_HOME = {
    "needs": "`needs` stands first in an action or an option",
    "expect": "`expect` stands in a scenario",
    "given": "`given` stands in a scenario",
    "replace": "`replace` stands in a variant",
    "add": "`add to` stands in a variant",
    "remove": "`remove` stands in a variant",
    "void": "`void` stands in a variant",
    "players": "`players` stands below `game`, in a variant or in a scenario",
    "seats": "`seats` stands below `game` or in a variant",
    "rulebook": "`rulebook` stands below `game`",
    "lone": "`lone options are asked` stands below `game`, in a variant or in a scenario",
    "while": "write `repeat while c:`",
    "def": "a named change begins with `to`, a named number with `value`",
    "print": "people read the text behind the head of a verb",
}


def _bad_start(fault: UnexpectedToken) -> Diagnostic | None:
    """Returns the diagnostic for a first word that cannot begin a line here."""
    first = fault.line[0] if len(fault.line) == 1 else fault.token
    is_stray_keyword = is_keyword(first.type) and first.type not in fault.line_expected and _is_word_like(fault.token)
    if not (fault.begins_line or (len(fault.line) == 1 and is_stray_keyword)) or "_NL" in fault.expected:
        return None
    word, kind = shortened(first), _kind_of_line(fault.line_expected)
    is_word = first.type == "NAME" or is_keyword(first.type)
    message = f"no {kind} begins with {f'`{word}`' if is_word else fault.found()}"
    help_ = _AT_HOME.get(word)
    if help_ is None and (near := suggest(word, _words(fault.line_expected))):
        return fault.report("E0118", message, first, help=f"did you mean `{near}`?", fix=near)
    return fault.report("E0118", message, first, help=help_ or _beginnings(fault.line_expected))


_KINDS_OF_LINES = (
    ("KIND", "declaration"),
    ("LET", "statement"),
    ("GIVEN", "step of a scenario"),
    ("RULEBOOK", "line below `game`"),
    ("CARDS", "line of a screen"),
    ("EXPECT", "line below `after`"),
    ("BAR", "line of a table"),
)


def _kind_of_line(expected: frozenset[str]) -> str:
    return next((words for terminal, words in _KINDS_OF_LINES if terminal in expected), "line here")


def _beginnings(expected: frozenset[str]) -> str | None:
    """Returns a sentence with some of the words that may begin a line."""
    words = [
        word
        for word in ("kind", "value", "action", "phase", "let", "move", "given", "expect")
        if word.upper() in expected
    ]
    return f"a line here begins with a word such as {_listed([f'`{word}`' for word in words], 'or')}" if words else None


def _behind_an_order(fault: UnexpectedToken) -> Diagnostic | None:
    """Returns the diagnostic for a `given` that continues after the order of a pile."""
    line = fault.line
    if fault.token.type != "ASSIGN" or not line or line[0].type != "GIVEN":
        return None
    ordered = [a for a, b in pairwise(line) if a.type == "ASSIGN" and str(b) == "top"]
    if not ordered:
        return None
    help_ = "the order of a pile takes the rest of the line: put it last, or into a `given` of its own"
    return fault.report("E0106", "expected one more thing of the pile, found `=`", help=help_)


_TAKES_NO_CONDITION = frozenset(
    ("random", "roll", "shuffle", "top", "next", "previous", "show", "reveal", "eliminate", "extra_turn", "skip_turn")
)


def _named_argument(fault: UnexpectedToken) -> Diagnostic | None:
    """Returns the diagnostic for an argument that is given by its name, as in `max(players, key=gold)`."""
    line, opener = fault.line, fault.opener
    if fault.token.type != "ASSIGN" or "EQ" not in fault.expected or opener is None or line[-1].type != "NAME":
        return None
    called = next((str(a) for a, b in pairwise(line) if b is opener and a.end == b.start), "")
    is_alone = line[-2].type == "COMMA" or (line[-2] is opener and called in _TAKES_NO_CONDITION)
    if not called[:1].isalpha() or not is_alone:
        return None
    help_ = "arguments have no names: they stand in the order of the declaration"
    return fault.report("E0106", "expected `,` or `)`, found `=`", help=help_)


def _equals(fault: UnexpectedToken) -> Diagnostic | None:
    if fault.token.type == "ASSIGN" and "EQ" in fault.expected:
        return fault.report("E0119", "expected `==` to compare, found `=`", help="write `==`", fix="==")
    if fault.token.type == "EQ" and "ASSIGN" in fault.expected:
        return fault.report("E0119", "expected `=` to change a value, found `==`", help="write `=`", fix="=")
    return None


def _chain(fault: UnexpectedToken) -> Diagnostic | None:
    if fault.token.type not in _COMPARES or not {"AND", "OR"} <= fault.expected:
        return None
    return fault.report("E0120", "comparisons do not chain", help="write `a < b and b < c`")


BELOW = "only a statement of one line stands behind `:`; put this below, two spaces deeper"

_HABITS = {
    ("ELSE", "IF"): "write `elif`",
    ("SLASH", "SLASH"): "write `a / b rounded down`",
    ("STAR", "STAR"): "there are no powers; multiply",
    ("COLON", "ASSIGN"): "a change of a value is written `=`",
    ("PLUS", "PLUS"): "write `+= 1`",
    ("MINUS", "MINUS"): "write `-= 1`",
    ("STOP", "NAME"): "`stop` leaves the nearest loop and stands alone",
    ("COLON", "FOR"): BELOW,
    ("COLON", "IF"): BELOW,
    ("REPLACE", "NAME"): "write `replace each Player has:`, and the variable below it",
    ("RETURN", "NAME"): "a verb returns nothing; a `value` does",
    ("RETURN", "NUMBER"): "a verb returns nothing; a `value` does",
}

CASES: tuple[Callable[[UnexpectedToken], Diagnostic | None], ...] = (
    _bare_map,
    _unclosed_drawing,
    _unclosed_text,
    _strange_character,
    _square_brackets,
    _unclosed_bracket,
    _block_too_many,
    _block_missing,
    _else_without_if,
    _hard_word,
    _misspelt_start,
    _bad_start,
    _behind_an_order,
    _named_argument,
    _equals,
    _chain,
)


# ----------------------------------------------------------------------------------------- expected X, found Y


def _unexpected(fault: UnexpectedToken) -> Diagnostic:
    message = f"expected {_expected(fault)}, found {fault.found()}"
    opener = fault.opener
    labels: tuple[Label, ...] = ()
    if opener is not None and _OPENERS[opener.type] in fault.expected:
        labels = (Label(fault.span(opener), "opened here"),)
    if fault.token.type == "NAME" and (near := suggest(str(fault.token), _words(fault.expected))):
        return fault.report("E0106", message, labels=labels, help=f"did you mean `{near}`?", fix=near)
    return fault.report("E0106", message, labels=labels, help=_habit(fault))


def _habit(fault: UnexpectedToken) -> str | None:
    if fault.token.type == "_NL" and len(fault.line) == 1 and fault.line[0].type == "NAME":
        return f"to run a verb, write `{shortened(fault.line[0])}()`"
    if len(fault.line) > 1 and fault.line[-2].type == "COLON" and str(fault.line[-1]) in ("repeat", "simultaneously"):
        return BELOW
    previous = fault.previous
    if previous is not None and (previous.type, fault.token.type) in _HABITS:
        return _HABITS[previous.type, fault.token.type]
    if fault.token.type == "BY":
        return "an order stands behind `for x in S`, or in `best(x in S by highest e)`"
    return _AT_HOME.get(str(fault.line[0])) if len(fault.line) == 1 else None


def _expected(fault: UnexpectedToken) -> str:
    """Returns a list of at most three items that would fit."""
    if {"INCREASE", "OPEN"} <= fault.expected:
        return "`=`, `+=` or `(`"
    expected, items = set(fault.expected), []
    if {"LET", "MOVE"} <= expected:
        items.append("a statement")
        expected &= _LAYOUT
    elif expected >= _BEGINS_EXPRESSION:
        items.append("an expression")
        expected -= _BEGINS_EXPRESSION | {"NOT", "OCCURRENCES", "LET"}
    elif {"STAR", "EQ"} & expected:
        expected -= _GOES_ON
    if len(expected) > 1:
        expected -= {"CITE"}
    ordered = [terminal for terminal in _FIRST_TO_SAY if terminal in expected]
    ordered += sorted(expected - set(ordered))
    items += ["`}`" if terminal == "$END" and fault.in_text else shown(terminal) for terminal in ordered]
    return _listed(items[:3], "or") if items else "something else"


def _words(terminals: Iterable[str]) -> list[str]:
    return sorted(terminal.lower() for terminal in terminals if is_keyword(terminal))


def _listed(items: Sequence[str], last: str) -> str:
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"
