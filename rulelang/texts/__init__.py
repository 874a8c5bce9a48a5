"""Rules as texts by path: where they come from (`model`, `disk`), and how the texts of one game become one tree (`loading`).

    Folder reader:   games/outspeed/outspeed.rules      ->  "game outspeed …"
    loading.load:    outspeed.rules, what it includes, variants/*.rules, scenarios/*.rules  ->  Loaded(module, …)

Invariant: `disk` is the only room that reads files of rules; all others ask a `Texts`, so an editor's texts, those of a
test and those on a disk are read alike. What is read has one form (`source.normal`), whatever system wrote it.
"""
