#define _GNU_SOURCE
#include <sys/mman.h>

#include "CFuzzer.h"

int fuzz_memory_file(void) { return memfd_create("fuzz", 0); }
