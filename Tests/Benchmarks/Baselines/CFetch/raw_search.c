// Search as people type, by the best SQL that is known: ranges in the index of words, ranked in C, the best stops read
// last. What TransitStore's searchStops is measured against; texts are lower-case ASCII here, so that nothing has to be
// normalized.
#include "raw_departures.h"
#include <stdio.h>
#include <string.h>

enum { most_hits = 1 << 16, most_beginnings = 400, most_word = 200, fewest_letters = 5 };
enum { manner_identifier, manner_name, manner_spelling, manner_righted };
enum { place_whole, place_beginning, place_words };

typedef struct {
    int64_t id, departures;
    int rank;
    char name[most_word];
} Hit;

typedef struct {
    char text[most_beginnings][most_word];
    int count;
} Beginnings;

struct RawSearch {
    RawStore *store;
    sqlite3 *db;
    sqlite3_stmt *identified, *coded, *stop, *row, *first[2];
    sqlite3_stmt *named[3], *spelled[3];
    int64_t stops;
    /// By a stop's id: its hit, from 1 on, and whether a row of it was found.
    int *hit_of;
    char *seen;
    int64_t *seen_ids;
    int seen_count, hit_count;
    Hit *hits;
};

#define COLUMNS "SELECT s.id, s.normalized_name, s.parent_station, d.departures FROM stop AS s" \
                " LEFT JOIN stop_departures AS d ON d.stop = s.id WHERE "
static const char *const tables[] = {"search_term", "search_spelling"};

static sqlite3_stmt *prepared(RawSearch *search, sqlite3_stmt **statement, const char *sql) {
    if (!*statement) sqlite3_prepare_v2(search->db, sql, -1, statement, NULL);
    return *statement;
}

// ---- hits -----------------------------------------------------------------------------------------------------------

static void add(RawSearch *search, sqlite3_stmt *row, int rank) {
    int64_t id = sqlite3_column_int64(row, 0);
    int known = search->hit_of[id];
    if (known && search->hits[known - 1].rank <= rank) return;
    if (!known) {
        if (search->hit_count == most_hits) return;
        known = search->hit_of[id] = ++search->hit_count;
    }
    Hit *hit = &search->hits[known - 1];
    hit->id = id;
    hit->rank = rank;
    hit->departures = sqlite3_column_int64(row, 3);
    snprintf(hit->name, sizeof hit->name, "%s", (const char *)sqlite3_column_text(row, 1));
}

static int see(RawSearch *search, int64_t id) {
    if (search->seen[id]) return 0;
    search->seen[id] = 1;
    search->seen_ids[search->seen_count++] = id;
    return 1;
}

/// The hit of a row, or of the station above it.
static void add_station(RawSearch *search, sqlite3_stmt *row, int rank) {
    if (sqlite3_column_type(row, 2) == SQLITE_NULL) return add(search, row, rank);
    int64_t parent = sqlite3_column_int64(row, 2);
    for (int depth = 0; depth < 8; depth++) {
        sqlite3_stmt *stop = prepared(search, &search->stop, COLUMNS "s.id = ?1");
        sqlite3_bind_int64(stop, 1, parent);
        int found = sqlite3_step(stop) == SQLITE_ROW, is_top = found && sqlite3_column_type(stop, 2) == SQLITE_NULL;
        if (is_top) {
            see(search, parent);
            add(search, stop, rank);
        }
        parent = found ? sqlite3_column_int64(stop, 2) : 0;
        sqlite3_reset(stop);
        if (!found || is_top) return;
    }
}

static int place_of(const char *name, const char *text) {
    size_t length = strlen(text);
    if (strncmp(name, text, length)) return place_words;
    return name[length] ? place_beginning : place_whole;
}

static void add_rows(RawSearch *search, sqlite3_stmt *rows, int manner, const char *text) {
    while (sqlite3_step(rows) == SQLITE_ROW) {
        if (!see(search, sqlite3_column_int64(rows, 0))) continue;
        int place = manner == manner_righted ? place_words : place_of((const char *)sqlite3_column_text(rows, 1), text);
        add_station(search, rows, manner * 3 + place);
    }
    sqlite3_reset(rows);
}

static void add_identified(RawSearch *search, sqlite3_stmt *rows, const char *text) {
    char upper[most_word];
    int length = snprintf(upper, sizeof upper, "%s", text);
    for (int i = 0; i < length; i++) upper[i] -= upper[i] >= 'a' && upper[i] <= 'z' ? 32 : 0;
    sqlite3_bind_text(rows, 1, text, -1, SQLITE_STATIC);
    sqlite3_bind_text(rows, 2, upper, -1, SQLITE_STATIC);
    while (sqlite3_step(rows) == SQLITE_ROW) {
        see(search, sqlite3_column_int64(rows, 0));
        add(search, rows, manner_identifier * 3 + place_whole);
    }
    sqlite3_reset(rows);
}

// ---- words ----------------------------------------------------------------------------------------------------------

/// ` AND s.id IN (SELECT stop … UNION ALL …)` for the beginnings of one word, whose parameters follow those before.
static char *write_source(char *end, int *parameter, int beginnings, int table_count, int is_first) {
    end += sprintf(end, is_first ? "s.id IN (" : " AND s.id IN (");
    for (int table = 0; table < table_count; table++)
        for (int i = 0; i < beginnings; i++, *parameter += 1)
            end += sprintf(
                end, "%sSELECT stop FROM %s WHERE normalized_word >= ?%d AND normalized_word < ?%d || char(0x10FFFF)",
                table + i ? " UNION ALL " : "", tables[table], *parameter, *parameter);
    return end + sprintf(end, ")");
}

static sqlite3_stmt *prepare_words(RawSearch *search, const Beginnings *words, int count, int table_count) {
    size_t room = 1000;
    for (int word = 0; word < count; word++) room += (size_t)words[word].count * (size_t)table_count * 200;
    char *sql = malloc(room), *end = sql + sprintf(sql, COLUMNS);
    int parameter = 1;
    for (int word = 0; word < count; word++)
        end = write_source(end, &parameter, words[word].count, table_count, word == 0);
    sqlite3_stmt *statement = NULL;
    sqlite3_prepare_v2(search->db, sql, -1, &statement, NULL);
    free(sql);
    return statement;
}

static void bind_words(sqlite3_stmt *statement, const Beginnings *words, int count, int table_count) {
    int parameter = 1;
    for (int word = 0; word < count; word++)
        for (int table = 0; table < table_count; table++)
            for (int i = 0; i < words[word].count; i++)
                sqlite3_bind_text(statement, parameter++, words[word].text[i], -1, SQLITE_STATIC);
}

/// The first word from a text on.
static int first_word(RawSearch *search, int table, const char *start, char *word) {
    char sql[200];
    snprintf(
        sql, sizeof sql, "SELECT normalized_word FROM %s WHERE normalized_word >= ?1 ORDER BY normalized_word LIMIT 1",
        tables[table]);
    sqlite3_stmt *statement = prepared(search, &search->first[table], sql);
    sqlite3_bind_text(statement, 1, start, -1, SQLITE_STATIC);
    int found = sqlite3_step(statement) == SQLITE_ROW;
    if (found) snprintf(word, most_word, "%s", (const char *)sqlite3_column_text(statement, 0));
    sqlite3_reset(statement);
    return found;
}

static void add_if_word(RawSearch *search, int table, Beginnings *found, const char *candidate) {
    char word[most_word];
    if (!first_word(search, table, candidate, word) || strncmp(word, candidate, strlen(candidate))) return;
    for (int i = 0; i < found->count; i++)
        if (!strcmp(found->text[i], candidate)) return;
    if (found->count < most_beginnings) strcpy(found->text[found->count++], candidate);
}

/// For each letter that follows a beginning in the store's words: it in the place of the word's own, and before that.
static void add_letters(RawSearch *search, int table, Beginnings *found, const char *text, int position) {
    char start[most_word], word[most_word], candidate[most_word];
    snprintf(start, sizeof start, "%.*s", position, text);
    while (first_word(search, table, start, word) && !strncmp(word, text, (size_t)position)) {
        if (!word[position]) {
            snprintf(start, sizeof start, "%.*s\1", position, text);
            continue;
        }
        int length = 1;
        while ((word[position + length] & 0xC0) == 0x80) length++;
        if (length > 1 || word[position] != text[position]) {
            snprintf(candidate, sizeof candidate, "%.*s%s", position + length, word, text + position + 1);
            add_if_word(search, table, found, candidate);
            snprintf(candidate, sizeof candidate, "%.*s%s", position + length, word, text + position);
            add_if_word(search, table, found, candidate);
        }
        snprintf(start, sizeof start, "%.*s\xF4\x8F\xBF\xBF", position + length, word);
    }
}

static void add_righted(RawSearch *search, int table, Beginnings *found, const char *text) {
    char candidate[most_word], word[most_word];
    int length = (int)strlen(text);
    for (int position = 0; length >= fewest_letters && position < length; position++) {
        snprintf(candidate, sizeof candidate, "%.*s", position, text);
        if (position && (!first_word(search, table, candidate, word) || strncmp(word, text, (size_t)position))) return;
        snprintf(candidate, sizeof candidate, "%.*s%s", position, text, text + position + 1);
        add_if_word(search, table, found, candidate);
        if (text[position + 1] && text[position + 1] != text[position]) {
            snprintf(
                candidate, sizeof candidate, "%.*s%c%c%s", position, text, text[position + 1], text[position],
                text + position + 2);
            add_if_word(search, table, found, candidate);
        }
        if (!text[position + 1]) return;
        add_letters(search, table, found, text, position);
    }
}

// ---- search ---------------------------------------------------------------------------------------------------------

static int by_rank(const void *one, const void *other) {
    const Hit *a = one, *b = other;
    if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
    if (a->departures != b->departures) return a->departures > b->departures ? -1 : 1;
    int names = strcmp(a->name, b->name);
    return names ? names : a->id < b->id ? -1 : a->id > b->id;
}

static void find(RawSearch *search, const char *text, Beginnings *words, int count, int limit) {
    add_identified(search, prepared(search, &search->identified, COLUMNS "s.stop_id IN (?1, ?2)"), text);
    add_identified(search, prepared(search, &search->coded, COLUMNS "s.code IN (?1, ?2)"), text);
    for (int table_count = 1; table_count <= 2; table_count++) {
        sqlite3_stmt **statement = table_count == 1 ? &search->named[count] : &search->spelled[count];
        if (!*statement) *statement = prepare_words(search, words, count, table_count);
        bind_words(*statement, words, count, table_count);
        add_rows(search, *statement, table_count == 1 ? manner_name : manner_spelling, text);
        if (search->hit_count >= limit) return;
    }
    int righted = 0;
    for (int word = 0; word < count; word++) {
        char written[most_word];
        strcpy(written, words[word].text[0]);
        for (int table = 0; table < 2; table++) add_righted(search, table, &words[word], written);
        righted += words[word].count - 1;
    }
    if (!righted) return;
    sqlite3_stmt *statement = prepare_words(search, words, count, 2);
    bind_words(statement, words, count, 2);
    add_rows(search, statement, manner_righted, text);
    sqlite3_finalize(statement);
}

RawTally raw_search_stops(RawSearch *search, const char *text, int limit) {
    static Beginnings words[2];
    RawTally tally = {0, 0};
    const char *space = strchr(text, ' ');
    int count = space ? 2 : 1, length = space ? (int)(space - text) : (int)strlen(text);
    words[0].count = words[1].count = 1;
    snprintf(words[0].text[0], most_word, "%.*s", length, text);
    snprintf(words[1].text[0], most_word, "%s", space ? space + 1 : "");
    find(search, text, words, count, limit);
    for (int i = 0; i < search->hit_count; i++) search->hit_of[search->hits[i].id] = 0;
    for (int i = 0; i < search->seen_count; i++) search->seen[search->seen_ids[i]] = 0;
    qsort(search->hits, (size_t)search->hit_count, sizeof(Hit), by_rank);
    for (int i = 0; i < search->hit_count && i < limit; i++) {
        sqlite3_stmt *row = prepared(search, &search->row, "SELECT * FROM stop WHERE id = ?1");
        sqlite3_bind_int64(row, 1, search->hits[i].id);
        if (sqlite3_step(row) == SQLITE_ROW) {
            raw_read_values(row);
            tally.sum += raw_stop_texts(row);
        }
        sqlite3_reset(row);
        tally.rows++;
        tally.sum += search->hits[i].id * (i + 1);
    }
    search->hit_count = search->seen_count = 0;
    return tally;
}

RawSearch *raw_search_open(const char *path) {
    RawStore *store = raw_open(path);
    if (!store) return NULL;
    RawSearch *search = calloc(1, sizeof *search);
    search->store = store;
    search->db = raw_database(store);
    size_t stops = (size_t)raw_count(store, "stop") + 1;
    search->hit_of = calloc(stops, sizeof *search->hit_of);
    search->seen = calloc(stops, 1);
    search->seen_ids = calloc(stops, sizeof *search->seen_ids);
    search->hits = calloc(most_hits, sizeof *search->hits);
    return search;
}

void raw_search_close(RawSearch *search) {
    sqlite3_stmt *all[] = {
        search->identified, search->coded,    search->stop,     search->row,        search->first[0],  search->first[1],
        search->named[1],   search->named[2], search->spelled[1], search->spelled[2],
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) sqlite3_finalize(all[i]);
    raw_close(search->store);
    free(search->hit_of);
    free(search->seen);
    free(search->seen_ids);
    free(search->hits);
    free(search);
}
