"""Imports small zips that would become large stores. Each import must take a bounded part of the disk, and must name the limit if it
refuses the zip."""

import os
import random
import subprocess
import time
import zipfile

from workbench import Broken, write_zip

PIECE = 60_000_000  # an entry below 64 MiB may grow without bound
ALLOWED = 256 << 20  # what every feed may take (CONTRIBUTING, decision 24)
RATIO = 200
REFERENCES = {
    "transfers.txt": "from_stop_id,to_stop_id\n", "fare_rules.txt": "fare_id,route_id\n",
    "frequencies.txt": "trip_id,start_time\n", "pathways.txt": "pathway_id,from_stop_id\n",
    "attributions.txt": "organization_name,route_id\n", "calendar_dates.txt": "service_id,date\n",
}


def write_rest(archive, files):
    """The files that a feed must have, with a row each."""
    for name, text in {
        "agency.txt": "agency_name,agency_url,agency_timezone\nA,http://a.example,Europe/Berlin\n",
        "routes.txt": "route_id,route_short_name,route_type\nr,1,3\n", "stops.txt": "stop_id,stop_name\ns,S\n",
        "trips.txt": "route_id,service_id,trip_id\nr,w,t\n", "calendar.txt": "service_id\nw\n",
        "stop_times.txt": "trip_id,stop_sequence,stop_id\nt,1,s\n",
    }.items():
        if name not in files:
            archive.writestr(name, text)


def bomb(path, files, row):
    """PIECE bytes of one row in each file, and noise beside them, so that the whole grows just below 200-fold."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, header in files.items():
            write_zip(archive, name, [header, *([row * (100_000 // len(row))] * (PIECE // 100_000))])
        write_rest(archive, files)
        packed, text = (sum(getattr(entry, name) for entry in archive.infolist()) for name in ("compress_size", "file_size"))
        archive.writestr("noise.bin", random.Random(1).randbytes(max(0, text // (RATIO - 2) - packed)), zipfile.ZIP_STORED)


def nested(path, files, row):
    """The rows stand in an inner archive that is not compressed, so that only the outer one tells how small they were."""
    inner = str(path) + ".inner"
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_STORED) as archive:
        for name, header in files.items():
            write_zip(archive, name, [header, *([row * (100_000 // len(row))] * (PIECE // 100_000))])
        write_rest(archive, files)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(inner, "feed.zip")
        noise = os.path.getsize(inner) // (RATIO - 2) - archive.infolist()[0].compress_size
        archive.writestr("noise.bin", random.Random(1).randbytes(max(0, noise)), zipfile.ZIP_STORED)
    os.unlink(inner)


STOP_TIMES = {"stop_times.txt": "trip_id,stop_sequence,stop_id\nt,1,s\n"}
TEXTS = {name: "a,b\n" for name in ("shapes.txt", "fare_rules.txt", "transfers.txt", "pathways.txt", "extra.txt", "more.txt")}
BOMBS = {
    "rows of unknown files": lambda path: bomb(path, {f"x{n}.txt": "a\n" for n in range(7)} | STOP_TIMES, "1\n"),
    "rows that are kept aside": lambda path: bomb(path, TEXTS, "1\n"),
    "values that are kept aside": lambda path: bomb(path, REFERENCES | STOP_TIMES, "q,q\n"),
    "cells beyond the header": lambda path: bomb(path, TEXTS, "," * 98 + "1\n"),
    "a quote in each line": lambda path: bomb(path, TEXTS, '"a,b\n'),
    "one stray quote a megabyte": lambda path: bomb(path, TEXTS, '"' + "a,b\n" * 24_000),
    "one stray quote": lambda path: bomb(path, {name: 'a,b\n"' for name in TEXTS}, "a,b\n"),
    "an archive that packs nothing in one that does": lambda path: nested(path, REFERENCES | STOP_TIMES, "q,q\n"),
}


def disk_use(process, folder):
    """Bytes on the disk of the files in a folder, also of those that have no name any more."""
    files = [entry.path for entry in os.scandir(folder)]
    try:
        descriptors = f"/proc/{process.pid}/fd"
        files += [link for link in (f"{descriptors}/{name}" for name in os.listdir(descriptors))
                  if os.readlink(link).startswith(str(folder)) and os.readlink(link).endswith(" (deleted)")]
    except OSError:
        pass
    total = 0
    for path in files:
        try:
            total += os.stat(path).st_blocks * 512
        except OSError:
            pass
    return total


def torture(bench):
    """Returns for each bomb its size, how it ended, after how long, and the most bytes of disk that it took."""
    found = {}
    for name, make in BOMBS.items():
        path, folder = bench.folder / "bomb.zip", bench.folder / "bombed"
        folder.mkdir(exist_ok=True)
        make(path)
        began, most = time.monotonic(), 0
        process = subprocess.Popen(
            [bench.programs / "import-gtfs", path, folder / "a.sqlite", "--quiet"], stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)
        while process.poll() is None:
            most = max(most, disk_use(process, folder))
            time.sleep(0.02)
        said = process.stderr.read()
        packed = path.stat().st_size
        limit = said.split("(--")[1].split()[0] if "(--" in said else ""
        found[name] = {
            "zip": packed, "exit": process.returncode, "limit": limit, "seconds": round(time.monotonic() - began, 1),
            "disk": most}
        print(f"{name}: {found[name]}", flush=True)
        if process.returncode != 0 and (process.returncode != 65 or not limit.startswith("max-")):
            raise Broken(f"{name}: ends with {process.returncode}: {said.strip()}")
        if most > 3 * max(ALLOWED, RATIO * packed):
            raise Broken(f"{name}: {packed} bytes take {most} of the disk")
        if os.listdir(folder) not in ([], ["a.sqlite"]):
            raise Broken(f"{name}: leaves {os.listdir(folder)}")
        for entry in os.scandir(folder):
            os.unlink(entry.path)
    return found
