#include "stop.h"
#include <stdio.h>
#include <stdlib.h>

_Noreturn void cicu_stop(const char *what, const char *reason)
{
    fprintf(stderr, "ICU: %s (%s)\n", what, reason);
    abort();
}

void *cicu_resize(void *memory, size_t count, size_t size)
{
    if (size != 0 && count > SIZE_MAX / size) cicu_stop("a text is too long", "size overflow");
    void *larger = realloc(memory, count * size);
    if (larger == NULL && count * size != 0) cicu_stop("out of memory", "realloc");
    return larger;
}

void *cicu_new(size_t size)
{
    void *fresh = calloc(1, size);
    if (fresh == NULL) cicu_stop("out of memory", "calloc");
    return fresh;
}
