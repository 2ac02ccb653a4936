"""Runs the DAG of pipelines/airflow for real, on feeds from a server on loopback, and checks every store.

    .build/airflow/bin/python Tests/Airflow/night.py PROGRAMS FOLDER [test] [local] [celery] [rate]

  test     airflow dags test: one process
  local    a scheduler with LocalExecutor: a first night, and one in which nothing has changed
  celery   Redis and two workers, one of which is killed with all its children in the middle of an import
  rate     Redis and one worker with two processes: the cost of 60 small feeds on the first night and on an unchanged one

The folder PROGRAMS has import-gtfs and fetch-gtfs. Every store must be the same, byte for byte, as a direct import of the zip makes it,
with no other file beside it. Prints the times of the nights, or says what is wrong and ends with 1.
"""

import contextlib
import functools
import http.server
import json
import os
import pathlib
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SMALL_FEEDS = 6
BIG_TRIPS = 40_000


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def processes():
    """Children by parent, and clock ticks by process, those of its dead children included (proc(5))."""
    children, times = {}, {}
    for place in pathlib.Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError, IndexError):
            fields = (place / "stat").read_text().rsplit(")", 1)[1].split()
            children.setdefault(int(fields[1]), []).append(int(place.name))
            times[int(place.name)] = sum(map(int, fields[11:15]))
    return children, times


def descendants(process, children):
    tree, waiting = [], [process]
    while waiting:
        tree.append(waiting.pop())
        waiting += children.get(tree[-1], [])
    return tree


class Night:
    """A folder with feeds, a server for them, and everything that Airflow needs."""

    def __init__(self, programs, folder):
        self.programs, self.folder = programs, folder
        shutil.rmtree(folder, ignore_errors=True)
        # A space, because operators may choose any name for the shared folder.
        self.data, self.feeds = folder / "shared data", folder / "feeds"
        self.feeds.mkdir(parents=True)
        self.names = []
        self.make_feeds()
        self.server = self.serve()
        self.write_list()
        self.port = free_port()
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("AIRFLOW")},
            "PATH": f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}", "PYTHONWARNINGS": "ignore",
            "AIRFLOW_HOME": str(folder / "home"), "AIRFLOW__CORE__DAGS_FOLDER": str(ROOT / "pipelines/airflow"),
            "AIRFLOW__CORE__LOAD_EXAMPLES": "False", "AIRFLOW__CORE__SIMPLE_AUTH_MANAGER_ALL_ADMINS": "True",
            "AIRFLOW__CORE__EXECUTION_API_SERVER_URL": f"http://127.0.0.1:{self.port}/execution/",
            "AIRFLOW__API__PORT": str(self.port), "AIRFLOW__API__HOST": "127.0.0.1", "AIRFLOW__API__WORKERS": "1",
            "AIRFLOW__API_AUTH__JWT_SECRET": "of-this-test-alone-and-long-enough-for-a-key",
            "AIRFLOW__CORE__PARALLELISM": "4", "AIRFLOW__DAG_PROCESSOR__REFRESH_INTERVAL": "5",
            "AIRFLOW__SCHEDULER__TASK_INSTANCE_HEARTBEAT_TIMEOUT": "20",
            "AIRFLOW__SCHEDULER__TASK_INSTANCE_HEARTBEAT_TIMEOUT_DETECTION_INTERVAL": "5",
            "AIRFLOW__SCHEDULER__TASK_INSTANCE_HEARTBEAT_SEC": "5",
            "IMPORT_GTFS_FOLDER": str(self.data), "IMPORT_GTFS_LIST": str(folder / "feeds.tsv"),
            "IMPORT_GTFS_PROGRAM": str(programs / "import-gtfs"), "IMPORT_GTFS_RETRY_SECONDS": "1",
            "IMPORT_GTFS_TRIES": "4", "IMPORT_GTFS_SCHEDULE": "none",
        }
        self.processes = []
        self.figures = {}

    # Feeds

    def make_feeds(self):
        """Small ones that differ by their version, and one whose import takes long enough to be interrupted."""
        sample = {path.name: path.read_bytes() for path in (ROOT / "pipelines/sample-feed").iterdir() if path.is_file()}
        for number in range(SMALL_FEEDS):
            self.write_zip(f"small-{number}", {**sample, "version.txt": f"number\n{number}\n".encode()})
        self.write_zip("big", self.big_feed())

    def write_zip(self, name, files):
        self.names.append(name)
        with zipfile.ZipFile(self.feeds / f"{name}.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            for file, data in files.items():
                archive.writestr(zipfile.ZipInfo(file), data, zipfile.ZIP_DEFLATED)

    @staticmethod
    def big_feed():
        calls = [f"s{call},{call},{6 + call // 60:02}:{call % 60:02}:00,{6 + call // 60:02}:{call % 60:02}:30\n" for call in range(50)]
        stop_times = "".join(f"t{trip},{call}" for trip in range(BIG_TRIPS) for call in calls)
        return {
            "agency.txt": "agency_id,agency_name,agency_url,agency_timezone\na,A,https://a.example,Europe/Berlin\n",
            "routes.txt": "route_id,agency_id,route_short_name,route_type\nr,a,1,3\n",
            "calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                            "w,1,1,1,1,1,1,1,20260101,20271231\n",
            "stops.txt": "stop_id,stop_name,stop_lat,stop_lon\n"
                         + "".join(f"s{stop},Stop {stop},52.{stop + 10},13.{stop + 10}\n" for stop in range(50)),
            "trips.txt": "route_id,service_id,trip_id\n" + "".join(f"r,w,t{trip}\n" for trip in range(BIG_TRIPS)),
            "stop_times.txt": "trip_id,stop_id,stop_sequence,arrival_time,departure_time\n" + stop_times,
        }

    def serve(self):
        class Handler(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_):
                pass

        handler = functools.partial(Handler, directory=str(self.feeds))
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return server

    def write_list(self, more=""):
        address = f"http://127.0.0.1:{self.server.server_address[1]}"
        lines = [f"{name}\t{address}/{name}.zip\t--keep 1\n" for name in self.names]
        (self.folder / "feeds.tsv").write_text("# name, source, options\n" + "".join(lines) + more)

    def forget_stores(self):
        shutil.rmtree(self.data, ignore_errors=True)

    # Airflow

    def airflow(self, *words):
        return subprocess.run(
            ["airflow", *words], env=self.environment, check=True, capture_output=True, text=True).stdout

    def start(self, *words):
        """A process group of its own, so that it can be ended with all its children."""
        log = open(self.folder / f"{'-'.join(words[:3]).replace('/', '_')}-{len(self.processes)}.log", "wb")
        process = subprocess.Popen(
            words, env=self.environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True)
        self.processes.append(process)
        return process

    @contextlib.contextmanager
    def running(self, executor, *more):
        self.environment["AIRFLOW__CORE__EXECUTOR"] = executor
        try:
            for part in ("api-server", "dag-processor", "scheduler"):
                self.start("airflow", part)
            yield [self.start(*words) for words in more]
        finally:
            for process in self.processes:
                self.end(process, signal.SIGTERM)
            self.processes = []

    @staticmethod
    def end(process, number):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def rows(self, query):
        database = os.path.join(self.folder, "home", "airflow.db")
        with contextlib.closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True, timeout=60)) as store:
            return store.execute(query).fetchall()

    def trigger(self, run):
        """As soon as the DAG is known."""
        deadline = time.monotonic() + 300
        while not self.rows("SELECT 1 FROM dag WHERE dag_id = 'import_gtfs'"):
            assert time.monotonic() < deadline, "the DAG was not found"
            time.sleep(1)
        self.airflow("dags", "unpause", "import_gtfs")
        self.airflow("dags", "trigger", "import_gtfs", "--run-id", run)

    def wait(self, run, wanted="success", seconds=900):
        deadline = time.monotonic() + seconds
        while True:
            (state,) = self.rows(f"SELECT state FROM dag_run WHERE run_id = '{run}'")[0]
            if state in ("success", "failed"):
                assert state == wanted, f"{run} ended as {state}: {self.tasks(run)}"
                break
            assert time.monotonic() < deadline, f"{run} does not end: {self.tasks(run)}"
            time.sleep(1)
        self.measure(run)

    def tasks(self, run):
        # Airflow 3.1 counts whole seconds twice in the column duration of SQLite.
        seconds = "round((julianday(end_date) - julianday(start_date)) * 86400, 2)"
        return self.rows(
            f"SELECT task_id, coalesce(rendered_map_index, map_index), state, try_number, {seconds}, hostname "
            f"FROM task_instance WHERE run_id = '{run}' ORDER BY task_id, map_index")

    def measure(self, run):
        ((seconds,),) = self.rows(
            "SELECT (julianday(max(end_date)) - julianday(min(start_date))) * 86400 FROM task_instance "
            f"WHERE run_id = '{run}'")
        brought = [row for row in self.tasks(run) if row[0] == "bring"]
        self.figures[run] = {
            "seconds": round(seconds, 1), "tasks": {row[1]: row[4] for row in brought},
            "tries": {row[1]: row[3] for row in brought if row[3] > 1}}

    def processor_time(self):
        """Seconds by part, with all its children that are or were."""
        seconds, ticks = {}, os.sysconf("SC_CLK_TCK")
        children, times = processes()
        for process in self.processes:
            part = " ".join(word for word in process.args if word not in ("airflow", "celery", "-H", "--skip-serve-logs"))
            tree = descendants(process.pid, children)
            seconds[part.split(" --")[0]] = sum(times.get(number, 0) for number in tree) / ticks
        return seconds

    # Stores

    def statuses(self):
        """What the pipeline wrote last about each feed."""
        records = {}
        for name in self.names:
            record = json.loads((self.data / "logs" / f"{name}.jsonl").read_text().splitlines()[-1])
            records[name] = (record["exit_code"], (record["report"] or {}).get("status"))
        return records

    def check_stores(self):
        stores = self.data / "stores"
        expected = self.folder / "expected.sqlite"
        for name in self.names:
            run = [self.programs / "import-gtfs", self.feeds / f"{name}.zip", expected, "--force", "--quiet"]
            subprocess.run(run, check=True)
            assert expected.read_bytes() == (stores / f"{name}.sqlite").read_bytes(), f"{name} is another store"
            subprocess.run([self.programs / "fetch-gtfs", stores / f"{name}.sqlite", "check"], check=True, capture_output=True)
        known = {f"{name}.sqlite{end}" for name in self.names for end in ("", ".lock", ".1")}
        beside = {path.name for path in stores.iterdir()} - known
        assert not beside, f"left behind: {beside}"


def test(night):
    night.forget_stores()
    night.airflow("dags", "test", "import_gtfs")
    night.check_stores()


def local(night):
    night.forget_stores()
    with night.running("LocalExecutor"):
        night.trigger("local-first")
        night.wait("local-first")
        night.check_stores()
        night.trigger("local-unchanged")
        night.wait("local-unchanged")
        assert set(night.statuses().values()) == {(0, "unchanged")}, night.statuses()
        # A feed that cannot be fetched fails the run, but not the other feeds.
        address = f"http://127.0.0.1:{night.server.server_address[1]}"
        night.write_list(more=f"none\t{address}/none.zip\nnofeed\t{night.folder}/feeds.tsv\n")
        night.trigger("local-failing")
        night.wait("local-failing", wanted="failed")
        failed = {row[1]: row[3] for row in night.tasks("local-failing") if row[0] == "bring" and row[2] == "failed"}
        # A file that is not a feed is not tried again. A missing file is, because the server may have it later.
        assert failed == {"nofeed": 1, "none": 4}, failed
        night.check_stores()
        night.write_list()


CELERY = "airflow.providers.celery.executors.celery_executor.CeleryExecutor"


def with_redis(night):
    """The commands of a broker, and of two workers."""
    port = free_port()
    night.environment |= {
        "AIRFLOW__CELERY__BROKER_URL": f"redis://127.0.0.1:{port}/0",
        "AIRFLOW__CELERY__RESULT_BACKEND": f"redis://127.0.0.1:{port}/1", "AIRFLOW__CELERY__WORKER_CONCURRENCY": "2",
    }
    redis = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(night.folder)]
    workers = [["airflow", "celery", "worker", "-H", f"worker-{number}", "--skip-serve-logs"] for number in (1, 2)]
    return redis, workers


def celery(night):
    night.forget_stores()
    redis, workers = with_redis(night)
    with night.running(CELERY, redis, *workers) as started:
        night.trigger("celery")
        killed = kill_worker(night, started[1:])
        night.wait("celery")
        night.check_stores()
        tries = night.figures["celery"]["tries"]
        assert "big" in tries, f"the killed import was not tried again: {tries}"
        night.figures["celery"]["killed"] = killed


def rate(night):
    """Processor time counts also where others use the machine."""
    night.forget_stores()
    big = night.names.pop()
    for number in range(SMALL_FEEDS, 60):
        name = f"small-{number}"
        shutil.copy(night.feeds / "small-0.zip", night.feeds / f"{name}.zip")
        night.names.append(name)
    night.write_list()
    redis, (worker, _) = with_redis(night)
    with night.running(CELERY, redis, worker):
        for run in ("rate-first", "rate-unchanged"):
            before = night.processor_time()
            night.trigger(run)
            night.wait(run)
            after = night.processor_time()
            figures = night.figures[run]
            durations = sorted(figures.pop("tasks").values())
            figures |= {
                "feeds": len(durations), "median_task_seconds": durations[len(durations) // 2],
                "processor_seconds": {part: round(after[part] - before[part], 1) for part in after}}
        night.check_stores()
    night.names = night.names[:SMALL_FEEDS] + [big]
    night.write_list()


def kill_worker(night, workers):
    """Kills the worker that makes the big store, while its temporary file grows."""
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        for place in pathlib.Path("/proc").glob("[0-9]*"):
            with contextlib.suppress(OSError):
                words = (place / "cmdline").read_bytes().split(b"\0")
                if words[0].endswith(b"/import-gtfs") and str(night.data / "stores/big.sqlite").encode() in words:
                    return kill_group_of(int(place.name), workers, night)
        time.sleep(0.005)
    raise AssertionError("the big import was never seen")


def kill_group_of(importer, workers, night):
    """The worker with all that descends from it, as when a machine is gone."""
    children, _ = processes()
    for number, worker in enumerate(workers, 1):
        tree = descendants(worker.pid, children)
        if importer in tree:
            for process in tree:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            assert not (night.data / "stores/big.sqlite").exists(), "the import was over when it was killed"
            return f"worker-{number}"
    raise AssertionError("no worker has the import")


def main():
    night = Night(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve())
    night.airflow("db", "migrate")
    for part in sys.argv[3:] or ["test", "local", "celery"]:
        begin = time.monotonic()
        {"test": test, "local": local, "celery": celery, "rate": rate}[part](night)
        print(f"{part}: right, in {time.monotonic() - begin:.0f} s", flush=True)
    print(json.dumps(night.figures, indent=1))


main()
