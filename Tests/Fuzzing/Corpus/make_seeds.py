#!/usr/bin/env python3
"""Makes the seeds of the fuzz targets from the sample feed and from texts in this file: small, and the same in every run."""

import io
import json
import pathlib
import zipfile

here = pathlib.Path(__file__).parent
sample = here.parent.parent.parent / "pipelines" / "sample-feed"


def seed(target, name, content):
    folder = here / target
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())


def archive(files, method=zipfile.ZIP_DEFLATED, force_zip64=False):
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", method) as made:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0))
            info.compress_type = method
            with made.open(info, "w", force_zip64=force_zip64) as file:
                file.write(content)
    return memory.getvalue()


def zips():
    small = {"agency.txt": b"agency_id\n1\n", "stops.txt": b"stop_id\nA\nB\n"}
    seed("zip", "deflated", archive(small))
    seed("zip", "stored", archive(small, zipfile.ZIP_STORED))
    seed("zip", "zip64", archive(small, force_zip64=True))
    seed("zip", "folder", archive({"gtfs/" + name: text for name, text in small.items()}))
    seed("zip", "inner", archive({"inner.zip": archive(small)}))
    seed("zip", "inner-stored", archive({"inner.zip": archive(small)}, zipfile.ZIP_STORED))
    seed("zip", "packed-table", archive(small | {"stop_times.zip": archive({"stop_times.txt": b"trip_id\n1\n"})}))


def csvs():
    for name, text in {
        "plain": "a,b\r\n1,2\r\n3,4\r\n", "quoted": 'a,b\n"x ""y"" z","1\n2"\n', "stray": 'a,b\n"x,1\n2,3\n',
        "tabs": "a\tb\n1\t2\n", "blank": "\n\na\n\n1\n", "mixed": 'a;b\r"1"2;""\r\n\x00;é\n',
    }.items():
        for sizes in (0, 0x11, 0x93):
            seed("csv", f"{name}-{sizes}", bytes([sizes]) + text.encode())
    seed("csv", "utf16", b"\x21" + "a,b\n1,ü\n".encode("utf-16"))


def fields():
    for number, text in enumerate([
        "25:10:00", "7:05:09", "20260230", "-12.5e-3", "52.123456789", "9223372036854775807", "FFAA00",
        "https://a.example/b?c#d", "a@b.example", "+49 (30) 123-4", "STATION", " Straße\u00a0", "\u3000x\u3000",
    ]):
        seed("fields", f"{number:02}", text)


def tables():
    order = [line.split("\t") for line in (here.parent.parent.parent / "schema/gtfs.tsv").read_text().splitlines()]
    names = []
    for row in order:
        for cell in row[:2]:
            if cell.endswith(".txt") and cell not in names:
                names.append(cell)
    for number, name in enumerate(names):
        path = sample / name
        if path.exists():
            lines = path.read_text().splitlines()[:4]
            seed("tables", name, bytes([number]) + "\n".join(lines).encode() + b"\n")


def locations():
    text = json.loads((sample / "locations.geojson").read_text())
    text["features"] = text["features"][:1]
    seed("locations", "sample", json.dumps(text))
    ring = "[[12,53],[13,53],[13,54],[12,53]]"
    feature = '{"type":"Feature","id":%s,"properties":{"stop_name":"A\\u00fc"},"geometry":{"type":"%s","coordinates":%s}}'
    wrapped = '{"type":"FeatureCollection","features":[%s]}'
    seed("locations", "polygon", wrapped % feature % ('"a"', "Polygon", f"[{ring}]"))
    seed("locations", "multi", wrapped % feature % ("1e3", "MultiPolygon", f"[[{ring},{ring}]]"))


def predicates():
    for number, (kind, text) in enumerate([
        (0, "name BEGINSWITH[cd] 'u' AND NOT (parentStation.name LIKE '*x?' OR code IN {'a', 'b'})"),
        (0, "SUBQUERY(stopTimes, $x, $x.departureTime BETWEEN {'8:00', '8:30'}).@count != 0"),
        (0, "ANY stopTimes.trip.route.routeType == 1 AND latitude + 0.5 > longitude * 2"),
        (0, "name MATCHES 'a.*b' OR name == nil OR TRUEPREDICATE"),
        (1, "stop.name == %@ AND stopSequence > %d AND departureTime < '25:10:00' AND stop.code IN %@"),
        (1, "trip.service.days CONTAINS '2026-04-27' OR $A == $B"),
        (2, "@count > 4 AND @max.departureTime >= '22:00' AND @avg.stopSequence < 3"),
        (3, "[a]\nentity = Stop\nwhere = name == $N\n  AND code != nil\nlimit = 3\n# x\n[b]\nentity = Trip\n"),
    ]):
        seed("predicates", f"{number:02}", bytes([kind]) + text.encode())


def requests():
    for number, lines in enumerate([
        ["Stop", "name CONTAINS[cd] 'a'", "name[cd] DESC, id", "name, stopID AS s"],
        ["StopTime", "stop.name != 'x'", "", "stop, @count AS n, @min.departureTime AS t", "stop", "@count > 1"],
        ["Trip", "SUBQUERY(stopTimes, $x, $x.stopSequence > 1).@count > 1", "route.shortName NULLS LAST", "", "", "", "stopTimes.stop, route"],
        ["fare_attribute", "price > 1", "price"], ["notice", "", "", "code, @count AS n", "code"],
        ["Station"], ["Route", "ANY trips.stopTimes.stop.code == nil"],
    ]):
        seed("requests", f"{number:02}", "\n".join(lines))


def stores():
    for number, place in enumerate([16, 24, 28, 44, 56, 100, 4_096, 8_192, 40_960, 100_000]):
        seed("store", f"{number:02}", place.to_bytes(3, "little") + b"\xff")


for make in (zips, csvs, fields, tables, locations, predicates, requests, stores):
    make()
