// What the preloaded libraries share: definitions of calls that the C library has under two names or with more
// arguments.
#pragma once
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/// open(2) and its twin for large files; `body` has path, flags and mode at hand.
#define DEFINE_OPEN_AS(name, body)                \
    int name(const char *path, int flags, ...) {  \
        mode_t mode = 0;                          \
        if (flags & (O_CREAT | __O_TMPFILE)) {    \
            va_list rest;                         \
            va_start(rest, flags);                \
            mode = va_arg(rest, mode_t);          \
            va_end(rest);                         \
        }                                         \
        body                                      \
    }
#define DEFINE_OPEN(body) DEFINE_OPEN_AS(open, body) DEFINE_OPEN_AS(open64, body)

/// pwrite(2) and ftruncate(2) with their twins.
#define DEFINE_PWRITE_AS(name, body) \
    ssize_t name(int descriptor, const void *bytes, size_t count, off_t offset) { body }
#define DEFINE_PWRITE(body) DEFINE_PWRITE_AS(pwrite, body) DEFINE_PWRITE_AS(pwrite64, body)
#define DEFINE_FTRUNCATE_AS(name, body) \
    int name(int descriptor, off_t size) { body }
#define DEFINE_FTRUNCATE(body) DEFINE_FTRUNCATE_AS(ftruncate, body) DEFINE_FTRUNCATE_AS(ftruncate64, body)

/// The path of an open file, as far as it fits into 4,200 bytes; empty when the system does not say.
static inline void path_of(int descriptor, char path[4200]) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    long length = syscall(SYS_readlink, link, path, (size_t)4199);
    path[length < 0 ? 0 : length] = 0;
}
