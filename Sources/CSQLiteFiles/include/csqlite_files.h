// Two file systems for SQLite that have one file each (https://sqlite.org/vfs.html): a file that never changes, for
// readers, and a file that only this process knows, for an import. Each function says what it takes ownership of; none
// takes a path.
#pragma once

/// The names of the files for connections. They are not paths, so nothing is looked up.
#define CSQLITE_IMMUTABLE_NAME "immutable"
#define CSQLITE_PRIVATE_NAME "private"

typedef struct csqlite_immutable_file csqlite_immutable_file;

/// Takes over a descriptor that is open for reading, and maps the file if asked. NULL when there is no memory; the
/// descriptor is closed then.
csqlite_immutable_file *csqlite_immutable_open(int descriptor, int is_mapped);

/// Closes the descriptor and forgets the file; no connection may have it open any longer.
void csqlite_immutable_close(csqlite_immutable_file *file);

/// Whether a read has found that the file is no longer what was opened. Any thread may ask.
int csqlite_immutable_is_changed(const csqlite_immutable_file *file);

/// errno of the last read that failed; 0 if all went well. Any thread may ask.
int csqlite_immutable_read_error(const csqlite_immutable_file *file);

/// The name by which a connection asks for the file system; valid as long as the file.
const char *csqlite_immutable_file_system(const csqlite_immutable_file *file);

/// Bytes that are mapped; 0 where everything is read.
long long csqlite_immutable_mapped(const csqlite_immutable_file *file);

typedef struct csqlite_private_file csqlite_private_file;

/// What failed.
enum { CSQLITE_READING = 1, CSQLITE_WRITING = 2, CSQLITE_MAKING_TEMPORARY = 3, CSQLITE_MEASURING = 4 };

/// Is told of each write to the file, by the thread that writes.
typedef void (*csqlite_observer)(void *context, const void *bytes, long long count, long long offset);

/// Takes over a descriptor that is open for reading and writing. NULL when there is no memory; the descriptor is closed
/// then. `make_temporary` makes an open file without a name, or returns -1 and sets errno; any thread may call it.
csqlite_private_file *csqlite_private_begin(int descriptor, int (*make_temporary)(void *), void *context);

/// Forgets the file and closes its descriptor; no connection may have it open any longer.
void csqlite_private_end(csqlite_private_file *file);

/// Sets the observer. Call it before there is a connection.
void csqlite_private_observe(csqlite_private_file *file, csqlite_observer observer, void *context);

/// Makes every later read and write fail. Any thread may call it.
void csqlite_private_stop(csqlite_private_file *file);

/// The last failure: errno above the lowest byte, what failed (the enum above) in bits 1 to 7, and in bit 0 whether it
/// was a temporary file. 0 while all is well. Any thread may ask.
int csqlite_private_failure(csqlite_private_file *file);

/// Bytes of all temporary files together. Any thread may ask.
long long csqlite_private_temporary_bytes(csqlite_private_file *file);

/// Between `lend` and `give_back`, statements that look at the file fail with SQLITE_BUSY, because someone else writes
/// its pages.
void csqlite_private_lend(csqlite_private_file *file);
void csqlite_private_give_back(csqlite_private_file *file);

/// As `csqlite_immutable_file_system`.
const char *csqlite_private_file_system(const csqlite_private_file *file);
