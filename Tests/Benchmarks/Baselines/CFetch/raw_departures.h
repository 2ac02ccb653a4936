// What raw_departures.c needs beside its interface.
#pragma once
#include "distance.h"
#include "raw_fetch.h"
#include <sqlite3.h>
#include <stdlib.h>

enum { RAW_MOST_STOPS = 128 };

struct RawDepartures {
    RawStore *store;
    sqlite3 *db;
    sqlite3_stmt *one, *many, *box;
};

typedef struct {
    double west, east, south, north;
} RawBox;

RawBox raw_box(double latitude, double longitude, double meters);
void raw_read_values(sqlite3_stmt *statement);
/// The length in bytes of stop_id, name and platform code of a row that has every column of `stop`.
int64_t raw_stop_texts(sqlite3_stmt *statement);
sqlite3 *raw_database(RawStore *store);
