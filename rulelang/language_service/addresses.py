"""Documents as a client names them <-> paths.

Addresses().path("file:///games/nim.rules")                      Path("/games/nim.rules")
FolderAddresses(folder=Path("/games/nim")).uri(Path("/games/nim/nim.rules"))    "rules:///nim.rules"
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

import attrs

SCHEME = "rules"
NOWHERE = Path("/\0unsaved")
"""A folder that no disk has, for documents that are no files."""


@attrs.define
class Addresses:
    """The addresses of files on this machine, as editors on it name them."""

    _uris: dict[Path, str] = attrs.field(factory=dict)
    """By path: the address by which a client named it."""

    def path(self, uri: str) -> Path:
        """Returns the path of a document; one that only the editor has (`untitled:`) gets a path that no file has."""
        parts = urlsplit(uri)
        is_file = parts.scheme == "file"
        found = Path(unquote(parts.path)) if is_file else NOWHERE / unquote(parts.path.replace("/", "_"))
        self._uris[found] = uri
        return found

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
        parts = urlsplit(uri)
        inside = unquote(parts.path).lstrip("/")
        if parts.scheme != SCHEME or not is_plain(inside):
            return NOWHERE / inside.replace("/", "_")
        return self.folder / inside

    def uri(self, path: Path) -> str:
        """Returns the address of a file; one that lies elsewhere is known by its name alone."""
        if path.is_relative_to(self.folder):
            return f"{SCHEME}:///{quote(path.relative_to(self.folder).as_posix())}"
        return f"elsewhere:///{quote(path.name)}"


def is_plain(name: str) -> bool:
    """Returns whether a name is one below a folder, written without detours.

    >>> is_plain("variants/two.rules"), is_plain("../nim.rules"), is_plain("/nim.rules")
    (True, False, False)
    """
    parts = name.split("/")
    return "\0" not in name and "\\" not in name and all(part not in ("", ".", "..") for part in parts)
