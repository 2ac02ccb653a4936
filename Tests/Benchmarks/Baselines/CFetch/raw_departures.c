// Departures by the best SQL that is known: the index's entry, the trip, whether its service runs, and only then the
// row.
#include "raw_departures.h"
#include <stdio.h>
#include <string.h>

#define ROWS \
    " CROSS JOIN trip AS t1 CROSS JOIN service AS v CROSS JOIN service_day AS d CROSS JOIN stop_time AS t0" \
    " CROSS JOIN stop AS s LEFT JOIN route AS r ON r.id = t1.route"
#define CONDITIONS \
    " AND c.departure_time >= ?2 AND c.departure_time < ?3 AND t1.id = c.trip AND d.date = ?1" \
    " AND v.id = t1.service AND d.day_set = v.day_set AND t0.trip = c.trip AND t0.stop_sequence = c.stop_sequence AND s.id = c.stop" \
    " AND t0.pickup_type IS NOT 1 AND EXISTS (SELECT 1 FROM stop_time AS n WHERE n.trip = t0.trip" \
    " AND n.stop_sequence > t0.stop_sequence) ORDER BY c.departure_time"
#define COLUMNS \
    "SELECT c.departure_time, c.stop_sequence, c.stop, c.trip, t1.route, t1.trip_id, coalesce(t0.stop_headsign, t1.headsign)," \
    " t0.pickup_type, t0.filled_times, t1.direction_id, r.route_id, r.short_name, s.stop_id, s.name, s.platform_code "
enum { time_column = 0, sequence_column = 1, headsign_column = 6, line_column = 11, platform_column = 14 };
#define INDEX "stop_time AS c INDEXED BY stop_time_stop_departure_time"

/// Prepares for so many stops; they are the values from the fourth on.
static int prepare_stops(sqlite3 *db, int count, sqlite3_stmt **statement) {
    char sql[4000], *end = sql;
    if (*statement) return SQLITE_OK;
    end += sprintf(end, COLUMNS "FROM ");
    if (count > 1) {
        end += sprintf(end, "(VALUES ");
        for (int i = 0; i < count; i++) end += sprintf(end, i ? ", (?%d)" : "(?%d)", i + 4);
        end += sprintf(end, ") AS p CROSS JOIN ");
    }
    sprintf(end, INDEX ROWS " WHERE c.stop = %s" CONDITIONS, count > 1 ? "p.column1" : "?4");
    return sqlite3_prepare_v2(db, sql, -1, statement, NULL);
}

/// A box by the store's cells of longitude, then the exact distance of each stop in it.
static const char near_stops[] =
    "SELECT id, latitude, longitude FROM stop INDEXED BY stop_cell_latitude"
    " WHERE CAST((longitude + 180) * 100 AS INTEGER) = ?1 AND latitude BETWEEN ?2 AND ?3 AND longitude BETWEEN ?4 AND ?5";

static RawTally run(sqlite3_stmt *statement) {
    RawTally tally = {0, 0};
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        raw_read_values(statement);
        tally.rows++;
        tally.sum += sqlite3_column_int64(statement, time_column) + sqlite3_column_int64(statement, sequence_column);
        tally.sum += sqlite3_column_bytes(statement, line_column) + sqlite3_column_bytes(statement, headsign_column)
            + sqlite3_column_bytes(statement, platform_column);
    }
    if (code != SQLITE_DONE) tally.rows = -1;
    sqlite3_reset(statement);
    return tally;
}

RawTally raw_departures(
    RawDepartures *store, const int64_t *stops, int count, int64_t date, int64_t from, int64_t until) {
    sqlite3_stmt **statement = count == 1 ? &store->one : &store->many;
    if (count > RAW_MOST_STOPS || prepare_stops(store->db, count == 1 ? 1 : RAW_MOST_STOPS, statement))
        return (RawTally){-1, 0};
    sqlite3_bind_int64(*statement, 1, date);
    sqlite3_bind_int64(*statement, 2, from);
    sqlite3_bind_int64(*statement, 3, until);
    for (int i = 0; i < (count == 1 ? 1 : RAW_MOST_STOPS); i++) {
        if (i < count) sqlite3_bind_int64(*statement, i + 4, stops[i]);
        else sqlite3_bind_null(*statement, i + 4);
    }
    return run(*statement);
}

RawTally raw_departures_near(
    RawDepartures *store, double latitude, double longitude, double meters, int64_t date, int64_t from, int64_t until) {
    RawBox box = raw_box(latitude, longitude, meters);
    int64_t stops[RAW_MOST_STOPS];
    RawTally all = {0, 0};
    int count = 0, code = SQLITE_DONE;
    if (!store->box && sqlite3_prepare_v2(store->db, near_stops, -1, &store->box, NULL)) return (RawTally){-1, 0};
    for (int cell = (int)((box.west + 180) * 100); cell <= (int)((box.east + 180) * 100); cell++) {
        sqlite3_bind_int(store->box, 1, cell);
        sqlite3_bind_double(store->box, 2, box.south);
        sqlite3_bind_double(store->box, 3, box.north);
        sqlite3_bind_double(store->box, 4, box.west);
        sqlite3_bind_double(store->box, 5, box.east);
        while ((code = sqlite3_step(store->box)) == SQLITE_ROW) {
            double row_latitude = sqlite3_column_double(store->box, 1), row_longitude = sqlite3_column_double(store->box, 2);
            if (is_within(meters, latitude, longitude, row_latitude, row_longitude) && count < RAW_MOST_STOPS)
                stops[count++] = sqlite3_column_int64(store->box, 0);
        }
        sqlite3_reset(store->box);
        if (code != SQLITE_DONE) return (RawTally){-1, 0};
    }
    if (count > 0) all = raw_departures(store, stops, count == 1 ? 1 : count, date, from, until);
    return all;
}

RawDepartures *raw_departures_open(const char *path) {
    RawStore *store = raw_open(path);
    RawDepartures *departures = calloc(1, sizeof *departures);
    departures->store = store;
    departures->db = store ? raw_database(store) : NULL;
    if (store) return departures;
    free(departures);
    return NULL;
}

void raw_departures_close(RawDepartures *departures) {
    sqlite3_finalize(departures->one);
    sqlite3_finalize(departures->many);
    sqlite3_finalize(departures->box);
    raw_close(departures->store);
    free(departures);
}
