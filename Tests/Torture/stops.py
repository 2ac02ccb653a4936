"""Sends TERM at many moments of an import, and checks how long it takes to end and what it leaves."""

import os
import random
import signal
import statistics
import subprocess
import time
import zipfile

from workbench import Broken, write_zip

MOST_SECONDS = 2.0  # the promise is one second; on a busy machine, programs wait for each other


def large_feed(path, stop_times):
    """Trips in no order with shapes, stops with names of several words: every phase has something to do."""
    trips = max(1, stop_times // 30)
    order = list(range(trips))
    random.Random(1).shuffle(order)

    def rows(trips, row):
        for start in range(0, len(trips), 2_000):
            yield "".join(row(trip, stop) for trip in trips[start:start + 2_000] for stop in range(30))

    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        write_zip(archive, "agency.txt", ["agency_name,agency_url,agency_timezone\nA,http://a.example,Europe/Berlin\n"])
        write_zip(archive, "routes.txt", ["route_id,route_short_name,route_type\nr,1,3\n"])
        write_zip(archive, "calendar_dates.txt", ["service_id,date,exception_type\nw,20260101,1\n"])
        write_zip(archive, "stops.txt", ["stop_id,stop_name,stop_lat,stop_lon\n"] + [
            f"s{n},Street {n} at Corner {n % 97},50.{n:05},8.{n:05}\n" for n in range(60_000)])
        write_zip(archive, "trips.txt", ["route_id,service_id,trip_id,shape_id\n"] + [
            f"r,w,t{n},p{n % 999}\n" for n in range(trips)])
        write_zip(archive, "stop_times.txt", ["trip_id,arrival_time,departure_time,stop_id,stop_sequence\n", *rows(
            order, lambda t, n: f"t{t},06:{n:02}:00,06:{n:02}:30,s{(t * 7 + n * 131) % 60_000},{n}\n")])
        write_zip(archive, "shapes.txt", ["shape_id,shape_pt_sequence,shape_pt_lat,shape_pt_lon\n", *rows(
            order[:trips // 3], lambda t, n: f"p{t},{n},50.{n:03}{t % 10},8.{n:03}{t % 10}\n")])


def processor_seconds(process):
    """What a running program has used of the processors."""
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def stop_after(command, folder, seconds):
    """How long it takes to end after TERM, how much of that it worked, its exit code, and its phase when TERM came.

    The work is what a machine with nothing else to do would take; the rest is waiting for the processor or the disk.
    """
    process = subprocess.Popen(
        [*command, "--progress"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    os.set_blocking(process.stderr.fileno(), False)
    time.sleep(seconds)
    said = (process.stderr.read() or b"").decode(errors="replace").replace("\n", "\r").split("\r")
    # Not send_signal(), which would reap a program that has just ended.
    os.kill(process.pid, signal.SIGTERM)
    began, used = time.monotonic(), processor_seconds(process)
    _, status, usage = os.wait4(process.pid, 0)
    code = process.returncode = os.waitstatus_to_exitcode(status)
    took, worked = time.monotonic() - began, max(0, usage.ru_utime + usage.ru_stime - used)
    phase = next((line.split("  ")[0].strip() for line in reversed(said) if line.strip()), "start")
    if code not in (0, 143):
        raise Broken(f"TERM after {seconds:.2f} s ({phase}): ends with {code}")
    left = [name for name in os.listdir(folder) if code == 143 or name != "a.sqlite"]
    if left:
        raise Broken(f"TERM after {seconds:.2f} s ({phase}): leaves {', '.join(left)}")
    return took, worked, code, phase


def torture(bench, feed=None, stop_times=3_000_000, every=None):
    """Returns how long the slowest took in each phase; with `feed` that one is imported instead of one of our own."""
    if not feed:
        feed = bench.folder / "large.zip"
        large_feed(feed, stop_times)
    folder = bench.folder / "stopped"
    folder.mkdir()
    command = [bench.programs / "import-gtfs", feed, folder / "a.sqlite"]
    began = time.monotonic()
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    duration = time.monotonic() - began
    (folder / "a.sqlite").unlink()
    step = every or duration / 60
    took, work, phases, seconds = [], [], {}, step / 2
    while True:
        delay, worked, code, phase = stop_after(command, folder, seconds)
        if code == 0:
            break
        print(f"after {seconds:.1f} s, {phase}: {delay:.2f} s, {worked:.2f} s of work", flush=True)
        took.append(delay)
        work.append(worked)
        phases[phase] = max(phases.get(phase, 0), round(delay, 2))
        if delay > MOST_SECONDS:
            raise Broken(f"TERM after {seconds:.2f} s ({phase}): ends {delay:.2f} s later")
        seconds += step
    return {
        "moments": len(took), "seconds_of_an_import": round(duration, 1), "most_seconds": round(max(took), 2),
        "most_seconds_of_work": round(max(work), 2),
        "median_seconds": round(statistics.median(took), 3), "by_phase": phases}
