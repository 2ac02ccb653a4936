// Runs a program and writes what it took as one line of JSON: measure RESULT.json PROGRAM [ARGUMENT…]
//
// A small program between the harness and what is measured, because a process's peak memory begins with that of the
// process it was forked from: Python's would stand for every contender that needs less.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds_since(const struct timespec *start) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - start->tv_sec) + (double)(now.tv_nsec - start->tv_nsec) / 1e9;
}

/// Bytes handed to write(2) by a process that has ended and was not waited for yet; -1 when the system does not tell.
static int64_t bytes_written(pid_t process) {
    char path[64], line[128];
    int64_t bytes = -1;
    snprintf(path, sizeof path, "/proc/%d/io", (int)process);
    FILE *file = fopen(path, "r");
    if (!file) return -1;
    while (fgets(line, sizeof line, file)) sscanf(line, "wchar: %" SCNd64, &bytes);
    fclose(file);
    return bytes;
}

static double of(struct timeval time) { return (double)time.tv_sec + (double)time.tv_usec / 1e6; }

int main(int count, char **arguments) {
    if (count < 3) return fprintf(stderr, "usage: measure RESULT.json PROGRAM [ARGUMENT…]\n"), 64;
    struct timespec start;
    clock_gettime(CLOCK_MONOTONIC, &start);
    pid_t process = fork();
    if (process == 0) {
        execvp(arguments[2], arguments + 2);
        perror(arguments[2]);
        _exit(127);
    }
    siginfo_t ended;
    if (process < 0 || waitid(P_PID, (id_t)process, &ended, WEXITED | WNOWAIT)) return perror("measure"), 71;
    double seconds = seconds_since(&start);
    int64_t written = bytes_written(process);
    int status;
    struct rusage usage;
    wait4(process, &status, 0, &usage);
    FILE *result = fopen(arguments[1], "w");
    if (!result) return perror(arguments[1]), 73;
    fprintf(
        result, "{\"seconds\": %.6f, \"cpu_seconds\": %.6f, \"peak_memory\": %ld, \"written\": %" PRId64 "}\n", seconds,
        of(usage.ru_utime) + of(usage.ru_stime), usage.ru_maxrss * 1024, written);
    fclose(result);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
