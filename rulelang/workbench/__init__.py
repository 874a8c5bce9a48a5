"""Two games, or a game and its logs -> what a change of rules changes.

differences(before, after)      which declarations differ, and whether each can change play
Edits.of(before, after)         the edits between two games, and the games between them
retell(log, game, policy)       a log's game told by other rules
meet(game)                      its scenarios under its variants, explained
compare(pairs)                  games of both on the same chances
impact_on(log, game, edits)     what other rules do to a log, and by which edit
"""
