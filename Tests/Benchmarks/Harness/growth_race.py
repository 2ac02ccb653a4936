"""Measures what imports and operations of the fetch layer cost at a tenth of the size; growth-bench does both of the latter within one process."""
import feeds
import import_growth
import make_feed
from processes import run
from settings import GROWTH_PROGRAM, say


def race(size, rounds, questions):
    """Stores of a tenth of so many million stop times, and of all; so many questions and changes in the smaller one. Feeds are as long as they must
    be for 3 million; if there are fewer, feeds have a hundredth of that."""
    imports = import_growth.race(rounds, divisor=1 if size >= 3 else 100)
    small, large = feeds.store(int(size * 1e5)), feeds.store(int(size * 1e6), 10 * make_feed.BERLIN_STOPS)
    say(f"growth: {rounds} rounds")
    lines = run(GROWTH_PROGRAM, small, large, "--rounds", rounds, "--size", questions).splitlines()
    return {"rounds": rounds, "size": size, "operations": [operation(line) for line in lines] + imports}


def operation(line):
    name, large_units, small_units, large_times, small_times = line.split("\t")
    return {
        "name": name, "units": [int(large_units), int(small_units)],
        "nanoseconds": [[float(time) for time in times.split()] for times in (large_times, small_times)],
    }
