"""Turns results into ratios, and compares these with their bars."""
from dataclasses import dataclass
from statistics import median

import agency_race as agencies
import import_race as imports

# The bar, and the goal beyond it.
FETCH_BARS = {
    "box of 800 m": (0.5, 0.4),
    "box of 80 m": (0.8, 0.7),
    "box of 800 m with departures": (0.65, 0.5),
    "box of 800 m in more stops": (1.3, 1.1),
    "search by words": (0.9, 0.8),
    "search as people type": (1.3, 1.0),
    "search with a wrong letter": (3.0, 2.0),
    "departures of a stop": (1.2, 1.0),
    "departures of 20 platforms": (1.2, 1.0),
    "departures of 300 stops": (1.2, 1.0),
    "near and leaving soon": (1.0, 0.8),
    "a day at 20 platforms": (1.2, 1.0),
    "object by id, its row cached": (10, 5),
    "walk over all stop times": (2.0, 1.3),
    "next departures with 5,000 changes": (2.0, 1.2),
    "groups with a change": (1.3, 1.1),
    "two threads": (1.8, 1.95),
    "opening to the first result": (2.0, 1.2),
}
# Every row is read for the first time, because a ratio with a cache says nothing about a first visit.
COLD_BARS = {
    "box of 800 m": (0.65, 0.5),
    "box of 80 m": (0.80, 0.7),
    "box of 800 m with departures": (0.75, 0.65),
    "search by words": (1.2, 1.0),
    "departures of a stop": (1.2, 1.0),
    "departures of 20 platforms": (1.2, 1.0),
    "near and leaving soon": (1.0, 0.8),
    "a day at 20 platforms": (1.2, 1.0),
    "search as people type": (1.3, 1.0),
    "search with a wrong letter": (3.0, 2.0),
}
ORDER_BARS = {"trips": (1.25, 1.1), "rows": (2.0, 1.5)}
# An operation that reads ten times the rows misses the processor's caches more often. One that is quadratic takes ten times as long a unit.
GROWTH_BAR = (3.0, 2.0)
SIDE_FAULT_BAR = (1.3, 1.1)
FAULTS = {"unknown": "a value that its column cannot take", "twice": "each key twice", "cells": "cells beyond the header"}
AGENCY_BAR, ALL_AGENCIES_BAR = (0.35, 0.25), (0.25, 0.18)
# Bars apply to feeds with at least 3 M stop times. Smaller feeds only show that everything runs.
LEAST_STOP_TIMES = 3_000_000
LEAST_SIDE_ROWS = 500_000
MEMORY_BARS = {3_000_000: (128, 96), 30_000_000: (320, 200)}


@dataclass
class Figure:
    name: str
    values: list  # one of each round, or of each feed
    bar: tuple = None
    unit: str = ""
    is_speedup: bool = False  # more is better
    cold: "Figure" = None  # the same without what earlier fetches left in caches
    is_limit: bool = False  # the most that this machine can give, shown beside the figure that has the bar
    of: str = "rounds"  # what the values belong to
    cell: tuple = None  # its row and column on a page, where many such figures are one table

    @property
    def median(self):
        return median(self.values)

    @property
    def verdict(self):
        if self.bar is None:
            return ""
        meets = [self.median >= bar if self.is_speedup else self.median <= bar for bar in self.bar]
        return "beyond" if meets[1] else "met" if meets[0] else "missed"


def ratios(ones, others):
    return [one / other for one, other in zip(ones, others)]


def import_figures(results):
    runs = {(run["stop_times"], run["contender"]): run for run in results["runs"] if "order" not in run}
    sizes = sorted({rows for rows, name in runs if name == imports.OURS})
    small, sizes = sizes[0], sizes[1:]

    def against(rows, name, figure):
        return ratios(runs[rows, imports.OURS][figure], runs[rows, name][figure])

    bars = ((imports.PLAIN, (0.30, 0.20)), (imports.FLOOR, (1.1, 0.8)), (imports.DUCKDB, (0.45, 0.30)), (imports.PYGTFS, None))
    for rows in sizes:
        label, is_held = runs[rows, imports.OURS]["size"], rows >= LEAST_STOP_TIMES
        for name, bar in bars:
            if (rows, name) in runs:
                yield Figure(f"time against {name}, {label}", against(rows, name, "seconds"), bar if is_held else None)
        memory = [value / 1e6 for value in runs[rows, imports.OURS]["peak_memory"]]
        yield Figure(f"peak memory, {label}", memory, MEMORY_BARS.get(rows), "MB")
        if (rows, imports.PLAIN) in runs:
            bar = (0.45, 0.33) if is_held else None
            yield Figure(f"store's size against {imports.PLAIN}'s, {label}", against(rows, imports.PLAIN, "bytes"), bar)
        busy = ratios(runs[rows, imports.OURS]["cpu_seconds"], runs[rows, imports.OURS]["seconds"])
        yield Figure(f"cores busy on average, {label}", busy, is_speedup=True)
    yield from order_figures(results, runs)
    if len(sizes) > 1:
        few, many = runs[sizes[0], imports.OURS], runs[sizes[-1], imports.OURS]
        per_row = [ratio * sizes[0] / sizes[-1] for ratio in ratios(many["seconds"], few["seconds"])]
        yield Figure(f"time a row, {many['size']} against {few['size']}", per_row, (1.10, 1.0) if sizes[0] >= LEAST_STOP_TIMES else None)
    if (small, imports.PLAIN) in runs:
        yield Figure(f"time against {imports.PLAIN}, 50 kB", against(small, imports.PLAIN, "seconds"), (1.2, 0.8))


def order_figures(results, sorted_runs):
    """The same rows in other orders, against those in the order of trips.txt."""
    reordered = {(run["order"], run["contender"]): run for run in results["runs"] if "order" in run}
    for order, bar in ORDER_BARS.items():
        if (order, imports.OURS) not in reordered:
            continue
        ours = reordered[order, imports.OURS]
        rows, label, is_held = ours["stop_times"], ours["size"], ours["stop_times"] >= LEAST_STOP_TIMES
        usual = ratios(ours["seconds"], sorted_runs[rows, imports.OURS]["seconds"])
        yield Figure(f"time against the rows in order, {label}", usual, bar if is_held else None)
        if (order, imports.PLAIN) in reordered:
            plain = ratios(ours["seconds"], reordered[order, imports.PLAIN]["seconds"])
            yield Figure(f"time against {imports.PLAIN}, {label}", plain, AGENCY_BAR if is_held else None)
        yield Figure(f"peak memory, {label}", [value / 1e6 for value in ours["peak_memory"]], MEMORY_BARS.get(rows), "MB")


def agency_ratios(results):
    """(ratio to plain sqlite3, name) of each feed with tables of 1 MB and more, the best first; medians of both."""
    large = [run for run in results["runs"] if run["bytes"] >= agencies.LEAST_BYTES]
    return sorted((median(run[imports.OURS]) / median(run[imports.PLAIN]), run["feed"]) for run in large)


def agency_figures(results):
    """Of many feeds the middle, the worst tenth, the worst and all together."""
    found = agency_ratios(results)
    if not found:
        return
    values = [ratio for ratio, _ in found]
    tenth = values[-max(len(values) // 10, 1):]
    large = [run for run in results["runs"] if run["bytes"] >= agencies.LEAST_BYTES]
    total = [sum(median(run[name]) for run in large) for name in (imports.OURS, imports.PLAIN)]
    yield Figure(f"median of {len(values)} feeds with tables of 1 MB and more", values, AGENCY_BAR, of="feeds")
    yield Figure("worst tenth of them", tenth, AGENCY_BAR, of="feeds")
    yield Figure(f"worst: {found[-1][1]}", values[-1:], AGENCY_BAR, of="feeds")
    yield Figure("all of them together", [total[0] / total[1]], ALL_AGENCIES_BAR, of="feeds")


def side_figures(results):
    """Each long table against plain sqlite3, and with a fault in each row against itself without."""
    runs = {(run["table"], run["fault"], run["contender"]): run for run in results["runs"]}
    sound = {table: run for (table, fault, name), run in runs.items() if fault is None and name == imports.OURS}
    is_held = all(run["rows"] >= LEAST_SIDE_ROWS for run in results["runs"])
    for table, run in sound.items():
        if (table, None, imports.PLAIN) in runs:
            found = ratios(run["seconds"], runs[table, None, imports.PLAIN]["seconds"])
            # Only ours makes search terms from the stops' names, and six of the indexes of stops.
            yield Figure(f"{table} against {imports.PLAIN}", found, AGENCY_BAR if is_held and table != "stops" else None)
    for fault, words in FAULTS.items():
        for table, run in ((table, run) for table, run in sound.items() if (table, fault, imports.OURS) in runs):
            found = ratios(runs[table, fault, imports.OURS]["seconds"], run["seconds"])
            name = f"{table} with {words}, against the same file without"
            yield Figure(name, found, SIDE_FAULT_BAR if is_held else None, cell=(table, words))


def fetch_figures(results):
    cold = {contest["name"]: contest for contest in results["contests"] if contest.get("is_cold")}
    fewest = min(contest["stops"] for contest in results["contests"])
    for contest in results["contests"]:
        if contest.get("is_cold"):
            continue
        name, (ours, other) = contest["name"], contest["microseconds"]
        is_speedup = name.startswith("two threads")
        is_fewest = contest["stops"] == fewest
        is_held = results["size"] * 1e6 >= LEAST_STOP_TIMES
        is_at_its_size = is_fewest or (name.endswith("more stops") and contest["stops"] >= 1_000_000)
        title = f"{name} against {contest['sides'][1]}"
        if not is_fewest:
            title += f", {contest['stops']:,} stops"
        values = ratios(other, ours) if is_speedup else ratios(ours, other)
        figure = Figure(title, values, FETCH_BARS.get(name) if is_held and is_at_its_size else None, is_speedup=is_speedup)
        figure.is_limit = name == "two threads in C" and is_fewest and is_held
        if name in cold and is_fewest:
            figure.cold = Figure(title, ratios(*cold[name]["microseconds"]), COLD_BARS.get(name) if is_held else None)
        yield figure


def growth_figures(results):
    """The processor time a unit of work in the large store against that in the small one: the worst operation, then all of them."""
    figures = [Figure(one["name"], ratios(*one["nanoseconds"]), of="rounds") for one in results["operations"]]
    figures.sort(key=lambda figure: figure.median)
    is_held = results["size"] * 1e6 >= LEAST_STOP_TIMES
    bar = GROWTH_BAR if is_held else None
    yield Figure(f"median of {len(figures)} operations and imports", [figure.median for figure in figures], bar, of="operations")
    yield Figure(f"worst: {figures[-1].name}", figures[-1].values, bar)
    yield from figures
