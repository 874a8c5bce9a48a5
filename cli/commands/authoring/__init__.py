"""The commands for those who write rules: from a new game to one that is formatted, checked, tested and covered.

rulelang check outspeed    check.command
"""
