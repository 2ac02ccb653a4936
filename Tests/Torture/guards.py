"""Lets system calls fail in runs that must protect something: refusals, earlier stores, files of others.

A program that is not told what a file is must not take it for missing, or for worthless. Each scenario is run with each
Nth call on the files beside the store failing, and may end in two ways only: as if nothing had failed, or refused with
all files as they were.
"""

import fcntl
import json
import os
import re
import zipfile
from typing import NamedTuple

from system_calls import ALLOWED, HARMLESS, cases, order
from workbench import SQL, Broken, words

CALLS = {"open", "stat", "fstat", "read", "pread", "rename", "link"}
LAST_SUCCESS = re.compile(rb"^import_gtfs_last_success_timestamp_seconds\{.*\} (\d+)$", re.MULTILINE)


class Scenario(NamedTuple):
    """Files by name, a command, its exit code, and the files that it leaves; without `after` they stay as they are.

    `@name` in a command stands for a file beside the store, and a feed's name for its path. `Contents` knows what a
    file contains by a name; `= name` makes a hard link, and `-> name` a symbolic one.
    """
    name: str
    files: dict
    command: str
    ends: int
    after: dict = None


ENDINGS = {
    "taken_back": "a.sqlite.rolled-back", "wal": "a.sqlite-wal", "journal": "a.sqlite-journal", "lock": "a.sqlite.lock",
    "page": "a.html", "metrics": "a.prom",
}


def stores(*generations, **others):
    """The live store and the earlier ones, and other files by their endings."""
    numbered = {f"a.sqlite.{number}" if number else "a.sqlite": made for number, made in enumerate(generations)}
    return numbered | {ENDINGS[name]: made for name, made in others.items()}


THREE = stores("gen2", "gen1", "gen0")
SCENARIOS = [
    Scenario("rollback", THREE, "--rollback @a.sqlite", 0, stores("gen1", "gen0", "gen2", taken_back="list of gen2")),
    Scenario("second rollback", stores("gen1", "gen0", "gen2", taken_back="list of gen2"), "--rollback @a.sqlite", 0,
             stores("gen0", "gen2", "gen1", taken_back="list of gen2, gen1")),
    Scenario("rollback across gaps", {"a.sqlite": "gen2", "a.sqlite.2": "gen1", "a.sqlite.4": "gen0"},
             "--rollback @a.sqlite", 0, stores("gen1", "gen0", "gen2", taken_back="list of gen2")),
    Scenario("rollback to a damaged store", stores("gen2", "damaged", "gen0"), "--rollback @a.sqlite", 65),
    Scenario("rollback to a foreign file", stores("gen2", "foreign"), "--rollback @a.sqlite", 73),
    Scenario("rollback past a foreign file", stores("gen2", "gen1", "foreign"), "--rollback @a.sqlite", 73),
    Scenario("rollback of a foreign file", stores("foreign", "gen1"), "--rollback @a.sqlite", 73),
    Scenario("rollback to a link", stores("gen2", "-> b.sqlite") | {"b.sqlite": "gen1"}, "--rollback @a.sqlite", 73),
    Scenario("keep two", THREE, "gen3 @a.sqlite --keep 2", 0, stores("gen3", "gen2", "gen1")),
    Scenario("keep one more", stores("gen2", "gen1"), "gen3 @a.sqlite --keep 3", 0, stores("gen3", "gen2", "gen1")),
    Scenario("keep no damaged store", stores("damaged", "gen1"), "gen3 @a.sqlite --keep 2", 0, stores("gen3", "gen1")),
    Scenario("store of the same feed", stores("gen2", "gen1"), "gen2 @a.sqlite --keep 2", 0),
    Scenario("forced", stores("gen2", "gen1"), "gen3 @a.sqlite --force --keep 2", 0, stores("gen3", "gen2", "gen1")),
    Scenario("damaged store of the same feed", stores("damaged"), "gen2 @a.sqlite", 0, stores("gen2")),
    Scenario("feed that was taken back", stores("gen1", "gen2", taken_back="list of gen2"), "gen2 @a.sqlite", 65),
    Scenario("too few rows", stores("gen2"), "few @a.sqlite --max-shrink 10%", 65),
    Scenario("too many errors", stores("gen2"), "faulty @a.sqlite --max-errors 0", 65),
    Scenario("no service", stores("gen2"), "gen3 @a.sqlite --service-within 3 --date 20400101", 65),
    Scenario("foreign file as the store", stores("foreign"), "gen3 @a.sqlite", 73),
    Scenario("foreign file as an earlier store", stores("gen2", "foreign"), "gen3 @a.sqlite --keep 1", 73),
    Scenario("feed as the store", stores("feed"), "@a.sqlite @a.sqlite --force", 73),
    Scenario("feed's other name as store", {"a.zip": "feed", "a.sqlite": "= a.zip"}, "@a.zip @a.sqlite --force", 73),
    Scenario("feed as an earlier store", stores("gen2", "feed"), "@a.sqlite.1 @a.sqlite --force --keep 1", 73),
    Scenario("write-ahead log", stores("gen2", wal="foreign"), "gen3 @a.sqlite", 73),
    Scenario("journal", stores("gen2", journal="foreign"), "gen3 @a.sqlite", 73),
    Scenario("foreign lock", stores("gen2", lock="foreign"), "gen3 @a.sqlite", 73),
    Scenario("lock of another import", stores("gen2", lock="held"), "gen3 @a.sqlite", 75),
    Scenario("foreign page and metrics", stores("gen2", page="foreign", metrics="foreign"),
             "gen3 @a.sqlite --report @a.html --metrics @a.prom", 0, stores("gen3", page="foreign", metrics="foreign")),
    Scenario("metrics without a feed", stores("gen2", metrics="metrics"), "missing @a.sqlite --metrics @a.prom", 66),
    Scenario("metrics of a refusal", stores("gen2", metrics="metrics"),
             "few @a.sqlite --max-shrink 10% --metrics @a.prom", 65),
    Scenario("foreign index", {"a.html": "page", "index.html": "foreign"}, "--index @", 73),
    Scenario("index of two pages", {"a.html": "page", "b.html": "page", "index.html": "index of a.html"},
             "--index @", 0, {"a.html": "page", "b.html": "page", "index.html": "index of a.html, b.html"}),
]


class Contents:
    """What the files of the scenarios contain, by name, and the way back from bytes to a name."""

    def __init__(self, bench):
        self.bench = bench
        self.bytes = {"foreign": b"Somebody's own file.\n" * 100, "held": b"1\n"}
        self.lock = None
        hashes = {}
        for name in ("gen0", "gen1", "gen2", "gen3"):
            made = bench.add_feed(name, "stops.txt", lambda text: text.replace("Mohnstadt", name))
            bench.store.write_bytes(made)
            hashes[name] = json.loads(bench.run(name, "--json").stdout)["content_hash"]
            self.bytes[name] = made
        bench.add_feed("few", "stop_times.txt", lambda text: "".join(text.splitlines(True)[:40]))
        bench.add_feed("faulty", "routes.txt", lambda text: text + text.splitlines(True)[1])
        bench.feeds["missing"] = bench.folder / "missing.zip"
        damaged = bytearray(self.bytes["gen2"])
        damaged[len(damaged) // 2] ^= 255
        self.bytes["damaged"] = bytes(damaged)
        for names in (["gen2"], ["gen2", "gen1"]):
            self.bytes["list of " + ", ".join(names)] = "".join(hashes[name] + "\n" for name in names).encode()
        with zipfile.ZipFile(bench.folder / "feed.zip", "w") as archive:
            for path in sorted(bench.feeds["gen3"].iterdir()):
                archive.write(path, path.name)
        self.bytes["feed"] = (bench.folder / "feed.zip").read_bytes()
        self.add_reports()

    def add_reports(self):
        """A page, an index of it, and metrics with an old success."""
        page, metrics = self.bench.stores / "a.html", self.bench.stores / "a.prom"
        self.bench.run("gen2", "--force", "--report", page, "--metrics", metrics)
        self.bytes["page"] = page.read_bytes()
        success = LAST_SUCCESS.search(metrics.read_bytes())[1]
        self.bytes["metrics"] = metrics.read_bytes().replace(success, b"1700000000")
        self.bench.call([self.bench.programs / "import-gtfs", "--index", self.bench.stores])
        self.bytes["index of a.html"] = (self.bench.stores / "index.html").read_bytes()

    def put(self, files):
        """Leaves nothing but these files beside the store."""
        for path in self.bench.stores.iterdir():
            path.unlink()
        for name, content in files.items():
            path = self.bench.stores / name
            if content.startswith("= "):
                os.link(self.bench.stores / content[2:], path)
            elif content.startswith("-> "):
                path.symlink_to(content[3:])
            else:
                path.write_bytes(self.bytes[content])
        if self.lock:
            self.lock.close()
        self.lock = None
        if "held" in files.values():
            self.lock = open(self.bench.stores / "a.sqlite.lock")
            fcntl.flock(self.lock, fcntl.LOCK_EX)

    def found(self):
        """The files beside the store, and what each contains."""
        return {path.name: self.name(path) for path in sorted(self.bench.stores.iterdir())}

    def name(self, path):
        """Pages and metrics are made anew with each run, so they are known by what matters in them."""
        if path.is_symlink():
            return f"-> {os.readlink(path)}"
        content = path.read_bytes()
        for name, known in self.bytes.items():
            if content == known:
                return name
        if content.startswith(self.bytes["page"][:100]):
            linked = sorted(set(re.findall(rb'href="\./([a-z]+\.html)"', content)))
            return "index of " + b", ".join(linked).decode() if linked else "page"
        if content.startswith(self.bytes["metrics"][:19]):
            success = LAST_SUCCESS.search(content)
            kept = success and success[1] == b"1700000000"
            return "metrics" if kept else "metrics of a success" if success else "metrics without their last success"
        return f"something else of {len(content)} bytes"

    def run(self, scenario, **faults):
        def argument(word):
            return self.bench.stores / word[1:] if word.startswith("@") else self.bench.feeds.get(word, word)

        command = [self.bench.programs / "import-gtfs", *map(argument, scenario.command.split())]
        return self.bench.call(command, preload="faults" if faults else None, **faults)


def trials(bench, step=1, stride=1):
    """Runs each scenario with each failure; yields (contents, scenario, call, error, number, result)."""
    contents = Contents(bench)
    hit = bench.folder / "hit"
    checked = set()
    failures = [(scenario, *case) for scenario in SCENARIOS for case in cases() if case[0] in CALLS]
    for scenario, call, error in failures[::step]:
        if scenario.name not in checked:
            expect_undisturbed(contents, scenario)
            checked.add(scenario.name)
        number = 1
        while True:
            hit.unlink(missing_ok=True)
            contents.put(scenario.files)
            # The unfinished store is left to system_calls.py.
            result = contents.run(
                scenario, FAULT_PATH=bench.stores, FAULT_EXCEPT=".importing", **order(call, error, number, hit))
            if not hit.exists():
                break
            yield contents, scenario, call, error, number, result
            number += stride


def torture(bench, step=1, stride=1):
    """Returns how many runs failed a call, and how each ended."""
    endings = {}
    for contents, scenario, call, error, number, result in trials(bench, step, stride):
        expect_guarded(contents, scenario, result, call, error, number)
        endings[result.returncode] = endings.get(result.returncode, 0) + 1
    return endings


def expect_undisturbed(contents, scenario):
    contents.put(scenario.files)
    result = contents.run(scenario)
    what = f"{scenario.name}, undisturbed"
    if result.returncode != scenario.ends:
        raise Broken(f"{what}: ends with {result.returncode}, not {scenario.ends}: {words(result)}")
    expect_files(contents.found(), expected(scenario, result.returncode), what)


def expected(scenario, code):
    """The files after a run that ended with a code, a hard link counted as what it leads to."""
    files = scenario.after if code == 0 and scenario.after else scenario.files
    return {name: files[content[2:]] if content.startswith("= ") else content for name, content in files.items()}


def expect_files(found, right, what):
    differences = [
        f"{name} is {found.get(name, 'missing')}, not {right.get(name, 'missing')}"
        for name in sorted({*found, *right}) if found.get(name) != right.get(name)
    ]
    if differences:
        raise Broken(f"{what}: {'; '.join(differences)}")


def expect_guarded(contents, scenario, result, call, error, number):
    code, said = result.returncode, words(result)
    what = f"{scenario.name}, {call} {number} fails with {error}, exit {code}"
    # SQLite repeats interrupted calls, except these two.
    harmless = error in HARMLESS and call not in ("stat", "fstat")
    if code != scenario.ends and (code not in ALLOWED or harmless):
        raise Broken(f"{what} instead of {scenario.ends}: {said}")
    found, right = contents.found(), expected(scenario, code)
    if found != right and not heals(contents, scenario, call, code, found, right):
        expect_files(found, right, what)
    if SQL.search(said):
        raise Broken(f"{what}: says SQL to an operator: {said}")
    reason = os.strerror(order(call, error, 1, hit=None)["FAULT_ERROR"])
    if code not in (0, scenario.ends) and (reason not in said or "/" not in said):
        raise Broken(f"{what}: does not say the system's words and a path: {said}")


def heals(contents, scenario, call, code, found, right):
    """Two states are not yet right, and the next run must mend them: a lock that could not be looked at was left, or
    the stores of a rollback are in the right order, but their numbers have a gap."""
    is_rollback = "--rollback" in scenario.command
    if call in ("stat", "fstat") and "a.sqlite.lock" not in right:
        found = {name: content for name, content in found.items() if name != "a.sqlite.lock"}
    if found != right and not (is_rollback and in_order(found) == in_order(right)):
        return False
    # Forced again, the new store would become an earlier one.
    result = contents.run(scenario._replace(command=scenario.command.replace(" --force", "")))
    if is_rollback and code == 0:
        # It goes back by one more store.
        live, *earlier = in_order(right)[0]
        return result.returncode == 0 and stores_of(contents.found()) == stores(*earlier, live)
    return result.returncode == scenario.ends and contents.found() == expected(scenario, scenario.ends)


def stores_of(found):
    """The live store and the earlier ones, without other files."""
    return {name: content for name, content in found.items() if re.fullmatch(r"a\.sqlite(\.\d+)?", name)}


def in_order(found):
    """The stores in the order of their numbers, and the other files."""
    numbered = sorted((int(name[9:] or 0), content) for name, content in stores_of(found).items())
    return [content for _, content in numbered], {name: found[name] for name in {*found} - {*stores_of(found)}}
