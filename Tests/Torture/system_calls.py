"""Lets every system call fail once: the Nth open, read, write … with each error, for N = 1, 2, … until a run has no Nth call.

A call that a run never makes would test nothing, so that is a failure too.
"""

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
    "fstat": ["EIO", "EINTR"],
    "stat": ["EIO", "EINTR"],
    "ftruncate": ["EIO", "ENOSPC", "EINTR"],
    "flock": ["EIO", "EINTR"],
}
# The calls on a feed that is a zip, and those of `fetch-gtfs`, which reads a store and writes its answer. It calls stat only while
# Swift's runtime looks for its own files.
ZIP_CALLS = {"open", "pread", "fstat", "stat"}
FETCH_CALLS = {"open", "pread", "write", "fstat"}
# The exit codes allowed on a broken machine (README, exit codes). 70 is a bug, and no signal may end a program. A feed is not
# refused (65) because the machine failed.
ALLOWED = {66, 73, 74}
# Failures without effect: the program repeats the call, or continues with the rest.
HARMLESS = {"EINTR", "short"}


def cases(step=1, calls=ERRORS):
    """(call, error) pairs; with a step, every so many of them."""
    pairs = [(call, error) for call, errors in ERRORS.items() if call in calls for error in errors]
    return pairs[::step]


def failing_runs(run, bench, call, error, stride, what):
    """Lets the first call fail, then each `stride`th after it; yields (number, result). `run` takes the orders."""
    hit, number = bench.folder / "hit", 1
    while True:
        hit.unlink(missing_ok=True)
        result = run(order(call, error, number, hit))
        if not hit.exists():
            break
        yield number, result
        number += stride
    if number == 1:
        raise Broken(f"{what}: never calls {call}, so nothing is tested")


def torture_import(bench, step=1, stride=1, feed="new", calls=ERRORS, **limits):
    """Returns how many runs failed a call, and how each ended."""
    endings = {}

    def run(orders):
        bench.begin()
        # With one earlier store in place, keeping stores moves, links and removes files.
        (bench.stores / "a.sqlite.1").write_bytes(bench.bytes["old"])
        return bench.run(feed, "--keep", "1", preload="faults", **orders, **limits)

    for call, error in cases(step, calls):
        what = f"import-gtfs of {bench.feeds[feed].name}"
        for number, result in failing_runs(run, bench, call, error, stride, what):
            expect_ending(bench, feed, result, call, error, f"{what}, {call} {number} fails with {error}")
            endings[result.returncode] = endings.get(result.returncode, 0) + 1
    return endings


def torture_zip(bench, step=1, stride=1):
    """The same with a zip. Only calls on the zip fail, since the others are those of any import."""
    return torture_import(bench, step, stride, "zip", ZIP_CALLS, FAULT_PATH=bench.feeds["zip"].name)


def order(call, error, number, hit):
    code = 0 if error == "short" else getattr(errno, error)
    return {"FAULT_CALL": call, "FAULT_AT": number, "FAULT_ERROR": code, "FAULT_HIT": hit}


def expect_ending(bench, feed, result, call, error, what):
    code, said = result.returncode, words(result)
    if code != 0 and code not in ALLOWED:
        raise Broken(f"{what}: ends with {code}: {said}")
    bench.expect_store(feed if code == 0 else "old", f"{what}, exit {code}")
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


# Questions, and a part of the right answer: one that finds no rows would test little.
QUESTIONS = {
    ("info",): b"contentHash", ("fetch", "stop", "--format", "json"): b'"stopID":"bahnhof"',
    ("near", "53.45,12.6", "--meters", "5000"): b"\nsternwarte ", ("search", "mohn"): b"\nbahnhof ",
    ("fetch", "stop_time", "--sort", "departureTime", "--format", "csv"): b"\n1,", ("check",): b" is sound",
}


def torture_fetch(bench, step=1, stride=1):
    """Each question is answered correctly or not at all; returns how each run ended."""
    bench.begin()
    endings = {}
    for question, part in QUESTIONS.items():
        command = [bench.programs / "fetch-gtfs", bench.store, *question]
        what = f"fetch-gtfs {' '.join(question)}"
        right = bench.call(command)
        if right.returncode != 0 or part not in right.stdout:
            raise Broken(f"{what}: ends with {right.returncode}, its answer lacks {part!r}: {words(right)}")

        def run(orders):
            return bench.call(command, preload="faults", **orders)

        for call, error in cases(step, FETCH_CALLS):
            for number, result in failing_runs(run, bench, call, error, stride, what):
                expect_answer(result, right, f"{what}, {call} {number} fails with {error}")
                endings[result.returncode] = endings.get(result.returncode, 0) + 1
    return endings


def expect_answer(result, right, what):
    code = result.returncode
    if code == 0 and result.stdout != right.stdout:
        raise Broken(f"{what}: answers wrongly")
    if code != 0 and code not in ALLOWED:
        raise Broken(f"{what}: ends with {code}: {words(result)}")
    if code != 0 and not words(result):
        raise Broken(f"{what}: ends with {code} without a word")
