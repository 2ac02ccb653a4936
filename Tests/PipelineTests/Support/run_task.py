#!/usr/bin/env python3
"""Runs the task of one feed as the DAG of pipelines/airflow does, where Airflow is not installed.

usage: run_task.py NAME [SECONDS [SIGTERM]]     (settings as for the DAG; prints what the task answers)

After so many seconds the task is ended: by an exception, as Airflow ends one that takes too long, or by SIGTERM, as it ends one
that was marked as failed.
"""

import contextlib
import importlib
import json
import os
import pathlib
import signal
import sys
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
name, seconds, kind = (sys.argv[1:] + ["", ""])[:3]


class TooLong(BaseException):
    pass


def end(*_):
    if kind != "SIGTERM":
        raise TooLong
    os.kill(os.getpid(), signal.SIGTERM)


# Airflow's own handler calls on_kill, which does nothing for a function, and returns.
signal.signal(signal.SIGTERM, lambda *_: None)
if seconds:
    signal.signal(signal.SIGALRM, end)
    signal.alarm(int(seconds))
with contextlib.redirect_stdout(sys.stderr):
    answer = dag.verdict(*dag.run_nightly(name, dag.listed_row(name)))
print(json.dumps(answer))
