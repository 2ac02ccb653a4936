// What Swift cannot see of sqlite3.h: destructors that are casts of integers, functions of any number of arguments.
#pragma once
#include <sqlite3.h>

/// Stops counting memory, which takes a mutex for each allocation and makes threads wait for each other
/// (https://sqlite.org/c3ref/c_config_covering_index_scan.html, SQLITE_CONFIG_MEMSTATUS). Does nothing once SQLite is
/// in use.
static inline int csqlite_stop_counting_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }

/// Sets one of a connection's switches (https://sqlite.org/c3ref/c_dbconfig_defensive.html).
static inline int csqlite_switch(sqlite3 *connection, int which, int value) {
    return sqlite3_db_config(connection, which, value, (int *)0);
}
