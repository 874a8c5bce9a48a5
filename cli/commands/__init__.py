"""One file a command: `command` is what `rulelang NAME` runs."""
