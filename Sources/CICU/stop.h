// Ends the program when memory runs out, or when ICU fails where its documentation says that it cannot.
#pragma once
#include <stddef.h>
#include <stdint.h>

/// Prints "ICU: what (reason)" on standard error and aborts.
_Noreturn void cicu_stop(const char *what, const char *reason);

/// realloc for `count` elements of `size` bytes; stops the program instead of returning NULL.
void *cicu_resize(void *memory, size_t count, size_t size);

/// calloc for one element of `size` bytes; stops the program instead of returning NULL.
void *cicu_new(size_t size);
