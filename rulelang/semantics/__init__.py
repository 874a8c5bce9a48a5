"""Tree -> typed IR, with every fault that can be found before a game is played."""
