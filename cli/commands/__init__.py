"""One file a command: `command` is what `rulelang NAME` runs.

rulelang fmt --check nim.rules      commands.authoring.fmt: 0, or 1 where a file is not in the one style
"""
