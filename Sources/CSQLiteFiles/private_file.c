// A file system for SQLite that has one file which only this process knows, and temporary files without names.
//
// SQLite's own file system does not suit an import. It reports a failed read (EIO) as a damaged file and forgets the
// system's error number. It treats a file that it cannot open for writing (EMFILE) as read-only. It limits paths to 512
// bytes, and it gives temporary files a name for an instant. Here each failure is kept with its number, calls that a
// signal interrupts are repeated, and the file is a descriptor, whatever its path (https://sqlite.org/vfs.html).
//
// A disk or a layer above it may lose a write and still report success. SQLite trusts what it finds in a file and would
// build on a page that was lost. So each write, also to a temporary file, is read back at once and compared. An
// observer is told of the writes to the file itself and keeps their sums.
//
// No locks and no journals: the file is thrown away on any failure.
#include "csqlite_files.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct csqlite_private_file {
    sqlite3_vfs vfs;
    sqlite3_vfs *others;
    int descriptor;
    /// Makes an open file without a name, or returns -1 and sets errno.
    int (*make_temporary)(void *);
    void *context;
    /// Is told of every write to the file, unless NULL.
    csqlite_observer observer;
    void *observer_context;
    /// Set by any thread: every later read and write fails.
    int is_stopped;
    /// How many loans are open: rights to write pages without SQLite.
    int loans;
    /// Bytes of all temporary files together.
    sqlite3_int64 temporary_bytes;
    /// The last failure as `csqlite_private_failure` returns it. One number, as SQLite's sorter fails on other threads.
    int failure;
    char name[32];
};

typedef struct csqlite_private_open {
    sqlite3_file base;
    csqlite_private_file *file;
    int descriptor;
    int is_temporary;
    /// The size of a temporary file.
    sqlite3_int64 size;
} csqlite_private_open;

static int csqlite_private_fail(csqlite_private_file *file, int is_temporary, int action, int code) {
    int failure = (errno << 8) | (action << 1) | (is_temporary != 0);
    __atomic_store_n(&file->failure, failure, __ATOMIC_SEQ_CST);
    return code;
}

void csqlite_private_stop(csqlite_private_file *file) { __atomic_store_n(&file->is_stopped, 1, __ATOMIC_SEQ_CST); }
int csqlite_private_failure(csqlite_private_file *file) { return __atomic_load_n(&file->failure, __ATOMIC_SEQ_CST); }
static int csqlite_private_is_stopped(csqlite_private_file *file) {
    return __atomic_load_n(&file->is_stopped, __ATOMIC_RELAXED);
}

long long csqlite_private_temporary_bytes(csqlite_private_file *file) {
    return __atomic_load_n(&file->temporary_bytes, __ATOMIC_RELAXED);
}

// MARK: An open file

/// Records a temporary file's size. SQLite writes each file on one thread at a time.
static void csqlite_private_set_size(csqlite_private_open *open, sqlite3_int64 size) {
    __atomic_add_fetch(&open->file->temporary_bytes, size - open->size, __ATOMIC_RELAXED);
    open->size = size;
}

static int csqlite_private_close(sqlite3_file *base) {
    csqlite_private_open *open = (csqlite_private_open *)base;
    if (!open->is_temporary) return SQLITE_OK;
    csqlite_private_set_size(open, 0);
    close(open->descriptor);
    return SQLITE_OK;
}

static int csqlite_private_read(sqlite3_file *base, void *bytes, int count, sqlite3_int64 offset) {
    csqlite_private_open *open = (csqlite_private_open *)base;
    if (csqlite_private_is_stopped(open->file)) return SQLITE_INTERRUPT;
    int done = 0;
    while (done < count) {
        ssize_t got = pread(open->descriptor, (char *)bytes + done, (size_t)(count - done), offset + done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return csqlite_private_fail(open->file, open->is_temporary, CSQLITE_READING, SQLITE_IOERR_READ);
        if (got == 0) break;
        done += (int)got;
    }
    if (done == count) return SQLITE_OK;
    // SQLite wants the rest as zeros.
    memset((char *)bytes + done, 0, (size_t)(count - done));
    return SQLITE_IOERR_SHORT_READ;
}

/// Whether the file has these bytes; if not, errno says why: the system's error, or EIO for other bytes.
static int csqlite_private_has(int descriptor, const char *bytes, int count, sqlite3_int64 offset) {
    char found[8192];
    int done = 0;
    while (done < count) {
        size_t piece = count - done < (int)sizeof found ? (size_t)(count - done) : sizeof found;
        ssize_t got = pread(descriptor, found, piece, offset + done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return 0;
        if (got == 0 || memcmp(found, bytes + done, (size_t)got) != 0) {
            errno = EIO;
            return 0;
        }
        done += (int)got;
    }
    return 1;
}

static int csqlite_private_write(sqlite3_file *base, const void *bytes, int count, sqlite3_int64 offset) {
    csqlite_private_open *open = (csqlite_private_open *)base;
    if (csqlite_private_is_stopped(open->file)) return SQLITE_INTERRUPT;
    int done = 0;
    while (done < count) {
        ssize_t put = pwrite(open->descriptor, (const char *)bytes + done, (size_t)(count - done), offset + done);
        if (put < 0 && errno == EINTR) continue;
        if (put == 0) errno = ENOSPC;
        if (put <= 0) {
            int code = errno == ENOSPC ? SQLITE_FULL : SQLITE_IOERR_WRITE;
            return csqlite_private_fail(open->file, open->is_temporary, CSQLITE_WRITING, code);
        }
        done += (int)put;
    }
    if (!csqlite_private_has(open->descriptor, (const char *)bytes, count, offset))
        return csqlite_private_fail(open->file, open->is_temporary, CSQLITE_READING, SQLITE_IOERR_READ);
    if (open->is_temporary && offset + count > open->size) csqlite_private_set_size(open, offset + count);
    if (!open->is_temporary && open->file->observer) open->file->observer(open->file->observer_context, bytes, count, offset);
    return SQLITE_OK;
}

static int csqlite_private_truncate(sqlite3_file *base, sqlite3_int64 size) {
    csqlite_private_open *open = (csqlite_private_open *)base;
    while (ftruncate(open->descriptor, size) != 0)
        if (errno != EINTR) return csqlite_private_fail(open->file, open->is_temporary, CSQLITE_WRITING, SQLITE_IOERR_TRUNCATE);
    if (open->is_temporary) csqlite_private_set_size(open, size);
    return SQLITE_OK;
}

/// Does nothing: whoever publishes the file flushes it once.
static int csqlite_private_sync(sqlite3_file *base, int flags) { return SQLITE_OK; }

static int csqlite_private_size(sqlite3_file *base, sqlite3_int64 *size) {
    csqlite_private_open *open = (csqlite_private_open *)base;
    struct stat status;
    while (fstat(open->descriptor, &status) != 0)
        if (errno != EINTR) return csqlite_private_fail(open->file, open->is_temporary, CSQLITE_MEASURING, SQLITE_IOERR_FSTAT);
    *size = status.st_size;
    return SQLITE_OK;
}

/// SQLite calls this when a statement begins to look at the file.
static int csqlite_private_lock(sqlite3_file *base, int level) {
    csqlite_private_open *open = (csqlite_private_open *)base;
    return !open->is_temporary && __atomic_load_n(&open->file->loans, __ATOMIC_RELAXED) > 0 ? SQLITE_BUSY : SQLITE_OK;
}
static int csqlite_private_reserved(sqlite3_file *base, int *is_reserved) {
    *is_reserved = 0;
    return SQLITE_OK;
}
static int csqlite_private_control(sqlite3_file *base, int operation, void *argument) { return SQLITE_NOTFOUND; }
static int csqlite_private_sector(sqlite3_file *base) { return 4096; }
static int csqlite_private_characteristics(sqlite3_file *base) { return SQLITE_IOCAP_POWERSAFE_OVERWRITE; }

static const sqlite3_io_methods csqlite_private_methods = {
    .iVersion = 1,
    .xClose = csqlite_private_close,
    .xRead = csqlite_private_read,
    .xWrite = csqlite_private_write,
    .xTruncate = csqlite_private_truncate,
    .xSync = csqlite_private_sync,
    .xFileSize = csqlite_private_size,
    .xLock = csqlite_private_lock,
    .xUnlock = csqlite_private_lock,
    .xCheckReservedLock = csqlite_private_reserved,
    .xFileControl = csqlite_private_control,
    .xSectorSize = csqlite_private_sector,
    .xDeviceCharacteristics = csqlite_private_characteristics,
};

// MARK: The file system

static int csqlite_private_open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *out_flags) {
    csqlite_private_file *file = (csqlite_private_file *)vfs;
    csqlite_private_open *open = (csqlite_private_open *)base;
    base->pMethods = NULL;
    open->file = file;
    open->is_temporary = name == NULL;
    open->size = 0;
    if (name && !(flags & SQLITE_OPEN_MAIN_DB)) return SQLITE_CANTOPEN;
    open->descriptor = name ? file->descriptor : file->make_temporary(file->context);
    if (open->descriptor < 0) return csqlite_private_fail(file, 1, CSQLITE_MAKING_TEMPORARY, SQLITE_CANTOPEN);
    base->pMethods = &csqlite_private_methods;
    if (out_flags) *out_flags = flags;
    return SQLITE_OK;
}

static int csqlite_private_full_path(sqlite3_vfs *vfs, const char *name, int size, char *full) {
    return snprintf(full, (size_t)size, "%s", name) < size ? SQLITE_OK : SQLITE_CANTOPEN;
}
static int csqlite_private_delete(sqlite3_vfs *vfs, const char *name, int sync) { return SQLITE_OK; }
static int csqlite_private_access(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
    *result = strcmp(name, CSQLITE_PRIVATE_NAME) == 0;
    return SQLITE_OK;
}
static int csqlite_private_randomness(sqlite3_vfs *vfs, int count, char *bytes) {
    sqlite3_vfs *others = ((csqlite_private_file *)vfs)->others;
    return others->xRandomness(others, count, bytes);
}
static int csqlite_private_sleep(sqlite3_vfs *vfs, int microseconds) {
    sqlite3_vfs *others = ((csqlite_private_file *)vfs)->others;
    return others->xSleep(others, microseconds);
}
static int csqlite_private_time(sqlite3_vfs *vfs, double *days) {
    sqlite3_vfs *others = ((csqlite_private_file *)vfs)->others;
    return others->xCurrentTime(others, days);
}
static int csqlite_private_last_error(sqlite3_vfs *vfs, int size, char *message) {
    return csqlite_private_failure((csqlite_private_file *)vfs) >> 8;
}

static const sqlite3_vfs csqlite_private_vfs = {
    .iVersion = 1,
    .szOsFile = (int)sizeof(csqlite_private_open),
    .mxPathname = 64,
    .xOpen = csqlite_private_open_file,
    .xDelete = csqlite_private_delete,
    .xAccess = csqlite_private_access,
    .xFullPathname = csqlite_private_full_path,
    .xRandomness = csqlite_private_randomness,
    .xSleep = csqlite_private_sleep,
    .xCurrentTime = csqlite_private_time,
    .xGetLastError = csqlite_private_last_error,
};

// MARK: Beginning and ending

void csqlite_private_end(csqlite_private_file *file) {
    sqlite3_vfs_unregister(&file->vfs);
    close(file->descriptor);
    free(file);
}

csqlite_private_file *csqlite_private_begin(int descriptor, int (*make_temporary)(void *), void *context) {
    sqlite3_vfs *others = sqlite3_initialize() == SQLITE_OK ? sqlite3_vfs_find(NULL) : NULL;
    csqlite_private_file *file = others ? (csqlite_private_file *)calloc(1, sizeof *file) : NULL;
    if (!file) {
        close(descriptor);
        return NULL;
    }
    file->descriptor = descriptor;
    file->others = others;
    file->make_temporary = make_temporary;
    file->context = context;
    snprintf(file->name, sizeof file->name, "private-%p", (void *)file);
    file->vfs = csqlite_private_vfs;
    file->vfs.zName = file->name;
    if (sqlite3_vfs_register(&file->vfs, 0) != SQLITE_OK) {
        csqlite_private_end(file);
        return NULL;
    }
    return file;
}

void csqlite_private_observe(csqlite_private_file *file, csqlite_observer observer, void *context) {
    file->observer_context = context;
    file->observer = observer;
}

void csqlite_private_lend(csqlite_private_file *file) { __atomic_add_fetch(&file->loans, 1, __ATOMIC_RELAXED); }
void csqlite_private_give_back(csqlite_private_file *file) { __atomic_sub_fetch(&file->loans, 1, __ATOMIC_RELAXED); }

const char *csqlite_private_file_system(const csqlite_private_file *file) { return file->name; }
