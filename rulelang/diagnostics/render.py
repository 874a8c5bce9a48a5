"""Diagnostics -> text: in full for people, on one line for searching, as data for tools.

    error[E0118]: no line begins with `mvoe` here
      --> nim.rules:3:3
       |
     3 |   mvoe card to discards
       |   ^^^^
       |
    help: did you mean `move`?
     3 |   move card to discards

Rules are untrusted text: control characters, which a terminal might obey, are shown as visible symbols.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence

from rulelang.diagnostics.model import Diagnostic, Label
from rulelang.source import SourceText, Span

Style = Callable[[str, str], str]
"""Colours a piece of text: `style(role, text)`, with the roles error, warning, place, gutter, mark, remark and help."""

MOST_SHOWN = 20
LINE_WIDTH = 160

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")


def escaped(text: str) -> str:
    r"""Replaces each control character by one visible symbol, so that columns do not shift.

    >>> escaped("a\x1b[31mb"), escaped("a\tb\x7f\u202e")
    ('a␛[31mb', 'a b␡�')
    """
    return _CONTROL.sub(_picture, text)


def _picture(found: re.Match[str]) -> str:
    code = ord(found.group())
    if code == ord("\t"):
        return " "
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else "\ufffd"


# ------------------------------------------------------------------------------------------------------- one line


def render_concise(diagnostic: Diagnostic) -> str:
    """Renders place, code and message on one line.

    >>> from rulelang.source import SourceText
    >>> span = Span(SourceText("nim.rules", "x\\n"), 0, 1)
    >>> render_concise(Diagnostic("E0118", "no declaration begins with `x`", Label(span, "")))
    'nim.rules:1:1: error[E0118]: no declaration begins with `x`'
    """
    return (
        f"{escaped(diagnostic.span.place)}: {_severity(diagnostic)}[{diagnostic.code}]: {escaped(diagnostic.message)}"
    )


def _severity(diagnostic: Diagnostic) -> str:
    return "error" if diagnostic.is_error else "warning"


# ----------------------------------------------------------------------------------------------------------- data


def as_data(diagnostic: Diagnostic) -> dict[str, object]:
    """Returns one diagnostic as plain data, with offsets from 0 and with lines and columns from 1."""
    return {
        "code": diagnostic.code,
        "severity": _severity(diagnostic),
        "message": diagnostic.message,
        **_label_as_data(diagnostic.primary),
        "labels": [_label_as_data(label) for label in diagnostic.labels],
        "help": diagnostic.help,
        "fix": diagnostic.fix,
    }


def _label_as_data(label: Label) -> dict[str, object]:
    span = label.span
    line, column = span.source.position(span.start)
    end_line, end_column = span.source.position(span.end)
    return {
        "file": span.source.name,
        "start": span.start,
        "end": span.end,
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "remark": label.text,
    }


# -------------------------------------------------------------------------------------------------------- in full


def render_all(diagnostics: Sequence[Diagnostic], *, style: Style | None = None) -> str:
    """Renders the diagnostics of one run, the first twenty in full."""
    parts = [render_full(diagnostic, style=style) for diagnostic in diagnostics[:MOST_SHOWN]]
    if len(diagnostics) > MOST_SHOWN:
        parts.append(f"... and {len(diagnostics) - MOST_SHOWN} more\n")
    return "\n".join(parts)


def render_full(diagnostic: Diagnostic, *, style: Style | None = None) -> str:
    """Renders one diagnostic with its lines of source; ends in a newline."""
    return _Full(diagnostic, style or _plain).text()


def _plain(role: str, text: str) -> str:
    return text


class _Full:
    """The full form of one diagnostic, under construction."""

    def __init__(self, diagnostic: Diagnostic, style: Style) -> None:
        self.diagnostic = diagnostic
        self.style = style
        labels = (diagnostic.primary, *diagnostic.labels)
        self.width = max(len(str(_line(label.span))) for label in labels)

    def text(self) -> str:
        found = self.diagnostic
        severity = _severity(found)
        lines = [self.style(severity, f"{severity}[{found.code}]") + f": {escaped(found.message)}"]
        for number, source in enumerate(self._sources()):
            labels = [label for label in (found.primary, *found.labels) if label.span.source is source]
            lines += self._file(source, labels, is_first=number == 0)
        if found.help is not None:
            first, *more = (escaped(line) for line in found.help.split("\n"))
            lines += [self._gutter(), self.style("help", "help") + f": {first}", *more]
            lines += self._fixed()
        return "\n".join(line.rstrip() for line in lines) + "\n"

    def _sources(self) -> list[SourceText]:
        """Returns the files that the diagnostic points into, that of its primary place first."""
        sources = [self.diagnostic.span.source]
        for label in self.diagnostic.labels:
            if not any(label.span.source is source for source in sources):
                sources.append(label.span.source)
        return sources

    def _file(self, source: SourceText, labels: list[Label], is_first: bool) -> list[str]:
        place = escaped(self.diagnostic.span.place if is_first else labels[0].span.place)
        lines = [" " * self.width + self.style("place", "-->") + f" {place}", self._gutter()]
        last = None
        for number in sorted({_line(label.span) for label in labels}):
            if last is not None and number > last + 1:
                lines.append(" " * self.width + self.style("gutter", " :"))
            last = number
            lines += self._source_line(source, number, [label for label in labels if _line(label.span) == number])
        return lines

    def _source_line(self, source: SourceText, number: int, labels: list[Label]) -> list[str]:
        labels = sorted(labels, key=lambda label: (label.span.start, label is not self.diagnostic.primary))
        text, cut = _window(source.line(number), source.position(labels[0].span.start)[1] - 1)
        lines = [self._gutter(number) + f" {escaped(text)}"]
        for label in labels:
            start = source.position(label.span.start)[1] - 1 - cut
            length = max(min(label.span.end - label.span.start, len(text) - start), 1)
            before = " " * columns_of(text[: max(start, 0)])
            sign = "^" if label is self.diagnostic.primary else "-"
            mark = sign * max(columns_of(text[start : start + length]), 1)
            role = "mark" if sign == "^" else "remark"
            remark = f" {self.style('remark', escaped(label.text))}" if label.text else ""
            lines.append(self._gutter() + f" {before}{self.style(role, mark)}{remark}")
        return lines

    def _fixed(self) -> list[str]:
        """Returns the faulty line as it would read with the fix applied."""
        span, fix = self.diagnostic.span, self.diagnostic.fix
        if fix is None or "\n" in fix or "\n" in span.text:
            return []
        number, column = span.source.position(span.start)
        line = span.source.line(number)
        text, _ = _window(line[: column - 1] + fix + line[column - 1 + len(span.text) :], column - 1)
        return [self._gutter(number) + f" {escaped(text)}"]

    def _gutter(self, number: int | None = None) -> str:
        return self.style("gutter", f"{'' if number is None else number:>{self.width}} |")


def _line(span: Span) -> int:
    return span.source.position(span.start)[0]


def _window(line: str, column: int) -> tuple[str, int]:
    """Cuts a very long line down to the part around a column; returns it with the number of columns cut in front."""
    if len(line) <= LINE_WIDTH:
        return line, 0
    start = max(0, min(column - LINE_WIDTH // 3, len(line) - LINE_WIDTH))
    return line[start : start + LINE_WIDTH], start


def columns_of(text: str) -> int:
    """Returns the number of columns that a text takes on a terminal.

    >>> columns_of("nim"), columns_of("囲碁"), columns_of("e" + chr(0x301))
    (3, 4, 1)
    """
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
