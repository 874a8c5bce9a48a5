"""A page of the workbench -> a window on the desk: the language server, with requests of its own for texts and tables.

window = Window(desk)
window.hear('{"jsonrpc": "2.0", "method": "rulelang/save", …}')        its answers go to `window.outbox`
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import attrs
from pygls.exceptions import JsonRpcException
from pygls.protocol import JsonRPCProtocol

from rulelang.api.loading import games
from rulelang.editing.desk import Desk
from rulelang.editing.moving import Drag
from rulelang.editing.templates import TEMPLATES
from rulelang.editing.texts.folder import ChangedOutside, Unfit
from rulelang.editing.texts.merging import WindowText
from rulelang.errors import RulelangError
from rulelang.language_service.addresses import FolderAddresses
from rulelang.language_service.server import RulesServer, server
from rulelang.pages.editor import (
    ShownState,
    clause_sheet,
    log_form,
    new_game_form,
    refusal_list,
    scenario_form,
    state_panel,
    tab_list,
    verdicts,
)
from rulelang.syntax.tables import read_tables

MOST_WAITING = 2_000
"""The most messages that wait for a slow page."""


@attrs.define
class Outbox:
    """The messages that wait to be sent; the protocol writes into it as into a stream."""

    queue: asyncio.Queue[str] = attrs.field(factory=lambda: asyncio.Queue(MOST_WAITING))

    def write(self, data: bytes) -> None:
        """Adds a message; one for a page that reads nothing is dropped."""
        if not self.queue.full():
            self.queue.put_nowait(data.decode())

    def close(self) -> None:
        """Does nothing: the opener of the socket closes it."""


@attrs.define(eq=False)
class Window:
    """One page on the desk."""

    desk: Desk
    outbox: Outbox = attrs.field(factory=Outbox)
    server: RulesServer = attrs.field(init=False)
    _shown: ShownState | None = None
    _texts: dict[str, WindowText] = attrs.field(factory=dict)
    """By name: each text that the page has."""

    def __attrs_post_init__(self) -> None:
        self.server = server(self.desk.service, FolderAddresses(folder=self.desk.folder.folder))
        self._protocol.set_writer(self.outbox, include_headers=False)
        self.server.waits = self.desk.judged
        self.server.merges = self._merged
        self.server.heard.append(lambda path: self.desk.changed(path, self))
        self._add_requests()

    @property
    def _protocol(self) -> JsonRPCProtocol:
        return self.server.protocol

    def hear(self, text: str) -> bool:
        """Handles a message of the page; returns whether it goes on."""
        try:
            said = json.loads(text)
        except (ValueError, RecursionError):
            return False
        if not isinstance(said, dict) or said.get("method") == "exit":
            # pygls would end the process.
            return False
        try:
            message = json.loads(text, object_hook=self._protocol.structure_message)
            self._protocol.handle_message(message)
        except (JsonRpcException, AttributeError):
            return False
        return True

    def close(self) -> None:
        """Goes away; its texts stay on the desk."""
        self.server.rest()
        if self in self.desk.windows:
            self.desk.windows.remove(self)

    # -------------------------------------------------------------- what it shows

    def show(self, state: ShownState) -> None:
        """Shows what has come of the texts, if it is something else than before."""
        if state != self._shown:
            self._shown = state
            panel = {"tabs": tab_list(state), "state": state_panel(state), "verdicts": verdicts(state)}
            self._protocol.notify("rulelang/state", panel)

    def take_text(self, name: str, text: str) -> None:
        """Takes a text that was changed elsewhere, unless it has it already."""
        own, version = self._texts.get(name), self.server.version_of(self.desk.path(name))
        if own is not None and version is not None and own.tell(text):
            self._protocol.notify("rulelang/text", {"file": name, "text": text, "version": version})

    def _merged(self, path: Path, text: str) -> str:
        """Returns the text that comes of one that the page has sent, with what was changed elsewhere meanwhile."""
        name = self.desk.folder.name(path)
        if name is None:
            return text
        try:
            present = self.desk.text(name)
        except (OSError, Unfit):
            present = text
        return self._texts.setdefault(name, WindowText(present)).sent(text, present)

    def _read(self, name: str) -> dict[str, str]:
        """Returns a text to the page, which has it from now on."""
        text = self.desk.text(name)
        self._texts[name] = WindowText(text)
        return {"text": text}

    def retell(self, path: Path) -> None:
        """Publishes the faults of a game again."""
        self.server.tell_soon(path)

    # -------------------------------------------------------------- requests

    def _add_requests(self) -> None:
        feature, desk = self.server.feature, self.desk

        @feature("rulelang/files")
        def _(_: Any) -> dict[str, Any]:
            desk.windows.append(self)
            self.show(desk.state())
            return {"files": desk.names(), "keywords": sorted(read_tables().words), "table": desk.table}

        @feature("rulelang/link")
        def _(_: Any) -> dict[str, Any]:
            return {} if desk.link is None else {"link": desk.link()}

        @feature("rulelang/read")
        def _(params: Any) -> dict[str, Any]:
            return self._answer(lambda: self._read(str(params.file)))

        @feature("rulelang/took")
        def _(params: Any) -> None:
            name = str(params.file)
            if name in self._texts:
                self._texts[name].took()
                self.take_text(name, desk.text(name))

        @feature("rulelang/save")
        def _(params: Any) -> dict[str, Any]:
            name, overwrites = str(params.file), bool(params.overwrites)
            return self._answer(lambda: desk.save(name, overwrites=overwrites))

        @feature("rulelang/reload")
        def _(params: Any) -> dict[str, Any]:
            return self._answer(lambda: desk.reload(str(params.file)))

        @feature("rulelang/take")
        async def _(_: Any) -> dict[str, Any]:
            await desk.take()
            return {}

        @feature("rulelang/beside")
        def _(_: Any) -> dict[str, Any]:
            return {"path": desk.beside()}

        @feature("rulelang/game")
        def _(params: Any) -> dict[str, Any]:
            return {"path": desk.game_of(str(params.course))}

        @feature("rulelang/clauses")
        async def _(_: Any) -> dict[str, Any]:
            await desk.followed()
            return {"sheet": clause_sheet(await desk.clauses())}

        @feature("rulelang/variants")
        async def _(params: Any) -> dict[str, Any]:
            await desk.play_with([str(one) for one in params.variants])
            return {}

        self._add_new_games()
        self._add_scenarios()
        self._add_positions()

    def _add_new_games(self) -> None:
        """Adds the requests that make a new game."""
        feature, desk = self.server.feature, self.desk

        @feature("rulelang/templates")
        def _(_: Any) -> dict[str, Any]:
            return {"form": new_game_form(TEMPLATES, games(), desk.others())}

        @feature("rulelang/new")
        async def _(params: Any) -> dict[str, Any]:
            words = (str(getattr(params, word, "")) for word in ("name", "title", "like"))
            try:
                return {"path": "" if desk.begins is None else await desk.begins(*words)}
            except RulelangError as error:
                return {"trouble": str(error)}
            except OSError as error:
                return {"trouble": f"the game cannot be written: {error.strerror}"}

    def _add_scenarios(self) -> None:
        """Adds the requests that turn the table into a scenario."""
        feature, desk = self.server.feature, self.desk

        @feature("rulelang/claims")
        async def _(_: Any) -> dict[str, Any]:
            await desk.followed()
            return self._answer(lambda: {"form": scenario_form(desk.claims())})

        @feature("rulelang/scenario")
        async def _(params: Any) -> dict[str, Any]:
            try:
                expects = [str(one) for one in getattr(params, "expects", ())]
                name, line = await desk.scenario(str(getattr(params, "title", "")), expects)
            except RulelangError as error:
                return {"trouble": str(error)}
            return {"file": name, "line": line}

        @feature("rulelang/refusals")
        async def _(_: Any) -> dict[str, Any]:
            await desk.followed()
            return self._answer(lambda: {"list": refusal_list(desk.refusals())})

        @feature("rulelang/refusal")
        async def _(params: Any) -> dict[str, Any]:
            try:
                name, line = await desk.scenario_of_refusal(str(getattr(params, "option", "")))
            except RulelangError as error:
                return {"trouble": str(error)}
            return {"file": name, "line": line}

    def _add_positions(self) -> None:
        """Adds the requests that turn a scenario into the table, that move things on it, and that write it down."""
        feature, desk = self.server.feature, self.desk

        @feature("rulelang/open")
        async def _(params: Any) -> dict[str, Any]:
            await desk.followed()
            try:
                runs = bool(getattr(params, "runs", False))
                said = await desk.open_scenario(str(params.file), int(params.line), runs=runs)
            except RulelangError as error:
                return {"trouble": str(error)}
            return {"table": desk.table, "said": said}

        @feature("rulelang/move")
        async def _(params: Any) -> dict[str, Any]:
            await desk.followed()
            try:
                words = (str(getattr(params, word, "")) for word in ("thing", "start", "end"))
                return {"givens": await desk.move(Drag(*words)), "table": desk.table}
            except RulelangError as error:
                return {"trouble": str(error)}

        @feature("rulelang/steps")
        def _(_: Any) -> dict[str, Any]:
            return {"form": log_form(), "path": desk.steps()}

        @feature("rulelang/table")
        def _(_: Any) -> dict[str, Any]:
            desk.attend()
            return {"table": desk.table}

        @feature("rulelang/position")
        async def _(_: Any) -> dict[str, Any]:
            await desk.followed()
            try:
                name, line = desk.scenario_of_position()
            except RulelangError as error:
                return {"trouble": str(error)}
            return {"file": name, "line": line}

    def _answer(self, do: Any) -> dict[str, Any]:
        """Returns the result of a request, or a sentence on why there is none."""
        try:
            return do() or {}
        except ChangedOutside as error:
            return {"trouble": str(error), "outside": True}
        except RulelangError as error:
            return {"trouble": str(error)}
        except OSError as error:
            return {"trouble": f"the file cannot be read or written: {error.strerror}"}
