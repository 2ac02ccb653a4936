#!/usr/bin/env python3
"""Breaks the machine under import-gtfs and fetch-gtfs in every reproducible way, and checks what they leave behind.

    python3 Tests/Torture/torture.py quick .build/debug            # seconds: part of make test
    python3 Tests/Torture/torture.py all .build/release .build/debug   # make torture: writes results.json beside this file

Ends with 0, or with 1 and the first promise that did not hold.
"""

import argparse
import datetime
import json
import sys
import time

import bombs
import guards
import kills
import lost_writes
import memory
import mutants
import nights
import power_loss
import readers
import stops
import system_calls
from workbench import HERE, Broken, Workbench


def quick(programs):
    with Workbench(programs) as bench:
        places = kills.at_failpoints(bench)
        print("failpoints:", ", ".join(places) or "none (a release build)")
        print("kills:", kills.at_random(bench, 20, seed=1))
        print("power cuts:", power_loss.torture(bench, variants=4, seed=1))
        expect_seen(bench)
        print("lost writes:", lost_writes.torture(bench, step=5))
        print("mutants:", mutants.torture(bench, 21, seed=1))
        print("readers:", readers.torture(bench, 10))
        print("nights:", nights.torture(bench, nights=6, commands=25, seed=1))
        print("failing mallocs:", memory.torture(bench, 40))
        print("system calls, import-gtfs:", system_calls.torture_import(bench, step=7, stride=9))
        print("system calls, import-gtfs of a zip:", system_calls.torture_zip(bench, step=3, stride=9))
        print("system calls, fetch-gtfs:", system_calls.torture_fetch(bench, step=3, stride=13))
        print("system calls, guards:", guards.torture(bench, step=27, stride=3))


def expect_seen(bench):
    """The power cuts would see an import that does not flush its store."""
    try:
        # Only the few cuts after the exchange can show it, and only if the rename reached the disk and a page did not.
        power_loss.torture(bench, variants=16, seed=1, forget=("flush",))
    except Broken:
        return
    raise Broken("power cuts do not see that a store is never flushed: the test is blind")


def failpoints(bench):
    places = kills.at_failpoints(bench)
    if not places:
        raise Broken("the programs have no failpoints: name the folder of a debug build")
    return places


def everything(programs, debug, seed, only):
    """Writes results.json, with the date of each part; `only` names the parts to renew, and the others stay."""
    file = HERE / "results.json"
    results = json.loads(file.read_text()) if only else {"seed": seed, "dates": {}}
    if seed != results["seed"]:
        raise Broken(f"the other parts have the seed {results['seed']}")
    left = set(only or ())

    def measure(name, work):
        if only and name not in only:
            return
        left.discard(name)
        began = time.monotonic()
        results[name] = work()
        results["dates"][name] = datetime.date.today().isoformat()
        file.write_text(json.dumps(results, indent=2) + "\n")
        print(f"{name}: {json.dumps(results[name])}, {time.monotonic() - began:.0f} s", flush=True)

    with Workbench(programs) as bench:
        measure("random_kills", lambda: kills.at_random(bench, 1_000, seed))
        measure("power_cuts", lambda: dict(zip(("operations", "cuts"), power_loss.torture(bench, 200, seed))))
        if not only:
            expect_seen(bench)
        measure("lost_writes", lambda: lost_writes.torture(bench))
        measure("mutants", lambda: mutants.torture(bench, 1_000, seed))
        measure("readers_and_publishers", lambda: readers.torture(bench, 1_000))
        measure("nights", lambda: nights.torture(bench, 60, 40, seed))
        measure("system_calls_import", lambda: system_calls.torture_import(bench))
        measure("system_calls_zip", lambda: system_calls.torture_zip(bench))
        measure("system_calls_fetch", lambda: system_calls.torture_fetch(bench))
        measure("system_calls_guards", lambda: guards.torture(bench))
        # The first 200 are the program's start. The others are spread over the import.
        measure("failing_mallocs_at_the_start", lambda: memory.torture(bench, 200))
        measure("failing_mallocs", lambda: memory.torture(bench, 500, first=201, step=23))
        measure("stops", lambda: stops.torture(bench))
        measure("bombs", lambda: bombs.torture(bench))
    if debug:
        with Workbench(debug) as bench:
            measure("failpoints", lambda: failpoints(bench))
            measure("nights_with_failpoints", lambda: nights.torture(bench, 30, 40, seed))
    if left:
        raise Broken(f"no such part, or it needs a debug build: {', '.join(sorted(left))}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=["quick", "all", "kills", "power", "calls", "zip", "fetch", "guards", "memory",
                                         "failpoints", "lost", "mutants", "nights", "readers", "stops", "bombs"])
    parser.add_argument("programs", help="the folder of import-gtfs and fetch-gtfs")
    parser.add_argument("debug", nargs="?", help="the folder of a debug build, which has failpoints")
    parser.add_argument("--seed", type=int, default=20261121)
    parser.add_argument("--only", nargs="+", metavar="NAME", help="for all: the parts of results.json to run; the others stay")
    parser.add_argument("--feed", help="for stops: the feed to import")
    parser.add_argument("--every", type=float, help="for stops: seconds from one moment to the next")
    arguments = parser.parse_args()
    parts = {
        "kills": lambda bench: kills.at_random(bench, 1_000, arguments.seed),
        "power": lambda bench: power_loss.torture(bench, 200, arguments.seed),
        "calls": system_calls.torture_import,
        "zip": system_calls.torture_zip,
        "fetch": system_calls.torture_fetch,
        "guards": guards.torture,
        "memory": lambda bench: (memory.torture(bench, 200), memory.torture(bench, 500, first=201, step=23)),
        "failpoints": failpoints,
        "lost": lost_writes.torture,
        "mutants": lambda bench: mutants.torture(bench, 1_000, arguments.seed),
        "nights": lambda bench: nights.torture(bench, 200, 40, arguments.seed),
        "readers": lambda bench: readers.torture(bench, 1_000),
        "stops": lambda bench: stops.torture(bench, arguments.feed, every=arguments.every),
        "bombs": bombs.torture,
    }
    try:
        if arguments.part == "quick":
            quick(arguments.programs)
        elif arguments.part == "all":
            everything(arguments.programs, arguments.debug, arguments.seed, arguments.only)
        else:
            with Workbench(arguments.programs) as bench:
                print(parts[arguments.part](bench))
    except Broken as broken:
        print(f"torture: {broken}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
