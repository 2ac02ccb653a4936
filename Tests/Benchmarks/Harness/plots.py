"""Draws lines over two logarithmic axes, as SVG."""
import math
from html import escape
from statistics import median

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 640, 400, 70, 150, 40, 50
COLORS = ["#d7301f", "#2b6cb0", "#4a4a4a", "#2f855a", "#b7791f"]


class Axis:
    """From the power of ten below the least value to that above the greatest; from one edge of the plot to the other."""

    def __init__(self, values, start, end):
        self.low = math.floor(math.log10(min(values)) + 1e-9)
        self.high = max(math.ceil(math.log10(max(values)) - 1e-9), self.low + 1)
        self.start, self.end = start, end

    def place(self, value):
        share = (math.log10(value) - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 1)

    @property
    def ticks(self):
        return [10.0 ** power for power in range(self.low, self.high + 1)]


def tick_label(value):
    for size, suffix in ((1e6, " M"), (1e3, " k")):
        if value >= size:
            return f"{value / size:g}{suffix}"
    return f"{value:g}"


def text(x, y, words, anchor="middle", extra=""):
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}" {extra}>{escape(words)}</text>'


def apart(heights, gap=14):
    """Heights of names, so far from each other that none covers another."""
    placed = list(heights)
    order = sorted(range(len(placed)), key=placed.__getitem__)
    for upper, lower in zip(order, order[1:]):
        placed[lower] = max(placed[lower], placed[upper] + gap)
    return placed


def plot(title, x_name, y_name, lines, are_connected=True):
    """`lines`: (name, [(x, y), …]), all above 0."""
    points = [point for _, line in lines for point in line]
    x_axis = Axis([x for x, _ in points], LEFT, WIDTH - RIGHT)
    y_axis = Axis([y for _, y in points], HEIGHT - BOTTOM, TOP)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        text(LEFT, 22, title, "start", 'font-size="15" font-weight="bold"'),
        text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12, x_name),
        text(16, (TOP + HEIGHT - BOTTOM) / 2, y_name, extra=f'transform="rotate(-90 16 {(TOP + HEIGHT - BOTTOM) / 2})"'),
    ]
    for tick in x_axis.ticks:
        x = x_axis.place(tick)
        parts.append(f'<line x1="{x}" y1="{TOP}" x2="{x}" y2="{HEIGHT - BOTTOM}" stroke="#ddd"/>')
        parts.append(text(x, HEIGHT - BOTTOM + 17, tick_label(tick)))
    for tick in y_axis.ticks:
        y = y_axis.place(tick)
        parts.append(f'<line x1="{LEFT}" y1="{y}" x2="{WIDTH - RIGHT}" y2="{y}" stroke="#ddd"/>')
        parts.append(text(LEFT - 8, y + 4, tick_label(tick), "end"))
    # Each name stands beside the dot furthest to the right.
    name_ys = apart([y_axis.place(max(line)[1]) for _, line in lines])
    for (name, line), color, name_y in zip(lines, COLORS, name_ys):
        places = [(x_axis.place(x), y_axis.place(y)) for x, y in sorted(line)]
        if are_connected:
            parts.append(f'<polyline points="{" ".join(f"{x},{y}" for x, y in places)}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts += [f'<circle cx="{x}" cy="{y}" r="3.5" fill="{color}"/>' for x, y in places]
        parts.append(text(places[-1][0] + 10, name_y + 4, name, "start", f'fill="{color}"'))
    return "\n".join(parts + ["</svg>"]) + "\n"


def import_lines(results, figure, scale):
    lines = {}
    for run in results["runs"]:
        if run["size"] != "50 kB" and "order" not in run:
            lines.setdefault(run["contender"], []).append((run["stop_times"], median(run[figure]) / scale))
    return list(lines.items())


def write(folder, results):
    """Every plot that the results have figures for."""
    folder.mkdir(parents=True, exist_ok=True)
    if "import" in results:
        for name, figure, scale, unit in (("time", "seconds", 1, "s"), ("memory", "peak_memory", 1e6, "MB"), ("size", "bytes", 1e6, "MB")):
            lines = import_lines(results["import"], figure, scale)
            (folder / f"import-{name}.svg").write_text(plot(f"Import: {name}", "stop times", f"{name} in {unit}", lines))
    if "agencies" in results and results["agencies"]["runs"]:
        runs = results["agencies"]["runs"]
        lines = [
            (name, [(run["rows"], run["rows"] / median(run[name])) for run in runs if run["rows"]]) for name in ("plain sqlite3", "import-gtfs")
        ]
        dots = plot("Agencies' feeds: a dot a feed", "rows of the feed", "rows a second", lines, are_connected=False)
        (folder / "agencies.svg").write_text(dots)
    if "fetch" in results:
        boxes = [
            contest for contest in results["fetch"]["contests"]
            if contest["name"] == "box of 800 m" and not contest.get("is_cold")
        ]
        lines = [
            (boxes[0]["sides"][side], [(box["stops"], median(box["microseconds"][side])) for box in boxes]) for side in (0, 1)
        ]
        (folder / "fetch-by-stops.svg").write_text(plot("Box of 800 m", "stops in the store", "µs a fetch", lines))
