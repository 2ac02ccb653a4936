"""Measures imports and operations of the fetch layer at one size and at ten times that size."""
import feeds
import import_growth
import make_feed
from processes import run
from settings import GROWTH_PROGRAM, say


def race(size, rounds, questions):
    """Stores of a tenth of `size` million stop times and of all of them, with `questions` questions and changes in the smaller one.

    The feeds that are imported have a length of their own, and a hundredth of it if `size` is below 3.
    """
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
