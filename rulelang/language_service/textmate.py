"""The keywords of the scanner -> a TextMate grammar, for editors that colour by patterns.

grammar()["patterns"][0]        {"name": "comment.line.number-sign.rules", "match": "#.*$"}
"""

from __future__ import annotations

from typing import Any

from rulelang.syntax.tables import read_tables


def grammar() -> dict[str, Any]:
    """Returns the grammar; `python -m rulelang.language_service.textmate` prints it as JSON.

    >>> grammar()["scopeName"]
    'source.rules'
    """
    words = sorted(word for word in read_tables().words if word.isidentifier())
    escape = {"name": "constant.character.escape.rules", "match": r"\\."}
    hole = {"name": "meta.embedded.rules", "begin": r"\{", "end": r"\}", "patterns": [{"include": "#code"}]}
    code = [
        {"name": "constant.numeric.rules", "match": r"\b\d+\b"},
        {"name": "keyword.control.rules", "match": rf"\b(?:{'|'.join(words)})\b"},
        {"name": "entity.name.type.rules", "match": r"\b[A-Z]\w*\b"},
        {"name": "keyword.operator.rules", "match": r"->|<=|>=|==|!=|\+=|-=|\.\.|[-+*/%<>=]"},
    ]
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": "Rules",
        "scopeName": "source.rules",
        "patterns": [
            {"name": "comment.line.number-sign.rules", "match": r"#.*$"},
            {
                "name": "string.quoted.triple.rules",
                "begin": '"""',
                "end": '"""',
                "patterns": [escape, hole],
            },
            {"name": "string.quoted.double.rules", "begin": '"', "end": '"|$', "patterns": [escape, hole]},
            {
                "name": "constant.other.reference.clause.rules",
                "match": r"\[[A-Z][\w.-]*(?:\s*,\s*[A-Z][\w.-]*)*\]",
            },
            {"include": "#code"},
        ],
        "repository": {"code": {"patterns": code}},
    }


if __name__ == "__main__":
    import json

    print(json.dumps(grammar(), indent=2))
