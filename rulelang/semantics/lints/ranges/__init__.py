"""What numbers and things can be where they are read, and warnings where that is more than fits.

heap: 0..21, heap -= n with n in 1..3       it may leave its range: ask first, or write `at least 0`
"""
