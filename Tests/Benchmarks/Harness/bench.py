#!/usr/bin/env python3
"""Runs the benchmarks: bench.py import | agencies | side | fetch | growth | all | counts | check

`agencies` imports every feed of the folder that GTFS_FEEDS names. `all` runs all races and writes their results into the committed
files: results.json, plots and the table in README.md. Without GTFS_FEEDS it keeps what these files have of the agencies' feeds.
"""
import json
import sys
import zipfile

import agency_race
import counts
import fetch_race
import figures
import growth_race
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
    "growth": ("Ten times the rows, questions and changes: processor time a unit of work", figures.growth_figures),
}


def measure(parts, sizes, rounds, fetches, stops, side_rows=side_race.ROWS, agencies_feeds=()):
    FOLDER.mkdir(parents=True, exist_ok=True)
    results = {"machine": machine.description()}
    if "import" in parts:
        results["import"] = import_race.race(sizes, rounds)
    if "agencies" in parts and agencies_feeds:
        results["agencies"] = agency_race.race(agencies_feeds)
    if "side" in parts:
        results["side"] = side_race.race(rounds, side_rows)
    if "fetch" in parts:
        results["fetch"] = fetch_race.race(sizes[0], rounds, fetches, stops)
    if "growth" in parts:
        results["growth"] = growth_race.race(sizes[0], rounds, max(10, fetches // 10))
    return results


def show(results):
    print(f"{machine.sentence(results['machine'])}\n")
    for part, (title, figures_of) in TITLES.items():
        if part in results:
            print(report.text(f"{title}: a ratio is our figure by theirs", list(figures_of(results[part]))))


def keep_agencies(results, path):
    """Adds the agencies' part of earlier results, with the machine that it was measured on, to results without it."""
    earlier = json.loads(path.read_text()) if path.exists() else {}
    if "agencies" not in results and "agencies" in earlier:
        kept = {"machine": earlier["machine"], **earlier["agencies"]}
        say(f"agencies' feeds: kept from {kept['machine']['date']} at {kept['machine']['commit']}")
        return {**results, "agencies": kept}
    return results


def write(results, folder):
    """Results as JSON, and plots."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "results.json").write_text(json.dumps(results, indent=1) + "\n")
    plots.write(folder / "plots", results)
    say(f"written: {folder}/results.json and plots")


def write_readme(results, page):
    """The figures that have a bar, and limits of the machine; all figures are printed."""
    tables = []
    for part, (title, figures_of) in TITLES.items():
        if part not in results:
            continue
        if "machine" in results[part]:
            machine_then = results[part]["machine"]
            title += f", measured on {machine_then['date']} at {machine_then['commit']}"
        tables.append(report.markdown(title, [figure for figure in figures_of(results[part]) if figure.bar or figure.is_limit]))
    report.write_block(page, results["machine"], tables)


def check():
    """Every race once at tiny sizes: programs run, both sides of every contest find the same, results become pages."""
    folder = FOLDER / "check"
    sample = zip_of_sample(folder / "feeds")
    results = measure(
        ("import", "agencies", "side", "fetch", "growth"), [0.02, 0.04], 2, 100, [20_000], side_rows=2_000, agencies_feeds=[sample])
    runs = results["agencies"]["runs"]
    if sqlite_takes_part(results) and [run["feed"] for run in runs] != [sample.stem]:
        raise Failure(f"the race of agencies' feeds ran {[run['feed'] for run in runs]}, not {sample.stem}")
    show(results)
    write(results, folder)
    page = folder / "README.md"
    page.write_text((PROJECT / "README.md").read_text())
    write_readme(results, page)


def sqlite_takes_part(results):
    return any(run["contender"] == import_race.PLAIN for run in results["import"]["runs"])


def zip_of_sample(folder):
    """A zip of the sample feed, with a long file of no meaning, so that its tables count as large."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "sample.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as feed:
        for file in sorted((PROJECT / "pipelines" / "sample-feed").iterdir()):
            feed.write(file, file.name)
        feed.writestr("padding.txt", "padding\n" + ("x" * 99 + "\n") * (agency_race.LEAST_BYTES // 100))
    return path


def main(command):
    if command == "counts":
        FOLDER.mkdir(parents=True, exist_ok=True)
        return 0 if counts.compare() else 1
    if command == "check":
        check()
        return 0
    parts = {
        "import": ["import"], "agencies": ["agencies"], "side": ["side"], "fetch": ["fetch"], "growth": ["growth"],
        "all": ["import", "agencies", "side", "fetch", "growth"],
    }.get(command)
    if not parts:
        say(__doc__)
        return 64
    agencies_feeds = agency_race.zips() if "agencies" in parts else []
    if command == "agencies" and not agencies_feeds:
        say("bench: agencies needs a folder with feeds: make bench-agencies GTFS_FEEDS=FOLDER, whose zips lie in it or in its folder real")
        return 64
    results = measure(parts, SIZES, ROUNDS, 2_000, STOPS, agencies_feeds=agencies_feeds)
    show(results)
    if command == "all":
        results = keep_agencies(results, BENCHMARKS / "results.json")
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
