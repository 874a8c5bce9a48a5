"""What numbers and things can be where they are read, and warnings where that is more than fits."""
