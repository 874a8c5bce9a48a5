"""Documents as a client names them <-> paths.

Addresses().path("file:///games/nim.rules")                      Path("/games/nim.rules")
FolderAddresses(folder=Path("/games/nim")).uri(Path("/games/nim/nim.rules"))    "rules:///nim.rules"
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import attrs

from rulelang.texts.model import plain

SCHEME = "rules"
LONGEST_PATH, LONGEST_NAME = 1000, 255
NOWHERE = Path("/\0unsaved")
"""A folder that no disk has, for documents that are no files."""


@attrs.define
class Addresses:
    """The addresses of files on this machine, as editors on it name them."""

    _uris: dict[Path, str] = attrs.field(factory=dict)
    """By path: the address by which a client named it."""

    def path(self, uri: str) -> Path:
        """Returns the path of a document; one that is no file of this machine (`untitled:`) gets a path that no file has."""
        try:
            parts = urlsplit(uri)
        except ValueError:
            return NOWHERE / uri.replace("/", "_")
        path = unquote(parts.path)
        is_here = parts.scheme == "file" and parts.netloc in ("", "localhost")
        if is_here and path.startswith("/") and is_path(path):
            return plain(Path(f"/{path.lstrip('/')}"))
        return NOWHERE / uri.replace("/", "_")

    def keep(self, uri: str) -> Path:
        """Returns the path of a document that a client opens, and names it from now on as the client does."""
        found = self.path(uri)
        self._uris[found] = uri
        return found

    def forget(self, path: Path) -> None:
        """Forgets how a client named a document that it closes."""
        self._uris.pop(path, None)

    def uri(self, path: Path) -> str:
        """Returns the address of a file."""
        return self._uris.get(path) or path.as_uri()


@attrs.define
class FolderAddresses(Addresses):
    """The addresses of the files of one folder, which name nothing else of this machine.

    >>> addresses = FolderAddresses(folder=Path("/games/nim"))
    >>> addresses.uri(Path("/games/nim/variants/two.rules")), addresses.path("rules:///nim.rules").as_posix()
    ('rules:///variants/two.rules', '/games/nim/nim.rules')
    """

    folder: Path = attrs.field(kw_only=True)

    def path(self, uri: str) -> Path:
        """Returns the path of a document of the folder; a path that no file has for any other."""
        try:
            parts = urlsplit(uri)
        except ValueError:
            return NOWHERE / uri.replace("/", "_")
        inside = unquote(parts.path).lstrip("/")
        if parts.scheme != SCHEME or not is_plain(inside) or not is_path(inside):
            return NOWHERE / inside.replace("/", "_")
        return self.folder / inside

    def uri(self, path: Path) -> str:
        """Returns the address of a file; one that lies elsewhere is known by its name alone."""
        if path.is_relative_to(self.folder):
            return f"{SCHEME}:///{quote(path.relative_to(self.folder).as_posix())}"
        return f"elsewhere:///{quote(path.name)}"


def is_path(name: str) -> bool:
    """Returns whether a system would take a name as that of a file.

    >>> is_path("/games/nim.rules"), is_path("/games/\\0"), is_path("a" * 300)
    (True, False, False)
    """
    is_short = len(name) <= LONGEST_PATH and all(
        len(part.encode(errors="replace")) <= LONGEST_NAME for part in name.split("/")
    )
    return bool(name) and "\0" not in name and is_short and not any("\ud800" <= one <= "\udfff" for one in name)


def is_plain(name: str) -> bool:
    """Returns whether a name is one below a folder, written without detours.

    >>> is_plain("variants/two.rules"), is_plain("../nim.rules"), is_plain("/nim.rules")
    (True, False, False)
    """
    parts = name.split("/")
    return "\0" not in name and "\\" not in name and all(part not in ("", ".", "..") for part in parts)
