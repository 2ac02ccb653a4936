"""Races whole programs, in turns, that make a database from the same feed."""
import importlib.util
import shutil

import feeds
from processes import Failure, baseline, measured
from settings import BENCHMARKS, FOLDER, IMPORT_PROGRAM, RUNS_PYGTFS, say

OURS, FLOOR, PLAIN, DUCKDB, PYGTFS = "import-gtfs", "plain C", "plain sqlite3", "DuckDB", "pygtfs"
SMALL_TURNS = 5
# Other orders of stop_times.txt. make_feed.py writes it in the order of trips.txt.
ORDERS = ("trips", "rows")


def contenders():
    """The commands of those that are installed, and what the others need."""
    peers = BENCHMARKS / "Peers"
    commands = {OURS: [IMPORT_PROGRAM, "--quiet"], FLOOR: [baseline("load", "z", "sqlite3", "pthread")]}
    missing = []
    if shutil.which("unzip") and shutil.which("sqlite3"):
        commands[PLAIN] = [peers / "plain_sqlite.sh"]
    else:
        missing.append(f"{PLAIN}: apt-get install unzip sqlite3")
    for name, module, script in ((DUCKDB, "duckdb", "duckdb_load.py"), (PYGTFS, "pygtfs", "pygtfs_load.py")):
        if name == PYGTFS and not RUNS_PYGTFS:
            missing.append(f"{name}: takes minutes, runs with BENCH_PYGTFS=1")
        elif importlib.util.find_spec(module):
            commands[name] = ["python3", peers / script]
        else:
            missing.append(f"{name}: pip install {module}")
    return commands, missing


def race(sizes, rounds):
    """Every contender's figures for feeds of so many million stop times, and for one of 50 kB.

    All sizes have their turn in every round, so that an hour in which the machine is slow is slow for all of them.
    """
    commands, missing = contenders()
    for note in missing:
        say(f"left out: {note}")
    pair = [name for name in (OURS, PLAIN) if name in commands]
    tasks = [("50 kB", feeds.small_feed(), 4_400, pair)]
    tasks += [(f"{size:g} M", feeds.feed(int(size * 1e6)), int(size * 1e6), list(commands)) for size in sizes]
    first = int(sizes[0] * 1e6)
    tasks += [(f"{sizes[0]:g} M, {order}", feeds.reordered_feed(first, order), first, pair) for order in ORDERS]
    runs = {
        (label, name): {"size": label, "stop_times": rows, "contender": name}
        for label, _, rows, names in tasks for name in names
    }
    for (label, _), run in runs.items():
        if ", " in label:
            run["order"] = label.split(", ")[1]
    for turn in range(rounds):
        for label, feed, rows, names in tasks:
            say(f"round {turn + 1} of {rounds}: {label}")
            # A run of a twentieth of a second needs more turns for a useful median.
            for part in range(SMALL_TURNS if rows < 10_000 else 1):
                for name in names if (turn + part) % 2 == 0 else reversed(names):
                    add(runs[label, name], load(commands[name], feed, rows, name))
    return {"rounds": rounds, "missing": missing, "runs": list(runs.values())}


def load(command, feed, rows, name):
    """One contender's run over a feed: what it took, and the size of what it made."""
    out = place_for_result()
    result = measured(*command, feed, out)
    if not out.exists():
        raise Failure(f"{name} made nothing")
    if name != DUCKDB:
        feeds.check_rows(out, "stop_time" if name in (OURS, FLOOR) else "stop_times", rows)
    result["bytes"] = out.stat().st_size
    out.unlink()
    return result


def place_for_result():
    """A path in an empty folder."""
    folder = FOLDER / "race"
    folder.mkdir(parents=True, exist_ok=True)
    for leftover in folder.iterdir():
        leftover.unlink()
    return folder / "out.database"


def add(run, result):
    for figure, value in result.items():
        run.setdefault(figure, []).append(value)
