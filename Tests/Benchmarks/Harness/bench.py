#!/usr/bin/env python3
"""Runs the benchmarks: bench.py import | agencies | side | fetch | all | counts | check

`agencies` imports every feed of the folder that GTFS_FEEDS names. `all` runs all races and writes their results into the committed files: results.json, plots and the table in README.md.
"""
import json
import sys

import agency_race
import counts
import fetch_race
import figures
import import_race
import machine
import plots
import report
import side_race
from processes import Failure
from settings import BENCHMARKS, FOLDER, PROJECT, ROUNDS, SIZES, STOPS, say

TITLES = {
    "import": ("Import", figures.import_figures),
    "agencies": ("Agencies' feeds, against plain sqlite3", figures.agency_figures),
    "side": ("Long side tables in small feeds", figures.side_figures),
    "fetch": ("Fetch", figures.fetch_figures),
}


def measure(parts, sizes, rounds, fetches, stops, side_rows=side_race.ROWS):
    FOLDER.mkdir(parents=True, exist_ok=True)
    results = {"machine": machine.description()}
    if "import" in parts:
        results["import"] = import_race.race(sizes, rounds)
    if "agencies" in parts and agency_race.zips():
        results["agencies"] = agency_race.race()
    if "side" in parts:
        results["side"] = side_race.race(rounds, side_rows)
    if "fetch" in parts:
        results["fetch"] = fetch_race.race(sizes[0], rounds, fetches, stops)
    return results


def show(results):
    print(f"{machine.sentence(results['machine'])}\n")
    for part, (title, figures_of) in TITLES.items():
        if part in results:
            print(report.text(f"{title}: a ratio is our figure by theirs", list(figures_of(results[part]))))


def write(results, folder):
    """Results as JSON, and plots."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    plots.write(folder / "plots", results)
    say(f"written: {folder}/results.json and plots")


def write_readme(results, page):
    """The figures that have a bar, and limits of the machine; all figures are printed."""
    tables = [
        report.markdown(title, [figure for figure in figures_of(results[part]) if figure.bar or figure.is_limit])
        for part, (title, figures_of) in TITLES.items() if part in results
    ]
    report.write_block(page, results["machine"], tables)


def check():
    """Everything once at tiny sizes: programs run, both sides of every contest find the same, results become pages."""
    results = measure(("import", "side", "fetch"), [0.02, 0.04], 2, 100, [20_000], side_rows=2_000)
    show(results)
    folder = FOLDER / "check"
    write(results, folder)
    page = folder / "README.md"
    page.write_text((PROJECT / "README.md").read_text())
    write_readme(results, page)


def main(command):
    if command == "counts":
        FOLDER.mkdir(parents=True, exist_ok=True)
        return 0 if counts.compare() else 1
    if command == "check":
        check()
        return 0
    parts = {
        "import": ["import"], "agencies": ["agencies"], "side": ["side"], "fetch": ["fetch"],
        "all": ["import", "agencies", "side", "fetch"],
    }.get(command)
    if not parts:
        say(__doc__)
        return 64
    results = measure(parts, SIZES, ROUNDS, 2_000, STOPS)
    show(results)
    write(results, BENCHMARKS if command == "all" else FOLDER)
    if command == "all":
        write_readme(results, PROJECT / "README.md")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1] if len(sys.argv) == 2 else ""))
    except Failure as failure:
        say(f"bench: {failure}")
        sys.exit(1)
