"""Lets every system call fail once: the Nth open, read, write … with each error, for N = 1, 2, … until a run has no Nth call."""

import errno
import os

from workbench import SQL, Broken, words

ERRORS = {
    "open": ["EIO", "EMFILE", "EINTR", "ENOSPC", "EDQUOT"],
    "read": ["EIO", "EINTR", "short"],
    "pread": ["EIO", "EINTR", "short"],
    "write": ["EIO", "ENOSPC", "EDQUOT", "EINTR", "short"],
    "pwrite": ["EIO", "ENOSPC", "EDQUOT", "EINTR", "short"],
    "fsync": ["EIO", "ENOSPC", "EDQUOT", "EINTR"],
    "rename": ["EIO", "ENOSPC", "EDQUOT", "EINTR"],
    "link": ["EIO", "ENOSPC", "EDQUOT", "EINTR"],
    "unlink": ["EIO", "EINTR"],
    "mmap": ["EIO", "EMFILE"],
    "fstat": ["EIO", "EINTR"],
    "stat": ["EIO", "EINTR"],
    "ftruncate": ["EIO", "ENOSPC", "EINTR"],
    "flock": ["EIO", "EINTR"],
}
# The exit codes allowed on a broken machine (README, exit codes). 70 is a bug, and no signal may end a program. A feed is not
# refused (65) because the machine failed.
ALLOWED = {66, 73, 74}
# Failures without effect: the program repeats the call, or continues with the rest.
HARMLESS = {"EINTR", "short"}


def cases(step=1):
    """(call, error) pairs; with a step, every so many of them."""
    pairs = [(call, error) for call, errors in ERRORS.items() for error in errors]
    return pairs[::step]


def torture_import(bench, step=1, stride=1, most=100_000):
    """Returns how many runs failed a call, and how each ended."""
    endings = {}
    for call, error in cases(step):
        number = 1
        while number <= most:
            hit = bench.folder / "hit"
            hit.unlink(missing_ok=True)
            bench.begin()
            # With one earlier store in place, keeping stores moves, links and removes files.
            (bench.stores / "a.sqlite.1").write_bytes(bench.bytes["old"])
            result = bench.run("new", "--keep", "1", preload="faults", **order(call, error, number, hit))
            if not hit.exists():
                break
            what = f"import-gtfs, {call} {number} fails with {error}"
            expect_ending(bench, result, call, error, what)
            endings[result.returncode] = endings.get(result.returncode, 0) + 1
            number += stride
    return endings


def order(call, error, number, hit):
    code = 0 if error == "short" else getattr(errno, error)
    return {"FAULT_CALL": call, "FAULT_AT": number, "FAULT_ERROR": code, "FAULT_HIT": hit}


def expect_ending(bench, result, call, error, what):
    code, said = result.returncode, words(result)
    if code != 0 and code not in ALLOWED:
        raise Broken(f"{what}: ends with {code}: {said}")
    bench.expect_store("new" if code == 0 else "old", f"{what}, exit {code}")
    bench.expect_whole(what)
    if code != 0 and error in HARMLESS:
        raise Broken(f"{what}: ends with {code} although it could go on: {said}")
    if SQL.search(said):
        raise Broken(f"{what}: says SQL to an operator: {said}")
    if code != 0 and (os.strerror(getattr(errno, error)) not in said or "/" not in said):
        raise Broken(f"{what}: does not say the system's words and a path: {said}")
    left = sorted(path.name for path in bench.stores.iterdir() if path.name not in ("a.sqlite", "a.sqlite.1"))
    if left and call != "unlink" and not (call in ("fstat", "stat") and left == ["a.sqlite.lock"]):
        raise Broken(f"{what}: leaves {', '.join(left)}")
    if left:
        bench.expect_healed(what)


QUESTIONS = [
    ["info"], ["fetch", "stop", "--format", "json"], ["near", "53.5,10.1", "--meters", "5000"], ["search", "mohn"],
    ["fetch", "stop_time", "--sort", "departureTime", "--format", "csv"], ["check"],
]


def torture_fetch(bench, step=1, stride=1):
    """Each question is answered correctly or not at all; returns how each run ended."""
    bench.begin()
    endings = {}
    for question in QUESTIONS:
        command = [bench.programs / "fetch-gtfs", bench.store, *question]
        right = bench.call(command)
        for call, error in cases(step):
            number = 1
            while True:
                hit = bench.folder / "hit"
                hit.unlink(missing_ok=True)
                result = bench.call(command, preload="faults", **order(call, error, number, hit))
                if not hit.exists():
                    break
                what = f"fetch-gtfs {' '.join(question)}, {call} {number} fails with {error}"
                if result.returncode == 0 and result.stdout != right.stdout:
                    raise Broken(f"{what}: answers wrongly")
                if result.returncode != 0 and result.returncode not in ALLOWED | {right.returncode}:
                    raise Broken(f"{what}: ends with {result.returncode}: {words(result)}")
                if result.returncode not in (0, right.returncode) and not words(result):
                    raise Broken(f"{what}: ends with {result.returncode} without a word")
                endings[result.returncode] = endings.get(result.returncode, 0) + 1
                number += stride
    return endings
