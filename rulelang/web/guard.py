"""Requests from anywhere -> requests that a page of this server made, within bounds; else a refusal.

Guard(app, hosts=frozenset({"127.0.0.1:8000"}))

Foreign hosts (DNS rebinding), foreign origins (other sites, websockets included) and large bodies are refused; every
answer carries a strict Content-Security-Policy.
"""

from __future__ import annotations

import attrs
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # without one, a browser sends forms with no origin
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
MOST_BYTES = 64_000
"""The most bytes of a request's body …"""
MOST_LOG = 16_000_000
"""… and of a log that is uploaded."""
LOGS = "/logs"
"""The end of the path to which logs are uploaded."""


@attrs.define
class Guard:
    """The guard in front of an application; `hosts` are the addresses under which it may be called, None for any.
    `policy` is the Content-Security-Policy of its answers."""

    app: ASGIApp
    hosts: frozenset[str] | None
    policy: str = POLICY

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one request or socket."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        trouble = self._trouble(scope, Headers(scope=scope))
        if trouble is None:
            await self.app(scope, _bounded(receive, _most(scope)), self._with_headers(send))
        elif scope["type"] == "http":
            await PlainTextResponse(trouble, 403)(scope, receive, self._with_headers(send))
        else:
            await receive()
            await send({"type": "websocket.close", "code": 4403, "reason": trouble})

    def _trouble(self, scope: Scope, headers: Headers) -> str | None:
        """Returns why a request is refused; None if it is not."""
        host, origin = headers.get("host", ""), headers.get("origin")
        if self.hosts is not None and host not in self.hosts:
            return "this server is not called by that name"
        is_changing = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if is_changing and origin not in (f"http://{host}", f"https://{host}"):
            return "only a page of this server may do that"
        if is_changing and headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return "only a page of this server may do that"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 9 or int(length) > _most(scope):
            return "that is too long"
        return None

    def _with_headers(self, send: Send) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                kept = {"cache-control": headers.get("cache-control", HEADERS["cache-control"])}
                for name, value in (HEADERS | kept | {"content-security-policy": self.policy}).items():
                    headers[name] = value
            await send(message)

        return sending


def _most(scope: Scope) -> int:
    return MOST_LOG if scope["path"].endswith(LOGS) else MOST_BYTES


def _bounded(receive: Receive, most: int) -> Receive:
    """Returns a receiver that ends a body which is longer than it said."""
    got = 0

    async def bounded() -> Message:
        nonlocal got
        message = await receive()
        if message["type"] == "http.request":
            got += len(message.get("body", b""))
            if got > most:
                return {"type": "http.disconnect"}
        return message

    return bounded
