"""Runs programs, and measures them."""
import json
import os
import subprocess

from settings import BENCHMARKS, FOLDER


class Failure(Exception):
    """A program that did not do what it was asked to."""


def run(*command, **options):
    """A program's standard output."""
    done = subprocess.run([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    return done.stdout


def measured(*command):
    """Seconds, CPU seconds, peak memory and bytes written of a program that writes to none of our pipes."""
    result = FOLDER / "measured.json"
    os.sync()  # What the one before left to be written is not this one's burden.
    run(baseline("measure"), result, *command)
    return json.loads(result.read_text())


def baseline(name, *libraries):
    """A C program of Baselines, compiled when it is missing or older than its source."""
    source, program = BENCHMARKS / "Baselines" / f"{name}.c", FOLDER / name
    if not program.exists() or program.stat().st_mtime < source.stat().st_mtime:
        FOLDER.mkdir(parents=True, exist_ok=True)
        run(os.environ.get("CC") or "cc", "-O2", "-o", program, source, *(f"-l{library}" for library in libraries))
    return program
