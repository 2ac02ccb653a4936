#!/usr/bin/env python3
"""Runs the task of one feed as the DAG of pipelines/airflow does, where Airflow is not installed.

usage: run_task.py NAME SOURCE     (settings as for the DAG; prints what the task answers)
"""

import contextlib
import importlib
import json
import pathlib
import sys
import types
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "pipelines/airflow"))
sys.dont_write_bytecode = True
exceptions = types.ModuleType("airflow.exceptions")
exceptions.AirflowException = exceptions.AirflowFailException = RuntimeError
sys.modules |= {"airflow": mock.MagicMock(), "airflow.exceptions": exceptions, "airflow.sdk": mock.MagicMock()}

dag = importlib.import_module("import_gtfs")
name, source = sys.argv[1:]
with contextlib.redirect_stdout(sys.stderr):
    answer = dag.verdict(*dag.run_nightly(name, [name, source, "", ""]))
print(json.dumps(answer))
