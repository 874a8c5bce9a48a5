"""`python -m rulelang.cli` (in a checkout: `python -m cli`) is `rulelang`."""

from .main import main

main(prog_name="rulelang")
