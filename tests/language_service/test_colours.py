"""All rules that ship are coloured, by Pygments and by the grammar for VS Code, as the scanner reads them."""

from __future__ import annotations

import importlib
import json
import re
import tomllib
from pathlib import Path

import pytest
from pygments.token import Comment, Error, Keyword, String

from rulelang.language_service.pygments_lexer import RulesLexer
from rulelang.language_service.textmate import grammar
from rulelang.syntax.lexer import scan
from rulelang.syntax.tables import read_tables
from tests.files import ROOT
from tests.seeds import rest_long

VSCODE = ROOT / "editors/vscode"
RULES = sorted((ROOT / "games").rglob("*.rules")) + sorted((ROOT / "tests/classics").glob("*.rules"))


@pytest.mark.parametrize(
    "path", rest_long(RULES, *(path for path in RULES if "outspeed" in path.parts)), ids=lambda path: path.name
)
def test_no_word_of_the_rules_that_ship_is_an_error(path: Path) -> None:
    text = path.read_text("utf-8")
    found = list(RulesLexer().get_tokens_unprocessed(text))
    assert "".join(piece for _, _, piece in found) == text
    assert not [piece for _, type, piece in found if type in Error]
    assert all(text.startswith(piece, at) for at, _, piece in found)
    comments = [str(token) for token in scan(read_tables(), text, 0, len(text)) if token.type == "COMMENT"]
    assert [piece for _, type, piece in found if type in Comment] == comments


@pytest.mark.parametrize("text", ["", "#", '"', '"""', "\\ § 🎲", "a\r\nb", "game\0", "[", '"{a'])
def test_no_text_is_lost(text: str) -> None:
    assert "".join(piece for _, _, piece in RulesLexer().get_tokens_unprocessed(text)) == text


def test_the_lexer_is_one_that_pygments_finds() -> None:
    said = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["pygments.lexers"]
    module, _, name = said["rulelang"].partition(":")
    found = list(getattr(importlib.import_module(module), name)().get_tokens('game nim "Nim":'))
    assert (Keyword, "game") in found
    assert any(type in String for type, _ in found)


def test_the_grammar_of_vs_code_is_that_of_the_scanner() -> None:
    written = json.loads((VSCODE / "syntaxes/rules.tmLanguage.json").read_text())
    assert written == grammar()


def test_all_files_that_the_extension_names_are_there() -> None:
    said = json.loads((VSCODE / "package.json").read_text())["contributes"]
    named = [said["languages"][0]["configuration"], said["grammars"][0]["path"], said["snippets"][0]["path"]]
    assert all((VSCODE / name).is_file() for name in named)


def test_each_pattern_of_the_grammar_can_be_read() -> None:
    def patterns(part: object) -> list[str]:
        if isinstance(part, dict):
            own = [str(part[name]) for name in ("match", "begin", "end") if name in part]
            return own + [one for value in part.values() for one in patterns(value)]
        return [one for value in part for one in patterns(value)] if isinstance(part, list) else []

    assert all(re.compile(one) for one in patterns(grammar()))
