#!/bin/sh
# What a user would write: unpack the feed, .import every file, make the indexes. No types, no checks, no names, no fsync.
set -e
test $# = 2 || { echo 'usage: plain_sqlite.sh FEED.zip OUT.sqlite' >&2; exit 64; }
rm -f "$2"
folder=$(mktemp -d "${TMPDIR:-/tmp}/plain-sqlite.XXXXXX")
trap 'rm -rf "$folder"' EXIT
unzip -q "$1" -d "$folder"
{
    echo 'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;'
    echo '.mode csv'
    for table in agency stops routes calendar calendar_dates trips stop_times; do
        echo ".import '$folder/$table.txt' $table"
    done
    echo 'CREATE UNIQUE INDEX stops_stop_id ON stops(stop_id);'
    echo 'CREATE UNIQUE INDEX trips_trip_id ON trips(trip_id);'
    echo 'CREATE INDEX stops_place ON stops(stop_lon, stop_lat);'
    echo 'CREATE INDEX stop_times_stop ON stop_times(stop_id, departure_time);'
    echo 'CREATE INDEX stop_times_trip ON stop_times(trip_id, stop_sequence);'
    echo 'ANALYZE;'
} | sqlite3 "$2" > /dev/null
