#!/usr/bin/env python3
"""Runs the task of one feed as the DAG of pipelines/airflow does, where Airflow is not installed.

usage: run_task.py NAME [FILE exception|SIGTERM|start]     (settings as for the DAG; prints what the task answers)

Once the file exists, the task is ended: by an exception, as Airflow ends one that takes too long, or by SIGTERM, as it ends one
that was marked as failed. If there is no such file after five minutes, the exit code is 2. With start, SIGTERM comes while the
task starts nightly, whose process number goes into the file.
"""

import contextlib
import importlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
import types
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "pipelines/airflow"))
sys.dont_write_bytecode = True


class AirflowException(Exception):
    """Airflow tries the task again."""


class AirflowFailException(AirflowException):
    """Airflow gives the task up."""


exceptions = types.ModuleType("airflow.exceptions")
exceptions.AirflowException, exceptions.AirflowFailException = AirflowException, AirflowFailException
sys.modules |= {"airflow": mock.MagicMock(), "airflow.exceptions": exceptions, "airflow.sdk": mock.MagicMock()}

dag = importlib.import_module("import_gtfs")
name, file, kind = (sys.argv[1:] + ["", ""])[:3]


class TooLong(BaseException):
    pass


def end(*_):
    if kind != "SIGTERM":
        raise TooLong
    os.kill(os.getpid(), signal.SIGTERM)


def end_once_it_exists(path):
    for _ in range(3_000):
        if path.exists():
            os.kill(os.getpid(), signal.SIGALRM)
            return
        time.sleep(0.1)
    print(f"run_task: there is no {path}", file=sys.stderr, flush=True)
    os._exit(2)


class StartedUnderSigterm(subprocess.Popen):
    """A process that has started when SIGTERM comes, but that the task does not know yet."""

    def __init__(self, *arguments, **settings):
        super().__init__(*arguments, **settings)
        pathlib.Path(file).write_text(str(self.pid), encoding="ascii")
        os.kill(os.getpid(), signal.SIGTERM)


# Airflow's own handler calls on_kill, which does nothing for a function, and returns.
signal.signal(signal.SIGTERM, lambda *_: None)
if kind == "start":
    dag.subprocess.Popen = StartedUnderSigterm
elif file:
    signal.signal(signal.SIGALRM, end)
    threading.Thread(target=end_once_it_exists, args=[pathlib.Path(file)], daemon=True).start()
with contextlib.redirect_stdout(sys.stderr):
    answer = dag.verdict(*dag.run_nightly(name, dag.listed_row(name)))
print(json.dumps(answer))
