"""Runs readers across many publishes, and several importers on one store.

Each published feed has its generation in a name of every table. Eight processes read meanwhile: three open the store with
SQLite and read all its tables, three run fetch-gtfs, and two read one cursor slowly across many publishes. An answer that mixes two
generations, an answer older than the one before, or an error is a fault, and so is a reader that saw only one generation: it
proves nothing. Then eight importers at a time import into the same
store: each must end with 0 or with 75 (locked), and the store must then be sound, complete and from one of them.
"""

import json
import multiprocessing
import os
import pathlib
import sqlite3
import subprocess
import time

from workbench import Broken

STOPS, TRIPS = 60, 40
# Publishing goes on until each reader has seen two generations, but at most this many seconds.
PATIENCE = 120


def write_feed(folder, generation):
    os.makedirs(folder, exist_ok=True)
    g = f"g{generation:06}"
    files = {
        "agency.txt": f"agency_id,agency_name,agency_url,agency_timezone\na,{g},http://a.example,Europe/Berlin\n",
        "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\n"
        + "".join(f"s{n},{g} stop {n},50.{n:03},8.{n:03}\n" for n in range(STOPS)),
        "routes.txt": f"route_id,agency_id,route_short_name,route_type\nr,a,{g},3\n",
        "calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
        "w,1,1,1,1,1,0,0,20260101,20261231\n",
        "trips.txt": "route_id,service_id,trip_id,trip_headsign\n" + "".join(f"r,w,t{n},{g}\n" for n in range(TRIPS)),
        "stop_times.txt": "trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign\n"
        + "".join(f"t{t},06:{n:02}:00,06:{n:02}:00,s{n},{n},{g}\n" for t in range(TRIPS) for n in range(STOPS)),
    }
    for name, text in files.items():
        pathlib.Path(folder, name).write_text(text)


def run(program, *arguments):
    return subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)


class Reader(multiprocessing.Process):
    def __init__(self, programs, kind, store, stop, results):
        super().__init__()
        self.programs, self.kind, self.store, self.stop, self.results = programs, kind, store, stop, results
        self.generations = multiprocessing.Value("i", 0)

    def run(self):
        os.nice(10)  # publishing comes first, or a busy machine does little of it
        answers, faults, last, seen = 0, [], "", set()
        while not self.stop.is_set() and len(faults) < 5:
            try:
                found = getattr(self, self.kind)()
                if len(found) != 1:
                    faults.append(f"{self.kind}: one answer has {sorted(found)}")
                elif max(found) < last:
                    faults.append(f"{self.kind}: {max(found)} after {last}")
                last = max(found)
                seen |= found
                self.generations.value = len(seen)
                answers += 1
            except Exception as error:
                faults.append(f"{self.kind}: {type(error).__name__} {error}")
        self.results.put((self.kind, answers, faults))

    def connect(self):
        return sqlite3.connect(f"file:{self.store}?mode=ro", uri=True)

    def sql(self):
        connection = self.connect()
        queries = [
            "SELECT name FROM agency", "SELECT substr(name, 1, 7) FROM stop", "SELECT short_name FROM route",
            "SELECT headsign FROM trip", "SELECT stop_headsign FROM stop_time",
            "SELECT substr(stop.name, 1, 7) FROM stop_time JOIN stop ON stop.id = stop_time.stop",
        ]
        found, counts = set(), []
        for query in queries:
            rows = connection.execute(query).fetchall()
            counts.append(len(rows))
            found |= {row[0] for row in rows}
        connection.close()
        assert counts == [1, STOPS, 1, TRIPS, STOPS * TRIPS, STOPS * TRIPS], counts
        return found

    def program(self):
        result = run(
            self.programs / "fetch-gtfs", self.store, "fetch", "StopTime", "--format", "jsonl",
            "--properties", "stopHeadsign, stop.name AS stop, trip.route.shortName AS route, trip.headsign AS trip")
        assert result.returncode == 0, f"exit {result.returncode} {result.stderr}"
        rows = [json.loads(line) for line in result.stdout.splitlines()]
        assert len(rows) == STOPS * TRIPS, len(rows)
        return {row[name][:7] for row in rows for name in ("stopHeadsign", "stop", "route", "trip")}

    def cursor(self):
        connection = self.connect()
        found, rows = set(), 0
        for stop, headsign in connection.execute(
            "SELECT substr(stop.name, 1, 7), stop_headsign FROM stop_time JOIN stop ON stop.id = stop_time.stop"):
            found |= {stop, headsign}
            rows += 1
            if rows % 100 == 0 and not self.stop.is_set():
                time.sleep(0.05)
        connection.close()
        assert rows == STOPS * TRIPS, rows
        return found


def read_while_publishing(programs, folder, publishes):
    store, stop, results = f"{folder}/s.sqlite", multiprocessing.Event(), multiprocessing.Queue()
    write_feed(folder / "feed", 0)
    assert run(programs / "import-gtfs", folder / "feed", store, "--quiet").returncode == 0
    readers = [Reader(programs, kind, store, stop, results) for kind in ["sql"] * 3 + ["program"] * 3 + ["cursor"] * 2]
    for reader in readers:
        reader.start()
    faults, generation, latest = [], 0, time.monotonic() + PATIENCE

    def is_waiting():
        return any(reader.generations.value < 2 for reader in readers) and time.monotonic() < latest

    while generation < publishes or is_waiting() and not faults:
        generation += 1
        write_feed(folder / "feed", generation)
        result = run(programs / "import-gtfs", folder / "feed", store, "--quiet", "--json")
        if result.returncode != 0 or json.loads(result.stdout)["status"] != "published":
            faults.append(f"publish {generation}: exit {result.returncode} {result.stderr}")
    stop.set()
    told = [results.get() for _ in readers]
    for reader in readers:
        reader.join()
    faults += [fault for one in told for fault in one[2]]
    least = min(reader.generations.value for reader in readers)
    answers = {kind: sum(one[1] for one in told if one[0] == kind) for kind in ("sql", "program", "cursor")}
    if faults:
        raise Broken(f"{len(faults)} faults of readers, such as {faults[0]}")
    if least < 2:
        blind = [reader.kind for reader in readers if reader.generations.value < 2]
        raise Broken(f"readers ({', '.join(blind)}) saw only one generation of {generation}")
    return {
        "publishes": generation, "processes": 8, "answers": sum(answers.values()), **answers, "least_generations": least}


def compete(programs, folder, rounds):
    store, faults, published, locked = f"{folder}/c.sqlite", [], 0, 0
    for number in range(8):
        write_feed(f"{folder}/feed{number}", number)
    for _ in range(rounds):
        importers = [
            subprocess.Popen(
                [programs / "import-gtfs", f"{folder}/feed{number}", store, "--quiet"], stderr=subprocess.PIPE, text=True)
            for number in range(8)
        ]
        for importer in importers:
            words = importer.communicate()[1]
            published += importer.returncode == 0
            locked += importer.returncode == 75
            if importer.returncode not in (0, 75):
                faults.append(f"importer: exit {importer.returncode} {words}")
        check = run(programs / "fetch-gtfs", store, "check", "--quick")
        if check.returncode != 0:
            faults.append(f"check: exit {check.returncode} {check.stderr}")
        left = [name for name in os.listdir(folder) if name.startswith((".c.", "c.sqlite")) and name != "c.sqlite"]
        if left:
            faults.append(f"left behind: {left}")
    if faults:
        raise Broken(f"{len(faults)} faults of importers, such as {faults[0]}")
    return {"importers": 8 * rounds, "done": published, "locked_out": locked}


def torture(bench, publishes):
    folder = bench.folder / "generations"
    folder.mkdir()
    read = read_while_publishing(bench.programs, folder, publishes)
    return {**read, **compete(bench.programs, folder, max(1, publishes // 20))}
