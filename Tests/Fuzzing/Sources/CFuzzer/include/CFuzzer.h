#pragma once
#include <stddef.h>
#include <stdint.h>

/// libFuzzer's main loop (https://llvm.org/docs/LibFuzzer.html#using-libfuzzer-as-a-library). Its library has no
/// header.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));

/// memfd_create(2), which Glibc's module leaves out: a file in memory, or -1.
int fuzz_memory_file(void);
