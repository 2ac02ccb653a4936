// How fast stop_times can go from a feed into SQLite by plain C on the machine at hand: load FEED.zip OUT.sqlite
//
// A yardstick, no importer: it trusts its input blindly, knows only feeds of make_feed.py, reads three of their files
// and checks nothing. One thread inflates, splits and looks ids up; the other inserts from a virtual table and makes
// the two indexes that lead with stop and trip.
// build: cc -O2 -o load load.c -lz -lsqlite3 -lpthread
#include <fcntl.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static void fail(const char *what) {
    fprintf(stderr, "load: %s\n", what);
    exit(70);
}

// -- The zip: a file's compressed bytes, found through the central directory.

static const uint8_t *zip;
static size_t zip_size;

static uint32_t number16(const uint8_t *at) { return (uint32_t)at[0] | (uint32_t)at[1] << 8; }
static uint32_t number32(const uint8_t *at) { return number16(at) | number16(at + 2) << 16; }

static void map_zip(const char *path) {
    int file = open(path, O_RDONLY);
    struct stat status;
    if (file < 0 || fstat(file, &status)) fail("no feed");
    zip_size = (size_t)status.st_size;
    zip = mmap(NULL, zip_size, PROT_READ, MAP_PRIVATE, file, 0);
}

static void open_entry(z_stream *stream, const char *name) {
    const uint8_t *end = zip + zip_size - 22;
    while (number32(end) != 0x06054b50) end--;
    const uint8_t *entry = zip + number32(end + 16);
    for (uint32_t left = number16(end + 10); left > 0; left--) {
        uint32_t length = number16(entry + 28);
        if (length == strlen(name) && !memcmp(entry + 46, name, length)) {
            const uint8_t *local = zip + number32(entry + 42);
            const uint8_t *data = local + 30 + number16(local + 26) + number16(local + 28);
            *stream = (z_stream){.next_in = (uint8_t *)data, .avail_in = (uInt)(zip + zip_size - data)};
            if (inflateInit2(stream, -15) != Z_OK) fail("zlib");
            return;
        }
        entry += 46 + length + number16(entry + 30) + number16(entry + 32);
    }
    fail(name);
}

/// Inflates a file and hands every line but the header to `row`.
static void read_lines(const char *name, void (*row)(const char *line, const char *end)) {
    enum { part = 1 << 20 };
    static char buffer[2 * part];
    z_stream stream;
    open_entry(&stream, name);
    size_t kept = 0;
    for (int code = Z_OK, is_header = 1; code != Z_STREAM_END;) {
        stream.next_out = (uint8_t *)buffer + kept;
        stream.avail_out = part;
        code = inflate(&stream, Z_NO_FLUSH);
        if (code != Z_OK && code != Z_STREAM_END) fail("damaged zip");
        const char *line = buffer, *end = buffer + kept + part - stream.avail_out;
        for (const char *next; (next = memchr(line, '\n', (size_t)(end - line))); line = next + 1) {
            if (!is_header) row(line, next);
            is_header = 0;
        }
        kept = (size_t)(end - line);
        memmove(buffer, line, kept);
    }
    inflateEnd(&stream);
}

static const char *after_comma(const char *at, const char *end) { return (const char *)memchr(at, ',', (size_t)(end - at)) + 1; }

// -- Ids to numbers, by an open hash table of their hashes.

typedef struct { uint64_t hash; int32_t number; } Slot;
typedef struct { Slot *slots; size_t mask; int32_t count; } Numbers;
static Numbers stops, trips;

static uint64_t hash(const char *text, size_t length) {
    uint64_t hash = 0x9e3779b97f4a7c15ull ^ length, word;
    for (; length >= 8; text += 8, length -= 8) {
        memcpy(&word, text, 8);
        hash = (hash ^ word) * 0xff51afd7ed558ccdull;
        hash ^= hash >> 32;
    }
    word = 0;
    memcpy(&word, text, length);
    hash = (hash ^ word) * 0xff51afd7ed558ccdull;
    return (hash ^ hash >> 29) | 1;
}

static Slot *slot(const Numbers *numbers, uint64_t wanted) {
    size_t at = wanted & numbers->mask;
    while (numbers->slots[at].hash && numbers->slots[at].hash != wanted) at = (at + 1) & numbers->mask;
    return &numbers->slots[at];
}

static void grow(Numbers *numbers) {
    Numbers larger = {calloc(2 * numbers->mask + 2, sizeof(Slot)), 2 * numbers->mask + 1, numbers->count};
    for (size_t at = 0; numbers->slots && at <= numbers->mask; at++)
        if (numbers->slots[at].hash) *slot(&larger, numbers->slots[at].hash) = numbers->slots[at];
    free(numbers->slots);
    *numbers = larger;
}

static void add(Numbers *numbers, const char *text, const char *end) {
    if ((size_t)numbers->count * 2 >= numbers->mask) grow(numbers);
    uint64_t key = hash(text, (size_t)(end - text));
    *slot(numbers, key) = (Slot){key, numbers->count++};
}

static int32_t find(const Numbers *numbers, const char *text, const char *end) {
    return slot(numbers, hash(text, (size_t)(end - text)))->number;
}

static void read_stop(const char *line, const char *end) { add(&stops, line, after_comma(line, end) - 1); }

static void read_trip(const char *line, const char *end) {
    const char *id = after_comma(after_comma(line, end), end);
    add(&trips, id, after_comma(id, end) - 1);
}

// -- Rows on their way from the thread that reads to the one that inserts.

enum { columns = 7, batch_rows = 16384, ring_size = 8 };
typedef struct { int32_t cells[batch_rows][columns]; int count; } Batch;
static Batch *ring[ring_size], *filling;
static unsigned written, taken;
static int is_done;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void send(Batch *batch) {
    pthread_mutex_lock(&lock);
    while (written - taken == ring_size) pthread_cond_wait(&changed, &lock);
    if (batch) ring[written++ % ring_size] = batch; else is_done = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static Batch *receive(void) {
    pthread_mutex_lock(&lock);
    while (written == taken && !is_done) pthread_cond_wait(&changed, &lock);
    Batch *batch = written == taken ? NULL : ring[taken++ % ring_size];
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return batch;
}

static int32_t seconds(const char *at) {
    return ((at[0] - '0') * 10 + at[1] - '0') * 3600 + ((at[3] - '0') * 10 + at[4] - '0') * 60 + (at[6] - '0') * 10 + at[7] - '0';
}

static void read_stop_time(const char *line, const char *end) {
    const char *field[columns];
    field[0] = line;
    for (int i = 1; i < columns; i++) field[i] = after_comma(field[i - 1], end);
    if (!filling) filling = calloc(1, sizeof *filling);
    int32_t *cells = filling->cells[filling->count++];
    cells[0] = find(&trips, field[0], field[1] - 1);
    cells[1] = atoi(field[4]);
    cells[2] = find(&stops, field[3], field[4] - 1);
    cells[3] = seconds(field[1]);
    cells[4] = seconds(field[2]);
    cells[5] = *field[5] - '0';
    cells[6] = *field[6] - '0';
    if (filling->count == batch_rows) send(filling), filling = NULL;
}

static void *read_feed(void *unused) {
    read_lines("stop_times.txt", read_stop_time);
    if (filling) send(filling);
    send(NULL);
    return unused;
}

// -- A virtual table of the batches as they come.

typedef struct { sqlite3_vtab_cursor base; Batch *batch; int row; sqlite3_int64 number; } Cursor;

static int connect_table(sqlite3 *db, void *a, int n, const char *const *v, sqlite3_vtab **table, char **error) {
    (void)a, (void)n, (void)v, (void)error;
    *table = calloc(1, sizeof **table);
    return sqlite3_declare_vtab(db, "CREATE TABLE t(trip, stop_sequence, stop, arrival_time, departure_time, pickup, drop_off)");
}
static int disconnect_table(sqlite3_vtab *table) { return free(table), SQLITE_OK; }
static int plan(sqlite3_vtab *table, sqlite3_index_info *info) { return (void)table, (void)info, SQLITE_OK; }
static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor) {
    (void)table;
    *cursor = calloc(1, sizeof(Cursor));
    return SQLITE_OK;
}
static int close_cursor(sqlite3_vtab_cursor *cursor) { return free(cursor), SQLITE_OK; }
static int next_row(sqlite3_vtab_cursor *base) {
    Cursor *cursor = (Cursor *)base;
    cursor->number++;
    if (cursor->batch && ++cursor->row < cursor->batch->count) return SQLITE_OK;
    free(cursor->batch);
    cursor->batch = receive();
    cursor->row = 0;
    return SQLITE_OK;
}
static int first_row(sqlite3_vtab_cursor *cursor, int a, const char *b, int n, sqlite3_value **v) {
    return (void)a, (void)b, (void)n, (void)v, next_row(cursor);
}
static int at_end(sqlite3_vtab_cursor *cursor) { return ((Cursor *)cursor)->batch == NULL; }
static int column(sqlite3_vtab_cursor *base, sqlite3_context *result, int position) {
    Cursor *cursor = (Cursor *)base;
    sqlite3_result_int(result, cursor->batch->cells[cursor->row][position]);
    return SQLITE_OK;
}
static int row_number(sqlite3_vtab_cursor *cursor, sqlite3_int64 *number) {
    *number = ((Cursor *)cursor)->number;
    return SQLITE_OK;
}
static sqlite3_module batches = {
    .xCreate = connect_table, .xConnect = connect_table, .xBestIndex = plan, .xDisconnect = disconnect_table,
    .xDestroy = disconnect_table, .xOpen = open_cursor, .xClose = close_cursor, .xFilter = first_row, .xNext = next_row,
    .xEof = at_end, .xColumn = column, .xRowid = row_number,
};

// -- The journey.

static void run(sqlite3 *db, const char *sql) {
    if (sqlite3_exec(db, sql, NULL, NULL, NULL)) fail(sqlite3_errmsg(db));
}

int main(int count, char **arguments) {
    if (count != 3) return fprintf(stderr, "usage: load FEED.zip OUT.sqlite\n"), 64;
    map_zip(arguments[1]);
    grow(&stops), grow(&trips);
    read_lines("stops.txt", read_stop);
    read_lines("trips.txt", read_trip);
    unlink(arguments[2]);
    sqlite3 *db;
    if (sqlite3_open_v2(arguments[2], &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL)) fail("no store");
    run(db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -65536");
    run(db, "CREATE TABLE stop_time(id INTEGER PRIMARY KEY, trip INTEGER, stop_sequence INTEGER, stop INTEGER,"
            " arrival_time INTEGER, departure_time INTEGER, pickup INTEGER, drop_off INTEGER)");
    sqlite3_create_module(db, "batches", &batches, NULL);
    run(db, "CREATE VIRTUAL TABLE temp.batch USING batches");
    pthread_t reader;
    pthread_create(&reader, NULL, read_feed, NULL);
    run(db, "INSERT INTO stop_time(trip, stop_sequence, stop, arrival_time, departure_time, pickup, drop_off) SELECT * FROM batch");
    run(db, "DROP TABLE temp.batch");
    // The sorter wants runs that fit the processor's cache: with the large cache of above it takes three times as long.
    run(db, "PRAGMA temp_store = FILE; PRAGMA cache_size = -2000; PRAGMA threads = 2");
    run(db, "CREATE INDEX stop_time_stop ON stop_time(stop, departure_time)");
    run(db, "CREATE INDEX stop_time_trip ON stop_time(trip, stop_sequence)");
    if (sqlite3_close(db)) fail("close");
    int file = open(arguments[2], O_RDWR);
    return file < 0 || fsync(file) ? 74 : 0;
}
