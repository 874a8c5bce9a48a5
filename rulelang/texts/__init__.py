"""Turns paths into texts (`model`, `reader`), and the texts of one game into one tree (`loading`).

    reader.Disk:     games/outspeed/outspeed.rules      ->  "game outspeed …"
    loading.load:    outspeed.rules, what it includes, variants/*.rules, scenarios/*.rules  ->  Loaded(module, …)

Invariant: only `reader` reads files of rules; all others ask a `Texts`, so texts in an editor, in a test and on a disk
are read alike. Every text has the same form (`source.normal`), whichever system wrote it.
"""
