// Records what a program writes into a folder, in the order in which it asks for it. power_loss.py then works out what
// a power cut may lose, or keep in another order. Preloaded (LD_PRELOAD).
//
//     RECORD=/x/log RECORD_FOLDER=/x/stores LD_PRELOAD=writes.so import-gtfs …
//
// The log: lines "create INODE NAME", "truncate INODE SIZE", "rename FROM TO", "link FROM TO", "unlink NAME", "flush
// INODE" (of a file or the folder), and "write INODE OFFSET COUNT" followed by so many bytes and a line's end.
#include "calls.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int record = -1;
static const char *folder;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("RECORD");
    folder = getenv("RECORD_FOLDER");
    if (path && folder) record = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void note(const void *data, size_t count, const char *format, ...) {
    char line[9000];
    va_list rest;
    va_start(rest, format);
    int length = vsnprintf(line, sizeof line, format, rest);
    va_end(rest);
    int error = errno;
    pthread_mutex_lock(&turn);
    syscall(SYS_write, record, line, (size_t)length);
    if (data) {
        syscall(SYS_write, record, data, count);
        syscall(SYS_write, record, "\n", (size_t)1);
    }
    pthread_mutex_unlock(&turn);
    errno = error;
}

/// The file's number when it lies in the folder, or is the folder; 0 otherwise.
static unsigned long inode(int descriptor) {
    char path[4200];
    if (record < 0) return 0;
    path_of(descriptor, path);
    if (strncmp(path, folder, strlen(folder)) != 0) return 0;
    struct stat status;
    return fstat(descriptor, &status) == 0 ? status.st_ino : 0;
}

static const char *inside(const char *path) {
    size_t length = strlen(folder ? folder : "");
    return record >= 0 && strncmp(path, folder, length) == 0 && path[length] == '/' ? path + length + 1 : NULL;
}

DEFINE_OPEN({
    int opened = (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
    if (opened >= 0 && (flags & O_CREAT) && inside(path)) note(NULL, 0, "create %lu %s\n", inode(opened), inside(path));
    return opened;
})

ssize_t write(int descriptor, const void *bytes, size_t count) {
    unsigned long file = inode(descriptor);
    off_t offset = file ? (off_t)syscall(SYS_lseek, descriptor, 0L, SEEK_CUR) : 0;
    ssize_t done = syscall(SYS_write, descriptor, bytes, count);
    if (file && done > 0) note(bytes, (size_t)done, "write %lu %ld %zd\n", file, (long)offset, done);
    return done;
}
DEFINE_PWRITE({
    ssize_t done = syscall(SYS_pwrite64, descriptor, bytes, count, offset);
    unsigned long file = done > 0 ? inode(descriptor) : 0;
    if (file) note(bytes, (size_t)done, "write %lu %ld %zd\n", file, (long)offset, done);
    return done;
})
DEFINE_FTRUNCATE({
    int code = (int)syscall(SYS_ftruncate, descriptor, size);
    unsigned long file = code == 0 ? inode(descriptor) : 0;
    if (file) note(NULL, 0, "truncate %lu %ld\n", file, (long)size);
    return code;
})
int fsync(int descriptor) {
    int code = (int)syscall(SYS_fsync, descriptor);
    unsigned long file = code == 0 ? inode(descriptor) : 0;
    if (file) note(NULL, 0, "flush %lu\n", file);
    return code;
}
int rename(const char *from, const char *to) {
    int code = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
    if (code == 0 && inside(from) && inside(to)) note(NULL, 0, "rename %s %s\n", inside(from), inside(to));
    return code;
}
int link(const char *from, const char *to) {
    int code = (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
    if (code == 0 && inside(from) && inside(to)) note(NULL, 0, "link %s %s\n", inside(from), inside(to));
    return code;
}
int unlink(const char *path) {
    int code = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
    if (code == 0 && inside(path)) note(NULL, 0, "unlink %s\n", inside(path));
    return code;
}
