#!/usr/bin/env python3
"""Compares what runs and what leaves with what two libraries of others say: libraries.py PROGRAMS FEEDS

partridge knows the services of each date, gtfs-kit the trips of a date and the timetable of a stop. FEEDS is a folder of zips, or has
them in its folder `real`. Ends with 1 if an answer differs, or if a library cannot read any feed.

The libraries decide otherwise where a feed contradicts itself, so what depends on such a file is not compared. Neither library
repeats trips by headway, so departures of feeds with frequencies.txt are not compared either.
"""
import csv
import io
import pathlib
import random
import sqlite3
import subprocess
import sys
import tempfile
import warnings
from collections import Counter, defaultdict

import gtfs_kit
import partridge

DATES, STOPS = 6, 6
TRIPS_OF_DATE = """SELECT trip_id FROM trip JOIN service ON service.id = trip.service
    WHERE day_set IN (SELECT day_set FROM service_day WHERE date = ?)"""
SERVICES = """SELECT date, service_id FROM service_day JOIN service USING (day_set)
    WHERE service.id IN (SELECT service FROM trip)"""
# Files with rows or times that are kept aside, or with days that are both added and removed.
DOUBTFUL = """SELECT file FROM kept_row
    UNION SELECT 'stop_times.txt' FROM kept_column WHERE table_name = 'stop_time' AND column_name LIKE '%_time'
    UNION SELECT 'calendar_dates.txt' FROM service_exception
    GROUP BY service, date HAVING count(DISTINCT exception_type) > 1"""


class Unreadable(Exception):
    """A library does not get along with the feed."""


def by_library(function, *arguments):
    """What a library answers. Whatever it throws says that it cannot read the feed."""
    try:
        return function(*arguments)
    except Exception as error:
        raise Unreadable(f"not read: {type(error).__name__}") from error


def seconds(clock):
    """Of H:MM or H:MM:SS; None for an empty cell."""
    parts = clock.split(":") if isinstance(clock, str) else []
    return sum(int(part) * unit for part, unit in zip(parts, (3600, 60, 1))) if len(parts) > 1 else None


class Comparison:
    """One feed, imported, and the answers of both sides."""

    def __init__(self, programs, feed, store):
        self.programs, self.feed, self.store = programs, feed, store
        self.faults, self.counts, self.answered = [], [], set()
        self.database = sqlite3.connect(f"file:{store}?immutable=1", uri=True)
        self.doubtful = {file for file, in self.database.execute(DOUBTFUL)}
        self.has_frequencies = self.database.execute("SELECT 1 FROM frequency").fetchone() is not None

    def run(self):
        doubtful = self.doubtful & {"calendar.txt", "calendar_dates.txt", "trips.txt"}
        if doubtful:
            return self.counts.append(f"not compared, because of {min(doubtful)}")
        for library, part in (("partridge", self.compare_services), ("gtfs-kit", self.compare_with_kit)):
            try:
                part()
                self.answered.add(library)
            except Unreadable as error:
                self.counts.append(f"({error})")

    def note(self, what, ours, theirs):
        """Counts a fault if two sets, or two counts, are not the same."""
        if ours != theirs:
            self.faults.append(f"{what}: only ours {list(ours - theirs)[:3]}, only theirs {list(theirs - ours)[:3]}")

    def compare_services(self):
        theirs = by_library(partridge.read_service_ids_by_date, str(self.feed))
        ours = defaultdict(set)
        for date, service in self.database.execute(SERVICES):
            ours[date].add(service)
        theirs = {int(date.strftime("%Y%m%d")): set(services) for date, services in theirs.items()}
        for date in sorted(ours.keys() | theirs.keys()):
            self.note(f"services of {date}", ours.get(date, set()), theirs.get(date, set()))
        self.counts.append(f"{len(theirs)} dates")

    def compare_with_kit(self):
        kit = by_library(lambda: gtfs_kit.read_feed(self.feed, dist_units="km"))
        dates = [str(date) for date, in self.database.execute("SELECT DISTINCT date FROM service_day ORDER BY date")]
        chance = random.Random(self.feed.name)
        chosen = sorted({*dates[:1], *dates[-1:], *chance.sample(dates, min(DATES - 2, len(dates)))})
        for date in chosen:
            ours = {trip for trip, in self.database.execute(TRIPS_OF_DATE, (int(date),))}
            self.note(f"trips of {date}", ours, set(by_library(kit.get_trips, date)["trip_id"]))
        self.counts.append(f"trips of {len(chosen)} dates")
        if not self.has_frequencies and "stop_times.txt" not in self.doubtful:
            self.compare_departures(kit, chosen, chance)

    def compare_departures(self, kit, dates, chance):
        last = kit.stop_times.groupby("trip_id")["stop_sequence"].max()
        stops = set(kit.stops["stop_id"])
        calls = Counter(stop for stop in kit.stop_times["stop_id"] if stop in stops)
        busiest = [stop for stop, _ in calls.most_common(STOPS // 2)]
        chosen = dict.fromkeys(busiest + chance.sample(sorted(calls), min(STOPS // 2, len(calls))))
        total = 0
        for date in dates:
            for stop in chosen:
                exact, approximate = self.departures(stop, date)
                table = by_library(kit.build_stop_timetable, stop, [date]).to_dict("records")
                theirs = Counter(
                    (call["trip_id"], seconds(call["departure_time"])) for call in table
                    if seconds(call["departure_time"]) is not None and call.get("pickup_type") != 1
                    and call["stop_sequence"] != last[call["trip_id"]])
                # The feed may call a time approximate, or may lack it.
                self.note(f"departures of {stop} on {date}", exact, theirs - approximate)
                total += (theirs & (exact + approximate)).total()
        self.counts.append(f"{total} departures")

    def departures(self, stop, date):
        """Trips and times, and apart from them those whose time is approximate."""
        printed = subprocess.run(
            [self.programs / "fetch-gtfs", self.store, "trips", stop, "--on", date, "--format", "csv"],
            capture_output=True, check=True, text=True).stdout
        exact, approximate = Counter(), Counter()
        for row in csv.DictReader(io.StringIO(printed)):
            if row["stop_id"] == stop:
                times = approximate if row["interpolated"] == "true" else exact
                times[row["trip_id"], seconds(row["service_time"])] += 1
        return exact, approximate


def main():
    warnings.filterwarnings("ignore")
    programs, folder = map(pathlib.Path, sys.argv[1:])
    folder = folder / "real" if (folder / "real").is_dir() else folder
    faulty, answered = 0, Counter({"partridge": 0, "gtfs-kit": 0})
    with tempfile.TemporaryDirectory() as place:
        for feed in sorted(folder.glob("*.zip")):
            store = pathlib.Path(place) / "store.sqlite"
            store.unlink(missing_ok=True)
            if subprocess.run([programs / "import-gtfs", "--quiet", feed, store], capture_output=True).returncode:
                print(f"{feed.name}: refused", flush=True)
                continue
            comparison = Comparison(programs, feed, store)
            comparison.run()
            answered.update(comparison.answered)
            faulty += bool(comparison.faults)
            print(f"{feed.name}: {', '.join(comparison.counts)}", *comparison.faults[:5], sep="\n    ", flush=True)
    print(f"{faulty} feeds with differences;", ", ".join(f"{library} answered for {n}" for library, n in answered.items()))
    sys.exit(1 if faulty or not all(answered.values()) else 0)


if __name__ == "__main__":
    main()
