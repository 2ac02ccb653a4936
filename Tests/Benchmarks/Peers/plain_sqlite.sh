#!/bin/sh
# What a user would write: unpack the feed, .import every file, make the indexes that queries need. No types, no checks, no
# names, no fsync. What sqlite3 complains of, such as an ID that comes twice, is left as it is.
set -e
test $# = 2 || { echo 'usage: plain_sqlite.sh FEED.zip OUT.sqlite' >&2; exit 64; }
rm -f "$2"
folder=$(mktemp -d "${TMPDIR:-/tmp}/plain-sqlite.XXXXXX")
trap 'rm -rf "$folder"' EXIT
unzip -qjo "$1" '*.txt' -d "$folder"
{
    echo 'PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;'
    echo '.mode csv'
    for file in "$folder"/*.txt; do
        echo ".import \"$file\" \"$(basename "$file" .txt)\""
    done
    echo 'CREATE UNIQUE INDEX stops_stop_id ON stops(stop_id);'
    echo 'CREATE UNIQUE INDEX trips_trip_id ON trips(trip_id);'
    echo 'CREATE INDEX stops_place ON stops(stop_lon, stop_lat);'
    echo 'CREATE INDEX stop_times_stop ON stop_times(stop_id, departure_time);'
    echo 'CREATE INDEX stop_times_trip ON stop_times(trip_id, stop_sequence);'
    if test -e "$folder/shapes.txt"; then echo 'CREATE INDEX shapes_shape ON shapes(shape_id, shape_pt_sequence);'; fi
    echo 'ANALYZE;'
} | sqlite3 "$2" > /dev/null 2>&1 || test -s "$2"
