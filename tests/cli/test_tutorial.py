"""The tutorial, followed to the letter in an empty folder: each file as the page gives it, each command as it stands there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli import main
from tests.files import DOCS

PAGE = DOCS / "tutorial.md"
PART = re.compile(r"^```(\w+)(?: ([^\n]*))?\n(.*?)^```|^    \$ (rulelang [^\n]+)", re.M | re.S)
LEDGER_LINE = '  rulebook "rulebook.toml"\n'


def _parts(section: str) -> Iterator[tuple[str, str, str]]:
    """Yields the blocks and commands of a section: (language or `$`, tag, text)."""
    for found in PART.finditer(section):
        language, tag, text, command = found.groups()
        yield ("$", "", command) if command else (language, tag or "", text)


def _file_of(language: str, tag: str, text: str) -> str | None:
    """Returns the file that the page says a block goes into; None for one that is only shown."""
    if language == "toml":
        return "nim/rulebook.toml"
    if re.match(r"[EW]\d{4}", tag) or language != "rules":
        return None
    first = text.split(maxsplit=2)[:2]
    if first == ["game", "nim"]:
        return "nim/nim.rules"
    if first[0] == "scenario":
        return "nim/scenarios/nim.rules"
    return {"misere": "nim/variants/misere.rules", "butterfly": "butterfly.rules"}.get(first[1])


@pytest.mark.long
def test_the_tutorial_works_to_the_letter(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Every command of the page is run: 11 seconds.
    monkeypatch.chdir(tmp_path)
    env = {
        "COLUMNS": "100",
        "NO_COLOR": "1",
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "TERM": "dumb",
    }
    has_ledger, ran = False, []
    for section in re.split(r"^(?=## )", PAGE.read_text(encoding="utf-8"), flags=re.M):
        for language, tag, text in _parts(section):
            if language == "$":
                # Whoever plays gives a few answers and leaves.
                typed = "1\n2\nquit\n" if " play " in text else ""
                result = CliRunner(env=env).invoke(main, text.split()[1:], input=typed)
                assert "Traceback" not in result.output
                assert result.exit_code == 0 or (" play " in text and result.exit_code in (0, 130)), (
                    text,
                    result.output,
                )
                ran.append(text)
                continue
            name = _file_of(language, tag, text)
            if name is None:
                continue
            has_ledger = has_ledger or name.endswith(".toml")
            if name == "nim/nim.rules" and has_ledger:
                text = text.replace("  seats red, blue\n", f"  seats red, blue\n{LEDGER_LINE}")
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    assert len(ran) >= 9
    assert {"rulelang check nim", "rulelang test nim", "rulelang cover nim", "rulelang test nim+misere"} <= {*ran}


def test_what_new_writes_passes_every_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for words in (["new", "hop"], ["check", "hop"], ["test", "hop"], ["cover", "hop"], ["fmt", "--check", "hop"]):
        result = CliRunner().invoke(main, words)
        assert result.exit_code == 0, (words, result.output)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["check", "outsped"], "did you mean outspeed?"),
        (["check", "outspeed+sprnt"], "did you mean `sprint`?"),
        (["check", "hop/hpo.rules"], "did you mean hop/hop.rules?"),
        (["check", "hpo"], "did you mean hop?"),
        (["replay", "gme.jsonl"], "did you mean game.jsonl?"),
        (["play", "--resume", "gme.jsonl"], "did you mean game.jsonl?"),
        (["impact", "outspeed", "palyed"], "did you mean played?"),
        (["chek", "outspeed"], "did you mean `check`?"),
        (["play", "empty_space", "--option", "univers=comet"], "did you mean universe?"),
        (["play", "outspeed", "--sed", "3"], "--seed"),
        (["explain", "E021"], "did you mean E0"),
        (["dump", "outspeed", "--stage", "lirr"], "did you mean lir?"),
        (["replay", "game.jsonl", "--policy", "skp"], "did you mean skip?"),
        (["play", "empty_space", "--option", "universe=standrd"], "did you mean standard?"),
        (["play", "empty_space", "--option", "starts=yury"], "did you mean yuri?"),
        (["play", "outspeed", "--seat", "rde=greedy"], "did you mean red?"),
        (["play", "outspeed", "--seat", "red=greddy"], "did you mean greedy?"),
        (["arena", "outspeed", "--bots", "greddy"], "did you mean greedy?"),
        (["arena", "outspeed", "--note", "dept"], "did you mean depth?"),
        (["bench", "--only", "outsped"], "did you mean outspeed?"),
    ],
)
def test_a_typo_is_told_what_was_meant(
    words: list[str], meant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(main, ["new", "hop"]).exit_code == 0
    Path("game.jsonl").touch()
    Path("played").mkdir()
    result = CliRunner(env={"NO_COLOR": "1", "COLUMNS": "100"}).invoke(main, words, input="")
    assert result.exit_code not in (0, 130)
    assert meant in " ".join(result.output.split())
