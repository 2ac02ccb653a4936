// Declarations of <fcntl.h>, <unistd.h> and <sys/mman.h> that Swift cannot see: they are only for programs that ask for
// GNU's extensions.
#pragma once

/// sync_file_range(2)
extern int sync_file_range(int descriptor, long offset, long count, unsigned int flags);
enum { CSYSTEM_WRITE_RANGE = 1 | 2 | 4 }; // SYNC_FILE_RANGE_WAIT_BEFORE, _WRITE, _WAIT_AFTER
enum { CSYSTEM_BEGIN_TO_WRITE_RANGE = 2 }; // SYNC_FILE_RANGE_WRITE

enum { CSYSTEM_TMPFILE = 020000000 | 0200000 }; // O_TMPFILE, open(2)
enum { CSYSTEM_SETLEASE = 1024, CSYSTEM_SETSIG = 10 }; // F_SETLEASE and F_SETSIG, fcntl(2)

/// pipe2(2)
extern int pipe2(int ends[2], int flags);

/// mremap(2) to a place that the caller has mapped: MREMAP_MAYMOVE and MREMAP_FIXED. (void *)-1 when the system
/// refuses.
extern void *mremap(void *memory, __SIZE_TYPE__ count, __SIZE_TYPE__ new_count, int flags, ...);
static inline void *csystem_move_memory(
    void *memory, __SIZE_TYPE__ count, __SIZE_TYPE__ new_count, void *place) {
    return mremap(memory, count, new_count, 1 | 2, place);
}
