"""The departures of a stop or station from an instant on, across midnights, clock changes and time zones.

    python3 departures.py STORE STOP_ID 2026-10-25T00:30:00+02:00 SECONDS [arrivals]
"""
import datetime
import pathlib
import sqlite3
import sys
import zoneinfo

ORDER = ["instant", "route", "trip", "stop_sequence", "service_date"]
SCHEMA = pathlib.Path(__file__).resolve().parent.parent


def departures(store, stop_id, start, seconds, what="departures"):
    """Rows of departures.sql with `instant` and `service_date`, for start <= instant < start + seconds (Unix time)."""
    store.row_factory = sqlite3.Row
    query = (SCHEMA / f"{what}.sql").read_text()
    column = what[:-1] + "_time"
    latest, earliest = store.execute("SELECT ifnull(latest_time, 0), earliest_time FROM feed").fetchone()
    found = []
    for (zone,) in store.execute("SELECT timezone FROM route UNION SELECT timezone FROM feed").fetchall():
        day = datetime.datetime.fromtimestamp(start - latest, zoneinfo.ZoneInfo(zone)).date() - datetime.timedelta(1)
        last = datetime.datetime.fromtimestamp(start + seconds - earliest, zoneinfo.ZoneInfo(zone)).date() + datetime.timedelta(1)
        while day <= last:
            noon = datetime.datetime.combine(day, datetime.time(12), zoneinfo.ZoneInfo(zone))
            begin = int(noon.timestamp()) - 12 * 3600
            date = int(day.strftime("%Y%m%d"))
            values = {"stop_id": stop_id, "date": date, "from_time": start - begin, "until_time": start + seconds - begin}
            for row in store.execute(query, values):
                if row["timezone"] == zone:
                    found.append({**row, "instant": begin + row[column], "service_date": date})
            day += datetime.timedelta(1)
    return sorted(found, key=lambda row: [row[name] for name in ORDER])


if __name__ == "__main__":
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    store = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
    if not store.execute("SELECT 1 FROM stop WHERE stop_id = ?", sys.argv[2:3]).fetchone():
        sys.exit(f"the feed has no stop {sys.argv[2]}")
    start = int(datetime.datetime.fromisoformat(sys.argv[3]).timestamp())
    try:
        rows = departures(store, sys.argv[2], start, int(sys.argv[4]), *sys.argv[5:])
    except (OverflowError, ValueError) as error:
        sys.exit(f"Python counts from year 1 to 9999: {error}")
    for row in rows:
        instant = datetime.datetime.fromtimestamp(row["instant"], datetime.timezone.utc)
        print(instant.strftime("%Y-%m-%dT%H:%M:%SZ"), row["trip_id"], row["stop_id"], row["frequency"] or "-")
