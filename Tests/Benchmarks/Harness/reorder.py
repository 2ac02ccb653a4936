#!/usr/bin/env python3
"""Writes a made-up feed again with its stop times in another order: reorder.py FEED.zip OUT.zip trips|rows

trips  whole trips in any order, each with its calls in sequence, as most agencies' exports have them
rows   each row somewhere else

The same arguments give the same rows. For feeds of make_feed.py: each line is a row and begins with its trip.
"""
import random
import sys
import zipfile
from itertools import groupby

STOP_TIMES = "stop_times.txt"


def reordered(rows, order):
    shuffle = random.Random(11).shuffle
    if order == "trips":
        trips = [list(calls) for _, calls in groupby(rows, key=lambda row: row[:row.index(b",")])]
        shuffle(trips)
        return [row for calls in trips for row in calls]
    shuffle(rows)
    return rows


def write(feed, path, order):
    with zipfile.ZipFile(feed) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as target:
        for name in source.namelist():
            content = source.read(name)
            if name == STOP_TIMES:
                header, *rows = content.splitlines(keepends=True)
                content = b"".join([header] + reordered(rows, order))
            entry = zipfile.ZipInfo(name, (2026, 11, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            target.writestr(entry, content)


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[3] not in ("trips", "rows"):
        sys.exit(__doc__)
    write(*sys.argv[1:])
