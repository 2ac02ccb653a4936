"""Filters the files of a feed by the documented rule, independently of the importer.

    feed = Feed("feed.zip")
    if filter_feed(feed, {"routes": ["1"], "dates": ("20260101", "20260131"), "box": [52.3, 13.1, 52.7, 13.8]}):
        feed.write("filtered")

Uses neither the importer's declarations nor its code. Reads feeds with Python's csv and json, holds them in memory and
goes through them as often as needed.
"""

import collections
import csv
import datetime
import io
import json
import os
import sys
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "GTFSImportTests", "Support"))
from compare_cells import records

csv.field_size_limit(1 << 30)

# The references of each file. A row of these files stays if everything that it references stays.
NAMES = {
    "calendar_dates.txt": {"service_id": ["service"]},
    "fare_rules.txt": {
        "fare_id": ["fare"], "route_id": ["route"], "origin_id": ["zone"], "destination_id": ["zone"],
        "contains_id": ["zone"]},
    "timeframes.txt": {"service_id": ["service"]},
    "fare_products.txt": {"rider_category_id": ["rider_category"], "fare_media_id": ["fare_media"]},
    "fare_leg_rules.txt": {
        "network_id": ["route_network", "network"], "from_area_id": ["area"], "to_area_id": ["area"],
        "from_timeframe_group_id": ["timeframe"], "to_timeframe_group_id": ["timeframe"],
        "fare_product_id": ["fare_product"]},
    "fare_leg_join_rules.txt": {
        "from_network_id": ["route_network", "network"], "to_network_id": ["route_network", "network"],
        "from_stop_id": ["stop"], "to_stop_id": ["stop"]},
    "fare_transfer_rules.txt": {
        "from_leg_group_id": ["leg_group"], "to_leg_group_id": ["leg_group"], "fare_product_id": ["fare_product"]},
    "stop_areas.txt": {"area_id": ["area"], "stop_id": ["stop"]},
    "route_networks.txt": {"network_id": ["network"], "route_id": ["route"]},
    "frequencies.txt": {"trip_id": ["trip"]},
    "transfers.txt": {
        "from_stop_id": ["stop"], "to_stop_id": ["stop"], "from_route_id": ["route"], "to_route_id": ["route"],
        "from_trip_id": ["trip"], "to_trip_id": ["trip"]},
    "pathways.txt": {"from_stop_id": ["stop"], "to_stop_id": ["stop"]},
    "location_group_stops.txt": {"location_group_id": ["location_group"], "stop_id": ["stop"]},
    "attributions.txt": {"agency_id": ["agency"], "route_id": ["route"], "trip_id": ["trip"]},
}
# The IDs that rows of these files define. Rows of other files may name those of rows that stay.
DEFINES = {
    "areas.txt": {"area_id": "area"}, "networks.txt": {"network_id": "network"},
    "rider_categories.txt": {"rider_category_id": "rider_category"}, "fare_media.txt": {"fare_media_id": "fare_media"},
    "fare_products.txt": {"fare_product_id": "fare_product"}, "timeframes.txt": {"timeframe_group_id": "timeframe"},
    "fare_leg_rules.txt": {"leg_group_id": "leg_group"}, "pathways.txt": {"pathway_id": "pathway"},
    "attributions.txt": {"attribution_id": "attribution"},
}
# Files that nothing needs but whose ids are unique.
UNIQUE = {"pathways.txt": "pathway_id", "attributions.txt": "attribution_id"}
# A file comes after the files that define what it references.
ORDER = [
    "areas.txt", "networks.txt", "rider_categories.txt", "fare_media.txt", "fare_products.txt", "timeframes.txt",
    "route_networks.txt", "stop_areas.txt", "location_group_stops.txt", "fare_rules.txt", "fare_leg_rules.txt",
    "fare_leg_join_rules.txt", "fare_transfer_rules.txt", "calendar_dates.txt", "frequencies.txt", "transfers.txt",
    "pathways.txt", "attributions.txt",
]
# What the record_id of a translation names, by table_name. A translation of a fare rule always stays.
TRANSLATED = {
    "agency": "agency", "stops": "stop", "routes": "route", "trips": "trip", "stop_times": "trip",
    "pathways": "pathway", "levels": "level", "attributions": "attribution", "calendar": "service",
    "calendar_dates": "service", "fare_attributes": "fare", "rider_categories": "rider_category",
    "fare_media": "fare_media", "areas": "area", "networks": "network", "route_networks": "route", "shapes": "shape",
    "frequencies": "trip", "transfers": "stop", "location_groups": "location_group", "booking_rules": "booking_rule",
    "fare_rules": None,
}


def clean(text):
    """A cell without white space around it, decoded. Tables hold the bytes of files as Latin-1, a character for each byte."""
    raw = text.encode("latin-1")
    try:
        return raw.decode("utf-8").strip(" \t\r\n\x0b\x0c\u00a0\u3000\ufeff" + "".join(map(chr, range(1, 33))))
    except UnicodeDecodeError:
        return raw.decode("cp1252", "replace").strip()


class Table:
    """A file as lists of cells, with the places of its fields."""

    def __init__(self, data):
        self.data = data
        self.mark = data[:3] == b"\xef\xbb\xbf"
        text = data[3:].decode("latin-1") if self.mark else data.decode("latin-1")
        head = text.lstrip("\r\n").split("\n")[0].split("\r")[0]
        self.delimiter = next((mark for mark in ",\t;" if mark in head), ",")
        rows = [row for row in records(text, self.delimiter) if row]
        self.header, self.rows = (rows[0], rows[1:]) if rows else ([], [])
        self.row_count = len(self.rows)
        self.places = {}
        for place, name in enumerate(self.header):
            self.places.setdefault(clean(name).lower(), place)
        self.cells = {}

    def cell(self, row, field):
        place = self.places.get(field)
        if place is None or place >= len(row):
            return ""
        text = row[place]
        if text not in self.cells:
            self.cells[text] = clean(text)
        return self.cells[text]

    def column(self, field):
        return [self.cell(row, field) for row in self.rows]

    def bytes(self):
        if len(self.rows) == self.row_count:
            return self.data  # with its blank lines and odd quotes
        out = io.StringIO()
        writer = csv.writer(out, delimiter=self.delimiter, lineterminator="\n")
        writer.writerow(self.header)
        writer.writerows(self.rows)
        return (b"\xef\xbb\xbf" if self.mark else b"") + out.getvalue().encode("latin-1")


class Feed:
    def __init__(self, path):
        self.tables, self.others = {}, {}
        for name, data in self.files(path):
            if name.endswith(".txt"):
                self.tables[name] = Table(data)
            else:
                self.others[name] = data

    @staticmethod
    def files(path):
        if os.path.isdir(path):
            return [(name, open(os.path.join(path, name), "rb").read()) for name in sorted(os.listdir(path))]
        with zipfile.ZipFile(path) as archive:
            names = [name for name in archive.namelist() if not name.endswith("/") and "__MACOSX" not in name]
            root = min((name[: -len("stop_times.txt")] for name in names if name.endswith("stop_times.txt")), key=len)
            return [(name[len(root):], archive.read(name)) for name in names if name.startswith(root)]

    def rows(self, file):
        table = self.tables.get(file)
        return [(lambda field, row=row: table.cell(row, field)) for row in table.rows] if table else []

    def keep(self, file, kept):
        table = self.tables.get(file)
        if table:
            table.rows = [row for row in table.rows if kept(lambda field, row=row: table.cell(row, field))]

    def write(self, folder):
        os.makedirs(folder)
        for name, table in self.tables.items():
            open(os.path.join(folder, name), "wb").write(table.bytes())
        for name, data in self.others.items():
            os.makedirs(os.path.dirname(os.path.join(folder, name)) or folder, exist_ok=True)
            open(os.path.join(folder, name), "wb").write(data)


def number(text):
    try:
        return float(text) if set(text) <= set("+-.0123456789eE") else None
    except ValueError:
        return None


def is_date(text):
    try:
        datetime.date(int(text[:4]), int(text[4:6]), int(text[6:]))
        return len(text) == 8 and text.isdigit() and text.isascii()
    except ValueError:
        return False


def running_services(feed, first, last):
    """The services that run on a day from `first` to `last`; looks at each day on its own."""
    weekly, exceptions = {}, {}
    names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    for row in feed.rows("calendar.txt"):
        weekly.setdefault(row("service_id"), (row("start_date"), row("end_date"), [number(row(day)) == 1 for day in names]))
    for row in feed.rows("calendar_dates.txt"):
        if is_date(row("date")) and row("exception_type") in ("1", "2"):
            exceptions.setdefault((row("service_id"), row("date")), row("exception_type"))
    running = {service for (service, date), kind in exceptions.items() if kind == "1" and first <= date <= last}
    for service, (start, end, days) in weekly.items():
        if not is_date(start) or not is_date(end):
            continue
        begin, stop = max(start, first), min(end, last)
        if begin > stop:
            continue
        day = datetime.date(int(begin[:4]), int(begin[4:6]), int(begin[6:]))
        stop = datetime.date(int(stop[:4]), int(stop[4:6]), int(stop[6:]))
        while day <= stop and service not in running:
            if days[day.weekday()] and exceptions.get((service, day.strftime("%Y%m%d"))) != "2":
                running.add(service)
            day += datetime.timedelta(days=1)
    return running


def positions(value):
    if isinstance(value, list) and value and all(isinstance(item, (int, float)) for item in value):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from positions(item)


def spans(west, east):
    return [(west, east)] if west <= east else [(west, 180), (-180, east)]


def places_in(feed, box):
    south, west, north, east = box
    stops = set()
    for row in feed.rows("stops.txt"):
        latitude, longitude = number(row("stop_lat")), number(row("stop_lon"))
        if latitude is not None and longitude is not None and south <= latitude <= north:
            if any(a <= longitude <= b for a, b in spans(west, east)):
                stops.add(row("stop_id"))
    groups = {row("location_group_id") for row in feed.rows("location_group_stops.txt") if row("stop_id") in stops}
    areas = set()
    for feature in features(feed):
        points = list(positions((feature.get("geometry") or {}).get("coordinates") or []))
        if not points:
            continue
        longitudes, latitudes = [point[0] for point in points], [point[1] for point in points]
        if min(latitudes) <= north and max(latitudes) >= south:
            if any(min(longitudes) <= b and max(longitudes) >= a for a, b in spans(west, east)):
                areas.add(str(feature.get("id")))
    return stops - {""}, groups - {""}, areas


def first_calls(feed):
    """The rows of stop_times.txt that are the first of their trip with their stop_sequence."""
    seen = set()
    for row in feed.rows("stop_times.txt"):
        sequence = number(row("stop_sequence"))
        call = row("trip_id"), sequence
        if sequence is not None and sequence.is_integer() and call not in seen:
            seen.add(call)
            yield row


def features(feed):
    text = feed.others.get("locations.geojson")
    return json.loads(text)["features"] if text else []


def filter_feed(feed, choice):
    """Leaves in the feed what the choice keeps. Returns false, and leaves the feed as it is, if it keeps no trip."""
    routes = None
    if "routes" in choice or "agencies" in choice:
        agencies = [row("agency_id") for row in feed.rows("agency.txt")]
        sole = len(agencies) == 1 and agencies[0] in choice.get("agencies", [])
        routes = set()
        for row in feed.rows("routes.txt"):
            if "routes" in choice and row("route_id") not in choice["routes"]:
                continue
            if "agencies" in choice and row("agency_id") not in choice["agencies"]:
                if row("agency_id") or not sole:
                    continue
            routes.add(row("route_id"))
    services = running_services(feed, *choice["dates"]) if "dates" in choice else None
    trips = {
        row("trip_id") for row in feed.rows("trips.txt")
        if (routes is None or row("route_id") in routes) and (services is None or row("service_id") in services)
    } - {""}
    if "box" in choice:
        stops, groups, areas = places_in(feed, choice["box"])
        trips &= {
            row("trip_id") for row in first_calls(feed)
            if row("stop_id") in stops or row("location_group_id") in groups or row("location_id") in areas}
    if not trips:
        return False
    keep_needed(feed, trips)
    return True


def keep_needed(feed, trips):
    need = collections.defaultdict(set)
    need["trip"] = trips

    def name(file, own, fields):
        for row in feed.rows(file):
            if own is None or row(own[0]) in need[own[1]]:
                for field, kind in fields.items():
                    need[kind].add(row(field))

    name("trips.txt", ("trip_id", "trip"), {"route_id": "route", "service_id": "service", "shape_id": "shape"})
    name("stop_times.txt", ("trip_id", "trip"), {
        "stop_id": "stop", "location_group_id": "location_group", "location_id": "location",
        "pickup_booking_rule_id": "booking_rule", "drop_off_booking_rule_id": "booking_rule"})
    name("routes.txt", ("route_id", "route"), {"agency_id": "agency"})
    agencies = [row("agency_id") for row in feed.rows("agency.txt")]
    if need["agency"] - set(agencies) or need["route"] - {row("route_id") for row in feed.rows("routes.txt")} or "" in need["route"]:
        # The zone of the first agency counts for them.
        need["agency"] |= set(agencies[:1])
    if "" in need["agency"]:
        need["agency"] |= set(agencies)
    name("location_group_stops.txt", ("location_group_id", "location_group"), {"stop_id": "stop"})
    stops = {}
    for row in feed.rows("stops.txt"):
        stops.setdefault(row("stop_id"), (row("parent_station"), row("location_type")))
    known = need["stop"] & set(stops)
    while True:
        more = {stops[stop][0] for stop in known} & set(stops)
        more |= {stop for stop, (parent, kind) in stops.items() if kind in ("2", "3", "4") and parent in known and parent}
        if more - {""} <= known:
            break
        known |= more - {""}
    need["stop"] |= known
    name("stops.txt", ("stop_id", "stop"), {"level_id": "level"})
    name("booking_rules.txt", ("booking_rule_id", "booking_rule"), {"prior_notice_service_id": "service"})
    name("timeframes.txt", None, {"service_id": "service"})
    for kind in need:
        need[kind].discard("")
    keep_fares(feed, need)
    for file, field, kind in [
        ("trips.txt", "trip_id", "trip"), ("routes.txt", "route_id", "route"), ("stops.txt", "stop_id", "stop"),
        ("levels.txt", "level_id", "level"), ("calendar.txt", "service_id", "service"),
        ("booking_rules.txt", "booking_rule_id", "booking_rule"), ("shapes.txt", "shape_id", "shape"),
        ("location_groups.txt", "location_group_id", "location_group"), ("stop_times.txt", "trip_id", "trip"),
        ("fare_attributes.txt", "fare_id", "fare"),
    ]:
        feed.keep(file, lambda row: row(field) in need[kind])
    feed.keep("agency.txt", lambda row: row("agency_id") in need["agency"] | {""})
    # Needed rows may name missing records. Other rows may name only records that the feed has.
    for file, field, kind in [
        ("stops.txt", "stop_id", "stop"), ("routes.txt", "route_id", "route"), ("agency.txt", "agency_id", "agency"),
        ("trips.txt", "trip_id", "trip"), ("levels.txt", "level_id", "level"),
        ("location_groups.txt", "location_group_id", "location_group"),
        ("booking_rules.txt", "booking_rule_id", "booking_rule"),
    ]:
        need[kind] = {row(field) for row in feed.rows(file)} - {""}
    need["route_network"] = {row("network_id") for row in feed.rows("routes.txt")} - {""}
    for file in ORDER:
        has_all = lambda row: all(
            not row(field) or any(row(field) in need[kind] for kind in kinds)
            for field, kinds in NAMES.get(file, {}).items())
        id = UNIQUE.get(file)
        seen = set()
        # Of several rows with one id, the first counts.
        left_out = {row(id) for row in feed.rows(file)
                    if row(id) not in seen and not seen.add(row(id)) and not has_all(row)} - {""} if id else set()
        feed.keep(file, lambda row: has_all(row) and not (id and row(id) in left_out))
        for field, kind in DEFINES.get(file, {}).items():
            need[kind] = {row(field) for row in feed.rows(file)} - {""}
    feed.keep("translations.txt", lambda row: not row("record_id") or not TRANSLATED.get(row("table_name").lower())
              or row("record_id") in need[TRANSLATED[row("table_name").lower()]])
    if "locations.geojson" in feed.others:
        collection = json.loads(feed.others["locations.geojson"])
        collection["features"] = [item for item in collection["features"] if str(item.get("id")) in need["location"]]
        feed.others["locations.geojson"] = json.dumps(collection, ensure_ascii=False).encode()


def keep_fares(feed, need):
    """Keeps the fares of agencies that stay, if they can still be used: those without rules, and those with a rule whose route
    and zones stay. A fare whose rules require (contains_id) a zone that is left out cannot be used any more."""
    need["zone"] = {row("zone_id") for row in feed.rows("stops.txt") if row("stop_id") in need["stop"]} - {""}
    # A trip that stays may name a route that the feed lacks.
    routes = need["route"] & {row("route_id") for row in feed.rows("routes.txt")}
    ruled, standing, impossible = set(), set(), set()
    for row in feed.rows("fare_rules.txt"):
        ruled.add(row("fare_id"))
        if (row("route_id") in routes | {""} and row("origin_id") in need["zone"] | {""}
                and row("destination_id") in need["zone"] | {""}):
            (standing if row("contains_id") in need["zone"] | {""} else impossible).add(row("fare_id"))
    seen = set()
    # Of several rows with one id, the first counts.
    first = [row for row in feed.rows("fare_attributes.txt") if not (row("fare_id") in seen or seen.add(row("fare_id")))]
    need["fare"] = {
        row("fare_id") for row in first
        if row("agency_id") in need["agency"] | {""}
        and (row("fare_id") not in ruled or row("fare_id") in standing - impossible)} - {""}
