// What ends the program: memory that is not there, or an ICU that fails where its documentation says it cannot.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Prints "ICU: what (reason)" on standard error and aborts.
_Noreturn void cicu_stop(const char *what, const char *reason);

/// realloc for `count` elements of `size` bytes that never answers NULL.
void *cicu_resize(void *memory, size_t count, size_t size);

/// calloc for one element of `size` bytes that never answers NULL.
void *cicu_new(size_t size);
