"""Brings every store of a feed list up to date each night: one mapped task a feed, on as many workers as there are.

Put a link to this file into Airflow's DAGs folder; README.md beside it names the settings. Each task runs the script nightly
of the folder above, for its feed, so downloads, keys, limits and what is refused are the same as on one machine. (For a copy of
this file, IMPORT_GTFS_NIGHTLY names that script.) Tasks may be repeated or killed at any time: a store is replaced as a whole or
not at all.
"""

import collections
import contextlib
import datetime
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile

from airflow.sdk import dag, get_current_context, task

try:
    from airflow.sdk.exceptions import AirflowException, AirflowFailException
except ImportError:  # Airflow 3.1
    from airflow.exceptions import AirflowException, AirflowFailException

HERE = pathlib.Path(__file__).resolve().parent


def setting(name, default):
    return os.environ.get("IMPORT_GTFS_" + name) or default


def folder(name):
    """A folder that all workers share."""
    path = pathlib.Path(setting("FOLDER", "/var/lib/import-gtfs")) / name
    path.mkdir(parents=True, exist_ok=True)
    return path


def program():
    return setting("PROGRAM", "import-gtfs")


def list_text(path):
    """The list in columns, and what the program says about entries of a public one that cannot be used."""
    if not is_public(path):
        return path.read_text(encoding="utf-8-sig", errors="surrogateescape"), ""
    with naming_what_is_missing("PROGRAM"):
        run = subprocess.run([program(), "--list", path], capture_output=True, text=True, errors="replace")
    if run.returncode != 0:
        # A list that was cut off, or that a disk could not give, may be whole the next minute.
        is_other = run.returncode == 64 or "is neither" in run.stderr
        kind = AirflowFailException if is_other else AirflowException
        raise kind(run.stderr.strip() or f"{path} cannot be read: {program()} ended with {run.returncode}")
    return run.stdout, run.stderr


@contextlib.contextmanager
def naming_what_is_missing(name):
    """Says which setting names a program that cannot be started; it will not be there the next minute either."""
    try:
        yield
    except (FileNotFoundError, PermissionError) as error:
        raise AirflowFailException(f"{error}: set IMPORT_GTFS_{name} to the program's path") from error


def is_public(path):
    """Public lists are read by the program, and nobody can rename their entries."""
    return path.suffix in (".csv", ".json")


def key_variable(row):
    """The variable that holds the key of a feed; None for one that sends none."""
    return "GTFS_KEY_" + re.sub("[^A-Z0-9]", "_", row[0].upper()) if row[3:] and row[3].strip() else None


def columns(path, text):
    """The rows of a list: name, source, options, key."""
    names, listed = set(), []
    for line in text.split("\n"):
        line = line.removesuffix("\r")
        if not line.strip(" \t") or line.startswith("#"):
            continue
        row = line.split("\t")
        if len(row) < 2 or not row[1].strip(" \t").split("#")[0] or not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", row[0]) or row[0] in names:
            raise AirflowFailException(f"{path}: {row[0]!r} is no name, has no source or stands in the list twice")
        names.add(row[0])
        listed.append(row)
    return listed


def rows(path):
    """The rows of a list that can be used, and the words about those that are left out."""
    text, words = list_text(path)
    listed = columns(path, text)
    keyed = collections.Counter(key_variable(row) for row in listed)
    kept = []
    for row in listed:
        variable = key_variable(row)
        fault = ""
        if variable and keyed[variable] > 1:
            fault = f"another feed would send the same key, {variable}"
            if not is_public(path):
                raise AirflowFailException(f"{path}: {row[0]!r}: {fault}; rename one")
        elif row[0] == "index" and is_public(path):
            fault = "no feed is called 'index', as the page over all feeds is"
        if fault:
            words += f"Left out: {row[0]}: {fault}\n"
        else:
            kept.append(row)
    return kept, words


def listed_row(name):
    """The row of a feed. Only names pass from task to task: a source may hold a key, and Airflow shows what passes."""
    path = pathlib.Path(setting("LIST", "/etc/import-gtfs/feeds.tsv"))
    for row in rows(path)[0]:
        if row[0] == name:
            return [name, with_whole_path(row[1], path.parent.resolve()), *row[2:4]]
    raise AirflowFailException(f"{name} is not in {path} any more")


def with_whole_path(source, list_folder):
    """A path counts from the list's own folder."""
    if "://" in source or source.startswith("/"):
        return source
    return str(list_folder / source)


def last_record(log):
    # Not splitlines(): names of a feed's files may have U+2028, which that takes for a line break.
    lines = log.read_text(encoding="utf-8", errors="replace").rstrip("\n").split("\n") if log.exists() else []
    return json.loads(lines[-1]) if lines and lines[-1] else {}


def run_nightly(name, row):
    """Runs the pipeline for one feed; its exit code and the record that it wrote."""
    log = folder("logs") / f"{name}.jsonl"
    before = log.stat().st_size if log.exists() else 0
    environment = {
        **os.environ, "STORES": str(folder("stores")), "CACHE": str(folder("cache") / name), "LOG": str(log), "JOBS": "1",
        # The task night writes the index, once for all feeds.
        "REPORTS": str(folder("reports")), "INDEX": "no", "IMPORT_GTFS": program(), "OPTIONS": setting("OPTIONS", ""),
    }
    with tempfile.TemporaryDirectory() as place:
        feeds = pathlib.Path(place) / "feeds.tsv"
        feeds.write_text("\t".join(row) + "\n", encoding="utf-8", errors="surrogateescape")
        nightly = setting("NIGHTLY", str(HERE.parent / "nightly"))
        code, words = output_of([nightly, feeds], environment)
    # The feed's own list is gone now.
    words = words.replace(f"{feeds}:1", name)
    print(words)
    wrote = log.exists() and log.stat().st_size != before
    return code, last_record(log) if wrote else {}, words


def output_of(command, environment):
    """Runs a command; its exit code and its words. Ends it with SIGTERM if the task is ended, so that no import goes on."""
    with handling_sigterm() as sigterm:
        with naming_what_is_missing("NIGHTLY"):
            run = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        try:
            sigterm.end_task()
            words, _ = run.communicate()
        except BaseException:  # neither Airflow's timeout nor the end of the task is an Exception
            run.terminate()
            run.communicate()
            raise
    return run.returncode, words


class Sigterm:
    """A handler that ends the task, but not before its command is known: else the command would go on alone."""

    def __init__(self):
        self.has_come = self.ends_task = False

    def __call__(self, *_):
        self.has_come = True
        if self.ends_task:
            raise SystemExit("the task was ended")

    def end_task(self):
        """Ends the task if the signal has come, and from now on when it comes."""
        self.ends_task = True
        if self.has_come:
            self()


@contextlib.contextmanager
def handling_sigterm():
    """Airflow ends a task with SIGTERM. Its own handler lets the task go on, and seconds later SIGKILL ends the task alone."""
    handler = Sigterm()
    try:
        before = signal.signal(signal.SIGTERM, handler)
    except ValueError:  # only the main thread may, and a task that runs in another one gets no signal
        yield handler
        return
    try:
        yield handler
    finally:
        signal.signal(signal.SIGTERM, before)


def verdict(code, record, said):
    """What the task answers; raises what makes Airflow try again, or give up. `said` are the words of nightly."""
    if code == 75 and not record:
        return {"status": "locked", "rows": 0, "seconds": 0, "store_bytes": 0, "message": "another run brings this feed"}
    report = record.get("report") or {}
    if code == 0 and record:
        status = {0: report.get("status", "current"), 65: "refused", 75: "locked"}[record["exit_code"]]
        return {
            "status": status, "rows": sum((report.get("rows") or {}).values()), "seconds": report.get("seconds", 0),
            "store_bytes": report.get("store_bytes", 0), "message": report.get("message") or record["words"],
        }
    last = said.rstrip("\n").split("\n")[-1]
    words = report.get("message") or record.get("words") or last or f"nightly ended with {code}"
    # A feed that is refused, and a setting that is wrong, are so the next minute as well.
    if code == 64 or record.get("exit_code") in (64, 65, 66, 70, 73):
        raise AirflowFailException(words)
    raise AirflowException(words)


def schedule():
    """As cron writes it; "none" for runs by hand alone."""
    words = setting("SCHEDULE", "15 2 * * *")
    return None if words == "none" else words


@dag(
    dag_id="import_gtfs",
    schedule=schedule(),
    start_date=datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc),
    catchup=False,
    max_active_runs=1,
    default_args={
        "retries": int(setting("TRIES", "4")) - 1,
        "retry_delay": datetime.timedelta(seconds=int(setting("RETRY_SECONDS", "300"))),
        "execution_timeout": datetime.timedelta(hours=4),
    },
    tags=["gtfs"],
    doc_md=__doc__,
)
def import_gtfs():
    @task
    def feeds():
        path = pathlib.Path(setting("LIST", "/etc/import-gtfs/feeds.tsv"))
        listed, words = rows(path)
        print(words, end="")
        names = [row[0] for row in listed]
        if not names:
            raise AirflowFailException(f"{path} names no feed{' that can be used' if is_public(path) else ''}")
        return names

    @task(map_index_template="{{ feed }}")
    def bring(name):
        get_current_context()["feed"] = name
        return {"feed": name, **verdict(*run_nightly(name, listed_row(name)))}

    @task(trigger_rule="all_done", retries=0)
    def night(names, results):
        """Sums up; fails if a feed has failed, so that the run shows it."""
        if names is None:
            raise AirflowFailException("the list could not be read: see the task feeds")
        results = [result for result in results if result]
        failed = sorted(set(names) - {result["feed"] for result in results})
        for result in sorted(results, key=lambda result: -result["seconds"]):
            print(f"{result['feed']:24} {result['status']:10} {result['seconds']:8.2f} s {result['rows']:12,} rows")
        subprocess.run([program(), "--index", folder("reports")], check=False)
        counts = {status: 0 for status in ("published", "unchanged", "refused", "locked")}
        for result in results:
            counts[result["status"]] = counts.get(result["status"], 0) + 1
        if failed:
            raise AirflowFailException(f"{len(failed)} of {len(names)} feeds failed: {', '.join(failed[:20])}")
        return counts

    listed = feeds()
    night(listed, bring.expand(name=listed))


import_gtfs()
