"""A small language in which a board game's rulebook is written down so that it runs."""
