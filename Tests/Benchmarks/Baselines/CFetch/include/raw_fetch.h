// The fetches of the benchmarks as C programs write them: statements of the article's SQL, prepared once, every value
// of every row read, none kept. What a fetch of TransitStore is measured against.
#pragma once
#include <stdint.h>

typedef struct RawStore RawStore;

/// How many rows a fetch found, and a sum by which both sides are compared. A failed fetch has -1 rows. The sum is, of
/// - stops: their ids and the lengths of stop_id, name and platform code in bytes
/// - departures: their times, places in the trip, and the lengths of line, headsign and platform code
/// - a walk: its departure times
typedef struct {
    int64_t rows;
    int64_t sum;
} RawTally;

/// Opens as TransitStore does: read-only, immutable, without a mutex, mapped to memory. NULL when it cannot.
RawStore *raw_open(const char *path);
void raw_close(RawStore *store);

/// The number of rows of a table of the store.
int64_t raw_count(RawStore *store, const char *table);

/// Stops in the box of the compound index (longitude, latitude), then those within so many metres.
RawTally raw_within(RawStore *store, double latitude, double longitude, double meters);

/// The same with EXISTS: a departure from one second of the service day to another.
RawTally raw_departing(RawStore *store, double latitude, double longitude, double meters, int from, int to);

/// Stops with a word that begins with a prefix, which is normalized already.
RawTally raw_search(RawStore *store, const char *prefix);

/// Every stop time in the order of trips.
RawTally raw_walk(RawStore *store);

/// Opens a store, fetches the stops within so many metres and closes it.
RawTally raw_first_result(const char *path, double latitude, double longitude, double meters);

typedef struct RawSearch RawSearch;

RawSearch *raw_search_open(const char *path);
void raw_search_close(RawSearch *search);

/// The best stops for one or two words of lower-case ASCII, ranked as searchStops does, wrong letters put right where
/// fewer than `limit` are found. The sum has the ids times their places.
RawTally raw_search_stops(RawSearch *search, const char *text, int limit);

typedef struct RawDepartures RawDepartures;

RawDepartures *raw_departures_open(const char *path);
void raw_departures_close(RawDepartures *store);

/// Departures at stops on one service day, from one second of it until another, in order.
RawTally raw_departures(
    RawDepartures *store, const int64_t *stops, int count, int64_t date, int64_t from, int64_t until);

/// The same at the stops within so many metres.
RawTally raw_departures_near(
    RawDepartures *store, double latitude, double longitude, double meters, int64_t date, int64_t from, int64_t until);
