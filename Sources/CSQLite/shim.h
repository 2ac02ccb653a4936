// What Swift cannot see of sqlite3.h: destructors that are casts of integers, functions of any number of arguments.
#pragma once
#include <sqlite3.h>

// The operators -> and ->> for JSON came with 3.38.
#if SQLITE_VERSION_NUMBER < 3038000
#error "import-gtfs needs SQLite 3.38 or later, as in Debian 12 and Ubuntu 24.04"
#endif

/// Stops counting memory, which takes a mutex for each allocation and makes threads wait for each other
/// (https://sqlite.org/c3ref/c_config_covering_index_scan.html, SQLITE_CONFIG_MEMSTATUS). Does nothing once SQLite is
/// in use.
static inline int csqlite_stop_counting_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }

/// Sets one of a connection's switches (https://sqlite.org/c3ref/c_dbconfig_defensive.html).
static inline int csqlite_switch(sqlite3 *connection, int which, int value) {
    return sqlite3_db_config(connection, which, value, (int *)0);
}

/// Numbers become texts of 15 digits, as in all versions before 3.52. Later ones write 17 unless told otherwise
/// (https://sqlite.org/c3ref/c_dbconfig_defensive.html, SQLITE_DBCONFIG_FP_DIGITS): "10491.458632284501" of a feed's
/// 10491.4586322845. Versions that do not know this switch ignore it.
static inline void csqlite_write_15_digits(sqlite3 *connection) { sqlite3_db_config(connection, 1023, 15, (int *)0); }
