"""What is done with many logs, or with a log as a file: put into one, compressed, asked, moved to newer rules.

Read-only but for the file that a command is told to write, which is a new one.
"""
