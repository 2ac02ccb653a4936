"""Kills imports between two different generations, at random moments and at every failpoint."""

import random
import signal
import subprocess
import time

from workbench import Broken


def at_random(bench, kills, seed):
    """Kills running imports until `kills` of them were hit. Returns how many kills left the old store, how many the new
    one, and how many imports had ended before the kill."""
    generator = random.Random(seed)
    met = {"old": 0, "new": 0, "ended first": 0}
    bench.begin("old")
    began = time.monotonic()
    bench.run("new", "--force", "--keep", "2")
    duration = time.monotonic() - began
    bench.begin("old")
    current = "old"
    number = 0
    while met["old"] + met["new"] < kills:
        number += 1
        other = "new" if current == "old" else "old"
        process = subprocess.Popen(
            bench.command(other, "--keep", "2", "--quiet"), stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(generator.random() * duration * 1.1)
        process.send_signal(signal.SIGKILL)
        ended = process.wait() == 0
        what = f"kill {number}, seed {seed}"
        bench.expect_whole(what)
        found = next(name for name, content in bench.bytes.items() if content == bench.store.read_bytes())
        if ended and found != other:
            raise Broken(f"{what}: the import ended with 0, and the store is the earlier one")
        met["ended first" if ended else "old" if found == current else "new"] += 1
        current = found
        if number % 50 == 0:
            bench.expect_healed(what)
            current = "new"
    return met


def at_failpoints(bench):
    """Kills an import at each failpoint that it reaches, and returns their names; none for programs of a release build."""
    bench.begin()
    (bench.stores / "a.sqlite.1").write_bytes(bench.bytes["old"])
    result = bench.run("new", "--keep", "1", "--batch-size", "20", IMPORT_GTFS_FAILPOINT="?")
    lines = [line.split()[1] for line in result.stderr.decode().splitlines() if line.startswith("failpoint ")]
    if not lines:
        return []
    for place in sorted(set(lines)):
        visits = lines.count(place)
        for visit in sorted({1, (visits + 1) // 2, visits}):
            bench.begin()
            (bench.stores / "a.sqlite.1").write_bytes(bench.bytes["old"])
            result = bench.run(
                "new", "--keep", "1", "--batch-size", "20", IMPORT_GTFS_FAILPOINT=f"{place}:{visit}")
            what = f"killed at {place}, visit {visit}"
            if result.returncode != -signal.SIGKILL:
                raise Broken(f"{what}: ended with {result.returncode}")
            bench.expect_whole(what)
            expected = "new" if place in ("renamed", "folder-flushed", "oldest-removed") else "old"
            bench.expect_store(expected, what)
            bench.expect_healed(what)
    return sorted(set(lines))
