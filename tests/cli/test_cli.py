"""The command line, in process: what people type, what they read, and the exit codes."""

from __future__ import annotations
