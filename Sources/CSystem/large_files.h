// Leaves the closing of large files to a child process.
//
// The last process to close a file without a name frees its pages and blocks. That takes 3 seconds for 1 GB on a busy
// disk and cannot be interrupted. A process that was asked to stop should not wait for it.
#pragma once
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/// Makes a child process that keeps the large files of this process open until this process has ended. The child keeps
/// nothing else open: no lock, and no stream whose end someone waits for. Does nothing where the system refuses another
/// process.
static inline void csystem_leave_large_files(long size) {
    int ends[2];
    if (pipe(ends) != 0) return;
    pid_t child = fork();
    if (child != 0) {
        // The other end is closed when this process ends, which wakes the child.
        close(ends[0]);
        return;
    }
    for (int descriptor = 0; descriptor < 1024; descriptor++) {
        struct stat status;
        int is_large = descriptor > 2 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size >= size;
        if (descriptor != ends[0] && !is_large) close(descriptor);
    }
    char byte;
    while (read(ends[0], &byte, 1) < 0 && errno == EINTR) {}
    _exit(0);
}
