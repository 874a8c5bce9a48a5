"""A match and a seat -> what its screen shows, as values that a terminal or a page renders."""
