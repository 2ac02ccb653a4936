"""Compares figures that noise cannot disturb (instructions, allocations, bytes) with those in counts.tsv."""
import os
import re
import shutil

import feeds
from machine import versions
from processes import measured, run
from report import text_table
from settings import BENCHMARKS, FETCH_PROGRAM, FOLDER, IMPORT_PROGRAM, UPDATES_COUNTS, say

TABLE = BENCHMARKS / "counts.tsv"
STOP_TIMES = 100_000
# The number of iterations of a round. A program that does one round is subtracted from one that does the same round twice, so,
# as in the races, the first round does not count: it prepares, and a warm store then keeps the rows that it has read.
FETCHES = {
    "box of 800 m": 200,
    "box of 80 m": 1_000,
    "box of 800 m with departures": 200,
    "search by words": 35,
    "box of 800 m, cold": 200,
    "box of 80 m, cold": 1_000,
    "box of 800 m with departures, cold": 200,
    "search by words, cold": 35,
    "object by id, its row cached": 10_000,
    "object by id, held already": 10_000,
    "walk over all stop times": 1,
    "opening to the first result": 50,
}
ALLOCATORS = {"malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "memalign"}
# Percent. Eight runs of an import differed by at most 0.5 %, because its threads meet in another order each time. Three
# runs of fetches differed by at most 0.05 %.
IMPORT_TOLERANCE, FETCH_TOLERANCE = 1.0, 0.5


def stripped(program):
    """A copy without debugging information, which valgrind 3.19 cannot read as Swift writes it."""
    copy = FOLDER / f"{program.name}-stripped"
    run("strip", "--strip-debug", "-o", copy, program)
    return copy


def counted(*command):
    """Instructions and allocations of a program."""
    out = FOLDER / "callgrind.out"
    # Swift seeds its hashes differently in each process. That would change a count by half a percent.
    environment = os.environ | {"SWIFT_DETERMINISTIC_HASHING": "1"}
    run("valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *command, env=environment)
    names, callee, allocations, instructions = {}, None, 0, 0
    for line in out.open(errors="replace"):
        if line.startswith("cfn="):
            number, name = re.match(r"cfn=\((\d+)\)(?: (.*))?", line).groups()
            callee = names.setdefault(number, name) if name else names.get(number)
        elif line.startswith("fn="):
            number, name = re.match(r"fn=\((\d+)\)(?: (.*))?", line).groups()
            if name:
                names[number] = name
        elif line.startswith("calls=") and callee in ALLOCATORS:
            allocations += int(line[6:].split()[0])
        elif line.startswith(("summary:", "totals:")):
            instructions = int(line.split()[1])
    return {"instructions": instructions, "allocations": allocations}


def import_counts():
    feed, out = feeds.feed(STOP_TIMES), FOLDER / "counted.sqlite"
    out.unlink(missing_ok=True)
    say("counting: import")
    program = stripped(IMPORT_PROGRAM)
    counts = counted(program, feed, out, "--quiet")
    out.unlink()
    # A single use of ContinuousClock, or of `contains` with a text, links a whole Swift library into the program.
    counts["bytes of the program"] = program.stat().st_size
    counts["bytes written"] = measured(IMPORT_PROGRAM, feed, out, "--quiet")["written"]
    counts["bytes of the store"] = out.stat().st_size
    return {("import", figure): (value, IMPORT_TOLERANCE) for figure, value in counts.items()}


def fetch_counts():
    """Of one iteration, ours and the other side's."""
    store, program, counts = feeds.store(STOP_TIMES), stripped(FETCH_PROGRAM), {}
    for contest, iterations in FETCHES.items():
        say(f"counting: {contest}")
        for side, prefix in (("ours", ""), ("other", "the other side's ")):
            once, twice = (counted(program, store, "--count", contest, side, iterations, rounds) for rounds in (1, 2))
            for figure, value in twice.items():
                if figure == "instructions" or side == "ours":
                    each = round((value - once[figure]) / iterations, 1)
                    counts[contest, prefix + figure] = (each, FETCH_TOLERANCE)
    return counts


def read_table():
    lines = TABLE.read_text().splitlines() if TABLE.exists() else []
    made_by = dict(line[2:].split(" ", 1) for line in lines if line.startswith("# "))
    rows = [line.split("\t") for line in lines if not line.startswith("#")][1:]
    return made_by, {(what, figure): float(value) for what, figure, value in rows}


def write_table(counts):
    lines = [f"# {name} {version}" for name, version in versions().items()] + ["what\tfigure\tcount"]
    lines += [f"{what}\t{figure}\t{value:.10g}" for (what, figure), (value, _) in counts.items()]
    TABLE.write_text("\n".join(lines) + "\n")


def compare():
    """Prints every count beside the committed one; whether none is larger than its tolerance allows."""
    if not shutil.which("valgrind"):
        say("counts need valgrind: apt-get install valgrind")
        return False
    counts = import_counts() | fetch_counts()
    made_by, expected = read_table()
    table, failures = [["", "", "committed", "now", "change", "allowed", ""]], 0
    for key, (value, tolerance) in counts.items():
        known = expected.get(key)
        change = None if known is None else 100 * (value - known) / known if known else 100.0 * (value != 0)
        is_more = known is None or change > tolerance
        verdict = "new" if known is None else "MORE" if is_more else "less" if change < -tolerance else ""
        failures += is_more
        table.append([
            key[0], key[1], "" if known is None else f"{known:,.10g}", f"{value:,.10g}",
            "" if change is None else f"{change:+.2f} %", f"{tolerance:g} %", verdict,
        ])
    print(text_table(table))
    if UPDATES_COUNTS:
        write_table(counts)
        say(f"written: {TABLE}")
        return True
    if made_by != versions():
        say(f"Only to look at: counts.tsv belongs to {made_by}, this is {versions()}.")
        return True
    if failures:
        say(f"{failures} counts are larger than committed. If that is meant: UPDATE_COUNTS=1 make bench-counts")
    return failures == 0
