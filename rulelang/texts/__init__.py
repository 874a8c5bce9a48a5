"""Rules as texts by path: where they come from (`model`, `reader`), and how the texts of one game become one tree (`loading`).

    reader.Disk:     games/outspeed/outspeed.rules      ->  "game outspeed …"
    loading.load:    outspeed.rules, what it includes, variants/*.rules, scenarios/*.rules  ->  Loaded(module, …)

Invariant: `reader` is the only room that reads files of rules; all others ask a `Texts`, so an editor's texts, those of a
test and those on a disk are read alike. What is read has one form (`source.normal`), whatever system wrote it.
"""
