// Names by ICU: the rule of the transliterator "NFD; [:Nonspacing Mark:] Remove; Lower(); NFC", without the
// transliterator's cost. Most names are normalized in Swift (FoldedNames). Swift calls this file once for each code
// point, and for whole words in which code points affect each other.
#include "cicu.h"
#include "stop.h"
#include <stdlib.h>
#include <string.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

/// ICU sorts the marks on a letter by moving each past those before it: half a million marks take two minutes. Marks
/// beyond this number are left out. Nearly all of them would be removed anyway, except a few marks of musical notation.
enum { MOST_MARKS = 1000 };

typedef struct {
    UChar *units;
    int32_t length, capacity;
} utf16_buffer;

struct cicu_names {
    const UNormalizer2 *nfd, *nfc;
    const UNormalizer2 *nfkc; // NULL until it is needed
    utf16_buffer first, second;
    uint8_t *bytes;
    size_t capacity;
};

cicu_names *cicu_names_open(void)
{
    cicu_names *names = cicu_new(sizeof *names);
    UErrorCode status = U_ZERO_ERROR;
    names->nfd = unorm2_getNFDInstance(&status);
    names->nfc = unorm2_getNFCInstance(&status);
    if (U_FAILURE(status)) cicu_stop("no normalization data", u_errorName(status));
    return names;
}

void cicu_names_close(cicu_names *names)
{
    free(names->first.units);
    free(names->second.units);
    free(names->bytes);
    free(names);
}

/// Called after ICU has written to `buffer`. Keeps the length, or makes room and returns true if the call must be
/// repeated.
static bool must_repeat(utf16_buffer *buffer, int32_t length, UErrorCode status)
{
    if (U_SUCCESS(status)) {
        buffer->length = length;
        return false;
    }
    if (status != U_BUFFER_OVERFLOW_ERROR) cicu_stop("a text cannot be normalized", u_errorName(status));
    buffer->capacity = length;
    buffer->units = cicu_resize(buffer->units, (size_t)length, sizeof(UChar));
    return true;
}

static void read_utf8(utf16_buffer *target, const uint8_t *text, int32_t length)
{
    int32_t made = 0;
    UErrorCode status;
    do {
        status = U_ZERO_ERROR;
        u_strFromUTF8WithSub(
            target->units, target->capacity, &made, (const char *)text, length, 0xFFFD, NULL, &status);
    } while (must_repeat(target, made, status));
}

static void normalize_units(const UNormalizer2 *form, utf16_buffer *target, const utf16_buffer *source)
{
    int32_t made;
    UErrorCode status;
    do {
        status = U_ZERO_ERROR;
        made = unorm2_normalize(form, source->units, source->length, target->units, target->capacity, &status);
    } while (must_repeat(target, made, status));
}

static void leave_out_endless_marks(const UNormalizer2 *form, utf16_buffer *buffer)
{
    if (buffer->length <= MOST_MARKS) return;
    int32_t kept = 0, at = 0, marks = 0;
    while (at < buffer->length) {
        int32_t start = at;
        UChar32 c;
        U16_NEXT(buffer->units, at, buffer->length, c);
        // Not the combining class: that of U+0F73 is 0, although it consists of two marks.
        marks = unorm2_hasBoundaryBefore(form, c) ? 0 : marks + 1;
        if (marks > MOST_MARKS) continue;
        while (start < at) buffer->units[kept++] = buffer->units[start++];
    }
    buffer->length = kept;
}

static void remove_nonspacing_marks(utf16_buffer *buffer)
{
    int32_t kept = 0, at = 0;
    while (at < buffer->length) {
        int32_t start = at;
        UChar32 c;
        U16_NEXT(buffer->units, at, buffer->length, c);
        if (u_charType(c) == U_NON_SPACING_MARK) continue;
        while (start < at) buffer->units[kept++] = buffer->units[start++];
    }
    buffer->length = kept;
}

static void lowercase(utf16_buffer *target, const utf16_buffer *source)
{
    int32_t made;
    UErrorCode status;
    do {
        status = U_ZERO_ERROR;
        made = u_strToLower(target->units, target->capacity, source->units, source->length, "", &status);
    } while (must_repeat(target, made, status));
}

static void exchange_buffers(cicu_names *names)
{
    utf16_buffer first = names->first;
    names->first = names->second;
    names->second = first;
}

/// Composes names->second in place.
static void compose(cicu_names *names)
{
    normalize_units(names->nfc, &names->first, &names->second);
    exchange_buffers(names);
}

/// Applies the whole rule with ICU, except the lower case if `keeps_case`; the result is in names->second.
static void normalize_by_icu(cicu_names *names, const uint8_t *text, int32_t length, bool keeps_case)
{
    read_utf8(&names->second, text, length);
    leave_out_endless_marks(names->nfd, &names->second);
    normalize_units(names->nfd, &names->first, &names->second);
    remove_nonspacing_marks(&names->first);
    if (keeps_case) exchange_buffers(names);
    else lowercase(&names->second, &names->first);
    compose(names);
}

/// Points `result` at names->second in UTF-8; returns the number of bytes.
static size_t write_utf8(cicu_names *names, const uint8_t **result)
{
    const utf16_buffer *made = &names->second;
    size_t needed = (size_t)made->length * 3 + 1;
    if (names->capacity < needed) {
        names->capacity = needed + needed / 2;
        names->bytes = cicu_resize(names->bytes, names->capacity, 1);
    }
    int32_t written = 0;
    UErrorCode status = U_ZERO_ERROR;
    u_strToUTF8WithSub(
        (char *)names->bytes, (int32_t)needed, &written, made->units, made->length, 0xFFFD, NULL, &status);
    if (U_FAILURE(status)) cicu_stop("a name cannot be written as UTF-8", u_errorName(status));
    *result = names->bytes;
    return (size_t)written;
}

size_t cicu_names_by_icu(
    cicu_names *names, const uint8_t *text, size_t length, bool keeps_case, const uint8_t **result)
{
    normalize_by_icu(names, text, (int32_t)length, keeps_case);
    return write_utf8(names, result);
}

size_t cicu_names_composed_lowercase(cicu_names *names, const uint8_t *text, size_t length, const uint8_t **result)
{
    read_utf8(&names->first, text, (int32_t)length);
    leave_out_endless_marks(names->nfd, &names->first);
    lowercase(&names->second, &names->first);
    compose(names);
    return write_utf8(names, result);
}

size_t cicu_names_compatible(cicu_names *names, const uint8_t *text, size_t length, const uint8_t **result)
{
    if (!names->nfkc) {
        UErrorCode status = U_ZERO_ERROR;
        names->nfkc = unorm2_getNFKCInstance(&status);
        if (U_FAILURE(status)) cicu_stop("no data of compatible characters", u_errorName(status));
    }
    read_utf8(&names->first, text, (int32_t)length);
    leave_out_endless_marks(names->nfd, &names->first);
    normalize_units(names->nfkc, &names->second, &names->first);
    return write_utf8(names, result);
}

uint16_t cicu_names_simple(cicu_names *names, uint32_t code_point)
{
    UChar32 c = (UChar32)code_point;
    if (c == 0x03A3 || c > 0xFFFF || U_IS_SURROGATE(c)) return CICU_NOT_SIMPLE;
    uint8_t bytes[4];
    int32_t length = 0;
    U8_APPEND_UNSAFE(bytes, length, c);
    normalize_by_icu(names, bytes, length, false);
    if (names->second.length == 0) return CICU_DROPPED;
    UChar result = names->second.units[0];
    bool is_simple = names->second.length == 1 && unorm2_hasBoundaryBefore(names->nfc, result);
    return is_simple ? result : CICU_NOT_SIMPLE;
}
