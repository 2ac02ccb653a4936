#!/usr/bin/env python3
"""Checks under valgrind that the optimized program reads no value that was never written: values.py RELEASE [MUTANTS]

An unset value in a reused block is zero in one run and anything in another, and the sanitizers do not see it. Valgrind does. The
program imports MUTANTS copies of the sample feed with random faults (40 unless told; the same number gives the same faults; the first
has none), and the zips of at most 300 kB in the folder that GTFS_FEEDS names. Each feed takes some four seconds.

Not folders: the compiler tells the two cases of `EntrySource` apart by one bit of a word whose other bits a file does not set.
Valgrind 3.19 takes the test of that bit for a test of the word.
"""
import csv
import io
import pathlib
import random
import subprocess
import sys
import tempfile
import zipfile

from compare import SAMPLE, agencies_feeds

CELLS = ["", " ", "x", "-1", "0", "1", "9", "99999999999", "1.5", "25:10:00", "20260731", "#12", "Ä\u200b", '"', "a,b",
         "\n"]
UNSET, OTHER_ERRORS = 99, (0, 65)


def table(name):
    return list(csv.reader(io.StringIO((SAMPLE / name).read_text())))


def break_rows(rows, chance):
    """Breaks one thing of a file: a cell, a row or a column."""
    row, other = chance.randrange(1, len(rows)), chance.randrange(1, len(rows))
    column = chance.randrange(len(rows[0]))
    fault = chance.choice(["cell", "cell", "cell", "copied cell", "repeat", "drop", "swap", "column", "short", "long"])
    match fault:
        case "cell":
            rows[row][column:column + 1] = [chance.choice(CELLS)]
        case "copied cell":
            rows[row][column:column + 1] = rows[other][column:column + 1]
        case "repeat":
            rows.insert(other, list(rows[row]))
        case "drop" if len(rows) > 2:
            del rows[row]
        case "swap":
            rows[row], rows[other] = rows[other], rows[row]
        case "column":
            for cells in rows:
                del cells[column:column + 1]
        case "short":
            del rows[row][column:]
        case "long":
            rows[row] += ["beyond", ""]


def write_mutant(path, number):
    chance = random.Random(number)
    with zipfile.ZipFile(path, "w") as feed:
        for file in sorted(SAMPLE.glob("*.txt")):
            rows = table(file.name)
            for _ in range(chance.randrange(4) if number else 0):
                if len(rows) > 1 and rows[0]:
                    break_rows(rows, chance)
            text = io.StringIO()
            csv.writer(text, lineterminator="\n").writerows(rows)
            feed.writestr(file.name, text.getvalue())


def report(program, feed, out):
    """What valgrind says, or that the import ended in a way that no feed explains; nothing if all is well."""
    run = ["valgrind", "-q", f"--error-exitcode={UNSET}", program, "--force", "--quiet", feed, out]
    ran = subprocess.run(run, capture_output=True, text=True, errors="replace")
    return "" if ran.returncode in OTHER_ERRORS else f"{feed.name}: ended with {ran.returncode}\n{ran.stderr}"


def main(release, mutants="40"):
    with tempfile.TemporaryDirectory() as folder:
        # Valgrind 3.19 gives up on the debugging information of Swift 6.3.
        program = pathlib.Path(folder) / "import-gtfs"
        subprocess.run(["strip", "-g", "-o", program, pathlib.Path(release) / "import-gtfs"], check=True)
        feeds = []
        for number in range(int(mutants)):
            feeds.append(pathlib.Path(folder) / f"mutant-{number}.zip")
            write_mutant(feeds[-1], number)
        feeds += agencies_feeds()
        reports = [text for feed in feeds if (text := report(program, feed, pathlib.Path(folder) / "store.sqlite"))]
    print("\n".join(reports + [f"{len(feeds)} feeds, {len(reports)} failures"]))
    return 1 if reports else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
