"""Races fetches against C; the program fetch-bench measures both within one process."""
import feeds
from processes import run
from settings import FETCH_PROGRAM, say


def race(size, rounds, fetches, other_stops):
    """Contests over a store of so many million stop times, and boxes in stores of more stops."""
    store = feeds.store(int(size * 1e6))
    options = []
    for stops in other_stops:
        options += ["--stops", feeds.store(min(int(size * 1e6), 100_000), stops)]
    say(f"fetches: {rounds} rounds of {fetches}")
    lines = run(FETCH_PROGRAM, store, "--rounds", rounds, "--size", fetches, *options).splitlines()
    return {"rounds": rounds, "size": size, "contests": [contest(line) for line in lines]}


def contest(line):
    name, stops, ours, other, rows, our_times, other_times = line.split("\t")
    is_cold = name.endswith(", cold")
    return {
        "name": name.removesuffix(", cold"), "is_cold": is_cold, "stops": int(stops), "sides": [ours, other], "rows": int(rows),
        "microseconds": [[float(time) for time in times.split()] for times in (our_times, other_times)],
    }
