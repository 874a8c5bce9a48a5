"""What is kept of a checked game: it saves time and never changes what is played."""

from __future__ import annotations

import marshal
import os
from pathlib import Path

import attrs
import platformdirs
import pytest

from rulelang import api, disk
from rulelang.api import loading
from rulelang.cache import Cache, users_cache, users_folder
from rulelang.diagnostics.codes import CODES
from rulelang.diagnostics.codes.code import whole
from rulelang.driver import kept as kept_games
from rulelang.errors import RangeViolation, RulelangError
from rulelang.ir.encoding import schema
from rulelang.ir.encoding.digest import rules_digest
from rulelang.knowledge.analysis import secrets_of
from rulelang.knowledge.secrets import Secrets
from rulelang.program.python import compiled
from rulelang.program.python.loadable import Loadable
from rulelang.syntax.printing.printer import print_module

NIM = """\
game nim "Nim":
  players 2

the game has:
  heap: 0..9 = 5

action take(p: Player, n: 1..3) "Take {n}":
  needs n <= heap  "Only {heap} left"
  heap -= n

play:
  turns p from first_player:
    p chooses one of take
    if heap == 0: finish with winner p
"""


@pytest.fixture
def entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULELANG_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "nim.rules"
    path.write_text(NIM)
    return path


def kept(entry: Path) -> kept_games.KeptGame | None:
    made = kept_games.made_of(entry, ())
    return kept_games.read_game(made) if made is not None else None


def test_a_game_that_was_kept_is_the_game_that_was_checked(entry: Path) -> None:
    assert kept(entry) is None
    first = api.load(entry)
    found = kept(entry)
    assert found is not None
    assert (found.ir, found.rules_hash, found.text_hash) == (first.ir, first.rules_hash, first.text_hash)
    again = api.load(entry)
    assert [o.text for o in again.start(2, seed=1).options] == ["take(1)", "take(2)", "take(3)"]


@pytest.mark.parametrize(
    "code", [code for code in CODES if code.startswith("W") and code not in {"W0503", "W0524", "W0610"}]
)
def test_a_game_that_was_kept_warns_as_it_did_when_it_was_checked(code: str, entry: Path) -> None:
    """W0503 is about a ledger, W0524 about what nothing uses, W0610 about scenarios: `load` looks at none of them."""
    entry.write_text(whole(CODES[code].bad))
    first = api.load(entry)
    assert code in {warning.code for warning in first.diagnostics}
    assert kept(entry) is not None
    again = api.load(entry)
    assert again.diagnostics == first.diagnostics
    assert [(d.span.place, d.span.text) for d in again.diagnostics] == [
        (d.span.place, d.span.text) for d in first.diagnostics
    ]


def test_a_refusal_of_a_kept_game_still_has_its_words_and_place(entry: Path) -> None:
    fresh, again = api.load(entry), api.load(entry)
    for game in (fresh, again):
        match = game.start(2, seed=1)
        match.play("take(3)")
        reason = match.why_not("player2: take(3)")
        assert reason is not None
        assert (reason.message, reason.span.place) == ("Only 2 left", "nim.rules:8:3")


def test_the_text_of_a_kept_game_is_read_again_and_checked_again_only_where_it_changed(
    entry: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh, same, other, broken = (api.load(entry) for _ in range(4))
    with monkeypatch.context() as patch:
        patch.setattr("rulelang.driver.chain.CHECKS", (lambda *_: pytest.fail("it was checked before"),))
        assert rules_digest(same.internals.whole.lowered) == fresh.rules_hash
        assert print_module(same.internals.module) == print_module(fresh.internals.module)
    entry.write_text(NIM.replace("= 5", "= 2"))
    assert rules_digest(other.internals.whole.lowered) == api.load(entry).rules_hash
    entry.write_text(NIM.replace("heap -= n", "again()") + "\nto again(): again()\n")
    with pytest.raises(RulelangError, match="changed while it was in use"):
        broken.internals.whole


def test_a_changed_rule_makes_another_game(entry: Path) -> None:
    api.load(entry)
    entry.write_text(NIM.replace("= 5", "= 2"))
    assert kept(entry) is None
    assert [o.text for o in api.load(entry).start(2, seed=1).options] == ["take(1)", "take(2)"]


def test_what_another_compiler_kept_does_not_count(entry: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    api.load(entry)
    assert kept(entry) is not None
    monkeypatch.setattr(kept_games, "_compiler", lambda: "another")
    assert kept(entry) is None


def test_a_damaged_cache_is_as_good_as_none(entry: Path) -> None:
    api.load(entry)
    (stored,) = users_folder().glob("game-*.json")
    for damage in (b"", b"\xff\xfe", stored.read_bytes()[:-40], stored.read_bytes().replace(b"take", b"tale")):
        stored.write_bytes(damage)
        assert kept(entry) is None
        assert api.load(entry).id == "nim"


def test_ir_is_validated_unless_these_very_bytes_are_marked_as_valid(
    entry: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[type[object]] = []
    monkeypatch.setattr(schema, "look_at", lambda kind, values: seen.append(kind))
    api.load(entry)
    assert kept(entry) is not None
    assert seen == []

    made = kept_games.made_of(entry, ())
    own = users_cache()
    assert made is not None
    assert own is not None
    (stored,) = own.folder.glob("game-*.json")
    body = own.read(stored.name, made.key)
    assert body is not None
    own.write(stored.name, made.key, body.replace("Only", "Just"))
    found = kept(entry)
    assert found is not None
    assert len(seen) > 50
    seen.clear()
    assert kept(entry) == found
    assert seen == []


def test_a_cache_that_cannot_be_written_does_no_harm(entry: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = entry.parent / "a_file"
    blocked.write_text("")
    monkeypatch.setenv("RULELANG_CACHE", str(blocked / "cache"))
    assert api.load(entry).id == "nim"
    assert kept(entry) is None


@pytest.mark.parametrize("home", ["/home/somebody", "/home/somebody/", "nowhere", None])
@pytest.mark.parametrize("given", ["/var/somebody/cache", "cache", "", None])
def test_the_folder_is_where_a_users_caches_lie(
    given: str | None, home: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("RULELANG_CACHE", None), ("XDG_CACHE_HOME", given), ("HOME", home)):
        if value is None:
            monkeypatch.delenv(name, raising=False)
        else:
            monkeypatch.setenv(name, value)
    assert users_folder() == Path(platformdirs.user_cache_dir("rulelang", appauthor=False))


# ------------------------------------------------------------------ shipped


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A shipped game with its IR beside it, and an empty cache."""
    monkeypatch.setenv("RULELANG_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(kept_games, "roots", lambda: [tmp_path / "games"])
    monkeypatch.setattr(loading, "game_folders", lambda: (tmp_path / "games" / "nim",))
    path = tmp_path / "games" / "nim" / "nim.rules"
    path.parent.mkdir(parents=True)
    path.write_text(NIM)
    loading.write_checked()
    assert not users_folder().exists()
    return path


def test_a_shipped_game_is_not_checked_when_it_is_loaded_for_the_first_time(
    shipped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked = api.check(shipped).game
    monkeypatch.delattr(loading, "check_texts")
    game = api.load(shipped)
    assert checked is not None
    assert (game.ir, game.rules_hash, game.text_hash) == (checked.ir, checked.rules_hash, checked.text_hash)
    (shipped.parent / kept_games.SHIPPED).unlink()
    assert api.load(shipped).ir == checked.ir


def test_the_ir_of_a_shipped_game_whose_text_changed_does_not_count(shipped: Path) -> None:
    shipped.write_text(NIM.replace("= 5", "= 2"))
    assert kept(shipped) is None
    assert [o.text for o in api.load(shipped).start(2, seed=1).options] == ["take(1)", "take(2)"]


def test_the_ir_of_a_shipped_game_counts_only_for_the_compiler_that_made_it(
    shipped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_games, "_compiler_by_words", lambda: "another")
    assert kept(shipped) is None


def test_a_damaged_ir_of_a_shipped_game_is_as_good_as_none(shipped: Path) -> None:
    stored = shipped.parent / kept_games.SHIPPED
    for damage in (b"", b"\xff\xfe", stored.read_bytes()[:-40], stored.read_bytes().replace(b"take", b"tale")):
        stored.write_bytes(damage)
        assert kept(shipped) is None
    assert api.load(shipped).id == "nim"


def test_an_ir_beside_rules_that_do_not_ship_is_not_read(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_games, "roots", list)
    assert kept(shipped) is None


# ------------------------------------------------------------------ code


PROGRAMS = ["traced", "untraced"]
"""What is printed of a game that is loaded, started and read."""


def code_files() -> list[Path]:
    return sorted(users_folder().glob("code-*.bin"))


def texts_of(entry: Path) -> list[str]:
    """Loads, starts, and reads what has happened: without that nothing is traced."""
    match = api.load(entry).start(2, seed=1)
    assert match.events
    return [option.text for option in match.options]


@pytest.fixture
def prints(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Notes each time that a module is printed: which."""
    noted: list[str] = []
    printed = compiled.Compiled._printed

    def noting(self: compiled.Compiled, name: str) -> Loadable:
        noted.append(name)
        return printed(self, name)

    monkeypatch.setattr(compiled.Compiled, "_printed", noting)
    return noted


def test_a_game_that_was_played_is_not_printed_again(entry: Path, prints: list[str]) -> None:
    assert texts_of(entry) == ["take(1)", "take(2)", "take(3)"]
    assert sorted(prints) == PROGRAMS
    assert texts_of(entry) == ["take(1)", "take(2)", "take(3)"]
    assert sorted(prints) == PROGRAMS


def test_other_rules_another_printer_or_another_interpreter_have_code_of_their_own(
    entry: Path, prints: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    texts_of(entry)
    entry.write_text(NIM.replace("1..3", "1..2"))
    assert texts_of(entry) == ["take(1)", "take(2)"]
    assert sorted(prints) == sorted(2 * PROGRAMS)
    monkeypatch.setattr(kept_games, "_printer", lambda: "another")
    assert texts_of(entry) == ["take(1)", "take(2)"]
    assert sorted(prints) == sorted(3 * PROGRAMS)


def test_a_game_whose_rules_were_changed_in_memory_does_not_run_the_code_of_the_one_on_the_disk(entry: Path) -> None:
    game = api.load(entry)
    assert len(game.start(2, seed=1).options) == 3
    other = api.check_text(NIM.replace("1..3", "1..2")).game
    assert other is not None
    changed = api.Game(attrs.evolve(game.internals, ir=other.ir))
    assert [option.text for option in changed.start(2, seed=1).options] == ["take(1)", "take(2)"]


def test_lone_options_that_are_taken_and_asked_for_have_code_of_their_own(entry: Path) -> None:
    entry.write_text(NIM.replace("= 5", "= 1"))
    for _ in range(2):
        assert api.load(entry).start(2, seed=1, lone="asked").to_move == (0,)
        assert api.load(entry).start(2, seed=1, lone="taken").outcome is not None


@pytest.mark.parametrize("opened", [".", ".."])
def test_code_is_not_read_from_a_folder_that_others_can_put_something_into(
    opened: str, entry: Path, prints: list[str]
) -> None:
    texts_of(entry)
    (users_folder() / opened).resolve().chmod(0o777)
    own = Cache(users_folder())
    for file in code_files():
        assert own.read_code(file.name, "") is None
    assert not disk.is_closed(users_folder())
    if opened == "..":
        assert texts_of(entry) == ["take(1)", "take(2)", "take(3)"]
        assert sorted(prints) == sorted(2 * PROGRAMS)


def test_damaged_code_is_made_anew(entry: Path, prints: list[str]) -> None:
    texts_of(entry)
    # The mark that the IR is valid, the programs, and the secrets.
    assert len(code_files()) == 2 + len(PROGRAMS)
    for damage in (b"", b"\xff\xfe", code_files()[0].read_bytes()[:-40]):
        for file in code_files():
            file.write_bytes(damage)
        prints.clear()
        assert texts_of(entry) == ["take(1)", "take(2)", "take(3)"]
        assert sorted(prints) == PROGRAMS


def test_without_a_cache_nothing_is_read_or_written(
    entry: Path, prints: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    texts_of(entry)
    monkeypatch.setenv("RULELANG_CACHE", "off")
    monkeypatch.chdir(entry.parent)
    prints.clear()
    assert texts_of(entry) == ["take(1)", "take(2)", "take(3)"]
    assert sorted(prints) == PROGRAMS
    assert not (entry.parent / "off").exists()
    assert kept(entry) is None


def test_a_fault_in_code_that_was_kept_still_has_its_line(entry: Path) -> None:
    entry.write_text(NIM.replace('needs n <= heap  "Only {heap} left"\n  ', ""))
    for _ in range(2):
        game = api.load(entry)
        match = game.start(2, seed=1)
        match.play("take(3)")
        with pytest.raises(RangeViolation) as fault:
            match.play("take(3)")
        assert game.ir.sites[fault.value.site].span.place == "nim.rules:8:3"


def test_secrets_that_were_kept_are_those_that_were_worked_out() -> None:
    for name in api.games():
        game = api.load(name)
        fresh = secrets_of(game.ir)
        again = Secrets.from_data(marshal.loads(marshal.dumps(fresh.to_data())), game.ir)
        assert again == fresh
        for part in ("asked", "constants", "picks", "open", "doubtful", "lets"):
            assert getattr(again, part) == getattr(fresh, part)


# ------------------------------------------------------------------ whose it is


def stored(entry: Path) -> Path:
    api.load(entry)
    (path,) = users_folder().glob("game-*.json")
    return path


def test_what_is_kept_is_for_its_user_alone(entry: Path) -> None:
    path = stored(entry)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700
    assert [p.name for p in path.parent.iterdir() if p.suffix == ".part"] == []


def test_a_folder_that_others_could_write_to_is_closed_and_what_they_could_write_is_not_read(entry: Path) -> None:
    path = stored(entry)
    path.parent.chmod(0o777)
    assert kept(entry) is not None
    assert path.parent.stat().st_mode & 0o022 == 0
    path.chmod(0o666)
    assert kept(entry) is None


def test_a_folder_of_another_user_is_neither_read_nor_written(entry: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = stored(entry)
    before = path.read_bytes()
    monkeypatch.setattr(disk, "_uid", lambda: 4711)
    assert kept(entry) is None
    path.write_bytes(b"theirs")
    assert api.load(entry).id == "nim"
    assert path.read_bytes() == b"theirs"
    assert before != b"theirs"


def test_links_in_the_cache_are_not_followed(entry: Path, tmp_path: Path) -> None:
    path = stored(entry)
    elsewhere = tmp_path / "elsewhere.json"
    path.rename(elsewhere)
    path.symlink_to(elsewhere)
    assert kept(entry) is None
    before = elsewhere.read_bytes()
    api.load(entry)
    assert elsewhere.read_bytes() == before
    assert not path.is_symlink()
    assert kept(entry) is not None


def test_a_pipe_in_the_cache_is_not_waited_for(entry: Path) -> None:
    path = stored(entry)
    path.unlink()
    os.mkfifo(path)
    assert kept(entry) is None
    assert api.load(entry).id == "nim"
