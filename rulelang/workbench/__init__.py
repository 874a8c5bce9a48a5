"""Two games, or a game and its logs -> what a change of rules changes.

differences(before, after)      which declarations differ, and whether each can change play
"""
