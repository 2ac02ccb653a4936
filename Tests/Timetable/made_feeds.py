#!/usr/bin/env python3
"""Makes feeds that each test one rule of the timetable, and random feeds that mix all rules.

    python3 made_feeds.py FOLDER [--random=N]

Writes a folder for each feed. A random feed has a twin `…-shuffled`, which differs only in the order of the rows in stop_times.txt and
frequencies.txt. Both must give the same answers.
"""
import os
import random
import sys

WEEK = "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date"
CALLS = ["trip_id", "arrival_time", "departure_time", "stop_id", "stop_sequence"]
EVERY_DAY = "1,1,1,1,1,1,1"


def clock(seconds):
    return "" if seconds is None else f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def table(header, rows):
    return "\n".join([header] + [",".join(map(str, row)) if not isinstance(row, str) else row for row in rows]) + "\n"


def feed(calls, **files):
    """A feed with these rows of stop_times.txt (dictionaries) and whatever else differs from the usual."""
    fields = CALLS + sorted({name for call in calls for name in call} - set(CALLS))
    trips = list(dict.fromkeys(call["trip_id"] for call in calls))
    stops = list(dict.fromkeys(call["stop_id"] for call in calls if call.get("stop_id")))
    made = {
        "agency": "agency_id,agency_name,agency_url,agency_timezone\na,A,http://a.example,Europe/Berlin\n",
        "routes": "route_id,agency_id,route_short_name,route_type\nr,a,1,3\n",
        "calendar": table(WEEK, [f"w,{EVERY_DAY},20260320,20260405", f"v,1,1,1,1,1,0,0,20261020,20261101"]),
        "trips": table("route_id,service_id,trip_id,trip_headsign", [f"r,{'wv'[n % 2]},{t}," for n, t in enumerate(trips)]),
        "stops": table("stop_id,stop_name,stop_lat,stop_lon", [f"{s},Stop {s},50.{n + 10},8.{n + 10}" for n, s in enumerate(stops)]),
        "stop_times": table(",".join(fields), [[call.get(name, "") for name in fields] for call in calls]),
    }
    made.update(files)
    return {name + ("" if "." in name else ".txt"): text for name, text in made.items() if text is not None}


def ride(trip, times, stops="abcdefgh", **more):
    """Calls at (arrival, departure) or one time for both; seconds or None."""
    calls = []
    for place, time in enumerate(times):
        arrival, departure = time if isinstance(time, tuple) else (time, time)
        call = {
            "trip_id": trip, "arrival_time": clock(arrival), "departure_time": clock(departure),
            "stop_id": stops[place % len(stops)], "stop_sequence": place * 3 + 1}
        for name, values in more.items():
            call[name] = values[place] if values[place] is not None else ""
        calls.append(call)
    return calls


def hourly(first=0, last=30, step=1):
    """Rides through the night and beyond."""
    return [call for hour in range(first, last, step)
            for call in ride(f"t{hour:03}", [hour * 3600 + 60 * k for k in (0, 13, 29, 58)], stops="abca")]


def zone(name, *dates):
    """A feed of one agency in this time zone, with hourly rides on all days of these ranges (first day, last day)."""
    days = [f"w,{EVERY_DAY},{start},{end}" for start, end in dates]
    return feed(
        hourly(), agency=f"agency_id,agency_name,agency_url,agency_timezone\na,A,http://a.example,{name}\n",
        calendar=table(WEEK, days[:1]),
        calendar_dates=table("service_id,date,exception_type", [f"w,{d},1" for s, e in dates[1:] for d in range(int(s), int(e) + 1)]),
        trips=table("route_id,service_id,trip_id", [f"r,w,t{hour:03}" for hour in range(30)]))


def named():
    yield "clocks-berlin", zone("Europe/Berlin", ("20260327", "20260331"), ("20261023", "20261027"))
    yield "clocks-lord-howe", zone("Australia/Lord_Howe", ("20260403", "20260407"), ("20261002", "20261006"))
    yield "clocks-at-midnight", zone("America/Havana", ("20260306", "20260310"), ("20261030", "20261031"))
    yield "clocks-half-hours", zone("Asia/Kathmandu", ("20260306", "20260310"))
    yield "new-year", zone("Pacific/Auckland", ("20261229", "20261231"), ("20270101", "20270103"))
    yield "no-such-zone", zone("Europe/Zag", ("20260327", "20260331"))
    yield "no-zone", zone("", ("20260327", "20260331"))
    yield "days-on-the-way", feed(
        ride("long", [hour * 3600 for hour in (23, 47, 99, 100, 175, 249, 250, 251)]) + hourly(20, 26))
    yield "two-zones", feed(
        hourly(0, 28),
        agency=table("agency_id,agency_name,agency_url,agency_timezone", [
            "b,B,http://b.example,Europe/Lisbon", "a,A,http://a.example,Europe/Berlin", "z,Z,http://z.example,Europe/Zag",
            "n,N,http://n.example,Asia/Tokyo", ",X,http://x.example,Asia/Dubai"]),
        routes=table("route_id,agency_id,route_short_name,route_type", [
            "r,a,1,3", "b,b,2,3", "none,,3,3", "unknown,nobody,4,3", "z,z,5,3", "n,n,6,3"]),
        trips=table("route_id,service_id,trip_id", [
            f"{['r', 'b', 'none', 'unknown', 'z', 'n', 'missing'][n % 7]},w,t{n:03}" for n in range(28)]))
    # The zones are six hours apart: in a window of twenty minutes, their service times of one date do not overlap.
    yield "two-zones-frequencies", feed(
        ride("b", [0, 300, 900, 1500]) + ride("n", [0, 300, 900, 1500]) + ride("own", [36000, 36300, 36900, 37500]),
        agency=table("agency_id,agency_name,agency_url,agency_timezone", [
            "a,A,http://a.example,Europe/Berlin", "n,N,http://n.example,America/New_York"]),
        routes=table("route_id,agency_id,route_short_name,route_type", ["r,a,1,3", "n,n,2,3"]),
        trips=table("route_id,service_id,trip_id", ["r,w,b", "n,w,n", "r,w,own"]),
        frequencies=table("trip_id,start_time,end_time,headway_secs,exact_times", [
            "b,04:00:00,27:00:00,600,1", "n,04:00:00,27:00:00,777,0"]))
    routeless = dict(trips=table("route_id,service_id,trip_id", [f"gone,w,t{hour:03}" for hour in range(30)]))
    for name, first in [("", "Asia/Tokyo"), ("-no-zone", "Europe/Zag")]:
        yield f"routes-unknown{name}", feed(
            hourly(), **routeless, routes="route_id,agency_id,route_short_name,route_type\n",
            agency=f"agency_id,agency_name,agency_url,agency_timezone\na,A,http://a.example,{first}\nb,B,http://b.example,Europe/Berlin\n")
    names = ["US/Pacific", "Etc/GMT+5", "europe/berlin", "EST", "UTC", "Europe/Kiev", "Europe/Kyiv", "GMT+1", "EST5EDT", "localtime"]
    yield "zone-names", feed(
        hourly(0, 30),
        agency=table("agency_id,agency_name,agency_url,agency_timezone", [f"{n},{n},http://a.example,{z}" for n, z in enumerate(names)]),
        routes=table("route_id,agency_id,route_short_name,route_type", [f"{n},{n},{n},3" for n in range(len(names))]),
        trips=table("route_id,service_id,trip_id", [f"{n % len(names)},w,t{n:03}" for n in range(30)]))
    yield "calendars", feed(
        hourly(3, 28),
        calendar=table(WEEK, [
            f"outside,{EVERY_DAY},20260310,20260312", "twice,1,0,1,0,1,0,1,20260301,20260320", f"inverted,{EVERY_DAY},20260320,20260310",
            "never,0,0,0,0,0,0,0,20260301,20260331", f"always,{EVERY_DAY},19000101,99991231", f"nodate,{EVERY_DAY},,20260331",
            f"badtype,2,1,1,1,1,1,1,20260301,20260320", f"outside,{EVERY_DAY},20260401,20260402"]),
        calendar_dates=table("service_id,date,exception_type", [
            "outside,20260308,1", "outside,20260320,1", "outside,20260311,2", "outside,20260321,2",
            "twice,20260303,1", "twice,20260303,2", "twice,20260304,2", "twice,20260304,1", "twice,20260306,3", "twice,20260306,2",
            "inverted,20260315,1", "never,20260316,1", "dates,20260314,1", "dates,20260318,1", "dates,20260318,1", "gone,20260318,2",
            "always,20260317,2", "nodate,20260305,1", "twice,20260230,1"]),
        trips=table("route_id,service_id,trip_id", [
            f"r,{['outside', 'twice', 'inverted', 'never', 'always', 'nodate', 'badtype', 'dates', 'gone', 'nobody'][n % 10]},t{n:03}"
            for n in range(3, 28)]))
    yield "frequencies", feed(
        ride("exact", [0, 300, (600, 720), 1500]) + ride("loose", [(None, 3600), 4000, 5000, 3600 * 30])
        + ride("bands", [36000, 36300, None, 36900]) + ride("own", [28800, 29000, 29400, 29500])
        + ride("first", [(35000, 36000), (36100, 36100), 36500, 36600]) + ride("equal", [0, 60, 120, 180], stops="abca")
        + ride("late", [None, 3600, None, 7200]),
        trips=table("route_id,service_id,trip_id", [f"r,w,{t}" for t in ("exact", "loose", "bands", "own", "first", "equal", "late")]),
        frequencies=table("trip_id,start_time,end_time,headway_secs,exact_times", [
            "exact,06:00:00,09:00:00,600,1", "loose,22:10:00,27:05:01,777,0", "bands,05:00:00,07:00:00,900,", "bands,07:00:00,10:00:00,420,1",
            "bands,23:00:00,26:00:00,3600,0", "own,10:00:00,10:00:00,600,1", "own,11:00:00,12:00:00,0,1", "own,13:00:00,12:00:00,60,0",
            "own,,12:00:00,60,0", "first,00:00:00,03:00:00,1200,1", "equal,08:00:00,09:00:00,600,1", "equal,08:00:00,10:00:00,600,0",
            "equal,08:00:00,09:00:00,600,1", "late,06:00:00,26:00:00,5400,1", "nobody,06:00:00,09:00:00,600,1"]))
    yield "frequencies-backwards", feed(
        ride("days", [200000, 100000, 0, 300000]) + ride("hours", [(40000, 40100), 10000, 3000, 50000])
        + ride("unused", [900000, 0, 5, 6]),
        trips=table("route_id,service_id,trip_id", [f"r,w,{t}" for t in ("days", "hours", "unused")]),
        frequencies=table("trip_id,start_time,end_time,headway_secs", [
            "days,06:00:00,12:00:00,3600", "hours,00:10:00,03:00:00,900", "unused,10:00:00,10:00:00,600"]))
    hours = 36000
    yield "untimed-by-place", feed(
        ride("u", [hours, None, None, hours + 1000, None, (hours + 1300, hours + 1400), None, hours + 1501])
        + ride("ends", [None, None, hours, None, hours + 7, None, None]) + ride("none", [None, None, None])
        + ride("one", [(None, hours), None, (hours + 100, None), None, (None, hours + 303), None, hours + 1000])
        + ride("back", [hours, None, None, hours - 601, None, hours + 5]))
    for name, distances in {
        "growing": [0, 0.1, 0.48, 0.96, 1.2, 1.3, 2.7, 3], "partly": [0, None, 4, 9, 10, 11, None, 12],
        "standing": [0, 0, 0, 0, 5, 5, 5, 5], "falling": [9, 8, 7, 6, 5, 4, 3, 2], "outside": [1, 0, 9, 5, 4, 6, 7, 6.5],
        "large": [100000.25, 100000.5, 100000.75, 100001.125, 100002, 100003.3, 100003.6, 100003.9],
        "first-missing": [None, 1, 2, 3, 4, 5, 6, 7],
    }.items():
        yield f"untimed-{name}", feed(
            ride("u", [hours, None, None, hours + 600, None, hours + 1400, None, hours + 1501], shape_dist_traveled=distances)
            + ride("v", [hours, None, None, None, None, None, None, hours + 3600], shape_dist_traveled=distances))
    unreadable = ride("u", [hours, hours + 10, hours + 20, hours + 600, hours + 800, hours + 900], shape_dist_traveled=[0, 1, "x", 3, 4, 5])
    unreadable[1].update(arrival_time="soon", departure_time="later")
    unreadable[2].update(arrival_time="", departure_time="10:61:00")
    unreadable[4].update(arrival_time="9:59", departure_time="-")
    yield "untimed-unreadable", feed(unreadable)
    flex = dict(start_pickup_drop_off_window=[None, None, "10:00:00", None, None, None, None, None],
                end_pickup_drop_off_window=[None, None, "11:00:00", None, "12:00:00", None, None, None],
                location_group_id=[None, None, None, None, None, "g", "nobody", None])
    yield "flex", feed(
        ride("u", [hours, None, None, hours + 600, None, None, None, hours + 1501], **flex)
        + ride("timed", [hours + 60 * k for k in range(8)], **flex),
        location_groups="location_group_id,location_group_name\ng,G\n")
    yield "ends-elsewhere", feed(
        ride("unknown", [hours, hours + 60, hours + 120], stops=["a", "b", "nowhere"])
        + ride("area", [hours, hours + 60, hours + 120], stops=["a", "b", ""], location_group_id=[None, None, "g"]),
        location_groups="location_group_id,location_group_name\ng,G\n")
    yield "pickup-types", feed(
        hourly(5, 12) + ride("p", [hours + 60 * k for k in range(8)], pickup_type=[1, 0, 1, 2, 3, None, 7, 1],
                             drop_off_type=[0, 1, None, 1, 2, 3, 0, 1], stop_headsign=[None, "There", None, "", "Back", None, None, None]))
    yield "loops", feed(ride("loop", [hours + 100 * k for k in range(8)], stops="aba") + ride("stay", [hours, hours, hours + 5], stops="a"))
    shown = ["", "Asia/Tokyo", "Europe/Zag", "Australia/Lord_Howe", "America/New_York", "Asia/Kathmandu", "UTC", "europe/berlin"]
    yield "clocks-at-stops", feed(
        hourly(0, 30) + ride("all", [hours + 60 * k for k in range(8)]),
        stops=table("stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,stop_timezone", [
            f"{s},{s},50.1,8.1,{1 if s == 'd' else 0},{dict(e='d', f='d', g='h').get(s, '')},{zone}" for s, zone in zip("abcdefgh", shown)]))
    yield "stations", feed(
        ride("s", [hours + 60 * k for k in range(9)], stops=["s", "p1", "p2", "b1", "b2", "e", "q", "o", "x"])
        + ride("t", [hours + 7000 + 60 * k for k in range(9)], stops=["b2", "b1", "p2", "p1", "s", "o", "q", "e", "y"]),
        stops=table("stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code", [
            "b1,B1,50.1,8.1,4,p1,", "p1,P1,50.1,8.1,0,s,1", "s,Station,50.1,8.1,1,,", "p2,P2,50.1,8.1,,s,2", "b2,B2,50.1,8.1,4,p2,2b",
            "e,Entrance,50.1,8.1,2,s,", "q,Alone,50.1,8.1,0,nowhere,", "o,Own parent,50.1,8.1,1,o,", "x,X,50.1,8.1,1,y,", "y,Y,50.1,8.1,1,x,"]))


def mixed(seed):
    """All rules at once, at random: a feed, and its twin with rows in another order."""
    rng = random.Random(seed)
    stops, calls, bands = "abcdefghij", [], []
    trips = [f"t{n}" for n in range(rng.randrange(3, 30))]
    for trip in trips:
        time, distance, sequence = rng.randrange(0, 30 * 3600), 0.0, 0
        for place in range(rng.randrange(1, 14)):
            sequence += rng.randrange(1, 4)
            time += rng.randrange(-30 if rng.random() < 0.1 else 0, 900)
            wait = rng.choice([0, 0, 0, 60, rng.randrange(0, 1000)])
            distance += rng.choice([0.5, 1, rng.random(), rng.random() * 100, -0.1 if rng.random() < 0.1 else 0.25])
            blank = rng.random()
            call = {
                "trip_id": trip, "stop_sequence": sequence, "stop_id": rng.choice(stops),
                "arrival_time": clock(max(time, 0)) if blank > 0.45 else "", "departure_time": clock(max(time + wait, 0)) if blank > 0.5 or blank < 0.05 else "",
                "shape_dist_traveled": f"{distance:.{rng.randrange(0, 6)}f}" if rng.random() < 0.8 else "",
                "pickup_type": rng.choice(["", "", 0, 1, 2]), "drop_off_type": rng.choice(["", "", 0, 1, 3])}
            if rng.random() < 0.04:
                call.update(start_pickup_drop_off_window="08:00:00", end_pickup_drop_off_window="09:00:00")
            calls.append(call)
            if rng.random() < 0.03:
                calls.append(dict(call, arrival_time="12:00:00", departure_time="12:00:00"))
        if rng.random() < 0.25:
            for _ in range(rng.randrange(1, 4)):
                start = rng.randrange(0, 26 * 3600)
                bands.append([trip, clock(start), clock(start + rng.randrange(0, 20000)), rng.randrange(0, 4000), rng.choice(["", 0, 1])])
    zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Tokyo", "Nowhere/At_All"]
    rng.shuffle(zones)
    files = dict(
        agency=table("agency_id,agency_name,agency_url,agency_timezone", [f"{a},{a},http://a.example,{z}" for a, z in zip("ab", zones)]),
        routes=table("route_id,agency_id,route_short_name,route_type", ["r,a,1,3", "q,b,2,3", "p,,3,3"]),
        calendar=table(WEEK, [f"w,1,1,1,1,1,1,1,20260327,20260406", "v,0,1,0,1,0,1,1,20261001,20261006"]),
        calendar_dates=table("service_id,date,exception_type", [f"{rng.choice('wvx')},202603{rng.randrange(10, 31)},{rng.randrange(1, 3)}" for _ in range(9)]),
        trips=table("route_id,service_id,trip_id", [f"{rng.choice('rqp')},{rng.choice('wvx')},{t}" for t in trips]),
        stops=table("stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station", [
            f"{s},Stop {s},50.1,8.1,{0 if n < 7 else rng.choice([0, 1, 1])},{rng.choice('hij') if n < 7 else ''}" for n, s in enumerate(stops)]))
    frequencies = "trip_id,start_time,end_time,headway_secs,exact_times"
    first = feed(calls, frequencies=table(frequencies, bands), **files)
    # If rows have the same key, the first counts, so duplicates must keep their order.
    keys = {}
    for call in calls:
        keys.setdefault((call["trip_id"], call["stop_sequence"]), []).append(call)
    groups = list(keys.values())
    rng.shuffle(groups)
    again = [call for group in groups for call in group]
    second = feed(again, frequencies=table(frequencies, bands), **files)
    names = first["stop_times.txt"].split("\n", 1)[0]
    second["stop_times.txt"] = table(names, [[call.get(name, "") for name in names.split(",")] for call in again])
    return first, second


def write(folder, name, files):
    os.makedirs(os.path.join(folder, name))
    for file, text in files.items():
        with open(os.path.join(folder, name, file), "w", encoding="utf-8") as out:
            out.write(text)


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    count = next((int(a.split("=")[1]) for a in sys.argv if a.startswith("--random=")), 0)
    if len(arguments) != 1:
        sys.exit(__doc__)
    for name, files in named():
        write(arguments[0], name, files)
    for seed in range(count):
        first, second = mixed(seed)
        write(arguments[0], f"mixed-{seed}", first)
        write(arguments[0], f"mixed-{seed}-shuffled", second)


if __name__ == "__main__":
    main()
