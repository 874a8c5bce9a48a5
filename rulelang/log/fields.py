"""The fields of a log's lines, and bounds on their sizes.

    {"n": 1, "input": "undo", "to": "3", "h": "…"}       `to` should be a number

Reader and writer check the same fields, so nothing is written that could not be read back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, TypeAlias, get_args

from rulelang.errors import LogError
from rulelang.ir.model.vocabulary import LoneOptions
from rulelang.match.recording.events import AnsweredBy
from rulelang.seed import is_encodable, is_seed

FORMAT = 4
"""The version of the format that is written; newer versions are not read."""
NAMED_STREAMS = 3
"""The first format in which a `random` has a stream by what is drawn for, not by its number in its declaration."""
OWNED_STREAMS = 4
"""The first format in which a throw has a stream by what it is for, not by its die, and each owner of a variable one."""
LONGEST_LINE = 2**20
"""The most bytes in a line, with its end."""
MOST_LINES = 1_000_000
MOST_BYTES = 2**28
MOST_SEATS = 64

InputForm: TypeAlias = Literal["choice", "roll", "pick", "shuffle", "undo"]
LineForm: TypeAlias = InputForm | Literal["event", "end", "fault"]
"""The kinds of lines after the header."""

Check = Callable[[Any], bool]


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and (value.isascii() or is_encodable(value))


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_text, value))


def _is_text_map(value: Any) -> bool:
    return isinstance(value, dict) and all(_is_text(part) for pair in value.items() for part in pair)


def _is_seed(value: Any) -> bool:
    return value is None or is_seed(value)


def _is_cause(value: Any) -> bool:
    return value is None or _is_int(value)


def _is_changes(value: Any) -> bool:
    return isinstance(value, list) and all(_is_texts(change) and len(change) == 4 for change in value)


def _is_numbers(value: Any) -> bool:
    return isinstance(value, list) and all(_is_int(part) for part in value)


def _is_groups(value: Any) -> bool:
    return isinstance(value, list) and all(_is_texts(part) for part in value)


def _is_true(value: Any) -> bool:
    return value is True


def _is_lone(value: Any) -> bool:
    return value in get_args(LoneOptions)


def _is_by(value: Any) -> bool:
    return value in get_args(AnsweredBy)


HEADER: dict[str, Check] = {
    "game": _is_text,
    "variants": _is_texts,
    "options": _is_text_map,
    "rules": _is_text,
    "text": _is_text,
    "players": _is_texts,
    "seed": _is_seed,
    "engine": _is_text,
}
INPUTS: dict[InputForm, dict[str, Check]] = {
    "choice": {"seat": _is_text, "choice": _is_text, "option": _is_text},
    "roll": {"die": _is_text},
    "pick": {"stream": _is_text},
    "shuffle": {"stream": _is_text, "pile": _is_text},
    "undo": {"to": _is_int},
}
EVENT: dict[str, Check] = {
    "event": _is_int,
    "cause": _is_cause,
    "depth": _is_int,
    "rule": _is_text,
    "what": _is_text,
    "call": _is_text,
    "clauses": _is_texts,
    "sentence": _is_text,
    "changes": _is_changes,
}
END: dict[str, Check] = {
    "end": _is_text,
    "winners": _is_texts,
    "ranking": _is_groups,
    "scores": _is_numbers,
    "rule": _is_text,
    "clauses": _is_texts,
}
LINES: dict[LineForm, dict[str, Check]] = {
    **{what: {"n": _is_int, "h": _is_text, **fields} for what, fields in INPUTS.items()},
    "event": EVENT,
    "end": {"h": _is_text, **END},
    "fault": {"fault": _is_text},
}
"""The required fields of each kind of line after the header."""
MAY: dict[str, Check] = {
    "bots": _is_text_map,
    "for": _is_text,
    "lone": _is_lone,
    "given": _is_text,
    "face": _is_int,
    "value": _is_text,
    "order": _is_texts,
    "goes_on": _is_true,
    "elapsed": _is_int,
    "by": _is_by,
}
"""Fields that may be missing."""

_INT: Final = rb"(?:0|-?[1-9][0-9]{0,17})"
_TEXT: Final = rb'"[^"\\\x00-\x1f]*+"'


def _list_of(part: bytes) -> bytes:
    return rb"\[(?:" + part + rb"(?:," + part + rb")*+)?+\]"


WRITTEN: dict[Check, bytes] = {
    _is_int: _INT,
    _is_text: _TEXT,
    _is_texts: _list_of(_TEXT),
    _is_cause: rb"(?:null|" + _INT + rb")",
    _is_changes: _list_of(rb"\[" + rb",".join([_TEXT] * 4) + rb"\]"),
    _is_true: rb"true",
}
"""By check: a pattern of values that pass it, as they are written in a log; others may pass as well."""


def kind_of(record: Mapping[str, Any], number: int) -> LineForm | Literal["header"]:
    """Returns the kind of a line.

    Raises LogError, with the line's number, if a field is missing or malformed.
    """
    if number == 1:
        _look_at(record, HEADER, number)
        if not 1 <= len(record["players"]) <= MOST_SEATS:
            raise LogError("line 1: `players` is malformed")
        return "header"
    what = what_of(record)
    if what is None:
        raise LogError(f"line {number} is neither an input nor an event")
    _look_at(record, LINES[what], number)
    return what


INPUT_FORMS: dict[str, InputForm] = {form: form for form in INPUTS}
_OTHER_FORMS: tuple[LineForm, ...] = ("event", "end", "fault")


def what_of(record: Mapping[str, Any]) -> LineForm | None:
    """Returns the kind of a line after the header, judged by its fields; None if they fit no kind."""
    written = record.get("input")
    if isinstance(written, str) and written in INPUT_FORMS:
        return INPUT_FORMS[written]
    return next((form for form in _OTHER_FORMS if form in record), None)


def _look_at(record: Mapping[str, Any], fields: Mapping[str, Check], number: int) -> None:
    for name, fits in fields.items():
        if name not in record or not fits(record[name]):
            raise LogError(f"line {number}: `{name}` is missing or malformed")
    for name, fits in MAY.items():
        if name in record and not fits(record[name]):
            raise LogError(f"line {number}: `{name}` is malformed")
