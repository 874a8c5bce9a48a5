"""`python -m tests.fuzz`: goes on attacking for as long as it is let, and keeps what it finds.

python -m tests.fuzz --seconds 3600 --seed 7 texts logs cache twins deals executors mutants
"""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
import time
from itertools import count
from pathlib import Path

from tests.fuzz import bounds, cache, executors, functions, logs, mutants, texts, twins
from tests.fuzz.finding import Finding
from tests.generators import deals

ATTACKS = {
    "texts": texts.attack,
    "logs": logs.attack,
    "cache": cache.attack,
    "twins": twins.attack,
    "deals": deals.attack,
    "executors": executors.attack,
    "mutants": mutants.attack,
    "bounds": bounds.attack,
    "functions": functions.attack,
}
CORPUS = Path(__file__).parent / "corpus"


def main() -> int:
    """Attacks in turn; returns 1 where anything was found."""
    parser = argparse.ArgumentParser(prog="fuzz", description="Attacks rulelang with seeded inputs.")
    parser.add_argument("attacks", nargs="*", choices=[*ATTACKS, []], help="which; all, if none is named")
    parser.add_argument("--seconds", type=float, default=3600)
    parser.add_argument("--seed", type=int, default=None, help="the first seed; else the time, which is printed")
    asked = parser.parse_args()
    chosen = asked.attacks or list(ATTACKS)
    first = int(time.time()) if asked.seed is None else asked.seed
    ends, found = time.monotonic() + asked.seconds, set[str]()
    tried = 0
    for seed in count(first * 10**6):
        if time.monotonic() > ends:
            break
        for name in chosen:
            tried += 1
            try:
                ATTACKS[name](random.Random(seed))
            except Finding as finding:
                found.add(f"{name}: {finding.what}")
                print(f"{name}, seed {seed}: {finding.what}\n  kept in {keep(name, finding)}", flush=True)
    print(f"{tried:,} attacks from seed {first * 10**6}: {len(found)} kinds of findings")
    return 1 if found else 0


def keep(attack: str, finding: Finding) -> Path:
    """Writes what was found to the corpus, which every test run tries again."""
    path = CORPUS / attack / f"{hashlib.sha256(finding.content).hexdigest()[:12]}.input"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(finding.content)
    return path


if __name__ == "__main__":
    sys.exit(main())
