// What Swift cannot see of sqlite3.h: destructors that are casts of integers.
#pragma once
#include <sqlite3.h>

static inline sqlite3_destructor_type csqlite_transient(void) { return SQLITE_TRANSIENT; }
