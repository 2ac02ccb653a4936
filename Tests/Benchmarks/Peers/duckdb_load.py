"""Imports a feed with DuckDB: duckdb_load.py FEED.zip OUT.duckdb (pip install duckdb)"""
import os
import sys
import tempfile
import zipfile

import duckdb

feed, out = sys.argv[1:]
if os.path.exists(out):
    os.remove(out)
with tempfile.TemporaryDirectory() as folder:
    zipfile.ZipFile(feed).extractall(folder)
    connection = duckdb.connect(out)
    connection.execute(f"SET threads = {os.cpu_count()}")
    for table in ("agency", "stops", "routes", "calendar", "calendar_dates", "trips", "stop_times"):
        source = f"read_csv('{folder}/{table}.txt', header = true, all_varchar = true)"
        connection.execute(f"CREATE TABLE {table} AS SELECT * FROM {source}")
    connection.execute("CREATE INDEX stop_times_stop ON stop_times(stop_id)")
    connection.execute("CREATE INDEX stop_times_trip ON stop_times(trip_id)")
    connection.execute("CREATE INDEX stops_place ON stops(stop_lon, stop_lat)")
    connection.close()
