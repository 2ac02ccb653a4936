"""Formats figures as tables: as text for a terminal, and as Markdown for a page."""
from dataclasses import replace

from machine import sentence


def number(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 20 else f"{value:.2f}"


def cells(figure):
    unit = f" {figure.unit}" if figure.unit else ""
    bar = f"{'≥' if figure.is_speedup else '≤'} {figure.bar[0]:g}{unit}" if figure.bar else ""
    beyond = f"{figure.bar[1]:g}{unit}" if figure.bar else ""
    spread = f"{number(min(figure.values))} to {number(max(figure.values))}"
    return [figure.name, bar, beyond, number(figure.median) + unit, spread, figure.verdict]


def header(figures):
    return ["", "bar", "beyond", "median", figures[0].of if figures else "rounds", ""]


def text_table(rows):
    """Columns in line, the first to the left, the others to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "\n".join(
        "  ".join(cell.ljust(width) if column == 0 else cell.rjust(width) for column, (cell, width) in enumerate(zip(row, widths))).rstrip()
        for row in rows)


def text(title, figures):
    return f"{title}\n\n{text_table([header(figures)] + [cells(figure) for figure in text_with_cold(figures)])}\n"


def text_with_cold(figures):
    """Figures, each followed by its cold one."""
    for figure in figures:
        yield figure
        if figure.cold:
            yield replace(figure.cold, name=f"{figure.name}, cold")


def page_cells(figure):
    """As `cells`, with a median that misses its bar in bold and said so."""
    row = cells(figure)
    return row[:3] + [f"**{row[3]}, missed**" if row[5] == "missed" else row[3]] + row[4:]


def markdown_with_cold(title, figures):
    lines = [f"| {title} | bar | median | rounds | cold: bar | median | rounds |", "|---|--:|--:|--:|--:|--:|--:|"]
    for figure in figures:
        name, bar, _, median, spread, _ = page_cells(figure)
        cold = page_cells(figure.cold) if figure.cold else [""] * 6
        lines.append(f"| {name} | {bar} | {median} | {spread} | {cold[1]} | {cold[3]} | {cold[4]} |")
    return "\n".join(lines) + "\n"


def markdown_grid(figures):
    """Medians in rows and columns. All figures have the same bar."""
    rows, columns = (list(dict.fromkeys(figure.cell[place] for figure in figures)) for place in (0, 1))
    medians = {figure.cell: page_cells(figure)[3] for figure in figures}
    title = f"Such a table with a fault in each row, against the same without; bar {page_cells(figures[0])[1]}"
    lines = [f"| {' | '.join([title] + columns)} |", "|---|" + "--:|" * len(columns)]
    lines += [f"| {' | '.join([row] + [medians.get((row, column), '') for column in columns])} |" for row in rows]
    return "\n".join(lines) + "\n"


def markdown(title, figures):
    gridded = [figure for figure in figures if figure.cell]
    if gridded:
        return markdown(title, [figure for figure in figures if not figure.cell]) + "\n" + markdown_grid(gridded)
    if any(figure.cold for figure in figures):
        return markdown_with_cold(title, figures)
    lines = [f"| {title} | {' | '.join(header(figures)[column] for column in (1, 3, 4))} |", "|---|--:|--:|--:|"]
    for figure in figures:
        name, bar, _, median, spread, _ = page_cells(figure)
        lines.append(f"| {name} | {bar} | {median} | {spread} |")
    return "\n".join(lines) + "\n"


BEGIN, END = "<!-- benchmarks: written by make bench -->", "<!-- end of benchmarks -->"


def write_block(page, machine, tables):
    """Replaces what stands between the two markers of a page."""
    before, rest = page.read_text().split(BEGIN)
    after = rest.split(END)[1]
    block = "\n".join(tables) + f"\n{sentence(machine)}.\n"
    page.write_text(f"{before}{BEGIN}\n{block}{END}{after}")
