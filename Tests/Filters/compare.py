"""Compares stores that import-gtfs filters with stores of feeds that Python has filtered (filters.py).

    python3 compare.py IMPORT_GTFS FEED FOLDER [--tries=N] [--seed=N] [--choice=JSON]

For each try: chooses options at random (or takes those given), filters the feed's files, imports what is left without
options, imports the whole feed with the options, and compares the contents of every table of the two stores. Ends with 1 if they
differ.
"""

import collections
import json
import os
import pathlib
import random
import shlex
import shutil
import sqlite3
import subprocess
import sys

from filters import Feed, filter_feed, is_date, number, records


def random_choice(feed, random):
    choice = {}
    kinds = random.sample(["routes", "agencies", "dates", "box"], random.choice([1, 1, 2, 3]))
    ids = sorted({row("route_id") for row in feed.rows("routes.txt")} - {""})
    if "routes" in kinds and ids:
        choice["routes"] = random.sample(ids, min(len(ids), random.randint(1, 5)))
    ids = sorted({row("agency_id") for row in feed.rows("agency.txt")} - {""})
    if "agencies" in kinds and ids:
        choice["agencies"] = random.sample(ids, random.randint(1, max(1, len(ids) // 2)))
    if "dates" in kinds:
        days = [row("date") for row in feed.rows("calendar_dates.txt")]
        days += [row(field) for row in feed.rows("calendar.txt") for field in ("start_date", "end_date")]
        first = random.choice([day for day in days if is_date(day)] or ["20260101"])
        choice["dates"] = (first, str(int(first[:6]) * 100 + 31) if random.random() < 0.3 else first)
        if not is_date(choice["dates"][1]):
            choice["dates"] = (first, first)
    if "box" in kinds or not choice:
        places = [(number(row("stop_lat")), number(row("stop_lon"))) for row in feed.rows("stops.txt")]
        places = [place for place in places if None not in place and abs(place[0]) < 89 and abs(place[1]) < 179]
        latitude, longitude = random.choice(places or [(0.0, 0.0)])
        reach = random.choice([0.0005, 0.005, 0.05, 0.5])
        choice["box"] = [round(value, 6) for value in (
            latitude - reach, longitude - reach, latitude + reach, longitude + reach)]
    return choice


def quoted(ids):
    return ",".join('"' + id.replace('"', '""') + '"' for id in ids)


def arguments(choice):
    words = []
    for kind in ("routes", "agencies"):
        if kind in choice:
            words += ["--" + kind, quoted(choice[kind])]
    if "dates" in choice:
        words += ["--dates", "..".join(choice["dates"])]
    if "box" in choice:
        words += ["--box", ",".join(map(str, choice["box"]))]
    return words


# Comparing

# Queries that give each row by the IDs of the feed. The keys of the tables are row numbers, which may differ.
SUPPORTING = {
    "search_term": "SELECT normalized_word, stop_id FROM search_term JOIN stop ON stop.id = stop",
    "search_spelling": "SELECT s.normalized_word, stop_id FROM search_spelling AS s JOIN stop ON stop.id = s.stop",
    "service_day": "SELECT date, service_id FROM service_day JOIN service USING (day_set)",
    "stop_departures": "SELECT stop_id, departures FROM stop_departures JOIN stop ON stop.id = stop",
    "frequency_call": "SELECT stop_id, trip_id, stop_sequence, arrival, departure FROM frequency_call "
                      "JOIN stop ON stop.id = stop JOIN trip ON trip.id = trip",
    "stop_time": "SELECT trip_id, stop_sequence, arrival_time, departure_time, filled_times FROM stop_time "
                 "JOIN trip ON trip.id = trip",
    "service": "SELECT service_id, in_calendar FROM service",
    "shape": "SELECT shape_id FROM shape",
    "route": "SELECT route_id, timezone FROM route",
    "kept_value": 'SELECT "table", "column", value FROM kept_value',
    "extra_cell": "SELECT file, position, value FROM extra_cell",
    "extra_file": "SELECT name, part, bytes FROM extra_file",
    "feed": "SELECT start_date, end_date, stop_count, route_count, trip_count, stop_time_count, latest_time, "
            "longest_dwell, shortest_dwell, timezone FROM feed",
    "feed_file": "SELECT name, row_count, kept_row_count FROM feed_file",
}


# Notices about the zip, folders, blank lines and odd quotes, which Python's copy of the files lacks.
OF_THE_FORM = {"container_anomaly", "invalid_input_files_in_subfolder", "empty_row", "csv_parsing_failed"}


def rules_about_whole_feeds():
    """The notices of rules that need every row of the feed, so that an import with a filter does not give them."""
    rules = (pathlib.Path(__file__).resolve().parents[2] / "schema" / "rules.tsv").read_text().splitlines()
    needs = rules[0].split("\t").index("needs")
    return {rule.split("\t")[0] for rule in rules[1:] if "everything" in rule.split("\t")[needs].split("; ")}


def notices(store):
    left_out = OF_THE_FORM | rules_about_whole_feeds()
    rows = store.execute("SELECT code, severity, count FROM notice_total")
    return collections.Counter({(code, severity): count for code, severity, count in rows if code not in left_out})


def expected_notices(store, filtered, whole):
    """Those of the feed that Python has filtered, where the importer knows more of the whole feed: a file that the filter
    emptied is not missing, and a feed has several agencies even if the filter keeps one."""
    expected = notices(store)
    emptied = {name for name, in filtered.execute("SELECT name FROM feed_file WHERE row_count = 0 AND left_out_count > 0")}
    has_one_agency, = store.execute("SELECT count(*) = 1 FROM agency").fetchone()
    for code, file, field in store.execute("SELECT code, file, field FROM notice").fetchall():
        if code == "missing_recommended_file" and file in emptied:
            expected[code, "WARNING"] -= 1
        if code == "missing_recommended_field" and field == "agency_id" and has_one_agency and whole["agency.txt"] > 1:
            expected[code, "WARNING"] -= 1
            expected["missing_required_agency_id", "ERROR"] += 1
    return +expected


def content(store, query):
    def plain(value):
        # Compares the numbers of outlines, not their spelling.
        if isinstance(value, str) and value.startswith("{") and '"coordinates"' in value:
            return json.dumps(json.loads(value))
        return value

    return collections.Counter(tuple(map(plain, row)) for row in store.execute(query))


def differences(filtered, expected, whole):
    # Texts of kept rows are compared below: Python writes other quotes, and other rows precede them.
    views = sorted(name for (name,) in expected.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'view' AND name <> 'kept_row'"))
    for name, query in ({view: f'SELECT * FROM "{view}"' for view in views} | SUPPORTING).items():
        left, right = content(filtered, query), content(expected, query)
        if left != right:
            yield f"{name}: too much {list((left - right).items())[:3]}, missing {list((right - left).items())[:3]}"

    left, right = notices(filtered), expected_notices(expected, filtered, whole)
    if left != right:
        yield f"notice_total: too much {dict(left - right)}, missing {dict(right - left)}"

    def kept(store):
        return collections.Counter(
            (file, reason, tuple(next(records(text), ())))
            for file, reason, text in store.execute("SELECT file, reason, text FROM kept_row"))

    if kept(filtered) != kept(expected):
        yield f"kept_row: {list((kept(filtered) - kept(expected)).items())[:3]}"


def soundness(store):
    for row in store.execute("PRAGMA integrity_check"):
        if row != ("ok",):
            yield f"integrity: {row}"
    for row in store.execute("PRAGMA foreign_key_check"):
        yield f"foreign key: {row}"


def counted(store):
    return dict(store.execute("SELECT name, row_count FROM feed_file"))


def one_try(program, path, folder, choice, whole):
    """Yields what is wrong, a line each. `whole` has the number of rows of each file of the whole feed."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    feed = Feed(path)
    has_trips = filter_feed(feed, choice) and bool(feed.rows("stop_times.txt"))
    store = os.path.join(folder, "filtered.sqlite")
    run = subprocess.run([program, path, store, "--quiet", *arguments(choice)], capture_output=True, text=True)
    if not has_trips:
        if run.returncode != 65 or ", no trip " not in run.stderr:
            yield f"exit code {run.returncode} where nothing is left: {run.stderr}"
        return
    if run.returncode != 0:
        yield f"exit code {run.returncode}: {run.stderr}"
        return
    feed.write(os.path.join(folder, "feed"))
    expected = os.path.join(folder, "expected.sqlite")
    subprocess.run([program, os.path.join(folder, "feed"), expected, "--quiet"], check=True)
    filtered, expected = sqlite3.connect(store), sqlite3.connect(expected)
    for connection in (filtered, expected):
        connection.text_factory = lambda raw: raw.decode("utf-8", "surrogateescape")
    yield from differences(filtered, expected, whole)
    yield from soundness(filtered)
    for name, rows, left in filtered.execute("SELECT name, row_count, left_out_count FROM feed_file"):
        if rows + left != whole.get(name):
            yield f"{name}: {rows} rows and {left} left out are not {whole.get(name)}"


def compare(program, path, folder, tries, seed, given):
    os.makedirs(folder, exist_ok=True)
    store = os.path.join(folder, "whole.sqlite")
    subprocess.run([program, path, store, "--quiet"], check=True)
    connection = sqlite3.connect(store)
    whole = counted(connection)
    connection.close()
    faults = 0
    feed = Feed(path)
    for number_of_try in range(tries):
        choice = given or random_choice(feed, random.Random(f"{seed} {number_of_try}"))
        for fault in one_try(program, path, os.path.join(folder, "try"), choice, whole):
            faults += 1
            print(f"{path} {shlex.join(arguments(choice))}: {fault}")
    print(f"{path}: {tries} tries, {faults} differences")
    return faults


def main():
    options = dict(word[2:].split("=", 1) for word in sys.argv[1:] if word.startswith("--"))
    program, path, folder = [word for word in sys.argv[1:] if not word.startswith("--")][:3]
    given = json.loads(options["choice"]) if "choice" in options else None
    faults = compare(program, path, folder, int(options.get("tries", 1)), options.get("seed", "1"), given)
    return 1 if faults else 0


sys.exit(main())
