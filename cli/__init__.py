"""The command line: one file a command, loaded when it is asked for. Only this room prints."""

from .main import main

__all__ = ["main"]
