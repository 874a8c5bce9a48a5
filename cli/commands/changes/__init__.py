"""The commands that tell what a change of rules changes: in the rules themselves, in logs, in many games of bots.

rulelang diff outspeed outspeed+sprint    diff.command
"""
