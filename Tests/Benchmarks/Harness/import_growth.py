"""Measures how an import grows with each thing of which a feed may have many: feeds of growth_feeds.py, and ten times as much of it."""
import feeds
from growth_feeds import SHAPES
from import_race import place_for_result
from processes import measured
from settings import IMPORT_PROGRAM, say

TIMES = 10
# The clock's step: what takes less cannot be compared.
LEAST_SECONDS = 0.01


def race(rounds, divisor):
    """The processor time for each row, or whatever is many, beyond that of a feed with little of everything. `divisor` makes feeds shorter."""
    sizes = {name: max(2, small // divisor) for name, (small, _) in SHAPES.items()}
    little = []
    seconds = {(name, size): [] for name, small in sizes.items() for size in (TIMES * small, small)}
    for turn in range(rounds):
        say(f"growth of imports: round {turn + 1} of {rounds}")
        little.append(load(feeds.growth_feed()))
        for name, size in seconds:
            seconds[name, size].append(load(feeds.growth_feed(name, size)))
    start = min(little)

    def of_unit(name, size):
        return [max(time - start, LEAST_SECONDS) * 1e9 / size for time in seconds[name, size]]

    return [
        {"name": f"import: {name}", "units": [TIMES * small, small], "nanoseconds": [of_unit(name, TIMES * small), of_unit(name, small)]}
        for name, small in sizes.items()
    ]


def load(feed):
    out = place_for_result()
    return measured(IMPORT_PROGRAM, "--quiet", "--report", out.with_suffix(".html"), feed, out)["cpu_seconds"]
