"""Computes a GTFS feed's timetable by brute force from its files: the correct answers about departures.

It uses only Python's standard library and nothing of the importer: no table of a store, and no code. The rules are those of
schema/README.md. Tests/GTFSImportTests/Support/compare_cells.py, which is independent too, reads the files.
"""
import collections
import datetime
import fractions
import json
import os
import re
import sys
import zoneinfo

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "GTFSImportTests", "Support"))
import compare_cells

ZONES = zoneinfo.available_timezones()
NUMBER = re.compile(r"[+-]?\d+(\.\d*)?$|[+-]?\.\d+$", re.ASCII)
DATE = re.compile(r"\d{8}$", re.ASCII)
TIME = re.compile(r"(\d{1,3}):(\d{1,3})(?::(\d{1,3}))?$", re.ASCII)
DAY = datetime.timedelta(days=1)
WEEK = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


def time(text):
    """Seconds of the service day; None for a blank and for what cannot be read."""
    match = TIME.match(text)
    if not match or int(match[2]) > 59 or int(match[3] or 0) > 59:
        return None
    return int(match[1]) * 3600 + int(match[2]) * 60 + int(match[3] or 0)


def whole(text):
    return int(float(text)) if NUMBER.match(text) and float(text).is_integer() else None


def exact(text):
    return fractions.Fraction(text) if NUMBER.match(text) else None


def date(text):
    if not DATE.match(text):
        return None
    try:
        return datetime.date(int(text[:4]), int(text[4:6]), int(text[6:]))
    except ValueError:
        return None


class Call:
    """A row of stop_times.txt."""

    __slots__ = (
        "trip", "sequence", "stop", "arrival", "departure", "distance", "flexible", "pickup", "drop_off", "headsign",
        "interpolated", "first", "last", "base")


class Trip:
    __slots__ = ("number", "id", "route", "service", "headsign", "calls", "bands")


class Timetable:
    def __init__(self, path):
        self.feed = compare_cells.Feed(path)
        self.read_agencies_and_routes()
        self.read_stops()
        self.read_services()
        self.read_trips()
        self.read_calls()
        self.read_frequencies()
        for trip in self.trips.values():
            self.complete(trip)

    # ---- reading -----------------------------------------------------------------------------------------------------

    def rows(self, file, *fields):
        """The given fields of each row, without blanks around them."""
        name = next((n for n in self.feed.names if n.lower() == file), None)
        if name is None:
            return
        with self.feed.open(name) as raw:
            reader = compare_cells.records(compare_cells.opened_text(raw).read())
            header = [cell.strip().lower() for cell in compare_cells.first_record(reader)]
            places = [header.index(field) if field in header else 1 << 30 for field in fields]
            for row in reader:
                if any(cell.strip() for cell in row):
                    yield [compare_cells.legacy(row[place], "windows-1252").strip() if place < len(row) else ""
                           for place in places]

    def read_agencies_and_routes(self):
        zones, first = {}, None
        for id, zone in self.rows("agency.txt", "agency_id", "agency_timezone"):
            zone = zone if zone in ZONES else "UTC"
            first = first or zone
            if id:
                zones.setdefault(id, zone)
        # A trip whose route is not in the feed counts as one whose route names no agency.
        self.routes = {None: (-1, first or "UTC", None)}
        for id, agency, name in self.rows("routes.txt", "route_id", "agency_id", "route_short_name"):
            if id and id not in self.routes:
                self.routes[id] = (len(self.routes), zones.get(agency, first or "UTC"), name or None)

    def read_stops(self):
        self.stops = {}
        self.children = collections.defaultdict(list)
        self.clocks = {}
        for id, name, kind, parent, platform, zone in self.rows(
                "stops.txt", "stop_id", "stop_name", "location_type", "parent_station", "platform_code", "stop_timezone"):
            if id and id not in self.stops:
                self.stops[id] = (name or None, whole(kind), platform or None)
                self.children[parent].append(id)
                self.clocks[id] = (parent, zone)

    def read_services(self):
        self.services = {}
        for row in self.rows("calendar.txt", "service_id", "start_date", "end_date", *WEEK):
            if row[0]:
                self.services.setdefault(
                    row[0], (date(row[1]), date(row[2]), [whole(day) == 1 for day in row[3:]], {}))
        for id, day, kind in self.rows("calendar_dates.txt", "service_id", "date", "exception_type"):
            day, kind = date(day), whole(kind)
            if id:
                service = self.services.setdefault(id, (None, None, [False] * 7, {}))
                if day and kind in (1, 2):
                    service[3].setdefault(day, kind)

        # A range of more than 100 years is cut: "always" is written as 19000101 to 99991231.
        for id, (start, end, week, exceptions) in self.services.items():
            if start and end and (end - start).days + 1 > 36_525:
                start, end = max(start, datetime.date(2000, 1, 1)), min(end, datetime.date(2099, 12, 31))
                self.services[id] = (start, end, week, exceptions)

    def runs(self, service, day):
        start, end, week, exceptions = self.services[service]
        if day in exceptions:
            return exceptions[day] == 1
        return bool(start and end and start <= day <= end and week[day.weekday()])

    def read_trips(self):
        self.trips = {}
        for route, service, id, headsign in self.rows(
                "trips.txt", "route_id", "service_id", "trip_id", "trip_headsign"):
            if id and id not in self.trips:
                trip = self.trips[id] = Trip()
                trip.number, trip.id, trip.headsign = len(self.trips), id, headsign or None
                trip.route = route if route in self.routes else None
                trip.service = service if service in self.services else None
                trip.calls, trip.bands = {}, []

    def locations(self):
        name = next((n for n in self.feed.names if n.lower() == "locations.geojson"), None)
        if name is None:
            return set()
        try:
            with self.feed.open(name) as raw:
                return {str(f.get("id")).strip() for f in json.load(raw).get("features", [])}
        except ValueError:
            return set()

    def read_calls(self):
        locations = self.locations()
        groups = {row[0] for row in self.rows("location_groups.txt", "location_group_id")}
        for (trip, sequence, stop, arrival, departure, distance, start, end, location, group, pickup, drop_off,
             headsign) in self.rows(
                "stop_times.txt", "trip_id", "stop_sequence", "stop_id", "arrival_time", "departure_time",
                "shape_dist_traveled", "start_pickup_drop_off_window", "end_pickup_drop_off_window", "location_id",
                "location_group_id", "pickup_type", "drop_off_type", "stop_headsign"):
            trip, sequence = self.trips.get(trip), whole(sequence)
            if trip is None or sequence is None or sequence in trip.calls:
                continue
            call = trip.calls[sequence] = Call()
            call.trip, call.sequence, call.stop = trip, sequence, sys.intern(stop) if stop in self.stops else None
            call.arrival, call.departure, call.distance = time(arrival), time(departure), distance
            call.flexible = (
                time(start) is not None or time(end) is not None or location in locations or group in groups)
            call.pickup, call.drop_off, call.headsign = whole(pickup) or 0, whole(drop_off) or 0, headsign or None
            call.interpolated = False

    def read_frequencies(self):
        for trip, start, end, headway, kind in self.rows(
                "frequencies.txt", "trip_id", "start_time", "end_time", "headway_secs", "exact_times"):
            trip, start, end, headway = self.trips.get(trip), time(start), time(end), whole(headway)
            if trip and start is not None and end is not None and start < end and headway and headway > 0:
                trip.bands.append((start, end, headway, "exact" if whole(kind) == 1 else "headway"))

    # ---- times -------------------------------------------------------------------------------------------------------

    def complete(self, trip):
        trip.calls = [trip.calls[sequence] for sequence in sorted(trip.calls)]
        for call in trip.calls:
            call.first, call.last = call is trip.calls[0], call is trip.calls[-1]
        calls = [call for call in trip.calls if not call.flexible]
        for call in calls:
            if call.arrival is None:
                call.arrival = call.departure
            if call.departure is None:
                call.departure = call.arrival
        timed = [place for place, call in enumerate(calls) if call.departure is not None]
        for before, after in zip(timed, timed[1:]):
            for place in range(before + 1, after):
                self.interpolate(calls[before], calls[place], calls[after], place - before, after - before)
        base = calls[timed[0]].departure if timed else None
        for call in trip.calls:
            call.base = base

    @staticmethod
    def interpolate(before, call, after, place, places):
        start, distance, end = exact(before.distance), exact(call.distance), exact(after.distance)
        share = fractions.Fraction(place, places)
        if None not in (start, distance, end) and start <= distance <= end and start < end:
            share = (distance - start) / (end - start)
        seconds = before.departure + (after.arrival - before.departure) * share
        call.arrival = call.departure = seconds.__floor__()
        call.interpolated = True

    def by_stop(self):
        calls = collections.defaultdict(list)
        for trip in self.trips.values():
            if trip.service is not None:
                for call in trip.calls:
                    if call.stop is not None and not call.flexible and call.departure is not None:
                        calls[call.stop].append(call)
        return calls

    # ---- answers -----------------------------------------------------------------------------------------------------

    def below(self, stop):
        """A station and all below it; any other stop alone."""
        found, rest = set(), [stop]
        while rest:
            id = rest.pop()
            if id not in found:
                found.add(id)
                if self.stops[stop][1] == 1:
                    rest += self.children[id]
        return found

    def zone_of(self, call):
        return self.routes[call.trip.route][1]

    def local(self, call, moment):
        """What the clock at the stop shows: in the zone of the topmost place that the stop lies in, or in the trip's zone
        if that place has none."""
        id, depth = call.stop, 0
        while self.clocks[id][0] in self.clocks and depth < 16:
            id, depth = self.clocks[id][0], depth + 1
        zone = self.clocks[id][1] if self.clocks[id][1] in ZONES else self.zone_of(call)
        clock = datetime.datetime.fromtimestamp(moment, zoneinfo.ZoneInfo(zone))
        return clock.isoformat() if clock.utcoffset() else clock.strftime("%Y-%m-%dT%H:%M:%S+00:00")

    def times(self, call, arrivals):
        """The seconds of the service day at which the call happens, with the kind of the frequency."""
        time = call.arrival if arrivals else call.departure
        if not call.trip.bands:
            return [(time, 0, None)]
        return [
            (ride + time - call.base, number, kind)
            for number, (start, end, headway, kind) in enumerate(call.trip.bands)
            for ride in range(start, end, headway)
        ]

    def answer(self, stop, instant, seconds, arrivals=False):
        """Departures (or arrivals) with instant <= theirs < instant + seconds; instants are Unix seconds."""
        if not hasattr(self, "calls"):
            self.calls = self.by_stop()
        found = []
        for id in self.below(stop):
            for call in self.calls.get(id, ()):
                if arrivals and (call.drop_off == 1 or call.first) or not arrivals and (call.pickup == 1 or call.last):
                    continue
                zone = self.zone_of(call)
                for time, band, kind in self.times(call, arrivals):
                    for day in days_between(instant - time, instant + seconds - time):
                        moment = noon(zone, day) - 43_200 + time
                        if instant <= moment < instant + seconds and self.runs(call.trip.service, day):
                            found.append((moment, self.routes[call.trip.route][0], call.trip.number, call.sequence, day, band,
                                          self.record(call, day, moment, time, kind)))
        return [entry[-1] for entry in sorted(found, key=lambda entry: entry[:-1])]

    def record(self, call, day, moment, time, kind):
        trip, last = call.trip, self.stops.get(call.trip.calls[-1].stop)
        return {
            "instant": datetime.datetime.fromtimestamp(moment, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "local": self.local(call, moment),
            "service_date": day.strftime("%Y%m%d"),
            "service_time": f"{'-' if time < 0 else ''}{abs(time) // 3600:02}:{abs(time) // 60 % 60:02}:{abs(time) % 60:02}",
            "trip_id": trip.id,
            "stop_sequence": call.sequence,
            "stop_id": call.stop,
            "route_id": trip.route,
            "route_short_name": self.routes[trip.route][2],
            "headsign": call.headsign or trip.headsign or (last[0] if last else None),
            "platform_code": self.stops[call.stop][2],
            "pickup_type": call.pickup,
            "interpolated": call.interpolated,
            "frequency": kind,
        }


def days_between(first, last):
    """All dates whose service day may begin between two instants, whatever the time zone."""
    day = datetime.datetime.fromtimestamp(first, datetime.timezone.utc).date() - DAY
    end = datetime.datetime.fromtimestamp(last, datetime.timezone.utc).date() + DAY
    while day <= end:
        yield day
        day += DAY


NOONS = {}


def noon(zone, day):
    """The instant of 12:00 on a day in a zone."""
    if (zone, day) not in NOONS:
        moment = datetime.datetime(day.year, day.month, day.day, 12, tzinfo=zoneinfo.ZoneInfo(zone))
        NOONS[(zone, day)] = int(moment.timestamp())
    return NOONS[(zone, day)]
