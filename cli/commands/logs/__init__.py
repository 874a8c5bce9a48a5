"""What is done with logs as files: joined, compressed, asked, moved to newer rules.

    logs      ->  cat        one file, compressed or not
              ->  query      an answer in rows; export: tables
    log       ->  migrate    another log, and a report

Only the file that a command is told to write is written, and it is a new one.
"""
