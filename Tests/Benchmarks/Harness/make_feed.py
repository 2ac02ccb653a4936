#!/usr/bin/env python3
"""Writes a made-up feed in the shape of Berlin's: make_feed.py OUT.zip [--stop-times N] [--stops N] [--seed S]

The same arguments give the same rows. The first 12,800 stops lie in and around Berlin whatever the number of stops; those
beyond are spread over Europe without coming near, so that a box in Berlin finds the same stops in a feed of a million.
"""
import argparse
import random
import zipfile
from concurrent.futures import ThreadPoolExecutor

BERLIN_STOPS = 12_800
CALLS_PER_TRIP = 22
PATTERNS_PER_ROUTE = 4
TRIPS_PER_ROUTE = 130
ROWS_PER_WRITE = 20_000

STEMS = """Adlergestell Barbarossa Boxhagener Chaussee Danziger Dönhoff Eberswalder Flughafen Frankfurter Gesundbrunnen Gneisenau
Görlitzer Großbeeren Hasenheide Hönower Invaliden Jannowitz Jüdenhof Karlshorster Köllnische Kottbusser Leopold Lübars Mehring
Möckern Müggel Nollendorf Oranien Osloer Prenzlauer Rathaus Reuter Rüdesheimer Schlesische Schönhauser Sonnen Spandauer Strausberger
Treptower Turm Uhland Viktoria Warschauer Weißer Wittenberg Yorck Zeughof Zwiesel""".split()
KINDS = "straße str. platz allee damm ring weg ufer tor brücke markt chaussee steig eck".split()
PREFIXES = ["", "", "", "", "", "S ", "U ", "S+U ", "Haus "]
PLACES = ["(Berlin)"] * 3 + ["(Potsdam)", "(Barnim)", "(Havelland)", "(Oder-Spree)", "(Uckermark)", "(Dahmeland)"]


def clock_texts():
    """HH:MM:SS of every tenth second of two days, as writing them anew for each row takes most of the time."""
    return [f"{s // 3600:02d}:{s // 60 % 60:02d}:{s % 60:02d}" for s in range(0, 48 * 3600, 10)]


class FeedWriter:
    """A zip file that is deflated on one thread while the next rows are made on the other."""

    def __init__(self, path):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6)
        self.deflater = ThreadPoolExecutor(1)

    def write(self, name, header, rows):
        entry = zipfile.ZipInfo(name, (2026, 11, 1, 0, 0, 0))
        entry.compress_type = zipfile.ZIP_DEFLATED
        with self.zip.open(entry, "w", force_zip64=True) as file:
            pending, lines = None, [header]
            for row in rows:
                lines.append(row)
                if len(lines) >= ROWS_PER_WRITE:
                    if pending:
                        pending.result()
                    pending, lines = self.deflater.submit(file.write, self.text(lines)), []
            if pending:
                pending.result()
            file.write(self.text(lines))

    @staticmethod
    def text(lines):
        return ("\r\n".join(lines) + "\r\n").encode() if lines else b""

    def close(self):
        self.deflater.shutdown()
        self.zip.close()


class Feed:
    def __init__(self, stop_times, stops, seed):
        self.random = random.Random(seed)
        self.stop_random = random.Random(seed + 1)  # Stops are the same whatever the number of trips.
        self.stop_time_count, self.stop_count = stop_times, stops
        expected_trips = max(1, stop_times // CALLS_PER_TRIP)
        self.route_count = max(3, expected_trips // TRIPS_PER_ROUTE)
        self.service_count = max(7, expected_trips // 90)
        reachable = min(stops, BERLIN_STOPS)
        self.patterns = [
            [self.random.randrange(reachable) for _ in range(self.random.randint(12, 32))]
            for _ in range(self.route_count * PATTERNS_PER_ROUTE)
        ]
        self.trip_count = self.trips_needed()

    def trips_needed(self):
        calls, trips = 0, 0
        while calls < self.stop_time_count:
            calls += len(self.patterns[trips % len(self.patterns)])
            trips += 1
        return trips

    def stop_id(self, number):
        return f"de:{11000 + number % 17}:{900000000 + number}"

    def name(self, source):
        pick, chance = source.choice, source.random
        crossing = f"/{pick(STEMS)}{pick(KINDS)}" if chance() < 0.3 else ""
        return f"{pick(PREFIXES)}{pick(STEMS)}{pick(KINDS)}{crossing} {pick(PLACES)}"

    def place(self, number):
        if number >= BERLIN_STOPS:
            return self.place_elsewhere()
        if self.stop_random.random() < 0.6:
            return self.stop_random.gauss(52.51, 0.08), self.stop_random.gauss(13.40, 0.13)
        return self.stop_random.uniform(51.4, 53.5), self.stop_random.uniform(11.3, 14.8)

    def place_elsewhere(self):
        while True:
            latitude, longitude = self.stop_random.uniform(36, 70), self.stop_random.uniform(-10, 30)
            if not (51 < latitude < 54 and 11 < longitude < 15):
                return latitude, longitude

    def stops(self):
        for number in range(self.stop_count):
            latitude, longitude = self.place(number)
            yield f'{self.stop_id(number)},,"{self.name(self.stop_random)}",,{latitude:.6f},{longitude:.6f},0,'

    def agencies(self):
        return (f"{n},Verkehrsbetrieb {n},https://example.org/{n},Europe/Berlin,de" for n in range(1, 38))

    def routes(self):
        for number in range(self.route_count):
            kind = number % 5
            yield f"{10000 + number}_700,{1 + number % 37},{'SUMBX'[kind]}{number % 999},,{(109, 400, 900, 700, 3)[kind]}"

    def services(self):
        for number in range(self.service_count):
            days = ",".join("1" if self.random.random() < 0.6 else "0" for _ in range(7))
            yield f"{number},{days},20261101,20270630"

    def exceptions(self):
        for number in range(self.service_count):
            for month in (11, 12):
                for day in sorted(self.random.sample(range(1, 31), 7)):
                    yield f"{number},2026{month}{day:02d},{1 + (number + day) % 2}"

    def trips(self):
        headsigns = [self.name(self.random) for _ in range(400)]
        for number in range(self.trip_count):
            pattern = number % len(self.patterns)
            service = self.random.randrange(self.service_count)
            route = f"{10000 + pattern // PATTERNS_PER_ROUTE}_700"
            yield f"{route},{service},{100000000 + number},\"{headsigns[pattern % 400]}\",,{pattern % 2},,,1"

    def calls(self, pattern):
        """Of each call of a pattern: arrival and departure in tens of seconds since the trip began, and what follows."""
        passed, calls = 0, []
        for sequence, stop in enumerate(self.patterns[pattern]):
            wait = (sequence * 7 + pattern) % 3 * 2
            calls.append((passed, passed + wait, f",{self.stop_id(stop)},{sequence},0,0,"))
            passed += wait + 6 + (sequence * 13 + pattern) % 4 * 3
        return calls

    def stop_times(self):
        texts, left = clock_texts(), self.stop_time_count
        patterns = [self.calls(pattern) for pattern in range(len(self.patterns))]
        for number in range(self.trip_count):
            start = int(min(max(self.random.gauss(13.5, 5), 4), 25.5) * 60) * 6
            trip = f"{100000000 + number},"
            for arrival, departure, rest in patterns[number % len(patterns)][:left]:
                yield trip + texts[start + arrival] + "," + texts[start + departure] + rest
                left -= 1

    def write(self, path):
        writer = FeedWriter(path)
        writer.write("agency.txt", "agency_id,agency_name,agency_url,agency_timezone,agency_lang", self.agencies())
        writer.write(
            "stops.txt", "stop_id,stop_code,stop_name,stop_desc,stop_lat,stop_lon,location_type,parent_station", self.stops())
        writer.write("routes.txt", "route_id,agency_id,route_short_name,route_long_name,route_type", self.routes())
        writer.write(
            "calendar.txt",
            "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date", self.services())
        writer.write("calendar_dates.txt", "service_id,date,exception_type", self.exceptions())
        writer.write(
            "trips.txt",
            "route_id,service_id,trip_id,trip_headsign,trip_short_name,direction_id,block_id,shape_id,wheelchair_accessible",
            self.trips())
        writer.write(
            "stop_times.txt",
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence,pickup_type,drop_off_type,stop_headsign",
            self.stop_times())
        writer.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out")
    parser.add_argument("--stop-times", type=int, default=3_000_000)
    parser.add_argument("--stops", type=int, default=BERLIN_STOPS)
    parser.add_argument("--seed", type=int, default=4)
    arguments = parser.parse_args()
    Feed(arguments.stop_times, arguments.stops, arguments.seed).write(arguments.out)


if __name__ == "__main__":
    main()
