"""The language server, driven as an editor drives it."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulelang import api
from tests.files import CLASSICS, ROOT
from tests.language_service.client import PLACED, WHOLE, Client, asked
from tests.language_service.conformance import attack
from tests.seeds import few_of

NIM = (ROOT / "tests/classics/nim.rules").read_text()
OUTSPEED = ROOT / "games/outspeed"


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """A server for all tests of this file."""
    found = Client()
    yield found
    found.close()


def _place(text: str, word: str, nth: int = 0) -> tuple[int, int]:
    """The line and the column of the nth time that a word stands in a text."""
    at = -1
    for _ in range(nth + 1):
        at = text.index(word, at + 1)
    return text.count("\n", 0, at), len(text[text.rfind("\n", 0, at) + 1 : at].encode("utf-16-le")) // 2


def _codes(client: Client, uri: str) -> list[str]:
    client.ask("textDocument/foldingRange", textDocument={"uri": uri})
    return [one["code"] for one in client.diagnostics.get(uri, [])]


def test_faults_are_told_as_one_types(client: Client, tmp_path: Path) -> None:
    uri = client.open(tmp_path / "nim.rules", NIM)
    assert _codes(client, uri) == []
    client.change(uri, 2, NIM.replace("heap -= ", "heep -= "))
    assert _codes(client, uri)[0] == "E0201"
    actions = client.ask(
        "textDocument/codeAction",
        textDocument={"uri": uri},
        range={"start": {"line": 0, "character": 0}, "end": {"line": 999, "character": 0}},
        context={"diagnostics": []},
    )
    assert all(action["edit"]["changes"][uri] for action in actions if "command" not in action)
    (asked,) = {str(action["command"]["arguments"]) for action in actions if "command" in action} - {"['W0505']"}
    assert asked == "['E0201']"
    said = client.ask("workspace/executeCommand", command="rulelang.explain", arguments=["E0201"])
    assert said.startswith("# E0201")
    assert client.ask("rulelang/explain", code="E0201")["text"] == said
    client.change(uri, 3, NIM)
    assert _codes(client, uri) == []


@pytest.mark.long
def test_a_name_is_found_explained_and_renamed_in_all_files(client: Client) -> None:
    path = OUTSPEED / "outspeed.rules"
    text = path.read_text()
    uri = client.open(path, text)
    place = _place(text, "fuel")
    (declared,) = client.at("definition", uri, *_place(text, ".fuel")[:1], _place(text, ".fuel")[1] + 1)[:1]
    assert declared["uri"].endswith(".rules")
    uses = client.at(
        "references",
        uri,
        *_place(text, ".fuel")[:1],
        _place(text, ".fuel")[1] + 1,
        context={"includeDeclaration": True},
    )
    assert len({use["uri"] for use in uses}) > 1
    hover = client.at("hover", uri, *_place(text, ".fuel")[:1], _place(text, ".fuel")[1] + 1)
    assert "fuel" in hover["contents"]["value"]
    edit = client.at("rename", uri, *_place(text, ".fuel")[:1], _place(text, ".fuel")[1] + 1, newName="petrol")
    assert sum(map(len, edit["changes"].values())) == len(uses)
    assert place
    assert (
        client.at("rename", uri, *_place(text, ".fuel")[:1], _place(text, ".fuel")[1] + 1, newName="two words") is None
    )


def test_a_clause_says_its_sentence(client: Client) -> None:
    path = OUTSPEED / "outspeed.rules"
    text = path.read_text()
    uri = client.open(path, text)
    hover = client.at("hover", uri, *_place(text, "OS-"))
    assert hover["contents"]["value"].startswith("**OS-")
    line, column = _place(text, "OS-")
    found = client.at("completion", uri, line, column)
    assert len([one for one in found if one["label"].startswith("OS-")]) > 50


def test_after_a_point_stand_the_variables_of_players(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "race.rules"
    text = NIM + "\neach Player has:\n  fuel: 0..9 = 3\n\nvalue left(p: Player): p.\n"
    uri = client.open(path, text)
    line = text.count("\n") - 1
    names = [one["label"] for one in client.at("completion", uri, line, len("value left(p: Player): p."))]
    assert "fuel" in names
    assert "action" not in names


def test_the_text_is_put_into_the_style(client: Client, tmp_path: Path) -> None:
    uri = client.open(tmp_path / "untidy.rules", NIM.replace("heap -= ", "heap   -=   "))
    edits = client.ask(
        "textDocument/formatting", textDocument={"uri": uri}, options={"tabSize": 2, "insertSpaces": True}
    )
    assert len(edits) == 1
    assert edits[0]["newText"] == NIM


@pytest.mark.parametrize(
    "game",
    ["outspeed", *(pytest.param(g, marks=pytest.mark.long) for g in ("empty_space", "exobase", "exit_velocity"))],
)
def test_every_file_of_a_game_has_symbols_tokens_and_folds(client: Client, game: str) -> None:
    for path in sorted((ROOT / "games" / game).glob("*.rules")):
        uri = client.open(path, path.read_text())
        document = {"uri": uri}
        assert client.ask("textDocument/documentSymbol", textDocument=document) or path.stem == "scenarios"
        assert len(client.ask("textDocument/semanticTokens/full", textDocument=document)["data"]) % 5 == 0
        client.ask("textDocument/foldingRange", textDocument=document)
        assert not client.diagnostics.get(uri)
        client.tell("textDocument/didClose", textDocument=document)


def _edited(text: str, rng: random.Random) -> str:
    """A text after an edit as people make them: a stretch goes, doubles, or half a line comes."""
    start = rng.randrange(len(text) + 1)
    end = min(len(text), start + rng.randrange(40))
    match rng.randrange(4):
        case 0:
            return text[:start] + text[end:]
        case 1:
            return text[:start] + text[start:end] * 2 + text[end:]
        case 2:
            return (
                text[:start] + rng.choice(["\n", "  ", "(", "]", '"', "🎲", "e\u0301", "action x(", ":"]) + text[start:]
            )
        case _:
            lines = text.split("\n")
            lines.insert(rng.randrange(len(lines)), rng.choice(lines)[: rng.randrange(20)])
            return "\n".join(lines)


REQUESTS = (
    "hover", "definition", "references", "completion", "documentHighlight", "documentSymbol", "formatting",
    "foldingRange", "semanticTokens/full", "rename",
)  # fmt: skip


@pytest.mark.parametrize("seed", few_of(4, few=1))
def test_no_edit_brings_the_server_down(client: Client, tmp_path: Path, seed: int) -> None:
    rng, path = random.Random(seed), tmp_path / "nim.rules"
    text = NIM
    uri = client.open(path, text)
    for version in range(2, 22):
        text = _edited(text, rng) if rng.random() < 0.9 else NIM
        client.change(uri, version, text)
        method = rng.choice(REQUESTS)
        extra: dict[str, dict[str, Any]] = {
            "references": {"context": {"includeDeclaration": True}},
            "rename": {"newName": "pile"},
            "formatting": {"options": {"tabSize": 2, "insertSpaces": True}},
        }
        more = extra.get(method, {})
        place = {"line": rng.randrange(40), "character": rng.randrange(60)}
        answer = client.raw(f"textDocument/{method}", textDocument={"uri": uri}, position=place, **more)
        assert "error" not in answer, (method, answer)
        told = sorted(_codes(client, uri))
        path.write_text(text, encoding="utf-8", newline="")
        checked = {d.code for d in api.check(str(path)).diagnostics} if text.strip() else None
        assert checked is None or checked <= set(told) | {"W0505"}, "the same as check"


@pytest.mark.parametrize("method", [*PLACED, *WHOLE, "incomingCalls", "outgoingCalls", "resolve", "run"])
def test_nothing_is_told_of_a_file_that_was_never_opened(client: Client, tmp_path: Path, method: str) -> None:
    secret = tmp_path / "secret.rules"
    secret.write_text(NIM)
    uri, (line, column) = secret.as_uri(), _place(NIM, "needs n")
    first, last = {"line": line, "character": column + 6}, {"line": line, "character": column + 7}
    item = {"name": "take", "kind": 12, "uri": uri, "range": {"start": first, "end": last}}
    match method:
        case "incomingCalls" | "outgoingCalls":
            answer = client.ask(f"callHierarchy/{method}", item={**item, "selectionRange": item["range"]})
        case "resolve":
            asked_for = {"title": "Make a scenario of this refusal", "data": {"uri": uri, "line": line}}
            answer = client.ask("codeAction/resolve", **asked_for).get("edit")
        case "run":
            answer = client.ask("workspace/executeCommand", command="rulelang.run", arguments=[uri, ["a title"]])
            assert answer == "This file is not open."
            return
        case _:  # the requests about a document
            answer = client.ask(f"textDocument/{method}", **asked(method, uri, first, last))
    nothing = [{"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}]
    assert not answer or answer == {"data": []} or [one.get("range") for one in answer] == nothing


def test_what_is_told_of_a_file_goes_when_it_is_closed(client: Client, tmp_path: Path) -> None:
    uri = client.open(tmp_path / "nim.rules", NIM.replace("heap -= ", "heep -= "))
    assert _codes(client, uri)
    client.tell("textDocument/didClose", textDocument={"uri": uri})
    client.tell("textDocument/didChange", textDocument={"uri": uri, "version": 2}, contentChanges=[{"text": "x"}])
    client.tell("textDocument/didSave", textDocument={"uri": uri})
    assert client.ask("textDocument/documentSymbol", textDocument={"uri": uri}) == []
    assert _codes(client, uri) == []


def test_an_entry_that_leads_out_of_its_folder_is_not_read(client: Client, tmp_path: Path) -> None:
    (tmp_path / "secret.rules").write_text(NIM.replace("heap", "password"))
    (tmp_path / "nim").mkdir()
    (tmp_path / "nim/nim.rules").symlink_to(tmp_path / "secret.rules")
    client.open(tmp_path / "nim/more.rules", "value a = 1\n")
    assert "password" not in str(client.ask("workspace/symbol", query=""))


@pytest.mark.parametrize("folder", ["my games", "jeux é", "e\u0301", "a#b%20?"])
def test_a_file_in_a_folder_of_any_name_is_served(client: Client, tmp_path: Path, folder: str) -> None:
    uri = client.open(tmp_path / folder / "nim.rules", NIM)
    client.change(uri, 2, NIM.replace("heap -= ", "heep -= "))
    assert _codes(client, uri)[0] == "E0201"
    assert [one["uri"] for one in client.at("definition", uri, *_place(NIM, "take(p"))] == [uri]


@pytest.mark.parametrize("uri", ["untitled:Untitled-1", "file://elsewhere/nim.rules", "file://[", "git:/nim.rules"])
def test_a_document_that_is_no_file_of_this_machine_is_served_by_itself(client: Client, uri: str) -> None:
    document = {"uri": uri, "languageId": "rules", "version": 1, "text": NIM}
    client.tell("textDocument/didOpen", textDocument=document)
    assert [one["uri"] for one in client.at("definition", uri, *_place(NIM, "take(p"))] == [uri]
    client.tell("textDocument/didClose", textDocument={"uri": uri})


def test_places_are_in_utf16_whatever_a_client_prefers(client: Client, tmp_path: Path) -> None:
    assert client.server["capabilities"]["positionEncoding"] == "utf-16"
    # No editor ends a line at these, though Python does.
    text = f"# \u2028 \x85 \x0c\n{NIM}"
    uri = client.open(tmp_path / "nim.rules", text)
    line, column = _place(text, "heap -= ")
    stretch = {"start": {"line": line, "character": column}, "end": {"line": line, "character": column + 4}}
    changes = [{"range": stretch, "text": "heep"}]
    client.tell("textDocument/didChange", textDocument={"uri": uri, "version": 2}, contentChanges=changes)
    assert "E0201" in _codes(client, uri)
    assert stretch in [one["range"] for one in client.diagnostics[uri]]


@pytest.mark.parametrize(
    "lie",
    [
        b'Content-Length: 5\r\n\r\n{"jsonrpc": "2.0"}',
        b"Content-Length: -5\r\n\r\n{}",
        b"content-length:2\r\n\r\n{}",
        b"Content-Length: 99999999999999999999\r\n\r\n{}",
        b"x" * 30_000,
        b"Content-Length: 4\r\n\r\n[[[[",
    ],
)
def test_a_message_that_lies_about_its_length_costs_only_itself(client: Client, lie: bytes) -> None:
    client.send_raw(lie)
    assert client.ask("rulelang/explain", code="E0201")["text"]


def test_a_request_that_nobody_knows_is_refused_in_words(client: Client) -> None:
    answer = client.raw("no/such/request", x=1)
    assert "error" in answer
    assert "Traceback" not in str(answer)
    assert ".py" not in str(answer)


@pytest.mark.parametrize("params", [{}, {"position": {"line": "x"}}], ids=["none", "others"])
@pytest.mark.parametrize("method", ["no/such/request", "textDocument/hover", "textDocument/rename"])
def test_a_request_that_cannot_be_read_is_answered(client: Client, method: str, params: dict[str, Any]) -> None:
    # A client waits for the answer, perhaps for ever.
    answer = client.raw(method, **params)
    assert answer["error"]["code"] < 0
    assert ".py" not in str(answer)


def test_a_message_with_many_faults_takes_no_longer_than_one_with_one(client: Client) -> None:
    client.tell("workspace/didChangeWorkspaceFolders", event={"added": "a" * 1_000_000, "removed": []})
    assert client.ask("rulelang/explain", code="E0201")["text"]


def test_the_parameters_of_a_call_are_told_as_it_is_typed(client: Client, tmp_path: Path) -> None:
    text = NIM + "\nvalue twice(p, n) = 2 * n\n\nvalue four(p) = twice(p, 2)\n"
    uri = client.open(tmp_path / "calls.rules", text)
    found = client.at("signatureHelp", uri, text.count("\n") - 1, len("value four(p) = twice(p, "))
    assert found["signatures"][0]["label"] == "twice(p, n)"
    assert found["activeParameter"] == 1
    assert client.at("signatureHelp", uri, 0, 3) is None


def test_types_that_are_not_written_are_hinted(client: Client, tmp_path: Path) -> None:
    text = NIM + "\nvalue twice(n) = 2 * n\n\nvalue three -> 0..3 = 3\n"
    uri = client.open(tmp_path / "hints.rules", text)
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    (hint,) = client.ask("textDocument/inlayHint", textDocument={"uri": uri}, range=whole)
    assert hint["label"] == " -> 2..6"
    assert hint["position"] == {"line": text.count("\n") - 3, "character": len("value twice(n)")}


def test_a_selection_grows_from_an_expression_to_the_whole(client: Client, tmp_path: Path) -> None:
    uri = client.open(tmp_path / "grow.rules", NIM)
    line, column = _place(NIM, "n <= heap")
    (found,) = client.ask(
        "textDocument/selectionRange", textDocument={"uri": uri}, positions=[{"line": line, "character": column}]
    )
    sizes = []
    while found:
        start, end = found["range"]["start"], found["range"]["end"]
        sizes.append((end["line"] - start["line"], end["character"] - start["character"]))
        found = found.get("parent")
    assert sizes[0] == (0, 1)
    assert sizes[-1][0] == NIM.count("\n")
    assert len(sizes) >= 4


@pytest.mark.parametrize("elsewhere", ["", "\n\n\n\nvalue a=1\nvalue b   =   2\n\n\n\n"])
def test_some_lines_are_put_into_the_style_alone(client: Client, tmp_path: Path, elsewhere: str) -> None:
    text = NIM.replace("heap -= n", "heap   -=   n").replace("heap == 0", "heap   ==   0") + elsewhere
    uri = client.open(tmp_path / "lines.rules", text)
    line, _ = _place(text, "heap   -=")
    range = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 5}}
    (edit,) = client.ask(
        "textDocument/rangeFormatting",
        textDocument={"uri": uri}, range=range, options={"tabSize": 2, "insertSpaces": True},
    )  # fmt: skip
    assert edit["newText"] == "  heap -= n"
    assert edit["range"]["start"]["line"] == line


def test_a_scenario_of_a_refusal_is_worked_out_once_it_is_chosen(client: Client, tmp_path: Path) -> None:
    text = (CLASSICS / "nim.rules").read_text()
    uri = client.open(tmp_path / "nim.rules", text)
    line = text[: text.index("needs n <= heap")].count("\n")
    place = {"line": line, "character": 2}
    asked = {"textDocument": {"uri": uri}, "range": {"start": place, "end": place}, "context": {"diagnostics": []}}
    found = client.ask("textDocument/codeAction", **asked)
    (action,) = (one for one in found if "refusal" in one["title"])
    assert "edit" not in action
    ((change,),) = client.ask("codeAction/resolve", **action)["edit"]["changes"].values()
    assert "cannot take(" in change["newText"]
    asked["range"] = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}
    assert not [one for one in client.ask("textDocument/codeAction", **asked) if "refusal" in one["title"]]


def test_rules_say_which_scenarios_show_them_and_who_calls_them(client: Client) -> None:
    path = OUTSPEED / "outspeed.rules"
    text = path.read_text()
    uri = client.open(path, text)
    lenses = client.ask("textDocument/codeLens", textDocument={"uri": uri})
    assert any(one["command"]["title"].endswith("scenarios") for one in lenses)
    shown = [one["command"]["arguments"] for one in lenses if one["command"]["title"] != "run"]
    assert all(place["uri"].endswith(".rules") for _, _, places in shown for place in places)
    declared = [
        one for one in client.ask("textDocument/documentSymbol", textDocument={"uri": uri}) if one["kind"] == 12
    ]
    for one in declared:
        start = one["range"]["start"]
        (item,) = client.at("prepareCallHierarchy", uri, start["line"], start["character"])
        if calls := client.ask("callHierarchy/incomingCalls", item=item):
            break
    back = client.ask("callHierarchy/outgoingCalls", item=calls[0]["from"])
    assert item["range"] in [other["to"]["range"] for other in back]


@pytest.mark.long
@pytest.mark.slow
def test_a_game_is_edited_at_random_without_a_failed_request() -> None:
    # After each edit the game is checked with each of its variants: half a second.
    attack("exobase", int(os.environ.get("EDITS", "10")), seed=int(os.environ.get("SEED", "1")))


@pytest.mark.long
@pytest.mark.slow
def test_many_edits_leave_the_server_as_small_as_it_was() -> None:
    attack("outspeed", 80, seed=2)
