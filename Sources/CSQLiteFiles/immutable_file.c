// A file system for SQLite that has one file: a descriptor that is open already.
//
// A store is replaced by rename, and readers of the old one go on reading it. SQLite opens files by name, so a
// connection made after the rename would open the new one. /proc/self/fd/N does not help, because SQLite resolves
// symbolic links and opens files without following links. Here every connection reads the same descriptor (and the same
// memory map, made once), even if its name has gone to another file (https://sqlite.org/vfs.html,
// https://sqlite.org/c3ref/io_methods.html).
//
// The file never changes, so there are no locks, no journals and no shared memory. Someone may still truncate it or
// copy another file over it. So every read through the descriptor checks the size and the time of the last change,
// which takes 0.2 microseconds, and fails once they differ: a mix of old and new pages would give wrong answers.
// Everything but the file itself, such as temporary files of sorts, is left to the default file system.
#include "csqlite_files.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct csqlite_immutable_file {
    sqlite3_vfs vfs;
    sqlite3_vfs *others;
    int descriptor;
    void *mapping;
    sqlite3_int64 mapped;
    off_t size;
    struct timespec changed;
    /// Set by whichever thread finds that the file is no longer what was opened.
    int is_changed;
    /// errno of the last read that failed.
    int read_error;
    char name[32];
};

/// An open file as SQLite holds it: its methods, then the one file that all connections share.
typedef struct csqlite_open_file {
    sqlite3_file base;
    csqlite_immutable_file *file;
} csqlite_open_file;

static csqlite_immutable_file *csqlite_file_of(sqlite3_file *open) { return ((csqlite_open_file *)open)->file; }
static sqlite3_vfs *csqlite_others(sqlite3_vfs *vfs) { return ((csqlite_immutable_file *)vfs)->others; }

// MARK: The open file

static int csqlite_close(sqlite3_file *open) { return SQLITE_OK; }

int csqlite_immutable_is_changed(const csqlite_immutable_file *file) {
    return __atomic_load_n(&file->is_changed, __ATOMIC_RELAXED);
}

int csqlite_immutable_read_error(const csqlite_immutable_file *file) {
    return __atomic_load_n(&file->read_error, __ATOMIC_RELAXED);
}

/// fstat(2), repeated when a signal interrupts it.
static int csqlite_status(int descriptor, struct stat *status) {
    int result;
    do result = fstat(descriptor, status);
    while (result != 0 && errno == EINTR);
    return result;
}

/// Whether the file is still the one that was opened; remembers when it is not.
static int csqlite_is_as_opened(csqlite_immutable_file *file) {
    struct stat status;
    if (csqlite_immutable_is_changed(file)) return 0;
    if (csqlite_status(file->descriptor, &status) == 0 && status.st_size == file->size && status.st_mtim.tv_sec == file->changed.tv_sec
        && status.st_mtim.tv_nsec == file->changed.tv_nsec)
        return 1;
    __atomic_store_n(&file->is_changed, 1, __ATOMIC_RELAXED);
    return 0;
}

static int csqlite_read(sqlite3_file *open, void *bytes, int count, sqlite3_int64 offset) {
    int done = 0;
    while (done < count) {
        ssize_t got = pread(csqlite_file_of(open)->descriptor, (char *)bytes + done, (size_t)(count - done), offset + done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            __atomic_store_n(&csqlite_file_of(open)->read_error, errno, __ATOMIC_RELAXED);
            return SQLITE_IOERR_READ;
        }
        if (got == 0) break;
        done += (int)got;
    }
    // Checked afterwards, so that a change while the bytes were copied is noticed too.
    if (!csqlite_is_as_opened(csqlite_file_of(open))) {
        errno = EIO;
        return SQLITE_IOERR_READ;
    }
    if (done == count) return SQLITE_OK;
    // SQLite wants the rest as zeros.
    memset((char *)bytes + done, 0, (size_t)(count - done));
    return SQLITE_IOERR_SHORT_READ;
}

static int csqlite_write(sqlite3_file *open, const void *bytes, int count, sqlite3_int64 offset) { return SQLITE_READONLY; }
static int csqlite_truncate(sqlite3_file *open, sqlite3_int64 size) { return SQLITE_READONLY; }
static int csqlite_sync(sqlite3_file *open, int flags) { return SQLITE_OK; }

static int csqlite_size(sqlite3_file *open, sqlite3_int64 *size) {
    *size = csqlite_file_of(open)->size;
    return SQLITE_OK;
}

static int csqlite_lock(sqlite3_file *open, int level) { return SQLITE_OK; }
static int csqlite_reserved(sqlite3_file *open, int *is_reserved) {
    *is_reserved = 0;
    return SQLITE_OK;
}
static int csqlite_control(sqlite3_file *open, int operation, void *argument) { return SQLITE_NOTFOUND; }
static int csqlite_sector(sqlite3_file *open) { return 4096; }
static int csqlite_characteristics(sqlite3_file *open) { return SQLITE_IOCAP_IMMUTABLE; }

/// Gives a part of the map; NULL beyond the map, and SQLite then reads instead.
static int csqlite_fetch(sqlite3_file *open, sqlite3_int64 offset, int count, void **bytes) {
    csqlite_immutable_file *file = csqlite_file_of(open);
    *bytes = offset + count <= file->mapped ? (char *)file->mapping + offset : NULL;
    return SQLITE_OK;
}
static int csqlite_unfetch(sqlite3_file *open, sqlite3_int64 offset, void *bytes) { return SQLITE_OK; }

static const sqlite3_io_methods csqlite_methods = {
    .iVersion = 3,
    .xClose = csqlite_close,
    .xRead = csqlite_read,
    .xWrite = csqlite_write,
    .xTruncate = csqlite_truncate,
    .xSync = csqlite_sync,
    .xFileSize = csqlite_size,
    .xLock = csqlite_lock,
    .xUnlock = csqlite_lock,
    .xCheckReservedLock = csqlite_reserved,
    .xFileControl = csqlite_control,
    .xSectorSize = csqlite_sector,
    .xDeviceCharacteristics = csqlite_characteristics,
    .xFetch = csqlite_fetch,
    .xUnfetch = csqlite_unfetch,
};

// MARK: The file system

static int csqlite_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *open, int flags, int *out_flags) {
    if (!(flags & SQLITE_OPEN_MAIN_DB) || !name || strcmp(name, CSQLITE_IMMUTABLE_NAME) != 0)
        return csqlite_others(vfs)->xOpen(csqlite_others(vfs), name, open, flags, out_flags);
    ((csqlite_open_file *)open)->file = (csqlite_immutable_file *)vfs;
    open->pMethods = &csqlite_methods;
    if (out_flags) *out_flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB;
    return SQLITE_OK;
}

static int csqlite_full_path(sqlite3_vfs *vfs, const char *name, int size, char *full) {
    if (strcmp(name, CSQLITE_IMMUTABLE_NAME) != 0)
        return csqlite_others(vfs)->xFullPathname(csqlite_others(vfs), name, size, full);
    return snprintf(full, (size_t)size, "%s", name) < size ? SQLITE_OK : SQLITE_CANTOPEN;
}

static int csqlite_delete(sqlite3_vfs *vfs, const char *name, int sync) {
    return csqlite_others(vfs)->xDelete(csqlite_others(vfs), name, sync);
}
static int csqlite_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
    return csqlite_others(vfs)->xAccess(csqlite_others(vfs), name, flags, result);
}
static void *csqlite_dl_open(sqlite3_vfs *vfs, const char *name) {
    return csqlite_others(vfs)->xDlOpen(csqlite_others(vfs), name);
}
static void csqlite_dl_error(sqlite3_vfs *vfs, int size, char *message) {
    csqlite_others(vfs)->xDlError(csqlite_others(vfs), size, message);
}
static void (*csqlite_dl_symbol(sqlite3_vfs *vfs, void *library, const char *symbol))(void) {
    return csqlite_others(vfs)->xDlSym(csqlite_others(vfs), library, symbol);
}
static void csqlite_dl_close(sqlite3_vfs *vfs, void *library) {
    csqlite_others(vfs)->xDlClose(csqlite_others(vfs), library);
}
static int csqlite_randomness(sqlite3_vfs *vfs, int count, char *bytes) {
    return csqlite_others(vfs)->xRandomness(csqlite_others(vfs), count, bytes);
}
static int csqlite_sleep(sqlite3_vfs *vfs, int microseconds) {
    return csqlite_others(vfs)->xSleep(csqlite_others(vfs), microseconds);
}
static int csqlite_time(sqlite3_vfs *vfs, double *days) {
    return csqlite_others(vfs)->xCurrentTime(csqlite_others(vfs), days);
}
static int csqlite_last_error(sqlite3_vfs *vfs, int size, char *message) {
    return csqlite_others(vfs)->xGetLastError(csqlite_others(vfs), size, message);
}

static const sqlite3_vfs csqlite_file_system = {
    .iVersion = 1,
    .xOpen = csqlite_open,
    .xDelete = csqlite_delete,
    .xAccess = csqlite_access,
    .xFullPathname = csqlite_full_path,
    .xDlOpen = csqlite_dl_open,
    .xDlError = csqlite_dl_error,
    .xDlSym = csqlite_dl_symbol,
    .xDlClose = csqlite_dl_close,
    .xRandomness = csqlite_randomness,
    .xSleep = csqlite_sleep,
    .xCurrentTime = csqlite_time,
    .xGetLastError = csqlite_last_error,
};

// MARK: Opening and closing

void csqlite_immutable_close(csqlite_immutable_file *file) {
    sqlite3_vfs_unregister(&file->vfs);
    if (file->mapping) munmap(file->mapping, (size_t)file->mapped);
    close(file->descriptor);
    free(file);
}

/// Remembers what the file is like when it is opened.
static void csqlite_measure(csqlite_immutable_file *file) {
    struct stat status;
    if (csqlite_status(file->descriptor, &status) != 0) return;
    file->size = status.st_size;
    file->changed = status.st_mtim;
}

/// Maps the file. Without a map, everything is read.
static void csqlite_map(csqlite_immutable_file *file) {
    if (file->size == 0) return;
    void *mapping = mmap(NULL, (size_t)file->size, PROT_READ, MAP_SHARED, file->descriptor, 0);
    if (mapping == MAP_FAILED) return;
    file->mapping = mapping;
    file->mapped = file->size;
}

csqlite_immutable_file *csqlite_immutable_open(int descriptor, int is_mapped) {
    sqlite3_vfs *others = sqlite3_initialize() == SQLITE_OK ? sqlite3_vfs_find(NULL) : NULL;
    csqlite_immutable_file *file = others ? (csqlite_immutable_file *)calloc(1, sizeof *file) : NULL;
    if (!file) {
        close(descriptor);
        return NULL;
    }
    file->descriptor = descriptor;
    file->others = others;
    csqlite_measure(file);
    if (is_mapped) csqlite_map(file);
    // The address makes the name unique as long as the file is open.
    snprintf(file->name, sizeof file->name, "immutable-%p", (void *)file);
    int size = (int)sizeof(csqlite_open_file);
    file->vfs = csqlite_file_system;
    file->vfs.szOsFile = others->szOsFile > size ? others->szOsFile : size;
    file->vfs.mxPathname = others->mxPathname;
    file->vfs.zName = file->name;
    if (sqlite3_vfs_register(&file->vfs, 0) != SQLITE_OK) {
        csqlite_immutable_close(file);
        return NULL;
    }
    return file;
}

const char *csqlite_immutable_file_system(const csqlite_immutable_file *file) { return file->name; }
long long csqlite_immutable_mapped(const csqlite_immutable_file *file) { return file->mapped; }
