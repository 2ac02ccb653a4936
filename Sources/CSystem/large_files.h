// Leaves the closing of large files to a child process.
//
// The last process to close a file without a name frees its pages and blocks. That takes 3 seconds for 1 GB on a busy
// disk and cannot be interrupted. A process that was asked to stop should not wait for it.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/// Descriptors beyond this number are not looked at, and stay open in the child: the limit may be a billion.
enum { MOST_DESCRIPTORS = 65536 };

/// Makes a child process that keeps the large files of this process open until this process has ended. The child keeps
/// nothing else open: no lock, and no stream whose end someone waits for. Does nothing where the system refuses another
/// process.
static inline void csystem_leave_large_files(long size) {
    int ends[2];
    // Programs that this process starts later must not hold the end that wakes the child.
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    pid_t child = fork();
    if (child != 0) {
        // The other end is closed when this process ends, which wakes the child.
        close(ends[0]);
        return;
    }
    close(ends[1]);
    struct rlimit limit;
    rlim_t most = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < MOST_DESCRIPTORS ? limit.rlim_cur : MOST_DESCRIPTORS;
    for (int descriptor = 0; descriptor < (int)most; descriptor++) {
        struct stat status;
        int is_large = descriptor > 2 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size >= size;
        if (descriptor != ends[0] && !is_large) close(descriptor);
    }
    char byte;
    while (read(ends[0], &byte, 1) < 0 && errno == EINTR) {}
    _exit(0);
}
