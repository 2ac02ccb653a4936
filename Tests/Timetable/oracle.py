#!/usr/bin/env python3
"""Compares answers about departures with a brute-force expansion of the feed (timetable.py).

    python3 oracle.py ask FEED STOP_ID INSTANT SECONDS [--arrivals]
    python3 oracle.py compare FEED STORE [FEED STORE …] [--questions=100] [--seed=1] [--program=fetch-gtfs]

`ask` prints the answer as JSON; INSTANT is ISO 8601 with an offset. `compare` asks the store by the SQL recipe, and with
--program also by `fetch-gtfs STORE departures`. It asks about random stops and stations at random instants, and around midnights, clock changes,
and the beginning and end of calendars. Prints each disagreement; exit code 1 if there is one.
"""
import datetime
import json
import os
import pathlib
import random
import sqlite3
import subprocess
import sys
import zoneinfo

import timetable

SCHEMA = pathlib.Path(__file__).resolve().parents[2] / "schema"
sys.path.insert(0, str(SCHEMA / "samples"))
import departures as recipe

UTC = datetime.timezone.utc
LENGTHS = [60, 1200, 1200, 3600, 3600, 7200, 6 * 3600, 30 * 3600]
SHOWN = [
    "instant", "service_date", "service_time", "trip_id", "stop_sequence", "stop_id", "route_id", "route_short_name",
    "headsign", "platform_code", "pickup_type", "interpolated", "frequency",
]


# ---- questions -------------------------------------------------------------------------------------------------------

class Questions:
    def __init__(self, table, seed):
        self.table, self.random = table, random.Random(seed)
        served = table.by_stop()
        self.calls, self.served = served, sorted(served)
        self.stations = sorted(s for s, row in table.stops.items() if row[1] == 1)
        self.all = sorted(table.stops)
        self.zones = sorted({row[1] for row in table.routes.values()}) or ["UTC"]
        self.instants = self.special_instants()
        self.latest = max((c.departure for t in table.trips.values() for c in t.calls if c.departure is not None), default=0)

    def days(self):
        days = set()
        for start, end, week, exceptions in self.table.services.values():
            if start and end and start <= end and any(week):
                days |= {start, end}
            days |= {day for day, kind in exceptions.items()}
        return sorted(days) or [datetime.date(2026, 1, 1)]

    def special_instants(self):
        days = self.days()
        self.first, self.last = days[0], days[-1]
        special = []
        for zone in self.zones:
            clock = zoneinfo.ZoneInfo(zone)
            edges = days if len(days) < 400 else self.random.sample(days, 400)
            special += [midnight(clock, day) for day in edges] + [midnight(clock, days[0]), midnight(clock, days[-1])]
            day, end = max(days[0], datetime.date(1971, 1, 1)), min(days[-1], datetime.date(2040, 1, 1))
            while day < end:
                if midnight(clock, day) + 86_400 != midnight(clock, day + timetable.DAY):
                    special += [midnight(clock, day) + hour * 1800 for hour in range(0, 10)] * 3
                day += timetable.DAY
        return special

    def next(self):
        pick = self.random.random()
        stops = self.stations if self.stations and pick < 0.25 else self.served if self.served and pick < 0.95 else self.all
        stop = self.random.choice(stops)
        length, arrivals = self.random.choice(LENGTHS), self.random.random() < 0.4
        moment = self.of_a_call(stop, arrivals) if self.random.random() < 0.4 else None
        if moment is not None:
            # The window contains the stop time, or begins or ends with it.
            return stop, moment - self.random.choice([0, 1, length - 1, length, self.random.randrange(length)]), length, arrivals
        if self.random.random() < 0.6:
            day = self.random_day()
            instant = midnight(zoneinfo.ZoneInfo(self.random.choice(self.zones)), day)
            if self.random.random() < 0.7:
                # Most trips run in the daytime.
                instant += self.random.randrange(5 * 3600, 23 * 3600)
        else:
            instant = self.random.choice(self.instants)
        instant += self.random.choice([0, 0, self.random.randrange(-7200, 7200), self.random.randrange(-60, 60)])
        return stop, instant, length, arrivals

    def random_day(self):
        span = max((min(self.last, datetime.date(2100, 1, 1)) - self.first).days, 0) + 3
        return self.first + datetime.timedelta(self.random.randrange(span) - 1)

    def of_a_call(self, stop, arrivals):
        """The instant of a call at the stop on a day on which it happens; None if twenty random days had none."""
        calls = self.calls.get(stop)
        if not calls:
            return None
        call = self.random.choice(calls)
        times = self.table.times(call, arrivals)
        for _ in range(20):
            day = self.random_day()
            if times and self.table.runs(call.trip.service, day):
                return timetable.noon(self.table.zone_of(call), day) - 43_200 + self.random.choice(times)[0]
        return None


def midnight(zone, day):
    return int(datetime.datetime(day.year, day.month, day.day, tzinfo=zone).timestamp())


# ---- answers of the store --------------------------------------------------------------------------------------------

def iso(instant):
    return datetime.datetime.fromtimestamp(instant, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def by_recipe(store, stop, instant, seconds, arrivals):
    answer = []
    for row in recipe.departures(store, stop, instant, seconds, "arrivals" if arrivals else "departures"):
        time = row["arrival_time" if arrivals else "departure_time"]
        hours = f"{'-' if time < 0 else ''}{abs(time) // 3600:02}:{abs(time) // 60 % 60:02}:{abs(time) % 60:02}"
        answer.append({
            **row, "instant": iso(row["instant"]), "service_date": str(row["service_date"]), "service_time": hours,
            "interpolated": bool(row["interpolated"])})
    return answer


def by_program(program, store, stop, instant, seconds, arrivals):
    command = [program, store, "departures", stop, "--from", iso(instant), "--within", str(seconds), "--limit", "0",
               "--format", "json"] + (["--arrivals"] if arrivals else [])
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        return [{"error": run.stderr.strip()}]
    return json.loads(run.stdout or "[]")


def comparable(answer, fields):
    """The fields of each row of the program's answer. A field that a row lacks is not the same as one without a value."""
    return [[row.get(field, "(no such field)") for field in fields] for row in answer]


def compare(path, store_path, count, seed, program):
    table = timetable.Timetable(path)
    questions = Questions(table, seed)
    store = sqlite3.connect(f"file:{store_path}?mode=ro", uri=True)
    wrong = answers = 0
    for number in range(count):
        question = questions.next()
        answer = table.answer(*question)
        answers += len(answer)
        ways = [("SQL", by_recipe(store, *question), SHOWN)]
        if program:
            # SQLite knows no time zones, so the recipe returns no local time.
            ways.append(("program", by_program(program, store_path, *question), SHOWN + ["local"]))
        for way, given, fields in ways:
            # The oracle's own rows have every field.
            expected, found = [[row[field] for field in fields] for row in answer], comparable(given, fields)
            if found != expected:
                wrong += 1
                if wrong <= 5:
                    report(way, question, expected, found)
    name = os.path.basename(path)
    print(f"{name}: {count} questions, {answers} calls, {wrong} disagreements", flush=True)
    return wrong


def report(way, question, expected, found):
    stop, instant, seconds, arrivals = question
    print(f"{way}: {stop} from {iso(instant)} for {seconds} s, {'arrivals' if arrivals else 'departures'}:")
    print(f"  {len(expected)} expected, {len(found)} found")
    for row in [row for row in expected if row not in found][:3]:
        print(f"  missing   {row}")
    for row in [row for row in found if row not in expected][:3]:
        print(f"  too much  {row}")
    if sorted(map(str, expected)) == sorted(map(str, found)):
        place = next(i for i, (a, b) in enumerate(zip(expected, found)) if a != b)
        print(f"  in another order from {place} on: {expected[place]} / {found[place]}")


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    options = dict(a[2:].partition("=")[::2] for a in sys.argv[1:] if a.startswith("--"))
    if len(arguments) == 5 and arguments[0] == "ask":
        start = int(datetime.datetime.fromisoformat(arguments[3].replace("Z", "+00:00")).timestamp())
        answer = timetable.Timetable(arguments[1]).answer(arguments[2], start, int(arguments[4]), "arrivals" in options)
        print(json.dumps(answer, ensure_ascii=False, indent=1))
    elif len(arguments) >= 3 and len(arguments) % 2 == 1 and arguments[0] == "compare":
        count, seed = int(options.get("questions", 100)), int(options.get("seed", 1))
        pairs = zip(arguments[1::2], arguments[2::2])
        sys.exit(1 if sum([compare(feed, store, count, seed, options.get("program")) for feed, store in pairs]) else 0)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main()
