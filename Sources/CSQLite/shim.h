// What Swift cannot see of sqlite3.h: destructors that are casts of integers.
#pragma once
#include <sqlite3.h>
#include "immutable_file.h"
#include "private_file.h"

/// Stops counting memory, which takes a mutex for each allocation and makes threads wait for each other
/// (https://sqlite.org/c3ref/c_config_covering_index_scan.html, SQLITE_CONFIG_MEMSTATUS). Does nothing once SQLite is in use.
static inline int csqlite_stop_counting_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }
