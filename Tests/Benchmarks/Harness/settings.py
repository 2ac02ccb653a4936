"""Paths, and settings that environment variables can change."""
import os
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[3]
BENCHMARKS = PROJECT / "Tests" / "Benchmarks"
FOLDER = Path(os.environ.get("BENCH_FOLDER") or PROJECT / ".build" / "benchmarks").resolve()
SIZES = [float(size) for size in (os.environ.get("BENCH_SIZES") or "3").split()]
ROUNDS = int(os.environ.get("BENCH_ROUNDS") or 5)
STOPS = [int(stops) for stops in (os.environ.get("BENCH_STOPS") or "100000 1000000").split()]
AGENCY_FEEDS = Path(os.environ["GTFS_FEEDS"]).resolve() if os.environ.get("GTFS_FEEDS") else None
RUNS_PYGTFS = os.environ.get("BENCH_PYGTFS") == "1"
UPDATES_COUNTS = os.environ.get("UPDATE_COUNTS") == "1"

PROGRAMS = BENCHMARKS / ".build" / "release"
IMPORT_PROGRAM = PROGRAMS / "import-gtfs"
FETCH_PROGRAM = PROGRAMS / "fetch-bench"
GROWTH_PROGRAM = PROGRAMS / "growth-bench"


def say(text):
    """Words about what is going on; tables and figures alone go to standard output."""
    print(text, file=sys.stderr, flush=True)
