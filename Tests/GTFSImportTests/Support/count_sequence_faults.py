#!/usr/bin/env python3
"""Counts faults of calls and points in a feed, by brute force, and compares them with the notices of a store.

    count_sequence_faults.py FEED.zip STORE

Prints each code whose counts differ. Knows of the store only its table notice_total.
"""
import collections
import csv
import io
import math
import os
import re
import sqlite3
import sys
import zipfile

TIME = re.compile(r"(\d{1,3}):([0-5]\d):([0-5]\d)")


def rows(feed, name):
    """The rows of a file as dictionaries, without white space around names and values; none if the feed lacks it."""
    found = [path for path in feed.namelist() if os.path.basename(path).lower() == name and "__MACOSX" not in path]
    if not found:
        return
    lines = csv.reader(io.TextIOWrapper(feed.open(found[0]), encoding="utf-8-sig", errors="replace", newline=""))
    header = [column.strip() for column in next(lines, [])]
    for line in lines:
        cells = [cell.strip() for cell in line]
        if any(cells):
            yield collections.defaultdict(str, zip(header, cells))


def seconds(text):
    match = TIME.fullmatch(text)
    return match and int(match[1]) * 3600 + int(match[2]) * 60 + int(match[3])


def number(text):
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def by_sequence(lines, parent, sequence, parents=None):
    """The rows of each parent by their sequence. Of rows with one key the first counts."""
    groups = collections.defaultdict(dict)
    for row in lines:
        if row[sequence].isdigit() and row[parent] and (parents is None or row[parent] in parents):
            groups[row[parent]].setdefault(int(row[sequence]), row)
    return {name: [group[place] for place in sorted(group)] for name, group in groups.items()}


def count_calls(calls, counts):
    departure = distance = None
    for place, call in enumerate(calls):
        arrives, departs = call["arrival_time"], call["departure_time"]
        counts["stop_time_with_only_arrival_or_departure_time"] += bool(arrives) != bool(departs)
        counts["missing_timepoint_value"] += bool(arrives or departs) and "timepoint" in call and not call["timepoint"]
        has_window = call["start_pickup_drop_off_window"] or call["end_pickup_drop_off_window"]
        if not has_window and place in (0, len(calls) - 1):
            counts["missing_trip_edge"] += (not arrives) + (not departs)
        arrival = seconds(arrives)
        counts["stop_time_with_arrival_before_previous_departure_time"] += None not in (arrival, departure) and arrival < departure
        departure = seconds(departs) if seconds(departs) is not None else departure
        if call["stop_id"]:
            reached = number(call["shape_dist_traveled"])
            counts["decreasing_or_equal_stop_time_distance"] += None not in (reached, distance) and reached <= distance
            distance = reached


def count(feed):
    counts = collections.Counter()
    # A trip that is named twice is one trip.
    trips = {row["trip_id"] for row in rows(feed, "trips.txt")}
    calls = by_sequence(rows(feed, "stop_times.txt"), "trip_id", "stop_sequence", trips)
    for trip in trips:
        counts["unused_trip"] += trip not in calls
        counts["unusable_trip"] += len(calls.get(trip, [])) < 2
        count_calls(calls.get(trip, []), counts)
    for points in by_sequence(rows(feed, "shapes.txt"), "shape_id", "shape_pt_sequence").values():
        counts["single_shape_point"] += len(points) == 1
        distances = [number(point["shape_dist_traveled"]) for point in points]
        counts["decreasing_shape_distance"] += sum(
            None not in pair and pair[0] > pair[1] for pair in zip(distances, distances[1:])
        )
    return counts


def main(feed, store):
    with zipfile.ZipFile(feed) as archive:
        expected = count(archive)
    found = dict(sqlite3.connect(f"file:{store}?mode=ro", uri=True).execute("SELECT code, count FROM notice_total"))
    for code, times in sorted(expected.items()):
        if times != found.get(code, 0):
            print(f"{os.path.basename(feed)}: {code} {times} times, the store has {found.get(code, 0)}")
    print(f"{sum(expected.values())} faults counted")


if __name__ == "__main__":
    main(*sys.argv[1:])
