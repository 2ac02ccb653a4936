"""Small feeds in which one thing is long: `SHAPES` has by name the size of the smaller feed and a function from a size to files.

A file is a list of lines, or the whole text of locations.geojson. Files that a shape does not name are those of BASE.
"""
import math
import zipfile


def clock(seconds):
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


def day(number):
    """One of 336 days of 2026, or of the years after it."""
    return f"{2026 + number // 336}{number // 28 % 12 + 1:02d}{number % 28 + 1:02d}"


def lines(header, row, count):
    return [header, *(row(n) for n in range(count))]


STOPS = "stop_id,stop_name,stop_lat,stop_lon"
TRIPS = "route_id,service_id,trip_id"
CALLS = "trip_id,arrival_time,departure_time,stop_id,stop_sequence"
WINDOWS = f"{CALLS},location_id,start_pickup_drop_off_window,end_pickup_drop_off_window,pickup_type,drop_off_type"
CALENDAR = "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date"
SHAPE = "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence"
TRANSLATIONS = "table_name,field_name,language,translation,record_id,record_sub_id,field_value"
FREQUENCIES = "trip_id,start_time,end_time,headway_secs"


def stop(n):
    return f"p{n},Stop {n},{52 + n % 1000 / 1000:.4f},{13 + n // 1000 / 1000:.4f}"


def call(trip, n, seconds):
    return f"{trip},{clock(seconds)},{clock(seconds)},p{n % 100},{n}"


BASE = {
    "agency": ["agency_id,agency_name,agency_url,agency_timezone", "a,Agency,https://example.org,Europe/Berlin"],
    "routes": ["route_id,agency_id,route_short_name,route_type", "r,a,1,3"],
    "calendar": [CALENDAR, "s,1,1,1,1,1,1,1,20260101,20261231"],
    "stops": lines(STOPS, stop, 100),
    "trips": [TRIPS, "r,s,t"],
    "stop_times": lines(CALLS, lambda n: call("t", n, 28_800 + n * 300), 20),
    "feed_info": ["feed_publisher_name,feed_publisher_url,feed_lang", "Publisher,https://example.org,de"],
}
STATION = ["st,Station,52,13,1,", *(f"p{n},Stop {n},52.1,13.1,0,st" for n in range(100))]
SHAPES = {}


def shape(size):
    """Registers a shape by its function's name."""

    def register(files):
        SHAPES[files.__name__.replace("_", " ")] = (size, files)
        return files

    return register


def write(path, files):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as feed:
        for name, content in {**BASE, **files}.items():
            text = content if isinstance(content, str) else "\r\n".join(content) + "\r\n"
            entry = zipfile.ZipInfo(name if "." in name else f"{name}.txt", (2026, 11, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            feed.writestr(entry, text)


# MARK: Trips and calls


def trips_with(count, columns, cells, seconds=lambda n: n * 7 % 80_000):
    """Trips with two calls each, and further columns."""
    return {
        "trips": lines(TRIPS + columns, lambda n: f"r,s,t{n}{cells(n)}", count),
        "stop_times": [CALLS, *(call(f"t{n}", c, seconds(n) + c * 300) for n in range(count) for c in (0, 1))],
    }


@shape(40_000)
def calls_of_one_trip(n):
    return {"stop_times": lines(CALLS, lambda c: call("t", c, c), n)}


@shape(40_000)
def calls_without_times(n):
    ends = lambda c: clock(c) if c in (0, n - 1) else ""
    return {"stop_times": lines(CALLS, lambda c: f"t,{ends(c)},{ends(c)},p{c % 100},{c}", n)}


@shape(20_000)
def trips_at_one_time(n):
    return trips_with(n, "", lambda _: "", seconds=lambda _: 28_800)


@shape(20_000)
def trips_of_one_block(n):
    return trips_with(n, ",block_id", lambda _: ",b")


@shape(20_000)
def trips_of_one_block_at_one_time(n):
    return trips_with(n, ",block_id", lambda _: ",b", seconds=lambda _: 28_800)


@shape(5_000)
def services_of_one_block(n):
    files = trips_with(n, ",block_id", lambda _: ",b")
    files["trips"] = lines(f"{TRIPS},block_id", lambda t: f"r,s{t},t{t},b", n)
    return {**files, "calendar": lines(CALENDAR, lambda s: f"s{s},1,1,1,1,1,1,1,{day(s % 300)},{day(s % 300 + 40)}", n)}


@shape(15_000)
def frequencies_of_one_trip_at_once(n):
    return {"frequencies": lines(FREQUENCIES, lambda f: f"t,{clock(f)},{clock(f + 80_000)},600", n)}


@shape(20_000)
def frequencies_of_trips(n):
    return {**trips_with(n, "", lambda _: ""), "frequencies": lines(FREQUENCIES, lambda f: f"t{f},{clock(0)},{clock(80_000)},600", n)}


# MARK: Days


@shape(200)
def services_of_many_years(n):
    bits = lambda s: ",".join(str(s >> bit & 1) for bit in range(6))
    return {"calendar": lines(CALENDAR, lambda s: f"s{s},{bits(s)},1,{day(s)},{day(8_000)}", n)}


@shape(40_000)
def services_of_one_date(n):
    return {"calendar_dates": lines("service_id,date,exception_type", lambda s: f"x{s},{day(s % 300)},1", n)}


@shape(40_000)
def timeframes_of_one_group(n):
    return {"timeframes": lines("timeframe_group_id,start_time,end_time,service_id", lambda f: f"g,{clock(f % 80_000)},{clock(f % 80_000 + 1)},s", n)}


# MARK: Stops


@shape(40_000)
def stops_of_one_name(n):
    return {"stops": lines(STOPS, lambda s: f"p{s},Zoo,{52 + s % 1000 / 1000:.4f},{13 + s // 1000 / 1000:.4f}", n)}


@shape(40_000)
def stops_at_one_place(n):
    return {"stops": lines(STOPS, lambda s: f"p{s},Stop {s},52.1,13.1", n)}


@shape(40_000)
def chain_of_parents(n):
    parent = lambda s: f"p{s - 1}" if s else ""
    return {"stops": lines(f"{STOPS},location_type,parent_station", lambda s: f"p{s},Stop {s},52.1,13.1,1,{parent(s)}", n)}


@shape(40_000)
def words_of_one_name(n):
    return {"stops": BASE["stops"] + [f"w,{' '.join(f'w{word}' for word in range(n))},52,13"]}


@shape(40_000)
def transfers_from_one_stop(n):
    return {"stops": lines(STOPS, stop, n), "transfers": lines("from_stop_id,to_stop_id,transfer_type", lambda t: f"p0,p{t},0", n)}


@shape(20_000)
def pathways_of_one_node(n):
    nodes = [f"n{node},,52,13,3,st" for node in range(n)]
    pathways = lines("pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional", lambda p: f"w{p},n0,n{p},1,1", n)
    return {"stops": [f"{STOPS},location_type,parent_station", *STATION, *nodes], "pathways": pathways}


@shape(20_000)
def translations_by_value(n):
    return {"stops": lines(STOPS, stop, n), "translations": lines(TRANSLATIONS, lambda t: f"stops,stop_name,en,Halt {t},,,Stop {t}", n)}


@shape(40_000)
def stops_of_one_area(n):
    return {"stops": lines(STOPS, stop, n), "areas": ["area_id", "a"], "stop_areas": lines("area_id,stop_id", lambda s: f"a,p{s}", n)}


# MARK: Shapes and areas


@shape(60_000)
def points_of_one_shape(n):
    point = lambda p: f"x,{52 + p % 5000 / 50000:.5f},{13 + p / 500000:.5f},{p}"
    return {"shapes": lines(SHAPE, point, n), "trips": [f"{TRIPS},shape_id", "r,s,t,x"]}


@shape(1_500)
def calls_along_one_shape(n):
    return {
        "shapes": lines(SHAPE, lambda p: f"x,{52 + p / 100000:.5f},13,{p}", 20 * n), "trips": [f"{TRIPS},shape_id", "r,s,t,x"],
        "stops": lines(STOPS, lambda s: f"p{s},Stop {s},{52 + s * 20 / 100000:.5f},13", n),
        "stop_times": lines(CALLS, lambda c: f"t,{clock(28_800 + c * 60)},{clock(28_800 + c * 60)},p{c},{c}", n),
    }


@shape(1_500)
def calls_at_one_stop_on_a_ring(n):
    ring = lines(SHAPE, lambda p: f"x,{52 + p % 7 / 100000:.5f},13.00{p % 5},{p}", 20 * n)
    calls = lines(CALLS, lambda c: f"t,{clock(28_800 + c * 60)},{clock(28_800 + c * 60)},p0,{c}", n)
    return {"shapes": ring, "trips": [f"{TRIPS},shape_id", "r,s,t,x"], "stop_times": calls}


def ring(corners, radius, longitude=13.0):
    """A polygon's outline as GeoJSON."""
    angles = [2 * math.pi * corner / corners for corner in range(corners)] + [0]
    return "[" + ",".join(f"[{longitude + radius * math.cos(angle):.7f},{52 + radius * math.sin(angle):.7f}]" for angle in angles) + "]"


def areas(rings):
    feature = '{"type":"Feature","id":"z%d","properties":{},"geometry":{"type":"Polygon","coordinates":[%s]}}'
    return '{"type":"FeatureCollection","features":[%s]}' % ",".join(feature % (n, ring) for n, ring in enumerate(rings))


@shape(2_000)
def areas_on_the_map(n):
    return {"locations.geojson": areas(ring(8, 0.01) for _ in range(n))}


@shape(20_000)
def corners_of_one_area(n):
    return {"locations.geojson": areas([ring(n, 0.1)])}


@shape(500)
def trips_of_overlapping_areas(n):
    calls = [f"t{t},,,,{c},z{t},08:00:00,18:00:00,2,2" for t in range(n) for c in (1, 2)]
    rings = (ring(8, 0.3, 13 + t * 1e-4) for t in range(n))
    return {"locations.geojson": areas(rings), "trips": lines(TRIPS, lambda t: f"r,s,t{t}", n), "stop_times": [WINDOWS, *calls]}


# MARK: Faults


@shape(40_000)
def calls_at_unknown_stops(n):
    return {"stop_times": BASE["stop_times"] + [f"t,{clock(c)},{clock(c)},u{c},{c + 20}" for c in range(n)]}


@shape(40_000)
def calls_with_one_key(n):
    return {"stop_times": BASE["stop_times"] + [call("t", 20, c % 80_000) for c in range(n)]}


@shape(40_000)
def trips_of_unknown_routes_and_shapes(n):
    return {"trips": [f"{TRIPS},shape_id", "r,s,t,", *(f"u{t},s,t{t},v{t}" for t in range(n))]}


@shape(40_000)
def stops_with_one_id(n):
    return {"stops": BASE["stops"] + [f"x,Stop {s},52,13" for s in range(n)]}


@shape(40_000)
def rules_of_unknown_fares_and_zones(n):
    return {"fare_rules": lines("fare_id,origin_id,destination_id", lambda r: f"f{r},z{r},y{r}", n)}


@shape(40_000)
def routes_of_one_name(n):
    header = "route_id,agency_id,route_short_name,route_long_name,route_type"
    return {"routes": [header, "r,a,1,Long,3", *(f"r{r},a,1,Long,3" for r in range(n))]}


@shape(2_000)
def unknown_columns(n):
    header = BASE["routes"][0] + "".join(f",c{column}" for column in range(n))
    return {"routes": [header, *(f"r{'' if r == 0 else r},a,1,3{',x' * n}" for r in range(20))]}


@shape(200)
def unknown_files(n):
    return {f"file{file}": ["a,b", "1,2"] for file in range(n)}


@shape(200_000)
def cells_beyond_the_header(n):
    return {"stop_times": BASE["stop_times"] + [call("t", 20, 80_000) + ",x" * n]}
