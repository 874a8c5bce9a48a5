"""Turns two games, or a game and its logs, into an account of the effects of a change of rules.

differences(before, after)      the declarations that differ, and whether each can change play
Edits.of(before, after)         the edits between two games, and the games between them
retell(log, game, policy)       a log's game told by other rules
meet(game)                      its scenarios under its variants, explained
compare(pairs)                  games of both on the same chances
impact_on(log, game, edits)     the effect of other rules on a log, and the edit that causes it

Invariant: nothing here changes a game or a log; a migrated log is a new one.
"""
