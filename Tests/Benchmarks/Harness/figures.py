"""What the results say, as ratios, beside the bars they are held to."""
from dataclasses import dataclass
from statistics import median

import import_race as imports

# Bar, and what lies beyond it.
FETCH_BARS = {
    "box of 800 m": (0.8, 0.5),
    "box of 80 m": (1.6, 1.2),
    "box of 800 m with departures": (0.8, 0.5),
    "box of 800 m in more stops": (1.3, 1.1),
    "search by words": (1.3, 1.0),
    "object by id, its row cached": (10, 5),
    "walk over all stop times": (2.0, 1.3),
    "two threads": (1.8, 1.95),
    "opening to the first result": (2.0, 1.2),
}
# Bars are for feeds of 3 M stop times and more; smaller ones only show that everything runs.
LEAST_STOP_TIMES = 3_000_000
MEMORY_BARS = {3_000_000: (128, 96), 30_000_000: (320, 200)}


@dataclass
class Figure:
    name: str
    values: list  # one of each round
    bar: tuple = None
    unit: str = ""
    is_speedup: bool = False  # more is better

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
    runs = {(run["stop_times"], run["contender"]): run for run in results["runs"]}
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
    if len(sizes) > 1:
        few, many = runs[sizes[0], imports.OURS], runs[sizes[-1], imports.OURS]
        per_row = [ratio * sizes[0] / sizes[-1] for ratio in ratios(many["seconds"], few["seconds"])]
        yield Figure(f"time a row, {many['size']} against {few['size']}", per_row, (1.10, 1.0) if sizes[0] >= LEAST_STOP_TIMES else None)
    if (small, imports.PLAIN) in runs:
        yield Figure(f"time against {imports.PLAIN}, 50 kB", against(small, imports.PLAIN, "seconds"), (0.8, 0.4))


def fetch_figures(results):
    fewest = min(contest["stops"] for contest in results["contests"])
    for contest in results["contests"]:
        name, (ours, other) = contest["name"], contest["microseconds"]
        is_speedup = name.startswith("two threads")
        is_fewest = contest["stops"] == fewest
        is_held = results["size"] * 1e6 >= LEAST_STOP_TIMES
        is_at_its_size = is_fewest or (name.endswith("more stops") and contest["stops"] >= 1_000_000)
        title = f"{name} against {contest['sides'][1]}"
        if not is_fewest:
            title += f", {contest['stops']:,} stops"
        values = ratios(other, ours) if is_speedup else ratios(ours, other)
        yield Figure(title, values, FETCH_BARS.get(name) if is_held and is_at_its_size else None, is_speedup=is_speedup)
