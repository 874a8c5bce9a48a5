"""Only the game's own files are read and written, and nothing that somebody else wrote is lost."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from rulelang.editing.texts.folder import NEW, ChangedOutside, GameFolder, Unfit, playable
from rulelang.errors import RulesError
from tests.editing.desk import NIM


@pytest.fixture
def folder(tmp_path: Path) -> GameFolder:
    """A game in a folder of its name, beside a file that is none of its business."""
    game = tmp_path / "nim"
    (game / "variants").mkdir(parents=True)
    (game / "nim.rules").write_text(NIM)
    (game / "variants/short.rules").write_text('variant short of nim "Short":\n  constant n = 3\n')
    (game / "rulebook.toml").write_text("")
    (game / "notes.txt").write_text("mine")
    (tmp_path / "other.rules").write_text("not of this game")
    return GameFolder.of(game / "nim.rules")


def test_rules_and_the_ledger_are_listed(folder: GameFolder) -> None:
    assert folder.names() == ("nim.rules", "variants/short.rules", "rulebook.toml")


@pytest.mark.parametrize(
    "name",
    ["../other.rules", "/etc/passwd", "notes.txt", "variants", "", ".", "a\0.rules", "variants/../../other.rules",
     "..\\other.rules", ".git/x.rules", "nim.rules/x.rules", "x/rulebook.toml/../../y.rules"],
)  # fmt: skip
def test_no_other_file_is_read_or_written(folder: GameFolder, name: str) -> None:
    with pytest.raises((Unfit, OSError)):
        folder.read(name)
    with pytest.raises((Unfit, OSError)):
        folder.save(name, "mine now", NEW, overwrites=True)


def test_a_link_does_not_lead_out(folder: GameFolder) -> None:
    (folder.folder / "out.rules").symlink_to(folder.folder.parent / "other.rules")
    (folder.folder / "away").symlink_to(folder.folder.parent)
    (folder.folder / "round.rules").symlink_to("round.rules")
    (folder.folder / "notes.rules").symlink_to("notes.txt")
    for name in ("out.rules", "away/other.rules", "round.rules", "notes.rules"):
        assert name not in folder.names()
        with pytest.raises(Unfit):
            folder.read(name)
        with pytest.raises(Unfit):
            folder.save(name, "mine now", NEW, overwrites=True)
    assert (folder.folder.parent / "other.rules").read_text() == "not of this game"


def test_a_link_inside_is_written_through(folder: GameFolder) -> None:
    (folder.folder / "same.rules").symlink_to("nim.rules")
    kept = folder.read("same.rules")
    folder.save("same.rules", NIM + "# more\n", kept)
    assert (folder.folder / "same.rules").is_symlink()
    assert (folder.folder / "nim.rules").read_text() == NIM + "# more\n"


def test_what_somebody_else_wrote_is_not_written_over(folder: GameFolder) -> None:
    kept = folder.read("nim.rules")
    (folder.folder / "nim.rules").write_text(NIM + "# theirs\n")
    with pytest.raises(ChangedOutside):
        folder.save("nim.rules", NIM + "# mine\n", kept)
    assert (folder.folder / "nim.rules").read_text() == NIM + "# theirs\n"
    folder.save("nim.rules", NIM + "# mine\n", kept, overwrites=True)
    assert (folder.folder / "nim.rules").read_text() == NIM + "# mine\n"


def test_a_file_that_is_gone_counts_as_changed(folder: GameFolder) -> None:
    kept = folder.read("nim.rules")
    (folder.folder / "nim.rules").unlink()
    with pytest.raises(ChangedOutside):
        folder.save("nim.rules", NIM, kept)


def test_a_new_file_does_not_take_the_place_of_another(folder: GameFolder) -> None:
    folder.save("scenarios/first.rules", 'scenario "one":\n', NEW)
    with pytest.raises(ChangedOutside):
        folder.save("scenarios/first.rules", 'scenario "two":\n', NEW)


def test_line_ends_stay_as_they_were(folder: GameFolder) -> None:
    path = folder.folder / "nim.rules"
    path.write_bytes(NIM.replace("\n", "\r\n").encode())
    kept = folder.read("nim.rules")
    assert kept.text == NIM
    folder.save("nim.rules", kept.text.replace("21", "22"), kept)
    assert path.read_bytes() == NIM.replace("21", "22").replace("\n", "\r\n").encode()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_stays_as_it_is(folder: GameFolder) -> None:
    kept = folder.read("nim.rules")
    folder.folder.chmod(0o500)
    with pytest.raises(OSError):
        folder.save("nim.rules", "mine", kept)
    folder.folder.chmod(0o700)
    assert (folder.folder / "nim.rules").read_text() == NIM


def test_a_game_is_opened_whose_other_variants_and_scenarios_cannot_be_read(folder: GameFolder) -> None:
    (folder.folder / "variants/short.rules").write_text('variant short of nim "Short":\n  constant n = = 3\n')
    assert playable(str(folder.folder)).variants == ()
    with pytest.raises(RulesError):
        playable(f"{folder.folder}+short")
    folder.entry.write_text(NIM.replace("heap -= n", "heap -= = n"))
    with pytest.raises(RulesError):
        playable(str(folder.folder))
