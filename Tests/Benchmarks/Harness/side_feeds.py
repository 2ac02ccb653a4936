#!/usr/bin/env python3
"""Writes a small feed with one long table: side_feeds.py OUT.zip TABLE [--rows N] [--fault unknown|twice|cells]

TABLE is a file without its `.txt`, or a form in which some programs write it (FORMS). A fault is in each row: a value that its column cannot take, a key that another row has as
well, or two cells beyond the header. The same arguments give the same rows.
"""
import argparse
import zipfile

STOPS = 5_000
DAYS = [f"2026{month:02d}{day:02d}" for month in range(1, 13) for day in range(1, 29)]
LANGUAGES = "ar bg cs da de el en es et fi fr hr hu it ja lt lv nl pl pt".split()
STOP_FIELDS = "stop_name stop_desc tts_stop_name stop_url platform_code".split()


def clock(seconds):
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


BASE = {
    "agency": ["agency_id,agency_name,agency_url,agency_timezone", "a,Agency,https://example.org,Europe/Berlin"],
    "routes": ["route_id,agency_id,route_short_name,route_type"] + [f"route{n},a,{n},3" for n in range(50)],
    "calendar": ["service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date", "s0,1,1,1,1,1,1,1,20260101,20261231"],
    "stops": ["stop_id,stop_name,stop_lat,stop_lon,zone_id"]
    + [f"stop{n},Stop {n},52.{n % 1000:03d},13.{n // 1000:03d},zone{n % 100}" for n in range(STOPS)],
    "trips": ["route_id,service_id,trip_id"] + [f"route{n % 50},s0,trip{n}" for n in range(500)],
    "stop_times": ["trip_id,arrival_time,departure_time,stop_id,stop_sequence"]
    + [f"trip{n},{clock(call * 3600)},{clock(call * 3600)},stop{n * 10 + call - 1},{call}" for n in range(500) for call in range(1, 11)],
    "fare_attributes": ["fare_id,price,currency_type,payment_method,transfers", "fare,2.00,EUR,0,0"],
    "areas": ["area_id,area_name"] + [f"area{n},Area {n}" for n in range(800)],
    "networks": ["network_id,network_name", "network,Network"],
    "fare_products": ["fare_product_id,fare_product_name,amount,currency", "product,Product,2.00,EUR"],
    "feed_info": [
        "feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date,feed_version,feed_contact_url",
        "Publisher,https://example.org,de,20260101,20261231,1,https://example.org/contact",
    ],
}


BESIDE = {
    "trips": {
        "shapes": ["shape_id,shape_pt_sequence,shape_pt_lat,shape_pt_lon"]
        + [f"shape{n},{point},52.5{point},13.4" for n in range(400) for point in (1, 2)],
        # Every shape passes the stops of every trip.
        "stops": BASE["stops"][:1] + [f"stop{n},Stop {n},52.51{n % 10},13.4,zone{n % 100}" for n in range(STOPS)],
    },
    # No transfer may be longer than 2 km.
    "transfers": {"stops": BASE["stops"][:1] + [f"stop{n},Stop {n},52.00{n % 1000:03d},13.{n // 1000:03d},zone{n % 100}" for n in range(STOPS)]},
    # Every tenth stop is a station, where no trip may call.
    "stops": {
        "stop_times": BASE["stop_times"][:1]
        + [f"trip{n},{clock(call * 3600)},{clock(call * 3600)},stop{call},{call}" for n in range(500) for call in range(1, 10)]
    },
}


# Of each table the header, and row n as its cells; the first column in `spoiled` cannot take what a fault puts there.
def fare_rule(n):
    return ["fare", f"route{n % 50}", f"zone{n // 50 % 100}", f"zone{n // 5_000 % 100}"]


def calendar_date(n):
    return [f"s{n // len(DAYS)}", DAYS[n % len(DAYS)], "1"]


def transfer(n):
    return [f"stop{n // 800}", f"stop{n % 800}", "2", "120"]


def fare_leg_rule(n):
    return ["leg", "network", f"area{n // 800}", f"area{n % 800}", "product"]


def translation(n):
    fields, languages = len(STOP_FIELDS), len(LANGUAGES)
    return ["stops", STOP_FIELDS[n % fields], LANGUAGES[n // fields % languages], f"Haltestelle {n}", f"stop{n // fields // languages}"]


def pathway(n):
    return [f"path{n}", f"stop{n % STOPS}", f"stop{(n + 1) % STOPS}", "1", "1"]


def frequency(n):
    # The rows of one trip are far apart.
    return [f"trip{n % 500}", clock(18_000 + n // 500 * 60), clock(18_060 + n // 500 * 60), "20"]


def fare_product(n):
    return [f"product{n}", f"Tageskarte {n % 100}", f"{n % 900 / 10 + 1:.2f}", "EUR"]


def trip(n):
    return [f"route{n % 50}", "s0", f"trip{n}", f"Richtung {n % 700}", f"shape{n % 400}"]


def stop(n):
    station = n // 10 * 10
    place = [f"stop{n}", f"Am Rathaus {n // 2}", f"52.{n % 1000:03d}", f"13.{n // 1000:03d}", f"zone{n % 100}"]
    return place + (["1", ""] if n == station else ["0", f"stop{station}"]) + [""]


def service(n):
    return [f"s{n}", DAYS[n % len(DAYS)], "1"]


CALLS = 20
COLUMNS_OF_CALLS = (
    "trip_id,arrival_time,departure_time,stop_id,location_group_id,location_id,stop_sequence,stop_headsign,start_pickup_drop_off_window,"
    "end_pickup_drop_off_window,pickup_type,drop_off_type,continuous_pickup,continuous_drop_off,shape_dist_traveled,timepoint,"
    "pickup_booking_rule_id,drop_off_booking_rule_id"
)


def call(n):
    time = clock(20_000 + n // CALLS % 40_000 + n % CALLS * 90)
    return [f"trip{n // CALLS}", time, time, f"stop{(n // CALLS + n % CALLS * 7) % STOPS}", str(n % CALLS + 1)]


def call_with_every_column(n):
    trip, arrival, departure, stop, sequence = call(n)
    return [trip, arrival, departure, stop, "", "", sequence, "", "", "", "0", "0", "", "", "", "1", "", ""]


def call_of_fixed_width(n):
    return [",".join(call(n)).ljust(150)]


def call_without_arrival(n):
    trip, _, departure, stop, sequence = call(n)
    return [trip, "", departure, stop, sequence]


def point(n):
    return [f"shape{n // 500}", f"{48 + n % 1000 / 997:.6f}", f"{9 + n // 1000 / 997:.6f}", str(n % 500)]


def point_of_many_digits(n):
    return [f"shape{n // 500}", f"{48 + n % 1000 / 997:.24f}", f"{9 + n // 1000 / 997:.24f}", str(n % 500)]


TABLES = {
    "fare_rules": ("fare_id,route_id,origin_id,destination_id", fare_rule, 1),
    "calendar_dates": ("service_id,date,exception_type", calendar_date, 1),
    "transfers": ("from_stop_id,to_stop_id,transfer_type,min_transfer_time", transfer, 0),
    "fare_leg_rules": ("leg_group_id,network_id,from_area_id,to_area_id,fare_product_id", fare_leg_rule, 2),
    "translations": ("table_name,field_name,language,translation,record_id", translation, 4),
    "pathways": ("pathway_id,from_stop_id,to_stop_id,pathway_mode,is_bidirectional", pathway, 1),
    "frequencies": ("trip_id,start_time,end_time,headway_secs", frequency, 0),
    "fare_products": ("fare_product_id,fare_product_name,amount,currency", fare_product, 3),
    "trips": ("route_id,service_id,trip_id,trip_headsign,shape_id", trip, 4),
    "stops": ("stop_id,stop_name,stop_lat,stop_lon,zone_id,location_type,parent_station,level_id", stop, 7),
    "stop_times": ("trip_id,arrival_time,departure_time,stop_id,stop_sequence", call, 3),
    "shapes": ("shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence", point, 1),
}
# Forms that agencies' programs write and the tables above do not have: the name, its file, and as above.
FORMS = {
    "calendar_dates with a service each": ("calendar_dates", "service_id,date,exception_type", service),
    "stop_times with every column": ("stop_times", COLUMNS_OF_CALLS, call_with_every_column),
    "stop_times of fixed width": ("stop_times", "trip_id,arrival_time,departure_time,stop_id,stop_sequence", call_of_fixed_width),
    "stop_times without arrivals": ("stop_times", "trip_id,arrival_time,departure_time,stop_id,stop_sequence", call_without_arrival),
    "shapes of 26 digits": ("shapes", "shape_id,shape_pt_lat,shape_pt_lon,shape_pt_sequence", point_of_many_digits),
}
# How many consecutive rows share an unknown value. Trips and stops share none, because each trip may have a shape of its own. In the tables of the
# second line, the other columns of the key repeat after so many rows, and a repeated key would be a second fault. Elsewhere 5,000 values take turns.
ROWS_OF_UNKNOWN_VALUE = {
    **{"trips": 1, "stops": 1},
    **{"transfers": 800, "fare_leg_rules": 800, "translations": len(STOP_FIELDS) * len(LANGUAGES)},
}
FAULTS = ("unknown", "twice", "cells")


def lines(table, rows, fault=None):
    header, row, spoiled = TABLES[table] if table in TABLES else (*FORMS[table][1:], None)
    yield header
    for n in range(rows):
        cells = row(n // 2 if fault == "twice" else n)
        if fault == "unknown":
            cells[spoiled] = f"gone{n // ROWS_OF_UNKNOWN_VALUE[table] if table in ROWS_OF_UNKNOWN_VALUE else n % 5_000}"
        yield ",".join(cells) + (",beyond,the header" if fault == "cells" else "")


def beside(file, rows):
    """What a table needs beside the rows of all."""
    if file == "stop_times":
        return {"trips": ["route_id,service_id,trip_id"] + [f"route{n % 50},s0,trip{n}" for n in range(rows // CALLS + 1)]}
    return BESIDE.get(file, {})


def write(path, table, rows, fault=None):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as feed:
        file = FORMS[table][0] if table in FORMS else table
        for name, content in {**BASE, **beside(file, rows), file: lines(table, rows, fault)}.items():
            entry = zipfile.ZipInfo(f"{name}.txt", (2026, 11, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            feed.writestr(entry, "\r\n".join(content) + "\r\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out")
    parser.add_argument("table", choices=[*TABLES, *FORMS])
    parser.add_argument("--rows", type=int, default=500_000)
    parser.add_argument("--fault", choices=FAULTS)
    arguments = parser.parse_args()
    write(arguments.out, arguments.table, arguments.rows, arguments.fault)
