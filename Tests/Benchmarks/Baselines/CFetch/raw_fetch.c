#include "raw_fetch.h"
#include "distance.h"
#include "raw_departures.h"
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { stop_id_column = 1, name_column = 3, latitude_column = 6, longitude_column = 7, platform_code_column = 15 };

#define BOX "SELECT * FROM stop INDEXED BY stop_longitude_latitude" \
            " WHERE longitude BETWEEN ?1 AND ?2 AND latitude BETWEEN ?3 AND ?4"
#define DEPARTING BOX \
    " AND EXISTS (SELECT 1 FROM stop_time WHERE stop_time.stop = stop.id AND departure_time BETWEEN ?5 AND ?6)"
#define SEARCH "SELECT * FROM stop WHERE id IN" \
               " (SELECT stop FROM search_term WHERE normalized_word >= ?1 AND normalized_word < ?1 || char(0x10FFFF))"
#define WALK "SELECT * FROM stop_time ORDER BY trip, stop_sequence"

struct RawStore {
    sqlite3 *db;
    sqlite3_stmt *box, *departing, *search, *walk;
    int departure_column;
};

/// Where the values go that are read and not used.
static volatile int64_t sink;

void raw_read_values(sqlite3_stmt *statement) {
    int64_t read = 0;
    for (int column = sqlite3_column_count(statement) - 1; column >= 0; column--) {
        switch (sqlite3_column_type(statement, column)) {
        case SQLITE_INTEGER: read += sqlite3_column_int64(statement, column); break;
        case SQLITE_FLOAT: read += (int64_t)sqlite3_column_double(statement, column); break;
        case SQLITE_TEXT:
            read += sqlite3_column_text(statement, column)[0] + sqlite3_column_bytes(statement, column);
            break;
        }
    }
    sink = read;
}

int64_t raw_stop_texts(sqlite3_stmt *statement) {
    return sqlite3_column_bytes(statement, stop_id_column) + sqlite3_column_bytes(statement, name_column)
        + sqlite3_column_bytes(statement, platform_code_column);
}

static int prepare(RawStore *store, const char *sql, sqlite3_stmt **statement) {
    return *statement ? SQLITE_OK : sqlite3_prepare_v2(store->db, sql, -1, statement, NULL);
}

static RawTally finish(sqlite3_stmt *statement, RawTally tally, int code) {
    if (code != SQLITE_DONE) tally.rows = -1;
    sqlite3_reset(statement);
    return tally;
}

RawStore *raw_open(const char *path) {
    char text[4200];
    RawStore *store = calloc(1, sizeof *store);
    snprintf(text, sizeof text, "file:%s?immutable=1", path);
    int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(text, &store->db, flags, NULL) == SQLITE_OK
        && sqlite3_exec(store->db, "PRAGMA mmap_size = 1099511627776", NULL, NULL, NULL) == SQLITE_OK)
        return store;
    raw_close(store);
    return NULL;
}

sqlite3 *raw_database(RawStore *store) { return store->db; }

void raw_close(RawStore *store) {
    sqlite3_finalize(store->box);
    sqlite3_finalize(store->departing);
    sqlite3_finalize(store->search);
    sqlite3_finalize(store->walk);
    sqlite3_close(store->db);
    free(store);
}

int64_t raw_count(RawStore *store, const char *table) {
    char sql[200];
    sqlite3_stmt *statement;
    snprintf(sql, sizeof sql, "SELECT count(*) FROM \"%s\"", table);
    if (sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL)) return -1;
    int64_t count = sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : -1;
    sqlite3_finalize(statement);
    return count;
}

/// The smallest box around a circle, a hundredth larger, as the earth is no sphere.
RawBox raw_box(double latitude, double longitude, double meters) {
    double angle = meters * 1.01 / EARTH_RADIUS, radians = M_PI / 180;
    double height = angle / radians, width = asin(sin(angle) / cos(latitude * radians)) / radians;
    return (RawBox){longitude - width, longitude + width, latitude - height, latitude + height};
}

static void bind_box(sqlite3_stmt *statement, double latitude, double longitude, double meters) {
    RawBox box = raw_box(latitude, longitude, meters);
    sqlite3_bind_double(statement, 1, box.west);
    sqlite3_bind_double(statement, 2, box.east);
    sqlite3_bind_double(statement, 3, box.south);
    sqlite3_bind_double(statement, 4, box.north);
}

static RawTally read_places(sqlite3_stmt *statement, double latitude, double longitude, double meters) {
    RawTally tally = {0, 0};
    int code;
    bind_box(statement, latitude, longitude, meters);
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        double row_latitude = sqlite3_column_double(statement, latitude_column);
        double row_longitude = sqlite3_column_double(statement, longitude_column);
        if (!is_within(meters, latitude, longitude, row_latitude, row_longitude)) continue;
        raw_read_values(statement);
        tally.rows++;
        tally.sum += sqlite3_column_int64(statement, 0) + raw_stop_texts(statement);
    }
    return finish(statement, tally, code);
}

RawTally raw_within(RawStore *store, double latitude, double longitude, double meters) {
    if (prepare(store, BOX, &store->box)) return (RawTally){-1, 0};
    return read_places(store->box, latitude, longitude, meters);
}

RawTally raw_departing(RawStore *store, double latitude, double longitude, double meters, int from, int to) {
    if (prepare(store, DEPARTING, &store->departing)) return (RawTally){-1, 0};
    sqlite3_bind_int(store->departing, 5, from);
    sqlite3_bind_int(store->departing, 6, to);
    return read_places(store->departing, latitude, longitude, meters);
}

RawTally raw_search(RawStore *store, const char *prefix) {
    RawTally tally = {0, 0};
    int code;
    if (prepare(store, SEARCH, &store->search)) return (RawTally){-1, 0};
    sqlite3_bind_text(store->search, 1, prefix, -1, SQLITE_TRANSIENT);
    while ((code = sqlite3_step(store->search)) == SQLITE_ROW) {
        raw_read_values(store->search);
        tally.rows++;
        tally.sum += sqlite3_column_int64(store->search, 0) + raw_stop_texts(store->search);
    }
    return finish(store->search, tally, code);
}

RawTally raw_walk(RawStore *store) {
    RawTally tally = {0, 0};
    int code;
    if (prepare(store, WALK, &store->walk)) return (RawTally){-1, 0};
    while (strcmp(sqlite3_column_name(store->walk, store->departure_column), "departure_time"))
        store->departure_column++;
    while ((code = sqlite3_step(store->walk)) == SQLITE_ROW) {
        raw_read_values(store->walk);
        tally.rows++;
        tally.sum += sqlite3_column_int64(store->walk, store->departure_column);
    }
    return finish(store->walk, tally, code);
}

RawTally raw_first_result(const char *path, double latitude, double longitude, double meters) {
    RawStore *store = raw_open(path);
    if (!store) return (RawTally){-1, 0};
    RawTally tally = raw_within(store, latitude, longitude, meters);
    raw_close(store);
    return tally;
}
