// Preloaded: the system call that is number LOST_WRITE of all writes to files does nothing and says that it was done,
// as a failing disk or a broken layer above it does. LOST_LOG names a file that says whether that call was reached.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_long calls;

static int is_lost(int descriptor) {
    static long wanted = -1;
    if (wanted < 0) wanted = getenv("LOST_WRITE") ? atol(getenv("LOST_WRITE")) : 0;
    struct stat status;
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
    if (atomic_fetch_add(&calls, 1) + 1 != wanted) return 0;
    const char *log = getenv("LOST_LOG");
    if (log) close(open(log, O_CREAT | O_WRONLY, 0600));
    return 1;
}

typedef ssize_t (*pwrite_call)(int, const void *, size_t, off_t);
typedef ssize_t (*write_call)(int, const void *, size_t);

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return is_lost(descriptor) ? (ssize_t)count : ((pwrite_call)dlsym(RTLD_NEXT, "pwrite"))(descriptor, bytes, count, offset);
}
ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off_t offset) {
    return is_lost(descriptor) ? (ssize_t)count : ((pwrite_call)dlsym(RTLD_NEXT, "pwrite64"))(descriptor, bytes, count, offset);
}
ssize_t write(int descriptor, const void *bytes, size_t count) {
    return is_lost(descriptor) ? (ssize_t)count : ((write_call)dlsym(RTLD_NEXT, "write"))(descriptor, bytes, count);
}
