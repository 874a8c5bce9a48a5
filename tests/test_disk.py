"""Files are written whole or not at all: what was there before stays where a write fails, and no link is written through."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli.main import main
from rulelang import disk

UGLY = 'game g   "G":\n  players 2\n' + "constant   a=1\n" * 400


def run(*words: str | Path) -> Result:
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return result


@pytest.fixture
def small_files() -> Iterator[None]:
    """Lets no file grow beyond 1000 bytes, as a full disk would."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_file_is_created_once(tmp_path: Path) -> None:
    path = tmp_path / "a"
    disk.create(path, b"one")
    with pytest.raises(FileExistsError, match="a"):
        disk.create(path, b"two")
    disk.replace(path, b"three")
    assert path.read_bytes() == b"three"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_is_created_where_the_system_knows_no_second_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    disk.create(tmp_path / "a", b"one")
    assert (tmp_path / "a").read_bytes() == b"one"
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


def test_a_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "there").write_text("mine")
    (tmp_path / "link").symlink_to("there")
    with pytest.raises(FileExistsError):
        disk.create(tmp_path / "link", b"x")
    disk.replace(tmp_path / "link", b"x")
    assert (tmp_path / "there").read_text() == "mine"
    assert not (tmp_path / "link").is_symlink()


@pytest.mark.parametrize("path", ["none/a", "a\0b", "x" * 300, "folder"])
def test_what_cannot_be_written_is_named(path: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for write in (disk.create, disk.replace):
        with pytest.raises(OSError) as caught:
            write(tmp_path / path, b"x")
        assert caught.value.filename == str(tmp_path / path)
    assert [p.name for p in tmp_path.iterdir()] == ["folder"]


@pytest.mark.usefixtures("small_files")
def test_on_a_full_disk_what_was_there_stays(tmp_path: Path) -> None:
    path = tmp_path / "a"
    disk.create(path, b"before")
    for write, target in ((disk.replace, path), (disk.create, tmp_path / "b")):
        with pytest.raises(OSError) as caught:
            write(target, b"x" * 5000)
        assert disk.is_full(caught.value)
        assert caught.value.filename == str(target)
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


# ------------------------------------------------------------------ the formatter


def test_fmt_on_a_full_disk_leaves_the_source_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "g.rules"
    path.write_text(UGLY)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        result = run("fmt", path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert result.exit_code == 3
    assert "g.rules" in result.output
    assert "make room on the disk" in " ".join(result.output.split())
    assert path.read_text() == UGLY
    assert list(tmp_path.iterdir()) == [path]
    assert run("fmt", path).exit_code == 0


def test_fmt_keeps_the_permissions_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "g.rules"
    path.write_text(UGLY)
    path.chmod(0o640)
    assert run("fmt", path).exit_code == 0
    assert path.stat().st_mode & 0o777 == 0o640


def test_fmt_follows_no_link_out_of_its_folder(tmp_path: Path) -> None:
    (tmp_path / "outside.rules").write_text(UGLY)
    game = tmp_path / "g"
    (game / "deep").mkdir(parents=True)
    (game / "g.rules").write_text(UGLY)
    (game / "out.rules").symlink_to("../outside.rules")
    (game / "in.rules").symlink_to("deep/real.rules")
    (game / "deep" / "real.rules").write_text(UGLY)
    (game / "away").symlink_to("..")
    result = run("fmt", game)
    assert result.exit_code == 0
    assert "out.rules is left as it is" in " ".join(result.output.split())
    assert (tmp_path / "outside.rules").read_text() == UGLY
    assert (game / "in.rules").is_symlink()
    assert (game / "g.rules").read_text() != UGLY
    assert (game / "deep" / "real.rules").read_text() != UGLY
    named = run("fmt", game / "out.rules")
    assert named.exit_code == 3
    assert (tmp_path / "outside.rules").read_text() == UGLY


@pytest.mark.parametrize("text", ["", "\n\n", "# alone\n", "  # further in", "#", "# one\n\n\n# two\n   # three\n"])
def test_fmt_takes_a_file_of_comments_alone(text: str, tmp_path: Path) -> None:
    path = tmp_path / "g.rules"
    path.write_text(text)
    assert run("fmt", path).exit_code == 0
    assert run("fmt", "--check", path).exit_code == 0
    assert [line.strip() for line in path.read_text().split("\n") if line] == [
        line.strip() for line in text.split("\n") if line.strip()
    ]


@pytest.mark.parametrize("path", ["pipe", "none.rules", "a\0b", "/dev/zero"])
def test_fmt_refuses_what_is_no_file(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    assert run("fmt", path).exit_code in (2, 3)


def test_new_writes_over_nothing_not_even_a_link_that_leads_nowhere(tmp_path: Path) -> None:
    (tmp_path / "nim").symlink_to("nowhere")
    result = run("new", "nim", "--into", tmp_path)
    assert result.exit_code == 1
    assert [p.name for p in tmp_path.iterdir()] == ["nim"]
