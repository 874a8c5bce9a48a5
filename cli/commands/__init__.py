"""Turns the arguments of `rulelang NAME` into output and an exit code: one file for each command.

rulelang fmt --check nim.rules      commands.authoring.fmt: 0, or 1 if a file is not in the one style

Invariant: a command imports what it needs when it runs, so `rulelang --help` loads no other command's code.
"""
