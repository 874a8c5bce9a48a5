"""`bots.py:name` -> a bot from somebody's own Python file.

    arena connect_four.rules --bot mine.py:careful        mine.py: def careful(seen): return seen.options.first(1)[0]
    lab sweep nim.rules size=9..21/3 --bots mine.py:Deep:64,mine.py:Deep:32

The name stands for a function from a `SeatView` to one of its options, or the option's written form; for a class of such
functions, made without arguments or with a budget; or for a `Bot`. Each is made once in a process. Only what is typed is
imported: never a name in a log, a request or a study's folder.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
import traceback
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from rulelang.diagnostics.suggest import hint
from rulelang.errors import InvalidInput, RulelangError
from rulelang.lab.bots import Bot
from rulelang.lab.seat_view import SeatView
from rulelang.match.options.option import Option

FILE = ".py:"
"""The end of a path, before the name of a bot in the file."""


class BotFault(RulelangError):
    """The bot of the name `bot`, from somebody's file, raised an error, or chose something that is not on offer."""

    bot: str = ""

    @classmethod
    def of(cls, bot: str, message: str) -> BotFault:
        """Returns the fault of a bot by its name."""
        fault = cls(f"the bot {bot} {message}")
        fault.bot = bot
        return fault


def is_own_bot(text: str) -> bool:
    """Returns whether a text names a bot in a Python file."""
    return FILE in text


def own_bot(text: str, home: str = "") -> Bot:
    """Returns the bot that is called `FILE.py:NAME` or `FILE.py:NAME:BUDGET`; a relative path begins at `home`, by default
    where the process runs. Raises InvalidInput."""
    path = str(_path(_parts(text)[0], home))
    found, choose = _meant(text, path), partial(_choose, text, path)
    if isinstance(found, Bot):
        return Bot(text, found.about, choose, redeals=found.redeals, looks_ahead=found.looks_ahead)
    return Bot(text, "plays as its file says", choose)


def own_bots(words: Iterable[str]) -> dict[str, Bot]:
    """Returns the bots in Python files among words such as `red=mine.py:careful`, by name. Raises InvalidInput."""
    named = (who.strip() for _, _, who in (word.partition("=") for word in words))
    return {who: own_bot(who) for who in named if is_own_bot(who)}


def digest(text: str, home: str = "") -> str:
    """Returns a digest of a bot's file and of the modules beside it that it imports, at any remove. Raises InvalidInput."""
    file, _, _ = _parts(text)
    sources: dict[str, str] = {}
    _gather(_path(file, home), sources)
    return sha256(repr(sorted(sources.items())).encode()).hexdigest()[:16]


def _gather(path: Path, sources: dict[str, str]) -> None:
    """Adds a file's text by its name, and those of the modules in its folder that it names where it imports."""
    if path.name in sources:
        return
    try:
        sources[path.name] = text = path.read_text("utf-8")
        tree = ast.parse(text)
    except (OSError, SyntaxError, ValueError) as error:
        raise InvalidInput(f"{path.name} cannot be read: {_told(error)}") from None
    for node in ast.walk(tree):
        names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and not node.level:
            names = [node.module or ""]
        for name in names:
            if (beside := path.parent / f"{name.partition('.')[0]}.py").is_file():
                _gather(beside, sources)


def _parts(text: str) -> tuple[str, str, int | None]:
    """Returns the file, the name and the budget in the name of a bot; raises InvalidInput."""
    before, _, after = text.partition(FILE)
    name, *budget = after.split(":")
    if len(budget) > 1 or not all(word.isascii() and word.isdecimal() for word in budget):
        raise InvalidInput(f"{text} names no bot: write FILE.py:NAME, or FILE.py:NAME:BUDGET with a whole number")
    return f"{before}.py", name, int(budget[0][:18]) if budget else None


@cache
def _meant(text: str, path: str) -> Any:
    """Returns the object with a name in the file at a path, which is imported once in each process."""
    file, name, budget = _parts(text)
    module = _module(file, path)
    if not hasattr(module, name):
        known = [known for known, value in vars(module).items() if callable(value) and not known.startswith("_")]
        raise InvalidInput(f"{file} has no {name!r}{hint(name, known)}")
    found = getattr(module, name)
    if isinstance(found, type):
        try:
            found = found() if budget is None else found(budget)
        except Exception as error:
            raise InvalidInput(f"{text} cannot be made: {_told(error)}") from None
    elif budget is not None:
        raise InvalidInput(f"{text}: only a class has a budget, with which it is made; {name} is none")
    if not callable(found) and not isinstance(found, Bot):
        raise InvalidInput(f"{text} is not a bot: a bot is a function from a SeatView to one of its options")
    return found


def _path(file: str, home: str) -> Path:
    """Returns the path of a file; raises InvalidInput if it is not there."""
    path = Path(home, file).resolve()
    if not path.is_file():
        raise InvalidInput(f"there is no file {file}")
    return path


@cache
def _module(file: str, path: str) -> Any:
    folder = str(Path(path).parent)
    name = f"{MODULES}{Path(path).stem}_{sha256(path.encode()).hexdigest()[:8]}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    _forget_neighbours(folder)
    # Its neighbours can be imported, as where Python runs it, and its classes know their module.
    sys.path.insert(0, folder)
    sys.modules[name] = module
    try:
        with redirect_stdout(sys.stderr):
            spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise InvalidInput(f"{file} cannot be imported: {_told(error)}") from None
    finally:
        sys.path.remove(folder)
    return module


MODULES = "own_bots_"
"""The beginning of the names of modules that are files of bots."""


def _forget_neighbours(folder: str) -> None:
    """Forgets modules that bots of other folders have imported there, if one of that name lies in this folder, too."""
    files = {name: getattr(module, "__file__", None) for name, module in sys.modules.items()}
    others = {Path(file).parent for name, file in files.items() if name.startswith(MODULES) and file} - {Path(folder)}
    for name, file in files.items():
        if file and Path(file).parent in others and Path(folder, f"{name}.py").is_file():
            del sys.modules[name]


def _choose(text: str, path: str, seen: SeatView) -> Option:
    """Returns the option that a bot chooses. Raises BotFault where it fails or chooses what is not on offer."""
    found = _meant(text, path)
    choose: Callable[[SeatView], object] = found.choose if isinstance(found, Bot) else found
    try:
        # What it prints does not belong into a screen, or into figures for programs.
        with redirect_stdout(sys.stderr):
            chosen = choose(seen)
    except (Exception, SystemExit) as error:
        raise BotFault.of(text, f"failed: {_told(error)}") from None
    if isinstance(chosen, str):
        chosen = next((option for option in seen.options if option.text == chosen), chosen)
    if isinstance(chosen, Option) and chosen in seen.options:
        return chosen
    offered = ", ".join(option.text for option in seen.options.first(4))
    raise BotFault.of(text, f"chose {chosen!r:.200}, which is not on offer: {offered}, …")


def _told(error: BaseException) -> str:
    """Returns an error with the line that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{place}"
