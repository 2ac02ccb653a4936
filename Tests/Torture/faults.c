// Makes one system call of a program fail, to see what the program does then. Preloaded (LD_PRELOAD).
//
//     FAULT_CALL=pread FAULT_AT=3 FAULT_ERROR=5 FAULT_HIT=/x/hit LD_PRELOAD=faults.so import-gtfs …
//
// FAULT_CALL: open, read, pread, write, pwrite, fsync, rename, link, unlink, fstat, stat, ftruncate,
//             flock, malloc;
//     "open" counts opendir as well, "stat" lstat; "writes" counts write and pwrite together
// FAULT_AT: which of these calls, from 1; FAULT_TIMES: how many from there on (1; 0: all)
// FAULT_ERROR: errno; with 0, reads and writes do half of what was asked (at least a byte), and other calls do not fail
// FAULT_LOST: if set, a write does nothing and reports success
// FAULT_PATH: counts only calls on files whose path contains this text
// FAULT_EXCEPT: does not count calls on files whose path contains this text
// FAULT_HIT: a file that is made when a call fails; if it is not there afterwards, no call failed
#include "calls.h"
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>

static const char *call, *part, *except, *hit;
static long at, times, seen;
static int number, is_lost, is_ready;

__attribute__((constructor)) static void read_orders(void) {
    call = getenv("FAULT_CALL");
    part = getenv("FAULT_PATH");
    except = getenv("FAULT_EXCEPT");
    hit = getenv("FAULT_HIT");
    at = getenv("FAULT_AT") ? atol(getenv("FAULT_AT")) : 1;
    times = getenv("FAULT_TIMES") ? atol(getenv("FAULT_TIMES")) : 1;
    number = getenv("FAULT_ERROR") ? atoi(getenv("FAULT_ERROR")) : EIO;
    is_lost = getenv("FAULT_LOST") != NULL;
    is_ready = call != NULL;
}

/// Whether this call has to fail. If `path` is NULL, the descriptor tells the path.
static int strikes(const char *name, const char *path, int descriptor) {
    if (!is_ready) return 0;
    if (strcmp(name, call) != 0 && !(strcmp(call, "writes") == 0 && strstr(name, "write"))) return 0;
    if ((part && *part) || (except && *except)) {
        char found[4200];
        if (!path) {
            path_of(descriptor, found);
            path = found;
        }
        if (part && !strstr(path, part)) return 0;
        if (except && *except && strstr(path, except)) return 0;
    }
    long turn = __atomic_add_fetch(&seen, 1, __ATOMIC_SEQ_CST);
    if (turn < at || (times > 0 && turn >= at + times)) return 0;
    if (hit) {
        long made = syscall(SYS_openat, AT_FDCWD, hit, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        if (made >= 0) syscall(SYS_close, made);
    }
    errno = number;
    return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
static size_t less(size_t count) { return count > 1 ? count / 2 : count; }

DEFINE_OPEN({
    if (number && strikes("open", path, -1)) return -1;
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
})
DIR *opendir(const char *path) { return number && strikes("open", path, -1) ? NULL : REAL(opendir)(path); }

ssize_t read(int descriptor, void *bytes, size_t count) {
    if (strikes("read", NULL, descriptor)) {
        if (number) return -1;
        count = less(count);
    }
    return syscall(SYS_read, descriptor, bytes, count);
}
ssize_t write(int descriptor, const void *bytes, size_t count) {
    if (strikes("write", NULL, descriptor)) {
        if (is_lost) return (ssize_t)count;
        if (number) return -1;
        count = less(count);
    }
    return syscall(SYS_write, descriptor, bytes, count);
}
#define PREAD(name)                                                         \
    ssize_t name(int descriptor, void *bytes, size_t count, off_t offset) { \
        if (strikes("pread", NULL, descriptor)) {                           \
            if (number) return -1;                                          \
            count = less(count);                                            \
        }                                                                   \
        return syscall(SYS_pread64, descriptor, bytes, count, offset);      \
    }
PREAD(pread)
PREAD(pread64)
DEFINE_PWRITE({
    if (strikes("pwrite", NULL, descriptor)) {
        if (is_lost) return (ssize_t)count;
        if (number) return -1;
        count = less(count);
    }
    return syscall(SYS_pwrite64, descriptor, bytes, count, offset);
})

int fsync(int descriptor) { return number && strikes("fsync", NULL, descriptor) ? -1 : (int)syscall(SYS_fsync, descriptor); }
int rename(const char *from, const char *to) {
    return number && strikes("rename", to, -1) ? -1 : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int link(const char *from, const char *to) {
    return number && strikes("link", to, -1) ? -1 : (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int unlink(const char *path) {
    return number && strikes("unlink", path, -1) ? -1 : (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}
int flock(int descriptor, int operation) {
    return number && strikes("flock", NULL, descriptor) ? -1 : (int)syscall(SYS_flock, descriptor, operation);
}
DEFINE_FTRUNCATE({
    return number && strikes("ftruncate", NULL, descriptor) ? -1 : (int)syscall(SYS_ftruncate, descriptor, size);
})
int fstat(int descriptor, struct stat *status) {
    return number && strikes("fstat", NULL, descriptor) ? -1 : REAL(fstat)(descriptor, status);
}
int fstat64(int descriptor, struct stat64 *status) {
    return number && strikes("fstat", NULL, descriptor) ? -1 : REAL(fstat64)(descriptor, status);
}
int stat(const char *path, struct stat *status) { return number && strikes("stat", path, -1) ? -1 : REAL(stat)(path, status); }
int stat64(const char *path, struct stat64 *status) {
    return number && strikes("stat", path, -1) ? -1 : REAL(stat64)(path, status);
}
int lstat(const char *path, struct stat *status) {
    return number && strikes("stat", path, -1) ? -1 : REAL(lstat)(path, status);
}
int lstat64(const char *path, struct stat64 *status) {
    return number && strikes("stat", path, -1) ? -1 : REAL(lstat64)(path, status);
}

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
void *malloc(size_t size) { return strikes("malloc", "", -1) ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return strikes("malloc", "", -1) ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return strikes("malloc", "", -1) ? NULL : __libc_realloc(old, size); }
