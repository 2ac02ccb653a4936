#!/usr/bin/env python3
"""Measures what it costs to find a feed unchanged, compared with importing it, for every zip of a folder.

usage: unchanged.py IMPORT_GTFS FOLDER     (WORK: a folder for stores, else a temporary one)

Each feed is imported, then repacked (another order, another compression, other dates), and imported again. The second import must
answer "unchanged" and leave the store's bytes as they were; its share of the first import's processor time is printed. It compares every
checksum of the store before it says "unchanged".
"""
import hashlib
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import zipfile


def run(program, feed, store):
    """The report, and the processor time of the process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run([program, feed, store, "--json", "--quiet"], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return json.loads(result.stdout), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def repack(source, target):
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for member in reversed(old.infolist()):
            if not member.is_dir():
                info = zipfile.ZipInfo(member.filename, (1999, 9, 9, 9, 9, 8))
                new.writestr(info, old.read(member), zipfile.ZIP_STORED if member.file_size < 4096 else zipfile.ZIP_DEFLATED, 1)


def digest(path):
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def main(program, folder):
    shares, imports, checks, faults = [], 0, 0, 0
    with tempfile.TemporaryDirectory(dir=os.environ.get("WORK")) as work:
        for feed in sorted(pathlib.Path(folder).glob("*.zip")):
            store, again = f"{work}/store.sqlite", f"{work}/{feed.name}"
            report, first = run(program, str(feed), store)
            if report["status"] != "published":
                print(f"{feed.name}: {report['status']}: {report['message']}")
                continue
            before = digest(store)
            try:
                repack(feed, again)
            except Exception as error:
                print(f"{feed.name}: Python cannot read it: {error}")
                os.remove(store)
                continue
            report, second = run(program, again, store)
            is_right = report["status"] == "unchanged" and digest(store) == before
            faults += not is_right
            imports, checks = imports + first, checks + second
            shares.append(second / first)
            print(f"{feed.name}: import {first:.3f} s, unchanged {second:.3f} s{'' if is_right else '  WRONG: ' + report['message']}", flush=True)
            os.remove(store)
            os.remove(again)
    shares.sort()
    print(f"{len(shares)} feeds: import {imports:.2f} s, unchanged {checks:.2f} s, {checks / imports:.3f} of it; "
          f"median share {shares[len(shares) // 2]:.3f}, largest {shares[-1]:.3f}; {faults} wrong")
    return 1 if faults else 0


sys.exit(main(*sys.argv[1:]))
