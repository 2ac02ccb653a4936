"""Races small feeds with one long side table: our import against plain sqlite3, and a notice on each row against none."""
import sqlite3
from contextlib import closing

import feeds
import side_feeds
from import_race import OURS, PLAIN, contenders, place_for_result
from processes import Failure, measured
from settings import say

ROWS = 500_000
# Notices that follow from a fault: trips of unknown shapes leave the others unused, equal frequencies overlap, and of calls that
# come twice, half of the trips have none.
FOLLOWING = {
    ("trips", "unknown"): ["unused_shape"],
    ("frequencies", "twice"): ["overlapping_frequency"],
    ("stop_times", "twice"): ["unsorted_stop_times", "unusable_trip", "unused_trip"],
}
# Notices that a sound file has as well: no stop time names these trips and stops, no trip these shapes, and some trips are too fast.
ALWAYS = {
    "trips": ["unused_trip", "unusable_trip"],
    "stops": ["stop_without_stop_time"],
    "stop_times": ["stop_without_stop_time", "fast_travel_between_consecutive_stops", "fast_travel_between_far_stops"],
    "shapes": ["unused_shape"],
}


def race(rounds, rows=ROWS):
    """Seconds of ours for every table and fault, and of plain sqlite3 for the tables without one."""
    commands, _ = contenders()
    runs = {
        (table, fault, name): {"table": table, "fault": fault, "contender": name, "rows": rows, "seconds": [], "cpu_seconds": []}
        for table, fault in [(table, fault) for table in side_feeds.TABLES for fault in (None, *side_feeds.FAULTS)]
        + [(form, None) for form in side_feeds.FORMS]
        for name in ((OURS, PLAIN) if fault is None and PLAIN in commands else (OURS,))
    }
    for turn in range(rounds):
        say(f"side tables: round {turn + 1} of {rounds}")
        for (table, fault, name), run in runs.items() if turn % 2 == 0 else reversed(runs.items()):
            out = place_for_result()
            result = measured(*commands[name], feeds.side_feed(table, rows, fault), out)
            if fault:
                check_notices(out, table, fault, rows)
            for figure in ("seconds", "cpu_seconds"):
                run[figure].append(result[figure])
    return {"rounds": rounds, "runs": list(runs.values())}


def check_notices(store, table, fault, rows):
    """One fault in a row makes one notice: a second one would be measured with it."""
    with closing(sqlite3.connect(store)) as connection:
        found = dict(connection.execute("SELECT code, count FROM notice_total WHERE count > 1"))
    for code in FOLLOWING.get((table, fault), []) + ALWAYS.get(table, []):
        found.pop(code, None)
    faulty = rows // 2 if fault == "twice" else rows
    if list(found.values()) != [faulty]:
        raise Failure(f"{table}, fault {fault}: {found} in place of {faulty} notices of one kind")
